"""Words: tokens, normal forms, stems, identifiers, the thesaurus."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from uniqgen_ir.kg.lexicon_english import demonyms, phrase_groups, word_groups
from uniqgen_ir.kg.lexicon_words import content_stems, identifier_words, local_name, normalise, stem, tokenize


def test_tokens_know_their_place_and_possessives() -> None:
    tokens = tokenize("Ada's U.S. flat, no 3.5")
    assert [token.lower for token in tokens] == ["ada", "s", "us", "flat", "no", "3.5"]
    assert [token.possessive for token in tokens] == [False, True, False, False, False, False]
    assert "Ada's U.S. flat, no 3.5"[tokens[2].start : tokens[2].end] == "U.S."


@given(st.text(max_size=60))
def test_every_token_lies_where_it_says(text: str) -> None:
    for token in tokenize(text):
        assert 0 <= token.start < token.end <= len(text)
        assert token.text.replace(".", "") == text[token.start : token.end].replace(".", "")


@given(st.text(max_size=60))
@example("¼")
@example("𝕊")
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once or not tokenize(text)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Cortina d'Ampezzo", "cortina d ampezzo"),
        ("frederica_of_mecklenburg-strelitz", "frederica of mecklenburg strelitz"),
        ("Sao Tomé & Príncipe", "sao tome principe"),
        ("$", "$"),
    ],
)
def test_normal_form(text: str, normal: str) -> None:
    assert normalise(text) == normal


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("http://almanac.example/olympics/hostCity", "host City"),
        ("urn:r:plays_in_club", "plays in club"),
        ("http://rdf.freebase.com/ns/people.person.place_of_birth", "place of birth"),
        ("http://example.org/vocabulary#parentOf", "parent Of"),
    ],
)
def test_words_of_an_identifier(identifier: str, words: str) -> None:
    assert identifier_words(identifier) == words


def test_local_names_are_decoded() -> None:
    assert local_name("urn:e:The%20Box") == "The Box"
    assert local_name("http://example.org/a/Berlin") == "Berlin"


def test_stems_join_forms_of_a_word() -> None:
    assert stem("held") == stem("hold")
    assert stem("director") == stem("directed") == stem("directs")
    assert stem("cities") == stem("city")
    assert content_stems("what is the place of birth of the players") == (stem("place"), stem("birth"), stem("play"))


def test_thesaurus_joins_words_and_phrases() -> None:
    assert word_groups(stem("father")) & word_groups(stem("parents"))
    assert phrase_groups(("other", "half")) & word_groups(stem("spouse"))
    assert not word_groups(stem("father")) & word_groups(stem("film"))


def test_peoples_name_their_country() -> None:
    assert demonyms()["american"] == "united states"


def test_words_are_stemmed_the_same_in_many_threads() -> None:
    words = [
        f"{start}{ending}"
        for start in ("hosp", "relat", "convers", "stand")
        for ending in ("ational", "ings", "ed", "iveness")
    ]
    alone = [stem.__wrapped__(word) for word in words]
    rounds = 300

    def all_of_them(_: int) -> list[list[str]]:
        return [[stem.__wrapped__(word) for word in words] for _ in range(rounds)]

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            found = [one for each in threads.map(all_of_them, range(4)) for one in each]
    finally:
        sys.setswitchinterval(before)
    assert all(one == alone for one in found)
