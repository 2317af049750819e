"""Which language a question is in, as far as its small words tell."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from uniqgen_ir.kg.lexicon_words import plain, tokenize

ENGLISH: Final = "en"
_ENOUGH: Final = 2
"""How many small words of a language a question needs before it is taken for one; its first word does by itself."""

_WORDS: Final[Mapping[str, str]] = {
    ENGLISH: "the of in is are was were which what who where when how many did does do and by for with from that",
    "de": "der die das den dem des ein eine einen und ist sind war waren welche welcher welches wer wo wann wie viele "
    "wurde wurden wird werden mit von vom aus auf bei fur im hat haben gibt nicht",
    "fr": "le la les un une des du de et est sont etait etaient quel quelle quels quelles qui ou quand combien que ont "
    "avec dans pour par sur ete au aux cette",
    "es": "el la los las un una de del y es son fue fueron que cual cuales quien quienes donde cuando cuantos cuantas "
    "con en para por se han esta",
    "it": "il lo la gli le un una di del della e sono era erano che quale quali chi dove quando quanti quante con in "
    "per da dal nel nella hanno",
    "pt": "o os as um uma de do da dos das e foi foram que qual quais quem onde quando quantos quantas com em para "
    "por no na sao",
    "nl": "de het een en is zijn was waren welke wie waar wanneer hoeveel met van voor op aan bij uit werd werden "
    "heeft hebben niet",
}


@lru_cache(maxsize=1)
def _vocabularies() -> dict[str, frozenset[str]]:
    return {language: frozenset(words.split()) for language, words in _WORDS.items()}


def language_of(text: str) -> str:
    """The language of a question (`en`, `de`, `fr`, `es`, `it`, `pt`, `nl`); English where nothing tells."""
    ordered = [plain(token.text) for token in tokenize(text)]
    words = frozenset(ordered)
    hits = {language: len(words & known) for language, known in _vocabularies().items()}
    best = max(hits, key=lambda language: (hits[language], language == ENGLISH))
    enough = hits[best] >= _ENOUGH or (hits[best] > 0 and ordered[0] in _vocabularies()[best])
    return best if enough and hits[best] > hits[ENGLISH] else ENGLISH
