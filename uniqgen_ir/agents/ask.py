"""A question answered: proposal → reference answers → chase and backchase → queries → answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

from attrs import define, evolve, field, frozen

from uniqgen_ir.agents.by_name import nodes_by_name
from uniqgen_ir.agents.embedding import embedder_or_notice
from uniqgen_ir.agents.indexing import graph_index
from uniqgen_ir.agents.oracle import file_oracle
from uniqgen_ir.agents.propose import Proposal, Proposer
from uniqgen_ir.agents.story import model_steps, proposal_steps
from uniqgen_ir.driver import KnowledgeGraph, compile_table, relax, run_pipeline, run_table, with_prefixes
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Severity
from uniqgen_ir.ir.printer import print_table
from uniqgen_ir.ir.protocols import Answers, ReferenceAnswer
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import GroundTerm, Literal
from uniqgen_ir.ir.values import canonical, to_json
from uniqgen_ir.kg.languages import ENGLISH, language_of
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.passes.relaxation import AgreementSought, RelaxationOptions
from uniqgen_ir.passes.search.result import ChaseReport
from uniqgen_ir.passes.trace import Step, write_trace

if TYPE_CHECKING:
    from uniqgen_ir.agents.llm.client import ModelSession

ENGINES: Final = {"cypher": "ladybug", "sparql": "oxigraph"}
"""The embedded engine that answers in each language."""

ASK_PIPELINE: Final = "verify, normalize{rename=false, keep_units=true}, score"
"""What a proposed table goes through before the search; names stay as the agent chose them."""

AnswerKey = tuple[GroundTerm | None, ...]


@frozen(kw_only=True)
class AskOptions:
    """How to answer. `languages` are asked in order; `hops` bounds the paths from the things that a question names."""

    languages: tuple[str, ...] = ("cypher", "sparql")
    hops: int = 3
    oracle: str | None = None
    relaxation: RelaxationOptions = field(factory=RelaxationOptions)
    timeout: float | None = 30.0
    embeddings: bool = False
    """match words to relations by meaning, too, where the packages of the extra are installed"""


@frozen
class AskOutcome:
    """Everything about one answered question. Without a `table` it abstained, and `abstained` says why."""

    question: str
    proposal: Proposal
    references: tuple[ReferenceAnswer, ...] = ()
    references_from: str = "offline"
    """`offline`, the name of the model, or the file of reference answers"""
    report: ChaseReport | None = None
    table: Table | None = None
    queries: Mapping[str, str] = field(factory=dict[str, str])
    """language → the query, in the dialect that people read"""
    answers: Mapping[str, Answers] = field(factory=dict[str, Answers])
    """language → what its engine gave"""
    engines_agree: bool = True
    """False where the engines that were asked gave different answers, or one could not be asked; none is asked, and so
    none disagrees, where it abstained"""
    abstained: Diagnostic | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    steps: tuple[Step, ...] = field(default=(), repr=False)
    milliseconds: float = 0.0

    @property
    def language(self) -> str:
        """The language of the question, in which answers are called by their labels."""
        return language_of(self.question)

    @property
    def rows(self) -> tuple[AnswerKey, ...]:
        """The answers of the first engine that gave any: reference answers first, the surest of them foremost."""
        first = next(iter(self.answers.values()), None)
        if first is None:
            return ()
        rank = {one.key: place for place, one in enumerate(self.references)}
        return tuple(sorted(first.rows, key=lambda row: rank.get(row, len(rank))))  # type: ignore[arg-type]


class Reader(Protocol):
    """Reads questions: the offline reader, or a model."""

    def propose(self, question: str) -> Proposal:
        """The question as a table, or an abstention with its reason."""
        ...


@define
class Asker:
    """Answers questions on one graph; keeps the graph's index and what it worked out about words."""

    graph: KnowledgeGraph
    options: AskOptions = AskOptions()
    make_reader: Callable[[Proposer], Reader] | None = None
    """what reads questions in place of the offline reader, made from it"""
    _proposer: Proposer | None = None
    _reader: Reader | None = None
    _notice: Diagnostic | None = None
    """what is missing for the embeddings that were asked for"""

    @property
    def index(self) -> GraphIndex:
        """The graph's index, built (or read from the cache) at first use."""
        return self.proposer.index

    @property
    def proposer(self) -> Proposer:
        if self._proposer is None:
            embedder, self._notice = embedder_or_notice() if self.options.embeddings else (None, None)
            self._proposer = Proposer(graph_index(self.graph), embedder, hops=self.options.hops)
        return self._proposer

    def prepare(self) -> Reader:
        """Build what all questions share: the index and the reader. Several threads may ask after that."""
        if self._reader is None:
            self._reader = self.proposer if self.make_reader is None else self.make_reader(self.proposer)
        return self._reader

    def ask(self, question: str) -> AskOutcome:
        """Answer one question. Raises DiagnosticError for a broken oracle file, StoreError where an engine fails."""
        started = time.perf_counter()
        proposal = self.prepare().propose(question)
        if proposal.table is None:
            outcome = AskOutcome(question, proposal, abstained=proposal.abstained, diagnostics=proposal.diagnostics)
        else:
            named = nodes_by_name(proposal.table, lambda: self.graph.loaded)
            table = with_prefixes(named, self.graph.vocabulary.prefixes)
            outcome = self._answer(question, evolve(proposal, table=table), table)
        steps = (*model_steps(proposal), *proposal.steps, *outcome.steps)
        return evolve(outcome, steps=steps, milliseconds=(time.perf_counter() - started) * 1000.0)

    def _answer(self, question: str, proposal: Proposal, table: Table) -> AskOutcome:
        references, source, warnings = self._references(proposal)
        normal = run_pipeline(table, ASK_PIPELINE, self.graph, ENGINES["sparql"])
        report = None if proposal.settled else self._searched(normal.table, proposal, references)
        searched = report.steps if report is not None else ()
        steps = (*proposal_steps(proposal, table, source, references), *normal.steps, *searched)
        common: dict[str, Any] = {
            "question": question,
            "proposal": proposal,
            "references": references,
            "references_from": source,
            "report": report,
            "steps": steps,
        }
        notice = (self._notice,) if self._notice is not None else ()
        ranking = proposal.ranker.notices if proposal.ranker is not None else ()
        diagnostics = (*proposal.diagnostics, *warnings, *notice, *ranking)
        final = normal.table if report is None else report.table
        if final is None:
            return AskOutcome(**common, abstained=_nothing_complete(report), diagnostics=diagnostics)
        queries, answers, refused = self._run(final)
        return AskOutcome(
            **common,
            table=final,
            queries=queries,
            answers=answers,
            engines_agree=not refused and _agree(list(answers.values())),
            diagnostics=(*diagnostics, *refused),
        )

    def _searched(self, table: Table, proposal: Proposal, references: tuple[ReferenceAnswer, ...]) -> ChaseReport:
        settings = self.options.relaxation
        settings = evolve(
            settings,
            schema=settings.schema or self.graph.vocabulary.schema,
            ranker=settings.ranker or proposal.ranker,
            agreement=self._agreement(proposal),
        )
        return relax(table, self.graph, ENGINES["sparql"], references, settings)

    def _references(self, proposal: Proposal) -> tuple[tuple[ReferenceAnswer, ...], str, tuple[Diagnostic, ...]]:
        if self.options.oracle is None:
            return proposal.references, proposal.session.name if proposal.session else "offline", ()
        oracle = file_oracle(self.options.oracle, self.index, proposal.candidates)
        return oracle.references, self.options.oracle, oracle.diagnostics

    def _agreement(self, proposal: Proposal) -> AgreementSought:
        """When to doubt reference answers: a model's always; those of a file where it does; the offline reader's never.

        See `docs/decisions/threshold.md`.
        """
        sought = self.options.relaxation.agreement
        if sought != "uncertain" or self.options.oracle is not None:
            return sought
        return "never" if proposal.session is None else "always"

    def _run(self, table: Table) -> tuple[dict[str, str], dict[str, Answers], tuple[Diagnostic, ...]]:
        queries: dict[str, str] = {}
        answers: dict[str, Answers] = {}
        refused: list[Diagnostic] = []
        for language in self.options.languages:
            try:
                queries[language] = compile_table(table, language, self.graph, inline=True).text
                answers[language] = run_table(table, self.graph, ENGINES[language], timeout=self.options.timeout)
            except DiagnosticError as error:
                # one language that cannot say it must not cost the answer of the other
                refused += error.diagnostics
        return queries, answers, tuple(refused)

    def name(self, term: GroundTerm | None, language: str = ENGLISH) -> object:
        """A term as people call it: the label of an entity, the value of a literal, None for nothing.

        In another language than English where the graph has a label in it.
        """
        if term is None or isinstance(term, Literal):
            return to_json(term)
        number = self.index.number(term)
        if number is None:
            return to_json(term)
        return self.index.translations.get(language, {}).get(number, self.index.labels[number])


def _agree(answers: Sequence[Answers]) -> bool:
    """Whether all engines gave the same set of answers; a number is the same however it is written."""
    sets = [frozenset(tuple(term and canonical(term) for term in row) for row in one.rows) for one in answers]
    return bool(sets) and all(one == sets[0] for one in sets)


def _nothing_complete(report: ChaseReport | None) -> Diagnostic:
    blocking = () if report is None else report.blocking
    rows = ", ".join(dict.fromkeys(row for one in blocking for row in one.rows))
    return Diagnostic(
        "UQ665",
        "no set of rows gives every reference answer" + (f"; in the way: {rows}" if rows else ""),
        severity=Severity.WARNING,
        hint="check the reference answers: one that the graph does not support blocks every table",
    )


def _spent(session: ModelSession | None) -> dict[str, Any]:
    """What the model cost: HTTP requests, and tokens read and written that were paid for."""
    if session is None:
        return {"tokens": 0}
    usage = session.usage
    return {
        "tokens": usage.total,
        "model": {
            "name": session.name,
            "calls": session.meter.calls,
            "input_tokens": usage.input,
            "output_tokens": usage.output,
            "estimated": usage.estimated,
        },
    }


def outcome_json(outcome: AskOutcome, asker: Asker, *, ids: bool = False) -> dict[str, Any]:
    """The command line's JSON for one answered question. Answers are labels, or IRIs with `ids`."""
    show = to_json if ids else partial(asker.name, language=outcome.language)
    rows = [[show(term) for term in row] for row in outcome.rows]
    seen = dict.fromkeys(tuple(row) for row in rows)
    report, abstained = outcome.report, outcome.abstained
    return {
        "question": outcome.question,
        "answers": [row[0] if len(row) == 1 else list(row) for row in seen],
        "abstained": abstained.message if abstained is not None else None,
        "queries": dict(outcome.queries),
        "table": print_table(outcome.table) if outcome.table is not None else None,
        "proposed": print_table(outcome.proposal.table) if outcome.proposal.table is not None else None,
        "engines_agree": outcome.engines_agree,
        "entities": [
            {"text": one.text, "kind": one.kind, "id": to_json(one.term), "label": one.label}
            for one in outcome.proposal.entities
        ],
        "references": {"from": outcome.references_from, "count": len(outcome.references)},
        "report": dict(report.to_json(None)) if report is not None else None,
        "confidence": outcome.proposal.confidence,
        "diagnostics": [
            {"code": one.code, "severity": one.severity.value, "message": one.message} for one in outcome.diagnostics
        ],
        "trace": [step.to_json() for step in outcome.steps],
        "calls": (report.calls if report is not None else 0) + len(outcome.answers),
        **_spent(outcome.proposal.session),
        "ms": round(outcome.milliseconds, 1),
    }


def trace_text(outcome: AskOutcome) -> str:
    """The trace file of one answered question."""
    return write_trace(outcome.steps)
