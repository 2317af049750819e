"""Questions to tables on a small graph: every kind of row, abstentions, reference answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.kg.films import FILM, graph, iri, lexicon
from uniqgen_ir.agents.oracle import file_oracle, resolve_references, vouched
from uniqgen_ir.agents.propose import Proposal, Proposer, propose
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.rows import Origin, PathAtom, Row, Triple, TypeAtom
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.vocabulary import RDF_TYPE, RDFS_LABEL, XSD_BOOLEAN, XSD_DATE
from uniqgen_ir.kg.linking.index import build_index

GRAPH = graph()
PLAIN = Proposer(build_index(GRAPH))
WORDY = Proposer(build_index(GRAPH, lexicons=(lexicon(),)))


def answers(proposal: Proposal) -> set[str]:
    """The labels (or lexical forms) of what the proposed table gives, by the reference evaluator."""
    assert proposal.table is not None, proposal.abstained
    rows = evaluate(proposal.table, GRAPH).rows
    index = PLAIN.index
    return {index.labels[index.numbers[row[0]]] if row[0] in index.numbers else row[0].lexical for row in rows}  # type: ignore[index,union-attr]


def rows(proposal: Proposal) -> dict[str, Row]:
    assert proposal.table is not None, proposal.abstained
    return {row.id: row for row in proposal.table.rows}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who directed Quiet River", {"Ada Stone"}),
        ("which films did Ada Stone direct", {"Quiet River", "Loud River"}),
        ("What movies were directed by Dan Ooms?", {"Fourth Door", "Fifth Door"}),
        ("where was the director of Third Door born", {"Haven"}),
        ("what is Third Door 's director 's birthplace", {"Haven"}),
        ("who starred in Quiet River", {"Bo Lind", "Cleo Marsh"}),
        ("which films star Bo Lind and Dan Ooms", {"Third Door"}),
        ("which films have the same director as Quiet River", {"Loud River"}),
        ("when was Old Night released", {"1949-07-01"}),
        (
            "which films were released in February",
            {"Quiet River", "Loud River", "Third Door", "Fourth Door", "Fifth Door"},
        ),
        ("which films were released before 1950", {"Old Night", "New Night"}),
        ("which films have more than 100 minutes", {"Loud River", "Fourth Door"}),
        ("which films by director Ada Stone are in colour with more than 100 minutes", {"Loud River"}),
        ("which films are not restored", {"Old Night", "New Night"}),
        ("which towns are in The North", {"Haven", "Port"}),
        ("which people were born in Norland", {"Ada Stone", "Bo Lind", "Cleo Marsh", "Dan Ooms", "Eve Park"}),
        ("list all towns", {"Haven", "Port"}),
        ("how many films did Ada Stone direct", {"2"}),
        ("how many minutes has Loud River", {"120"}),
        ("which film has the most minutes", {"Loud River"}),
        ("what is the earliest film directed by Eve Park", {"New Night"}),
    ],
)
def test_answers(question: str, expected: set[str]) -> None:
    assert answers(PLAIN.propose(question)) == expected


def test_proposals_are_repeatable() -> None:
    question = "which films star Bo Lind and Dan Ooms"
    assert propose(question, build_index(graph())) == propose(question, build_index(graph()))


def test_what_the_question_says_is_explicit_and_quoted() -> None:
    proposed = rows(PLAIN.propose("which films did Ada Stone direct"))
    assert proposed["kind"].atom == TypeAtom(PLAIN.propose("which films did Ada Stone direct").table.columns[0], FILM)  # type: ignore[union-attr]
    direct = proposed["directed_by"]
    assert direct.note.origin is Origin.EXPLICIT
    assert direct.note.reason == '"direct"'


def test_containment_is_a_bounded_path_and_structural() -> None:
    row = rows(PLAIN.propose("which towns are in The North"))["contained_in"]
    assert isinstance(row.atom, PathAtom)
    assert row.note.origin is Origin.STRUCTURAL


def test_a_habit_of_the_lexicon_becomes_a_pragmatic_row_with_its_prior() -> None:
    proposal = WORDY.propose("which films did Eve Park direct")
    row = rows(proposal)["restored"]
    assert row.note.origin is Origin.PRAGMATIC
    assert row.note.uncertainty == 0.3
    assert row.note.reason == "people mean films that can be seen"
    # the habit leaves nothing here, so it says nothing: all candidates are vouched for, and the chase drops the row
    assert {one.key[0] for one in proposal.references} == {iri("OldNight"), iri("NewNight")}


def test_a_habit_is_not_added_where_the_question_speaks_of_it() -> None:
    proposed = rows(WORDY.propose("which films are not restored"))
    assert [row for row in proposed.values() if row.note.origin is Origin.PRAGMATIC] == []
    assert proposed["restored"].atom.object == Literal("false", XSD_BOOLEAN)  # type: ignore[union-attr]


def test_candidates_that_break_a_habit_are_not_vouched_for() -> None:
    proposal = WORDY.propose("which films star Dan Ooms")
    assert answers(proposal) == {"Third Door"}
    assert [one.key[0] for one in proposal.references] == [iri("ThirdDoor")]
    assert {PLAIN.index.labels[node] for node in proposal.candidates} == {"Third Door", "Old Night"}


def test_better_evidence_outweighs_a_habit() -> None:
    habit = frozenset({1, 2})
    assert vouched({1: 0.5, 2: 0.5, 3: 0.5}, [habit]) == {1: 0.5, 2: 0.5}
    assert vouched({1: 0.5, 2: 0.5, 3: 0.9}, [habit]) == {1: 0.5, 2: 0.5, 3: 0.9}
    assert vouched({3: 0.5}, [frozenset()]) == {3: 0.5}


def test_the_data_suggests_what_nearly_all_candidates_share() -> None:
    row = rows(PLAIN.propose("which films were released in February"))["colour"]
    assert isinstance(row.atom, Triple)
    assert row.atom.object == Literal("colour")
    assert row.note.origin is Origin.PRAGMATIC
    assert row.note.reason is not None
    assert row.note.reason.startswith("5 of the 5")
    assert row.note.uncertainty == pytest.approx(1 - 6 / 7, abs=1e-3)
    assert row.note.sources == ("month",)


def test_what_the_data_suggests_is_not_presumed() -> None:
    grey = iri("SixthDoor")
    facts = [
        (grey, IRI(RDF_TYPE), FILM),
        (grey, IRI(RDFS_LABEL), Literal("Sixth Door")),
        (grey, iri("releaseDate"), Literal("1968-02-11", XSD_DATE)),
        (grey, iri("colour"), Literal("grey")),
    ]
    for number in range(5):  # so that five of six are not nearly all, but ten of eleven are
        film = iri(f"Extra{number}")
        facts += [
            (film, IRI(RDF_TYPE), FILM),
            (film, IRI(RDFS_LABEL), Literal(f"Extra {number}")),
            (film, iri("releaseDate"), Literal(f"1970-02-0{number + 1}", XSD_DATE)),
            (film, iri("colour"), Literal("colour")),
            (iri(f"Grey{number}"), IRI(RDF_TYPE), FILM),
            (iri(f"Grey{number}"), iri("colour"), Literal("grey")),
        ]
    larger = graph()
    for fact in facts:
        larger.add(fact)
    proposal = propose("which films were released in February", build_index(larger))
    assert "colour" in rows(proposal)
    assert grey in {one.key[0] for one in proposal.references}


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("zxqv wvuq", "UQ660"),
        ("which films by Flurbito", "UQ660"),
        ("which films star neither Bo Lind nor Dan Ooms", "UQ666"),
        ("who did not star in Quiet River", "UQ666"),
        ("is Ada Stone as tall as Bo Lind", "UQ660"),
        ("which film by director Ada Stone has the most zebras", "UQ666"),
    ],
)
def test_abstentions_say_why(question: str, code: str) -> None:
    proposal = PLAIN.propose(question)
    assert proposal.table is None
    assert proposal.abstained is not None
    assert proposal.abstained.code == code


def test_words_that_are_left_out_are_told() -> None:
    proposal = PLAIN.propose("which listed films did Ada Stone direct")
    assert answers(proposal) == {"Quiet River", "Loud River"}
    assert [(one.code, "listed" in one.message) for one in proposal.diagnostics] == [("UQ668", True)]
    assert PLAIN.propose("which zany films did Ada Stone direct").table is None
    assert PLAIN.propose("which films did Ada Stone direct").diagnostics == ()


def test_other_readings_are_kept_with_their_cost() -> None:
    proposal = PLAIN.propose("who directed Quiet River")
    assert proposal.alternatives
    assert all(one.cost >= proposal.cost - 1e-3 for one in proposal.alternatives)
    assert 0.0 < proposal.confidence <= 1.0


def test_a_person_s_list_may_hold_names_and_iris(tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    path.write_text(f'quiet river\n<{iri("LoudRiver").value}>\n{{"value": "Third Door", "confidence": 0.5}}\nNo Such\n')
    oracle = file_oracle(str(path), PLAIN.index)
    assert oracle.references == (
        ReferenceAnswer((iri("QuietRiver"),)),
        ReferenceAnswer((iri("LoudRiver"),)),
        ReferenceAnswer((iri("ThirdDoor"),), 0.5),
    )
    assert [one.code for one in oracle.diagnostics] == ["UQ663"]


def test_a_list_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DiagnosticError) as caught:
        file_oracle(str(tmp_path / "missing.txt"), PLAIN.index)
    assert caught.value.diagnostics[0].code == "UQ650"


def test_a_name_of_several_things_takes_the_preferred_one() -> None:
    from uniqgen_ir.ir.graph import Graph
    from uniqgen_ir.ir.vocabulary import RDFS_LABEL

    one, other = IRI("urn:x:1"), IRI("urn:x:2")
    index = build_index(Graph([(node, IRI(RDFS_LABEL), Literal("Georgia")) for node in (one, other)]))
    named = (ReferenceAnswer((Literal("Georgia"),)),)
    assert resolve_references(named, index, [index.numbers[other]]).references == (ReferenceAnswer((other,)),)
    unsure = resolve_references(named, index)
    assert unsure.references == (ReferenceAnswer((one,)),)
    assert [diagnostic.code for diagnostic in unsure.diagnostics] == ["UQ664"]
