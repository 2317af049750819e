"""The operation that answers questions; where a store or a model fails, it gives what it has, and says what failed."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final

from attrs import define, evolve

from uniqgen_ir.agents.ask import Asker, AskOptions, AskOutcome, outcome_json
from uniqgen_ir.agents.llm.allowance import Allowance, allowed
from uniqgen_ir.agents.llm.errors import ModelUnavailable
from uniqgen_ir.agents.propose import Proposal
from uniqgen_ir.driver import compile_table
from uniqgen_ir.ir.diagnostic_json import diagnostic_json
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Severity
from uniqgen_ir.ir.protocols import StoreError
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.search.budget import Budget, Cancellation
from uniqgen_ir.passes.search.result import Status
from uniqgen_ir.service.deadline import current_deadline
from uniqgen_ir.service.workbench import Workbench

MODEL_SHARE: Final = 0.75
"""The share of a request's seconds after which a model is given up: the rest is for reading offline, and statements."""


def ask(bench: Workbench, arguments: dict[str, Any]) -> dict[str, Any]:
    """The answers to a question, or the reason why there are none."""
    asker = _asker_of_request(bench, arguments)
    failure: ModelUnavailable | None = None
    try:
        with _model_in_time():
            outcome = asker.ask(arguments["question"])
    except ModelUnavailable as error:
        # read offline in place of not at all; the answer says so
        failure = error
        asker = evolve(asker, make_reader=None, reader=None)
        outcome = asker.ask(arguments["question"])
    if failure is not None:
        outcome = evolve(outcome, diagnostics=(*map(_warning, failure.diagnostics), *outcome.diagnostics))
    return _json(outcome, asker, arguments, model_failed=failure is not None)


@contextmanager
def _model_in_time() -> Generator[None]:
    """While inside, the model has its share of the request's time, and its calls end with the request."""
    deadline = current_deadline()
    if deadline is None:
        yield
        return
    kept = deadline.seconds * (1.0 - MODEL_SHARE)
    allowance = Allowance(lambda: deadline.left - kept)
    with deadline.ended_by(allowance.end), allowed(allowance):
        yield


def _json(outcome: AskOutcome, asker: Asker, arguments: dict[str, Any], *, model_failed: bool) -> dict[str, Any]:
    found = outcome_json(outcome, asker, ids=arguments.get("ids", False))
    found.pop("report")
    if not arguments.get("trace", False):
        found.pop("trace")
    abstained = (outcome.abstained,) if outcome.abstained is not None else ()
    found["diagnostics"] = [diagnostic_json(one) for one in dict.fromkeys((*abstained, *outcome.diagnostics))]
    stopped = outcome.report is not None and outcome.report.status is Status.STOPPED
    unanswered = outcome.table is not None and set(outcome.answers) != set(asker.options.languages)
    found["partial"] = model_failed or stopped or unanswered
    return found


def _asker_of_request(bench: Workbench, arguments: dict[str, Any]) -> Asker:
    """The shared asker with the options, budget and switch of this request."""
    shared = bench.asker()
    deadline = current_deadline()
    left = shared.options.timeout if deadline is None else max(deadline.left, 0.001)
    relaxation = evolve(
        shared.options.relaxation,
        budget=Budget(ms=None if left is None else left * 1000.0),
        cancellation=Cancellation() if deadline is None else deadline.cancellation,
    )
    languages = tuple(dict.fromkeys(arguments.get("languages") or shared.options.languages))
    options = AskOptions(languages=languages, relaxation=relaxation, timeout=left)
    return PartialAsker(bench.graph, options, shared.make_reader, shared.proposer)


@define
class PartialAsker(Asker):
    """An asker that gives the reading and its queries where the store fails before there are answers."""

    def _answer(self, question: str, proposal: Proposal, table: Table) -> AskOutcome:
        try:
            return super()._answer(question, proposal, table)
        except StoreError as error:
            queries: dict[str, str] = {}
            for language in self.options.languages:
                try:
                    queries[language] = compile_table(table, language, self.graph, inline=True).text
                except DiagnosticError:
                    # what the reading cannot be said in is not what this answer is about
                    continue
            return AskOutcome(
                question,
                proposal,
                table=table,
                queries=queries,
                engines_agree=False,
                abstained=evolve(error.diagnostics[0], severity=Severity.ERROR),
                diagnostics=(*proposal.diagnostics, *error.diagnostics[1:]),
            )


def _warning(one: Diagnostic) -> Diagnostic:
    return evolve(one, severity=Severity.WARNING)
