"""`uniqgen export` of property graphs, and of mediators that a mapping keeps as relationships."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import neo4j
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.servers import loading
from tests.servers import neo4j as neo4j_program
from tests.servers.neo4j import Neo4j
from uniqgen_ir.cli.main import main
from uniqgen_ir.driver import KnowledgeGraph, export_graph
from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm
from uniqgen_ir.ir.vocabulary import PG_RELATIONSHIP, PG_SOURCE, PG_TARGET, RDF_TYPE
from uniqgen_ir.kg.export.ntriples import write_ntriples
from uniqgen_ir.kg.load import iter_facts
from uniqgen_ir.kg.property_graph.facts import Value, node_facts, node_iri, relationship_facts

FILMS = r"""
CREATE (a:Person:Director {name: 'Ann', born: 1960, tags: ['x;z', 'y']}), (b:Person {name: 'Bob'}),
       (m:Movie {name: "It's", id: 7, import_id: true}), (:`Odd; label` {name: ''}), (:Imported {name: 'i', x: 1.5});
MATCH (a:Person {name: 'Ann'}) MATCH (m:Movie {id: 7}) MATCH (b:Person {name: 'Bob'})
CREATE (a)-[:ACTED_IN {roles: ['r;1', 'r2'], since: date('1999-01-02')}]->(m), (a)-[:ACTED_IN {years: 2001}]->(m),
       (b)-[:KNOWS]->(a), (b)-[:KNOWS]->(a), (a)-[:KNOWS]->(a);
"""


def export(graph: Path, target: str, folder: Path, *more: str) -> int:
    return main(["export", "--graph", str(graph), "--to", target, str(folder), *more])


def graph_of(*sources: Path) -> tuple[Counter[object], Counter[object]]:
    """The nodes of a property graph, and its relationships with both ends written out: no numbers of either."""
    about: dict[IRI | BlankNode, list[tuple[str, GroundTerm]]] = {}
    for subject, predicate, object_ in dict.fromkeys(iter_facts(list(map(str, sources)))):
        about.setdefault(subject, []).append((predicate.value, object_))
    edges = {one for one, facts in about.items() if any(name == PG_SOURCE for name, _ in facts)}

    def shown(node: GroundTerm) -> str:
        facts = [fact for fact in about[node] if not isinstance(fact[1], IRI) or fact[0] == RDF_TYPE]  # type: ignore[index]
        return str(sorted(map(str, facts)))

    def shown_edge(edge: IRI | BlankNode) -> tuple[str, str, str]:
        (start,) = (end for name, end in about[edge] if name == PG_SOURCE)
        (stop,) = (end for name, end in about[edge] if name == PG_TARGET)
        return shown(start), shown(edge), shown(stop)

    return Counter(shown(one) for one in about if one not in edges), Counter(shown_edge(one) for one in edges)


@pytest.fixture
def films(tmp_path: Path) -> Path:
    file = tmp_path / "films.cypher"
    file.write_text(FILMS, encoding="utf-8")
    return file


@pytest.mark.parametrize("target", ["cypher", "neo4j-csv", "nt"])
def test_what_is_exported_is_the_graph_that_is_loaded(films: Path, tmp_path: Path, target: str) -> None:
    nodes, edges = graph_of(films)
    assert (nodes.total(), edges.total()) == (5, 5)
    assert export(films, target, tmp_path / "out") == 0
    assert graph_of(tmp_path / "out") == (nodes, edges)
    # once more, from what was exported
    assert export(tmp_path / "out", target, tmp_path / "again") == 0
    assert graph_of(tmp_path / "again") == (nodes, edges)


def test_csv_files_give_a_script_and_back(films: Path, tmp_path: Path) -> None:
    assert export(films, "neo4j-csv", tmp_path / "csv") == 0
    assert export(tmp_path / "csv", "cypher", tmp_path / "script") == 0
    assert graph_of(tmp_path / "script") == graph_of(films)


def test_many_scripts_keep_their_nodes_apart(tmp_path: Path) -> None:
    (tmp_path / "many").mkdir()
    for number in range(1, 12):
        nodes = ", ".join(f"(:N {{name: '{number}-{one}'}})" for one in range(12))
        (tmp_path / "many" / f"{number:02}.cypher").write_text(f"CREATE {nodes}")
    assert graph_of(tmp_path / "many")[0].total() == 132


def test_neptune_files_hold_nodes_and_relationships_as_they_are(films: Path, tmp_path: Path) -> None:
    assert export(films, "neptune-csv", tmp_path / "out") == 0
    with (tmp_path / "out" / "nodes.csv").open(newline="") as stream:
        ann, *_ = csv.DictReader(stream)
    assert ann == {
        "~id": "0",
        "~label": "Director;Person",
        "name:String": "Ann",
        "born:Long": "1960",
        "tags:String[]": "x\\;z;y",
        "id:Long": "",
        "import_id:Bool": "",
        "x:Double": "",
    }
    with (tmp_path / "out" / "relationships.csv").open(newline="") as stream:
        edges = list(csv.DictReader(stream))
    assert Counter(one["~label"] for one in edges) == {"ACTED_IN": 2, "KNOWS": 3}
    assert {one["roles:String[]"] for one in edges} == {"r2;r\\;1", ""}
    assert {one["since:Date"] for one in edges} == {"1999-01-02", ""}


def holds_the_films(session: neo4j.Session) -> None:
    """Whether a server has every node and relationship of the script above, and nothing else."""
    nodes = session.run("MATCH (n) RETURN labels(n) AS l, properties(n) AS p").data()
    acted = session.run("MATCH (a)-[r:ACTED_IN]->(b) RETURN a.name, r.roles, toString(r.since), r.years, b.id").values()
    knows = session.run("MATCH (a)-[:KNOWS]->(b) RETURN a.name, b.name").values()
    found = {one["p"].get("name", ""): (sorted(one["l"]), one["p"]) for one in nodes}
    # items of a list come in the order of their texts: facts know none
    assert found["Ann"] == (["Director", "Person"], {"name": "Ann", "born": 1960, "tags": ["x;z", "y"]})
    assert found["It's"] == (["Movie"], {"name": "It's", "id": 7, "import_id": True})
    assert found["i"] == (["Imported"], {"name": "i", "x": 1.5})
    assert found[""] == (["Odd; label"], {"name": ""})
    assert len(nodes) == 5
    assert sorted(acted, key=str) == [["Ann", None, None, 2001, 7], ["Ann", ["r2", "r;1"], "1999-01-02", None, 7]]
    assert sorted(knows) == [["Ann", "Ann"], ["Bob", "Ann"], ["Bob", "Ann"]]
    assert session.run("SHOW CONSTRAINTS YIELD name").data() == []


@pytest.mark.xdist_group("neo4j")
def test_a_script_gives_neo4j_the_property_graph(films: Path, tmp_path: Path, neo4j_server: Neo4j) -> None:
    assert export(films, "cypher", tmp_path / "out") == 0
    text = (tmp_path / "out" / "graph.cypher").read_text(encoding="utf-8")
    with loading.driver(neo4j_server) as driver, driver.session() as session:
        loading.clear(session)
        for statement in text.removesuffix(";\n").split(";\n"):
            session.run(statement).consume()
        holds_the_films(session)
        loading.clear(session)


@pytest.mark.slow
def test_bulk_files_give_neo4j_the_property_graph(films: Path, tmp_path: Path) -> None:
    if neo4j_program.missing():
        pytest.skip(str(neo4j_program.missing()))
    assert export(films, "neo4j-csv", tmp_path / "csv") == 0
    neo4j_program.bulk_import(tmp_path / "home", tmp_path / "csv")
    with (
        neo4j_program.served(tmp_path / "home") as server,
        loading.driver(server) as driver,
        driver.session() as session,
    ):
        holds_the_films(session)


# -- any property graph

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x1f"), max_size=4)
names = st.sampled_from(["name", "id", "import_id", "a b", "`", "when", "é", "Imported", "x;y"])
scalars = st.one_of(
    texts, st.integers(-(2**62), 2**62), st.booleans(), st.floats(allow_nan=False, allow_infinity=False)
)


@st.composite
def property_graphs(draw: st.DrawFn) -> list[Fact]:
    """Each name holds values of one kind, on nodes and on relationships: columns of CSV files have one."""
    kinds = {one: draw(st.sampled_from([texts, st.integers(-9, 9), st.booleans()])) for one in draw(st.sets(names))}

    def properties() -> dict[str, Value]:
        found: dict[str, Value] = {}
        for name, kind in kinds.items():
            values = draw(st.lists(kind, max_size=2, unique=True))
            if values:
                found[name] = values if len(values) > 1 else values[0]
        return found

    count = draw(st.integers(1, 5))
    keys = [node_iri(str(one)) for one in range(count)]
    facts: list[Fact] = []
    for key in keys:
        facts += node_facts(key, draw(st.lists(names, max_size=2)), properties())
    for number in range(draw(st.integers(0, 5))):
        ends = draw(st.sampled_from(keys)), draw(st.sampled_from(keys))
        facts += relationship_facts(str(number), draw(names), *ends, properties())
    return facts


LABEL_WITH_SEPARATOR = [*node_facts(node_iri("0"), ["x;y"], {})]


@settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=25)
@given(property_graphs(), st.sampled_from(["cypher", "neo4j-csv"]))
@example(LABEL_WITH_SEPARATOR, "neo4j-csv")
def test_any_property_graph_comes_back(facts: list[Fact], target: str) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_ntriples(facts, folder)
        with KnowledgeGraph([str(folder / "graph.nt")]) as graph:
            export_graph(graph, target, folder / "out")
        assert graph_of(folder / "out") == graph_of(folder / "graph.nt")


# -- mediators

DOSES = """
<urn:ex:aspirin> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:ex:Drug> .
<urn:ex:aspirin> <urn:ex:maker> <urn:ex:bayer> .
<urn:ex:d1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:ex:Dosage> .
<urn:ex:d1> <urn:ex:of> <urn:ex:pain> .
<urn:ex:d1> <urn:ex:with> <urn:ex:aspirin> .
<urn:ex:d1> <urn:ex:strength> "500"^^<http://www.w3.org/2001/XMLSchema#integer> .
<urn:ex:d2> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:ex:Dosage> .
<urn:ex:d2> <urn:ex:of> <urn:ex:pain> .
<urn:ex:d2> <urn:ex:with> <urn:ex:aspirin> .
<urn:ex:d2> <urn:ex:unit> "mg" .
"""
MAPPING = (
    "prefix ex: <urn:ex:>\nmapping m {{\n  ex:Dosage => edge {} -[:DOSED_WITH {{{{strength: ex:strength}}}}]-> {}\n}}\n"
)


@pytest.fixture
def doses(tmp_path: Path) -> Path:
    file = tmp_path / "doses.nt"
    file.write_text(DOSES)
    return file


def mapping(folder: Path, source: str = "ex:of", target: str = "ex:with") -> str:
    file = folder / "m.cts"
    file.write_text(MAPPING.format(source, target).replace("{{", "{").replace("}}", "}"))
    return str(file)


def test_mediators_become_relationships_with_properties(doses: Path, tmp_path: Path) -> None:
    assert export(doses, "neo4j-csv", tmp_path / "out", "--mapping", mapping(tmp_path)) == 0
    with (tmp_path / "out" / "nodes.csv").open(newline="") as stream:
        assert {one["id:ID"] for one in csv.DictReader(stream)} == {"urn:ex:aspirin", "urn:ex:bayer", "urn:ex:pain"}
    with (tmp_path / "out" / "relationships.csv").open(newline="") as stream:
        head, *edges = csv.reader(stream)
    assert head == [":START_ID", ":TYPE", ":END_ID", "strength:long", "unit:string"]
    assert edges == [
        ["urn:ex:aspirin", "MAKER", "urn:ex:bayer", "", ""],
        ["urn:ex:pain", "DOSED_WITH", "urn:ex:aspirin", "500", ""],
        ["urn:ex:pain", "DOSED_WITH", "urn:ex:aspirin", "", "mg"],
    ]


def test_mediators_without_a_mapping_are_nodes(doses: Path, tmp_path: Path) -> None:
    assert export(doses, "neo4j-csv", tmp_path / "out") == 0
    with (tmp_path / "out" / "nodes.csv").open(newline="") as stream:
        assert "urn:ex:d1" in {one["id:ID"] for one in csv.DictReader(stream)}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("<urn:ex:d3> a <urn:ex:Dosage> .", "no urn:ex:of"),
        ("<urn:ex:d1> <urn:ex:of> <urn:ex:fever> .", "2 urn:ex:of"),
        ("<urn:ex:d1> <urn:ex:by> <urn:ex:ann> .", "urn:ex:by leads to urn:ex:ann"),
        ("<urn:ex:ann> <urn:ex:gave> <urn:ex:d1> .", "a fact leads to it"),
        ("<urn:ex:d1> a <urn:ex:Event> .", "urn:ex:Event"),
        ('<urn:ex:d1> <urn:ex:of> "pain" .', "a value"),
        ("<urn:ex:ann> <urn:ex:of> <urn:ex:fever> .", "not all that have it"),
    ],
)
def test_a_mediator_that_says_more_than_a_relationship_can_is_refused(
    doses: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: str, said: str
) -> None:
    doses.write_text(DOSES + more.replace(" a ", f" <{RDF_TYPE}> ") + "\n")
    assert export(doses, "cypher", tmp_path / "out", "--mapping", mapping(tmp_path)) == 1
    words = capsys.readouterr().err
    assert "UQ686" in words
    assert said in words
    assert not (tmp_path / "out").exists()


def test_a_mapping_that_does_not_say_the_ends_is_refused_only_where_it_matters(
    doses: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    without = mapping(tmp_path, "", "")
    assert export(doses, "cypher", tmp_path / "out", "--mapping", without) == 1
    assert "UQ686" in capsys.readouterr().err
    doses.write_text("<urn:ex:a> <urn:ex:p> <urn:ex:b> .\n")
    assert export(doses, "cypher", tmp_path / "out", "--mapping", without) == 0


def test_an_edge_without_ends_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "g.nt"
    file.write_text(
        f"<urn:pg:edge:0> <{RDF_TYPE}> <{PG_RELATIONSHIP}R> .\n<urn:pg:edge:0> <{PG_SOURCE}> <urn:pg:node:0> .\n"
    )
    assert export(file, "cypher", tmp_path / "out") == 1
    assert "UQ686" in capsys.readouterr().err
