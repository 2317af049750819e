"""`uniqgen init`, `uniqgen schema`, and the project file as everybody's default."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from uniqgen_ir.grammar.schema import load_documents

BUNDLED = Path(__file__).resolve().parents[2] / "uniqgen_ir" / "kg" / "bundled"
TABLE = """prefix med: <http://almanac.example/medicine/>
ctable t {
  select distinct ?x
  ?x a med:DrugClass
  limit 3
}
"""


def uniqgen(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "uniqgen_ir", *arguments], cwd=folder, capture_output=True, text=True, timeout=300
    )
    assert "Traceback" not in done.stderr
    assert "UQ900" not in done.stderr
    return done


@pytest.fixture(scope="module")
def medicine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project over a graph file of its own."""
    folder = tmp_path_factory.mktemp("medicine")
    (folder / "data").mkdir()
    (folder / "data" / "medicine.ttl").write_bytes((BUNDLED / "medicine.ttl").read_bytes())
    done = uniqgen(folder, "init", "--graph", "data/medicine.ttl", "--format", "json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["files"] == ["uniqgen.toml", "schema.cts", "lexicon.cts"]
    assert said["label_property"] == "http://www.w3.org/2000/01/rdf-schema#label"
    assert said["mapping"] == "plain"
    return folder


def test_what_init_writes_can_be_read(medicine: Path) -> None:
    for name in ("schema.cts", "lexicon.cts"):
        assert load_documents(medicine / name).diagnostics == ()
    lexicon = (medicine / "lexicon.cts").read_text(encoding="utf-8")
    (medicine / "used.cts").write_text(lexicon.replace("  # ", "  "), encoding="utf-8")
    # the commented example is a lexicon, too
    result = load_documents(medicine / "used.cts")
    assert result.diagnostics == ()
    assert len(result.documents[0].lexicons[0].synonyms) == len(result.documents[0].lexicons[0].implied) == 1


def test_later_commands_need_no_flags(medicine: Path) -> None:
    (medicine / "t.ctable").write_text(TABLE, encoding="utf-8")
    done = uniqgen(medicine, "run", "t.ctable", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["rows"]) == 3
    asked = uniqgen(medicine, "ask", "Which drugs treat tetany?", "--format", "json")
    assert asked.returncode == 0, asked.stderr
    assert "calcium gluconate" in json.loads(asked.stdout)["answers"]


def test_folders_below_belong_to_the_project(medicine: Path) -> None:
    below = medicine / "some" / "folder"
    below.mkdir(parents=True, exist_ok=True)
    (below / "t.ctable").write_text(TABLE, encoding="utf-8")
    done = uniqgen(below, "run", "t.ctable", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["rows"]) == 3


def test_the_schema_of_the_project_is_checked_against(medicine: Path) -> None:
    (medicine / "slip.ctable").write_text(TABLE.replace("med:DrugClass", "med:DrugClas"), encoding="utf-8")
    done = uniqgen(medicine, "run", "slip.ctable")
    assert done.returncode == 1
    assert "did you mean med:DrugClass" in done.stderr.replace("medicine:", "med:")


def test_a_graph_on_the_command_line_sets_the_project_aside(medicine: Path) -> None:
    text = "prefix ol: <http://almanac.example/olympics/>\nctable t {\n  select ?x\n  ?x a ol:Sport\n  limit 1\n}\n"
    (medicine / "sport.ctable").write_text(text, encoding="utf-8")
    done = uniqgen(medicine, "run", "sport.ctable", "--graph", "almanac", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["rows"]) == 1


def test_init_writes_over_nothing(medicine: Path) -> None:
    before = {one: (medicine / one).read_bytes() for one in ("uniqgen.toml", "schema.cts", "lexicon.cts")}
    done = uniqgen(medicine, "init", "--graph", "almanac")
    assert done.returncode == 1
    assert "UQ681" in done.stderr
    assert {one: (medicine / one).read_bytes() for one in before} == before


def test_force_writes_over_it(tmp_path: Path) -> None:
    (tmp_path / "schema.cts").write_text("mine", encoding="utf-8")
    assert "UQ681" in uniqgen(tmp_path, "init", "--graph", "almanac").stderr
    assert not (tmp_path / "uniqgen.toml").exists()
    done = uniqgen(tmp_path, "init", "--graph", "almanac", "--force")
    assert done.returncode == 0, done.stderr
    # the bundled graph has a schema written by hand: that one, not what can be inferred
    assert (tmp_path / "schema.cts").read_bytes() == (BUNDLED / "almanac.cts").read_bytes()
    assert load_documents(tmp_path / "schema.cts").diagnostics == ()


def test_a_graph_that_is_missing_leaves_nothing_behind(tmp_path: Path) -> None:
    done = uniqgen(tmp_path, "init", "--graph", "nothing.ttl")
    assert done.returncode == 1
    assert "UQ620" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_label_property_of_the_project_names_things(tmp_path: Path) -> None:
    turtle = (
        "@prefix ex: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        'ex:a rdfs:label "one name" ; ex:title "another name" ; a ex:Thing .\n'
    )
    (tmp_path / "g.ttl").write_text(turtle, encoding="utf-8")
    assert uniqgen(tmp_path, "init", "--graph", "g.ttl").returncode == 0
    file = tmp_path / "uniqgen.toml"
    text = file.read_text(encoding="utf-8")
    assert "also found: http://example.org/title" in text
    file.write_text(text.replace('"http://www.w3.org/2000/01/rdf-schema#label"', '"http://example.org/title"'), "utf-8")
    code = (
        "from argparse import Namespace; from uniqgen_ir.cli.project import apply_project;"
        "from uniqgen_ir.cli.inputs import open_graph;"
        "o = Namespace(uses_project=True, graph=None, schema=None, mapping=None, graph_required=True);"
        "apply_project(o);"
        "print(open_graph(o).loaded.label_predicates[0].value, o.schema, o.mapping)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["http://example.org/title", "['schema.cts',", "'lexicon.cts']", "plain"]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("grpah = 1", "did you mean `graph`?"),
        ("graph = 1", "is not a list of names"),
        ('graph = ["a", 2]', "is not a list of names"),
        ("mapping = 3", "is not text in quotes"),
        ("graph = [", "is not TOML"),
        ('schema = ["x.cts"]', "names no graph"),
    ],
)
def test_a_project_file_with_a_slip_is_refused(tmp_path: Path, text: str, part: str) -> None:
    (tmp_path / "uniqgen.toml").write_text(text, encoding="utf-8")
    (tmp_path / "t.ctable").write_text(TABLE, encoding="utf-8")
    done = uniqgen(tmp_path, "run", "t.ctable")
    assert done.returncode == 1
    assert "UQ680" in done.stderr
    assert part in done.stderr


def test_a_project_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "uniqgen.toml").write_bytes(b"\xff\xfe")
    done = uniqgen(tmp_path, "compile", "t.ctable", "--to", "sparql")
    assert (done.returncode, "is not UTF-8 text" in done.stderr) == (1, True)


def test_without_a_project_a_graph_is_asked_for(tmp_path: Path) -> None:
    done = uniqgen(tmp_path, "run", "t.ctable")
    assert done.returncode == 2
    assert "--graph" in done.stderr


def test_schema_infer_writes_to_a_file_or_to_standard_output(tmp_path: Path) -> None:
    printed = uniqgen(tmp_path, "schema", "infer", "--graph", "almanac", "--name", "games")
    assert printed.returncode == 0, printed.stderr
    assert 'relation olympics:hostCity "host city" : olympics:OlympicGames -> place:City  # 57 facts' in printed.stdout
    written = uniqgen(tmp_path, "schema", "infer", "--graph", "almanac", "--name", "games", "--out", "s.cts")
    assert written.returncode == 0
    assert (tmp_path / "s.cts").read_text(encoding="utf-8") == printed.stdout
    assert load_documents(tmp_path / "s.cts").diagnostics == ()
    again = uniqgen(tmp_path, "schema", "infer", "--graph", "almanac", "--out", "s.cts")
    assert (again.returncode, "UQ681" in again.stderr) == (1, True)
    assert "UQ653" in uniqgen(tmp_path, "schema", "infer", "--graph", "almanac", "--support", "0").stderr


def test_schema_import_prints_a_schema_and_says_what_it_left_out(tmp_path: Path) -> None:
    (tmp_path / "o.ttl").write_text(
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix ex: <http://example.org/> .\n"
        "ex:p a owl:ObjectProperty , owl:AsymmetricProperty .\n",
        encoding="utf-8",
    )
    done = uniqgen(tmp_path, "schema", "import", "o.ttl")
    assert done.returncode == 0
    assert done.stdout == 'prefix ex: <http://example.org/>\n\nschema o {\n  relation ex:p "p"\n}\n'
    assert "UQ683" in done.stderr
    refused = uniqgen(tmp_path, "schema", "import", "o.xsd")
    assert (refused.returncode, "UQ682" in refused.stderr) == (1, True)


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        target = "no/such/folder/s.cts"
    else:
        tmp_path.chmod(0o500)
        target = "s.cts"
    done = uniqgen(tmp_path, "schema", "infer", "--graph", "almanac", "--out", target)
    assert (done.returncode, "UQ650" in done.stderr) == (1, True)
