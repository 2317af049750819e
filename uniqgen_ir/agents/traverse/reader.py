"""Questions answered by walking: the walk that answers becomes a table, its end the reference answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from attrs import define, evolve, field

from uniqgen_ir.agents.abstentions import nothing_linked
from uniqgen_ir.agents.alignment import Alignment
from uniqgen_ir.agents.likeness import best_likeness
from uniqgen_ir.agents.plans import Plan, PlannedLeg
from uniqgen_ir.agents.propose import Proposal, Proposer
from uniqgen_ir.agents.refusals import too_long
from uniqgen_ir.agents.tables import table_of
from uniqgen_ir.agents.things import thing_of
from uniqgen_ir.agents.traverse.lexical import LexicalController
from uniqgen_ir.agents.traverse.model import ModelController
from uniqgen_ir.agents.traverse.outlook import WalkOptions
from uniqgen_ir.agents.traverse.paths import Path, hop_text, nodes_text, path_text
from uniqgen_ir.agents.traverse.views import Candidate, Controller
from uniqgen_ir.agents.traverse.walk import StepRecord, Walk, Walker
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.terms import BlankNode
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.linker import link
from uniqgen_ir.kg.linking.mentions import LinkedQuestion
from uniqgen_ir.passes.trace import Json, Step

if TYPE_CHECKING:
    from uniqgen_ir.agents.llm.client import Model, ModelSession
    from uniqgen_ir.agents.prompting import Prompts

MOST_REFERENCES = 50
SAYS = 0.4
"""The likeness from which words are told as the reason of a hop."""

MakeController: TypeAlias = "Callable[[ModelSession | None], Controller]"


@define
class TraverseReader:
    """Implements `Reader`. Without a model, words of the question guide the walk."""

    offline: Proposer
    options: WalkOptions = field(factory=WalkOptions)
    model: Model | None = None
    prompts: Prompts | None = None

    def propose(self, question: str) -> Proposal:
        """The likeliest walk as a table, or an abstention with its reason. Raises ModelUnavailable."""
        if (refused := too_long(question)) is not None:
            return Proposal(question, None, abstained=refused)
        linked = link(question, self.offline.index)
        things = tuple(thing_of(one, self.offline.index) for one in (*linked.entities, *linked.values, *linked.classes))
        if not (linked.entities or linked.values):
            return Proposal(question, None, things, abstained=nothing_linked(linked))
        session = None if self.model is None else self.model.session()
        controller = self._controller(session)
        walk = self._walker().walk(linked, controller)
        notices = tuple(controller.notices) if isinstance(controller, ModelController) else ()
        proposal = Proposal(question, None, things, diagnostics=notices, session=session)
        return evolve(self._proposed(proposal, linked, walk), steps=walk_steps(walk, self.offline.index))

    def _walker(self) -> Walker:
        index, matcher = self.offline.index, self.offline.matcher
        walker = Walker(index, matcher, self.options)
        return walker if self.prompts is None else evolve(walker, prompts=self.prompts)

    def _controller(self, session: ModelSession | None) -> Controller:
        lexical = LexicalController(self.offline.index, self.offline.matcher)
        if session is None:
            return lexical
        return ModelController(self.offline.index, session, self._walker().prompts, lexical)

    def _proposed(self, proposal: Proposal, linked: LinkedQuestion, walk: Walk) -> Proposal:
        if walk.chosen is None:
            return evolve(proposal, abstained=_no_walk(linked, walk))
        plan = self._plan(linked, walk.chosen)
        planned = table_of(plan, linked, self.offline.index)
        # nothing can name a blank node, neither a query nor a list of answers
        terms = [self.offline.index.terms[node] for node in walk.answers]
        named = [term for term in terms if not isinstance(term, BlankNode)][:MOST_REFERENCES]
        total = sum(one.score for one in walk.candidates)
        sure = round(walk.chosen.score / total, 4) if total else 0.0
        return evolve(
            proposal,
            table=planned.table,
            references=tuple(ReferenceAnswer((term,), max(0.05, sure)) for term in named),
            confidence=sure,
            cost=0.0,
            candidates=walk.chosen.nodes,
        )

    def _plan(self, linked: LinkedQuestion, chosen: Candidate) -> Plan:
        legs = tuple(
            PlannedLeg(one.topic.mention, one.topic.node, one.leg, self._said(linked, one)) for one in chosen.paths
        )
        return Plan(legs, (), answers=chosen.nodes, separate=len(legs) > 1)

    def _said(self, linked: LinkedQuestion, path: Path) -> Alignment:
        """Which words say each hop, each word once."""
        taken: set[int] = set()
        spans: list[tuple[int, ...]] = []
        for hop in path.leg.hops:
            key = self.offline.matcher.key_of(hop.relation)
            value, span = best_likeness(linked, self.offline.matcher, taken).get(key, (0.0, ()))
            spans.append(span if value >= SAYS else ())
            taken |= set(spans[-1])
        covered = sum(1 << place for place in taken)
        return Alignment(0.0, covered, tuple(spans), (0.0,) * path.depth)


def _no_walk(linked: LinkedQuestion, walk: Walk) -> Diagnostic:
    named = ", ".join(f'"{one.text}"' for one in (*linked.entities, *linked.values))
    if walk.candidates:
        message = f"{len(walk.candidates)} paths lead from {named}, and the model says that none of them answers"
        return Diagnostic("UQ697", message, severity=Severity.WARNING, hint="raise --k, or name the relation")
    return Diagnostic("UQ661", f"no path of relations leads from {named} to an answer", severity=Severity.WARNING)


def walk_steps(walk: Walk, index: GraphIndex) -> tuple[Step, ...]:
    """The walk for the trace: every choice with what the prompt showed, then every path that ended, whole."""
    return (*(_step(one, index) for one in walk.steps), *(_ending(one, index) for one in walk.candidates))


def _step(record: StepRecord, index: GraphIndex) -> Step:
    chosen: list[Json] = [{"hop": hop_text(index, hop), "share": round(share, 4)} for hop, share in record.chosen]
    evidence: dict[str, Json] = {
        "path": path_text(index, record.path),
        "hops_shown": list(record.shown),
        "options": record.options,
        "left_out": record.left_out,
        "prompt_tokens": record.tokens,
        "chosen": chosen,
        "stop": round(record.stop, 4),
    }
    return Step("walk", reason=f"hop {record.path.depth + 1}", evidence=evidence)


def _ending(candidate: Candidate, index: GraphIndex) -> Step:
    evidence: dict[str, Json] = {
        "paths": [path_text(index, one) for one in candidate.paths],
        "ends": nodes_text(index, candidate.nodes),
        "score": round(candidate.score, 6),
    }
    return Step("walk.end", reason="a walk that ended", evidence=evidence)
