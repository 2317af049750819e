"""Questions that are put together from plain ones: negations, yes or no, unions, averages and sums."""

from __future__ import annotations

import pytest

from tests.unit.kg.films import graph, iri, lexicon
from uniqgen_ir.agents.propose import Proposal, Proposer
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.rows import NotBlock, Origin
from uniqgen_ir.ir.table import Form
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.values import to_json
from uniqgen_ir.ir.vocabulary import RDF_TYPE, RDFS_LABEL
from uniqgen_ir.kg.linking.index import build_index

GRAPH = graph()
PLAIN = Proposer(build_index(GRAPH))
WORDY = Proposer(build_index(GRAPH, lexicons=(lexicon(),)))


def answers(proposal: Proposal) -> set[object]:
    assert proposal.table is not None, proposal.abstained
    index = PLAIN.index
    found = [row[0] for row in evaluate(proposal.table, GRAPH).rows]
    return {_shown(term) if isinstance(term, Literal) else index.labels[index.numbers[term]] for term in found if term}


def _shown(literal: Literal) -> str | int | float | bool:
    value = to_json(literal)
    assert isinstance(value, str | int | float)
    return value


FILMS = {"Quiet River", "Loud River", "Third Door", "Fourth Door", "Fifth Door", "Old Night", "New Night"}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which films did Ada Stone not direct", FILMS - {"Quiet River", "Loud River"}),
        ("Which films were not directed by Ada Stone?", FILMS - {"Quiet River", "Loud River"}),
        ("which films weren't directed by Ada Stone", FILMS - {"Quiet River", "Loud River"}),
        ("which films star Bo Lind but not Dan Ooms", {"Quiet River", "Loud River"}),
        ("which films by Ada Stone do not star Cleo Marsh", {"Loud River"}),
        ("how many films did Ada Stone not direct", {5}),
        ("which people never directed a film", {"Bo Lind"}),
        ("which people have not directed anything", {"Bo Lind"}),
        ("which people directed no film", {"Bo Lind"}),
        ("which films directed by Ada Stone, except Quiet River", {"Loud River"}),
        (
            "which films were directed by Ada Stone or Dan Ooms",
            {"Quiet River", "Loud River", "Fourth Door", "Fifth Door"},
        ),
        ("how many films were directed by Ada Stone or Dan Ooms", {4}),
        ("which person directed the most films", {"Ada Stone", "Dan Ooms", "Eve Park"}),
    ],
)
def test_answers(question: str, expected: set[object]) -> None:
    assert answers(PLAIN.propose(question)) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Did Ada Stone direct Quiet River?", True),
        ("Did Ada Stone direct Old Night?", False),
        ("Was Quiet River directed by Ada Stone?", True),
        ("is Bo Lind the director of Quiet River", False),
        ("is Haven in The North", True),
        ("is Quiet River a film", True),
        ("are there films by Ada Stone", True),
        ("was Old Night released before 1950", True),
        ("was Quiet River released before 1950", False),
    ],
)
def test_yes_or_no(question: str, expected: bool) -> None:
    proposal = PLAIN.propose(question)
    assert proposal.table is not None, proposal.abstained
    assert proposal.table.shell.form is Form.ASK
    assert proposal.settled
    assert answers(proposal) == {expected}


def test_what_is_so_does_not_depend_on_habits() -> None:
    proposal = WORDY.propose("does Third Door star Dan Ooms")
    assert proposal.table is not None, proposal.abstained
    assert all(row.note.origin is not Origin.PRAGMATIC for row in proposal.table.rows)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what is the average of the minutes of films by Ada Stone", 105),
        ("what is the total of the minutes of films by Ada Stone", 210),
        ("what are the average minutes of films by Cleo Marsh", 100),
    ],
)
def test_averages_and_sums_count_each_thing_once(question: str, expected: int) -> None:
    (figure,) = answers(PLAIN.propose(question))
    assert float(str(figure)) == expected


def test_what_is_negated_stands_in_one_block() -> None:
    proposal = PLAIN.propose("which films star Bo Lind but not Dan Ooms")
    assert proposal.table is not None
    blocks = [row.atom for row in proposal.table.rows if isinstance(row.atom, NotBlock)]
    assert [len(one.rows) for one in blocks] == [1]


@pytest.mark.parametrize(
    "question",
    [
        "who did not direct Quiet River",  # anybody, or anything
        "which films were not directed by Ada Stone in 1950",  # not both, or not the one
        "which films star neither Bo Lind nor Dan Ooms",
        "which films do not shimmer",
        "does Ada Stone shimmer",
        "is Haven the director of Quiet River",  # no town is a director: of another kind
        "what is the average director of Quiet River",
    ],
)
def test_what_cannot_be_told_is_refused(question: str) -> None:
    proposal = PLAIN.propose(question)
    assert proposal.table is None
    assert proposal.abstained is not None


def test_a_thing_without_a_name_is_called_by_its_key_and_is_no_number() -> None:
    number_plates = ("RY52", "BA62", "CX02", "BJ92", "BK32")
    facts: list[Fact] = [(iri("p1"), IRI(RDFS_LABEL), Literal("Ann"))]
    for place, plate in enumerate(number_plates):
        car = IRI(f"urn:x:{place}")
        facts += [
            (car, IRI(RDF_TYPE), iri("Car")),
            (car, iri("plate"), Literal(plate)),
            (car, iri("ownedBy"), iri("p1")),
        ]
    proposer = Proposer(build_index(Graph(facts)))
    assert proposer.index.labels[proposer.index.numbers[IRI("urn:x:0")]] == "RY52"
    asked = proposer.propose("How many cars are owned by Ann?")
    assert asked.table is not None, asked.abstained
    assert [to_json(row[0]) for row in evaluate(asked.table, Graph(facts)).rows if row[0]] == [5]
    named = proposer.propose("Who owns BA62?")
    assert named.table is not None, named.abstained
    assert [row[0] for row in evaluate(named.table, Graph(facts)).rows] == [iri("p1")]
