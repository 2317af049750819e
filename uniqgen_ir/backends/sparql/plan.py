"""The shape of a SPARQL query, with all terms and expressions already written: what the template lays out.

Every part has a `kind`, by which the template chooses, and the id of the row that it came from (None: from the shell).
"""

from __future__ import annotations

from typing import TypeAlias, Union

from attrs import field, frozen


@frozen
class TriplePart:
    row: str | None
    subject: str
    predicate: str
    object: str
    kind: str = field(default="triple", init=False)


@frozen
class FilterPart:
    row: str | None
    expression: str
    kind: str = field(default="filter", init=False)


@frozen
class BindPart:
    row: str | None
    expression: str
    variable: str
    kind: str = field(default="bind", init=False)


@frozen
class ValuesPart:
    row: str | None
    variables: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    kind: str = field(default="values", init=False)


@frozen
class GroupPart:
    """A group in braces after a keyword (`OPTIONAL`, `MINUS`, `FILTER NOT EXISTS`, or none)."""

    row: str | None
    keyword: str
    parts: tuple[Part, ...]
    kind: str = field(default="group", init=False)


@frozen
class UnionPart:
    row: str | None
    branches: tuple[tuple[Part, ...], ...]
    kind: str = field(default="union", init=False)


@frozen
class SelectPart:
    """A sub-select in braces."""

    row: str | None
    query: QueryPlan
    kind: str = field(default="select", init=False)


Part: TypeAlias = Union[  # noqa: UP007 - a recursive alias needs the quoted names to resolve late
    TriplePart, FilterPart, BindPart, ValuesPart, GroupPart, UnionPart, SelectPart
]


@frozen
class QueryPlan:
    """One SELECT or ASK. `projection` items are `?x` or `(… AS ?x)`."""

    ask: bool
    distinct: bool
    projection: tuple[str, ...]
    parts: tuple[Part, ...]
    group: tuple[str, ...] = ()
    having: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    limit: int | None = None
    offset: int | None = None
