"""`uniqgen demo`: a handful of questions on the bundled graph, every stage shown."""

from __future__ import annotations

import tempfile
from argparse import Namespace
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from uniqgen_ir.cli.exits import EXIT_INTERNAL, EXIT_OK
from uniqgen_ir.cli.output import print_json
from uniqgen_ir.ir.diagnostics import fail


@frozen
class DemoQuestion:
    """A question, and what a person knows of its answers (a partial list), if anybody was asked."""

    question: str
    known: tuple[str, ...] = ()


QUESTIONS: Final = (
    DemoQuestion("Which drugs treat tetany?"),
    DemoQuestion("Which US cities hosted the Olympics in February?"),
    DemoQuestion("Which medicines treat obesity?", known=("sibutramine", "orlistat")),
    DemoQuestion("Where were the 1998 Winter Olympics held?"),
    DemoQuestion("Which approved medicines treat gout?"),
)


def run(options: Namespace) -> int:
    """Answer the questions. Exit code 4 where the two engines disagree, which must never be."""
    from uniqgen_ir.agents.ask import Asker, outcome_json
    from uniqgen_ir.cli.report import show_outcome
    from uniqgen_ir.driver import KnowledgeGraph

    chosen = range(1, len(QUESTIONS) + 1) if options.only is None else (options.only,)
    agree = True
    with KnowledgeGraph(("almanac",)) as graph, tempfile.TemporaryDirectory() as folder:
        asker = Asker(graph)
        for number in chosen:
            if not 1 <= number <= len(QUESTIONS):
                raise fail("UQ653", f"there is no question {number}", hint=f"1 to {len(QUESTIONS)}")
            one = QUESTIONS[number - 1]
            asker.options = evolve(asker.options, oracle=_known(one, Path(folder) / f"known-{number}.txt"))
            outcome = asker.ask(one.question)
            agree = agree and outcome.engines_agree and len(outcome.answers) > 1
            if options.format == "json":
                print_json(outcome_json(outcome, asker))
            else:
                show_outcome(outcome, asker, heading=f"{number}. {one.question}")
    return EXIT_OK if agree else EXIT_INTERNAL


def _known(one: DemoQuestion, path: Path) -> str | None:
    if not one.known:
        return None
    path.write_text("\n".join(one.known) + "\n", encoding="utf-8")
    return str(path)
