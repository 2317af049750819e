"""The language server as an editor meets it: a real process, JSON-RPC over its pipes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.lsp_client import Client, Refused

TABLE = """prefix ol: <http://almanac.example/olympics/>
prefix pl: <http://almanac.example/place/>
ctable hosts "Wer war 😀 Gastgeber?" {
  select distinct ?city
  games: ?g a ol:OlympicGames ; ol:hostCity ?city
  😀😀: ?city pl:containedIn{1,3} pl:UnitedStates
  name: ?city rdfs:label "😀 €" . ?g ol:hostCty ?oops
}
""".replace("😀😀:", "`😀😀`:")
LINES = TABLE.split("\n")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "uniqgen.toml").write_text('graph = ["almanac"]\n', encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def client(project: Path) -> Iterator[Client]:
    with Client(project) as one:
        yield one
    assert one.process.returncode == 0
    assert one.process.stderr is not None
    assert b"Traceback" not in one.process.stderr.read()


@pytest.fixture
def uri(client: Client, project: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    uri = client.open(project / f"{request.node.name}.ctable", TABLE)
    yield uri
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def units(text: str) -> int:
    """UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def place(word: str, line: int, shift: int = 1) -> tuple[int, int]:
    return line, units(LINES[line][: LINES[line].index(word)]) + shift


def span(word: str, line: int) -> dict[str, dict[str, int]]:
    number, start = place(word, line, 0)
    return {"start": {"line": number, "character": start}, "end": {"line": number, "character": start + units(word)}}


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """The text after the edits of the protocol, positions counted in UTF-16."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda one: (-one["range"]["start"]["line"], -one["range"]["start"]["character"])):
        start, end = edit["range"]["start"], edit["range"]["end"]
        before = lines[start["line"]].encode("utf-16-le")[: 2 * start["character"]].decode("utf-16-le")
        after = lines[end["line"]].encode("utf-16-le")[2 * end["character"] :].decode("utf-16-le")
        lines[start["line"] : end["line"] + 1] = (before + edit["newText"] + after).split("\n")
    return "\n".join(lines)


def test_the_server_says_what_it_can_do(client: Client) -> None:
    said = client.capabilities
    assert said["positionEncoding"] == "utf-16"
    for one in ("hover", "definition", "completion", "rename", "documentFormatting", "codeAction"):
        assert said[f"{one}Provider"]


def test_diagnostics_come_when_a_text_is_opened_and_while_typing(client: Client, uri: str) -> None:
    (one,) = client.diagnostics(uri)
    assert (one["code"], one["severity"], one["source"]) == ("UQ341", 1, "uniqgen")
    assert one["range"] == span("ol:hostCty", 6)
    client.change(uri, 2, TABLE.replace("ol:hostCty", "ol:hostCity"))
    assert client.diagnostics(uri, 2) == []
    client.change(uri, 3, TABLE.replace("select distinct ?city", "select distinct ?city )"))
    broken = client.diagnostics(uri, 3)
    assert [(item["code"], item["range"]["start"]["line"]) for item in broken] == [("UQ100", 3)]


def test_only_the_last_of_many_keystrokes_counts(client: Client, uri: str) -> None:
    client.diagnostics(uri)
    for version in range(2, 30):
        client.change(uri, version, TABLE[: version * 5])
    client.change(uri, 30, TABLE.replace("ol:hostCty", "ol:hostCity"))
    assert client.diagnostics(uri, 30) == []


def test_a_fix_is_offered_and_mends_the_text(client: Client, uri: str) -> None:
    where = span("ol:hostCty", 6)
    inside = {"start": where["start"], "end": where["start"]}
    (one,) = client.request(
        "textDocument/codeAction", {"textDocument": {"uri": uri}, "range": inside, "context": {"diagnostics": []}}
    )
    assert (one["title"], one["kind"], one["isPreferred"]) == ("Write ol:hostCity", "quickfix", True)
    assert applied(TABLE, one["edit"]["changes"][uri]) == TABLE.replace("ol:hostCty", "ol:hostCity")
    elsewhere = {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 0}}
    none = client.request(
        "textDocument/codeAction", {"textDocument": {"uri": uri}, "range": elsewhere, "context": {"diagnostics": []}}
    )
    assert none == []


def test_hover_says_the_type_and_counts_in_the_background(client: Client, uri: str) -> None:
    found = client.at("hover", uri, *place("?city", 6))
    assert found["contents"]["value"].startswith("`?city`: an instance of pl:City")
    assert found["range"] == span("?city", 6)
    first = client.at("hover", uri, *place("ol:hostCity", 4, 5))["contents"]["value"]
    assert "counting" in first or "57 facts" in first
    end = time.monotonic() + 60
    while "counting" in first and time.monotonic() < end:
        time.sleep(0.1)
        first = client.at("hover", uri, *place("ol:hostCity", 4, 5))["contents"]["value"]
    # 57 lines of olympics.ttl say so
    assert "57 facts in the graph" in first


def test_a_variable_leads_to_the_row_that_binds_it(client: Client, uri: str) -> None:
    assert client.at("definition", uri, *place("?city", 6)) == {"uri": uri, "range": span("?city", 4)}


def test_a_name_leads_into_the_schema(client: Client, uri: str) -> None:
    found = client.at("definition", uri, *place("ol:hostCity", 4, 5))
    assert found["uri"].endswith("/almanac.cts")
    line = (
        Path(found["uri"].removeprefix("file://"))
        .read_text(encoding="utf-8")
        .split("\n")[found["range"]["start"]["line"]]
    )
    assert line.strip().startswith("relation ol:hostCity")


def test_renaming_finds_every_occurrence_behind_wide_characters(client: Client, uri: str) -> None:
    found = client.at("rename", uri, *place("?city", 6), newName="town")
    assert applied(TABLE, found["changes"][uri]) == TABLE.replace("?city", "?town")
    assert client.at("prepareRename", uri, *place("?city", 6)) == span("?city", 6)
    assert client.at("prepareRename", uri, *place("select", 3)) is None


def test_renaming_refuses_with_a_sentence(client: Client, uri: str) -> None:
    with pytest.raises(Refused, match="would become one"):
        client.at("rename", uri, *place("?city", 4), newName="g")
    with pytest.raises(Refused, match="cannot be the name"):
        client.at("rename", uri, *place("?city", 4), newName="two words")


def test_names_of_the_schema_are_proposed(client: Client, uri: str) -> None:
    line, character = place("ol:hostCty", 6, len("ol:hostC"))
    items = {one["label"]: one for one in client.at("completion", uri, line, character)["items"]}
    assert {"ol:hostCity", "pl:capital"} <= items.keys()
    after = applied(TABLE, [items["ol:hostCity"]["textEdit"]])
    assert "?g ol:hostCityty ?oops" in after


def test_formatting_gives_the_one_layout(client: Client, project: Path) -> None:
    text = 'ctable   t {\nselect ?x\n   ?x <urn:p> "😀"   # note\n}'
    uri = client.open(project / "untidy.ctable", text)
    options = {"textDocument": {"uri": uri}, "options": {"tabSize": 2, "insertSpaces": True}}
    edits = client.request("textDocument/formatting", options)
    assert applied(text, edits) == 'ctable t {\n  select ?x\n  ?x <urn:p> "😀"  # note\n}\n'
    client.change(uri, 2, applied(text, edits))
    assert client.request("textDocument/formatting", options) == []
    client.change(uri, 3, "ctable t {")
    assert client.request("textDocument/formatting", options) is None


def test_a_schema_that_changes_in_the_editor_changes_the_tables(client: Client, project: Path) -> None:
    schema = 'prefix ex: <http://example.org/>\nschema s {\n  class ex:A "a"\n  relation ex:p "p" : ex:A -> ex:A\n}\n'
    file = project / "s.cts"
    file.write_text(schema, encoding="utf-8")
    text = 'use schema "s.cts"\nprefix ex: <http://example.org/>\nctable t {\n  select ?x\n  ?x ex:q ?y\n}\n'
    table = client.open(project / "uses.ctable", text)
    assert [one["code"] for one in client.diagnostics(table)] == ["UQ341"]
    opened = client.open(file)
    assert client.diagnostics(opened) == []
    client.change(opened, 2, schema.replace("ex:p", "ex:q"))
    assert client.diagnostics(opened, 2) == []
    client.wait_for_codes(table, [])
    client.change(opened, 3, schema.replace("class", "clazz"))
    assert client.diagnostics(opened, 3)[0]["code"].startswith("UQ1")
    client.notify("textDocument/didClose", {"textDocument": {"uri": opened}})


def test_a_project_file_with_a_slip_is_a_warning(client: Client, project: Path) -> None:
    folder = project / "inner"
    folder.mkdir()
    (folder / "uniqgen.toml").write_text('grpah = "almanac"\n', encoding="utf-8")
    uri = client.open(folder / "t.ctable", "ctable t {\n  select ?x\n  ?x a <urn:c>\n}\n")
    (one,) = client.diagnostics(uri)
    assert (one["code"], one["severity"]) == ("UQ680", 2)
    assert "did you mean `graph`?" in one["message"]


@pytest.mark.parametrize(
    "text", ["", "{", "}}}}", "ctable", 'ctable t { "', "\ud83d", "\x00", "((((" * 500, "😀" * 1000]
)
def test_broken_input_never_ends_the_server(client: Client, project: Path, text: str) -> None:
    uri = client.open(project / "broken.ctable", text)
    client.diagnostics(uri)
    for method in ("hover", "definition", "completion", "prepareRename"):
        client.at(method, uri, 0, 3)
        client.at(method, uri, 999, 999)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.versions.clear()


def test_requests_about_unknown_texts_and_nonsense_do_no_harm(client: Client, project: Path, uri: str) -> None:
    unknown = (project / "never-opened.ctable").as_uri()
    assert client.at("hover", unknown, 0, 0) is None
    assert client.at("completion", unknown, 0, 0)["items"] == []
    client.send_bytes(b'{"jsonrpc": "2.0", "method": "textDocument/hover", "id": 1')
    with pytest.raises(Refused):
        client.request("textDocument/noSuchThing", {})
    assert client.at("hover", uri, *place("?city", 6)) is not None


def test_other_encodings_are_kept_to(project: Path) -> None:
    with Client(project, ["utf-8"]) as client:
        assert client.capabilities["positionEncoding"] == "utf-8"
        uri = client.open(project / "bytes.ctable", TABLE)
        (one,) = client.diagnostics(uri)
        start = len(LINES[6][: LINES[6].index("ol:hostCty")].encode())
        assert one["range"]["start"] == {"line": 6, "character": start}


def test_without_the_library_the_command_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['pygls'] = None; from uniqgen_ir.cli.main import main; raise SystemExit(main(['lsp']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "UQ654" in done.stderr
    assert "uniqgen-ir[lsp]" in done.stderr


def test_the_server_ends_when_the_editor_is_gone(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "uniqgen_ir", "lsp", "--stdio"], input=b"", cwd=project, capture_output=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, b"")
