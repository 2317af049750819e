"""Chase and backchase on 500,000 triples with a table of 13 rows: beam (width 4) against greedy.

Both run on the same graph in the same embedded engine, one after the other. Printed: statements sent and milliseconds.
Fails (exit 1) where greedy sends more than 2n+2 statements or is less than ten times faster.
"""

from __future__ import annotations

import random
import sys
import time

from uniqgen_ir.backends.engines.oxigraph import OxigraphEngine
from uniqgen_ir.backends.engines.source import GraphSource
from uniqgen_ir.backends.registry import renderer
from uniqgen_ir.backends.store import RenderingStore
from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.rows import Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE
from uniqgen_ir.passes.relaxation import RelaxationOptions, Strategy, chase_and_backchase
from uniqgen_ir.passes.search.budget import Budget
from uniqgen_ir.passes.search.result import ChaseReport

BASE = "http://example.org/"
SIZE, NODES, RELATIONS, CLASSES = 500_000, 24_000, 8, 4
VALUE = IRI(BASE + "value")


def name(kind: str, number: int) -> IRI:
    return IRI(f"{BASE}{kind}{number}")


def make_graph(rnd: random.Random) -> Graph:
    """Half a million facts: classes, values, and relations with one to two hundred ends that crowd around hubs."""
    graph = Graph()
    for number in range(NODES):
        node = name("n", number)
        graph.add((node, IRI(RDF_TYPE), name("C", rnd.randrange(CLASSES))))
        graph.add((node, VALUE, Literal.of(rnd.randrange(100))))
        for relation in rnd.sample(range(RELATIONS), 3):
            for _ in range(min(200, int(rnd.paretovariate(0.9)))):
                graph.add((node, name("r", relation), name("n", int(NODES * rnd.random() ** 3))))
        if len(graph) >= SIZE:
            break
    while len(graph) < SIZE:
        graph.add(
            (name("n", rnd.randrange(NODES)), name("r", rnd.randrange(RELATIONS)), name("n", rnd.randrange(NODES)))
        )
    return graph


def branching_node(graph: Graph) -> IRI:
    """The first node with three relations of forty or more ends each: what a film, a person or a country looks like."""
    for number in range(20, NODES):
        node = name("n", number)
        ends = [len(list(graph.objects(node, name("r", relation)))) for relation in range(RELATIONS)]
        if sum(count >= 40 for count in ends) >= 3:
            return node
    raise AssertionError("no such node")


def make_table(rnd: random.Random, graph: Graph, answer: IRI) -> Table:
    """Thirteen rows: ten that hold for the answer, over six existential variables, and three that do not."""
    x = Variable("x")
    rows: list[Row] = []

    def add(atom: Triple | TypeAtom, where: Comparison | None = None) -> None:
        rows.append(Row(f"c{len(rows) + 1}", atom, where))

    relations = [name("r", number) for number in range(RELATIONS) if list(graph.objects(answer, name("r", number)))]
    edges = [(answer, relation, next(iter(graph.objects(answer, relation)))) for relation in relations]
    for place, (_, predicate, end) in enumerate(edges[:3]):
        middle = Variable(f"y{place}")
        add(Triple(x, predicate, middle))
        onward = [fact for fact in graph.match(end, None, None) if str(fact[1].value).startswith(BASE + "r")]
        add(Triple(middle, onward[0][1], onward[0][2] if place == 0 else Variable(f"z{place}")))  # type: ignore[arg-type]
    kind = next(iter(graph.objects(answer, IRI(RDF_TYPE))))
    value = next(iter(graph.objects(answer, VALUE)))
    assert isinstance(kind, IRI)
    assert isinstance(value, Literal)
    add(TypeAtom(x, kind))
    add(Triple(x, VALUE, Variable("v")), Comparison(ComparisonOperator.GREATER_EQUAL, Variable("v"), value))
    incoming = [fact for number in range(RELATIONS) for fact in graph.match(None, name("r", number), answer)]
    add(Triple(Variable("u"), incoming[0][1] if incoming else name("r", 0), x))
    add(TypeAtom(Variable("y1"), next(iter(graph.objects(edges[1][2], IRI(RDF_TYPE))))))  # type: ignore[arg-type]
    add(Triple(x, name("r", rnd.randrange(RELATIONS)), name("n", rnd.randrange(NODES))))
    add(TypeAtom(x, name("C", (int(kind.value[-1]) + 1) % CLASSES)))
    add(Triple(Variable("y0"), name("r", rnd.randrange(RELATIONS)), name("n", rnd.randrange(NODES))))
    return Table("bench", (Column(x),), tuple(rows))


def run(table: Table, store: RenderingStore, answer: IRI, strategy: Strategy) -> tuple[ChaseReport, float]:
    options = RelaxationOptions(strategy=strategy, beam=4, budget=Budget(test_ms=5000.0))
    started = time.perf_counter()
    report = chase_and_backchase(table, store, (ReferenceAnswer((answer,)),), options)
    return report, (time.perf_counter() - started) * 1000.0


def main() -> int:
    rnd = random.Random(7)
    graph = make_graph(rnd)
    answer = branching_node(graph)
    table = make_table(rnd, graph, answer)
    with OxigraphEngine.open(GraphSource(graph)) as engine:
        store = RenderingStore(engine, renderer("oxigraph"))
        store.select(table.only(["c1"]), limit=1)  # the engine is up and the graph is loaded
        figures = {}
        for strategy in ("greedy", "beam"):
            report, ms = run(table, store, answer, strategy)
            figures[strategy] = (report, ms)
            kept = " ".join(one.row for one in report.kept)
            print(
                f"{strategy:7} {report.status.value:8} {report.calls:4} calls {ms:10.1f} ms   kept: {kept}", flush=True
            )
    (greedy, greedy_ms), (_, beam_ms) = figures["greedy"], figures["beam"]
    allowed = 2 * len(table.rows) + 2
    print(f"{len(graph)} triples, {len(table.rows)} rows; greedy: {greedy.calls} of at most {allowed} calls,")
    print(f"{beam_ms / greedy_ms:.1f} times fewer milliseconds than the beam (at least 10)")
    return 0 if greedy.calls <= allowed and beam_ms >= 10 * greedy_ms and greedy.status.value == "ok" else 1


if __name__ == "__main__":
    sys.exit(main())
