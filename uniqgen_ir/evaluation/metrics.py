"""Figures of one question and of many: set F1, Hits@1, exact match, percentiles, bootstrap intervals."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Sequence
from typing import Final
from urllib.parse import unquote

from attrs import frozen

RESAMPLES: Final = 2_000
"""Resamples of the bootstrap: enough for two digits of a 95 % interval."""


@frozen
class Score:
    """How good the answers to one question are, each in [0, 1].

    Sets are compared. No answer to a question that has some scores 0; Hits@1 looks at the first answer.
    """

    f1: float
    hits1: float
    exact: float


@frozen
class Given:
    """An answer that was given, in all the forms in which a data set may write it (lower case)."""

    forms: frozenset[str]

    @classmethod
    def of(cls, label: object, identifier: object) -> Given:
        """From its label and its identifier: an IRI also counts by its last segment, as `m.0f2v0` or a quoted name."""
        texts = {_plain(label), _plain(identifier)}
        if isinstance(identifier, str):
            last = identifier.rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1]
            texts |= {_plain(last), _plain(unquote(last))}
            if identifier.startswith("urn:"):
                texts.add(_plain(unquote(identifier.rsplit(":", 1)[-1])))
        return cls(frozenset(texts))


def _plain(value: object) -> str:
    """A value as it is compared: lower case; a number by its value, so that 1.70 is 1.7."""
    text = ("true" if value else "false") if isinstance(value, bool) else str(value).strip().lower()
    try:
        number = float(text)
    except ValueError:
        return text
    return repr(number) if math.isfinite(number) else text


def score(given: Sequence[Given], gold: Collection[str]) -> Score:
    """The score of the distinct answers `given`, best first, against the gold answers."""
    wanted = {_plain(one) for one in gold}
    distinct = list(dict.fromkeys(given))
    right = [one for one in distinct if one.forms & wanted]
    found = {form for one in right for form in one.forms} & wanted
    precision = len(right) / len(distinct) if distinct else 0.0
    recall = len(found) / len(wanted) if wanted else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    first = bool(distinct) and bool(distinct[0].forms & wanted)
    return Score(f1, float(first), float(precision == recall == 1.0))


def mean(values: Sequence[float]) -> float:
    """The mean, 0 of nothing."""
    return math.fsum(values) / len(values) if values else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed (nearest rank); 0 of nothing."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0


def interval(values: Sequence[float], seed: int = 0, resamples: int = RESAMPLES) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of the mean (Efron 1979), by resampling with replacement."""
    if len(set(values)) < 2:
        return (mean(values), mean(values))
    draw = random.Random(seed)
    size = len(values)
    means = sorted(math.fsum(draw.choices(values, k=size)) / size for _ in range(resamples))
    return means[round(0.025 * (resamples - 1))], means[round(0.975 * (resamples - 1))]
