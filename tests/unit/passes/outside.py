"""Random tables with rows that contradict the reference answers, and verdicts recomputed from the definitions.

Rows share existential variables, so that most tables have several maximal complete sets, and some rows are connected to
the key by nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from attrs import frozen

from uniqgen_ir.ir.analysis import row_variables
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.rows import Row, Triple
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Term, Variable

BASE = "http://example.org/"
X = Variable("x")
TYPE, VALUE = IRI(BASE + "type"), IRI(BASE + "val")


def iri(name: str) -> IRI:
    return IRI(BASE + name)


@frozen
class Case:
    graph: Graph
    table: Table
    answers: frozenset[GroundTerm]

    @property
    def references(self) -> tuple[ReferenceAnswer, ...]:
        return tuple(ReferenceAnswer((answer,)) for answer in sorted(self.answers, key=str))


def random_graph(rnd: random.Random, size: int = 30) -> Graph:
    nodes, relations = [iri(f"n{place}") for place in range(size)], [iri(f"r{place}") for place in range(6)]
    facts: list[Fact] = []
    for node in nodes:
        facts += [(node, TYPE, iri(f"T{rnd.randrange(4)}")), (node, VALUE, Literal.of(rnd.randrange(50)))]
        facts += [(node, rnd.choice(relations), rnd.choice(nodes)) for _ in range(5)]
    return Graph(facts)


def random_table(rnd: random.Random, graph: Graph, answer: IRI) -> Table:
    """True rows read off the answer's neighbourhood, others drawn at random, at most nine in random order."""
    atoms: list[tuple[Triple, Comparison | None]] = []
    ends: dict[IRI, list[GroundTerm]] = {}
    for _, predicate, object_ in graph.match(answer, None, None):
        if predicate == VALUE and isinstance(object_, Literal):
            limit = Literal.of(max(0, int(object_.lexical) - 3))
            least = Comparison(ComparisonOperator.GREATER_EQUAL, Variable("v"), limit)
            atoms.append((Triple(X, VALUE, Variable("v")), least))
        elif predicate == TYPE or rnd.random() < 0.5:
            atoms.append((Triple(X, predicate, _constant(object_)), None))
        else:
            middle = Variable(f"y{len(atoms)}")
            atoms.append((Triple(X, predicate, middle), None))
            if rnd.random() < 0.7:
                atoms += _read_off(rnd, graph, middle, object_, 1)
        if predicate.value.startswith(BASE + "r"):
            ends.setdefault(predicate, []).append(object_)
    for predicate, several in ends.items():
        if len(several) > 1:  # rows on one variable that different neighbours satisfy: several maximal sets
            shared = Variable("w")
            atoms = [*atoms[:3], (Triple(X, predicate, shared), None)]
            for end in several[:2]:
                atoms += _read_off(rnd, graph, shared, end, 2)
            break
    atoms += [(Triple(X, iri(f"r{rnd.randrange(6)}"), iri(f"n{rnd.randrange(30)}")), None)]
    atoms += [(Triple(X, TYPE, iri(f"T{rnd.randrange(4)}")), None)]
    rnd.shuffle(atoms)
    rows = tuple(Row(f"c{place}", atom, where) for place, (atom, where) in enumerate(atoms[:9]))
    return Table("t", (Column(X),), rows)


def _read_off(
    rnd: random.Random, graph: Graph, subject: Variable, node: GroundTerm, most: int
) -> list[tuple[Triple, Comparison | None]]:
    facts = [fact for fact in graph.match(node, None, None) if fact[1] != VALUE]
    chosen = rnd.sample(facts, min(most, len(facts)))
    return [(Triple(subject, predicate, _constant(object_)), None) for _, predicate, object_ in chosen]


def _constant(term: GroundTerm) -> Term:
    assert isinstance(term, IRI | Literal)
    return term


def random_case(seed: int, size: int = 30) -> Case:
    rnd = random.Random(seed)
    graph = random_graph(rnd, size)
    answer = iri(f"n{rnd.randrange(size)}")
    table = random_table(rnd, graph, answer)
    answers: set[GroundTerm] = {answer}
    holder = next((row.id for row in table.rows if X in row_variables(row)), None)
    if rnd.random() < 0.5 and holder is not None:
        answers.add(rnd.choice(sorted(naive_answers(graph, table, {holder}) or answers, key=str)))
    return Case(graph, table, frozenset(answers))


def naive_active(table: Table, names: Iterable[str]) -> set[str]:
    """The rows connected to ?x through shared variables."""
    bound, live, waiting = {X}, set[str](), set(names)
    while new := {name for name in waiting - live if row_variables(table.row(name)) & bound}:
        live |= new
        bound |= set().union(*(row_variables(table.row(name)) for name in new))
    return live


def naive_answers(graph: Graph, table: Table, names: Iterable[str]) -> set[GroundTerm] | None:
    """The answers of the active rows; None where the set is unsafe."""
    live = naive_active(table, names)
    if not any(X in row_variables(table.row(name)) for name in live):
        return None
    return {line[0] for line in evaluate(table.only(live), graph).rows if line[0] is not None}


def faults(case: Case, kept: set[str], redundant: set[str], dropped: set[str]) -> list[str]:
    """What is wrong with a result, by the definitions alone; empty where it is right."""
    found: list[str] = []
    graph, table, top = case.graph, case.table, kept | redundant
    target, now = naive_answers(graph, table, top), naive_answers(graph, table, kept)
    if sorted([*kept, *redundant, *dropped]) != sorted(row.id for row in table.rows):
        found.append("not a partition")
    if now is None or not case.answers <= now:
        found.append("incomplete")
    if now != target or naive_active(table, kept) != kept:
        found.append("looser")
    for name in dropped:
        more = top | {name}
        stays = name in naive_active(table, more) and case.answers <= (naive_answers(graph, table, more) or set())
        found += [f"not maximal: {name} could stay"] if stays else []
    if len(kept) > 1:
        found += [
            f"not minimal: {name} is redundant" for name in kept if naive_answers(graph, table, kept - {name}) == target
        ]
    return found
