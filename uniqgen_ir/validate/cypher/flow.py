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
from uniqgen_ir.validate.cypher.names import NameChecker
from uniqgen_ir.validate.cypher.network import Network
from uniqgen_ir.validate.cypher.optionals import lost_optionals, nullable
from uniqgen_ir.validate.cypher.products import Products
from uniqgen_ir.validate.cypher.state import State
from uniqgen_ir.validate.cypher.types import PATH, UNKNOWN, EdgeType, ListType, NodeType, Type

Path = Sequence[ast.PathElement]


class Flow:
    """Walks a query. Faults go to the context; the query must be free of syntax faults."""

    def __init__(self, context: Context, index: KindIndex | None) -> None:
        self.context = context
        self.index = index
        self.names = NameChecker(context, index) if index is not None else None
        self.expressions = Expressions(context, index, self)
        self.conditions = Conditions(context, self.expressions)

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
        state.facts = [one for one in state.facts if name not in one.variables]
        state.optional.pop(name, None)

    def infer(self, expression: expressions.Expression, state: State) -> Type:
        return self.expressions.infer(expression, state)

    # ---- MATCH -------------------------------------------------------------------------------------------------------

    def match(self, clause: ast.Match, state: State) -> None:
        if not clause.optional:
            lost_optionals(self.context, clause, state)
        inner = state.copy() if clause.optional else state
        self.patterns([one.elements for one in clause.patterns], clause.where, inner)
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
        self.patterns(patterns, where, inner, quiet=True)
        self.holds(where, inner)
        return inner

    def patterns(
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
            value = self.infer(entry.value, state)
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
        state.facts = [one for one in state.facts if one.variables and one.variables <= kept]
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
                self.patterns([one.elements for one in patterns], None, state, quiet=True)
            case ast.Merge(pattern=pattern, actions=actions):
                self.patterns([pattern.elements], None, state, quiet=True)
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
