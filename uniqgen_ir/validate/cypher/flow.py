"""A query clause by clause: what each variable can be, which conditions hold, and what cannot be right."""

from __future__ import annotations

from collections.abc import Sequence

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.grammar.cypher.scope import aggregates
from uniqgen_ir.validate.cypher.conditions import Conditions
from uniqgen_ir.validate.cypher.expressions import Expressions
from uniqgen_ir.validate.cypher.facts import conjuncts
from uniqgen_ir.validate.cypher.kinds import KindIndex
from uniqgen_ir.validate.cypher.optionals import lost_optionals, nullable
from uniqgen_ir.validate.cypher.patterns import Path, Patterns
from uniqgen_ir.validate.cypher.products import Products
from uniqgen_ir.validate.cypher.state import State
from uniqgen_ir.validate.cypher.types import PATH, UNKNOWN, EdgeType, ListType, NodeType, Type


class Flow:
    """Walks a query. Faults go to the context; the query must be free of syntax faults."""

    def __init__(self, context: Context, index: KindIndex | None) -> None:
        self.context = context
        self.expressions = Expressions(context, index, self)
        self.conditions = Conditions(context, self.expressions)
        self.patterns = Patterns(context, self.expressions, self.conditions, self.holds)

    # ---- queries -----------------------------------------------------------------------------------------------------

    def query(self, query: ast.Query, state: State) -> dict[str, Type]:
        """Check a query that begins with a state; the types of its columns."""
        if isinstance(query, ast.SingleQuery):
            return self.single(query, state.copy())
        if isinstance(query, ast.UnionQuery):
            found = [self.query(one, state) for one in query.queries]
            return {name: type_ for name, type_ in found[0].items() if all(one.get(name) == type_ for one in found)}
        columns: dict[str, Type] = {}
        for one in query.queries:
            inner = state.copy()
            inner.types.update(columns)
            columns = self.query(one, inner)
        return columns

    def inner_query(self, query: ast.Query, state: State) -> dict[str, Type]:
        """A query inside an expression."""
        return self.query(query, state)

    def single(self, query: ast.SingleQuery, state: State) -> dict[str, Type]:
        products = Products(self.context, query, frozenset(state.types))
        for clause in query.clauses:
            if isinstance(clause, ast.Match):
                products.match(clause)
            columns = self.clause(clause, state)
            if columns is not None:
                return columns
        return {}

    def clause(self, clause: ast.Clause, state: State) -> dict[str, Type] | None:
        """Check a clause and bring the state to where it stands after it; the columns of RETURN."""
        match clause:
            case ast.Match():
                self.match(clause, state)
            case ast.With(projection=projection, where=where):
                self.project(projection, state)
                self.holds(where, state, after=True)
            case ast.Return(projection=projection):
                return self.project(projection, state)
            case ast.Filter(condition=condition):
                self.holds(condition, state, after=True)
            case ast.Unwind(expression=expression, variable=variable):
                listed = self.infer(expression, state)
                self.bind(state, variable.text, listed.item if isinstance(listed, ListType) else UNKNOWN)
            case ast.Let(items=items):
                for item in items:
                    self.bind(state, item.variable.text, self.infer(item.expression, state))
            case ast.OrderAndPage(order=order):
                for one in order:
                    self.infer(one.expression, state)
            case ast.CallSubquery():
                self.call(clause, state)
            case ast.CallProcedure(arguments=arguments, yields=yields):
                for argument in arguments or ():
                    self.infer(argument, state)
                for yielded in yields or ():
                    self.bind(state, (yielded.alias or yielded.name).text, UNKNOWN)
                self.holds(clause.where, state, after=True)
            case ast.LoadCsv(variable=variable):
                self.bind(state, variable.text, UNKNOWN)
            case _:
                self.write(clause, state)
        return None

    def bind(self, state: State, name: str, type_: Type) -> None:
        """A new meaning of a name: what was known under it is forgotten."""
        state.types[name] = type_
        state.facts.forget(name)
        state.optional.pop(name, None)

    def infer(self, expression: expressions.Expression, state: State) -> Type:
        return self.expressions.infer(expression, state)

    # ---- MATCH -------------------------------------------------------------------------------------------------------

    def match(self, clause: ast.Match, state: State) -> None:
        if not clause.optional:
            lost_optionals(self.context, clause, state)
        inner = state.copy() if clause.optional else state
        self.patterns.bring_in([one.elements for one in clause.patterns], clause.where, inner)
        for pattern in clause.patterns:
            if pattern.variable is not None:
                several = isinstance(pattern.elements[0], ast.ShortestPath) and pattern.elements[0].every
                inner.types[pattern.variable.text] = ListType(PATH) if several else PATH
        self.holds(clause.where, inner)
        if clause.optional:
            # an optional part says nothing about rows in which it is missing, only what its own variables can be
            for name, type_ in inner.types.items():
                if name not in state.types:
                    state.types[name] = type_
                    state.optional[name] = clause
            state.edges = inner.edges

    def inner_patterns(self, patterns: tuple[Path, ...], where: expressions.Expression | None, state: State) -> State:
        """Patterns inside an expression: what they say holds only there. The state inside."""
        inner = state.copy()
        self.patterns.bring_in(patterns, where, inner, quiet=True)
        self.holds(where, inner)
        return inner

    # ---- conditions --------------------------------------------------------------------------------------------------

    def holds(self, condition: expressions.Expression | None, state: State, *, after: bool = False) -> None:
        """A condition that every row fulfils. `after`: it stands behind what it filters, as in WITH … WHERE."""
        if condition is None:
            return
        for one in conjuncts(condition):
            self.expressions.truth(one, self.infer(one, state), "WHERE")
            self.conditions.add(one, state)
            if after:
                lost_optionals(self.context, one, state)

    # ---- projections -------------------------------------------------------------------------------------------------

    def project(self, projection: ast.Projection, state: State) -> dict[str, Type]:
        """The types of the columns; the state knows nothing else afterwards."""
        new: dict[str, Type] = dict(state.types) if projection.star else {}
        kept: set[str] = set(new)
        optional = dict(state.optional) if projection.star else {}
        for item in projection.items:
            type_ = self.infer(item.expression, state)
            self.expressions.no_pattern(item.expression)
            name = self.column(item)
            new[name] = type_
            if isinstance(item.expression, expressions.Variable) and item.expression.name == name:
                kept.add(name)
            missing = None if aggregates(item.expression) else nullable(item.expression, state)
            if missing is not None:
                optional[name] = missing
        columns = [item.expression for item in projection.items]
        for one in projection.order:
            if one.expression in columns:
                # it is the column, even where an alias has taken the name of its variable
                continue
            inner = state.copy()
            inner.types.update(new)
            self.infer(one.expression, inner)
        state.types = new
        state.facts.keep(kept)
        state.optional = optional
        return new

    def column(self, item: ast.ProjectionItem) -> str:
        if item.alias is not None:
            return item.alias.text
        if isinstance(item.expression, expressions.Variable):
            return item.expression.name
        return self.context.text[item.start : item.end]

    def call(self, clause: ast.CallSubquery, state: State) -> None:
        inner = state.copy()
        if clause.imports is not None and not clause.star:
            names = {one.text for one in clause.imports}
            inner.types = {name: type_ for name, type_ in state.types.items() if name in names}
        inner.optional = {}
        for name, type_ in self.query(clause.query, inner).items():
            self.bind(state, name, type_)

    # ---- clauses that write ------------------------------------------------------------------------------------------

    def write(self, clause: ast.Clause, state: State) -> None:
        match clause:
            case ast.Create(patterns=patterns):
                self.patterns.bring_in([one.elements for one in patterns], None, state, quiet=True)
            case ast.Merge(pattern=pattern, actions=actions):
                self.patterns.bring_in([pattern.elements], None, state, quiet=True)
                for action in actions:
                    self.set_items(action.items, state)
            case ast.Set(items=items):
                self.set_items(items, state)
            case ast.Remove(items=items) | ast.Delete(expressions=items):
                for one in items:
                    self.infer(one, state)
            case ast.Foreach(variable=variable, source=source, clauses=clauses):
                inner = self.expressions.with_item(variable, source, state)
                for written in clauses:
                    self.clause(written, inner)
            case _:
                pass

    def set_items(self, items: Sequence[ast.SetItem], state: State) -> None:
        for item in items:
            target = self.infer(item.target, state)
            if item.value is None:
                continue
            value = self.infer(item.value, state)
            if isinstance(item.target, expressions.Property):
                if not isinstance(item.value, expressions.NullLiteral):
                    self.expressions.comparisons.pair(item, "=", (item.target, target), (item.value, value))
            elif isinstance(item.value, expressions.MapLiteral) and isinstance(target, NodeType | EdgeType):
                for entry in item.value.entries:
                    self.expressions.property_of(item.target, target, entry.key, state, shown=True)
