"""How long the queries take that come out of chase and backchase, on both embedded engines.

Gold rows with distracting ones and the gold answers give a minimal table (`perfect_oracle`); its query is run in each
engine's language. An engine is asked once before, so that opening its store is no part of the figure.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

from uniqgen_ir.driver import relax, run_table
from uniqgen_ir.evaluation.datasets import GoldQuestion
from uniqgen_ir.evaluation.experiments import Experiment, Line
from uniqgen_ir.evaluation.metrics import percentile
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.relaxation import RelaxationOptions

LANGUAGES: Final = {"oxigraph": "sparql", "ladybug": "cypher"}
"""Embedded engine → the language that it is asked in."""


def plan_latency(experiment: Experiment, questions: Sequence[GoldQuestion]) -> Iterator[Line]:
    """A line a trial: milliseconds from table to answers (rendering included) by engine, and whether they agree."""
    warm: set[str] = set()
    for made, table in experiment.trials(questions):
        report = relax(table, experiment.graph, experiment.engine, made.references, RelaxationOptions())
        if report.table is None:
            experiment.skipped["no minimal table"] += 1
            continue
        times: dict[str, float] = {}
        answers: set[frozenset[Any]] = set()
        try:
            for engine in LANGUAGES:
                if engine not in warm:
                    _run(report.table, experiment, engine)
                    warm.add(engine)
                times[engine], found = _run(report.table, experiment, engine)
                answers.add(found)
        except DiagnosticError as error:
            experiment.skipped[error.diagnostics[0].code] += 1
            continue
        yield {"id": made.id, "rows": len(report.table.rows), "ms": times, "agree": len(answers) == 1}


def _run(table: Table, experiment: Experiment, engine: str) -> tuple[float, frozenset[Any]]:
    started = time.perf_counter()
    rows = run_table(table, experiment.graph, engine).rows
    return round((time.perf_counter() - started) * 1000.0, 2), frozenset(rows)


def latency_figures(lines: Sequence[Line]) -> dict[str, Any]:
    """P50, P95 and the slowest, in milliseconds, by engine; the share of trials in which the engines agree."""
    each = {
        engine: {
            "p50": percentile([line["ms"][engine] for line in lines], 0.5),
            "p95": percentile([line["ms"][engine] for line in lines], 0.95),
            "slowest": max((line["ms"][engine] for line in lines), default=0.0),
        }
        for engine in LANGUAGES
    }
    agree = sum(line["agree"] for line in lines) / len(lines) if lines else 0.0
    return {"trials": len(lines), "ms": each, "agree": round(agree, 4)}
