"""Type inference over tables: what each variable can stand for, and the evidence for it.

Rules: `spec/typing.md`. Diagnostics are made from the result by `uniqgen_ir.passes.typecheck`.
"""

from __future__ import annotations

from uniqgen_ir.ir.inference.evidence import BlockKind, Child, Clash, Conflict, Evidence, Key, ScopeTyping
from uniqgen_ir.ir.inference.expressions import expression_type, wanted_by_function
from uniqgen_ir.ir.inference.view import TypedTable, infer, infer_types

__all__ = [
    "BlockKind",
    "Child",
    "Clash",
    "Conflict",
    "Evidence",
    "Key",
    "ScopeTyping",
    "TypedTable",
    "expression_type",
    "infer",
    "infer_types",
    "wanted_by_function",
]
