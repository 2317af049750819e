"""The mode `different relationships`, said with conditions, means what the reference evaluator means by it."""

from __future__ import annotations

from collections import Counter

import pytest
from attrs import evolve
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from uniqgen_ir.backends.apart import without_match_mode
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.expressions import Exists
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.rows import Either, Filter, NotBlock, OptionalBlock, Row, SubTable, Triple
from uniqgen_ir.ir.table import MatchMode, Shell, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable

NODES = tuple(IRI(f"urn:n:{name}") for name in "abc")
PREDICATES = (IRI("urn:r:p"), IRI("urn:r:q"))
VARIABLES = tuple(Variable(name) for name in "xyzw")
KIND = Variable("kind")

subjects = st.sampled_from((*VARIABLES, NODES[0]))
objects = st.sampled_from((*VARIABLES, *NODES[:2], Literal("v")))
triples = st.builds(Triple, subjects, st.sampled_from((*PREDICATES, PREDICATES[0], KIND)), objects)
graphs = st.lists(
    st.tuples(st.sampled_from(NODES), st.sampled_from(PREDICATES), st.sampled_from((*NODES, Literal("v")))),
    max_size=9,
).map(Graph)


def named(triples_: list[Triple], prefix: str) -> tuple[Row, ...]:
    return tuple(Row(f"{prefix}{place}", one) for place, one in enumerate(triples_, 1))


@st.composite
def tables(draw: st.DrawFn) -> Table:
    few = st.lists(triples, min_size=1, max_size=2)
    rows = list(named(draw(st.lists(triples, min_size=1, max_size=3)), "c"))
    rows += [
        Row(f"e{place}", Either((named(draw(few), f"e{place}a"), named(draw(few), f"e{place}b"))))
        for place in range(draw(st.integers(0, 2)))
    ]
    inner = named(draw(few), "i")
    match draw(st.integers(0, 4)):
        case 0:
            rows.append(Row("o", OptionalBlock(inner)))
        case 1:
            rows.append(Row("n", NotBlock(inner)))
        case 2:
            rows.append(Row("f", Filter(Exists(inner))))
        case 3:
            mode = draw(st.sampled_from(list(MatchMode)))
            rows.append(Row("s", SubTable(Table("s", (), inner, Shell(distinct=False), match_mode=mode))))
        case _:
            pass
    mode = draw(st.sampled_from([MatchMode.DIFFERENT_RELATIONSHIPS] * 3 + [MatchMode.HOMOMORPHISM]))
    return Table("t", (), tuple(rows), Shell(distinct=False), match_mode=mode)


X, Y, Z, W = VARIABLES
TWICE = Table(
    "t",
    (),
    (
        Row("c1", Triple(X, PREDICATES[0], Y)),
        Row("e", Either((named([Triple(Y, PREDICATES[0], Z)], "a"), named([Triple(Z, PREDICATES[0], Y)], "b")))),
    ),
    Shell(distinct=False),
    match_mode=MatchMode.DIFFERENT_RELATIONSHIPS,
)


@settings(suppress_health_check=list(HealthCheck))
@given(table=tables(), graph=graphs)
@example(table=TWICE, graph=Graph([(NODES[0], PREDICATES[0], NODES[1]), (NODES[1], PREDICATES[0], NODES[0])]))
def test_conditions_mean_what_the_mode_means(table: Table, graph: Graph) -> None:
    written = without_match_mode(table)
    assert written.match_mode is MatchMode.HOMOMORPHISM
    found, expected = evaluate(written, graph), evaluate(table, graph)
    assert Counter(map(frozenset, _named(found))) == Counter(map(frozenset, _named(expected)))


def _named(answers: Answers) -> list[list[tuple[str, str]]]:
    return [sorted(zip(answers.columns, map(str, row), strict=True)) for row in answers.rows]


def test_the_mode_matters() -> None:
    graph = Graph([(NODES[0], PREDICATES[0], NODES[1]), (NODES[1], PREDICATES[0], NODES[0])])
    free = evolve(TWICE, match_mode=MatchMode.HOMOMORPHISM)
    assert len(evaluate(free, graph).rows) == 4
    assert len(evaluate(without_match_mode(TWICE), graph).rows) == 2


def test_too_many_alternatives_are_refused_by_name() -> None:
    either = Either((named([Triple(X, PREDICATES[0], Y)], "a"), named([Triple(Y, PREDICATES[0], X)], "b")))
    table = evolve(TWICE, rows=tuple(Row(f"e{place}", either) for place in range(7)))
    with pytest.raises(DiagnosticError) as refused:
        without_match_mode(table)
    assert [one.code for one in refused.value.diagnostics] == ["UQ505"]
