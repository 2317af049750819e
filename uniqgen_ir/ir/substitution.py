"""Putting terms in the place of variables without changing what the other variables mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast, overload

from attrs import evolve

from uniqgen_ir.ir.analysis import row_variables, visible_variables
from uniqgen_ir.ir.expressions import Call, Exists, Expression, Not, Or
from uniqgen_ir.ir.rows import (
    Atom,
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    Row,
    SubTable,
    Values,
)
from uniqgen_ir.ir.table import Column, Extreme, OrderKey, Shell, Table
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.visitor import Node, fresh_variable, map_children, rename_variables, rewrite

Substitution = Mapping[Variable, Term]


@overload
def substitute(node: Table, terms: Substitution) -> Table: ...
@overload
def substitute(node: Row, terms: Substitution) -> Row: ...
def substitute(node: Table | Row, terms: Substitution) -> Table | Row:
    """The table or row with terms in the place of variables.

    Columns keep their names (`select ?x` becomes `select <a> as ?x`). Variables that are local to `not`, `minus` or
    `exists` make way where a new variable would be captured, and the inside of a nested table is never touched: its
    answers are restricted or renamed instead.
    """
    if isinstance(node, Row):
        return _row(node, terms, frozenset(terms) | frozenset(visible_variables((node,))))
    outer = frozenset(terms) | frozenset(visible_variables(node.rows))
    rows = tuple(_row(row, terms, outer) for row in node.rows)
    head = node.head or tuple(Column(variable) for variable in visible_variables(node.rows))
    columns = tuple(_column(column, terms, outer) for column in head)
    return evolve(node, head=columns, rows=rows, shell=_shell(node.shell, terms, outer))


def _column(column: Column, terms: Substitution, outer: frozenset[Variable]) -> Column:
    expression = _expression(column.expression, terms, outer)
    return column if expression == column.expression else Column(expression, column.variable)


def _shell(shell: Shell, terms: Substitution, outer: frozenset[Variable]) -> Shell:
    extreme = shell.extreme
    if extreme is not None:
        images = (terms.get(variable, variable) for variable in extreme.variables)
        kept = tuple(image for image in images if isinstance(image, Variable))
        extreme = Extreme(extreme.largest, kept, _expression(extreme.by, terms, outer))
    return evolve(
        shell,
        group=tuple(_column(column, terms, outer) for column in shell.group),
        having=tuple(_expression(one, terms, outer) for one in shell.having),
        extreme=extreme,
        order=tuple(OrderKey(_expression(key.expression, terms, outer), key.descending) for key in shell.order),
    )


def _row(row: Row, terms: Substitution, outer: frozenset[Variable]) -> Row:
    where = None if row.where is None else _expression(row.where, terms, outer)
    match row.atom:
        case Bind(expression, variable) if variable in terms:
            value, image = _expression(expression, terms, outer), terms[variable]
            same = Call("same_term", (value, image))
            return evolve(row, atom=Bind(value, image) if isinstance(image, Variable) else Filter(same), where=where)
        case Bind(expression, variable):
            return evolve(row, atom=Bind(_expression(expression, terms, outer), variable), where=where)
        case Filter(condition):
            return evolve(row, atom=Filter(_expression(condition, terms, outer)), where=where)
        case OptionalBlock(rows):
            return evolve(row, atom=OptionalBlock(tuple(_row(one, terms, outer) for one in rows)), where=where)
        case NotBlock(rows):
            return evolve(row, atom=NotBlock(_block(rows, terms, outer)), where=where)
        case MinusBlock(rows):
            return evolve(row, atom=MinusBlock(_block(rows, terms, outer)), where=where)
        case Either(branches):
            new = tuple(tuple(_row(one, terms, outer) for one in branch) for branch in branches)
            return evolve(row, atom=Either(new), where=where)
        case Values() | SubTable() if not _touched(row, terms):
            return evolve(row, where=where)
        case Values() | SubTable():
            return evolve(row, atom=_held(row, terms, outer), where=where)
        case atom:
            return evolve(row, atom=rewrite(atom, lambda one: _image(one, terms)), where=where)


def _held(row: Row, terms: Substitution, outer: frozenset[Variable]) -> Atom:
    """An inline or nested table with some of its columns renamed or held to a constant."""
    if isinstance(row.atom, Values):
        images = [terms.get(variable) for variable in row.atom.variables]
        if not any(isinstance(image, Variable | Parameter) for image in images):
            chosen = _chosen_lines(row.atom, terms)
            if chosen.variables:
                return chosen
            if len(chosen.lines) < 2:
                return Filter(Literal.of(len(chosen.lines) == 1))
    return SubTable(_restricted(row, terms, outer))


def _chosen_lines(values: Values, terms: Substitution) -> Values:
    """The lines that agree with the constants, without the columns that are constant now."""
    kept = [place for place, variable in enumerate(values.variables) if variable not in terms]
    lines = [
        tuple(line[place] for place in kept)
        for line in values.lines
        if all(one in (None, terms.get(variable, one)) for variable, one in zip(values.variables, line, strict=True))
    ]
    return Values(tuple(values.variables[place] for place in kept), tuple(lines))


def _touched(row: Row, terms: Substitution) -> bool:
    return any(variable in terms for variable in visible_variables((row,)))


def _image(node: Node, terms: Substitution) -> Node:
    return terms.get(node, node) if isinstance(node, Variable) else node


def _expression(expression: Expression, terms: Substitution, outer: frozenset[Variable]) -> Expression:
    if isinstance(expression, Exists):
        return Exists(_block(expression.rows, terms, outer), expression.negated)
    if isinstance(expression, Variable):
        return terms.get(expression, expression)
    if isinstance(expression, IRI | Literal | Parameter):
        return expression
    return map_children(expression, lambda part: _part(part, terms, outer))


def _part(part: Node, terms: Substitution, outer: frozenset[Variable]) -> Node:
    # the parts of an expression are expressions, but for the rows of `exists`, which are handled before
    return _expression(cast("Expression", part), terms, outer)


def _block(rows: tuple[Row, ...], terms: Substitution, outer: frozenset[Variable]) -> tuple[Row, ...]:
    """The rows of a block with variables of its own: those step aside where a new variable has their name."""
    inside = frozenset(variable for row in rows for variable in row_variables(row))
    targets = {term for term in terms.values() if isinstance(term, Variable)}
    taken = {*inside, *outer, *targets}
    names: dict[Variable, Variable] = {}
    for variable in sorted((inside - outer) & targets, key=lambda one: one.name):
        names[variable] = fresh_variable(variable.name, taken | set(names.values()))
    return tuple(_row(rename_variables(row, names), terms, outer) for row in rows)


def _restricted(row: Row, terms: Substitution, outer: frozenset[Variable]) -> Table:
    """A table that gives what a row gives alone, its columns renamed, or held to a constant and left out."""
    columns: dict[Variable, list[Variable]] = {}
    conditions: list[Expression] = []
    for variable in visible_variables((row,)):
        image = terms.get(variable, variable)
        if isinstance(image, Variable):
            columns.setdefault(image, []).append(variable)
        else:
            conditions.append(_agree(variable, image))
    for sources in columns.values():
        conditions += [_agree(other, sources[0]) for other in sources[1:]]
    head = tuple(Column(_first_bound(sources), alias) for alias, sources in columns.items())
    rows = [evolve(row, where=None)]
    rows += [Row(f"{row.id}.{n}", Filter(condition)) for n, condition in enumerate(conditions, 1)]
    # a table without columns would mean `select *`
    head = head or (Column(Literal.of(True), fresh_variable("held", outer)),)
    return Table(row.id, head, tuple(rows), Shell(distinct=False))


def _agree(variable: Variable, image: Term) -> Expression:
    """Compatible as in a join: one of the two unbound, or both the very same term."""
    unbound = tuple(Not(Call("bound", (one,))) for one in (variable, image) if isinstance(one, Variable))
    return Or((*unbound, Call("same_term", (variable, image))))


def _first_bound(sources: list[Variable]) -> Expression:
    return sources[0] if len(sources) == 1 else Call("coalesce", tuple(sources))
