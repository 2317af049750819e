"""How names, terms and paths are written in the CTable language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from uniqgen_ir.ir.paths import Alternative, Inverse, NegatedSet, Path, Repeat, Sequence, Step
from uniqgen_ir.ir.temporal import parse_duration, parse_temporal
from uniqgen_ir.ir.terms import IRI, BlankNode, Literal, Parameter, Variable
from uniqgen_ir.ir.vocabulary import (
    BUILTIN_PREFIXES,
    XSD_BOOLEAN,
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_DURATION,
    XSD_INTEGER,
    XSD_STRING,
    XSD_TIME,
)

_WORD: Final = re.compile(r"[^\W\d]\w*(?:[.\-]\w+)*")
_LOCAL: Final = re.compile(r"[\w%](?:[\w.\-%:]*[\w\-%])?")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_NOT_IN_IRI: Final = re.compile(r"[<>\"{}|^`\\\x00-\x20]")
_NOT_IN_STRING: Final = re.compile(r'["\\\x00-\x1f\x7f\x85\u2028\u2029]')
_NOT_IN_NAME: Final = re.compile(r"[`\\\x00-\x1f\x7f\x85\u2028\u2029]")

_SHORT: Final = {'"': '\\"', "`": "\\`", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_NUMBERS: Final = {
    XSD_INTEGER: re.compile(r"-?[0-9]+"),
    XSD_DECIMAL: re.compile(r"-?[0-9]+\.[0-9]+"),
    XSD_DOUBLE: re.compile(r"-?[0-9]+(?:\.[0-9]+)?[eE][+\-]?[0-9]+"),
    XSD_BOOLEAN: re.compile(r"true|false"),
}
_TEMPORAL: Final = {XSD_DATE: "date", XSD_DATE_TIME: "datetime", XSD_TIME: "time", XSD_DURATION: "duration"}
_ANNOTATIONS: Final = frozenset({"explicit", "pragmatic", "structural", "schema", "required", "from"})

ALTERNATIVE, SEQUENCE, INVERSE, REPEAT, STEP = range(1, 6)


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return _SHORT.get(character) or f"\\u{ord(character):04X}"


def _code(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04X}"


def quoted(text: str) -> str:
    """A string in double quotes."""
    return f'"{_NOT_IN_STRING.sub(_escape, text)}"'


def word(name: str) -> str:
    """A name as it stands where it is a plain word, otherwise between backticks."""
    return name if _WORD.fullmatch(name) else f"`{_NOT_IN_NAME.sub(_escape, name)}`"


@lru_cache(maxsize=64)  # all tables of a file share their prefixes
def _resolved(
    prefixes: tuple[tuple[str, str], ...],
) -> tuple[Mapping[str, str], Mapping[str, str], tuple[tuple[str, str], ...]]:
    """Those prefixes that can be written; these and the built-in ones; and all in the order in which they are tried."""
    declared = {
        prefix: namespace
        for prefix, namespace in prefixes
        if (not prefix or (_WORD.fullmatch(prefix) and prefix != "_")) and _SCHEME.match(namespace)
    }
    known = {**BUILTIN_PREFIXES, **declared}
    # the longest namespace first, then the shortest prefix, so that the choice does not depend on the order
    ordered = sorted(known.items(), key=lambda one: (-len(one[1]), len(one[0]), one[0]))
    return declared, known, tuple(ordered)


class Names:
    """Writes IRIs, with prefixes where they fit, and what is made of them."""

    def __init__(self, prefixes: Iterable[tuple[str, str]] = ()) -> None:
        self.declared, self._known, self._namespaces = _resolved(tuple(prefixes))
        self._written: dict[str, str] = {}
        self.unbounded = False
        """whether a path without a bound was written so far"""

    def iri(self, value: str) -> str:
        """An IRI: prefixed where a prefix fits."""
        written = self._written.get(value)
        if written is None:
            written = self._written[value] = self._iri(value)
        return written

    def _iri(self, value: str) -> str:
        for prefix, namespace in self._namespaces:
            if value.startswith(namespace) and _LOCAL.fullmatch(value, len(namespace)):
                return f"{prefix}:{value[len(namespace) :]}"
        return self.full_iri(value)

    def full_iri(self, value: str) -> str:
        """An IRI in angle brackets."""
        scheme = _SCHEME.match(value)
        if scheme is None:
            head, rest = (f"\\u{ord(value[0]):04X}", value[1:]) if value else ("", "")
        else:
            head, rest = scheme[0], value[scheme.end() :]
            if head[:-1] in self._known and rest and not rest.startswith("//"):
                # `<ex:a>` beside a prefix `ex:` reads like a slip; an escape says that it is meant
                head, rest = f"{head}\\u{ord(rest[0]):04X}", rest[1:]
        return f"<{head}{_NOT_IN_IRI.sub(_code, rest)}>"

    def literal(self, literal: Literal) -> str:
        """A literal; numbers, truth values, dates and times in their short form."""
        lexical, datatype = literal.lexical, literal.datatype
        if datatype == XSD_STRING:
            return quoted(lexical)
        if literal.language is not None:
            # a tag that is spelt like an annotation is told from one by its case
            tag = literal.language
            return f"{quoted(lexical)}@{tag.upper() if tag in _ANNOTATIONS else tag}"
        number = _NUMBERS.get(datatype)
        if number is not None and number.fullmatch(lexical):
            return lexical
        if datatype in _TEMPORAL and _is_valid(lexical, datatype):
            return f"{_TEMPORAL[datatype]}({quoted(lexical)})"
        return f"{quoted(lexical)}^^{self.iri(datatype)}"

    def term(self, term: Variable | Parameter | IRI | Literal | BlankNode) -> str:
        """A term."""
        match term:
            case Variable(name):
                return variable(name)
            case IRI(value):
                return self.iri(value)
            case Literal():
                return self.literal(term)
            case Parameter(name):
                return f"${name}" if re.fullmatch(r"\w+", name) else f"${word_in_ticks(name)}"
            case BlankNode(label):
                return f"_:{label}"

    def path(self, path: Path, least: int = ALTERNATIVE) -> str:
        """A path, in brackets where it binds less tightly than `least`."""
        level, text = self._path(path)
        return text if level >= least else f"({text})"

    def _path(self, path: Path) -> tuple[int, str]:
        match path:
            case Step(predicate):
                return STEP, self.iri(predicate.value)
            case Inverse(inner):
                return INVERSE, f"^{self.path(inner, REPEAT)}"
            case Sequence(paths):
                return SEQUENCE, " / ".join(self.path(one, INVERSE) for one in paths)
            case Alternative(paths):
                return ALTERNATIVE, " | ".join(self.path(one, SEQUENCE) for one in paths)
            case Repeat(inner, minimum, maximum):
                self.unbounded = self.unbounded or maximum is None
                return REPEAT, self.path(inner, STEP) + _bounds(minimum, maximum)
            case NegatedSet(forward, backward):
                names = [self.iri(one.value) for one in forward] + [f"^{self.iri(one.value)}" for one in backward]
                return STEP, f"!{names[0]}" if len(names) == 1 else f"!({' | '.join(names)})"


def variable(name: str) -> str:
    """A variable with its question mark."""
    return f"?{name}" if re.fullmatch(r"\w+", name) else f"?{word_in_ticks(name)}"


def word_in_ticks(name: str) -> str:
    """A name between backticks."""
    return f"`{_NOT_IN_NAME.sub(_escape, name)}`"


def _bounds(minimum: int, maximum: int | None) -> str:
    if maximum is None:
        return "*" if minimum == 0 else "+" if minimum == 1 else f"{{{minimum},}}"
    return f"{{{minimum}}}" if minimum == maximum else f"{{{minimum},{maximum}}}"


def _is_valid(lexical: str, datatype: str) -> bool:
    if datatype == XSD_DURATION:
        return parse_duration(lexical) is not None
    return parse_temporal(lexical, datatype) is not None
