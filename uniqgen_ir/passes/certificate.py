"""A checker for traces: replays their claims on a graph. It searches nothing and shares no code with the search."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from attrs import define, evolve, field, frozen

from uniqgen_ir.ir import codec
from uniqgen_ir.ir.analysis import active_rows, answer_key, is_safe, positive_variables
from uniqgen_ir.ir.codec_nodes import SHAPES, cell
from uniqgen_ir.ir.diagnostics import Diagnostic, fail
from uniqgen_ir.ir.protocols import AnswerRow, Store
from uniqgen_ir.ir.rows import OptionalBlock, Row, Values
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import GroundTerm, Variable
from uniqgen_ir.ir.visitor import Node, variables_in_order
from uniqgen_ir.passes.trace import Json, Step

Answer = tuple[GroundTerm, ...]


@frozen
class Verdict:
    """How many claims were replayed, with how many statements, and which of them are false (UQ491)."""

    claims: int
    calls: int
    diagnostics: tuple[Diagnostic, ...]

    @property
    def valid(self) -> bool:
        return not self.diagnostics


def verify_trace(steps: Sequence[Step], store: Store, table: Table | None = None) -> Verdict:
    """Replay every certificate of the trace on the store.

    `table` is the table that the trace must be about; None: the one in its header. Raises DiagnosticError UQ490 where
    the trace has no header or a certificate does not have its parts, and whatever the store raises.
    """
    first = steps[0] if steps else None
    if first is None or first.rule != "relaxation.header":
        raise fail("UQ490", "the trace does not begin with what the search was given")
    calls = store.statistics.calls
    try:
        replay = _Replay(store, *_given(first))
        if table is not None and table != replay.whole:
            return Verdict(1, 0, (_false("the trace is about another table"),))
        for step in steps[1:]:
            replay.check(step)
    except (KeyError, TypeError, ValueError) as error:
        raise fail("UQ490", f"a certificate of the trace does not have its parts: {error}") from error
    return Verdict(replay.claims, store.statistics.calls - calls, tuple(replay.faults))


def _given(step: Step) -> tuple[Table, dict[Answer, float], float]:
    evidence = cast("dict[str, Any]", step.evidence)
    table = codec.from_json(evidence["table"])
    references = {_answer(one["key"]): float(one["confidence"]) for one in evidence["references"]}
    return table, references, float(evidence["theta"])


def _answer(value: Json) -> Answer:
    if not isinstance(value, list):
        raise TypeError("an answer is not a list")
    return tuple(SHAPES["groundTerm"].read(one, "answer") for one in value)


def _false(message: str) -> Diagnostic:
    return Diagnostic("UQ491", message)


@define(eq=False)
class _Replay:
    store: Store
    whole: Table
    references: dict[Answer, float]
    theta: float
    table: Table = field(init=False)
    key: tuple[Variable, ...] = field(init=False)
    claims: int = field(init=False, default=0)
    faults: list[Diagnostic] = field(init=False, factory=list[Diagnostic])
    _sets: dict[str, tuple[str, ...]] = field(init=False, factory=dict[str, tuple[str, ...]])
    _answers: frozenset[Answer] | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self.key = answer_key(self.whole)
        self.table = self.whole.with_rows(row for row in self.whole.rows if not isinstance(row.atom, OptionalBlock))

    def check(self, step: Step) -> None:
        checks: Mapping[str, Callable[[Step], str | None]] = {
            "certificate.result": self._result,
            "certificate.complete": self._complete,
            "certificate.dropped": self._dropped,
            "certificate.kept": self._kept,
            "certificate.redundant": self._redundant,
            "certificate.sound": self._sound,
        }
        if step.rule not in checks:
            return  # history of the search: nothing is claimed by it
        self.claims += 1
        fault = checks[step.rule](step)
        if fault is not None:
            self.faults.append(_false(fault))

    # each check returns what is false, or None

    def _result(self, step: Step) -> str | None:
        lists = cast("dict[str, list[str]]", step.evidence)
        listed = sorted([*lists["kept"], *lists["dropped"], *lists["redundant"]])
        if listed != sorted(row.id for row in self.whole.rows):
            return "the rows kept, dropped and redundant are not the rows of the table, each once"
        core = {row.id for row in self.table.rows}
        self._sets = {name: tuple(one for one in lists[name] if one in core) for name in lists}
        return None if set(step.rows_after) == set(self._sets["kept"]) else "the result is not what is listed as kept"

    @property
    def _small(self) -> tuple[str, ...]:
        return self._sets["kept"]

    @property
    def _large(self) -> tuple[str, ...]:
        return (*self._sets["kept"], *self._sets["redundant"])

    def _complete(self, step: Step) -> str | None:
        if set(step.rows_after) != set(self._large):
            return "the relaxed rows are not those kept and redundant"
        if not is_safe(self.table, self._large) or active_rows(self.table, self._large) != frozenset(self._large):
            return "the relaxed rows leave a variable of the answer unbound, or a row inactive"
        if not self.references:
            return None if self._select(self._large, limit=1) else "the relaxed rows have no answer"
        share = self._share(self._large)
        return (
            None if share >= self.theta - 1e-9 else f"the relaxed rows give {share:.0%} of the reference answers only"
        )

    def _dropped(self, step: Step) -> str | None:
        name = str(step.evidence["row"])
        if name not in self._sets["dropped"]:
            return f"row {name} is not listed as dropped"
        more = (*self._large, name)
        active = name in active_rows(self.table, more)
        match step.reason:
            case "orphaned":
                return f"row {name} is not orphaned" if active else None
            case "loses_answers":
                lost = [_answer(one) for one in cast("list[Json]", step.evidence["lost"])]
                return (
                    None if active and self._loses(more, lost) else f"row {name} does not lose what it is said to lose"
                )
            case "leaves_no_answer":
                empty = active and not self._select(more, limit=1)
                return None if empty else f"with row {name} there are still answers"
            case _:
                return None  # left out untested or by the beam: no claim

    def _loses(self, names: Sequence[str], lost: Sequence[Answer]) -> bool:
        given = self._select(names, among=[*self.references])
        short = (
            sum(self.references[one] for one in self.references if one in given)
            < self.theta * sum(self.references.values()) - 1e-9
        )
        return bool(lost) and set(lost) <= set(self.references) and not set(lost) & given and short

    def _kept(self, step: Step) -> str | None:
        name = str(step.evidence["row"])
        rest = tuple(one for one in self._small if one != name)
        if name not in self._small or set(step.rows_after) != set(rest):
            return f"row {name} is not listed as kept"
        match step.reason:
            case "answer":
                witness = _answer(step.evidence["answer"])
                leaks = is_safe(self.table, rest) and witness in self._select(rest, among=[witness])
                return (
                    None
                    if leaks and witness not in self._small_answers()
                    else f"the answer that row {name} keeps out is not one"
                )
            case "unsafe":
                return None if self._unbound(name, rest, step) else f"nothing is left unbound without row {name}"
            case "required":
                return None if self.table.row(name).note.required else f"row {name} is not pinned"
            case _:
                return None  # kept untested, by the objective or by the beam: no claim

    def _unbound(self, name: str, rest: Sequence[str], step: Step) -> bool:
        """Whether the named variables lose their binder, and something needs one of them."""
        live = active_rows(self.table, rest)
        bound = positive_variables(row for row in self.table.rows if row.id in live)
        said = {Variable(str(one)) for one in cast("list[Json]", step.evidence["unbound"])}
        pinned = {row.id for row in self.table.rows if row.note.required and row.id in self._small and row.id != name}
        return bool((said & self._needed()) - bound) or not is_safe(self.table, rest) or not pinned <= live

    def _needed(self) -> frozenset[Variable]:
        """The variables that the head, the shell, pinned and optional rows mention."""
        parts: list[Node] = [*self.whole.head, self.whole.shell]
        parts += [row for row in self.whole.rows if row.note.required or isinstance(row.atom, OptionalBlock)]
        return frozenset(variable for part in parts for variable in variables_in_order(part))

    def _redundant(self, step: Step) -> str | None:
        name = str(step.evidence["row"])
        return None if name in self._sets["redundant"] else f"row {name} is not listed as redundant"

    def _sound(self, step: Step) -> str | None:
        large, small = self._select(self._large), self._small_answers()
        if large != small:
            return f"the kept rows give {len(small)} answers, the relaxed ones {len(large)}, not the same"
        lines = sorted(
            json.dumps([cell(one) for one in answer], sort_keys=True, ensure_ascii=False) for answer in small
        )
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        same = step.evidence["size"] == len(lines) and step.evidence["sha256"] == digest
        return None if same else "the answers are not those that the trace was made with"

    def _share(self, names: Iterable[str]) -> float:
        given = self._select(names, among=[*self.references])
        return sum(one for key, one in self.references.items() if key in given) / sum(self.references.values())

    def _small_answers(self) -> frozenset[Answer]:
        if self._answers is None:
            self._answers = self._select(self._small)
        return self._answers

    def _select(
        self, names: Iterable[str], *, among: Sequence[Answer] = (), limit: int | None = None
    ) -> frozenset[Answer]:
        """The answers of the active rows, only those among the given ones where some are given."""
        live = active_rows(self.table, names)
        rows = [row for row in self.table.rows if row.id in live]
        given = [Row("claimed_answers", Values(self.key, tuple(among)))] if among else []
        head = tuple(Column(variable) for variable in self.key)
        statement = evolve(self.table, head=head, rows=(*given, *rows), shell=Shell(), question=None)
        return frozenset(_whole(line) for line in self.store.select(statement, limit=limit).rows)


def _whole(line: AnswerRow) -> Answer:
    return tuple(term for term in line if term is not None)
