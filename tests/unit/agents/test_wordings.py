"""Ways to say things: facts with several sides, classes in other words, parts of names, nouns of agency, years."""

from __future__ import annotations

import pytest

from uniqgen_ir.agents.propose import Proposer
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.vocabulary import RDF_TYPE, RDFS_LABEL, XSD_INTEGER
from uniqgen_ir.kg.linking.index import build_index
from uniqgen_ir.kg.linking.linker import link

NS = "http://harbour.example/"
_NAMES = {
    "ann": "Ann Barlow", "ben": "Ben T. Corrie", "joe": "J. B. Marsh", "mor": "Morwell Institute",
    "tal": "Talby School", "uh": "United Harbours", "wst": "Western Standard", "gull": "Gull", "tern": "Tern",
    "heron": "Heron", "knot": "Knot",
}  # fmt: skip
_TYPES = {
    "person": ("ann", "ben", "joe"), "nautical_college": ("mor", "tal"), "organisation": ("uh",),
    "time_zone": ("wst",), "unit_of_speed": ("knot",), "ship": ("gull", "tern", "heron"),
}  # fmt: skip
_EDGES = (
    ("ann", "training", "m0a1"), ("m0a1", "institution", "mor"), ("ben", "training", "m0a2"),
    ("m0a2", "institution", "tal"), ("uh", "time_zone", "wst"), ("ann", "commands", "gull"),
    ("ben", "commands", "tern"),
    ("joe", "owns", "heron"), ("ann", "occupation", "skipper"), ("uh", "member", "ann"), ("uh", "member", "ben"),
    ("wst", "base_unit", "knot"),
)  # fmt: skip
_YEARS = {"ann": ("born", 1961), "ben": ("born", 1958), "gull": ("launched", 1990), "tern": ("launched", 2004)}


def iri(name: str) -> IRI:
    return IRI(NS + name)


def _facts() -> list[Fact]:
    facts: list[Fact] = [(iri(key), IRI(RDFS_LABEL), Literal(name)) for key, name in _NAMES.items()]
    facts.append((iri("skipper"), IRI(RDFS_LABEL), Literal("skipper")))
    facts += [(iri(key), IRI(RDF_TYPE), iri(kind)) for kind, keys in _TYPES.items() for key in keys]
    facts += [(iri(start), iri(relation), iri(end)) for start, relation, end in _EDGES]
    facts += [(iri(key), iri(name), Literal(str(year), XSD_INTEGER)) for key, (name, year) in _YEARS.items()]
    return facts


GRAPH = Graph(_facts())
INDEX = build_index(GRAPH)
PROPOSER = Proposer(INDEX)


def answers(question: str) -> set[str]:
    proposal = PROPOSER.propose(question)
    assert proposal.table is not None, proposal.abstained
    found = [row[0] for row in evaluate(proposal.table, GRAPH).rows]
    return {INDEX.labels[INDEX.numbers[term]] if term in INDEX.numbers else term.lexical for term in found}  # type: ignore[index,union-attr]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was the institution of Ann Barlow's training?", {"Morwell Institute"}),  # through a fact without a name
        ("Where did Ann Barlow do her training?", {"Morwell Institute"}),
        ("At which college was Ben Corrie's training?", {"Talby School"}),  # the head of `nautical college`
        ("What timezone is United Harbours in?", {"Western Standard"}),
        ("What time zone is UH in?", {"Western Standard"}),
        ("Which ship does JB Marsh own?", {"Heron"}),
        ("Who was Ann Barlow?", {"skipper"}),
        ("What kind of ship does Ann Barlow command?", {"Gull"}),
        ("Which commanders were born in 1958?", {"Ben T. Corrie"}),
        ("In which year was Gull launched?", {"1990"}),
        ("Which ships were launched after 2000?", {"Tern"}),
        ("Who is the oldest member of United Harbours?", {"Ben T. Corrie"}),
        ("what ship does ann barlow command", {"Gull"}),
        ("ann barlow s ship", {"Gull"}),
    ],
)
def test_wordings(question: str, expected: set[str]) -> None:
    assert answers(question) == expected


@pytest.mark.parametrize(
    "question", ["Which member trains parrots?", "Who painted Gull?", "Which harbours does Ann own?"]
)
def test_what_is_not_there_is_refused(question: str) -> None:
    proposal = PROPOSER.propose(question)
    assert proposal.table is None
    assert proposal.abstained is not None


def test_codes_are_no_names() -> None:
    assert {INDEX.terms[node] for node in INDEX.nameless} == {iri("m0a1"), iri("m0a2")}


def test_a_compound_is_cut_only_where_the_graph_says_so() -> None:
    tokens = link("timezone of timekeepers", INDEX).tokens
    assert [token.text for token in tokens] == [
        "time",
        "zone",
        "of",
        "timekeepers",
    ]


def test_a_part_of_a_name_must_be_much_more_talked_about() -> None:
    assert [one.text for one in link("who commands for Barlow", INDEX).entities] == ["Barlow"]
    kim = iri("kim")
    two = Graph([*_facts(), (kim, IRI(RDFS_LABEL), Literal("Kim Corrie")), (kim, iri("owns"), iri("tern"))])
    assert [one.text for one in link("who trained Corrie", build_index(two)).entities] == ["Corrie"]
    equal = Graph([*two, *((kim, iri("owns"), iri(f"ship{number}")) for number in range(3))])
    assert link("who trained Corrie", build_index(equal)).entities == ()
