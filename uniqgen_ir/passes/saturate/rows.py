"""What the chase derives, as rows of a table: each names its rule and the rows that it follows from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import frozen

from uniqgen_ir.ir.rows import Origin, Row, RowNote, Triple, TypeAtom
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes.saturate.engine import Saturation, premise_closure
from uniqgen_ir.passes.saturate.patterns import Pattern, atom_of, pattern_of


@frozen(eq=False)
class Derived:
    """Rows that one application of a rule adds, joined by the values that it makes; they hold or fail together."""

    rows: tuple[Row, ...]
    rule: str
    sources: tuple[str, ...]
    """ids of the written rows that they follow from"""
    makes: bool
    """whether the rule makes values that no row had"""


def patterns_of(rows: Iterable[Row]) -> dict[Pattern, str]:
    """The triples and classes among the rows, each with the id of the first row that says it."""
    found: dict[Pattern, str] = {}
    for row in rows:
        if isinstance(row.atom, Triple | TypeAtom):
            found.setdefault(pattern_of(row.atom), row.id)
    return found


@frozen(eq=False)
class Naming:
    """Turns what was derived into rows. `written` maps patterns to row ids, `taken` are ids in use."""

    saturation: Saturation
    written: Mapping[Pattern, str]
    taken: Iterable[str]

    def groups(self) -> tuple[Derived, ...]:
        """The rows that were derived, in the order in which they followed."""
        names = self._free_names()
        found: list[Derived] = []
        for patterns in self._joined:
            why = self.saturation.derived[patterns[0]]
            sources = self.ids_behind(why.premises)
            note = RowNote(origin=Origin.SCHEMA, reason=f"by {why.rule}", sources=sources)
            rows = tuple(Row(next(names), atom_of(pattern), note=note) for pattern in patterns)
            found.append(Derived(rows, why.rule, sources, len(patterns) > 1 or self._makes(patterns[0])))
        return tuple(found)

    def ids_behind(self, premises: Sequence[Pattern]) -> tuple[str, ...]:
        """The written rows that the premises rest on."""
        roots = premise_closure(premises, self.saturation.derived)
        return tuple(dict.fromkeys(self.written[one] for one in roots if one in self.written))

    def _free_names(self) -> Iterator[str]:
        taken = set(self.taken)
        number = 0
        while True:
            number += 1
            if f"s{number}" not in taken:
                yield f"s{number}"

    @cached_property
    def _given(self) -> frozenset[Variable]:
        return frozenset(term for pattern in self.written for term in pattern if isinstance(term, Variable))

    def _new(self, pattern: Pattern) -> frozenset[Variable]:
        return frozenset(term for term in pattern if isinstance(term, Variable) and term not in self._given)

    def _makes(self, pattern: Pattern) -> bool:
        return bool(self._new(pattern))

    @cached_property
    def _joined(self) -> list[list[Pattern]]:
        """The derived patterns, those that share a value that was made put together."""
        groups: list[tuple[set[Variable], list[Pattern]]] = []
        for pattern in self.saturation.derived:
            made = set(self._new(pattern))
            together = [group for group in groups if group[0] & made]
            merged = (made.union(*(group[0] for group in together)), [one for group in together for one in group[1]])
            merged[1].append(pattern)
            groups = [group for group in groups if group not in together] + [merged]
        return [patterns for _, patterns in groups]
