"""Expressions of Cypher as expressions of tables.

Null and SPARQL's error coincide: both make a condition fail, and both are what comparisons of nothing give. Where they
differ (CASE without ELSE, aggregates that skip nulls, integer division) the difference is written out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from attrs import define, field

from uniqgen_ir.grammar.cypher import ast as patterns
from uniqgen_ir.grammar.cypher import ast_expressions as ast
from uniqgen_ir.grammar.cypher.lowering.functions import NOTHING, TEXT_FUNCTIONS, FunctionLowering, always_there
from uniqgen_ir.grammar.cypher.lowering.group import (
    Builder,
    Group,
    NodeBinding,
    PathBinding,
    RelationshipBinding,
    Scope,
    UnsupportedError,
)
from uniqgen_ir.grammar.cypher.lowering.labels import label_condition, label_rows
from uniqgen_ir.grammar.cypher.names import RELATIONSHIP, TYPE, Attribute
from uniqgen_ir.grammar.cypher.scope import is_aggregate
from uniqgen_ir.ir.expressions import (
    And,
    Arithmetic,
    ArithmeticOperator,
    Call,
    Comparison,
    ComparisonOperator,
    Exists,
    Expression,
    Membership,
    Negative,
    Not,
    Or,
    conjunction,
)
from uniqgen_ir.ir.rows import Filter, OptionalBlock, Row, Triple
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Variable
from uniqgen_ir.ir.vocabulary import XSD_INTEGER

if TYPE_CHECKING:
    from uniqgen_ir.grammar.cypher.lowering.subqueries import SubqueryLowering

_COMPARISONS: Final = {
    "=": ComparisonOperator.EQUAL,
    "<>": ComparisonOperator.NOT_EQUAL,
    "<": ComparisonOperator.LESS,
    "<=": ComparisonOperator.LESS_EQUAL,
    ">": ComparisonOperator.GREATER,
    ">=": ComparisonOperator.GREATER_EQUAL,
}
_TESTS: Final = {"STARTS WITH": "starts_with", "ENDS WITH": "ends_with", "CONTAINS": "contains"}
_ARITHMETIC: Final = {
    "-": ArithmeticOperator.SUBTRACT,
    "*": ArithmeticOperator.MULTIPLY,
}
_PARTS: Final = {
    "year": "year",
    "month": "month",
    "day": "day",
    "hour": "hours",
    "minute": "minutes",
}
"""Parts of a date or time, and the functions that take them."""


@define
class ExpressionLowering:
    """Lowers expressions; the rows that they need (properties) go into the group."""

    builder: Builder
    subqueries: SubqueryLowering
    columns: list[tuple[ast.Expression, Variable]] = field(factory=list[tuple[ast.Expression, Variable]])
    """expressions that have a column already, and its variable"""
    functions: FunctionLowering = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.functions = FunctionLowering(self)

    # conditions

    def condition(self, expression: ast.Expression, group: Group, scope: Scope) -> None:
        """Add rows that hold where the condition is true."""
        if isinstance(expression, ast.Junction) and expression.operator == "AND":
            for operand in expression.operands:
                self.condition(operand, group, scope)
            return
        if isinstance(expression, ast.LabelTest) and isinstance(expression.operand, ast.Variable):
            binding = scope.get(expression.operand.name)
            if isinstance(binding, NodeBinding) and not binding.nullable:
                for content in label_rows(self.builder, binding.variable, expression.labels):
                    group.add(content, expression)
                return
        if isinstance(expression, ast.PostfixTest) and expression.test == "IS NOT NULL":
            value = self.witness(expression.operand, group, scope, required=True)
            if always_there(value, group):
                return
        group.add(Filter(self.lower(expression, group, scope, required=True)), expression)

    # expressions

    def lower(self, node: ast.Expression, group: Group, scope: Scope, *, required: bool = False) -> Expression:
        """The expression. `required`: where a property in it is missing, nobody cares for the row."""
        for known, variable in self.columns:
            if known == node:
                return variable
        match node:
            case ast.Variable(name=name):
                return self.variable(node, name, scope)
            case ast.Parameter(name=name):
                return Parameter(name)
            case ast.IntegerLiteral() | ast.FloatLiteral() | ast.StringLiteral() | ast.BooleanLiteral():
                return Literal.of(node.value)
            case ast.NullLiteral():
                return NOTHING
            case ast.Property(operand=operand, key=key):
                return self.property(node, operand, key, group, scope, required)
            case ast.Comparison():
                return self.comparison(node, group, scope, required)
            case ast.Junction():
                return self.junction(node, group, scope, required)
            case ast.Unary():
                return self.unary(node, group, scope, required)
            case ast.Binary():
                return self.binary(node, group, scope, required)
            case ast.PostfixTest():
                return self.test(node, group, scope)
            case ast.LabelTest():
                return self.label_test(node, scope)
            case ast.Case():
                return self.case(node, group, scope)
            case ast.FunctionCall() if is_aggregate(node):
                return self.aggregate(node, group, scope)
            case ast.FunctionCall():
                return self.functions.call(node, group, scope, required)
            case ast.CountStar():
                return self.functions.count_rows()
            case ast.PatternExpression():
                return self.subqueries.exists(node, group, scope)
            case ast.PatternSubquery(kind="EXISTS") | ast.Subquery(kind="EXISTS"):
                return self.subqueries.exists(node, group, scope)
            case ast.PatternSubquery(kind="COUNT") | ast.Subquery(kind="COUNT"):
                return self.subqueries.count(node, group, scope)
            case _:
                raise UnsupportedError(_described(node), node)

    def aggregate(self, node: ast.FunctionCall, group: Group, scope: Scope) -> Expression:
        """An aggregate ranges over the rows before they are grouped, where columns have no names yet."""
        columns, self.columns = self.columns, []
        try:
            return self.functions.aggregate(node, node.lower_name, group, scope)
        finally:
            self.columns = columns

    def variable(self, node: ast.Expression, name: str, scope: Scope) -> Expression:
        binding = scope.get(name)
        match binding:
            case None:
                raise UnsupportedError(f"`{name}`, which is not in scope", node)
            case PathBinding(what=what):
                raise UnsupportedError(f"`{name}`, {what}, as a value", node)
            case RelationshipBinding(reified=reified):
                if reified is None:
                    raise UnsupportedError(f"`{name}`, a relationship, as a value", node)
                return reified
            case _:
                return binding.variable

    def comparison(self, node: ast.Comparison, group: Group, scope: Scope, required: bool) -> Expression:
        exists = self._counted(node, group, scope)
        if exists is not None:
            return exists
        operands = [self.lower(one, group, scope, required=required) for one in node.operands]
        pairs = zip(node.operators, operands, operands[1:], strict=False)
        return conjunction(tuple(Comparison(_COMPARISONS[operator], left, right) for operator, left, right in pairs))

    def _counted(self, node: ast.Comparison, group: Group, scope: Scope) -> Expression | None:
        """`COUNT { … } > 0` and the like only ask whether there is a match."""
        if len(node.operands) != 2:
            return None
        left, right = node.operands
        if not isinstance(left, ast.PatternSubquery | ast.Subquery) or left.kind != "COUNT":
            return None
        bound = (node.operators[0], right.value if isinstance(right, ast.IntegerLiteral) else None)
        if bound in ((">", 0), (">=", 1), ("<>", 0)):
            return self.subqueries.exists(left, group, scope)
        if bound in (("=", 0), ("<", 1), ("<=", 0)):
            return _negated(self.subqueries.exists(left, group, scope))
        return None

    def junction(self, node: ast.Junction, group: Group, scope: Scope, required: bool) -> Expression:
        inner = required and node.operator == "AND"
        operands = tuple(self.lower(one, group, scope, required=inner) for one in node.operands)
        if node.operator == "AND":
            return conjunction(operands)
        if node.operator == "OR":
            return Or(tuple(part for one in operands for part in (one.operands if isinstance(one, Or) else (one,))))
        result = operands[0]
        for one in operands[1:]:
            result = Or((And((result, Not(one))), And((Not(result), one))))
        return result

    def unary(self, node: ast.Unary, group: Group, scope: Scope, required: bool) -> Expression:
        operand = node.operand
        if node.operator == "-" and isinstance(operand, ast.IntegerLiteral | ast.FloatLiteral):
            return Literal.of(-operand.value)
        # a part of what is negated may be missing and the whole still be true: NOT (a AND b) with b false
        inner = required and not (node.operator == "NOT" and isinstance(operand, ast.Junction))
        lowered = self.lower(operand, group, scope, required=inner)
        if node.operator == "NOT":
            return _negated(lowered)
        return Negative(lowered) if node.operator == "-" else lowered

    def binary(self, node: ast.Binary, group: Group, scope: Scope, required: bool) -> Expression:
        operator = node.operator
        if operator == "IN":
            return self.membership(node, group, scope, required)
        left = self.lower(node.left, group, scope, required=required)
        right = self.lower(node.right, group, scope, required=required)
        if operator in _TESTS:
            return Call(_TESTS[operator], (left, right))
        if operator == "=~":
            return Call("matches", (left, *_whole(right)))
        if operator == "||" or (operator == "+" and (is_text(node.left) or is_text(node.right))):
            return _concatenated(_as_text(node.left, left), _as_text(node.right, right))
        if operator == "+":
            self._refuse_lists(node)
            # whether it adds or joins depends on the values
            total = Arithmetic(ArithmeticOperator.ADD, left, right)
            if is_number(node.left) or is_number(node.right):
                return total
            return Call("coalesce", (total, Call("concat", (left, right))))
        if operator in _ARITHMETIC:
            self._refuse_lists(node)
            return Arithmetic(_ARITHMETIC[operator], left, right)
        if operator == "/":
            return _division(node, left, right)
        if operator == "%":
            quotient = Call("integer", (Arithmetic(ArithmeticOperator.DIVIDE, left, right),))
            product = Arithmetic(ArithmeticOperator.MULTIPLY, right, quotient)
            return Arithmetic(ArithmeticOperator.SUBTRACT, left, product)
        raise UnsupportedError(f"the operator {operator}", node)

    def _refuse_lists(self, node: ast.Binary) -> None:
        for side in (node.left, node.right):
            if isinstance(side, ast.ListLiteral | ast.MapLiteral | ast.ListComprehension):
                raise UnsupportedError("a list as a value", side)
            if isinstance(side, ast.FunctionCall) and side.lower_name.startswith("duration"):
                raise UnsupportedError("calculating with durations", side)

    def membership(self, node: ast.Binary, group: Group, scope: Scope, required: bool) -> Expression:
        operand = self.lower(node.left, group, scope, required=required)
        if isinstance(node.right, ast.ListLiteral):
            options = tuple(self.lower(one, group, scope) for one in node.right.items)
            return Membership(operand, options) if options else Literal.of(False)
        if isinstance(node.right, ast.Property) and isinstance(node.right.operand, ast.Variable):
            return self.in_property(node, operand, node.right, scope)
        if isinstance(node.right, ast.Parameter):
            raise UnsupportedError("a parameter that holds a list", node.right, "write the list out")
        raise UnsupportedError("a list as a value", node.right)

    def in_property(self, node: ast.Binary, operand: Expression, list_: ast.Property, scope: Scope) -> Expression:
        """`x IN n.list`: some value of the property is equal. Null where the property is missing."""
        assert isinstance(list_.operand, ast.Variable)
        binding = scope.get(list_.operand.name)
        if not isinstance(binding, NodeBinding) or binding.nullable:
            raise UnsupportedError("a list as a value", node.right)
        predicate = self.builder.names.property(list_.key.text).iri
        value = self.builder.fresh(f"{binding.variable.name}_{list_.key.text}")
        there = Row("e1", Triple(binding.variable, predicate, value))
        equal = Row("e2", Filter(Comparison(ComparisonOperator.EQUAL, value, operand)))
        self.builder.exists = True
        return Call("if", (Exists((there,)), Exists((there, equal)), NOTHING))

    def test(self, node: ast.PostfixTest, group: Group, scope: Scope) -> Expression:
        if node.test not in ("IS NULL", "IS NOT NULL"):
            raise UnsupportedError(f"the test {node.test}", node)
        operand = self.witness(node.operand, group, scope)
        there = Call("bound", (operand,)) if isinstance(operand, Variable) else is_there(operand)
        return there if node.test == "IS NOT NULL" else Not(there)

    def witness(self, node: ast.Expression, group: Group, scope: Scope, *, required: bool = False) -> Expression:
        """Something that has a value exactly where the expression has one."""
        if isinstance(node, ast.Variable):
            binding = scope.get(node.name)
            if isinstance(binding, RelationshipBinding):
                return binding.witness
        return self.lower(node, group, scope, required=required)

    def label_test(self, node: ast.LabelTest, scope: Scope) -> Expression:
        operand = node.operand
        binding = scope.get(operand.name) if isinstance(operand, ast.Variable) else None
        if not isinstance(binding, NodeBinding):
            raise UnsupportedError("a label test of something that is no node of a pattern", node)
        condition = label_condition(self.builder, binding.variable, node.labels)
        return And((Call("bound", (binding.variable,)), condition)) if binding.nullable else condition

    def case(self, node: ast.Case, group: Group, scope: Scope) -> Expression:
        result: Expression = NOTHING if node.default is None else self.lower(node.default, group, scope)
        for when in reversed(node.whens):
            conditions = tuple(self._when(node, one, group, scope) for one in when.tests)
            condition = conditions[0] if len(conditions) == 1 else Or(conditions)
            # null is not true, but an error in the condition would be an error of the whole
            condition = Call("coalesce", (condition, Literal.of(False)))
            result = Call("if", (condition, self.lower(when.result, group, scope), result))
        return result

    def _when(self, node: ast.Case, test: ast.Expression | ast.WhenTest, group: Group, scope: Scope) -> Expression:
        if isinstance(test, ast.WhenTest):
            if node.subject is None or test.operand is None or test.operator not in _COMPARISONS:
                raise UnsupportedError(f"WHEN {test.operator}", test)
            comparison = ast.Comparison(test.start, test.end, (test.operator,), (node.subject, test.operand))
            return self.lower(comparison, group, scope)
        if node.subject is None:
            return self.lower(test, group, scope)
        if isinstance(test, ast.NullLiteral):
            return Not(is_there(self.lower(node.subject, group, scope)))
        return self.lower(ast.Comparison(test.start, test.end, ("=",), (node.subject, test)), group, scope)

    # properties

    def property(
        self, node: ast.Expression, operand: ast.Expression, key: ast.Name, group: Group, scope: Scope, required: bool
    ) -> Expression:
        if isinstance(operand, ast.Variable):
            binding = scope.get(operand.name)
            if isinstance(binding, NodeBinding):
                attribute = self.builder.names.property(key.text)
                if attribute.many:
                    raise UnsupportedError(f"`{key.text}`, a list, as a value", node)
                return self.fetch(binding.variable, attribute, key.text, node, group, required, binding.nullable)
            if isinstance(binding, RelationshipBinding) and binding.reified is not None:
                attribute = self.relationship_attribute(binding.properties, key)
                return self.fetch(binding.reified, attribute, key.text, node, group, required, binding.nullable)
            if isinstance(binding, PathBinding):
                raise UnsupportedError(f"`{operand.name}`, {binding.what}, as a value", node)
        if key.text in _PARTS and isinstance(operand, ast.Property | ast.FunctionCall | ast.Variable):
            return Call(_PARTS[key.text], (self.lower(operand, group, scope, required=required),))
        raise UnsupportedError(f"`{key.text}` of something that is no node or relationship of a pattern", node)

    def relationship_attribute(self, properties: tuple[tuple[str, IRI], ...] | None, key: ast.Name) -> Attribute:
        """The predicate of a relationship's property."""
        if properties is None:
            return self.builder.names.property(key.text)
        for name, iri in properties:
            if name == key.text:
                return Attribute(iri)
        raise UnsupportedError(f"the property `{key.text}`, which the mapping does not give to this relationship", key)

    def fetch(
        self,
        subject: Variable,
        attribute: Attribute,
        key: str,
        node: ast.Node,
        group: Group,
        required: bool = False,
        nullable: bool = False,
    ) -> Expression:
        """The value of a property: its variable, bound by a row of the group (optional unless `required`)."""
        if attribute.key:
            return Call("str", (subject,))
        known = group.property(subject, attribute.iri)
        if known is not None:
            value, draft, owner = known
            if required and owner is group and not nullable:
                draft.content = Triple(subject, attribute.iri, value)
            return value
        inner = group.optional_of(subject) if nullable else None
        if inner is not None:
            # inside the rows that bind the subject: there it is bound
            fetched = self.fetch(subject, attribute, key, node, inner)
            group.properties[subject, attribute.iri] = inner.properties[subject, attribute.iri]
            return fetched
        value = self.builder.fresh(f"{subject.name}_{key}" if key.isidentifier() else f"{subject.name}_value")
        triple = Triple(subject, attribute.iri, value)
        if nullable:
            # an unbound subject would match anything: another variable is matched, and must then be the same
            twin = self.builder.fresh(subject.name)
            same = Row("o2", Filter(Call("same_term", (twin, subject))))
            draft = group.add(OptionalBlock((Row("o1", Triple(twin, attribute.iri, value)), same)), node)
        elif required:
            draft = group.add(triple, node)
        else:
            draft = group.add(OptionalBlock((Row("o1", triple),)), node)
        group.properties[subject, attribute.iri] = (value, draft)
        return value

    def type_of(self, binding: RelationshipBinding) -> Expression:
        """`type(r)`"""
        if binding.type is not None:
            literal = Literal.of(binding.type)
            return Call("if", (Call("bound", (binding.witness,)), literal, NOTHING)) if binding.nullable else literal
        assert binding.predicate is not None
        text = Call("str", (binding.predicate,))
        mapping = self.builder.names.mapping
        if mapping is None:
            return Call("after", (text, Literal.of(RELATIONSHIP if binding.reified is not None else TYPE)))
        result: Expression = NOTHING
        for edge in reversed(mapping.edges):
            same = Comparison(ComparisonOperator.EQUAL, binding.predicate, edge.iri)
            result = Call("if", (same, Literal.of(edge.type), result))
        return result


def is_text(node: ast.Expression) -> bool:
    """Whether the expression is a string for certain, if anything."""
    match node:
        case ast.StringLiteral():
            return True
        case ast.FunctionCall():
            return node.lower_name in TEXT_FUNCTIONS
        case ast.Binary(operator=operator, left=left, right=right):
            return operator == "||" or (operator == "+" and (is_text(left) or is_text(right)))
        case _:
            return False


def is_number(node: ast.Expression) -> bool:
    """Whether the expression is a number for certain, if anything."""
    match node:
        case ast.IntegerLiteral() | ast.FloatLiteral() | ast.CountStar():
            return True
        case ast.Unary(operator=operator, operand=operand):
            return operator != "NOT" and is_number(operand)
        case ast.Binary(operator=operator, left=left, right=right):
            return operator in ("-", "*", "/", "%", "^") or (operator == "+" and is_number(left) and is_number(right))
        case ast.FunctionCall():
            return node.lower_name in (
                "count",
                "sum",
                "avg",
                "size",
                "tointeger",
                "tofloat",
                "abs",
                "round",
                "floor",
                "ceil",
            )
        case _:
            return False


def is_there(expression: Expression) -> Expression:
    """Whether an expression has a value: it is the same term as itself, or an error."""
    return Call("coalesce", (Call("same_term", (expression, expression)), Literal.of(False)))


def _negated(expression: Expression) -> Expression:
    if isinstance(expression, Exists):
        return Exists(expression.rows, not expression.negated)
    if isinstance(expression, Membership):
        return Membership(expression.operand, expression.options, not expression.negated)
    return Not(expression)


_FLAGS: Final = re.compile(r"\(\?([imsx]+)\)")


def _whole(pattern: Expression) -> tuple[Expression, ...]:
    """A pattern that must match from beginning to end, and its flags: `(?i)` is an argument of its own in SPARQL."""
    if not isinstance(pattern, Literal):
        return (Call("concat", (Literal.of("^(?:"), pattern, Literal.of(")$"))),)
    flags = _FLAGS.match(pattern.lexical)
    whole = Literal.of(f"^(?:{pattern.lexical[flags.end() if flags else 0 :]})$")
    return (whole, Literal.of("".join(sorted(set(flags[1]))))) if flags else (whole,)


def _as_text(node: ast.Expression, lowered: Expression) -> Expression:
    return lowered if is_text(node) else Call("str", (lowered,))


def _concatenated(left: Expression, right: Expression) -> Expression:
    parts: list[Expression] = []
    for one in (left, right):
        parts += one.arguments if isinstance(one, Call) and one.function == "concat" else (one,)
    return Call("concat", tuple(parts))


def _division(node: ast.Binary, left: Expression, right: Expression) -> Expression:
    """Two integers give an integer in Cypher, cut towards zero."""
    quotient = Arithmetic(ArithmeticOperator.DIVIDE, left, right)
    sides = (node.left, node.right)
    if any(isinstance(one, ast.FloatLiteral) or _is_float_call(one) for one in sides):
        return quotient
    if all(isinstance(one, ast.IntegerLiteral) for one in sides):
        return Call("integer", (quotient,))
    tests = tuple(
        Comparison(ComparisonOperator.EQUAL, Call("datatype", (value,)), IRI(XSD_INTEGER))
        for one, value in zip(sides, (left, right), strict=True)
        if not isinstance(one, ast.IntegerLiteral)
    )
    return Call("if", (conjunction(tests), Call("integer", (quotient,)), quotient))


def _is_float_call(node: ast.Expression) -> bool:
    return isinstance(node, ast.FunctionCall) and node.lower_name in ("tofloat", "avg", "sqrt")


_NAMES: Final[dict[type, str]] = {
    ast.ListLiteral: "a list as a value",
    ast.MapLiteral: "a map as a value",
    ast.MapProjection: "a map as a value",
    ast.Index: "a value by its index",
    ast.Slice: "a part of a list",
    ast.ListComprehension: "a list comprehension",
    ast.PatternComprehension: "a pattern comprehension",
    ast.Quantifier: "a condition over a list",
    ast.Reduce: "reduce()",
    patterns.ShortestPath: "shortestPath()",
    ast.Subquery: "COLLECT { … }",
    ast.PatternSubquery: "COLLECT { … }",
}


def _described(node: ast.Expression) -> str:
    return _NAMES.get(type(node), f"this {type(node).__name__}")
