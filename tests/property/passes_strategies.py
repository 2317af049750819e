"""Small random graphs and tables for the properties of passes: few names, so that rows meet, join and contradict."""

from __future__ import annotations

from functools import lru_cache

from hypothesis import strategies as st

from uniqgen_ir.ir.expressions import And, Call, Comparison, ComparisonOperator, Exists, Expression, Membership, Not, Or
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.paths import Alternative, Inverse, Path, Repeat, Sequence, Step
from uniqgen_ir.ir.rows import Either, Filter, NotBlock, OptionalBlock, PathAtom, Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE, XSD_DATE_TIME, XSD_DOUBLE

BASE = "http://example.org/"
NODES = [IRI(f"{BASE}n{place}") for place in range(5)]
EDGES = [IRI(f"{BASE}r{place}") for place in range(3)]
CLASSES = [IRI(f"{BASE}C{place}") for place in range(2)]
VALUE = IRI(BASE + "value")
NAMES = [Variable(name) for name in ("x", "y", "z", "w", "v")]
CONSTANTS = [
    *(Literal.of(number) for number in range(4)),
    Literal.decimal("1.0"),
    Literal("NaN", XSD_DOUBLE),
    Literal.of("a"),
    Literal.of("b"),
    Literal.tagged("a", "en"),
    Literal.of(True),
    Literal("2000-01-01T00:00:00", XSD_DATE_TIME),
    Literal("2000-01-01T00:00:00Z", XSD_DATE_TIME),
]

nodes = st.sampled_from(NODES)
variables = st.sampled_from(NAMES)
constants = st.sampled_from(CONSTANTS)


def facts() -> st.SearchStrategy[Fact]:
    edge = st.tuples(nodes, st.sampled_from(EDGES), nodes)
    value = st.tuples(nodes, st.just(VALUE), constants)
    kind = st.tuples(nodes, st.just(IRI(RDF_TYPE)), st.sampled_from(CLASSES))
    return st.one_of(edge, edge, value, kind)


def graphs(least: int = 0, most: int = 12) -> st.SearchStrategy[Graph]:
    return st.lists(facts(), min_size=least, max_size=most).map(Graph)


@lru_cache
def paths() -> st.SearchStrategy[Path]:
    steps = st.sampled_from(EDGES).map(Step)

    def wrap(inner: st.SearchStrategy[Path]) -> st.SearchStrategy[Path]:
        pairs = st.lists(inner, min_size=2, max_size=2).map(tuple)
        return st.one_of(
            inner.map(Inverse),
            pairs.map(Sequence),
            pairs.map(Alternative),
            st.builds(
                lambda path, least, more: Repeat(path, least, least + more), inner, st.integers(0, 2), st.integers(0, 1)
            ),
        )

    return st.recursive(steps, wrap, max_leaves=3)


@lru_cache
def conditions(depth: int = 2) -> st.SearchStrategy[Expression]:
    operands: st.SearchStrategy[Expression] = st.one_of(variables, variables, constants, nodes)
    calls = st.builds(
        lambda name, one: Call(name, (one,)), st.sampled_from(["str", "year", "length", "bound"]), variables
    )
    sides: st.SearchStrategy[Expression] = st.one_of(operands, operands, calls)
    comparison = st.builds(Comparison, st.sampled_from(ComparisonOperator), sides, sides)
    membership = st.builds(Membership, sides, st.lists(operands, min_size=1, max_size=3).map(tuple), st.booleans())
    leaves: st.SearchStrategy[Expression] = st.one_of(comparison, comparison, membership, constants, variables)

    def wrap(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        several = st.lists(inner, min_size=2, max_size=3).map(tuple)
        truths = st.builds(Comparison, st.just(ComparisonOperator.EQUAL), inner, st.just(Literal.of(True)))
        return st.one_of(several.map(And), several.map(Or), inner.map(Not), inner.map(Not), truths)

    return st.recursive(leaves, wrap, max_leaves=2 * depth)


@lru_cache
def patterns() -> st.SearchStrategy[Triple | TypeAtom | PathAtom]:
    ends = st.one_of(variables, variables, nodes)
    edge = st.builds(Triple, ends, st.sampled_from(EDGES), ends)
    value = st.builds(Triple, ends, st.just(VALUE), st.one_of(variables, constants))
    kind = st.builds(TypeAtom, ends, st.sampled_from(CLASSES))
    path = st.builds(PathAtom, ends, paths(), ends)
    return st.one_of(edge, edge, value, kind, path)


@st.composite
def rows(draw: st.DrawFn, name: str, depth: int = 1) -> Row:
    kind = draw(st.sampled_from(["pattern"] * 5 + ["where", "filter", "filter"] + ["block"] * depth))
    if kind == "filter":
        return Row(name, Filter(draw(conditions())))
    if kind == "where":
        return Row(name, draw(patterns()), draw(conditions(1)))
    if kind == "pattern":
        return Row(name, draw(patterns()))
    inner = tuple(draw(rows(f"{name}{place}", depth - 1)) for place in range(draw(st.integers(1, 2))))
    shape = draw(st.sampled_from(["not", "either", "either", "exists", "optional"]))
    if shape == "not":
        return Row(name, NotBlock(inner))
    if shape == "optional":
        return Row(name, OptionalBlock(inner))
    if shape == "exists":
        return Row(name, Filter(Exists(inner, draw(st.booleans()))))
    other = tuple(draw(rows(f"{name}b{place}", depth - 1)) for place in range(draw(st.integers(1, 2))))
    return Row(name, Either((inner, other)))


@st.composite
def tables(draw: st.DrawFn, most: int = 4, depth: int = 1) -> Table:
    """Any rows; the first is a pattern that binds the head. Not always valid: tests filter by `verify`.

    `depth`: how deep blocks and branches nest.
    """
    first = Row("c0", Triple(NAMES[0], draw(st.sampled_from(EDGES)), draw(st.one_of(variables, nodes))))
    others = tuple(draw(rows(f"c{place}", depth)) for place in range(1, draw(st.integers(1, most)) + 1))
    head = (Column(NAMES[0]), *(Column(one) for one in draw(st.sets(st.sampled_from(NAMES[1:3]), max_size=1))))
    return Table("t", head, (first, *others), Shell(distinct=draw(st.sampled_from([True, True, False]))))
