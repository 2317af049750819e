"""Solution modifiers, put in order."""

from __future__ import annotations

from typing import Any, Final

from attrs import define, field, frozen

from uniqgen_ir.grammar.sparql.context import SparqlContext
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.table import Column, OrderKey

_RANK: Final = {"group": 0, "having": 1, "order": 2, "limit": 3, "offset": 3}
_WORDS: Final = {"group": "GROUP BY", "having": "HAVING", "order": "ORDER BY", "limit": "LIMIT", "offset": "OFFSET"}


@frozen
class Item:
    """A column of the head with its place in the text."""

    column: Column
    start: int
    end: int


@frozen
class Modifiers:
    """One clause after the pattern."""

    kind: str
    value: list[Any] | int
    start: int
    end: int


@define
class Clauses:
    """The clauses after the pattern, each at most once."""

    group: tuple[Column, ...] = ()
    having: tuple[Expression, ...] = ()
    order: tuple[OrderKey, ...] = ()
    limit: int | None = None
    offset: int | None = None
    places: dict[str, tuple[int, int]] = field(factory=dict[str, tuple[int, int]])


def arrange(context: SparqlContext, modifiers: list[Modifiers]) -> Clauses:
    """The clauses by their kind; those that stand twice or in the wrong order are reported."""
    clauses = Clauses()
    last: Modifiers | None = None
    for one in modifiers:
        if one.kind in clauses.places:
            context.report("UQ167", f"{_WORDS[one.kind]} stands here a second time", one.start, one.end)
        elif last is not None and _RANK[one.kind] < _RANK[last.kind]:
            moved = context.text[one.start : one.end].strip()
            fix = context.fix("move it", (last.start, last.start, f"{moved} "), (one.start, one.end, ""))
            message = f"{_WORDS[one.kind]} stands before {_WORDS[last.kind]}, not after it"
            context.report("UQ167", message, one.start, one.end, fix=fix)
        else:
            last = one
        clauses.places[one.kind] = one.start, one.end
        setattr(clauses, one.kind, tuple(one.value) if isinstance(one.value, list) else one.value)
    return clauses
