"""Words: how texts are cut into tokens, normalised and stemmed, alike in questions, labels and identifiers."""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, cast
from urllib.parse import unquote

from attrs import frozen

_TOKEN: Final = re.compile(r"['’]s\b|\d+(?:[.,]\d+)+|[^\W_]+")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ACRONYM: Final = re.compile(r"\b(?:[A-Za-z]\.){2,}")

QUESTION_WORDS: Final = frozenset({"who", "whom", "whose", "what", "which", "where", "when", "why", "how"})

_STOPS: Final = """
a an the of in on at by for from to with as and or that this these those there it its is are was were be been
being am do does did done have has had having can could will would shall should may might must s so if then than
into onto about me my i we us our you your they them their he him his she her please tell give show find list name
named names called know any some all each every both other also too same what
which who whom whose how many much one ones
most more less least fewer ever co anything anyone anybody something someone somebody
"""
STOP_WORDS: Final = frozenset(_STOPS.split())
"""Words that say nothing by themselves."""


NEGATIONS: Final = frozenset(
    {"not", "never", "neither", "nor", "except", "excluding", "without", "cannot"}
    | {"didn", "isn", "aren", "wasn", "weren", "don", "doesn", "hasn", "haven", "hadn"}
)
"""Words that negate something; of *isn't* the part before the apostrophe."""

FILLERS: Final = frozenset(
    {"fall", "under", "kind", "type", "exactly", "actually", "ever", "there", "please", "just", "listed", "primary"}
    | {"today", "now", "nowadays", "currently", "main", "mainly", "regarding", "concerning", "responsible"}
    | {"facts", "fact", "sir", "mr", "mrs", "ms", "dr", "called", "considered", "become", "became", "kinds", "types"}
    | {"sort", "sorts", "whole", "full", "entire", "various", "different", "specific", "particular", "certain"}
    | {"worth", "come", "comes", "came", "coming"}
)
"""Words that carry a sentence and say nothing of their own."""


@frozen
class Token:
    """A word of a text: `text` as written, `lower` without case and accents, characters `start` to `end`."""

    text: str
    lower: str
    start: int
    end: int

    @property
    def possessive(self) -> bool:
        # an s by itself lost its apostrophe
        return self.lower == "s" and (self.text[0] in "'’" or self.text == "s")

    @property
    def capitalised(self) -> bool:
        return self.text[:1].isupper()

    @property
    def content(self) -> bool:
        """Whether the word says something by itself."""
        return self.lower not in STOP_WORDS


def plain(text: str) -> str:
    """The text in lower case and without accents."""
    # decomposed on both sides: some signs have a case only after it, some come apart only then
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def _plain_word(word: str) -> str:
    # decomposing can bring marks that are no letters: ¼ becomes 1⁄4
    return "".join(character for character in plain(word) if character.isalnum() or character in ".,")


def tokenize(text: str) -> tuple[Token, ...]:
    """The words of a text in order; `'s` is a word of its own, `U.S.` is one word."""
    joined = _ACRONYM.sub(lambda match: match.group().replace(".", "\0"), text)
    # the dots of an acronym become a mark that the word pattern cannot see; positions stay the same
    tokens: list[Token] = []
    position = 0
    for acronym in re.finditer(r"(?:[A-Za-z]\0){2,}", joined):
        tokens += _words(text, position, acronym.start())
        letters = acronym.group().replace("\0", "")
        tokens.append(Token(letters, _plain_word(letters), acronym.start(), acronym.end()))
        position = acronym.end()
    return tuple(tokens + _words(text, position, len(text)))


def _words(text: str, start: int, end: int) -> list[Token]:
    return [
        Token(match.group(), _plain_word(match.group().lstrip("'’")), match.start(), match.end())
        for match in _TOKEN.finditer(text, start, end)
    ]


def normalise(text: str) -> str:
    """The key under which a name is found: plain words with single spaces (the text itself if it has no words)."""
    return " ".join(token.lower for token in tokenize(text)) or text.strip().casefold()


def identifier_words(identifier: str) -> str:
    """The words of an identifier's last segment: `http://x/y#hostCity` gives `host city`."""
    segment = unquote(re.split(r"[/#]", identifier.rstrip("/#"))[-1])
    segment = segment.rsplit(":", 1)[-1]
    parts = [part for part in segment.split(".") if part.strip("_ ")]
    # Freebase-like dotted names end in what matters; a number or an initial before a dot is part of a name
    tail = parts[-1] if len(parts) > 2 or (len(parts) == 2 and min(map(len, parts)) > 3) else segment
    return " ".join(_CAMEL.sub(" ", tail).replace("_", " ").replace("-", " ").split())


def local_name(identifier: str) -> str:
    """The readable last part of an IRI, percent-decoded: the label of an entity that has none."""
    if identifier.startswith("urn:"):
        return unquote(identifier.rsplit(":", 1)[-1])
    return unquote(re.split(r"[/#]", identifier.rstrip("/#"))[-1]) or identifier


class _Stemmers(threading.local):
    """A stemmer for each thread: it keeps the word that it works on in itself."""

    def __init__(self) -> None:
        package: Any = import_module("snowballstemmer")  # it comes without types
        self.english: Any = package.stemmer("english")


@lru_cache(maxsize=1)
def _stemmers() -> _Stemmers:
    return _Stemmers()  # made when the first word is stemmed: the package takes time to import


_FORMS: Final = """
child: children; person: people; man: men; woman: women; wife: wives; citi: cities; hold: held;
write: wrote written writer writers; die: died dead death dying deaths; birth: born births;
star: starred starring stars; make: made; win: won; speak: spoke spoken; take: took taken; begin: began begun;
sing: sang sung singer; teach: taught teacher; sell: sold; buy: bought; lead: led leader; wear: wore worn;
come: came; go: went gone; found: found founder founders founded; build: built; countri: countries;
series: series; locat: located location locations; direct: directed director directors;
act: actor actors actress actresses; play: player players; author: author; produc: producer producers;
compos: composer composers; own: owner owners owned; creat: creator; invent: inventor; edit: editor;
perform: performer; treat: treatment treatments; marri: marriage; open: opener
"""
"""Stem: forms that the stemmer would tear apart, irregular ones and nouns of agency."""

_IRREGULAR: Final = {
    word: entry.split(":")[0].strip() for entry in _FORMS.split(";") for word in entry.split(":")[1].split()
}


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The stem of a plain word; common irregular forms and nouns of agency share the stem of their verb."""
    irregular = _IRREGULAR.get(word)
    return irregular if irregular is not None else cast(str, _stemmers().english.stemWord(word))


def content_stems(text: str) -> tuple[str, ...]:
    """The stems of the words that say something, in order, each once."""
    tokens = tokenize(text)
    return tuple(dict.fromkeys(stem(token.lower) for token in tokens if token.content and not token.possessive))
