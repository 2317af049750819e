"""Repairs of faults of syntax that need more of the text than the reader has when it meets them."""

from __future__ import annotations

import re
from typing import Final

from attrs import evolve

from uniqgen_ir.grammar.cypher.context import replace
from uniqgen_ir.ir.diagnostics import Diagnostic, Edit, Fix
from uniqgen_ir.ir.spans import Span

_LIMIT: Final = re.compile(r"\bLIMIT\s+\S+\s*\Z", re.IGNORECASE)
_APOSTROPHE: Final = re.compile(r"'(\w+)'(\w[\w ]*)'")
_AGGREGATE: Final = re.compile(r"\b(?:count|sum|avg|min|max|collect)\s*\(", re.IGNORECASE)
_QUOTED: Final = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|/\*.*?\*/|//[^\n]*", re.DOTALL)
_CLAUSES: Final = re.compile(r"\b(?:MATCH|WHERE|RETURN|WITH|UNWIND|CALL)\b", re.IGNORECASE)


def unslipped(text: str, one: Diagnostic) -> Diagnostic:
    """A fault of syntax with its repair, if there is one."""
    if one.span is None or one.fix is not None:
        return one
    fix = _repair(text, one.code, one.message, one.span)
    return one if fix is None else evolve(one, fix=fix)


def _repair(text: str, code: str, message: str, span: Span) -> Fix | None:
    if code == "UQ183" and message == "SKIP cannot follow LIMIT":
        return _page_order(text, span)
    if code == "UQ183" and message == "WHERE cannot follow RETURN":
        return _where_first(text, span)
    if code in ("UQ180", "UQ181"):
        return _apostrophe(text, span) or _trailing_comma(text, span)
    return None


def _page_order(text: str, span: Span) -> Fix | None:
    """`LIMIT 10 SKIP 5` as `SKIP 5 LIMIT 10`."""
    limit = _LIMIT.search(text[: span.start])
    if limit is None:
        return None
    written = f"{text[span.start : span.end]} {limit[0].strip()}"
    return replace(limit.start(), span.end, written, "put SKIP before LIMIT")


def _where_first(text: str, span: Span) -> Fix | None:
    """`MATCH … RETURN x WHERE y` as `MATCH … WHERE y RETURN x`."""
    masked = _QUOTED.sub(lambda found: " " * len(found[0]), text)
    before = list(_CLAUSES.finditer(masked, 0, span.start))
    if len(before) < 2 or before[-1][0].upper() != "RETURN" or before[-2][0].upper() != "MATCH":
        return None
    start = before[-1].start()
    if _AGGREGATE.search(masked, start):
        return None
    condition = text[span.start : span.end].strip()
    gap = len(text[: span.start].rstrip())
    return Fix("put WHERE before RETURN", (Edit(start, start, f"{condition} "), Edit(gap, span.end, "")), safe=False)


def _apostrophe(text: str, span: Span) -> Fix | None:
    """`'O'Brien'` in double quotes."""
    for found in _APOSTROPHE.finditer(text):
        if found.start() <= span.start <= found.end():
            written = f'"{found[1]}\'{found[2]}"'
            return replace(found.start(), found.end(), written, "use the other sort of quotes", safe=False)
    return None


def _trailing_comma(text: str, span: Span) -> Fix | None:
    """A comma that nothing follows."""
    before = text[: span.start].rstrip()
    if not before.endswith(","):
        return None
    return replace(len(before) - 1, len(before), "", "leave the comma out", safe=False)
