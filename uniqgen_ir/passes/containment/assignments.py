"""Assignments of values that satisfy a block's conditions and none of the cases that are settled already.

This is how unions and comparisons are decided: each homomorphism that was found settles the values for which its
conditions hold; what is left is asked for again, until nothing is left or no homomorphism exists.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from attrs import frozen

from uniqgen_ir.ir.analysis import expression_variables, walk_expression
from uniqgen_ir.ir.expressions import Arithmetic, Call, Expression, Negative
from uniqgen_ir.ir.functions import FUNCTIONS
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Variable
from uniqgen_ir.ir.types import ANY
from uniqgen_ir.ir.values import value_of
from uniqgen_ir.ir.visitor import map_children
from uniqgen_ir.ir.vocabulary import XSD_BOOLEAN, XSD_DATE, XSD_DATE_TIME, XSD_STRING
from uniqgen_ir.passes.containment.candidates import Candidates, Setting
from uniqgen_ir.passes.containment.homomorphism import Effort
from uniqgen_ir.passes.containment.target import is_true

Case: TypeAlias = tuple[Expression, ...]
"""Conditions that hold together where a homomorphism exists."""

_TRANSPARENT: Final = frozenset({"same_term", "is_iri", "is_blank", "is_literal", "is_numeric"})
"""Functions whose value the candidates cover."""
_HOLE: Final = "\u0001"
"""What the names of variables begin with that stand for the value of a function."""


@frozen
class Question:
    """Values for variables such that every condition holds and no case holds as a whole."""

    conditions: tuple[Expression, ...]
    cases: tuple[Case, ...]
    settings: Mapping[Variable, Setting]
    constants: tuple[object, ...]

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        return (*self.conditions, *(one for case in self.cases for one in case))

    @cached_property
    def hidden(self) -> bool:
        """Whether a function or arithmetic stands in a condition: then a value for it stands for any."""
        return any(_is_hidden(part) for one in self.expressions for part in walk_expression(one))

    def abstract(self, effort: Effort) -> dict[Variable, GroundTerm] | None:
        """An assignment in which functions of values may be anything; None: there is none, whatever they are.

        Where the values that can be tried do not stand for all, nothing is excluded. Raises BudgetExceeded.
        """
        holes: dict[Expression, Variable] = {}
        conditions = tuple(_with_holes(one, holes) for one in self.conditions)
        cases = tuple(tuple(_with_holes(one, holes) for one in case) for case in self.cases)
        values = _Values(conditions, cases, self.settings, self.constants)
        candidates = {one: values.of(one) for one in values.variables}
        for expression, hole in holes.items():
            candidates[hole] = _hole_values(expression, values)
        if not values.candidates.covers:
            return {}
        return _search(conditions, cases, candidates, effort)

    def concrete(self, effort: Effort) -> dict[Variable, GroundTerm] | None:
        """An assignment with the functions as they are; None: none was found, which proves nothing. Likewise."""
        values = _Values(self.conditions, self.cases, self.settings, self.constants)
        candidates: dict[Variable, list[GroundTerm | None]] = {one: values.of(one) for one in values.variables}
        if self.hidden:
            pool = _pool(self.expressions)
            for variable in {one for part in _hidden_parts(self.expressions) for one in expression_variables(part)}:
                setting = self.settings.get(variable, Setting(ANY))
                if variable in candidates and not setting.node_only:
                    candidates[variable] = list(dict.fromkeys([*pool, *candidates[variable]]))
        return _search(self.conditions, self.cases, candidates, effort)


@frozen
class _Values:
    conditions: tuple[Expression, ...]
    cases: tuple[Case, ...]
    settings: Mapping[Variable, Setting]
    constants: tuple[object, ...]

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """The variables that have a value, those of the conditions first."""
        mentioned: dict[Variable, None] = {}
        for expression in (*self.conditions, *(one for case in self.cases for one in case)):
            for one in sorted(expression_variables(expression), key=str):
                mentioned[one] = None
        return tuple(one for one in mentioned if one in self.settings)

    @cached_property
    def candidates(self) -> Candidates:
        expressions = (*self.conditions, *(one for case in self.cases for one in case))
        free = [one for one in self.variables if not self.settings[one].node_only]
        return Candidates.of(expressions, self.constants, len(free))

    def of(self, variable: Variable) -> list[GroundTerm | None]:
        setting = self.settings.get(variable, Setting(ANY))
        return [*self.candidates.values(variable, setting, self.variables)]


def _is_hidden(expression: Expression) -> bool:
    return isinstance(expression, Arithmetic | Negative) or (
        isinstance(expression, Call) and expression.function not in _TRANSPARENT
    )


def _hidden_parts(expressions: Iterable[Expression]) -> list[Expression]:
    return [part for one in expressions for part in walk_expression(one) if _is_hidden(part)]


def _with_holes(expression: Expression, holes: dict[Expression, Variable]) -> Expression:
    """The expression with a variable in the place of every function and calculation."""
    if _is_hidden(expression):
        return holes.setdefault(expression, Variable(f"{_HOLE}{len(holes)}"))
    return map_children(expression, lambda part: _with_holes(part, holes))  # type: ignore[arg-type]


def _hole_values(expression: Expression, values: _Values) -> list[GroundTerm | None]:
    """What a function may give, None for an error; all kinds of values where its type is not known."""
    returns = FUNCTIONS[expression.function].returns if isinstance(expression, Call) else "number"
    shared = values.candidates.shared
    match returns:
        case "boolean":
            return [Literal.of(True), Literal.of(False), None]
        case "string":
            strings = [one for one in shared if one.datatype == XSD_STRING]
            return [*strings, Literal("some text"), Literal(""), None]
        case _:
            named = [one for one in values.candidates.constants if isinstance(one, IRI)]
            truths = [Literal.of(True), Literal.of(False), Literal.of(0), Literal("")]
            return [None, *shared, *truths, *named, IRI("urn:frozen:value"), Literal("other", "urn:frozen:datatype")]


def _pool(expressions: Iterable[Expression]) -> list[GroundTerm]:
    """Values worth trying under functions: built from the constants that stand beside them."""
    constants = [part for one in expressions for part in walk_expression(one) if isinstance(part, Literal)]
    texts = dict.fromkeys(one.lexical for one in constants if isinstance(value_of(one), str))
    numbers = dict.fromkeys(one for one in (value_of(part) for part in constants) if type(one) is int)
    found: dict[GroundTerm, None] = {}
    for text in texts:
        for made in (text, f"{text}x", f"x{text}", f"x{text}x", text.upper(), text.lower()):
            found[Literal(made)] = None
        if text.isalpha() and len(text) <= 3:
            found[Literal.tagged("x", text)] = None
    found[Literal("")] = found[Literal("xyz")] = found[Literal.tagged("x", "zz")] = None
    years = [
        *(one for one in numbers if 1000 <= one <= 9999),
        *(one + 1 for one in numbers if 1000 <= one <= 9998),
        2001,
    ]
    months = [*(one for one in numbers if 1 <= one <= 12), 1, 6]
    days = [*(one for one in numbers if 1 <= one <= 28), 1, 13]
    for year in dict.fromkeys(years):
        for month in dict.fromkeys(months):
            for day in dict.fromkeys(days):
                date = f"{year:04}-{month:02}-{day:02}"
                found[Literal(date, XSD_DATE)] = found[Literal(f"{date}T00:00:00Z", XSD_DATE_TIME)] = None
    for number in (*numbers, 0, 1):
        for near in (number - 1, number, number + 1, number // 2, number * 2):
            found[Literal.of(near)] = None
    found[Literal("true", XSD_BOOLEAN)] = None
    return list(found)


def _search(
    conditions: Sequence[Expression],
    cases: Sequence[Case],
    candidates: Mapping[Variable, Sequence[GroundTerm | None]],
    effort: Effort,
) -> dict[Variable, GroundTerm] | None:
    """Backtracking over the variables; a condition is looked at once its last variable has a value."""
    order = list(candidates)
    place = {variable: number for number, variable in enumerate(order)}

    def last(expressions: Iterable[Expression]) -> int:
        found = {place[one] for part in expressions for one in expression_variables(part) if one in place}
        return max(found, default=-1)

    due: dict[int, list[Expression]] = {}
    for condition in conditions:
        due.setdefault(last([condition]), []).append(condition)
    settled: dict[int, list[Case]] = {}
    for case in cases:
        settled.setdefault(last(case), []).append(case)
    values: dict[Variable, GroundTerm] = {}

    def fits(depth: int) -> bool:
        effort.spend(1 + 2 * len(due.get(depth, ())) + 2 * len(settled.get(depth, ())))
        if not all(is_true(one, values) for one in due.get(depth, ())):
            return False
        return not any(all(is_true(one, values) for one in case) for case in settled.get(depth, ()))

    if not fits(-1):
        return None
    tried = [0]
    while tried:
        depth = len(tried) - 1
        if depth == len(order):
            return dict(values)
        variable = order[depth]
        options = candidates[variable]
        if tried[depth] >= len(options):
            tried.pop()
            values.pop(variable, None)
            continue
        value = options[tried[depth]]
        tried[depth] += 1
        if value is None:
            values.pop(variable, None)
        else:
            values[variable] = value
        if fits(depth):
            tried.append(0)
    return None
