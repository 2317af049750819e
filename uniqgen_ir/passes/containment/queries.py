"""A table made ready for comparison: blocks, and what stands around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from attrs import evolve, frozen

from uniqgen_ir.ir.analysis import has_aggregate, positive_variables, row_variables, visible_variables
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.rows import OptionalBlock, Row, Triple, TypeAtom
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.table import Column, Form, Shell, Table
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.visitor import rewrite
from uniqgen_ir.passes.containment.blocks import Block
from uniqgen_ir.passes.containment.extract import MOST_BLOCKS, Extractor, NotTakenApart
from uniqgen_ir.passes.containment.shells import simplified
from uniqgen_ir.passes.normal.naming import canonical_names
from uniqgen_ir.passes.normal.rule import Settings, counts_solutions
from uniqgen_ir.passes.normalize import normalize

_ANY: Final = Variable("column")


Holes: TypeAlias = Callable[[Expression], Expression]
"""Puts positions of the head in the place of an expression's variables."""


@frozen(eq=False)
class Query:
    """One side of a comparison.

    `shape` is what surrounds the blocks (computed columns, grouping, limits), with positions of the head in the place
    of variables; two queries are compared block by block only where their shapes are equal. `width`: the number of
    columns that are shown, not of those that only the shell looks at. `monotone`: more solutions
    never take answers away. `problem`: why the table has no blocks; `empty`: why it can have no answer.
    """

    table: Table
    blocks: tuple[Block, ...]
    shape: object
    monotone: bool
    counted: bool
    width: int
    problem: str | None = None
    empty: str | None = None
    normal: Table | None = None

    @cached_property
    def spelling(self) -> object:
        """What the table says, whatever its inner variables and columns are called."""
        table = self.normal or self.table
        named, _ = canonical_names(evolve(table, head=tuple(Column(one.expression, _ANY) for one in table.head)))
        rows = tuple((row.atom, row.where) for row in named.rows)
        return rows, tuple(column.expression for column in named.head), named.shell, named.match_mode

    @property
    def sliced(self) -> bool:
        """Whether a limit or an offset cuts the answers."""
        return self.table.shell.limit is not None or self.table.shell.offset is not None


def prepare(table: Table, mark: str, schema: Schema | None, *, counted: bool | None = None) -> Query:
    """The query of a valid table; `mark` keeps names made for it apart from the other side's.

    `counted` None: whether multiplicities show is read off the table.
    """
    bag = counts_solutions(table) if counted is None else counted
    empty: str | None = None
    normal = table
    if not _is_plain(table) or schema is not None:
        try:
            normal, _ = normalize(table, Settings(schema=schema, max_blocks=MOST_BLOCKS), rename=False)
        except DiagnosticError as error:
            if {one.code for one in error.diagnostics} - {"UQ401", "UQ402"}:
                raise
            empty = error.diagnostics[0].message
    normal = simplified(normal)
    head, shape = _shape(normal)
    monotone = _is_monotone(normal)
    made = Query(table, (), shape, monotone, bag, _width(normal), None, empty, normal)
    if empty is not None:
        return made
    optional = any(isinstance(row.atom, OptionalBlock) for row in normal.rows)
    if optional and not _settled(normal):
        return evolve(made, problem="an `optional` binds what another row uses")
    rows = normal.rows if bag or not optional else _without_decoration(normal, head)
    try:
        blocks = Extractor(bag, mark).blocks(rows, [_as_variable(term) for term in head], normal.match_mode)
    except NotTakenApart as error:
        return evolve(made, problem=str(error))
    return evolve(made, blocks=blocks, empty=None if blocks else "no block of it can hold")


def _width(table: Table) -> int:
    """The number of columns that are shown."""
    return 0 if table.shell.form is Form.ASK else len(table.head or visible_variables(table.rows))


def _is_plain(table: Table) -> bool:
    """Whether normalising would change nothing that matters here."""
    return all(isinstance(row.atom, Triple | TypeAtom) and row.where is None for row in table.rows)


def _as_variable(term: Term) -> Term:
    return Variable(f"${term.name}") if isinstance(term, Parameter) else term


def _is_monotone(table: Table) -> bool:
    shell = table.shell
    whole = shell.limit is None and shell.offset is None and shell.extreme is None
    return (
        whole and not shell.group and not shell.having and not any(has_aggregate(one.expression) for one in table.head)
    )


def _shape(table: Table) -> tuple[list[Term], object]:
    """The terms of the head, and the shape around them."""
    head: list[Term] = []
    if table.shell.form is Form.ASK:
        return head, ("ask",)
    columns = table.head or tuple(Column(one) for one in visible_variables(table.rows))
    computed: list[object] = []
    named = {column.variable: place for place, column in enumerate(columns) if column.alias is not None}
    named |= {column.variable: -1 - place for place, column in enumerate(table.shell.group) if column.alias is not None}

    def holes(expression: Expression) -> Expression:
        def hole(one: object) -> object:
            if isinstance(one, Variable):
                if one in named:
                    return IRI(f"urn:column:{named[one]}")
                head.append(one)
                return Variable(f"#{len(head)}")
            return one

        return rewrite(expression, hole)  # type: ignore[arg-type]

    for column in columns:
        expression = column.expression
        if isinstance(expression, Variable | IRI | Literal | Parameter) and expression not in named:
            head.append(expression)
            computed.append(len(head))
        else:
            computed.append(holes(expression))
    return head, (tuple(computed), *_shell_shape(table.shell, holes))


def _shell_shape(shell: Shell, holes: Holes) -> tuple[object, ...]:
    group = tuple(holes(column.expression) for column in shell.group)
    having = tuple(holes(one) for one in shell.having)
    extreme = shell.extreme
    best = (
        None
        if extreme is None
        else (extreme.largest, tuple(holes(one) for one in extreme.variables), holes(extreme.by))
    )
    sliced = shell.limit is not None or shell.offset is not None
    order = tuple((holes(key.expression), key.descending) for key in shell.order) if sliced else ()
    aggregated = bool(group or having) or best is not None or sliced
    return group, having, best, order, shell.limit, shell.offset, shell.distinct if aggregated else None


def _settled(table: Table) -> bool:
    """Whether no `optional` binds what another row uses."""
    bound = positive_variables(table.rows)
    for row in table.rows:
        if isinstance(row.atom, OptionalBlock):
            own = row_variables(row) - bound
            if any(own & row_variables(other) for other in table.rows if other is not row and _binds(other)):
                return False
    return True


def _binds(row: Row) -> bool:
    return isinstance(row.atom, OptionalBlock)


def _without_decoration(table: Table, head: Sequence[Term]) -> tuple[Row, ...]:
    """The rows without `optional` that binds nothing that is shown or looked at: for a set it says nothing."""
    bound = positive_variables(table.rows)
    kept: list[Row] = []
    for row in table.rows:
        if isinstance(row.atom, OptionalBlock):
            own = row_variables(row) - bound
            used = own & frozenset(one for one in head if isinstance(one, Variable))
            used |= own & frozenset[Variable]().union(*(row_variables(one) for one in table.rows if one is not row))
            if not used:
                continue
        kept.append(row)
    return tuple(kept)
