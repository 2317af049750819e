"""Superlatives and words that change a question's meaning: *the most athletes*, *the first*, *not*."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve, frozen

from uniqgen_ir.agents.matching import LONGEST_SPAN, RelationMatcher
from uniqgen_ir.agents.tables import PlannedTable
from uniqgen_ir.ir.expressions import Aggregate
from uniqgen_ir.ir.rows import Origin, Row, RowNote, Triple
from uniqgen_ir.ir.table import Extreme
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.vocabulary import NUMERIC_DATATYPES, TEMPORAL_DATATYPES
from uniqgen_ir.kg.lexicon_words import Token, content_stems, stem
from uniqgen_ir.kg.linking.index import GraphIndex, Relation
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, Mention
from uniqgen_ir.kg.linking.values import EARLIEST_YEAR, LATEST_YEAR
from uniqgen_ir.kg.neighbourhood_adjacency import forward

_LARGEST: Final = {
    "most": "", "maximum": "", "greatest": "", "largest": "size area capacity population",
    "biggest": "size area capacity population", "highest": "height elevation altitude", "longest": "length duration",
    "tallest": "height", "fastest": "speed velocity", "heaviest": "weight mass", "deepest": "depth", "widest": "width",
    "dearest": "price cost", "richest": "wealth income revenue", "hottest": "temperature",
    "strongest": "strength power",
}  # fmt: skip
"""Word for the largest value → what it may be the value of, where no other word says so."""
_SMALLEST: Final = {
    "least": "", "fewest": "", "minimum": "", "smallest": "size area capacity population",
    "lowest": "height elevation altitude", "shortest": "length duration height", "slowest": "speed velocity",
    "lightest": "weight mass", "shallowest": "depth", "narrowest": "width", "cheapest": "price cost",
    "poorest": "wealth income revenue", "coldest": "temperature", "weakest": "strength power",
}  # fmt: skip
_OF_MOST: Final = {"expensive": "price cost", "populous": "population", "powerful": "power", "costly": "price cost"}
"""Adjectives that take *most* and *least*."""
_LATEST: Final = frozenset({"latest", "newest", "youngest", "last", "recent"})
_EARLIEST: Final = frozenset({"earliest", "oldest", "first"})
_WEAK: Final = frozenset({"first", "last", "recent"})
"""Words that are as often something else: they are only taken where a property of time is there."""
_STARTING: Final = frozenset(
    map(stem, ("open", "opening", "start", "begin", "birth", "born", "release", "founded", "year", "date"))
)
_VALUES: Final = 200
LEAST_SIMILARITY: Final = 0.35
NUMBER_OF_THINGS: Final = 0.6
"""The similarity that a property needs to be the number of the things of a class that is named: *the most nations*."""


@frozen
class Superlative:
    """The word, its place, whether the largest value is meant, and whether it speaks of time.

    `measures` are names of properties that the word itself may mean: *the longest* is of the largest length.
    """

    word: str
    place: int
    largest: bool
    time: bool
    measures: tuple[str, ...] = ()


def superlative(linked: LinkedQuestion) -> Superlative | None:
    """The first superlative of the question, outside names."""
    named = _named(linked)
    for place, token in enumerate(linked.tokens):
        word = token.lower
        before = linked.tokens[place - 1].lower if place else ""
        if place in named or (word in {"most", "least"} and before == "at"):
            continue
        following = linked.tokens[place + 1].lower if place + 1 < len(linked.tokens) else ""
        if word == "most" and following == "recent":
            continue
        if word in _LARGEST or word in _SMALLEST:
            measures = _LARGEST.get(word) or _SMALLEST.get(word) or _OF_MOST.get(following, "")
            return Superlative(word, place, word in _LARGEST, time=False, measures=tuple(measures.split()))
        if word in _LATEST | _EARLIEST:
            return Superlative(word, place, word in _LATEST, time=True)
    return None


def _named(linked: LinkedQuestion) -> set[int]:
    mentions = (*linked.entities, *linked.values)
    return {place for mention in mentions if mention.strong for place in mention.positions}


def with_superlative(
    planned: PlannedTable, wanted: Superlative, linked: LinkedQuestion, index: GraphIndex, matcher: RelationMatcher
) -> PlannedTable | None:
    """The table limited to the answers with the largest or smallest value of the property that the words name.

    None where no property of the answers fits the words.
    """
    if not wanted.time and (counted := _counted(planned, wanted, linked, index)) is not None:
        return _by_count(planned, counted, wanted)
    target = _target(planned, wanted, linked, index)
    nodes = sorted(planned.nodes[target])
    options = [
        (number, relation)
        for number, relation in enumerate(index.relations)
        if relation.literal
        and set(relation.datatypes) <= (TEMPORAL_DATATYPES | NUMERIC_DATATYPES)
        and any(index.adjacency.follow(node, forward(number)) for node in nodes[:200])
    ]
    following = [token for token in linked.tokens[wanted.place + 1 : wanted.place + 6] if token.content]
    # *the most things* counts them, unless a property says their number
    floor = NUMBER_OF_THINGS if _before_class(wanted, linked) else LEAST_SIMILARITY
    if wanted.time:
        chosen, largest = _by_time(options, nodes, index), wanted.largest
        if chosen is None:  # the youngest is of the smallest age
            chosen, largest = _by_words(options, _tokens(("age",)), matcher, LEAST_SIMILARITY), not wanted.largest
    else:
        chosen, largest = _by_words(options, following, matcher, floor), wanted.largest
        chosen = chosen or _by_measure(options, wanted, matcher)
    if chosen is None:
        linked_things = _joined(planned, wanted, linked, index, matcher)
        return None if linked_things is None else _by_count(*linked_things, wanted)
    value = Variable("value" if Variable("value") not in planned.nodes else "extreme_value")
    note = RowNote(Origin.EXPLICIT, reason=f'"{wanted.word}"')
    note = evolve(note, required=True)  # without it there would be nothing to compare
    row = Row("extreme", Triple(target, chosen.iri, value), note=note)
    table = planned.table.with_rows((*planned.table.rows, row))
    shell = evolve(table.shell, extreme=Extreme(largest, (target,), value))
    return evolve(planned, table=evolve(table, shell=shell))


def _by_count(planned: PlannedTable, counted: Variable, wanted: Superlative) -> PlannedTable:
    """The table limited to the answers with the most, or fewest, values of a variable."""
    by = Aggregate("count", counted, distinct=True)
    shell = evolve(planned.table.shell, extreme=Extreme(wanted.largest, (planned.answer,), by))
    return evolve(planned, table=evolve(planned.table, shell=shell))


def _joined(
    planned: PlannedTable, wanted: Superlative, linked: LinkedQuestion, index: GraphIndex, matcher: RelationMatcher
) -> tuple[PlannedTable, Variable] | None:
    """The table with a row to the things that *the most things* counts, and their variable.

    Only where one relation leads from the answers to things of that class, or one is said better than the others; the
    fewest are not asked for so, since those that have none would be left out.
    """
    mention = _before_class(wanted, linked)
    if mention is None or not wanted.largest:
        return None
    members = frozenset[int]().union(*(index.classes[one].instances for one in mention.classes))
    found: dict[int, None] = {}
    for node in sorted(planned.nodes[planned.answer])[:_VALUES]:
        for directed, end in index.adjacency.edges(node):
            if end in members and not (directed % 2 and directed // 2 in index.inverses):
                found[directed] = None
    words = [token for place, token in enumerate(linked.tokens) if token.content and place not in mention.positions]
    said = [one for one in found if any(_says(matcher, one, token) for token in words)]
    options = list(found) if len(found) == 1 else said
    if len(options) != 1:
        return None
    other = Variable("counted")
    relation = index.relations[options[0] // 2]
    subject, object_ = (other, planned.answer) if options[0] % 2 else (planned.answer, other)
    note = RowNote(Origin.EXPLICIT, reason=f'"{wanted.word} {mention.text}"', required=True)
    row = Row("counted", Triple(subject, relation.iri, object_), note=note)
    return evolve(planned, table=planned.table.with_rows((*planned.table.rows, row))), other


def _says(matcher: RelationMatcher, directed: int, token: Token) -> bool:
    return matcher.scores([token]).similarity.get(matcher.key_of(directed // 2), 0.0) >= NUMBER_OF_THINGS


def _before_class(wanted: Superlative, linked: LinkedQuestion) -> Mention | None:
    if wanted.word not in {"most", "fewest", "least"}:
        return None
    return next((one for one in linked.classes if one.strong and one.start == wanted.place + 1), None)


def _counted(planned: PlannedTable, wanted: Superlative, linked: LinkedQuestion, index: GraphIndex) -> Variable | None:
    """What *the most Olympics* counts: the variable on the way that is of the class that follows the word."""
    mention = _before_class(wanted, linked)
    if mention is None:
        return None
    members = frozenset[int]().union(*(index.classes[one].instances for one in mention.classes))
    fitting = (one for one in planned.places if planned.nodes[one] and planned.nodes[one] <= members)
    return next((one for one in fitting if one != planned.answer), None)


def _target(planned: PlannedTable, wanted: Superlative, linked: LinkedQuestion, index: GraphIndex) -> Variable:
    """What is the largest or first: the variable of the class that follows the word, otherwise the answer."""
    for mention in linked.classes:
        if wanted.place < mention.start <= wanted.place + 3:
            members = frozenset[int]().union(*(index.classes[one].instances for one in mention.classes))
            fitting = [one for one in planned.places if planned.nodes[one] and planned.nodes[one] <= members]
            if fitting:
                return planned.answer if planned.answer in fitting else fitting[0]
    return planned.answer


def _by_time(options: Sequence[tuple[int, Relation]], nodes: Sequence[int], index: GraphIndex) -> Relation | None:
    dated = [
        relation
        for number, relation in options
        if set(relation.datatypes) <= TEMPORAL_DATATYPES
        or "year" in relation.label.lower().split()
        or (_STARTING & set(content_stems(relation.label)) and _are_years(number, nodes, index))
    ]
    return min(
        dated,
        key=lambda one: (not _STARTING & set(content_stems(one.label)), not set(one.datatypes) <= TEMPORAL_DATATYPES),
        default=None,
    )


def _are_years(number: int, nodes: Sequence[int], index: GraphIndex) -> bool:
    """Whether the values of a property (`born`, `released`) can only be years."""
    values = [index.labels[end] for end in index.adjacency.image(nodes[:_VALUES], forward(number))]
    return bool(values) and all(one.isdigit() and EARLIEST_YEAR <= int(one) <= LATEST_YEAR for one in values)


def _by_words(
    options: Sequence[tuple[int, Relation]], following: Sequence[Token], matcher: RelationMatcher, floor: float
) -> Relation | None:
    best: tuple[float, Relation | None] = (floor, None)
    for start in range(min(2, len(following))):
        for length in range(1, LONGEST_SPAN):
            span = following[start : start + length]
            if len(span) < length:
                continue
            scores = matcher.scores(span).similarity
            for number, relation in options:
                similarity = scores.get(matcher.key_of(number), 0.0)
                if similarity > best[0]:
                    best = similarity, relation
    return best[1]


def _by_measure(
    options: Sequence[tuple[int, Relation]], wanted: Superlative, matcher: RelationMatcher
) -> Relation | None:
    """The property that the word itself may mean, the first that there is; None where two are as likely."""
    for measure in wanted.measures:
        scores = matcher.scores(_tokens((measure,))).similarity
        named = [one for number, one in options if scores.get(matcher.key_of(number), 0.0) >= LEAST_SIMILARITY]
        if named:
            return named[0] if len(named) == 1 else None
    return None


def _tokens(words: Sequence[str]) -> list[Token]:
    return [Token(word, word, 0, 0) for word in words]


def is_weak(wanted: Superlative, linked: LinkedQuestion) -> bool:
    """Whether the word may as well be no superlative: *first name*, *last*; before a class it always is one."""
    before_class = any(wanted.place < mention.start <= wanted.place + 2 for mention in linked.classes)
    return wanted.word in _WEAK and not before_class
