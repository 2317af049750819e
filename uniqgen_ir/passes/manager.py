"""The pass manager: runs passes in order, verifies between them, times them, and keeps a failure reproducible."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from enum import StrEnum

from attrs import define, field, frozen

from uniqgen_ir.ir import codec
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, errors
from uniqgen_ir.ir.protocols import StoreError
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.base import Pass, PassContext, Rewritten
from uniqgen_ir.passes.pipelines import print_pipeline
from uniqgen_ir.passes.trace import Step
from uniqgen_ir.passes.verify import require_valid, verify


class PrintMode(StrEnum):
    NEVER = "never"
    AFTER_ALL = "after-all"
    """after every pass"""
    AFTER_CHANGE = "after-change"
    """after every pass that changed the table"""


@frozen
class PassRun:
    """What one pass did."""

    name: str
    table: Table
    changed: bool
    steps: tuple[Step, ...]
    ms: float


@frozen
class PipelineResult:
    table: Table
    runs: tuple[PassRun, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """The trace: the steps of all passes in order."""
        return tuple(step for run in self.runs for step in run.steps)


def _ignore(_: PassRun) -> None:
    return None


@define
class PassManager:
    """Runs a pipeline. `on_print` is called as `print_mode` says; reproducers go to `reproducer_folder`."""

    passes: tuple[Pass, ...]
    print_mode: PrintMode = PrintMode.NEVER
    on_print: Callable[[PassRun], None] = _ignore
    reproducer_folder: str = field(factory=tempfile.gettempdir)

    def run(self, table: Table, context: PassContext | None = None) -> PipelineResult:
        """The table after all passes.

        Raises DiagnosticError: what a pass says about the table; UQ901 where a pass returns an invalid table and
        UQ900 where it
        fails in any other way, both naming the reproducer that was written.
        """
        context = context or PassContext()
        require_valid(table)
        runs: list[PassRun] = []
        for one in self.passes:
            run = self._run_one(one, table, context)
            runs.append(run)
            table = run.table
            if self.print_mode is PrintMode.AFTER_ALL or (self.print_mode is PrintMode.AFTER_CHANGE and run.changed):
                self.on_print(run)
        return PipelineResult(table, tuple(runs))

    def _run_one(self, one: Pass, table: Table, context: PassContext) -> PassRun:
        started = context.clock()
        try:
            outcome = one.run(table, context)
        except (DiagnosticError, StoreError):
            raise  # about the input or the store: nothing to reproduce
        except Exception as error:
            place = self._reproducer(table, context, one.name, repr(error))
            message = f"the pass `{one.name}` failed: {type(error).__name__}: {error}"
            raise DiagnosticError((Diagnostic("UQ900", message, hint=_report(place)),)) from error
        ms = (context.clock() - started) * 1000.0
        result = outcome.table if isinstance(outcome, Rewritten) else table
        found = errors(verify(result))
        if found:
            place = self._reproducer(table, context, one.name, "; ".join(fault.message for fault in found))
            message = f"the pass `{one.name}` returned an invalid table: {found[0].message}"
            raise DiagnosticError((Diagnostic("UQ901", message, hint=_report(place)), *found))
        return PassRun(one.name, result, isinstance(outcome, Rewritten), outcome.steps, ms)

    def _reproducer(self, table: Table, context: PassContext, pass_name: str, fault: str) -> str:
        data = {
            "pipeline": print_pipeline(self.passes),
            "failed": pass_name,
            "fault": fault,
            "seed": context.seed,
            "table": codec.to_json(table),
        }
        handle, path = tempfile.mkstemp(prefix="uniqgen-reproducer-", suffix=".json", dir=self.reproducer_folder)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(data, file, ensure_ascii=False, indent=1)
        return path


def _report(place: str) -> str:
    return f"please report it with the reproducer {place}"
