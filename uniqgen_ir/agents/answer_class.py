"""The class of the answers as the question says it: in other words, in another order, or only by its head."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from attrs import define, field, frozen

from uniqgen_ir.agents.expectation import Expectation
from uniqgen_ir.kg.lexicon_english import word_groups
from uniqgen_ir.kg.lexicon_words import Token, content_stems, stem
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, positions_of

_SAMPLE: Final = 20


@frozen
class SaidClass:
    """A class of the answers and the places of the words that say it."""

    number: int
    places: frozenset[int]


@define
class AnswerClasses:
    """Finds which class of some answers the words of one question say best.

    *Which unit of permeability* says the class `permeability unit`, *which school* the class `primary school`.
    """

    linked: LinkedQuestion
    index: GraphIndex
    expected: Expectation
    _places: dict[str, list[int]] = field(init=False)
    """stem → the places of the question that have it, outside names"""
    _stems: dict[int, tuple[str, ...]] = field(factory=lambda: dict[int, tuple[str, ...]](), init=False)
    _head: str | None = field(init=False)
    """the noun that other words of the class that is asked for only tell apart: its last word"""

    def __attrs_post_init__(self) -> None:
        mentions = (*self.linked.entities, *self.linked.values)
        named = positions_of([one for one in mentions if one.strong])
        self._places = {}
        for place, token in enumerate(self.linked.tokens):
            if token.content and place not in named:
                self._places.setdefault(stem(token.lower), []).append(place)
        asked = self.asked
        self._head = stem(self.linked.tokens[max(asked)].lower) if asked else None

    @property
    def asked(self) -> frozenset[int]:
        """The places of the class that the question asks for."""
        mention = self.expected.class_mention
        return frozenset() if mention is None else frozenset(mention.positions)

    def best(self, nodes: Collection[int], covered: int, skip: Callable[[Token], float]) -> SaidClass | None:
        """The class of some of the nodes whose words the question has, those that say most first.

        `covered` has a bit for each place that a relation takes, `skip` is what leaving out a word costs.
        """
        sample = sorted(nodes)[:_SAMPLE]
        numbers = {number for node in sample for number in self.index.classes_of.get(node, ())}
        found = [(self._worth(one, covered, skip), -one.number, one) for one in map(self._said, sorted(numbers)) if one]
        best = max(found, key=lambda entry: entry[:2], default=None)
        return best[2] if best is not None and best[0] > 0.0 else None

    def _said(self, number: int) -> SaidClass | None:
        """The class with the places of its words, None where some word is not there.

        A class whose head alone is said (*school* for `primary school`) counts where the question asks for that.
        """
        stems = self._stems_of(number)
        if not stems:
            return None
        if all(one in self._places for one in stems) and (self._head is None or self._head in stems):
            places = frozenset(self._places[one][0] for one in stems)
            return SaidClass(number, places) if len(stems) > 1 or self._is_asked(places) else None
        return SaidClass(number, self.asked) if self._is_alike(stems) else None

    def _is_alike(self, stems: tuple[str, ...]) -> bool:
        """Whether the noun that is asked for is that of a class, or means the same: *school* and `college`."""
        if self._head is None:
            return False
        return self._head == stems[-1] or bool(word_groups(self._head) & word_groups(stems[-1]))

    def _is_asked(self, places: frozenset[int]) -> bool:
        """Whether a word that says a class stands for the answers, not for something on the way."""
        others = positions_of([one for one in self.linked.classes if one != self.expected.class_mention])
        return not places & others

    def _stems_of(self, number: int) -> tuple[str, ...]:
        if number not in self._stems:
            self._stems[number] = content_stems(self.index.classes[number].label)
        return self._stems[number]

    def _worth(self, said: SaidClass, covered: int, skip: Callable[[Token], float]) -> float:
        return sum(skip(self.linked.tokens[place]) for place in said.places if not covered >> place & 1)
