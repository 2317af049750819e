"""The programs of `examples/` do what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import uniqgen_ir as uq
from examples import access_filter, change_vocabulary, rename_vocabulary, split_union

ROOT = Path(__file__).resolve().parents[2]
PREFIX = "prefix ex: <http://example.org/>\n"
EX = "http://example.org/"
READABLE = uq.IRI(f"{EX}readableBy")


def _table(body: str) -> uq.Table:
    return uq.parse(f"{PREFIX}ctable t {{\n{body}\n}}\n")


def _answers(table: uq.Table, graph: uq.Graph, group: str | None = None) -> list[tuple[object, ...]]:
    parameters = {uq.Parameter("group"): uq.IRI(f"{EX}{group}")} if group else {}
    return sorted(uq.evaluate(table, graph, parameters).rows, key=str)


# --- rename_vocabulary ------------------------------------------------------------------------------------------------


def test_names_change_wherever_they_stand() -> None:
    table = _table(
        "select distinct ?x\n?x a ex:City\n?x ex:in{1,2} ex:europe\n?x ex:kind ?k where ?k in (ex:a, ex:b)\n"
        "not { ?x ex:gone ?when }\nexists { ?x ex:open true }\n"
        "table {\n select ?x\n ?x ex:size 1\n}"
    )
    renamed = rename_vocabulary.rename(table, {EX: "http://other.example/"})
    assert [one for one in uq.walk(renamed) if isinstance(one, uq.IRI) and one.value.startswith(EX)] == []
    assert uq.parse(uq.to_text(renamed)) == renamed
    assert "prefix ex: <http://other.example/>" in uq.to_text(renamed)
    assert rename_vocabulary.rename(renamed, {"http://other.example/": EX}) == table


def test_the_longest_name_counts() -> None:
    names = {EX: "http://a.example/", f"{EX}x/": "http://b.example/", f"{EX}x/y": "http://c.example/z"}
    assert rename_vocabulary.new_name(f"{EX}q", names) == "http://a.example/q"
    assert rename_vocabulary.new_name(f"{EX}x/q", names) == "http://b.example/q"
    assert rename_vocabulary.new_name(f"{EX}x/y", names) == "http://c.example/z"
    assert rename_vocabulary.new_name("http://elsewhere.example/q", names) == "http://elsewhere.example/q"


# --- access_filter ----------------------------------------------------------------------------------------------------

TURTLE = f"""@prefix ex: <{EX}> .
ex:a ex:knows ex:b, ex:c ; ex:age 30 ; ex:readableBy ex:staff, ex:guest .
ex:b ex:knows ex:c ; ex:age 40 ; ex:mail "b" ; ex:readableBy ex:staff .
ex:c ex:knows ex:a ; ex:age 50 ; ex:mail "c" ; ex:readableBy ex:staff, ex:guest .
ex:d ex:knows ex:b ; ex:age 60 .
"""


def _visible(graph: uq.Graph, group: str) -> uq.Graph:
    """The graph without what it says about nodes that the group may not read."""
    readable = set(graph.subjects(READABLE, uq.IRI(f"{EX}{group}")))
    return uq.Graph(fact for fact in graph if fact[0] in readable)


@pytest.mark.parametrize("group", ["staff", "guest", "nobody"])
@pytest.mark.parametrize(
    "body",
    [
        "select ?x\n?x ex:age ?n where ?n > 35",
        "select distinct ?x ?y\n?x ex:knows ?y\n?y ex:age ?n",
        "select ?x ?m\n?x ex:age ?n\noptional { ?x ex:mail ?m }",
        "select ?x\n?x ex:age ?n\nnot { ?x ex:knows ?y . ?y ex:mail ?m }",
        "select distinct ?x\n?x ex:age ?n\nnot exists { ?y ex:knows ?x }",
        "select ?x\neither { ?x ex:mail ?m } or { ?x ex:age 30 }",
        "select distinct ?x ?z\n?x ex:knows / ex:knows ?z",
        "select ?x ?k\n?x ex:age ?n\ntable {\n select ?x count(?y) as ?k\n ?x ex:knows ?y\n group by ?x\n}",
        "select count(?x) as ?n\n?x ex:knows ex:c",
        "ask\nex:d ex:age ?n",
    ],
)
def test_a_guarded_table_sees_what_the_group_may_read(body: str, group: str) -> None:
    table, graph = _table(body), uq.parse_turtle(TURTLE)
    guarded = access_filter.guard(table, READABLE)
    assert uq.verify(guarded) == ()
    assert _answers(guarded, graph, group) == _answers(table, _visible(graph, group))


def test_guarding_matters() -> None:
    table, graph = _table("select ?x\n?x ex:age ?n"), uq.parse_turtle(TURTLE)
    assert len(_answers(table, graph)) == 4
    assert len(_answers(access_filter.guard(table, READABLE), graph, "guest")) == 2


def test_a_path_that_cannot_be_guarded_is_refused() -> None:
    with pytest.raises(ValueError, match="row c1 walks a path of variable length"):
        access_filter.guard(_table("select distinct ?x\n?x ex:knows{1,3} ex:c"), READABLE)


# --- split_union ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "parts"),
    [
        ("select distinct ?x\neither { ?x ex:mail ?m } or { ?x ex:age 30 }", 2),
        ("select distinct ?x\neither { ?x ex:mail ?m } or { ?x ex:age 30 }\neither { ?x ex:knows ex:a } or "
         "{ ?x ex:knows ex:b } or { ?x ex:knows ex:c }", 6),
        ("select distinct ?x\n?x ex:age ?n", 1),
        ("select distinct ?x ?y\n?x ex:knows ?y\neither { ?y ex:age 40 } or { ?y ex:age 50 . ?y ex:mail ?m }", 2),
    ],
)  # fmt: skip
def test_the_parts_give_what_the_whole_gives(body: str, parts: int) -> None:
    table, graph = _table(body), uq.parse_turtle(TURTLE)
    tables = split_union.split(table)
    assert len(tables) == parts
    assert len({one.name for one in tables}) == parts
    assert all(uq.verify(one) == () for one in tables)
    assert not any(isinstance(row.atom, uq.Either) for one in tables for row in one.rows)
    together = {answer for one in tables for answer in uq.evaluate(one, graph).rows}
    assert together == set(uq.evaluate(table, graph).rows)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("select ?x\neither { ?x ex:a 1 } or { ?x ex:b 1 }", "counts solutions"),
        ("select distinct count(?x) as ?n\neither { ?x ex:a 1 } or { ?x ex:b 1 }", "aggregates"),
        ("select distinct ?x\neither { ?x ex:a 1 } or { ?x ex:b 1 }\nlimit 3", "orders or cuts"),
        ("select distinct ?x\neither { ?x ex:a ?n } or { ?x ex:b ?n }\nargmax ?x by ?n", "orders or cuts"),
    ],
)
def test_what_splitting_would_change_is_refused(body: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        split_union.split(_table(body))


# --- as programs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "arguments", "shown"),
    [
        ("rename_vocabulary", [f"{EX}=http://other.example/"], "prefix ex: <http://other.example/>"),
        ("access_filter", [f"{EX}readableBy"], "access1: ?x ex:readableBy $group"),
        ("split_union", [], "ctable t_2"),
    ],
)
def test_the_programs_print_tables(program: str, arguments: list[str], shown: str, tmp_path: Path) -> None:
    file = tmp_path / "t.ctable"
    text = "select distinct ?x\n?x ex:age ?n\neither { ?x ex:mail ?m } or { ?x ex:age 30 }"
    file.write_text(f"{PREFIX}ctable t {{\n{text}\n}}\n", encoding="utf-8")
    command = [sys.executable, str(ROOT / "examples" / f"{program}.py"), str(file), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert shown in done.stdout
    usage = subprocess.run(command[:2], capture_output=True, text=True, cwd=ROOT, check=False)
    assert usage.returncode == 2
    assert program in usage.stderr


@pytest.mark.slow
def test_the_programs_type_check_strictly() -> None:
    for command in (["mypy", "--strict", "--follow-imports=silent", "examples"], ["pyright", "examples"]):
        done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=ROOT, check=False)
        assert done.returncode == 0, done.stdout[:2000]


# --- change_vocabulary ------------------------------------------------------------------------------------------------


def test_one_vocabulary_in_the_words_of_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    change_vocabulary.main()
    printed = capsys.readouterr().out
    assert "?p pg:worksAt ?c" in printed
    assert "pg:since ?y" in printed
    assert "?y < 2000" in printed
    assert printed.count("# checked again: equivalent") == 2
    assert "the vocabulary does not bind what the head asks for" in printed
