"""The reader over what lies beside the project: the W3C tests of SPARQL 1.1, and the benchmarks' gold queries."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest

from tests.integration import w3c_suite
from uniqgen_ir.backends.sparql.renderer import SparqlRenderer
from uniqgen_ir.grammar.sparql import ReadResult, read_sparql
from uniqgen_ir.ir.codes import CODES
from uniqgen_ir.ir.diagnostics import DiagnosticError, errors
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.terms import Literal

SHARED = Path(__file__).parents[3] / "shared"
QUESTIONS = SHARED / "data" / "questions"
KG = SHARED / "data" / "kg"

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared (questions and W3C tests) is not there")

NAMED_GRAPHS = "UQ148"
NOT_IN_A_TABLE = {"UQ147", NAMED_GRAPHS, "UQ149"}
"""What is refused by name: calls of endpoints, named graphs, functions of the store."""


def read(case: w3c_suite.Case) -> ReadResult:
    return read_sparql(case.text, case.name, base=case.query.as_uri(), strict=True)


def refusals(result: ReadResult) -> set[str]:
    return {one.code for one in errors(result.diagnostics)}


@cache
def suite() -> tuple[w3c_suite.Case, ...]:
    return tuple(w3c_suite.cases())


def test_positive_syntax_tests_are_read() -> None:
    positive = [case for case in suite() if case.kind.startswith("Positive")]
    refused = {case.name: refusals(result) for case in positive if (result := read(case)).table is None}
    assert len(positive) >= 60
    assert all(codes <= NOT_IN_A_TABLE for codes in refused.values()), refused
    assert len(refused) <= 2


def test_negative_syntax_tests_are_refused() -> None:
    negative = [case for case in suite() if case.kind.startswith("Negative")]
    assert len(negative) >= 31
    assert [case.name for case in negative if read(case).table is not None] == []


def test_evaluation_tests_are_answered_as_expected_or_refused_by_name() -> None:
    passed = 0
    wrong: list[str] = []
    refused: Counter[str] = Counter()
    for case in suite():
        wanted = w3c_suite.expected(case.result) if case.result is not None else None
        if wanted is None:
            continue
        result = read(case)
        if result.table is None:
            refused.update(refusals(result))
            continue
        if w3c_suite.same(evaluate(result.table, w3c_suite.load(case.data)), wanted):
            passed += 1
        else:
            wrong.append(case.name)
    assert wrong == []
    assert set(refused) <= NOT_IN_A_TABLE
    assert passed >= 0.85 * (passed + refused.total())


def test_evaluation_tests_keep_their_answers_through_text_and_oxigraph() -> None:
    wrong: list[str] = []
    refused: Counter[str] = Counter()
    passed = 0
    for case in suite():
        wanted = w3c_suite.expected(case.result) if case.result is not None else None
        table = read(case).table
        if wanted is None or table is None:
            continue
        try:
            text = SparqlRenderer().render(table).text
        except DiagnosticError as error:
            refused.update(one.code for one in error.diagnostics)
            continue
        # what Oxigraph itself answers: it and the W3C differ in places
        direct, through = _oxigraph(case, case.text), _oxigraph(case, text)
        if w3c_suite.same(through, direct) or w3c_suite.same(through, wanted):
            passed += 1
        else:
            wrong.append(case.name)
    assert wrong == []
    assert set(refused) <= set(CODES)
    assert passed >= 150


def _oxigraph(case: w3c_suite.Case, text: str) -> Answers:
    store = pyoxigraph.Store()
    if case.data is not None:
        store.load(path=str(case.data), format=w3c_suite.FORMATS[case.data.suffix], base_iri=case.data.as_uri())
    return _answers(store.query(text, base_iri=case.query.as_uri()))


def _answers(found: Any) -> Answers:
    if isinstance(found, pyoxigraph.QueryBoolean):
        return Answers(("ask",), ((Literal.of(bool(found)),),))
    assert isinstance(found, pyoxigraph.QuerySolutions)
    columns = tuple(one.value for one in found.variables)
    return Answers(columns, tuple(tuple(w3c_suite.term(one[name]) for name in columns) for one in found))


FLOORS = {
    "webqsp_test": 0.99,
    "cwq_test": 0.99,
    "grailqa_1000": 0.99,
    "qald9plus_test_dbpedia": 0.90,
    "qald10_en_tog": 0.90,
    "lcquad1_test": 0.90,
    "sm3_dev": 0.95,
}


def gold(name: str) -> list[str]:
    with gzip.open(QUESTIONS / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [row["sparql"] for row in map(json.loads, lines) if row.get("sparql")]


@pytest.mark.parametrize("name", FLOORS)
def test_gold_queries_are_read_or_refused_with_a_reason(name: str) -> None:
    queries = gold(name)
    results = [read_sparql(query) for query in queries]
    assert all(result.table is not None or errors(result.diagnostics) for result in results)
    assert sum(result.table is not None for result in results) >= FLOORS[name] * len(queries)


@pytest.mark.parametrize("name", ["webqsp_test", "cwq_test", "grailqa_1000", "lcquad1_test"])
def test_the_fixes_of_idioms_make_standard_queries_of_the_same_meaning(name: str) -> None:
    mended = 0
    for query in gold(name)[::5]:
        result = read_sparql(query)
        fixes = [one.fix for one in result.diagnostics if one.fix is not None]
        text = query
        for fix in sorted(fixes, key=lambda one: -max(edit.start for edit in one.edits)):
            text = fix.apply(text)
        again = read_sparql(text, strict=True)
        assert again.table == result.table, (query, text)
        mended += bool(fixes)
    assert mended or name == "grailqa_1000"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["webqsp_test", "cwq_test", "grailqa_1000"])
def test_gold_queries_give_the_same_answers_through_the_table(name: str) -> None:
    """Oxigraph on the gold query, idioms mended, and on what the renderer makes of the table."""
    store = _freebase()
    exact = set(json.loads((KG / f"freebase_mini.{name}.exact_ids.json").read_text()))
    with gzip.open(QUESTIONS / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["id"] in exact][:150]
    assert len(rows) >= 50
    for row in rows:
        result = read_sparql(row["sparql"])
        assert result.table is not None
        answers = _answers(store.query(SparqlRenderer().render(result.table).text))
        got = {str(getattr(one[0], "value", getattr(one[0], "lexical", None))) for one in answers.rows}
        wanted = {str(one) for one in row["answers"]}
        assert {_plain(one) for one in got} == {_plain(one) for one in wanted}, row["id"]


def _plain(text: str) -> str | float:
    short = text.removeprefix("http://rdf.freebase.com/ns/")
    try:
        return float(short)
    except ValueError:
        return short


@cache
def _freebase() -> pyoxigraph.Store:
    store = pyoxigraph.Store()
    for name in ("freebase_mini.nt.gz", "freebase_mini.types.nt.gz"):
        with gzip.open(KG / name) as file:
            store.bulk_load(file.read(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    return store
