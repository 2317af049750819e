"""Patterns: what they bring into a query, and what is inside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.validate.cypher.conditions import Conditions
from uniqgen_ir.validate.cypher.expressions import Expressions
from uniqgen_ir.validate.cypher.facts import conjuncts
from uniqgen_ir.validate.cypher.names import NameChecker
from uniqgen_ir.validate.cypher.network import Network
from uniqgen_ir.validate.cypher.state import State
from uniqgen_ir.validate.cypher.types import UNKNOWN, EdgeType, ListType, NodeType, Type

Path: TypeAlias = Sequence[ast.PathElement]
Holds: TypeAlias = Callable[[expressions.Expression | None, State], None]


class Patterns:
    """Reads patterns into a state. `holds` takes the conditions inside them."""

    def __init__(self, context: Context, checker: Expressions, conditions: Conditions, holds: Holds) -> None:
        self.context = context
        self.index = checker.index
        self.names = NameChecker(context, checker.index) if checker.index is not None else None
        self.expressions = checker
        self.conditions = conditions
        self.holds = holds

    def bring_in(
        self, patterns: Sequence[Path], where: expressions.Expression | None, state: State, *, quiet: bool = False
    ) -> None:
        """Bring the variables of patterns into the state, narrowed by what the schema says."""
        if self.index is None or self.names is None:
            for path in patterns:
                self.declare(path, state)
        else:
            network = Network(self.context, self.index, self.names, state.types)
            for path in patterns:
                network.add(path)
            for test in label_tests(where):
                place = network.by_name.get(test[0])
                if place is not None:
                    network.restrict(place, test[1])
            network.solve()
            if not quiet:
                network.undirected()
            state.types.update(network.types())
            state.edges += [(edge, network.places) for edge in network.edges]
            self.listed(patterns, state)
        for path in patterns:
            self.contents(path, state)

    def listed(self, patterns: Sequence[Path], state: State, *, repeated: bool = False) -> None:
        """What is repeated as a group stands for lists outside."""
        for path in patterns:
            for element in path:
                if isinstance(element, ast.GroupPattern):
                    self.listed((element.elements,), state, repeated=repeated or element.repetition is not None)
                elif repeated and isinstance(element, ast.NodePattern | ast.RelationshipPattern):
                    name = element.variable.text if element.variable is not None else None
                    if name is not None and not isinstance(state.types[name], ListType):
                        state.types[name] = ListType(state.types[name])

    def declare(self, path: Path, state: State) -> None:
        """Without a schema: which variables are nodes, which relationships."""
        for element in path:
            if isinstance(element, ast.NodePattern):
                if element.variable is not None and element.variable.text not in state.types:
                    state.types[element.variable.text] = NodeType(-1)
            elif isinstance(element, ast.RelationshipPattern):
                if element.variable is not None:
                    long = element.length is not None or element.repetition is not None
                    one = EdgeType(None)
                    state.types[element.variable.text] = ListType(one) if long else one
            elif isinstance(element, ast.GroupPattern) and element.repetition is not None:
                inner = State()
                self.declare(element.elements, inner)
                state.types.update({name: ListType(type_) for name, type_ in inner.types.items()})
            else:
                self.declare(element.elements, state)

    def contents(self, path: Path, state: State) -> None:
        """The maps and conditions inside patterns."""
        for element in path:
            if isinstance(element, ast.NodePattern | ast.RelationshipPattern):
                if isinstance(element.properties, expressions.MapLiteral):
                    self.pattern_map(element, element.properties, state)
                self.holds(element.where, state)
            elif isinstance(element, ast.GroupPattern):
                inner = state.copy()
                self.contents(element.elements, self.inside_group(element, inner))
                self.holds(element.where, inner)
            else:
                self.contents(element.elements, state)

    def inside_group(self, group: ast.GroupPattern, state: State) -> State:
        if group.repetition is not None:
            for name, type_ in list(state.types.items()):
                if isinstance(type_, ListType) and _declares(group.elements, name):
                    state.types[name] = type_.item
        return state

    def pattern_map(
        self, element: ast.NodePattern | ast.RelationshipPattern, properties: expressions.MapLiteral, state: State
    ) -> None:
        holder = self.holder(element, state)
        for entry in properties.entries:
            value = self.expressions.infer(entry.value, state)
            wanted = self.expressions.properties.in_pattern(holder, entry.key)
            key = expressions.Name(entry.key.start, entry.key.end, entry.key.text)
            place: expressions.Expression = expressions.Property(
                entry.key.start, entry.key.end, expressions.Variable(element.start, element.start, _name(element)), key
            )
            if isinstance(entry.value, expressions.NullLiteral):
                message = f"no value is equal to null, so this pattern matches nothing: `{entry.key.text}: null`"
                hint = "write WHERE … IS NULL"
                self.context.report("UQ445", message, entry.start, entry.end, hint=hint)
                continue
            self.expressions.comparisons.pair(entry, "=", (place, wanted), (entry.value, value))
            if element.variable is not None:
                self.conditions.equal(entry, place, entry.value, state)

    def holder(self, element: ast.NodePattern | ast.RelationshipPattern, state: State) -> Type:
        """What the pattern stands for, with or without a variable."""
        if element.variable is not None:
            type_ = state.types.get(element.variable.text, UNKNOWN)
            return type_.item if isinstance(type_, ListType) else type_
        for edge, places in reversed(state.edges):
            if edge.element is element:
                return EdgeType(edge.types)
            for place in (places[edge.left], places[edge.right]):
                if any(one is element for one in place.elements):
                    return NodeType(place.mask, place.declared)
        return self.alone(element)

    def alone(self, element: ast.NodePattern | ast.RelationshipPattern) -> Type:
        """A node that no relationship touches: only its label says what it is."""
        if self.index is None or isinstance(element, ast.RelationshipPattern):
            return UNKNOWN
        if element.labels is None:
            return NodeType(self.index.everything)
        # what is wrong with the label has been said
        mask = NameChecker(Context(self.context.text, self.context.source), self.index).node_mask(element.labels)
        return UNKNOWN if not mask else NodeType(mask, declared=True)


def label_tests(condition: expressions.Expression | None) -> list[tuple[str, expressions.LabelExpression]]:
    """`n:Label` among the conditions that must hold, also as alternatives of one variable."""
    found: list[tuple[str, expressions.LabelExpression]] = []
    for one in conjuncts(condition):
        labels = _labels_of(one)
        if labels is not None:
            found.append(labels)
    return found


def _labels_of(condition: expressions.Expression) -> tuple[str, expressions.LabelExpression] | None:
    match condition:
        case expressions.LabelTest(operand=expressions.Variable(name=name), labels=labels):
            return name, labels
        case expressions.Junction(operator="OR", operands=operands):
            parts = [_labels_of(one) for one in operands]
            names = {one[0] for one in parts if one is not None}
            if None in parts or len(names) != 1:
                return None
            some = tuple(one[1] for one in parts if one is not None)
            return names.pop(), expressions.LabelOr(condition.start, condition.end, some)
        case expressions.Unary(operator="NOT", operand=operand):
            inner = _labels_of(operand)
            return None if inner is None else (inner[0], expressions.LabelNot(condition.start, condition.end, inner[1]))
        case _:
            return None


def _declares(elements: Path, name: str) -> bool:
    for element in elements:
        if isinstance(element, ast.NodePattern | ast.RelationshipPattern):
            if element.variable is not None and element.variable.text == name:
                return True
        elif _declares(element.elements, name):
            return True
    return False


def _name(element: ast.NodePattern | ast.RelationshipPattern) -> str:
    return element.variable.text if element.variable is not None else ""
