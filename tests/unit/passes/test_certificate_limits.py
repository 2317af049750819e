"""A replay that must end, and a schema that must say what the trace rests on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.passes.outside import random_case
from tests.unit.passes.test_exact import forged
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
from uniqgen_ir.ir.protocols import Answers, StoreTimeout
from uniqgen_ir.ir.rows import SubTable, Triple
from uniqgen_ir.ir.schema import RelationDeclaration, Schema
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.passes.certificates.checker import verify_trace
from uniqgen_ir.passes.nesting import nested
from uniqgen_ir.passes.relaxation import STRATEGIES, RelaxationOptions, chase_and_backchase
from uniqgen_ir.passes.search.budget import Budget
from uniqgen_ir.passes.search.result import Status

SEEDS = (0, 1, 2, 3, 5, 8)


def _slow(monkeypatch: pytest.MonkeyPatch, too_long: Callable[[Table], bool]) -> None:
    """The reference store does not end what is too long for it."""
    whole: Callable[..., Answers] = ReferenceStore.select

    def select(self: ReferenceStore, table: Table, **options: Any) -> Answers:
        if too_long(table):
            raise StoreTimeout((Diagnostic("UQ601", "too long"),))
        return whole(self, table, **options)

    monkeypatch.setattr(ReferenceStore, "select", select)


seen: dict[int, int] = {}
"""how many statements were slow, by case: not all tables have branches"""


def _nested(table: Table) -> bool:
    return any(isinstance(row.atom, SubTable) for row in table.rows)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_store_cannot_answer_in_time_is_unproved(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    case = random_case(seed)
    report = chase_and_backchase(case.table, ReferenceStore(case.graph), case.references, RelaxationOptions())
    whole = verify_trace(report.steps, ReferenceStore(case.graph), timeout=5.0)
    assert whole.valid
    _slow(monkeypatch, lambda _: True)
    none = verify_trace(report.steps, ReferenceStore(case.graph), timeout=5.0)
    assert none.valid
    assert any("did not answer in time" in one for one in none.unproved)
    assert none.claims < whole.claims


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_too_long_at_once_is_asked_for_branch_by_branch(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    case = random_case(seed)
    report = chase_and_backchase(case.table, ReferenceStore(case.graph), case.references, RelaxationOptions())
    whole = verify_trace(report.steps, ReferenceStore(case.graph))
    slow: list[Table] = []

    def can_be_said_in_branches(table: Table) -> bool:
        if _nested(table) or not _nested(nested(case.table, table.columns, table.rows)):
            return False
        slow.append(table)
        return True

    _slow(monkeypatch, can_be_said_in_branches)
    found = verify_trace(report.steps, ReferenceStore(case.graph))
    assert (found.valid, found.unproved) == (whole.valid, whole.unproved)
    assert len(slow) == len(set(slow))  # none is sent twice
    seen[seed] = len(slow)
    assert len(seen) < len(SEEDS) or any(seen.values())


def test_a_schema_that_does_not_say_what_the_trace_rests_on_is_no_ground_for_it() -> None:
    case = random_case(1)
    relation = next(row.atom.predicate for row in case.table.rows if isinstance(row.atom, Triple))
    assert isinstance(relation, IRI)
    real = Schema(name="real", relations=(RelationDeclaration(relation, functional=True),))
    options = RelaxationOptions(schema=real)
    steps = chase_and_backchase(case.table, ReferenceStore(case.graph), case.references, options).steps
    assert verify_trace(steps, ReferenceStore(case.graph), schema=real).valid
    told: dict[str, Any] = {**steps[0].evidence["schema"], "domains": [[relation.value, "http://e.x/Invented"]]}  # type: ignore[dict-item]
    false = forged(steps, told)
    assert verify_trace(false, ReferenceStore(case.graph)).valid
    (fault,) = verify_trace(false, ReferenceStore(case.graph), schema=real).diagnostics
    assert fault.code == "UQ491"
    assert "schema does not say" in fault.message


def test_a_search_without_its_answers_says_so() -> None:
    """More answers than may be compared: the trace claims none, and is still whole."""
    case = next(one for one in map(random_case, range(20)) if len(one.answers) > 1)
    for strategy in STRATEGIES:
        options = RelaxationOptions(strategy=strategy, budget=Budget(answers=1))
        report = chase_and_backchase(case.table, ReferenceStore(case.graph), case.references, options)
        assert (report.status, report.answers) == (Status.STOPPED, None)
        assert report.to_json()["answers"] is None
        verdict = verify_trace(report.steps, ReferenceStore(case.graph))
        assert verdict.valid
        assert any("which answers the rows give is not said" in one for one in verdict.unproved)
