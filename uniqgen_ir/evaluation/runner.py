"""Asks every question of every model, in this process or several, always in the same order."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from typing import Any, TypeAlias

from attrs import define, field, frozen

from uniqgen_ir.agents.ask import ENGINES, Asker, AskOutcome
from uniqgen_ir.agents.llm.errors import ModelUnavailable
from uniqgen_ir.driver import run_table
from uniqgen_ir.evaluation.datasets import GoldQuestion
from uniqgen_ir.evaluation.metrics import Given, Score, score
from uniqgen_ir.evaluation.setup import EvaluationSetup
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.values import to_json

Line: TypeAlias = dict[str, Any]
"""One question asked of one model, as it is written to the file of results."""

BUDGET_SPENT = "UQ692"
"""A question that costs more than it may is a question without an answer."""
_AHEAD = 4
"""Tasks that wait for each process, so that none is idle and an interrupt loses little."""


@frozen
class Task:
    """A question for a model."""

    model: str
    gold: GoldQuestion

    @property
    def id(self) -> str:
        """Names the task within a run."""
        return f"{self.model}\t{self.gold.id}"


def tasks_of(models: Sequence[str], questions: Sequence[GoldQuestion]) -> list[Task]:
    """Question by question, every model: an interrupted run has as many of each."""
    return [Task(model, gold) for gold in questions for model in models]


def run_tasks(setup: EvaluationSetup, tasks: Sequence[Task], processes: int = 1) -> Generator[Line]:
    """The lines of the tasks in their order. Raises DiagnosticError where the graph or the setup cannot be used."""
    if processes <= 1:
        with _Worker(setup) as worker:
            for task in tasks:
                yield worker.line(task)
        return
    context = multiprocessing.get_context("spawn")  # engines have threads, which a fork would not carry over
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_begin, initargs=(setup,)) as pool:
        try:
            yield from _in_order(pool, tasks, processes)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _in_order(pool: ProcessPoolExecutor, tasks: Iterable[Task], processes: int) -> Generator[Line]:
    waiting = [pool.submit(_work, task) for task in list(tasks)[: _AHEAD * processes]]
    following = iter(list(tasks)[len(waiting) :])
    while waiting:
        line = waiting.pop(0).result()
        task = next(following, None)
        if task is not None:
            waiting.append(pool.submit(_work, task))
        yield line


_worker: _Worker | None = None
"""The worker of this process, where it is one of several."""


def _begin(setup: EvaluationSetup) -> None:
    global _worker
    threading.Thread(target=_leave_with_parent, name="parent", daemon=True).start()
    _worker = _Worker(setup)


def _leave_with_parent() -> None:
    """End this process when the run was killed: it would wait for work that nobody sends."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(task: Task) -> Line:
    assert _worker is not None
    return _worker.line(task)


@define
class _Worker:
    """Graph, index and models of one process. A context manager."""

    setup: EvaluationSetup
    askers: dict[str, Asker] = field(init=False)
    _stack: ExitStack = field(factory=ExitStack, init=False)

    def __attrs_post_init__(self) -> None:
        graph = self._stack.enter_context(self.setup.graph())
        self.askers = self._stack.enter_context(self.setup.opened(graph))

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def line(self, task: Task) -> Line:
        """The line of one task; an error of the question is a part of it, and counts as no answer."""
        asker = self.askers[task.model]
        common: Line = {
            "id": task.id,
            "model": task.model,
            "question": task.gold.question,
            "gold": list(task.gold.answers or ()),
            "groups": dict(task.gold.groups),
        }
        try:
            outcome = asker.ask(task.gold.question)
        except DiagnosticError as error:
            first = error.diagnostics[0]
            if isinstance(error, ModelUnavailable) and first.code != BUDGET_SPENT:
                raise  # every other question would fail, too; what was answered is kept
            return common | _scored(Score(0.0, 0.0, 0.0)) | {"error": {"code": first.code, "message": first.message}}
        return common | _answered(task, asker, outcome)


def _answered(task: Task, asker: Asker, outcome: AskOutcome) -> Line:
    rows = [row[0] for row in outcome.rows if row]
    given = [Given.of(asker.name(term), to_json(term)) for term in rows]
    report, session = outcome.report, outcome.proposal.session
    line: Line = {
        **_scored(score(given, task.gold.answers or ())),
        "f1_universal": round(_universal(task, asker, outcome), 6),
        "answers": [asker.name(term) for term in rows[:100]],
        "abstained": None if outcome.abstained is None else outcome.abstained.code,
        "engines_agree": outcome.engines_agree,
        "confidence": outcome.proposal.confidence,
        "ms": round(outcome.milliseconds, 1),
        "store_calls": (report.calls if report is not None else 0) + len(outcome.answers),
    }
    if session is not None:
        usage = session.usage
        line |= {"model_calls": session.meter.calls, "input_tokens": usage.input, "output_tokens": usage.output}
    return line


def _universal(task: Task, asker: Asker, outcome: AskOutcome) -> float:
    """The F1 of the universal query, all rows that were proposed, as it is: what chase and backchase start from."""
    table = outcome.proposal.table
    if table is None:
        return 0.0
    try:
        rows = run_table(table, asker.graph, ENGINES["sparql"], timeout=asker.options.timeout).rows
    except DiagnosticError:
        return 0.0
    return score([Given.of(asker.name(row[0]), to_json(row[0])) for row in rows if row], task.gold.answers or ()).f1


def _scored(one: Score) -> Line:
    return {"f1": round(one.f1, 6), "hits1": one.hits1, "exact": one.exact}
