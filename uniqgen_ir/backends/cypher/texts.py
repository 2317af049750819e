"""Texts in Cypher: functions of them, tests, and regular expressions that mean what SPARQL's mean."""

from __future__ import annotations

import re
from functools import reduce
from typing import TYPE_CHECKING, Final

from uniqgen_ir.backends.cypher.operands import TAGGED, TEXT, Operand
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.values import value_of
from uniqgen_ir.ir.vocabulary import XSD_STRING

if TYPE_CHECKING:
    from uniqgen_ir.backends.cypher.expressions import ExpressionWriter

# what XPath's expressions and the engines' mean alike
_PORTABLE_PATTERN: Final = re.compile(
    r"(?:[\w\s,;:@#%&=<>!~'\"/-]|\\[.+*?()\[\]{}|^$\\dDwWsS/-]|[.+*?()|^$]|\[\^?[\w\s.-]+\])*"
)


def text_of(writer: ExpressionWriter, operand: Operand) -> str:
    """The operand as text, NULL where it is none."""
    if operand.kind == "literal":
        if operand.categories <= {TEXT}:
            return f"{operand.text}.text"
        if operand.categories <= {TEXT, TAGGED}:
            return f"{operand.text}.lexical"
        name = operand.text
        return f"CASE WHEN {name}.text IS NOT NULL OR {name}.tag IS NOT NULL THEN {name}.lexical END"
    if operand.kind in ("value", "constant") and operand.category in (TEXT, TAGGED, None):
        return writer.comparer.plain(operand)
    return "cast(NULL AS STRING)" if writer.dialect.typed_null else "NULL"


def text_pair(writer: ExpressionWriter, left: Operand, right: Operand) -> tuple[str, str]:
    """Two texts that SPARQL lets meet: the second plain, or with the first's tag."""
    plain = right.constant is not None and right.constant.language is None
    if not plain and not (is_text(left) and is_text(right)):
        raise fail("UQ500", "texts with language tags of their own cannot be compared here")
    return text_of(writer, left), text_of(writer, right)


def is_text(operand: Operand) -> bool:
    return operand.datatype == XSD_STRING or (operand.datatype is None and operand.kind == "value")


def write_matches(writer: ExpressionWriter, operands: list[Operand]) -> str:
    if "matches" not in writer.dialect.functions:
        raise fail("UQ500", "regular expressions cannot be written in this dialect of Cypher")
    pattern = operands[1].constant
    flags = operands[2].constant.lexical if len(operands) > 2 and operands[2].constant else ""
    if pattern is None or (len(operands) > 2 and operands[2].constant is None):
        raise fail("UQ500", "a regular expression must be a constant here")
    if not _PORTABLE_PATTERN.fullmatch(pattern.lexical) or set(flags) - {"i", "s"}:
        raise fail("UQ500", f"the regular expression {pattern.lexical!r} may mean something else in Cypher")
    modes = "s" + flags.replace("s", "") if "s" in flags else flags
    prefix = f"(?{modes})" if modes else ""
    # Cypher's =~ matches the whole text, SPARQL's REGEX anywhere in it
    whole = f"{prefix}(?s:.*)(?:{pattern.lexical})(?s:.*)"
    return f"{text_of(writer, operands[0])} =~ {writer.bag.add(whole)}"


def write_lang_matches(writer: ExpressionWriter, operands: list[Operand]) -> str:
    tag, wanted = operands
    if wanted.constant is None or tag.datatype != XSD_STRING:
        raise fail("UQ500", "a language range must be a constant here")
    text = writer.comparer.plain(tag)
    if wanted.constant.lexical == "*":
        return f"{text} <> ''"
    name = wanted.constant.lexical.lower()
    return f"({text} = {writer.bag.add(name)} OR {text} STARTS WITH {writer.bag.add(name + '-')})"


def write_text_function(writer: ExpressionWriter, name: str, operands: list[Operand]) -> str:
    numbers = operands[1:] if name == "substring" else []
    strings = operands[: len(operands) - len(numbers)]
    if not all(is_text(one) or (one.kind == "literal" and one.categories <= {TEXT}) for one in strings):
        raise fail("UQ500", f"{name} of texts that may have language tags cannot be written here")
    texts = [text_of(writer, one) for one in strings]
    first = writer.dialect.first_index
    if name == "concat":
        return reduce(writer.dialect.joined.format, texts) if len(texts) > 1 else f"({texts[0]})" if texts else "''"
    if name == "substring":
        return _substring(writer, texts[0], numbers)
    separator = strings[1].constant
    if separator is None or not separator.lexical:
        raise fail("UQ500", f"{name} needs a constant text to look for in Cypher")
    text, sought = texts
    split = writer.dialect.functions.get("split")
    if split is None:
        raise fail("UQ500", f"the function {name} has no counterpart in this dialect of Cypher")
    parts = f"{split}({text}, {sought})[{first}]"
    if first:
        # the one that counts from 1 leaves out parts that are empty
        parts = f"CASE WHEN {text} STARTS WITH {sought} THEN '' ELSE {parts} END"
    size = writer.dialect.functions["length"]
    start = f"{size}({parts}) + {len(separator.lexical) + first}"
    rest = f"substring({text}, {start})" if not first else f"substring({text}, {start}, {size}({text}))"
    found = parts if name == "before" else rest
    return f"CASE WHEN {text} CONTAINS {sought} THEN {found} WHEN {text} IS NOT NULL THEN '' END"


def _substring(writer: ExpressionWriter, text: str, numbers: list[Operand]) -> str:
    first = writer.dialect.first_index
    values = [None if one.constant is None else value_of(one.constant) for one in numbers]
    start, length = values[0], values[1] if len(values) > 1 else 0
    if not isinstance(start, int) or not isinstance(length, int) or start < 1 or length < 0:
        raise fail("UQ500", "substring needs whole, constant places from 1 on in Cypher")
    place = start - 1 + first
    if len(values) > 1:
        return f"substring({text}, {place}, {length})"
    return f"substring({text}, {place})" if first == 0 else f"substring({text}, {place}, size({text}))"
