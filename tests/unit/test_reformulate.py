"""One vocabulary's query in the words of another: the pass, the command line and `uq.reformulate`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

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
        (QUERY.replace("distinct ", ""), "reformulate{vocabulary=pg:}", RULES, "it counts how often an answer comes"),
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


# --- the answers ------------------------------------------------------------------------------------------------------

BOTH = f"""{PREFIXES}
schema both {{
  rule edge: {{ ?p job:employment ?m . ?m job:employer ?c }}
    => {{ ?e pg:source ?p . ?e pg:target ?c . ?p pg:worksAt ?c }}
  rule since: {{ ?p job:employment ?m . ?m job:employer ?c . ?m job:year ?y }}
    => {{ ?e pg:source ?p . ?e pg:target ?c . ?e pg:since ?y }}
  rule node: {{ ?e pg:source ?p . ?e pg:target ?c }} => {{ ?p job:employment ?m . ?m job:employer ?c }}
  rule year: {{ ?e pg:source ?p . ?e pg:target ?c . ?e pg:since ?y }}
    => {{ ?p job:employment ?m . ?m job:employer ?c . ?m job:year ?y }}
  rule plain: {{ ?p pg:worksAt ?c }} => {{ ?e pg:source ?p . ?e pg:target ?c }}
}}
"""


def _in_both_words(random: Random) -> uq.Graph:
    """Who works where, since when or not, each said in both vocabularies."""
    facts: list[str] = []
    for number in range(random.randint(1, 8)):
        person, company = f"job:p{random.randint(0, 3)}", f"job:c{random.randint(0, 2)}"
        facts.append(f"{person} job:employment job:m{number} . job:m{number} job:employer {company} .")
        facts.append(f"{person} pg:worksAt {company} .")
        facts.append(f"pg:e{number} pg:source {person} ; pg:target {company} .")
        if random.random() < 0.6:
            year = random.randint(1998, 2001)
            facts.append(f"job:m{number} job:year {year} . pg:e{number} pg:since {year} .")
    heading = f"@prefix job: <{JOB}> .\n@prefix pg: <{PG}> .\n"
    return uq.parse_turtle(heading + "\n".join(facts))


def _random_query(random: Random, most: int) -> uq.Table:
    """Up to `most` employments of people and companies that may be the same."""
    rows: list[str] = []
    for number in range(random.randint(1, most)):
        rows.append(f"?p{random.randint(0, 1)} job:employment ?m{number}")
        rows.append(f"?m{number} job:employer {random.choice(('?c0', '?c1', 'job:c0'))}")
        if random.random() < 0.5:
            condition = random.choice(("", f" where ?y{number} < 2000"))
            rows.append(f"?m{number} job:year ?y{number}{condition}")
    shown = sorted({one for row in rows for one in row.split() if one.startswith(("?p", "?c"))})
    return uq.parse(f"{PREFIXES}ctable t {{\n select distinct {' '.join(shown)}\n " + "\n ".join(rows) + "\n}\n")


def _same_answers(seed: int, most: int) -> None:
    random, schema = Random(seed), _schema(BOTH)
    query = _random_query(random, most)
    found = uq.reformulate(query, schema, "pg:")
    assert found.table is not None, found.reason
    assert not [one for one in uq.walk(found.table) if isinstance(one, uq.IRI) and one.value.startswith(f"{JOB}e")]
    for _ in range(3):
        graph = _in_both_words(random)
        assert sorted(uq.evaluate(found.table, graph).rows, key=str) == sorted(uq.evaluate(query, graph).rows, key=str)


@pytest.mark.parametrize("seed", range(8))
def test_the_answers_are_the_same_where_the_rules_hold(seed: int) -> None:
    _same_answers(seed, 2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_the_answers_of_larger_queries_likewise(seed: int) -> None:
    _same_answers(seed, 3)
