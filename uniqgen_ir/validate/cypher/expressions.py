"""What expressions are, and what is wrong with them: properties that do not exist, values that never compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context, replace
from uniqgen_ir.grammar.cypher.walk import children
from uniqgen_ir.validate.cypher.comparisons import Comparisons
from uniqgen_ir.validate.cypher.functions import argument_faults, result_of
from uniqgen_ir.validate.cypher.kinds import KindIndex
from uniqgen_ir.validate.cypher.properties import PropertyChecker
from uniqgen_ir.validate.cypher.quoted_names import check_listed_names, check_quoted_names
from uniqgen_ir.validate.cypher.state import State
from uniqgen_ir.validate.cypher.temporal_texts import check_temporal_text
from uniqgen_ir.validate.cypher.types import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    PATH,
    STRING,
    UNKNOWN,
    EdgeType,
    ListType,
    MapType,
    NodeType,
    Scalar,
    Type,
    family,
    joined,
)

_TAKE_PATTERNS: Final = frozenset(
    {"exists", "size", "length", "nodes", "relationships", "any", "all", "none", "single"}
)
"""Functions that take, or once took, a pattern: the reader speaks of those."""


class Flow(Protocol):
    """What expressions need of the checks of clauses."""

    def inner_query(self, query: ast.Query, state: State) -> dict[str, Type]: ...

    def inner_patterns(
        self,
        patterns: tuple[tuple[ast.PathElement, ...], ...],
        where: expressions.Expression | None,
        state: State,
    ) -> State: ...


class Expressions:
    """Finds the types of expressions and reports what cannot be right in them."""

    def __init__(self, context: Context, index: KindIndex | None, flow: Flow) -> None:
        self.context = context
        self.index = index
        self.flow = flow
        self.properties = PropertyChecker(context, index)
        self.comparisons = Comparisons(context, self.infer, index)

    def infer(self, node: expressions.Expression, state: State) -> Type:
        """The type of an expression; everything inside it is checked on the way."""
        infer = _INFER.get(type(node))
        if infer is not None:
            return infer(self, node, state)
        for child in children(node):
            if not isinstance(child, expressions.Name):
                self.infer(child, state)  # type: ignore[arg-type]
        return UNKNOWN

    # ---- names and values --------------------------------------------------------------------------------------------

    def variable(self, node: expressions.Variable, state: State) -> Type:
        return state.types.get(node.name, UNKNOWN)

    def property(self, node: expressions.Property, state: State) -> Type:
        holder = self.infer(node.operand, state)
        return self.property_of(node.operand, holder, node.key, state)

    def property_of(
        self, operand: expressions.Expression, holder: Type, key: expressions.Name, state: State, *, shown: bool = False
    ) -> Type:
        """The type of a property; one that does not exist is reported. `shown`: in a map projection."""
        match holder:
            case NodeType():
                return self.properties.of_node(operand, holder, key, state, shown=shown)
            case EdgeType():
                return self.properties.of_edge(operand, holder, key, state)
            case MapType(fields=fields):
                return (fields or {}).get(key.text, UNKNOWN)
            case Scalar():
                return self.properties.of_value(holder, key)
            case _:
                return UNKNOWN

    def index_of(self, node: expressions.Index, state: State) -> Type:
        holder = self.infer(node.operand, state)
        self.infer(node.index, state)
        if isinstance(node.index, expressions.StringLiteral) and isinstance(holder, NodeType | EdgeType):
            key = expressions.Name(node.index.start, node.index.end, node.index.value)
            return self.properties.quoted(holder, key)
        return holder.item if isinstance(holder, ListType) else UNKNOWN

    def slice(self, node: expressions.Slice, state: State) -> Type:
        for one in (node.first, node.last):
            if one is not None:
                self.infer(one, state)
        return self.infer(node.operand, state)

    def list(self, node: expressions.ListLiteral, state: State) -> Type:
        types = [self.infer(one, state) for one in node.items]
        item = types[0] if types else UNKNOWN
        for one in types[1:]:
            item = joined(item, one)
        return ListType(item)

    def map(self, node: expressions.MapLiteral, state: State) -> Type:
        return MapType({entry.key.text: self.infer(entry.value, state) for entry in node.entries})

    def map_projection(self, node: expressions.MapProjection, state: State) -> Type:
        holder = self.infer(node.operand, state)
        fields: dict[str, Type] = {}
        for one in node.elements:
            if isinstance(one, expressions.ProjectedProperty):
                fields[one.key.text] = self.property_of(node.operand, holder, one.key, state, shown=True)
            elif isinstance(one, expressions.MapEntry):
                fields[one.key.text] = self.infer(one.value, state)
        return MapType(fields if not any(isinstance(one, expressions.ProjectedAll) for one in node.elements) else None)

    # ---- operators ---------------------------------------------------------------------------------------------------

    def junction(self, node: expressions.Junction, state: State) -> Type:
        for one in node.operands:
            self.truth(one, self.infer(one, state), node.operator)
        return BOOLEAN

    def truth(self, node: expressions.Expression, type_: Type, place: str) -> None:
        """A condition must be a truth value."""
        kind = family(type_)
        if kind is not None and kind not in ("boolean", "list"):
            text = self.context.text[node.start : node.end]
            message = f"{place} takes truth values, and `{text}` is a {kind}"
            self.context.report("UQ194", message, node.start, node.end)

    def unary(self, node: expressions.Unary, state: State) -> Type:
        inner = self.infer(node.operand, state)
        if node.operator == "NOT":
            self.truth(node.operand, inner, "NOT")
            return BOOLEAN
        return inner

    def binary(self, node: expressions.Binary, state: State) -> Type:
        left, right = self.infer(node.left, state), self.infer(node.right, state)
        if self.index is not None:
            check_quoted_names(self.properties.names, node)
        return self.comparisons.binary(node, left, right)

    def comparison(self, node: expressions.Comparison, state: State) -> Type:
        types = [self.infer(one, state) for one in node.operands]
        for one in node.operands:
            self.no_pattern(one)
        if self.index is not None:
            check_quoted_names(self.properties.names, node)
        self.comparisons.chain(node, types)
        return BOOLEAN

    def test(self, node: expressions.PostfixTest, state: State) -> Type:
        self.infer(node.operand, state)
        return BOOLEAN

    def label_test(self, node: expressions.LabelTest, state: State) -> Type:
        holder = self.infer(node.operand, state)
        if self.index is not None:
            if isinstance(holder, EdgeType):
                self.properties.names.edge_types(node.labels)
            else:
                self.properties.names.node_mask(node.labels)
        return BOOLEAN

    # ---- calls -------------------------------------------------------------------------------------------------------

    def call(self, node: expressions.FunctionCall, state: State) -> Type:
        types = [self.infer(one, state) for one in node.arguments]
        if node.lower_name not in _TAKE_PATTERNS:
            for one in node.arguments:
                self.no_pattern(one)
        argument_faults(self.context, node, types)
        check_temporal_text(self.context, node)
        return self.part_of_path(node.lower_name) or result_of(node.lower_name, types)

    def part_of_path(self, name: str) -> Type | None:
        """What functions of paths and relationships give: any node, any relationship."""
        if self.index is None or name not in ("nodes", "relationships", "startnode", "endnode"):
            return None
        if name == "relationships":
            return ListType(EdgeType(frozenset(self.index.graph.types)))
        node = NodeType(self.index.everything)
        return ListType(node) if name == "nodes" else node

    def no_pattern(self, node: expressions.Expression) -> None:
        """A pattern is a condition, and no value."""
        if isinstance(node, expressions.PatternExpression):
            text = self.context.text[node.start : node.end]
            hint = "write COUNT { … } to count matches, or [pattern | value] to list them"
            fix = replace(node.start, node.end, f"COUNT {{ {text} }}", "count the matches", safe=False)
            self.context.report("UQ180", "a pattern is no value", node.start, node.end, hint=hint, fix=fix)

    def case(self, node: expressions.Case, state: State) -> Type:
        if node.subject is not None:
            self.infer(node.subject, state)
        results: list[Type] = []
        for when in node.whens:
            for test in when.tests:
                if isinstance(test, expressions.WhenTest):
                    if test.operand is not None:
                        self.infer(test.operand, state)
                else:
                    self.infer(test, state)
            results.append(self.infer(when.result, state))
        if node.default is not None:
            results.append(self.infer(node.default, state))
        found = results[0] if results else UNKNOWN
        for one in results[1:]:
            found = joined(found, one)
        return found

    # ---- what has variables of its own -------------------------------------------------------------------------------

    def list_comprehension(self, node: expressions.ListComprehension, state: State) -> Type:
        inner = self.with_item(node.variable, node.source, state)
        if node.where is not None:
            self.infer(node.where, inner)
        if self.index is not None:
            check_listed_names(self.properties.names, node)
        item = inner.types[node.variable.text]
        return ListType(item if node.result is None else self.infer(node.result, inner))

    def quantifier(self, node: expressions.Quantifier, state: State) -> Type:
        inner = self.with_item(node.variable, node.source, state)
        if node.where is not None:
            self.infer(node.where, inner)
        if self.index is not None:
            check_listed_names(self.properties.names, node)
        return BOOLEAN

    def reduce(self, node: expressions.Reduce, state: State) -> Type:
        initial = self.infer(node.initial, state)
        inner = self.with_item(node.variable, node.source, state)
        inner.types[node.accumulator.text] = UNKNOWN
        self.infer(node.step, inner)
        return initial if family(initial) == "number" else UNKNOWN

    def with_item(self, variable: expressions.Name, source: expressions.Expression, state: State) -> State:
        """The state in which a variable stands for an item of a list."""
        listed = self.infer(source, state)
        inner = state.copy()
        inner.types[variable.text] = listed.item if isinstance(listed, ListType) else UNKNOWN
        return inner

    def pattern_comprehension(self, node: expressions.PatternComprehension, state: State) -> Type:
        inner = self.flow.inner_patterns((node.elements,), node.where, state)
        if node.path_variable is not None:
            inner.types[node.path_variable.text] = PATH
        return ListType(self.infer(node.result, inner))

    def pattern(self, node: expressions.PatternExpression, state: State) -> Type:
        self.flow.inner_patterns((node.elements,), None, state)
        return BOOLEAN

    def shortest_path(self, node: ast.ShortestPath, state: State) -> Type:
        self.flow.inner_patterns((node.elements,), None, state)
        return ListType(PATH) if node.every else PATH

    def pattern_subquery(self, node: expressions.PatternSubquery, state: State) -> Type:
        self.flow.inner_patterns(tuple(one.elements for one in node.patterns), node.where, state)
        return INTEGER if node.kind == "COUNT" else BOOLEAN

    def subquery(self, node: expressions.Subquery, state: State) -> Type:
        columns = self.flow.inner_query(node.query, state)
        if node.kind == "COLLECT":
            return ListType(next(iter(columns.values()), UNKNOWN))
        return INTEGER if node.kind == "COUNT" else BOOLEAN


def _plain(type_: Type) -> Callable[[Expressions, expressions.Expression, State], Type]:
    return lambda _checker, _node, _state: type_


_INFER: Final[dict[type[expressions.Node], Callable[..., Type]]] = {
    expressions.Variable: Expressions.variable,
    expressions.Parameter: _plain(UNKNOWN),
    expressions.IntegerLiteral: _plain(INTEGER),
    expressions.FloatLiteral: _plain(FLOAT),
    expressions.StringLiteral: _plain(STRING),
    expressions.BooleanLiteral: _plain(BOOLEAN),
    expressions.NullLiteral: _plain(UNKNOWN),
    expressions.CountStar: _plain(INTEGER),
    expressions.Property: Expressions.property,
    expressions.Index: Expressions.index_of,
    expressions.Slice: Expressions.slice,
    expressions.ListLiteral: Expressions.list,
    expressions.MapLiteral: Expressions.map,
    expressions.MapProjection: Expressions.map_projection,
    expressions.Junction: Expressions.junction,
    expressions.Unary: Expressions.unary,
    expressions.Binary: Expressions.binary,
    expressions.Comparison: Expressions.comparison,
    expressions.PostfixTest: Expressions.test,
    expressions.LabelTest: Expressions.label_test,
    expressions.FunctionCall: Expressions.call,
    expressions.Case: Expressions.case,
    expressions.ListComprehension: Expressions.list_comprehension,
    expressions.Quantifier: Expressions.quantifier,
    expressions.Reduce: Expressions.reduce,
    expressions.PatternComprehension: Expressions.pattern_comprehension,
    expressions.PatternExpression: Expressions.pattern,
    ast.ShortestPath: Expressions.shortest_path,
    expressions.PatternSubquery: Expressions.pattern_subquery,
    expressions.Subquery: Expressions.subquery,
}
