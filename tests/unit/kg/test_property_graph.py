"""Property graphs as graph files: scripts of Cypher, CSV files, and every way in which they can be wrong."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from uniqgen_ir.driver import KnowledgeGraph, read, run_table
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal
from uniqgen_ir.ir.vocabulary import PG_LABEL, PG_NODE, PG_PROPERTY, PG_TYPE, RDF_TYPE, XSD_DATE, XSD_DATE_TIME
from uniqgen_ir.kg.load import load_graph

ENGINES = ("reference", "oxigraph", "ladybug", "kglite")


def script(folder: Path, text: str) -> Graph:
    path = folder / "g.cypher"
    path.write_text(text, encoding="utf-8")
    return load_graph([str(path)]).graph


def sheets(folder: Path, **files: str) -> Graph:
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return load_graph([str(folder)]).graph


def values(graph: Graph, name: str) -> list[GroundTerm]:
    return [object_ for _, _, object_ in graph.match(None, IRI(PG_PROPERTY + name), None)]


def labelled(graph: Graph, label: str) -> list[GroundTerm]:
    return list(graph.subjects(IRI(RDF_TYPE), IRI(PG_LABEL + label)))


def edges(graph: Graph, kind: str) -> list[tuple[GroundTerm, GroundTerm]]:
    return [(subject, object_) for subject, _, object_ in graph.match(None, IRI(PG_TYPE + kind), None)]


def refusal(error: pytest.ExceptionInfo[DiagnosticError]) -> tuple[str, int | None]:
    found = error.value.diagnostics[0]
    return found.code, found.span.line if found.span else None


def test_create_with_every_kind_of_constant(tmp_path: Path) -> None:
    graph = script(
        tmp_path,
        """// people
        CREATE (a:Person:`Odd ``Label` {name: 'It\\'s \\u0041', age: -3, half: 1.5e0, ok: true, none: null})
        CREATE (:City {founded: date('2001-02-03'), seen: datetime("2001-02-03T10:00Z"), tags: ["x", 'y']}),
               (a)-[:KNOWS {since: 0x10}]->(b), (b)<-[:KNOWS]-(a), (a)-[:KNOWS]->(a) /* a loop */;
        """,
    )
    assert set(values(graph, "name")) == {Literal("It's A")}
    assert values(graph, "age") == [Literal.of(-3)]
    assert values(graph, "half") == [Literal.of(1.5)]
    assert values(graph, "none") == []
    assert values(graph, "founded") == [Literal("2001-02-03", XSD_DATE)]
    assert values(graph, "seen") == [Literal("2001-02-03T10:00:00Z", XSD_DATE_TIME)]
    assert set(values(graph, "tags")) == {Literal("x"), Literal("y")}
    assert values(graph, "since") == [Literal.of(16)]
    assert len(labelled(graph, "Odd%20%60Label")) == 1
    assert len(edges(graph, "KNOWS")) == 2  # two run in parallel, and the loop
    assert len(list(graph.subjects(IRI(RDF_TYPE), IRI("urn:pg:relationship:KNOWS")))) == 3
    assert len(list(graph.subjects(IRI(RDF_TYPE), IRI(PG_NODE)))) == 3


def test_merge_finds_what_is_there(tmp_path: Path) -> None:
    graph = script(
        tmp_path,
        """MERGE (a:P {k: 1}) MERGE (b:P {k: 2}) MERGE (a)-[:R]->(b);
        MERGE (a:P {k: 1}) MERGE (b:P {k: 2}) MERGE (a)-[:R]->(b) SET a.x = 5, b:Q, b += {y: [1, 2]};""",
    )
    assert len(labelled(graph, "P")) == 2
    assert len(labelled(graph, "Q")) == 1
    assert values(graph, "x") == [Literal.of(5)]
    assert len(list(graph.subjects(IRI(RDF_TYPE), IRI("urn:pg:relationship:R")))) == 1


def test_exports_unwind_maps_and_match_nodes(tmp_path: Path) -> None:
    graph = script(
        tmp_path,
        """:begin
        CREATE CONSTRAINT c IF NOT EXISTS FOR (n:P) REQUIRE n.id IS UNIQUE;
:commit
        UNWIND [{_id: 1, properties: {name: "Ann"}}, {_id: 2, properties: {name: "Bob"}}] AS row
        CREATE (n:P {id: row._id}) SET n += row.properties;
        UNWIND [{start: 1, end: 2}, {start: 2, end: 9}] AS row
        MATCH (a:P {id: row.start}) MATCH (b:P {id: row.end}) CREATE (a)-[:KNOWS]->(b);""",
    )
    assert set(values(graph, "name")) == {Literal("Ann"), Literal("Bob")}
    assert len(edges(graph, "KNOWS")) == 1


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("CREATE (a)\nLOAD CSV FROM 'x' AS row CREATE (b)", "UQ628", 2),
        ("MATCH (a)-[:R]->(b)\nCREATE (a)-[:S]->(b)", "UQ628", 2),
        ("MATCH (a) WHERE a.x = 1 CREATE (b)", "UQ628", 1),
        ("CREATE (a)\nDETACH DELETE a", "UQ628", 2),
        ("MERGE (a)-[:R]->(b)", "UQ628", 1),
        ("MERGE (a:P) ON CREATE SET a.x = 1", "UQ628", 1),
        ("CREATE (a {x: rand()})", "UQ628", 1),
        ("CREATE (a {x: $p})", "UQ625", 1),
        ("CREATE (a {x: y})", "UQ625", 1),
        ("CREATE (a)-[:R]-(b)", "UQ625", 1),
        ("CREATE (a {x: date('2001-13-01')})", "UQ625", 1),
        ("CREATE (a {x: {y: 1}})", "UQ625", 1),
        ("CREATE (a {x: 'open)", "UQ625", 1),
        ("CREATE (a", "UQ625", 1),
        ("CREATE CONSTRAINT c FOR (n:P) REQUIRE n.id IS UNIQUE;", "UQ622", None),
    ],
)
def test_anything_else_is_refused_by_name(tmp_path: Path, text: str, code: str, line: int | None) -> None:
    with pytest.raises(DiagnosticError) as error:
        script(tmp_path, text)
    assert refusal(error) == (code, line)


def test_sheets_with_the_headers_of_imports(tmp_path: Path) -> None:
    graph = sheets(
        tmp_path,
        a_edges=':START_ID(P),:END_ID(C),:TYPE,since:int\n1,1,LIVES_IN,2001\n2,1,"LIVES_IN",\n',
        people="id:ID(P),name,born:date,tags:string[],:LABEL,x:IGNORE\n"
        '1,"Ann ""A""",2001-02-03,a;b,P;Q,z\n2,Bob,,,P,\n',
        places=":ID(C),size:double,big:boolean,:LABEL\n1,2.50,TRUE,City\n",
    )
    assert len(labelled(graph, "P")) == 2
    assert len(labelled(graph, "Q")) == 1
    assert len(edges(graph, "LIVES_IN")) == 2
    assert values(graph, "name") == [Literal('Ann "A"'), Literal("Bob")]
    assert set(values(graph, "tags")) == {Literal("a"), Literal("b")}
    assert values(graph, "big") == [Literal.of(True)]
    assert values(graph, "since") == [Literal.of(2001)]
    assert values(graph, "x") == []


def test_plain_sheets_are_named_by_their_files(tmp_path: Path) -> None:
    (tmp_path / "KNOWS.csv.gz").write_bytes(gzip.compress(b"from,to,since\n1,2,now\n"))
    graph = sheets(tmp_path, Person="id,name\r\n1,Ann\r\n2,Bob\r\n")
    assert len(labelled(graph, "Person")) == 2
    assert len(edges(graph, "KNOWS")) == 1
    assert values(graph, "id") == [Literal("1"), Literal("2")]


@pytest.mark.parametrize(
    ("people", "knows", "line"),
    [
        ("personId,name\n1,Ann\n", "from,to\n", 1),
        ("id,name\n1,Ann,more\n", "from,to\n", 2),
        ("id,name\n1,Ann\n", "from,to\n1,3\n", 2),
        (":ID,age:int\n1,old\n", "from,to\n", 2),
        (":ID,age:wide\n1,old\n", "from,to\n", 1),
        (":ID,name,name\n1,a,b\n", "from,to\n", 1),
        (':ID,name\n1,"a\n', "from,to\n", 2),
        (":ID,name\n,a\n", "from,to\n", 2),
    ],
)
def test_a_sheet_that_is_wrong_is_refused(tmp_path: Path, people: str, knows: str, line: int) -> None:
    with pytest.raises(DiagnosticError) as error:
        sheets(tmp_path, people=people, knows=knows)
    assert refusal(error) == ("UQ629", line)


def test_a_header_without_roles_is_told_what_to_write(tmp_path: Path) -> None:
    """What the hint proposes is then read: the columns keep their places."""
    with pytest.raises(DiagnosticError) as error:
        sheets(tmp_path, orders="orderID,customer\n7,Ann\n")
    assert "`orderID:ID(order),customer`" in (error.value.diagnostics[0].hint or "")
    with pytest.raises(DiagnosticError) as error:
        sheets(tmp_path, orders="orderID:ID(order),customer\n7,Ann\n", lines="order_id,productId,number\n7,1,2\n")
    hint = error.value.diagnostics[0].hint or ""
    assert "`order_id:ID(order),productId,number`" in hint
    assert "`:START_ID(order),:END_ID(product),number`" in hint
    graph = sheets(
        tmp_path,
        orders="orderID:ID(order),customer\n7,Ann\n",
        products="productId:ID(product)\n1\n",
        lines=":START_ID(order),:END_ID(product),number\n7,1,2\n",
    )
    assert len(edges(graph, "lines")) == 1
    assert values(graph, "customer") == [Literal("Ann")]


def test_a_script_that_loads_files_is_told_to_give_them(tmp_path: Path) -> None:
    path = tmp_path / "load.cypher"
    path.write_text("LOAD CSV WITH HEADERS FROM 'books.csv' AS row MERGE (:Book {bookID: row.bookID})")
    with pytest.raises(DiagnosticError) as error:
        load_graph([str(path)])
    assert error.value.diagnostics[0].code == "UQ628"
    assert "`bookID:ID(Book),title`" in (error.value.diagnostics[0].hint or "")


@pytest.mark.parametrize("engine", ENGINES)
def test_queries_run_on_every_engine(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "g.cypher"
    path.write_text(
        """CREATE (a:P {name: 'Ann', tags: ['x', 'y']}), (b:P {name: "Bo'b"}), (c:C {`odd name`: 1}),
        (a)-[:K {w: 1}]->(b), (b)-[:K {w: 2}]->(c), (b)-[:K {w: 3}]->(b)"""
    )
    query = "MATCH (p:P)-[r:K]->(q)-[:K]->(z) WHERE r.w < 3 RETURN p.name, r.w, q.tags, z.`odd name` AS odd"
    table = read(query, "cypher").table
    with KnowledgeGraph([str(path)]) as graph:
        answers = run_table(table, graph, engine)
    shown = {
        tuple(None if one is None else one.lexical for one in row if not isinstance(one, IRI)) for row in answers.rows
    }  # type: ignore[union-attr]
    assert shown == {("Ann", "1", None, "1"), ("Ann", "1", None, None)}
