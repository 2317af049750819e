"""Whether a block is contained in a union of blocks, as sets of answers.

Freeze the block (saturated under the schema), look for a homomorphism from one of the others that keeps the head; if it
rests on conditions, settle the case in which they hold and go on with what is left. No homomorphism: the frozen block
is the witness. `not` in one of the others is discharged by a case split: where its rows hold, another block must give
the answer, or the block can have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Final

from attrs import define, evolve, field

from uniqgen_ir.ir.analysis import expression_variables
from uniqgen_ir.ir.expressions import Call, Expression
from uniqgen_ir.ir.paths import NegatedSet
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.terms import GroundTerm, Term, Variable
from uniqgen_ir.ir.visitor import walk as parts_of
from uniqgen_ir.passes.containment.assignments import Case, Question
from uniqgen_ir.passes.containment.blocks import Block, Edge, is_parameter, replace
from uniqgen_ir.passes.containment.candidates import Setting
from uniqgen_ir.passes.containment.decision import Decision, EmptyCase, ProofCase, Status, together
from uniqgen_ir.passes.containment.homomorphism import Effort
from uniqgen_ir.passes.containment.matching import Match, edges_differ, grouped_pairs, homomorphisms, stated_conditions
from uniqgen_ir.passes.containment.surroundings import constants_of, defaults_of, settings_of
from uniqgen_ir.passes.containment.target import Target, is_true
from uniqgen_ir.passes.containment.walks import TooManyChains, as_edges, is_bounded, opened, seen_by
from uniqgen_ir.passes.saturate.dependencies import Dependencies
from uniqgen_ir.passes.saturate.engine import Saturation, saturate_patterns

_DEPTH: Final = 4
"""Case splits over `not`, one inside the other."""
_MATCHES: Final = 200
"""Homomorphisms tried that `not` or an opaque row rules out."""
_ROUNDS: Final = 3
"""Rounds of a path without a bound that are tried for a witness."""


@define
class Decider:
    """One question's surroundings: the schema's dependencies, what may be spent, how far the chase may go."""

    dependencies: Dependencies | None
    effort: Effort
    chase_steps: int = 100
    _made: int = field(default=0, init=False)

    def contained(self, block: Block, others: Sequence[Block], depth: int = 0) -> Decision:
        """Whether every answer of the block is one of the others' together. Raises BudgetExceeded."""
        if block.impossible:
            return Decision(Status.CONTAINED, (EmptyCase("a literal would be a subject"),))
        if block.walks:
            return self._with_walks(block, others, depth)
        saturation = self.saturation(block)
        if saturation is not None:
            if saturation.conflict is not None:
                return Decision(Status.CONTAINED, (EmptyCase(saturation.conflict.reason),))
            block = _saturated(block, saturation)
        if block.absences and self._is_empty(block, depth):
            return Decision(Status.CONTAINED, (EmptyCase("a `not` excludes what the other rows ask for"),))
        return _Cases(self, block, others, depth, saturation).decide()

    def empty_with(self, block: Block, excluded: Block, terms: Mapping[Variable, Term], depth: int = 0) -> bool:
        """Whether nothing satisfies the block together with a block that the terms map into it."""
        return self.contained(joined(block, replace(excluded, terms)), (), depth + 1).status is Status.CONTAINED

    def implied(self, block: Block, conditions: Iterable[Expression]) -> bool:
        """Whether the block's own conditions make these true, for all values."""
        return _Cases(self, block, (), 0, None).implies(tuple(conditions))

    def saturation(self, block: Block) -> Saturation | None:
        if self.dependencies is None or not (self.dependencies.rules or self.dependencies.index.disjoint_pairs):
            return None
        shown = frozenset(one for one in block.head if isinstance(one, Variable))
        self._made += 1
        patterns = [edge.pattern for edge in block.edges]
        return saturate_patterns(
            patterns, self.dependencies, shown=shown, steps=self.chase_steps, stem=f"made{self._made}"
        )

    def saturated_alone(self, block: Block) -> Block:
        """The block with what follows about its own values: it keeps how often each answer comes."""
        saturation = self.saturation(block)
        if saturation is None or saturation.conflict is not None:
            return block
        full = _saturated(block, saturation)
        known = replace(block, {merge.old: merge.new for merge in saturation.merges}).variables
        kept = tuple(
            edge for edge in full.edges if all(term in known for term in edge.pattern if isinstance(term, Variable))
        )
        return evolve(full, edges=kept)

    def _is_empty(self, block: Block, depth: int) -> bool:
        """Whether one of the block's absences holds wherever the rest does."""
        excluded = [one for absence in block.absences for one in absence.blocks]
        bare = evolve(block, absences=(), head=())
        if depth >= _DEPTH:
            return False
        return self.contained(bare, [evolve(one, head=()) for one in excluded], depth + 1).status is Status.CONTAINED

    def _with_walks(self, block: Block, others: Sequence[Block], depth: int) -> Decision:
        bounded = all(is_bounded(one.path) for one in block.walks)
        if not bounded and not any(_sees_any_predicate(one) for one in others):
            seen = [seen_by(one, block.walks) for one in others]
            proof = self.contained(as_edges(block), seen, depth)
            if proof.status is Status.CONTAINED:
                return proof
        try:
            blocks = opened(block, _ROUNDS)
        except TooManyChains:
            return Decision(Status.UNDECIDED, reason="a path stands for too many chains of edges")
        found: list[Decision] = []
        for one in blocks:
            decision = self.contained(one, others, depth)
            if decision.status is Status.REFUTED:
                return decision
            found.append(decision)
        if not bounded:
            found.append(Decision(Status.UNDECIDED, reason="a path without a bound has walks of any length"))
        return together(found)


def _sees_any_predicate(block: Block) -> bool:
    variable = any(isinstance(edge.pattern[1], Variable) for edge in block.edges)
    return variable or any(isinstance(part, NegatedSet) for one in block.walks for part in parts_of(one.path))


def _saturated(block: Block, saturation: Saturation) -> Block:
    """The block with what follows, values merged. Derived edges are never told apart."""
    for merge in saturation.merges:
        block = replace(block, {merge.old: merge.new})
    known = {edge.pattern for edge in block.edges}
    added = tuple(Edge(pattern, "schema") for pattern in saturation.patterns if pattern not in known)
    return evolve(block, edges=(*block.edges, *added))


@define(slots=False)
class _Cases:
    """The search on one block: cases settled so far, homomorphisms that were ruled out and why."""

    decider: Decider
    block: Block
    others: Sequence[Block]
    depth: int
    saturation: Saturation | None
    blocked: list[str] = field(factory=list[str], init=False)
    targets: list[Target] = field(factory=list[Target], init=False)

    @cached_property
    def required(self) -> tuple[Expression, ...]:
        """The block's own conditions."""
        return (
            *(one.expression for one in self.block.conditions),
            *(edges_differ(one, other) for one, other in grouped_pairs(self.block)),
        )

    @cached_property
    def settings(self) -> Mapping[Variable, Setting]:
        return settings_of(self.block, self.others, self.decider.dependencies)

    @cached_property
    def defaults(self) -> dict[Variable, GroundTerm]:
        """Values for variables that are declared to be literals."""
        return {} if self.decider.dependencies is None else defaults_of(self.settings)

    def decide(self) -> Decision:
        values = self._start()
        if isinstance(values, Decision):
            return values
        cases: list[ProofCase] = []
        while True:
            made = self._target(values)
            if made is None:
                return self._undecided("the schema makes values one that a condition keeps apart")
            target, assumed, saturation = made
            found = self._usable(target)
            if found is None:
                return self._without(target, saturation)
            number, match = found
            when = self._left((*match.conditions, *assumed))
            case = ProofCase(target.block, number, match, when, saturation)
            if not when:
                return Decision(Status.CONTAINED, (case,))
            cases.append(case)
            question = self._question(tuple(one.when for one in cases))
            if question.abstract(self.decider.effort) is None:
                return Decision(Status.CONTAINED, tuple(cases))
            more = question.concrete(self.decider.effort)
            if more is None:
                return self._by_cases(cases)
            values = more

    def implies(self, conditions: tuple[Expression, ...]) -> bool:
        """Whether every assignment that satisfies the block's conditions satisfies these. Raises BudgetExceeded."""
        left = self._left(conditions)
        if not left:
            return True
        return self._question((left,)).abstract(self.decider.effort) is None

    def _question(self, cases: tuple[Case, ...]) -> Question:
        return Question(self.required, cases, self.settings, constants_of(self.block, self.others))

    def _start(self) -> Mapping[Variable, GroundTerm] | Decision:
        """Values that satisfy the block's own conditions."""
        if not self.required or self._holds_generically():
            return {}
        question = self._question(())
        values = question.concrete(self.decider.effort)
        if values is not None:
            return values
        if question.abstract(self.decider.effort) is None:
            return Decision(Status.CONTAINED, (EmptyCase("no values satisfy its conditions"),))
        return self._by_cases([])

    def _by_cases(self, cases: list[ProofCase]) -> Decision:
        """The decision where no values can be found that satisfy the conditions: every homomorphism is a case."""
        target = Target.of(self.block, {}, self.defaults, self._extra)
        for number, other in enumerate(self.others):
            bare = evolve(other, conditions=())
            for match in islice(homomorphisms(bare, target, self.decider.effort), _MATCHES):
                full = evolve(match, source=other, conditions=stated_conditions(other, match.terms))
                if self._fits(full, target):
                    cases.append(ProofCase(self.block, number, full, self._left(full.conditions), self.saturation))
        settled = tuple(one.when for one in cases)
        question = self._question(settled)
        if cases and (not all(settled) or question.abstract(self.decider.effort) is None):
            return Decision(Status.CONTAINED, tuple(cases))
        return self._undecided("what the functions in conditions give is not decided")

    def _holds_generically(self) -> bool:
        """Whether the conditions hold where every variable has a value of its own."""
        solution = Target.of(self.block, {}, self.defaults, self._extra).solution
        return all(is_true(one, solution) for one in self.required)

    @property
    def _extra(self) -> list[Term]:
        """Terms that the others ask for: parameters, and constants at the ends of paths."""
        found = [one for other in self.others for one in (*other.variables, *other.looked_at) if is_parameter(one)]
        ends = [term for other in self.others for walk in other.walks for term in (walk.subject, walk.object)]
        own = [one for one in self.block.looked_at if is_parameter(one)]
        return [*own, *found, *(term for term in ends if not isinstance(term, Variable))]

    def _target(
        self, values: Mapping[Variable, GroundTerm]
    ) -> tuple[Target, tuple[Expression, ...], Saturation | None] | None:
        """The database for these values and what it takes for granted; None where the schema contradicts them."""
        target = Target.of(self.block, values, self.defaults, self._extra)
        shared = [terms for terms in target.terms_of.values() if len(terms) > 1]
        if self.saturation is None or not shared:
            return target, (), self.saturation
        # values that are one may set off rules that did not apply before
        merged: dict[Variable, Term] = {}
        assumed: list[Expression] = []
        for terms in shared:
            kept = next((one for one in terms if not isinstance(one, Variable)), terms[0])
            for one in terms:
                if one != kept and isinstance(one, Variable):
                    merged[one] = kept
                    assumed.append(Call("same_term", (one, kept)))
        block = replace(self.block, merged)
        saturation = self.decider.saturation(block)
        if saturation is None or saturation.conflict is not None or saturation.merges:
            return None
        return Target.of(_saturated(block, saturation), values, self.defaults, self._extra), tuple(assumed), saturation

    def _usable(self, target: Target) -> tuple[int, Match] | None:
        """The first homomorphism that nothing rules out."""
        tried = 0
        for number, other in enumerate(self.others):
            for match in homomorphisms(other, target, self.decider.effort):
                if self._fits(match, target):
                    return number, match
                tried += 1
                if tried >= _MATCHES:
                    self.blocked.append("too many homomorphisms are ruled out by `not` and opaque rows")
                    return None
        return None

    def _fits(self, match: Match, target: Target) -> bool:
        """Whether opaque rows of the source stand in the block, and its absences can be discharged."""
        stated = {_spelling(one.content) for one in target.block.opaque}
        for one in match.source.opaque:
            mapped = replace(evolve(match.source, opaque=(one,)), match.terms).opaque[0]
            if _spelling(mapped.content) not in stated:
                self.blocked.append(f"row {one.row} is {one.reason}")
                return False
        for absence in match.source.absences:
            for excluded in absence.blocks:
                if not self._discharged(excluded, match, target):
                    self.blocked.append(f"the `not` of row {absence.row}")
                    return False
        return True

    def _discharged(self, excluded: Block, match: Match, target: Target) -> bool:
        """Whether the answer is there all the same, or the block has none, where the excluded rows hold."""
        if self.depth >= _DEPTH:
            return False
        both = joined(target.block, replace(excluded, match.terms))
        decision = self.decider.contained(both, self.others, self.depth + 1)
        self.targets.extend(decision.targets)
        return decision.status is Status.CONTAINED

    def _left(self, conditions: Iterable[Expression]) -> Case:
        """The conditions that are neither required of the block nor true anyway."""
        return tuple(dict.fromkeys(one for one in conditions if one not in self.required and not _trivial(one)))

    def _without(self, target: Target, saturation: Saturation | None) -> Decision:
        targets = (target, *self.targets)
        if self.blocked:
            return Decision(Status.UNDECIDED, reason=f"not decided beyond {self.blocked[0]}", targets=targets)
        if saturation is not None and not saturation.complete:
            return Decision(Status.UNDECIDED, reason="the chase did not end within its budget", targets=targets)
        return Decision(Status.REFUTED, targets=targets)

    def _undecided(self, reason: str) -> Decision:
        return Decision(Status.UNDECIDED, reason=reason, targets=tuple(self.targets))


def joined(block: Block, inner: Block) -> Block:
    """The block with all that another one asks for."""
    return Block(
        block.head,
        tuple(dict.fromkeys((*block.edges, *inner.edges))),
        (*block.walks, *inner.walks),
        tuple(dict.fromkeys((*block.conditions, *inner.conditions))),
        (*block.absences, *inner.absences),
        (*block.opaque, *inner.opaque),
        block.rigid,
    )


def _trivial(expression: Expression) -> bool:
    match expression:
        case Call("same_term", (one, other)) if one == other:
            return True
        case _:
            return not expression_variables(expression) and is_true(expression, {})


def _spelling(row: Row) -> object:
    return row.atom, row.where
