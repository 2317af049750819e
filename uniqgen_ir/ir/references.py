"""Reference answers as people and programs write them: plain lines, or JSON.

A value is a string (an absolute IRI, otherwise a plain literal), a number, a boolean, or an object `{"value", "type"?,
"datatype"?, "lang"?, "confidence"?}`; an answer of several key variables is a list of values, or
`{"value": [...], "confidence": …}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias, cast

from attrs import evolve

from uniqgen_ir.ir.diagnostics import DiagnosticError, fail
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal

ReferenceLike: TypeAlias = ReferenceAnswer | GroundTerm | str | tuple[GroundTerm, ...]
"""One answer that a query must give; text is read as an IRI where it has a scheme, otherwise as a plain literal."""

_ABSOLUTE_IRI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")


def references_of(values: Iterable[ReferenceLike]) -> tuple[ReferenceAnswer, ...]:
    """Reference answers as programs write them. Raises DiagnosticError (UQ655) for what is none, and for one text."""
    if isinstance(values, str):
        # a text is an iterable of texts, too: each of its letters would be taken for an answer
        raise fail("UQ655", f"the reference answers are one text, {values!r}", hint=f"a list of answers: [{values!r}]")
    return tuple(map(_reference, values))


def _reference(one: ReferenceLike) -> ReferenceAnswer:
    match one:
        case ReferenceAnswer():
            return one
        case str():
            return reference_from_json(one)
        case tuple():
            return ReferenceAnswer(one)
        case IRI() | Literal() | BlankNode():
            return ReferenceAnswer((one,))
    # what no type checker lets through, but a program that nobody checked may give
    raise fail(
        "UQ655", f"{one!r} is not a reference answer", hint="a text, a term, a tuple of terms, or ReferenceAnswer"
    )


def references_from_text(text: str, source: str = "<answers>") -> tuple[ReferenceAnswer, ...]:
    """One answer a line; a line that starts with `{`, `[` or `"` is JSON, `#` starts a comment line.

    Raises DiagnosticError (UQ655) that names the line.
    """
    found: list[ReferenceAnswer] = []
    offset = 0
    number, start = 1, 0
    for line in text.splitlines(keepends=True):
        content, end = line.strip(), offset + len(line.rstrip())
        span = Span(offset, end, number, offset - start + 1, number, end - start + 1, source)
        if content and not content.startswith("#"):
            try:
                value: object = json.loads(content) if content[0] in '{["' else content
                found.append(evolve(reference_from_json(value), span=span))
            except (ValueError, DiagnosticError) as error:
                why = error.msg if isinstance(error, json.JSONDecodeError) else _first_message(error)
                raise fail("UQ655", f"this line is not a reference answer: {why}", span) from error
        offset += len(line)
        if line.endswith("\n"):
            number, start = number + 1, offset
    return tuple(found)


def _first_message(error: Exception) -> str:
    return error.diagnostics[0].message if isinstance(error, DiagnosticError) else str(error)


def references_from_json(values: Iterable[object]) -> tuple[ReferenceAnswer, ...]:
    """The answers of a JSON list. Raises DiagnosticError (UQ655)."""
    return tuple(reference_from_json(value) for value in values)


def reference_from_json(value: object) -> ReferenceAnswer:
    """One answer, of one value or of several. Raises DiagnosticError (UQ655)."""
    confidence: object = 1.0
    several: object = value
    if isinstance(value, Mapping):
        entry = cast("Mapping[str, Any]", value)
        confidence, several = entry.get("confidence", 1.0), entry.get("value")
    parts: list[object] = cast("list[object]", several) if isinstance(several, list) else [value]
    if not isinstance(confidence, int | float) or isinstance(confidence, bool) or not 0 < confidence <= 1:
        raise fail("UQ655", f"the confidence {confidence!r} is not a number above 0 and up to 1")
    return ReferenceAnswer(tuple(term_from_json(part) for part in parts), float(confidence))


def term_from_json(value: object) -> GroundTerm:
    """The term that a JSON value stands for. Raises DiagnosticError (UQ655)."""
    if isinstance(value, Mapping):
        return _term_from_object(cast("Mapping[str, Any]", value))
    if isinstance(value, bool | int | float):
        return Literal.of(value)
    if isinstance(value, str):
        return term_from_text(value)
    raise fail("UQ655", f"{json.dumps(value)} is not a term")


def term_from_text(text: str) -> GroundTerm:
    """`<iri>`, an absolute IRI, `_:label`, otherwise a plain literal."""
    if text.startswith("<") and text.endswith(">"):
        return IRI(text[1:-1])
    if text.startswith("_:"):
        return BlankNode(text[2:])
    return IRI(text) if _ABSOLUTE_IRI.fullmatch(text) else Literal(text)


def _term_from_object(entry: Mapping[str, Any]) -> GroundTerm:
    text, kind = entry.get("value"), entry.get("type")
    if not isinstance(text, str):
        if kind is None and isinstance(text, bool | int | float):
            return Literal.of(text)
        raise fail("UQ655", 'an answer object needs a "value" that is a string, number or boolean')
    language, datatype = entry.get("lang", entry.get("xml:lang")), entry.get("datatype")
    if kind in ("uri", "iri"):
        return IRI(text)
    if kind == "bnode":
        return BlankNode(text)
    if kind not in (None, "literal", "typed-literal"):
        raise fail("UQ655", f'the type {kind!r} is not one of "uri", "literal", "bnode"')
    if isinstance(language, str) and language:
        return Literal.tagged(text, language)
    if isinstance(datatype, str) and datatype:
        return Literal(text, datatype)
    return Literal(text) if kind else term_from_text(text)
