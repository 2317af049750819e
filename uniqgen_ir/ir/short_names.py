"""Short names of IRIs, for messages and pictures: `ol:host_city` where a prefix is declared, else `<…>`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from uniqgen_ir.ir.terms import IRI, BlankNode, Literal, Parameter, Variable
from uniqgen_ir.ir.vocabulary import BUILTIN_PREFIXES, RDF_TYPE, XSD

_LOCAL = re.compile(r"[\w-][\w.-]*(?<!\.)")


def shortener(prefixes: Iterable[tuple[str, str]] = ()) -> Callable[[str], str]:
    """A function from an IRI to its shortest name under the prefixes and the built-in ones."""
    # the longest namespace first, so that the most specific prefix is used
    known = sorted({**BUILTIN_PREFIXES, **dict(prefixes)}.items(), key=lambda one: -len(one[1]))

    def short(iri: str) -> str:
        for prefix, space in known:
            if iri.startswith(space) and _LOCAL.fullmatch(iri[len(space) :]):
                return f"{prefix}:{iri[len(space) :]}"
        return f"<{iri}>"

    return short


def term_text(term: object, short: Callable[[str], str]) -> str:
    """A term as a reader of tables would write it. `rdf:type` is `a`."""
    match term:
        case IRI(value):
            return "a" if value == RDF_TYPE else short(value)
        case Literal(lexical, datatype, language):
            return _literal_text(lexical, datatype, language, short)
        case Variable() | Parameter() | BlankNode():
            return str(term)
        case _:
            return str(term)


_BARE = {XSD + "integer": r"[+-]?\d+", XSD + "decimal": r"[+-]?\d+\.\d+", XSD + "boolean": r"true|false"}
_CALLS = {XSD + "date": "date", XSD + "dateTime": "datetime", XSD + "time": "time", XSD + "duration": "duration"}


def _literal_text(lexical: str, datatype: str, language: str | None, short: Callable[[str], str]) -> str:
    if datatype in _BARE and re.fullmatch(_BARE[datatype], lexical):
        return lexical
    quoted = '"' + lexical.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    if datatype in _CALLS:
        return f"{_CALLS[datatype]}({quoted})"
    if language is not None:
        return f"{quoted}@{language}"
    return quoted if datatype == XSD + "string" else f"{quoted}^^{short(datatype)}"
