"""`uniqgen schema diff OLD NEW [SPEC…]`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from typing import Any

from uniqgen_ir.cli.commands.schema import schema_of_file
from uniqgen_ir.cli.exits import EXIT_BAD_INPUT, EXIT_OK
from uniqgen_ir.cli.output import diagnostic_json, print_diagnostics, print_json, read_input
from uniqgen_ir.driver import language_of, read
from uniqgen_ir.ir.print_names import Names
from uniqgen_ir.kg.schema_forms.drift import Change, changes
from uniqgen_ir.validate.schema_drift import Effect, Specification, effects


def run_diff(options: Namespace) -> int:
    """Print what changed and what it does to the specifications; 1 where one of them breaks."""
    old, old_prefixes = schema_of_file(options.old)
    new, new_prefixes = schema_of_file(options.new)
    found = changes(old, new)
    done = effects(old, new, [_specification(name) for name in options.specifications])
    if options.format == "json":
        print_json(
            {"changes": [_change_json(one) for one in found], "specifications": [_effect_json(one) for one in done]}
        )
    else:
        names = Names({**dict(old_prefixes), **dict(new_prefixes)}.items())
        _print(found, done, names)
    return EXIT_BAD_INPUT if any(one.breaks for one in done) else EXIT_OK


def _specification(name: str) -> Specification:
    """A table or query of a file. Raises DiagnosticError."""
    text, source = read_input(name, "specification")
    language = language_of(name)
    outcome = read(text, language, source)
    print_diagnostics(outcome.diagnostics, {source: text})
    # rows of tables have spans in their own text; those of queries are found less exactly
    return Specification(name, outcome.table, text if language == "ctable" else None)


def _change_json(one: Change) -> dict[str, Any]:
    return {"kind": one.kind, "what": one.what, "name": one.name.value, "before": one.before, "after": one.after}


def _effect_json(one: Effect) -> dict[str, Any]:
    return {
        "file": one.specification.name,
        "breaks": one.breaks,
        "found": [diagnostic_json(two) for two in one.found],
        "mended": [diagnostic_json(two) for two in one.mended],
    }


def _print(found: Iterable[Change], done: Iterable[Effect], names: Names) -> None:
    lines = [_line(one, names) for one in found]
    print("\n".join(lines) or "no declaration changed")
    for one in done:
        verdict = "breaks" if one.breaks else "is doubtful now" if one.found else "still holds"
        print(f"{one.specification.name}: {verdict}")
        source = one.specification.source
        print_diagnostics(one.found, {one.specification.name: source} if source is not None else None)


def _line(one: Change, names: Names) -> str:
    name = names.iri(one.name.value)
    if one.kind != "changed":
        return f"{'+' if one.kind == 'added' else '-'} {one.what} {name}"
    before, after = (_short(value, names) for value in (one.before, one.after))
    return f"~ {name}: {one.what} {before} -> {after}"


def _short(value: str | None, names: Names) -> str:
    if value is None:
        return "(none)"
    return ", ".join(names.iri(one[1:-1]) if one.startswith("<") else one for one in value.split(", "))
