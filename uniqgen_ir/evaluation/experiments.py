"""Two experiments with gold queries: a perfect oracle, and what the order of the search is worth."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from attrs import define, evolve, field

from uniqgen_ir.driver import KnowledgeGraph, relax, run_pipeline, run_table
from uniqgen_ir.evaluation.datasets import GoldQuestion
from uniqgen_ir.evaluation.distraction import Trial, trial
from uniqgen_ir.evaluation.metrics import interval, mean, percentile
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.protocols import AnswerRow
from uniqgen_ir.ir.table import Table
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.passes.relaxation import RelaxationOptions

PIPELINE: Final = "verify, normalize{rename=false, keep_units=true}, score"
"""What a table goes through before the search, as for a question."""
MOST_FAILURES: Final = 20

Line = dict[str, Any]


@define
class Experiment:
    """Trials on one graph and engine; `seed` fixes every random choice."""

    graph: KnowledgeGraph
    index: GraphIndex
    engine: str = "oxigraph"
    seed: int = 0
    skipped: Counter[str] = field(factory=Counter[str])
    """why records have no trial"""

    def trials(self, questions: Sequence[GoldQuestion]) -> Iterator[tuple[Trial, Table]]:
        """Each trial with its table as the search gets it: normalised and scored."""
        for gold in questions:
            made = trial(gold, self.graph, self.index, self.engine, self.seed)
            if isinstance(made, str):
                self.skipped[made] += 1
                continue
            try:
                normal = run_pipeline(made.table, PIPELINE, self.graph, self.engine).table
            except DiagnosticError as error:
                self.skipped[error.diagnostics[0].code] += 1
                continue
            yield made, normal

    def perfect_oracle(self, questions: Sequence[GoldQuestion]) -> Iterator[Line]:
        """A line a trial: whether chase and backchase give exactly the gold answers, rows, calls, milliseconds."""
        for made, table in self.trials(questions):
            report = relax(table, self.graph, self.engine, made.references, RelaxationOptions())
            found = self._answers(report.table)
            yield {
                "id": made.id,
                "exact": found == made.answers,
                "gold": len(made.answers),
                "found": len(found),
                "rows": len(table.rows),
                "kept": len(report.kept),
                "distracting_kept": sum(one.row.startswith("distraction") for one in report.kept),
                "calls": report.calls,
                "ms": round(report.ms, 1),
            }

    def _answers(self, table: Table | None) -> frozenset[AnswerRow]:
        return frozenset(() if table is None else run_table(table, self.graph, self.engine).rows)

    def search_order(self, questions: Sequence[GoldQuestion]) -> Iterator[Line]:
        """A line a trial: the statements that each order needs, `{"id", "calls": {order: number}, "exact": {…}}`."""
        for made, table in self.trials(questions):
            draw = random.Random(f"{self.seed}:{made.id}:order")
            calls: dict[str, int] = {}
            exact: dict[str, bool] = {}
            for name, (ordered, options) in _orders(table, draw).items():
                report = relax(ordered, self.graph, self.engine, made.references, options)
                calls[name] = report.calls
                exact[name] = self._answers(report.table) == made.answers
            yield {"id": made.id, "rows": len(table.rows), "calls": calls, "exact": exact}


def _orders(table: Table, draw: random.Random) -> dict[str, tuple[Table, RelaxationOptions]]:
    """Each search with rows by uncertainty, and with the same rows in random order."""
    mixed = _mixed(table, draw)
    greedy = RelaxationOptions()
    beam = RelaxationOptions(strategy="beam")
    return {
        "greedy by u": (table, greedy),
        "greedy at random": (mixed, greedy),
        "beam by u": (table, beam),
        "beam at random": (table, evolve(beam, ranker=RandomRanker(draw))),
    }


def _mixed(table: Table, draw: random.Random) -> Table:
    """The same rows with their uncertainties dealt out anew."""
    values = [row.note.uncertainty for row in table.rows]
    draw.shuffle(values)
    return table.with_rows(
        evolve(row, note=evolve(row.note, uncertainty=value)) for row, value in zip(table.rows, values, strict=True)
    )


@define
class RandomRanker:
    """Orders the beam's candidates at random."""

    draw: random.Random

    def rank(self, table: Table, candidates: Sequence[frozenset[str]]) -> Sequence[frozenset[str]]:  # noqa: ARG002
        ordered = sorted(candidates, key=sorted)
        self.draw.shuffle(ordered)
        return ordered


def oracle_figures(lines: Sequence[Line]) -> dict[str, Any]:
    """The share of exact trials with its interval, calls, milliseconds, and the trials that failed."""
    shares = [float(line["exact"]) for line in lines]
    low, high = interval(shares)
    return {
        "trials": len(lines),
        "exact": {"mean": round(mean(shares), 4), "low": round(low, 4), "high": round(high, 4)},
        "failures": [line["id"] for line in lines if not line["exact"]][:MOST_FAILURES],
        "rows": round(mean([line["rows"] for line in lines]), 2),
        "kept": round(mean([line["kept"] for line in lines]), 2),
        "distracting_kept": round(mean([line["distracting_kept"] for line in lines]), 3),
        "calls": round(mean([line["calls"] for line in lines]), 2),
        "ms": {"p50": _percentile(lines, 0.5), "p95": _percentile(lines, 0.95)},
    }


def _percentile(lines: Sequence[Line], share: float) -> float:
    return percentile([line["ms"] for line in lines], share)


def order_figures(lines: Sequence[Line]) -> dict[str, Any]:
    """Statements for each order: mean, 95th percentile, share of exact results; ratios of random order to u."""
    orders = list(lines[0]["calls"]) if lines else []
    each = {
        name: {
            "calls": round(mean([line["calls"][name] for line in lines]), 2),
            "p95": percentile([line["calls"][name] for line in lines], 0.95),
            "exact": round(mean([float(line["exact"][name]) for line in lines]), 4),
        }
        for name in orders
    }
    ratios = {
        kind: round(each[f"{kind} at random"]["calls"] / each[f"{kind} by u"]["calls"], 3)
        for kind in ("greedy", "beam")
        if orders and each[f"{kind} by u"]["calls"]
    }
    return {"trials": len(lines), "orders": each, "random_to_u": ratios}
