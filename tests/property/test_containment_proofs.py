"""Proofs are read by a checker that shares no code with the search; a homomorphism that was tampered with is caught."""

from __future__ import annotations

from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.property.test_containment_referee import queries
from tests.property.test_saturate import as_table, pattern_sets, schemas
from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.passes.containment.check import Check, check_proof
from uniqgen_ir.passes.containment.compare import contains
from uniqgen_ir.passes.containment.decision import ProofCase
from uniqgen_ir.passes.containment.queries import prepare
from uniqgen_ir.passes.containment.verdict import Verdict
from uniqgen_ir.passes.saturate.dependencies import dependencies_of
from uniqgen_ir.passes.saturate.patterns import Pattern


def checked(verdict: Verdict, a: Table, b: Table, schema: Schema | None = None) -> Check:
    """The check against blocks that are taken from the tables anew."""
    narrower, wider = prepare(a, "_a", schema), prepare(b, "_b", schema)
    dependencies = None if schema is None else dependencies_of(schema)
    return check_proof(verdict.proof, narrower.blocks, wider.blocks, dependencies)


@given(queries(relations=2, variables=3, most=4), queries(relations=2, variables=3, most=3))
def test_proofs_on_patterns_are_complete(a: Table, b: Table) -> None:
    assume(len(a.head) == len(b.head))
    verdict = contains(b, a)
    if verdict.holds:
        assert checked(verdict, a, b) == Check((), ())


@given(pattern_sets(), pattern_sets(), schemas(rules=True))
def test_proofs_under_a_schema_are_replayed(one: list[Pattern], other: list[Pattern], schema: Schema) -> None:
    a, b = as_table(one), as_table(other)
    verdict = contains(b, a, schema, witnesses=False)
    if verdict.holds:
        found = checked(verdict, a, b, schema)
        merged = {"values that the schema merges"}
        assert set(found.unproved) <= merged or all(one.startswith("no answers") for one in found.unproved)
        assert found.problems == () or set(found.unproved) & merged


@given(queries(relations=1, variables=3, most=4), st.data())
def test_a_homomorphism_that_was_tampered_with_is_caught(a: Table, data: st.DataObject) -> None:
    verdict = contains(a, a)
    assert verdict.holds
    cases = [case for case in verdict.proof if isinstance(case, ProofCase)]
    place = data.draw(st.integers(0, len(cases) - 1))
    case = cases[place]
    variable = data.draw(st.sampled_from(sorted(case.match.terms, key=str)))
    terms = {**case.match.terms, variable: IRI("http://example.org/elsewhere")}
    cases[place] = evolve(case, match=evolve(case.match, terms=terms))
    assert checked(evolve(verdict, proof=tuple(cases)), a, a).problems


def test_a_case_that_is_left_out_is_caught() -> None:
    prefix = "prefix ex: <http://example.org/>\nctable t {\nselect distinct ?x\n"
    a = parse_table(prefix + "?x ex:n ?v where ?v > 0\n}")
    b = parse_table(prefix + "either { ?x ex:n ?v where ?v < 5 } or { ?x ex:n ?v where ?v >= 5 }\n}")
    verdict = contains(b, a)
    assert len(verdict.proof) == 2
    assert checked(verdict, a, b) == Check((), ())
    for case in verdict.proof:
        assert "no case covers" in checked(evolve(verdict, proof=(case,)), a, b).problems[0]
