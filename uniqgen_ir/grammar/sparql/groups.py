"""Groups of SPARQL as rows of the IR.

SPARQL solves a group from the inside out and in the order of the text; rows are joined whatever their order, `optional`
comes after them, conditions last, and a block sees what stands around it. Where the two could differ, the part that
must be solved alone or first becomes a table inside the table, which means just that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from uniqgen_ir.grammar.sparql.scope import NONE, Variables, atom_variables, atom_visible, certain, leaks
from uniqgen_ir.ir.analysis import expression_variables, visible_variables
from uniqgen_ir.ir.rows import (
    Atom,
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    PathAtom,
    Row,
    RowNote,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.visitor import walk

Element: TypeAlias = "tuple[Any, int, int]"
"""An atom, or a part that is still a group, with its place in the text."""

Placed: TypeAlias = "tuple[Atom, int, int]"
NOTE: Final = RowNote()
TRIPLES: Final = (Triple, TypeAtom, PathAtom)


class Group:
    """A group graph pattern as read."""

    __slots__ = ("_mentioned", "elements", "end", "nested", "start")

    def __init__(self, elements: list[Element], start: int, end: int) -> None:
        self.elements = elements
        self.start = start
        self.end = end
        self.nested = any(isinstance(element[0], Part) for element in elements)
        self._mentioned: Variables | None = None

    def mentioned(self) -> Variables:
        """Every variable that the group mentions."""
        if self._mentioned is None:
            self._mentioned = NONE.union(*(mentioned(element[0]) for element in self.elements))
        return self._mentioned

    def visible(self) -> dict[Variable, None]:
        """The variables that the group may bind, in the order of the text."""
        found: dict[Variable, None] = {}
        for payload, _, _ in self.elements:
            found |= visible(payload)
        return found


class Part:
    """Groups inside a group: `OPTIONAL`, `MINUS`, or alternatives (one of them: a nested group)."""

    __slots__ = ("groups", "kind")

    def __init__(self, kind: str, groups: list[Group]) -> None:
        self.kind = kind
        self.groups = groups


def mentioned(payload: Any) -> Variables:
    """Every variable of an element."""
    if isinstance(payload, Part):
        return NONE.union(*(group.mentioned() for group in payload.groups))
    return atom_variables(payload)


def visible(payload: Any) -> dict[Variable, None]:
    """The variables that an element may bind, in order."""
    if isinstance(payload, Part):
        found: dict[Variable, None] = {}
        for group in payload.groups if payload.kind != "minus" else ():
            found |= group.visible()
        return found
    return dict.fromkeys(visible_variables((Row("", payload),)))


class GroupConverter:
    """Makes rows of groups. `hidden` are the variables of blank nodes, which no `select *` gives."""

    def __init__(self, span: Callable[[int, int], Span], hidden: set[Variable]) -> None:
        self.span = span
        self.hidden = hidden
        self.nests = False
        """whether it has put rows into a table of their own"""

    def rows(self, elements: list[Placed]) -> tuple[Row, ...]:
        """Rows without names; `sparql_numbering` gives them."""
        return tuple(Row("", atom, None, NOTE, self.span(start, end)) for atom, start, end in elements)

    def convert(self, group: Group, outer: Variables, *, optional: bool = False) -> list[Placed]:
        """The atoms of a group that is solved among bindings of `outer`.

        `optional`: its own conditions may look at them, as those of OPTIONAL do.
        """
        if not group.nested:
            return self.ordered(group.elements)
        if len(group.elements) == 1 and not optional:
            payload = group.elements[0][0]
            if payload.kind == "alternatives" and len(payload.groups) == 1:
                return self.convert(payload.groups[0], outer)
        counts = Counter(variable for payload, _, _ in group.elements for variable in mentioned(payload))
        converted: list[Placed] = []
        for element in group.elements:
            payload = element[0]
            if not isinstance(payload, Part):
                converted.append(element)
                continue
            own = mentioned(payload)
            # of the variables around only those matter that the part itself mentions
            around = frozenset(variable for variable in own if variable in outer or counts[variable] > 1)
            converted += self._part(payload, around, element)
        return self.ordered(converted)

    def _part(self, part: Part, around: Variables, element: Element) -> list[Placed]:
        _, start, end = element
        if part.kind == "minus":
            return [(MinusBlock(self.rows(self.convert(part.groups[0], NONE))), start, end)]
        if part.kind == "optional":
            return [(OptionalBlock(self.rows(self._optional(part.groups[0], around))), start, end)]
        branches = [self.convert(group, around) for group in part.groups]
        if len(branches) == 1:
            inner = branches[0]
            return inner if _joins(inner) else [(self.alone(inner), start, end)]
        closed: list[list[Placed]] = [
            [(self.alone(branch), group.start, group.end)] if leaks([one[0] for one in branch], around) else branch
            for branch, group in zip(branches, part.groups, strict=True)
        ]
        return [(Either(tuple(self.rows(branch) for branch in closed)), start, end)]

    def _optional(self, group: Group, around: Variables) -> list[Placed]:
        inner = self.convert(group, around, optional=True)
        if not leaks([one[0] for one in inner], around, conditions=False):
            return inner
        pattern = [one for one in inner if not isinstance(one[0], Filter | NotBlock)]
        conditions = [one for one in inner if isinstance(one[0], Filter | NotBlock)]
        return [(self.alone(pattern), group.start, group.end), *conditions]

    def alone(self, elements: list[Placed]) -> SubTable:
        """A table of the elements, solved by itself: all that they bind."""
        self.nests = True
        rows = self.rows(elements)
        head = tuple(Column(one) for one in visible_variables(rows) if one not in self.hidden)
        return SubTable(Table("nested", head, rows, Shell(distinct=False)))

    def ordered(self, elements: list[Placed]) -> list[Placed]:
        """The elements, with those that must come first put into a table of their own."""
        if all(isinstance(one[0], Triple | TypeAtom | PathAtom | Filter | NotBlock | Values) for one in elements):
            return elements
        done: list[Placed] = []
        coming = _Coming(elements)
        for element in elements:
            coming.passed(element[0])
            done.append(element)
            if isinstance(element[0], OptionalBlock | MinusBlock | Bind) and coming.matters(element[0], done):
                pattern = [one for one in done if not isinstance(one[0], Filter | NotBlock)]
                conditions = [one for one in done if isinstance(one[0], Filter | NotBlock)]
                done = [(self.alone(pattern), pattern[0][1], element[2]), *conditions]
        return done


class _Coming:
    """How many of the elements that are still to come may bind each variable, by the way in which they do."""

    __slots__ = ("joined", "optional")

    def __init__(self, elements: list[Placed]) -> None:
        self.joined: Counter[Variable] = Counter()
        self.optional: Counter[Variable] = Counter()
        for atom, _, _ in elements:
            self._kind(atom).update(_given(atom))

    def _kind(self, atom: Atom) -> Counter[Variable]:
        return self.optional if isinstance(atom, OptionalBlock) else self.joined

    def passed(self, atom: Atom) -> None:
        """The atom is no longer to come."""
        self._kind(atom).subtract(_given(atom))

    def _has(self, variable: Variable, atom: Atom) -> bool:
        # optional blocks and late names keep their order
        late = isinstance(atom, MinusBlock) and self.optional[variable] > 0
        return late or self.joined[variable] > 0

    def matters(self, atom: OptionalBlock | MinusBlock | Bind, done: list[Placed]) -> bool:
        """Whether the atom, the last of those that are done, means another thing before what comes than after it."""
        if isinstance(atom, Bind) and self._has(atom.variable, atom):
            # rows have no order: a name is given once, and what joins with it joins with a table that has it
            return True
        looked_at = expression_variables(atom.expression) if isinstance(atom, Bind) else atom_variables(atom)
        again = frozenset(one for one in looked_at if self._has(one, atom))
        return bool(again) and not again <= certain(one[0] for one in done[:-1])


def _given(atom: Atom) -> Variables:
    """The variables that an atom may bind for those beside it."""
    if isinstance(atom, Bind):
        return frozenset({atom.variable})
    return NONE if isinstance(atom, Filter | NotBlock | MinusBlock) else atom_visible(atom)


def _joins(elements: list[Placed]) -> bool:
    """Whether a nested group may melt into the group around it without a change of meaning."""
    bound = certain(one[0] for one in elements)
    for atom, _, _ in elements:
        if isinstance(atom, Filter):
            # a condition on what the group itself binds holds or fails alike inside and outside
            if not expression_variables(atom.condition) <= bound or _looks_around(atom):
                return False
        elif isinstance(atom, Bind | OptionalBlock | MinusBlock | NotBlock):
            return False
    return True


def _looks_around(atom: Filter) -> bool:
    from uniqgen_ir.ir.expressions import Exists

    return any(isinstance(one, Exists) for one in walk(atom))
