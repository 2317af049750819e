"""UQ17x: tables as JSON, and tables built by programs."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ170",
        "json_version",
        "JSON of another version",
        "The object has no key `ctable`, or a version that this program does not read. The version read here is 1.",
        "Reading another version by guesswork could change what the table means.",
        '{"ctable": 7, "name": "t", "rows": []}',
        '{"ctable": 1, "name": "t", "rows": []}',
    ),
    Code(
        "UQ171",
        "json_shape",
        "JSON that does not describe a table",
        "A key is missing, unknown or holds a value of the wrong shape. The message names the place, such as "
        "`rows[0].atom.subject`. `spec/ctable.schema.json` describes every key.",
        "A key that is overlooked would be a constraint that is lost.",
        '{"ctable": 1, "name": "t", "rows": [{"id": "c1"}]}',
        '{"ctable": 1, "name": "t", "rows": [{"id": "c1", "atom": {"kind": "type",\n'
        '  "subject": {"type": "variable", "value": "x"}, "class": {"type": "uri", "value": "http://example.org/C"}}}]}',
    ),
    Code(
        "UQ175",
        "builder_term",
        "a value that cannot stand in a table",
        "A program gave the builder something that is neither a term, nor an expression, nor a Python value that "
        "stands for a literal (text, number, truth value, date).",
        "A value that is converted by guesswork could mean something else in the query.",
        'table("t").select(v.x).row("c1", v.x, object(), v.y)',
        'table("t").select(v.x).row("c1", v.x, ex.knows, v.y)',
    ),
    Code(
        "UQ176",
        "builder_row",
        "a row that the builder cannot make",
        "Two rows have the same id, an `either` has fewer than two branches, a block has no rows, or a computed column "
        "has no name.",
        "Rows are dropped and kept by their ids; a block with nothing inside means nothing.",
        'table("t").select(v.x).either([row("a", v.x, ex.knows, v.y)])',
        'table("t").select(v.x).either([row("a", v.x, ex.knows, v.y)], [row("b", v.y, ex.knows, v.x)])',
    ),
)
