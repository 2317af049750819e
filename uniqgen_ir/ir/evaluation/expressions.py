"""The reference meaning of expressions: SPARQL 1.1, chapters 11 and 17.

`evaluate_expression` returns a term, or None where SPARQL has an error or no value: nothing can tell those two apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import frozen

from uniqgen_ir.ir.arithmetic import arithmetic, calculate, negative
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.evaluation.functions import FUNCTION_TABLE, plain_text
from uniqgen_ir.ir.expressions import (
    Aggregate,
    And,
    Arithmetic,
    ArithmeticOperator,
    Call,
    Comparison,
    Exists,
    Expression,
    Membership,
    Negative,
    Not,
    Or,
)
from uniqgen_ir.ir.functions import FUNCTIONS
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Parameter, Variable
from uniqgen_ir.ir.values import Number, compare, effective_boolean_value, equal, literal_of, order_key, value_of

Solution: TypeAlias = dict[Variable, GroundTerm]
"""Variables and what they are bound to; an unbound variable is not in it. Never changed once made."""

TRUE: Final = Literal.of(True)
FALSE: Final = Literal.of(False)


@frozen
class Scope:
    """What expressions need besides a solution."""

    parameters: Mapping[Parameter, GroundTerm]
    exists: Callable[[tuple[Row, ...], Solution], bool]
    now: Literal


def parameter_value(parameter: Parameter, parameters: Mapping[Parameter, GroundTerm]) -> GroundTerm:
    """The value given for a parameter. Raises DiagnosticError UQ611 where there is none."""
    if parameter not in parameters:
        raise fail("UQ611", f"parameter ${parameter.name} has no value", hint="give one when the query runs")
    return parameters[parameter]


def evaluate_expression(
    expression: Expression, solution: Solution, scope: Scope, group: Sequence[Solution] = ()
) -> GroundTerm | None:
    """The value of the expression for a solution; `group` holds the solutions that aggregates range over."""

    def inner(one: Expression) -> GroundTerm | None:
        return evaluate_expression(one, solution, scope, group)

    match expression:
        case Variable():
            return solution.get(expression)
        case IRI() | Literal():
            return expression
        case Parameter():
            return parameter_value(expression, scope.parameters)
        case Comparison(operator, left, right):
            first, second = inner(left), inner(right)
            return _truth(None if first is None or second is None else compare(operator, first, second))
        case And(operands):
            return _truth(_all(effective_boolean_value(inner(one)) for one in operands))
        case Or(operands):
            return _truth(_any(effective_boolean_value(inner(one)) for one in operands))
        case Not(operand):
            return _truth(_negated(effective_boolean_value(inner(operand))))
        case Membership(operand, options, negated):
            found = _member(inner(operand), [inner(one) for one in options])
            return _truth(_negated(found) if negated else found)
        case Arithmetic(arithmetic_operator, left, right):
            return arithmetic(arithmetic_operator, inner(left), inner(right))
        case Negative(operand):
            return negative(inner(operand))
        case Call():
            return _call(expression, inner, scope)
        case Exists(rows, negated):
            return _truth(scope.exists(rows, solution) != negated)
        case Aggregate():
            return _aggregate(expression, scope, group)


def holds(condition: Expression, solution: Solution, scope: Scope, group: Sequence[Solution] = ()) -> bool:
    """Whether the condition is true; an error is not."""
    return effective_boolean_value(evaluate_expression(condition, solution, scope, group)) is True


def _truth(value: bool | None) -> Literal | None:
    return None if value is None else TRUE if value else FALSE


def _negated(value: bool | None) -> bool | None:
    return None if value is None else not value


def _any(values: Iterable[bool | None]) -> bool | None:
    # one true operand decides, whatever errors stand beside it
    seen = list(values)
    return True if True in seen else None if None in seen else False


def _all(values: Iterable[bool | None]) -> bool | None:
    return _negated(_any(_negated(value) for value in values))


def _member(term: GroundTerm | None, options: Sequence[GroundTerm | None]) -> bool | None:
    if term is None:
        return None
    return _any(None if option is None else equal(term, option) for option in options)


def _call(call: Call, inner: Callable[[Expression], GroundTerm | None], scope: Scope) -> GroundTerm | None:
    function = FUNCTIONS.get(call.function)
    count = len(call.arguments)
    if function is None or count < function.least or (function.most is not None and count > function.most):
        raise fail("UQ900", f"the call {call.function}/{count} should not have passed the checks")
    match call.function, call.arguments:
        case "now", _:
            return scope.now
        case "bound", (operand,):
            return _truth(inner(operand) is not None)
        case "if", (condition, then, otherwise):
            chosen = effective_boolean_value(inner(condition))
            return None if chosen is None else inner(then if chosen else otherwise)
        case "coalesce", options:
            return next((found for found in map(inner, options) if found is not None), None)
        case _, arguments:
            values = [value for value in map(inner, arguments) if value is not None]
            return FUNCTION_TABLE[call.function](values) if len(values) == count else None


def _aggregate(aggregate: Aggregate, scope: Scope, group: Sequence[Solution]) -> GroundTerm | None:
    operand = aggregate.operand
    if operand is None:
        counted = {frozenset(one.items()) for one in group} if aggregate.distinct else group
        return Literal.of(len(counted))
    values = [evaluate_expression(operand, one, scope) for one in group]
    if aggregate.distinct:
        values = list(dict.fromkeys(values))
    good = [value for value in values if value is not None]
    if aggregate.function == "count":
        return Literal.of(len(good))
    if aggregate.function == "sample":
        return good[0] if good else None
    # one error spoils the figure: an average over what happens to be a number would be a silent guess
    return _fold(aggregate, good) if len(good) == len(values) else None


def _fold(aggregate: Aggregate, values: Sequence[GroundTerm]) -> GroundTerm | None:
    match aggregate.function:
        case "sum":
            return _sum(values)
        case "avg":
            total = _sum(values)
            return arithmetic(ArithmeticOperator.DIVIDE, total, Literal.of(len(values))) if values else Literal.of(0)
        case "min":
            return min(values, key=order_key, default=None)
        case "max":
            return max(values, key=order_key, default=None)
        case _:
            texts = [plain_text(value) for value in values]
            separator = " " if aggregate.separator is None else aggregate.separator
            return None if None in texts else Literal.of(separator.join(text for text in texts if text is not None))


def _sum(values: Sequence[GroundTerm]) -> Literal | None:
    total: Number = 0
    for value in map(value_of, values):
        if isinstance(value, bool) or not isinstance(value, Number):
            return None
        total = calculate(ArithmeticOperator.ADD, total, value) or 0
    return literal_of(total)
