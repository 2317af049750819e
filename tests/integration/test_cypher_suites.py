"""Cypher that people and models wrote, and the openCypher TCK: what is read, what is refused, what comes out."""

from __future__ import annotations

import gzip
import json
import random
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.integration.cypher_tck import (
    FEATURES,
    CannotBuildError,
    PropertyGraph,
    Scenario,
    counted,
    expected_value,
    scenarios,
)
from tools import cypher_read_table
from uniqgen_ir.grammar.cypher import check_cypher, parse_cypher, read_cypher
from uniqgen_ir.ir.diagnostics import Diagnostic, errors
from uniqgen_ir.ir.evaluation.evaluate import evaluate

SHARED = Path(__file__).parents[2].parent / "shared"
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")

GOLD = ("zograscope_test_v1", "zograscope_length_test_v1", "sm3_dev")
GENERATED = ("text2cypher_gpt4turbo", "text2cypher_claudeopus")


def questions(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(SHARED / "data" / "questions" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def faults(text: str) -> tuple[Diagnostic, ...]:
    parse = parse_cypher(text)
    return errors((*parse.diagnostics, *check_cypher(parse)))


@cache
def tck() -> tuple[Scenario, ...]:
    return tuple(scenarios())


def test_the_cases_marked_valid_are_read_without_an_error() -> None:
    lines = (SHARED / "cases" / "generated_queries.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [one for one in map(json.loads, lines) if one["language"] == "cypher" and one["expect"]["valid"]]
    assert len(cases) > 20
    assert [one["id"] for one in cases if faults(one["query"])] == []


@pytest.mark.parametrize("name", GOLD)
def test_every_gold_query_is_read(name: str) -> None:
    # sm3_dev says in a sentence where there is no query
    texts = [one["cypher"] for one in questions(name) if not one["cypher"].startswith("No answer possible")]
    assert len(texts) > 600
    assert [text for text in texts if faults(text)] == []


@pytest.mark.parametrize("name", GOLD)
def test_every_gold_query_becomes_a_table(name: str) -> None:
    texts = [one["cypher"] for one in questions(name) if not one["cypher"].startswith("No answer possible")]
    sample = random.Random(1).sample(texts, 300)
    assert [text for text in sample if read_cypher(text, unbounded="allow").table is None] == []


@pytest.mark.parametrize("name", GENERATED)
def test_queries_that_gave_results_are_read_unless_neo4j_refuses_them(name: str) -> None:
    # not all of them are valid: SELECT in brackets, `size{}`, variables that WITH dropped
    verdicts = json.loads(cypher_read_table.VERDICTS.read_text(encoding="utf-8"))
    found = list(cypher_read_table.readings(name, tables=False))
    refused = [one for one in found if one.faults]
    assert len(found) > 1900
    assert [one.id for one in refused if one.id not in verdicts] == [], "ask Neo4j: python -m tools.cypher_read_table"
    assert cypher_read_table.read_share(found, verdicts) >= 0.99
    assert len(refused) / len(found) < 0.015


@pytest.mark.slow
def test_the_page_of_what_is_read_is_current() -> None:
    verdicts = json.loads(cypher_read_table.VERDICTS.read_text(encoding="utf-8"))
    found = {name: list(cypher_read_table.readings(name)) for name in ("cases", *GOLD, *GENERATED)}
    assert cypher_read_table.PAGE.read_text(encoding="utf-8") == cypher_read_table.page(found, verdicts)


def _is_compile_error(scenario: Scenario) -> bool:
    return scenario.error is not None and scenario.error[:2] == ("SyntaxError", "compile time")


@pytest.mark.skipif(not FEATURES.is_dir(), reason="../shared/suites/tck is absent")
def test_the_tck_is_read_and_its_syntax_errors_are_found() -> None:
    false_alarms = [
        one.name
        for one in tck()
        if not _is_compile_error(one) and {found.kind for found in faults(one.query)} - {"write"}
    ]
    missed = [one.name for one in tck() if _is_compile_error(one) and not faults(one.query)]
    assert len(tck()) > 800
    assert (false_alarms, missed) == ([], [])


def _outcome(scenario: Scenario) -> str:
    table = read_cypher(scenario.query).table
    if table is None:
        return "refused"
    graph = PropertyGraph()
    try:
        for script in scenario.setup:
            graph.run(script)
        expected = [tuple(map(expected_value, row)) for row in scenario.rows]
    except CannotBuildError:
        return "cannot be set up"
    answers = evaluate(table, graph.graph, deadline=time.monotonic() + 30)
    columns = scenario.columns or ()
    if sorted(answers.columns) != sorted(columns):
        return "wrong columns"
    places = [answers.columns.index(name) for name in columns]
    rows = [tuple(graph.plain(row[place]) for place in places) for row in answers.rows]
    same = rows == expected if scenario.ordered else counted(rows) == counted(expected)
    return "right" if same else "wrong"


@pytest.mark.skipif(not FEATURES.is_dir(), reason="../shared/suites/tck is absent")
def test_the_tables_of_tck_queries_give_the_answers_that_the_tck_expects() -> None:
    runnable = [one for one in tck() if one.columns is not None and one.error is None and not one.parameters]
    outcomes = [(_outcome(one), one.name) for one in runnable]
    assert [name for outcome, name in outcomes if outcome.startswith("wrong")] == []
    # lists, maps and paths as values, which a table cannot mean, are most of the rest
    assert sum(outcome == "right" for outcome, _ in outcomes) >= 350
