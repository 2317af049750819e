"""The syntax tree of Cypher: queries, clauses and patterns. Expressions are in `cypher_ast_expressions.py`.

Frozen and compared by structure; `start` and `end` (characters of the text) take no part in that. Names are as meant:
without backticks. Lists are tuples.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias, Union

from attrs import frozen

from uniqgen_ir.grammar.cypher.ast_expressions import (
    Expression,
    LabelExpression,
    MapLiteral,
    Name,
    Node,
    Parameter,
)

# patterns


@frozen
class Length(Node):
    """`*1..3` inside a relationship. `minimum` None: as written, without one; `maximum` None: without a bound."""

    minimum: int | None
    maximum: int | None


@frozen
class Repetition(Node):
    """A quantifier behind a relationship or a group: `+`, `*`, `{2}`, `{1,3}`. `maximum` None: without a bound."""

    minimum: int
    maximum: int | None


@frozen
class NodePattern(Node):
    """`(variable:Label {properties} WHERE condition)`."""

    variable: Name | None = None
    labels: LabelExpression | None = None
    properties: MapLiteral | Parameter | None = None
    where: Expression | None = None


@frozen
class RelationshipPattern(Node):
    """`<-[variable:TYPE*1..3 {properties} WHERE condition]->{1,3}`; `left` and `right` are the arrow heads."""

    left: bool
    right: bool
    variable: Name | None = None
    types: LabelExpression | None = None
    length: Length | None = None
    properties: MapLiteral | Parameter | None = None
    where: Expression | None = None
    repetition: Repetition | None = None


@frozen
class GroupPattern(Node):
    """`(path_variable = path WHERE condition)` with an optional quantifier."""

    path_variable: Name | None
    elements: tuple[PathElement, ...]
    where: Expression | None = None
    repetition: Repetition | None = None


@frozen
class ShortestPath(Node):
    """`shortestPath(…)`, or `allShortestPaths(…)` where `every` is set; in a pattern or as an expression."""

    every: bool
    elements: tuple[PathElement, ...]


PathElement: TypeAlias = Union[NodePattern, RelationshipPattern, GroupPattern, ShortestPath]  # noqa: UP007


@frozen
class Pattern(Node):
    """`variable = SELECTOR path`. `selector` is in capitals, as in `ALL SHORTEST`."""

    variable: Name | None
    selector: str | None
    elements: tuple[PathElement, ...]


# what clauses are made of


@frozen
class ProjectionItem(Node):
    """`expression AS alias`."""

    expression: Expression
    alias: Name | None


@frozen
class SortItem(Node):
    expression: Expression
    descending: bool


@frozen
class Projection(Node):
    """What stands after WITH or RETURN. `star` for `*`; `group` is Cypher 25's GROUP BY."""

    distinct: bool
    star: bool
    items: tuple[ProjectionItem, ...]
    order: tuple[SortItem, ...] = ()
    skip: Expression | None = None
    limit: Expression | None = None
    group: tuple[Expression, ...] = ()


@frozen
class YieldItem(Node):
    name: Name
    alias: Name | None


@frozen
class Hint(Node):
    """`USING INDEX n:Label(property)`, `USING SCAN n:Label`, `USING JOIN ON n, m`; `kind` in capitals."""

    kind: str
    variables: tuple[Name, ...]
    label: LabelExpression | None = None
    properties: tuple[Name, ...] = ()


@frozen
class SetItem(Node):
    """`target = value`, `target += value` where `add` is set, or a label (then `target` is the test, no value)."""

    target: Expression
    value: Expression | None
    add: bool = False


# clauses that read


@frozen
class Match(Node):
    """`mode` is `REPEATABLE ELEMENTS`, `DIFFERENT RELATIONSHIPS` or None, the default (different relationships)."""

    optional: bool
    mode: str | None
    patterns: tuple[Pattern, ...]
    hints: tuple[Hint, ...] = ()
    where: Expression | None = None


@frozen
class Unwind(Node):
    expression: Expression
    variable: Name


@frozen
class With(Node):
    projection: Projection
    where: Expression | None = None


@frozen
class Return(Node):
    projection: Projection


@frozen
class Filter(Node):
    condition: Expression


@frozen
class LetItem(Node):
    variable: Name
    expression: Expression


@frozen
class Let(Node):
    items: tuple[LetItem, ...]


@frozen
class OrderAndPage(Node):
    """ORDER BY, SKIP and LIMIT as a clause of its own."""

    order: tuple[SortItem, ...] = ()
    skip: Expression | None = None
    limit: Expression | None = None


@frozen
class Finish(Node):
    """FINISH: end without rows."""


@frozen
class Use(Node):
    graph: Expression


@frozen
class CallSubquery(Node):
    """`CALL (imports) { query }`. `imports` None: no brackets; `star` for `(*)`; `transactions` for IN TRANSACTIONS."""

    optional: bool
    query: Query
    imports: tuple[Name, ...] | None = None
    star: bool = False
    transactions: bool = False


@frozen
class CallProcedure(Node):
    """`CALL name(arguments) YIELD …`. `arguments` None: no brackets; `yields` None: no YIELD or `YIELD *`."""

    optional: bool
    name: str
    arguments: tuple[Expression, ...] | None
    yields: tuple[YieldItem, ...] | None = None
    star: bool = False
    where: Expression | None = None


# clauses that write: their structure only matters for saying what they are


@frozen
class Create(Node):
    patterns: tuple[Pattern, ...]


@frozen
class MergeAction(Node):
    """`ON CREATE SET …` or `ON MATCH SET …`."""

    on_create: bool
    items: tuple[SetItem, ...]


@frozen
class Merge(Node):
    pattern: Pattern
    actions: tuple[MergeAction, ...] = ()


@frozen
class Set(Node):
    items: tuple[SetItem, ...]


@frozen
class Remove(Node):
    items: tuple[Expression, ...]


@frozen
class Delete(Node):
    detach: bool
    expressions: tuple[Expression, ...]


@frozen
class Foreach(Node):
    variable: Name
    source: Expression
    clauses: tuple[Clause, ...]


@frozen
class LoadCsv(Node):
    headers: bool
    source: Expression
    variable: Name


class CommandKind(StrEnum):
    WRITE = "write"
    """changes the schema, users or databases"""
    READ = "read"
    """SHOW …"""


@frozen
class Command(Node):
    """A statement that is no query: `CREATE INDEX …`, `SHOW …`. `words` are its first ones, in capitals."""

    kind: CommandKind
    words: str


WritingClause: TypeAlias = Union[Create, Merge, Set, Remove, Delete, Foreach]  # noqa: UP007
WRITING = (Create, Merge, Set, Remove, Delete, Foreach)

Clause: TypeAlias = Union[  # noqa: UP007
    Match,
    Unwind,
    With,
    Return,
    Filter,
    Let,
    OrderAndPage,
    Finish,
    Use,
    CallSubquery,
    CallProcedure,
    LoadCsv,
    WritingClause,
]

# queries


@frozen
class SingleQuery(Node):
    clauses: tuple[Clause, ...]


@frozen
class UnionQuery(Node):
    """`queries` joined by UNION; `distinct` says for each UNION whether it drops duplicates."""

    queries: tuple[SingleQuery, ...]
    distinct: tuple[bool, ...]


@frozen
class NextQuery(Node):
    """Cypher 25: the rows of each query are what the next begins with."""

    queries: tuple[SingleQuery | UnionQuery, ...]


Query: TypeAlias = Union[SingleQuery, UnionQuery, NextQuery]  # noqa: UP007


@frozen
class Statement(Node):
    """A query or command. `version` is `5` or `25` where a `CYPHER` prefix names it; `mode` EXPLAIN or PROFILE."""

    query: Query | Command
    version: str | None = None
    mode: str | None = None
    options: tuple[tuple[str, str], ...] = ()
