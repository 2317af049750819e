"""Gold ways: from each thing that a gold query names, the relations that lead to its answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence

from uniqgen_ir.agents.traverse.scripted import GoldWay, Step
from uniqgen_ir.driver import read
from uniqgen_ir.evaluation.datasets import GoldQuestion
from uniqgen_ir.evaluation.metrics import Given
from uniqgen_ir.ir.analysis import answer_key
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.rows import Triple
from uniqgen_ir.ir.terms import IRI, Parameter, Term, Variable
from uniqgen_ir.ir.values import to_json
from uniqgen_ir.kg.linking.index import GraphIndex


def gold_way(gold: GoldQuestion, index: GraphIndex) -> GoldWay | None:
    """The ways of a gold query of triples; None where it has none, or the graph does not hold what it names."""
    if gold.sparql is None:
        return None
    try:
        table = read(gold.sparql, "sparql").table
    except DiagnosticError:
        return None
    key = answer_key(table)
    triples = [row.atom for row in table.rows if isinstance(row.atom, Triple)]
    if len(key) != 1 or not triples:
        return None
    ways: dict[int, tuple[Step, ...]] = {}
    for term in dict.fromkeys(end for one in triples for end in (one.subject, one.object)):
        node = None if isinstance(term, Variable | Parameter) else index.number(term)
        way = None if node is None else _shortest(triples, term, key[0])
        if node is not None and way is not None:
            ways[node] = way
    return GoldWay(ways) if ways else None


def answer_nodes(answers: Iterable[str], nodes: Iterable[int], index: GraphIndex) -> dict[str, list[int]]:
    """Gold answer → those of the nodes that it names, by label, code or IRI; without those that it names none of."""
    wanted = {form: answer for answer in answers for form in Given.of(answer, answer).forms}
    found: dict[str, list[int]] = {}
    for node in sorted(nodes):
        forms = Given.of(index.labels[node], to_json(index.terms[node])).forms
        for answer in {wanted[form] for form in forms & wanted.keys()}:
            found.setdefault(answer, []).append(node)
    return found


def shortest_way(starts: Collection[int], answers: Collection[int], index: GraphIndex) -> GoldWay | None:
    """Where no gold query is known: from each start the shortest way to an answer; None where no way is.

    Studies of subgraphs that come without queries take such ways for gold ones. Of equally short ones it is the first
    in the order of the graph.
    """
    found = {start: way for start in sorted(starts) if (way := _way_to(start, answers, index))}
    return GoldWay(found) if found else None


def _way_to(start: int, wanted: Collection[int], index: GraphIndex) -> tuple[Step, ...]:
    """Breadth first; () where no answer can be reached."""
    reached: dict[int, tuple[Step, ...]] = {start: ()}
    frontier = deque((start,))
    while frontier:
        here = frontier.popleft()
        for directed, target in index.adjacency.edges(here):
            if target not in reached:
                step = (index.relations[directed // 2].iri, directed % 2 == 1)
                reached[target] = (*reached[here], step)
                if target in wanted:
                    return reached[target]
                frontier.append(target)
    return ()


def _shortest(triples: Sequence[Triple], start: Term, end: Variable) -> tuple[Step, ...] | None:
    """The shortest way through the triples, breadth first; None where no way leads there."""
    reached: dict[Term, tuple[Step, ...]] = {start: ()}
    frontier = [start]
    while frontier:
        here = frontier.pop(0)
        for one in triples:
            for near, far, backward in ((one.subject, one.object, False), (one.object, one.subject, True)):
                if near == here and far not in reached and isinstance(far, Variable) and isinstance(one.predicate, IRI):
                    reached[far] = (*reached[here], (one.predicate, backward))
                    frontier.append(far)
    return reached.get(end)
