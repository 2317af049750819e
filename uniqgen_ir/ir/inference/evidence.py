"""What inference finds: types, the evidence for each, and the places that disagree."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TypeAlias

from attrs import define, field, frozen

from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.paths import Path
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.terms import IRI, Parameter, Variable
from uniqgen_ir.ir.types import ANY, NODE, Type

Key: TypeAlias = Variable | Parameter | IRI
"""What carries a type: a variable, a parameter, or a named node."""


@frozen
class Evidence:
    """One reason for a type. `rule` is the rule of `spec/typing.md`; `about` is what the rule looked at.

    `about` is the predicate, the class, the function's name, or the expression on the other side of a comparison.
    """

    key: Key
    type: Type
    rule: str
    row: Row
    about: Expression | str | None = None


@frozen
class Conflict:
    """Two pieces of evidence for one key that do not go together.

    `contradiction`: no term has both types. Otherwise the schema merely has no class that is both.
    """

    earlier: Evidence
    later: Evidence
    contradiction: bool


@frozen
class Clash:
    """An expression or constant of a type that its place cannot take: the operands of `5 < "a"`, a literal subject.

    Where it is no `contradiction`, the place can take it, but a reader should look twice.
    """

    rule: str
    row: Row
    found: Type
    wanted: Type
    expression: Expression
    about: Expression | Path | str | None = None
    contradiction: bool = True


class BlockKind(StrEnum):
    """Where a scope inside another one comes from."""

    OPTIONAL = "optional"
    NOT = "not"
    MINUS = "minus"
    EITHER = "either"
    OR = "or"
    EXISTS = "exists"
    NOT_EXISTS = "not exists"
    SUBTABLE = "subtable"
    GUARDED = "guarded"
    """an expression whose error does not matter: an operand of `coalesce`, a branch of `if`, the value of a `bind`"""


@define
class ScopeTyping:
    """The types inside one list of rows, and what is wrong there."""

    rows: tuple[Row, ...] = ()
    types: dict[Key, Type] = field(factory=lambda: dict[Key, Type]())
    evidence: dict[Key, list[Evidence]] = field(factory=lambda: dict[Key, list[Evidence]]())
    conflicts: list[Conflict] = field(factory=lambda: list[Conflict]())
    clashes: list[Clash] = field(factory=lambda: list[Clash]())
    children: list[Child] = field(factory=lambda: list["Child"]())

    def type_of(self, key: Key) -> Type:
        """The type of a key; a named node of which nothing is known is a node."""
        return self.types.get(key, NODE if isinstance(key, IRI) else ANY)

    @property
    def is_contradictory(self) -> bool:
        """Whether the rows have no solution on any graph that keeps to the schema, as far as types can tell."""
        if any(one.contradiction for one in self.clashes) or any(one.contradiction for one in self.conflicts):
            return True
        return any(child.decisive and all(one.is_contradictory for one in child.branches) for child in self.children)

    def walk(self) -> Iterator[ScopeTyping]:
        """This scope and all inside it, outermost first."""
        yield self
        for child in self.children:
            for branch in child.branches:
                yield from branch.walk()


@frozen
class Child:
    """A block inside a scope. `decisive`: the outer rows have no solution where no branch has one."""

    kind: BlockKind
    row: Row
    branches: tuple[ScopeTyping, ...]
    decisive: bool
