"""One fixed order of terms and answers, so that nothing depends on how sets are laid out.

By kind and text; quick, as it is asked of hundreds of thousands of answers.
"""

from __future__ import annotations

from collections.abc import Iterable

from uniqgen_ir.ir.terms import IRI, GroundTerm


def term_order(term: GroundTerm | None) -> str:
    """The key of a term: blank nodes before IRIs before literals."""
    return "I" + term.value if isinstance(term, IRI) else str(term)


def answer_order(answer: Iterable[GroundTerm | None]) -> tuple[str, ...]:
    """The key of an answer: that of its terms, one after the other."""
    return tuple(map(term_order, answer))
