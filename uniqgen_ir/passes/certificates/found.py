"""The claims of a search that found a table, each replayed on its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast

from attrs import define, field, frozen

from uniqgen_ir.ir.analysis import binds, is_safe, needs, positive_variables, row_variables
from uniqgen_ir.ir.codec_nodes import cell
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes.certificates.claims import Answer, read_answer
from uniqgen_ir.passes.certificates.follow import following
from uniqgen_ir.passes.certificates.reading import texts
from uniqgen_ir.passes.certificates.rows import Rows
from uniqgen_ir.passes.trace import Json, Step


@frozen
class Unproved:
    """A claim that the trace makes and that nothing in it shows."""

    message: str


Finding = str | Unproved | None
"""What is false, what is not proved, or None: the claim holds."""

_UNPROVED_DROPS: Final = {
    "beam": "row {} was left out by the beam; it might have stayed",
    "untested": "row {} was left out untested",
    "no_safe_set": "row {} was left out because there is no safe set, and yet there is one",
}
_UNPROVED_KEEPS: Final = {
    "objective": "row {} is kept because the objective keeps every row; nothing shows that it is needed",
    "evidence": "row {} is kept because it does not follow on every graph; nothing shows that it is needed",
    "beam": "row {} is kept by the beam; it may be redundant",
    "untested": "row {} is kept untested; it may be redundant",
}


@define(eq=False)
class FoundReplay:
    """Checks of one result. `lists`: the rows kept, dropped and redundant, in table order."""

    rows: Rows
    lists: Mapping[str, Sequence[str]]
    reasons: Mapping[str, str]
    """why each redundant row is said to be redundant"""
    mappings: Mapping[str, Sequence[Mapping[str, str]]]
    """for redundant rows, the mappings into the rows that were left, where the history gives some"""
    small: tuple[str, ...] = field(init=False)
    large: tuple[str, ...] = field(init=False)
    _answers: frozenset[Answer] | None = field(init=False, default=None)
    _same: bool | None = field(init=False, default=None)
    _follow: frozenset[str] | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        core = [row.id for row in self.rows.table.rows]
        kept, redundant = set(self.lists["kept"]), set(self.lists["redundant"])
        self.small = tuple(name for name in core if name in kept)
        self.large = tuple(name for name in core if name in kept | redundant)

    def check(self, step: Step) -> Finding:
        """Raises KeyError, TypeError or ValueError where the claim does not have its parts."""
        checks: Mapping[str, Callable[[Step], Finding]] = {
            "certificate.result": self._result,
            "certificate.complete": self._complete,
            "certificate.dropped": self._dropped,
            "certificate.kept": self._kept,
            "certificate.redundant": self._redundant,
            "certificate.branches": self._branches,
            "certificate.sound": self._sound,
        }
        before, after = self._sets(step)
        if step.rows_before != before or step.rows_after != after:
            return f"`{step.rule}` speaks of other rows than the result"
        return checks[step.rule](step)

    def _sets(self, step: Step) -> tuple[tuple[str, ...], tuple[str, ...]]:
        match step.rule:
            case "certificate.result":
                return tuple(row.id for row in self.rows.table.rows), self.small
            case "certificate.complete":
                return self.large, self.large
            case "certificate.dropped":
                return (*self.large, str(step.evidence["row"])), self.large
            case "certificate.kept":
                return self.small, self._rest(str(step.evidence["row"]))
            case _:
                return self.large, self.small

    def _rest(self, name: str) -> tuple[str, ...]:
        return tuple(one for one in self.small if one != name)

    def _result(self, _: Step) -> Finding:
        return None if self.small else "no row is kept that could give an answer"

    def _complete(self, _: Step) -> Finding:
        table, large = self.rows.table, self.large
        if not is_safe(table, large) or self.rows.active(large) != frozenset(large):
            return "the relaxed rows leave a variable of the answer unbound, or a row inactive"
        if not self.rows.references:
            return None if self.rows.select(large, limit=1) else "the relaxed rows have no answer"
        given = self.rows.select(large, among=self.rows.references)
        short = f"the relaxed rows give {self.rows.share(given):.0%} of the reference answers only"
        return short if self.rows.falls_short(given) else None

    def _dropped(self, step: Step) -> Finding:
        name = str(step.evidence["row"])
        lost = [read_answer(one) for one in cast("list[Json]", step.evidence["lost"])]
        unbound = texts(step.evidence["unbound"])
        if (lost and step.reason != "loses_answers") or not self._unbound_now(name, unbound):
            return f"row {name} is said to be dropped for two reasons, or for variables that are bound"
        if name in self.rows.decoration:
            row = self.rows.decoration[name]
            missing = needs(row, positive_variables(self.rows.table.rows)) - self.rows.bound(self.large)
            return None if step.reason == "orphaned" and missing else f"row {name} is not orphaned"
        more = (*self.large, name)
        active = name in self.rows.active(more)
        match step.reason:
            case "orphaned":
                return f"row {name} is not orphaned" if active else None
            case "loses_answers":
                holds = active and self._loses(more, lost)
                return None if holds else f"row {name} does not lose what it is said to lose"
            case "leaves_no_answer":
                empty = active and not self.rows.references and not self.rows.select(more, limit=1)
                return None if empty else f"with row {name} there are still answers"
            case _:
                return Unproved(_UNPROVED_DROPS[step.reason].format(name))

    def _unbound_now(self, name: str, unbound: Sequence[str]) -> bool:
        said = {Variable(one) for one in unbound}
        return said <= row_variables(self.rows.whole.row(name)) and not said & self.rows.bound(self.large)

    def _loses(self, names: Sequence[str], lost: Sequence[Answer]) -> bool:
        if not lost or not set(lost) <= set(self.rows.references):
            return False
        given = self.rows.select(names, among=self.rows.references)
        return not set(lost) & given and self.rows.falls_short(given)

    def _kept(self, step: Step) -> Finding:
        name = str(step.evidence["row"])
        unbound = sorted(variable.name for variable in self.rows.bound(self.small) - self.rows.bound(self._rest(name)))
        if texts(step.evidence["unbound"]) != unbound:
            return f"what is unbound without row {name} is not what is said"
        if name in self.rows.decoration:
            shown = step.reason == "required" and self.rows.is_shown(self.rows.decoration[name])
            return None if shown else f"row {name} is not needed for what is shown"
        match step.reason:
            case "answer":
                return self._keeps_out(name, read_answer(step.evidence["answer"]))
            case "unsafe":
                return None if self._is_needed(name) else f"nothing is left unbound without row {name}"
            case "required":
                return None if self.rows.table.row(name).note.required else f"row {name} is not pinned"
            case _:
                return Unproved(_UNPROVED_KEEPS[step.reason].format(name))

    def _keeps_out(self, name: str, witness: Answer) -> Finding:
        rest = self._rest(name)
        comes_in = is_safe(self.rows.table, rest) and witness in self.rows.select_narrow(rest, among=[witness])
        if comes_in and witness not in self._small_answers():
            return None
        if comes_in and self.rows.counted():
            return Unproved(f"row {name} is kept for how many solutions there are, which is not replayed")
        return f"the answer that row {name} keeps out is not one"

    def _is_needed(self, name: str) -> bool:
        """Whether the rest is unsafe, leaves something unbound that is shown, or makes a pinned row inactive."""
        rest = self._rest(name)
        lost = self.rows.bound(self.small) - self.rows.bound(rest)
        pinned = {row.id for row in self.rows.table.rows if row.note.required and row.id in self.small} - {name}
        unsafe = not is_safe(self.rows.table, rest) or not pinned <= self.rows.active(rest)
        return unsafe or bool(lost & self.rows.needed(self.lists["kept"]))

    def _redundant(self, step: Step) -> Finding:
        name = str(step.evidence["row"])
        if name in self.rows.decoration:
            without_effect = step.reason == "implied" and not self.rows.is_shown(self.rows.decoration[name])
            return None if without_effect else f"row {name} is shown in the result"
        if self.rows.counted():
            return Unproved(f"row {name} may change how many solutions there are, which is not replayed")
        if not self._sound_on_graph():
            return f"row {name} is not redundant: without the redundant rows there are other answers"
        if step.reason == "data" or name in self._following():
            return None
        return Unproved(f"row {name} changes nothing on this graph; that it follows on every graph is not shown")

    def _branches(self, step: Step) -> Finding:
        name = str(step.evidence["row"])
        if name not in self.small:
            return f"branches of row {name} are left out, and it is not kept"
        row = self.rows.table.row(name)
        if row.note.required or binds(row) & (self.rows.needed(self.lists["kept"]) - set(self.rows.key)):
            return f"row {name} is pinned, or binds what is shown, and branches of it are left out"
        if self.rows.counted():
            return Unproved(f"branches of row {name} may change how many solutions there are, which is not replayed")
        return (
            None if self._sound_on_graph() else f"without the branches left out of row {name} there are other answers"
        )

    def _following(self) -> frozenset[str]:
        if self._follow is None:
            implied = [name for name, reason in self.reasons.items() if reason == "implied"]
            names = [*(name for name in self.mappings if name in implied), *implied]
            rows = [row for row in self.rows.table.rows if row.id in self.large]
            fixed = self.rows.needed(self.lists["kept"])
            self._follow = following(self.rows.table, names, rows, fixed, self.rows.given.schema, self.mappings)
        return self._follow

    def _sound(self, step: Step) -> Finding:
        if step.reason == "no row was left out, and not all answers were asked for":
            if step.evidence or self.small != self.large or self.rows.left_out:
                return "rows or branches are left out, and what answers stay is not said"
            return Unproved("which answers the rows give is not said: the search was stopped before it had them all")
        small = self._small_answers()
        if not self._sound_on_graph():
            return "the kept rows do not give the answers of the relaxed ones"
        lines = sorted(json.dumps([cell(one) for one in key], sort_keys=True, ensure_ascii=False) for key in small)
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        same = step.evidence["size"] == len(lines) and step.evidence["sha256"] == digest
        return None if same else "the answers are not those that the trace was made with"

    def _sound_on_graph(self) -> bool:
        if self._same is None:
            as_it_is = self.small == self.large and not self.rows.left_out
            self._same = as_it_is or self.rows.select(self.large) == self._small_answers()
        return self._same

    def _small_answers(self) -> frozenset[Answer]:
        if self._answers is None:
            self._answers = self.rows.select_narrow(self.small)
        return self._answers
