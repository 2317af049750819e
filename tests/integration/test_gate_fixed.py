"""What the gate mends is clean, and runs: on the graphs beside the project."""

from __future__ import annotations

import ast
import gzip
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest

from tests.integration.northwind import write_northwind
from uniqgen_ir.driver import KnowledgeGraph, read, run_table
from uniqgen_ir.ir.diagnostics import DiagnosticError, errors
from uniqgen_ir.validate.gate import check
from uniqgen_ir.validate.schema_sources import vocabulary_of_graph, vocabulary_of_json
from uniqgen_ir.validate.vocabulary import Vocabulary

DATA = Path(__file__).parents[2].parent / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="../shared is absent")


def lines(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def answers(query: str, graph: KnowledgeGraph) -> list[tuple[str, ...]] | None:
    """The answers in order; None for a query that is refused by name or does not end within five seconds."""
    try:
        table = read(query, "cypher", "mended", unbounded="allow").table
        found = run_table(table, graph, "oxigraph", timeout=5)
    except DiagnosticError:
        return None
    return sorted(tuple(map(str, row)) for row in found.rows)


@pytest.fixture(scope="module")
def movies() -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph([str(DATA / "kg" / "movies.cypher.gz")]) as graph:
        yield graph


@pytest.fixture(scope="module")
def pole() -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph([str(DATA / "kg" / "pole_csv")]) as graph:
        yield graph


@pytest.fixture(scope="module")
def northwind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeGraph]:
    folder = write_northwind(DATA / "kg" / "northwind_csv", tmp_path_factory.mktemp("northwind"))
    with KnowledgeGraph([str(folder)]) as graph:
        yield graph


def schema_of(name: str) -> Vocabulary:
    """The schema that the models were shown."""
    (text,) = (one["structured_schema"] for one in lines("kg/text2cypher_schemas") if one["id"] == name)
    return vocabulary_of_json(ast.literal_eval(text) if isinstance(text, str) else text)


@pytest.mark.parametrize(("name", "least"), [("movies", 5), ("northwind", 10)])
def test_mended_queries_of_models_run_on_their_graph(name: str, least: int, request: pytest.FixtureRequest) -> None:
    graph: KnowledgeGraph = request.getfixturevalue(name)
    schema = schema_of(name)
    ran = 0
    for file in ("text2cypher_gpt4turbo", "text2cypher_claudeopus"):
        for line in lines(f"questions/{file}"):
            if line["schema"] != name or ran > 40:
                continue
            mended = check(line["cypher"], language="cypher", schema=schema).fixed_query
            if mended is None:
                continue
            assert errors(check(mended, language="cypher", schema=schema).diagnostics) == (), line["id"]
            ran += answers(mended, graph) is not None
    assert ran > least


def damaged(query: str, chance: random.Random) -> str:
    """The query with types or labels in another case, or in a code fence."""
    match chance.randrange(3):
        case 0:
            return re.sub(r"\[:(\w+)", lambda found: f"[:{found[1].lower()}", query)
        case 1:
            return re.sub(r"\((\w*):(\w+)", lambda found: f"({found[1]}:{found[2].lower()}", query)
        case _:
            return f"Here is the query:\n```cypher\n{query}\n```"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["zograscope_test_v1", "zograscope_length_test_v1"])
def test_gold_queries_pass_with_the_schema_of_their_graph(name: str, pole: KnowledgeGraph) -> None:
    schema = vocabulary_of_graph(pole.loaded.graph, pole.vocabulary.schema, dict(pole.vocabulary.prefixes))
    texts = [line["cypher"] for line in lines(f"questions/{name}")]
    assert [text for text in texts if not check(text, language="cypher", schema=schema).valid] == []


@pytest.mark.slow
def test_damaged_gold_queries_are_mended_to_the_same_answers(pole: KnowledgeGraph) -> None:
    schema = vocabulary_of_graph(pole.loaded.graph, pole.vocabulary.schema, dict(pole.vocabulary.prefixes))
    chance = random.Random(5)
    gold = chance.sample([line["cypher"] for line in lines("questions/zograscope_test_v1")], 30)
    mended = 0
    for query in gold:
        spoilt = damaged(query, chance)
        report = check(spoilt, language="cypher", schema=schema)
        if spoilt == query or report.valid or report.fixed_query is None or not report.fix_is_safe:
            continue
        assert errors(check(report.fixed_query, language="cypher", schema=schema).diagnostics) == ()
        right = answers(query, pole)
        if right is None:
            continue
        assert answers(report.fixed_query, pole) == right, (spoilt, report.fixed_query)
        mended += 1
    assert mended > 20


def test_mended_idioms_run_on_the_sample_of_freebase() -> None:
    store = pyoxigraph.Store()
    with gzip.open(DATA / "kg" / "freebase_mini.nt.gz") as file:
        store.bulk_load(input=file.read(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    ran = 0
    for name in ("webqsp_test", "cwq_test", "grailqa_1000"):
        for line in lines(f"questions/{name}"):
            mended = check(line["sparql"], language="sparql").fixed_query
            if mended is None or ran >= 60:
                continue
            assert errors(check(mended, language="sparql").diagnostics) == (), line["id"]
            # the engine refuses local names with two dots, which Freebase is full of
            full = re.sub(r"(?<![\w<])ns:([\w.]*\w)", r"<http://rdf.freebase.com/ns/\1>", mended)
            store.query(full)
            ran += 1
    assert ran > 20
