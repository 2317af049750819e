"""`uniqgen eval bpc`."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uniqgen_ir import __version__
from uniqgen_ir.cli.batch import Progress
from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.inputs import open_graph
from uniqgen_ir.cli.models import check_model_options, model_settings
from uniqgen_ir.cli.output import print_json, write_output
from uniqgen_ir.ir.diagnostics import fail

if TYPE_CHECKING:
    from uniqgen_ir.evaluation.bpc.arms import Arm
    from uniqgen_ir.evaluation.bpc.study import Line, Study, StudyOptions, World
    from uniqgen_ir.evaluation.datasets import Dataset, GoldQuestion

BUDGET = "calls=400,tokens=2000000,seconds=3600"
"""What one question may spend unless asked otherwise: a walk of many beams needs more than a reading."""


def run(options: Namespace) -> int:
    """Answer every question in every arm and tell the figures; with `--out`, go on where an earlier run stopped."""
    from uniqgen_ir.agents.prompting import Prompts
    from uniqgen_ir.evaluation.bpc.arms import LEXICAL, arms_of
    from uniqgen_ir.evaluation.bpc.figures import figures
    from uniqgen_ir.evaluation.bpc.study import Study
    from uniqgen_ir.evaluation.bpc.subgraphs import write_subgraphs
    from uniqgen_ir.evaluation.datasets import read_dataset
    from uniqgen_ir.evaluation.questions import choose, read_ids

    options.model_budget = options.model_budget or BUDGET
    guides = options.model or [LEXICAL]
    check_model_options(Namespace(**{**vars(options), "offline": False, "model": guides}))
    arms = arms_of(
        guides,
        _histories(options.history),
        [one for one in options.controls.split(",") if one],
        plumbing=options.synthetic,
    )
    dataset = read_dataset(options.file)
    chosen = choose(dataset, limit=options.limit, ids=read_ids(options.ids) if options.ids else None)
    study_options = _study_options(options)
    with _worlds(options) as (world_of, fingerprint):
        settings = model_settings(options, LEXICAL)
        prompts = Prompts(Path(options.prompts)) if options.prompts else Prompts()
        with Study(world_of, study_options, settings, prompts) as study:
            if options.subgraphs:
                write_subgraphs(options.subgraphs, (study.task(one) for one in chosen.questions))
            described = _settings(options, fingerprint, dataset, arms)
            lines = _lines(study, chosen.questions, arms, described, options)
    report = {
        "dataset": Path(options.file).name,
        "graph": ["a graph of its own for each"] if options.own_graphs else [Path(one).name for one in options.graph],
        "version": __version__,
        "questions": len(chosen.questions),
        "without_answers": chosen.without_answers,
        "inexact": chosen.inexact,
        "seed": options.seed,
        "walk": _walk_json(study_options),
        **figures(lines, arms, options.seed),
    }
    _tell(report, options)
    return EXIT_OK


@contextmanager
def _worlds(options: Namespace) -> Generator[tuple[Callable[[GoldQuestion], World], str]]:
    """The graph that each question is walked on, and what tells it from others. Raises DiagnosticError."""
    from uniqgen_ir.agents.indexing import graph_index
    from uniqgen_ir.evaluation.bpc.study import World
    from uniqgen_ir.evaluation.bpc.subgraphs import own_worlds

    if options.own_graphs:
        if options.graph:
            raise fail("UQ653", "--graph and --own-graphs are two graphs for each question", hint="give one of them")
        yield own_worlds(options.file), "own"
        return
    if not options.graph:
        raise fail("UQ653", "no graph given", hint="--graph G, or --own-graphs where each record holds its own")
    with open_graph(options) as graph:
        world = World.of(graph_index(graph))
        yield lambda _: world, graph.endpoint or graph.fingerprint


def _histories(text: str) -> list[int | None]:
    """`0,1,2,full` as numbers, None for full. Raises DiagnosticError (UQ653)."""
    found: list[int | None] = []
    for part in (one.strip() for one in text.split(",") if one.strip()):
        if part != "full" and not part.isdigit():
            raise fail("UQ653", f"--history does not take {part!r}", hint="numbers and full: 0,1,2,full")
        found.append(None if part == "full" else int(part))
    if not found:
        raise fail("UQ653", "--history names no K", hint="0,1,2,full")
    return found


def _study_options(options: Namespace) -> StudyOptions:
    from uniqgen_ir.agents.traverse.outlook import WalkOptions
    from uniqgen_ir.evaluation.bpc.study import StudyOptions

    walk = WalkOptions(width=options.width, depth=options.depth, beams=options.beams, cap=options.cap)
    return StudyOptions(walk=walk, nodes=options.nodes, seed=options.seed)


def _walk_json(options: StudyOptions) -> dict[str, int]:
    walk = options.walk
    return {"width": walk.width, "depth": walk.depth, "beams": walk.beams, "cap": walk.cap, "nodes": options.nodes}


def _settings(options: Namespace, fingerprint: str, dataset: Dataset, arms: Sequence[Arm]) -> dict[str, Any]:
    """All that the lines depend on."""
    return {
        "version": __version__,
        "dataset": dataset.content_hash,
        "graph": fingerprint,
        "arms": [arm.name for arm in arms],
        "limit": options.limit,
        "ids": options.ids,
        "walk": _walk_json(_study_options(options)),
        "seed": options.seed,
        "prompts": options.prompts,
    }


def _lines(
    study: Study,
    questions: Sequence[GoldQuestion],
    arms: Sequence[Arm],
    described: dict[str, Any],
    options: Namespace,
) -> list[Line]:
    """The lines of every question and arm; with `--out` those of an earlier run are taken over."""
    from uniqgen_ir.evaluation.resumable import ResumableLines

    progress = Progress(len(questions) * len(arms))
    if options.out is None:
        lines: list[Line] = []
        for line in study.lines(questions, arms):
            lines.append(line)
            progress.show(len(lines))
        progress.close()
        return lines
    with ResumableLines(options.out, described) as file:
        lines = list(file.done)
        expected = [f"{arm.name}\t{gold.id}" for gold in questions for arm in arms][: len(lines)]
        if file.ids() != expected:
            raise fail("UQ671", f"the lines of {options.out} are not the first of this run")
        if lines:
            print(f"{len(lines)} lines are there already", file=sys.stderr)
        for line in study.lines(questions, arms, done=len(lines)):
            file.write(line)
            lines.append(line)
            progress.show(len(lines))
    progress.close()
    return lines


def _tell(report: dict[str, Any], options: Namespace) -> None:
    from uniqgen_ir.evaluation.bpc.report import f1_plot, study_markdown, token_plot

    text = study_markdown(report)
    if options.report:
        from uniqgen_ir.cli.commands.eval import write_report

        write_report(options.report, report, text, f1_plot(report))
        write_output(str(Path(options.report) / "tokens.svg"), token_plot(report))
    if options.format == "json":
        print_json(report)
    else:
        print(text, end="")
