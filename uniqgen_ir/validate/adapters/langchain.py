"""The gate in LangChain.

    chain = guarded(GraphCypherQAChain.from_llm(llm, graph=graph, allow_dangerous_requests=True))

In a chain of runnables the guard is one step more: `prompt | llm | StrOutputParser() | Guard(schema).accept`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from attrs import frozen

from uniqgen_ir.validate.adapters.guard import Guard
from uniqgen_ir.validate.gate import SchemaLike


class _Runnable(Protocol):
    def invoke(self, input: Any, /, config: Any = None, **options: Any) -> Any: ...


class _Graph(Protocol):
    @property
    def get_structured_schema(self) -> Mapping[str, Any]: ...


class _CypherChain(Protocol):
    """`GraphCypherQAChain` of langchain-neo4j, as far as it is used."""

    @property
    def cypher_generation_chain(self) -> _Runnable: ...
    @property
    def graph(self) -> _Graph: ...
    def model_copy(self, *, update: Mapping[str, Any] | None = None) -> Any: ...


ChainT = TypeVar("ChainT", bound=_CypherChain)


@frozen
class GuardedGeneration:
    """A step that writes queries, of which only those that pass the guard go on; in the place of `generation`."""

    generation: _Runnable
    guard: Guard

    def invoke(self, input: Mapping[str, Any], /, config: Any = None, **options: Any) -> str:
        """A query that passed. The question comes again with what was wrong. Raises RefusedQueryError."""

        def write(feedback: str) -> str:
            asked = {**input, "question": f"{input['question']}\n\n{feedback}"} if feedback else input
            return str(self.generation.invoke(asked, config, **options))

        return self.guard.ask(write)


def guarded(chain: ChainT, schema: SchemaLike | None = None, *, dialect: str | None = None, retries: int = 1) -> ChainT:
    """The chain, in which no query reaches the graph that the gate refuses.

    A refused query is given back to the model with the reasons, `retries` times. `schema` None: that of the chain's
    graph. The chain's own corrector of directions is replaced: it empties queries that it does not understand. Running
    the chain raises RefusedQueryError; this raises DiagnosticError for a schema that is none.
    """
    guard = Guard(chain.graph.get_structured_schema if schema is None else schema, dialect=dialect, retries=retries)
    generation = GuardedGeneration(chain.cypher_generation_chain, guard)
    # the corrector stands after the chain's own clean-up of the text, so that nothing is sent that was not judged
    copy: ChainT = chain.model_copy(
        update={"cypher_generation_chain": generation, "cypher_query_corrector": guard.accept}
    )
    return copy
