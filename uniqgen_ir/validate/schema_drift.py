"""What a change of schema does to tables: those that it breaks, and those that it makes doubtful."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.schema_index import index_of
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.typecheck import typecheck


@frozen
class Specification:
    """A table with the text that it was read from; `source` is None where spans do not count in it."""

    name: str
    table: Table
    source: str | None = None


@frozen
class Effect:
    """What the new schema says against a specification and the old one did not, and what it no longer says."""

    specification: Specification
    found: tuple[Diagnostic, ...] = ()
    mended: tuple[Diagnostic, ...] = ()

    @property
    def breaks(self) -> bool:
        """Whether the specification was right under the old schema and is wrong under the new one."""
        return any(one.severity is Severity.ERROR for one in self.found)


def effects(old: Schema, new: Schema, specifications: Iterable[Specification]) -> tuple[Effect, ...]:
    """The effect on every specification, in their order; most have none."""
    before, after = index_of(old), index_of(new)
    found: list[Effect] = []
    for one in specifications:
        was, is_now = (typecheck(one.table, index, source=one.source) for index in (before, after))
        known, current = {_mark(two) for two in was}, {_mark(two) for two in is_now}
        fresh = tuple(two for two in is_now if _mark(two) not in known)
        gone = tuple(two for two in was if _mark(two) not in current)
        found.append(Effect(one, fresh, gone))
    return tuple(found)


def _mark(one: Diagnostic) -> tuple[str, str, int]:
    """What two diagnostics about the same fault have in common: words of the message may name other declarations."""
    return one.code, one.severity.value, one.span.start if one.span else -1
