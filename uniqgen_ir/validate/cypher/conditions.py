"""Conditions as they pile up along a query: those that contradict what holds already, and those that say nothing."""

from __future__ import annotations

from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.ir.diagnostics import Related, Severity
from uniqgen_ir.validate.cypher.expressions import Expressions
from uniqgen_ir.validate.cypher.facts import Fact, facts_of
from uniqgen_ir.validate.cypher.state import State
from uniqgen_ir.validate.cypher.truths import always, never
from uniqgen_ir.validate.cypher.types import WHOLE, EdgeType, NodeType, Scalar, Type


class Conditions:
    """Collects facts in the state, and reports contradictions."""

    def __init__(self, context: Context, checker: Expressions) -> None:
        self.context = context
        self.checker = checker

    def add(self, condition: expressions.Expression, state: State) -> None:
        """One condition that holds for every row from here on."""
        reason = never(condition)
        if reason is not None:
            self.context.report("UQ444", f"this condition never holds: {reason}", condition.start, condition.end)
            return
        reason = always(condition)
        if reason is not None:
            message = f"this condition says nothing: {reason}"
            self.context.report("UQ446", message, condition.start, condition.end, severity=Severity.WARNING)
            return
        for fact in facts_of(condition):
            self.hold(fact, state)

    def equal(
        self, entry: expressions.Node, value: expressions.Expression, constant: expressions.Expression, state: State
    ) -> None:
        """What a map in a pattern says."""
        comparison = expressions.Comparison(entry.start, entry.end, ("=",), (value, constant))
        for fact in facts_of(comparison):
            self.hold(fact, state)

    def hold(self, fact: Fact, state: State) -> None:
        other = state.facts.clash(fact, whole=self.is_whole(fact.value, state))
        if other is not None:
            text = self.context.text
            one, two = text[other.node.start : other.node.end], text[fact.node.start : fact.node.end]
            related = Related(f"`{one}`", self.context.span(other.node.start, other.node.end))
            message = f"`{two}` cannot hold together with `{one}`"
            hint = "no row fulfils both: write OR between them, or drop one"
            self.context.report("UQ444", message, fact.node.start, fact.node.end, hint=hint, related=(related,))
            return
        state.facts.add(fact)

    def is_whole(self, value: expressions.Expression, state: State) -> bool:
        """Whether the value is a whole number, by the schema."""
        if not isinstance(value, expressions.Property) or not isinstance(value.operand, expressions.Variable):
            return False
        type_: Type | None = state.types.get(value.operand.name)
        index = self.checker.index
        if index is None:
            return False
        if isinstance(type_, NodeType):
            known = index.properties(type_.mask).get(value.key.text, "ANY")
        elif isinstance(type_, EdgeType):
            known = (index.edge_properties(type_.types or ()) or {}).get(value.key.text, "ANY")
        else:
            return isinstance(type_, Scalar) and type_.name in WHOLE
        return known in WHOLE
