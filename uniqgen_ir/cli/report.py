"""An answered question as text: every stage from the table to the answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from uniqgen_ir.cli.story import chase_story
from uniqgen_ir.ir.printer import print_table

if TYPE_CHECKING:
    from uniqgen_ir.agents.ask import Asker, AskOutcome
    from uniqgen_ir.ir.terms import GroundTerm

SHOWN: int = 12


def show_outcome(
    outcome: AskOutcome,
    asker: Asker,
    *,
    heading: str | None = None,
    ids: bool = False,
    verbose: bool = True,
) -> None:
    """Print the stages on standard output; `verbose` False leaves the search out."""

    language_asked = outcome.language

    def name(term: GroundTerm | None) -> str:
        shown = asker.name(term, language_asked)
        return ("yes" if shown else "no") if isinstance(shown, bool) else str(shown)

    if heading:
        print(f"\n{heading}\n{'=' * len(heading)}")
    if outcome.table is None:
        print(f"no answer: {outcome.abstained.message if outcome.abstained else 'it abstained'}")
        return
    if verbose and outcome.proposal.table is not None:
        _section("constraint table", print_table(outcome.proposal.table))
        offline = outcome.references_from == "offline"
        named = ", ".join(" / ".join(name(term) for term in one.key) for one in outcome.references[:SHOWN])
        given = f"{len(outcome.references)} from offline evidence" if offline else named
        session = outcome.proposal.session
        source = session.name if session and outcome.references_from == session.name else "a person"
        title = "reference answers" + ("" if offline else f" (what {source} knows, a partial list)")
        if outcome.report is not None:
            _section(title, given)
            _section("chase and backchase", chase_story(outcome.report, outcome.proposal.table, name))
    # a table that is asked as it is was searched for nothing
    _section("table" if outcome.report is None else "minimal table", print_table(outcome.table))
    for language, text in outcome.queries.items():
        _section(language, text)
    _section("answers", _answers(outcome, str if ids else name))


def _section(title: str, text: str) -> None:
    print(f"\n-- {title}\n{text.rstrip()}")


def _answers(outcome: AskOutcome, name: Callable[[GroundTerm | None], str]) -> str:
    rows = [" / ".join(map(name, row)) for row in outcome.rows]
    unique = list(dict.fromkeys(rows))
    lines = [f"  {row}" for row in unique[:SHOWN]]
    if len(unique) > SHOWN:
        lines.append(f"  … and {len(unique) - SHOWN} more")
    counts = ", ".join(f"{language} {len(answers.rows)}" for language, answers in outcome.answers.items())
    verdict = "the engines agree" if outcome.engines_agree else "THE ENGINES DISAGREE"
    return "\n".join([*lines, f"  ({counts}; {verdict if len(outcome.answers) > 1 else 'one engine asked'})"])
