"""Repairs of faults of syntax that need more of the text than the reader has when it meets them."""

from __future__ import annotations

import re
from typing import Final

from attrs import evolve

from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.grammar.cypher.context import replace
from uniqgen_ir.ir.diagnostics import Diagnostic, Edit, Fix
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.validate.cypher.having import filtered_result
from uniqgen_ir.validate.vocabulary import PropertyGraph

_LIMIT: Final = re.compile(r"\bLIMIT\s+\S+\s*\Z", re.IGNORECASE)
_APOSTROPHE: Final = re.compile(r"'(\w+)'(\w[\w ]*)'")
_AGGREGATE: Final = re.compile(r"\b(?:count|sum|avg|min|max|collect)\s*\(", re.IGNORECASE)
_QUOTED: Final = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|/\*.*?\*/|//[^\n]*", re.DOTALL)
_CLAUSES: Final = re.compile(r"\b(?:MATCH|WHERE|RETURN|WITH|UNWIND|CALL)\b", re.IGNORECASE)


def unslipped(text: str, one: Diagnostic, graph: PropertyGraph | None) -> Diagnostic:
    """A fault of syntax with its repair, if there is one."""
    if one.span is None or (one.fix is not None and one.fix.safe):
        return one
    fix = None
    if graph is not None and one.code in ("UQ180", "UQ181"):
        # what the schema knows is better than what the reader guesses
        fix = _unquoted_name(text, graph)
    if fix is None and one.fix is None:
        fix = _repair(text, one.code, one.message, one.span)
    return one if fix is None else evolve(one, fix=fix)


def _repair(text: str, code: str, message: str, span: Span) -> Fix | None:
    if code == "UQ183" and message == "SKIP cannot follow LIMIT":
        return _page_order(text, span)
    if code == "UQ183" and message == "WHERE cannot follow RETURN":
        return _where_first(text, span) or filtered_result(text, span.start)
    if code == "UQ180" and message == "HAVING belongs to SQL":
        return filtered_result(text, span.start)
    if code in ("UQ180", "UQ181"):
        return _apostrophe(text, span) or _trailing_comma(text, span)
    return None


def _unquoted_name(text: str, graph: PropertyGraph) -> Fix | None:
    """A name of the schema that has other characters than names have, as in `[:has.part]`."""
    names = (*graph.labels, *graph.types, *graph.property_names)
    special = sorted((one for one in names if not one.isidentifier()), key=len, reverse=True)
    if not special:
        return None
    masked = _QUOTED.sub(lambda found: " " * len(found[0]), text)
    written = re.compile(r"(?<=[:|&!.,{])\s*(" + "|".join(map(re.escape, special)) + r")(?!\w)")
    edits = tuple(Edit(found.start(1), found.end(1), quote_name(found[1])) for found in written.finditer(masked))
    return Fix("put names with special characters in backticks", edits) if edits else None


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
