"""The pass `normalize`: one spelling for tables that mean the same."""

from __future__ import annotations

from attrs import frozen

from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.base import Outcome, PassContext, Unchanged


@frozen(kw_only=True)
class Normalize:
    name = "normalize"

    def run(self, table: Table, context: PassContext) -> Outcome:
        return Unchanged()
