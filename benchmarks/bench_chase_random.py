"""Chase and backchase of 85 random tables on half a million triples in an on-disk store.

Tables have 8 to 20 rows with shared existential variables, some of them contradicted by the reference answers; 1, 10,
100 or 1,000 reference answers; the ends of edges crowd around hubs. Every run has a budget. Printed: how many runs
ended within it, how many chases and backchases were proved (not `stopped`), and milliseconds.

Fails (exit 1) where a run overstays its budget, fewer than 95 % of the chases or 80 % of the backchases are proved, or
the chase of small tables (n up to 13, up to 100 answers) has a median of a second or more.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from attrs import define, field, frozen

from uniqgen_ir.driver import KnowledgeGraph
from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator
from uniqgen_ir.ir.protocols import ReferenceAnswer, Store, StoreTimeout
from uniqgen_ir.ir.rows import Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE, XSD_INTEGER
from uniqgen_ir.passes.relaxation import RelaxationOptions, Strategy, relax, tighten
from uniqgen_ir.passes.search.budget import Budget, Meter
from uniqgen_ir.passes.search.problem import Problem
from uniqgen_ir.passes.search.result import Relaxed, Status, Tightened

BASE = "http://example.org/"
NODES, RELATIONS, CLASSES, EDGES = 55_000, 8, 4, 7
BUDGET_MS, GRACE_MS = 20_000.0, 2_000.0
"""the budget of a run, and what a run may need to end after it"""


@define
class World:
    """A random graph: classes, values and edges by node number; a third of a relation's ends are a few hubs."""

    seed: int = 11
    nodes: int = NODES
    classes: Sequence[int] = field(init=False)
    values: Sequence[int] = field(init=False)
    out: Sequence[list[tuple[int, int]]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        rnd = random.Random(self.seed)
        self.classes = [rnd.randrange(CLASSES) for _ in range(self.nodes)]
        self.values = [rnd.randrange(100) for _ in range(self.nodes)]
        self.out = [
            [(rnd.randrange(RELATIONS), int(self.nodes * rnd.random() ** 3)) for _ in range(EDGES)]
            for _ in range(self.nodes)
        ]

    def write(self, path: Path) -> int:
        """Writes N-Triples and returns how many."""
        count = 0
        with path.open("w", encoding="ascii") as file:
            for node, (class_, value, edges) in enumerate(zip(self.classes, self.values, self.out, strict=True)):
                file.write(f"<{BASE}n{node}> <{RDF_TYPE}> <{BASE}C{class_}> .\n")
                file.write(f'<{BASE}n{node}> <{BASE}value> "{value}"^^<{XSD_INTEGER}> .\n')
                for relation, end in set(edges):
                    file.write(f"<{BASE}n{node}> <{BASE}r{relation}> <{BASE}n{end}> .\n")
                count += 2 + len(set(edges))
        return count


def name(kind: str, number: int) -> IRI:
    return IRI(f"{BASE}{kind}{number}")


Draft = tuple[Triple | TypeAtom, Comparison | None]


@define
class Writer:
    """Writes one random table around one of its answers."""

    world: World
    rnd: random.Random
    drafts: list[Draft] = field(factory=lambda: list[Draft]())
    places: list[tuple[Variable, int]] = field(factory=lambda: list[tuple[Variable, int]]())

    def table(self, size: int, answer: int) -> tuple[Table, list[str]]:
        """The table, and the ids of the rows that are true of the answer, each connected by those before it.

        Two rows in three are true; rows hang on the key or on variables of true rows.
        """
        self.places, true = [(Variable("x"), answer)], list[str]()
        while len(self.drafts) < size:
            variable, node = self.rnd.choice(self.places)
            if not self.drafts or self.rnd.random() < 0.67:
                true.append(f"c{len(self.drafts) + 1}")
                self.drafts.append(self._true(variable, node))
            else:
                self.drafts.append(self._doubtful(variable))
        rows = [Row(f"c{place}", *one) for place, one in enumerate(self.drafts, 1)]
        self.rnd.shuffle(rows)
        return Table("bench", (Column(Variable("x")),), tuple(rows), Shell(distinct=True)), true

    def _true(self, variable: Variable, node: int) -> Draft:
        kind = self.rnd.random()
        if kind < 0.15:
            return TypeAtom(variable, name("C", self.world.classes[node])), None
        if kind < 0.3:
            bound = Variable(f"v{len(self.drafts)}")
            least = Literal.of(max(0, self.world.values[node] - self.rnd.randrange(40)))
            return Triple(variable, IRI(BASE + "value"), bound), Comparison(
                ComparisonOperator.GREATER_EQUAL, bound, least
            )
        relation, end = self.rnd.choice(self.world.out[node])
        if kind < 0.5:
            return Triple(variable, name("r", relation), name("n", end)), None
        new = Variable(f"y{len(self.drafts)}")
        self.places.append((new, end))
        return Triple(variable, name("r", relation), new), None

    def _doubtful(self, variable: Variable) -> Draft:
        if self.rnd.random() < 0.3:
            return TypeAtom(variable, name("C", self.rnd.randrange(CLASSES))), None
        relation, end = self.rnd.randrange(RELATIONS), int(self.world.nodes * self.rnd.random() ** 3)
        return Triple(variable, name("r", relation), name("n", end)), None


@frozen
class Task:
    table: Table
    references: tuple[ReferenceAnswer, ...]


def make_task(world: World, store: Store, rnd: random.Random, size: int, wanted: int) -> Task:
    """A table, and up to `wanted` of the answers to some of its true rows: what somebody may have meant by it."""
    table, true = Writer(world, rnd).table(size, rnd.randrange(world.nodes))
    answers: list[GroundTerm] = []
    for count in range(min(5, len(true)), 0, -1):
        try:
            found = store.select(table.only(true[:count]), limit=5 * wanted, timeout=10.0).rows
        except StoreTimeout:
            continue
        answers = sorted({term for (term,) in found if term is not None}, key=str)
        if len(answers) >= wanted:
            break
    return Task(table, tuple(ReferenceAnswer((one,)) for one in rnd.sample(answers, min(wanted, len(answers)))))


@frozen
class Run:
    rows: int
    answers: int
    chase: Relaxed
    backchase: Tightened | None
    chase_ms: float
    whole_ms: float
    calls: int

    @property
    def chased(self) -> bool:
        return self.chase.status is not Status.STOPPED

    @property
    def tightened(self) -> bool:
        return self.backchase is not None and self.backchase.status is Status.OK


def run(task: Task, store: Store, strategy: Strategy, budget_ms: float = BUDGET_MS) -> Run:
    options = RelaxationOptions(strategy=strategy, budget=Budget(ms=budget_ms))
    meter = Meter(store, options.budget)
    problem = Problem(task.table, task.references, meter)
    started = time.perf_counter()
    relaxed = relax(problem, options)
    chased = time.perf_counter()
    tightened = tighten(problem, relaxed, options) if relaxed.rows else None
    ended = time.perf_counter()
    figures = ((chased - started) * 1000, (ended - started) * 1000, meter.calls)
    return Run(len(task.table.rows), len(task.references), relaxed, tightened, *figures)


def report(runs: Sequence[Run]) -> bool:
    """Prints the figures and says whether they are as promised."""
    late = sum(one.whole_ms > BUDGET_MS + GRACE_MS for one in runs)
    found = [one for one in runs if one.chase.rows]
    chases = sum(one.chased for one in runs) / len(runs)
    backchases = sum(one.tightened for one in found) / max(1, len(found))
    optimal = sum(one.chase.optimal for one in found) / max(1, len(found))
    small = [one.chase_ms for one in runs if one.rows <= 13 and one.answers <= 100]
    print(f"{len(runs)} tables, {late} over the budget; {len(runs) - len(found)} without a set of rows")
    print(f"proved: {chases:.1%} of the chases (as the best: {optimal:.1%}), {backchases:.1%} of the backchases")
    print(f"chase: median {median(one.chase_ms for one in runs):.0f} ms, small tables {median(small):.0f} ms")
    print(f"both: median {median(one.whole_ms for one in runs):.0f} ms, {median(one.calls for one in runs):.0f} calls")
    return late == 0 and chases >= 0.95 and backchases >= 0.8 and median(small) < 1000


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=85)
    parser.add_argument("--strategy", choices=("exact", "greedy"), default="exact")
    parser.add_argument("-v", "--verbose", action="store_true", help="a line a run")
    options = parser.parse_args()
    world, rnd, runs = World(), random.Random(5), list[Run]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.nt"
        print(f"{world.write(path)} triples", flush=True)
        with KnowledgeGraph([str(path)]) as graph:
            store = graph.store("oxigraph")
            for number in range(options.tables):
                task = make_task(world, store, rnd, rnd.randint(8, 20), (1, 10, 100, 1000)[number % 4])
                one = run(task, store, options.strategy)
                runs.append(one)
                if options.verbose:
                    states = one.chase.status.value, one.chase.optimal, one.backchase and one.backchase.status.value
                    kept = len(one.chase.rows), one.backchase and len(one.backchase.kept)
                    print(
                        number,
                        one.rows,
                        one.answers,
                        *states,
                        kept,
                        f"{one.chase_ms:.0f} {one.whole_ms:.0f} ms",
                        one.calls,
                        flush=True,
                    )
    return 0 if report(runs) else 1


if __name__ == "__main__":
    sys.exit(main())
