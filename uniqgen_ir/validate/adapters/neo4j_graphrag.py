"""The gate in neo4j-graphrag.

retriever = Text2CypherRetriever(driver, guarded_model(llm, schema))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from attrs import frozen

from uniqgen_ir.validate.adapters.guard import Guard
from uniqgen_ir.validate.gate import SchemaLike


class _Response(Protocol):
    """`LLMResponse`, as far as it is used."""

    @property
    def content(self) -> str: ...
    def model_copy(self, *, update: Mapping[str, Any] | None = None) -> Any: ...


class _Model(Protocol):
    def invoke(self, input: str, /, *others: Any, **options: Any) -> _Response: ...


@frozen
class GuardedModel:
    """A model of which only those answers are handed on that pass the guard."""

    model: _Model
    guard: Guard

    def invoke(self, input: str, /, *others: Any, **options: Any) -> Any:
        """The model's response, whose content is a query that passed. Raises RefusedQueryError."""
        responses: list[_Response] = []

        def write(feedback: str) -> str:
            prompt = f"{input}\n\n{feedback}" if feedback else input
            responses.append(self.model.invoke(prompt, *others, **options))
            return responses[-1].content

        query = self.guard.ask(write)
        return responses[-1].model_copy(update={"content": query})


def guarded_model(
    model: _Model, schema: SchemaLike | None, *, dialect: str | None = None, retries: int = 1
) -> GuardedModel:
    """The model for a `Text2CypherRetriever`: what it writes is judged, mended or written again before it is sent.

    `schema`: as in `uniqgen_ir.check`, so also what `neo4j_graphrag.schema.get_structured_schema` gives. Raises
    DiagnosticError for a schema that is none.
    """
    return GuardedModel(model, Guard(schema, dialect=dialect, retries=retries))
