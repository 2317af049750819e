"""From a question to a proposal, without a model: a constraint table, what it speaks of, and reference answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from attrs import define, evolve, field, frozen

from uniqgen_ir.agents.abstentions import ignored, no_reading, nothing_linked, unsure
from uniqgen_ir.agents.composed.figures import read_figure
from uniqgen_ir.agents.composed.negation import read_negation
from uniqgen_ir.agents.composed.reading import Composed, Reading
from uniqgen_ir.agents.composed.union import read_union
from uniqgen_ir.agents.composed.yes_or_no import read_yes_or_no
from uniqgen_ir.agents.drift import renamed_relation, unsaid_relation, unsupported_habit
from uniqgen_ir.agents.embedding import Embedder
from uniqgen_ir.agents.expectation import WRONG_KIND, Expectation, kind_cost
from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.agents.oracle import TEMPERATURE, offline_references
from uniqgen_ir.agents.planning import Planner
from uniqgen_ir.agents.plans import Plan
from uniqgen_ir.agents.pragmatic import with_pragmatic_rows
from uniqgen_ir.agents.refusals import left_out, too_long, unreadable, unsupported
from uniqgen_ir.agents.superlatives import is_weak, superlative, with_superlative
from uniqgen_ir.agents.tables import PlannedTable, table_of
from uniqgen_ir.agents.things import LinkedThing, thing_of
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.vocabulary import NUMERIC_DATATYPES
from uniqgen_ir.kg.lexicon_words import NEGATIONS
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.linker import link
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, is_common
from uniqgen_ir.kg.neighbourhood import neighbourhood
from uniqgen_ir.passes.trace import Step

if TYPE_CHECKING:
    from uniqgen_ir.agents.llm.client import ModelSession
    from uniqgen_ir.agents.search.ranker import ModelRanker

MOST_COST: Final = 7.5
"""The cost of a reading, per thing that the question names, above which it is no answer."""
LEAST_CONFIDENCE: Final = 0.2
DOUBTFUL_COST: Final = 4.0
DOUBTFUL_CONFIDENCE: Final = 0.3
"""A reading that costs so much and is that little surer than the others is more often wrong than right."""
UNFITTING_COST: Final = 1.0
"""What a reading may cost a hop beside that none of its answers is of the kind that *who* or *where* asks for."""
ALTERNATIVES: Final = 3


@frozen
class Alternative:
    """Another reading with other answers: its table, its cost, and how many answers it has."""

    table: Table
    cost: float
    answers: int


@frozen
class Proposal:
    """What the agent makes of a question.

    `table` is None where it abstains, and `abstained` says why. `references` are the answers that the evidence vouches
    for; `candidates` all answers of the explicit and structural rows (nodes of the index), `confidence` in [0, 1] how
    sure the reading is, `cost` what it costs.
    """

    question: str
    table: Table | None
    entities: tuple[LinkedThing, ...] = ()
    references: tuple[ReferenceAnswer, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    confidence: float = 0.0
    cost: float = math.inf
    abstained: Diagnostic | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    candidates: frozenset[int] = field(default=frozenset(), repr=False)
    context_size: int = 0
    """how many nodes the local subgraph has"""
    settled: bool = False
    """the table is asked as it is: a truth or a figure has no answers to search rows by"""
    session: ModelSession | None = field(default=None, repr=False, eq=False)
    """the conversation with the model that read the question; None: it was read offline"""
    ranker: ModelRanker | None = field(default=None, repr=False, eq=False)
    """the model's order of rows for the beam"""
    steps: tuple[Step, ...] = field(default=(), repr=False, eq=False)
    """how a walk came to it, for the trace"""


@define
class Proposer:
    """Makes proposals for questions on one graph; keeps what it has worked out about words."""

    index: GraphIndex
    embedder: Embedder | None = None
    hops: int = 3
    matcher: RelationMatcher = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.matcher = RelationMatcher(self.index, self.embedder)

    def propose(self, question: str) -> Proposal:
        """The best reading of the question as a table, or an abstention with its reason."""
        if (refused := too_long(question)) is not None:
            return Proposal(question, None, abstained=refused)
        linked = link(question, self.index)
        things = tuple(thing_of(mention, self.index) for mention in (*linked.entities, *linked.values, *linked.classes))
        composed = self._composed(linked)
        found = self._read(question) if composed is None else composed
        if isinstance(found, Diagnostic):
            return Proposal(question, None, things, abstained=found)
        if isinstance(found, Reading):
            return self._proposal(question, things, found)
        return self._composed_proposal(question, things, found)

    def _composed(self, linked: LinkedQuestion) -> Composed | Diagnostic | None:
        """The question put together from plain ones, None where it is a plain one."""
        if linked.empty or too_long(linked.text, len(linked.tokens)) is not None:
            return None
        return (
            read_yes_or_no(linked, self.index, self._read)
            or read_negation(linked, self.index, self.matcher, self._read)
            or read_figure(linked, self.index, self._read)
            or read_union(linked, self._read)
        )

    def _read(self, question: str) -> Reading | Diagnostic:
        """The best reading of a plain question, or why there is none."""
        linked = link(question, self.index)
        if (refused := unreadable(linked, self.index)) is not None:
            return refused
        if linked.empty:
            return nothing_linked(linked)
        planner = Planner(linked, self.index, self.matcher, self.hops)
        plans = planner.plans()
        if not plans:
            return no_reading(linked)
        best, confidence = plans[0], _confidence(plans)
        planned = (
            renamed_relation(best, linked, planner.expected, self.index)
            or self._reason_to_abstain(best, confidence, linked, planner.expected)
            or unsaid_relation(best, self.index)
            or self._table(best, planner, linked)
        )
        if isinstance(planned, Diagnostic):
            return planned
        references = offline_references(_agreeing(plans), planned, self.index)
        return Reading(linked, planner.expected, tuple(plans), planned, references, confidence)

    def _proposal(self, question: str, things: tuple[LinkedThing, ...], reading: Reading) -> Proposal:
        return Proposal(
            question,
            reading.planned.table,
            things,
            references=reading.references,
            alternatives=self._alternatives(reading.plans, reading.linked),
            confidence=reading.confidence,
            cost=reading.best.cost,
            diagnostics=ignored(self._unknown_words(reading.best, reading.linked)),
            candidates=reading.best.answers,
            context_size=self._context_size(reading.best),
        )

    def _composed_proposal(self, question: str, things: tuple[LinkedThing, ...], composed: Composed) -> Proposal:
        unknown = [word for one in composed.readings for word in self._unknown_words(one.best, one.linked)]
        return Proposal(
            question,
            evolve(composed.planned.table, question=question),
            things,
            references=composed.references,
            confidence=min(one.confidence for one in composed.readings),
            cost=max(one.best.cost for one in composed.readings),
            diagnostics=ignored(list(dict.fromkeys(unknown))),
            candidates=composed.candidates,
            context_size=max(self._context_size(one.best) for one in composed.readings),
            settled=composed.settled,
        )

    def _reason_to_abstain(
        self, best: Plan, confidence: float, linked: LinkedQuestion, expected: Expectation
    ) -> Diagnostic | None:
        if (diagnostic := left_out(best, linked, self.index, self.matcher)) is not None:
            return diagnostic
        unlikely = best.cost > DOUBTFUL_COST and confidence < DOUBTFUL_CONFIDENCE
        wrong = kind_cost(self.index, expected, best.answers)
        unlikely = unlikely or (wrong >= WRONG_KIND and best.cost - wrong > UNFITTING_COST * _hops(best))
        if unlikely or best.cost > MOST_COST * max(1, len(best.legs)) or _hardly_said(best, confidence):
            return unsure(linked)
        return None

    def _unknown_words(self, best: Plan, linked: LinkedQuestion) -> list[str]:
        """The words with content that neither name anything of the graph nor mean anything to it."""
        mentions = (*linked.entities, *linked.values, *linked.classes)
        named = {place for mention in mentions for place in mention.positions}
        return [
            token.text
            for place, token in enumerate(linked.tokens)
            if token.content
            and not token.possessive
            and token.lower not in NEGATIONS
            and place not in named
            and not best.covered >> place & 1
            and not is_common(self.index, token)
        ]

    def _table(self, best: Plan, planner: Planner, linked: LinkedQuestion) -> PlannedTable | Diagnostic:
        # "how many nations took part" may be a number that the graph has; only things are counted
        count = planner.expected.kind == "count" and not self._are_numbers(best.answers)
        planned = with_pragmatic_rows(table_of(best, linked, self.index, count=count), self.index)
        if (diagnostic := unsupported_habit(planned, self.index)) is not None:
            return diagnostic
        wanted = superlative(linked)
        if wanted is None:
            return planned
        limited = with_superlative(planned, wanted, linked, self.index, self.matcher)
        if limited is None and not is_weak(wanted, linked):
            return unsupported(wanted.word)
        return limited or planned

    def _are_numbers(self, nodes: frozenset[int]) -> bool:
        """Whether the answers are numbers, as values or as things that are called so and are of no class."""
        if any(node in self.index.classes_of for node in nodes):
            return False
        terms = ((self.index.terms[node], self.index.labels[node]) for node in nodes)
        return all(
            term.datatype in NUMERIC_DATATYPES or label.isdigit() if isinstance(term, Literal) else label.isdigit()
            for term, label in terms
        )

    def _alternatives(self, plans: Sequence[Plan], linked: LinkedQuestion) -> tuple[Alternative, ...]:
        seen = {plans[0].answers}
        found: list[Alternative] = []
        for plan in plans[1:]:
            if plan.answers not in seen and len(found) < ALTERNATIVES:
                seen.add(plan.answers)
                table = table_of(plan, linked, self.index).table
                found.append(Alternative(table, round(plan.cost, 3), len(plan.answers)))
        return tuple(found)

    def _context_size(self, plan: Plan) -> int:
        starts = {leg.start for leg in plan.legs if leg.start is not None}
        return len(neighbourhood(self.index.adjacency, starts, 1).nodes)


def propose(question: str, index: GraphIndex, *, embedder: Embedder | None = None, hops: int = 3) -> Proposal:
    """The proposal for one question; for many on one graph keep a `Proposer`."""
    return Proposer(index, embedder, hops).propose(question)


def _hops(plan: Plan) -> int:
    return max(1, sum(len(leg.leg.hops) for leg in plan.legs))


def _says_a_relation(plan: Plan) -> bool:
    """Whether some word of the question stands for a relation of the reading."""
    return any(span for leg in plan.legs for span in leg.alignment.spans)


def _hardly_said(plan: Plan, confidence: float) -> bool:
    """Whether no word says any relation, no class is asked for, and other readings are as good."""
    return not _says_a_relation(plan) and not plan.answer_classes and confidence < LEAST_CONFIDENCE


def _agreeing(plans: Sequence[Plan]) -> list[Plan]:
    """The plans whose cost is near enough to the best one's to count as evidence."""
    return [plan for plan in plans if plan.cost <= plans[0].cost + 4 * TEMPERATURE]


def _confidence(plans: Sequence[Plan]) -> float:
    """How much of the weight of all readings agrees with the best one, less what its own words leave open."""
    weights = [math.exp((plans[0].cost - plan.cost) / TEMPERATURE) for plan in plans]
    same = sum(weight for plan, weight in zip(plans, weights, strict=True) if plan.answers == plans[0].answers)
    fit = math.exp(-max(0.0, plans[0].cost / max(1, len(plans[0].legs)) - 1.0) / MOST_COST)
    return round(same / sum(weights) * fit, 4)
