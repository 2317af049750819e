"""The composer: reads text into tables, runs passes, renders, and runs queries on engines.

Everything that the command line and the agent do goes through here; no other module imports from more than one of
`grammar`, `passes`, `backends` and `kg`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Mapping as MappingOf
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Literal, Self, TypeAlias

from attrs import evolve, frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Severity, errors, fail
from uniqgen_ir.ir.protocols import Answers, ReferenceAnswer, Store
from uniqgen_ir.ir.rows import Row, Triple
from uniqgen_ir.ir.schema import Document, Lexicon, Schema
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.ir.terms import Literal as LiteralTerm
from uniqgen_ir.ir.vocabulary import RDF_TYPE

if TYPE_CHECKING:
    from uniqgen_ir.backends.base import RenderedQuery, Renderer
    from uniqgen_ir.backends.engines.bolt_schema import ServerSchema
    from uniqgen_ir.backends.store import RenderingStore
    from uniqgen_ir.ir.graph import Fact
    from uniqgen_ir.ir.mapping import Mapping
    from uniqgen_ir.kg.load import LoadedGraph
    from uniqgen_ir.kg.profile import PredicateProfile
    from uniqgen_ir.kg.snapshot.files import Manifest
    from uniqgen_ir.passes.certificate import Verdict
    from uniqgen_ir.passes.containment.verdict import Comparison
    from uniqgen_ir.passes.relaxation import RelaxationOptions
    from uniqgen_ir.passes.search.result import ChaseReport
    from uniqgen_ir.passes.trace import Step

PrintAfter: TypeAlias = Literal["all", "change"] | None

_ENDINGS: Final = {
    ".ctable": "ctable",
    ".json": "json",
    ".sparql": "sparql",
    ".rq": "sparql",
    ".cypher": "cypher",
    ".cyp": "cypher",
    ".cql": "cypher",
}


@frozen
class ReadOutcome:
    """A table, and the warnings that came with it."""

    table: Table
    diagnostics: tuple[Diagnostic, ...] = ()


def language_of(name: str) -> str:
    """The language that a file's ending stands for. Raises DiagnosticError (UQ653)."""
    ending = Path(name).suffix.lower()
    if ending not in _ENDINGS:
        raise fail(
            "UQ653",
            f"cannot tell the language of {name} from its ending",
            hint=f"give --from, or one of the endings {', '.join(_ENDINGS)}",
        )
    return _ENDINGS[ending]


def read(
    text: str, language: str, source: str = "<input>", *, unbounded: str | None = None, mapping: Mapping | None = None
) -> ReadOutcome:
    """Read one table from text in `ctable`, `json`, `sparql` or `cypher`.

    `unbounded` says what to do with paths without a bound: `refuse`, `allow` or `bound:N`; None is the language's own
    default. `mapping` says what the labels, types and properties of a Cypher query stand for.

    Raises DiagnosticError with everything that is wrong.
    """
    match language:
        case "ctable":
            return _read_ctable(text, source, unbounded or "refuse")
        case "json":
            return _read_json(text)
        case "sparql":
            return _read_sparql(text, source, unbounded or "allow")
        case "cypher":
            return _read_cypher(text, source, unbounded or "refuse", mapping)
        case _:
            raise fail("UQ653", f"there is no language {language}", hint="ctable, json, sparql or cypher")


def _read_ctable(text: str, source: str, unbounded: str) -> ReadOutcome:
    from uniqgen_ir.grammar.ctable import read_table

    result = read_table(text, source, allow_unbounded=unbounded == "allow")
    return _outcome(result.table, result.diagnostics)


def _read_json(text: str) -> ReadOutcome:
    import json

    from uniqgen_ir.ir.codec import from_json

    try:
        return ReadOutcome(from_json(json.loads(text)))
    except json.JSONDecodeError as error:
        raise fail("UQ650", f"the input is not JSON: {error.msg} in line {error.lineno}") from error


def _read_sparql(text: str, source: str, unbounded: str) -> ReadOutcome:
    from uniqgen_ir.grammar.sparql import read_sparql

    result = read_sparql(text, source, unbounded=unbounded)
    return _outcome(result.table, result.diagnostics)


def _read_cypher(text: str, source: str, unbounded: str, mapping: Mapping | None) -> ReadOutcome:
    from uniqgen_ir.grammar.cypher import read_cypher

    result = read_cypher(text, source, mapping=mapping, unbounded=unbounded)
    return _outcome(result.table, result.diagnostics)


def _outcome(table: Table | None, diagnostics: Sequence[Diagnostic]) -> ReadOutcome:
    if table is None or errors(diagnostics):
        raise DiagnosticError(diagnostics)
    return ReadOutcome(table, tuple(diagnostics))


@frozen
class Vocabulary:
    """What `.cts` files say: all schemas as one, all lexicons, the first mapping."""

    schema: Schema | None = None
    lexicons: tuple[Lexicon, ...] = ()
    mapping: Mapping | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    """warnings of the files"""
    prefixes: tuple[tuple[str, str], ...] = ()


def load_vocabulary(files: Sequence[str]) -> Vocabulary:
    """The vocabulary of these files and of those that they use. Raises DiagnosticError."""
    if not files:
        return Vocabulary()
    from uniqgen_ir.grammar.schema import load_documents

    results = [load_documents(file) for file in files]
    diagnostics = tuple(dict.fromkeys(one for result in results for one in result.diagnostics))
    if errors(diagnostics):
        raise DiagnosticError(diagnostics)
    documents: list[Document] = [one for result in results for one in result.documents]
    schemas = [schema for document in documents for schema in document.schemas]
    mappings = [mapping for document in documents for mapping in document.mappings]
    return Vocabulary(
        _merged(schemas) if schemas else None,
        tuple(lexicon for document in documents for lexicon in document.lexicons),
        mappings[0] if mappings else None,
        diagnostics,
        tuple(dict(pair for document in documents for pair in document.prefixes).items()),
    )


def with_prefixes(table: Table, prefixes: Sequence[tuple[str, str]]) -> Table:
    """The table with those of the prefixes that its names can use."""
    from uniqgen_ir.ir.visitor import walk

    names = {one.value for one in walk(table) if isinstance(one, IRI)}
    used = tuple(pair for pair in prefixes if any(name.startswith(pair[1]) for name in names))
    return evolve(table, prefixes=used)


def _merged(schemas: Sequence[Schema]) -> Schema:
    return Schema(
        name=schemas[0].name,
        classes=tuple(one for schema in schemas for one in schema.classes),
        relations=tuple(one for schema in schemas for one in schema.relations),
        properties=tuple(one for schema in schemas for one in schema.properties),
        synonyms=tuple(one for schema in schemas for one in schema.synonyms),
        dependencies=tuple(one for schema in schemas for one in schema.dependencies),
    )


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

    def store(self, engine: str) -> Store:
        """The store of this engine, opened at first use; `reference` evaluates in memory. Raises DiagnosticError."""
        if engine == "reference":
            from uniqgen_ir.ir.evaluate import ReferenceStore

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
        from uniqgen_ir.backends.engines.bolt_store import renderer_for

        return renderer_for(self.engine_store("bolt"), dialect)

    def server_schema(self) -> ServerSchema:
        """The schema of the graph behind Bolt, as its server holds it. Raises StoreError."""
        from uniqgen_ir.backends.engines.bolt import BoltEngine
        from uniqgen_ir.backends.engines.bolt_schema import read_schema

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


def resolve_mapping(name: str | None) -> Mapping | None:
    """A mapping from a `.cts` file, or the empty mapping of a preset. Raises DiagnosticError."""
    from uniqgen_ir.ir.mapping import Mapping

    if name is None:
        return None
    if not name.endswith(".cts"):
        return Mapping(name=name, preset=name)
    mapping = load_vocabulary([name]).mapping
    if mapping is None:
        raise fail("UQ653", f"{name} holds no mapping", hint="mapping NAME { … }")
    return mapping


LEGAL_IN_SPARQL: Final = frozenset({"UQ202", "UQ203", "UQ432"})
"""Faults of a table that mean something in SPARQL: an unbound column, an operand without a value, any OPTIONAL."""


def check(table: Table) -> tuple[Diagnostic, ...]:
    """Warnings about a table that can be compiled and run; only one read from SPARQL has any.

    Raises DiagnosticError with every fault of another.
    """
    from uniqgen_ir.passes.verify import verify

    found = verify(table)
    if table.permissive:
        found = tuple(evolve(one, severity=Severity.WARNING) if one.code in LEGAL_IN_SPARQL else one for one in found)
    if errors(found):
        raise DiagnosticError(found)
    return found


def inspect(table: Table, vocabulary: Vocabulary | None = None, source: str | None = None) -> tuple[Diagnostic, ...]:
    """What is wrong with a valid table: types against the schema, and rows that contradict each other.

    With the `source` text the spans are as small as they can be and fixes carry edits.
    """
    from uniqgen_ir.passes.base import PassContext
    from uniqgen_ir.passes.normalize import Normalize
    from uniqgen_ir.passes.typecheck import typecheck

    found = typecheck(table, vocabulary.schema if vocabulary is not None else None, source=source)
    try:
        Normalize().run(table, PassContext(schema=vocabulary.schema if vocabulary is not None else None))
    except DiagnosticError as error:
        return tuple(dict.fromkeys((*found, *error.diagnostics)))
    return found


def compile_table(
    table: Table, dialect: str, graph: KnowledgeGraph | None = None, *, inline: bool = False, strict: bool = False
) -> RenderedQuery:
    """The table as a query of a dialect, under the graph's mapping.

    With `strict`, a guess about the mapping is an error. Raises DiagnosticError.
    """
    from uniqgen_ir.backends.registry import LANGUAGES, is_cypher, renderer

    mapping = graph.mapping if graph is not None else None
    if graph is not None and graph.bolt is not None and is_cypher(dialect):
        query = graph.server_renderer(dialect).render(table, inline=inline)
    else:
        profiles = graph.profiles if graph is not None and graph.sources and is_cypher(dialect) else None
        query = renderer(dialect, mapping=mapping, profiles=profiles).render(table, inline=inline)
    if strict and query.diagnostics:
        raise DiagnosticError(evolve(one, severity=Severity.ERROR) for one in query.diagnostics)
    if query.unbound and query.dialect in LANGUAGES["sparql"]:
        # in SPARQL `$p` is the variable `?p`: the text would match anything
        names = ", ".join(f"${name}" for name in query.unbound)
        raise fail("UQ611", f"SPARQL has no parameters, and {names} has no value", hint="`run --param` gives one")
    if strict and query.assumptions:
        raise DiagnosticError(
            Diagnostic("UQ656", f"row {one.row}: {one.term} is taken for {one.as_}, and no mapping says so")
            for one in query.assumptions
        )
    return query


def run_table(
    table: Table,
    graph: KnowledgeGraph,
    engine: str,
    parameters: MappingOf[str, IRI | LiteralTerm] | None = None,
    *,
    timeout: float | None = None,
    limit: int | None = None,
) -> Answers:
    """The table's answers on one engine. Raises DiagnosticError, StoreError."""
    from uniqgen_ir.backends.parameters import bind_parameters, table_parameters

    check(table)
    unknown = sorted(set(parameters or {}) - set(table_parameters(table)))
    if unknown:
        raise fail("UQ653", f"the table has no parameter ${unknown[0]}")
    return graph.store(engine).select(bind_parameters(table, parameters or {}), limit=limit, timeout=timeout)


def missing_names(table: Table, graph: KnowledgeGraph, engine: str) -> tuple[Diagnostic, ...]:
    """A warning for every name of the table that the graph does not have: the usual reason for an empty answer.

    One statement for each name, so this is for a table that came back empty. Raises StoreError.
    """
    if graph.bolt is not None:
        from uniqgen_ir.backends.engines.bolt_store import occurs

        server = graph.engine_store(engine)
        return _missing(table, lambda name: occurs(server, name))
    # any engine of the graph knows its names; this one can say a predicate that varies
    store = graph.store("oxigraph" if engine in ("ladybug", "kglite") else engine)
    return _missing(table, lambda name: any(store.select(_occurrence(name, place), limit=1).rows for place in range(3)))


def _missing(table: Table, occurs: Callable[[IRI], bool]) -> tuple[Diagnostic, ...]:
    """A warning for each name of the table that does not occur."""
    from uniqgen_ir.ir.visitor import walk, walk_rows

    found: list[Diagnostic] = []
    asked: set[IRI] = {IRI(RDF_TYPE)}
    for row in walk_rows(table.rows):
        for name in (one for one in walk(row) if isinstance(one, IRI) and one not in asked):
            asked.add(name)
            if not occurs(name):
                found.append(
                    Diagnostic(
                        "UQ657",
                        f"row {row.id}: {name} does not occur in the graph, so the row matches nothing",
                        row.span,
                        Severity.WARNING,
                    )
                )
    return tuple(found)


def _occurrence(name: IRI, place: int) -> Table:
    """Whether the name is a subject (0), predicate (1) or object (2) of anything."""
    subject, predicate, object_ = Variable("s"), Variable("p"), Variable("o")
    atom = (Triple(name, predicate, object_), Triple(subject, name, object_), Triple(subject, predicate, name))[place]
    head = (Column((predicate, subject, subject)[place]),)
    return Table("occurs", head, (Row("c1", atom),), Shell(limit=1))


_NOT_READING: Final = frozenset({"write", "external_io", "multiple_statements", "syntax"})


def refuse_unless_it_reads(text: str, language: str) -> None:
    """Raises DiagnosticError for a text that writes, reaches outside the graph, or cannot be shown to do neither.

    By structure, with the language's own reader: a text that it cannot parse is refused, too.
    """
    from uniqgen_ir.grammar.cypher import check_cypher, parse_cypher
    from uniqgen_ir.grammar.sparql import read_sparql

    if language == "cypher":
        parse = parse_cypher(text, "<query>")
        found = (*parse.diagnostics, *check_cypher(parse))
    else:
        found = read_sparql(text, "<query>").diagnostics
    refused = tuple(one for one in errors(found) if one.kind in _NOT_READING)
    if refused:
        raise DiagnosticError(refused)


def run_raw(
    text: str, language: str, graph: KnowledgeGraph, engine: str, *, timeout: float | None, limit: int | None
) -> Answers:
    """The answers of a text that is sent to the engine as it is. Raises DiagnosticError, StoreError."""
    from uniqgen_ir.backends.base import RenderedQuery
    from uniqgen_ir.backends.registry import LANGUAGES

    refuse_unless_it_reads(text, language)
    store = graph.engine_store(engine)
    if language not in LANGUAGES or store.engine.dialects[0] not in LANGUAGES[language]:
        raise fail("UQ653", f"the engine {engine} does not read {language} as it is")
    query = RenderedQuery(text, {}, (), store.engine.dialects[0])
    return store.engine.select(query, timeout=timeout, limit=limit)


@frozen
class PipelineOutcome:
    """What a pipeline made: the table, all steps, and how many seconds each pass took."""

    table: Table
    steps: tuple[Step, ...]
    timings: tuple[tuple[str, float], ...]


def run_pipeline(
    table: Table,
    pipeline: str,
    graph: KnowledgeGraph | None = None,
    engine: str = "oxigraph",
    references: Sequence[ReferenceAnswer] = (),
    *,
    print_after: PrintAfter = None,
    show: Callable[[str], None] = print,
) -> PipelineOutcome:
    """Run a textual pipeline. `show` gets the printed table after each pass, or after each that changed it.

    Raises DiagnosticError for an unknown pass or option, an invalid table, or a pass without the graph that it needs.
    """
    from uniqgen_ir.ir.printer import print_table
    from uniqgen_ir.passes.base import PassContext
    from uniqgen_ir.passes.manager import PassManager, PassRun, PrintMode
    from uniqgen_ir.passes.pipelines import parse_pipeline

    def show_run(run: PassRun) -> None:
        show(f"# after {run.name}{'' if run.changed else ' (unchanged)'}\n{print_table(run.table)}")

    modes = {None: PrintMode.NEVER, "all": PrintMode.AFTER_ALL, "change": PrintMode.AFTER_CHANGE}
    manager = PassManager(parse_pipeline(pipeline), print_mode=modes[print_after], on_print=show_run)
    context = PassContext(
        store=graph.store(engine) if graph is not None and graph.sources else None,
        references=tuple(references) or None,
        schema=graph.vocabulary.schema if graph is not None else None,
    )
    result = manager.run(table, context)
    return PipelineOutcome(result.table, result.steps, tuple((run.name, run.ms / 1000.0) for run in result.runs))


def relax(
    table: Table, graph: KnowledgeGraph, engine: str, references: Sequence[ReferenceAnswer], options: RelaxationOptions
) -> ChaseReport:
    """Chase and backchase on one engine of the graph. Raises DiagnosticError for an invalid table, StoreError."""
    from uniqgen_ir.passes.agreement import agreeing
    from uniqgen_ir.passes.relaxation import chase_and_backchase
    from uniqgen_ir.passes.verify import require_valid

    require_valid(table)
    if options.agreement:
        return agreeing(table, graph.store(engine), references, options).report
    return chase_and_backchase(table, graph.store(engine), references, options)


def compare_tables(a: Table, b: Table, schema: Schema | None, *, as_sets: bool = False) -> Comparison:
    """How the answers of two valid tables lie to each other on every graph that obeys the schema."""
    from uniqgen_ir.passes.containment.compare import compare

    return compare(a, b, schema, as_sets=as_sets)


def schema_of_content(content: object) -> Schema | None:
    """A schema given as JSON, or as the name of a file. Raises DiagnosticError (UQ650, UQ682)."""
    if isinstance(content, str):
        if content.endswith(".cts"):
            return load_vocabulary([content]).schema
        from uniqgen_ir.kg.infer_import import import_schema

        return import_schema(Path(content)).schema
    from uniqgen_ir.kg.infer_property_graph import schema_of_json

    return schema_of_json(content, "schema").schema


def verify_trace_text(text: str, graph: KnowledgeGraph, engine: str) -> Verdict:
    """Replay a trace's certificates on one engine of the graph, with a checker that shares no code with the search.

    What a trace tells before its search (how a question was read, how the table was normalised) makes no claim about
    the graph. Raises DiagnosticError (UQ490) for a trace that was changed or is none, StoreError.
    """
    from uniqgen_ir.passes.certificate import verify_trace
    from uniqgen_ir.passes.trace import read_trace

    steps = read_trace(text)
    start = next((place for place, step in enumerate(steps) if step.rule == "relaxation.header"), 0)
    return verify_trace(steps[start:], graph.store(engine))


def export_graph(
    graph: KnowledgeGraph, target: str, folder: Path, progress: Callable[[int], None] | None = None
) -> list[str]:
    """Write the graph into a folder as `nt`, `neptune-csv`, `neo4j-csv` or `cypher`; the names of the files written.

    Streams: memory grows only with the number of different names. Raises DiagnosticError (UQ684 to UQ687).
    """
    from uniqgen_ir.backends.cypher.quoting import quote_name, quote_string
    from uniqgen_ir.backends.naming import LayoutNaming
    from uniqgen_ir.kg.export.bulk_csv import NEO4J, NEPTUNE, write_bulk_csv
    from uniqgen_ir.kg.export.cypher_script import write_cypher
    from uniqgen_ir.kg.export.ntriples import write_ntriples
    from uniqgen_ir.kg.export.property_graph import ExportedGraph
    from uniqgen_ir.kg.export.spool import Spool
    from uniqgen_ir.kg.export.text_files import new_folder

    facts = graph.facts()
    new_folder(folder)
    if target == "nt":
        return write_ntriples(facts, folder, progress)
    mapping = graph.mapping
    if target == "neptune-csv" and mapping is None:
        mapping = resolve_mapping("neptune")
    with Spool() as spool:
        spool.fill(facts, progress)
        naming = LayoutNaming.of(mapping, [*(one.predicate for one in spool.uses()), *spool.classes()])
        exported = ExportedGraph(spool, naming)
        if target == "cypher":
            return write_cypher(exported, folder, quote_name, quote_string)
        return write_bulk_csv(exported, folder, NEO4J if target == "neo4j-csv" else NEPTUNE)


def snapshot_graph(
    graph: KnowledgeGraph,
    folder: Path,
    around: Sequence[str],
    *,
    hops: int = 2,
    hub_limit: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Manifest:
    """Cut what is at most `hops` edges from the named nodes (IRIs or labels) into a folder that is a graph itself.

    Raises DiagnosticError: UQ688 where nothing has a name, UQ687 for the folder, UQ644 for a remote graph.
    """
    from uniqgen_ir.kg.snapshot.cut import cut, nodes_named
    from uniqgen_ir.kg.snapshot.files import write_snapshot

    named = nodes_named(graph.facts(), around)
    for name, nodes in named.items():
        if not nodes:
            raise fail(
                "UQ688", f"nothing in the graph is called `{name}`", hint="give a label or an IRI as it stands there"
            )
    made = cut(graph.facts, frozenset(node for nodes in named.values() for node in nodes), hops, hub_limit)
    return write_snapshot(
        folder,
        graph.facts,
        made,
        sources=graph.sources,
        source_sha256=graph.fingerprint,
        around=tuple(named),
        progress=progress,
    )
