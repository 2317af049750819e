"""What follows from a table's shape alone: variables, answer key, active rows, safety, blocks.

The definitions are those of `spec/semantics.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from uniqgen_ir.ir.expressions import (
    Aggregate,
    And,
    Arithmetic,
    Call,
    Comparison,
    Exists,
    Expression,
    Membership,
    Negative,
    Not,
    Or,
)
from uniqgen_ir.ir.rows import (
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    PathAtom,
    Row,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.table import Form, MatchMode, Table
from uniqgen_ir.ir.terms import Variable

Variables = frozenset[Variable]
NONE: Variables = frozenset()


def subexpressions(expression: Expression) -> tuple[Expression, ...]:
    """The direct operands of an expression (the rows of `exists` are not among them)."""
    match expression:
        case Comparison(_, left, right) | Arithmetic(_, left, right):
            return left, right
        case And(operands) | Or(operands):
            return operands
        case Not(operand) | Negative(operand):
            return (operand,)
        case Membership(operand, options, _):
            return operand, *options
        case Call(_, arguments):
            return arguments
        case Aggregate(_, operand, _, _):
            return () if operand is None else (operand,)
        case _:
            return ()


def walk_expression(expression: Expression) -> Iterator[Expression]:
    """The expression and everything inside it, outside `exists { }`."""
    stack = [expression]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(reversed(subexpressions(one)))


def expression_variables(expression: Expression) -> Variables:
    """Every variable that the expression mentions, those inside `exists { }` included."""
    found: set[Variable] = set()
    for one in walk_expression(expression):
        if isinstance(one, Variable):
            found.add(one)
        elif isinstance(one, Exists):
            found.update(*(row_variables(row) for row in one.rows))
    return frozenset(found)


def has_aggregate(expression: Expression) -> bool:
    return any(isinstance(one, Aggregate) for one in walk_expression(expression))


@lru_cache(maxsize=16_384)
def row_variables(row: Row) -> Variables:
    """Every variable that occurs anywhere in the row."""
    condition = expression_variables(row.where) if row.where is not None else NONE
    match row.atom:
        case Triple(subject, predicate, object_):
            named = _only_variables(subject, predicate, object_)
        case TypeAtom(subject, type_):
            named = _only_variables(subject, type_)
        case PathAtom(subject, _, object_):
            named = _only_variables(subject, object_)
        case Filter(expression):
            named = expression_variables(expression)
        case Bind(expression, variable):
            named = expression_variables(expression) | {variable}
        case Values(variables, _):
            named = frozenset(variables)
        case OptionalBlock(rows) | NotBlock(rows) | MinusBlock(rows):
            named = NONE.union(*(row_variables(inner) for inner in rows))
        case Either(branches):
            named = NONE.union(*(row_variables(inner) for branch in branches for inner in branch))
        case SubTable(table):
            named = frozenset(table.columns) if table.head else NONE.union(*(row_variables(one) for one in table.rows))
    return named | condition


def _only_variables(*terms: object) -> Variables:
    return frozenset(term for term in terms if isinstance(term, Variable))


@lru_cache(maxsize=16_384)
def binds(row: Row) -> Variables:
    """The variables that the row binds in every solution (positive occurrences)."""
    match row.atom:
        case Triple() | TypeAtom() | PathAtom():
            return row_variables(Row(row.id, row.atom))
        case Bind(_, variable):
            return frozenset({variable})
        case Values(variables, lines):
            bound = (
                variable for place, variable in enumerate(variables) if all(line[place] is not None for line in lines)
            )
            return frozenset(bound)
        case Either(branches):
            per_branch = [positive_variables(branch) for branch in branches]
            return frozenset(variable for variable in per_branch[0] if all(variable in one for one in per_branch))
        case SubTable(table):
            named = frozenset(column.variable for column in table.head if column.alias is not None)
            inner = positive_variables(table.rows)
            return named | (frozenset(table.columns) & inner if table.head else inner)
        case Filter() | OptionalBlock() | NotBlock() | MinusBlock():
            return NONE


def needs(row: Row, bound_in_table: Variables) -> Variables:
    """The variables that other rows must bind before this one means anything.

    For a comparison: what it mentions. For `optional`, `not`, `minus` and `exists`: their *outer* variables, those that
    positive rows of the full table (`bound_in_table`) bind. A positive row needs what its `where` mentions, an `either`
    what conditions in its branches mention; what they bind themselves is not needed.
    """
    condition = _looked_at(row.where, bound_in_table) if row.where is not None else NONE
    match row.atom:
        case Filter(expression) | Bind(expression, _):
            return condition | _looked_at(expression, bound_in_table)
        case OptionalBlock() | NotBlock() | MinusBlock():
            return condition | (row_variables(row) & bound_in_table)
        case Either(branches):
            inside = (_needed_inside(branch, bound_in_table) for branch in branches)
            return condition | (NONE.union(*inside) - binds(row))
        case _:
            return condition - binds(row)


def _looked_at(expression: Expression, bound_in_table: Variables) -> Variables:
    """What a condition mentions; inside `exists { }` only what the table binds, the rest is local to it."""
    plain = frozenset(one for one in walk_expression(expression) if isinstance(one, Variable))
    return plain | (expression_variables(expression) & bound_in_table)


def _needed_inside(branch: tuple[Row, ...], bound_in_table: Variables) -> Variables:
    """What the rows of a branch of `either` look at and the branch itself does not bind."""
    inside = positive_variables(branch)
    return NONE.union(*(needs(row, bound_in_table | inside) for row in branch)) - inside


def positive_variables(rows: Iterable[Row]) -> Variables:
    """What the rows bind together."""
    return NONE.union(*(binds(row) for row in rows))


def answer_key(table: Table) -> tuple[Variable, ...]:
    """The head variables that occur in positive rows of the full table, in head order.

    Under an aggregate the key is what is grouped and what is aggregated: completeness speaks of the ungrouped answers.
    """
    bound = positive_variables(table.rows)
    mentioned: dict[Variable, None] = {}
    if not table.head:
        mentioned = dict.fromkeys(visible_variables(table.rows))
    for column in table.head:
        for one in walk_expression(column.expression):
            if isinstance(one, Variable):
                mentioned[one] = None
    return tuple(variable for variable in mentioned if variable in bound)


def active_rows(table: Table, row_ids: Iterable[str]) -> frozenset[str]:
    """The rows of this subset that are active.

    A row is active if rows of the subset bind all that it needs (its outer variables, fixed from the full table) and it
    is connected to a key variable through variables that such rows share. The others are orphaned; so is a row without
    variables, unless the table asks only whether there is an answer. Without a key every row that has what it needs is
    active. Monotone: more rows never make one inactive.
    """
    return Activity(table).among(row_ids)


class Activity:
    """Which rows of a table are active in a subset, for who asks of many subsets: see `active_rows`."""

    def __init__(self, table: Table) -> None:
        bound = positive_variables(table.rows)
        self._rows = table.rows
        self._key = frozenset(answer_key(table))
        self._needed = {row.id: needs(row, bound) for row in table.rows}
        self._touched = {row.id: binds(row) | self._needed[row.id] for row in table.rows}
        self._asks = table.shell.form is Form.ASK

    def among(self, row_ids: Iterable[str]) -> frozenset[str]:
        """The active rows of the subset."""
        wanted = frozenset(row_ids)
        waiting = self._supported([row for row in self._rows if row.id in wanted])
        reached, active, progress = set(self._key), set[str](), True
        while progress:
            progress = False
            for row in tuple(waiting):
                touched = self._touched[row.id]
                if touched & reached or not self._key or (self._asks and not touched):
                    active.add(row.id)
                    reached |= touched
                    waiting.remove(row)
                    progress = True
        return frozenset(active)

    def _supported(self, rows: list[Row]) -> list[Row]:
        """The largest part of the rows in which positive rows bind whatever each row needs."""
        while True:
            bound = positive_variables(row for row in rows if not isinstance(row.atom, Bind))
            named = [row for row in rows if isinstance(row.atom, Bind)]
            # names are given one after the other: two that need each other have no beginning
            while ready := [row for row in named if self._needed[row.id] <= bound]:
                bound |= positive_variables(ready)
                named = [row for row in named if row not in ready]
            kept = [row for row in rows if row not in named and self._needed[row.id] <= bound]
            if len(kept) == len(rows):
                return kept
            rows = kept


def is_safe(table: Table, row_ids: Iterable[str]) -> bool:
    """Whether every key variable stands in an active positive row of the subset."""
    active = active_rows(table, row_ids)
    bound = positive_variables(row for row in table.rows if row.id in active)
    return bool(active) and set(answer_key(table)) <= bound


def blocks(table: Table, row_ids: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """The rows grouped so that rows of different groups share only key variables, in table order.

    Given a value of the key, the groups are independent: each can be tested on its own. Where no edge may be used twice
    they are not, so there all rows form one group.
    """
    key = set(answer_key(table))
    if table.match_mode is MatchMode.DIFFERENT_RELATIONSHIPS:
        together = tuple(row.id for row in table.rows if row.id in frozenset(row_ids))
        return (together,) if together else ()
    wanted = frozenset(row_ids)
    groups: list[tuple[set[Variable], list[str]]] = []
    for row in (one for one in table.rows if one.id in wanted):
        inner = set(row_variables(row)) - key
        joined = [group for group in groups if group[0] & inner]
        merged = (
            inner.union(*(group[0] for group in joined)),
            [name for group in joined for name in group[1]] + [row.id],
        )
        groups = [group for group in groups if group not in joined] + [merged]
    order = {row.id: place for place, row in enumerate(table.rows)}
    tidy = [tuple(sorted(names, key=order.__getitem__)) for _, names in groups]
    return tuple(sorted(tidy, key=lambda names: order[names[0]]))


def visible_variables(rows: Iterable[Row]) -> tuple[Variable, ...]:
    """The variables that rows may bind (positively or in `optional`), in order of first occurrence: `select *`."""
    return tuple(dict.fromkeys(variable for row in rows for variable in _visible(row)))


def _visible(row: Row) -> tuple[Variable, ...]:
    match row.atom:
        case Triple(subject, predicate, object_):
            return tuple(term for term in (subject, predicate, object_) if isinstance(term, Variable))
        case TypeAtom(subject, type_):
            return tuple(term for term in (subject, type_) if isinstance(term, Variable))
        case PathAtom(subject, _, object_):
            return tuple(term for term in (subject, object_) if isinstance(term, Variable))
        case Bind(_, variable):
            return (variable,)
        case Values(variables, _):
            return variables
        case OptionalBlock(rows):
            return visible_variables(rows)
        case Either(branches):
            return visible_variables(one for branch in branches for one in branch)
        case SubTable(table):
            return table.columns if table.head else visible_variables(table.rows)
        case Filter() | NotBlock() | MinusBlock():
            return ()
