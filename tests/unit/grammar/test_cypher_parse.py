"""The syntax tree of Cypher."""

from __future__ import annotations

import pytest

from uniqgen_ir.grammar.cypher import CypherParse, ast, parse_cypher
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.walk import find


def parsed(text: str) -> CypherParse:
    parse = parse_cypher(text)
    assert parse.valid, [one.render({"<cypher>": text}) for one in parse.diagnostics]
    return parse


def expression(text: str) -> expressions.Expression:
    clause = clauses(f"RETURN {text} AS x")[0]
    assert isinstance(clause, ast.Return)
    return clause.projection.items[0].expression


def clauses(text: str) -> tuple[ast.Clause, ...]:
    statement = parsed(text).statement
    assert statement is not None
    assert isinstance(statement.query, ast.SingleQuery)
    return statement.query.clauses


def shape(node: expressions.Node) -> str:
    """An expression with every operator in brackets."""
    match node:
        case expressions.Variable(name=name):
            return name
        case expressions.IntegerLiteral(value=value):
            return str(value)
        case expressions.Junction(operator=operator, operands=operands):
            return f"({f' {operator} '.join(map(shape, operands))})"
        case expressions.Binary(operator=operator, left=left, right=right):
            return f"({shape(left)} {operator} {shape(right)})"
        case expressions.Unary(operator=operator, operand=operand):
            return f"({operator} {shape(operand)})"
        case expressions.Comparison(operators=operators, operands=operands):
            rest = " ".join(f"{one} {shape(two)}" for one, two in zip(operators, operands[1:], strict=True))
            return f"({shape(operands[0])} {rest})"
        case expressions.PostfixTest(operand=operand, test=test):
            return f"({shape(operand)} {test})"
        case expressions.Property(operand=operand, key=key):
            return f"{shape(operand)}.{key.text}"
        case _:
            raise AssertionError(node)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a OR b XOR c AND NOT d", "(a OR (b XOR (c AND (NOT d))))"),
        ("NOT a = b", "(NOT (a = b))"),
        ("a + b * c ^ d", "(a + (b * (c ^ d)))"),
        ("a - b - c", "((a - b) - c)"),
        ("2 ^ 3 ^ 4", "((2 ^ 3) ^ 4)"),
        ("-a ^ b", "((- a) ^ b)"),
        ("1 < a <= b + 1", "(1 < a <= (b + 1))"),
        ("a.x IS NOT NULL AND b", "((a.x IS NOT NULL) AND b)"),
        ("a + b STARTS WITH c", "((a + b) STARTS WITH c)"),
        ("a IN b OR a = c", "((a IN b) OR (a = c))"),
        ("a || b || c", "((a || b) || c)"),
        ("a IS :: LIST<INTEGER NOT NULL>", "(a IS :: LIST < INTEGER NOT NULL >)"),
    ],
)
def test_operators_bind_as_they_should(text: str, wanted: str) -> None:
    assert shape(expression(text)) == wanted


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("(a)-[:R]->(b)", expressions.PatternExpression),
        ("(a)--(b)", expressions.PatternExpression),
        ("(a) - (b)", expressions.Binary),
        ("(a) - 1", expressions.Binary),
        ("[x IN xs WHERE x > 1 | x.y]", expressions.ListComprehension),
        ("[x IN xs WHERE x:A|B]", expressions.ListComprehension),
        ("[(a)-->(b) | b.name]", expressions.PatternComprehension),
        ("[p = (a)-->(b) WHERE b:X | p]", expressions.PatternComprehension),
        ("[a, b]", expressions.ListLiteral),
        ("all(x IN xs WHERE x)", expressions.Quantifier),
        ("any(xs)", expressions.FunctionCall),
        ("reduce(t = 0, x IN xs | t + x)", expressions.Reduce),
        ("EXISTS { (a)-->(b) WHERE b.x = 1 }", expressions.PatternSubquery),
        ("COUNT { MATCH (a) RETURN a }", expressions.Subquery),
        ("COLLECT { MATCH (a) RETURN a.x }", expressions.Subquery),
        ("count {.name}", expressions.MapProjection),
        ("n {.*, .name, other: 1, m}", expressions.MapProjection),
        ("xs[1..3]", expressions.Slice),
        ("xs[..-1]", expressions.Slice),
        ("xs[0]", expressions.Index),
        ("count(*)", expressions.CountStar),
        ("apoc.text.join(xs, ',')", expressions.FunctionCall),
        ("CASE a WHEN 1, 2 THEN 'x' ELSE 'y' END", expressions.Case),
        ("CASE WHEN a THEN 1 END", expressions.Case),
        ("n:A&!B", expressions.LabelTest),
        ("shortestPath((a)-[*..3]->(b))", ast.ShortestPath),
        ("$p", expressions.Parameter),
        ("{a: 1, b: [2]}", expressions.MapLiteral),
        ("1.5e3", expressions.FloatLiteral),
        ("0x1F", expressions.IntegerLiteral),
    ],
)
def test_expressions(text: str, kind: type[expressions.Node]) -> None:
    assert type(expression(text)) is kind


def test_the_bar_after_a_label_belongs_to_the_label_unless_it_names_a_variable() -> None:
    label = expression("[x IN xs WHERE x:A|B]")
    assert isinstance(label, expressions.ListComprehension)
    assert label.result is None
    clause = clauses("WITH 1 AS B, [] AS xs RETURN [x IN xs WHERE x:A|B] AS r")[1]
    assert isinstance(clause, ast.Return)
    result = clause.projection.items[0].expression
    assert isinstance(result, expressions.ListComprehension)
    assert isinstance(result.result, expressions.Variable)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n",
        "match (n:A|B&!C {x: 1} where n.y > 2) return distinct n skip 1 limit 2",
        "MATCH (a)-[r:R|S*1..3 {x: 1}]->(b)<-[:T]-(c)--(d)<-->(e) RETURN *",
        "MATCH ((a)-[:R]->(b) WHERE a.x < b.x){1,3} (c) RETURN c",
        "MATCH (a)-[:R]->+(b), (c)-[:S]->{2}(d) RETURN a",
        "MATCH p = ANY SHORTEST (a)-[:R]->+(b) RETURN p",
        "MATCH SHORTEST 2 GROUPS (a)-->*(b) RETURN a",
        "MATCH REPEATABLE ELEMENTS (a)-->{1,2}(b) RETURN a",
        "MATCH (n IS Person) RETURN n",
        "MATCH (n:$(x)) RETURN n",
        "MATCH (a:A) USING INDEX a:A(x) WHERE a.x = 1 RETURN a",
        "MATCH (a)-->(b) USING JOIN ON a, b USING SCAN a:A RETURN a",
        "OPTIONAL MATCH (n) RETURN n.match AS return",
        "MATCH (order:Order) RETURN order.skip AS limit ORDER BY order.limit DESC",
        "UNWIND [1, 2] AS x WITH x ORDER BY x LIMIT 1 WHERE x > 0 RETURN x",
        "CALL db.labels() YIELD label AS l WHERE l STARTS WITH 'A' RETURN l",
        "CALL db.labels",
        "MATCH (a) CALL { WITH a MATCH (a)-->(b) RETURN b } RETURN b",
        "MATCH (a) CALL (a) { MATCH (a)-->(b) RETURN count(b) AS c } RETURN c",
        "CALL (*) { RETURN 1 AS x } RETURN x",
        "OPTIONAL CALL () { RETURN 1 AS x } RETURN x",
        "RETURN 1 AS x UNION ALL RETURN 2 AS x",
        "MATCH (n) FILTER n.x > 1 LET y = n.x + 1 RETURN y",
        "RETURN 1 AS x NEXT RETURN x + 1 AS y",
        "MATCH (n) LIMIT 3 RETURN n",
        "CYPHER 5 EXPLAIN MATCH (n) RETURN n;",
        "CYPHER 25 runtime=parallel PROFILE MATCH (n) RETURN n",
        "MATCH (n) // a comment\nRETURN n /* another */",
        "MATCH (n) WHERE n.x IS NORMALIZED AND n.y :: STRING RETURN n",
        "MATCH (`a b`:`c``d`) RETURN `a b`.`e f`",
        "MATCH (a)\u2013[:R]\u2014>(b) RETURN a",
        "RETURN 'a\\'b' + \"c\\\"d\" + '\\u00e9' AS s",
        "WITH 1 AS starts, 2 AS order RETURN starts, order",
    ],
)
def test_queries_that_are_cypher(text: str) -> None:
    parsed(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("CREATE (a:A {x: 1})-[:R]->(b)", ast.Create),
        ("MERGE (a:A) ON CREATE SET a.x = 1 ON MATCH SET a.y = 2, a += {z: 3}", ast.Merge),
        ("MATCH (a) SET a.x = 1, a:B", ast.Set),
        ("MATCH (a) REMOVE a.x, a:B", ast.Remove),
        ("MATCH (a) DETACH DELETE a", ast.Delete),
        ("FOREACH (x IN [1, 2] | CREATE (:A {x: x}))", ast.Foreach),
        ("LOAD CSV WITH HEADERS FROM 'file:///x' AS line FIELDTERMINATOR ';' RETURN line", ast.LoadCsv),
    ],
)
def test_writing_clauses_are_recognised_by_structure(text: str, kind: type[ast.Clause]) -> None:
    assert any(type(one) is kind for one in clauses(text))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("CREATE INDEX x FOR (n:A) ON (n.b)", ast.CommandKind.WRITE),
        ("DROP CONSTRAINT x", ast.CommandKind.WRITE),
        ("GRANT ROLE a TO b", ast.CommandKind.WRITE),
        ("SHOW INDEXES", ast.CommandKind.READ),
    ],
)
def test_commands(text: str, kind: ast.CommandKind) -> None:
    statement = parsed(text).statement
    assert statement is not None
    assert isinstance(statement.query, ast.Command)
    assert statement.query.kind is kind


def test_prefixes_are_kept() -> None:
    statement = parsed("CYPHER 25 runtime=slotted EXPLAIN MATCH (n) RETURN n").statement
    assert statement is not None
    assert (statement.version, statement.mode, statement.options) == ("25", "EXPLAIN", (("runtime", "slotted"),))


def test_spans_say_where_things_stand() -> None:
    text = "MATCH (p:Person)\nWHERE p.age > 3\nRETURN p.name AS name"
    parse = parsed(text)
    assert parse.statement is not None
    name = list(find(parse.statement, expressions.Property))[-1]
    span = parse.span(name)
    assert (span.line, span.column, span.end_column) == (3, 8, 14)
    assert parse.text_of(name) == "p.name"
    relation = next(find(parsed("MATCH (a)<-[r:R]-(b) RETURN a").statement or name, ast.RelationshipPattern))
    assert (relation.start, relation.end) == (9, 17)


def test_strings_mean_what_their_escapes_say() -> None:
    node = expression(r"'a\tb\\c\u0041\'d\U0001F600'")
    assert isinstance(node, expressions.StringLiteral)
    assert node.value == "a\tb\\cA'd\U0001f600"
    pair = expression(r"'\uD83D\uDE00'")
    assert isinstance(pair, expressions.StringLiteral)
    assert pair.value == "\U0001f600"


@pytest.mark.parametrize("text", ["RETURN (a)(b)", "MATCH (a)(b) RETURN a", "MATCH (a)-->-->(b) RETURN a"])
def test_paths_must_alternate(text: str) -> None:
    assert not parse_cypher(text).valid
