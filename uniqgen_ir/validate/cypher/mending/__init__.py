"""Repairs of what the reader finds, which need the whole query or the schema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import evolve

from uniqgen_ir.grammar.cypher import CypherParse
from uniqgen_ir.ir.diagnostics import Diagnostic, Fix
from uniqgen_ir.validate.cypher.kinds import KindIndex
from uniqgen_ir.validate.cypher.mending.aggregation import aggregation
from uniqgen_ir.validate.cypher.mending.calls import function, list_property
from uniqgen_ir.validate.cypher.mending.columns import union_columns, unnamed_column
from uniqgen_ir.validate.cypher.mending.place import Place, Tree
from uniqgen_ir.validate.cypher.mending.scope import undefined


class Mender:
    """Finds repairs for the diagnostics of one query."""

    def __init__(self, parse: CypherParse, index: KindIndex | None) -> None:
        self.tree = Tree(parse)
        self.index = index

    def mended(self, one: Diagnostic) -> Diagnostic:
        """The diagnostic with a fix, if there is one."""
        repair = _REPAIRS.get(one.code)
        if repair is None or one.span is None or one.fix is not None:
            return one
        fix = repair(Place(self.tree, self.index, one.span, one.message))
        return one if fix is None else evolve(one, fix=fix, hint=fix.title)


_REPAIRS: Final[dict[str, Callable[[Place], Fix | None]]] = {
    "UQ187": undefined,
    "UQ189": aggregation,
    "UQ190": union_columns,
    "UQ194": list_property,
    "UQ197": unnamed_column,
    "UQ199": function,
}
