"""All that a run of questions depends on, in a form that other processes can be given."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from attrs import evolve, field, frozen

from uniqgen_ir.agents.ask import Asker, AskOptions
from uniqgen_ir.agents.extraction.propose import ModelOptions, ModelProposer
from uniqgen_ir.agents.llm.client import Model
from uniqgen_ir.agents.llm.settings import ModelSettings
from uniqgen_ir.agents.prompting import Prompts
from uniqgen_ir.agents.propose import Proposer
from uniqgen_ir.driver import KnowledgeGraph

OFFLINE = "offline"
"""The name under which the offline reader stands beside models."""


@frozen(kw_only=True)
class EvaluationSetup:
    """The graph, how questions are answered, and how models are called; `models` are asked one after the other."""

    sources: tuple[str, ...]
    schemas: tuple[str, ...] = ()
    mapping: str | None = None
    label_property: str | None = None
    models: tuple[str, ...] = (OFFLINE,)
    ask: AskOptions = field(factory=AskOptions)
    settings: ModelSettings = field(factory=lambda: ModelSettings(model=OFFLINE))
    """everything about models but their name"""
    options: ModelOptions = field(factory=ModelOptions)
    prompts: Path | None = None

    def graph(self) -> KnowledgeGraph:
        """The graph, not loaded yet."""
        return KnowledgeGraph(
            self.sources, schemas=self.schemas, mapping=self.mapping, label_property=self.label_property
        )

    @contextmanager
    def opened(self, graph: KnowledgeGraph) -> Generator[dict[str, Asker]]:
        """An asker for each model, all on one graph; the index is built once. Raises DiagnosticError."""
        offline = Asker(graph, self.ask)
        askers, models = dict[str, Asker](), list[Model]()
        try:
            for name in self.models:
                if name == OFFLINE:
                    askers[name] = offline
                    continue
                model = Model(evolve(self.settings, model=name))
                models.append(model)
                reader = ModelProposer(graph, offline.proposer, model, Prompts(self.prompts), self.options)
                askers[name] = Asker(graph, self.ask, make_reader=partial(_always, reader))
            yield askers
        finally:
            for model in models:
                model.close()


def _always(reader: ModelProposer, _: Proposer) -> ModelProposer:
    """Every asker of the run lends the model the same offline reader."""
    return reader
