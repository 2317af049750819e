"""Arms against each other."""

from __future__ import annotations

from typing import Any

import pytest

from uniqgen_ir.evaluation.bpc.arms import Arm, Guide, Kind, arms_of
from uniqgen_ir.evaluation.bpc.compare import FALLING_OUT, HELPED, MISLED, compare, sign_test
from uniqgen_ir.evaluation.charts import Chart
from uniqgen_ir.ir.diagnostics import DiagnosticError


def line(question: str, f1: float, *steps: tuple[str, list[int], dict[str, float]]) -> dict[str, Any]:
    told = [{"path": path, "shown": shown, "chosen": chosen, "stop": 0.0} for path, shown, chosen in steps]
    return {"question": question, "f1": f1, "steps": told, "paths": []}


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [(0, 0, 1.0), (5, 5, 1.0), (5, 0, 0.0625), (0, 6, 0.03125), (9, 1, 22 / 1024), (2000, 0, 0.0)],
)
def test_the_sign_test_is_exact(wins: int, losses: int, p: float) -> None:
    assert sign_test(wins, losses) == pytest.approx(p)


def test_what_decided_is_told_by_the_hops_that_only_one_arm_saw() -> None:
    few = [
        line("helped", 0.0, ("a", [], {"x": 0.9, "y": 0.1})),
        line("misled", 1.0, ("a", [], {"x": 0.9, "y": 0.1})),
        line("weights", 1.0, ("a", [], {"x": 0.9, "y": 0.1})),
        line("tie", 1.0, ("a", [], {"x": 0.9, "y": 0.1})),
    ]
    many = [
        line("helped", 1.0, ("a", [1], {"y": 0.9, "x": 0.1})),
        line("misled", 0.0, ("a", [1], {"y": 0.9, "x": 0.1})),
        line("weights", 0.0, ("a", [1], {"x": 0.6, "y": 0.4})),
        line("tie", 1.0, ("a", [1], {"y": 0.6, "x": 0.4})),
    ]
    found = compare(few, many)
    assert (found.wins, found.losses, found.ties) == (2, 1, 1)
    assert found.reasons == {HELPED: 1, MISLED: 1, FALLING_OUT: 1}
    assert [one["at"] for one in found.examples] == ["a (hop 1)", "a (hop 1)", ""]
    turned = compare(many, few)
    assert (turned.wins, turned.losses, turned.reasons) == (1, 2, found.reasons)


def test_lines_of_other_questions_are_not_compared() -> None:
    with pytest.raises(ValueError, match="same questions"):
        compare([line("a", 1.0)], [line("b", 1.0)])


def test_arms_have_names_and_controls_that_they_can_do() -> None:
    arms = arms_of(["lexical", "m", "reading:0.1,0.2"], [0, None], ["random", "memory", "tog"])
    names = [arm.name for arm in arms]
    assert "lexical, K=0" in names
    assert "lexical, no graph" not in names
    assert "m, no graph" in names
    assert "m, think on graph" in names
    assert "reading:0.1,0.2, random relations" in names
    assert len(names) == len(set(names))
    assert [arm.guide.name for arm in arms if arm.guide.scripted] == ["reading:0.1,0.2"] * 3
    assert Arm(Guide("m"), Kind.WALK, 1).name == "m, K=1"


@pytest.mark.parametrize("name", ["scripted:x", "scripted:2", "reading:0.1", "reading:0.1,0.2,0.3"])
def test_scripts_that_make_no_sense_are_refused(name: str) -> None:
    with pytest.raises(DiagnosticError, match="UQ653"):
        arms_of([name], [1], [])


def test_unknown_controls_are_refused() -> None:
    with pytest.raises(DiagnosticError, match="nobody"):
        arms_of(["lexical"], [1], ["nobody"])


def test_charts_place_points_by_their_values() -> None:
    chart = Chart(
        title="a < b", x_label="x", y_label="y", x=(0.0, 1.0), y=(0.0, 1.0), series={"one": [(0.0, 0.0), (1.0, 1.0)]}
    )
    text = chart.svg()
    assert "a &lt; b" in text
    assert 'd="M60.0,304.0 L490.0,44.0"' in text
    turned = Chart(
        title="t", x_label="x", y_label="y", x=(0.0, 1.0), y=(0.0, 1.0), series={"one": [(0.0, 0.0)]}, falling=True
    )
    assert 'cx="490.0"' in turned.svg()
