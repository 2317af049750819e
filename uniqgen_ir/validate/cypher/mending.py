"""Repairs of what the reader finds, which need the whole query or the schema."""

from __future__ import annotations

from uniqgen_ir.grammar.cypher import CypherParse
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.validate.cypher.kinds import KindIndex


def mended(parse: CypherParse, index: KindIndex | None, one: Diagnostic) -> Diagnostic:
    """The diagnostic with a fix, if there is one."""
    return one
