"""Conditions: constants folded, conjunctions flat, negation pushed where that is exact, constants on the right.

All rules keep SPARQL's three-valued logic: what was true, false or an error stays so. `not (a < b)` becomes `a >= b`
where both sides are of one totally ordered type: a NaN is neither, and unzoned times are only partly ordered.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import evolve

from uniqgen_ir.ir.analysis import subexpressions, walk_expression
from uniqgen_ir.ir.evaluation.expressions import Scope, evaluate_expression
from uniqgen_ir.ir.expressions import (
    Aggregate,
    And,
    Arithmetic,
    ArithmeticOperator,
    Call,
    Comparison,
    ComparisonOperator,
    Exists,
    Expression,
    Membership,
    Not,
    Or,
)
from uniqgen_ir.ir.functions import FUNCTIONS
from uniqgen_ir.ir.rows import Bind, Filter, NotBlock, Row
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Variable
from uniqgen_ir.ir.values import effective_boolean_value
from uniqgen_ir.ir.visitor import map_children, rewrite_rows
from uniqgen_ir.ir.vocabulary import INTEGER_DATATYPES, XSD_BOOLEAN, XSD_DECIMAL, XSD_STRING
from uniqgen_ir.passes.normal.rule import RuleResult, Settings
from uniqgen_ir.passes.trace import Step

TRUE: Final = Literal.of(True)
FALSE: Final = Literal.of(False)

_OPPOSITE: Final = {
    ComparisonOperator.LESS: ComparisonOperator.GREATER_EQUAL,
    ComparisonOperator.LESS_EQUAL: ComparisonOperator.GREATER,
    ComparisonOperator.GREATER: ComparisonOperator.LESS_EQUAL,
    ComparisonOperator.GREATER_EQUAL: ComparisonOperator.LESS,
}
_INTEGER_FUNCTIONS: Final = frozenset({"year", "month", "day", "hours", "minutes", "length", "integer"})
_STRING_FUNCTIONS: Final = frozenset({"str", "lang"})
# engines differ in regular expressions and in the digits of a quotient, `now` is not a constant
_UNFOLDED: Final = frozenset({"now", "matches", "replace", "double", "float", "bound", "iri", "coalesce", "if"})
_FOLDED_TYPES: Final = INTEGER_DATATYPES | {XSD_BOOLEAN, XSD_STRING, XSD_DECIMAL}


def normal_conditions(table: Table, _: Settings) -> RuleResult:
    """Every condition of the table's rows (blocks and `exists` included) and of `having` in normal form."""
    steps: list[Step] = []

    def normal_row(row: Row) -> Iterable[Row]:
        changed = _normal_row(row)
        if changed != row:
            steps.append(Step("normalize.condition", (row.id,), (changed.id,), "the condition in normal form"))
        return (changed,)

    rows = rewrite_rows(table.rows, normal_row)
    having = tuple(normal_condition(one) for one in table.shell.having)
    if having != table.shell.having:
        steps.append(Step("normalize.condition", (), (), "`having` in normal form"))
    return evolve(table, rows=rows, shell=evolve(table.shell, having=having)), tuple(steps)


def _normal_row(row: Row) -> Row:
    where = None if row.where is None else normal_condition(row.where)
    row = evolve(row, where=None if where == TRUE else where)
    match row.atom:
        case Filter(condition):
            plain = normal_condition(condition)
            # `not exists` as a condition and as a row are the same; the row is what the search knows
            if isinstance(plain, Exists) and plain.negated:
                return evolve(row, atom=NotBlock(plain.rows))
            return evolve(row, atom=Filter(plain))
        case Bind(expression, variable):
            return evolve(row, atom=Bind(normal_value(expression), variable))
        case _:
            return row


def normal_condition(expression: Expression) -> Expression:
    """The expression in normal form, taken as a condition: only whether it is true matters."""
    match expression:
        case Not(operand):
            return _negated(operand)
        case And(operands):
            return _junction(And, operands)
        case Or(operands):
            return _junction(Or, operands)
        case _:
            value = normal_value(expression)
            truth = effective_boolean_value(value) if isinstance(value, Literal) else None
            return value if truth is None else Literal.of(truth)


def _junction(kind: type[And] | type[Or], operands: Iterable[Expression]) -> Expression:
    neutral, absorbing = (TRUE, FALSE) if kind is And else (FALSE, TRUE)
    flat: dict[Expression, None] = {}
    for operand in operands:
        plain = normal_condition(operand)
        for part in plain.operands if isinstance(plain, kind) else (plain,):
            if part == absorbing:
                return absorbing
            if part != neutral:
                flat[part] = None
    if not flat:
        return neutral
    return next(iter(flat)) if len(flat) == 1 else kind(tuple(flat))


def _negated(operand: Expression) -> Expression:
    """The normal form of `not operand`."""
    match operand:
        case Not(inner):
            return normal_condition(inner)
        case And(operands):
            return _junction(Or, [Not(one) for one in operands])
        case Or(operands):
            return _junction(And, [Not(one) for one in operands])
        case Exists(rows, negated):
            return normal_value(Exists(rows, not negated))
        case Membership(inner, options, negated):
            return normal_value(Membership(inner, options, not negated))
        case Comparison(ComparisonOperator.EQUAL, left, right):
            return normal_condition(Comparison(ComparisonOperator.NOT_EQUAL, left, right))
        case Comparison(ComparisonOperator.NOT_EQUAL, left, right):
            return normal_condition(Comparison(ComparisonOperator.EQUAL, left, right))
        case Comparison(operator, left, right) if _totally_ordered(left, right):
            return normal_condition(Comparison(_OPPOSITE[operator], left, right))
        case _:
            plain = normal_condition(operand)
            if plain in (TRUE, FALSE):
                return FALSE if plain == TRUE else TRUE
            return Not(plain) if plain == operand else _negated(plain)


def _totally_ordered(left: Expression, right: Expression) -> bool:
    kinds = _order_kind(left), _order_kind(right)
    # a string on one side makes every other type an error, under the opposite comparison, too
    return "string" in kinds or kinds == ("integer", "integer")


def _order_kind(expression: Expression) -> str | None:
    match expression:
        case Literal(_, datatype, _) if datatype == XSD_STRING:
            return "string"
        case Literal(_, datatype, _) if datatype in INTEGER_DATATYPES or datatype == XSD_DECIMAL:
            return "integer"
        case Call(function, _) if function in _INTEGER_FUNCTIONS:
            return "integer"
        case Call(function, _) if function in _STRING_FUNCTIONS:
            return "string"
        case _:
            return None


def normal_value(expression: Expression) -> Expression:
    """The expression in normal form, its value unchanged on every solution."""
    if isinstance(expression, Variable | Parameter | IRI | Literal):
        return expression
    match expression:
        case Exists(rows, negated):
            return Exists(rewrite_rows(rows, lambda row: (_normal_row(row),)), negated)
        case Not(operand):
            # the operand's truth is all that `not` looks at
            return _folded(Not(normal_condition(operand)))
        case And(operands) | Or(operands):
            kind = type(expression)
            plain = _junction(kind, operands)
            # one operand left: its truth is the value, itself only where it is a truth value
            return plain if _is_truth(plain) else kind((plain, TRUE if kind is And else FALSE))
        case _:
            parts = map_children(expression, lambda one: normal_value(one))  # type: ignore[arg-type]
    return _folded(_oriented(parts) if isinstance(parts, Comparison) else parts)


def _is_truth(expression: Expression) -> bool:
    """Whether the expression can only be true, false or an error."""
    match expression:
        case Comparison() | Not() | And() | Or() | Membership() | Exists():
            return True
        case Literal(_, datatype, _):
            return datatype == XSD_BOOLEAN
        case Call(function, _):
            return function in FUNCTIONS and FUNCTIONS[function].returns == "boolean"
        case _:
            return False


def _oriented(comparison: Comparison) -> Comparison:
    """Constants on the right; between other expressions `<` rather than `>`."""
    left, right = comparison.left, comparison.right
    constant_left, constant_right = isinstance(left, Literal | IRI), isinstance(right, Literal | IRI)
    greater = comparison.operator in (ComparisonOperator.GREATER, ComparisonOperator.GREATER_EQUAL)
    if (constant_left and not constant_right) or (greater and constant_left == constant_right):
        return Comparison(comparison.operator.flipped, right, left)
    return comparison


def _folded(expression: Expression) -> Expression:
    """The value of a constant expression, where every engine gives the same."""
    if not all(_may_fold(one) for one in walk_expression(expression)) or not subexpressions(expression):
        return expression
    value = evaluate_expression(expression, {}, Scope({}, lambda _rows, _solution: False, TRUE))
    return value if isinstance(value, Literal) and value.datatype in _FOLDED_TYPES else expression


def _may_fold(expression: Expression) -> bool:
    match expression:
        case Variable() | Parameter() | Aggregate() | Exists():
            return False
        case Arithmetic(operator, _, _):
            return operator is not ArithmeticOperator.DIVIDE
        case Call(function, _):
            return function not in _UNFOLDED
        case _:
            return True
