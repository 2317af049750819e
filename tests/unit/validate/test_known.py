"""What is known of a value, against all pairs of facts; long conditions in good time."""

from __future__ import annotations

import operator
from itertools import product

import pytest

from tests.timing import within
from tests.unit.validate.library import VOCABULARY
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.validate.cypher.facts import Fact
from uniqgen_ir.validate.cypher.known import KnownFacts
from uniqgen_ir.validate.gate import check

VALUE = expressions.Property(0, 0, expressions.Variable(0, 0, "b"), expressions.Name(0, 0, "pages"))
NUMBERS = (1.0, 2.0, 3.0)
HOLDS = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def fact(sign: str, *numbers: float) -> Fact:
    return Fact(VALUE, sign, tuple(("number", number) for number in numbers), VALUE)


def fulfils(value: float, one: Fact) -> bool:
    numbers = [float(number) for _, number in one.constants]
    return value in numbers if one.operator == "IN" else bool(HOLDS[one.operator](value, numbers[0]))


FACTS = (
    *(fact(sign, number) for sign in HOLDS for number in NUMBERS),
    *(fact("IN", *pair) for pair in ((1.0, 2.0), (2.0, 3.0), (1.0, 3.0))),
)


@pytest.mark.parametrize("first", FACTS, ids=str)
def test_what_clashes_with_a_fact_has_no_value_in_common(first: Fact) -> None:
    values = [quarter / 4 for quarter in range(20)]
    for second, third in product(FACTS, FACTS):
        known = KnownFacts()
        known.add(first)
        told = known.clash(second, whole=False) is not None
        assert told is not any(fulfils(value, first) and fulfils(value, second) for value in values), (first, second)
        if told:
            continue
        known.add(second)
        if known.clash(third, whole=False) is not None:
            assert not any(
                fulfils(value, first) and fulfils(value, second) and fulfils(value, third) for value in values
            )


def test_null_excludes_every_comparison() -> None:
    known = KnownFacts()
    known.add(fact("<>", 1.0))
    assert known.clash(fact("NULL"), whole=False) is not None
    known.forget("b")
    known.add(fact("NULL"))
    assert known.clash(fact(">", 1.0), whole=False) is not None
    assert known.clash(fact("NOT NULL"), whole=False) is not None
    assert known.clash(fact("NULL"), whole=False) is None


def test_a_copy_leaves_the_other_as_it_is() -> None:
    known = KnownFacts()
    inner = known.copy()
    inner.add(fact("=", 1.0))
    assert known.clash(fact("=", 2.0), whole=False) is None
    inner.keep({"other"})
    assert inner.clash(fact("=", 2.0), whole=False) is None


@pytest.mark.parametrize("joint", [" OR ", " AND "])
def test_thousands_of_conditions_take_no_time(joint: str) -> None:
    condition = joint.join(
        f"b.pages <> {number}" if joint == " AND " else f"b.pages = {number}" for number in range(3000)
    )
    text = f"MATCH (b:Book) WHERE {condition} RETURN b"
    assert within(2.0, lambda: check(text, language="cypher", schema=VOCABULARY)).diagnostics == ()


def test_three_conditions_that_leave_nothing() -> None:
    query = "MATCH (b:Book) WHERE b.pages IN [1, 2] AND b.pages <> 1 AND b.pages <> 2 RETURN b"
    (one,) = check(query, language="cypher", schema=VOCABULARY).diagnostics
    assert one.kind == "unsatisfiable"
