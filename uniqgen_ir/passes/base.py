"""The contract of a pass: a valid table in, a valid table out, and a step for everything that changed.

A pass is a frozen attrs class. Its fields are its options (keyword-only, with defaults), `name` is how pipelines call
it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, TypeAlias

from attrs import define, field, frozen

from uniqgen_ir.ir.diagnostics import DiagnosticError, fail
from uniqgen_ir.ir.protocols import Ranker, ReferenceAnswer, Store
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.search.budget import Budget
from uniqgen_ir.passes.search.result import ChaseReport, Relaxed
from uniqgen_ir.passes.trace import Step


@frozen
class Rewritten:
    """The pass changed the table; `steps` say how."""

    table: Table
    steps: tuple[Step, ...]


@frozen
class Unchanged:
    """The table was as the pass wants it. `steps` may hold findings."""

    steps: tuple[Step, ...] = ()


Outcome: TypeAlias = Rewritten | Unchanged


@define
class PassContext:
    """What a run gives its passes. A pass that needs a store asks `need_store`."""

    store: Store | None = None
    references: tuple[ReferenceAnswer, ...] | None = None
    schema: Schema | None = None
    prefixes: tuple[tuple[str, str], ...] = ()
    """those that the files of the schema declare"""
    ranker: Ranker | None = None
    budget: Budget = field(factory=Budget)
    seed: int = 0
    clock: Callable[[], float] = time.monotonic
    relaxed: Relaxed | None = None
    """what the last `chase` found, for the `backchase` that follows it"""
    report: ChaseReport | None = None
    """what chase and backchase found together"""

    def need_store(self, pass_name: str) -> Store:
        """The store. Raises DiagnosticError UQ423 where there is none."""
        if self.store is None:
            raise missing(pass_name, "a graph")
        return self.store


def missing(pass_name: str, what: str) -> DiagnosticError:
    return fail("UQ423", f"the pass `{pass_name}` needs {what}, and this run has none")


class Pass(Protocol):
    """One rewrite or check."""

    @property
    def name(self) -> str: ...

    def run(self, table: Table, context: PassContext) -> Outcome:
        """Raises DiagnosticError where the table cannot be worked on."""
        ...
