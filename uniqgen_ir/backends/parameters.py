"""Values for the `$parameters` of a table."""

from __future__ import annotations

from collections.abc import Mapping

from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Literal, Parameter
from uniqgen_ir.ir.visitor import parameters_in_order, rewrite


def table_parameters(table: Table) -> tuple[str, ...]:
    """The names of all parameters that occur in the table, in order of first use."""
    return tuple(parameter.name for parameter in parameters_in_order(table))


def bind_parameters(table: Table, values: Mapping[str, IRI | Literal]) -> Table:
    """The table with its parameters replaced by values.

    Raises DiagnosticError UQ611 naming every parameter without a value. Values that the table does not ask for are
    ignored.
    """
    missing = [name for name in table_parameters(table) if name not in values]
    if missing:
        raise unbound(missing)
    return rewrite(table, lambda node: values[node.name] if isinstance(node, Parameter) else node)


def unbound(names: list[str] | tuple[str, ...]) -> Exception:
    """The error for parameters without a value."""
    listed = ", ".join(f"${name}" for name in names)
    verb = "has" if len(names) == 1 else "have"
    return fail("UQ611", f"{listed} {verb} no value", hint=f"give one, as in --param {names[0]}=…")
