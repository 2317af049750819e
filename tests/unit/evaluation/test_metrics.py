"""Scores of one question, means and intervals of many."""

from __future__ import annotations

import pytest

from uniqgen_ir.evaluation.metrics import Given, interval, mean, percentile, score
from uniqgen_ir.ir.codes import CODES


def given(*labels: object) -> list[Given]:
    return [Given.of(label, label) for label in labels]


@pytest.mark.parametrize(
    ("said", "gold", "f1", "hits1", "exact"),
    [
        (["a", "b"], ["a", "b"], 1.0, 1.0, 1.0),
        (["A", "b"], ["a", "B"], 1.0, 1.0, 1.0),
        (["a", "c"], ["a", "b"], 0.5, 1.0, 0.0),
        (["c", "a"], ["a"], 2 / 3, 0.0, 0.0),
        (["a", "a"], ["a"], 1.0, 1.0, 1.0),
        ([], ["a"], 0.0, 0.0, 0.0),
        (["a"], ["b"], 0.0, 0.0, 0.0),
        ([1.7], ["1.70"], 1.0, 1.0, 1.0),
        ([3], ["3"], 1.0, 1.0, 1.0),
        ([True], ["true"], 1.0, 1.0, 1.0),
        (["nan"], ["nan"], 1.0, 1.0, 1.0),
    ],
)
def test_a_question(said: list[object], gold: list[str], f1: float, hits1: float, exact: float) -> None:
    found = score(given(*said), gold)
    assert (found.f1, found.hits1, found.exact) == (pytest.approx(f1), hits1, exact)


@pytest.mark.parametrize(
    ("identifier", "gold"),
    [
        ("http://rdf.freebase.com/ns/m.0f2v0", "m.0f2v0"),
        ("http://dbpedia.org/resource/Lake_Placid", "http://dbpedia.org/resource/Lake_Placid"),
        ("urn:e:Grown%20Ups%202", "Grown Ups 2"),
        ("http://example.org/onto#Thing", "thing"),
    ],
)
def test_an_answer_counts_under_its_label_and_its_identifier(identifier: str, gold: str) -> None:
    one = Given.of("The label", identifier)
    assert score([one], [gold]).exact == 1.0
    assert score([one], ["the label"]).exact == 1.0
    # one answer is one answer, however many of its names the gold list has
    assert score([one, Given.of("other", "urn:e:other")], [gold]).f1 == pytest.approx(2 / 3)


def test_percentiles_are_values_that_were_measured() -> None:
    assert percentile([5, 1, 3, 2, 4], 0.5) == 3
    assert percentile([5, 1, 3, 2, 4], 0.95) == 5
    assert percentile([], 0.5) == 0.0


def test_the_interval_holds_the_mean_and_narrows_with_more_values() -> None:
    few, many = [0.0, 1.0] * 10, [0.0, 1.0] * 500
    for values in (few, many):
        low, high = interval(values)
        assert low < mean(values) < high
    assert interval(many)[1] - interval(many)[0] < interval(few)[1] - interval(few)[0]
    assert interval(few) == interval(few)
    assert interval([1.0, 1.0]) == (1.0, 1.0)
    # of 20 fair coins the mean's interval is about ± 1.96 × .5/√20
    assert interval(few) == pytest.approx((0.5 - 0.219, 0.5 + 0.219), abs=0.05)


def test_codes_of_models_are_in_the_table() -> None:
    assert {f"UQ69{digit}" for digit in range(10)} <= set(CODES)
