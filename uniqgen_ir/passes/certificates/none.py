"""The claim that no set of rows keeps the reference answers, shown where single rows already lose them.

A safe set holds every pinned row and, for each variable of the answer, a row that binds it. Where, for one variable,
each such row falls short together with the pinned ones, every safe set does (more rows never give more answers).
Combinations of rows are not tried: what they alone would show stays unproved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from attrs import define, evolve, field

from uniqgen_ir.ir.analysis import binds, needs, positive_variables
from uniqgen_ir.ir.rows import PathAtom, Row, Triple, TypeAtom
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes.certificates.claims import Answer, read_answer
from uniqgen_ir.passes.certificates.found import Finding, Unproved
from uniqgen_ir.passes.certificates.reading import texts
from uniqgen_ir.passes.certificates.rows import Rows
from uniqgen_ir.passes.trace import Json, Step


@define(eq=False)
class NoneReplay:
    """Checks of a trace without a table. At most one call a row and one for the pinned rows."""

    rows: Rows
    pinned: tuple[Row, ...] = field(init=False, default=())
    _allowed: dict[str, frozenset[Answer]] = field(init=False, factory=dict[str, frozenset[Answer]])
    _none: bool | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        for row in (row for row in self.rows.table.rows if row.note.required and binds(row)):
            usable = self._usable(row)
            self.pinned += (usable,) if usable is not None else ()
        for row in (row for row in self.rows.table.rows if row.note.required and not binds(row)):
            usable = self._usable(row)
            self.pinned += (usable,) if usable is not None else ()

    def check(self, step: Step) -> Finding:
        """Raises KeyError, TypeError or ValueError where the claim does not have its parts."""
        core = tuple(row.id for row in self.rows.table.rows)
        name = str(step.evidence.get("row", ""))
        before = core if step.rule == "certificate.none" else (name,)
        if step.rows_before != before or step.rows_after != ():
            return f"`{step.rule}` speaks of other rows than the result"
        return self._stands(step) if step.rule == "certificate.none" else self._dropped(name, step)

    def _stands(self, step: Step) -> Finding:
        for one in cast("list[dict[str, Json]]", step.evidence["blocking"]):
            answer, names = read_answer(one["answer"]), texts(one["rows"])
            if answer not in self.rows.references or not set(names) <= {row.id for row in self.rows.table.rows}:
                return "an answer that is said to be in the way is no reference answer, or its rows are none"
        if step.reason == "stopped":
            return Unproved("the search stopped before it found a set of rows; nothing shows that there is none")
        if not self._is_none():
            return Unproved("that no set of rows keeps the reference answers is not shown by single rows")
        blocked = cast("list[dict[str, Json]]", step.evidence["blocking"])
        if all(self._loses(name, [read_answer(one["answer"])]) for one in blocked for name in texts(one["rows"])):
            return None
        return Unproved("there is no set of rows, but not every answer that is named is lost by each row alone")

    def _dropped(self, name: str, step: Step) -> Finding:
        lost = [read_answer(one) for one in cast("list[Json]", step.evidence["lost"])]
        unbound = {Variable(one) for one in texts(step.evidence["unbound"])}
        row = self.rows.whole.row(name)
        known = set(lost) <= set(self.rows.references) and bool(lost) == (step.reason == "loses_answers")
        if not known or not unbound <= needs(row, positive_variables(self.rows.table.rows)) | binds(row):
            return f"row {name} cannot have been dropped for what is said"
        match step.reason:
            case "loses_answers":
                shown = self._loses(name, lost)
            case "leaves_no_answer":
                shown = not self.rows.references and not self._given(name, default={((),)})
            case "orphaned" | "no_safe_set":
                shown = self._is_none()
            case _:
                shown = False
        return None if shown else Unproved(f"why row {name} was left out ({step.reason}) is not shown by it alone")

    def _is_none(self) -> bool:
        """Whether single rows show that there is no set. No call is sent twice."""
        if self._none is None:
            held = [[row for row in self.rows.table.rows if one in binds(row)] for one in self.rows.key]
            self._none = self._fails(None) or any(all(self._fails(row) for row in rows) for rows in held)
        return self._none

    def _fails(self, row: Row | None) -> bool:
        if row is None and not self.pinned:
            return False
        given = self._given("" if row is None else row.id, default=None)
        if given is None:
            return False
        return self.rows.falls_short(frozenset(given)) if self.rows.references else not given

    def _loses(self, name: str, lost: Sequence[Answer]) -> bool:
        given = self._given(name, default=None)
        return given is not None and not set(lost) & set(given)

    def _given(self, name: str, default: Iterable[object] | None) -> frozenset[Answer] | None:
        """What the pinned rows and this one give; None where the row says nothing alone."""
        if name not in self._allowed:
            row = self._usable(self.rows.table.row(name)) if name else None
            if name and row is None:
                return None if default is None else cast("frozenset[Answer]", frozenset(default))
            rows = [one for one in self.pinned if one.id != name] + ([row] if row is not None else [])
            among = tuple(self.rows.references)
            self._allowed[name] = self.rows.ask(rows, among, None if among else 1)
        return self._allowed[name]

    def _usable(self, row: Row) -> Row | None:
        """The row, without a condition that other rows would have to bind for; None where it means nothing alone."""
        in_table = positive_variables(self.rows.table.rows)
        asked = self.rows.key if self.rows.references else ()
        given = positive_variables(self.pinned) | frozenset(asked)
        if needs(row, in_table) <= given:
            return row
        plain = evolve(row, where=None)
        return plain if isinstance(row.atom, Triple | TypeAtom | PathAtom) and not needs(plain, in_table) else None
