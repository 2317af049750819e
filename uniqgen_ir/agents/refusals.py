"""When not to answer: questions of a kind that is not read, and readings that leave out what the question says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from uniqgen_ir.agents.alignment import units_of
from uniqgen_ir.agents.composed.negation import negation
from uniqgen_ir.agents.composed.yes_or_no import asks_yes_or_no
from uniqgen_ir.agents.expectation import TIME_WORDS, expectation
from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.agents.plans import Plan
from uniqgen_ir.agents.superlatives import superlative
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.kg.lexicon_english import is_near_a_known_word
from uniqgen_ir.kg.lexicon_words import FILLERS, NEGATIONS, QUESTION_WORDS, STOP_WORDS, Token, stem
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, Mention, is_common, positions_of

MOST_CHARACTERS: Final = 1_000
MOST_WORDS: Final = 60
MOST_NAMES: Final = 6
"""How many names and values one question may combine; each multiplies the readings."""
LEAST_SAID: Final = 0.4
"""The similarity below which a word does not say a relation."""
_AGGREGATES: Final = frozenset(
    {"average", "averages", "mean", "median", "total", "sum", "percentage", "percent", "proportion", "ratio"}
    | {"fraction", "variance", "deviation", "averaged", "cumulative", "altogether"}
)
_ASKING: Final = (["which"], ["what"])
_KIND_BEFORE: Final = frozenset({"which", "what", "many"})
_MEASURED: Final = frozenset({"long", "high", "tall", "far", "big", "large", "deep", "wide", "old", "heavy", "fast"})


def too_long(question: str, words: int = 0) -> Diagnostic | None:
    """The refusal of a question that is longer than anything that is read."""
    if len(question) > MOST_CHARACTERS:
        return _long(f"the question has {len(question):,} characters; at most {MOST_CHARACTERS:,} are read")
    if words > MOST_WORDS:
        return _long(f"the question has {words} words; at most {MOST_WORDS} are read")
    return None


def unreadable(linked: LinkedQuestion, index: GraphIndex) -> Diagnostic | None:
    """The refusal of a question of a kind that is not read, whatever the graph holds."""
    if (diagnostic := too_long(linked.text, len(linked.tokens))) is not None:
        return diagnostic
    if not linked.empty and _is_foreign(linked, index):
        message = "hardly a word of the question is known: only questions in English are read"
        return Diagnostic("UQ666", message, severity=Severity.WARNING, hint="ask in English, with names as they are")
    if (first := asks_yes_or_no(linked)) is not None:
        message = f'the offline reader does not find what "{first} …" asks about, or not what is asked of it'
        hint = "ask which things there are: `which medicines are approved`"
        return Diagnostic("UQ666", message, severity=Severity.WARNING, hint=hint)
    word = negation(linked) or _aggregate(linked, index) or _union(linked)
    if word is not None:
        return unsupported(word)
    names = {mention.nodes for mention in linked.anchors}
    if len(names) > MOST_NAMES:
        message = f"the question combines {len(names)} names and values; at most {MOST_NAMES} are read together"
        return _long(message)
    return None


def _introduces(mention: Mention, best: Plan, index: GraphIndex) -> bool:
    """Whether a name only says what the next one is: the *singer* of *singer George Jones*, who is one."""
    for leg in best.legs:
        if leg.start is not None and leg.mention.start == mention.end:
            return any(end in mention.nodes for _, end in index.adjacency.edges(leg.start))
    return False


def left_out(best: Plan, linked: LinkedQuestion, index: GraphIndex, matcher: RelationMatcher) -> Diagnostic | None:
    """The refusal of a reading that leaves out a name, a number or a word with a meaning, which it names."""
    unused = [one for one in unused_mentions(best, linked) if not _introduces(one, best, index)]
    if unused:
        named = ", ".join(f'"{mention.text}"' for mention in unused)
        message = f"no reading of the question uses {named} together with everything else that it says"
        hint = "nothing in the graph may fit all of it; ask for less at a time"
        return Diagnostic("UQ661", message, severity=Severity.WARNING, hint=hint)
    asked = expectation(linked).class_mention
    if asked is not None and asked.strong and best.legs and not best.answer_classes and not best.classes_unknown:
        message = f'no reading of the question has an answer that is one of the "{asked.text}" that it asks for'
        return Diagnostic("UQ661", message, severity=Severity.WARNING, hint="ask for less at a time")
    if (word := _wrong_kind(best, linked, index)) is not None:
        message = f'the question asks "{word}", and what its reading leads to is of another kind'
        hint = "use words that the graph has, or add a synonym to the lexicon"
        return Diagnostic("UQ661", message, severity=Severity.WARNING, hint=hint)
    words = unread_words(best, linked, index, matcher)
    if not words:
        return None
    named = ", ".join(f'"{word}"' for word in words)
    message = (
        f"no name, class or relation of the graph was found for {named}, and leaving it out would change the question"
    )
    hint = "use words that the graph has, or add a synonym to the lexicon"
    return Diagnostic("UQ660", message, severity=Severity.WARNING, hint=hint)


def _wrong_kind(best: Plan, linked: LinkedQuestion, index: GraphIndex) -> str | None:
    """*when* or *who* where no answer can be one: names without a digit are no dates, dates and numbers nobody."""
    kind = expectation(linked).kind
    if kind not in {"when", "who"}:
        return None
    timely = [any(character.isdigit() for character in index.labels[node]) for node in best.answers]
    values = [isinstance(index.terms[node], Literal) for node in best.answers]
    dates = all(one and other for one, other in zip(timely, values, strict=True))
    return kind if (not any(timely) if kind == "when" else dates) else None


def unused_mentions(best: Plan, linked: LinkedQuestion) -> list[Mention]:
    """The names and values of the question that the reading does not start from."""
    used = positions_of([leg.mention for leg in best.legs]) | positions_of([one.mention for one in best.inner_classes])
    return [
        mention
        for mention in (*linked.entities, *linked.values)
        if mention.strong and not set(mention.positions) <= used and not _covers(best, mention)
    ]


def _covers(best: Plan, mention: Mention) -> bool:
    return all(best.covered >> place & 1 for place in mention.positions)


def unread_words(best: Plan, linked: LinkedQuestion, index: GraphIndex, matcher: RelationMatcher) -> list[str]:
    """The words with content that neither name anything of the graph nor say a relation, in order.

    Everyday words are forgiven where the graph has no classes, so that *films* or *club* cannot be checked.
    """
    said = _said(best, linked, matcher) | _named(best, linked)
    if _says_all(best):
        said |= _kind_words(best, linked, index)
    wanted = superlative(linked)
    return [
        token.text
        for place, token in enumerate(linked.tokens)
        if token.content
        and not token.possessive
        and place not in said
        and token.lower not in NEGATIONS | QUESTION_WORDS | FILLERS
        and not (wanted is not None and place >= wanted.place and place <= wanted.place + 2)
        and not _forgiven(token, best, index, matcher)
    ]


def _says_all(best: Plan) -> bool:
    """Whether words stand for every relation of the reading."""
    return bool(best.legs) and all(span for one in best.legs for span in one.alignment.spans)


def _kind_words(best: Plan, linked: LinkedQuestion, index: GraphIndex) -> set[int]:
    """The words that only say what kind of thing is asked for, where nothing speaks against it.

    In a graph without classes the noun after *which*, *what* and *how many* cannot be checked; *how long* asks for a
    number, and gets one.
    """
    words = [token.lower for token in linked.tokens]
    found: set[int] = set()
    for place in range(1, len(words)):
        if words[place - 1] in _KIND_BEFORE and words[place] not in FILLERS and not index.classes:
            found.add(place)
        if words[place - 1] == "how" and words[place] in _MEASURED:
            numbers = all(index.labels[node].replace(".", "", 1).isdigit() for node in best.answers)
            found.update((place,) if numbers else ())
    return found


def _forgiven(token: Token, best: Plan, index: GraphIndex, matcher: RelationMatcher) -> bool:
    """Whether a word repeats what the reading has, or speaks of the graph in its own words."""
    if token.lower[:1].isdigit():
        return False
    keys = {matcher.key_of(hop.relation) for leg in best.legs for hop in leg.leg.hops}
    if matcher.stands_alone(stem(token.lower)) or any(matcher.is_like_name(token, key) for key in keys):
        return True
    return not index.classes and (is_common(index, token) or is_near_a_known_word(token.lower))


def _named(best: Plan, linked: LinkedQuestion) -> set[int]:
    mentions = [*linked.anchors]
    mentions += [leg.mention for leg in best.legs]
    mentions += [one.mention for one in best.inner_classes]
    # where a class alone is asked for, another one that is named plays no part
    mentions += [one for one in linked.classes if (one.strong and best.legs) or best.answer_classes == one.classes]
    return positions_of(mentions) | best.class_places | _asking_for_time(linked)


def _asking_for_time(linked: LinkedQuestion) -> set[int]:
    """The *year* of *in which year*: what else the answers could be is refused elsewhere."""
    if expectation(linked).kind != "when":
        return set()
    words = [token.lower for token in linked.tokens]
    return {place for place, word in enumerate(words) if word in TIME_WORDS and words[place - 1 : place] in _ASKING}


def _said(best: Plan, linked: LinkedQuestion, matcher: RelationMatcher) -> set[int]:
    """The places of the words that say a relation of the reading, well enough."""
    units = units_of(linked.tokens, frozenset())
    found: set[int] = set()
    for leg in best.legs:
        for hop, span in zip(leg.leg.hops, leg.alignment.spans, strict=True):
            key = matcher.key_of(hop.relation)
            for places, token in units:
                if set(places) <= set(span) and _says(matcher, key, [token]):
                    found.update(places)
            whole = [token for places, token in units if set(places) <= set(span)]
            left = frozenset(matcher.scores(whole).left.get(key, ()) if whole else ())
            if whole and _says(matcher, key, whole):
                inside = [places for places, _ in units if set(places) <= set(span)]
                found.update(place for number, places in enumerate(inside) if number not in left for place in places)
    return found


def _says(matcher: RelationMatcher, key: str, span: Sequence[Token]) -> bool:
    return matcher.scores(span).similarity.get(key, 0.0) >= LEAST_SAID


def _is_foreign(linked: LinkedQuestion, index: GraphIndex) -> bool:
    """Whether no word of English grammar is there and most of the others mean nothing."""
    named = positions_of([one for one in linked.entities if one.strong])
    words = [token for place, token in enumerate(linked.tokens) if place not in named]
    unknown = [token for token in words if token.content and not is_common(index, token)]
    english = any(token.lower in STOP_WORDS for token in words)
    return not english and len(unknown) >= 2 and 2 * len(unknown) > len(words)


def _aggregate(linked: LinkedQuestion, index: GraphIndex) -> str | None:
    named = positions_of([one for one in (*linked.entities, *linked.values, *linked.classes) if one.strong])
    for place, token in enumerate(linked.tokens):
        if token.lower in _AGGREGATES and place not in named and stem(token.lower) not in index.vocabulary:
            return token.text
    return None


def _union(linked: LinkedQuestion) -> str | None:
    """The *or* that stands between two names or values of the question."""
    anchors = sorted(linked.anchors, key=lambda one: one.start)
    for place, token in enumerate(linked.tokens):
        sides = [one.end <= place for one in anchors]
        if token.lower == "or" and place not in positions_of(anchors) and True in sides and False in sides:
            return token.text
    return None


def unsupported(word: str) -> Diagnostic:
    """The refusal of a word that changes what a question means."""
    return Diagnostic(
        "UQ666",
        f'the question says "{word}", and the offline reader cannot express that here',
        severity=Severity.WARNING,
        hint="ask without it, or write the table by hand",
    )


def _long(message: str) -> Diagnostic:
    return Diagnostic("UQ666", message, severity=Severity.WARNING, hint="ask several shorter questions")
