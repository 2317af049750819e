"""`import uniqgen_ir as uq`: cheap to import, every name there and documented, and each does what it says."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from enum import Enum
from pathlib import Path

import pytest

import uniqgen_ir as uq
from uniqgen_ir import api

ROOT = Path(__file__).resolve().parents[2]
EX = uq.Namespace("http://example.org/")
TABLE_TEXT = """prefix ex: <http://example.org/>

ctable hosts {
  select distinct ?city

  games: ?g ex:host ?city
  late: ?g ex:year ?y where ?y > 1950
}
"""
TURTLE = """@prefix ex: <http://example.org/> .
ex:g1 ex:host ex:oslo ; ex:year 1952 .
ex:g2 ex:host ex:chamonix ; ex:year 1924 .
"""
SCHEMA_TEXT = """prefix ex: <http://example.org/>

schema games {
  class ex:Games
  class ex:City
  relation ex:host : ex:Games -> ex:City
  property ex:year : ex:Games -> xsd:integer
}

mapping graph for games {
  key id
  label_property name
  ex:host => -[:HOSTED_BY]->
  ex:year => .year
}
"""


def _cpu_seconds(code: str) -> float:
    """The least of three runs: what else the machine does must not count."""
    timed = f"import time; t = time.process_time(); {code}; print(time.process_time() - t)"
    runs = [subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True) for _ in range(3)]
    return min(float(run.stdout.splitlines()[-1]) for run in runs)


def test_the_import_costs_next_to_nothing() -> None:
    assert _cpu_seconds("import uniqgen_ir") < 0.03


def test_the_import_loads_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules); import uniqgen_ir; "
        "print(sorted(one for one in set(sys.modules) - before if one.startswith('uniqgen_ir')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['uniqgen_ir']"


def test_using_a_name_loads_no_engine_and_no_model_client() -> None:
    code = (
        "import sys; import uniqgen_ir as uq; uq.to_text(uq.table('t').select('x').build()); "
        "print([one for one in ('openai', 'neo4j', 'rdflib', 'lark', 'pyoxigraph', 'ladybug', 'rapidfuzz', 'jinja2') "
        "if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", uq.__all__)
def test_every_name_is_there_and_documented(name: str) -> None:
    value = getattr(uq, name)
    if name == "__version__":
        assert value.count(".") == 2
        return
    documented = value if isinstance(value, type) or callable(value) else type(value)
    own = vars(documented).get("__doc__") if isinstance(documented, type) else documented.__doc__
    assert own, f"{name} has no docstring"
    if not isinstance(documented, type) or not issubclass(documented, Enum):
        assert own.strip()[-1] in ".`)" or "\n" in own


def test_the_lists_of_names_agree() -> None:
    assert sorted(api.__all__) == sorted(set(uq.__all__) - {"__version__"})
    assert dir(uq) == sorted(uq.__all__)
    tree = ast.parse((ROOT / "uniqgen_ir" / "__init__.py").read_text(encoding="utf-8"))
    shown = [one.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for one in node.names]
    assert {*api.__all__} <= {*shown}


def test_a_slip_fails_at_once() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'complie'"):
        getattr(uq, "complie")  # noqa: B009 - type checkers refuse the plain spelling, as they should


def test_text_and_json_and_builder_give_one_table() -> None:
    built = (
        uq.table("hosts")
        .select(uq.v.city)
        .row("games", uq.v.g, EX.host, uq.v.city)
        .row("late", uq.v.g, EX.year, uq.v.y, where=uq.v.y > 1950)
        .build()
    )
    read = uq.parse(TABLE_TEXT)
    assert built == read == uq.from_json(uq.to_json(read))
    assert uq.to_text(read) == TABLE_TEXT == uq.format_text(TABLE_TEXT)


def test_files_are_read_by_their_ending(tmp_path: Path) -> None:
    for name, text in (
        ("a.ctable", TABLE_TEXT),
        ("a.rq", "PREFIX ex: <http://example.org/> SELECT DISTINCT ?city WHERE { ?g ex:host ?city }"),
        ("a.cypher", "MATCH (g)-[:HOST]->(city) RETURN DISTINCT city"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert [one.name for one in uq.load(tmp_path / name).columns] == ["city"]


def test_answers_in_memory() -> None:
    table, graph = uq.parse(TABLE_TEXT), uq.parse_turtle(TURTLE)
    expected = ((uq.IRI("http://example.org/oslo"),),)
    assert uq.run(table, graph).rows == expected
    assert uq.evaluate(table, graph).rows == expected


def test_answers_of_an_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIQGEN_CACHE", str(tmp_path / "cache"))
    (tmp_path / "g.ttl").write_text(TURTLE, encoding="utf-8")
    with uq.KnowledgeGraph([str(tmp_path / "g.ttl")]) as graph:
        assert uq.run(uq.parse(TABLE_TEXT), graph).rows == ((uq.IRI("http://example.org/oslo"),),)
        report = uq.chase(uq.parse(TABLE_TEXT), graph, ["http://example.org/chamonix"])
    assert [one.row for one in report.dropped] == ["late"]


def test_the_chase_drops_what_loses_a_reference_answer() -> None:
    references: list[api.ReferenceLike] = ["http://example.org/oslo", uq.IRI("http://example.org/chamonix")]
    report = uq.chase(uq.parse(TABLE_TEXT), uq.parse_turtle(TURTLE), references)
    assert [one.row for one in report.dropped] == ["late"]
    assert report.table is not None
    assert [row.id for row in report.table.rows] == ["games"]


def test_compile_to_both_languages() -> None:
    (mapping,) = uq.parse_schema(SCHEMA_TEXT).mappings
    table = uq.parse(TABLE_TEXT)
    assert "?g ex:host ?city ." in uq.compile(table).text
    query = uq.compile(table, "cypher", mapping=mapping, strict=True)
    assert "-[:HOSTED_BY]->" in query.text
    assert dict(query.params) == {"p0": 1950}


def test_strict_refuses_a_guess() -> None:
    with pytest.raises(uq.DiagnosticError, match="UQ656"):
        uq.compile(uq.parse(TABLE_TEXT), "cypher", mapping=uq.GraphMapping("empty"), strict=True)


def test_diagnose_says_what_each_stage_finds() -> None:
    (schema,) = uq.parse_schema(SCHEMA_TEXT).schemas
    assert uq.diagnose(TABLE_TEXT, schema) == ()
    wrong = {
        "UQ100": TABLE_TEXT.replace("ex:host ?city", "ex:host"),
        "UQ202": TABLE_TEXT.replace("select distinct ?city", "select distinct ?ctiy"),
        "UQ341": TABLE_TEXT.replace("ex:host", "ex:hots"),
        "UQ401": TABLE_TEXT.replace("?y > 1950", "?y > 1950 and ?y < 1900"),
    }
    for code, text in wrong.items():
        assert code in {one.code for one in uq.diagnose(text, schema)}


def test_checks_normal_form_and_pipelines() -> None:
    table = uq.parse(TABLE_TEXT)
    assert uq.verify(table) == ()
    assert uq.typecheck(table) == ()
    assert uq.normalize(table) == uq.run_passes(table, "normalize").table
    assert {one.name for one in uq.variables_in_order(uq.normalize(table))} == {"city", "v1", "v2"}


def test_answers_on_every_graph() -> None:
    table = uq.parse(TABLE_TEXT)
    wider = table.only(["games"])
    assert uq.contains(wider, table).holds is True
    refused = uq.contains(table, wider)
    assert refused.holds is False
    assert refused.witness is not None
    assert uq.equivalent(table, table).holds is True
    assert uq.compare(table, wider).relation == "A contained in B"
    (schema,) = uq.parse_schema(SCHEMA_TEXT).schemas
    full = uq.saturate(table, schema)
    assert len(full.rows) > len(table.rows)
    assert uq.equivalent(full, table, schema).holds is True
    assert [row.id for row in uq.minimize(full, schema).rows] == ["games", "late"]


def test_pictures() -> None:
    table = uq.parse(TABLE_TEXT)
    assert uq.to_mermaid(table).startswith("flowchart")
    assert uq.to_dot(table).startswith("digraph")
    assert uq.to_html(table).startswith("<")


def test_turtle_that_cannot_be_read_is_a_diagnostic() -> None:
    with pytest.raises(uq.DiagnosticError, match="UQ625"):
        uq.parse_turtle("ex:a ex:b .")


@pytest.mark.slow
def test_users_who_type_check_strictly_see_every_name(tmp_path: Path) -> None:
    lines = ["import uniqgen_ir as uq", *(f"print(uq.{name})" for name in uq.__all__)]
    lines.append("table: uq.Table = uq.parse('').with_rows(())")
    (tmp_path / "user.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    config = {"typeCheckingMode": "strict", "extraPaths": [str(ROOT)], "reportMissingTypeStubs": False}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    pyright = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "-p", str(tmp_path)]
    for command in (
        pyright,
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(tmp_path / "user.py")],
    ):
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
        assert done.returncode == 0, done.stdout[:2000]
