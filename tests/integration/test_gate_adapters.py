"""The gate inside LangChain and neo4j-graphrag, as those packages are (extra `adapters`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import neo4j
import pytest

from tests.servers import loading
from tests.servers.neo4j import Neo4j
from uniqgen_ir.driver import KnowledgeGraph, read, run_table
from uniqgen_ir.validate.adapters.guard import Guard, RefusedQueryError

SCRIPT = """CREATE (m:Author {name: 'Herman Melville'})-[:WROTE]->(:Book {title: 'Moby-Dick', pages: 635}),
(m)-[:WROTE]->(:Book {title: 'Typee', pages: 376});
"""
SCHEMA = {
    "node_props": {
        "Author": [{"property": "name", "type": "STRING"}],
        "Book": [{"property": "title", "type": "STRING"}, {"property": "pages", "type": "INTEGER"}],
    },
    "rel_props": {},
    "relationships": [{"start": "Author", "type": "WROTE", "end": "Book"}],
}
TURNED = "```cypher\nMATCH (a:Author)<-[:WROTE]-(b:Book) WHERE b.pages > '400' RETURN b.title AS title\n```"
MENDED = "MATCH (a:Author)-[:WROTE]->(b:Book) WHERE b.pages > 400 RETURN b.title AS title"
WRONG = "MATCH (b:Book) RETURN b.isbn_number AS title"
WRITING = "MATCH (b:Book) DETACH DELETE b"


class Books:
    """The graph store of a chain, on the embedded engine; it keeps what was sent."""

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.graph = graph
        self.sent: list[str] = []

    get_schema = "Author -WROTE-> Book"
    get_structured_schema: Mapping[str, Any] = SCHEMA

    def query(self, query: str, params: Mapping[str, Any] = {}) -> list[dict[str, Any]]:
        assert not params
        self.sent.append(query)
        answers = run_table(read(query, "cypher", "sent").table, self.graph, "kglite", timeout=10)
        return [{"title": getattr(row[0], "lexical", row[0])} for row in answers.rows]

    def refresh_schema(self) -> None:
        raise AssertionError("nobody asked for it")

    def add_graph_documents(self, graph_documents: Sequence[Any], include_source: bool = False) -> None:
        raise AssertionError(f"a chain that reads writes {graph_documents} {include_source}")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeGraph]:
    file: Path = tmp_path_factory.mktemp("library") / "library.cypher"
    file.write_text(SCRIPT, encoding="utf-8")
    with KnowledgeGraph([str(file)]) as graph:
        yield graph


def chain_of(replies: Sequence[str], books: Books) -> Any:
    langchain = pytest.importorskip("langchain_neo4j", reason="langchain-neo4j is absent (extra `adapters`)")
    models = pytest.importorskip("langchain_core.language_models.fake_chat_models")
    model = models.FakeListChatModel(responses=list(replies))
    return langchain.GraphCypherQAChain.from_llm(
        model, graph=books, allow_dangerous_requests=True, return_direct=True, validate_cypher=True
    )


def test_langchain_chain_sends_the_mended_query(library: KnowledgeGraph) -> None:
    from uniqgen_ir.validate.adapters.langchain import guarded

    books = Books(library)
    result = guarded(chain_of([TURNED], books)).invoke({"query": "Which books have more than 400 pages?"})
    assert [query.strip() for query in books.sent] == [MENDED]
    assert result["result"] == [{"title": "Moby-Dick"}]


def test_langchain_chain_asks_again(library: KnowledgeGraph) -> None:
    from uniqgen_ir.validate.adapters.langchain import guarded

    books = Books(library)
    result = guarded(chain_of([WRONG, MENDED], books), SCHEMA).invoke({"query": "Which books?"})
    assert books.sent == [MENDED]
    assert result["result"] == [{"title": "Moby-Dick"}]


@pytest.mark.parametrize("reply", [WRONG, WRITING, "I am sorry, I cannot answer that."])
def test_langchain_chain_sends_nothing_that_is_refused(reply: str, library: KnowledgeGraph) -> None:
    from uniqgen_ir.validate.adapters.langchain import guarded

    books = Books(library)
    with pytest.raises(RefusedQueryError):
        guarded(chain_of([reply], books), retries=2).invoke({"query": "Which books?"})
    assert books.sent == []


def test_the_chain_itself_stays_as_it_was(library: KnowledgeGraph) -> None:
    from uniqgen_ir.validate.adapters.langchain import guarded

    books = Books(library)
    chain = chain_of([WRONG], books)
    guarded(chain)
    chain.invoke({"query": "Which books?"})
    assert books.sent == [WRONG]


def test_a_step_in_a_chain_of_runnables() -> None:
    models = pytest.importorskip("langchain_core.language_models.fake_chat_models", reason="langchain-core is absent")
    from langchain_core.output_parsers import StrOutputParser

    reply = "Here you are:\n```sparql\nSELECT ?b WHERE { ?b rdfs:label ?l }\n```"
    chain = models.FakeListChatModel(responses=[reply]) | StrOutputParser() | Guard(language="sparql").accept
    assert "PREFIX rdfs:" in chain.invoke("Which books?")


@pytest.fixture
def driver() -> Iterator[neo4j.Driver]:
    """A driver that reaches no server: what is refused must be refused before."""
    with neo4j.GraphDatabase.driver("bolt://127.0.0.1:9", max_transaction_retry_time=0) as opened:
        yield opened


class Scripted:
    """A model of neo4j-graphrag with its replies written down; it keeps the prompts."""

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.prompts: list[str] = []

    def invoke(self, prompt: str, *others: Any, **options: Any) -> Any:
        from neo4j_graphrag.llm import LLMResponse

        assert (others, options) == ((), {})
        self.prompts.append(prompt)
        return LLMResponse(content=self.replies.pop(0))


def retriever(driver: neo4j.Driver, model: Scripted) -> Any:
    retrievers = pytest.importorskip("neo4j_graphrag.retrievers", reason="neo4j-graphrag is absent (extra `adapters`)")
    from uniqgen_ir.validate.adapters.neo4j_graphrag import guarded_model

    class Retriever(retrievers.Text2CypherRetriever):  # type: ignore[misc, name-defined]
        VERIFY_NEO4J_VERSION = False  # the first connection is that of a query

    return Retriever(driver, guarded_model(model, SCHEMA), neo4j_schema="Author, Book")


def test_graphrag_retriever_refuses_before_anything_is_sent(driver: neo4j.Driver) -> None:
    model = Scripted(WRONG, WRITING)
    with pytest.raises(RefusedQueryError):
        retriever(driver, model).search(query_text="Which books?")
    assert "isbn_number" in model.prompts[1]


def test_graphrag_retriever_goes_on_with_what_passes(driver: neo4j.Driver) -> None:
    with pytest.raises(neo4j.exceptions.ServiceUnavailable):
        retriever(driver, Scripted(WRONG, TURNED)).search(query_text="Which books?")


@pytest.mark.xdist_group("neo4j")
def test_graphrag_retriever_on_a_server(neo4j_server: Neo4j) -> None:
    with loading.driver(neo4j_server) as driver:
        driver.execute_query("MATCH (n) DETACH DELETE n")
        driver.execute_query(SCRIPT.rstrip(";\n"))
        found = retriever(driver, Scripted(WRONG, TURNED)).search(query_text="Which books?")
        driver.execute_query("MATCH (n) DETACH DELETE n")
    assert found.metadata["cypher"].strip() == MENDED
    assert ["Moby-Dick" in item.content for item in found.items] == [True]
