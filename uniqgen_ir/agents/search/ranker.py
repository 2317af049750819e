"""The model as a2: orders the candidate sets of the beam, and sees the last K rewrite steps only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import define, field, frozen

from uniqgen_ir.agents.context import bounded
from uniqgen_ir.agents.llm.client import ChatModel
from uniqgen_ir.agents.llm.errors import ModelError
from uniqgen_ir.agents.llm.messages import Request
from uniqgen_ir.agents.prompting import Prompts
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.ir.printer import print_row
from uniqgen_ir.ir.rows import Origin
from uniqgen_ir.ir.table import Table

MOST_CANDIDATES: Final = 24

RowSet = frozenset[str]


@frozen
class _RowShown:
    id: str
    origin: str
    uncertainty: float
    text: str


@frozen
class _CandidateShown:
    id: str
    without: tuple[str, ...]


@define
class ModelRanker:
    """Implements `Ranker`. A model that fails costs its order, not the search: then rows that are surer stay longer."""

    question: str
    model: ChatModel
    prompts: Prompts
    history: int | None = 1
    """how many of the last steps are shown; None: all"""
    steps: list[str] = field(factory=list[str])
    """what was decided so far, in words"""
    notices: list[Diagnostic] = field(factory=list[Diagnostic])
    """that the model did not rank, and why"""

    def rank(self, table: Table, candidates: Sequence[RowSet]) -> Sequence[RowSet]:
        """The candidates (sets of row ids), best first; those that the model does not name keep the usual order."""
        usual = sorted(candidates, key=lambda one: (*_cost(table, one), sorted(one)))
        if len(usual) < 2 or self.notices:
            return usual
        shown = usual[:MOST_CANDIDATES]
        try:
            chosen = self._ask(table, shown)
        except ModelError as error:
            said = error.diagnostics[0]
            message = f"the model no longer ranks rows, the usual order does: {said.message}"
            self.notices.append(Diagnostic(said.code, message, severity=Severity.WARNING, hint=said.hint))
            return usual
        ranked = [shown[place] for place in chosen]
        every = [*ranked, *(one for one in usual if one not in set(ranked))]
        self.steps.append("went on without " + (", ".join(_without(table, every[0])) or "dropping a row"))
        return every

    def _ask(self, table: Table, shown: Sequence[RowSet]) -> list[int]:
        """The places of the candidates in the model's order, each once."""
        names = [f"s{place}" for place in range(1, len(shown) + 1)]
        last = bounded(self.steps, self.history)
        values = {
            "question": self.question,
            "rows": [_row(table, name) for name in (row.id for row in table.rows)],
            "steps": last.shown,
            "hidden": last.hidden,
            "candidates": [_CandidateShown(name, _without(table, one)) for name, one in zip(names, shown, strict=True)],
        }
        request = Request("rank rows", self.prompts.messages("rank", values), _schema(names), max_tokens=600)
        order: list[str] = self.model.complete(request)["order"]
        return [names.index(name) for name in dict.fromkeys(order)]


def _schema(names: Sequence[str]) -> dict[str, Any]:
    order = {"type": "array", "items": {"type": "string", "enum": list(names)}, "minItems": 1, "maxItems": len(names)}
    return {"type": "object", "properties": {"order": order}, "required": ["order"], "additionalProperties": False}


def _row(table: Table, name: str) -> _RowShown:
    row = table.row(name)
    unsure = 1.0 if row.note.uncertainty is None else row.note.uncertainty
    return _RowShown(name, row.note.origin.value, round(unsure, 2), print_row(row))


def _without(table: Table, names: RowSet) -> tuple[str, ...]:
    return tuple(row.id for row in table.rows if row.id not in names)


def _cost(table: Table, names: RowSet) -> tuple[int, float]:
    """Rows of the question that are missing, then how unsure the rows that stay are."""
    missing = sum(row.id not in names and row.note.origin is Origin.EXPLICIT for row in table.rows)
    return missing, -sum(1.0 - (row.note.uncertainty or 0.0) for row in table.rows if row.id in names)
