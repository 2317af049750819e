"""`uniqgen eval robustness`."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uniqgen_ir import __version__
from uniqgen_ir.cli.batch import Progress
from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.inputs import open_graph
from uniqgen_ir.cli.output import print_json, write_output
from uniqgen_ir.ir.diagnostics import fail

if TYPE_CHECKING:
    from uniqgen_ir.evaluation.datasets import GoldQuestion
    from uniqgen_ir.evaluation.robustness.study import Line, RobustnessStudy


def run(options: Namespace) -> int:
    """Spoil the gold answers step by step and tell what each method makes of them."""
    from uniqgen_ir.agents.indexing import graph_index
    from uniqgen_ir.evaluation.datasets import read_dataset
    from uniqgen_ir.evaluation.experiments import Experiment
    from uniqgen_ir.evaluation.robustness.figures import figures
    from uniqgen_ir.evaluation.robustness.study import RobustnessStudy

    shares = _shares(options.shares)
    dataset = read_dataset(options.file)
    queries = [one for one in dataset.questions if one.sparql is not None and one.exact]
    if not queries:
        raise fail("UQ670", f"{options.file} holds no gold query", hint="sparql: a query on each record")
    step = max(1, len(queries) // options.limit) if options.limit else 1
    questions = queries[::step][: options.limit]
    with open_graph(options) as graph:
        described = {
            "version": __version__,
            "dataset": dataset.content_hash,
            "graph": graph.endpoint or graph.fingerprint,
            "shares": shares,
            "limit": options.limit,
            "seed": options.seed,
        }
        study = RobustnessStudy(Experiment(graph, graph_index(graph), seed=options.seed), shares)
        lines = _lines(study, questions, described, options)
    report = {
        "dataset": Path(options.file).name,
        "graph": [Path(one).name for one in options.graph],
        "version": __version__,
        "questions": len(questions),
        "seed": options.seed,
        **figures(lines, options.seed),
    }
    _tell(report, options)
    return EXIT_OK


def _shares(text: str) -> list[float]:
    """`1,.9,.5` as shares. Raises DiagnosticError (UQ653)."""
    try:
        found = [float(one) for one in text.split(",") if one.strip()]
    except ValueError:
        found = []
    if not found or not all(0.0 < one <= 1.0 for one in found):
        raise fail("UQ653", f"--shares does not take {text!r}", hint="numbers above 0 and at most 1: 1,.9,.8")
    return list(dict.fromkeys(found))


def _lines(
    study: RobustnessStudy, questions: Sequence[GoldQuestion], described: dict[str, Any], options: Namespace
) -> list[Line]:
    """A line for each question; with `--out` those of an earlier run are taken over."""
    from uniqgen_ir.evaluation.resumable import ResumableLines

    if options.out is None:
        return list(_shown(study.lines(questions), len(questions)))
    with ResumableLines(options.out, described) as file:
        lines = list(file.done)
        if file.ids() != [one.id for one in questions[: len(lines)]]:
            raise fail("UQ671", f"the lines of {options.out} are not the first questions of the run")
        if lines:
            print(f"{len(lines)} lines are there already", file=sys.stderr)
        for line in _shown(study.lines(questions[len(lines) :]), len(questions) - len(lines)):
            file.write(line)
            lines.append(line)
    return lines


def _shown(lines: Iterator[Line], total: int) -> Iterator[Line]:
    progress = Progress(total)
    for number, line in enumerate(lines, 1):
        yield line
        progress.show(number)
    progress.close()


def _tell(report: dict[str, Any], options: Namespace) -> None:
    from uniqgen_ir.evaluation.robustness.figures import robustness_markdown, robustness_plots

    text = robustness_markdown(report)
    if options.report:
        from uniqgen_ir.cli.commands.eval import write_report

        write_report(options.report, report, text)
        for name, picture in robustness_plots(report).items():
            write_output(str(Path(options.report) / f"{name}.svg"), picture)
    if options.format == "json":
        print_json(report)
    else:
        print(text, end="")
