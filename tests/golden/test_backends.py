"""The pages of `sparql/` and `cypher/`: a table, and the queries that it becomes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyoxigraph
import pytest
from rdflib.plugins.sparql import prepareQuery

from uniqgen_ir.backends.registry import renderer
from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.grammar.cypher import check_cypher, parse_cypher
from uniqgen_ir.grammar.sparql import read_sparql
from uniqgen_ir.ir.diagnostics import errors

FOLDER = Path(__file__).parent
PAGES = sorted([*FOLDER.glob("sparql/*.md"), *FOLDER.glob("cypher/*.md")])
BLOCK = re.compile(r"^```(?P<kind>[a-z0-9 -]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> dict[str, str]:
    return {block["kind"]: block["text"] for block in BLOCK.finditer(page.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_a_page_shows_what_the_renderer_writes(page: Path) -> None:
    parts = blocks(page)
    table = parse_table(parts.pop("ctable"))
    extras = {kind.removeprefix("json "): json.loads(text) for kind, text in parts.items() if kind.startswith("json ")}
    shown = {kind: text for kind, text in parts.items() if not kind.startswith("json ")}
    assert shown
    for dialect, text in shown.items():
        query = renderer(dialect).render(table)
        assert query.text == text
        extra = extras.get(dialect, {"params": {}, "unbound": [], "assumptions": []})
        assert dict(query.params) == extra["params"]
        assert list(query.unbound) == extra["unbound"]
        assert [one.to_json() for one in query.assumptions] == extra["assumptions"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_the_queries_of_a_page_are_queries(page: Path) -> None:
    """Every reader of the field reads them, ours included, without an error."""
    for kind, text in blocks(page).items():
        if kind == "sparql":
            pyoxigraph.Store().query(text)
            prepareQuery(text)
            read = read_sparql(text, strict=True)
            assert read.table is not None, [one.render({"<input>": text}) for one in read.diagnostics]
        elif kind == "neo4j":
            parse = parse_cypher(text)
            assert not errors((*parse.diagnostics, *check_cypher(parse)))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_the_source_map_points_at_what_a_row_became(page: Path) -> None:
    parts = blocks(page)
    table = parse_table(parts["ctable"])
    for dialect in parts.keys() - {"ctable"} - {kind for kind in parts if kind.startswith("json ")}:
        query = renderer(dialect).render(table)
        assert {row.id for row in table.rows} <= query.source_map.keys()
        for ranges in query.source_map.values():
            assert all(0 <= start < end <= len(query.text) for start, end in ranges)
