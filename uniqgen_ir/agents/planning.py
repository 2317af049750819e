"""The search for plans: legs from every mention, combined, scored, cheapest first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from attrs import define, evolve, field

from uniqgen_ir.agents.alignment import MEDIATED, UNMATCHED, Reading, align, readings
from uniqgen_ir.agents.answer_class import AnswerClasses
from uniqgen_ir.agents.expectation import WRONG_CLASS, Expectation, class_share, expectation, kind_cost, nameless_cost
from uniqgen_ir.agents.legs import HOP, Hop, Leg, enumerate_legs
from uniqgen_ir.agents.matching import LONGEST_SPAN, RelationMatcher, span_text
from uniqgen_ir.agents.plans import Plan, PlannedLeg, evaluate_legs
from uniqgen_ir.agents.scoring import Scorer
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.kg.lexicon_words import Token
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, Mention, MentionKind
from uniqgen_ir.kg.linking.names import all_nameless

UNUSED_STRONG: Final = 5.0
UNUSED_WEAK: Final = 1.2
SECOND_MEANING: Final = 0.3
"""What each further thing of the same name costs."""
SEPARATE: Final = 0.6
"""What it costs that legs with the same hops cannot share their variables."""
UNKNOWN_CLASS: Final = 0.8
"""What it costs that the graph gives the answers no class at all, so that the one that is asked for cannot be seen."""
ASKED_BACK: Final = 3.0
"""What it costs that the answer is what the question names: nobody asks for that."""
SAID_BACK: Final = 0.5
"""The same, where every step there and back is said: *X's wife's husband*."""
PLANS_KEPT: Final = 12
_SAMPLE: Final = 20
_MEANINGS: Final = 3
_LEGS_TRIED: Final = 60
_COMBINATIONS: Final = 150

_Selection: TypeAlias = tuple[tuple[Mention, ...], float]
_State: TypeAlias = tuple[float, tuple[PlannedLeg, ...], frozenset[int] | None]


@define
class Planner:
    """The search for plans of one question."""

    linked: LinkedQuestion
    index: GraphIndex
    matcher: RelationMatcher
    max_hops: int = 3
    expected: Expectation = field(init=False)
    scorer: Scorer = field(init=False)
    said_classes: AnswerClasses = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.expected = expectation(self.linked)
        self.said_classes = AnswerClasses(self.linked, self.index, self.expected)
        self.scorer = Scorer(self.linked, self.index, self.matcher, self.expected, self.max_hops)

    def plans(self) -> list[Plan]:
        """The best plans, cheapest first, each with at least one answer."""
        self._prepare()
        found: list[Plan] = []
        for chosen, penalty in self._selections():
            found += [evolve(plan, cost=plan.cost + penalty) for plan in self._plans_for(chosen)]
        found.sort(key=lambda plan: plan.cost)
        distinct: dict[tuple[object, ...], Plan] = {}
        for plan in found:
            distinct.setdefault(tuple((one.mention.start, one.start, one.leg.hops) for one in plan.legs), plan)
        return list(distinct.values())[:PLANS_KEPT]

    def _prepare(self) -> None:
        """Embed all spans and names at once, where there is an embedder."""
        if self.matcher.embedder is None:
            return
        texts = {names[0].lower() for names in self.matcher.names.values()}
        anchors = self._anchors()
        for mention in anchors:
            for reading in readings(self.linked.tokens, mention.start, mention.end, self._excluded(anchors)):
                texts.update(span_text(span) for span in _spans(reading))
        self.matcher.embedder.prepare(texts)

    def _anchors(self) -> list[Mention]:
        return [*self.linked.entities, *self.linked.values]

    def _selections(self) -> list[_Selection]:
        """Which mentions to start from: all strong ones, and any of the weak ones; unused ones cost."""
        anchors = self._anchors()
        if not anchors:
            return [((), 0.0), *(((mention,), 0.0) for mention in self._class_anchors())]
        strong = [mention for mention in anchors if mention.strong]
        weak = [mention for mention in anchors if not mention.strong]
        if strong:
            weak = [mention for mention in weak if isinstance(self.index.terms[mention.nodes[0]], Literal)]
        weak = weak[:3]
        chosen = [
            (_ordered([*strong, *some]), UNUSED_WEAK * (len(weak) - size))
            for size in range(len(weak) + 1)
            for some in combinations(weak, size)
        ]
        selections = [selection for selection in chosen if selection[0]]
        first = selections[0]
        return [*selections, *((_ordered([*first[0], mention]), first[1]) for mention in self._class_anchors())]

    def _class_anchors(self) -> list[Mention]:
        """Classes that the question names beside that of its answers: *hosted the Olympics*."""
        answer = self.expected.class_mention
        return [mention for mention in self.linked.classes if mention.strong and mention != answer][:2]

    def _excluded(self, chosen: Sequence[Mention]) -> frozenset[int]:
        """Words that no relation can take: those of the chosen names and of the answer's class."""
        places = {place for mention in chosen for place in mention.positions}
        if self.expected.class_mention is not None and self.expected.class_mention.strong:
            places.update(self.expected.class_mention.positions)
        return frozenset(places)

    def _plans_for(self, chosen: Sequence[Mention]) -> list[Plan]:
        excluded = self._excluded(chosen)
        if not chosen:
            return self._whole_class(excluded)
        combined = self._combinations([self._legs_of(one, excluded, len(chosen)) for one in chosen])
        weighed = [
            (self.scorer.together(legs, excluded) + UNUSED_STRONG * (len(chosen) - len(legs)), place, legs)
            for place, legs in enumerate(combined)
        ]
        weighed.sort(key=lambda entry: entry[:2])
        plans = (self._finish(legs, cost) for cost, _, legs in weighed[:_LEGS_TRIED])
        return [plan for plan in plans if plan is not None]

    def _whole_class(self, excluded: frozenset[int]) -> list[Plan]:
        """*List all continents*: every instance of the class that the question names."""
        answers = self._members(self.expected.classes)
        cost = HOP + self.scorer.together((), excluded)
        return [Plan((), self.expected.classes, (), answers, cost)] if answers else []

    def _members(self, classes: Sequence[int]) -> frozenset[int]:
        return frozenset[int]().union(*(self.index.classes[one].instances for one in classes))

    def _combinations(self, per_mention: Sequence[Sequence[tuple[float, PlannedLeg]]]) -> list[tuple[PlannedLeg, ...]]:
        """One leg for each mention, or none at a cost, so that their ends have something in common; cheapest first."""
        states: list[_State] = [(0.0, (), None)]
        for legs in per_mention:
            grown: list[_State] = []
            for cost, taken, nodes in states:
                grown.append((cost + UNUSED_STRONG, taken, nodes))
                for estimate, planned in legs[:_LEGS_TRIED]:
                    shared = planned.leg.end if nodes is None else nodes & planned.leg.end
                    if shared:
                        grown.append((cost + estimate, (*taken, planned), shared))
            grown.sort(key=lambda state: state[0])
            states = grown[:_COMBINATIONS]
        return [taken for _, taken, _ in states if taken]

    def _legs_of(self, mention: Mention, excluded: frozenset[int], count: int) -> list[tuple[float, PlannedLeg]]:
        """Every leg from a mention with what it costs: on its own if it is the only one, else without skipped words."""
        orders = readings(self.linked.tokens, mention.start, mention.end, excluded)
        bound = self._bound(orders)
        found: list[tuple[float, PlannedLeg]] = []
        for penalty, node, nodes in self._starts(mention):
            literal = self._is_literal(mention, nodes)
            hops = self.max_hops if count == 1 else min(self.max_hops, 3 if literal else 2)
            for leg in enumerate_legs(self.index, nodes, hops, bound, side=MEDIATED):
                if mention.relation is None or leg.hops[0].relation == mention.relation:
                    planned = self._aligned(mention, node, leg, orders, literal)
                    words = planned.alignment
                    said = words.cost if count == 1 else sum(words.hop_costs) + words.penalty
                    found.append((said + leg.cost + penalty, planned))
        found.sort(key=lambda entry: entry[0])
        return found

    def _starts(self, mention: Mention) -> list[tuple[float, int | None, Collection[int]]]:
        match mention.kind:
            case MentionKind.ENTITY:
                return [(SECOND_MEANING * rank, node, (node,)) for rank, node in enumerate(mention.nodes[:_MEANINGS])]
            case MentionKind.CLASS:
                return [(0.0, None, self._members(mention.classes))]
            case MentionKind.VALUE:
                return [(0.0, None, mention.nodes)]

    def _is_literal(self, mention: Mention, nodes: Collection[int]) -> bool:
        if mention.kind is MentionKind.CLASS:
            return False
        return mention.kind is MentionKind.VALUE or isinstance(self.index.terms[next(iter(nodes))], Literal)

    def _aligned(
        self, mention: Mention, node: int | None, leg: Leg, orders: Sequence[Reading], literal: bool
    ) -> PlannedLeg:
        named = mention.relation is not None
        unmatched = [
            self.scorer.unmatched(hop, value=place == 0 and literal, said=place == 0 and named)
            for place, hop in enumerate(leg.hops)
        ]
        keys = [self.matcher.key_of(hop.relation) for hop in leg.hops]
        facts = [place > 0 and self._are_facts(leg.sets[place]) for place in range(len(leg.hops))]
        options = (
            align(
                order,
                keys,
                leg.undo,
                self.matcher,
                [self.scorer.skip(token) for token in order.tokens],
                unmatched,
                self.scorer.shares,
                facts,
            )
            for order in orders
        )
        best = min(options, key=lambda one: one.cost)
        wrong = self.scorer.direction(mention, leg, best)
        return PlannedLeg(mention, node, leg, evolve(best, cost=best.cost + wrong, penalty=best.penalty + wrong))

    def _are_facts(self, nodes: frozenset[int]) -> bool:
        return all_nameless(nodes, self.index.nameless)

    def _bound(self, orders: Sequence[Reading]) -> Callable[[Hop], float]:
        """The least that a hop can cost, whatever span says it."""
        lows: dict[str, float] = {}
        for order in orders:
            for span in _spans(order):
                for key, cost in self.matcher.scores(span).cost.items():
                    lows[key] = min(lows.get(key, UNMATCHED), cost)
        return lambda hop: lows.get(self.matcher.key_of(hop.relation), UNMATCHED)

    def _finish(self, legs: tuple[PlannedLeg, ...], cost: float) -> Plan | None:
        """The plan of these legs with its answers and its whole cost, None if it has no answers."""
        inner, missing = self.scorer.inner_classes(legs)
        restrictions = {one.place: self.index.classes[one.number].instances for one in inner}
        answers = evaluate_legs(self.index, legs, restrictions)
        separate = not answers and len(legs) > 1
        if separate:
            answers = evaluate_legs(self.index, legs, restrictions, separate=True)
            cost += SEPARATE
        if not answers:
            return None
        cost += missing + self.scorer.role(legs, answers) + self.scorer.shape(legs)
        cost += nameless_cost(self.index, answers)
        if answers <= {one.start for one in legs}:
            cost += SAID_BACK if all(span for one in legs for span in one.alignment.spans) else ASKED_BACK
        role, answers = self.scorer.role_row(legs, answers)
        plan = self._classified(Plan(legs, (), inner, answers, cost, role=role, separate=separate))
        return evolve(plan, cost=plan.cost + kind_cost(self.index, self.expected, plan.answers))

    def _classified(self, plan: Plan) -> Plan:
        """The plan with the class of its answers that the question says, and what it costs that they lack it."""
        classes, answers, covered = self.expected.classes, plan.answers, plan.covered
        share = class_share(self.index, classes, answers) if classes else 0.0
        asked = self.said_classes.asked
        said = self.said_classes.best(answers, covered, self.scorer.skip)
        if said is not None and (not share or len(said.places) > len(asked)):
            more = [place for place in said.places - asked if not covered >> place & 1]
            spared = sum(self.scorer.skip(self.linked.tokens[place]) for place in more)
            kept = answers & self.index.classes[said.number].instances
            chosen = evolve(plan, answer_classes=(said.number,), answers=kept, class_places=said.places)
            return evolve(chosen, cost=plan.cost - spared)
        if share:
            return evolve(plan, answer_classes=classes, answers=answers & self._members(classes))
        if not classes:
            return plan
        sample = sorted(answers)[:_SAMPLE]
        # a value is of no class, and a thing that has some others is not of this one
        if any(node in self.index.classes_of or isinstance(self.index.terms[node], Literal) for node in sample):
            return evolve(plan, cost=plan.cost + WRONG_CLASS)
        return evolve(plan, classes_unknown=True, cost=plan.cost + UNKNOWN_CLASS)


def _ordered(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    return tuple(sorted(mentions, key=lambda mention: mention.start))


def _spans(reading: Reading) -> list[tuple[Token, ...]]:
    words = reading.tokens
    return [
        words[place : place + length]
        for place in range(len(words))
        for length in range(1, min(LONGEST_SPAN, len(words) - place) + 1)
    ]
