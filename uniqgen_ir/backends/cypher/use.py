"""What the use of a variable says about what it stands for."""

from __future__ import annotations

from collections.abc import Iterator

from uniqgen_ir.ir.analysis import walk_expression
from uniqgen_ir.ir.expressions import Aggregate, Arithmetic, Call, Comparison, Expression, Membership, Negative
from uniqgen_ir.ir.rows import Bind, Either, Filter, MinusBlock, NotBlock, OptionalBlock, Row, SubTable
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Variable
from uniqgen_ir.ir.visitor import walk_rows

_OF_ANY_TERM = frozenset({"bound", "is_iri", "is_blank", "is_literal", "same_term", "str", "coalesce", "if"})
_OF_VALUES = frozenset({"sum", "avg", "min", "max"})


def value_variables(table: Table) -> frozenset[Variable]:
    """The variables that the table uses as values: compared with literals, calculated with, read as text."""
    shell = table.shell
    expressions: list[Expression] = [column.expression for column in table.head] + list(shell.having)
    if shell.extreme is not None:
        expressions.append(shell.extreme.by)
    expressions += [key.expression for key in shell.order]
    expressions += list(_conditions(table.rows))
    # what is largest or smallest, or only sorted by, is a value, not a node
    shown = {column.expression for column in table.head}
    sorted_by = [key.expression for key in shell.order]
    measured = {one for one in sorted_by if isinstance(one, Variable) and one not in shown}
    if shell.extreme is not None and isinstance(shell.extreme.by, Variable):
        measured.add(shell.extreme.by)
    for expression in expressions:
        measured.update(looks_like_value(expression))
    for row in walk_rows(table.rows):
        measured.update(_from_inside(row))
    return frozenset(measured)


def _from_inside(row: Row) -> frozenset[Variable]:
    """The columns of a table inside that are values, and variables calculated with `let`."""
    match row.atom:
        case SubTable(table):
            inner = value_variables(table)
            head = [one for one in table.head if not isinstance(one.expression, Variable) or one.expression in inner]
            return frozenset(one.variable for one in head) if table.head else inner
        case Bind(expression, variable) if isinstance(expression, Arithmetic | Negative | Literal):
            return frozenset({variable})
        case _:
            return frozenset()


def looks_like_value(expression: Expression) -> Iterator[Variable]:
    """The variables that stand for literals if the expression means anything."""
    guarded = frozenset(_guarded(expression))
    for one in walk_expression(expression):
        match one:
            case Call("lang", (argument,)) if argument in guarded:
                continue
            case Comparison(operator, left, right):
                ordered = operator.value not in ("=", "!=")
                for side, other in ((left, right), (right, left)):
                    if isinstance(side, Variable) and (ordered or _is_value(other)):
                        yield side
            case Membership(operand, options, _):
                if isinstance(operand, Variable) and options and all(_is_value(option) for option in options):
                    yield operand
            case Arithmetic(_, left, right):
                yield from (side for side in (left, right) if isinstance(side, Variable))
            case Negative(operand):
                if isinstance(operand, Variable):
                    yield operand
            case Call(function, arguments) if function not in _OF_ANY_TERM:
                yield from (side for side in arguments if isinstance(side, Variable))
            case Aggregate(function, operand, _, _) if function in _OF_VALUES:
                if isinstance(operand, Variable):
                    yield operand
            case _:
                pass


def _guarded(expression: Expression) -> Iterator[Variable]:
    """Variables of which a condition asks whether they are literals at all: `not is_literal(?x) or lang(?x) = "en"`."""
    for one in walk_expression(expression):
        if isinstance(one, Call) and one.function in ("is_literal", "is_iri"):
            yield from (argument for argument in one.arguments if isinstance(argument, Variable))


def _is_value(expression: Expression) -> bool:
    return isinstance(expression, Literal | Arithmetic | Negative | Call) or (
        isinstance(expression, Parameter) and not isinstance(expression, IRI)
    )


def _conditions(rows: tuple[Row, ...]) -> Iterator[Expression]:
    for row in rows:
        if row.where is not None:
            yield row.where
        match row.atom:
            case Filter(condition):
                yield condition
            case Bind(expression, _):
                yield expression
            case OptionalBlock(inner) | NotBlock(inner) | MinusBlock(inner):
                yield from _conditions(inner)
            case Either(branches):
                for branch in branches:
                    yield from _conditions(branch)
            case SubTable(table):
                yield from _conditions(table.rows)
            case _:
                pass
