"""Trials over gold queries: each spoilt oracle, each method, one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from attrs import define

from uniqgen_ir.evaluation.datasets import GoldQuestion
from uniqgen_ir.evaluation.distraction import Trial
from uniqgen_ir.evaluation.experiments import Experiment
from uniqgen_ir.evaluation.robustness.methods import Methods, set_f1
from uniqgen_ir.evaluation.robustness.oracle import SpoiltOracle
from uniqgen_ir.ir.analysis import answer_key
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.protocols import AnswerRow, ReferenceAnswer
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.passes.search.result import AnswerKey

Line: TypeAlias = dict[str, Any]

MOST_ANSWERS: Final = 200
"""A question with more answers is left out: its spoilt sets say nothing that smaller ones do not."""
MOST_WRONG: Final = 400


def points(shares: Sequence[float]) -> list[tuple[float, float]]:
    """Recall alone, precision alone, both: every pair once, the perfect oracle first."""
    pairs = [(one, 1.0) for one in shares] + [(1.0, one) for one in shares] + [(one, one) for one in shares]
    return list(dict.fromkeys(pairs))


def complete(rows: Sequence[AnswerRow]) -> list[AnswerKey]:
    """The rows that bind every column."""
    return [key for row in rows if len(key := tuple(term for term in row if term is not None)) == len(row)]


@define
class RobustnessStudy:
    """Lines for the questions of one experiment."""

    experiment: Experiment
    shares: Sequence[float]

    def lines(self, questions: Sequence[GoldQuestion]) -> Iterator[Line]:
        """`{"id", "answers", "points": [{"recall", "precision", "references", "f1": {method: value}}]}` a question.

        A question without a trial has a line with `skipped`, so that a run that was stopped knows it is done.
        """
        for gold in questions:
            before = self.experiment.skipped.copy()
            trial = next(self.experiment.trials([gold]), None)
            if trial is None:
                reason = next(iter(self.experiment.skipped - before), "")
                yield {"id": gold.id, "skipped": reason}
                continue
            try:
                yield self._line(*trial)
            except DiagnosticError as error:
                yield {"id": gold.id, "skipped": error.diagnostics[0].code}

    def _line(self, trial: Trial, table: Table) -> Line:
        if len(trial.answers) > MOST_ANSWERS:
            return {"id": trial.id, "skipped": "many answers"}
        methods = Methods(self.experiment.graph, self.experiment.engine, table)
        wrong = self._wrong(trial, table, methods)
        right = tuple(one.key for one in trial.references)
        oracle = SpoiltOracle.drawn(right, complete(wrong), f"{self.experiment.seed}:{trial.id}:oracle")
        gold = frozenset(trial.answers)
        found: list[dict[str, Any]] = []
        known: dict[tuple[ReferenceAnswer, ...], dict[str, float]] = {}
        for recall, precision in points(self.shares):
            references = oracle.references(recall, precision)
            scores = known.get(references)
            if scores is None:
                results = methods.results(references)
                scores = known[references] = {name: round(set_f1(each, gold), 6) for name, each in results.items()}
            found.append({"recall": recall, "precision": precision, "references": len(references), "f1": scores})
        return {"id": trial.id, "answers": len(gold), "wrong": len(oracle.wrong), "points": found}

    def _wrong(self, trial: Trial, table: Table, methods: Methods) -> list[AnswerRow]:
        """Near misses: answers of the gold rows without one of them; then things of the same kind."""
        gold_rows = [row.id for row in table.rows if not row.id.startswith("distraction")]
        found: dict[AnswerRow, None] = {}
        for left_out in gold_rows:
            found |= dict.fromkeys(sorted(methods.answers(one for one in gold_rows if one != left_out), key=repr))
        near = [one for one in found if one not in trial.answers]
        if len(near) < len(trial.answers) and len(answer_key(table)) == 1:
            near += self._alike(trial)
        return near[:MOST_WRONG]

    def _alike(self, trial: Trial) -> list[AnswerRow]:
        """Things that the same relations lead to as to an answer."""
        index = self.experiment.index
        nodes = [index.number(one[0]) for one in sorted(trial.answers, key=repr) if isinstance(one[0], IRI)]
        first = next((node for node in nodes if node is not None), None)
        if first is None:
            return []
        ends: dict[AnswerRow, None] = {}
        for directed, target in index.adjacency.edges(first):
            others = index.adjacency.follow(target, directed ^ 1)
            ends |= {(index.terms[one],): None for one in others if isinstance(index.terms[one], IRI)}
        return [one for one in ends if one not in trial.answers]
