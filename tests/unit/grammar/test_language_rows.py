"""What the rows of a table mean once they are read."""

from __future__ import annotations

import pytest

from uniqgen_ir.grammar.ctable import parse_table, read_table
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.expressions import (
    Aggregate,
    And,
    Arithmetic,
    ArithmeticOperator,
    Call,
    Comparison,
    ComparisonOperator,
    Exists,
    Expression,
    Membership,
    Negative,
    Not,
    Or,
)
from uniqgen_ir.ir.paths import Alternative, Inverse, NegatedSet, Path, Repeat, Sequence, Step
from uniqgen_ir.ir.rows import (
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    Origin,
    PathAtom,
    Row,
    RowNote,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.table import Column, Extreme, Form, MatchMode, OrderKey, Table
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE, XSD_DATE, XSD_DECIMAL, XSD_DOUBLE, XSD_DURATION, XSD_INTEGER

X, Y, Z, N = Variable("x"), Variable("y"), Variable("z"), Variable("n")
LESS, EQUAL, MORE = ComparisonOperator.LESS, ComparisonOperator.EQUAL, ComparisonOperator.GREATER


def ex(name: str) -> IRI:
    return IRI("http://example.org/" + name)


def table(*lines: str, head: str = "select *") -> Table:
    return parse_table("prefix ex: <http://example.org/>\nctable t {\n" + "\n".join([head, *lines]) + "\n}\n")


def only(line: str) -> Row:
    (row,) = table(line).rows
    return row


def condition(text: str) -> Expression:
    atom = only(f"c: {text}").atom
    assert isinstance(atom, Filter)
    return atom.condition


def path(text: str) -> Path:
    atom = only(f"?x {text} ?y").atom
    assert isinstance(atom, PathAtom)
    return atom.path


def number(value: int) -> Literal:
    return Literal(str(value), XSD_INTEGER)


def test_the_forms_of_a_triple() -> None:
    assert only("?x ex:p ?y").atom == Triple(X, ex("p"), Y)
    assert only("?x a ex:C").atom == TypeAtom(X, ex("C"))
    assert only("?x rdf:type ex:C").atom == Triple(X, IRI(RDF_TYPE), ex("C"))
    assert only("$p ?y 5").atom == Triple(Parameter("p"), Y, number(5))
    assert only("?x (ex:p) ?y").atom == PathAtom(X, Step(ex("p")), Y)
    assert only('ex:a.b.c ex:p "é"@FR').atom == Triple(ex("a.b.c"), ex("p"), Literal.tagged("é", "fr"))


def test_a_condition_belongs_to_its_triple() -> None:
    row = only("?x ex:p ?y where ?y > 3 and ?y < 5 @required")
    assert row.where == And((Comparison(MORE, Y, number(3)), Comparison(LESS, Y, number(5))))
    assert row.note.required


def test_semicolons_and_commas_make_rows_of_their_own() -> None:
    rows = table("games: ?x a ex:C ;", "  ex:p ?y, ?z @structural", "?x ex:q 1 ; ex:r 2").rows
    assert [row.id for row in rows] == ["games.1", "games.2", "games.3", "c1", "c2"]
    assert rows[1].note == RowNote()
    assert rows[2].note.origin is Origin.STRUCTURAL


def test_ids_are_given_around_those_that_are_taken() -> None:
    rows = table("?x ex:p 1", "c2: ?x ex:p 2", "?x ex:p 3", "`odd id`: ?x ex:p 4", "c1: ?x ex:p 5").rows
    assert [row.id for row in rows] == ["c3", "c2", "c4", "odd id", "c1"]


def test_rows_inside_a_row_are_named_after_it() -> None:
    (row,) = table("k: either { ?x a ex:A . b: ?x a ex:B } or { optional { ?x ex:p ?y } }").rows
    assert isinstance(row.atom, Either)
    first, second = row.atom.branches
    assert [one.id for one in first] == ["k.1", "b"]
    assert second[0].id == "k.3"
    assert isinstance(second[0].atom, OptionalBlock)
    assert second[0].atom.rows[0].id == "k.3.1"


def test_lines_go_on_where_they_must() -> None:
    rows = table("a: ?x ex:p ?y", "   where ?y > 1 and", "   ?y < 3", "   @required", "b: ?y in (1,", "2)").rows
    assert [row.id for row in rows] == ["a", "b"]
    assert len(table("?x ex:p 1 . ?x ex:q 2 .").rows) == 2


def test_blocks() -> None:
    assert isinstance(only("not { ?x a ex:C }").atom, NotBlock)
    assert isinstance(only("minus { ?x a ex:C }").atom, MinusBlock)
    inner = only('optional { ?x a ex:C . lang(?y) = "en" }').atom
    assert isinstance(inner, OptionalBlock)
    assert len(inner.rows) == 2
    assert only("let ?y = 1 + 2").atom == Bind(Arithmetic(ArithmeticOperator.ADD, number(1), number(2)), Y)


def test_values() -> None:
    assert only("values ?x { ex:a 1 }").atom == Values((X,), ((ex("a"),), (number(1),)))
    assert only("values (?x ?y) { (1 undef) (-2 true) }").atom == Values(
        (X, Y), ((number(1), None), (number(-2), Literal.of(True)))
    )
    assert only("values () { () }").atom == Values((), ((),))


def test_a_table_inside_a_table() -> None:
    atom = only("best: table {\n select ?x\n ?x ex:p ?y\n order by desc(?y)\n limit 1\n}").atom
    assert isinstance(atom, SubTable)
    assert atom.table.name == "best"
    assert atom.table.shell.order == (OrderKey(Y, descending=True),)
    assert atom.table.shell.limit == 1
    named = only("best: table top { select ?x . ?x ex:p ?y }").atom
    assert isinstance(named, SubTable)
    assert named.table.name == "top"


def test_precedence() -> None:
    one, two, three = map(number, (1, 2, 3))
    add, multiply = ArithmeticOperator.ADD, ArithmeticOperator.MULTIPLY
    assert condition("1 + 2 * 3 = ?x") == Comparison(EQUAL, Arithmetic(add, one, Arithmetic(multiply, two, three)), X)
    assert condition("?x or ?y and not ?z = 1") == Or((X, And((Y, Not(Comparison(EQUAL, Z, one))))))
    assert condition("(?x or ?y) and ?z") == And((Or((X, Y)), Z))
    assert condition("1 - 2 - 3 = 1") == Comparison(
        EQUAL,
        Arithmetic(ArithmeticOperator.SUBTRACT, Arithmetic(ArithmeticOperator.SUBTRACT, one, two), three),
        one,
    )
    assert condition("-5 = -(5)") == Comparison(EQUAL, number(-5), Negative(number(5)))
    assert condition("(?x<?y)=(?z>?n)") == Comparison(EQUAL, Comparison(LESS, X, Y), Comparison(MORE, Z, N))
    assert condition("(?x<ex:a)") == Comparison(LESS, X, ex("a"))


def test_conditions_in_words() -> None:
    assert condition("?x not in (1, ?y)") == Membership(X, (number(1), Y), negated=True)
    assert condition("?x in ()") == Membership(X, ())
    assert condition("?x between 1 and 3 and ?y") == And(
        (
            And(
                (
                    Comparison(ComparisonOperator.GREATER_EQUAL, X, number(1)),
                    Comparison(ComparisonOperator.LESS_EQUAL, X, number(3)),
                )
            ),
            Y,
        )
    )
    assert condition('?x starts with "a"') == Call("starts_with", (X, Literal("a")))
    assert condition('LOWER(?x) Contains "a"') == Call("contains", (Call("lower", (X,)), Literal("a")))
    assert condition('matches(?x, "a", "i")') == Call("matches", (X, Literal("a"), Literal("i")))
    assert condition("xsd:dateTime(?x)") == Call("datetime", (X,))


def test_exists_and_its_negation() -> None:
    inner = (Row("c.1", TypeAtom(X, ex("C"))),)
    assert condition("exists { ?x a ex:C }") == Exists(inner)
    assert condition("not exists { ?x a ex:C }") == Exists(inner, negated=True)
    assert condition("not (exists { ?x a ex:C })") == Not(Exists(inner))


def test_literals() -> None:
    def value(text: str) -> object:
        atom = only(f"?x ex:p {text}").atom
        assert isinstance(atom, Triple)
        return atom.object

    assert value("1.50") == Literal("1.50", XSD_DECIMAL)
    assert value("1e3") == Literal("1e3", XSD_DOUBLE)
    assert value("123456789012345678901234567890") == Literal("123456789012345678901234567890", XSD_INTEGER)
    assert value('date("2000-02-29Z")') == Literal("2000-02-29Z", XSD_DATE)
    assert value('duration("P1DT2H")') == Literal("P1DT2H", XSD_DURATION)
    assert value('"5"^^xsd:integer') == number(5)
    assert value(r'"a\"b\n\u00e9"') == Literal('a"b\né')
    assert value('"""two\nlines"""') == Literal("two\nlines")
    assert value("'single'") == Literal("single")


def test_paths() -> None:
    p, q = Step(ex("p")), Step(ex("q"))
    assert path("ex:p{1,3}") == Repeat(p, 1, 3)
    assert path("ex:p{2}") == Repeat(p, 2, 2)
    assert path("ex:p?") == Repeat(p, 0, 1)
    assert path("^ex:p / ex:q | ex:p") == Alternative((Sequence((Inverse(p), q)), p))
    assert path("(ex:p | ex:q){0,2}") == Repeat(Alternative((p, q)), 0, 2)
    assert path("!(ex:p | ^ex:q)") == NegatedSet((ex("p"),), (ex("q"),))
    assert path("^ex:p{2}") == Inverse(Repeat(p, 2, 2))
    assert path("a / ex:p") == Sequence((Step(IRI(RDF_TYPE)), p))


def test_unbounded_paths_need_leave() -> None:
    text = "ctable t {\n select ?x\n ?x rdf:rest* ?y\n}"
    with pytest.raises(DiagnosticError) as caught:
        parse_table(text)
    (found,) = caught.value.diagnostics
    assert found.code == "UQ119"
    assert found.fix is not None
    assert "rdf:rest{0,5} ?y" in found.fix.apply(text)
    (allowed,) = parse_table(text, allow_unbounded=True).rows
    assert isinstance(allowed.atom, PathAtom)
    assert allowed.atom.path == Repeat(Step(IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#rest")), 0, None)
    assert parse_table("use unbounded paths\n" + text).rows == (allowed,)


def test_annotations() -> None:
    note = only('?x a ex:C @pragmatic(u = 0.4, "why", support = 12) @required @from(c1, `odd id`, limit)').note
    assert note == RowNote(Origin.PRAGMATIC, True, 0.4, "why", 12, ("c1", "odd id", "limit"))


def test_heads() -> None:
    assert table("?x ex:p ?y", head="select ?x ?y").shell.distinct is False
    assert table("?x ex:p ?y", head="SELECT DISTINCT ?x, ?y").shell.distinct is True
    assert table("?x ex:p ?y").head == ()
    asked = table("?x ex:p ?y", head="ask")
    assert (asked.shell.form, asked.shell.distinct) == (Form.ASK, True)
    counted = table("?x ex:p ?y", head="select ?x count(distinct ?y) as ?n (?x + 1 as ?z) lower(?y) as ?m")
    assert counted.head[0] == Column(X)
    assert counted.head[1] == Column(Aggregate("count", Y, distinct=True), N)
    assert counted.head[2] == Column(Arithmetic(ArithmeticOperator.ADD, X, number(1)), Z)
    assert counted.head[3] == Column(Call("lower", (Y,)), Variable("m"))
    joined = table("?x ex:p ?y", head='select (group_concat(?y; separator=", ") as ?n) count(*) as ?z')
    assert joined.head[0].expression == Aggregate("group_concat", Y, separator=", ")
    assert joined.head[1].expression == Aggregate("count")


def test_shells() -> None:
    shell = table(
        "?x ex:p ?y",
        "group by ?x (year(?y) as ?z)",
        "having count(*) > 1",
        "having max(?y) < 3",
        "argmax ?x by ?n",
        "order by desc(?n) (?x + 1) lower(?y)",
        "limit 10",
        "offset 5",
        "match different relationships",
        head="select ?x",
    )
    assert shell.match_mode is MatchMode.DIFFERENT_RELATIONSHIPS
    assert shell.shell.group == (Column(X), Column(Call("year", (Y,)), Z))
    assert len(shell.shell.having) == 2
    assert shell.shell.extreme == Extreme(True, (X,), N)
    assert [key.descending for key in shell.shell.order] == [True, False, False]
    assert (shell.shell.limit, shell.shell.offset) == (10, 5)


def test_a_file_of_several_tables() -> None:
    text = 'ctable 1\nuse schema "a.cts"\nctable one { select ?x . ?x a ex:C }\nctable two "q?" {\nask\n?x a ex:D }\n'
    result = read_table(text + "prefix ex: <http://example.org/>\n")
    assert not result.diagnostics
    assert [one.name for one in result.tables] == ["one", "two"]
    assert result.tables[1].question == "q?"
    assert result.tables[0].schemas == ("a.cts",)
    assert result.tables[0].prefixes == (("ex", "http://example.org/"),)


def test_every_row_knows_its_place() -> None:
    text = 'ctable t {\n  select ?x\n  one: ?x a owl:Class ; rdfs:label ?l\n  two: ?l = "ä"\n}\n'
    rows = parse_table(text, "file.ctable").rows
    assert [text[row.span.start : row.span.end] for row in rows if row.span] == [
        "one: ?x a owl:Class",
        "?l",
        'two: ?l = "ä"',
    ]
    span = rows[2].span
    assert span is not None
    assert (span.line, span.column, span.end_line, span.source) == (4, 3, 4, "file.ctable")


@pytest.mark.parametrize("bounds", ["{1,1000001}", "{5000000000,6000000000}", "{1," + "9" * 5000 + "}"])
def test_bounds_that_are_too_large_are_refused_and_not_cut(bounds: str) -> None:
    result = read_table(f"ctable t {{\n  select *\n  ?x <http://e/p>{bounds} ?y\n}}\n")
    assert result.table is None
    assert {one.code for one in result.diagnostics} == {"UQ123"}
    assert path("ex:p{1,1000000}") == Repeat(Step(ex("p")), 1, 1_000_000)
    assert path("ex:p{007}") == Repeat(Step(ex("p")), 7, 7)
