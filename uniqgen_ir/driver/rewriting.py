"""Pipelines, chase and backchase, comparison of tables, and the replay of traces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from attrs import frozen

from uniqgen_ir.driver.graph import KnowledgeGraph
from uniqgen_ir.ir.protocols import ReferenceAnswer, Store
from uniqgen_ir.ir.references import ReferenceLike
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.table import Table

if TYPE_CHECKING:
    from uniqgen_ir.passes.certificates.checker import Verdict
    from uniqgen_ir.passes.containment.verdict import Comparison
    from uniqgen_ir.passes.relaxation import RelaxationOptions
    from uniqgen_ir.passes.search.result import ChaseReport
    from uniqgen_ir.passes.trace import Step

PrintAfter: TypeAlias = Literal["all", "change"] | None


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
        prefixes=graph.vocabulary.prefixes if graph is not None else (),
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
    return relax_on(table, graph.store(engine), references, options)


def relax_on(
    table: Table, store: Store, references: Iterable[ReferenceLike], options: RelaxationOptions
) -> ChaseReport:
    """The same on any store."""
    from uniqgen_ir.passes.agreement import relaxed
    from uniqgen_ir.passes.verify import require_valid

    require_valid(table)
    return relaxed(table, store, references, options)


def compare_tables(a: Table, b: Table, schema: Schema | None, *, as_sets: bool = False) -> Comparison:
    """How the answers of two valid tables lie to each other on every graph that obeys the schema."""
    from uniqgen_ir.passes.containment.compare import compare

    return compare(a, b, schema, as_sets=as_sets)


def verify_trace_text(
    text: str, graph: KnowledgeGraph, engine: str, schema: Schema | None = None, *, timeout: float | None = None
) -> Verdict:
    """Replay a trace's certificates on one engine of the graph, with a checker that shares no code with the search.

    `schema`: one that must say what the trace rests on. `timeout`: seconds for a statement; what it was asked for is
    unproved past it. Raises DiagnosticError (UQ490) for a trace that was changed or is none, StoreError.
    """
    from uniqgen_ir.passes.trace import read_trace

    return verify_steps(read_trace(text), graph.store(engine), schema, timeout=timeout)


def verify_steps(
    steps: Sequence[Step], store: Store, schema: Schema | None = None, *, timeout: float | None = None
) -> Verdict:
    """The same for steps at hand and any store.

    What a trace tells before its search (how a question was read, how the table was normalised) makes no claim about
    the graph.
    """
    from uniqgen_ir.passes.certificates.checker import verify_trace

    start = next((place for place, step in enumerate(steps) if step.rule == "relaxation.header"), 0)
    return verify_trace(steps[start:], store, schema=schema, timeout=timeout)
