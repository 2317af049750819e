"""`uniqgen eval --experiment`: gold queries instead of questions."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from uniqgen_ir.cli.batch import Progress
from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.inputs import open_graph
from uniqgen_ir.cli.output import print_json
from uniqgen_ir.ir.diagnostics import fail

if TYPE_CHECKING:
    from uniqgen_ir.evaluation.datasets import GoldQuestion

Run: TypeAlias = Callable[[Sequence["GoldQuestion"]], Iterator[dict[str, Any]]]
Figures: TypeAlias = Callable[[Sequence[dict[str, Any]]], dict[str, Any]]


def run_experiment(options: Namespace) -> int:
    """Run one experiment over the gold queries of a data set and tell its figures."""
    from uniqgen_ir.agents.indexing import graph_index
    from uniqgen_ir.evaluation.datasets import read_dataset
    from uniqgen_ir.evaluation.experiments import Experiment, oracle_figures, order_figures
    from uniqgen_ir.evaluation.latency import latency_figures, plan_latency
    from uniqgen_ir.evaluation.questions import read_ids

    if options.model or options.out:
        raise fail("UQ653", "an experiment asks no model and writes no lines: --model and --out do not go with it")
    wanted = frozenset(read_ids(options.ids)) if options.ids else None
    gold = [one for one in read_dataset(options.file).questions if one.sparql is not None]
    queries = [one for one in gold if wanted is None or one.id in wanted]
    step = max(1, len(queries) // options.limit) if options.limit else 1
    questions = queries[::step][: options.limit]
    with open_graph(options) as graph:
        experiment = Experiment(graph, graph_index(graph))
        runs: dict[str, tuple[Run, Figures]] = {
            "perfect-oracle": (experiment.perfect_oracle, oracle_figures),
            "search-order": (experiment.search_order, order_figures),
            "plan-latency": (partial(plan_latency, experiment), latency_figures),
        }
        run, figures_of = runs[options.experiment]
        progress = Progress(len(questions))
        lines: list[dict[str, Any]] = []
        for line in run(questions):
            lines.append(line)
            progress.show(len(lines) + experiment.skipped.total())
        progress.close()
    report = {
        "dataset": Path(options.file).name,
        "experiment": options.experiment,
        "questions": len(questions),
        "skipped": dict(experiment.skipped.most_common()),
        **figures_of(lines),
    }
    _tell(report, options)
    return EXIT_OK


def _tell(report: dict[str, Any], options: Namespace) -> None:
    from uniqgen_ir.evaluation.reports import experiment_markdown

    text = experiment_markdown(report)
    if options.report:
        from uniqgen_ir.cli.commands.eval import write_report

        write_report(options.report, report, text)
    if options.format == "json":
        print_json(report)
    else:
        print(text, end="")
