"""Plans: ways to read a question as legs from the things it names to its answers, cheapest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from attrs import define, evolve, field, frozen

from uniqgen_ir.agents.alignment import UNMATCHED, Alignment, align, readings, sharing
from uniqgen_ir.agents.expectation import (
    WRONG_CLASS,
    Expectation,
    class_share,
    expectation,
    kind_cost,
    names_doer,
    names_role,
    role_fit,
)
from uniqgen_ir.agents.legs import Hop, Leg, enumerate_legs, image_of_hop
from uniqgen_ir.agents.matching import LONGEST_SPAN, RelationMatcher
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.kg.lexicon_words import QUESTION_WORDS, Token
from uniqgen_ir.kg.linking import LinkedQuestion, Mention, MentionKind
from uniqgen_ir.kg.linking_index import GraphIndex

SKIP: Final = 0.4
"""What it costs to leave a word out."""
SKIP_MEANING: Final = 1.6
"""What it costs more if the word means something to the graph."""
UNEXPECTED_UNDO: Final = 0.9
"""What it costs to walk back where no word says that something is shared."""
UNUSED_STRONG: Final = 5.0
UNUSED_WEAK: Final = 1.2
UNMATCHED_VALUE: Final = 0.7
UNMATCHED_CHAIN: Final = 1.1
SECOND_MEANING: Final = 0.3
TOO_FEW_HOPS: Final = 0.7
NOTHING_SHARED: Final = 1.5
WRONG_ROLE: Final = 1.5
PLANS_KEPT: Final = 12
_MEANINGS: Final = 3


@frozen
class PlannedLeg:
    """A leg with the mention that it starts from and the words that say its hops."""

    mention: Mention
    start: int | None
    """the node that it starts from; None where it starts from all nodes of the mention (a value, a class)"""
    leg: Leg
    alignment: Alignment

    @property
    def words_cost(self) -> float:
        return sum(self.alignment.hop_costs)


@frozen
class Plan:
    """A reading of the question. `answers` are node numbers as far as the index sees them."""

    legs: tuple[PlannedLeg, ...]
    answer_classes: tuple[int, ...]
    """classes that the answers must have, because the question names them"""
    inner_classes: tuple[tuple[Mention, int], ...] = ()
    """class mentions that name something on the way, and the class"""
    answers: frozenset[int] = field(default=frozenset(), repr=False)
    cost: float = 0.0


@define
class Planner:
    """The search for plans of one question."""

    linked: LinkedQuestion
    index: GraphIndex
    matcher: RelationMatcher
    max_hops: int = 3
    expected: Expectation = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.expected = expectation(self.linked)

    def plans(self) -> list[Plan]:
        """The best plans, cheapest first, each with at least one answer."""
        self._prepare()
        found: list[Plan] = []
        for chosen, penalty in self._selections():
            found += [evolve(plan, cost=plan.cost + penalty) for plan in self._plans_for(chosen)]
        found.sort(key=lambda plan: plan.cost)
        distinct: dict[tuple[object, ...], Plan] = {}
        for plan in found:
            distinct.setdefault(tuple((one.start, one.leg.hops) for one in plan.legs), plan)
        return list(distinct.values())[:PLANS_KEPT]

    def _prepare(self) -> None:
        if self.matcher.embedder is None:
            return
        from uniqgen_ir.agents.matching import span_text

        tokens = [t for t in self.linked.tokens]
        texts: set[str] = {names[0].lower() for names in self.matcher.names.values()}
        for mention in self._anchors():
            for reading in readings(tokens, mention.start, mention.end, self._excluded(self._anchors())):
                for place in range(len(reading.tokens)):
                    for length in range(1, LONGEST_SPAN + 1):
                        texts.add(span_text(reading.tokens[place : place + length]))
        self.matcher.embedder.prepare(texts)

    def _anchors(self) -> list[Mention]:
        return [*self.linked.entities, *self.linked.values]

    def _selections(self) -> list[tuple[tuple[Mention, ...], float]]:
        """Which mentions to start from: all strong ones, and any of the weak ones; unused ones cost."""
        strong = [mention for mention in self._anchors() if mention.strong]
        weak = [mention for mention in self._anchors() if not mention.strong]
        if strong:
            weak = [mention for mention in weak if self._is_enumerated(mention)]
        weak = weak[:3]
        selections: list[tuple[tuple[Mention, ...], float]] = []
        for size in range(len(weak) + 1):
            for some in combinations(weak, size):
                chosen = sorted((*strong, *some), key=lambda mention: mention.start)
                if chosen:
                    selections.append((tuple(chosen), UNUSED_WEAK * (len(weak) - size)))
        return selections

    def _is_enumerated(self, mention: Mention) -> bool:
        return isinstance(self.index.terms[mention.nodes[0]], Literal)

    def _excluded(self, chosen: Sequence[Mention]) -> frozenset[int]:
        """Words that no relation can take: those of the chosen names and of the answer's class."""
        places = {place for mention in chosen if mention.strong or mention in chosen for place in mention.positions}
        if self.expected.class_mention is not None and self.expected.class_mention.strong:
            places.update(self.expected.class_mention.positions)
        return frozenset(places)

    def _plans_for(self, chosen: Sequence[Mention]) -> list[Plan]:
        excluded = self._excluded(chosen)
        per_mention = [self._legs_of(mention, excluded, len(chosen)) for mention in chosen]
        states: list[tuple[float, tuple[PlannedLeg, ...], frozenset[int] | None]] = [(0.0, (), None)]
        for legs in per_mention:
            grown: list[tuple[float, tuple[PlannedLeg, ...], frozenset[int] | None]] = []
            for cost, taken, nodes in states:
                grown.append((cost + UNUSED_STRONG, taken, nodes))
                for estimate, planned in legs[:60]:
                    shared = planned.leg.end if nodes is None else nodes & planned.leg.end
                    if shared:
                        grown.append((cost + estimate, (*taken, planned), shared))
            grown.sort(key=lambda state: state[0])
            states = grown[:150]
        weighed = [
            (self._cost(taken, excluded) + UNUSED_STRONG * (len(chosen) - len(taken)), place, taken)
            for place, (_, taken, _) in enumerate(states)
            if taken
        ]
        weighed.sort(key=lambda entry: entry[:2])
        plans: list[Plan] = []
        for cost, _, taken in weighed[:60]:
            plan = self._finish(taken, cost)
            if plan is not None:
                plans.append(plan)
        return plans

    def _legs_of(self, mention: Mention, excluded: frozenset[int], count: int) -> list[tuple[float, PlannedLeg]]:
        orders = readings(self.linked.tokens, mention.start, mention.end, excluded)
        shares = sharing(self.linked.tokens)
        is_value = mention.kind is MentionKind.VALUE
        starts: list[tuple[float, int | None, tuple[int, ...]]]
        if mention.kind is MentionKind.ENTITY:
            starts = [(SECOND_MEANING * rank, node, (node,)) for rank, node in enumerate(mention.nodes[:_MEANINGS])]
        else:
            starts = [(0.0, None, mention.nodes)]
        found: list[tuple[float, PlannedLeg]] = []
        hops = self.max_hops if count == 1 else min(self.max_hops, 2)
        for penalty, node, nodes in starts:
            literal = is_value or isinstance(self.index.terms[nodes[0]], Literal)
            bounds = self._bounds(orders)
            legs = enumerate_legs(self.index, nodes, hops + (1 if literal and count > 1 else 0), bounds)
            for leg in legs:
                unmatched = [self._unmatched(hop, place == 0 and literal) for place, hop in enumerate(leg.hops)]
                keys = [self.matcher.key_of(hop.relation) for hop in leg.hops]
                options = []
                for order in orders:
                    skips = [self._skip_token(token) for token in order.tokens]
                    options.append(align(order, keys, leg.undo, self.matcher, skips, unmatched, shares))
                best = min(options, key=lambda one: one.cost)
                estimate = sum(best.hop_costs) + best.penalty + leg.cost + penalty
                found.append((estimate if count > 1 else best.cost + leg.cost + penalty, PlannedLeg(mention, node, leg, best)))
        found.sort(key=lambda entry: entry[0])
        return found

    def _bounds(self, orders: Sequence[object]):  # type: ignore[no-untyped-def]
        lows: dict[str, float] = {}
        spans = [
            order.tokens[place : place + length]  # type: ignore[attr-defined]
            for order in orders
            for place in range(len(order.tokens))  # type: ignore[attr-defined]
            for length in range(1, min(LONGEST_SPAN, len(order.tokens) - place) + 1)  # type: ignore[attr-defined]
        ]
        for span in spans:
            for key, cost in self.matcher.scores(span).cost.items():
                lows[key] = min(lows.get(key, UNMATCHED), cost)

        def bound(hop: Hop) -> float:
            return lows.get(self.matcher.key_of(hop.relation), UNMATCHED)

        return bound

    def _unmatched(self, hop: Hop, value: bool) -> float:
        if value:
            return UNMATCHED_VALUE
        return UNMATCHED_CHAIN if hop.depth > 1 else UNMATCHED

    def _skip(self, place: int) -> float:
        return self._skip_token(self.linked.tokens[place])

    def _skip_token(self, token: Token) -> float:
        if token.lower in QUESTION_WORDS:
            return 0.05
        return SKIP + SKIP_MEANING * self.matcher.meaning(token)

    def _cost(self, legs: Sequence[PlannedLeg], excluded: frozenset[int]) -> float:
        """Words, hops and skipped words of the legs together; hops that legs share at their ends count once."""
        covered = 0
        total = 0.0
        seen: dict[tuple[Hop, ...], float] = {}
        for one in legs:
            covered |= one.alignment.covered
            total += one.alignment.penalty
            suffixes = [one.leg.hops[place:] for place in range(len(one.leg.hops))]
            fresh = [place for place, suffix in enumerate(suffixes) if suffix not in seen]
            total += sum(one.alignment.hop_costs[place] for place in fresh)
            total += one.leg.cost * len(fresh) / max(1, len(suffixes))
            for place, suffix in enumerate(suffixes):
                before = seen.get(suffix)
                here = one.alignment.hop_costs[place]
                if before is not None and here < before:
                    total += here - before  # the other leg says the shared hop better
                seen[suffix] = here if before is None else min(before, here)
        for place, token in enumerate(self.linked.tokens):
            if place in excluded or not token.content or token.possessive or covered >> place & 1:
                continue
            if any(place in mention.positions for mention in self.linked.classes):
                continue
            total += self._skip(place)
        return total

    def _finish(self, legs: tuple[PlannedLeg, ...], cost: float) -> Plan | None:
        answers = evaluate_legs(self.index, legs)
        if not answers:
            return None
        cost += self._role_cost(legs, answers)
        cost += kind_cost(self.index, self.expected, answers) + self._shape_cost(legs)
        classes = self.expected.classes
        if classes:
            share = class_share(self.index, classes, answers)
            if share == 0.0:
                cost += WRONG_CLASS
                classes = ()
            else:
                members = frozenset[int]().union(*(self.index.classes[one].instances for one in classes))
                answers = answers & members
        inner, missing = self._inner_classes(legs)
        cost += missing
        return Plan(legs, classes, inner, answers, cost)

    def _role_cost(self, legs: Sequence[PlannedLeg], answers: frozenset[int]) -> float:
        """What it costs that the answers do not play the role that the question's noun names."""
        nouns = self.expected.nouns
        if not nouns or self.expected.classes or not self._roles():
            return 0.0
        share, noun = role_fit(self.index, nouns, answers)
        if noun is None:
            return WRONG_ROLE
        covered = 0
        for one in legs:
            covered |= one.alignment.covered
        place = self.linked.tokens.index(noun)
        related = [token.lower for token in self.linked.tokens[place + 1 : place + 2]] == ["of"]
        spared = 0.0 if related or covered >> place & 1 else self._skip(place)
        return WRONG_ROLE * (1.0 - share) - spared * share

    def _roles(self) -> bool:
        """Whether any relation of the graph gives one of the nouns a meaning."""
        return any(
            names_role(self.index, noun, one) or names_doer(self.index, noun, one)
            for noun in self.expected.nouns
            for one in range(len(self.index.relations))
        )

    def _shape_cost(self, legs: Sequence[PlannedLeg]) -> float:
        """What it costs that the legs are shorter than possessives and *of* ask for, or share nothing where they should."""
        longest = max(len(one.leg.hops) for one in legs)
        cost = TOO_FEW_HOPS * max(0, min(self.max_hops, self._possessives()) - longest)
        if sharing(self.linked.tokens) and len(legs) == 1 and not any(legs[0].leg.undo):
            cost += NOTHING_SHARED
        if not sharing(self.linked.tokens):
            cost += UNEXPECTED_UNDO * sum(sum(one.leg.undo) for one in legs)
        return cost

    def _possessives(self) -> int:
        named = {place for mention in self._anchors() if mention.strong for place in mention.positions}
        return sum(token.possessive for place, token in enumerate(self.linked.tokens) if place not in named)

    def _inner_classes(self, legs: Sequence[PlannedLeg]) -> tuple[tuple[tuple[Mention, int], ...], float]:
        """Which class mentions some node set on the way agrees with, and the cost of those that none does."""
        found: list[tuple[Mention, int]] = []
        cost = 0.0
        covered = 0
        for one in legs:
            covered |= one.alignment.covered
        for mention in self.linked.classes:
            if mention == self.expected.class_mention:
                continue
            sets = [nodes for one in legs for nodes in one.leg.sets[1:]]
            best = max(
                ((class_share(self.index, (number,), nodes), number) for number in mention.classes for nodes in sets),
                default=(0.0, 0),
            )
            if best[0] > 0.0:
                found.append((mention, best[1]))
            elif not any(covered >> place & 1 for place in mention.positions):
                # a word that merely resembles a class may as well be a verb
                heavy = 1.0 if mention.strong else 0.25
                cost += heavy * sum(self._skip(place) for place in mention.positions if self.linked.tokens[place].content)
        return tuple(found), cost


Restrictions = Mapping[tuple[Hop, ...], frozenset[int]]
"""Hops from the answer backwards to a variable → the nodes that it may take."""


def evaluate_legs(
    index: GraphIndex, legs: Sequence[PlannedLeg], restrictions: Restrictions | None = None
) -> frozenset[int]:
    """The answers of the legs together, with the variables of shared last hops shared."""
    entries = [(tuple(reversed(one.leg.hops)), one.leg) for one in legs]
    return _evaluate(index, entries, (), restrictions or {})


def _evaluate(
    index: GraphIndex,
    legs: Sequence[tuple[tuple[Hop, ...], Leg]],
    place: tuple[Hop, ...],
    restrictions: Restrictions,
) -> frozenset[int]:
    """Nodes that every leg reaches at this place; the legs are given by their remaining hops backwards."""
    nodes = restrictions.get(place)
    groups: dict[Hop | None, list[tuple[tuple[Hop, ...], Leg]]] = {}
    for hops, leg in legs:
        groups.setdefault(hops[0] if hops else None, []).append((hops[1:], leg))
    for hop, members in groups.items():
        if hop is None:
            reached = frozenset[int].intersection(*(leg.sets[0] for _, leg in members))
        elif len(members) == 1 and not restrictions:
            rest, leg = members[0]
            reached = leg.sets[len(rest) + 1]
        else:
            reached = frozenset(image_of_hop(index, _evaluate(index, members, (*place, hop), restrictions), hop))
        nodes = reached if nodes is None else nodes & reached
    return nodes or frozenset()
