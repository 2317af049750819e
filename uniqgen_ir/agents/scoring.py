"""What a reading costs: skipped words, unsaid relations, wrong kinds of answers, missing classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import define, field

from uniqgen_ir.agents.alignment import UNMATCHED, Alignment, sharing, units_of
from uniqgen_ir.agents.expectation import Expectation, class_share, names_doer, names_role, role_fit, role_relation
from uniqgen_ir.agents.legs import Hop, Leg
from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.agents.plans import InnerClass, PlannedLeg, covered_by
from uniqgen_ir.kg.lexicon_words import QUESTION_WORDS, Token, stem
from uniqgen_ir.kg.linking.index import GraphIndex, relation_stems
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, Mention
from uniqgen_ir.kg.neighbourhood_adjacency import reverse

SKIP: Final = 0.4
"""What it costs to leave a word out."""
SKIP_MEANING: Final = 1.6
"""What it costs more if the word means something to the graph."""
SKIP_QUESTION_WORD: Final = 0.05
UNMATCHED_VALUE: Final = 0.7
"""What it costs that no word says which property a value belongs to: values say it themselves."""
UNMATCHED_CHAIN: Final = 1.1
"""What it costs that no word says containment: *US cities* does not."""
UNEXPECTED_UNDO: Final = 0.9
"""What it costs to walk back where no word says that something is shared."""
NOTHING_SHARED: Final = 1.5
TOO_FEW_HOPS: Final = 0.7
AGAINST_VERB: Final = 0.5
MISSING_CLASS: Final = 0.8
WRONG_ROLE: Final = 1.5
_BE: Final = frozenset({"was", "were", "is", "are", "be", "been"})


@define
class Scorer:
    """The costs of one question's readings."""

    linked: LinkedQuestion
    index: GraphIndex
    matcher: RelationMatcher
    expected: Expectation
    max_hops: int
    _class_places: frozenset[int] = field(init=False)
    _class_stems: frozenset[str] = field(init=False)
    _shares: bool = field(init=False)
    _has_roles: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._class_places = frozenset(place for one in self.linked.classes for place in one.positions)
        mention = self.expected.class_mention
        places = () if mention is None else mention.positions
        self._class_stems = frozenset(stem(self.linked.tokens[place].lower) for place in places)
        self._shares = sharing(self.linked.tokens)
        self._has_roles = any(
            names_role(self.index, noun, one) or names_doer(self.index, noun, one)
            for noun in self.expected.nouns
            for one in range(len(self.index.relations))
        )

    @property
    def shares(self) -> bool:
        """Whether the question says that two things have something in common."""
        return self._shares

    def skip(self, token: Token) -> float:
        """What it costs that no relation takes the word."""
        if token.lower in QUESTION_WORDS:
            return SKIP_QUESTION_WORD
        return SKIP + SKIP_MEANING * self.matcher.meaning(token)

    def unmatched(self, hop: Hop, *, value: bool, said: bool) -> float:
        """What it costs that no word says a hop; `value`: a value's property, `said`: the mention itself names it."""
        if said:
            return 0.0
        if value or (
            self._class_stems and self._class_stems <= set(relation_stems(self.index.relations[hop.relation]))
        ):
            return UNMATCHED_VALUE  # also for *which drug class* and the relation `drugClass`
        return UNMATCHED_CHAIN if hop.depth > 1 else UNMATCHED

    def direction(self, mention: Mention, leg: Leg, alignment: Alignment) -> float:
        """What it costs to walk a verb the wrong way round.

        In *which games followed X* the name is the object of the verb, in *which games did X follow* its subject. This
        only tells relations apart that lead both ways.
        """
        span, hop = alignment.spans[0], leg.hops[0]
        label = self.index.relations[hop.relation].label.lower()
        if not span or hop.depth > 1 or hop.backward or label.endswith(" by") or max(span) >= mention.start:
            return 0.0
        tokens = self.linked.tokens
        between = {token.lower for token in tokens[max(span) + 1 : mention.start]}
        before = {token.lower for token in tokens[max(0, min(span) - 1) : min(span)]}
        active = tokens[max(span)].lower.endswith("ed") and not before & _BE
        return AGAINST_VERB if active and not between & {"by", "of", "to", "from"} else 0.0

    def together(self, legs: Sequence[PlannedLeg], excluded: frozenset[int]) -> float:
        """Words, hops and skipped words of the legs together; hops that legs share at their ends count once."""
        total = 0.0
        seen: dict[tuple[Hop, ...], float] = {}
        for one in legs:
            suffixes = [one.leg.hops[place:] for place in range(len(one.leg.hops))]
            fresh = sum(suffix not in seen for suffix in suffixes)
            total += one.alignment.penalty + one.leg.cost * fresh / max(1, len(suffixes))
            for place, suffix in enumerate(suffixes):
                here = one.alignment.hop_costs[place]
                before = seen.get(suffix)
                # where two legs share a hop, the one that says it better counts
                total += here if before is None else min(0.0, here - before)
                seen[suffix] = here if before is None else min(before, here)
        return total + self._skipped(covered_by(legs), excluded)

    def _skipped(self, covered: int, excluded: frozenset[int]) -> float:
        return sum(
            self.skip(token)
            for places, token in units_of(self.linked.tokens, excluded)
            if not any(covered >> place & 1 or place in self._class_places for place in places)
        )

    def role(self, legs: Sequence[PlannedLeg], answers: frozenset[int]) -> float:
        """What it costs that the answers do not play the role that the question's noun names."""
        if not self._has_roles or self.expected.classes:
            return 0.0
        if self._asks_for_doer(legs):
            return WRONG_ROLE
        share, noun = role_fit(self.index, self.expected.nouns, answers)
        if noun is None:
            return WRONG_ROLE
        place = self.linked.tokens.index(noun)
        related = [token.lower for token in self.linked.tokens[place + 1 : place + 2]] == ["of"]
        spared = 0.0 if related or covered_by(legs) >> place & 1 else self.skip(noun)
        return WRONG_ROLE * (1.0 - share) - spared * share

    def _asks_for_doer(self, legs: Sequence[PlannedLeg]) -> bool:
        """Whether the question's noun names who does what a relation says, and the answers are what it is done to."""
        places = {self.linked.tokens.index(noun) for noun in self.expected.nouns}
        last = ((one.leg.hops[-1], one.alignment.spans[-1]) for one in legs if one.leg.hops)
        return any(
            hop.backward == self.index.relations[hop.relation].mirror
            and place in span
            and names_doer(self.index, self.linked.tokens[place], hop.relation)
            for hop, span in last
            for place in places
        )

    def role_row(self, legs: Sequence[PlannedLeg], answers: frozenset[int]) -> tuple[int | None, frozenset[int]]:
        """The relation that only some of the answers have, and that the question's noun asks for, and these answers."""
        if not self._has_roles or self.expected.classes:
            return None, answers
        _, noun = role_fit(self.index, self.expected.nouns, answers)
        if noun is None or covered_by(legs) >> self.linked.tokens.index(noun) & 1:
            return None, answers
        role = role_relation(self.index, noun, answers)
        if role is None or any(hop.directed in (role, reverse(role)) for one in legs for hop in one.leg.hops):
            return None, answers
        return role, frozenset(node for node in answers if self.index.adjacency.follow(node, role))

    def shape(self, legs: Sequence[PlannedLeg]) -> float:
        """What it costs that legs are shorter than possessives ask for, or share something where no word says so."""
        longest = max((len(one.leg.hops) for one in legs), default=0)
        cost = TOO_FEW_HOPS * max(0, min(self.max_hops, self._possessives()) - longest)
        if not self._shares:
            cost += UNEXPECTED_UNDO * sum(sum(one.leg.undo) for one in legs)
        elif len(legs) == 1 and not any(legs[0].leg.undo):
            cost += NOTHING_SHARED
        return cost

    def _possessives(self) -> int:
        mentions = (*self.linked.entities, *self.linked.values)
        named = {place for mention in mentions if mention.strong for place in mention.positions}
        return sum(token.possessive for place, token in enumerate(self.linked.tokens) if place not in named)

    def inner_classes(self, legs: Sequence[PlannedLeg]) -> tuple[tuple[InnerClass, ...], float]:
        """Which class mentions some variable on the way agrees with, and the cost of those that none does."""
        found: list[InnerClass] = []
        cost = 0.0
        covered = covered_by(legs)
        for mention in self.linked.classes:
            if mention == self.expected.class_mention:
                continue
            best = self._best_place(mention, legs)
            said = any(covered >> place & 1 for place in mention.positions)
            if best is not None:
                found.append(best)
            elif mention.strong and said:
                cost += MISSING_CLASS  # a relation has the word, but nothing of the class is there
            elif not said:
                # a word that merely resembles a class may as well be a verb
                words = [self.linked.tokens[place] for place in mention.positions]
                cost += (1.0 if mention.strong else 0.25) * sum(self.skip(token) for token in words if token.content)
        return tuple(found), cost

    def _best_place(self, mention: Mention, legs: Sequence[PlannedLeg]) -> InnerClass | None:
        best: tuple[float, InnerClass | None] = (0.0, None)
        for one in legs:
            for hops in range(0 if one.mention == mention else 1, len(one.leg.hops) + 1):
                for number in mention.classes:
                    share = class_share(self.index, (number,), one.leg.sets[hops])
                    if share > best[0]:
                        best = share, InnerClass(mention, number, one.place(hops))
        return best[1]
