"""The engines as processes and files: caches, time limits, faults, threads, hostile names and values."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from uniqgen_ir.backends.base import RenderedQuery
from uniqgen_ir.backends.engines.kglite import KgliteEngine
from uniqgen_ir.backends.engines.ladybug import LadybugEngine
from uniqgen_ir.backends.engines.oxigraph import OxigraphEngine
from uniqgen_ir.backends.engines.source import GraphSource
from uniqgen_ir.backends.parameters import bind_parameters
from uniqgen_ir.backends.registry import open_store, renderer
from uniqgen_ir.backends.store import RenderingStore
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.expressions import Aggregate, Comparison, ComparisonOperator
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.protocols import StoreError, StoreTimeout, StoreUnavailable
from uniqgen_ir.ir.rows import Filter, Row, Triple, Values
from uniqgen_ir.ir.table import Column, Form, Shell, Table
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Parameter, Variable
from uniqgen_ir.ir.vocabulary import XSD, XSD_DATE, XSD_DATE_TIME, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER

ENGINES = ("oxigraph", "ladybug", "kglite")
X, Y, Z = Variable("x"), Variable("y"), Variable("z")
A, B, P, Q = (IRI(f"http://example.org/{name}") for name in "abpq")

# a number line: enough for a cross product that no engine ends in time
NUMBERS = Graph([(IRI(f"urn:n{number}"), P, IRI(f"urn:n{number + 1}")) for number in range(400)])
ENDLESS = Table(
    "endless",
    (Column(Aggregate("count"), Variable("n")),),
    tuple(Row(f"c{place}", Triple(Variable(f"a{place}"), P, Variable(f"b{place}"))) for place in range(5)),
)
ALL = Table("all", (Column(X), Column(Y)), (Row("c1", Triple(X, P, Y)),))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("UNIQGEN_CACHE", str(folder))
    return folder


@pytest.fixture(params=ENGINES)
def numbers(request: pytest.FixtureRequest) -> Iterator[RenderingStore]:
    with open_store(request.param, GraphSource(NUMBERS, "numbers")) as store:
        yield store


def test_answers_are_the_terms_of_the_graph(numbers: RenderingStore) -> None:
    answers = numbers.select(ALL)
    assert set(answers.rows) == set(evaluate(ALL, NUMBERS).rows)
    assert answers.columns == ("x", "y")
    assert answers.complete


def test_a_limit_says_whether_it_cut(numbers: RenderingStore) -> None:
    assert not numbers.select(ALL, limit=3).complete
    assert len(numbers.select(ALL, limit=3).rows) == 3
    assert numbers.select(ALL, limit=400).complete
    assert numbers.statistics.calls == 3
    assert numbers.statistics.rows == 406


def test_a_query_past_its_time_is_stopped_and_the_next_one_runs(numbers: RenderingStore) -> None:
    start = time.monotonic()
    with pytest.raises(StoreTimeout) as caught:
        numbers.select(ENDLESS, timeout=0.5)
    assert time.monotonic() - start < 15
    assert caught.value.query is not None
    assert "MATCH" in caught.value.query or "SELECT" in caught.value.query
    assert len(numbers.select(ALL, limit=3, timeout=30).rows) == 3


def test_a_query_that_the_engine_refuses_keeps_its_text(numbers: RenderingStore) -> None:
    broken = RenderedQuery("SELECT MATCH {", {}, ("x",), numbers.engine.dialects[0])
    with pytest.raises(StoreError) as caught:
        numbers.engine.select(broken)
    assert caught.value.diagnostics[0].code == "UQ603"
    assert caught.value.query == broken.text


def test_a_closed_engine_says_so(numbers: RenderingStore) -> None:
    numbers.close()
    numbers.close()
    with pytest.raises(StoreUnavailable, match="UQ602"):
        numbers.select(ALL)


def test_a_query_in_another_language_is_not_sent(numbers: RenderingStore) -> None:
    with pytest.raises(DiagnosticError, match="UQ605"):
        numbers.engine.select(RenderedQuery("x", {}, (), "gremlin"))


def test_threads_may_share_an_engine(numbers: RenderingStore) -> None:
    found: list[int] = []

    def ask() -> None:
        found.extend(len(numbers.select(ALL, limit=number).rows) for number in range(1, 6))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted([1, 2, 3, 4, 5] * 4)


def test_parameters_are_bound_or_missed_by_name(numbers: RenderingStore) -> None:
    table = Table("t", (Column(Y),), (Row("c1", Triple(Parameter("start"), P, Y)),))
    with pytest.raises(DiagnosticError, match=r"UQ611.*\$start"):
        numbers.select(table)
    bound = bind_parameters(table, {"start": IRI("urn:n7")})
    assert numbers.select(bound).rows == ((IRI("urn:n8"),),)


def test_yes_or_no(numbers: RenderingStore) -> None:
    ask = Table("t", (), (Row("c1", Triple(IRI("urn:n7"), P, Y)),), Shell(form=Form.ASK))
    assert numbers.select(ask).rows == ((Literal.of(True),),)
    assert numbers.select(ask.with_rows((Row("c1", Triple(Y, P, IRI("urn:n0"))),))).rows == ((Literal.of(False),),)


@pytest.mark.parametrize("engine", ENGINES)
def test_names_that_the_graph_lacks_give_no_answer(engine: str) -> None:
    missing = Table("t", (Column(X),), (Row("c1", Triple(X, Q, Y)), Row("c2", Triple(X, P, Z))))
    with open_store(engine, GraphSource(NUMBERS)) as store:
        assert store.select(missing).rows == ()


# --- what is kept -----------------------------------------------------------------------------------------------------

HOSTILE_TEXTS = (
    'a"b', "a'b", "a\\", "a\\'", "`x`", "$p0", "{x}", "'] RETURN 1 //", '" . ?s ?p ?o . #', "}}", "a\nb\tc\r",
    "\u0000", "\u2028", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"), "%s", "{{ 1 }}", "?x", "",
)  # fmt: skip
HOSTILE_NAMES = (
    "http://example.org/a.b.c", "http://example.org/it's", "http://example.org/$p", "http://example.org/MATCH",
    "http://example.org/match", "http://example.org/a;DROP", "http://example.org/é", "http://example.org/%60",
    "http://example.org/node", "http://example.org/id", "http://example.org/x)--(y", "urn:x:)--(:a",
)  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
def test_hostile_names_and_values_are_only_names_and_values(engine: str) -> None:
    facts: list[Fact] = [(A, IRI(name), B) for name in HOSTILE_NAMES]
    facts += [(IRI(f"urn:s{place}"), P, Literal(text)) for place, text in enumerate(HOSTILE_TEXTS)]
    facts += [(IRI(name), Q, Literal.tagged(name, "en-gb")) for name in HOSTILE_NAMES]
    graph = Graph(facts)
    tables = [Table("t", (Column(X),), (Row("c1", Triple(X, P, Literal(text))),)) for text in HOSTILE_TEXTS]
    tables += [Table("t", (Column(X),), (Row("c1", Triple(X, IRI(name), Y)),)) for name in HOSTILE_NAMES]
    tables += [Table("t", (Column(Y),), (Row("c1", Triple(IRI(name), Q, Y)),)) for name in HOSTILE_NAMES]
    tables += [
        Table(
            "t",
            (Column(X),),
            (Row("c1", Triple(X, P, Y), where=Comparison(ComparisonOperator.EQUAL, Y, Literal(one))),),
        )
        for one in HOSTILE_TEXTS
    ]
    with open_store(engine, GraphSource(graph)) as store:
        for table in tables:
            expected = evaluate(table, graph).rows
            assert len(expected) == 1
            assert store.select(table).rows == expected


LITERALS: tuple[Literal, ...] = (
    Literal("plain"), Literal.tagged("plain", "en"), Literal.tagged("plain", "de"), Literal.of(7), Literal.of(-7),
    Literal("2001-02-03", XSD_DATE), Literal("1.5", XSD_DECIMAL), Literal("1.5", XSD_DOUBLE), Literal.of(True),
    Literal("2001-02-03T04:05:06Z", XSD_DATE_TIME), Literal("x", "urn:type"), Literal("P1Y", XSD + "duration"),
    Literal("abc", XSD_INTEGER), Literal("99999999999999999999", XSD_INTEGER), Literal("NaN", XSD_DOUBLE),
)  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("one_subject", [True, False])
def test_literals_of_every_kind_come_back_as_they_were(engine: str, one_subject: bool) -> None:
    facts: list[Fact] = [(A if one_subject else IRI(f"urn:{n}"), P, one) for n, one in enumerate(LITERALS)]
    with open_store(engine, GraphSource(Graph(facts))) as store:
        found = store.select(Table("t", (Column(Y),), (Row("c1", Triple(X, P, Y)),))).rows
    assert set(found) == {(one,) for one in LITERALS}


@pytest.mark.parametrize("literal", LITERALS)
@pytest.mark.parametrize("many", [True, False])
def test_one_kind_of_literal_comes_back_from_its_column(literal: Literal, many: bool) -> None:
    facts: list[Fact] = [(A, P, literal), (B, P, literal)] + ([(A, P, LITERALS[3])] if many else [])
    table = Table("t", (Column(X), Column(Y)), (Row("c1", Triple(X, P, Y)),))
    with open_store("ladybug", GraphSource(Graph(facts))) as store:
        assert set(store.select(table).rows) == set(evaluate(table, Graph(facts)).rows)


@pytest.mark.parametrize(
    "literal", [Literal("01", XSD_INTEGER), Literal("5", XSD + "int"), Literal("1.50", XSD_DECIMAL)]
)
def test_ladybug_keeps_lexical_forms(literal: Literal) -> None:
    graph = Graph([(A, P, literal), (B, P, Literal.of(1))])
    table = Table("t", (Column(X), Column(Y)), (Row("c1", Triple(X, P, Y)),))
    with open_store("ladybug", GraphSource(graph)) as store:
        assert set(store.select(table).rows) == set(evaluate(table, graph).rows)


@pytest.mark.parametrize("engine", ENGINES)
def test_blank_nodes_can_be_sent_back(engine: str) -> None:
    blank = BlankNode("f1b0")
    graph = Graph([(blank, P, B), (A, P, blank)])
    answers = Table("t", (Column(X),), (Row("c1", Triple(X, P, Y)),))
    again = answers.with_rows((Row("v", Values((X,), ((blank,),))), *answers.rows))
    with open_store(engine, GraphSource(graph)) as store:
        assert set(store.select(answers).rows) == {(blank,), (A,)}
        assert store.select(again).rows == ((blank,),)


MIXED: dict[str, GroundTerm] = {"i": Literal.of(2), "d": Literal("2.0", XSD_DOUBLE), "s": Literal("2"), "n": B}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("operator", list(ComparisonOperator))
@pytest.mark.parametrize("other", [Literal.of(2), Literal("2"), Literal.tagged("2", "en"), B, Literal.of(True)])
def test_comparisons_of_mixed_values_follow_sparql(
    engine: str, operator: ComparisonOperator, other: IRI | Literal
) -> None:
    graph = Graph([(IRI(f"urn:{name}"), P, value) for name, value in MIXED.items()])
    rows = (Row("c1", Triple(X, P, Y)), Row("c2", Filter(Comparison(operator, Y, other))))
    table = Table("t", (Column(X),), rows)
    with open_store(engine, GraphSource(graph, "mixed")) as store:
        assert set(store.select(table).rows) == set(evaluate(table, graph).rows)


# --- processes and files ----------------------------------------------------------------------------------------------


def test_a_built_store_is_used_again(own_cache: Path) -> None:
    for engine in ENGINES:
        with open_store(engine, GraphSource(NUMBERS, "again")):
            pass
        # the second time the source is not read: an empty one gives the same answers
        with open_store(engine, GraphSource(Graph(), "again")) as store:
            assert len(store.select(ALL).rows) == len(NUMBERS)
    assert len(list(own_cache.glob("*/again"))) == len(ENGINES)
    assert not list(own_cache.glob("*/building-*"))


@pytest.mark.parametrize("engine", ENGINES)
def test_what_a_dead_builder_left_is_ignored(engine: str, own_cache: Path) -> None:
    with open_store(engine, GraphSource(NUMBERS, "one")):
        pass
    (place,) = own_cache.glob("*/one")
    half = place.parent / "building-0"
    half.mkdir()
    (half / "CURRENT").write_text("rubbish")
    place.rename(place.parent / "building-1")
    with open_store(engine, GraphSource(NUMBERS, "one")) as store:
        assert len(store.select(ALL).rows) == len(NUMBERS)


def test_a_cache_that_cannot_be_written_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("UNIQGEN_CACHE", str(tmp_path / "file"))
    with open_store("oxigraph", GraphSource(NUMBERS, "x")) as store:
        assert len(store.select(ALL).rows) == len(NUMBERS)


BUILDER = """
import sys
from uniqgen_ir.kg.load import GraphFiles
from uniqgen_ir.backends.registry import open_store
from uniqgen_ir.ir.rows import Row, Triple
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import IRI, Variable
table = Table("t", (Column(Variable("x")),), (Row("c", Triple(Variable("x"), IRI("urn:p"), Variable("y"))),))
with open_store(sys.argv[2], GraphFiles.of([sys.argv[1]])) as store:
    print(len(store.select(table).rows))
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_builders_at_the_same_time_do_not_disturb_each_other(engine: str, tmp_path: Path, own_cache: Path) -> None:
    path = tmp_path / "g.nt"
    path.write_text("".join(f"<urn:{number}> <urn:p> <urn:{number + 1}> .\n" for number in range(3000)))
    command = [sys.executable, "-c", BUILDER, str(path), engine]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ.copy()) for _ in range(3)]
    assert [process.communicate(timeout=120)[0].strip() for process in running] == [b"3000"] * 3
    assert len([one for one in own_cache.glob("*/*") if one.is_dir()]) == 1


def _alive(process_id: int) -> bool:
    try:
        state = Path(f"/proc/{process_id}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
def test_no_process_outlives_its_engine() -> None:
    engine = OxigraphEngine.open(GraphSource(NUMBERS))
    worker = engine.process_id
    assert worker is not None
    assert _alive(worker)
    engine.close()
    assert not _alive(worker)


LEAVER = """
import os, sys, threading, time
from uniqgen_ir.backends.engines.oxigraph import OxigraphEngine
from uniqgen_ir.backends.engines.source import GraphSource
from uniqgen_ir.backends.base import RenderedQuery
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.terms import IRI
p = IRI("urn:p")
engine = OxigraphEngine.open(GraphSource(Graph([(IRI(f"urn:{n}"), p, IRI(f"urn:{n + 1}")) for n in range(400)])))
text = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o }"
query = RenderedQuery(text, {}, ("n",), "sparql")
threading.Thread(target=engine.select, args=(query,), daemon=True).start()
time.sleep(0.5)
print(engine.process_id, flush=True)
os._exit(0)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
def test_a_worker_in_the_middle_of_a_query_follows_its_dead_parent() -> None:
    done = subprocess.run([sys.executable, "-c", LEAVER], stdout=subprocess.PIPE, timeout=60, check=True)
    worker = int(done.stdout)
    deadline = time.monotonic() + 20
    while _alive(worker) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not _alive(worker)


def test_the_engines_and_their_renderers_know_each_other() -> None:
    assert renderer("sparql").dialect in OxigraphEngine.dialects
    assert renderer("oxigraph").dialect == OxigraphEngine.dialects[0]
    assert renderer("ladybug").dialect in LadybugEngine.dialects
    assert renderer("kglite").dialect in KgliteEngine.dialects


def test_unknown_names_are_answered_with_the_nearest() -> None:
    with pytest.raises(DiagnosticError) as caught:
        open_store("oxygraph", GraphSource(NUMBERS))
    assert caught.value.diagnostics[0].code == "UQ604"
    assert caught.value.diagnostics[0].hint == "did you mean oxigraph?"
    with pytest.raises(DiagnosticError, match="there is no engine zzz") as caught:
        open_store("zzz", GraphSource(NUMBERS))
    assert caught.value.diagnostics[0].hint == "there are: oxigraph, ladybug, kglite, reference, sparql-http, bolt"
    with pytest.raises(DiagnosticError, match="UQ604: bolt asks a server, and this graph is not on one"):
        open_store("bolt", GraphSource(NUMBERS))
    with pytest.raises(DiagnosticError) as caught:
        renderer("neo5j")
    assert caught.value.diagnostics[0].code == "UQ502"
    assert caught.value.diagnostics[0].hint == "did you mean neo4j?"
