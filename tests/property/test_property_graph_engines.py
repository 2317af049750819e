"""One random property graph, one random query, four engines: the same answers, or a refusal by name.

The graphs have parallel relationships, loops, several labels a node, properties of mixed types and missing ones, times
across zones, and names and values that want quoting.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.driver import KnowledgeGraph, read, run_table
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.protocols import StoreError
from uniqgen_ir.ir.terms import GroundTerm, Literal
from uniqgen_ir.ir.values import value_of
from uniqgen_ir.ir.vocabulary import XSD_INTEGER

ENGINES = ("oxigraph", "ladybug", "kglite")
REFUSALS = {"UQ500", "UQ505", "UQ506", "UQ509"}
LABELS = ("P", "Q R", "a.b", "it's", "b`t", "Zoé")
TYPES = ("K", "L.m", "x`y 'z'")
KEYS = ("w", "odd key", "k.d", "q'uo\"te", "b`t")
VALUES = (
    "1",
    "2",
    "-7",
    "2.5",
    "true",
    "'1'",
    "'it\\'s `x` \\\\ \"y\"'",
    "'Zoé }; // \u202e'",
    "''",
    "date('2001-02-03')",
    "datetime('2001-02-03T10:00:00+02:00')",
    "datetime('2001-02-03T08:00:00Z')",
    "localdatetime('2001-02-03T08:00:00')",
)
Properties = dict[str, str]


@frozen
class World:
    """A graph: labels and properties of nodes; source, type, target and properties of relationships. And a query."""

    nodes: Sequence[tuple[Sequence[str], Properties]]
    edges: Sequence[tuple[int, str, int, Properties]]
    query: str

    @property
    def script(self) -> str:
        """What creates the graph."""
        parts = [f"(n{n}{_labels(labels)} {_map(given)})" for n, (labels, given) in enumerate(self.nodes)]
        parts += [f"(n{a})-[:{quote_name(kind)} {_map(given)}]->(n{b})" for a, kind, b, given in self.edges]
        return "CREATE " + ",\n ".join(parts)


def _labels(labels: Sequence[str]) -> str:
    return "".join(f":{quote_name(one)}" for one in labels)


def _map(given: Properties) -> str:
    return "{" + ", ".join(f"{quote_name(key)}: {value}" for key, value in given.items()) + "}"


def properties(most: int) -> st.SearchStrategy[Properties]:
    return st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES), max_size=most)


@st.composite
def queries(draw: st.DrawFn) -> str:
    key, other = (quote_name(draw(st.sampled_from(KEYS))) for _ in range(2))
    value = draw(st.sampled_from(VALUES))
    label = quote_name(draw(st.sampled_from(LABELS)))
    kind, second = (quote_name(draw(st.sampled_from(TYPES))) for _ in range(2))
    sign = draw(st.sampled_from(("=", "<>", "<", ">=")))
    where = draw(st.sampled_from(("", f" WHERE a.{key} {sign} {value}", f" WHERE NOT a.{key} = b.{other}")))
    arrow = draw(st.sampled_from((f"-[:{kind}]->", f"<-[:{kind}]-", f"-[r:{kind}]-", "-->", f"-[:{kind}|{second}]->")))
    return draw(
        st.sampled_from(
            (
                f"MATCH (a:{label}) RETURN a.{key} AS x, a.{other} AS y",
                f"MATCH (a){arrow}(b){where} RETURN a.{key} AS x, b.{other} AS y",
                f"MATCH (a){arrow}(b){where} RETURN count(*) AS n",
                f"MATCH (a){arrow}(b)-[:{second}]->(c){where} RETURN count(*) AS n",
                f"MATCH (a)-[r:{kind}]->(b){where} RETURN r.{key} AS x, b.{other} AS y",
                f"MATCH (a){arrow}(b){where} RETURN a.{key} AS x, count(*) AS n",
                f"MATCH (a:{label}) OPTIONAL MATCH (a)-[:{kind}]->(b) RETURN a.{key} AS x, b.{other} AS y",
                f"MATCH (a) WHERE EXISTS {{ (a){arrow}(b:{label}) }} RETURN a.{key} AS x",
                f"MATCH (a) RETURN a.{key} AS x, COUNT {{ (a)-[:{kind}]->() }} AS n",
            )
        )
    )


@st.composite
def worlds(draw: st.DrawFn) -> World:
    nodes = draw(
        st.lists(
            st.tuples(st.lists(st.sampled_from(LABELS), max_size=3, unique=True), properties(3)), min_size=2, max_size=4
        )
    )
    places = st.integers(0, len(nodes) - 1)
    edges = draw(st.lists(st.tuples(places, st.sampled_from(TYPES), places, properties(1)), min_size=2, max_size=7))
    return World(nodes, edges, draw(queries()))


def shown(term: GroundTerm | None) -> Any:
    """The value of a term, as far as it has one; integral doubles and integers stay apart."""
    if not isinstance(term, Literal):
        return term
    return (term.datatype, value_of(term)) if value_of(term) is not None else term


def answers(graph: KnowledgeGraph, engine: str, query: str) -> Counter[tuple[Any, ...]]:
    table = read(query, "cypher", parallel=graph.parallel(engine)).table
    return Counter(tuple(map(shown, row)) for row in run_table(table, graph, engine, timeout=60).rows)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as place:
        yield Path(place)


def refused(graph: KnowledgeGraph, engine: str, query: str) -> Counter[tuple[Any, ...]] | None:
    """The answers; None where the engine's dialect refuses the query by name. Raises every other error."""
    try:
        return answers(graph, engine, query)
    except DiagnosticError as refusal:
        codes = {one.code for one in refusal.diagnostics}
        if isinstance(refusal, StoreError) or not codes <= REFUSALS:
            raise
        return None


@settings(max_examples=14, deadline=None, suppress_health_check=list(HealthCheck))
@given(world=worlds())
def test_every_engine_gives_the_answers_of_the_reference(folder: Path, world: World) -> None:
    path = folder / "graph.cypher"
    path.write_text(world.script, encoding="utf-8")
    with KnowledgeGraph([str(path)]) as graph:
        expected = answers(graph, "reference", world.query)
        assert answers(graph, "oxigraph", world.query) == expected, world.query
        for engine in ("ladybug", "kglite"):
            assert refused(graph, engine, world.query) in (None, expected), (engine, world.query)


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(world=worlds(), kind=st.sampled_from(TYPES))
def test_relationships_are_counted_one_by_one(folder: Path, world: World, kind: str) -> None:
    path = folder / "counted.cypher"
    path.write_text(world.script, encoding="utf-8")
    one_way = sum(type_ == kind for _, type_, _, _ in world.edges)
    both = sum(1 if a == b else 2 for a, type_, b, _ in world.edges if type_ == kind)
    with KnowledgeGraph([str(path)]) as graph:
        for engine in ("reference", *ENGINES):
            ways = refused(graph, engine, f"MATCH (a)-[:{quote_name(kind)}]->(b) RETURN count(*) AS n")
            assert ways == Counter({((XSD_INTEGER, one_way),): 1}), engine
            ways = refused(graph, engine, f"MATCH (a)-[:{quote_name(kind)}]-(b) RETURN count(*) AS n")
            # ladybug has no groups over alternatives
            assert ways == Counter({((XSD_INTEGER, both),): 1}) or (ways is None and engine == "ladybug"), engine


def test_few_queries_are_refused(folder: Path) -> None:
    """The engines agree on answers, not on refusing everything."""
    path = folder / "fixed.cypher"
    path.write_text(
        World([(("P",), {"w": "1"}), (("P",), {"w": "'1'"})], [(0, "K", 1, {}), (0, "K", 1, {})], "").script
    )
    asked = (
        "MATCH (a:P) WHERE a.w = 1 RETURN a.w AS x",
        "MATCH (a:P)-->(b) RETURN b.w AS x, count(*) AS n",
        "MATCH (a:P)-[:K|L]->(b) RETURN a.w AS x",
        "MATCH (a) RETURN a.w AS x, COUNT { (a)-[:K]->() } AS n",
        "MATCH (a)-[r]->(b) RETURN type(r) AS t, count(*) AS n",
    )
    with KnowledgeGraph([str(path)]) as graph:
        for query in asked:
            expected = answers(graph, "reference", query)
            assert [refused(graph, engine, query) for engine in ENGINES] == [expected] * len(ENGINES), query
