"""Which variables of a text are the same one.

Words decide, not the syntax tree, so that it works while a row is half written. A table is a scope. What stands in
`not`, `minus` and `exists` is local to the block unless the name occurs around it; of a table inside a table only the
columns of its head are seen outside. Each rule of a schema is a scope of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from attrs import define, field, frozen

from uniqgen_ir.grammar.ctable.tree import Token

_CLAUSES: Final = frozenset(
    {"_SELECT", "_ASK", "_ORDER", "_GROUP", "_HAVING", "_LIMIT", "_OFFSET", "ARGMAX", "ARGMIN", "_MATCH"}
)
_OPERATORS: Final = frozenset(
    {
        *("EQ", "NE", "LT", "LE", "GT", "GE", "PLUS", "MINUS", "STAR", "SLASH", "AND", "OR", "NOT", "BANG", "IN"),
        *("NOT_IN", "LIKE", "BETWEEN", "CONTAINS", "MATCHES", "STARTS_WITH", "ENDS_WITH"),
    }
)
_ROW_STARTS: Final = frozenset({"_NL", "_DOT", "_LBRACE", "_RBRACE"})
_DECLARATIONS: Final = frozenset({"_CLASS", "_RELATION", "_PROPERTY", "_SYNONYM"})


class _Kind(Enum):
    ROOT = auto()
    LOCAL = auto()
    """a block with variables of its own"""
    TABLE = auto()
    """a table inside a table"""


@define(eq=False)
class Scope:
    """A part of the text with variables of its own. `start` and `end` are its characters."""

    kind: _Kind
    parent: Scope | None
    start: int
    end: int = -1
    names: set[str] = field(factory=set[str])
    exported: set[str] = field(factory=set[str])
    exports_all: bool = False

    def sees(self, name: str) -> bool:
        """Whether a variable of this name stands here or around it."""
        if name in self.names:
            return True
        return self.kind is _Kind.LOCAL and self.parent is not None and self.parent.sees(name)

    def owner(self, name: str) -> Scope:
        """The scope that a variable which stands here belongs to."""
        if self.parent is None:
            return self
        if self.kind is _Kind.LOCAL:
            return self.parent.owner(name) if self.parent.sees(name) else self
        return self.parent.owner(name) if self.exports_all or name in self.exported else self


@frozen(eq=False)
class Occurrence:
    """A variable in the text. `in_head`: it stands in a clause such as `select` or `order by`."""

    name: str
    token: Token
    scope: Scope
    in_head: bool

    @property
    def owner(self) -> Scope:
        return self.scope.owner(self.name)


def occurrences(tokens: Sequence[Token]) -> tuple[Occurrence, ...]:
    """Every variable of a text, in order."""
    walker = _Walker(tokens)
    walker.walk()
    return tuple(walker.found)


def group_of(found: Sequence[Occurrence], place: Occurrence) -> tuple[Occurrence, ...]:
    """The occurrences of the same variable, in order."""
    owner = place.owner
    return tuple(one for one in found if one.name == place.name and one.owner is owner)


def at(found: Sequence[Occurrence], offset: int) -> Occurrence | None:
    """The variable that a character belongs to, or that ends right before it."""
    return next((one for one in found if one.token.start <= offset <= one.token.end), None)


def name_of(token: Token) -> str:
    """A variable's name as it is compared: without the question mark, and without backticks where it has some."""
    name = token.text[1:]
    return name[1:-1] if name.startswith("`") else name


@define
class _Walker:
    tokens: Sequence[Token]
    found: list[Occurrence] = field(factory=list[Occurrence])
    braces: list[Scope | None] = field(factory=list["Scope | None"])
    """for each open brace the scope that it began, None where it began none"""
    scope: Scope | None = None
    clause: str = ""
    depth: int = 0
    """open parentheses since the clause began"""

    def walk(self) -> None:
        before = "_NL"
        for place, token in enumerate(self.tokens):
            if before in _ROW_STARTS:
                self.begin_row(token)
            kind = token.kind
            if kind == "CTABLE":
                self.braces, self.scope, self.clause = [], Scope(_Kind.ROOT, None, token.start), ""
            elif kind in ("_RULE", "_IMPLIED") and before in _ROW_STARTS:
                self.scope = Scope(_Kind.ROOT, None, token.start)
            elif kind == "_LBRACE":
                self.open(place)
            elif kind == "_RBRACE":
                self.close(token)
            elif kind == "VAR":
                after = self.tokens[place + 1].kind if place + 1 < len(self.tokens) else "$END"
                self.variable(token, is_column=self.is_column(before, after))
            elif kind in ("_LPAR", "_RPAR"):
                self.depth += 1 if kind == "_LPAR" else -1
            elif kind == "STAR" and before in ("_SELECT", "DISTINCT", "ALL") and self.scope is not None:
                self.scope.exports_all = True
            before = kind

    def is_column(self, before: str, after: str) -> bool:
        """Whether a variable between these words is a column of the head, not an operand of one."""
        if self.clause not in ("_SELECT", "_ASK"):
            return False
        return before == "_AS" or (self.depth == 0 and before not in _OPERATORS and after not in (*_OPERATORS, "_AS"))

    def begin_row(self, token: Token) -> None:
        self.depth = 0
        if token.kind in _CLAUSES:
            self.clause = token.kind
        elif token.kind != "_LBRACE":
            self.clause = ""
        if token.kind in _DECLARATIONS:
            self.scope = None

    def open(self, place: int) -> None:
        kind = self.kind_of(place)
        if kind is None or self.scope is None:
            self.braces.append(None)
            return
        self.scope = Scope(kind, self.scope, self.tokens[place].start)
        self.braces.append(self.scope)

    def kind_of(self, place: int) -> _Kind | None:
        kinds = [one.kind for one in self.tokens[max(0, place - 3) : place]]
        if kinds[-1:] and kinds[-1] in ("NOT", "_MINUS", "_EXISTS"):
            return _Kind.LOCAL
        while kinds and kinds[-1] in ("NAME", "STRING"):
            kinds.pop()
        return _Kind.TABLE if kinds[-1:] == ["_TABLE"] else None

    def close(self, token: Token) -> None:
        began = self.braces.pop() if self.braces else None
        self.clause = ""
        if began is None:
            return
        began.end = token.end
        self.scope = began.parent
        if began.kind is _Kind.TABLE and began.parent is not None:
            began.parent.names |= began.names if began.exports_all else began.exported

    def variable(self, token: Token, *, is_column: bool) -> None:
        if self.scope is None:
            # a variable before any table: a text that is only begun
            self.scope = Scope(_Kind.ROOT, None, token.start)
        name = name_of(token)
        self.scope.names.add(name)
        if is_column:
            self.scope.exported.add(name)
        self.found.append(Occurrence(name, token, self.scope, bool(self.clause)))
