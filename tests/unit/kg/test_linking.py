"""Linking questions to the things, classes and values of a graph."""

from __future__ import annotations

import pickle

import pytest

from tests.unit.kg.films import FILM, LAND, graph, iri, lexicon
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.vocabulary import RDFS_LABEL
from uniqgen_ir.kg.lexicon_words import tokenize
from uniqgen_ir.kg.linking.index import GraphIndex, build_index
from uniqgen_ir.kg.linking.linker import link
from uniqgen_ir.kg.linking.mentions import Mention, MentionKind
from uniqgen_ir.kg.linking.values import Value, ValueCondition, value_mentions


@pytest.fixture(scope="module")
def index() -> GraphIndex:
    return build_index(graph(), lexicons=(lexicon(),))


def terms(index: GraphIndex, mention: Mention) -> list[object]:
    return [index.terms[node] for node in mention.nodes]


def test_the_longest_name_wins(index: GraphIndex) -> None:
    (mention,) = link("who directed Quiet River", index).entities
    assert mention.text == "Quiet River"
    assert terms(index, mention) == [iri("QuietRiver")]
    assert mention.strong


@pytest.mark.parametrize(
    "question", ["who directed quiet_river ?", "who directed [Quiet River]", 'who made "quiet river"']
)
def test_marks_underscores_and_case_do_not_matter(question: str, index: GraphIndex) -> None:
    (mention,) = link(question, index).entities
    assert terms(index, mention)[0] == iri("QuietRiver")


def test_marked_names_silence_unmarked_lower_case_ones(index: GraphIndex) -> None:
    linked = link("who starred in [Third Door] in colour", index)
    assert [mention.text for mention in linked.entities] == ["Third Door"]


def test_a_misspelt_name_is_found_by_likeness(index: GraphIndex) -> None:
    (mention,) = link("who directed Quiet Rivver", index).entities
    assert terms(index, mention) == [iri("QuietRiver")]
    assert 0.8 <= mention.score < 1.0


def test_a_part_of_a_name_will_do_where_one_thing_has_it(index: GraphIndex) -> None:
    (mention,) = link("who directed Quiet", index).entities
    assert terms(index, mention) == [iri("QuietRiver")]
    assert mention.score < 0.8
    # three doors are too many, and half of an unknown name is no name
    assert link("who directed Door", index).entities == ()
    assert link("who directed Quiet Zxqvwu", index).entities == ()


def test_what_was_looked_up_in_vain_is_told(index: GraphIndex) -> None:
    linked = link("zxqv wvuq", index)
    assert linked.empty
    assert "zxqv wvuq" in linked.tried


def test_aliases_link(index: GraphIndex) -> None:
    (mention,) = link("which towns are in The North", index).entities
    assert terms(index, mention) == [iri("Norland")]


def test_classes_by_label_plural_and_synonym(index: GraphIndex) -> None:
    for question, class_ in (("which films", FILM), ("which movies", FILM), ("what countries", LAND)):
        (mention,) = link(question, index).classes
        assert [index.classes[number].iri for number in mention.classes] == [class_]


def test_a_flag_and_its_negation(index: GraphIndex) -> None:
    (said,) = link("which films are restored", index).values
    (denied,) = link("which films are not restored", index).values
    assert [str(term) for term in terms(index, said)] == [f'"true"^^<{index.terms[said.nodes[0]].datatype}>']  # type: ignore[union-attr]
    assert "false" in str(terms(index, denied)[0])
    assert said.relation == denied.relation is not None


def test_values_with_the_literals_that_meet_them(index: GraphIndex) -> None:
    (february,) = link("which films came out in February", index).values
    assert february.kind is MentionKind.VALUE
    assert {index.labels[node] for node in february.nodes} == {
        "1951-02-03",
        "1952-02-10",
        "1961-02-20",
        "1965-02-25",
        "1967-02-26",
    }


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("before 1950", ValueCondition("<", 1950, calendar=True)),
        ("since 1950", ValueCondition(">=", 1950, calendar=True)),
        ("more than 100", ValueCondition(">", 100)),
        ("at least 100", ValueCondition(">=", 100)),
        ("fewer than 1,000", ValueCondition("<", 1000)),
        ("between 1950 and 1960", ValueCondition("between", 1950, upper=1960, calendar=True)),
        ("1960s", ValueCondition("between", 1960, upper=1969, calendar=True)),
        ("7 February 1998", ValueCondition("=", 1998, month=2, day=7, calendar=True)),
        ("February 7, 1998", ValueCondition("=", 1998, month=2, day=7, calendar=True)),
        ("in May", ValueCondition(month=5, calendar=True)),
    ],
)
def test_conditions_are_read(text: str, condition: ValueCondition) -> None:
    assert [mention.condition for mention in value_mentions(tokenize(text))] == [condition]


@pytest.mark.parametrize("text", ["he may march", "nothing here"])
def test_ordinary_words_are_no_months(text: str) -> None:
    assert value_mentions(tokenize(text)) == ()


def test_a_condition_on_months_never_meets_a_number() -> None:
    february = ValueCondition(month=2, calendar=True)
    assert february.holds(Value(1998, True, 2, 7))
    assert not february.holds(Value(1998, True, 3, 7))
    assert not february.holds(Value(2))


def test_words_of_grammar_name_nothing_unless_in_capitals() -> None:
    key = build_index(Graph([(IRI("urn:e:US"), IRI("urn:r:likes"), IRI("urn:e:It"))]))
    assert link("tell us about it", key).entities == ()
    assert [mention.text for mention in link("what does US like", key).entities] == ["US"]


def test_the_index_survives_pickling(index: GraphIndex) -> None:
    again = pickle.loads(pickle.dumps(index))
    assert again == index
    assert link("who directed Quiet River", again).entities == link("who directed Quiet River", index).entities


def test_the_index_knows_containment_inverses_and_flags(index: GraphIndex) -> None:
    by_name = {relation.iri: relation for relation in index.relations}
    assert by_name[iri("containedIn")].depth == 2
    assert by_name[iri("releaseDate")].literal
    assert not by_name[iri("starredActor")].functional
    assert index.nameless == frozenset()


def test_a_short_word_is_not_taken_for_a_longer_name_that_holds_it() -> None:
    graph = Graph([(IRI("urn:e:Peking"), IRI(RDFS_LABEL), Literal("Peking"))])
    assert link("Who is the king?", build_index(graph)).entities == ()
    assert [one.text for one in link("Where is Pekng?", build_index(graph)).entities] == ["Pekng"]
