"""`contains`, `equivalent`, `compare`: how the answers of two tables lie to each other on every graph.

A verdict is a proof, a witness that the reference evaluator confirmed, or unknown with a reason. Answers align by
position; with a schema, only graphs that obey it count. Multiplicities count where a table is not distinct.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from attrs import evolve, frozen

from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.containment.bags import bag_proof, repeats_nothing
from uniqgen_ir.passes.containment.blocks import Block
from uniqgen_ir.passes.containment.decide import Decider
from uniqgen_ir.passes.containment.decision import Decision, EmptyCase, Status, together
from uniqgen_ir.passes.containment.homomorphism import BudgetExceeded, Effort
from uniqgen_ir.passes.containment.property_graph import relationship_rules
from uniqgen_ir.passes.containment.queries import Query, prepare
from uniqgen_ir.passes.containment.shells import loosened
from uniqgen_ir.passes.containment.target import Target
from uniqgen_ir.passes.containment.verdict import Comparison, Relation, Verdict
from uniqgen_ir.passes.containment.witness import Referee, Witness
from uniqgen_ir.passes.saturate.dependencies import Dependencies, dependencies_of

INTERACTIVE: Final = 200_000
"""Steps of the search: revisions of arcs and assignments tried, some two million a second."""
_TRIES: Final = 24
"""Small changes of a database that are looked at for a witness where nothing else decides."""


@frozen(kw_only=True)
class Terms:
    """What a comparison is made under: the schema, the budget of steps, whether multiplicities are left aside.

    `witnesses` False: no graph is made or evaluated; a refusal then rests on the search alone.
    """

    schema: Schema | None = None
    budget: int = INTERACTIVE
    as_sets: bool = False
    witnesses: bool = True


def contains(
    wider: Table,
    narrower: Table,
    schema: Schema | None = None,
    *,
    budget: int = INTERACTIVE,
    as_sets: bool = False,
    witnesses: bool = True,
) -> Verdict:
    """Whether every answer of `narrower` is one of `wider`, on every graph that obeys the schema.

    Both tables must be valid. `budget` is in steps (see `INTERACTIVE`); past it the verdict is unknown. Without
    `witnesses` a negative verdict comes without a graph, and is unknown where the search is not exact by itself.
    """
    terms = Terms(schema=schema, budget=budget, as_sets=as_sets, witnesses=witnesses)
    return _Pair(narrower, wider, terms).forward()


def compare(
    a: Table, b: Table, schema: Schema | None = None, *, budget: int = INTERACTIVE, as_sets: bool = False
) -> Comparison:
    """The relation of the answers of `a` and `b`, likewise."""
    pair = _Pair(a, b, Terms(schema=schema, budget=budget, as_sets=as_sets))
    return pair.comparison()


def equivalent(
    a: Table, b: Table, schema: Schema | None = None, *, budget: int = INTERACTIVE, as_sets: bool = False
) -> Verdict:
    """Whether both tables have the same answers on every graph, likewise."""
    found = compare(a, b, schema, budget=budget, as_sets=as_sets)
    if found.relation is Relation.EQUIVALENT:
        return Verdict(True, (*found.forward.proof, *found.backward.proof), reason=found.reason)
    wrong = next((one for one in (found.forward, found.backward) if one.holds is False), None)
    return Verdict(None, reason=found.reason) if wrong is None else wrong


class _Pair:
    """Two tables under comparison."""

    def __init__(self, a: Table, b: Table, terms: Terms) -> None:
        self.terms = terms
        self.a, self.b = self._prepared(a, "_a"), self._prepared(b, "_b")
        schemas = [one for one in (terms.schema, relationship_rules((a, b))) if one is not None]
        self.dependencies: Dependencies | None = dependencies_of(*schemas) if schemas else None

    def _prepared(self, table: Table, mark: str) -> Query:
        return prepare(table, mark, self.terms.schema, counted=False if self.terms.as_sets else None)

    def comparison(self) -> Comparison:
        forward, backward = self._shown(self.forward(), self.a, self.b), self._shown(self.backward(), self.b, self.a)
        relation = _RELATIONS.get((forward.holds, backward.holds), Relation.UNKNOWN)
        return Comparison(relation, forward, backward, _reason(relation, forward, backward))

    def _shown(self, verdict: Verdict, narrower: Query, wider: Query) -> Verdict:
        """The verdict with as small a witness as can be had."""
        if verdict.witness is None:
            return verdict
        return evolve(verdict, witness=self._referee(narrower, wider).smaller(verdict.witness))

    def forward(self) -> Verdict:
        return self._contained(self.a, self.b)

    def backward(self) -> Verdict:
        return self._contained(self.b, self.a)

    def _contained(self, narrower: Query, wider: Query) -> Verdict:
        if narrower.empty is not None:
            return Verdict(True, (EmptyCase(narrower.empty),), reason=f"it can have no answer: {narrower.empty}")
        if narrower.width != wider.width or (narrower.shape == ("ask",)) != (wider.shape == ("ask",)):
            return Verdict(False, reason=f"one has {_columns(narrower)}, the other {_columns(wider)}")
        decider = Decider(self.dependencies, Effort(self.terms.budget))
        try:
            found = self._decided(narrower, wider, decider)
        except BudgetExceeded:
            found = Verdict(None, reason=f"budget: {self.terms.budget} steps were not enough")
        if found.holds is None and narrower.spelling == wider.spelling:
            return Verdict(True, reason="both are spelt alike")
        return found

    def _decided(self, narrower: Query, wider: Query, decider: Decider) -> Verdict:
        problem = narrower.problem or wider.problem
        if problem is not None:
            return Verdict(None, reason=problem)
        referee = self._referee(narrower, wider)
        if narrower.shape != wider.shape or not narrower.monotone:
            return self._shaped(narrower, wider, decider, referee)
        decision = together(decider.contained(block, wider.blocks) for block in narrower.blocks)
        if decision.status is not Status.CONTAINED:
            return self._refuted(decision, narrower, wider, decider, referee)
        if narrower.counted and not repeats_nothing(narrower.blocks):
            return self._counted(narrower, wider, decider, referee)
        return Verdict(True, decision.cases, reason="a homomorphism from every case")

    def _counted(self, narrower: Query, wider: Query, decider: Decider, referee: Referee) -> Verdict:
        """The verdict on bags, once the sets are known to be contained."""
        if wider.counted:
            proof = bag_proof(narrower.blocks, wider.blocks, decider)
            if proof is not None:
                return Verdict(True, proof, reason="a homomorphism that reaches every variable")
        witness = self._search(narrower, wider, decider, referee)
        if witness is not None:
            return Verdict(False, witness=witness, reason="the same answers, not as often")
        return Verdict(None, reason="contained as sets; how often each answer comes is not decided")

    def _shaped(self, narrower: Query, wider: Query, decider: Decider, referee: Referee) -> Verdict:
        """The verdict where grouping, limits or computed columns stand around the rows."""
        if narrower.shape == wider.shape:
            both = [self._inner(one, other, decider) for one, other in ((narrower, wider), (wider, narrower))]
            if all(one is not None for one in both):
                proof = tuple(case for one in both if one is not None for case in one.cases)
                return Verdict(True, proof, reason="the rows are equivalent, and so is what surrounds them")
        more = None if wider.sliced else loosened(narrower.table)
        if more is not None:
            whole = self._contained(self._prepared(more, "_a" if wider is self.b else "_b"), wider)
            if whole.holds:
                return evolve(whole, reason="a part of answers that are contained")
        witness = None if narrower.sliced or wider.sliced else self._search(narrower, wider, decider, referee)
        if witness is not None:
            return Verdict(False, witness=witness, reason="a graph on which they differ")
        what = "grouping, superlatives and limits are compared by their spelling"
        return Verdict(None, reason=f"{what}, and these differ or the rows under them do")

    def _inner(self, narrower: Query, wider: Query, decider: Decider) -> Decision | None:
        """A proof that the solutions under the shape are contained; None where there is none."""
        if narrower.counted or wider.counted:
            proof = bag_proof(narrower.blocks, wider.blocks, decider)
            return None if proof is None else Decision(Status.CONTAINED, proof)
        decision = together(decider.contained(block, wider.blocks) for block in narrower.blocks)
        return decision if decision.status is Status.CONTAINED else None

    def _refuted(
        self, decision: Decision, narrower: Query, wider: Query, decider: Decider, referee: Referee
    ) -> Verdict:
        """The verdict with a witness that was confirmed; unknown where none was."""
        if not self.terms.witnesses:
            exact = decision.status is Status.REFUTED and all(not block.absences for block in narrower.blocks)
            return Verdict(False if exact else None, reason=decision.reason or "there is no homomorphism")
        witness = referee.refutation(decision.targets)
        if witness is None:
            witness = referee.variants(decision.targets, tries=_TRIES) or self._search(
                narrower, wider, decider, referee
            )
        if witness is not None:
            return Verdict(False, witness=witness, reason="a graph on which they differ")
        return Verdict(None, reason=decision.reason or "no witness was confirmed")

    def _search(self, narrower: Query, wider: Query, decider: Decider, referee: Referee) -> Witness | None:
        if not self.terms.witnesses:
            return None
        targets = list(_databases((*narrower.blocks, *wider.blocks), decider))
        return referee.refutation(targets) or referee.variants(targets, tries=_TRIES)

    def _referee(self, narrower: Query, wider: Query) -> Referee:
        counted = narrower.counted and not self.terms.as_sets
        return Referee(narrower.table, wider.table, counted, self.dependencies)


def _databases(blocks: Sequence[Block], decider: Decider) -> Iterable[Target]:
    """Databases of blocks, to look for witnesses on."""
    for block in blocks[:8]:
        yield from decider.contained(block, ()).targets


def _columns(query: Query) -> str:
    if query.shape == ("ask",):
        return "no columns (`ask`)"
    return f"{query.width} column{'' if query.width == 1 else 's'}"


_RELATIONS: Final[dict[tuple[bool | None, bool | None], Relation]] = {
    (True, True): Relation.EQUIVALENT,
    (True, False): Relation.A_IN_B,
    (False, True): Relation.B_IN_A,
    (False, False): Relation.INCOMPARABLE,
}


def _reason(relation: Relation, forward: Verdict, backward: Verdict) -> str:
    match relation:
        case Relation.EQUIVALENT:
            return forward.reason if forward.reason == backward.reason else f"{forward.reason}; {backward.reason}"
        case Relation.A_IN_B:
            return backward.reason
        case Relation.B_IN_A | Relation.INCOMPARABLE:
            return forward.reason
        case Relation.UNKNOWN:
            sides = (("A in B", forward), ("B in A", backward))
            return "; ".join(f"{name}: {one.reason}" for name, one in sides if one.holds is None)
