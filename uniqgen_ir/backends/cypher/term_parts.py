"""What belongs to a term: its text, its language tag, its datatype, the year of a date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uniqgen_ir.backends.cypher.operands import NOTHING, TEXT, TIME, Operand
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.vocabulary import XSD_DATE, XSD_INTEGER, XSD_STRING

if TYPE_CHECKING:
    from uniqgen_ir.backends.cypher.expressions import ExpressionWriter


def write_string(writer: ExpressionWriter, operand: Operand) -> Operand:
    if operand.is_entity and (writer.lossless or operand.kind in ("iri", "type")):
        text = writer.comparer.identity(operand)
        written = f"CASE WHEN NOT {text} STARTS WITH '_:' THEN {text} END" if writer.lossless else text
        return Operand("value", written, XSD_STRING, operand.nullable)
    if operand.kind == "literal":
        return Operand("value", f"{operand.text}.lexical", XSD_STRING, operand.nullable)
    if operand.constant is not None:
        literal = Literal(operand.constant.lexical)
        return Operand("constant", "", XSD_STRING, constant=literal)
    if operand.kind == "value" and operand.category in (TEXT, None) and not operand.is_entity:
        return Operand("value", operand.text, XSD_STRING, operand.nullable)
    if operand.kind == "value" and writer.lossless and operand.datatype in (XSD_INTEGER, XSD_DATE):
        written = writer.dialect.casts["string"][0].format(operand.text)
        return Operand("value", written, XSD_STRING, operand.nullable)
    if operand.kind == "node":
        return Operand("value", writer.comparer.identity(operand), XSD_STRING, operand.nullable)
    raise fail("UQ500", "the text of this value cannot be written in Cypher")


def write_language(writer: ExpressionWriter, operand: Operand) -> Operand:
    if operand.kind == "literal":
        return Operand("value", f"coalesce({operand.text}.tag, '')", XSD_STRING, operand.nullable)
    if operand.constant is not None:
        return Operand("constant", "", XSD_STRING, constant=Literal(operand.constant.language or ""))
    if operand.is_entity:
        return NOTHING
    if operand.datatype is None:
        raise fail("UQ506", "a property holds no language tag", hint="leave out the condition on lang()")
    return Operand("value", writer.comparer.unless_null("''", operand), XSD_STRING, operand.nullable)


def write_datatype(writer: ExpressionWriter, operand: Operand) -> Operand:
    if operand.kind == "literal":
        return Operand("iri", f"{operand.text}.datatype", nullable=operand.nullable)
    if operand.datatype is None or operand.kind not in ("value", "constant"):
        raise fail("UQ506", "a property graph does not keep the datatype of this value")
    text = writer.comparer.unless_null(writer.bag.add(operand.datatype), operand)
    return Operand("iri", text, nullable=operand.nullable)


def write_date_part(writer: ExpressionWriter, part: str, operand: Operand) -> Operand:
    if operand.kind == "literal":
        return Operand("value", f"{operand.text}.{part}", XSD_INTEGER, nullable=True)
    if operand.kind not in ("value", "constant") or operand.category not in (TIME, None):
        return NOTHING
    text = writer.comparer.plain(operand)
    if writer.dialect.date_part is None:
        raise fail("UQ500", f"the function {part} has no counterpart in this dialect of Cypher")
    return Operand("value", writer.dialect.date_part.format(part=part, value=text), XSD_INTEGER, operand.nullable)
