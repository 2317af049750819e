"""Tables and answers travel as JSON without loss, and the published schema describes what is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property import strategies
from uniqgen_ir.ir import rows
from uniqgen_ir.ir.codec import answers_from_json, answers_to_json, from_json, json_schema, to_json
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.rows import OptionalBlock, Row
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import BlankNode, Literal
from uniqgen_ir.ir.visitor import rewrite

SCHEMA_FILE = Path(__file__).resolve().parents[2] / "spec" / "ctable.schema.json"
SCHEMA = json_schema()


def through_text(value: Any) -> Any:
    return json.loads(json.dumps(value))


@given(strategies.full_tables())
def test_a_table_fits_the_schema_and_survives_the_round_trip(table: Table) -> None:
    written = through_text(to_json(table))
    assert list(faults(written, SCHEMA, SCHEMA["$defs"])) == []
    assert from_json(written) == table


def test_the_round_trip_keeps_spans_and_prefixes() -> None:
    span = Span(0, 4, 1, 1, 1, 5, "t.ctable")
    row = Row("c1", rows.TypeAtom(strategies.KEY, strategies.CLASSES[0]), span=span)
    table = Table("t", (), (row,), prefixes=(("ex", strategies.BASE),), span=span)
    back = from_json(through_text(to_json(table)))
    assert (back.span, back.rows[0].span, back.prefixes) == (span, span, table.prefixes)


def test_the_published_schema_is_current() -> None:
    """`python -m uniqgen_ir.ir.codec` prints it."""
    assert json.loads(SCHEMA_FILE.read_text(encoding="utf-8")) == json_schema()


@settings(max_examples=settings().max_examples // 2)
@given(strategies.full_tables(), st.data())
def test_a_damaged_table_gives_a_diagnostic_or_another_table(table: Table, data: st.DataObject) -> None:
    """Whatever key is dropped, renamed or given a wrong value: a diagnostic with a place, never a traceback."""
    damaged = through_text(to_json(table))
    place = data.draw(st.sampled_from(list(containers(damaged))))
    key = data.draw(st.sampled_from(list(place.keys() if isinstance(place, dict) else range(len(place)))))
    damage = data.draw(st.sampled_from(["drop", "rename", 3, "text", None, [], {}, {"type": "uri"}, True, -1]))
    if damage == "drop":
        del place[key]
    elif damage == "rename" and isinstance(place, dict):
        place[f"{key}x"] = place.pop(key)
    else:
        place[key] = damage
    codes: set[str] = set()
    try:
        from_json(damaged)
    except DiagnosticError as error:
        codes = {one.code for one in error.diagnostics}
    assert codes <= {"UQ170", "UQ171"}


def containers(value: Any) -> Any:
    if isinstance(value, dict | list) and value:
        yield value
        for one in value.values() if isinstance(value, dict) else value:
            yield from containers(one)


def test_a_lossy_codec_is_caught() -> None:
    """Forgetting `where` is seen by the round trip: the row differs."""
    row = Row("c1", rows.TypeAtom(strategies.KEY, strategies.CLASSES[0]), where=Literal.of(True))
    table = Table("t", (), (row,))
    written = to_json(table)
    del written["rows"][0]["where"]
    assert from_json(written) != table


@pytest.mark.parametrize(
    ("value", "code", "place"),
    [
        ([], "UQ171", "the table"),
        ({"name": "t"}, "UQ170", "the key ctable is missing"),
        ({"ctable": 2}, "UQ170", "version 2"),
        ({"ctable": 1, "name": "t", "head": []}, "UQ171", "rows is missing"),
        ({"ctable": 1, "name": "t", "head": [], "rows": [{"id": "c1"}]}, "UQ171", "rows[0]"),
        ({"ctable": 1, "name": "t", "head": [], "rows": [], "heads": 1}, "UQ171", "did you mean head?"),
        (
            {"ctable": 1, "name": "t", "head": [], "rows": [{"id": "c1", "atom": {"kind": "trple"}}]},
            "UQ171",
            "did you mean triple?",
        ),
        (
            {"ctable": 1, "name": "t", "head": [{"expression": {"type": "literal", "value": "a"}}], "rows": []},
            "UQ171",
            "head[0]: a computed column needs a name",
        ),
        (
            {"ctable": 1, "name": "t", "head": [], "rows": [], "shell": {"limit": -1}},
            "UQ171",
            "shell.limit",
        ),
    ],
)
def test_faults_name_their_place(value: Any, code: str, place: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        from_json(value)
    assert caught.value.diagnostics[0].code == code
    assert place in caught.value.diagnostics[0].message


def test_nesting_without_end_gives_a_diagnostic() -> None:
    row = Row("c1", rows.TypeAtom(strategies.KEY, strategies.CLASSES[0]))
    value = to_json(Table("t", (), (Row("c2", OptionalBlock((row,))),)))
    inner = value["rows"][0]
    for _ in range(3000):
        inner = {"id": "c1", "atom": {"kind": "optional", "rows": [inner]}}
    value["rows"] = [inner]
    with pytest.raises(DiagnosticError, match="nested too deeply"):
        from_json(value)


def test_spans_take_no_part_in_equality() -> None:
    table = Table("t", (), (Row("c1", rows.TypeAtom(strategies.KEY, strategies.CLASSES[0])),))
    spanned = rewrite(table, lambda one: evolve(one, span=Span(0, 0, 1, 1, 1, 1)) if isinstance(one, Row) else one)
    assert spanned == table
    assert from_json(to_json(spanned)) == table


cells = st.none() | strategies.ground_terms | st.builds(BlankNode, strategies.variable_names)


@given(st.lists(st.tuples(cells, cells), max_size=4), st.booleans())
def test_typed_answers_survive_the_round_trip(lines: list[Any], complete: bool) -> None:
    answers = Answers(("a", "b"), tuple(lines), complete)
    assert answers_from_json(through_text(answers_to_json(answers, typed=True))) == answers


def faults(value: Any, schema: dict[str, Any], definitions: dict[str, Any]) -> Any:
    """What a JSON Schema validator would say: the part of draft 2020-12 that the schema uses."""
    if "$ref" in schema:
        yield from faults(value, definitions[schema["$ref"].removeprefix("#/$defs/")], definitions)
    if "anyOf" in schema and all(any(True for _ in faults(value, one, definitions)) for one in schema["anyOf"]):
        yield f"{value!r} fits none"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{value!r} is not listed"
    if "const" in schema and value != schema["const"]:
        yield f"{value!r} is not {schema['const']!r}"
    yield from type_faults(value, schema, definitions)


def type_faults(value: Any, schema: dict[str, Any], definitions: dict[str, Any]) -> Any:
    types: dict[Any, Any] = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    kind = schema.get("type")
    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    if kind in ("integer", "number") and (not numeric or value < schema.get("minimum", value)):
        yield f"{value!r} is not a fitting number"
    if kind in types and not isinstance(value, types[kind]):
        yield f"{value!r} is not of type {kind}"
    elif kind == "array":
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield "wrong number of items"
        for one in value:
            yield from faults(one, schema["items"], definitions)
    elif kind == "object":
        yield from (f"{key} is missing" for key in schema.get("required", ()) if key not in value)
        for key, one in value.items():
            yield from faults(one, schema["properties"][key], definitions) if key in schema["properties"] else [key]
