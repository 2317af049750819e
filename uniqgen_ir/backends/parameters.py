"""Values for the `$parameters` of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import attrs

from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Literal, Parameter


def table_parameters(table: Table) -> tuple[str, ...]:
    """The names of all parameters that occur in the table, in order of first use."""
    found: dict[str, None] = {}

    def note(parameter: Parameter) -> Parameter:
        found[parameter.name] = None
        return parameter

    _replace(table, note)
    return tuple(found)


def bind_parameters(table: Table, values: Mapping[str, IRI | Literal]) -> Table:
    """The table with its parameters replaced by values.

    Raises DiagnosticError UQ611 naming every parameter without a value. Values that the table does not ask for are
    ignored.
    """
    missing = [name for name in table_parameters(table) if name not in values]
    if missing:
        raise unbound(missing)
    return cast(Table, _replace(table, lambda parameter: values[parameter.name]))


def unbound(names: list[str] | tuple[str, ...]) -> Exception:
    """The error for parameters without a value."""
    listed = ", ".join(f"${name}" for name in names)
    verb = "has" if len(names) == 1 else "have"
    return fail("UQ611", f"{listed} {verb} no value", hint=f"give one, as in --param {names[0]}=…")


def _replace(node: object, replacement: Callable[[Parameter], Any]) -> Any:
    if isinstance(node, Parameter):
        return replacement(node)
    if isinstance(node, tuple):
        parts = cast("tuple[object, ...]", node)
        changed = tuple(_replace(one, replacement) for one in parts)
        return changed if any(new is not old for new, old in zip(changed, parts, strict=True)) else parts
    kind = cast("type[Any]", type(node))
    if attrs.has(kind):
        fields = {field.name: getattr(node, field.name) for field in attrs.fields(kind)}
        new = {name: _replace(value, replacement) for name, value in fields.items()}
        different = {name: value for name, value in new.items() if value is not fields[name]}
        return attrs.evolve(cast(Any, node), **different) if different else node
    return node
