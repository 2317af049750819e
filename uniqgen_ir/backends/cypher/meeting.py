"""Patterns that could bind the same relationship."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from uniqgen_ir.backends.cypher.atoms import EdgeAtom
from uniqgen_ir.ir.diagnostics import fail

if TYPE_CHECKING:
    from uniqgen_ir.backends.cypher.conjunction import ConjunctionWriter


def refuse_shared_types(writer: ConjunctionWriter, inner: ConjunctionWriter, what: str) -> None:
    """One MATCH must not keep relationships apart that may be the same."""
    if writer.context.dialect.different and any(
        may_meet(one, other) and (one.apart is None or one.apart != other.apart)
        for one, other in combinations(inner.edges, 2)
    ):
        raise fail("UQ500", f"{what} that uses one relationship type twice cannot be written here")


def may_meet(one: EdgeAtom, other: EdgeAtom) -> bool:
    """Whether two patterns could bind the same relationship."""
    return not one.types or not other.types or bool({*one.types} & {*other.types})
