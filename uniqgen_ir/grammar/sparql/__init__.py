"""The reader of SPARQL: the query side of SPARQL 1.1, as tables."""

from __future__ import annotations

import re
from typing import Final

from uniqgen_ir.grammar.result import ReadResult
from uniqgen_ir.grammar.sparql.patterns import Unbounded
from uniqgen_ir.grammar.sparql.reading import read_fully
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.table import Table

_BOUND: Final = re.compile(r"bound:([1-9][0-9]*)")


def read_sparql(
    text: str, source: str = "<input>", *, unbounded: str = "allow", base: str | None = None, strict: bool = False
) -> ReadResult:
    """Read one query. Never raises for what is wrong with the text.

    `unbounded`: `allow` keeps `p*` and `p+`, `refuse` reports them, `bound:8` follows them for at most 8 steps.
    `base` is what relative IRIs are resolved against, unless the query says. `strict` refuses what is not SPARQL 1.1,
    though people write it (UQ150 to UQ158). Raises ValueError for another `unbounded`.
    """
    reading = read_fully(text, source, unbounded=_policy(unbounded), base=base, strict=strict)
    return ReadResult(reading.table, reading.diagnostics)


def parse_sparql(text: str, source: str = "<input>", *, unbounded: str = "allow", base: str | None = None) -> Table:
    """The table of a query. Raises DiagnosticError with everything that is wrong with it."""
    result = read_sparql(text, source, unbounded=unbounded, base=base)
    if result.table is None:
        raise DiagnosticError(result.diagnostics)
    return result.table


def _policy(unbounded: str) -> Unbounded:
    if unbounded == "allow":
        return Unbounded()
    if unbounded == "refuse":
        return Unbounded(allowed=False)
    match = _BOUND.fullmatch(unbounded)
    if match is None:
        raise ValueError(f"unbounded is `allow`, `refuse` or `bound:N`, not {unbounded!r}")
    return Unbounded(most=int(match[1]))
