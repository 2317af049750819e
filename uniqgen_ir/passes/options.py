"""Options of passes: read from text, checked against the fields of the pass, printed back."""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, fail
from uniqgen_ir.ir.suggestions import nearest

OptionValue = bool | int | float | str


def read_value(text: str) -> OptionValue:
    """`true`, `false`, a whole number, a decimal, otherwise a name."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def show_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def checked_options(pass_name: str, cls: Callable[..., object], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with values of the right type. Raises DiagnosticError UQ422 for each that does not fit."""
    hints = typing.get_type_hints(cls)
    known = {field.name: hints[field.name] for field in attrs.fields(typing.cast("type[attrs.AttrsInstance]", cls))}
    checked: dict[str, Any] = {}
    for name, value in options.items():
        plain = name.replace("-", "_")
        if plain not in known:
            guess = nearest(plain, ((one, one) for one in known))
            hint = f"did you mean `{guess}`?" if guess else f"it has {', '.join(known) or 'no options'}"
            raise DiagnosticError((Diagnostic("UQ422", f"`{pass_name}` has no option `{name}`", hint=hint),))
        checked[plain] = _fitting(pass_name, plain, value, known[plain])
    return checked


def _fitting(pass_name: str, name: str, value: OptionValue, wanted: Any) -> OptionValue:
    choices = typing.get_args(wanted)
    if typing.get_origin(wanted) is typing.Literal:
        if value in choices:
            return value
        guess = nearest(str(value), ((one, one) for one in choices))
        hint = f"did you mean `{guess}`?" if guess else f"it can be {', '.join(map(str, choices))}"
        message = f"`{name}` of `{pass_name}` cannot be `{show_value(value)}`"
        raise DiagnosticError((Diagnostic("UQ422", message, hint=hint),))
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is wanted:
        return value
    kinds = {int: "a whole number", float: "a number", bool: "true or false", str: "a name"}
    raise fail("UQ422", f"`{name}` of `{pass_name}` must be {kinds[wanted]}, not `{show_value(value)}`")


def at_least_one(pass_name: str, name: str, value: int) -> None:
    """Raises DiagnosticError UQ422 for a number of things that is below 1."""
    if value < 1:
        raise fail("UQ422", f"`{name}` of `{pass_name}` must be at least 1, not {value}")


def changed_options(one: object) -> dict[str, OptionValue]:
    """The options that differ from their defaults, in field order."""
    fields = attrs.fields(typing.cast("type[attrs.AttrsInstance]", type(one)))
    values = {field.name: getattr(one, field.name) for field in fields}
    return {field.name: values[field.name] for field in fields if values[field.name] != field.default}


def default_options(cls: Callable[..., object]) -> dict[str, str]:
    """Every option of the pass with its default, as pipelines write it."""
    fields = attrs.fields(typing.cast("type[attrs.AttrsInstance]", cls))
    return {field.name: show_value(field.default) for field in fields}
