"""Scope, kinds, aggregation and columns; and every code of the family."""

from __future__ import annotations

import pytest

from uniqgen_ir.grammar.cypher import check_cypher, parse_cypher, read_cypher
from uniqgen_ir.ir.codes import cypher as codes
from uniqgen_ir.ir.codes.base import Code
from uniqgen_ir.ir.diagnostics import Diagnostic, errors
from uniqgen_ir.ir.mapping import LabelMapping, Mapping
from uniqgen_ir.ir.terms import IRI

_WITHOUT_EXAMPLE = {"UQ182", "UQ198"}
"""Their example cannot be run as it stands: too long, and a command."""


def found(text: str) -> tuple[Diagnostic, ...]:
    parse = parse_cypher(text)
    return (*parse.diagnostics, *check_cypher(parse))


@pytest.mark.parametrize(
    "code", [one for one in codes.FAMILY if one.code not in _WITHOUT_EXAMPLE], ids=lambda code: code.code
)
def test_the_example_reaches_the_code_and_the_mended_text_is_clean(code: Code) -> None:
    assert code.code in {one.code for one in read_cypher(code.example).diagnostics}
    assert not found(code.instead)
    assert code.code not in {one.code for one in read_cypher(code.instead).diagnostics}


def test_deep_nesting_reaches_its_code() -> None:
    assert [one.code for one in read_cypher("RETURN " + "(" * 3000 + "1" + ")" * 3000).diagnostics] == ["UQ182"]


def test_names_that_the_mapping_does_not_list_are_reported() -> None:
    mapping = Mapping("films", labels=(LabelMapping(IRI("urn:x:Person"), "Person"),))
    read = read_cypher("MATCH (p:Person)-[:KNOWS]->(q) RETURN q", mapping=mapping)
    assert read.table is not None
    assert [one.code for one in read.diagnostics] == ["UQ198"]
    assert "`KNOWS`" in read.diagnostics[0].message


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("MATCH (n) RETURN m", "UQ187", "`m`"),
        ("MATCH (n) WITH n.x AS x RETURN n", "UQ187", "`n`"),
        ("MATCH (n) WHERE (n)-[:R]->(m) RETURN n", "UQ187", "`m`"),
        ("MATCH (n) RETURN [x IN n.xs WHERE y > 1] AS r", "UQ187", "`y`"),
        ("MATCH (n) CALL (m) { RETURN 1 AS x } RETURN x", "UQ187", "`m`"),
        ("MATCH (n) CALL { MATCH (n)-->(m) RETURN n.x AS y } RETURN m", "UQ187", "`m`"),
        ("RETURN *", "UQ187", "no variable"),
        ("MATCH (n) USING SCAN m:A RETURN n", "UQ187", "`m`"),
        ("MATCH (n) UNWIND [1] AS n RETURN n", "UQ188", "`n`"),
        ("MATCH (n) RETURN n.x AS a, n.y AS a", "UQ188", "`a`"),
        ("MATCH (n)-[r]->()-[r]->() RETURN n", "UQ188", "`r`"),
        ("MATCH (p) MATCH p = (a)-->(b) RETURN a", "UQ194", "`p`"),
        ("MATCH (n) CALL { RETURN 1 AS n } RETURN n", "UQ188", "`n`"),
        ("MATCH (n) WHERE count(n) > 1 RETURN n", "UQ189", "WHERE"),
        ("MATCH (n) RETURN count(sum(n.x))", "UQ189", "inside an aggregate"),
        ("MATCH (n) RETURN n.x + count(*)", "UQ189", "n.x"),
        ("MATCH (n) RETURN n.x ORDER BY count(*)", "UQ189", "sorted"),
        ("MATCH (n) RETURN DISTINCT n.x ORDER BY n.y", "UQ189", "DISTINCT"),
        ("MATCH (n) RETURN n.x, count(*) ORDER BY n.y", "UQ189", "aggregation"),
        ("RETURN count(rand())", "UQ189", "rand"),
        ("MATCH (n) RETURN [(n)-->(m) | count(m)] AS x", "UQ189", "comprehension"),
        ("RETURN 1 AS a UNION RETURN 2 AS b", "UQ190", "`b`"),
        ("RETURN 1 AS a UNION RETURN 2 AS a UNION ALL RETURN 3 AS a", "UQ183", "mixed"),
        ("MATCH (n) WHERE exists(n.x) RETURN n", "UQ191", "exists"),
        ("MATCH (n) WHERE size((n)-->()) > 1 RETURN n", "UQ191", "size"),
        ("MATCH (n) RETURN filter(x IN n.xs WHERE x > 1) AS r", "UQ191", "filter"),
        ("MATCH (n) RETURN extract(x IN n.xs | x.y) AS r", "UQ191", "extract"),
        ("MATCH (n)-[r]->(m) MATCH (r) RETURN r", "UQ194", "relationship"),
        ("MATCH p = (a)-->(b) RETURN p.x", "UQ194", "path"),
        ("MATCH (a)-[r*1..2]->(b) RETURN r.x", "UQ194", "list of relationships"),
        ("MATCH (n) RETURN n LIMIT n.x", "UQ194", "variable"),
        ("MATCH (n) RETURN n LIMIT -1", "UQ194", "negative"),
        ("MATCH (n) RETURN n SKIP 1.5", "UQ194", "whole number"),
        ("MATCH (n $all) RETURN n", "UQ194", "parameter"),
        ("MATCH (n) WHERE n RETURN n", "UQ194", "truth value"),
        ("MATCH (n) RETURN length(n)", "UQ194", "path"),
        ("MATCH (n) WITH n, n.x RETURN n", "UQ197", "name"),
        ("MATCH (n) RETURN uppr(n.x)", "UQ199", "uppr"),
        ("CALL apoc.load.json('http://x') YIELD value RETURN value", "UQ185", "apoc.load.json"),
        ("CALL apoc.create.node(['A'], {}) YIELD node RETURN node", "UQ184", "apoc.create.node"),
        ("CREATE INDEX a FOR (n:A) ON (n.b)", "UQ184", "CREATE INDEX"),
        ("SHOW INDEXES", "UQ186", "SHOW"),
        ("MATCH (n) SET n.x = 1 RETURN n", "UQ184", "SET"),
        ("MATCH (n) RETURN substring(DISTINCT n.x, 1)", "UQ180", "DISTINCT"),
    ],
)
def test_faults_beyond_grammar(text: str, code: str, part: str) -> None:
    bad = errors(found(text))
    assert [one.code for one in bad] == [code], [one.message for one in bad]
    assert part in bad[0].message


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) WITH n.x AS x WHERE n.y = 1 RETURN x",
        "MATCH (n) WITH DISTINCT n.x AS x WHERE n.x = 1 RETURN x",
        "MATCH (n) RETURN n.x AS x, count(*) AS c ORDER BY n.x, c",
        "MATCH (n) RETURN n.x + 1 AS y, count(*) ORDER BY n.x + 1",
        "MATCH (n) WITH n, count(*) AS c RETURN n.x, c + 1 ORDER BY n.y",
        "MATCH (n) RETURN n.x, n.x + count(*)",
        "MATCH (n) WHERE EXISTS { MATCH (n)-->(m) WITH m WHERE m.x = n.x RETURN m } RETURN n",
        "MATCH (n) CALL (n) { MATCH (n)-->(m) WITH count(m) AS c RETURN c + n.x AS d } RETURN d",
        "MATCH (n) RETURN reduce(t = 0, x IN n.xs | t + x) AS s, [y IN n.xs | y + 1] AS t",
        "MATCH (a)-[r]->(b) MATCH (a)-[r]->(c) RETURN c",
        "MATCH (a)-[r]->(b) WITH [r] AS rs, a MATCH (a)-[rs*]->(c) RETURN c",
        "CALL db.labels() YIELD label RETURN label",
        "RETURN 1 AS x NEXT RETURN x",
        "MATCH (n) RETURN apoc.text.join(n.xs, ',')",
        "MATCH (n), (m) WHERE n.x = m.x AND exists((n)-->(m)) RETURN n",
    ],
)
def test_no_false_alarm(text: str) -> None:
    assert not found(text)


def test_a_second_statement_is_looked_at_too() -> None:
    assert {one.kind for one in found("MATCH (n) RETURN n; MATCH (m) DETACH DELETE m")} == {
        "multiple_statements",
        "write",
    }


def test_a_misspelt_variable_comes_with_the_nearest_one() -> None:
    text = "MATCH (person) RETURN persn.name"
    (one,) = found(text)
    assert one.fix is not None
    assert one.fix.apply(text) == "MATCH (person) RETURN person.name"


def test_read_cypher_refuses_a_policy_that_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="unbounded"):
        read_cypher("RETURN 1 AS x", unbounded="sometimes")
