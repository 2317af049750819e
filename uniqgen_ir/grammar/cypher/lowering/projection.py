"""WITH and RETURN as the head and shell of a table."""

from __future__ import annotations

from attrs import define, evolve, field

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as syntax
from uniqgen_ir.grammar.cypher.checking.projection import column_name
from uniqgen_ir.grammar.cypher.lowering.expressions import ExpressionLowering, is_there
from uniqgen_ir.grammar.cypher.lowering.group import (
    Binding,
    Builder,
    Group,
    NodeBinding,
    PathBinding,
    RelationshipBinding,
    Scope,
    UnsupportedError,
    ValueBinding,
)
from uniqgen_ir.grammar.cypher.lowering.tables import assemble
from uniqgen_ir.grammar.cypher.scope import aggregates
from uniqgen_ir.ir.analysis import has_aggregate, walk_expression
from uniqgen_ir.ir.expressions import Aggregate, Call, Expression, Not
from uniqgen_ir.ir.rows import Triple
from uniqgen_ir.ir.table import Column, OrderKey, Shell, Table
from uniqgen_ir.ir.terms import Literal, Variable


@define
class ProjectionLowering:
    """Lowers one projection over the rows of a group. `inner`: the columns are seen by clauses that follow."""

    builder: Builder
    expressions: ExpressionLowering
    group: Group
    scope: Scope
    inner: bool = False
    head: list[Column] = field(factory=list[Column])
    keys: list[Column] = field(factory=list[Column])
    new: Scope = field(factory=dict[str, Binding])
    sorted_by: Scope = field(factory=dict[str, Binding])
    """what a sort key sees under the name of a column"""

    def table(self, projection: ast.Projection, name: str) -> tuple[Table, Scope]:
        """The table, and what its columns stand for afterwards."""
        if projection.group:
            raise UnsupportedError(
                "GROUP BY", projection.group[0], "columns without an aggregate are grouped by anyway"
            )
        items = self._items(projection)
        grouped = any(aggregates(item.expression) for item in items)
        if grouped:
            self._sharpen(items)
        for item in items:
            if not aggregates(item.expression):
                self._column(item, grouped)
        if grouped:
            self.expressions.columns = self._columns(items)
            for item in items:
                if aggregates(item.expression):
                    self._aggregate(item)
            self._restore_order(items)
        self.expressions.columns = self._columns(items)
        order = tuple(key for one in projection.order for key in self._sort(one, grouped or projection.distinct))
        self.expressions.columns = []
        shell = Shell(
            distinct=projection.distinct,
            group=tuple(self.keys),
            order=order,
            limit=_number(projection.limit, "LIMIT"),
            offset=_number(projection.skip, "SKIP"),
        )
        if self.inner and shell.limit is None and shell.offset is None:
            shell = evolve(shell, order=())
        return assemble(self.builder, self.group, tuple(self.head), shell, name), self.new

    def _items(self, projection: ast.Projection) -> list[ast.ProjectionItem]:
        items = list(projection.items)
        if projection.star:
            named = {column_name(self.builder.context, item) for item in items}
            start, end = projection.start, projection.end
            stars = [
                ast.ProjectionItem(start, end, syntax.Variable(start, end, name), None)
                for name in sorted(self.scope)
                if name not in named
            ]
            items = stars + items
        return items

    def _columns(self, items: list[ast.ProjectionItem]) -> list[tuple[syntax.Expression, Variable]]:
        """What stands for an expression that is a column."""
        found: list[tuple[syntax.Expression, Variable]] = []
        for item in items:
            name = column_name(self.builder.context, item)
            binding = self.new.get(name)
            if name in self.sorted_by and not isinstance(self.sorted_by[name], ValueBinding):
                continue
            if binding is not None and not isinstance(binding, PathBinding):
                variable = binding.witness if isinstance(binding, RelationshipBinding) else binding.variable
                found.append((item.expression, variable))
        return found

    def _name(self, item: ast.ProjectionItem) -> Variable:
        """The variable of a column: exactly its name in the answer, a fresh one inside."""
        name = column_name(self.builder.context, item)
        return self.builder.fresh(name) if self.inner else Variable(name)

    def _column(self, item: ast.ProjectionItem, grouped: bool) -> None:
        name = column_name(self.builder.context, item)
        binding = self._carried(item)
        if binding is not None:
            variable = binding.reified if isinstance(binding, RelationshipBinding) else binding.variable
            assert variable is not None
            alias = None if self.inner or variable.name == name else Variable(name)
            self._add(Column(variable, alias), grouped)
            self.new[name] = binding if alias is None else _renamed(binding, alias)
            # properties are fetched from the rows, where the alias is not known
            self.sorted_by[name] = binding
            return
        lowered = self.expressions.lower(item.expression, self.group, self.scope)
        if isinstance(lowered, Variable) and self.inner:
            self._add(Column(lowered), grouped)
            self.new[name] = ValueBinding(lowered)
            return
        alias = self._name(item)
        self._add(Column(lowered, None if lowered == alias else alias), grouped)
        self.new[name] = ValueBinding(alias)

    def _carried(self, item: ast.ProjectionItem) -> NodeBinding | ValueBinding | RelationshipBinding | None:
        """What a plain variable stands for; None for an expression."""
        if not isinstance(item.expression, syntax.Variable):
            return None
        binding = self.scope.get(item.expression.name)
        if binding is None or isinstance(binding, PathBinding):
            what = binding.what if binding is not None else "which is not in scope"
            raise UnsupportedError(f"`{item.expression.name}`, {what}, as a value", item)
        if isinstance(binding, RelationshipBinding) and binding.reified is None:
            raise UnsupportedError(f"`{item.expression.name}`, a relationship, as a value", item)
        return binding

    def _add(self, column: Column, grouped: bool) -> None:
        if grouped:
            self.keys.append(column)
            self.head.append(Column(column.variable))
        else:
            self.head.append(column)

    def _aggregate(self, item: ast.ProjectionItem) -> None:
        alias = self._name(item)
        lowered = self.expressions.lower(item.expression, self.group, self.scope)
        self.head.append(Column(lowered, alias))
        self.new[column_name(self.builder.context, item)] = ValueBinding(
            alias, nullable=not isinstance(lowered, Aggregate)
        )

    def _restore_order(self, items: list[ast.ProjectionItem]) -> None:
        """Columns in the order of the text: grouping keys were made first."""
        plain = [item for item in items if not aggregates(item.expression)]
        made = dict(zip([*plain, *(item for item in items if item not in plain)], self.head, strict=True))
        self.head = [made[item] for item in items]

    def _sharpen(self, items: list[ast.ProjectionItem]) -> None:
        """One property under min or max over everything: rows without it change nothing, so it may be required."""
        found = [one for item in items for one in aggregates(item.expression)]
        arguments = {one.arguments[0] for one in found if isinstance(one, syntax.FunctionCall) and one.arguments}
        skipping = all(isinstance(one, syntax.FunctionCall) for one in found)
        if len(arguments) == 1 and skipping and all(aggregates(item.expression) for item in items):
            argument = arguments.pop()
            if isinstance(argument, syntax.Property):
                self.expressions.lower(argument, self.group, self.scope, required=True)

    # ORDER BY

    def _sort(self, item: ast.SortItem, narrow: bool) -> list[OrderKey]:
        """The sort key, and before it one that puts nulls last (descending: first), where tables have them not."""
        scope = {**self.scope, **self.new, **self.sorted_by}
        key = self.expressions.lower(item.expression, self.group, scope)
        if narrow:
            self._group_by(key)
        keys: list[OrderKey] = []
        if self._may_be_null(key):
            missing = Not(Call("bound", (key,))) if isinstance(key, Variable) else Not(is_there(key))
            keys.append(OrderKey(missing, item.descending))
        keys.append(OrderKey(key, item.descending))
        return keys

    def _group_by(self, key: Expression) -> None:
        """What a sort key of groups looks at depends on the group alone, so that grouping by it changes nothing."""
        known = {column.variable for column in (*self.keys, *self.head)} | {column.expression for column in self.keys}
        for one in walk_expression(key):
            if isinstance(one, Variable) and self.keys and one not in known and not has_aggregate(key):
                self.keys.append(Column(one))
                known.add(one)

    def _may_be_null(self, key: Expression) -> bool:
        if isinstance(key, Aggregate | Literal):
            return False
        if not isinstance(key, Variable):
            return True
        sources = [column.expression for column in (*self.keys, *self.head) if column.variable == key]
        sources = [one for one in sources if one != key] or [key]
        return not any((isinstance(one, Aggregate) and one.function == "count") or self._bound(one) for one in sources)

    def _bound(self, expression: Expression) -> bool:
        if any(isinstance(draft.content, Triple) and draft.content.object == expression for draft in self.group.drafts):
            return True
        return any(
            isinstance(one, NodeBinding | ValueBinding) and one.variable == expression and not one.nullable
            for one in self.scope.values()
        )


def _renamed(binding: Binding, variable: Variable) -> Binding:
    if isinstance(binding, RelationshipBinding):
        return evolve(binding, witness=variable, reified=variable)
    assert not isinstance(binding, PathBinding)
    return evolve(binding, variable=variable)


def _number(expression: syntax.Expression | None, name: str) -> int | None:
    if expression is None:
        return None
    if isinstance(expression, syntax.IntegerLiteral):
        return expression.value
    raise UnsupportedError(f"{name} with anything but a number", expression)
