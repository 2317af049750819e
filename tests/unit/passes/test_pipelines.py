"""Textual pipelines and the pass manager."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import frozen

from tests.unit.passes.outside import random_case
from uniqgen_ir.ir import codec
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes.backchase import Backchase
from uniqgen_ir.passes.base import Outcome, PassContext, Rewritten
from uniqgen_ir.passes.chase import Chase
from uniqgen_ir.passes.manager import PassManager, PassRun, PrintMode
from uniqgen_ir.passes.normalize import Normalize
from uniqgen_ir.passes.pipelines import DEFAULT_PIPELINE, SEARCH_PIPELINE, parse_pipeline, print_pipeline
from uniqgen_ir.passes.registry import PASSES, describe
from uniqgen_ir.passes.relaxation import chase_and_backchase


def code_of(text: str) -> tuple[str, str | None]:
    with pytest.raises(DiagnosticError) as caught:
        parse_pipeline(text)
    return caught.value.diagnostics[0].code, caught.value.diagnostics[0].hint


@pytest.mark.parametrize(
    "text",
    [
        DEFAULT_PIPELINE,
        SEARCH_PIPELINE,
        "normalize",
        "normalize, chase{strategy=beam, beam=8}, backchase{objective=tight, evidence=schema}",
        "chase{theta=0.5}, score{again=true}",
    ],
)
def test_pipelines_print_back(text: str) -> None:
    assert print_pipeline(parse_pipeline(text)) == text


def test_a_pipeline_becomes_passes_with_options() -> None:
    found = parse_pipeline(" normalize ,chase{ theta = 1 , beam=2 },backchase{ }")
    assert found == (Normalize(), Chase(theta=1.0, beam=2), Backchase())


def test_faults_in_pipelines_say_what_was_meant() -> None:
    assert code_of("normalise") == ("UQ421", "did you mean `normalize`?")
    assert code_of("chase{strategy=gready}") == ("UQ422", "did you mean `greedy`?")
    assert code_of("chase{stratgy=beam}") == ("UQ422", "did you mean `strategy`?")
    assert code_of("chase{beam=wide}")[0] == "UQ422"
    assert code_of("chase{beam=true}")[0] == "UQ422"
    assert code_of("verify{deep=true}")[0] == "UQ422"


@pytest.mark.parametrize(
    "text", ["", "normalize,", "normalize chase", "chase{beam}", "chase{beam=2", "chase{beam=2, beam=3}"]
)
def test_broken_pipelines_point_at_the_place(text: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        parse_pipeline(text)
    found = caught.value.diagnostics[0]
    assert found.code == "UQ420"
    assert found.span is not None
    assert found.span.start <= len(text)


def test_every_pass_is_described_and_can_be_made() -> None:
    assert [one["name"] for one in describe()] == list(PASSES)
    for one in describe():
        assert one["summary"]
        options = ", ".join(f"{name}={value}" for name, value in one["options"].items())
        made = parse_pipeline(f"{one['name']}{{{options}}}")
        assert print_pipeline(made) == one["name"]


def test_the_search_pipeline_gives_what_the_entry_point_gives() -> None:
    for seed in range(8):
        case = random_case(seed)
        context = PassContext(store=ReferenceStore(case.graph), references=case.references)
        result = PassManager(parse_pipeline("verify, chase, backchase")).run(case.table, context)
        report = chase_and_backchase(case.table, ReferenceStore(case.graph), case.references)
        assert result.table == report.table
        assert [run.name for run in result.runs] == ["verify", "chase", "backchase"]
        assert all(run.ms >= 0 for run in result.runs)
        assert [step.rule for step in result.steps if step.rule == "chase.drop"] == [
            step.rule for step in report.steps if step.rule == "chase.drop"
        ]


def test_passes_that_need_a_store_or_answers_say_so() -> None:
    case = random_case(1)
    for text, context in (
        ("chase", PassContext()),
        ("chase", PassContext(store=ReferenceStore(case.graph))),
        ("score", PassContext()),
        ("backchase", PassContext()),
    ):
        with pytest.raises(DiagnosticError) as caught:
            PassManager(parse_pipeline(text)).run(case.table, context)
        assert caught.value.diagnostics[0].code == "UQ423"


def test_printing_after_all_and_after_change() -> None:
    case = random_case(1)
    for mode, wanted in ((PrintMode.AFTER_ALL, ["verify", "normalize"]), (PrintMode.AFTER_CHANGE, ["normalize"])):
        seen: list[PassRun] = []
        PassManager(parse_pipeline("verify, normalize"), print_mode=mode, on_print=seen.append).run(case.table)
        assert [run.name for run in seen] == wanted


@frozen(kw_only=True)
class Breaks:
    """Return a table whose head nothing binds, or fail."""

    fails: bool = False

    name = "breaks"

    def run(self, table: Table, context: PassContext) -> Outcome:  # noqa: ARG002
        if self.fails:
            raise ZeroDivisionError("no luck")
        return Rewritten(Table(table.name, (Column(Variable("nothing")),), table.rows), ())


@pytest.mark.parametrize(("fails", "code"), [(False, "UQ901"), (True, "UQ900")])
def test_a_failing_pass_leaves_a_reproducer(fails: bool, code: str, tmp_path: Path) -> None:
    case = random_case(1)
    manager = PassManager((Normalize(), Breaks(fails=fails)), reproducer_folder=str(tmp_path))
    with pytest.raises(DiagnosticError) as caught:
        manager.run(case.table, PassContext(seed=17))
    assert caught.value.diagnostics[0].code == code
    (path,) = tmp_path.iterdir()
    assert str(path) in (caught.value.diagnostics[0].hint or "")
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert kept["pipeline"] == ("normalize, breaks" if not fails else "normalize, breaks{fails=true}")
    assert kept["seed"] == 17
    assert codec.from_json(kept["table"]) == parse_and_normalize(case.table)


def parse_and_normalize(table: Table) -> Table:
    return PassManager(parse_pipeline("normalize")).run(table).table


def test_an_invalid_table_is_refused_before_any_pass() -> None:
    table = Table("t", (Column(Variable("x")),), ())
    with pytest.raises(DiagnosticError) as caught:
        PassManager(parse_pipeline("normalize")).run(table)
    assert caught.value.diagnostics[0].code == "UQ202"
