"""A small graph that obeys a schema: frozen rows, what the schema adds to them, and the nodes that it makes one.

Round by round every dependency is looked up in all facts. Ending early is safe: whatever is there follows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, count
from typing import Final

from attrs import frozen

from uniqgen_ir.ir.analysis import positive_variables
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.rows import Row, Values
from uniqgen_ir.ir.schema import Dependency
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import BlankNode, GroundTerm, Term, Variable
from uniqgen_ir.passes.certificates.frozen import frozen_fact, node_of, obeying, thawed
from uniqgen_ir.passes.certificates.schema_facts import SchemaFacts

MOST_ROUNDS: Final = 100
MOST_FACTS: Final = 500
"""beyond it no dependency adds any more"""
_MADE: Final = "made "
"""how variables are called that a dependency says exist; no variable of a table has a space in its name"""

_Merge = tuple[GroundTerm, GroundTerm]


@frozen(eq=False)
class World:
    """`same`: nodes that another one stands for."""

    graph: Graph
    same: Mapping[GroundTerm, GroundTerm]

    def of(self, node: GroundTerm) -> GroundTerm:
        """The node that stands for this one."""
        while node in self.same:
            node = self.same[node]
        return node

    def has(self, fact: Fact) -> bool:
        """Whether the fact is there, under the names of the nodes that stand for its ends."""
        subject, predicate, object_ = fact
        return (self.of(subject), predicate, self.of(object_)) in self.graph  # type: ignore[operator]

    def somewhere(self, rows: Sequence[Row], pins: Mapping[Variable, GroundTerm]) -> bool:
        """Whether the rows have a match in which these variables are these nodes."""
        return bool(self.matches(rows, pins, ()))

    def matches(
        self, rows: Sequence[Row], pins: Mapping[Variable, GroundTerm], shown: Sequence[Variable]
    ) -> list[tuple[GroundTerm, ...]]:
        """The nodes of the shown variables in every such match; of none, one empty line where there is one."""
        return _matches(self.graph, rows, pins, shown)


def world_of(facts: Iterable[Fact], schema: SchemaFacts) -> World:
    """The facts and what follows from them under the schema."""
    known, same, fresh = set(facts), dict[GroundTerm, GroundTerm](), count()
    for _ in range(MOST_ROUNDS):
        known = obeying(known, schema)
        merge = next(_merges(known, schema), None)
        if merge is not None:
            gone, stays = merge
            same[gone] = stays
            known = {_replaced(fact, gone, stays) for fact in known}
            continue
        more = _added(known, schema.dependencies, fresh)
        if not more or len(known) + len(more) > MOST_FACTS:
            break
        known |= more
    return World(Graph(sorted(known, key=repr)), same)


def _replaced(fact: Fact, gone: GroundTerm, stays: GroundTerm) -> Fact:
    subject, predicate, object_ = fact
    return (stays if subject == gone else subject, predicate, stays if object_ == gone else object_)  # type: ignore[return-value]


def _merges(known: set[Fact], schema: SchemaFacts) -> Iterator[_Merge]:
    """Nodes that the schema makes one: first the one that gives way, then the one that stays."""
    groups: defaultdict[tuple[str, str, GroundTerm], set[GroundTerm]] = defaultdict(set)
    for subject, predicate, object_ in known:
        if predicate.value in schema.functional:
            groups["functional", predicate.value, subject].add(object_)
        if predicate.value in schema.keys:
            groups["key", predicate.value, object_].add(subject)
    pairs = [pair for group in groups.values() for pair in combinations(sorted(group, key=repr), 2)]
    graph = Graph(known)
    for one in schema.dependencies:
        if one.equal is not None:
            pairs += _matches(graph, one.body, {}, one.equal)  # type: ignore[arg-type]
    for left, right in pairs:
        gives_way = sorted((left, right), key=_rank)[0]
        if left != right and _rank(gives_way) < _NAMED:
            yield gives_way, right if gives_way == left else left


_NAMED: Final = 2


def _rank(node: GroundTerm) -> int:
    """What gives way first: what a dependency made, then variables; names never."""
    variable = thawed(node)
    if not isinstance(variable, Variable):
        return _NAMED
    return 0 if variable.name.startswith(_MADE) else 1


def _added(known: set[Fact], dependencies: Iterable[Dependency], fresh: Iterator[int]) -> set[Fact]:
    """What the dependencies say of the facts that is not there yet."""
    graph, found = Graph(sorted(known, key=repr)), set[Fact]()
    for one in dependencies:
        if not one.head:
            continue
        shared = sorted(positive_variables(one.body), key=str)
        made = positive_variables(one.head) - set(shared)
        for line in _matches(graph, one.body, {}, shared):
            pins = dict(zip(shared, line, strict=True))
            if _matches(graph, one.head, pins, ()):
                continue
            new: dict[Variable, Term] = {variable: node_of(Variable(f"{_MADE}{next(fresh)}")) for variable in made}
            # blank nodes stand in no row, and so in no fact
            new |= {variable: node for variable, node in pins.items() if not isinstance(node, BlankNode)}
            found |= {fact for row in one.head if (fact := frozen_fact(row, new)) is not None}
    return found


def _matches(
    graph: Graph, rows: Sequence[Row], pins: Mapping[Variable, GroundTerm], shown: Sequence[Variable]
) -> list[tuple[GroundTerm, ...]]:
    """The values of the shown variables under which the rows hold; of none, one empty line where they hold."""
    pinned = (Row("pinned", Values(tuple(pins), (tuple(pins.values()),))),) if pins else ()
    asked = shown or sorted(positive_variables(rows), key=str)
    table = Table("world", tuple(map(Column, asked)), (*pinned, *rows))
    lines = [tuple(term for term in line if term is not None) for line in evaluate(table, graph).rows]
    return lines if shown else [()] * bool(lines)
