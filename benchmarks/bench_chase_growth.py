"""How chase and backchase grow with the table, the reference answers and the graph: drawn into `docs/chase-growth.svg`.

Three curves with everything else fixed: rows n (6 to 40, 10 reference answers), reference answers |A| (1 to 1,000, 12
rows), triples |G| (50,000 to half a million, 12 rows, 10 answers). Each point is the median of several random tables
(`chase_tasks.py`), for milliseconds of a processor (the search and its engine together, so that other programs do not
count) and for statements sent. Budgets apply; a run that is stopped counts as it is.

`--folder F` keeps graphs, tasks and runs, so that the curves can be measured in slices (`--seconds S`: begin no run
after S seconds); they are drawn once every run is there.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from attrs import asdict, frozen
from bench_chase_random import ATTEMPTS, Run, run
from chase_tasks import NODES, Tasks, World

from uniqgen_ir.driver import KnowledgeGraph
from uniqgen_ir.evaluation.charts import Chart

ROWS, ANSWERS, SHARES = (6, 10, 15, 20, 30, 40), (1, 3, 10, 30, 100, 300, 1000), (0.1, 0.25, 0.5, 1.0)
PICTURE = Path(__file__).resolve().parent.parent / "docs" / "chase-growth.svg"
TRIPLES_A_NODE = 9
FIXED_ROWS, FIXED_ANSWERS, FIRST = 12, 10, 4
"""beside what varies; the first number of the tables, so that each curve has tables of its own"""


@frozen
class Point:
    """One place of a curve: which curve, what varies there, and the tables' size, answers and graph."""

    curve: str
    place: float
    rows: int
    answers: int
    nodes: int

    @property
    def name(self) -> str:
        return f"{self.nodes}/{self.rows}/{self.answers}"


def points() -> Iterator[Point]:
    for share in SHARES:
        nodes = int(NODES * share)
        yield Point("triples", nodes * TRIPLES_A_NODE, FIXED_ROWS, FIXED_ANSWERS, nodes)
    for rows in ROWS:
        yield Point("rows", rows, rows, FIXED_ANSWERS, NODES)
    for answers in ANSWERS:
        yield Point("answers", math.log10(answers), FIXED_ROWS, answers, NODES)


def measure(folder: Path, repeats: int, seconds: float) -> dict[str, list[Run]]:
    """The runs of each point so far, those of earlier slices among them."""
    kept, started = folder / "growth.jsonl", time.monotonic()
    runs: dict[str, list[Run]] = {}
    for line in kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []:
        one = json.loads(line)
        runs.setdefault(one["point"], []).append(Run(**one["run"]))
    for nodes in sorted({one.nodes for one in points()}):
        world, graph_file = World(nodes=nodes), folder / f"graph-{nodes}.nt"
        open_points = {
            one.name: one for one in points() if one.nodes == nodes and len(runs.get(one.name, ())) < repeats
        }
        if not open_points:
            continue
        if not graph_file.exists():
            world.write(graph_file)
        with KnowledgeGraph([str(graph_file)]) as graph:
            tasks = Tasks(world, graph.store("oxigraph"), folder / "tasks.jsonl")
            for name, point in open_points.items():
                for number in range(len(runs.get(name, ())), repeats):
                    if time.monotonic() - started > seconds:
                        return runs
                    one = _undisturbed(number + FIRST, tasks, point)
                    runs.setdefault(name, []).append(one)
                    with kept.open("a", encoding="utf-8") as file:
                        file.write(json.dumps({"point": name, "run": asdict(one)}) + "\n")
                    print(name, f"{one.whole_ms:.0f} ms, {one.calls} calls, {one.chase} {one.backchase}", flush=True)
    return runs


def _undisturbed(number: int, tasks: Tasks, point: Point) -> Run:
    task = tasks.get(number, point.rows, point.answers)
    attempts = 1
    while (one := run(number, task, tasks.store, "exact")).disturbed and attempts < ATTEMPTS:
        attempts += 1
    return one


def draw(runs: dict[str, list[Run]]) -> str:
    """Three curves for time above three for statements, as one picture."""
    axes = {
        "rows": f"rows of the table ({FIXED_ANSWERS} reference answers)",
        "answers": f"reference answers, as a power of ten ({FIXED_ROWS} rows)",
        "triples": f"triples ({FIXED_ROWS} rows, {FIXED_ANSWERS} reference answers)",
    }
    parts: list[str] = []
    for column, (curve, axis) in enumerate(axes.items()):
        listed = [(one.place, runs[one.name]) for one in points() if one.curve == curve]
        series = {
            "both": [(place, median(one.processor_ms for one in some)) for place, some in listed],
            "chase": [(place, median(one.chase_ms * one.share for one in some)) for place, some in listed],
        }
        calls = {"both": [(place, float(median(one.calls for one in some))) for place, some in listed]}
        parts.append(_panel(column, 0, _chart(axis, "processor milliseconds (median)", series)))
        parts.append(_panel(column, 1, _chart(axis, "statements (median)", calls)))
    size = f'width="{len(axes) * WIDTH}" height="{2 * HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n{"".join(parts)}</svg>\n'


WIDTH, HEIGHT = 620, 380


def _panel(column: int, row: int, picture: str) -> str:
    return picture.replace("<svg ", f'<svg x="{column * WIDTH}" y="{row * HEIGHT}" ', 1)


def _chart(axis: str, unit: str, series: dict[str, list[tuple[float, float]]]) -> str:
    places = [place for place, _ in next(iter(series.values()))]
    highest = max(value for some in series.values() for _, value in some)
    ticks: Sequence[float] = [0, 1, 2, 3] if "power" in axis else places[-4:]
    return Chart(
        title="Chase and backchase, strategy exact",
        x_label=axis,
        y_label=unit,
        x=(0.0, max(places)),
        y=(0.0, 1.1 * highest),
        series=series,
        x_ticks=ticks,
    ).svg()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=5, help="tables for each point of a curve")
    parser.add_argument("--folder", type=Path, help="where graphs, tasks and runs are kept")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no run after so many seconds")
    options = parser.parse_args()
    if options.folder is None:
        with tempfile.TemporaryDirectory() as folder:
            runs = measure(Path(folder), options.repeats, options.seconds)
    else:
        options.folder.mkdir(parents=True, exist_ok=True)
        runs = measure(options.folder, options.repeats, options.seconds)
    done, wanted = sum(map(len, runs.values())), options.repeats * len({one.name for one in points()})
    print(f"{done} of {wanted} runs")
    if done >= wanted:
        PICTURE.write_text(draw(runs), encoding="utf-8")
        for point in points():
            some = runs[point.name]
            spent, calls = median(one.processor_ms for one in some), median(one.calls for one in some)
            print(f"| {point.curve} | {point.place:g} | {spent:.0f} | {calls:.0f} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
