"""A question read by a model: rows that only name what exists, reference answers among candidates of the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import define, evolve, field, frozen

from uniqgen_ir.agents.abstentions import nothing_linked
from uniqgen_ir.agents.extraction.answers import Judgement, candidates_of, judge
from uniqgen_ir.agents.extraction.context import CONTEXT_TOKENS, Context, gather
from uniqgen_ir.agents.extraction.names import linked_with_model
from uniqgen_ir.agents.extraction.nearby import NearRelation
from uniqgen_ir.agents.extraction.rows import fault_of, schema_of, table_of_reading
from uniqgen_ir.agents.llm.client import Model, ModelSession
from uniqgen_ir.agents.llm.errors import ModelAnswerError
from uniqgen_ir.agents.llm.messages import Json, Request
from uniqgen_ir.agents.planning import Planner
from uniqgen_ir.agents.plans import Plan
from uniqgen_ir.agents.pragmatic import with_pragmatic_rows
from uniqgen_ir.agents.prompting import Prompts
from uniqgen_ir.agents.propose import Proposal, Proposer
from uniqgen_ir.agents.refusals import too_long
from uniqgen_ir.agents.search.ranker import ModelRanker
from uniqgen_ir.agents.tables import PlannedTable
from uniqgen_ir.agents.things import LinkedThing, thing_of
from uniqgen_ir.agents.traverse.gathering import walked_relations
from uniqgen_ir.agents.traverse.lexical import LexicalController
from uniqgen_ir.agents.traverse.model import ModelController
from uniqgen_ir.agents.traverse.outlook import WalkOptions
from uniqgen_ir.agents.traverse.walk import Walker
from uniqgen_ir.driver import KnowledgeGraph, run_table
from uniqgen_ir.ir.analysis import answer_key, positive_variables
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.rows import Origin
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.linker import link
from uniqgen_ir.kg.linking.mentions import LinkedQuestion

READINGS: Final = 5
"""How many readings of the offline planner may add candidates: the right answers are nearly always among them."""
MOST_ANSWERS: Final = 2_000
"""How many solutions of the literal rows are fetched to see what their variables stand for."""


@frozen(kw_only=True)
class ModelOptions:
    """How a model is used. `context_tokens` bounds the list of relations, `samples` how often answers are chosen.

    `history` is how many rewrite steps the ranking of rows sees (None: all). With `walk` the relations that the model
    sees are those of a walk that it guides itself, in place of everything near.
    """

    context_tokens: int = CONTEXT_TOKENS
    samples: int = 1
    history: int | None = 1
    walk: WalkOptions | None = None


@define
class ModelProposer:
    """Proposals of a model for questions on one graph. What the model does not know, the offline reader lends it."""

    graph: KnowledgeGraph
    offline: Proposer
    model: Model
    prompts: Prompts = field(factory=Prompts)
    options: ModelOptions = field(factory=ModelOptions)
    engine: str = "oxigraph"

    @property
    def index(self) -> GraphIndex:
        return self.offline.index

    def propose(self, question: str) -> Proposal:
        """The model's reading, or an abstention with its reason. Raises ModelUnavailable, StoreError."""
        if (refused := too_long(question)) is not None:
            return Proposal(question, None, abstained=refused)
        session = self.model.session()
        try:
            proposal = self._read(question, session)
        except ModelAnswerError as error:
            # the model said something, and it is of no use: that is no answer, and no failure of ours
            proposal = Proposal(question, None, abstained=error.diagnostics[0])
        return evolve(proposal, session=session)

    def _read(self, question: str, session: ModelSession) -> Proposal:
        linked = link(question, self.index)
        if linked.empty:
            linked = linked_with_model(linked, self.index, session, self.prompts)
        things = tuple(thing_of(one, self.index) for one in (*linked.entities, *linked.values, *linked.classes))
        refused = too_long(question, len(linked.tokens)) or (nothing_linked(linked) if linked.empty else None)
        if refused is not None:
            return Proposal(question, None, things, abstained=refused)
        near = None if self.options.walk is None else self._walked(linked, session, self.options.walk)
        limits = {"hops": self.offline.hops, "tokens": self.options.context_tokens}
        context = gather(linked, self.index, self.offline.matcher, **limits, near=near)
        reading = self._extract(question, context, session)
        if not reading["rows"]:
            return Proposal(question, None, things, abstained=_missing(str(reading["missing"])))
        table = table_of_reading(reading, context, self.index, question)
        return self._with_references(question, linked, things, table, session)

    def _walked(self, linked: LinkedQuestion, session: ModelSession, options: WalkOptions) -> list[NearRelation]:
        lexical = LexicalController(self.index, self.offline.matcher)
        controller = ModelController(self.index, session, self.prompts, lexical)
        walk = Walker(self.index, self.offline.matcher, options, self.prompts).walk(linked, controller)
        return walked_relations(walk, linked, self.index, self.offline.matcher)

    def _extract(self, question: str, context: Context, session: ModelSession) -> Json:
        values = {"question": question, "context": context, "examples": self.prompts.examples}
        variables = {"variables": schema_of(context)["properties"]["rows"]["items"]["properties"]["subject"]["enum"]}
        messages = self.prompts.messages("extract", {**values, **variables})
        request = Request("read the question", messages, schema_of(context))
        return session.complete(request, lambda reading: fault_of(reading, context, self.index))

    def _with_references(
        self,
        question: str,
        linked: LinkedQuestion,
        things: tuple[LinkedThing, ...],
        table: Table,
        session: ModelSession,
    ) -> Proposal:
        literal = table.with_rows(row for row in table.rows if row.note.origin is not Origin.PRAGMATIC)
        planned = self._planned(table, literal)
        nodes = self._candidates(planned, linked)
        references: tuple[ReferenceAnswer, ...] = ()
        diagnostics: tuple[Diagnostic, ...] = ()
        if nodes:
            judgement = self._judge(question, nodes, session)
            references = judgement.references
            diagnostics = () if references else (_cannot_tell(judgement),)
        planned = with_pragmatic_rows(planned, self.index)
        sure = sum(one.confidence for one in references) / len(references) if references else 0.0
        return Proposal(
            question,
            planned.table,
            things,
            references=references,
            confidence=round(sure, 4),
            cost=0.0,
            candidates=planned.nodes[planned.answer],
            diagnostics=diagnostics,
            ranker=ModelRanker(question, session, self.prompts, self.options.history),
        )

    def _planned(self, table: Table, literal: Table) -> PlannedTable:
        """The table with the nodes that its variables take where the literal rows hold."""
        answer = answer_key(table)[0]
        nodes: dict[Variable, set[int]] = {one: set() for one in positive_variables(table.rows)}
        if answer in positive_variables(literal.rows):
            variables = sorted(positive_variables(literal.rows), key=lambda one: one.name)
            every = evolve(literal, head=tuple(Column(one) for one in variables), shell=Shell())
            for row in run_table(every, self.graph, self.engine, limit=MOST_ANSWERS).rows:
                for variable, term in zip(variables, row, strict=True):
                    number = None if term is None else self.index.number(term)
                    if number is not None:
                        nodes[variable].add(number)
        return PlannedTable(table, answer, {one: frozenset(each) for one, each in nodes.items()}, {})

    def _candidates(self, planned: PlannedTable, linked: LinkedQuestion) -> list[int]:
        """What the model's own rows give first, then what other readings of the question give."""
        found = dict.fromkeys(sorted(planned.nodes[planned.answer]))
        for plan in self._other_readings(linked):
            found |= dict.fromkeys(sorted(plan.answers))
        return list(found)

    def _other_readings(self, linked: LinkedQuestion) -> Sequence[Plan]:
        planner = Planner(linked, self.index, self.offline.matcher, self.offline.hops)
        return planner.plans()[:READINGS]

    def _judge(self, question: str, nodes: Sequence[int], session: ModelSession) -> Judgement:
        candidates = candidates_of(nodes, question, self.index, self.offline.matcher)
        if not candidates:
            return Judgement(())
        left_out = len(nodes) - len(candidates)
        return judge(question, candidates, left_out, session, self.prompts, self.options.samples)


def _missing(words: str) -> Diagnostic:
    said = " ".join(words.split())[:200]
    return Diagnostic(
        "UQ697",
        f'the model finds nothing near the names of the question that answers it; it misses: "{said}"',
        severity=Severity.WARNING,
        hint="name the relation in the graph's own words, or add a synonym to the lexicon",
    )


def _cannot_tell(judgement: Judgement) -> Diagnostic:
    reason = f': "{" ".join(judgement.reason.split())[:160]}"' if judgement.reason else ""
    return Diagnostic(
        "UQ698",
        f"the model vouches for none of the candidates{reason}; the tightest table with answers is kept",
        severity=Severity.WARNING,
        hint="give answers that you know with --oracle FILE",
    )
