"""Validity: each fault of a table is found, named with its code and, where a name is misspelt, with the one meant."""

from __future__ import annotations

import pytest

from uniqgen_ir.ir.expressions import Aggregate, Call, Comparison, ComparisonOperator, Exists, Expression
from uniqgen_ir.ir.rows import (
    Bind,
    Either,
    Filter,
    NotBlock,
    OptionalBlock,
    Row,
    SubTable,
    Triple,
    Values,
)
from uniqgen_ir.ir.table import Column, Extreme, OrderKey, Shell, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.passes.verify import verify

X, CITY, NAME, GONE = Variable("x"), Variable("city"), Variable("name"), Variable("gone")
LABEL = IRI("http://example.org/label")
ROW = Row("c1", Triple(CITY, LABEL, NAME))
COUNT = Aggregate("count", NAME)


def equal(left: Expression, right: Expression) -> Comparison:
    return Comparison(ComparisonOperator.EQUAL, left, right)


def table(*rows: Row, head: tuple[Column, ...] = (Column(CITY),), shell: Shell | None = None) -> Table:
    return Table("t", head, (ROW, *rows), shell or Shell())


def named(expression: Expression) -> tuple[Column, ...]:
    return (Column(expression, Variable("n")),)


FAULTS: dict[str, tuple[Table, str]] = {
    "head variable": (table(head=(Column(Variable("cityy")),)), "UQ202"),
    "condition": (table(Row("c2", Filter(equal(Variable("nme"), NAME)))), "UQ203"),
    "where": (table(Row("c2", Triple(CITY, LABEL, X), equal(GONE, X))), "UQ203"),
    "inside not": (table(Row("c2", NotBlock((Row("c2.1", Filter(equal(GONE, NAME))),)))), "UQ203"),
    "inside exists": (table(Row("c2", Filter(Exists((Row("c2.1", Filter(equal(GONE, NAME))),))))), "UQ203"),
    "sort key": (table(shell=Shell(distinct=False, order=(OrderKey(GONE),))), "UQ203"),
    "group": (table(shell=Shell(group=(Column(GONE),))), "UQ203"),
    "having": (table(shell=Shell(group=(Column(CITY),), having=(equal(GONE, NAME),))), "UQ203"),
    "argmax": (table(shell=Shell(extreme=Extreme(True, (CITY,), GONE))), "UQ203"),
    "computed column": (table(head=named(Call("str", (GONE,)))), "UQ203"),
    "ids": (table(Row("c1", Triple(CITY, LABEL, X))), "UQ204"),
    "ids in a block": (table(Row("c2", NotBlock((ROW, ROW)))), "UQ204"),
    "function": (table(Row("c2", Filter(Call("strlen", (NAME,))))), "UQ205"),
    "aggregate function": (table(head=named(Aggregate("median", NAME))), "UQ205"),
    "arguments": (table(Row("c2", Filter(Call("year", ())))), "UQ206"),
    "nested aggregate": (table(head=named(Aggregate("sum", COUNT))), "UQ430"),
    "aggregate in a row": (table(Row("c2", Filter(equal(COUNT, Literal.of(1))))), "UQ430"),
    "aggregate in a group": (table(shell=Shell(group=(Column(COUNT, X),))), "UQ430"),
    "neither grouped nor aggregated": (table(head=(Column(CITY), *named(COUNT))), "UQ430"),
    "hidden sort key": (table(shell=Shell(order=(OrderKey(NAME),))), "UQ431"),
    "optional scope": (
        table(
            Row("c2", OptionalBlock((Row("c2.1", Triple(CITY, LABEL, X)),))),
            Row("c3", NotBlock((Row("n", Triple(X, LABEL, CITY)),))),
        ),
        "UQ432",
    ),
    "width of values": (table(Row("c2", Values((CITY, X), ((LABEL,),)))), "UQ433"),
    "values name twice": (table(Row("c2", Values((CITY, CITY), ()))), "UQ433"),
    "one branch": (table(Row("c2", Either(((ROW,),)))), "UQ433"),
    "empty block": (table(Row("c2", NotBlock(()))), "UQ433"),
    "where on a condition": (table(Row("c2", Filter(equal(NAME, NAME)), equal(NAME, NAME))), "UQ433"),
    "negative limit": (table(shell=Shell(limit=-1)), "UQ433"),
    "computed twice": (table(Row("c2", Bind(Call("str", (NAME,)), NAME))), "UQ434"),
    "named column": (table(head=(Column(Call("str", (NAME,)), NAME),)), "UQ434"),
    "table inside": (table(Row("c2", SubTable(Table("u", (Column(GONE),), (ROW,))))), "UQ202"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_found(fault: str) -> None:
    faulty, code = FAULTS[fault]
    assert code in {one.code for one in verify(faulty)}


def test_valid_tables_have_no_fault() -> None:
    optional = Row("c2", OptionalBlock((Row("c2.1", Triple(CITY, LABEL, X)),)))
    valid = (
        table(),
        table(optional, head=(Column(CITY), Column(X))),
        table(optional, Row("c3", Filter(Call("bound", (X,))))),
        table(head=(Column(CITY), *named(COUNT)), shell=Shell(group=(Column(CITY),), order=(OrderKey(COUNT, True),))),
        table(shell=Shell(distinct=False, order=(OrderKey(NAME),))),
        table(Row("c2", Bind(Call("str", (NAME,)), X)), head=(Column(X),)),
        table(head=()),
    )
    for one in valid:
        assert verify(one) == ()


def test_misspelt_variables_come_with_the_one_meant() -> None:
    (head,) = verify(FAULTS["head variable"][0])
    assert head.hint == "did you mean ?city?"
    (condition,) = verify(FAULTS["condition"][0])
    assert condition.hint == "did you mean ?name?"
    assert "c2" in condition.message


def test_all_faults_are_reported_at_once() -> None:
    found = verify(table(Row("c1", Filter(equal(GONE, NAME))), head=(Column(X),)))
    assert {one.code for one in found} == {"UQ202", "UQ203", "UQ204"}
