"""The syntax tree of Cypher: expressions and label expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, Union

from attrs import field, frozen

if TYPE_CHECKING:
    from uniqgen_ir.grammar.cypher.ast import PathElement, Pattern, Query, ShortestPath


@frozen
class Node:
    """`start` and `end` are the characters of the text that it was read from."""

    start: int = field(eq=False, repr=False)
    end: int = field(eq=False, repr=False)


@frozen
class Name(Node):
    """A name where it is written: a variable that is declared, a key, a label."""

    text: str


# atoms


@frozen
class Variable(Node):
    name: str


@frozen
class Parameter(Node):
    name: str


@frozen
class IntegerLiteral(Node):
    value: int


@frozen
class FloatLiteral(Node):
    """`text` is the number as written."""

    text: str

    @property
    def value(self) -> float:
        return float(self.text.replace("_", ""))


@frozen
class StringLiteral(Node):
    value: str


@frozen
class BooleanLiteral(Node):
    value: bool


@frozen
class NullLiteral(Node):
    pass


@frozen
class ListLiteral(Node):
    items: tuple[Expression, ...]


@frozen
class MapEntry(Node):
    key: Name
    value: Expression


@frozen
class MapLiteral(Node):
    entries: tuple[MapEntry, ...]


# operators


@frozen
class Junction(Node):
    """`AND`, `OR` or `XOR` over two or more operands, flat."""

    operator: str
    operands: tuple[Expression, ...]


@frozen
class Unary(Node):
    """`NOT`, `+` or `-`."""

    operator: str
    operand: Expression


@frozen
class Binary(Node):
    """`+ - * / % ^ || =~ IN CONTAINS`, `STARTS WITH`, `ENDS WITH`."""

    operator: str
    left: Expression
    right: Expression


@frozen
class Comparison(Node):
    """`a < b <= c`: one operand more than operators (`= <> < <= > >=`); true where every neighbouring pair is."""

    operators: tuple[str, ...]
    operands: tuple[Expression, ...]


@frozen
class PostfixTest(Node):
    """`IS NULL`, `IS NOT NULL`, `IS :: TYPE`, `IS NORMALIZED`; `test` in capitals with single spaces."""

    operand: Expression
    test: str


@frozen
class LabelTest(Node):
    """`n:Label`, `r:TYPE`."""

    operand: Expression
    labels: LabelExpression


@frozen
class Property(Node):
    """`operand.key`."""

    operand: Expression
    key: Name


@frozen
class Index(Node):
    """`operand[index]`."""

    operand: Expression
    index: Expression


@frozen
class Slice(Node):
    """`operand[first..last]`."""

    operand: Expression
    first: Expression | None
    last: Expression | None


@frozen
class ProjectedProperty(Node):
    """`.key`"""

    key: Name


@frozen
class ProjectedAll(Node):
    """`.*`"""


@frozen
class ProjectedVariable(Node):
    variable: Name


ProjectedElement: TypeAlias = Union[ProjectedProperty, ProjectedAll, ProjectedVariable, MapEntry]  # noqa: UP007


@frozen
class MapProjection(Node):
    """`operand {.key, other: value}`."""

    operand: Expression
    elements: tuple[ProjectedElement, ...]


@frozen
class FunctionCall(Node):
    """`name(DISTINCT arguments)`; `name` as written, with its namespace (`apoc.text.join`)."""

    name: str
    arguments: tuple[Expression, ...]
    distinct: bool = False

    @property
    def lower_name(self) -> str:
        """The name in lower case: built-in functions are found without regard to case."""
        return self.name.lower()


@frozen
class CountStar(Node):
    """`count(*)`"""


@frozen
class WhenTest(Node):
    """`WHEN > 5`: an operator (or a postfix test, then without operand) applied to the subject of the CASE."""

    operator: str
    operand: Expression | None


@frozen
class When(Node):
    """`WHEN tests THEN result`; several tests are alternatives."""

    tests: tuple[Expression | WhenTest, ...]
    result: Expression


@frozen
class Case(Node):
    subject: Expression | None
    whens: tuple[When, ...]
    default: Expression | None


@frozen
class ListComprehension(Node):
    """`[variable IN source WHERE where | result]`."""

    variable: Name
    source: Expression
    where: Expression | None
    result: Expression | None


@frozen
class PatternComprehension(Node):
    """`[path_variable = pattern WHERE where | result]`."""

    path_variable: Name | None
    elements: tuple[PathElement, ...]
    where: Expression | None
    result: Expression


@frozen
class Quantifier(Node):
    """`all`, `any`, `none` or `single` `(variable IN source WHERE where)`; `kind` in lower case."""

    kind: str
    variable: Name
    source: Expression
    where: Expression | None


@frozen
class Reduce(Node):
    """`reduce(accumulator = initial, variable IN source | step)`."""

    accumulator: Name
    initial: Expression
    variable: Name
    source: Expression
    step: Expression


@frozen
class Subquery(Node):
    """`EXISTS { query }`; `kind` is `EXISTS`, `COUNT` or `COLLECT`."""

    kind: str
    query: Query


@frozen
class PatternSubquery(Node):
    """`EXISTS { patterns WHERE where }`."""

    kind: str
    patterns: tuple[Pattern, ...]
    where: Expression | None


@frozen
class PatternExpression(Node):
    """A pattern as a condition: `(a)-[:KNOWS]->(b)`."""

    elements: tuple[PathElement, ...]


Expression: TypeAlias = Union[
    Variable,
    Parameter,
    IntegerLiteral,
    FloatLiteral,
    StringLiteral,
    BooleanLiteral,
    NullLiteral,
    ListLiteral,
    MapLiteral,
    Junction,
    Unary,
    Binary,
    Comparison,
    PostfixTest,
    LabelTest,
    Property,
    Index,
    Slice,
    MapProjection,
    FunctionCall,
    CountStar,
    Case,
    ListComprehension,
    PatternComprehension,
    Quantifier,
    Reduce,
    Subquery,
    PatternSubquery,
    PatternExpression,
    "ShortestPath",
]

# label expressions: of nodes and, as types, of relationships


@frozen
class LabelName(Node):
    text: str


@frozen
class LabelAny(Node):
    """`%`"""


@frozen
class LabelNot(Node):
    operand: LabelExpression


@frozen
class LabelAnd(Node):
    """Two or more, flat. `colons` where written in the old way, `:A:B`."""

    operands: tuple[LabelExpression, ...]
    colons: bool = False


@frozen
class LabelOr(Node):
    """Two or more, flat."""

    operands: tuple[LabelExpression, ...]


@frozen
class LabelDynamic(Node):
    """`$(expression)`"""

    expression: Expression


LabelExpression: TypeAlias = Union[LabelName, LabelAny, LabelNot, LabelAnd, LabelOr, LabelDynamic]  # noqa: UP007
