"""Inline tables: values that travel as parameters and are unwound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uniqgen_ir.backends.cypher.atoms import named
from uniqgen_ir.backends.cypher.clauses import Clause, Impossible
from uniqgen_ir.backends.cypher.operands import Operand
from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.backends.cypher.values import PROPERTY_DATATYPES, encode
from uniqgen_ir.backends.marks import closed, opened
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.rows import Row, Values
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Variable
from uniqgen_ir.ir.values import literal_of, value_of
from uniqgen_ir.ir.vocabulary import XSD_DATE

if TYPE_CHECKING:
    from uniqgen_ir.backends.cypher.conjunction import ConjunctionWriter


def write_values(writer: ConjunctionWriter, row: Row, values: Values) -> None:
    """Unwind the lines of an inline table. Raises Impossible where it has none."""
    if not values.lines:
        raise Impossible
    columns = [
        [cell for line in values.lines if (cell := line[place]) is not None] for place in range(len(values.variables))
    ]
    lossless = writer.context.layout.lossless
    kinds = [_column_kind(column) if lossless else _plain_kind(column) for column in columns]
    sent = [_column(writer, column, kind) for column, kind in zip(columns, kinds, strict=True)]
    add = writer.context.bag.add
    name = writer.context.fresh("value") if len(columns) == 1 else writer.context.fresh("line")
    if len(columns) == 1:
        _unwind(writer, row, sent[0], name)
        named_places = [name]
    else:
        if writer.context.dialect.groups_by_names:
            raise named(fail("UQ500", "inline values of several columns cannot be written in this dialect"), row)
        # the places as a parameter: one library takes two `UNWIND range(…)` for a query without end
        first = writer.context.dialect.first_index
        _unwind(writer, row, add(list(range(first, first + len(values.lines)))), name)
        named_places = [quote_name(writer.context.fresh("value")) for _ in columns]
        items = tuple(f"{one}[{name}] AS {place}" for one, place in zip(sent, named_places, strict=True))
        carried = ("*",) if len(writer.clauses) > 1 else ()
        writer.clauses.append(Clause("WITH", (*carried, *items)))
    for variable, place, kind in zip(values.variables, named_places, kinds, strict=True):
        _value_variable(writer, row, variable, place, kind)


def _unwind(writer: ConjunctionWriter, row: Row, listed: str, name: str) -> None:
    if writer.inside:
        raise named(fail("UQ500", "inline values cannot stand inside a block in Cypher"), row)
    writer.clauses.append(Clause("UNWIND", (opened(row.id) + listed, name + closed(row.id))))


def _column(writer: ConjunctionWriter, cells: list[GroundTerm], kind: str | None) -> str:
    """The text of a list with the cells."""
    context = writer.context
    if kind == "iri" and not context.layout.lossless:
        keys = [context.layout.key_value(one.value) if isinstance(one, IRI) else encode(one) for one in cells]
        return context.bag.add([*keys])
    if kind in ("iri", "term"):
        return context.bag.add([encode(one) for one in cells])
    plain = [value_of(one) for one in cells]
    if all(isinstance(one, bool | int | float | str) for one in plain):
        return context.bag.add([one for one in plain if isinstance(one, bool | int | float | str)])
    texts = [writer.comparer.plain(writer.expressions.value(one)) for one in cells if isinstance(one, Literal)]
    return f"[{', '.join(texts)}]"


def _value_variable(writer: ConjunctionWriter, row: Row, variable: Variable, place: str, kind: str | None) -> None:
    operand = Operand(kind, place) if kind in ("iri", "term") else Operand("value", place, kind)
    known = writer.bound.get(variable)
    if known is None:
        writer.bound[variable] = operand
    else:
        writer.where(row.id, writer.comparer.same_term(known, operand))


def _column_kind(cells: list[GroundTerm]) -> str:
    """`iri` for entities, a datatype where all are exact values of it, otherwise `term`."""
    if all(not isinstance(one, Literal) for one in cells):
        return "iri"
    datatypes = {one.datatype for one in cells if isinstance(one, Literal)}
    if len(datatypes) == 1 and all(isinstance(one, Literal) and _is_canonical(one) for one in cells):
        datatype = datatypes.pop()
        if datatype in PROPERTY_DATATYPES - {XSD_DATE}:
            return datatype
    return "term"


def _plain_kind(cells: list[GroundTerm]) -> str | None:
    """`iri` for entities; for values their datatype, None where it differs. Raises DiagnosticError UQ500 for both."""
    literals = [one for one in cells if isinstance(one, Literal)]
    if not literals:
        return "iri"
    if len(literals) < len(cells):
        raise fail("UQ500", "inline values that are partly entities and partly values cannot be written here")
    datatypes = {one.datatype for one in literals}
    return datatypes.pop() if len(datatypes) == 1 else None


def _is_canonical(literal: Literal) -> bool:
    value = value_of(literal)
    return value is not None and literal_of(value) == literal and (not isinstance(value, int) or abs(value) < 2**63)
