"""What SPARQL becomes in the IR."""

from __future__ import annotations

import pytest

from tests.timing import within
from uniqgen_ir.grammar.sparql import parse_sparql, read_sparql
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
    Atom,
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    PathAtom,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.table import Column, Form, OrderKey, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.vocabulary import RDF, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER

EX = "http://example.org/"
A, B, X, Y, N = (Variable(name) for name in "abxyn")
P, Q = IRI(EX + "p"), IRI(EX + "q")
ONE, TWO, THREE = (Literal.of(number) for number in (1, 2, 3))


def table(text: str, **options: str) -> Table:
    return parse_sparql(f"PREFIX : <{EX}>\n{text}", **options)  # type: ignore[arg-type]


def atoms(pattern: str) -> list[Atom]:
    return [row.atom for row in table(f"SELECT * WHERE {{ {pattern} }}").rows]


def condition(text: str) -> Expression:
    (atom,) = atoms(f"FILTER({text})")
    assert isinstance(atom, Filter)
    return atom.condition


def path(text: str) -> Path:
    (atom,) = atoms(f"?x {text} ?y")
    assert isinstance(atom, PathAtom)
    return atom.path


def codes(text: str) -> list[str]:
    return [one.code for one in read_sparql(text).diagnostics]


# ---------------------------------------------------------------- rows


def test_triples_with_lists_of_properties_and_objects_are_rows_of_their_own() -> None:
    assert atoms("?x :p 1, 2 ; a :C ; :q ?y .") == [
        Triple(X, P, ONE),
        Triple(X, P, TWO),
        TypeAtom(X, IRI(EX + "C")),
        Triple(X, Q, Y),
    ]


def test_rows_have_names_and_spans() -> None:
    text = "SELECT ?x WHERE {\n  ?x <p:p> 1 , 2 ;\n     <p:q> 3 .\n  FILTER(?x > 1)\n}"
    rows = parse_sparql(text).rows
    assert [row.id for row in rows] == ["c1", "c2", "c3", "c4"]
    spans = [row.span for row in rows if row.span is not None]
    assert [text[span.start : span.end] for span in spans] == ["?x <p:p> 1", "2", "<p:q> 3", "FILTER(?x > 1)"]
    assert [(span.line, span.column, span.end_line, span.end_column) for span in spans] == [
        (2, 3, 2, 13),
        (2, 16, 2, 17),
        (3, 6, 3, 13),
        (4, 3, 4, 17),
    ]


def test_rows_inside_blocks_are_named_after_the_row_around_them() -> None:
    rows = table("SELECT * { ?x :p ?y OPTIONAL { ?x :q ?a FILTER EXISTS { ?a :p 1 } } }").rows
    block = rows[1].atom
    assert rows[1].id == "c2"
    assert isinstance(block, OptionalBlock)
    assert [row.id for row in block.rows] == ["c2.1", "c2.2"]
    inner = block.rows[1].atom
    assert isinstance(inner, Filter)
    assert isinstance(inner.condition, Exists)
    assert [row.id for row in inner.condition.rows] == ["c2.3"]


def test_blank_nodes_are_variables_that_star_does_not_give() -> None:
    read = table("SELECT * { ?x :p [ :q _:b ] . _:b :p () }")
    outer, inner, last = (row.atom for row in read.rows)
    assert isinstance(outer, Triple)
    assert isinstance(inner, Triple)
    assert isinstance(last, Triple)
    assert outer.object == inner.subject
    assert inner.object == last.subject
    assert last.object == IRI(RDF + "nil")
    assert read.columns == (X,)


def test_collections_are_chains_of_first_and_rest() -> None:
    first, rest, second, end = atoms("(1 ?x) :p 2")[:4]
    assert isinstance(first, Triple)
    assert isinstance(rest, Triple)
    assert isinstance(second, Triple)
    assert isinstance(end, Triple)
    assert (first.predicate, first.object) == (IRI(RDF + "first"), ONE)
    assert rest == Triple(first.subject, IRI(RDF + "rest"), second.subject)
    assert second.object == X
    assert end.object == IRI(RDF + "nil")


def test_blocks() -> None:
    triple = Triple(X, P, Y)
    assert atoms("?x :p ?y OPTIONAL { ?x :p ?y }")[1] == OptionalBlock(_rows("c2", triple))
    assert atoms("?x :p ?y MINUS { ?x :p ?y }")[1] == MinusBlock(_rows("c2", triple))
    assert atoms("?x :p ?y FILTER NOT EXISTS { ?x :p ?y }")[1] == NotBlock(_rows("c2", triple))
    (either,) = atoms("{ ?x :p ?y } UNION { ?x :q ?y }")
    assert isinstance(either, Either)
    assert [[row.atom for row in branch] for branch in either.branches] == [[triple], [Triple(X, Q, Y)]]
    assert atoms("BIND(1 + 2 AS ?x)") == [Bind(Arithmetic(ArithmeticOperator.ADD, ONE, TWO), X)]
    assert atoms("VALUES (?x ?y) { (1 UNDEF) (:p 'a'@EN) }") == [
        Values((X, Y), ((ONE, None), (P, Literal.tagged("a", "en"))))
    ]


def _rows(prefix: str, *inner: Atom) -> tuple[object, ...]:
    from uniqgen_ir.ir.rows import Row

    return tuple(Row(f"{prefix}.{place}", atom) for place, atom in enumerate(inner, 1))


def test_the_condition_of_an_optional_stays_in_its_block() -> None:
    (_, block) = atoms("?x :p ?y OPTIONAL { ?x :q ?a FILTER(?a > ?y) }")
    assert isinstance(block, OptionalBlock)
    assert [type(row.atom) for row in block.rows] == [Triple, Filter]


# ---------------------------------------------------------------- nested groups


def test_a_nested_group_melts_where_that_changes_nothing() -> None:
    assert atoms("{ ?x :p ?y } { ?y :q ?a FILTER(?a > 1) }") == [
        Triple(X, P, Y),
        Triple(Y, Q, A),
        Filter(Comparison(ComparisonOperator.GREATER, A, ONE)),
    ]


@pytest.mark.parametrize(
    "pattern",
    [
        "?x :p ?y { ?y :q ?a FILTER(?a > ?x) }",
        "?x :p ?y { ?y :q ?a OPTIONAL { ?a :p ?b } }",
        "?x :p ?y { BIND(?x AS ?b) }",
        "?x :p ?y { ?y :q ?a MINUS { ?x :p ?a } }",
        "?x :p ?y { ?y :q ?a FILTER NOT EXISTS { ?x :p ?a } }",
    ],
)
def test_a_nested_group_with_a_scope_of_its_own_stays_one(pattern: str) -> None:
    assert any(isinstance(atom, SubTable) for atom in atoms(pattern))


def test_an_optional_before_a_pattern_that_shares_its_variables_comes_first() -> None:
    nested, triple = atoms("OPTIONAL { ?x :p ?y } ?y :q ?a")
    assert isinstance(nested, SubTable)
    assert [type(row.atom) for row in nested.table.rows] == [OptionalBlock]
    assert triple == Triple(Y, Q, A)


def test_an_optional_that_shares_nothing_with_what_follows_is_left_in_place() -> None:
    kinds = [type(atom) for atom in atoms("?x :p ?y OPTIONAL { ?y :q ?a } ?x :q ?b")]
    assert kinds == [Triple, OptionalBlock, Triple]


def test_minus_inside_an_optional_does_not_see_what_is_outside() -> None:
    block = atoms("?x :p ?y OPTIONAL { MINUS { ?x :p ?y } BIND(1 AS ?n) }")[1]
    assert isinstance(block, OptionalBlock)
    (nested,) = (row.atom for row in block.rows)
    assert isinstance(nested, SubTable)


def test_a_branch_that_looks_outside_is_solved_alone() -> None:
    either = atoms("?x :p ?y { ?y :q ?a FILTER(?x = 1) } UNION { ?y :p ?a }")[1]
    assert isinstance(either, Either)
    assert [type(branch[0].atom) for branch in either.branches] == [SubTable, Triple]


# ---------------------------------------------------------------- paths


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (":p/:q", Sequence((Step(P), Step(Q)))),
        (":p|^:q", Alternative((Step(P), Inverse(Step(Q))))),
        (":p*", Repeat(Step(P), 0, None)),
        ("(:p/:q)+", Repeat(Sequence((Step(P), Step(Q))), 1, None)),
        (":p?", Repeat(Step(P), 0, 1)),
        ("!:p", NegatedSet((P,))),
        ("!(:p|^:q)", NegatedSet((P,), (Q,))),
        ("^(:p|a)", Inverse(Alternative((Step(P), Step(IRI(RDF + "type")))))),
    ],
)
def test_paths(text: str, expected: Path) -> None:
    assert path(text) == expected


def test_an_inverse_predicate_is_a_triple_turned_round() -> None:
    assert atoms("?x ^:p ?y") == [Triple(Y, P, X)]


def test_unbounded_paths() -> None:
    text = "SELECT * { ?x <p:p>+ ?y }"
    assert read_sparql(text).diagnostics == ()
    assert [one.code for one in read_sparql(text, unbounded="refuse").diagnostics] == ["UQ172"]
    bounded = read_sparql(text, unbounded="bound:4")
    assert bounded.table is not None
    assert bounded.table.rows[0].atom == PathAtom(X, Repeat(Step(IRI("p:p")), 1, 4), Y)
    with pytest.raises(ValueError, match="bound:N"):
        read_sparql(text, unbounded="bound:0")


# ---------------------------------------------------------------- expressions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("?a || ?b && ?x", Or((A, And((B, X))))),
        ("?a || ?b || ?x", Or((A, B, X))),
        ("!?a && ?b", And((Not(A), B))),
        ("1 + 2 * 3", Arithmetic(ArithmeticOperator.ADD, ONE, Arithmetic(ArithmeticOperator.MULTIPLY, TWO, THREE))),
        (
            "1 - 2 - 3",
            Arithmetic(ArithmeticOperator.SUBTRACT, Arithmetic(ArithmeticOperator.SUBTRACT, ONE, TWO), THREE),
        ),
        ("?a -1", Arithmetic(ArithmeticOperator.SUBTRACT, A, ONE)),
        ("?a+1 > -?b", Comparison(ComparisonOperator.GREATER, Arithmetic(ArithmeticOperator.ADD, A, ONE), Negative(B))),
        ("?a NOT IN (1, 2)", Membership(A, (ONE, TWO), True)),
        ("?a IN ()", Membership(A, ())),
        ("REGEX(STR(?a), 'x', 'i')", Call("matches", (Call("str", (A,)), Literal.of("x"), Literal.of("i")))),
        ("<http://www.w3.org/2001/XMLSchema#dateTime>(?a)", Call("datetime", (A,))),
        ("COALESCE(?a, 1.5, 1e0)", Call("coalesce", (A, Literal("1.5", XSD_DECIMAL), Literal("1e0", XSD_DOUBLE)))),
        ("+1 = -1", Comparison(ComparisonOperator.EQUAL, Literal("+1", XSD_INTEGER), Literal("-1", XSD_INTEGER))),
    ],
)
def test_expressions(text: str, expected: Expression) -> None:
    assert condition(text) == expected


def test_less_than_without_blanks_is_no_iri() -> None:
    less, greater = ComparisonOperator.LESS, ComparisonOperator.GREATER
    assert condition("?a<?b&&?x>?y") == And((Comparison(less, A, B), Comparison(greater, X, Y)))
    assert condition("?a<=?b||?x>?y") == Or(
        (Comparison(ComparisonOperator.LESS_EQUAL, A, B), Comparison(greater, X, Y))
    )
    assert atoms("?x <http://e/?q=(1)&r> ?y") == [Triple(X, IRI("http://e/?q=(1)&r"), Y)]


def test_strings() -> None:
    (atom,) = atoms(r"""VALUES ?x { "a\tb\"" 'it''' '''a'b''' "\u00e9\U0001F600" "2"^^:p }""".replace("'it'''", "'it'"))
    assert isinstance(atom, Values)
    lexical = [line[0].lexical for line in atom.lines if isinstance(line[0], Literal)]
    assert lexical == ['a\tb"', "it", "a'b", "é\U0001f600", "2"]


def test_spans_count_escapes_as_written() -> None:
    text = "SELECT * { ?x <p:p> '\\u00e9\\u00e9' . FILTER(?x = 1) }"
    span = parse_sparql(text).rows[1].span
    assert span is not None
    assert text[span.start : span.end] == "FILTER(?x = 1)"


def test_base_and_relative_iris() -> None:
    rows = parse_sparql("BASE <http://e.org/a/b> SELECT * { <c> <#d> <../x> . <//h/y> <?q> <> }").rows
    assert [row.atom for row in rows] == [
        Triple(IRI("http://e.org/a/c"), IRI("http://e.org/a/b#d"), IRI("http://e.org/x")),
        Triple(IRI("http://h/y"), IRI("http://e.org/a/b?q"), IRI("http://e.org/a/b")),
    ]
    assert parse_sparql("ASK { <c> ?p 1 }", base="http://e.org/a").rows[0].atom == Triple(
        IRI("http://e.org/c"), Variable("p"), ONE
    )


# ---------------------------------------------------------------- heads and shells


def test_heads() -> None:
    assert table("SELECT DISTINCT ?x { ?x :p ?y }").shell.distinct
    assert not table("SELECT ?x { ?x :p ?y }").shell.distinct
    assert table("SELECT * { ?y :p ?x OPTIONAL { ?x :q ?b } MINUS { ?n :q ?a } }").columns == (Y, X, B)
    assert table("SELECT (?x + 1 AS ?n) { ?x :p ?y }").head == (Column(Arithmetic(ArithmeticOperator.ADD, X, ONE), N),)
    assert table("ASK { ?x :p ?y }").shell.form is Form.ASK


def test_shells() -> None:
    read = table(
        "SELECT ?x (COUNT(DISTINCT ?y) AS ?n) { ?x :p ?y } GROUP BY ?x HAVING (SUM(?y) > 1) (?x != 2) "
        "ORDER BY DESC(?n) ?x LIMIT 5 OFFSET 2"
    )
    assert read.shell.group == (Column(X),)
    assert read.shell.having == (
        Comparison(ComparisonOperator.GREATER, Aggregate("sum", Y), ONE),
        Comparison(ComparisonOperator.NOT_EQUAL, X, TWO),
    )
    assert read.shell.order == (OrderKey(N, True), OrderKey(X))
    assert (read.shell.limit, read.shell.offset) == (5, 2)
    assert read.head[1] == Column(Aggregate("count", Y, True), N)


def test_aggregates() -> None:
    read = table("SELECT (COUNT(*) AS ?a) (GROUP_CONCAT(?x; SEPARATOR=',') AS ?b) (SAMPLE(?x) AS ?n) { ?x :p ?y }")
    assert [column.expression for column in read.head] == [
        Aggregate("count"),
        Aggregate("group_concat", X, False, ","),
        Aggregate("sample", X),
    ]


def test_group_keys() -> None:
    named = table("SELECT ?n { ?x :p ?y } GROUP BY (YEAR(?y) AS ?n)").shell.group
    assert named == (Column(Call("year", (Y,)), N),)
    (unnamed,) = table("SELECT (COUNT(*) AS ?n) { ?x :p ?y } GROUP BY STR(?y)").shell.group
    assert unnamed.expression == Call("str", (Y,))


def test_an_ungrouped_sort_key_is_a_sample() -> None:
    read = table("SELECT ?x { ?x :p ?y } GROUP BY ?x ORDER BY ?y")
    assert read.shell.order == (OrderKey(Aggregate("sample", Y)),)


def test_a_distinct_table_sorted_by_a_hidden_value_is_grouped() -> None:
    read = table("SELECT DISTINCT ?x { ?x :p ?y } ORDER BY ?x DESC(?y) LIMIT 1")
    assert read.shell.group == (Column(X),)
    assert read.shell.order == (OrderKey(X), OrderKey(Aggregate("max", Y), True))
    shown = table("SELECT DISTINCT ?x ?y { ?x :p ?y } ORDER BY DESC(?y)")
    assert shown.shell.group == ()
    renamed = table("SELECT DISTINCT (STR(?x) AS ?n) { ?x :p ?y } ORDER BY ?y")
    assert renamed.shell.group == (Column(Call("str", (X,)), N),)
    assert renamed.head == (Column(N),)


def test_a_name_that_joins_later_is_given_in_a_table_of_its_own() -> None:
    nested, triple = atoms("?x :p ?y BIND(?y + 1 AS ?n) ?a :q ?n")
    assert isinstance(nested, SubTable)
    assert triple == Triple(A, Q, N)


def test_subselects_are_tables() -> None:
    (nested, _) = table("SELECT ?x { { SELECT ?x (MAX(?y) AS ?n) { ?x :p ?y } GROUP BY ?x LIMIT 2 } ?x :q ?n }").rows
    assert isinstance(nested.atom, SubTable)
    assert nested.atom.table.columns == (X, N)
    assert nested.atom.table.shell.limit == 2
    assert nested.atom.table.name == "c1"


def test_values_at_the_end() -> None:
    plain = table("SELECT ?x { ?x :p ?y } VALUES ?y { 1 }")
    assert [row.atom for row in plain.rows] == [Triple(X, P, Y), Values((Y,), ((ONE,),))]
    guarded = table("SELECT ?x { ?x :p ?y OPTIONAL { ?y :q ?a } } VALUES ?a { 1 }")
    assert [type(row.atom) for row in guarded.rows] == [SubTable, Values]
    grouped = table("SELECT ?x (COUNT(?y) AS ?n) { ?x :p ?y } GROUP BY ?x VALUES ?n { 1 }")
    assert [type(row.atom) for row in grouped.rows] == [SubTable, Values]
    assert grouped.columns == (X, N)


def test_ask_with_a_slice_asks_for_what_is_left() -> None:
    (nested,) = table("ASK { ?x :p ?y } OFFSET 1").rows
    assert isinstance(nested.atom, SubTable)
    assert nested.atom.table.shell.offset == 1


def test_construct_and_describe_are_read_as_patterns() -> None:
    result = read_sparql(f"PREFIX : <{EX}> CONSTRUCT {{ ?x :q ?n }} WHERE {{ ?x :p ?y }}")
    assert result.table is not None
    assert result.table.columns == (X,)
    assert [one.code for one in result.diagnostics] == ["UQ174"]
    described = parse_sparql("DESCRIBE ?x <http://e/> { ?x ?p ?y }")
    assert described.columns[0] == X
    assert described.rows[-1].atom == Values((described.columns[1],), ((IRI("http://e/"),),))


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SELECT * { ?x ?p ?y BIND(1 AS ?y) }", "UQ161"),
        ("SELECT (1 AS ?x) (2 AS ?x) {}", "UQ161"),
        ("SELECT * { { SELECT (1 AS ?x) { ?x ?p ?y } } }", "UQ161"),
        ("SELECT * { ?s ?p ?o } GROUP BY ?s", "UQ162"),
        ("SELECT (?o + COUNT(?p) AS ?n) { ?s ?p ?o } GROUP BY ?s", "UQ162"),
        ("SELECT ?s { ?s ?p ?o } HAVING (COUNT(?o) > 1)", "UQ162"),
        ("SELECT * { VALUES (?a ?a) { (1 2) } }", "UQ163"),
        ("SELECT * { _:a ?p ?o { _:a ?q ?r } }", "UQ164"),
        ("SELECT * { ?s ?p ?o BIND(COUNT(?o) AS ?n) }", "UQ165"),
        ("SELECT (SUM(COUNT(?o)) AS ?n) { ?s ?p ?o }", "UQ165"),
        ("SELECT (SUM(*) AS ?n) { ?s ?p ?o }", "UQ166"),
        ("SELECT (SUM(?o; SEPARATOR=',') AS ?n) { ?s ?p ?o }", "UQ166"),
        ("SELECT * { FILTER(BOUND(1)) }", "UQ166"),
        ("SELECT * { FILTER(<http://www.w3.org/2001/XMLSchema#date>(1, 2)) }", "UQ166"),
        ("SELECT * { ?s ?p ?o } LIMIT 1 LIMIT 2", "UQ167"),
        ("SELECT (?s) { ?s ?p ?o }", "UQ168"),
        ("CONSTRUCT { ?s ?p ?o OPTIONAL { ?s ?p 1 } } { ?s ?p ?o }", "UQ169"),
        ("SELECT * FROM <http://e/g> { ?s ?p ?o }", "UQ148"),
        ("SELECT * FROM NAMED <http://e/g> { ?s ?p ?o }", "UQ148"),
        ("SELECT (BNODE() AS ?b) {}", "UQ149"),
        ("BASE <http://e/> SELECT (IRI(?x) AS ?b) { ?x ?p 1 }", "UQ149"),
        ("SELECT (<http://e/f>(DISTINCT ?x) AS ?b) { ?x ?p 1 }", "UQ149"),
        ("INSERT DATA { <a:a> <a:a> 1 }", "UQ146"),
        ("PREFIX e: <http://e/> DROP ALL", "UQ146"),
        ("SELECT * { ?s ?p ?o } ; DELETE WHERE { ?s ?p ?o }", "UQ146"),
        ("SELECT * { FILTER(1 < 2 < 3) }", "UQ140"),
    ],
)
def test_refused_by_name(text: str, code: str) -> None:
    result = read_sparql(text)
    assert result.table is None
    assert code in {one.code for one in result.diagnostics}


def test_words_of_updates_in_strings_and_comments_are_harmless() -> None:
    assert codes("SELECT ?x { ?x ?p 'DELETE' } # INSERT DATA") == []


def test_blank_node_labels_may_repeat_within_one_run_of_triples() -> None:
    assert codes("SELECT * { _:a ?p ?o . FILTER(?o > 1) _:a ?q ?r }") == []
    assert codes("CONSTRUCT { _:a ?p ?o } { _:a ?p ?o }") == ["UQ174"]


def test_parse_raises_with_every_diagnostic() -> None:
    with pytest.raises(DiagnosticError) as caught:
        parse_sparql("SELECT * { ?x a:b ?y ; c:d }")
    assert {one.code for one in caught.value.diagnostics} == {"UQ160", "UQ140"}


# ---------------------------------------------------------------- large and strange


def test_a_query_of_50_kilobytes_is_read_in_a_blink() -> None:
    rows = " ".join(f"?v{n} <http://example.org/property/{n}> ?v{n + 1} ." for n in range(1100))
    text = f"SELECT ?v0 WHERE {{ {rows} }}"
    assert len(text) > 50_000
    assert len(within(2.0, lambda: parse_sparql(text)).rows) == 1100


@pytest.mark.parametrize(
    "text", ["(" * 5000, "SELECT * " + "{" * 5000, "SELECT * { FILTER" + "(" * 5000 + "1" + ")" * 5000 + "}"]
)
def test_thousands_of_brackets_are_refused_at_once(text: str) -> None:
    assert within(1.0, lambda: codes(text)) == ["UQ179"]


def test_a_long_sum_is_refused_and_a_long_disjunction_is_read() -> None:
    assert codes("SELECT * { FILTER(" + "1 + " * 5000 + "1) }") == ["UQ179"]
    assert codes("SELECT * { FILTER(" + "?x = 1 || " * 5000 + "?x = 2) }") == []


def test_comparisons_that_look_like_iris_do_not_add_up() -> None:
    text = "SELECT * { " + "FILTER(?a<?b&&?c>?d) " * 1500 + "}"
    assert within(4.0, lambda: codes(text)) == []


@pytest.mark.parametrize("clause", ["LIMIT 9223372036854775808", "OFFSET " + "9" * 5000])
def test_a_slice_that_is_too_large_is_refused(clause: str) -> None:
    assert codes(f"SELECT ?x {{ ?x a ?y }} {clause}") == ["UQ131"]
    assert table(f"SELECT ?x {{ ?x a ?y }} LIMIT 0{2**63 - 1}").shell.limit == 2**63 - 1
