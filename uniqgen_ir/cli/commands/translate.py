"""`uniqgen translate`."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from typing import Any

from uniqgen_ir import __version__
from uniqgen_ir.cli.batch import Progress
from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.inputs import open_graph
from uniqgen_ir.cli.output import print_json
from uniqgen_ir.driver import KnowledgeGraph
from uniqgen_ir.evaluation.datasets import Dataset, GoldQuestion, read_dataset
from uniqgen_ir.evaluation.resumable import ResumableLines
from uniqgen_ir.evaluation.translate import STATUSES, Translator
from uniqgen_ir.ir.diagnostics import fail


def run(options: Namespace) -> int:
    """Translate every record; with `--out`, go on where an earlier run of the same kind stopped."""
    dataset = read_dataset(options.file)
    questions = dataset.questions[: options.limit]
    with open_graph(options) as graph:
        translator = Translator(graph, options.dialect, options.timeout)
        if options.out is None:
            counts = _to_output(translator, questions)
        else:
            settings = _settings(dataset, graph, options)
            with ResumableLines(options.out, settings) as lines:
                if lines.ids() != [one.id for one in dataset.questions[: len(lines.done)]]:
                    raise fail("UQ671", f"the lines of {options.out} are not the first records of the data set")
                counts = _to_file(translator, questions, lines)
    _tell(counts, options)
    return EXIT_OK


def _settings(dataset: Dataset, graph: KnowledgeGraph, options: Namespace) -> dict[str, Any]:
    """All that the lines depend on."""
    return {
        "version": __version__,
        "dataset": dataset.content_hash,
        "graph": graph.endpoint or (graph.fingerprint if graph.sources else None),
        "schema": list(options.schema or ()),
        "mapping": options.mapping,
        "dialect": options.dialect,
        "timeout": options.timeout,
    }


def _to_output(translator: Translator, questions: Sequence[GoldQuestion]) -> Counter[str]:
    counts: Counter[str] = Counter()
    progress = Progress(len(questions))
    for number, gold in enumerate(questions, start=1):
        line = translator.line(gold)
        print_json(line)
        sys.stdout.flush()
        counts[line["status"]] += 1
        progress.show(number)
    progress.close()
    return counts


def _to_file(translator: Translator, questions: Sequence[GoldQuestion], lines: ResumableLines) -> Counter[str]:
    counts: Counter[str] = Counter(line["status"] for line in lines.done)
    if lines.done:
        print(f"{len(lines.done)} records are there already", file=sys.stderr)
    left = questions[len(lines.done) :]
    progress = Progress(len(left))
    for number, gold in enumerate(left, start=1):
        line = translator.line(gold)
        lines.write(line)
        counts[line["status"]] += 1
        progress.show(number)
    progress.close()
    return counts


def _tell(counts: Counter[str], options: Namespace) -> None:
    found = {status: counts[status] for status in STATUSES if counts[status]}
    if options.out is not None and options.format == "json":
        print_json({"records": counts.total(), "statuses": found, "out": options.out})
    else:
        listed = ", ".join(f"{number} {status}" for status, number in found.items())
        print(f"{counts.total()} records: {listed}", file=sys.stderr)
