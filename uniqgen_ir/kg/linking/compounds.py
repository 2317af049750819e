"""Compounds: one word of a question that the graph writes as two (*timezone*, *videogame*)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from uniqgen_ir.kg.lexicon_english import word_groups
from uniqgen_ir.kg.lexicon_words import Token, stem
from uniqgen_ir.kg.linking.index import GraphIndex


def split_compounds(tokens: Sequence[Token], index: GraphIndex) -> tuple[Token, ...]:
    """The tokens, each that only means something as two words of a relation's or class's name cut into these."""
    found: list[Token] = []
    for token in tokens:
        cut = None if _is_known(token, index) else _cut(token.lower, index.compounds)
        if cut is None or len(token.text) != len(token.lower):
            found.append(token)
            continue
        middle = token.start + cut
        found.append(evolve(token, text=token.text[:cut], lower=token.lower[:cut], end=middle))
        found.append(evolve(token, text=token.text[cut:], lower=token.lower[cut:], start=middle))
    return tuple(found)


def _is_known(token: Token, index: GraphIndex) -> bool:
    word = stem(token.lower)
    return not token.content or word in index.vocabulary or bool(word_groups(word)) or token.lower in index.names


def _cut(word: str, compounds: dict[str, int]) -> int | None:
    cuts = (place for place in range(2, len(word) - 1) if compounds.get(word[:place] + stem(word[place:])) == place)
    return next(cuts, None)
