"""Rows: the constraints of a table.

A row is one unit of the search: an *atom* (what it says), an optional `where` condition that belongs to it, and a
`RowNote` (where it comes from, how uncertain it is, whether it is pinned). Blocks (`optional`, `not`, `either`, …) hold
rows of their own; the block is the unit, the rows inside are parts of it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias, Union

from attrs import field, frozen

from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.paths import Path
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, GroundTerm, Parameter, Term, Variable


class Origin(StrEnum):
    """Why a row is there."""

    EXPLICIT = "explicit"
    """the question says so"""
    STRUCTURAL = "structural"
    """the shape of the graph asks for it: joins, types, containment"""
    PRAGMATIC = "pragmatic"
    """nobody said so, but people mean it: *approved* drugs"""
    SCHEMA = "schema"
    """derived from a dependency"""


@frozen(cache_hash=True)
class RowNote:
    """What the search and the reader of a trace need to know about a row."""

    origin: Origin = Origin.EXPLICIT
    required: bool = False
    """pinned: never dropped"""
    uncertainty: float | None = None
    """u in [0, 1]; for a pragmatic row as written, its prior"""
    reason: str | None = None
    support: int | None = None
    """how many matches stood behind the uncertainty"""
    sources: tuple[str, ...] = ()
    """ids of the rows that this one was made from"""

    def __attrs_post_init__(self) -> None:
        if self.uncertainty is not None and not 0.0 <= self.uncertainty <= 1.0:
            raise ValueError(f"uncertainty {self.uncertainty} is not between 0 and 1")


@frozen(cache_hash=True)
class Triple:
    """`subject predicate object`."""

    subject: Term
    predicate: IRI | Variable | Parameter
    object: Term


@frozen(cache_hash=True)
class TypeAtom:
    """`subject a class`: the subject is an instance."""

    subject: Term
    type: IRI | Variable | Parameter


@frozen(cache_hash=True)
class PathAtom:
    """`subject path object`: some walk along the path leads from one to the other."""

    subject: Term
    path: Path
    object: Term


@frozen(cache_hash=True)
class Filter:
    """A condition on variables that other rows bind: comparison, `in`, equality, any expression."""

    condition: Expression


@frozen(cache_hash=True)
class Bind:
    """Give the value of an expression a name; an error leaves it unbound."""

    expression: Expression
    variable: Variable


@frozen(cache_hash=True)
class Values:
    """An inline table: each line binds the variables (None: leaves that one unbound)."""

    variables: tuple[Variable, ...]
    lines: tuple[tuple[GroundTerm | None, ...], ...]


@frozen(cache_hash=True)
class OptionalBlock:
    """Bind what the rows give where they match, keep the solution where they do not (left join)."""

    rows: tuple[Row, ...]


@frozen(cache_hash=True)
class NotBlock:
    """Keep the solution only where the rows have no match (NOT EXISTS)."""

    rows: tuple[Row, ...]


@frozen(cache_hash=True)
class MinusBlock:
    """SPARQL's MINUS: drop a solution that agrees with one of the block's on at least one shared variable."""

    rows: tuple[Row, ...]


@frozen(cache_hash=True)
class Either:
    """Disjunction: solutions of any branch. One unit. Two or more branches."""

    branches: tuple[tuple[Row, ...], ...]


@frozen(cache_hash=True)
class SubTable:
    """A table inside a table: its head variables join with the outer rows."""

    table: Table


Atom: TypeAlias = Union[  # noqa: UP007
    Triple, TypeAtom, PathAtom, Filter, Bind, Values, OptionalBlock, NotBlock, MinusBlock, Either, SubTable
]


@frozen(cache_hash=True)
class Row:
    """One constraint. `where` belongs to a triple, type or path atom and is one unit with it.

    `span` says where it was read; it takes no part in equality.
    """

    id: str
    atom: Atom
    where: Expression | None = None
    note: RowNote = RowNote()
    span: Span | None = field(default=None, eq=False, repr=False)
