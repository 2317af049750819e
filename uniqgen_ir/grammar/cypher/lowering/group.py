"""Rows in the making: groups, bindings, and tables made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from attrs import define, field, frozen

from uniqgen_ir.grammar.cypher.ast_expressions import Node
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.grammar.cypher.names import Names
from uniqgen_ir.ir.rows import Atom, OptionalBlock, Row, SubTable
from uniqgen_ir.ir.table import MatchMode, Shell, Table
from uniqgen_ir.ir.terms import IRI, Variable


class UnsupportedError(Exception):
    """Something that a table cannot mean; `node` is where it stands."""

    def __init__(self, message: str, node: Node, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.node = node
        self.hint = hint


@frozen
class NodeBinding:
    """A node, under its variable in the table. `nullable`: it may be null, after OPTIONAL MATCH."""

    variable: Variable
    nullable: bool = False


@frozen
class ValueBinding:
    """A value."""

    variable: Variable
    nullable: bool = True


@frozen
class RelationshipBinding:
    """A relationship of one step. `witness` is bound exactly where the relationship is.

    `type` is its type where that is known; otherwise `predicate` is a variable that holds the type's IRI. `reified` is
    the variable of the node that stands for the relationship, where it is read as one.
    """

    witness: Variable
    type: str | None = None
    predicate: Variable | None = None
    reified: Variable | None = None
    nullable: bool = False
    properties: tuple[tuple[str, IRI], ...] | None = None


@frozen
class PathBinding:
    """A path, or a list of relationships. `length` where it is always the same."""

    what: str
    length: int | None = None


Binding: TypeAlias = "NodeBinding | ValueBinding | RelationshipBinding | PathBinding"
Scope: TypeAlias = "dict[str, Binding]"


@define
class Different:
    """The rows of one MATCH of which no two may bind the same relationship."""

    group: Group


@define
class OptionalRows:
    """The rows of an OPTIONAL MATCH, and the variables that only they bind."""

    group: Group
    binds: frozenset[Variable] = frozenset()


@define
class Draft:
    """A row without an id."""

    content: Atom | Different | OptionalRows
    node: Node | None


@define
class Group:
    """Rows that are joined. `properties` remembers the variable of each property that was fetched here."""

    drafts: list[Draft] = field(factory=list[Draft])
    properties: dict[tuple[Variable, IRI], tuple[Variable, Draft]] = field(
        factory=dict[tuple[Variable, IRI], tuple[Variable, Draft]]
    )
    parent: Group | None = None
    matches: int = 0
    """how many MATCH clauses with relationships were joined here"""

    def add(self, content: Atom | Different | OptionalRows, node: Node | None = None) -> Draft:
        draft = Draft(content, node)
        self.drafts.append(draft)
        return draft

    def optional_of(self, variable: Variable) -> Group | None:
        """The rows of the OPTIONAL MATCH in this group that binds the variable."""
        for draft in self.drafts:
            if isinstance(draft.content, OptionalRows) and variable in draft.content.binds:
                return draft.content.group
        return None

    def property(self, subject: Variable, predicate: IRI) -> tuple[Variable, Draft, Group] | None:
        """The property, if it was fetched in this group or one around it."""
        group: Group | None = self
        while group is not None:
            known = group.properties.get((subject, predicate))
            if known is not None:
                return (*known, group)
            group = group.parent
        return None


@define
class Builder:
    """What one translation shares: the text, the names, fresh variables."""

    context: Context
    names: Names
    unbounded: str = "refuse"
    things: frozenset[str] = frozenset()
    """names of relationships that are spoken of as things"""
    taken: set[str] = field(factory=set[str])
    parallel: Callable[[str], bool] | None = None
    """for a store in which relationships are facts: whether some of a type run in parallel between the same nodes"""
    exists: bool = False
    """whether some expression has rows inside"""

    def fresh(self, wish: str) -> Variable:
        """A variable whose name nobody has: the wish itself, or with a number."""
        name, number = wish, 2
        while name in self.taken:
            name, number = f"{wish}_{number}", number + 1
        self.taken.add(name)
        return Variable(name)

    def rows(self, group: Group, prefix: str = "c", *, unwrap: bool = False) -> tuple[Row, ...]:
        """The group's rows with ids: `c1`, `c2`, …, inside blocks `c1.1`.

        `unwrap`: the table's own mode keeps the relationships of a MATCH apart.
        """
        return tuple(self._rows(self._flat(group.drafts, unwrap), prefix, unwrap))

    def _flat(self, drafts: Iterable[Draft], unwrap: bool) -> Iterator[Draft]:
        for draft in drafts:
            if unwrap and isinstance(draft.content, Different):
                yield from self._flat(draft.content.group.drafts, unwrap)
            else:
                yield draft

    def _rows(self, drafts: Iterable[Draft], prefix: str, unwrap: bool) -> Iterator[Row]:
        for place, draft in enumerate(drafts, 1):
            name = f"{prefix}{place}"
            content = draft.content
            if isinstance(content, OptionalRows):
                content = OptionalBlock(self.rows(content.group, f"{name}.", unwrap=unwrap))
            elif isinstance(content, Different):
                content = SubTable(different_table(name, self.rows(content.group, f"{name}.")))
            span = self.context.span(draft.node.start, draft.node.end) if draft.node is not None else None
            yield Row(name, content, span=span)


def different_table(name: str, rows: tuple[Row, ...]) -> Table:
    """A table that keeps the relationships of one MATCH apart and returns all its variables, as a bag."""
    return Table(name, (), rows, Shell(distinct=False), match_mode=MatchMode.DIFFERENT_RELATIONSHIPS)


def needs_different(drafts: Iterable[Draft]) -> bool:
    """Whether some MATCH, outside expressions, has relationships that must be kept apart."""
    return any(
        isinstance(draft.content, Different)
        or (isinstance(draft.content, OptionalRows) and needs_different(draft.content.group.drafts))
        for draft in drafts
    )
