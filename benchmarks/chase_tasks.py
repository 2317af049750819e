"""Random tables on a random graph of half a million triples: what the benchmarks of chase and backchase search.

Tables have 8 to 20 rows with shared existential variables, one row in three drawn at random; the ends of edges crowd
around hubs. Tasks are numbered: each comes from a generator of its own, and is kept in a file, so that a benchmark can
be run in slices (finding the reference answers takes longer than searching with them).
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

from attrs import define, field, frozen

from uniqgen_ir.ir import codec
from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator
from uniqgen_ir.ir.protocols import ReferenceAnswer, Store, StoreTimeout
from uniqgen_ir.ir.rows import Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE, XSD_INTEGER

BASE = "http://example.org/"
NODES, RELATIONS, CLASSES, EDGES = 55_000, 8, 4, 7


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


@define
class Tasks:
    """Tasks by number, made when they are first asked for and kept in a file of JSON lines."""

    world: World
    store: Store
    file: Path
    seed: int = 5
    _known: dict[str, Task] = field(init=False, factory=dict[str, Task])

    def __attrs_post_init__(self) -> None:
        lines = self.file.read_text(encoding="utf-8").splitlines() if self.file.exists() else []
        for one in map(json.loads, lines):
            answers = tuple(ReferenceAnswer((IRI(value),)) for value in one["answers"])
            self._known[one["id"]] = Task(codec.from_json(one["table"]), answers)

    def get(self, number: int, size: int | None = None, wanted: int | None = None) -> Task:
        """The task of this number; its size and number of answers are drawn unless they are given."""
        name = f"{self.world.nodes}/{self.seed}/{number}/{size}/{wanted}"
        if name not in self._known:
            rnd = random.Random(name)
            drawn = rnd.randint(8, 20) if size is None else size
            most = (1, 10, 100, 1000)[number % 4] if wanted is None else wanted
            self._known[name] = found = make_task(self.world, self.store, rnd, drawn, most)
            values = [str(one.key[0].value) for one in found.references if isinstance(one.key[0], IRI)]
            line = {"id": name, "table": codec.to_json(found.table), "answers": values}
            with self.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        return self._known[name]
