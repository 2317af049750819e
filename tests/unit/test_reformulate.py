"""One vocabulary's query in the words of another: the pass, the command line and `uq.reformulate`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import uniqgen_ir as uq
from uniqgen_ir.cli.main import main

JOB, PG = "http://example.org/job/", "http://example.org/pg/"
WORKS_AT = uq.IRI(f"{PG}worksAt")
PREFIXES = f"prefix job: <{JOB}>\nprefix pg: <{PG}>\n"
RULES = f"""{PREFIXES}
schema bridge {{
  relation job:employer : job:Employment -> job:Company functional
  rule edge: {{ ?p job:employment ?m . ?m job:employer ?c }} => {{ ?p pg:worksAt ?c }}
  rule node: {{ ?p pg:worksAt ?c }} => {{ ?p job:employment ?m . ?m job:employer ?c }}
}}
"""
ONLY_FORTH = RULES.replace("rule node", "# rule node")
TARGET = f"{PREFIXES}schema target {{\n  relation pg:worksAt : pg:Person -> pg:Company\n}}\n"
QUERY = f"""prefix job: <{JOB}>
ctable t {{
  select distinct ?p ?c
  post: ?p job:employment ?m
  where: ?m job:employer ?c
}}
"""


def _schema(text: str = RULES) -> uq.Schema:
    return uq.parse_schema(text).schemas[0]


@pytest.mark.parametrize("vocabulary", [PG, "pg:", "pg", "pg:works", _schema(TARGET), WORKS_AT.__eq__])
def test_a_vocabulary_is_given_in_several_ways(vocabulary: str | uq.Schema | Callable[[uq.IRI], bool]) -> None:
    query, prefixes = uq.parse(QUERY), uq.parse_schema(RULES).prefixes
    found = uq.reformulate(query, _schema(), vocabulary, prefixes=prefixes)
    assert found.table is not None
    assert [row.atom for row in found.table.rows] == [uq.Triple(uq.Variable("p"), WORKS_AT, uq.Variable("c"))]
    assert f"prefix pg: <{PG}>" in uq.to_text(found.table)
    assert uq.equivalent(query, found.table, _schema()).holds is True


def test_what_the_vocabulary_cannot_say_has_a_graph_that_shows_it() -> None:
    found = uq.reformulate(uq.parse(QUERY), _schema(ONLY_FORTH), PG)
    assert found.table is None
    assert found.verdict is not None
    assert found.verdict.witness is not None


def _opt(
    folder: Path, capsys: pytest.CaptureFixture[str], query: str, passes: str, rules: str = RULES
) -> tuple[int, str, str]:
    (folder / "q.ctable").write_text(query, encoding="utf-8")
    (folder / "rules.cts").write_text(rules, encoding="utf-8")
    code = main(["opt", str(folder / "q.ctable"), "--schema", str(folder / "rules.cts"), "--passes", passes])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_the_command_line_prints_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _opt(tmp_path, capsys, QUERY, "reformulate{vocabulary=pg:}")
    assert code == 0
    assert "?p pg:worksAt ?c" in out
    assert "job:" not in out
    both = _opt(tmp_path, capsys, QUERY, "reformulate{vocabulary=pg:|job:}")
    assert both[0] == 0


def test_a_table_in_the_vocabulary_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = _opt(tmp_path, capsys, QUERY, "reformulate{vocabulary=job:}")
    assert out == uq.to_text(uq.parse(QUERY))


@pytest.mark.parametrize(
    ("query", "passes", "rules", "said"),
    [
        (QUERY, "reformulate", RULES, "UQ422: `reformulate` has no vocabulary"),
        (QUERY, "reformulate{vocabulary=pgg:}", RULES, "there is no vocabulary `pgg:`"),
        (QUERY, "reformulate{vocabulary=pg:}", ONLY_FORTH, "UQ424: the query cannot be said in `pg:`"),
        (QUERY, "reformulate{vocabulary=pg:}", ONLY_FORTH, "help: without further rules they differ on this graph"),
        (
            QUERY.replace("where:", "title: ?m job:title ?t\n  where:"),
            "reformulate{vocabulary=pg:}",
            RULES,
            "no rule of the schema leads from `title: ?m job:title ?t` to other words",
        ),
        (
            QUERY.replace("where:", "title: optional { ?m job:title ?t }\n  where:").replace("?p ?c", "?p ?c ?t"),
            "reformulate{vocabulary=pg:}",
            RULES,
            "not `title: optional { ?m job:title ?t }`",
        ),
    ],
)
def test_what_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], query: str, passes: str, rules: str, said: str
) -> None:
    code, _, err = _opt(tmp_path, capsys, query, passes, rules)
    assert code == 1
    assert said in err
