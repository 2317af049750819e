"""A checker of proofs that shares no code with the search: it reads a homomorphism and looks every edge up.

A case is right if it maps the head onto the head and every edge onto an edge of the contained block, or onto one that
the schema's rules give, each step of which is replayed; if every condition of the source is required of the block or
named in the case; and if the cases together leave no values over, tried on a grid. What this checker does not look into
(`not`, opaque rows, paths, merged values, grids that are too large) it names as unproved instead of passing it over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise, product
from typing import Final

from attrs import frozen

from uniqgen_ir.ir.analysis import expression_variables
from uniqgen_ir.ir.evaluation.expressions import Scope, evaluate_expression
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Term, Variable
from uniqgen_ir.ir.values import effective_boolean_value, value_of
from uniqgen_ir.ir.visitor import rewrite, walk
from uniqgen_ir.ir.vocabulary import XSD_DECIMAL
from uniqgen_ir.passes.containment.blocks import Block
from uniqgen_ir.passes.containment.decision import EmptyCase, ProofCase
from uniqgen_ir.passes.saturate.dependencies import Dependencies, Rule
from uniqgen_ir.passes.saturate.engine import Derivation
from uniqgen_ir.passes.saturate.patterns import Pattern

_MOST: Final = 20_000
"""Assignments of the grid that are tried."""
_SCOPE: Final = Scope({}, lambda _rows, _solution: False, Literal.of("now"))


@frozen
class Check:
    """What is wrong with a proof, and what of it was not looked into. Both empty: it is a proof."""

    problems: tuple[str, ...]
    unproved: tuple[str, ...]


def check_proof(
    cases: Sequence[ProofCase | EmptyCase],
    narrower: Sequence[Block],
    wider: Sequence[Block],
    dependencies: Dependencies | None = None,
) -> Check:
    """Whether the cases prove that the blocks of `narrower` are contained in those of `wider`, as sets."""
    problems: list[str] = []
    unproved: list[str] = []
    proofs = [case for case in cases if isinstance(case, ProofCase)]
    unproved += [f"no answers: {case.reason}" for case in cases if isinstance(case, EmptyCase)]
    for case in proofs:
        problems += _wrong_in(case, wider)
        problems += _underived(case, narrower, dependencies)
        unproved += _not_looked_into(case)
    for block in narrower:
        mine = [case for case in proofs if case.block.head == block.head and _stands_for(case.block, block)]
        if not mine and not any(isinstance(case, EmptyCase) for case in cases):
            (unproved if block.walks else problems).append("a block has no case")
        elif mine and not _covered(mine, problems):
            unproved.append("the cases were not tried on all values")
    return Check(tuple(problems), tuple(unproved))


def _wrong_in(case: ProofCase, wider: Sequence[Block]) -> Iterable[str]:
    source, terms = wider[case.number], case.match.terms
    if case.match.source.edges != source.edges or case.match.source.head != source.head:
        yield f"the case is not about block {case.number}"
    there = {edge.pattern for edge in case.block.edges}
    for edge in source.edges:
        if tuple(_image(term, terms) for term in edge.pattern) not in there:
            yield f"row {edge.row} is mapped onto nothing that is said"
    for mine, theirs in zip(source.head, case.block.head, strict=True):
        if mine is not None and _image(mine, terms) != theirs:
            yield f"{mine} of the head is mapped onto {_image(mine, terms)}"
        if (mine is None) != (theirs is None):
            yield "a column is bound in one and not in the other"
    known = {one.expression for one in case.block.conditions} | set(case.when)
    for condition in source.conditions:
        mapped = _mapped(condition.expression, terms)
        if mapped not in known and not _always(mapped):
            yield f"the condition of row {condition.row} is not named"


def _image(term: Term, terms: Mapping[Variable, Term]) -> Term:
    return terms.get(term, term) if isinstance(term, Variable) else term


def _mapped(expression: Expression, terms: Mapping[Variable, Term]) -> Expression:
    return rewrite(expression, lambda one: terms.get(one, one) if isinstance(one, Variable) else one)


def _always(expression: Expression) -> bool:
    return not expression_variables(expression) and _holds(expression, {})


def _holds(expression: Expression, values: dict[Variable, GroundTerm]) -> bool:
    return effective_boolean_value(evaluate_expression(expression, values, _SCOPE)) is True


def _underived(case: ProofCase, narrower: Sequence[Block], dependencies: Dependencies | None) -> Iterable[str]:
    """Edges of the case's block that no row says and no replayed step gives."""
    if case.saturation is None:
        if not any(_stands_for(case.block, block) for block in narrower) and not any(one.walks for one in narrower):
            yield "the case is about no block of the query"
        return
    rules = {rule.name: rule for rule in dependencies.rules} if dependencies is not None else {}
    derived = case.saturation.derived
    known = {pattern for pattern in case.saturation.patterns if pattern not in derived}
    for pattern, why in derived.items():
        rule = rules.get(why.rule)
        if rule is None or not set(why.premises) <= known | set(derived) or not _is_step(rule, why.premises, pattern):
            yield f"{why.rule} does not give what the case takes from it"
    if _circular(derived):
        yield "a derivation rests on itself"


def _circular(derived: Mapping[Pattern, Derivation]) -> bool:
    settled: set[Pattern] = set()
    waiting = dict(derived)
    while waiting:
        ready = [one for one, why in waiting.items() if all(p in settled or p not in derived for p in why.premises)]
        if not ready:
            return True
        settled.update(ready)
        waiting = {one: why for one, why in waiting.items() if one not in settled}
    return False


def _is_step(rule: Rule, premises: Sequence[Pattern], conclusion: Pattern) -> bool:
    """Whether the rule, applied to exactly these patterns, has the conclusion in its head."""
    chosen: dict[Variable, Term] = {}
    for pattern, fact in zip(rule.body, premises, strict=False):
        for term, value in zip(pattern, fact, strict=True):
            if isinstance(term, Variable):
                if chosen.setdefault(term, value) != value:
                    return False
            elif term != value:
                return False
    for pattern in rule.head:
        found = [(_image(term, chosen), value, term) for term, value in zip(pattern, conclusion, strict=True)]
        if all(mine == value or (mine == term and term in rule.existential) for mine, value, term in found):
            return len(rule.body) == len(premises)
    return False


def _stands_for(made: Block, block: Block) -> bool:
    return {edge.pattern for edge in block.edges} <= {edge.pattern for edge in made.edges}


def _not_looked_into(case: ProofCase) -> Iterable[str]:
    source = case.match.source
    if source.absences:
        yield "`not` in the wider query"
    if source.opaque:
        yield "rows that are compared by their spelling"
    if source.walks:
        yield "paths of the wider query"
    if any(edge.group is not None for edge in source.edges):
        yield "edges that must differ"
    if case.saturation is not None and case.saturation.merges:
        yield "values that the schema merges"


def _covered(cases: Sequence[ProofCase], problems: list[str]) -> bool:
    """Whether the grid was tried; values that no case covers are a problem."""
    if any(not case.when for case in cases):
        return True
    required = [one.expression for one in cases[0].block.conditions]
    mentioned = [*required, *(one for case in cases for one in case.when)]
    variables = sorted(frozenset[Variable]().union(*(expression_variables(one) for one in mentioned)), key=str)
    grid = _grid(mentioned, len(variables))
    if len(grid) ** len(variables) > _MOST:
        return False
    for chosen in product(grid, repeat=len(variables)):
        values = dict(zip(variables, chosen, strict=True))
        covered = any(all(_holds(one, dict(values)) for one in case.when) for case in cases)
        if not covered and all(_holds(one, dict(values)) for one in required):
            shown = ", ".join(f"{variable} = {value}" for variable, value in values.items())
            problems.append(f"no case covers {shown}")
            return True
    return True


def _grid(expressions: Iterable[Expression], room: int) -> list[GroundTerm]:
    """The constants, numbers around and between them, and terms of other kinds."""
    constants = dict.fromkeys(part for one in expressions for part in walk(one) if isinstance(part, IRI | Literal))
    numbers = sorted(
        {Decimal(str(value)) for one in constants if isinstance(value := value_of(one), int | Decimal)} or {Decimal(0)}
    )
    found: list[GroundTerm] = [*constants, IRI("urn:check:node"), Literal("text")]
    places = [numbers[0] - step for step in range(1, room + 1)] + [numbers[-1] + step for step in range(1, room + 1)]
    for low, high in pairwise(numbers):
        places += [low + (high - low) * step / (room + 1) for step in range(1, room + 1)]
    found += (Literal(format(place, "f"), XSD_DECIMAL) for place in places)
    return list(dict.fromkeys(found))
