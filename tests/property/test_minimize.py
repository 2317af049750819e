"""`minimize` against brute force on small tables, and the same answers as before on every graph whatever the rows."""

from __future__ import annotations

import time
from collections import Counter
from itertools import combinations, product

from attrs import evolve
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from tests.property.passes_strategies import CLASSES, EDGES, NODES, graphs, tables
from tests.property.test_saturate import closed, schemas
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import AnswerRow, StoreTimeout
from uniqgen_ir.ir.rows import Row, RowNote, Triple, TypeAtom
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import Term, Variable
from uniqgen_ir.ir.visitor import walk_rows
from uniqgen_ir.passes.minimize import minimize
from uniqgen_ir.passes.saturate.patterns import Pattern, pattern_of
from uniqgen_ir.passes.verify import verify

NAMES = [Variable(name) for name in ("x", "y", "z", "w", "v")]


@st.composite
def conjunctions(draw: st.DrawFn, most: int = 7, constants: bool = True) -> Table:
    """Up to seven triples and classes over few variables; ?x, and sometimes another variable, is shown."""
    ends = st.sampled_from([*NAMES, NODES[0]]) if constants else st.sampled_from(NAMES)
    edge = st.builds(Triple, ends, st.sampled_from(EDGES[:2]), ends)
    kind = st.builds(TypeAtom, ends, st.sampled_from(CLASSES))
    atoms = draw(st.lists(st.one_of(edge, edge, edge, kind), min_size=1, max_size=most - 1))
    first = Triple(NAMES[0], draw(st.sampled_from(EDGES[:2])), draw(ends))
    rows = [Row(f"c{place}", atom) for place, atom in enumerate([first, *atoms])]
    if draw(st.integers(0, 4)) == 0:
        pinned = draw(st.integers(0, len(rows) - 1))
        rows[pinned] = evolve(rows[pinned], note=RowNote(required=True))
    return Table("t", (Column(NAMES[0]),), tuple(draw(st.permutations(rows))))


def patterns(rows: tuple[Row, ...]) -> list[Pattern]:
    return [pattern_of(row.atom) for row in rows if isinstance(row.atom, Triple | TypeAtom)]


def maps_into(source: list[Pattern], target: list[Pattern]) -> bool:
    """Whether some way to replace variables by terms, ?x by itself, makes every pattern one of the target's."""
    inner = sorted({one for p in source for one in p if isinstance(one, Variable)} - {NAMES[0]}, key=str)
    terms = sorted({one for p in target for one in (p[0], p[2])}, key=str)
    there = set(target)
    for values in product(terms, repeat=len(inner)):
        chosen: dict[Term, Term] = dict(zip(inner, values, strict=True))
        if all((chosen.get(s, s), p, chosen.get(o, o)) in there for s, p, o in source):
            return True
    return False


@given(conjunctions())
def test_no_smaller_part_is_equivalent(table: Table) -> None:
    small, steps = minimize(table)
    assert set(small.rows) <= set(table.rows)
    assert maps_into(patterns(table.rows), patterns(small.rows))
    assert bool(steps) == (small != table)
    pinned = {row.id for row in table.rows if row.note.required}
    assert pinned <= {row.id for row in small.rows}
    # a part is equivalent only if every larger part is, so those with one row less are enough
    size = len(small.rows) - 1
    for rows in combinations(table.rows, size):
        if rows and pinned <= {row.id for row in rows} and any(NAMES[0] in one for one in patterns(rows)):
            assert not maps_into(patterns(table.rows), patterns(rows))


def answers(table: Table, graph: Graph) -> Counter[AnswerRow]:
    try:
        return Counter(evaluate(table, graph, deadline=time.monotonic() + 0.3).rows)
    except StoreTimeout:
        reject()


@given(tables(most=3), st.lists(graphs(least=3), min_size=2, max_size=2))
def test_answers_stay_on_every_graph_whatever_the_rows(table: Table, some: list[Graph]) -> None:
    assume(not verify(table))
    small, steps = minimize(table, budget=4_000)
    assert not verify(small)
    for graph in some:
        assert answers(table, graph) == answers(small, graph)
    gone = {row.id for row in walk_rows(table.rows)} - {row.id for row in walk_rows(small.rows)}
    named = {name for step in steps if step.rule == "minimize.remove" for name in step.rows_before}
    sources = {name for row in walk_rows(small.rows) for name in row.note.sources}
    assert {row.id for row in table.rows} & gone <= named | sources


@given(conjunctions(most=5, constants=False), schemas(), graphs(least=3))
def test_answers_stay_on_graphs_that_obey_the_schema(table: Table, schema: Schema, graph: Graph) -> None:
    small, _ = minimize(table, schema)
    model = closed(graph, schema)
    assert answers(table, model) == answers(small, model)


@given(conjunctions(most=4), st.lists(graphs(least=3), min_size=2, max_size=2))
def test_counts_stay_where_solutions_are_counted(table: Table, some: list[Graph]) -> None:
    counted = evolve(table, shell=Shell(distinct=False))
    small, _ = minimize(counted, budget=4_000)
    for graph in some:
        assert answers(counted, graph) == answers(small, graph)
