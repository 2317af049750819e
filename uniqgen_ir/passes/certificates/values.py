"""What conditions say of values when they are taken together, found by trying a value of every kind.

A condition that compares a variable with numbers, or asks whether it is one of some names, cannot tell apart what
stands in one gap between these numbers. So one value is tried for each number, each gap, each name, and each sort of
term beside. Any other condition is left out of what is said, and does not follow from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise, product
from math import prod
from typing import Final

from uniqgen_ir.ir.analysis import expression_variables, walk_expression
from uniqgen_ir.ir.evaluation.expressions import Scope, holds
from uniqgen_ir.ir.expressions import And, Comparison, ComparisonOperator, Expression, Membership, Not, Or
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Variable
from uniqgen_ir.ir.values import Single, is_number, to_double, value_of
from uniqgen_ir.ir.vocabulary import XSD_BOOLEAN, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, XSD_STRING

MOST_TRIALS: Final = 20_000
_SCOPE: Final = Scope({}, lambda _rows, _solution: False, Literal.of(True))
_XSD: Final = "http://www.w3.org/2001/XMLSchema#"

_OTHER: Final[tuple[GroundTerm, ...]] = (
    *(IRI("urn:uniqgen:another"), BlankNode("another"), Literal("another name"), Literal.tagged("autre", "fr")),
    *(Literal(text, XSD_BOOLEAN) for text in ("true", "false")),
    *(Literal(text, XSD_DOUBLE) for text in ("NaN", "INF", "-INF")),
    *(Literal("no number", XSD_INTEGER), Literal("odd", "urn:uniqgen:datatype")),
    *(Literal("2001-02-03", f"{_XSD}date"), Literal("2001-02-03T04:05:06Z", f"{_XSD}dateTime")),
    *(Literal("04:05:06", f"{_XSD}time"), Literal("2001", f"{_XSD}gYear"), Literal("P1D", f"{_XSD}dayTimeDuration")),
)
"""a term of every sort that the constants may not name"""


def follows(said: Iterable[Expression], ways: Sequence[Sequence[Expression]]) -> bool:
    """Whether wherever all that is said is true, everything in one of the ways is true."""
    wanted = [one for way in ways for one in way]
    if not all(map(_is_plain, wanted)):
        return False
    variables = sorted(frozenset[Variable]().union(*map(expression_variables, wanted)), key=str)
    premises = [one for one in said if _is_plain(one) and expression_variables(one) <= {*variables}]
    trials = [_trials(one, (*wanted, *premises)) for one in variables]
    if not ways or any(one is None for one in trials) or prod(len(one or ()) for one in trials) > MOST_TRIALS:
        return False
    for values in product(*(one or () for one in trials)):
        solution = dict(zip(variables, values, strict=True))
        true = all(holds(one, solution, _SCOPE) for one in premises)
        if true and not any(all(holds(one, solution, _SCOPE) for one in way) for way in ways):
            return False
    return True


def _is_plain(condition: Expression) -> bool:
    match condition:
        case And(operands) | Or(operands):
            return all(map(_is_plain, operands))
        case Not(operand):
            return _is_plain(operand)
        case Comparison(_, Literal() | IRI(), Literal() | IRI()):
            return True
        case Comparison(operator, Variable(), Literal() | IRI() as constant):
            return _may_compare(operator, constant)
        case Comparison(operator, Literal() | IRI() as constant, Variable()):
            return _may_compare(operator, constant)
        case Membership(Variable() | Literal() | IRI(), options):
            return all(isinstance(one, Literal | IRI) and _is_known(one) for one in options)
        case _:
            return False


def _may_compare(operator: ComparisonOperator, constant: Literal | IRI) -> bool:
    equality = operator in (ComparisonOperator.EQUAL, ComparisonOperator.NOT_EQUAL)
    return _is_known(constant) if equality else _number(constant) is not None


def _is_known(constant: Literal | IRI) -> bool:
    """Whether the values beside the constant are among those that are tried."""
    if isinstance(constant, IRI) or _number(constant) is not None:
        return True
    return constant.datatype in (XSD_STRING, XSD_BOOLEAN) and value_of(constant) is not None


def _number(constant: GroundTerm) -> Decimal | None:
    value = value_of(constant)
    if isinstance(value, bool) or not is_number(value):
        return None
    number = value.number if isinstance(value, Single) else value
    found = Decimal(number) if isinstance(number, int | float | Decimal) else None
    return found if found is not None and found.is_finite() else None


def _trials(variable: Variable, conditions: Iterable[Expression]) -> list[GroundTerm] | None:
    """The values of the variable that the conditions may tell apart; None where floats blur their numbers."""
    constants = {one for condition in conditions for one in _compared(variable, condition)}
    numbers = sorted({number for one in constants if (number := _number(one)) is not None})
    names = [one for one in constants if _number(one) is None]
    doubles = [to_double(one) for one in numbers]
    if len({*doubles}) < len(numbers) or len({Single.rounded(one) for one in doubles}) < len(numbers):
        return None
    between = [(low + high) / 2 for low, high in pairwise(numbers)]
    beyond = [numbers[0] - 1, numbers[-1] + 1] if numbers else [Decimal(0)]
    ordered = [*beyond[:1], *(one for pair in zip(numbers, [*between, *beyond[1:]], strict=True) for one in pair)]
    if any(low >= high for low, high in pairwise(ordered)):
        return None  # so many digits that the gaps are lost
    return [*_OTHER, *names, *(Literal(format(one, "f"), XSD_DECIMAL) for one in ordered)]


def _compared(variable: Variable, condition: Expression) -> Iterator[GroundTerm]:
    for one in walk_expression(condition):
        match one:
            case Comparison(_, left, right) if variable in (left, right):
                yield from (side for side in (left, right) if isinstance(side, Literal | IRI))
            case Membership(operand, options) if operand == variable:
                yield from (option for option in options if isinstance(option, Literal | IRI))
            case _:
                pass
