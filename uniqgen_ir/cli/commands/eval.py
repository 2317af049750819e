"""`uniqgen eval`."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uniqgen_ir import __version__
from uniqgen_ir.cli.batch import Progress
from uniqgen_ir.cli.commands.ask import chosen_languages
from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.models import check_model_options, cost_of, model_options, model_settings, prices
from uniqgen_ir.cli.output import print_json, write_output
from uniqgen_ir.ir.diagnostics import fail

if TYPE_CHECKING:
    from uniqgen_ir.evaluation.datasets import Dataset
    from uniqgen_ir.evaluation.questions import Chosen
    from uniqgen_ir.evaluation.runner import Line, Task
    from uniqgen_ir.evaluation.setup import EvaluationSetup


def run(options: Namespace) -> int:
    """Ask every question of every model and tell the figures; with `--out`, go on where an earlier run stopped."""
    from uniqgen_ir.evaluation.datasets import read_dataset
    from uniqgen_ir.evaluation.questions import choose, read_ids
    from uniqgen_ir.evaluation.runner import tasks_of
    from uniqgen_ir.evaluation.summary import summarise

    check_model_options(options)
    if options.experiment:
        from uniqgen_ir.cli.experiments import run_experiment

        return run_experiment(options)
    setup = _setup(options)
    dataset = read_dataset(options.file)
    ids = read_ids(options.ids) if options.ids else None
    chosen = choose(dataset, limit=options.limit, ids=ids, plain=options.plain)
    lines = _lines(setup, dataset, tasks_of(setup.models, chosen.questions), options)
    figures = summarise(lines, setup.models)
    price = prices(options.price)
    if price is not None:
        figures = {name: one | {"cost": cost_of(one, price)} for name, one in figures.items()}
    report = _report(options, setup, chosen, figures)
    _tell(report, options)
    return EXIT_OK


def _setup(options: Namespace) -> EvaluationSetup:
    from uniqgen_ir.agents.ask import AskOptions
    from uniqgen_ir.evaluation.setup import OFFLINE, EvaluationSetup

    models = tuple(dict.fromkeys(options.model or [OFFLINE]))
    return EvaluationSetup(
        sources=tuple(options.graph or ()),
        schemas=tuple(options.schema or ()),
        mapping=options.mapping,
        label_property=getattr(options, "label_property", None),
        models=models,
        ask=AskOptions(
            languages=chosen_languages(options.lang),
            hops=options.k + 1,
            timeout=options.timeout,
            embeddings=options.embeddings,
        ),
        settings=model_settings(options, OFFLINE),
        options=model_options(options),
        prompts=Path(options.prompts) if options.prompts else None,
    )


def _settings(setup: EvaluationSetup, dataset: Dataset, options: Namespace) -> dict[str, Any]:
    """All that the lines depend on."""
    with setup.graph() as graph:
        fingerprint = graph.endpoint or graph.fingerprint
    return {
        "version": __version__,
        "dataset": dataset.content_hash,
        "graph": fingerprint,
        "schema": list(setup.schemas),
        "mapping": setup.mapping,
        "models": list(setup.models),
        "lang": options.lang,
        "k": options.k,
        "limit": options.limit,
        "ids": options.ids,
        "plain": options.plain,
        "embeddings": options.embeddings,
        "samples": options.samples,
        "context": options.context,
        "prompts": options.prompts,
    }


def _lines(setup: EvaluationSetup, dataset: Dataset, tasks: Sequence[Task], options: Namespace) -> list[Line]:
    """The lines of every task; with `--out` those of an earlier run are taken over."""
    from uniqgen_ir.evaluation.resumable import ResumableLines
    from uniqgen_ir.evaluation.runner import run_tasks

    if options.out is None:
        return list(_shown(run_tasks(setup, tasks, options.jobs), len(tasks)))
    with ResumableLines(options.out, _settings(setup, dataset, options)) as file:
        done = file.done
        if file.ids() != [one.id for one in tasks[: len(done)]]:
            raise fail("UQ671", f"the lines of {options.out} are not the first questions of the run")
        if done:
            print(f"{len(done)} answers are there already", file=sys.stderr)
        fresh: list[Line] = []
        for line in _shown(run_tasks(setup, tasks[len(done) :], options.jobs), len(tasks) - len(done)):
            file.write(line)
            fresh.append(line)
    return [*done, *fresh]


def _shown(lines: Iterable[Line], total: int) -> Iterator[Line]:
    """The lines, with a counter on standard error."""
    progress = Progress(total)
    for number, line in enumerate(lines, 1):
        yield line
        progress.show(number)
    progress.close()


def _report(options: Namespace, setup: EvaluationSetup, chosen: Chosen, models: dict[str, Any]) -> dict[str, Any]:
    return {
        "dataset": Path(options.file).name + (" (lower case, without marks)" if options.plain else ""),
        "graph": [Path(one).name for one in setup.sources],
        "version": __version__,
        "questions": len(chosen.questions),
        "without_answers": chosen.without_answers,
        "inexact": chosen.inexact,
        "models": models,
    }


def _tell(report: dict[str, Any], options: Namespace) -> None:
    from uniqgen_ir.evaluation.reports import markdown, plot

    if options.report:
        write_report(options.report, report, markdown(report), plot(report))
    if options.format == "json":
        print_json(report)
    else:
        print(markdown(report), end="")


def write_report(folder: str, report: dict[str, Any], text: str, picture: str | None = None) -> None:
    """`report.json`, `report.md` and `report.svg` in a folder. Raises DiagnosticError (UQ650)."""
    import json

    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise fail("UQ650", f"cannot use the folder {folder}: {error.strerror}") from error
    write_output(str(place / "report.json"), json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    write_output(str(place / "report.md"), text)
    if picture is not None:
        write_output(str(place / "report.svg"), picture)
