"""Did you mean …: the nearest of some names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_LEAST_LIKENESS = 75.0
"""Below this percentage two names have nothing to do with each other."""

_TYPO_LIKENESS = 88.0
"""From this percentage on, one is the other with a slip of the finger."""

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@lru_cache(maxsize=16_384)  # a schema's names are asked for again at each mistake
def plain_words(name: str) -> str:
    """A name as lower-case words: `hostCity`, `host_city` and `host-city` are the same."""
    return re.sub(r"[\W_]+", " ", _WORD_START.sub(" ", name)).lower().strip()


def local_name(iri: str) -> str:
    """What stands after the last `#` or `/` of an IRI (the whole IRI where nothing does)."""
    return re.split(r"[#/]", iri.rstrip("#/"))[-1] or iri


def namespace(iri: str) -> str:
    """What stands up to and with the last `#` or `/`."""
    return iri[: len(iri) - len(local_name(iri))] if iri.endswith(local_name(iri)) else iri


def nearest(name: str, candidates: Iterable[tuple[str, str]]) -> str | None:
    """The key of the candidate (key, text) whose text is most like the name; None where none is near enough.

    Equal likeness is settled by the shorter key, then by its spelling, so that the answer does not depend on the order.
    """
    # imported here: only a mistake needs it, and starting up must stay quick
    from rapidfuzz import fuzz

    def likeness_of(text: str) -> float:
        # dotted names (`music.artist.album`) share long beginnings that say little: their last parts must be alike too
        whole = fuzz.ratio(plain_words(name), plain_words(text))
        return min(whole, fuzz.ratio(plain_words(name.split(".")[-1]), plain_words(text.split(".")[-1])))

    best: tuple[float, int, str] | None = None
    for key, text in candidates:
        likeness = likeness_of(text)
        rank = (-likeness, len(key), key)
        if likeness >= _LEAST_LIKENESS and (best is None or rank < best):
            best = rank
    return None if best is None else best[2]


def is_typo(written: str, meant: str) -> bool:
    """Whether the last part of one IRI is so like the other's that only a slip can be meant."""
    from rapidfuzz import fuzz

    return fuzz.ratio(plain_words(local_name(written)), plain_words(local_name(meant))) >= _TYPO_LIKENESS
