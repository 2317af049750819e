"""Builders for heads and shells: what a table selects, groups, orders and cuts."""

from __future__ import annotations

from attrs import define, field

from uniqgen_ir.grammar.ctable import mistakes
from uniqgen_ir.grammar.ctable.climb import Expressions
from uniqgen_ir.grammar.ctable.context import Context
from uniqgen_ir.grammar.ctable.terms import name_text
from uniqgen_ir.grammar.ctable.tree import Item, Node, Token
from uniqgen_ir.grammar.numbers import LARGEST_SLICE
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.table import Column, Extreme, Form, MatchMode, OrderKey, Shell
from uniqgen_ir.ir.terms import Variable

_MODES = {"homomorphism": MatchMode.HOMOMORPHISM, "different relationships": MatchMode.DIFFERENT_RELATIONSHIPS}


@define
class Clauses:
    """The clauses of one table body, one of each kind."""

    context: Context
    expressions: Expressions
    found: dict[str, Node] = field(factory=dict[str, Node])
    having: list[Node] = field(factory=list[Node])

    def add(self, node: Node) -> None:
        """Keep a clause; a second one of its kind is reported."""
        kind = "select" if node.kind == "ask" else node.kind
        if kind == "having":
            self.having.append(node)
        elif kind in self.found:
            mistakes.repeated(self.context, node, self.found[kind])
        else:
            self.found[kind] = node

    def head(self) -> tuple[Column, ...]:
        """The columns; none for `select *` and for a plain `ask`."""
        node = self.found.get("select")
        return self.columns(node) if node is not None else ()

    def shell(self) -> Shell:
        """Everything after the head."""
        head = self.found.get("select")
        ask = head is not None and head.kind == "ask"
        distinct = head is not None and (head.token("ALL") is None if ask else head.token("DISTINCT") is not None)
        group = self.found.get("group")
        having = tuple(self.expressions.build(node.items[0]) for node in self.having)
        columns = self.columns(group) if group is not None else ()
        return Shell(
            form=Form.ASK if ask else Form.SELECT,
            distinct=distinct,
            group=columns,
            having=having,
            extreme=self.extreme(),
            order=self.order(),
            limit=self.whole("limit"),
            offset=self.whole("offset"),
        )

    def match_mode(self) -> MatchMode:
        """How rows may share edges."""
        node = self.found.get("match")
        if node is None:
            return MatchMode.HOMOMORPHISM
        words = " ".join(item.text for item in node.items if isinstance(item, Token))
        if words not in _MODES:
            message = f"there is no match mode `{words}`"
            hint = "`match homomorphism` or `match different relationships`"
            self.context.report("UQ130", message, node.start, node.end, hint=hint)
        return _MODES.get(words, MatchMode.HOMOMORPHISM)

    def columns(self, node: Node) -> tuple[Column, ...]:
        """The columns among the items of a `select`, `ask` or `group by`."""
        columns: list[Column] = []
        for item in node.items:
            if isinstance(item, Node):
                if item.kind in ("computed", "computed_group"):
                    columns.append(Column(self.expressions.build(item.items[0]), self.variable(item.items[1])))
            elif item.kind == "VAR":
                columns.append(Column(self.variable(item)))
        return tuple(columns)

    def variable(self, item: Item) -> Variable:
        assert isinstance(item, Token)
        return Variable(name_text(self.context, item, 1))

    def extreme(self) -> Extreme | None:
        node = self.found.get("argument")
        if node is None:
            return None
        variables = tuple(self.variable(item) for item in node.items[1:-1])
        return Extreme(node.items[0].kind == "ARGMAX", variables, self.expressions.build(node.items[-1]))

    def order(self) -> tuple[OrderKey, ...]:
        node = self.found.get("order")
        if node is None:
            return ()
        keys: list[OrderKey] = []
        for item in node.items:
            assert isinstance(item, Node)
            expression: Expression = self.expressions.build(item.items[0])
            descending = item.kind == "descending"
            if item.kind == "postfix_key":
                descending = item.items[1].kind == "DESC"
                mistakes.postfix_direction(self.context, item)
            keys.append(OrderKey(expression, descending))
        return tuple(keys)

    def whole(self, kind: str) -> int | None:
        node = self.found.get(kind)
        if node is None:
            return None
        figure = node.items[0]
        assert isinstance(figure, Token)
        if figure.text.isdigit() and len(figure.text) < 20 and int(figure.text) <= LARGEST_SLICE:
            return int(figure.text)
        self.context.report("UQ131", f"`{kind}` takes a whole number", figure.start, figure.end)
        return None
