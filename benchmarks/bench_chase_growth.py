"""How chase and backchase grow with the table, the reference answers and the graph: medians, drawn into `docs/`.

Three curves with everything else fixed: rows n (6 to 40), reference answers |A| (1 to 1,000), triples |G| (tens of
thousands to half a million). `--graph-only N` searches a few tables on one synthetic graph of N million triples that is
streamed to disk and into an on-disk store (the nightly run: 10). Budgets apply; a run that is stopped counts as it is.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import TypeVar

from bench_chase_random import CLASSES, EDGES, NODES, RELATIONS, World, make_task, report, run

from uniqgen_ir.driver import KnowledgeGraph
from uniqgen_ir.evaluation.charts import Chart

ROWS, ANSWERS, SHARES = (6, 10, 15, 20, 30, 40), (1, 3, 10, 30, 100, 300, 1000), (0.1, 0.25, 0.5, 1.0)
DOCS = Path(__file__).resolve().parent.parent / "docs"
TRIPLES_A_NODE = 9


def medians(world: World, cases: Sequence[tuple[int, int]], repeats: int) -> list[float]:
    """Median milliseconds of chase and backchase for each number of rows and of answers."""
    found: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.nt"
        world.write(path)
        with KnowledgeGraph([str(path)]) as graph:
            store = graph.store("oxigraph")
            for size, wanted in cases:
                rnd = random.Random(size * 10_000 + wanted)
                times = [
                    run(make_task(world, store, rnd, size, wanted), store, "exact").whole_ms for _ in range(repeats)
                ]
                found.append(median(times))
                print(f"{world.nodes} nodes, {size} rows, {wanted} answers: {found[-1]:.0f} ms", flush=True)
    return found


T = TypeVar("T")


class Made(Sequence[T]):
    """A sequence whose items are made when they are looked at, each from a generator of its own."""

    def __init__(self, length: int, seed: int, make: Callable[[random.Random], T]) -> None:
        self._length, self._seed, self._make = length, seed, make

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: int) -> T:  # type: ignore[override]
        if not 0 <= place < self._length:
            raise IndexError(place)
        return self._make(random.Random(self._seed * 1_000_003 + place))


class StreamedWorld(World):
    """A world of any size: nothing of it is held in memory, so that it can be written as a stream."""

    def __attrs_post_init__(self) -> None:
        nodes, seed = self.nodes, self.seed
        self.classes = Made(nodes, seed, lambda rnd: rnd.randrange(CLASSES))
        self.values = Made(nodes, seed + 1, lambda rnd: rnd.randrange(100))
        self.out = Made(
            nodes,
            seed + 2,
            lambda rnd: [(rnd.randrange(RELATIONS), int(nodes * rnd.random() ** 3)) for _ in range(EDGES)],
        )


def large(million: int, tables: int) -> int:
    """A few tables on a large graph: every run must end within its budget."""
    world, rnd = StreamedWorld(nodes=million * 1_000_000 // TRIPLES_A_NODE), random.Random(3)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.nt"
        print(f"{world.write(path)} triples", flush=True)
        with KnowledgeGraph([str(path)]) as graph:
            store = graph.store("oxigraph")
            runs = [run(make_task(world, store, rnd, 8 + n % 12, 10 ** (n % 3)), store, "exact") for n in range(tables)]
    return 0 if report(runs) else 1


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--graph-only", type=int, metavar="N", help="one graph of N million triples")
    parser.add_argument("--tables", type=int, default=24, help="tables on that graph")
    parser.add_argument("--repeats", type=int, default=5, help="tables for each point of a curve")
    options = parser.parse_args()
    if options.graph_only:
        return large(options.graph_only, options.tables)
    world, repeats = World(), options.repeats
    rows = medians(world, [(size, 10) for size in ROWS], repeats)
    answers = medians(world, [(12, wanted) for wanted in ANSWERS], repeats)
    graphs = [medians(World(nodes=int(NODES * share)), [(12, 10)], repeats)[0] for share in SHARES]
    draw("rows", "rows of the table (10 answers)", [float(one) for one in ROWS], rows)
    draw("answers", "reference answers (12 rows)", [float(one) for one in ANSWERS], answers)
    draw("triples", "triples (12 rows, 10 answers)", [NODES * one * TRIPLES_A_NODE for one in SHARES], graphs)
    return 0


def draw(name: str, axis: str, places: Sequence[float], times: Sequence[float]) -> None:
    chart = Chart(
        title="Chase and backchase, strategy exact",
        x_label=axis,
        y_label="milliseconds (median)",
        x=(0.0, max(places)),
        y=(0.0, 1.1 * max(times)),
        series={"median": list(zip(places, times, strict=True))},
        x_ticks=places[-4:],
    )
    (DOCS / f"chase-growth-{name}.svg").write_text(chart.svg(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
