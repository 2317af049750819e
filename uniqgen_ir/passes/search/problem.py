"""One relaxation problem: the table's rows as units, the answer key, the reference answers, and the store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import define, field

from uniqgen_ir.ir.analysis import (
    Activity,
    answer_key,
    binds,
    blocks,
    needs,
    positive_variables,
    row_variables,
)
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.protocols import AnswerRow, Answers, ReferenceAnswer
from uniqgen_ir.ir.rows import Filter, NotBlock, OptionalBlock, Origin, PathAtom, Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import GroundTerm, Literal, Variable
from uniqgen_ir.ir.values import canonical
from uniqgen_ir.ir.vocabulary import INTEGER_DATATYPES, XSD_INTEGER
from uniqgen_ir.passes.nesting import core_table
from uniqgen_ir.passes.search.budget import Meter
from uniqgen_ir.passes.search.pins import pinned_for_shell
from uniqgen_ir.passes.search.result import Outcome, Tried
from uniqgen_ir.passes.search.show import show_answer
from uniqgen_ir.passes.trace import Step

AnswerKey = tuple[GroundTerm, ...]


@define(eq=False)
class Problem:
    """What a strategy works on. `core` holds the rows that can decide about answers, under a plain shell."""

    table: Table
    references: tuple[ReferenceAnswer, ...]
    meter: Meter
    theta: float = 1.0
    written: Table = field(init=False)
    """the table as it was given; in `table` the rows that its shell needs are pinned"""
    core: Table = field(init=False)
    key: tuple[Variable, ...] = field(init=False)
    decoration: tuple[Row, ...] = field(init=False)
    steps: list[Step] = field(init=False, factory=list[Step])
    rows: dict[str, Row] = field(init=False)
    tried: list[Tried] = field(init=False, factory=list[Tried])
    _bound_in_table: frozenset[Variable] = field(init=False)
    _spelling: dict[GroundTerm, GroundTerm] = field(init=False, factory=dict[GroundTerm, GroundTerm])
    _activity: Activity = field(init=False)
    _active: dict[frozenset[str], frozenset[str]] = field(init=False, factory=dict[frozenset[str], frozenset[str]])
    # what a search asks of each row over and over again
    _needs: dict[str, frozenset[Variable]] = field(init=False)
    _outer: dict[str, frozenset[Variable]] = field(init=False)
    _uncertainty: dict[str, float] = field(init=False)
    _columns: dict[str, tuple[Variable, ...]] = field(init=False, factory=dict[str, tuple[Variable, ...]])

    def __attrs_post_init__(self) -> None:
        self.written = self.table
        self.table = pinned_for_shell(self.table, estimate)
        self.key = answer_key(self.table)
        self.decoration = tuple(row for row in self.table.rows if isinstance(row.atom, OptionalBlock))
        core_rows = tuple(row for row in self.table.rows if not isinstance(row.atom, OptionalBlock))
        self.core = core_table(self.table, self.key, core_rows)
        self.rows = {row.id: row for row in core_rows}
        self._activity = Activity(self.core)
        self._bound_in_table = positive_variables(core_rows)
        self._needs = {name: needs(row, self._bound_in_table) for name, row in self.rows.items()}
        self._outer = {name: binds(row) | self._needs[name] for name, row in self.rows.items()}
        self._uncertainty = {name: _uncertainty_of(row) for name, row in self.rows.items()}
        terms = {term for reference in self.references for term in reference.key if isinstance(term, Literal)}
        self._spelling = {plain_spelling(term): term for term in sorted(terms, key=str)}

    def with_row(self, row: Row) -> Problem:
        """The problem with another row of the same id; budget, trace and what was tried are shared."""
        table = self.table.with_rows(row if one.id == row.id else one for one in self.table.rows)
        other = Problem(table, self.references, self.meter, self.theta)
        other.written, other.steps, other.tried = self.written, self.steps, self.tried
        return other

    @property
    def row_ids(self) -> tuple[str, ...]:
        """The core rows in table order."""
        return tuple(self.rows)

    def active(self, row_ids: Iterable[str]) -> frozenset[str]:
        names = frozenset(row_ids)
        if names not in self._active:
            self._active[names] = self._activity.among(names)
        return self._active[names]

    def weights(self) -> dict[AnswerKey, float]:
        """Each reference answer with its confidence (the highest that was given for it)."""
        found: dict[AnswerKey, float] = {}
        for reference in self.references:
            found[reference.key] = max(reference.confidence, found.get(reference.key, 0.0))
        return found

    def covered(self, answers: Iterable[AnswerKey]) -> bool:
        """Whether these are some of the reference answers, and enough of them."""
        weights = self.weights()
        share = sum(weights[one] for one in answers) / sum(weights.values())
        return share > 0 and share >= self.theta - 1e-12

    def groups(self, row_ids: Iterable[str]) -> tuple[tuple[str, ...], ...]:
        """The blocks of these rows: given the key, independent of each other."""
        return blocks(self.core, row_ids)

    def safe(self, row_ids: Iterable[str]) -> bool:
        """As `ir.analysis.is_safe`, from what is known of active rows."""
        live = self.active(row_ids)
        return bool(live) and self.bound(live).issuperset(self.key)

    def bound(self, row_ids: Iterable[str]) -> frozenset[Variable]:
        """What the rows bind together."""
        return positive_variables(self.take(row_ids))

    def respell(self, answers: Answers) -> tuple[AnswerRow, ...]:
        """The answers with reference literals spelt as they were given: some stores return `01` as `1`."""
        if not self._spelling:
            return answers.rows
        places = [place for place, name in enumerate(answers.columns) if Variable(name) in self.key]
        return tuple(self._respelt(line, places) for line in answers.rows)

    def _respelt(self, line: AnswerRow, places: Sequence[int]) -> AnswerRow:
        changed = list(line)
        for place in places:
            term = line[place]
            if isinstance(term, Literal) and term not in self._spelling.values():
                changed[place] = self._spelling.get(plain_spelling(term), term)
        return tuple(changed)

    def needs(self, row_id: str) -> frozenset[Variable]:
        return self._needs[row_id]

    def outer(self, row_id: str) -> frozenset[Variable]:
        """The variables through which the row meets other rows."""
        return self._outer[row_id]

    def columns(self, row_id: str) -> tuple[Variable, ...]:
        """The outer variables that another row or the key mentions, by name; only these matter for joins."""
        if row_id not in self._columns:
            others = (row_variables(row) for name, row in self.rows.items() if name != row_id)
            shared = self.outer(row_id) & set(self.key).union(*others)
            self._columns[row_id] = tuple(sorted(shared, key=lambda variable: variable.name))
        return self._columns[row_id]

    def block_of(self, row_id: str, row_ids: Iterable[str]) -> tuple[str, ...]:
        """The rows among `row_ids` that share non-key variables with this one, also through others; it included."""
        return next(block for block in blocks(self.core, {*row_ids, row_id}) if row_id in block)

    def take(self, row_ids: Iterable[str]) -> tuple[Row, ...]:
        """The rows with these ids, in table order."""
        wanted = frozenset(row_ids)
        return tuple(row for name, row in self.rows.items() if name in wanted)

    def missing(self, row_id: str, row_ids: Iterable[str]) -> tuple[Variable, ...]:
        """The variables that nothing among `row_ids` binds and that keep this row from being active."""
        bound = positive_variables(self.take(self.active(row_ids)))
        wanted = self.needs(row_id) or self.outer(row_id)
        return tuple(sorted(wanted - bound, key=lambda variable: variable.name))

    def order(self) -> tuple[str, ...]:
        """The rows as the greedy search tries them: pinned first, then by uncertainty, then as written."""
        places = {name: place for place, name in enumerate(self.rows)}
        return tuple(
            sorted(
                self.rows, key=lambda name: (not self.rows[name].note.required, self.uncertainty(name), places[name])
            )
        )

    def uncertainty(self, row_id: str) -> float:
        """The row's u, or, before it was scored, an estimate from its shape alone (no store is asked)."""
        return self._uncertainty[row_id]

    def record(self, rows: Iterable[str], outcome: Outcome, answer: AnswerKey | None = None) -> None:
        """Remember a set that was tried, for pictures of the search."""
        shown = "" if answer is None else str(show_answer(answer))
        self.tried.append(Tried(frozenset(rows), outcome, shown))

    def note(self, rule: str, before: Sequence[str], after: Sequence[str], reason: str, **evidence: object) -> None:
        """Add a step to the trace; evidence must be plain JSON."""
        self.steps.append(Step(rule, tuple(before), tuple(after), reason, evidence))  # type: ignore[arg-type]


def plain_spelling(term: Literal) -> GroundTerm:
    """The literal in canonical form, all integer types as one."""
    plain = canonical(term)
    is_integer = isinstance(plain, Literal) and plain.datatype in INTEGER_DATATYPES
    return Literal(plain.lexical, XSD_INTEGER) if is_integer and isinstance(plain, Literal) else plain


def _uncertainty_of(row: Row) -> float:
    given = row.note.uncertainty
    if given is not None and row.note.origin is Origin.PRAGMATIC and row.note.support is None:
        # the prior of an implied row, not counted yet: as `score` will, put it together with what the row says
        return 1.0 - (1.0 - estimate(row)) * (1.0 - given)
    return estimate(row) if given is None else given


def estimate(row: Row) -> float:
    """How uncertain a row looks without counting: constants and conditions make it more certain.

    Ours; only the order of trial depends on it, never a verdict.
    """
    condition: Expression | None = row.where
    pragmatic = 0.2 if row.note.origin is Origin.PRAGMATIC else 0.0
    match row.atom:
        case Triple(subject, predicate, object_):
            variables = sum(isinstance(term, Variable) for term in (subject, predicate, object_))
            base = {0: 0.0, 1: 0.3, 2: 0.6}.get(variables, 0.75)
        case TypeAtom():
            base = 0.65
        case PathAtom(subject, _, object_):
            base = 0.5 if not (isinstance(subject, Variable) and isinstance(object_, Variable)) else 0.7
        case Filter() | NotBlock():
            base = 0.55
        case _:
            base = 0.7
    return min(0.8, max(0.0, base - (0.05 if condition is not None else 0.0))) + pragmatic
