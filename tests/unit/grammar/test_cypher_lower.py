"""What queries become as tables. That tables mean the same is tested in tests/property and against the TCK."""

from __future__ import annotations

import pytest

from uniqgen_ir.grammar.cypher import read_cypher
from uniqgen_ir.ir.diagnostics import errors
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.expressions import Aggregate
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.mapping import EdgeMapping, LabelMapping, Mapping, MediatorMapping, PropertyMapping
from uniqgen_ir.ir.printer import print_table
from uniqgen_ir.ir.rows import Either, OptionalBlock, PathAtom, SubTable, Triple, TypeAtom, Values
from uniqgen_ir.ir.table import MatchMode, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.vocabulary import XSD_DATE


def table(text: str, **options: object) -> Table:
    read = read_cypher(text, **options)  # type: ignore[arg-type]
    assert read.table is not None, [one.render({"<cypher>": text}) for one in read.diagnostics]
    return read.table


def refusal(text: str, **options: object) -> str:
    read = read_cypher(text, **options)  # type: ignore[arg-type]
    assert read.table is None
    (one,) = errors(read.diagnostics)
    assert one.code in ("UQ186", "UQ193")
    assert one.span is not None
    return one.message


def test_names_stand_in_the_default_namespace() -> None:
    rows = table("MATCH (p:Person)-[:`ACTED IN`]->(m) WHERE m.title = 'Heat' RETURN p.name").rows
    assert [row.atom for row in rows[:3]] == [
        TypeAtom(Variable("p"), IRI("urn:pg:label:Person")),
        Triple(Variable("p"), IRI("urn:pg:type:ACTED%20IN"), Variable("m")),
        Triple(Variable("m"), IRI("urn:pg:property:title"), Variable("m_title")),
    ]


def test_rows_carry_ids_and_spans() -> None:
    text = "MATCH (p:Person)\nWHERE p.age > 3 RETURN p"
    rows = table(text).rows
    assert [row.id for row in rows] == ["c1", "c2", "c3"]
    assert rows[2].span is not None
    assert (rows[2].span.line, text[rows[2].span.start : rows[2].span.end]) == (2, "p.age > 3")


def test_a_mapping_gives_the_names() -> None:
    mapping = Mapping(
        "films",
        labels=(LabelMapping(IRI("urn:x:Film"), "Movie"),),
        edges=(EdgeMapping(IRI("urn:x:cast"), "ACTED_IN", reverse=True),),
        properties=(PropertyMapping(IRI("urn:x:title"), "title"),),
        mediators=(
            MediatorMapping(
                IRI("urn:x:Rating"),
                "RATED",
                (("stars", IRI("urn:x:stars")),),
                IRI("urn:x:by"),
                IRI("urn:x:of"),
            ),
        ),
    )
    read = table("MATCH (p)-[:ACTED_IN]->(m:Movie {title: 'Heat'}) RETURN p", mapping=mapping)
    m, p = Variable("m"), Variable("p")
    assert {row.atom for row in read.rows} == {
        TypeAtom(m, IRI("urn:x:Film")),
        Triple(m, IRI("urn:x:title"), Literal.of("Heat")),
        Triple(m, IRI("urn:x:cast"), p),
    }
    rated = print_table(table("MATCH (p)-[r:RATED]->(m) WHERE r.stars > 3 RETURN p.name", mapping=mapping))
    assert "?r a <urn:x:Rating>" in rated
    assert "?r <urn:x:by> ?p" in rated
    assert "?r <urn:x:stars> ?r_stars" in rated
    assert "<http://www.w3.org/2000/01/rdf-schema#label>" in rated or "rdfs:label" in rated
    assert "properties of" not in refusal("MATCH (p)-[r:RATED]->(m) RETURN r.colour", mapping=mapping)


def test_results_are_bags_unless_distinct() -> None:
    assert table("MATCH (n:A) RETURN n.x").shell.distinct is False
    assert table("MATCH (n:A) RETURN DISTINCT n.x").shell.distinct is True


def test_the_match_mode_is_set_where_relationships_could_meet() -> None:
    apart = "MATCH (a)-[:R]->(b)-[:S]->(c) RETURN a"
    assert table(apart).match_mode is MatchMode.HOMOMORPHISM
    assert table("MATCH (a)-[:R]->(b)-[:R]->(c) RETURN a").match_mode is MatchMode.DIFFERENT_RELATIONSHIPS
    assert table("MATCH (a)-[:R]->(b) MATCH (b)-[:R]->(c) RETURN a").match_mode is MatchMode.HOMOMORPHISM


def test_two_clauses_keep_only_their_own_relationships_apart() -> None:
    read = table("MATCH (a)-[:R]->(b)-[:R]->(c) MATCH (c)-[:R]->(d) RETURN a")
    assert read.match_mode is MatchMode.HOMOMORPHISM
    (inner,) = [row.atom.table for row in read.rows if isinstance(row.atom, SubTable)]
    assert inner.match_mode is MatchMode.DIFFERENT_RELATIONSHIPS
    assert inner.shell.distinct is False


def test_a_path_stays_a_path_where_counts_do_not_matter() -> None:
    assert any(isinstance(row.atom, PathAtom) for row in table("MATCH (a:A)-[:R*1..3]->(b) RETURN DISTINCT b").rows)
    counted = table("MATCH (a:A)-[:R*1..3]->(b) RETURN b")
    (either,) = [row.atom for row in counted.rows if isinstance(row.atom, Either)]
    assert [len(branch) for branch in either.branches] == [1, 2, 3]


def test_unbounded_paths_follow_the_policy() -> None:
    text = "MATCH (a:A)-[:R*]->(b) RETURN DISTINCT b"
    assert "upper bound" in refusal(text)
    (free,) = [one.atom for one in table(text, unbounded="allow").rows if isinstance(one.atom, PathAtom)]
    (bound,) = [one.atom for one in table(text, unbounded="bound:3").rows if isinstance(one.atom, PathAtom)]
    assert print_table(table(text, unbounded="bound:3")).count("{1,3}") == 1
    assert free != bound
    assert "counting" in refusal("MATCH (a:A)-[:R*]->(b) RETURN b", unbounded="allow")


def test_optional_match_and_missing_properties_are_optional_rows() -> None:
    read = table("MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b:B) RETURN a.x, b")
    assert [type(row.atom) for row in read.rows] == [TypeAtom, OptionalBlock, OptionalBlock]


def test_with_that_groups_is_a_table_inside() -> None:
    read = table("MATCH (a)-[:R]->(b) WITH a, count(b) AS n WHERE n > 2 RETURN a.x, n ORDER BY n DESC LIMIT 3")
    inner = read.rows[0].atom
    assert isinstance(inner, SubTable)
    assert inner.table.head[1].expression == Aggregate("count")
    assert read.shell.limit == 3
    plain = table("MATCH (a)-[:R]->(b) WITH a, b.x AS y WHERE y > 2 RETURN a, y")
    assert not any(isinstance(row.atom, SubTable) for row in plain.rows)


def test_columns_have_the_names_of_the_answer() -> None:
    read = table("MATCH (n:A) RETURN n.x, n.y AS n, count(*)")
    assert [one.name for one in read.columns] == ["n.x", "n", "count(*)"]
    graph = Graph([(IRI("urn:1"), IRI("urn:pg:property:y"), Literal.of(4))])
    graph.add((IRI("urn:1"), IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), IRI("urn:pg:label:A")))
    assert evaluate(read, graph).rows == ((None, Literal.of(4), Literal.of(1)),)


def test_is_not_null_requires_the_property() -> None:
    read = table("MATCH (n:A) WHERE n.y IS NOT NULL RETURN n.x, max(n.y) AS m")
    assert isinstance(read.rows[1].atom, Triple)
    assert [row.id for row in read.rows] == ["c1", "c2", "c3"]
    kept = print_table(table("MATCH (n:A) OPTIONAL MATCH (n)-[:R]->(m) WITH n, m WHERE m.x IS NOT NULL RETURN n"))
    assert "bound(?m_x)" in kept


def test_count_of_a_pattern_is_a_question_or_a_table() -> None:
    asked = print_table(table("MATCH (a:A) WHERE COUNT { (a)-[:R]->() } > 0 AND COUNT { (a)-[:S]->() } = 0 RETURN a"))
    assert "exists {" in asked
    assert "not exists {" in asked
    assert "count(" not in asked
    counted = table("MATCH (a:A) RETURN a, COUNT { MATCH (a)-[:R]->(b) WHERE b.x = 1 } AS n")
    assert "coalesce(?count, 0) as ?n" in print_table(counted)
    assert "outer value" in refusal("MATCH (a:A) WITH a, a.x AS y RETURN COUNT { (a)-[:R]->(b) WHERE b.x = y } AS n")


def test_union_is_a_choice_of_tables() -> None:
    read = table("MATCH (a:A) RETURN a.x AS v UNION ALL MATCH (b:B) RETURN b.y AS v")
    (row,) = read.rows
    assert isinstance(row.atom, Either)
    assert read.shell.distinct is False
    assert table("RETURN 1 AS v UNION RETURN 2 AS v").shell.distinct is True


def test_constants() -> None:
    read = table("UNWIND range(1, 3) AS x WITH x, date('2020-01-31') AS d RETURN x, d")
    assert isinstance(read.rows[0].atom, Values)
    assert [one[0] for one in read.rows[0].atom.lines] == [Literal.of(1), Literal.of(2), Literal.of(3)]
    assert Literal("2020-01-31", XSD_DATE) in [row[1] for row in evaluate(read, Graph()).rows]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("7 / 2", "3"),
        ("-7 / 2", "-3"),
        ("7.0 / 2", "3.5"),
        ("7 % 4", "3"),
        ("-7 % 4", "-3"),
        ("'a' + 1", "a1"),
        ("'a' || 'b'", "ab"),
        ("toUpper('ab') + 'c'", "ABc"),
        ("substring('hello', 1, 3)", "ell"),
        ("left('hello', 2)", "he"),
        ("replace('a.b.c', '.', '-')", "a-b-c"),
        ("trim('  a b ')", "a b"),
        ("size('abc')", "3"),
        ("toInteger('42')", "42"),
        ("toInteger('4.9')", "4"),
        ("toInteger('x')", None),
        ("coalesce(null, 2)", "2"),
        ("CASE WHEN null THEN 1 ELSE 2 END", "2"),
        ("CASE 3 WHEN 1, 3 THEN 'x' END", "x"),
        ("CASE 4 WHEN 3 THEN 'x' END", None),
        ("CASE 4 WHEN > 3 THEN 'big' END", "big"),
        ("'abc' =~ 'a.c'", "true"),
        ("'abcd' =~ 'a.c'", "false"),
        ("null = null", None),
        ("null IS NULL", "true"),
        ("1 < 2 < 3", "true"),
        ("1 < 3 < 2", "false"),
        ("true XOR true", "false"),
        ("NOT (1 IN [1, 2])", "false"),
        ("3 IN []", "false"),
        ("nullif(1, 1)", None),
        ("nullif(1, 2)", "1"),
        ("date('2020-02-29').month", "2"),
        ("abs(-2)", "2"),
        ("toBoolean('TRUE')", "true"),
        ("date({year: 2024, month: 1, day: 5})", "2024-01-05"),
        ("'a' STARTS WITH 'a' AND 'ab' ENDS WITH 'b' AND 'abc' CONTAINS 'b'", "true"),
    ],
)
def test_expressions_give_what_cypher_gives(expression: str, value: str | None) -> None:
    ((term,),) = evaluate(table(f"RETURN {expression} AS x"), Graph()).rows
    assert (term.lexical if isinstance(term, Literal) else term) == value


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("MATCH (n:A) RETURN collect(n.x)", "a list"),
        ("MATCH (n:A) RETURN [n.x, 1]", "a list"),
        ("MATCH (n:A) RETURN {a: n.x}", "a map"),
        ("MATCH (n:A) RETURN n {.x}", "a map"),
        ("MATCH (n:A) RETURN n.xs[0]", "by its index"),
        ("MATCH (n:A) RETURN n.xs[0..1]", "a part of a list"),
        ("MATCH (n:A) RETURN labels(n)", "labels()"),
        ("MATCH (n:A) RETURN size(n.x)", "may be a list"),
        ("MATCH p = (a:A)-[:R]->(b) RETURN p", "a path"),
        ("MATCH p = shortestPath((a:A)-[:R*..3]->(b)) RETURN length(p)", "shortestPath"),
        ("MATCH ANY SHORTEST (a:A)-[:R]->+(b) RETURN b", "ANY SHORTEST"),
        ("MATCH ((a)-[:R]->(b)){1,2} RETURN 1 AS x", "group"),
        ("MATCH (a)-[r:R*1..2]->(b) RETURN r", "list of relationships"),
        ("MATCH (a)-[:!R]->(b) RETURN a", "relationship types"),
        ("MATCH (a:A)-[:R*1..20]->(b) RETURN b", "counting the walks"),
        ("MATCH (n:A) WHERE n.x IN $list RETURN n", "parameter that holds a list"),
        ("UNWIND $rows AS row RETURN row", "UNWIND"),
        ("MATCH (n:A) RETURN n.x, min(n.y) AS m", "may be missing"),
        ("MATCH (n:A) RETURN n.x ORDER BY n.x LIMIT $k", "LIMIT"),
        ("MATCH (n:A) WHERE all(x IN n.xs WHERE x > 1) RETURN n", "condition over a list"),
        ("MATCH (n:A) CALL (n) { MATCH (n)-->(m) RETURN count(m) AS c } RETURN c", "outer variables"),
        ("MATCH REPEATABLE ELEMENTS (a)-[:R]->(b) RETURN a", "REPEATABLE"),
        ("RETURN 1 AS x NEXT RETURN x", "NEXT"),
        ("RETURN 2 ^ 3 AS x", "operator ^"),
        ("CALL db.labels() YIELD label RETURN label", "db.labels"),
        ("MATCH (n:A) RETURN n.date + duration('P1D') AS x", "durations"),
        ("MATCH (n:%) RETURN n", "%"),
        ("MATCH (n:A) RETURN n.x AS x, count(*) AS c GROUP BY x", "GROUP BY"),
        ("MATCH (n:A) WHERE n.x IS :: STRING RETURN n", "IS :: STRING"),
        ("MATCH (n:A) RETURN stdev(n.x) AS s", "stdev"),
    ],
)
def test_what_a_table_cannot_mean_is_refused_by_name(text: str, part: str) -> None:
    assert part in refusal(text)
