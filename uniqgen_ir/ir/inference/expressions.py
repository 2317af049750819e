"""Types of expressions, and what functions and operators ask of their operands (SPARQL 1.1, chapter 17)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from uniqgen_ir.ir.expressions import (
    Aggregate,
    Arithmetic,
    ArithmeticOperator,
    Call,
    Expression,
    Negative,
)
from uniqgen_ir.ir.functions import FUNCTIONS
from uniqgen_ir.ir.inference.evidence import Key
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Variable
from uniqgen_ir.ir.types import (
    ANY,
    BOOLEAN,
    DURATION,
    LITERAL,
    NODE,
    NUMBER,
    STRING,
    TEMPORAL,
    TEXT,
    LiteralType,
    NodeType,
    Type,
    UnionType,
    comparable_with,
    union,
)
from uniqgen_ir.ir.vocabulary import XSD_DATE, XSD_DATE_TIME, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, XSD_TIME


def _of(datatype: str) -> LiteralType:
    return LiteralType(frozenset({datatype}))


_RETURNS: Final[dict[str, Type]] = {
    "string": TEXT,
    "boolean": BOOLEAN,
    "iri": NODE,
    "integer": _of(XSD_INTEGER),
    "decimal": _of(XSD_DECIMAL),
    "double": _of(XSD_DOUBLE),
    "number": NUMBER,
    "date": _of(XSD_DATE),
    "datetime": _of(XSD_DATE_TIME),
    "time": _of(XSD_TIME),
    "duration": DURATION,
    "any": ANY,
}
# more exact than the table of functions: these never keep a language tag, and a float is not a double
_EXACT: Final[dict[str, Type]] = {
    **dict.fromkeys(("str", "lang", "tz", "encode_for_uri"), STRING),
    "float": NUMBER,
}

_WHEN: Final = union((TEMPORAL, DURATION))
_TEXTS: Final = (TEXT,)
_ARGUMENTS: Final[dict[str, tuple[Type, ...]]] = {
    **dict.fromkeys(("lang", "datatype", "integer", "decimal", "double", "float", "boolean"), (LITERAL,)),
    **dict.fromkeys(("date", "datetime", "time", "duration"), (LITERAL,)),
    **dict.fromkeys(("length", "upper", "lower", "encode_for_uri"), _TEXTS),
    **dict.fromkeys(("starts_with", "ends_with", "contains", "before", "after"), (TEXT, TEXT)),
    "lang_matches": (TEXT, TEXT),
    "substring": (TEXT, NUMBER, NUMBER),
    "concat": (TEXT,),
    "matches": (TEXT, TEXT, TEXT),
    "replace": (TEXT, TEXT, TEXT, TEXT),
    **dict.fromkeys(("abs", "round", "ceil", "floor"), (NUMBER,)),
    **dict.fromkeys(("year", "month", "day", "hours", "minutes", "seconds"), (_WHEN,)),
    **dict.fromkeys(("timezone", "tz"), (TEMPORAL,)),
}
_REPEATS: Final = frozenset({"concat"})
"""Functions whose last argument type stands for all that follow."""

LAZY: Final = frozenset({"bound", "if", "coalesce"})
"""Functions that can have a value although an argument has none."""


def wanted_by_function(function: str, place: int) -> Type:
    """What a function can take as the argument at a place counted from 0; anything where it does not care."""
    wanted = _ARGUMENTS.get(function, ())
    if place < len(wanted):
        return wanted[place]
    return wanted[-1] if wanted and function in _REPEATS else ANY


_ADDABLE: Final = union((NUMBER, TEMPORAL, DURATION))
_SCALABLE: Final = union((NUMBER, DURATION))
CONDITION: Final = LiteralType(BOOLEAN.datatypes | NUMBER.datatypes | STRING.datatypes)
"""What has a truth value (17.2.2)."""


def wanted_by_operator(operator: ArithmeticOperator) -> Type:
    """What can stand on either side of an arithmetic operator."""
    return _ADDABLE if operator in (ArithmeticOperator.ADD, ArithmeticOperator.SUBTRACT) else _SCALABLE


@lru_cache(maxsize=4096)  # the few types of a text, asked for at each of its comparisons
def partner(type_: Type, *, ordered: bool) -> Type:
    """What can be `=` (or, `ordered`, `<`) to some term of a type."""
    match type_:
        case LiteralType(datatypes) if datatypes:
            return union(comparable_with(one, ordered=ordered) for one in datatypes)
        case NodeType():
            return LITERAL if ordered else type_
        case UnionType(options):
            return union(partner(one, ordered=ordered) for one in options)
        case _:
            return LITERAL if ordered or isinstance(type_, LiteralType) else ANY


def expression_type(expression: Expression, types: Mapping[Key, Type]) -> Type:
    """What an expression can evaluate to where it has a value."""
    match expression:
        case Variable() | Parameter():
            return types.get(expression, ANY)
        case IRI():
            return types.get(expression, NODE)
        case Literal():
            return _of(expression.datatype)
        case Arithmetic(_, left, right):
            return _arithmetic_type(expression_type(left, types), expression_type(right, types))
        case Negative():
            return NUMBER
        case Call(function, arguments):
            return _call_type(function, arguments, types)
        case Aggregate(function, operand):
            return _aggregate_type(function, ANY if operand is None else expression_type(operand, types))
        case _:
            return BOOLEAN


def _arithmetic_type(left: Type, right: Type) -> Type:
    if left == right == _of(XSD_INTEGER):
        # a quotient of integers is a decimal
        return LiteralType(frozenset({XSD_INTEGER, XSD_DECIMAL}))
    numbers = all(isinstance(one, LiteralType) and one.datatypes <= NUMBER.datatypes and one.datatypes
                  for one in (left, right))  # fmt: skip
    return NUMBER if numbers else _ADDABLE


def _call_type(function: str, arguments: tuple[Expression, ...], types: Mapping[Key, Type]) -> Type:
    if function == "if" and len(arguments) == 3:
        return union(expression_type(one, types) for one in arguments[1:])
    if function == "coalesce":
        return union(expression_type(one, types) for one in arguments)
    if function in _EXACT:
        return _EXACT[function]
    known = FUNCTIONS.get(function)
    return ANY if known is None else _RETURNS.get(known.returns, ANY)


def _aggregate_type(function: str, operand: Type) -> Type:
    match function:
        case "count":
            return _of(XSD_INTEGER)
        case "sum" | "avg":
            return NUMBER
        case "group_concat":
            return STRING
        case _:
            return operand
