"""What a condition can come to where a variable has no value: true, false, or an error (SPARQL 1.1, 17.2)."""

from __future__ import annotations

from typing import Final, TypeAlias

from uniqgen_ir.ir.analysis import subexpressions, walk_expression
from uniqgen_ir.ir.expressions import And, Call, Exists, Expression, Membership, Not, Or
from uniqgen_ir.ir.terms import Literal, Variable
from uniqgen_ir.ir.values import effective_boolean_value

Outcomes: TypeAlias = frozenset[str]

TRUE: Final[Outcomes] = frozenset({"true"})
FALSE: Final[Outcomes] = frozenset({"false"})
ERROR: Final[Outcomes] = frozenset({"error"})
EITHER: Final[Outcomes] = TRUE | FALSE
ANYTHING: Final[Outcomes] = EITHER | ERROR


def rejects(condition: Expression, unbound: Variable) -> bool:
    """Whether the condition can never be true while the variable has no value."""
    return "true" not in outcomes(condition, unbound)


def outcomes(expression: Expression, unbound: Variable) -> Outcomes:
    """What the expression can come to while the variable has no value; of other variables nothing is assumed."""
    match expression:
        case Variable():
            return ERROR if expression == unbound else ANYTHING
        case Literal():
            truth = effective_boolean_value(expression)
            return EITHER if truth is None else TRUE if truth else FALSE
        case Not(operand):
            return frozenset(_NOT[one] for one in outcomes(operand, unbound))
        case And(operands):
            return _junction([outcomes(one, unbound) for one in operands], "false", "true")
        case Or(operands):
            return _junction([outcomes(one, unbound) for one in operands], "true", "false")
        case Exists():
            return EITHER
        case Call("bound", (operand,)):
            return FALSE if operand == unbound else EITHER
        case Call("coalesce", arguments):
            return ERROR if all(outcomes(one, unbound) == ERROR for one in arguments) else ANYTHING
        case Call("if", (condition, then, otherwise)):
            return _if(outcomes(condition, unbound), outcomes(then, unbound), outcomes(otherwise, unbound))
        case Membership(operand, _, _):
            return ERROR if outcomes(operand, unbound) == ERROR else ANYTHING
        case _:
            failing = any(outcomes(one, unbound) == ERROR for one in subexpressions(expression))
            return ERROR if failing else ANYTHING


_NOT: Final = {"true": "false", "false": "true", "error": "error"}


def _junction(operands: list[Outcomes], decisive: str, neutral: str) -> Outcomes:
    """`&&` (`||`): one operand that is false (true) decides, even beside an error."""
    found = {decisive} if any(decisive in one for one in operands) else set[str]()
    if not any(one <= {decisive} for one in operands):
        if all(neutral in one for one in operands):
            found.add(neutral)
        if any("error" in one for one in operands) and all(one - {decisive} for one in operands):
            found.add("error")
    return frozenset(found)


def _if(condition: Outcomes, then: Outcomes, otherwise: Outcomes) -> Outcomes:
    found = ERROR if "error" in condition else frozenset[str]()
    return found | (then if "true" in condition else found) | (otherwise if "false" in condition else found)


def looked_at(expression: Expression) -> dict[Variable, None]:
    """The variables that the expression looks at, outside EXISTS, in the order of the text."""
    return dict.fromkeys(one for one in walk_expression(expression) if isinstance(one, Variable))


def asks_bound(expression: Expression, variable: Variable) -> bool:
    """Whether the expression asks, somewhere, whether the variable is bound, so that its writer knew it may not be."""
    return any(
        isinstance(one, Call) and one.function in ("bound", "coalesce") and variable in one.arguments
        for one in walk_expression(expression)
    )
