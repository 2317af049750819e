"""The builder reads like the language and refuses what it cannot make."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from uniqgen_ir.ir.building.builder import (
    Namespace,
    a,
    aggregate,
    call,
    count,
    date,
    descending,
    either_path,
    exists,
    inverse,
    literal,
    month,
    note,
    p,
    path,
    repeat,
    row,
    table,
    tagged,
    v,
)
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.expressions import And, Comparison, ComparisonOperator, Membership, Not, Or
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.paths import Alternative, Inverse, Repeat, Sequence, Step
from uniqgen_ir.ir.rows import Origin, PathAtom, Triple, TypeAtom
from uniqgen_ir.ir.table import Form
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Variable
from uniqgen_ir.ir.vocabulary import XSD_DATE, XSD_DATE_TIME, XSD_DECIMAL, XSD_TIME

ol = Namespace("http://example.org/")


def node(name: str) -> IRI:
    return IRI("http://example.org/" + name)


def test_a_table_is_built_and_answers() -> None:
    hosts = (
        table("winter_hosts", "Which cities hosted in February?")
        .select(v.city)
        .row("games", v.g, ol.hostCity, v.city)
        .row("month", v.g, ol.opening, v.d, where=month(v.d) == 2)
        .optional("label", row("label.1", v.city, ol.label, v.n))
        .order_by(v.n)
        .build()
    )
    day = Literal("1932-02-04", XSD_DATE)
    graph = Graph(
        [
            (node("g1"), node("hostCity"), node("lake_placid")),
            (node("g1"), node("opening"), day),
            (node("g2"), node("hostCity"), node("paris")),
            (node("g2"), node("opening"), Literal("1924-05-04", XSD_DATE)),
        ]
    )
    assert evaluate(hosts, graph).rows == ((node("lake_placid"),),)
    assert hosts.question == "Which cities hosted in February?"


def test_a_builder_is_never_changed() -> None:
    start = table("t").select(v.x).row("c1", v.x, ol.knows, v.y)
    longer = start.row("c2", v.y, a, ol.Person).limit(3, 1)
    assert [one.id for one in start.build().rows] == ["c1"]
    assert start.build().shell.limit is None
    assert (longer.build().shell.limit, longer.build().shell.offset) == (3, 1)


def test_rows_become_the_atoms_that_they_say() -> None:
    made = (
        table("t").row("c1", v.x, a, ol.City).row("c2", v.x, v.p, "text").row("c3", v.x, path(ol.p, ol.q), v.y).build()
    )
    assert made.rows[0].atom == TypeAtom(Variable("x"), node("City"))
    assert made.rows[1].atom == Triple(Variable("x"), Variable("p"), Literal.of("text"))
    assert made.rows[2].atom == PathAtom(Variable("x"), Sequence((Step(node("p")), Step(node("q")))), Variable("y"))


def test_paths() -> None:
    step = Step(node("p"))
    assert inverse(ol.p) == Inverse(step)
    assert repeat(ol.p, 1, 3) == Repeat(step, 1, 3)
    assert either_path(ol.p, inverse(ol.p)) == Alternative((step, Inverse(step)))
    assert path(ol.p) == step


def test_operators_build_expressions() -> None:
    x, one = Variable("x"), Literal.of(1)
    less = Comparison(ComparisonOperator.LESS, x, one)
    assert (v.x < 1).node == less
    assert ((v.x < 1) & (v.x < 1) & (v.x < 1)).node == And((less, less, less))
    assert ((v.x < 1) | (v.x < 1) | (v.x < 1)).node == Or((less, less, less))
    assert (~(v.x < 1)).node == Not(less)
    assert v.x.not_in(1, "a").node == Membership(x, (one, Literal.of("a")), True)
    assert (v.x == p.year).node == Comparison(ComparisonOperator.EQUAL, x, Parameter("year"))
    assert v.x.between(1, 1).node == And(
        (Comparison(ComparisonOperator.GREATER_EQUAL, x, one), Comparison(ComparisonOperator.LESS_EQUAL, x, one))
    )


@pytest.mark.parametrize(
    ("made", "value"),
    [
        (lambda: v.x + 2 * v.x, 9),
        (lambda: (10 - v.x) / 7, 1),
        (lambda: -v.x + v.x * 2, 3),
        (lambda: call("abs", 2 - v.x - 4), 5),
    ],
)
def test_arithmetic_means_what_python_means(made: Callable[[], Any], value: int) -> None:
    expression = made() == value
    graph = Graph([(node("a"), node("age"), Literal.of(3))])
    assert evaluate(table("t").row("c1", v.s, ol.age, v.x, where=expression).build(), graph).rows


def test_python_values_become_literals() -> None:
    zone = datetime.timezone(datetime.timedelta(hours=2))
    assert literal(Decimal("2.50")) == Literal("2.5", XSD_DECIMAL)
    assert literal(datetime.date(2001, 2, 3)) == Literal("2001-02-03", XSD_DATE)
    assert literal(datetime.time(1, 2, 3)) == Literal("01:02:03", XSD_TIME)
    assert literal(datetime.datetime(2001, 2, 3, 4, 5, tzinfo=zone)) == Literal(
        "2001-02-03T04:05:00+02:00", XSD_DATE_TIME
    )
    assert tagged("a", "EN").node == Literal.tagged("a", "en")


def test_shell_and_blocks() -> None:
    inner = table("inner").select(v.x, count(v.y, distinct=True).as_("n")).row("i1", v.x, ol.knows, v.y).group_by(v.x)
    made = (
        table("t")
        .select(v.x, v.n, distinct=False)
        .table("counts", inner)
        .either("kind", [row("k1", v.x, a, ol.City)], [row("k2", v.x, a, ol.Town)])
        .without("gone", row("g1", v.x, ol.dissolved, v.when))
        .minus("other", row("o1", v.x, a, ol.Ghost))
        .filter("some", exists(row("e1", v.x, ol.knows, v.z)))
        .let("double", v.m, v.n * 2)
        .values("given", [v.x], [[ol.a], [ol.b]])
        .having(v.n > 1)
        .order_by(descending(v.n))
        .argmax(v.x, by=v.n)
        .build()
    )
    facts = [(node("a"), node("knows"), node(other)) for other in "ab"] + [(node("b"), node("knows"), node("a"))]
    graph = Graph([*facts, (node("a"), IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), node("Town"))])
    assert evaluate(made, graph).rows == ((node("a"), Literal.of(2)),)
    assert table("t").ask().build().shell.form is Form.ASK
    assert aggregate("max", v.y).as_("m").variable == Variable("m")
    assert note(origin=Origin.PRAGMATIC, uncertainty=0.5).uncertainty == 0.5


@pytest.mark.parametrize(
    ("mistake", "code"),
    [
        (lambda: table("t").row("c1", v.x, ol.p, object()), "UQ175"),  # type: ignore[arg-type]
        (lambda: table("t").row("c1", v.x, ol.p, v.y + 1), "UQ175"),
        (lambda: table("t").row("c1", v.x, literal("p"), v.y), "UQ175"),  # type: ignore[arg-type]
        (lambda: table("t").select(v.x + 1), "UQ175"),
        (lambda: bool(v.x == 1), "UQ175"),
        (lambda: call("no_such_function", v.x), "UQ175"),
        (lambda: call("month"), "UQ175"),
        (lambda: aggregate("median", v.x), "UQ175"),
        (lambda: date("2001-02-30"), "UQ175"),
        (lambda: repeat(ol.p, 3, 1), "UQ175"),
        (lambda: path(v.x), "UQ175"),
        (lambda: path(), "UQ175"),
        (lambda: v["not a name"], "UQ175"),
        (lambda: table("t").values("c1", [v.x], [[v.y]]), "UQ175"),
        (lambda: table("t").values("c1", [v.x], [[1, 2]]), "UQ176"),
        (lambda: table("t").either("c1", [row("k", v.x, ol.p, v.y)]), "UQ176"),
        (lambda: table("t").optional("c1"), "UQ176"),
        (lambda: table("t").limit(-1), "UQ176"),
        (lambda: note(uncertainty=2.0), "UQ176"),
        (lambda: table("t").row("c1", v.x, ol.p, v.y).row("c1", v.x, ol.p, v.y).build(), "UQ176"),
    ],
)
def test_mistakes_are_diagnostics(mistake: Callable[[], object], code: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        mistake()
    assert [one.code for one in caught.value.diagnostics] == [code]
