"""Witness graphs: a graph on which one query gives an answer that the other does not, checked by running both.

Candidates come from the decision (frozen blocks) and from small changes of them. Nothing is claimed that the reference
evaluator does not confirm on a graph that obeys the schema.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import define, frozen

from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.protocols import AnswerRow
from uniqgen_ir.ir.table import Form, Table
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Parameter
from uniqgen_ir.passes.containment.blocks import is_parameter
from uniqgen_ir.passes.containment.target import FROZEN, Target
from uniqgen_ir.passes.saturate.dependencies import Dependencies
from uniqgen_ir.passes.saturate.holds import violation

_SECONDS: Final = 0.5
"""For one evaluation of one query on one small graph."""
_KEPT: Final = 0.6
"""how many of the facts between copies are kept"""


@frozen(eq=False)
class Witness:
    """`answer` comes `more` times from the one query and `fewer` times from the other on the graph."""

    graph: Graph
    answer: AnswerRow
    more: int
    fewer: int
    parameters: Mapping[Parameter, GroundTerm]


@define
class Referee:
    """Runs two tables on graphs. `counted`: whether multiplicities are compared; answers align by position."""

    narrower: Table
    wider: Table
    counted: bool
    dependencies: Dependencies | None = None

    def refutation(self, targets: Iterable[Target]) -> Witness | None:
        """The first of the databases on which the narrower query has an answer that the wider has not."""
        for target in targets:
            found = self.differs(target.graph, parameters_of(target))
            if found is not None:
                return found
        return None

    def differs(self, graph: Graph, parameters: Mapping[Parameter, GroundTerm]) -> Witness | None:
        """The witness that this graph is; None where it is none, is too much to evaluate, or violates the schema."""
        if self.dependencies is not None and violation(graph, self.dependencies) is not None:
            return None
        try:
            mine = self._answers(self.narrower, graph, parameters)
            theirs = self._answers(self.wider, graph, parameters)
        except DiagnosticError:
            return None  # a parameter without a value, or out of time: nothing is shown
        for answer, times in mine.items():
            if times > theirs[answer]:
                return Witness(graph, answer, times, theirs[answer], parameters)
        return None

    def _answers(self, table: Table, graph: Graph, parameters: Mapping[Parameter, GroundTerm]) -> Counter[AnswerRow]:
        rows = evaluate(table, graph, parameters, deadline=time.monotonic() + _SECONDS).rows
        if table.shell.form is Form.ASK:
            rows = tuple(() for row in rows if row and str(row[0]).startswith('"true"'))
        return Counter(rows) if self.counted else Counter(dict.fromkeys(rows, 1))

    def smaller(self, found: Witness) -> Witness:
        """The witness without facts that it does not need: half of them at a time, then one by one."""
        facts, size = list(found.graph), max(1, len(found.graph) // 2)
        until = time.monotonic() + _SECONDS
        while size and time.monotonic() < until:
            place = 0
            while place < len(facts) and time.monotonic() < until:
                rest = facts[:place] + facts[place + size :]
                smaller = self.differs(Graph(rest), found.parameters)
                if smaller is None:
                    place += size
                else:
                    facts, found = rest, smaller
            size //= 2
        return found

    def variants(self, targets: Sequence[Target], *, tries: int, seed: int = 0) -> Witness | None:
        """A witness among small random changes of the databases: nodes merged or doubled, facts left out."""
        rnd = random.Random(seed)
        for target in targets[:4]:
            for graph in _changed(target.graph, rnd, tries):
                found = self.differs(graph, parameters_of(target))
                if found is not None:
                    return found
        return None


def parameters_of(target: Target) -> dict[Parameter, GroundTerm]:
    """The values that the database gives to parameters."""
    return {Parameter(one.name.removeprefix("$")): value for one, value in target.solution.items() if is_parameter(one)}


def _changed(graph: Graph, rnd: random.Random, tries: int) -> Iterator[Graph]:
    facts = list(graph)
    nodes = [one for one in graph.terms() if isinstance(one, IRI | BlankNode)]
    if not nodes:
        return
    for _ in range(tries):
        kind = rnd.randrange(4)
        if kind == 0 and len(nodes) > 1:
            one, other = rnd.sample(nodes, 2)
            yield Graph(_renamed(facts, {one: other}))
        elif kind == 1 and len(facts) > 1:
            yield Graph(rnd.sample(facts, len(facts) - 1))
        else:
            doubled = _doubled(facts, {one: rnd.choice((1, 1, 2, 3)) for one in nodes})
            # copies of a node tell limits and superlatives apart only where they have not all the same
            yield doubled if kind == 2 else Graph(one for one in doubled if rnd.random() < _KEPT)


def _renamed(facts: Iterable[Fact], names: Mapping[GroundTerm, IRI | BlankNode]) -> Iterator[Fact]:
    for subject, predicate, object_ in facts:
        yield names.get(subject, subject), predicate, names.get(object_, object_)


def _doubled(facts: Iterable[Fact], times: Mapping[IRI | BlankNode, int]) -> Graph:
    """The graph in which each node that stands for a variable has so many copies."""

    def copies(node: GroundTerm) -> list[GroundTerm]:
        if not isinstance(node, IRI) or not node.value.startswith(FROZEN):
            return [node]
        return [IRI(f"{node.value}{'~' * place}") for place in range(times.get(node, 1))]

    return Graph(
        (one, predicate, other)
        for subject, predicate, object_ in facts
        for one in copies(subject)
        for other in copies(object_)
        if isinstance(one, IRI | BlankNode)
    )
