"""Tables and answers as JSON, with a version, and the JSON Schema that describes them.

A node is an object with a `kind`, a term an object with a `type` as in SPARQL results. Fields that hold their default
value are left out. Spans are written where a table has them, and never needed.
"""

from __future__ import annotations

from typing import Any, Final, cast

from uniqgen_ir.ir.codec_nodes import SHAPES, cell
from uniqgen_ir.ir.codec_shapes import BOOLEAN, TEXT, Json, array, key_of, nullable, read_object, wrong
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.values import to_json as plain_cell

VERSION: Final = 1


def to_json(table: Table) -> dict[str, Any]:
    """The table as a JSON object: `{"ctable": 1, "name": …, "head": …, "rows": …, "shell": …}`."""
    body: dict[str, Any] = SHAPES["table"].write(table)
    return {"ctable": VERSION} | body


def from_json(value: Json) -> Table:
    """The table that a JSON object describes.

    Raises DiagnosticError: UQ170 for another version, UQ171 with the place of the fault for anything that does not fit.
    """
    if not isinstance(value, dict):
        raise wrong("", "expected an object")
    version = key_of(value, "ctable")
    if isinstance(version, bool) or version != VERSION:
        found = "the key ctable is missing" if version is None else f"version {version!r} is not known"
        raise fail("UQ170", f"this is not a table in JSON, version {VERSION}: {found}")
    body = {key: one for key, one in cast("dict[str, object]", value).items() if key != "ctable"}
    try:
        table: Table = SHAPES["table"].read(body, "")
    except RecursionError as error:
        raise wrong("", "it is nested too deeply to be read") from error
    return table


def answers_to_json(answers: Answers, *, typed: bool = False) -> dict[str, Any]:
    """`{"columns": […], "rows": [[…]]}`, cells as `values.to_json` writes them, or, `typed`, as in SPARQL results.

    `"complete": false` is added where a limit cut the answers off.
    """
    rows = [[_cell(term, typed=typed) for term in row] for row in answers.rows]
    return {"columns": list(answers.columns), "rows": rows} | ({} if answers.complete else {"complete": False})


def _cell(term: Any, *, typed: bool) -> Json:
    if not typed:
        return plain_cell(term)
    return None if term is None else cell(term)


def answers_from_json(value: Json) -> Answers:
    """The answers that `answers_to_json(…, typed=True)` wrote. Raises DiagnosticError UQ171."""
    found = read_object(value, "", ("columns", "rows", "complete"), ("columns", "rows"))
    columns = array(TEXT).read(found["columns"], "columns")
    rows = array(array(nullable(SHAPES["groundTerm"]))).read(found["rows"], "rows")
    for number, row in enumerate(rows):
        if len(row) != len(columns):
            raise wrong(f"rows[{number}]", f"{len(row)} values for {len(columns)} columns")
    return Answers(columns, rows, BOOLEAN.read(found.get("complete", True), "complete"))


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of `to_json`."""
    definitions = {name: shape.schema() for name, shape in SHAPES.items()}
    table = definitions["table"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Constraint table",
        "type": "object",
        "properties": {"ctable": {"const": VERSION}} | table["properties"],
        "required": ["ctable", *table["required"]],
        "additionalProperties": False,
        "$defs": definitions,
    }


if __name__ == "__main__":  # kept in spec/ctable.schema.json
    import json

    print(json.dumps(json_schema(), indent=2))
