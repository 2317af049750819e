"""Answers that do not fit a table, and tables that no answer fits: the messages, with what to write instead."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from urllib.parse import unquote

from uniqgen_ir.ir.analysis import answer_key, positive_variables, walk_expression
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.rows import OptionalBlock, Row, Triple
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, BlankNode, Variable
from uniqgen_ir.ir.visitor import walk
from uniqgen_ir.ir.vocabulary import PG, PG_PROPERTY
from uniqgen_ir.passes.search.show import show_answer

_CYPHER_FILES: Final = (".cypher", ".cyp", ".cql")
_MOST_LINES: Final = 5


def without_key(table: Table) -> Diagnostic:
    """UQ411: no row binds a variable of the head; where an `optional` row does, the hint says how to change that."""
    optional = _bound_optionally(table)
    message = "no row binds a variable of the head, so there is no answer to keep"
    if not optional:
        return Diagnostic("UQ411", message, table.span, hint="select a variable that a row binds")
    (variable, row), *_ = optional
    message = f"{message}: {variable} is bound by the optional row {row.id} only"
    return Diagnostic("UQ411", message, row.span or table.span, hint=_required_hint(table, variable, row))


def apart_hint(table: Table) -> str:
    """How to write a table so that its rows may share relationships."""
    if _is_cypher(table):
        return (
            "write one MATCH clause for each relationship, as in `MATCH (a)-->(b) MATCH (b)-->(c)`: in several clauses "
            "they may be the same"
        )
    return "leave out the clause `match different relationships`; the default is `match homomorphism`"


def reference_refusals(table: Table, references: Iterable[ReferenceAnswer]) -> Iterator[Diagnostic]:
    """UQ412, once for all answers of one width and once for all that hold blank nodes; nothing without a key."""
    key = answer_key(table)
    if not key:
        return
    by_width: dict[int, list[ReferenceAnswer]] = {}
    for reference in references:
        by_width.setdefault(len(reference.key), []).append(reference)
    names = ", ".join(map(str, key))
    for width, those in by_width.items():
        if width != len(key):
            has = "has" if len(those) == 1 else "have"
            message = f"{_several(those)} {has} {width} value{'' if width == 1 else 's'} where the answer is ({names})"
            yield Diagnostic("UQ412", f"{message}{_lines(those)}", those[0].span, hint=_width_hint(table, key))
    blank = [one for one in by_width.get(len(key), []) if any(isinstance(term, BlankNode) for term in one.key)]
    if blank:
        what = "is a blank node" if len(blank) == 1 else "are blank nodes"
        message = f"{_several(blank)} {what}, which no statement can name{_lines(blank)}"
        yield Diagnostic("UQ412", message, blank[0].span, hint="give the IRI of the answer, or leave it out")


def _bound_optionally(table: Table) -> list[tuple[Variable, Row]]:
    """The variables of the head that only an `optional` row binds, each with the row."""
    positive = positive_variables(table.rows)
    mentioned = (one for column in table.head for one in walk_expression(column.expression))
    head = dict.fromkeys(one for one in mentioned if isinstance(one, Variable) and one not in positive)
    optional = [(row, row.atom) for row in table.rows if isinstance(row.atom, OptionalBlock)]
    return [(one, row) for one in head for row, atom in optional if one in positive_variables(atom.rows)]


def _required_hint(table: Table, variable: Variable, row: Row) -> str:
    hint = f"write row {row.id} without `optional`"
    if not _is_cypher(table):
        return hint
    name = _property_name(variable, row)
    if name is not None:
        return f"say `WHERE {name} IS NOT NULL`"
    return "write MATCH in place of OPTIONAL MATCH; of a property say that it `IS NOT NULL`"


def _property_name(variable: Variable, row: Row) -> str | None:
    """`p.name` for the row `optional { ?p urn:pg:property:name ?variable }`."""
    assert isinstance(row.atom, OptionalBlock)
    for inner in row.atom.rows:
        match inner.atom:
            case Triple(Variable() as owner, IRI(value), found) if found == variable and value.startswith(PG_PROPERTY):
                name = unquote(value.removeprefix(PG_PROPERTY))
                return f"{owner.name}.{name if name.isidentifier() else f'`{name}`'}"
            case _:
                continue
    return None


def _is_cypher(table: Table) -> bool:
    """Whether the table was read from Cypher, as far as its names or its file tell."""
    if any(row.span is not None and row.span.source.endswith(_CYPHER_FILES) for row in table.rows):
        return True
    return any(isinstance(one, IRI) and one.value.startswith(PG) for one in walk(table))


def _width_hint(table: Table, key: Sequence[Variable]) -> str:
    names = ", ".join(f'"value of {one}"' for one in key)
    hint = f"an answer is a JSON list, [{names}]" if len(key) > 1 else f"an answer is one value, that of {key[0]}"
    optional = _bound_optionally(table)
    if not optional:
        return hint
    (variable, row), *_ = optional
    return f"{hint}; {variable} takes no part, since only the optional row {row.id} binds it"


def _several(those: Sequence[ReferenceAnswer]) -> str:
    return "a reference answer" if len(those) == 1 else f"{len(those)} reference answers"


def _lines(those: Sequence[ReferenceAnswer]) -> str:
    """`: lines 1, 4 and 5`, where several answers have places in a file; where none has, the first as it was given."""
    spans: list[Span] = [one.span for one in those if one.span is not None]
    if not spans:
        others = "" if len(those) == 1 else f" and {len(those) - 1} more"
        return f": {json.dumps(show_answer(those[0].key), ensure_ascii=False)}{others}"
    if len(spans) < 2:
        return ""
    shown = [str(span.line) for span in spans[:_MOST_LINES]]
    more = len(spans) - len(shown)
    last = f" and {more} more" if more else f" and {shown.pop()}"
    return f": lines {', '.join(shown)}{last}"
