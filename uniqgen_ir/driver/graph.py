"""A knowledge graph: its sources, and everything that is made from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Mapping as MappingOf
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from attrs import evolve

from uniqgen_ir.driver.vocabulary import Vocabulary, load_vocabulary, resolve_mapping
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.protocols import Store
from uniqgen_ir.ir.terms import IRI

if TYPE_CHECKING:
    import pyoxigraph

    from uniqgen_ir.backends.base import Renderer
    from uniqgen_ir.backends.engines.bolt.schema import ServerSchema
    from uniqgen_ir.backends.store import RenderingStore
    from uniqgen_ir.ir.graph import Fact
    from uniqgen_ir.ir.mapping import Mapping
    from uniqgen_ir.kg.load import LoadedGraph
    from uniqgen_ir.kg.profile import PredicateProfile


class KnowledgeGraph:
    """Graph sources with everything made from them: facts in memory, vocabulary, one store per engine.

    A context manager: leaving it closes the engines.
    """

    def __init__(
        self,
        sources: Sequence[str],
        *,
        schemas: Sequence[str] = (),
        mapping: str | None = None,
        label_property: str | None = None,
    ) -> None:
        self.sources = tuple(_supported(one) for one in sources)
        self._label_property = label_property
        self._schemas = tuple(schemas)
        self._mapping = mapping
        self._stores: dict[str, RenderingStore] = {}
        self._parallel: dict[str, bool] = {}

    @cached_property
    def endpoint(self) -> str | None:
        """The address of the SPARQL endpoint, where the graph is one. Raises DiagnosticError UQ640 beside others."""
        from uniqgen_ir.backends.engines.remote import is_endpoint

        remote = [source for source in self.sources if is_endpoint(source)]
        if remote and len(self.sources) > 1:
            raise fail("UQ640", f"{remote[0]} cannot be joined with other graphs", hint="give one --graph")
        return remote[0] if remote else None

    @cached_property
    def bolt(self) -> str | None:
        """The address of the server behind Bolt, where the graph is one. Raises DiagnosticError UQ645 beside others."""
        from uniqgen_ir.backends.engines.remote import is_bolt

        remote = [source for source in self.sources if is_bolt(source)]
        if remote and len(self.sources) > 1:
            raise fail("UQ645", f"{remote[0]} cannot be joined with other graphs", hint="give one --graph")
        return remote[0] if remote else None

    def _need_facts(self) -> None:
        remote = self.endpoint or self.bolt
        if remote is not None:
            message = f"{remote} is a remote graph, and this needs all its facts in memory"
            raise fail("UQ644", message, hint="run queries on it, or load a dump of it as a file")

    @cached_property
    def loaded(self) -> LoadedGraph:
        """The facts in memory. Raises DiagnosticError where a source cannot be read, UQ644 for a remote graph."""
        from uniqgen_ir.kg.load import load_graph

        self._need_facts()
        loaded = load_graph(self.sources)
        if self._label_property is None:
            return loaded
        first = IRI(self._label_property)
        others = (one for one in loaded.label_predicates if one != first)
        return evolve(loaded, label_predicates=(first, *others))

    @cached_property
    def vocabulary_files(self) -> tuple[str, ...]:
        """The files given, or those that come with a bundled graph."""
        from uniqgen_ir.kg.load import BUNDLED_GRAPHS

        own = (str(BUNDLED_GRAPHS[one] / f"{one}.cts") for one in self.sources if one in BUNDLED_GRAPHS)
        return self._schemas or tuple(own)

    def use_schemas(self, names: Sequence[str], folder: Path) -> None:
        """Let the schemas that a table uses join the vocabulary; names are relative to the table's folder."""
        if names:
            self._schemas = (*self.vocabulary_files, *(str(folder / name) for name in names))
            for cached in ("vocabulary_files", "vocabulary", "mapping"):
                self.__dict__.pop(cached, None)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What the vocabulary files say. Raises DiagnosticError."""
        return load_vocabulary(self.vocabulary_files)

    @cached_property
    def mapping(self) -> Mapping | None:
        """The mapping given by name or file, otherwise the vocabulary's."""
        return resolve_mapping(self._mapping) or self.vocabulary.mapping

    @cached_property
    def profiles(self) -> MappingOf[str, PredicateProfile]:
        """What the graph says about each predicate: edges, values or both."""
        from uniqgen_ir.kg.profile import profile

        return profile(self.facts())

    @property
    def content_hash(self) -> str | None:
        """Names the content of all sources; what is built from them is cached under it."""
        return self.fingerprint

    @cached_property
    def fingerprint(self) -> str:
        """A hexadecimal SHA-256 over the files of all sources."""
        from uniqgen_ir.kg.load import content_hash, source_files

        self._need_facts()
        return content_hash(source_files(self.sources))

    def facts(self) -> Iterator[Fact]:
        """Every fact, streamed from memory if the graph is loaded already, otherwise from the files."""
        from uniqgen_ir.kg.load import iter_facts

        self._need_facts()
        return iter(self.loaded.graph) if "loaded" in self.__dict__ else iter_facts(self.sources)

    def quads(self, blank: Callable[[str], pyoxigraph.NamedNode]) -> Iterator[pyoxigraph.Quad] | None:
        """What an Oxigraph store can take as it stands in the files; None where it has to be made of the facts."""
        from uniqgen_ir.kg.load import quads_of_files, source_files

        self._need_facts()
        return quads_of_files(source_files(self.sources), blank)

    def parallel(self, engine: str) -> Callable[[str], bool] | None:
        """Whether relationships of a type run in parallel between the same nodes, as an embedded engine counts them.

        None where relationships are no facts: on a server.
        """
        if self.endpoint is not None or self.bolt is not None:
            return None

        def runs(type_: str) -> bool:
            if type_ not in self._parallel:
                from uniqgen_ir.driver.parallel import runs_in_parallel

                self._parallel[type_] = runs_in_parallel(self.store(engine), type_)
            return self._parallel[type_]

        return runs

    def store(self, engine: str) -> Store:
        """The store of this engine, opened at first use; `reference` evaluates in memory. Raises DiagnosticError."""
        if engine == "reference":
            from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore

            return ReferenceStore(self.loaded.graph)
        return self.engine_store(engine)

    def engine_store(self, engine: str) -> RenderingStore:
        """The store of an engine that reads query text; a remote graph answers by its own.

        Raises DiagnosticError for an unknown engine, UQ644 for an embedded engine over a remote graph.
        """
        if engine not in self._stores:
            self._stores[engine] = self._open(engine)
        return self._stores[engine]

    def _open(self, engine: str) -> RenderingStore:
        from uniqgen_ir.backends.registry import open_bolt, open_endpoint, open_store

        # oxigraph is what the command line says where nobody picked an engine
        if self.endpoint is not None and engine in ("oxigraph", "sparql-http"):
            return open_endpoint(self.endpoint)
        if self.bolt is not None and engine in ("oxigraph", "bolt"):
            return open_bolt(self.bolt, self.mapping)
        return open_store(engine, self)

    def server_renderer(self, dialect: str) -> Renderer:
        """The renderer of a dialect of Cypher for the names that the server behind Bolt has. Raises StoreError."""
        from uniqgen_ir.backends.engines.bolt.store import renderer_for

        return renderer_for(self.engine_store("bolt"), dialect)

    def server_schema(self) -> ServerSchema:
        """The schema of the graph behind Bolt, as its server holds it. Raises StoreError."""
        from uniqgen_ir.backends.engines.bolt.engine import BoltEngine
        from uniqgen_ir.backends.engines.bolt.schema import read_schema

        engine = self.engine_store("bolt").engine
        assert isinstance(engine, BoltEngine)
        return read_schema(engine)

    def close(self) -> None:
        """End every engine."""
        for store in self._stores.values():
            store.close()
        self._stores.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _supported(source: str) -> str:
    if not source.strip():
        raise fail("UQ653", "a graph has an empty name", hint="a file, a folder, or a bundled graph: almanac")
    return source
