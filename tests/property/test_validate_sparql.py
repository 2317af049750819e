"""Mutated queries never break the gate, and a mended query has no error left."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.timing import within
from tests.unit.validate_sparql import test_conditions, test_scope, test_syntax, test_values
from tests.unit.validate_sparql.sparql_gate import PROLOGUE, SCHEMA
from uniqgen_ir.ir.diagnostics import errors
from uniqgen_ir.validate.gate import check, vocabulary_of

QUERIES = [
    PROLOGUE + query
    for module in (test_conditions, test_scope, test_syntax, test_values)
    for query, _, _ in module.CASES
]
PIECES = sorted({piece for query in QUERIES for piece in query.split()})
VOCABULARY = vocabulary_of(SCHEMA)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A query with up to four pieces removed, doubled, replaced or put in."""
    text = draw(st.sampled_from(QUERIES))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        piece = draw(st.one_of(st.just(""), st.sampled_from(PIECES), st.just(text[start:end] * 2), st.characters()))
        text = text[:start] + piece + text[end:]
    return text


@settings(max_examples=150, deadline=None)
@given(mutated())
def test_nothing_but_a_report_comes_of_a_mutated_query(text: str) -> None:
    report = within(1.0, lambda: check(text, language="sparql", schema=VOCABULARY))
    for one in report.diagnostics:
        assert one.span is None or 0 <= one.span.start <= one.span.end <= len(text)
        if one.fix is not None:
            assert all(0 <= edit.start <= edit.end <= len(text) for edit in one.fix.edits)
    if report.fixed_query is not None:
        assert not errors(check(report.fixed_query, language="sparql", schema=VOCABULARY).diagnostics)
