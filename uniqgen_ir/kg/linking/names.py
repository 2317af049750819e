"""The names under which things are found: whole names, words of longer names, initials."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal
from uniqgen_ir.ir.vocabulary import XSD_STRING
from uniqgen_ir.kg.lexicon_words import STOP_WORDS, local_name, normalise, stem
from uniqgen_ir.kg.linking.facts import Facts

MOST_NAMESAKES: Final = 300
"""How many things may share a word of their names before it tells them no more apart."""
_LEAST_KEYS: Final = 5
"""How many different values a property has at least before it is a key."""
_LONGEST_KEY: Final = 40
_KEY_RANK: Final = 4
"""After every name and alias."""
_ACRONYM_KEPT: Final = 3
_LONGEST_LITERAL: Final = 80
_NAMESPACE: Final = re.compile(r"^[a-z]\.(?=[A-Z0-9])")
_CODE: Final = re.compile(r"[A-Za-z]{0,2}\d[0-9a-z_]*|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)

Names = dict[str, tuple[int, ...]]


def whole_names(facts: Facts, words: Mapping[IRI, list[str]]) -> Names:
    """Normalised name → what it names: labels, aliases, declared words, identifiers of things without a name."""
    found: defaultdict[str, dict[int, None]] = defaultdict(dict)
    classes = set(facts.types)
    for number, term in enumerate(facts.terms):
        if isinstance(term, IRI) and term in classes:
            continue
        for name in _names_of(term, facts, words):
            key = normalise(name)
            found[key][number] = None
            if (joined := _joined_initials(key)) is not None:
                found[joined][number] = None
    return {name: tuple(numbers) for name, numbers in found.items() if name}


def _names_of(term: GroundTerm, facts: Facts, words: Mapping[IRI, list[str]]) -> Iterator[str]:
    yield from (name for _, name in facts.names.get(term, ()))
    if isinstance(term, IRI):
        if term not in facts.names:
            local = local_name(term.value)
            yield local
            if (readable := _NAMESPACE.sub("", local)) != local:
                yield readable
        yield from words.get(term, ())
    elif isinstance(term, Literal) and len(term.lexical) <= _LONGEST_LITERAL:
        yield term.lexical


def _joined_initials(name: str) -> str | None:
    """`j r r tolkien` as people type it: `jrr tolkien`."""
    words = name.split()
    count = next((place for place, word in enumerate(words) if len(word) > 1 or not word.isalpha()), len(words))
    return " ".join(["".join(words[:count]), *words[count:]]) if count > 1 else None


def name_parts(facts: Facts) -> Names:
    """The words of the names of two and more words; words that very many names have tell nothing apart."""
    found: defaultdict[str, dict[int, None]] = defaultdict(dict)
    for term, name in _long_names(facts):
        for word in name:
            found[word][facts.numbers[term]] = None
    return {word: tuple(nodes) for word, nodes in found.items() if len(nodes) <= MOST_NAMESAKES}


def acronyms(facts: Facts) -> Names:
    """The initials of names of two and more words (*UK*), each with the things that most is said of."""
    degrees = _degrees(facts.edges)
    found: defaultdict[str, dict[int, None]] = defaultdict(dict)
    for term, name in _long_names(facts):
        initials = "".join(word[0] for word in name if word not in STOP_WORDS)
        if initials.isalpha() and len(initials) > 1:
            found[initials][facts.numbers[term]] = None
    return {
        initials: tuple(sorted(nodes, key=lambda node: (-degrees[node], node))[:_ACRONYM_KEPT])
        for initials, nodes in found.items()
    }


def _long_names(facts: Facts) -> Iterator[tuple[GroundTerm, list[str]]]:
    for term, named in facts.names.items():
        for _, name in named:
            words = normalise(name).split()
            if len(words) > 1:
                yield term, words


def _degrees(edges: Iterable[Sequence[tuple[int, int]]]) -> Counter[int]:
    return Counter(node for pairs in edges for pair in pairs for node in pair)


def name_by_key(facts: Facts) -> None:
    """Give things with a mere code for an identifier the value of a property that tells them apart as their name.

    A number plate, a badge, an address of e-mail: a property whose values are texts, one for each thing, all different.
    """
    for edges in facts.edges:
        if len(edges) < _LEAST_KEYS or not facts.is_literal(edges):
            continue
        owners, values = {start for start, _ in edges}, {end for _, end in edges}
        if len(owners) < len(edges) or len(values) < len(edges):
            continue
        for start, end in edges:
            owner, value = facts.terms[start], facts.terms[end]
            unnamed = owner not in facts.names and _is_code(owner)
            if unnamed and isinstance(value, Literal) and _is_key(value):
                facts.names[owner] = [(_KEY_RANK, value.lexical)]


def _is_key(value: Literal) -> bool:
    return value.datatype == XSD_STRING and len(value.lexical) <= _LONGEST_KEY


def nameless(facts: Facts) -> frozenset[int]:
    """The things without a name where others have one, whose identifier is a mere code, too."""
    if not facts.names:
        return frozenset()
    unnamed = (number for number, term in enumerate(facts.terms) if term not in facts.names)
    return frozenset(number for number in unnamed if _is_code(facts.terms[number]))


def _is_code(term: GroundTerm) -> bool:
    if isinstance(term, IRI):
        return _CODE.fullmatch(local_name(term.value).rsplit(".", 1)[-1]) is not None
    return not isinstance(term, Literal)


def all_nameless(nodes: Collection[int], without_name: frozenset[int], sample: int = 20) -> bool:
    """Whether things stand for facts: none of (a sample of) them has a name."""
    return bool(nodes) and bool(without_name) and all(node in without_name for node in sorted(nodes)[:sample])


def compounds_of(texts: Iterable[str]) -> dict[str, int]:
    """Two neighbouring words of a name, the second as a stem, written as one → the length of the first."""
    found: dict[str, int] = {}
    for text in texts:
        words = normalise(text).split()
        for first, second in pairwise(words):
            found.setdefault(first + stem(second), len(first))
    return found
