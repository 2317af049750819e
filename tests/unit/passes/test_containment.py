"""Containment: budgets, reasons, parts of verdicts, and what must not be claimed."""

from __future__ import annotations

import json

import pytest
from attrs import evolve

import uniqgen_ir as uq
from tests.conformance.answers import ask_store, store_of, turtle_of
from uniqgen_ir.backends.registry import renderer
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.table import MatchMode, Table
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.passes.containment import blocks, matching
from uniqgen_ir.passes.containment.compare import Relation, compare, contains, equivalent
from uniqgen_ir.passes.containment.decide import Decider
from uniqgen_ir.passes.containment.homomorphism import Arc, BudgetExceeded, Effort, Search
from uniqgen_ir.passes.saturate.dependencies import dependencies_of
from uniqgen_ir.passes.saturate.holds import violation

PREFIX = "prefix ex: <http://example.org/>\n"


def table(body: str, head: str = "select distinct ?x") -> Table:
    return uq.parse(f"{PREFIX}ctable t {{\n{head}\n{body}\n}}\n")


def schema(body: str) -> uq.Schema:
    return uq.parse_schema(f"{PREFIX}schema s {{\n{body}\n}}\n").schemas[0]


def clique(size: int) -> Table:
    names = [f"?k{place}" for place in range(size)]
    edges = [f"{one} ex:r {other}" for one in names for other in names if one != other]
    return table("\n".join(["?x ex:s ?k0", *edges]))


def test_a_budget_that_is_too_small_gives_unknown_with_the_budget_named() -> None:
    verdict = contains(clique(9), clique(8), budget=5_000)
    assert verdict.holds is None
    assert "5000" in verdict.reason


def test_effort_is_shared_and_runs_out() -> None:
    effort = Effort(3)
    effort.spend(3)
    with pytest.raises(BudgetExceeded):
        effort.spend()


def test_the_search_finds_all_solutions_of_a_small_problem() -> None:
    differ = {0: 0b110, 1: 0b101, 2: 0b011}
    arcs = [Arc(0, 1, differ), Arc(1, 2, differ), Arc(0, 2, differ)]
    found = list(Search([0b111] * 3, arcs, Effort(10_000)).solutions())
    assert sorted(map(tuple, found)) == sorted(
        (a, b, c) for a in range(3) for b in range(3) for c in range(3) if len({a, b, c}) == 3
    )
    assert list(Search([0b11] * 3, arcs, Effort(10_000)).solutions()) == []


def test_a_witness_is_evaluated_and_one_sided() -> None:
    a, b = table("?x ex:r ?y"), table("?x ex:r ?y\n?y ex:s ?z")
    found = compare(a, b)
    assert found.relation is Relation.B_IN_A
    witness = found.forward.witness
    assert witness is not None
    assert witness.answer in evaluate(a, witness.graph).rows
    assert witness.answer not in evaluate(b, witness.graph).rows
    assert found.backward.proof


def test_witnesses_hold_on_a_real_engine() -> None:
    pairs = [
        ("?x ex:r ?y", "?x ex:r ?y\n?y ex:s ?z"),
        ("?x ex:n ?v where ?v > 3", "?x ex:n ?v where ?v > 5"),
        ("?x ex:r ?y\nnot { ?y ex:s ?x }", "?x ex:r ?y\nnot { ?y ex:s ?z }"),
        ("?x ex:r{1,2} ?y", "?x ex:r ?y where ?y = ex:a"),
    ]
    for one, other in pairs:
        a, b = table(one), table(other)
        witness = contains(b, a).witness
        assert witness is not None
        triples = "\n".join(f"{s} {p} {o} ." for s, p, o in witness.graph)
        store = store_of(turtle_of("", triples))
        rows = [set(ask_store(store, renderer("oxigraph").render(query)).rows) for query in (a, b)]
        assert rows[0] - rows[1]


def test_without_witnesses_a_refusal_is_the_searchs_own() -> None:
    verdict = contains(table("?x ex:r ?y\n?y ex:s ?z"), table("?x ex:r ?y"), witnesses=False)
    assert verdict.holds is False
    assert verdict.witness is None
    unsure = contains(table("?x ex:r ?y\n?y ex:s ?z"), table("?x ex:r ?y\nnot { ?x ex:t ?y }"), witnesses=False)
    assert unsure.holds is None


def test_equivalent_gives_proof_or_witness() -> None:
    a, b = table("?x ex:r ?y\n?x ex:r ?z"), table("?x ex:r ?y")
    assert equivalent(a, b).holds is True
    assert len(equivalent(a, b).proof) == 2
    wrong = equivalent(b, table("?x ex:r ?y\n?x ex:s ?z"))
    assert wrong.holds is False
    assert wrong.witness is not None


def test_what_cannot_be_taken_apart_is_unknown_and_named() -> None:
    a = table("?x ex:n ?v\nlet ?w = ?v * 2\n?w > 3")
    b = table("?x ex:n ?v\nlet ?w = ?v + ?v\n?w > 3")
    found = compare(a, b)
    assert found.relation is Relation.UNKNOWN
    assert "let" in found.reason
    assert compare(a, a).relation is Relation.EQUIVALENT


def test_a_path_without_a_bound_maps_onto_itself_and_onto_longer_ones() -> None:
    def path(text: str) -> Table:
        return uq.parse(f"SELECT DISTINCT ?x ?y {{ ?x {text} ?y }}".replace("ex:r", "<http://example.org/r>"), "sparql")

    assert compare(path("ex:r+"), path("ex:r+")).relation is Relation.EQUIVALENT
    assert contains(path("ex:r*"), path("ex:r+")).holds is True
    assert contains(path("ex:r+"), path("ex:r{2,3}".replace("{2,3}", "/ex:r"))).holds is True
    assert contains(path("ex:r"), path("ex:r+")).holds is False
    assert contains(path("ex:r+"), path("ex:r*")).holds is False


def test_modes_of_matching_may_differ() -> None:
    mode = MatchMode.DIFFERENT_RELATIONSHIPS
    free = table("?x ex:r ?y\n?x ex:r ?z")
    strict = evolve(free, match_mode=mode)
    assert compare(free, strict).relation is Relation.B_IN_A
    one = table("?x ex:r ?y")
    assert compare(one, evolve(one, match_mode=mode)).relation is Relation.EQUIVALENT


def test_a_literal_that_ends_two_edges_may_be_one_property() -> None:
    """A property is no relationship: two patterns may bind the same one."""
    strict = evolve(table("?x ex:r 5\n?x ex:r ?z"), match_mode=MatchMode.DIFFERENT_RELATIONSHIPS)
    assert contains(strict, table("?x ex:r 5")).holds is True


def test_tables_inside_and_inline_tables_are_opened() -> None:
    inside = table("?x ex:r ?y\ntable {\n select distinct ?y\n ?y ex:s ?z\n}")
    assert compare(inside, table("?x ex:r ?y\n?y ex:s ?z")).relation is Relation.EQUIVALENT
    listed = table("?x ex:in ?land\nvalues ?land { ex:norway ex:sweden }")
    either = table("either { ?x ex:in ex:norway } or { ?x ex:in ex:sweden }")
    assert compare(listed, either).relation is Relation.EQUIVALENT


def test_answers_align_by_position() -> None:
    a = table("?x ex:r ?y", "select distinct ?x ?y")
    assert compare(a, table("?x ex:r ?y", "select distinct ?y ?x")).relation is Relation.INCOMPARABLE
    assert compare(a, table("?y ex:r ?x", "select distinct ?y ?x")).relation is Relation.EQUIVALENT


def test_what_a_row_computes_and_the_answer_shows_is_not_ignored() -> None:
    a = table("?x ex:n ?v\nlet ?w = ?v * 2", "select distinct ?w")
    b = table("?x ex:n ?v\nlet ?w = ?v * 3", "select distinct ?w")
    assert compare(a, b).relation is Relation.UNKNOWN
    assert compare(a, a).relation is Relation.EQUIVALENT


def test_a_query_without_answers_is_contained_in_everything() -> None:
    nothing = table("?x ex:n ?v where ?v > 5 and ?v < 3")
    found = compare(nothing, table("?x ex:s ?y"))
    assert found.relation is Relation.A_IN_B
    assert "contradict" in json.dumps(found.to_json())


def test_ask_and_select_are_never_the_same() -> None:
    ask = table("?x ex:r ?y", "ask")
    assert compare(ask, table("?x ex:r ?y")).relation is Relation.INCOMPARABLE
    assert compare(ask, table("?a ex:r ?b\n?c ex:r ?b", "ask")).relation is Relation.EQUIVALENT


def test_a_schemas_datatype_decides_with_literals_of_that_datatype() -> None:
    declared = schema("class ex:T\nproperty ex:price : ex:T -> xsd:double")
    a, b = table("?x ex:price ?v where ?v > 3"), table("?x ex:price ?v where ?v > 3.5")
    found = contains(b, a, declared)
    assert found.holds is False
    assert found.witness is not None
    values = [fact[2] for fact in found.witness.graph if isinstance(fact[2], Literal)]
    assert values
    assert all(one.datatype.endswith("double") for one in values)
    assert violation(found.witness.graph, dependencies_of(declared)) is None


def test_a_value_that_is_a_condition_may_be_true() -> None:
    """`where ?y` holds for numbers other than 0, texts that are not empty, and true: it does not exclude everything."""
    a = table("?x ex:r ?x\n?x ex:v ?y where ?y")
    assert contains(table("?x ex:s ?y"), a).holds is False
    assert compare(a, table("?x ex:r ?x\n?x ex:v ?y")).relation is Relation.A_IN_B


def test_nothing_is_claimed_of_values_that_cannot_be_tried() -> None:
    for condition in ("datatype(?v) = xsd:integer", '?v > "P1D"^^xsd:dayTimeDuration', 'lang(?v) = "en"'):
        a = table(f"?x ex:n ?v where {condition}")
        assert contains(table("?x ex:s ?y"), a).holds is not True
        assert compare(a, a).relation is Relation.EQUIVALENT


def test_a_wrong_homomorphism_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the search to forget the head, the referee would contradict it; the verdict would then be a lie."""
    a, b = table("?y ex:r ?x"), table("?x ex:r ?y")
    assert contains(b, a).holds is False
    monkeypatch.setattr(matching, "zip", lambda *_, **__: (), raising=False)
    assert contains(b, a).holds is True


def test_a_decider_without_others_says_whether_a_block_can_hold() -> None:
    impossible = blocks.Block((), (blocks.Edge((Literal("a"), IRI("http://e/r"), IRI("http://e/b")), "c1"),))
    assert Decider(None, Effort(100)).contained(impossible, ()).cases


# --- a constant in a pattern is a term; a comparison is about values --------------------------------------------------

A_TERM = "?x ex:e 1"
VALUES = ("?x ex:e ?y where ?y = 1", "?x ex:e ?y where ?y >= 1 and ?y <= 1", "?x ex:e ?y where ?y in (1)")


@pytest.mark.parametrize("value", VALUES)
def test_a_value_may_be_spelt_otherwise_than_the_term_of_a_pattern(value: str) -> None:
    found = compare(table(A_TERM), table(value))
    assert found.relation is Relation.A_IN_B
    assert found.backward.witness is not None
    (fact,) = found.backward.witness.graph
    assert fact[2] != Literal.of(1)


def test_the_spelling_counts_under_not_in_paths_and_under_a_schema() -> None:
    typed = schema("property ex:e : ex:C -> xsd:integer")
    assert compare(table(A_TERM), table(VALUES[0]), typed).relation is Relation.A_IN_B
    out, inside = (table(f"?x ex:r ?z\nnot {{ {one} }}") for one in (A_TERM, VALUES[0]))
    assert contains(out, inside).holds
    assert contains(inside, out).holds is not True
    along, step = table("?x ex:r/ex:e 1"), table("?x ex:r/ex:e ?y\n?y >= 1\n?y <= 1")
    assert compare(along, step).relation is Relation.A_IN_B


@pytest.mark.parametrize(
    ("term", "datatype"),
    [
        *(("true", "boolean"), ("7", "integer"), ("-7", "int"), ("7.5", "decimal"), ("7", "decimal"), ("7", "double")),
        *(("2000-01-01T00:00:00", "dateTime"), ("2000-01-01T00:00:00.5Z", "dateTime"), ("2000-01-01Z", "date")),
        ("12:00:00", "time"),
    ],
)
def test_every_datatype_has_values_with_several_terms(term: str, datatype: str) -> None:
    literal = f'"{term}"^^xsd:{datatype}'
    typed = schema(f"property ex:e : ex:C -> xsd:{datatype}")
    for known in (None, typed):
        found = compare(table(f"?x ex:e {literal}"), table(f"?x ex:e ?y where ?y = {literal}"), known)
        assert found.forward.holds, known
        assert found.backward.holds is not True, known
    assert compare(table(f"?x ex:e {literal}"), table(f"?x ex:e ?y where ?y = {literal}")).backward.witness is not None


def test_a_date_without_a_zone_and_a_text_have_one_term() -> None:
    for literal in ('"2000-01-01"^^xsd:date', '"a"'):
        assert equivalent(table(f"?x ex:e {literal}"), table(f"?x ex:e ?y where ?y = {literal}")).holds


def test_minimising_keeps_the_narrower_of_a_term_and_a_value() -> None:
    whole = table(f"p: {VALUES[0]}\nq: {A_TERM}")
    assert [row.id for row in uq.minimize(whole).rows] == ["q"]


# --- shells -----------------------------------------------------------------------------------------------------------


def test_columns_that_only_the_shell_looks_at_are_none_of_the_head() -> None:
    plain = table("?x ex:n ?y")
    best = table("?x ex:n ?y\nargmax ?x by ?y")
    found = compare(best, plain)
    assert found.relation is Relation.A_IN_B
    assert found.backward.witness is not None
    many = table("?x ex:n ?y\ngroup by ?x\nhaving count(?y) > 1")
    assert contains(plain, many).holds
    assert compare(many, plain).relation is Relation.A_IN_B


def test_groups_that_are_only_shown_are_distinct_answers() -> None:
    assert equivalent(table("?x ex:n ?y\ngroup by ?x"), table("?x ex:n ?y")).holds
    counted, every = (table("?x ex:n ?y\ngroup by ?x", f"select ?x, count({one}) as ?n") for one in ("?y", "*"))
    assert equivalent(counted, every).holds
    different = table("?x ex:n ?y\ngroup by ?x", "select ?x, count(distinct ?y) as ?n")
    assert not equivalent(counted, different).holds


# --- property graphs --------------------------------------------------------------------------------------------------


def test_a_relationship_with_a_property_is_an_edge() -> None:
    some, every = (
        uq.parse(f"MATCH (x:P)-[r:K{one}]->(y) RETURN DISTINCT x", language="cypher") for one in (" {w: 1}", "")
    )
    found = compare(some, every)
    assert found.relation is Relation.A_IN_B
    assert found.backward.witness is not None
    facts = {str(fact[1]) for fact in found.backward.witness.graph}
    assert any("urn:pg:type:K" in one for one in facts)
    assert any("urn:pg:source" in one for one in facts)
