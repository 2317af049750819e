"""Spoilt oracles, and the threshold that agrees best."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.unit.agents.traverse.ways import LENGTH, iri, ring, stop
from uniqgen_ir.evaluation.robustness.methods import set_f1
from uniqgen_ir.evaluation.robustness.oracle import SpoiltOracle
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.rows import Row, RowNote, Triple
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.passes.agreement import agreeing, agreement_of, relaxed
from uniqgen_ir.passes.relaxation import RelaxationOptions, chase_and_backchase
from uniqgen_ir.passes.search.budget import Budget, Cancellation

SHARES = (1.0, 0.9, 0.7, 0.5, 0.3)


def keys(*names: str) -> list[tuple[IRI]]:
    return [(iri(name),) for name in names]


def test_recall_and_precision_are_met_in_expectation() -> None:
    right, wrong = keys(*(f"r{n}" for n in range(5))), keys(*(f"w{n}" for n in range(40)))
    for recall in SHARES:
        for precision in SHARES:
            kept = added = 0
            for seed in range(400):
                found = {one.key for one in SpoiltOracle.drawn(right, wrong, str(seed)).references(recall, precision)}
                kept += len(found & set(right))
                added += len(found & set(wrong))
            assert kept / (400 * 5) == pytest.approx(recall, abs=0.02)
            assert kept / (kept + added) == pytest.approx(precision, abs=0.03)


def test_a_better_oracle_knows_all_that_a_worse_one_knows() -> None:
    oracle = SpoiltOracle.drawn(keys("a", "b", "c"), keys("x", "y", "z", "a"), "seed")
    assert all(one not in oracle.right for one in oracle.wrong)
    sizes = [{one.key for one in oracle.references(share, 1.0)} for share in SHARES]
    assert all(worse <= better for better, worse in pairwise(sizes))
    assert {one.key for one in oracle.references(1.0, 1.0)} == set(oracle.right)
    with pytest.raises(ValueError, match="recall"):
        oracle.references(0.0, 1.0)


def test_f1_of_sets() -> None:
    a, b, c = keys("a", "b", "c")
    assert set_f1(frozenset({a, b}), frozenset({b, c})) == pytest.approx(0.5)
    assert set_f1(frozenset(), frozenset()) == 1.0
    assert set_f1(frozenset({a}), frozenset()) == 0.0


def table() -> Table:
    """Stops that the road joins to the second stop, and the rail to the third: one of them."""
    answer = Variable("x")
    rows = (
        Row("road", Triple(answer, iri("road"), stop(3)), note=RowNote(uncertainty=0.2)),
        Row("rail", Triple(answer, iri("rail"), Variable("y")), note=RowNote(uncertainty=0.5)),
    )
    return Table("t", (Column(answer),), rows, Shell(distinct=True))


def test_a_wrong_reference_answer_no_longer_widens_the_table() -> None:
    store = ReferenceStore(ring())
    right = [ReferenceAnswer((stop(2),), 1.0)]
    wrong = [ReferenceAnswer((stop(7),), 0.4)]
    strict = chase_and_backchase(table(), store, [*right, *wrong], RelaxationOptions())
    assert len(strict.answers) == LENGTH  # the only table that covers both gives every stop
    found = agreeing(table(), store, [*right, *wrong])
    assert found.report.answers == ((stop(2),),)
    assert found.theta < 1.0
    assert found.report.calls > strict.calls
    assert found.attempts[0].theta == 1.0


def test_without_doubt_the_threshold_stays() -> None:
    store = ReferenceStore(ring())
    found = agreeing(table(), store, [ReferenceAnswer((stop(2),), 1.0)])
    assert (found.theta, len(found.attempts)) == (1.0, 1)
    none = agreeing(table(), store, [])
    assert (none.theta, len(none.attempts)) == (1.0, 1)


def test_doubt_is_for_reference_answers_that_are_less_than_sure() -> None:
    store = ReferenceStore(ring())
    sure = [ReferenceAnswer((stop(2),)), ReferenceAnswer((stop(7),))]
    unsure = [sure[0], ReferenceAnswer((stop(7),), 0.4)]
    by_default = RelaxationOptions()
    believed = relaxed(table(), store, sure, by_default)
    assert (believed.theta, len(believed.answers)) == (1.0, LENGTH)
    doubted = relaxed(table(), store, unsure, by_default)
    assert doubted.theta < 1.0
    assert doubted.answers == ((stop(2),),)
    assert relaxed(table(), store, unsure, RelaxationOptions(agreement="never")).theta == 1.0
    assert relaxed(table(), store, sure, RelaxationOptions(agreement="always")).answers == ((stop(2),),)


def test_all_attempts_together_keep_to_one_budget() -> None:
    store = ReferenceStore(ring())
    unsure = [ReferenceAnswer((stop(2),)), ReferenceAnswer((stop(7),), 0.4)]
    first = chase_and_backchase(table(), store, unsure, RelaxationOptions())
    for calls in range(1, 3 * first.calls):
        before = store.statistics.calls
        found = agreeing(table(), store, unsure, RelaxationOptions(budget=Budget(calls=calls)))
        assert store.statistics.calls - before == found.report.calls <= calls
    stopped = Cancellation(cancelled=True)
    assert len(agreeing(table(), store, unsure, RelaxationOptions(cancellation=stopped)).attempts) == 1


def test_agreement_weighs_recall_by_confidence() -> None:
    a, b = keys("a", "b")
    references = [ReferenceAnswer(a, 0.9), ReferenceAnswer(b, 0.1)]
    assert agreement_of([a], references) == pytest.approx(2 * 0.9 / 1.9)
    assert agreement_of([b], references) == pytest.approx(2 * 0.1 / 1.1)
    assert agreement_of([], references) == 0.0
