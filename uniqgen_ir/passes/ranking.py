"""Rankers from outside the search: what they return is checked before the beam relies on it."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.protocols import Ranker
from uniqgen_ir.ir.table import Table


@frozen
class CheckedRanker:
    """A ranker whose order holds every candidate once: those that it leaves out stand last, as they came."""

    ranker: Ranker

    def rank(self, table: Table, candidates: Sequence[frozenset[str]]) -> Sequence[frozenset[str]]:
        """Raises DiagnosticError UQ413 where the ranker names a set of rows that is no candidate."""
        ranked = tuple(self.ranker.rank(table, candidates))
        known = frozenset(candidates)
        for one in ranked:
            if one not in known:
                hint = "`rank` returns the candidates that it was given, best first"
                raise fail("UQ413", f"the ranker returned {one!r}, which is none of the candidates", hint=hint)
        return tuple(dict.fromkeys((*ranked, *candidates)))


def checked(ranker: Ranker | None) -> Ranker | None:
    """The ranker, checked; None where there is none."""
    return None if ranker is None else CheckedRanker(ranker)
