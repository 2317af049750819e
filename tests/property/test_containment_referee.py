"""Containment against a referee: every graph of at most three nodes with two relations, of four nodes with one.

One graph of each class of isomorphic ones. A conjunction over at most so many variables that is not contained in
another one differs from it on its canonical database, which is among these graphs: so both must agree exactly.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.protocols import AnswerRow
from uniqgen_ir.ir.rows import Either, Row, Triple
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.ir.visitor import variables_in_order
from uniqgen_ir.passes.containment.compare import contains

NODES = [IRI(f"http://example.org/n{place}") for place in range(4)]
RELATIONS = [IRI("http://example.org/r"), IRI("http://example.org/s")]
NAMES = [Variable(name) for name in ("x", "y", "z", "w")]
Cell = tuple[int, int, int]


@lru_cache
def small_graphs(nodes: int, relations: int) -> NDArray[np.bool_]:
    """Every graph with so many nodes and relations up to isomorphism: graphs × relations × subjects × objects."""
    cells = list(product(range(relations), range(nodes), range(nodes)))
    place = {cell: number for number, cell in enumerate(cells)}
    masks = np.arange(1 << len(cells), dtype=np.int64)
    least = masks.copy()
    for order in permutations(range(nodes)):
        moved = np.zeros_like(masks)
        for (r, i, j), number in place.items():
            moved |= (masks >> number & 1) << place[r, order[i], order[j]]
        least = np.minimum(least, moved)
    kept = masks[least == masks]
    bits = kept[:, None] >> np.arange(len(cells)) & 1
    return bits.astype(np.bool_).reshape(-1, relations, nodes, nodes)


def as_graph(cells: NDArray[np.bool_]) -> Graph:
    facts: list[Fact] = [(NODES[i], RELATIONS[r], NODES[j]) for r, i, j in zip(*np.nonzero(cells), strict=True)]
    return Graph(facts)


def branches(table: Table) -> list[tuple[Row, ...]]:
    first = table.rows[0].atom
    return list(first.branches) if isinstance(first, Either) else [table.rows]


def answers_everywhere(table: Table, graphs: NDArray[np.bool_]) -> dict[tuple[int, ...], NDArray[np.bool_]]:
    """For each answer (nodes by number), on which of the graphs the table gives it: by trying all assignments."""
    found: dict[tuple[int, ...], NDArray[np.bool_]] = {}
    for rows in branches(table):
        names = list(dict.fromkeys(one for row in rows for one in variables_in_order(row)))
        for values in product(range(graphs.shape[2]), repeat=len(names)):
            chosen = dict(zip(names, values, strict=True))
            holds = np.ones(len(graphs), dtype=np.bool_)
            for row in rows:
                assert isinstance(row.atom, Triple)
                assert isinstance(row.atom.subject, Variable)
                assert isinstance(row.atom.object, Variable)
                relation = RELATIONS.index(row.atom.predicate)  # type: ignore[arg-type]
                holds &= graphs[:, relation, chosen[row.atom.subject], chosen[row.atom.object]]
            answer = tuple(chosen[column.expression] for column in table.head)  # type: ignore[index]
            found[answer] = found.get(answer, np.zeros(len(graphs), dtype=np.bool_)) | holds
    return found


def contained_everywhere(narrower: Table, wider: Table, graphs: NDArray[np.bool_]) -> bool:
    mine, theirs = answers_everywhere(narrower, graphs), answers_everywhere(wider, graphs)
    nowhere = np.zeros(len(graphs), dtype=np.bool_)
    return all(not np.any(where & ~theirs.get(answer, nowhere)) for answer, where in mine.items())


@st.composite
def conjunctions(draw: st.DrawFn, relations: int, variables: int, most: int) -> tuple[Row, ...]:
    """Edges between few variables; the first starts at ?x."""
    names = st.sampled_from(NAMES[:variables])
    edges = st.tuples(names, st.sampled_from(RELATIONS[:relations]), names)
    listed = draw(st.lists(edges, min_size=0, max_size=most - 1))
    first = (NAMES[0], draw(st.sampled_from(RELATIONS[:relations])), draw(names))
    return tuple(Row(f"c{place}", Triple(*edge)) for place, edge in enumerate([first, *listed]))


@st.composite
def queries(draw: st.DrawFn, relations: int, variables: int, most: int) -> Table:
    """A conjunction, or now and then a union of two; the answer is ?x, or ?x and another variable of each branch."""
    parts = draw(st.lists(conjunctions(relations, variables, most), min_size=1, max_size=2))
    shared = set.intersection(*(set(variables_in_order(Table("p", (), part))) for part in parts))
    second = draw(st.sampled_from([None, *sorted(shared, key=str)]))
    head = (Column(NAMES[0]),) if second is None else (Column(NAMES[0]), Column(second, Variable("second")))
    rows = parts[0] if len(parts) == 1 else (Row("u", Either(tuple(parts))),)
    return Table("t", head, rows)


def agree(a: Table, b: Table, graphs: NDArray[np.bool_]) -> None:
    if len(a.head) != len(b.head):
        a, b = (Table("t", one.head[:1], one.rows) for one in (a, b))
    verdict = contains(b, a)
    assert verdict.holds == contained_everywhere(a, b, graphs)
    if verdict.witness is not None:
        assert verdict.witness.answer in answers(a, verdict.witness.graph) - answers(b, verdict.witness.graph)


def answers(table: Table, graph: Graph) -> frozenset[AnswerRow]:
    return frozenset(evaluate(table, graph).rows)


@given(queries(relations=2, variables=3, most=4), queries(relations=2, variables=3, most=4))
def test_verdicts_are_the_referees_with_two_relations(a: Table, b: Table) -> None:
    agree(a, b, small_graphs(3, 2))


@given(queries(relations=1, variables=4, most=5), queries(relations=1, variables=4, most=5))
def test_verdicts_are_the_referees_with_four_nodes(a: Table, b: Table) -> None:
    agree(a, b, small_graphs(4, 1))


@given(queries(relations=2, variables=3, most=4), st.integers(0, 44_223))
def test_the_referee_answers_as_the_evaluator(table: Table, number: int) -> None:
    cells = small_graphs(3, 2)[number : number + 1]
    found = {answer for answer, where in answers_everywhere(table, cells).items() if where[0]}
    expected = answers(table, as_graph(cells[0]))
    assert {tuple(NODES[place] for place in answer) for answer in found} == expected


def test_the_number_of_small_graphs_is_the_known_one() -> None:
    """Relations on n nodes up to isomorphism (OEIS A000595), and pairs of relations, by Burnside's lemma."""
    assert [len(small_graphs(nodes, 1)) for nodes in (1, 2, 3, 4)] == [2, 10, 104, 3044]
    assert [len(small_graphs(nodes, 2)) for nodes in (1, 2, 3)] == [4, 136, 44224]
