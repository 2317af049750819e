"""The types of a table, as renderers, hover and checks use them."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from uniqgen_ir.ir.inference.build import type_scope
from uniqgen_ir.ir.inference.conditions import Part
from uniqgen_ir.ir.inference.evidence import Evidence, Key, ScopeTyping
from uniqgen_ir.ir.inference.expressions import expression_type
from uniqgen_ir.ir.schema_index import SchemaIndex, SchemaLike, index_of
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.types import ANY, Type


@frozen
class TypedTable:
    """A table with what is known of its variables. `scope` holds the evidence and the disagreements."""

    table: Table
    scope: ScopeTyping = field(eq=False, repr=False)
    types: Mapping[Variable, Type] = field(eq=False)
    index: SchemaIndex | None = field(default=None, eq=False, repr=False)

    def type_of(self, variable: Variable) -> Type:
        """The type of a variable of the rows or a column of the head; anything where nothing is known."""
        return self.types.get(variable, ANY)

    def evidence(self, variable: Variable) -> tuple[Evidence, ...]:
        """What made the type what it is, in the order in which it was found."""
        for scope in self.scope.walk():
            if variable in scope.evidence:
                return tuple(scope.evidence[variable])
        return ()


def infer(table: Table, schema: SchemaLike = None) -> TypedTable:
    """The table with its types. Works without a schema too: then use alone gives them."""
    index = index_of(schema)
    scope = type_scope(Part(table.rows), index)
    types: dict[Variable, Type] = {}
    # outermost first: a name that occurs inside and outside a block has its outer type
    for inner in scope.walk():
        for key, type_ in inner.types.items():
            if isinstance(key, Variable):
                types.setdefault(key, type_)
    known: dict[Key, Type] = dict(scope.types)
    for column in (*table.shell.group, *table.head):
        if column.alias is not None:
            known[column.alias] = types[column.alias] = expression_type(column.expression, known)
    return TypedTable(table, scope, types, index)


def infer_types(table: Table, schema: SchemaLike = None) -> dict[Variable, Type]:
    """The type of every variable of the table, columns of the head included; ANY where nothing is known."""
    typed = infer(table, schema)
    return dict(typed.types)
