"""The public interface: what `import uniqgen_ir as uq` shows.

Tables come from text (`parse`, `load`) or from the builder (`table`), are checked (`diagnose`, `typecheck`), changed
(`run_passes`, `rewrite`), written (`to_text`, `to_json`, `compile`) and answered (`run`, `evaluate`). Engines, readers
and renderers are only imported when a function needs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast
from typing import Literal as Choice

from uniqgen_ir.driver import KnowledgeGraph, PipelineOutcome
from uniqgen_ir.ir.building.builder import (
    Namespace,
    TableBuilder,
    a,
    aggregate,
    call,
    count,
    date,
    date_time,
    descending,
    either_path,
    exists,
    filter_row,
    inverse,
    lang,
    lower,
    month,
    note,
    p,
    path,
    repeat,
    row,
    table,
    tagged,
    v,
    year,
)
from uniqgen_ir.ir.codec import from_json, json_schema, to_json
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Fix, Severity, errors
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.mapping import Mapping as GraphMapping
from uniqgen_ir.ir.pictures import to_dot, to_html, to_mermaid
from uniqgen_ir.ir.protocols import Answers, Ranker, ReferenceAnswer
from uniqgen_ir.ir.references import ReferenceLike
from uniqgen_ir.ir.rows import (
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    Origin,
    PathAtom,
    Row,
    RowNote,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.schema import Document, Schema
from uniqgen_ir.ir.substitution import substitute
from uniqgen_ir.ir.table import Column, MatchMode, Shell, Table
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Parameter, Variable
from uniqgen_ir.ir.visitor import rename_variables, rewrite, rewrite_rows, variables_in_order, walk, walk_rows
from uniqgen_ir.passes.search.budget import Budget, Cancellation
from uniqgen_ir.passes.search.result import ChaseReport
from uniqgen_ir.passes.trace import Step
from uniqgen_ir.validate.policy import Policy
from uniqgen_ir.validate.report import Report
from uniqgen_ir.validate.vocabulary import Vocabulary

if TYPE_CHECKING:
    from uniqgen_ir.backends.base import RenderedQuery
    from uniqgen_ir.passes.certificates.checker import Verdict as TraceVerdict
    from uniqgen_ir.passes.containment.reformulate import Reformulation
    from uniqgen_ir.passes.containment.verdict import Comparison, Verdict
    from uniqgen_ir.passes.reformulate import VocabularyLike

Language: TypeAlias = Choice["ctable", "json", "sparql", "cypher"]
"""What `parse` reads."""

AnyGraph: TypeAlias = KnowledgeGraph | Graph
"""Files with engines, or facts in memory."""


def parse(text: str, language: Language = "ctable", *, source: str = "<input>") -> Table:
    """The first table of a text in one of the languages. Raises DiagnosticError with everything that is wrong."""
    if language == "cypher":
        from uniqgen_ir.grammar.cypher import read_cypher

        result = read_cypher(text, source)
        if result.table is None:
            raise DiagnosticError(result.diagnostics)
        return result.table
    from uniqgen_ir.driver import read

    return read(text, language, source).table


def load(file: str | Path) -> Table:
    """The first table of a file; its ending says the language. Raises DiagnosticError, OSError."""
    from uniqgen_ir.driver import language_of

    language = cast(Language, language_of(str(file)))
    return parse(Path(file).read_text(encoding="utf-8"), language, source=str(file))


def parse_schema(text: str, *, source: str = "<input>") -> Document:
    """The schemas, lexicons and mappings of a `.cts` text. Raises DiagnosticError with everything that is wrong."""
    from uniqgen_ir.grammar.schema import parse_document

    return parse_document(text, source)


def parse_turtle(text: str) -> Graph:
    """A graph in memory from Turtle. Raises DiagnosticError (UQ625) where it cannot be read."""
    import pyoxigraph

    from uniqgen_ir.ir.diagnostics import fail
    from uniqgen_ir.kg.formats import TermReader

    read = TermReader("")
    try:
        return Graph(map(read.fact, pyoxigraph.parse(text.encode(), pyoxigraph.RdfFormat.TURTLE)))
    except SyntaxError as error:
        raise fail("UQ625", f"the Turtle cannot be read: {error.msg}") from error


def to_text(table: Table) -> str:
    """The table in the CTable language; parsing it gives the table back."""
    from uniqgen_ir.ir.printer import print_table

    return print_table(table)


def format_text(text: str) -> str:
    """A `.ctable` or `.cts` text in the one layout, comments kept. Raises DiagnosticError."""
    from uniqgen_ir.grammar.ctable.formatter import format_text

    return format_text(text)


def verify(table: Table) -> tuple[Diagnostic, ...]:
    """What is wrong with the table whatever the graph: names that nothing binds, ids that stand twice, aggregates."""
    from uniqgen_ir.passes.verify import verify

    return verify(table)


def typecheck(table: Table, schema: Schema | None = None, *, source: str | None = None) -> tuple[Diagnostic, ...]:
    """What types say against the table; without a schema, only from how it uses its own variables.

    With the `source` text that the table was read from, fixes carry edits.
    """
    from uniqgen_ir.passes.typecheck import typecheck

    return typecheck(table, schema, source=source)


def vocabulary(schema: Schema | Mapping[str, object] | Path) -> Vocabulary:
    """A schema as `check` uses it, read once for many queries.

    It may be a `Schema`, JSON as tool chains pass it around, or a file (`.cts`, `.json`, RDFS or OWL). Raises
    DiagnosticError.
    """
    from uniqgen_ir.validate.gate import vocabulary_of

    return vocabulary_of(schema)


def check(
    query: str,
    *,
    language: str | None = None,
    schema: Vocabulary | Schema | Mapping[str, object] | Path | None = None,
    dialect: str | None = None,
    policy: Policy | None = None,
) -> Report:
    """Judge a Cypher or SPARQL query before it reaches a database, and mend it where that can be done.

    `Report.valid` says whether it may be sent, `fixed_query` is the mended text, `for_model()` tells a language model
    what to change. `language` None: by its first words. `dialect` is the engine that is meant, as in `neptune`. Without
    a schema only what needs none is checked. Never raises for what is wrong with the query; raises DiagnosticError for
    a schema, language or dialect that is none.
    """
    from uniqgen_ir.validate.gate import check

    return check(query, language=language, schema=schema, dialect=dialect, policy=policy)


def diagnose(text: str, schema: Schema | None = None, *, source: str = "<input>") -> tuple[Diagnostic, ...]:
    """Everything that reading, `verify`, `typecheck` and normalising say about a CTable text. Raises nothing."""
    from uniqgen_ir.grammar.ctable import read_table

    result = read_table(text, source)
    found = list(result.diagnostics)
    for one in result.tables:
        faults = verify(one)
        found += faults
        if not errors(faults):
            found += typecheck(one, schema, source=text)
            try:
                normalize(one, schema)
            except DiagnosticError as error:
                found += error.diagnostics
    return tuple(found)


def normalize(table: Table, schema: Schema | None = None) -> Table:
    """The normal form: same answers on every graph, one spelling. Raises DiagnosticError UQ401 for a contradiction."""
    from uniqgen_ir.passes.normal.rule import Settings
    from uniqgen_ir.passes.normalize import normalize

    return normalize(table, Settings(schema=schema))[0]


def contains(wider: Table, narrower: Table, schema: Schema | None = None) -> Verdict:
    """Whether every answer of `narrower` is one of `wider`, on every graph (with a schema: on every one that obeys it).

    `.holds` is True with a `.proof`, False with a `.witness` graph, or None with a `.reason`.
    """
    from uniqgen_ir.passes.containment.compare import contains

    return contains(wider, narrower, schema)


def equivalent(a: Table, b: Table, schema: Schema | None = None) -> Verdict:
    """Whether both tables have the same answers on every graph, likewise."""
    from uniqgen_ir.passes.containment.compare import equivalent

    return equivalent(a, b, schema)


def compare(a: Table, b: Table, schema: Schema | None = None) -> Comparison:
    """How the answers of two tables lie to each other on every graph: `.relation`, with both verdicts, as JSON too."""
    from uniqgen_ir.passes.containment.compare import compare

    return compare(a, b, schema)


def minimize(table: Table, schema: Schema | None = None) -> Table:
    """A smallest part of a valid table that has its answers on every graph (that obeys the schema, if there is one)."""
    from uniqgen_ir.passes.minimize import minimize

    return minimize(table, schema)[0]


def saturate(table: Table, schema: Schema) -> Table:
    """The table with all rows that follow where a graph obeys the schema.

    Raises DiagnosticError UQ403 where no such graph has an answer.
    """
    from uniqgen_ir.passes.saturate.saturate import saturate

    return saturate(table, schema)[0]


def reformulate(
    table: Table, schema: Schema, vocabulary: VocabularyLike, *, prefixes: Sequence[tuple[str, str]] = ()
) -> Reformulation:
    """The query in another vocabulary, with the same answers on every graph that obeys the schema and its rules.

    `vocabulary` is how its IRIs begin (or a prefix, as in `pg:`), a `Schema` that declares it, or a test of an IRI.
    `prefixes` are known beside those of the table: those of a `Document`, for example. `.table` is None where the
    vocabulary cannot say the query; `.reason` tells why, `.verdict` has a graph that shows it. Raises DiagnosticError:
    UQ403 where the table has no answer under the schema, UQ422 for an unknown prefix.
    """
    from uniqgen_ir.passes.reformulate import reformulated

    return reformulated(table, schema, vocabulary, prefixes=prefixes)


def run_passes(table: Table, pipeline: str, graph: KnowledgeGraph | None = None) -> PipelineOutcome:
    """The table after a pipeline like `"normalize, score"`, with its steps and seconds. Raises DiagnosticError."""
    from uniqgen_ir.driver import run_pipeline

    return run_pipeline(table, pipeline, graph)


def compile(
    table: Table,
    to: str = "sparql",
    *,
    graph: KnowledgeGraph | None = None,
    mapping: GraphMapping | None = None,
    inline: bool = False,
    strict: bool = False,
) -> RenderedQuery:
    """The table as a query of a dialect: `.text`, `.params`, `.columns`, `.assumptions`.

    The mapping, or that of the graph, says how names stand in a property graph. With `strict` a guess is an error.
    Raises DiagnosticError where the table is not valid or the dialect cannot say it.
    """
    from uniqgen_ir.backends.registry import renderer
    from uniqgen_ir.driver import check, compile_table

    check(table)
    if mapping is None:
        return compile_table(table, to, graph, inline=inline, strict=strict)
    query = renderer(to, mapping=mapping).render(table, inline=inline)
    if strict and query.assumptions:
        guesses = (
            f"row {one.row}: {one.term} is taken for {one.as_}, and no mapping says so" for one in query.assumptions
        )
        raise DiagnosticError(Diagnostic("UQ656", guess) for guess in guesses)
    return query


def run(
    table: Table,
    graph: AnyGraph,
    *,
    engine: str = "oxigraph",
    parameters: Mapping[str, IRI | Literal] | None = None,
    timeout: float | None = None,
    limit: int | None = None,
) -> Answers:
    """The table's answers: `.columns` and `.rows` of terms. A graph in memory is answered by the reference evaluator.

    `timeout` is in seconds. Raises DiagnosticError, StoreError, StoreTimeout.
    """
    if isinstance(graph, KnowledgeGraph):
        from uniqgen_ir.driver import run_table

        return run_table(table, graph, engine, parameters, timeout=timeout, limit=limit)
    from uniqgen_ir.backends.parameters import bind_parameters
    from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore

    return ReferenceStore(graph).select(bind_parameters(table, parameters or {}), timeout=timeout, limit=limit)


def evaluate(table: Table, graph: Graph, parameters: Mapping[Parameter, GroundTerm] | None = None) -> Answers:
    """The answers by the reference semantics, the measure for every engine. Raises DiagnosticError UQ611."""
    from uniqgen_ir.ir.evaluation.evaluate import evaluate

    return evaluate(table, graph, parameters)


def chase(
    table: Table,
    graph: AnyGraph,
    references: Iterable[ReferenceLike] = (),
    *,
    engine: str = "oxigraph",
    strategy: Choice["greedy", "beam", "exact"] = "greedy",
    objective: Choice["minimal", "tight"] = "minimal",
    evidence: Choice["data", "schema"] = "data",
    schema: Schema | None = None,
    theta: float | Choice["auto"] | None = None,
    beam: int = 4,
    budget: Budget | None = None,
    ranker: Ranker | None = None,
    cancellation: Cancellation | None = None,
) -> ChaseReport:
    """Relax the table until it gives the reference answers, then leave out what is redundant.

    The report holds the minimal `.table` and, for every row, why it was kept, dropped or redundant; `write_trace` makes
    a file of it that `verify_trace` and `uniqgen verify` replay. The options are those of `uniqgen chase`. Two
    defaults differ: `strategy` is `greedy` here, and the schema of a graph counts only where it is given
    (`schema=graph.vocabulary.schema`). Without references the tightest table that has answers is kept.

    `theta` is the share of the reference answers that must stay; `auto` takes the share whose answers agree best with
    them; without it that is all of them, or, where one has a confidence below 1, as `auto`. `beam` is the width of the
    strategy `beam`, and `ranker` orders its candidates (no other strategy takes one). When the `budget` ends, or
    somebody (another thread, too) sets `cancellation.cancelled`, the best set so far is returned, status `stopped`.

    Raises DiagnosticError for an invalid table, references that do not fit it, or an option out of range; StoreError.
    """
    from uniqgen_ir.driver import relax_on
    from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
    from uniqgen_ir.passes.relaxation import RelaxationOptions, theta_options

    if ranker is not None and strategy != "beam":
        message = f"a ranker orders the sets of the beam, and the strategy is `{strategy}`"
        raise DiagnosticError((Diagnostic("UQ413", message, hint='strategy="beam"'),))
    options = RelaxationOptions(
        strategy=strategy,
        objective=objective,
        evidence=evidence,
        **theta_options(theta),
        beam=beam,
        budget=budget or Budget(),
        schema=schema,
        ranker=ranker,
        cancellation=cancellation or Cancellation(),
    )
    store = graph.store(engine) if isinstance(graph, KnowledgeGraph) else ReferenceStore(graph)
    return relax_on(table, store, references, options)


def write_trace(made: ChaseReport | PipelineOutcome | Iterable[Step]) -> str:
    """The steps of a report or a pipeline as a trace file: JSON lines that a chain of hashes holds together."""
    from uniqgen_ir.passes.trace import write_trace

    return write_trace(_steps(made))


def verify_trace(
    trace: str | ChaseReport | Iterable[Step], graph: AnyGraph, *, engine: str = "oxigraph"
) -> TraceVerdict:
    """Replay every claim of a trace (its text, a report, or steps) on the graph.

    The checker shares no code with the search. `.valid` says whether nothing is false or missing, `.diagnostics` what
    is, `.unproved` which claims the trace makes without showing them. Raises DiagnosticError (UQ490) for a text that
    was changed after it was written or is no trace, StoreError.
    """
    from uniqgen_ir.driver import verify_steps
    from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
    from uniqgen_ir.passes.trace import read_trace

    steps = read_trace(trace) if isinstance(trace, str) else _steps(trace)
    store = graph.store(engine) if isinstance(graph, KnowledgeGraph) else ReferenceStore(graph)
    return verify_steps(steps, store)


def _steps(made: ChaseReport | PipelineOutcome | Iterable[Step]) -> tuple[Step, ...]:
    return made.steps if isinstance(made, ChaseReport | PipelineOutcome) else tuple(made)


__all__ = [
    "Answers",
    "Bind",
    "Budget",
    "Cancellation",
    "ChaseReport",
    "Column",
    "Diagnostic",
    "DiagnosticError",
    "Document",
    "Either",
    "Filter",
    "Fix",
    "Graph",
    "GraphMapping",
    "IRI",
    "KnowledgeGraph",
    "Literal",
    "MatchMode",
    "MinusBlock",
    "Namespace",
    "NotBlock",
    "OptionalBlock",
    "Origin",
    "Parameter",
    "PathAtom",
    "PipelineOutcome",
    "Policy",
    "Ranker",
    "ReferenceAnswer",
    "Report",
    "Row",
    "RowNote",
    "Schema",
    "Severity",
    "Shell",
    "Step",
    "SubTable",
    "Table",
    "TableBuilder",
    "Triple",
    "TypeAtom",
    "Values",
    "Variable",
    "Vocabulary",
    "a",
    "aggregate",
    "call",
    "chase",
    "check",
    "compare",
    "compile",
    "contains",
    "count",
    "date",
    "date_time",
    "descending",
    "diagnose",
    "either_path",
    "equivalent",
    "errors",
    "evaluate",
    "exists",
    "filter_row",
    "format_text",
    "from_json",
    "inverse",
    "json_schema",
    "lang",
    "load",
    "lower",
    "minimize",
    "month",
    "normalize",
    "note",
    "p",
    "parse",
    "parse_schema",
    "parse_turtle",
    "path",
    "reformulate",
    "rename_variables",
    "repeat",
    "rewrite",
    "rewrite_rows",
    "row",
    "run",
    "run_passes",
    "saturate",
    "substitute",
    "table",
    "tagged",
    "to_dot",
    "to_html",
    "to_json",
    "to_mermaid",
    "to_text",
    "typecheck",
    "v",
    "variables_in_order",
    "verify",
    "verify_trace",
    "vocabulary",
    "walk",
    "walk_rows",
    "write_trace",
    "year",
]
