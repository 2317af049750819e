"""A scripted oracle: the gold answers, spoilt to a recall and a precision."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from attrs import frozen

from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.passes.search.result import AnswerKey


@frozen
class SpoiltOracle:
    """Gold answers and plausible wrong ones in an order drawn once for each question.

    The same draws serve every recall and precision, so that a better oracle gives a superset of right answers and a
    subset of wrong ones.
    """

    right: tuple[AnswerKey, ...]
    wrong: tuple[AnswerKey, ...]
    rounding: tuple[float, float]
    """of two fractions, which round up: drawn from [0, 1)"""

    @classmethod
    def drawn(cls, gold: Sequence[AnswerKey], wrong: Sequence[AnswerKey], seed: str) -> SpoiltOracle:
        """From the gold answers and candidates for wrong ones (those that are gold are left out)."""
        draw = random.Random(seed)
        right = sorted(set(gold), key=repr)
        others = sorted(set(wrong) - set(right), key=repr)
        draw.shuffle(right)
        draw.shuffle(others)
        return cls(tuple(right), tuple(others), (draw.random(), draw.random()))

    def references(self, recall: float, precision: float) -> tuple[ReferenceAnswer, ...]:
        """Reference answers of this recall and precision in expectation over questions.

        Numbers of answers are whole: a fraction rounds up with its own probability. Raises ValueError outside (0, 1].
        """
        if not (0.0 < recall <= 1.0 and 0.0 < precision <= 1.0):
            raise ValueError(f"recall {recall} and precision {precision} lie above 0 and at most at 1")
        expected = recall * len(self.right)
        kept = _rounded(expected, self.rounding[0])
        added = _rounded(expected * (1.0 - precision) / precision, self.rounding[1])
        return tuple(ReferenceAnswer(one) for one in (*self.right[:kept], *self.wrong[:added]))


def _rounded(value: float, draw: float) -> int:
    whole = math.floor(value + 1e-9)
    return whole + (draw < value - whole - 1e-9)
