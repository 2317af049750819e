"""The search in programs: `uq.chase` with the options of the command line, its trace, and what may go wrong."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

import uniqgen_ir as uq
from uniqgen_ir.cli.main import main
from uniqgen_ir.passes.agreement import relaxed
from uniqgen_ir.passes.relaxation import RelaxationOptions, chase_and_backchase

EX = "http://example.org/"
PREFIX = f"@prefix ex: <{EX}> .\n"
GRAPH = "".join(
    f'ex:g{n} ex:host ex:c{n} ; ex:year {1900 + 10 * n} ; ex:season "{"summer" if n % 2 else "winter"}" .\n'
    for n in range(8)
)
TABLE = uq.parse(
    f"""prefix ex: <{EX}>
ctable hosts {{
  select distinct ?city
  games: ?g ex:host ?city
  late: ?g ex:year ?y where ?y > 1930
  season: ?g ex:season "summer"
  any: ?g ex:season ?s
}}"""
)
KNOWN = [f"{EX}c4", f"{EX}c5"]


def _graph() -> uq.Graph:
    return uq.parse_turtle(PREFIX + GRAPH)


def _rows(report: uq.ChaseReport) -> list[str]:
    assert report.table is not None
    return [row.id for row in report.table.rows]


@pytest.mark.parametrize("strategy", ["greedy", "beam", "exact"])
def test_every_strategy_finds_the_table(strategy: str) -> None:
    report = uq.chase(TABLE, _graph(), KNOWN, strategy=strategy)  # type: ignore[arg-type]
    assert report.status == "ok"
    assert _rows(report) == ["games", "late"]


def test_objective_and_evidence() -> None:
    assert _rows(uq.chase(TABLE, _graph(), KNOWN, objective="tight")) == ["games", "late", "any"]
    assert "any" in _rows(uq.chase(TABLE.only(["games", "any"]), _graph(), KNOWN, evidence="schema"))


def test_without_references_the_tightest_table_is_kept() -> None:
    report = uq.chase(TABLE, _graph())
    assert not report.reference
    assert _rows(report) == ["games", "late", "season"]


def test_theta_is_a_share_or_auto() -> None:
    graph = _graph()
    known = [f"{EX}c1", *(f"{EX}c{n}" for n in (4, 5, 6, 7))]
    assert "late" not in _rows(uq.chase(TABLE, graph, known))
    assert "late" in _rows(uq.chase(TABLE, graph, known, theta=0.8))
    auto = uq.chase(TABLE, graph, known, theta="auto")
    assert auto.theta == 0.8
    assert "late" in _rows(auto)


def test_a_schema_says_what_is_implied() -> None:
    schema = uq.parse_schema(f"prefix ex: <{EX}>\nschema s {{ relation ex:host : ex:Games -> ex:City }}").schemas[0]
    table = uq.parse(
        f"prefix ex: <{EX}>\nctable t {{\n select distinct ?c\n games: ?g ex:host ?c\n kind: ?g a ex:Games\n}}"
    )
    graph = uq.parse_turtle(PREFIX + GRAPH + "".join(f"ex:g{n} a ex:Games .\n" for n in range(8)))
    report = uq.chase(table, graph, KNOWN, schema=schema, evidence="schema")
    assert [(one.row, one.kind) for one in report.redundant] == [("kind", "implied")]


def test_a_budget_ends_the_search() -> None:
    report = uq.chase(TABLE, _graph(), KNOWN, strategy="exact", budget=uq.Budget(calls=1))
    assert report.status == "stopped"
    assert report.calls <= 1


class Trusting:
    """Ranks by how much it trusts the rows that a set holds, and remembers what it was asked."""

    def __init__(self, trust: dict[str, float]) -> None:
        self.trust = trust
        self.asked: list[Sequence[frozenset[str]]] = []

    def rank(self, table: uq.Table, candidates: Sequence[frozenset[str]]) -> Sequence[frozenset[str]]:
        assert {row.id for row in table.rows} >= set[str]().union(*candidates)
        self.asked.append(candidates)
        return sorted(candidates, key=lambda one: (-sum(self.trust[name] for name in one), sorted(one)))


def test_an_agent_ranks_the_sets_of_the_beam() -> None:
    agent = Trusting({"games": 1.0, "late": 0.9, "any": 0.5, "season": 0.1})
    report = uq.chase(TABLE, _graph(), KNOWN, strategy="beam", beam=2, ranker=agent)
    assert report.status == "ok"
    assert "season" in {one.row for one in report.dropped}
    assert agent.asked


class Wrong:
    def __init__(self, answer: list[frozenset[str]]) -> None:
        self.answer = answer

    def rank(self, table: uq.Table, candidates: Sequence[frozenset[str]]) -> Sequence[frozenset[str]]:  # noqa: ARG002
        return self.answer


def test_an_agent_may_leave_sets_out_but_not_invent_any() -> None:
    silent = uq.chase(TABLE, _graph(), KNOWN, strategy="beam", ranker=Wrong([]))
    assert silent.status == "ok"
    with pytest.raises(uq.DiagnosticError, match="UQ413: the ranker returned"):
        uq.chase(TABLE, _graph(), KNOWN, strategy="beam", ranker=Wrong([frozenset({"made up"})]))


class Cancelling:
    """Another thread ends the search while the agent is asked."""

    def __init__(self, cancellation: uq.Cancellation) -> None:
        self.cancellation = cancellation

    def rank(self, table: uq.Table, candidates: Sequence[frozenset[str]]) -> Sequence[frozenset[str]]:  # noqa: ARG002
        def cancel() -> None:
            self.cancellation.cancelled = True

        other = threading.Thread(target=cancel)
        other.start()
        other.join()
        return candidates


def test_another_thread_ends_the_search() -> None:
    cancellation = uq.Cancellation()
    options = {"strategy": "beam", "ranker": Cancelling(cancellation), "cancellation": cancellation}
    report = uq.chase(TABLE, _graph(), KNOWN, **options)  # type: ignore[arg-type]
    assert report.status == "stopped"
    before = uq.chase(TABLE, _graph(), KNOWN, cancellation=cancellation)
    assert before.status == "stopped"
    assert before.calls == 0


def test_the_trace_is_written_and_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("UNIQGEN_CACHE", str(tmp_path / "cache"))
    graph = _graph()
    report = uq.chase(TABLE, graph, KNOWN)
    text = uq.write_trace(report)
    assert text == uq.write_trace(report.steps)
    for one in (text, report, report.steps):
        found = uq.verify_trace(one, graph)
        assert found.valid
        assert found.claims > 0
        assert found.unproved == ()
    assert not uq.verify_trace(report, uq.parse_turtle(f"{PREFIX}ex:g4 ex:host ex:c4 .")).valid
    with pytest.raises(uq.DiagnosticError, match="UQ490"):
        uq.verify_trace(text.replace("games", "gomes", 1), graph)
    (tmp_path / "t.trace").write_text(text, encoding="utf-8")
    (tmp_path / "g.ttl").write_text(PREFIX + GRAPH, encoding="utf-8")
    assert main(["verify", str(tmp_path / "t.trace"), "--graph", str(tmp_path / "g.ttl")]) == 0
    assert "every claim that it must make" in capsys.readouterr().out


def test_steps_of_a_pipeline_are_a_trace() -> None:
    outcome = uq.run_passes(TABLE, "normalize")
    assert uq.write_trace(outcome) == uq.write_trace(outcome.steps) != ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "gready"}, "UQ413"),
        ({"theta": 2.0}, "UQ413"),
        ({"theta": "some"}, "UQ413: theta is 'some'"),
        ({"beam": 0}, "UQ413"),
        ({"objective": "short"}, "UQ413"),
        ({"ranker": Trusting({})}, "UQ413: a ranker orders the sets of the beam, and the strategy is `greedy`"),
    ],
)
def test_an_option_out_of_range_is_a_diagnostic(options: dict[str, object], message: str) -> None:
    with pytest.raises(uq.DiagnosticError, match=message):
        uq.chase(TABLE, _graph(), KNOWN, **options)  # type: ignore[arg-type]


def test_an_invalid_table_is_a_diagnostic() -> None:
    wrong = uq.parse(f"prefix ex: <{EX}>\nctable t {{\n select distinct ?x\n c: ?x ex:p ?y\n}}").with_rows(
        (uq.filter_row("f", uq.v.nowhere > 1), *TABLE.rows)
    )
    with pytest.raises(uq.DiagnosticError, match="UQ2"):
        uq.chase(wrong, _graph(), KNOWN)


def test_what_programs_write_as_references() -> None:
    graph = _graph()
    written: list[object] = [KNOWN, [uq.IRI(one) for one in KNOWN], [(uq.IRI(one),) for one in KNOWN]]
    tables = {uq.chase(TABLE, graph, one).table for one in written}  # type: ignore[arg-type]
    assert len(tables) == 1
    for wrong, message in ((KNOWN[0], "are one text"), ([3], "3 is not a reference answer")):
        with pytest.raises(uq.DiagnosticError, match=f"UQ655: .*{message}"):
            uq.chase(TABLE, graph, wrong)  # type: ignore[arg-type]


def test_the_search_inside_takes_the_same_references() -> None:
    from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore

    store = ReferenceStore(_graph())
    inside = chase_and_backchase(TABLE, store, KNOWN, RelaxationOptions(strategy="greedy"))
    assert inside.table == relaxed(TABLE, store, KNOWN).table == uq.chase(TABLE, _graph(), KNOWN).table
