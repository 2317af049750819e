"""Functions and aggregates of Cypher as those of tables."""

from __future__ import annotations

import re
from typing import Final, Protocol

from attrs import define

from uniqgen_ir.grammar.cypher import ast_expressions as ast
from uniqgen_ir.grammar.cypher.lowering.group import (
    Group,
    NodeBinding,
    PathBinding,
    RelationshipBinding,
    Scope,
    UnsupportedError,
)
from uniqgen_ir.ir.expressions import (
    Aggregate,
    Arithmetic,
    ArithmeticOperator,
    Call,
    Comparison,
    ComparisonOperator,
    Expression,
)
from uniqgen_ir.ir.rows import Triple
from uniqgen_ir.ir.terms import Literal, Variable
from uniqgen_ir.ir.values import value_of
from uniqgen_ir.ir.vocabulary import XSD_DATE, XSD_DATE_TIME, XSD_DURATION, XSD_TIME

NOTHING: Final = Call("integer", (Literal.of("null"),))
"""Null: a cast that fails."""

_SAME: Final = {
    "tolower": "lower",
    "lower": "lower",
    "toupper": "upper",
    "upper": "upper",
    "abs": "abs",
    "ceil": "ceil",
    "ceiling": "ceil",
    "floor": "floor",
    "tofloat": "double",
    "tofloatornull": "double",
    "tostring": "str",
    "tostringornull": "str",
    "char_length": "length",
    "character_length": "length",
    "coalesce": "coalesce",
}
"""Functions that mean the same under another name."""

TEXT_FUNCTIONS: Final = frozenset(
    {
        *("tolower", "lower", "toupper", "upper", "tostring", "substring", "left", "trim", "ltrim", "rtrim", "btrim"),
        *("replace", "type", "elementid", "right"),
    }
)
"""Functions that give a string."""

_TEMPORAL: Final = {
    "date": (XSD_DATE, "date"),
    "datetime": (XSD_DATE_TIME, "datetime"),
    "localdatetime": (XSD_DATE_TIME, "datetime"),
    "zoned_datetime": (XSD_DATE_TIME, "datetime"),
    "local_datetime": (XSD_DATE_TIME, "datetime"),
    "time": (XSD_TIME, "time"),
    "localtime": (XSD_TIME, "time"),
    "duration": (XSD_DURATION, "duration"),
}
_TRIM: Final = {"trim": r"^\s+|\s+$", "btrim": r"^\s+|\s+$", "ltrim": r"^\s+", "rtrim": r"\s+$"}


class Lowering(Protocol):
    """What functions need of the lowering of expressions."""

    def lower(self, node: ast.Expression, group: Group, scope: Scope, *, required: bool = False) -> Expression: ...

    def witness(self, node: ast.Expression, group: Group, scope: Scope) -> Expression: ...

    def type_of(self, binding: RelationshipBinding) -> Expression: ...


@define
class FunctionLowering:
    """Lowers calls."""

    expressions: Lowering

    def call(self, node: ast.FunctionCall, group: Group, scope: Scope, required: bool) -> Expression:
        """The call as an expression. `required` as for expressions."""
        name = node.lower_name
        if name == "type" and len(node.arguments) == 1:
            return self.type(node, scope)
        if name in ("length", "size") and len(node.arguments) == 1:
            return self.size(node, name, group, scope, required)
        if name in _TEMPORAL:
            return self.temporal(node, name, group, scope, required)
        strict = required and name != "coalesce"
        arguments = tuple(self.expressions.lower(one, group, scope, required=strict) for one in node.arguments)
        if name in _SAME and arguments:
            return Call(_SAME[name], arguments)
        special = self.special(name, arguments)
        if special is None:
            raise UnsupportedError(f"the function {node.name}()", node)
        return special

    def special(self, name: str, arguments: tuple[Expression, ...]) -> Expression | None:
        """Functions whose arguments mean something else, or None."""
        one = Literal.of(1)
        match name, arguments:
            case "tointeger" | "tointegerornull", (value,):
                return Call("integer", (Call("decimal", (value,)),))
            case "toboolean" | "tobooleanornull", (value,):
                return Call("boolean", (Call("lower", (Call("str", (value,)),)),))
            case "round", (value,):
                return Call("round", (value,))
            case "substring", (text, start, *rest):
                return Call("substring", (text, _from_one(start), *rest))
            case "left", (text, count):
                return Call("substring", (text, one, count))
            case "replace", (text, part, Literal(lexical) as new) if not set(lexical) & {"$", "\\"}:
                return Call("replace", (text, part, new, Literal.of("q")))
            case "trim" | "btrim" | "ltrim" | "rtrim", (text,):
                return Call("replace", (text, Literal.of(_TRIM[name]), Literal.of("")))
            case "nullif", (first, second):
                same = Call("coalesce", (Comparison(ComparisonOperator.EQUAL, first, second), Literal.of(False)))
                return Call("if", (same, NOTHING, first))
            case _:
                return None

    def type(self, node: ast.FunctionCall, scope: Scope) -> Expression:
        argument = node.arguments[0]
        binding = scope.get(argument.name) if isinstance(argument, ast.Variable) else None
        if not isinstance(binding, RelationshipBinding):
            raise UnsupportedError("type() of something that is no relationship of a pattern", node)
        if binding.type is None and binding.predicate is None:
            raise UnsupportedError("type() of a relationship with alternatives of types", node)
        return self.expressions.type_of(binding)

    def size(self, node: ast.FunctionCall, name: str, group: Group, scope: Scope, required: bool) -> Expression:
        argument = node.arguments[0]
        binding = scope.get(argument.name) if isinstance(argument, ast.Variable) else None
        if name == "length" and isinstance(binding, PathBinding) and binding.length is not None:
            return Literal.of(binding.length)
        if isinstance(argument, ast.StringLiteral) or (
            isinstance(argument, ast.FunctionCall) and argument.lower_name in TEXT_FUNCTIONS
        ):
            return Call("length", (self.expressions.lower(argument, group, scope, required=required),))
        raise UnsupportedError(f"{name}() of what may be a list", node, "of a string, write size(toString(…))")

    def temporal(self, node: ast.FunctionCall, name: str, group: Group, scope: Scope, required: bool) -> Expression:
        datatype, function = _TEMPORAL[name]
        if not node.arguments:
            now = Call("now", ())
            return now if function == "datetime" else Call(function, (now,))
        argument = node.arguments[0]
        if isinstance(argument, ast.MapLiteral):
            return _from_parts(node, argument, datatype)
        if isinstance(argument, ast.StringLiteral):
            literal = Literal(_seconds(argument.value, datatype), datatype)
            if value_of(literal) is None:
                raise UnsupportedError(f"this way to write a {function}", argument, _WRITTEN.get(function))
            return literal
        return Call(function, (self.expressions.lower(argument, group, scope, required=required),))

    # aggregates

    def count_rows(self) -> Aggregate:
        return Aggregate("count")

    def aggregate(self, node: ast.FunctionCall, name: str, group: Group, scope: Scope) -> Expression:
        if name not in ("count", "sum", "avg", "min", "max") or len(node.arguments) != 1:
            what = "a list as a value" if name == "collect" else f"the function {node.name}()"
            raise UnsupportedError(what, node)
        argument = node.arguments[0]
        if name == "count":
            return self.count(node, argument, group, scope)
        operand = self.expressions.lower(argument, group, scope)
        if name == "sum" and not node.distinct:
            # null adds nothing
            return Aggregate("sum", Call("coalesce", (operand, Literal.of(0))))
        if name == "avg" and not node.distinct:
            return _average(operand)
        if not always_there(operand, group):
            hint = "add WHERE … IS NOT NULL"
            raise UnsupportedError(f"{node.name}() over values that may be missing", node, hint)
        return Aggregate(name, operand, node.distinct)

    def count(self, node: ast.FunctionCall, argument: ast.Expression, group: Group, scope: Scope) -> Expression:
        operand = self.expressions.witness(argument, group, scope)
        if isinstance(argument, ast.Variable) and not node.distinct:
            binding = scope.get(argument.name)
            if isinstance(binding, NodeBinding | RelationshipBinding) and not binding.nullable:
                return Aggregate("count")
        return Aggregate("count", operand, node.distinct)


def _from_one(place: Expression) -> Expression:
    """A place counted from 1 in place of 0."""
    value = value_of(place) if isinstance(place, Literal) else None
    if isinstance(value, int) and not isinstance(value, bool):
        return Literal.of(value + 1)
    return Arithmetic(ArithmeticOperator.ADD, place, Literal.of(1))


def _average(operand: Expression) -> Expression:
    """The mean of what is not null; null of nothing."""
    count = Aggregate("count", operand)
    total = Call("double", (Aggregate("sum", Call("coalesce", (operand, Literal.of(0)))),))
    empty = Comparison(ComparisonOperator.EQUAL, count, Literal.of(0))
    return Call("if", (empty, NOTHING, Arithmetic(ArithmeticOperator.DIVIDE, total, count)))


def always_there(operand: Expression, group: Group) -> bool:
    """Whether a row of the group binds the value in every solution."""
    return isinstance(operand, Variable) and any(
        isinstance(draft.content, Triple) and draft.content.object == operand for draft in group.drafts
    )


_WRITTEN: Final = {
    "date": "write it as '2024-01-31'",
    "datetime": "write it as '2024-01-31T12:00:00Z'",
    "time": "write it as '12:00:00'",
}


def _seconds(text: str, datatype: str) -> str:
    """Cypher takes `T12:00`, XML Schema wants seconds."""
    if datatype in (XSD_DATE_TIME, XSD_TIME):
        return re.sub(r"((?:^|T)\d\d:\d\d)(?=$|Z|[+-])", r"\1:00", text)
    return text


def _from_parts(node: ast.FunctionCall, entries: ast.MapLiteral, datatype: str) -> Literal:
    """`date({year: 2024, month: 1, day: 31})`, with constants only."""
    parts = {one.key.text: one.value for one in entries.entries}
    numbers = {key: value.value for key, value in parts.items() if isinstance(value, ast.IntegerLiteral)}
    if (
        datatype == XSD_DATE
        and len(numbers) == len(parts)
        and set(parts) <= {"year", "month", "day"}
        and "year" in parts
    ):
        return Literal(f"{numbers['year']:04}-{numbers.get('month', 1):02}-{numbers.get('day', 1):02}", XSD_DATE)
    raise UnsupportedError(f"{node.name}() from parts", node, "write it as a string")
