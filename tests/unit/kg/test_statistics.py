"""What data says about relations."""

from __future__ import annotations

from uniqgen_ir.kg.lexicon_words import stem
from uniqgen_ir.kg.statistics import containment_depth, inverse_pairs, relation_statistics


def test_a_relation_and_its_mirror_are_inverse() -> None:
    forth = [(one, one + 100) for one in range(20)]
    back = [(other, one) for one, other in forth]
    assert inverse_pairs({0: forth, 1: back, 2: forth}) == {0: 1, 1: 0, 2: 1}


def test_one_pair_in_ten_missing_is_too_much() -> None:
    forth = [(one, one + 100) for one in range(20)]
    assert inverse_pairs({0: forth, 1: [(other, one) for one, other in forth[:18]]}) == {}


def test_containment_chains_and_has_a_fitting_name() -> None:
    pairs = [(1, 2), (2, 3), (3, 4), (5, 2)]
    assert containment_depth([stem("contained")], pairs) == 3
    assert containment_depth([stem("follows")], pairs) == 0
    assert containment_depth([stem("contained")], [(1, 2), (3, 4)]) == 0


def test_containment_in_a_circle_is_none() -> None:
    assert containment_depth([stem("part")], [(1, 2), (2, 3), (3, 1)]) == 0


def test_functional_means_one_object_each() -> None:
    assert relation_statistics([(1, 2), (3, 2)]).functional
    assert not relation_statistics([(1, 2), (1, 3)]).functional
