"""Hostile names and values never change the structure of a query, in any dialect: it is read again and compared."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest
from attrs import evolve

from uniqgen_ir.backends.cypher.dialects import DIALECTS
from uniqgen_ir.backends.registry import renderer
from uniqgen_ir.grammar.cypher import ast, parse_cypher
from uniqgen_ir.grammar.cypher import ast_expressions as syntax
from uniqgen_ir.grammar.cypher.walk import walk
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.expressions import Call, Comparison, ComparisonOperator, Exists
from uniqgen_ir.ir.mapping import EdgeMapping, LabelMapping, Mapping, PropertyMapping
from uniqgen_ir.ir.rows import Filter, OptionalBlock, Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Column, MatchMode, OrderKey, Shell, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable

HOSTILE = (
    "it's",
    'say "hi"',
    "back`tick",
    "``",
    "`",
    "\\",
    "\\'",
    "a\\",
    "// comment",
    "/* open",
    "*/ close",
    "-- dash",
    "}) DETACH DELETE n //",
    "'}) RETURN 1 UNION MATCH (n) DETACH DELETE n //",
    "`]->() DELETE r //",
    "; DROP DATABASE neo4j;",
    "$p0",
    "${x}",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "line\nbreak",
    "tab\tand\rreturn",
    "\u202eright to left\u202c",
    "\u2028line separator",
    "nul\u200b",
    "é ü 漢字 🦀",
    "MATCH",
    "null",
    " leading and trailing ",
    "x" * 20_000,
    "\x7f\x1b[0m",
    "\x1e\x1f",
)
ESCAPES = ("\\u0060", "\\u0027 OR 1=1 //")
"""Values like any other, but no names: some engines read them as escapes before anything else."""
UNSPEAKABLE = ("nul\0byte", "half \ud800 a pair", "", *ESCAPES)
"""Names that no query can carry: refused by name, wherever they stand."""

X, Y, V = Variable("x"), Variable("y"), Variable("v")
CLASS, EDGE, PROPERTY = IRI("urn:c"), IRI("urn:e"), IRI("urn:p")
TAME = "tame"

dialects = pytest.mark.parametrize("dialect", DIALECTS)


def mapping(name: str) -> Mapping:
    return Mapping(
        "m",
        key=name,
        labels=(LabelMapping(CLASS, name),),
        edges=(EdgeMapping(EDGE, name),),
        properties=(PropertyMapping(PROPERTY, name),),
    )


def table(value: str, variable: Variable, node: IRI) -> Table:
    """A table with a constant, names and a variable in many places."""
    rows = (
        Row("c1", TypeAtom(X, CLASS)),
        Row("c2", Triple(X, EDGE, variable)),
        Row("c3", Triple(variable, EDGE, Y)),
        Row("c4", Triple(X, PROPERTY, Literal(value))),
        Row("c5", Triple(variable, PROPERTY, V)),
        Row("c6", Filter(Comparison(ComparisonOperator.NOT_EQUAL, V, Literal(value)))),
        Row("c7", Filter(Call("contains", (V, Literal(value))))),
        Row("c8", Triple(Y, EDGE, node)),
    )
    shell = Shell(order=(OrderKey(V),), limit=3)
    return Table("t", (Column(X), Column(V, variable if variable != Y else None)), rows, shell)


def variants(one: Table) -> Iterator[Table]:
    """The table in other shapes."""
    yield one
    yield evolve(one, match_mode=MatchMode.DIFFERENT_RELATIONSHIPS)
    inner = (Row("i", Triple(X, EDGE, Variable("z"))),)
    yield one.with_rows((*one.rows, Row("o", OptionalBlock(inner)), Row("n", Filter(Exists(inner, negated=True)))))


def structure(text: str) -> list[object]:
    """The tree of a query without names and constants."""
    # what ISO GQL adds to Cypher
    plain = re.sub(r"MATCH (REPEATABLE ELEMENTS|DIFFERENT EDGES)", "MATCH", text)
    parse = parse_cypher(plain)
    assert parse.valid, (text[:500], parse.diagnostics)
    assert not parse.following
    assert parse.statement is not None
    return [type(one).__name__ for one in walk(parse.statement)]


def query(dialect: str, name: str, value: str, variable: Variable, shape: int, inline: bool) -> str:
    one = next(itertools.islice(variants(table(value, variable, IRI(f"urn:n:{value}"))), shape, None))
    return renderer(dialect, mapping=mapping(name)).render(one, inline=inline).text


def can_say(dialect: str, shape: int, name: str) -> bool:
    try:
        query(dialect, name, TAME, Variable("m"), shape, False)
    except DiagnosticError as refusal:
        return {one.code for one in refusal.diagnostics} != {"UQ500"}
    return True


@dialects
@pytest.mark.parametrize("inline", [False, True], ids=["parameters", "inline"])
def test_names_and_values_change_nothing_but_themselves(dialect: str, inline: bool) -> None:
    for shape in range(3):
        if not can_say(dialect, shape, TAME):
            assert not can_say(dialect, shape, HOSTILE[0])
            continue
        expected = structure(query(dialect, TAME, TAME, Variable("m"), shape, inline))
        for hostile in HOSTILE if shape == 0 else HOSTILE[shape::4]:
            assert structure(query(dialect, hostile, hostile, Variable(hostile), shape, inline)) == expected


@dialects
def test_one_hostile_text_at_a_time(dialect: str) -> None:
    expected = structure(query(dialect, TAME, TAME, Variable("m"), 0, False))
    for hostile in HOSTILE[::3]:
        assert structure(query(dialect, hostile, TAME, Variable("m"), 0, False)) == expected
        assert structure(query(dialect, TAME, TAME, Variable(hostile), 0, False)) == expected
    for hostile in ESCAPES:
        assert structure(query(dialect, TAME, hostile, Variable("m"), 0, False)) == expected
        with pytest.raises(DiagnosticError, match="UQ503"):
            query(dialect, TAME, hostile, Variable("m"), 0, True)


@dialects
def test_values_are_read_back_as_they_were(dialect: str) -> None:
    for hostile in HOSTILE:
        text = query(dialect, hostile, hostile, Variable("m"), 0, inline=True)
        parse = parse_cypher(text.replace("MATCH REPEATABLE ELEMENTS", "MATCH"))
        assert parse.statement is not None
        strings = {one.value for one in walk(parse.statement) if isinstance(one, syntax.StringLiteral)}
        labels = {one.text for one in walk(parse.statement) if isinstance(one, syntax.LabelName)}
        assert {hostile, f"urn:n:{hostile}"} <= strings
        assert labels == {hostile}


@dialects
@pytest.mark.parametrize("name", UNSPEAKABLE)
def test_what_no_query_can_carry_is_refused(dialect: str, name: str) -> None:
    with pytest.raises(DiagnosticError) as refusal:
        query(dialect, name, TAME, Variable("m"), 0, inline=False)
    assert {one.code for one in refusal.value.diagnostics} == {"UQ503"}


def test_parameters_hold_the_values() -> None:
    hostile = "'}) DETACH DELETE n //"
    made = renderer("neo4j", mapping=mapping(TAME)).render(table(hostile, Variable("m"), IRI("urn:n")))
    assert hostile in made.params.values()
    assert "DELETE" not in made.text
    assert isinstance(parse_cypher(made.text).statement, ast.Statement)
