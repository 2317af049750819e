"""A query as it was read, with what all checks ask of it: groups, the variables that they bind, tokens, edits."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TypeAlias

from attrs import define, field

from uniqgen_ir.grammar.sparql.groups import Group, Part, visible
from uniqgen_ir.grammar.sparql.lexer import Token
from uniqgen_ir.grammar.sparql.reading import Reading
from uniqgen_ir.grammar.sparql.scope import certain
from uniqgen_ir.grammar.sparql.terms import string_value
from uniqgen_ir.ir.diagnostics import Fix, Severity
from uniqgen_ir.ir.rows import Bind, Filter, MinusBlock, NotBlock, Triple
from uniqgen_ir.ir.terms import Variable

Variables: TypeAlias = frozenset[Variable]
Place: TypeAlias = tuple[int, int]
"""Start and end in the text as it was read."""


@define(slots=False)
class CheckedQuery:
    """One query under check. Diagnostics go to `reading.context`; places are offsets in `text`."""

    reading: Reading
    _starts: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._starts = [one[2] for one in self.reading.tokens]

    @property
    def text(self) -> str:
        return self.reading.context.text

    # ---- reporting ---------------------------------------------------------------------------------------------------

    def warn(self, code: str, message: str, place: Place, hint: str | None = None, fix: Fix | None = None) -> None:
        """Report what is odd, and does not make the query wrong."""
        self.say(code, message, place, Severity.WARNING, hint, fix)

    def error(self, code: str, message: str, place: Place, hint: str | None = None, fix: Fix | None = None) -> None:
        """Report what makes the query wrong."""
        self.say(code, message, place, Severity.ERROR, hint, fix)

    def say(
        self,
        code: str,
        message: str,
        place: Place,
        severity: Severity,
        hint: str | None = None,
        fix: Fix | None = None,
    ) -> None:
        start, end = place
        self.reading.context.report(code, message, start, end, hint=hint, fix=fix, severity=severity)

    def fix(self, title: str, *edits: tuple[int, int, str], safe: bool = True) -> Fix:
        return self.reading.context.fix(title, *edits, safe=safe)

    # ---- tokens ------------------------------------------------------------------------------------------------------

    def tokens_in(self, start: int, end: int) -> list[Token]:
        """The tokens that begin in a range of the text."""
        return list(self.reading.tokens[bisect_left(self._starts, start) : bisect_left(self._starts, end)])

    def tokens_before(self, start: int) -> Iterator[Token]:
        """The tokens that end before a place, the last one first."""
        for place in range(bisect_left(self._starts, start) - 1, -1, -1):
            if self.reading.tokens[place][3] <= start:
                yield self.reading.tokens[place]

    def strings_in(self, start: int, end: int, text: str) -> list[int]:
        """Where, counted from the first token of a range, the strings of the range stand that have this value."""
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        return [place - first for place in self._strings.get(text, ()) if first <= place < last]

    @cached_property
    def _strings(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, (kind, text, _, _) in enumerate(self.reading.tokens):
            if kind == "STRING":
                found.setdefault(string_value(text), []).append(place)
        return found

    def token_after(self, end: int) -> Token:
        """The first token that begins at a place or after it; the end of the text is one."""
        place = bisect_left(self._starts, end)
        return self.reading.tokens[min(place, len(self.reading.tokens) - 1)]

    def token_before(self, start: int) -> Token | None:
        """The last token that begins before a place."""
        place = bisect_left(self._starts, start)
        return self.reading.tokens[place - 1] if place else None

    def places_of(self, variable: Variable, start: int, end: int) -> list[Place]:
        """Where a variable stands in a range of the text."""
        found = self._written.get(variable.name, [])
        return found[bisect_left(found, (start,)) : bisect_left(found, (end,))]

    def place_of(self, variable: Variable, start: int, end: int) -> Place:
        """The first place of a variable in a range; the range where it does not stand there."""
        found = self.places_of(variable, start, end)
        return found[0] if found else (start, end)

    # ---- groups ------------------------------------------------------------------------------------------------------

    def exists_in(self, start: int, end: int) -> list[Group]:
        """The groups behind EXISTS in a range of the text, those inside others left out."""
        groups, starts = self._exists
        inside: list[Group] = []
        for one in groups[bisect_left(starts, start) : bisect_left(starts, end)]:
            if one.end <= end and (not inside or one.end > inside[-1].end):
                inside.append(one)
        return inside

    @cached_property
    def _exists(self) -> tuple[list[Group], list[int]]:
        """The groups behind EXISTS in the order of the text, the outer ones first, and where they start."""
        groups = sorted(self.reading.exists_groups, key=lambda one: (one.start, -one.end))
        return groups, [one.start for one in groups]

    @cached_property
    def _dispensable(self) -> tuple[list[int], list[int]]:
        """Where stretches of groups start and end without which the query may still have answers."""
        groups = [one for query in self.reading.queries for one in _dispensable(query.where)]
        starts: list[int] = []
        ends: list[int] = []
        for start, end in sorted((one.start, one.end) for one in (*groups, *self.reading.exists_groups)):
            if ends and start <= ends[-1]:
                ends[-1] = max(ends[-1], end)
            else:
                starts.append(start)
                ends.append(end)
        return starts, ends

    def is_dispensable(self, place: int) -> bool:
        """Whether the query may have answers although what stands at the place has no solution."""
        starts, ends = self._dispensable
        before = bisect_right(starts, place)
        return before > 0 and place < ends[before - 1]

    @cached_property
    def _written(self) -> dict[str, list[Place]]:
        """Where each variable stands, by its name."""
        found: dict[str, list[Place]] = {}
        for kind, text, start, end in self.reading.tokens:
            if kind == "VARIABLE":
                found.setdefault(text[1:], []).append((start, end))
        return found

    def is_written(self, variable: Variable) -> bool:
        """Whether the variable stands in the text; blank nodes and what the reader made up do not."""
        return variable.name in self._written

    @cached_property
    def bindable(self) -> Variables:
        """Every variable that some group of the query, wherever it stands, or some `AS` may bind."""
        found: set[Variable] = set()
        for query in self.reading.queries:
            found.update(_all_visible(query.where))
            found.update(item.column.alias for item in query.head.items or () if item.column.alias is not None)
            found.update(key.alias for key in query.clauses.group if key.alias is not None)
            found.update(query.values.variables if query.values is not None else ())
        for group in self.reading.exists_groups:
            found.update(_all_visible(group))
        return frozenset(found)


def _dispensable(group: Group) -> Iterator[Group]:
    for payload, _, _ in group.elements:
        if isinstance(payload, Part):
            alone = payload.kind == "alternatives" and len(payload.groups) == 1
            for inner in payload.groups:
                yield from _dispensable(inner) if alone else (inner,)


def _all_visible(group: Group) -> Iterator[Variable]:
    """The variables that a group or one inside it, MINUS included, may bind."""
    for payload, _, _ in group.elements:
        if isinstance(payload, Part):
            for inner in payload.groups:
                yield from _all_visible(inner)
        else:
            yield from visible(payload)


def certain_in(payloads: Iterable[object]) -> Variables:
    """The variables that have a value in every solution of the elements, those that expressions give left out."""
    found: set[Variable] = set()
    for payload in payloads:
        if isinstance(payload, Part):
            if payload.kind == "alternatives":
                branches = [certain_in(one[0] for one in group.elements) for group in payload.groups]
                found |= branches[0].intersection(*branches[1:])
        elif not isinstance(payload, Bind | NotBlock | MinusBlock):
            found |= certain([payload])  # type: ignore[list-item]
    return frozenset(found)


def visible_in(elements: Iterable[tuple[object, int, int]]) -> Variables:
    """The variables that the elements may bind."""
    found: set[Variable] = set()
    for payload, _, _ in elements:
        if isinstance(payload, Triple):
            # nearly all elements are triples: worth a shorter way
            found.update(
                one for one in (payload.subject, payload.predicate, payload.object) if isinstance(one, Variable)
            )
        elif not isinstance(payload, Filter | NotBlock):
            found.update(visible(payload))
    return frozenset(found)
