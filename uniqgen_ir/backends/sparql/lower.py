"""Tables as plans of SPARQL queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, evolve, field

from uniqgen_ir.backends.multiplicity import counts_solutions
from uniqgen_ir.backends.sparql.expressions import ExpressionWriter
from uniqgen_ir.backends.sparql.order import grouped, ordered_rows, substituted
from uniqgen_ir.backends.sparql.paths import keeps_counts, may_be_empty, path_text
from uniqgen_ir.backends.sparql.plan import (
    BindPart,
    FilterPart,
    GroupPart,
    Part,
    QueryPlan,
    SelectPart,
    TriplePart,
    UnionPart,
    ValuesPart,
)
from uniqgen_ir.backends.sparql.scope import scoped
from uniqgen_ir.backends.sparql.terms import TermWriter
from uniqgen_ir.ir.analysis import positive_variables, row_variables, visible_variables
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.shell import group_columns
from uniqgen_ir.ir.expressions import Aggregate, Expression
from uniqgen_ir.ir.paths import Alternative, Inverse, Path
from uniqgen_ir.ir.paths import Sequence as PathSequence
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
from uniqgen_ir.ir.table import Column, Form, OrderKey, Table
from uniqgen_ir.ir.terms import Literal, Term, Variable


@define
class Lowering:
    """Makes the plan of one query. `inline_group` lays a group out on one line (for EXISTS inside expressions)."""

    terms: TermWriter
    inline_group: Callable[[tuple[Part, ...]], str]
    expressions: ExpressionWriter = field(init=False)
    _sets_of_pairs: bool = False

    def __attrs_post_init__(self) -> None:
        self.expressions = ExpressionWriter(self.terms, self._exists)

    def query(self, table: Table) -> QueryPlan:
        """The plan of a whole table."""
        before, self._sets_of_pairs = self._sets_of_pairs, counts_solutions(table)
        try:
            return self._ask(table) if table.shell.form is Form.ASK else self._select(table)
        finally:
            self._sets_of_pairs = before

    def _ask(self, table: Table) -> QueryPlan:
        shell = table.shell
        if grouped(table) or shell.offset or shell.extreme or shell.limit == 0:
            inner = evolve(table, shell=evolve(shell, form=Form.SELECT))
            return QueryPlan(True, False, (), (SelectPart(None, self._select(inner)),))
        return QueryPlan(True, False, (), self.rows(table.rows))

    def _select(self, table: Table) -> QueryPlan:
        if table.shell.extreme is not None:
            return self._extreme(table)
        shell = table.shell
        aliases = {column.alias: column.expression for column in table.head if column.alias is not None}
        return QueryPlan(
            ask=False,
            distinct=shell.distinct,
            projection=tuple(self._column(column) for column in table.head) or self._everything(table),
            parts=self.rows(table.rows),
            group=tuple(self._group(column) for column in group_columns(table) or ()),
            having=tuple(self.expressions.bracketed(substituted(one, aliases)) for one in shell.having),
            order=tuple(self._order_key(key) for key in shell.order),
            limit=shell.limit,
            offset=shell.offset,
        )

    def _everything(self, table: Table) -> tuple[str, ...]:
        return tuple(self.terms.variable(variable) for variable in visible_variables(table.rows)) or ("*",)

    def _column(self, column: Column) -> str:
        if column.alias is None:
            return self.terms.variable(column.variable)
        return f"({self.expressions.text(column.expression)} AS {self.terms.variable(column.alias)})"

    def _group(self, column: Column) -> str:
        if column.alias is not None and isinstance(column.expression, Variable):
            # a variable under another name: one engine loses the name unless it is an expression
            return f"(COALESCE({self.expressions.text(column.expression)}) AS {self.terms.variable(column.alias)})"
        return self._column(column)

    def _order_key(self, key: OrderKey) -> str:
        plain = isinstance(key.expression, Variable)
        text = (self.expressions.text if plain else self.expressions.bracketed)(key.expression)
        if key.descending:
            return f"DESC({text.removeprefix('(').removesuffix(')') if text.startswith('(') else text})"
        # an aggregate by itself is a key in SPARQL, but Virtuoso wants something around it
        return f"ASC({text})" if isinstance(key.expression, Aggregate) else text

    def _extreme(self, table: Table) -> QueryPlan:
        """Solutions whose measure equals the best one: a join with a sub-select that finds it."""
        extreme = table.shell.extreme
        assert extreme is not None
        measure = Variable(self.terms.fresh("measure"))
        best = Variable(self.terms.fresh("best"))
        self.terms.reserve(frozenset({measure, best}))
        bare = evolve(table.shell, extreme=None, order=(), limit=None, offset=None, distinct=False)
        bare = evolve(bare, group=group_columns(table) or ())
        if grouped(table):
            aliases = {column.alias: column.expression for column in table.head if column.alias is not None}
            by = substituted(extreme.by, aliases)
            measured = evolve(table, head=(*table.head, Column(by, measure)), shell=bare)
            parts: tuple[Part, ...] = (SelectPart(None, self._select(measured)),)
            outer_head = tuple(Column(column.variable) for column in table.head)
        else:
            measured = table
            bind = BindPart(None, self.expressions.text(extreme.by), self.terms.variable(measure))
            parts = (*self.rows(table.rows), bind)
            outer_head = table.head
        return self._join_best(table, parts, outer_head, (measure, best))

    def _join_best(
        self, table: Table, parts: tuple[Part, ...], head: tuple[Column, ...], names: tuple[Variable, Variable]
    ) -> QueryPlan:
        measure, best = (self.terms.variable(one) for one in names)
        extreme, shell = table.shell.extreme, table.shell
        assert extreme is not None
        function = "MAX" if extreme.largest else "MIN"
        # some engines give no maximum at all where one input is unbound
        bound = FilterPart(None, f"BOUND({measure})")
        finder = QueryPlan(False, False, (f"({function}({measure}) AS {best})",), (*parts, bound))
        return QueryPlan(
            ask=False,
            distinct=shell.distinct,
            projection=tuple(self._column(column) for column in head) or self._everything(table),
            parts=(*parts, SelectPart(None, finder), FilterPart(None, f"({measure} = {best})")),
            order=tuple(self._order_key(key) for key in shell.order),
            limit=shell.limit,
            offset=shell.offset,
        )

    def rows(self, rows: Sequence[Row]) -> tuple[Part, ...]:
        """The rows as parts of a group, in an order in which SPARQL means what the table means."""
        parts: list[Part] = []
        sure = positive_variables(rows)
        for row, rename in ordered_rows(scoped(rows)):
            if self.terms.dialect.minus_for_not and isinstance(row.atom, NotBlock) and _is_minus(row.atom, sure):
                row = evolve(row, atom=MinusBlock(row.atom.rows))
            try:
                parts += self._row(row, rename)
            except DiagnosticError as error:
                raise in_row(error, row) from error
        return tuple(parts)

    def _row(self, row: Row, late: bool) -> list[Part]:
        parts = self._atom(row, late)
        if row.where is not None:
            parts.append(FilterPart(row.id, self._condition(row.where)))
        return parts

    def _condition(self, expression: Expression) -> str:
        return self.expressions.bracketed(expression)

    def _atom(self, row: Row, late: bool) -> list[Part]:
        match row.atom:
            case Triple(subject, predicate, object_):
                return [TriplePart(row.id, self._term(subject), self._predicate(predicate), self._term(object_))]
            case TypeAtom(subject, type_):
                return [TriplePart(row.id, self._term(subject), "a", self._term(type_))]
            case PathAtom(subject, path, object_):
                return [self._path(row.id, subject, path, object_)]
            case Filter(condition):
                return [FilterPart(row.id, self._condition(condition))]
            case Bind(expression, variable):
                return self._bind(row.id, expression, variable, late)
            case Values(variables, lines):
                return [self._values(row.id, variables, lines)]
            case OptionalBlock(rows):
                return [GroupPart(row.id, "OPTIONAL", self.rows(rows))]
            case NotBlock(rows):
                return [GroupPart(row.id, "FILTER NOT EXISTS", self.rows(rows))]
            case MinusBlock(rows):
                return [GroupPart(row.id, "MINUS", self.rows(rows))]
            case Either(branches):
                return [UnionPart(row.id, tuple(self.rows(branch) for branch in branches))]
            case SubTable(table):
                return [SelectPart(row.id, self.query(table))]

    def _term(self, term: Term) -> str:
        return self.terms.term(term)

    def _predicate(self, predicate: Term) -> str:
        return self.terms.term(predicate)

    def _path(self, row: str, subject: Term, path: Path, object_: Term) -> Part:
        part = self._steps(row, subject, path, object_)
        if not self.terms.dialect.empty_paths_in_graph or not may_be_empty(path):
            return part
        alone = self._absent(row, subject, object_)
        return part if alone is None else UnionPart(row, ((part,), alone))

    def _absent(self, row: str, subject: Term, object_: Term) -> tuple[Part, ...] | None:
        """The path of no step at a constant that the graph does not hold: the engine finds it at the others only."""
        if isinstance(subject, Variable) == isinstance(object_, Variable) and subject != object_:
            return None
        constant = object_ if isinstance(subject, Variable) else subject
        if isinstance(constant, Variable):
            return None
        end, other, predicate = self._term(constant), f"?{self.terms.fresh('node')}", f"?{self.terms.fresh('edge')}"
        found: list[tuple[Part, ...]] = [(TriplePart(row, other, predicate, end),)]
        if not isinstance(constant, Literal):
            found.append((TriplePart(row, end, predicate, other),))
        inside: tuple[Part, ...] = (UnionPart(row, tuple(found)),) if len(found) > 1 else found[0]
        absent = GroupPart(row, "FILTER NOT EXISTS", inside)
        free = next((one for one in (subject, object_) if isinstance(one, Variable)), None)
        return (absent,) if free is None else (absent, BindPart(row, end, self.terms.variable(free)))

    def _steps(self, row: str, subject: Term, path: Path, object_: Term) -> Part:
        whole = path_text(path, self.terms)
        if not self._sets_of_pairs or keeps_counts(path):
            return TriplePart(row, self._term(subject), whole, self._term(object_))
        ends = tuple(dict.fromkeys(self._term(end) for end in (subject, object_) if isinstance(end, Variable)))
        parts = self._opened(row, self._term(subject), path, self._term(object_))
        return SelectPart(row, QueryPlan(False, False, ends or ("*",), parts))

    def _opened(self, row: str, start: str, path: Path, end: str) -> tuple[Part, ...]:
        """A path as joins and unions, so that its bounded repetitions give every pair of ends once."""
        if keeps_counts(path):
            return (TriplePart(row, start, path_text(path, self.terms), end),)
        match path:
            case Inverse(inner):
                return self._opened(row, end, inner, start)
            case PathSequence(steps):
                places = [start, *(f"?{self.terms.fresh('step')}" for _ in steps[1:]), end]
                walk = zip(places, steps, places[1:], strict=False)
                return tuple(part for one, step, other in walk for part in self._opened(row, one, step, other))
            case Alternative(paths):
                return (UnionPart(row, tuple(self._opened(row, start, one, end) for one in paths)),)
            case _:
                ends = tuple(dict.fromkeys(place for place in (start, end) if place.startswith("?")))
                triple = TriplePart(row, start, path_text(path, self.terms), end)
                return (SelectPart(row, QueryPlan(False, True, ends or ("*",), (triple,))),)

    def _bind(self, row: str, expression: Expression, variable: Variable, late: bool) -> list[Part]:
        text = self.expressions.text(expression)
        if not late:
            return [BindPart(row, text, self.terms.variable(variable))]
        # SPARQL may not bind a variable twice: bind another one and compare, an unbound one agrees with anything
        other, mine = f"?{self.terms.fresh('value')}", self.terms.variable(variable)
        return [BindPart(row, text, other), FilterPart(row, f"(!BOUND({other}) || sameTerm({other}, {mine}))")]

    def _values(self, row: str, variables: Sequence[Variable], lines: Sequence[Sequence[object]]) -> Part:
        written = tuple(
            tuple("UNDEF" if cell is None else self.terms.term(cell) for cell in line)  # type: ignore[arg-type]
            for line in lines
        )
        return ValuesPart(row, tuple(self.terms.variable(one) for one in variables), written)

    def _exists(self, rows: tuple[Row, ...]) -> str:
        return self.inline_group(self.rows(rows))


def _is_minus(block: NotBlock, sure: frozenset[Variable]) -> bool:
    """Whether NOT EXISTS over these rows is the same as MINUS: several plain patterns that share a bound variable.

    Both sides bind the shared variables in every solution, and nothing inside looks at a variable that only the outside
    binds, so looking for a match once per solution, or once in all, finds the same.
    """
    plain = all(isinstance(row.atom, Triple | TypeAtom | PathAtom) for row in block.rows)
    inside = positive_variables(block.rows)
    mentioned = frozenset[Variable]().union(*(row_variables(row) for row in block.rows))
    return plain and len(block.rows) > 1 and bool(inside & sure) and mentioned <= inside


def in_row(error: DiagnosticError, row: Row) -> DiagnosticError:
    """The same diagnostics, saying which row they speak of."""
    named = tuple(
        one
        if one.span is not None or one.message.startswith("row ")
        else evolve(one, message=f"row {row.id}: {one.message}", span=row.span)
        for one in error.diagnostics
    )
    return DiagnosticError(named)
