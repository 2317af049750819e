"""Chase and backchase of 85 random tables on half a million triples in an on-disk store.

Tables have 8 to 20 rows with shared existential variables, some of them contradicted by the reference answers; 1, 10,
100 or 1,000 reference answers; the ends of edges crowd around hubs. Every run has a budget. Printed: how many runs
ended within it, how many chases and backchases were proved (not `stopped`), and milliseconds.

`--folder F` keeps graph, tasks and runs, so that the benchmark can be run in slices (`--seconds S`: begin no run after
S seconds); `--again` forgets the runs, not the tasks; `--only N…` runs some tables alone.

The budget counts seconds on the clock. A run that did not end by itself and had less than `FAIR` of a processor
(another program had the rest) is disturbed: it says nothing, and is repeated at the end, `ATTEMPTS` times at most.

Fails (exit 1) where a run overstays its budget, fewer than 95 % of the chases or 80 % of the backchases are proved, or
the chase of small tables (n up to 13, up to 100 answers) has a median of a second or more.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from attrs import asdict, frozen
from chase_tasks import Task, Tasks, World

from uniqgen_ir.backends.engines.oxigraph import OxigraphEngine
from uniqgen_ir.backends.store import RenderingStore
from uniqgen_ir.driver import KnowledgeGraph
from uniqgen_ir.ir.protocols import Store
from uniqgen_ir.passes.relaxation import RelaxationOptions, Strategy, relax, tighten
from uniqgen_ir.passes.search.budget import Budget, Meter
from uniqgen_ir.passes.search.problem import Problem

BUDGET_MS, GRACE_MS = 20_000.0, 2_000.0
"""the budget of a run, and what a run may need to end after it"""
FAIR, ATTEMPTS = 0.8, 3


@frozen
class Run:
    """What became of one table: `chase` and `backchase` are a status, `backchase` None where there was no set."""

    number: int
    rows: int
    answers: int
    chase: str
    optimal: bool
    backchase: str | None
    relaxed: int
    kept: int
    chase_ms: float
    whole_ms: float
    calls: int
    share: float
    """of a processor, what the search and its engine had together"""

    @property
    def processor_ms(self) -> float:
        return self.whole_ms * self.share

    @property
    def disturbed(self) -> bool:
        return self.share < FAIR and "stopped" in (self.chase, self.backchase)

    @property
    def small(self) -> bool:
        return self.rows <= 13 and self.answers <= 100


def run(number: int, task: Task, store: Store, strategy: Strategy, budget_ms: float = BUDGET_MS) -> Run:
    options = RelaxationOptions(strategy=strategy, budget=Budget(ms=budget_ms))
    meter = Meter(store, options.budget)
    problem = Problem(task.table, task.references, meter)
    started = time.perf_counter()
    processor = processor_seconds(store)
    relaxed = relax(problem, options)
    chased = time.perf_counter()
    tightened = tighten(problem, relaxed, options) if relaxed.rows else None
    ended = time.perf_counter()
    share = (processor_seconds(store) - processor) / (ended - started)
    return Run(
        *(number, len(task.table.rows), len(task.references), relaxed.status.value, relaxed.optimal),
        None if tightened is None else tightened.status.value,
        *(len(relaxed.rows), 0 if tightened is None else len(tightened.kept)),
        *((chased - started) * 1000, (ended - started) * 1000, meter.calls, share),
    )


def processor_seconds(store: Store) -> float:
    """What this process and its engine, those that were killed included, had of processors so far."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    engine = store.engine if isinstance(store, RenderingStore) else None
    process = engine.process_id if isinstance(engine, OxigraphEngine) else None
    status = Path(f"/proc/{process}/stat")
    fields = status.read_text().rpartition(")")[2].split() if status.exists() else ["0"] * 13
    ticks = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return time.process_time() + ended.ru_utime + ended.ru_stime + ticks


def report(runs: Sequence[Run]) -> bool:
    """Prints the figures and says whether they are as promised."""
    late = sum(one.whole_ms > BUDGET_MS + GRACE_MS for one in runs)
    found = [one for one in runs if one.relaxed]
    chases = sum(one.chase != "stopped" for one in runs) / len(runs)
    backchases = sum(one.backchase == "ok" for one in found) / max(1, len(found))
    optimal = sum(one.optimal for one in found) / max(1, len(found))
    small = median([one.chase_ms for one in runs if one.small] or [0.0])
    print(f"{len(runs)} tables, {late} over the budget; {len(runs) - len(found)} without a set of rows")
    print(f"proved: {chases:.1%} of the chases (as the best: {optimal:.1%}), {backchases:.1%} of the backchases")
    print(f"chase: median {median(one.chase_ms for one in runs):.0f} ms, small tables {small:.0f} ms")
    print(f"{sum(one.disturbed for one in runs)} disturbed by other programs in each of {ATTEMPTS} attempts")
    print(f"processor: median {median(one.processor_ms for one in runs):.0f} ms of search and engine together")
    print(f"both: median {median(one.whole_ms for one in runs):.0f} ms, {median(one.calls for one in runs):.0f} calls")
    return late == 0 and chases >= 0.95 and backchases >= 0.8 and small < 1000


def read_runs(file: Path) -> dict[int, Run]:
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {one["number"]: Run(**one) for one in map(json.loads, lines)}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=85)
    parser.add_argument("--only", type=int, nargs="*", help="numbers of the tables to run; nothing is kept or promised")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--strategy", choices=("exact", "greedy"), default="exact")
    parser.add_argument("--folder", type=Path, help="where graph, tasks and runs are kept")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no run after so many seconds")
    parser.add_argument("--again", action="store_true", help="forget earlier runs")
    return parser.parse_args()


def measure(options: argparse.Namespace, folder: Path) -> dict[int, Run]:
    """The runs so far, those of earlier slices among them."""
    world, path = World(), folder / "graph.nt"
    if not path.exists():
        print(f"{world.write(path)} triples", flush=True)
    kept = folder / f"runs-{options.strategy}-{options.seed}.jsonl"
    if options.again:
        kept.unlink(missing_ok=True)
    runs, started = ({} if options.only else read_runs(kept)), time.monotonic()
    waiting = deque(options.only or (one for one in range(options.tables) if one not in runs))
    tried: Counter[int] = Counter()
    with KnowledgeGraph([str(path)]) as graph:
        store = graph.store("oxigraph")
        tasks = Tasks(world, store, folder / "tasks.jsonl", options.seed)
        while waiting and time.monotonic() - started <= options.seconds:
            number = waiting.popleft()
            one = run(number, tasks.get(number), store, options.strategy)
            tried[number] += 1
            print(
                " ".join(
                    f"{key}={value:.4g}" if isinstance(value, float) else f"{key}={value}"
                    for key, value in asdict(one).items()
                ),
                flush=True,
            )
            if one.disturbed and tried[number] < ATTEMPTS:
                waiting.append(number)
                continue
            runs[number] = one
            if not options.only:
                with kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(one)) + "\n")
    return runs


def main() -> int:
    options = arguments()
    if options.folder is None:
        with tempfile.TemporaryDirectory() as folder:
            runs = measure(options, Path(folder))
    else:
        options.folder.mkdir(parents=True, exist_ok=True)
        runs = measure(options, options.folder)
    if options.only or len(runs) < options.tables:
        print(f"{len(runs)} of {options.tables} tables so far")
        return 0
    return 0 if report([one for number, one in runs.items() if number < options.tables]) else 1


if __name__ == "__main__":
    sys.exit(main())
