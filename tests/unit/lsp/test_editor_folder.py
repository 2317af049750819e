"""The editor folder: files that fit together, and a grammar that colours what the language has."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from uniqgen_ir.grammar.ctable.keywords import AGGREGATES, KEYWORDS
from uniqgen_ir.ir.functions import FUNCTIONS

FOLDER = Path(__file__).resolve().parents[3] / "editors" / "vscode"


def read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


GRAMMAR = read("syntaxes/ctable.tmLanguage.json")


def rules() -> list[tuple[str, re.Pattern[str]]]:
    """The rules in order: name in the repository, and expression. Python reads the expressions that are used."""
    found: list[tuple[str, re.Pattern[str]]] = []
    for include in GRAMMAR["patterns"]:
        name = include["include"].removeprefix("#")
        rule = GRAMMAR["repository"][name]
        found += [(name, re.compile(one.get("match", one.get("begin")))) for one in rule.get("patterns", [rule])]
    return found


RULES = rules()


def coloured(line: str) -> list[tuple[str, str]]:
    """What an editor would do: the earliest match, of several the first rule; returns rule and text."""
    found: list[tuple[str, str]] = []
    place = 0
    while place < len(line):
        matches = [
            (match.start(), order, match, name)
            for order, (name, rule) in enumerate(RULES)
            if (match := rule.search(line, place)) and match[0]
        ]
        if not matches:
            break
        _, _, match, name = min(matches, key=lambda one: one[:2])
        found.append((name, match[0]))
        place = match.end()
    return found


def test_the_files_that_the_package_names_are_there() -> None:
    package = read("package.json")
    assert (FOLDER / package["main"]).is_file()
    languages = {one["id"]: one for one in package["contributes"]["languages"]}
    assert languages["ctable"]["extensions"] == [".ctable"]
    assert languages["cts"]["extensions"] == [".cts"]
    for one in package["contributes"]["languages"]:
        assert (FOLDER / one["configuration"]).is_file()
    for one in package["contributes"]["grammars"]:
        assert one["language"] in languages
        assert read(one["path"])["scopeName"] == one["scopeName"]
    assert read("language-configuration.json")["comments"]["lineComment"] == "#"


def test_the_client_reads_the_settings_that_the_package_declares() -> None:
    client = (FOLDER / "extension.js").read_text(encoding="utf-8")
    package = read("package.json")
    assert package["contributes"]["configuration"]["properties"]["uniqgen.command"]["default"] == ["uniqgen", "lsp"]
    assert 'getConfiguration("uniqgen")' in client
    for command in package["contributes"]["commands"]:
        assert f'"{command["command"]}"' in client
    for library in package["dependencies"]:
        assert f'require("{library}/node")' in client


def test_every_include_is_in_the_repository() -> None:
    includes = set(re.findall(r'"include": "#(\w+)"', json.dumps(GRAMMAR)))
    assert includes == set(GRAMMAR["repository"])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            'games: ?g a ol:Games ; ol:city ?c{1,3}  @required  # "no" string',
            [
                ("label", "games:"),
                ("variable", "?g"),
                ("isa", "a"),
                ("name", "ol:Games"),
                ("name", "ol:city"),
                ("variable", "?c"),
                ("bound", "{1,3}"),
                ("annotation", "@required"),
                ("comment", '# "no" string'),
            ],
        ),
        ("?x <http://x.org/a#b> $p", [("variable", "?x"), ("iri", "<http://x.org/a#b>"), ("parameter", "$p")]),
        ('?x ex:n "# no"@de-CH', [("variable", "?x"), ("name", "ex:n"), ("string", '"# no"@de-CH')]),
        ('"1"^^xsd:int', [("string", '"1"^^'), ("name", "xsd:int")]),
        (
            "?d fb:m.09c7w0 where month(?d) >= 2.5e3",
            [
                ("variable", "?d"),
                ("name", "fb:m.09c7w0"),
                ("control", "where"),
                ("function", "month"),
                ("variable", "?d"),
                ("operator", ">="),
                ("number", "2.5e3"),
            ],
        ),
        (
            'relation ex:in "lies in" : ex:City -> ex:Country functional',
            [
                ("declaration", "relation"),
                ("name", "ex:in"),
                ("string", '"lies in"'),
                ("name", "ex:City"),
                ("operator", "->"),
                ("name", "ex:Country"),
                ("modifier", "functional"),
            ],
        ),
        ("limits: notes ?order", [("label", "limits:"), ("variable", "?order")]),
        ("`odd name`: ?`x y`", [("label", "`odd name`:"), ("variable", "?`x y`")]),
        ("(?a<?b)", [("variable", "?a"), ("operator", "<"), ("variable", "?b")]),
    ],
)
def test_lines_are_coloured(line: str, expected: list[tuple[str, str]]) -> None:
    assert coloured(line) == expected


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_every_keyword_has_a_colour(word: str) -> None:
    names = {name for name, text in coloured(f"  {word} ") if text == word}
    assert names & {"declaration", "modifier", "operator_word", "constant", "control"}
    assert coloured(f"ex:{word}") == [("name", f"ex:{word}")]
    assert coloured(f"?{word}") == [("variable", f"?{word}")]


@pytest.mark.parametrize("name", [*sorted(FUNCTIONS), *sorted(AGGREGATES)])
def test_every_function_has_a_colour(name: str) -> None:
    kind = "aggregate" if name in AGGREGATES else "function"
    assert coloured(f"{name}(?x)") == [(kind, name), ("variable", "?x")]
