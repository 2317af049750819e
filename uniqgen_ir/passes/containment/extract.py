"""From a table to its blocks: disjunctions lifted, `optional` split, tables inside and inline tables opened.

Each step keeps the answers on every graph; what it does not keep becomes an `Opaque` row of the block.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from attrs import define, evolve, field

from uniqgen_ir.ir.analysis import (
    expression_variables,
    positive_variables,
    row_variables,
    visible_variables,
    walk_expression,
)
from uniqgen_ir.ir.evaluation.plan import expanded
from uniqgen_ir.ir.expressions import Exists, Expression
from uniqgen_ir.ir.paths import Step
from uniqgen_ir.ir.rows import (
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    PathAtom,
    Row,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.table import Column, MatchMode, Shell, Table
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.visitor import rewrite, variables_in_order, walk
from uniqgen_ir.passes.containment.blocks import (
    Absence,
    Block,
    Condition,
    Edge,
    Opaque,
    Walk,
    is_parameter,
    put,
    replace,
)
from uniqgen_ir.passes.normal.blocks import lift_disjunctions
from uniqgen_ir.passes.normal.rule import Settings, conjuncts
from uniqgen_ir.passes.saturate.patterns import pattern_of

MOST_BLOCKS = 128
"""Blocks that a table may become; beyond, it is not decided."""


class NotTakenApart(Exception):
    """The table is no union of blocks that could be compared; the message says why."""


_TOO_MANY = f"a union of more than {MOST_BLOCKS} blocks"


@define
class _Draft:
    """A block in the making. `terms`: what inline tables put in the place of variables."""

    edges: list[Edge] = field(factory=list[Edge])
    walks: list[Walk] = field(factory=list[Walk])
    conditions: list[Condition] = field(factory=list[Condition])
    absences: list[tuple[Row, tuple[Row, ...]]] = field(factory=list["tuple[Row, tuple[Row, ...]]"])
    opaque: list[Opaque] = field(factory=list[Opaque])
    terms: dict[Variable, Term] = field(factory=dict[Variable, Term])

    def copy(self) -> _Draft:
        return _Draft(
            list(self.edges),
            list(self.walks),
            list(self.conditions),
            list(self.absences),
            list(self.opaque),
            dict(self.terms),
        )

    def bound(self) -> frozenset[Variable]:
        """What edges, walks and inline tables bind."""
        return frozenset(Block((), tuple(self.edges), tuple(self.walks)).variables) | frozenset(self.terms)

    def hidden(self, bound: frozenset[Variable]) -> frozenset[Variable]:
        """What only opaque rows may bind."""
        return frozenset(visible_variables(one.content for one in self.opaque)) - bound


@define
class Extractor:
    """Takes tables apart. One for each side of a comparison, so that the names that it makes differ."""

    counted: bool
    mark: str
    _made: int = field(default=0, init=False)
    _groups: int = field(default=0, init=False)

    def blocks(self, rows: Sequence[Row], head: Sequence[Term], mode: MatchMode) -> tuple[Block, ...]:
        """The blocks whose union the rows are. Raises NotTakenApart."""
        plain = self._plain(rows, head, mode)
        if plain is not None:
            return () if plain.impossible else (plain,)
        rows = [parameters_as_variables(row) for row in rows]
        found: list[Block] = []
        for block in self._made_blocks(rows, mode, frozenset()):
            bound = frozenset(block.variables)
            for one in block.opaque:
                if set(visible_variables((one.content,))) & set(head) - bound:
                    raise NotTakenApart(f"row {one.row} is {one.reason}, and the answer shows what it gives")
            shown = tuple(None if _is_missing(term, bound) else term for term in head)
            found.append(evolve(block, head=shown))
        return tuple(found)

    def _plain(self, rows: Sequence[Row], head: Sequence[Term], mode: MatchMode) -> Block | None:
        """The block of rows that are triples and classes, made at once; None where there is more to them."""
        group = self._new_group() if mode is MatchMode.DIFFERENT_RELATIONSHIPS else None
        edges: dict[Edge, None] = {}
        for row in rows:
            atom = row.atom
            if row.where is not None or not isinstance(atom, Triple | TypeAtom):
                return None
            pattern = pattern_of(atom)
            if any(isinstance(term, Parameter) for term in pattern):
                return None
            edges[Edge(pattern, row.id, group if isinstance(atom, Triple) else None)] = None
        block = Block(tuple(head), tuple(edges))
        bound = block.variables
        return None if any(_is_missing(term, bound) for term in head) else block

    def _made_blocks(self, rows: Sequence[Row], mode: MatchMode, outer: frozenset[Variable]) -> Iterator[Block]:
        group = self._new_group() if mode is MatchMode.DIFFERENT_RELATIONSHIPS else None
        count = 0
        for choice in _choices(rows, mode):
            for draft in self._drafts(_Draft(), choice, group):
                count += 1
                if count > MOST_BLOCKS:
                    raise NotTakenApart(_TOO_MANY)
                block = self._finished(draft, mode, outer)
                if block is not None:
                    yield block

    def _new_group(self) -> int:
        self._groups += 1
        return self._groups

    def _drafts(self, draft: _Draft, rows: Sequence[Row], group: int | None) -> Iterator[_Draft]:
        """The drafts with these rows added: one for each line of inline tables and each side of `optional`."""
        later = [row for row in rows if isinstance(row.atom, OptionalBlock)]
        drafts = [draft]
        others = [row for row in rows if not isinstance(row.atom, OptionalBlock)]
        # `minus` last: what it shares with the positive rows decides what it is
        for row in sorted(others, key=lambda one: isinstance(one.atom, MinusBlock)):
            drafts = [one for old in drafts for one in self._with_row(old, row, group)]
            _refuse_many(drafts)
        for row in later:
            assert isinstance(row.atom, OptionalBlock)
            inner = row.atom.rows
            with_it = [one for old in drafts for one in self._optional(old.copy(), inner, group)]
            for one in drafts:
                one.absences.append((row, inner))
            drafts = [*with_it, *drafts]
            _refuse_many(drafts)
        yield from drafts

    def _optional(self, draft: _Draft, rows: tuple[Row, ...], group: int | None) -> Iterator[_Draft]:
        # an edge inside `optional` is told apart only from the others inside
        inside = self._new_group() if group is not None else None
        for choice in _choices(rows, MatchMode.HOMOMORPHISM if group is None else MatchMode.DIFFERENT_RELATIONSHIPS):
            yield from self._drafts(draft.copy(), choice, inside)

    def _with_row(self, draft: _Draft, row: Row, group: int | None) -> list[_Draft]:
        if row.where is not None:
            _add_condition(draft, row.where, row.id)
        match row.atom:
            case Triple():
                draft.edges.append(Edge(pattern_of(row.atom), row.id, group))
            case TypeAtom():
                draft.edges.append(Edge(pattern_of(row.atom), row.id))
            case PathAtom(subject, Step(predicate), object_):
                draft.edges.append(Edge((subject, predicate, object_), row.id))
            case PathAtom(subject, path, object_):
                draft.walks.append(Walk(subject, path, object_, row.id))
            case Filter(condition):
                _add_condition(draft, condition, row.id)
            case NotBlock(rows):
                draft.absences.append((row, rows))
            case Values(variables, lines):
                return [one for line in lines for one in self._assigned(draft.copy(), variables, line)]
            case SubTable(table):
                return self._opened(draft, row, table)
            case Bind():
                draft.opaque.append(Opaque(row, "a computed value (`let`)", row.id))
            case MinusBlock(rows) if _is_absence(rows, draft):
                draft.absences.append((row, rows))
            case MinusBlock():
                draft.opaque.append(Opaque(row, "`minus`", row.id))
            case Either():
                draft.opaque.append(Opaque(row, "an `either` that cannot be lifted", row.id))
            case OptionalBlock():
                raise AssertionError("taken apart before")
        return [draft]

    def _assigned(self, draft: _Draft, variables: Sequence[Variable], line: Sequence[object]) -> Iterator[_Draft]:
        for variable, value in zip(variables, line, strict=True):
            if isinstance(value, IRI | Literal) and draft.terms.setdefault(variable, value) != value:
                return
        yield draft

    def _opened(self, draft: _Draft, row: Row, table: Table) -> list[_Draft]:
        """A table inside, its rows among those of the block where that changes nothing."""
        columns = [column.expression for column in table.head]
        shell = evolve(table.shell, distinct=True, order=())
        plain = shell == Shell() and (not self.counted or not table.shell.distinct)
        bound = positive_variables(table.rows)
        if not plain or not table.head or len(set(columns)) < len(columns) or not bound.issuperset(columns):
            draft.opaque.append(Opaque(row, "a table inside", row.id))
            return [draft]
        names: dict[Variable, Variable] = {
            column.expression: column.variable for column in table.head if isinstance(column.expression, Variable)
        }
        rows = [self._renamed(one, names) for one in table.rows]
        inner = self._new_group() if table.match_mode is MatchMode.DIFFERENT_RELATIONSHIPS else None
        return [one for choice in _choices(rows, table.match_mode) for one in self._drafts(draft.copy(), choice, inner)]

    def _renamed(self, row: Row, names: dict[Variable, Variable]) -> Row:
        """The row with the names; variables without one get a new one, which is added to `names`."""
        for variable in variables_in_order(row):
            if variable not in names and not is_parameter(variable):
                self._made += 1
                names[variable] = Variable(f"{variable.name}{self.mark}{self._made}")
        return rewrite(row, lambda one: names.get(one, one) if isinstance(one, Variable) else one)

    def _finished(self, draft: _Draft, mode: MatchMode, outer: frozenset[Variable]) -> Block | None:
        """The block of a draft; None where it can never hold."""
        bound = draft.bound() | outer
        hidden = draft.hidden(bound)
        self._hide(draft, hidden)
        absences = tuple(self._absence(row.id, rows, mode, bound) for row, rows in draft.absences)
        block = Block(
            (),
            tuple(dict.fromkeys(draft.edges)),
            tuple(draft.walks),
            tuple(dict.fromkeys(self._apart(one, bound) for one in draft.conditions)),
            absences,
            tuple(draft.opaque),
        )
        block = replace(block, draft.terms)
        return None if block.impossible else block

    def _hide(self, draft: _Draft, hidden: frozenset[Variable]) -> None:
        """Make conditions and absences opaque that look at what only opaque rows bind."""
        if not hidden:
            return
        reason = "about a value that another row computes"
        kept: list[Condition] = []
        for one in draft.conditions:
            if expression_variables(one.expression) & hidden:
                draft.opaque.append(Opaque(Row(one.row, Filter(one.expression)), reason, one.row))
            else:
                kept.append(one)
        draft.conditions = kept
        seen = [(row, rows) for row, rows in draft.absences if any(row_variables(one) & hidden for one in rows)]
        draft.absences = [one for one in draft.absences if one not in seen]
        draft.opaque += [Opaque(Row(row.id, NotBlock(rows)), reason, row.id) for row, rows in seen]

    def _apart(self, condition: Condition, bound: frozenset[Variable]) -> Condition:
        """The condition with names of its own for what nothing binds."""
        unbound = expression_variables(condition.expression) - bound
        names: dict[Variable, Term] = {
            one: Variable(f"{one.name}{self.mark}") for one in unbound if not is_parameter(one)
        }
        return evolve(condition, expression=put(condition.expression, names))

    def _absence(self, row: str, rows: tuple[Row, ...], mode: MatchMode, bound: frozenset[Variable]) -> Absence:
        names: dict[Variable, Variable] = {variable: variable for variable in bound}
        inner = [self._renamed(one, names) for one in rows]
        blocks = tuple(self._made_blocks(inner, mode, bound))
        return Absence(tuple(evolve(one, rigid=bound) for one in blocks), row)


def _add_condition(draft: _Draft, condition: Expression, row: str) -> None:
    for part in conjuncts(condition):
        exists = [one for one in walk_expression(part) if isinstance(one, Exists)]
        if isinstance(part, Exists) and part.negated:
            draft.absences.append((Row(row, NotBlock(part.rows)), part.rows))
        elif exists:
            draft.opaque.append(Opaque(Row(row, Filter(part)), "`exists` inside a condition", row))
        else:
            draft.conditions.append(Condition(part, row))


def _is_missing(term: Term, bound: Container[Variable]) -> bool:
    return isinstance(term, Variable) and term not in bound and not is_parameter(term)


def _is_absence(rows: tuple[Row, ...], draft: _Draft) -> bool:
    """Whether `minus` with these rows is `not`: patterns only, and a variable that the block binds in any case."""
    plain = all(isinstance(row.atom, Triple | TypeAtom | PathAtom) and row.where is None for row in rows)
    return plain and any(row_variables(row) & draft.bound() for row in rows)


def _refuse_many(drafts: Sequence[object]) -> None:
    if len(drafts) > MOST_BLOCKS:
        raise NotTakenApart(_TOO_MANY)


def _choices(rows: Sequence[Row], mode: MatchMode) -> Iterable[Sequence[Row]]:
    """The rows without disjunctions: one list a choice of branches; an `either` that cannot be lifted stays."""
    if not any(isinstance(row.atom, Either) for row in rows):
        return (rows,)
    if mode is MatchMode.DIFFERENT_RELATIONSHIPS:
        return tuple(expanded(tuple(rows)))
    table = Table("part", (Column(Variable("?")),), tuple(rows))
    lifted, _ = lift_disjunctions(table, Settings(max_blocks=MOST_BLOCKS))
    union = lifted.rows[0].atom if len(lifted.rows) == 1 else None
    return union.branches if isinstance(union, Either) else (lifted.rows,)


def parameters_as_variables(row: Row) -> Row:
    """The row with `$name` as a variable of that name: a value that is unknown and the same everywhere."""
    # most rows are triples without a condition, and walking a row costs more than the rest of the comparison
    terms = pattern_of(row.atom) if isinstance(row.atom, Triple | TypeAtom) and row.where is None else walk(row)
    if not any(isinstance(one, Parameter) for one in terms):
        return row
    return rewrite(row, lambda one: Variable(f"${one.name}") if isinstance(one, Parameter) else one)
