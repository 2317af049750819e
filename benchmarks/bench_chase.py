"""Chase and backchase on 500,000 triples with a table of 13 rows: the published beam (width 4) against greedy.

Both run on the same graph in the same embedded engine, turn about, after a run that loads what either needs.
Printed: statements sent, and milliseconds, the least of `RUNS` runs.
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
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.rows import Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE
from uniqgen_ir.passes.relaxation import RelaxationOptions, Strategy, chase_and_backchase
from uniqgen_ir.passes.search.budget import Budget
from uniqgen_ir.passes.search.result import ChaseReport

BASE = "http://example.org/"
RUNS = 15
SIZE, NODES, RELATIONS, CLASSES = 500_000, 55_000, 8, 4
VALUE = IRI(BASE + "value")


def name(kind: str, number: int) -> IRI:
    return IRI(f"{BASE}{kind}{number}")


def make_graph(rnd: random.Random) -> Graph:
    """Half a million facts: a class and a value for each node, and edges whose ends crowd around hubs."""
    graph = Graph()
    for number in range(NODES):
        node = name("n", number)
        graph.add((node, IRI(RDF_TYPE), name("C", rnd.randrange(CLASSES))))
        graph.add((node, VALUE, Literal.of(rnd.randrange(100))))
        for _ in range(7):
            graph.add((node, name("r", rnd.randrange(RELATIONS)), name("n", int(NODES * rnd.random() ** 3))))
    while len(graph) < SIZE:
        ends = name("n", rnd.randrange(NODES)), name("n", rnd.randrange(NODES))
        graph.add((ends[0], name("r", rnd.randrange(RELATIONS)), ends[1]))
    return graph


def edges_of(graph: Graph, node: IRI) -> list[Fact]:
    """The node's outgoing edges to other nodes, at most one a relation."""
    found = (next(iter(graph.match(node, name("r", number), None)), None) for number in range(RELATIONS))
    return [fact for fact in found if fact is not None]


def make_table(rnd: random.Random, graph: Graph, answer: IRI) -> Table:
    """Eight rows that hold for the answer, over six existential variables, and five that do not."""
    x = Variable("x")
    atoms: list[tuple[Triple | TypeAtom, Comparison | None]] = []
    for place, (_, predicate, end) in enumerate(edges_of(graph, answer)[:3]):
        assert isinstance(end, IRI)
        middle, (_, onward, last) = Variable(f"y{place}"), edges_of(graph, end)[0]
        assert isinstance(last, IRI)
        atoms.append((Triple(x, predicate, middle), None))
        if place < 2:
            atoms.append((Triple(middle, onward, last if place == 0 else Variable("z")), None))
    own = next(iter(graph.objects(answer, IRI(RDF_TYPE))))
    value = next(iter(graph.objects(answer, VALUE)))
    assert isinstance(own, IRI)
    assert isinstance(value, Literal)
    incoming = next(name("r", n) for n in range(RELATIONS) if list(graph.subjects(name("r", n), answer)))
    atoms += [
        (TypeAtom(x, own), None),
        (Triple(x, VALUE, Variable("v")), Comparison(ComparisonOperator.GREATER_EQUAL, Variable("v"), value)),
        (Triple(Variable("u"), incoming, x), None),
        (TypeAtom(x, name("C", (int(own.value[-1]) + 1) % CLASSES)), None),
    ]
    for subject in (x, x, Variable("y0"), Variable("y1")):
        atoms.append((Triple(subject, name("r", rnd.randrange(RELATIONS)), name("n", rnd.randrange(NODES))), None))
    return Table("bench", (Column(x),), tuple(Row(f"c{place}", *one) for place, one in enumerate(atoms, 1)))


def run(table: Table, store: RenderingStore, answer: IRI, strategy: Strategy) -> tuple[ChaseReport, float]:
    options = RelaxationOptions(strategy=strategy, beam=4, budget=Budget(test_ms=5000.0))
    started = time.perf_counter()
    report = chase_and_backchase(table, store, (ReferenceAnswer((answer,)),), options)
    return report, (time.perf_counter() - started) * 1000.0


def main() -> int:
    rnd = random.Random(7)
    graph, answer = make_graph(rnd), name("n", 500)
    table = make_table(rnd, graph, answer)
    figures: dict[Strategy, tuple[ChaseReport, float]] = {}
    strategies: tuple[Strategy, ...] = ("greedy", "beam")
    with OxigraphEngine.open(GraphSource(graph)) as engine:
        store = RenderingStore(engine, renderer("oxigraph"))
        run(table, store, answer, "greedy")  # the engine is up, the graph is loaded, and so are the modules
        for strategy in strategies * RUNS:
            found = run(table, store, answer, strategy)
            figures[strategy] = min(figures.get(strategy, found), found, key=lambda one: one[1])
    for strategy, (report, ms) in figures.items():
        kept = " ".join(one.row for one in report.kept)
        print(f"{strategy:7} {report.status.value:8} {report.calls:4} calls {ms:9.1f} ms   kept: {kept}")
    (greedy, greedy_ms), (_, beam_ms) = figures["greedy"], figures["beam"]
    allowed = 2 * len(table.rows) + 2
    print(f"{len(graph)} triples, {len(table.rows)} rows")
    print(f"greedy: {greedy.calls} of at most {allowed} calls, {beam_ms / greedy_ms:.1f} times fewer ms (at least 10)")
    return 0 if greedy.calls <= allowed and beam_ms >= 10 * greedy_ms and greedy.status.value == "ok" else 1


if __name__ == "__main__":
    sys.exit(main())
