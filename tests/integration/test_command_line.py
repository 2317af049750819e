"""The command line as people meet it: real processes, real graphs, bad input of every kind."""

from __future__ import annotations

import gzip
import json
import os
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from uniqgen_ir.ir.codes import CODES

PREFIXES = "prefix ol: <http://almanac.example/olympics/>\nprefix pl: <http://almanac.example/place/>\n"
FEBRUARY = (
    PREFIXES
    + """ctable hosts {
  select distinct ?city
  games: ?g a ol:OlympicGames ; ol:hostCity ?city
  country: ?city pl:containedIn{1,3} pl:UnitedStates
  month: ?g ol:openingDate ?d where month(?d) = 2
}
"""
)
CODE_OF = {code.kind: code.code for code in CODES.values()}
CITIES = {f"http://almanac.example/place/{name}" for name in ("LakePlacid", "SquawValley", "SaltLakeCity")}


def uniqgen(
    *arguments: str, text: str | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "uniqgen_ir", *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **(env or {})},
    )


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def no_traceback(done: subprocess.CompletedProcess[str]) -> None:
    assert "Traceback" not in done.stderr
    assert "UQ900" not in done.stderr


@pytest.mark.parametrize("engine", ["oxigraph", "ladybug", "reference"])
def test_run_gives_the_same_answers_on_every_engine(tmp_path: Path, engine: str) -> None:
    file = written(tmp_path, "hosts.ctable", FEBRUARY)
    done = uniqgen("run", file, "--graph", "almanac", "--engine", engine, "--format", "json")
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    assert answers["columns"] == ["city"]
    assert {row[0] for row in answers["rows"]} == CITIES


def test_compile_to_cypher_has_the_contract_keys(tmp_path: Path) -> None:
    file = written(tmp_path, "hosts.ctable", FEBRUARY)
    done = uniqgen("compile", file, "--to", "cypher", "--format", "json", "--graph", "almanac")
    assert done.returncode == 0, done.stderr
    compiled = json.loads(done.stdout)
    assert {"query", "params", "columns", "dialect", "source_map", "assumptions"} <= compiled.keys()
    assert compiled["dialect"] == "neo4j"
    assert compiled["assumptions"] == [], "the bundled mapping names everything that the table uses"
    for spans in compiled["source_map"].values():
        assert all(0 <= start < end <= len(compiled["query"]) for start, end in spans)


def test_compile_without_a_mapping_lists_its_guesses_and_strict_refuses_them(tmp_path: Path) -> None:
    file = written(tmp_path, "hosts.ctable", FEBRUARY)
    done = uniqgen("compile", file, "--to", "cypher", "--format", "json")
    assert {one["row"] for one in json.loads(done.stdout)["assumptions"]} >= {"month"}
    strict = uniqgen("compile", file, "--to", "cypher", "--strict")
    assert strict.returncode == 1
    assert "UQ656" in strict.stderr


def test_a_table_survives_json(tmp_path: Path) -> None:
    as_json = uniqgen("compile", written(tmp_path, "hosts.ctable", FEBRUARY), "--to", "json")
    back = uniqgen("compile", "-", "--from", "json", "--to", "ctable", text=as_json.stdout)
    direct = uniqgen("compile", str(tmp_path / "hosts.ctable"), "--to", "ctable")
    assert json.loads(as_json.stdout)["ctable"] == 1
    assert back.stdout == direct.stdout != ""


def test_chase_drops_what_contradicts_a_reference_answer(tmp_path: Path) -> None:
    table = FEBRUARY.replace("month(?d) = 2", "month(?d) = 7")
    answers = written(tmp_path, "known.txt", "http://almanac.example/place/LakePlacid\n")
    trace = tmp_path / "trace.jsonl"
    done = uniqgen(
        *("chase", written(tmp_path, "hosts.ctable", table), "--graph", "almanac"),
        *("--answers", answers, "--format", "json", "--trace", str(trace)),
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert [one["row"] for one in report["dropped"]] == ["month"]
    assert "http://almanac.example/place/LakePlacid" in json.dumps(report["dropped"])
    replayed = uniqgen("verify", str(trace), "--graph", "almanac", "--format", "json")
    assert replayed.returncode == 0, replayed.stderr
    assert json.loads(replayed.stdout)["claims"] >= len(report["kept"]) + len(report["dropped"])
    other = uniqgen("verify", str(trace), "--graph", written(tmp_path, "other.nt", "<urn:a> <urn:b> <urn:c> .\n"))
    assert other.returncode == 1
    assert "UQ491" in other.stderr
    trace.write_text(trace.read_text(encoding="utf-8").replace("LakePlacid", "Atlanta"), encoding="utf-8")
    assert "UQ490" in uniqgen("verify", str(trace), "--graph", "almanac").stderr


PAIN = """prefix med: <http://almanac.example/medicine/>
ctable drugs {
  select distinct ?drug
  treats: ?drug med:treats med:Pain
  approved: ?drug med:status "approved"
}
"""


def test_answers_that_their_giver_doubts_are_weighed_and_others_bind(tmp_path: Path) -> None:
    table = written(tmp_path, "pain.ctable", PAIN)
    names = ["aspirin", "ibuprofen", "naproxen", "celecoxib", "rofecoxib"]
    sure = written(tmp_path, "sure.txt", "\n".join(names))
    doubts = [{"value": name, "confidence": 0.3 if name == "rofecoxib" else 0.9} for name in names]
    unsure = written(tmp_path, "unsure.jsonl", "\n".join(map(json.dumps, doubts)))
    trace = str(tmp_path / "trace.jsonl")

    def chased(answers: str, *options: str) -> dict[str, Any]:
        done = uniqgen("chase", table, "--graph", "almanac", "--answers", answers, "--format", "json", *options)
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    binding = chased(sure)
    assert ([one["row"] for one in binding["dropped"]], binding["theta"], binding["doubted"]) == (["approved"], 1.0, [])
    weighed = chased(unsure, "--trace", trace)
    assert (weighed["dropped"], weighed["theta"] < 1.0) == ([], True)
    assert weighed["doubted"] == ["http://almanac.example/medicine/Rofecoxib"]
    assert uniqgen("verify", trace, "--graph", "almanac").returncode == 0
    assert chased(unsure, "--theta", "1")["dropped"] == binding["dropped"]
    assert chased(sure, "--theta", "auto")["dropped"] == []


def test_rows_that_exclude_every_reference_answer_are_named(tmp_path: Path) -> None:
    answers = written(tmp_path, "known.txt", "http://almanac.example/medicine/Tetany\n")
    done = uniqgen("chase", written(tmp_path, "hosts.ctable", FEBRUARY), "--graph", "almanac", "--answers", answers)
    no_traceback(done)
    assert done.returncode == 1
    assert "none" in done.stderr
    assert "Tetany" in done.stderr


def test_three_syntax_errors_in_one_file_are_all_reported(tmp_path: Path) -> None:
    text = (
        PREFIXES
        + 'ctable t {\n  select ?x\n  a: ?x ol:year =\n  b: ?x ol:year\n  c: ?x ol:season "Winter"\n  d: where\n}\n'
    )
    done = uniqgen("compile", written(tmp_path, "bad.ctable", text), "--to", "sparql")
    no_traceback(done)
    assert done.returncode == 1
    for line in (5, 6, 8):
        assert f"bad.ctable:{line}:" in done.stderr
    assert "^" in done.stderr


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("select ?x\n  a: ?x nope:year 1896", "UQ201"),
        ("select ?nowhere\n  a: ?x ol:year 1896", "UQ202"),
        ("select ?x\n  a: ?x ol:year ?y where ?y > 5 and ?y < 3", "UQ401"),
        ("select ?x\n  a: ?x ol:year ?y\n  a: ?x ol:season ?s", "UQ204"),
    ],
)
def test_bad_tables_get_their_code(tmp_path: Path, body: str, code: str) -> None:
    done = uniqgen(
        "compile", written(tmp_path, "bad.ctable", f"{PREFIXES}ctable t {{\n  {body}\n}}\n"), "--to", "sparql"
    )
    no_traceback(done)
    assert done.returncode == 1
    assert code in done.stderr
    page = uniqgen("explain", code)
    assert page.returncode == 0
    assert code in page.stdout


def test_a_name_that_the_graph_lacks_explains_the_empty_answer(tmp_path: Path) -> None:
    file = written(tmp_path, "t.ctable", FEBRUARY.replace("pl:UnitedStates", "pl:Atlantis"))
    done = uniqgen("run", file, "--graph", "almanac")
    assert done.returncode == 0
    assert "UQ657" in done.stderr
    assert "Atlantis" in done.stderr


def _empty(folder: Path) -> str:
    return written(folder, "empty.nt", "")


def _folder(folder: Path) -> str:
    (folder / "nothing").mkdir()
    written(folder / "nothing", "readme.txt", "no graph here")
    return str(folder / "nothing")


def _broken_gzip(folder: Path) -> str:
    whole = gzip.compress(b"<urn:a> <urn:b> <urn:c> .\n" * 1000)
    (folder / "broken.nt.gz").write_bytes(whole[: len(whole) // 2])
    return str(folder / "broken.nt.gz")


def _missing(folder: Path) -> str:
    return str(folder / "missing.nt")


def _bad_syntax(folder: Path) -> str:
    return written(folder, "bad.nt", "<urn:a> <urn:b> .\n")


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (_empty, "empty_graph"),
        (_folder, "folder_without_graphs"),
        (_broken_gzip, "broken_gzip"),
        (_missing, "graph_missing"),
        (_bad_syntax, "graph_syntax"),
    ],
)
@pytest.mark.parametrize("command", ["run", "ask"])
def test_bad_graphs_get_their_code(tmp_path: Path, make: object, kind: str, command: str) -> None:
    assert callable(make)
    graph = str(make(tmp_path))
    if command == "ask":
        done = uniqgen("ask", "Which drugs treat tetany?", "--graph", graph)
    else:
        done = uniqgen("run", written(tmp_path, "t.ctable", FEBRUARY), "--graph", graph)
    no_traceback(done)
    assert done.returncode == 1
    assert CODE_OF[kind] in done.stderr


def test_a_question_about_nothing_in_the_graph_abstains_and_says_what_it_tried() -> None:
    done = uniqgen("ask", "Who wrote the Voynich manuscript?", "--graph", "almanac", "--format", "json")
    no_traceback(done)
    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert answer["answers"] == []
    assert answer["abstained"]
    assert answer["queries"] == {}
    assert answer["engines_agree"] is True, "no engine was asked"
    assert "oynich" in done.stderr


def test_a_question_for_yes_or_no_is_answered_so() -> None:
    done = uniqgen("ask", "Does sibutramine treat tetany?", "--graph", "almanac")
    assert done.returncode == 0
    assert "-- answers\n  no\n" in done.stdout


def test_the_trace_of_a_question_can_be_replayed(tmp_path: Path) -> None:
    trace = str(tmp_path / "trace.jsonl")
    done = uniqgen("ask", "Which drugs treat tetany?", "--graph", "almanac", "--trace", trace)
    assert done.returncode == 0, done.stderr
    replayed = uniqgen("verify", trace, "--graph", "almanac")
    assert replayed.returncode == 0, replayed.stderr
    assert "claims hold" in replayed.stdout
    # the row that follows from the schema is proved by the schema's facts in the header
    assert "not proved" not in replayed.stdout
    assert "false or missing" not in replayed.stdout


def test_a_key_alone_reaches_no_network_and_a_model_out_of_reach_ends_with_its_code() -> None:
    nowhere = {"OPENAI_API_KEY": "no-key", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    offline = uniqgen("ask", "Which drugs treat tetany?", "--graph", "almanac", env=nowhere)
    assert offline.returncode == 0, offline.stderr
    done = uniqgen("ask", "Which drugs treat tetany?", "--graph", "almanac", "--model", "some-model", env=nowhere)
    assert done.returncode == 3
    assert "no-key" not in done.stdout + done.stderr


def test_a_batch_answers_every_line_in_order(tmp_path: Path) -> None:
    lines = [
        json.dumps({"id": "good", "language": "ctable", "table": FEBRUARY}),
        "{not json",
        json.dumps({"id": "bad", "language": "ctable", "table": "ctable t { select ?x }"}),
        json.dumps({"id": "no text"}),
    ]
    batch = written(tmp_path, "batch.jsonl", "\n".join(lines) + "\n")
    done = uniqgen("run", "--graph", "almanac", "--batch", batch, "--format", "json")
    assert done.returncode == 0, done.stderr
    good, not_json, bad, no_text = (json.loads(line) for line in done.stdout.splitlines())
    assert {row[0] for row in good["rows"]} == CITIES
    assert (not_json["id"], not_json["error"]["code"]) == (2, "UQ651")
    assert bad["error"]["code"].startswith("UQ")
    assert (no_text["id"], no_text["error"]["code"]) == ("no text", "UQ651")


def test_usage_errors_exit_with_2() -> None:
    assert uniqgen("nonsense").returncode == 2
    assert uniqgen("run", "--engine", "nonsense").returncode == 2


def test_help_answers_in_under_a_third_of_a_second_of_cpu() -> None:
    best = min(_help_seconds() for _ in range(3))
    assert best < 0.3


def _help_seconds() -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "COMMAND" in uniqgen("--help").stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("command", ["demo", "ask", "compile", "opt", "chase", "verify", "run", "fmt", "explain"])
def test_every_command_explains_itself(command: str) -> None:
    done = uniqgen(command, "--help")
    assert done.returncode == 0
    assert len(done.stdout) > 200


def test_a_reader_that_goes_away_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m uniqgen_ir explain | head -1", shell=True, capture_output=True, text=True, env=os.environ
    )
    assert done.stdout.startswith("UQ")
    assert done.stderr == ""


def _questions(folder: Path, questions: Sequence[str]) -> str:
    lines = [json.dumps({"id": place, "question": one}) for place, one in enumerate(questions)]
    return written(folder, "questions.jsonl", "\n".join(lines) + "\n")


def test_the_demo_answers_and_its_engines_agree() -> None:
    done = uniqgen("demo", "--format", "json")
    assert done.returncode == 0, done.stderr
    tetany, february, obesity, *_ = (json.loads(line) for line in done.stdout.splitlines())
    assert set(february["answers"]) == {"Lake Placid", "Squaw Valley", "Salt Lake City"}
    assert set(tetany["answers"]) == {"calcium gluconate", "calcium chloride"}
    assert [one["row"] for one in obesity["report"]["dropped"]] == ["approved"]
    assert "sibutramine" in obesity["answers"]
    assert february["report"]["redundant"]
    origins = {
        row: entry["origin"]
        for step in tetany["trace"]
        if step["rule"] == "propose"
        for row, entry in step["evidence"]["origins"].items()
    }
    assert origins["approved"] == "pragmatic"


def test_rephrased_questions_work_too(tmp_path: Path) -> None:
    asked = {
        "What medications are used for tetany?": {"calcium gluconate", "calcium chloride"},
        "American towns that held Winter Games in February": {"Lake Placid", "Squaw Valley", "Salt Lake City"},
        "Where were the 1994 Winter Olympics held?": {"Lillehammer"},
        "Which Winter Olympics took place in Asia?": {f"{year} Winter Olympics" for year in (1972, 1998, 2018, 2022)},
        "When did the 1936 Summer Olympics open?": {"1936-08-01"},
    }
    done = uniqgen("ask", "--graph", "almanac", "--batch", _questions(tmp_path, list(asked)), "--format", "json")
    assert done.returncode == 0, done.stderr
    for line, expected in zip(done.stdout.splitlines(), asked.values(), strict=True):
        answer = json.loads(line)
        assert set(answer["answers"]) == expected, answer["question"]
        assert answer["engines_agree"]


def test_cypher_and_sparql_of_one_question_give_the_same_answers(tmp_path: Path) -> None:
    cypher = written(
        tmp_path,
        "q.cypher",
        "MATCH (m:Medicine {status: 'approved'})-[:TREATS]->(c:Condition) WHERE c.name = 'tetany' "
        "RETURN DISTINCT m.name AS name",
    )
    sparql = written(
        tmp_path,
        "q.rq",
        "PREFIX med: <http://almanac.example/medicine/>\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n"
        'SELECT DISTINCT ?name { ?m med:status "approved" ; med:treats/rdfs:label "tetany" ; rdfs:label ?name }',
    )
    expected = [["calcium chloride"], ["calcium gluconate"]]
    for file in (cypher, sparql):
        for engine in ("oxigraph", "ladybug", "reference"):
            done = uniqgen("run", file, "--graph", "almanac", "--engine", engine, "--format", "json")
            assert done.returncode == 0, done.stderr
            assert sorted(json.loads(done.stdout)["rows"]) == expected


@pytest.mark.parametrize(
    ("name", "engine", "text", "kind"),
    [
        ("w.cypher", "ladybug", "COPY (MATCH (n) RETURN n.id) TO 'leak.csv'", "syntax"),
        ("w.cypher", "ladybug", "MATCH (n) SET n.name = 'x' RETURN n", "write"),
        ("w.cypher", "ladybug", "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line", "external_io"),
        ("w.rq", "oxigraph", "DELETE WHERE { ?s ?p ?o }", "write"),
        ("w.rq", "oxigraph", "SELECT * { SERVICE <http://127.0.0.1:9/x> { ?s ?p ?o } }", "external_io"),
    ],
)
def test_a_text_that_writes_or_reaches_outside_is_refused_before_it_is_sent(
    tmp_path: Path, name: str, engine: str, text: str, kind: str
) -> None:
    codes = {code.code for code in CODES.values() if code.kind == kind}
    done = uniqgen("run", written(tmp_path, name, text), "--raw", "--engine", engine, "--graph", "almanac")
    no_traceback(done)
    assert done.returncode == 1
    assert any(code in done.stderr for code in codes), done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "t.ctable", "--graph", "almanac", "--timeout", "-5"),
        ("run", "t.ctable", "--graph", "almanac", "--timeout", "nan"),
        ("run", "t.ctable", "--graph", "almanac", "--limit", "-3"),
        ("ask", "Why?", "--graph", "almanac", "--k", "999999"),
        ("ask", "Why?", "--graph", "almanac", "--beam", "0"),
        ("ask", "Why?", "--graph", "almanac", "--lang", "klingon"),
        ("ask", "Why?"),
        ("chase", "t.ctable", "--graph", "almanac", "--theta", "7"),
        ("chase", "t.ctable", "--graph", "almanac", "--budget", "x=1"),
        ("run", "t.ctable", "--graph", "almanac", "--batch", "b.jsonl"),
    ],
)
def test_values_that_an_option_does_not_take_are_usage_errors(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    given = [written(tmp_path, one, FEBRUARY) if one == "t.ctable" else one for one in arguments]
    done = uniqgen(*given)
    no_traceback(done)
    assert done.returncode == 2, done.stderr


def test_a_parameter_without_a_value_is_refused_because_sparql_has_none(tmp_path: Path) -> None:
    table = written(tmp_path, "t.ctable", PREFIXES + "ctable t {\n select ?x\n a: ?x ol:season $season\n}\n")
    refused = uniqgen("compile", table, "--to", "sparql")
    assert refused.returncode == 1
    assert "$season" in refused.stderr
    run = uniqgen("run", table, "--graph", "almanac", "--param", "season=Winter", "--format", "json")
    assert len(json.loads(run.stdout)["rows"]) == 25
    assert uniqgen("run", table, "--graph", "almanac", "--param", "sesaon=Winter").returncode != 0


def test_what_a_file_holds_does_not_steer_the_terminal_or_flood_it(tmp_path: Path) -> None:
    text = PREFIXES + "ctable t {\n  select ?x\n  a: ?x \x1b[31m " + "x" * 200_000 + "\n}\n"
    done = uniqgen("compile", written(tmp_path, "t.ctable", text), "--to", "sparql")
    assert done.returncode == 1
    assert "\x1b" not in done.stderr
    assert len(done.stderr) < 20_000


def test_one_byte_that_is_no_utf8_costs_one_line_of_a_batch(tmp_path: Path) -> None:
    batch = tmp_path / "b.jsonl"
    batch.write_bytes(
        b'{"id": "bad", "table": "\xff"}\n' + json.dumps({"id": "good", "table": FEBRUARY}).encode() + b"\n"
    )
    done = uniqgen("run", "--graph", "almanac", "--batch", str(batch), "--format", "json")
    assert done.returncode == 0, done.stderr
    bad, good = (json.loads(line) for line in done.stdout.splitlines())
    assert bad["error"]["code"] == "UQ651"
    assert len(good["rows"]) == 3


def test_an_implied_row_goes_before_an_explicit_one_that_says_the_same(tmp_path: Path) -> None:
    table = FEBRUARY.replace(
        "}\n", '  season: ?g ol:season "Winter" @pragmatic(u = 0.4, "February implies winter")\n}\n'
    )
    known = written(tmp_path, "known.txt", "http://almanac.example/place/LakePlacid\n")
    done = uniqgen(
        *("chase", written(tmp_path, "t.ctable", table), "--graph", "almanac", "--answers", known, "--format", "json")
    )
    report = json.loads(done.stdout)
    assert "season" in {one["row"] for one in report["redundant"]}
    assert "month" in {one["row"] for one in report["kept"]}
