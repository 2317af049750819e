"""Conditions tested in memory: where the values are known already, a comparison needs no statement.

The meaning is that of `ir.evaluate_expressions`: numbers are compared by value, however the store spells them. What
engines are known to do differently (regular expressions, the clock, the digits of a quotient) is left to the store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Final

from uniqgen_ir.ir.analysis import walk_expression
from uniqgen_ir.ir.evaluation.expressions import Scope, holds
from uniqgen_ir.ir.expressions import Arithmetic, ArithmeticOperator, Call, Exists, Expression
from uniqgen_ir.ir.terms import GroundTerm, Literal, Parameter, Variable
from uniqgen_ir.passes.search.order import term_order
from uniqgen_ir.passes.search.relations import Condition, Relation

MOST_TESTS: Final = 5_000
"""combinations of values that are tested in memory; beyond it one statement is quicker"""

_LEFT_TO_THE_STORE: Final = frozenset({"now", "matches", "replace", "double", "float", "iri"})
_SCOPE: Final = Scope({}, lambda _rows, _solution: False, Literal.of(True))


def relation_of_condition(
    condition: Expression, columns: Sequence[Variable], domains: Mapping[Variable, set[GroundTerm]]
) -> Relation | None:
    """The combinations of known values under which the condition is true; None where the store must be asked."""
    if not _in_memory(condition) or not all(one in domains for one in columns):
        return None
    if prod(len(domains[one]) for one in columns) > MOST_TESTS:
        return None
    # in an order of their own, so that nothing depends on how sets are laid out
    candidates = product(*(sorted(domains[one], key=term_order) for one in columns))
    true = (line for line in candidates if holds(condition, dict(zip(columns, line, strict=True)), _SCOPE))
    return Relation(tuple(columns), frozenset(true))


def condition_of(condition: Expression, columns: Sequence[Variable]) -> Condition | None:
    """The condition as a test of one combination of values; None where the store must be asked."""
    if not _in_memory(condition):
        return None
    return Condition(tuple(columns), lambda binding: holds(condition, binding, _SCOPE))


def _in_memory(condition: Expression) -> bool:
    return all(_same_everywhere(part) for part in walk_expression(condition))


def _same_everywhere(part: Expression) -> bool:
    match part:
        case Exists() | Parameter():
            return False
        case Arithmetic(operator, _, _):
            return operator is not ArithmeticOperator.DIVIDE
        case Call(function, _):
            return function not in _LEFT_TO_THE_STORE
        case _:
            return True
