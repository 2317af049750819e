"""The controller that a model is: every step one request, its answer checked against what the prompt listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import define, field

from uniqgen_ir.agents.llm.client import ChatModel
from uniqgen_ir.agents.llm.errors import ModelError, ModelUnavailable
from uniqgen_ir.agents.llm.messages import Json
from uniqgen_ir.agents.prompting import Prompts
from uniqgen_ir.agents.traverse.requests import NONE, STOP, extract_request, step_request
from uniqgen_ir.agents.traverse.views import Candidate, Choice, Controller, View
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion

LEAST_WEIGHT: Final = 0.01
"""What a choice with the score 0 still weighs: it was named."""
BUDGET_SPENT: Final = "UQ692"


@define
class ModelController:
    """Asks a model. Where one answer is of no use, or the budget is spent, `fallback` chooses and a notice says so.

    Raises ModelUnavailable where the model cannot be reached at all.
    """

    index: GraphIndex
    model: ChatModel
    prompts: Prompts
    fallback: Controller
    notices: list[Diagnostic] = field(factory=list[Diagnostic])

    def choose(self, views: Sequence[View]) -> list[Choice]:
        """The model's choice for each view, asked side by side."""
        replies = self.model.complete_all([step_request(view, self.prompts) for view in views])
        return [self._choice(view, reply) for view, reply in zip(views, replies, strict=True)]

    def _choice(self, view: View, reply: Json | ModelError) -> Choice:
        if isinstance(reply, ModelError):
            self._notice(reply)
            return self.fallback.choose([view])[0]
        weights: dict[str, float] = {}
        for one in reply["choices"]:
            weights[one["id"]] = max(weights.get(one["id"], LEAST_WEIGHT), float(one["score"]))
        stop = weights.pop(STOP, 0.0)
        places = {option.id: place for place, option in enumerate(view.options)}
        return Choice(tuple((places[name], weight) for name, weight in weights.items()), stop)

    def extract(self, linked: LinkedQuestion, candidates: Sequence[Candidate]) -> int | None:
        """The candidate that the model names."""
        request, ids = extract_request(linked.text, candidates, self.index, self.prompts)
        try:
            best: str = self.model.complete(request)["best"]
        except ModelError as error:
            self._notice(error)
            return self.fallback.extract(linked, candidates)
        return None if best == NONE else ids.index(best)

    def _notice(self, error: ModelError) -> None:
        said = error.diagnostics[0]
        if isinstance(error, ModelUnavailable) and said.code != BUDGET_SPENT:
            raise error
        message = f"words of the question guide a part of the walk in place of the model: {said.message}"
        notice = Diagnostic(said.code, message, severity=Severity.WARNING, hint=said.hint)
        if notice not in self.notices:
            self.notices.append(notice)
