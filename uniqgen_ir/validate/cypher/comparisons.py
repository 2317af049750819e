"""Operators between values that never compare, comparisons with null, and their repairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context, replace
from uniqgen_ir.ir.diagnostics import Fix
from uniqgen_ir.validate.cypher.kinds import KindIndex
from uniqgen_ir.validate.cypher.types import BOOLEAN, FLOAT, STRING, UNKNOWN, ListType, NodeType, Scalar, Type, family

_STRING_OPERATORS: Final = frozenset({"CONTAINS", "STARTS WITH", "ENDS WITH", "=~"})
_NULL_TESTS: Final = {"=": "IS NULL", "<>": "IS NOT NULL"}
_CALLS: Final = {"date": "date", "date and time": "datetime", "time": "time", "duration": "duration"}


class Comparisons:
    """Reports operators that cannot do what they are used for."""

    def __init__(self, context: Context, infer: Callable[..., Type], index: KindIndex | None) -> None:
        self.context = context
        self.infer = infer
        self.index = index

    def chain(self, node: expressions.Comparison, types: Sequence[Type]) -> None:
        """Every pair of neighbours in `a < b <= c`."""
        for place, operator in enumerate(node.operators):
            left, right = node.operands[place], node.operands[place + 1]
            if isinstance(left, expressions.NullLiteral) or isinstance(right, expressions.NullLiteral):
                self.with_null(node, operator, left, right)
            else:
                self.pair(node, operator, (left, types[place]), (right, types[place + 1]))

    def with_null(
        self, node: expressions.Comparison, operator: str, left: expressions.Expression, right: expressions.Expression
    ) -> None:
        other = left if isinstance(right, expressions.NullLiteral) else right
        text = self.text(other)
        test = _NULL_TESTS.get(operator)
        fix = None
        if test is not None and len(node.operators) == 1:
            fix = replace(node.start, node.end, f"{text} {test}", f"write {test}")
        hint = f"write `{text} {test}`" if test is not None else "nothing is smaller or larger than null"
        self.context.report(
            "UQ445", f"a comparison with null never holds: `{self.text(node)}`", *_ends(node), hint=hint, fix=fix
        )

    def pair(
        self,
        node: expressions.Node,
        operator: str,
        left: tuple[expressions.Expression, Type],
        right: tuple[expressions.Expression, Type],
    ) -> None:
        """Two values that an operator compares."""
        one, other = family(left[1]), family(right[1])
        if one is None or other is None or one == other:
            self._unlike_nodes(node, operator, left, right)
            return
        if {one, other} <= {"node", "map"} or {one, other} <= {"relationship", "map"}:
            return
        never = {"=": "never holds", "<>": "holds always"}.get(operator, "never holds")
        message = f"`{self.text(left[0])}` is a {one} and `{self.text(right[0])}` a {other}: `{operator}` {never}"
        self.context.report("UQ194", message, *_ends(node), fix=self.cast(left, right) or self.cast(right, left))

    def _unlike_nodes(
        self,
        node: expressions.Node,
        operator: str,
        left: tuple[expressions.Expression, Type],
        right: tuple[expressions.Expression, Type],
    ) -> None:
        """`a = b` where the schema has no node that could be both."""
        one, other, index = left[1], right[1], self.index
        if operator != "=" or index is None or not isinstance(one, NodeType) or not isinstance(other, NodeType):
            return
        apart = index.never_both(one.mask, other.mask) or (index.graph.exclusive and not one.mask & other.mask)
        if apart and one.mask and other.mask:
            kinds = (index.names(one.mask), index.names(other.mask))
            message = f"`{self.text(left[0])}` is {kinds[0]} and `{self.text(right[0])}` {kinds[1]}: no node is both"
            self.context.report("UQ444", message, *_ends(node))

    def cast(
        self, value: tuple[expressions.Expression, Type], constant: tuple[expressions.Expression, Type]
    ) -> Fix | None:
        """Write the constant as what the value is; None where it is not a constant, or cannot be written so."""
        written = self.as_family(constant[0], value[1])
        if written is None:
            return None
        # a year is not a day, and one of a list is not the list
        safe = not isinstance(value[1], ListType) and not isinstance(constant[0], expressions.IntegerLiteral)
        safe = safe or family(value[1]) == "string"
        return replace(*_ends(constant[0]), written, f"write {written}", safe=safe)

    def as_family(self, node: expressions.Expression, wanted: Type) -> str | None:
        kind, text = family(wanted), self.text(node)
        if isinstance(wanted, ListType):
            return f"[{text}]" if _literal_type(node) is not None else None
        match node:
            case expressions.StringLiteral(value=value):
                if kind == "number" and _number(value):
                    return value.strip()
                if kind == "boolean" and value.lower() in ("true", "false"):
                    return value.lower()
                return f"{_CALLS[kind]}({text})" if kind in _CALLS and value[:1].isalnum() else None
            case expressions.IntegerLiteral() | expressions.FloatLiteral() | expressions.BooleanLiteral():
                if kind == "string":
                    return f"'{text}'"
                if kind == "boolean" and text in ("0", "1"):
                    return "true" if text == "1" else "false"
                if kind == "date" and isinstance(node, expressions.IntegerLiteral) and 1000 <= node.value <= 2999:
                    return f"date('{node.value}-01-01')"
                return None
            case expressions.FunctionCall(arguments=(expressions.StringLiteral(),) | ()) if kind in _CALLS:
                inside = text[text.index("(") :]
                return f"{_CALLS[kind]}{inside}" if node.lower_name in ("date", "datetime", "localdatetime") else None
            case _:
                return None

    def binary(self, node: expressions.Binary, left: Type, right: Type) -> Type:
        """The type of `left operator right`; what cannot be is reported."""
        if node.operator in _STRING_OPERATORS:
            self.string_operator(node, left, right)
            return BOOLEAN
        if node.operator == "IN":
            self.membership(node, left, right)
            return BOOLEAN
        return self.arithmetic(node, left, right)

    def string_operator(self, node: expressions.Binary, left: Type, right: Type) -> None:
        for side, type_ in ((node.left, left), (node.right, right)):
            if isinstance(side, expressions.NullLiteral):
                self.context.report("UQ445", f"{node.operator} with null never holds", *_ends(node))
                return
            kind, text = family(type_), self.text(side)
            if kind is None or kind == "string":
                continue
            fix = None
            if isinstance(type_, ListType) and side is node.left and node.operator == "CONTAINS":
                fix = replace(*_ends(node), f"{self.text(node.right)} IN {text}", "write IN")
            elif kind not in ("list", "map", "node", "relationship", "path"):
                literal = isinstance(side, expressions.IntegerLiteral | expressions.FloatLiteral)
                as_text = f"'{text}'" if literal else f"toString({text})"
                fix = replace(*_ends(side), as_text, "turn it into a string")
            message = f"{node.operator} takes strings, and `{text}` is a {kind}"
            self.context.report("UQ194", message, *_ends(side), fix=fix)
            return

    def membership(self, node: expressions.Binary, left: Type, right: Type) -> None:
        if family(right) not in (None, "list"):
            text = self.text(node.right)
            fix = None
            if isinstance(node.right, expressions.StringLiteral | expressions.IntegerLiteral):
                fix = replace(*_ends(node.right), f"[{text}]", "write a list")
            elif family(left) == family(right) == "string":
                fix = replace(*_ends(node), f"{text} CONTAINS {self.text(node.left)}", "write CONTAINS", safe=False)
            self.context.report(
                "UQ194", f"IN takes a list, and `{text}` is a {family(right)}", *_ends(node.right), fix=fix
            )
            return
        if isinstance(node.right, expressions.ListLiteral):
            # items are judged one by one, so that each gets its repair
            for item in node.right.items:
                type_ = _literal_type(item)
                if type_ is not None and family(left) not in (None, family(type_)):
                    self.pair(item, "=", (node.left, left), (item, type_))
        elif isinstance(right, ListType):
            self.pair(node, "=", (node.left, left), (node.right, right.item))

    def arithmetic(self, node: expressions.Binary, left: Type, right: Type) -> Type:
        one, other = family(left), family(right)
        if node.operator in ("+", "||"):
            if one == other == "string":
                return STRING
            if "list" in (one, other):
                return left if one == "list" else right
            return _number_of(left, right) if one == other == "number" else UNKNOWN
        for side, kind in ((node.left, one), (node.right, other)):
            if kind in ("string", "boolean", "node", "relationship", "path", "map", "list"):
                text = self.text(side)
                fix = (
                    replace(*_ends(side), f"toFloat({text})", "turn it into a number", safe=False)
                    if kind == "string"
                    else None
                )
                message = f"`{node.operator}` takes numbers, and `{text}` is a {kind}"
                self.context.report("UQ194", message, *_ends(side), fix=fix)
                return UNKNOWN
        return _number_of(left, right) if one == other == "number" else UNKNOWN

    def text(self, node: expressions.Node) -> str:
        return self.context.text[node.start : node.end]


def _ends(node: expressions.Node) -> tuple[int, int]:
    return node.start, node.end


def _number(text: str) -> bool:
    plain = text.strip().lstrip("-")
    return plain.isascii() and plain.replace(".", "", 1).isdigit() and not plain.startswith(".")


def _number_of(left: Type, right: Type) -> Type:
    return left if left == right and isinstance(left, Scalar) else FLOAT


def _literal_type(node: expressions.Expression) -> Type | None:
    match node:
        case expressions.StringLiteral():
            return STRING
        case expressions.IntegerLiteral() | expressions.FloatLiteral():
            return FLOAT
        case expressions.BooleanLiteral():
            return BOOLEAN
        case _:
            return None
