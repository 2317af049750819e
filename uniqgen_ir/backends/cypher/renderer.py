"""Tables as Cypher text."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from uniqgen_ir.backends.base import ASK_COLUMN, RenderedQuery
from uniqgen_ir.backends.cypher.atoms import Conjunction, Expander
from uniqgen_ir.backends.cypher.dialects import DIALECTS, CypherDialect
from uniqgen_ir.backends.cypher.layout import Layout, MappingLayout
from uniqgen_ir.backends.cypher.lower import Clause, ConjunctionWriter, Context, Impossible
from uniqgen_ir.backends.cypher.operands import NOTHING
from uniqgen_ir.backends.cypher.quoting import ParameterBag, quote_name
from uniqgen_ir.backends.cypher.shell import TERM, Returned, ShellWriter, unified
from uniqgen_ir.backends.cypher.use import value_variables
from uniqgen_ir.backends.marks import extract
from uniqgen_ir.backends.multiplicity import counts_solutions
from uniqgen_ir.backends.parameters import table_parameters
from uniqgen_ir.backends.variables import all_variables
from uniqgen_ir.ir.analysis import visible_variables
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.evaluate_shell import group_columns
from uniqgen_ir.ir.table import Form, MatchMode, Table
from uniqgen_ir.ir.terms import Variable


@frozen
class _Branch:
    clauses: tuple[Clause, ...]
    columns: tuple[str, ...]


@frozen
class _Query:
    """What the template lays out."""

    branches: tuple[_Branch, ...]
    names: tuple[str, ...]
    distinct: bool
    order: tuple[str, ...] = ()
    limit: int | None = None
    offset: int | None = None
    union: str = "UNION"
    wrapped: bool = False
    cut: int | None = None
    inner: _Query | None = None


@frozen
class CypherRenderer:
    """A `Renderer` for one dialect of Cypher over one layout of the property graph.

    Values travel as parameters `$p0`, `$p1`, …, or escaped in the text with `inline`.
    """

    settings: CypherDialect = DIALECTS["neo4j"]
    layout: Layout = field(factory=MappingLayout)

    @property
    def dialect(self) -> str:
        return self.settings.name

    def render(self, table: Table, *, inline: bool = False) -> RenderedQuery:
        """See `Renderer.render`."""
        if table.match_mode is MatchMode.DIFFERENT_RELATIONSHIPS:
            raise fail("UQ500", "the mode `different_relationships` cannot be written yet", table.span)
        bag = ParameterBag(inline, frozenset(table_parameters(table)))
        expander = Expander(self.layout, counts_solutions(table), self.settings.name == "neo4j", value_variables(table))
        context = Context(self.settings, self.layout, bag, expander)
        for variable in sorted(all_variables(table), key=lambda one: one.name):
            context.name(variable)
        query, kinds = _Composer(self.settings, context, table).query()
        text, source_map = extract(_macros().query(query))
        return RenderedQuery(
            text=text + "\n",
            params=dict(bag.values),
            columns=_columns(table),
            dialect=self.dialect,
            source_map=source_map,
            assumptions=tuple(expander.assumptions),
            form=table.shell.form,
            unbound=tuple(bag.unbound),
            column_kinds=kinds,
            limit=table.shell.limit if len(query.branches) > 1 and not query.wrapped else None,
        )


@frozen
class _Composer:
    """Puts the branches of one query together."""

    settings: CypherDialect
    context: Context
    table: Table

    def query(self) -> tuple[_Query, tuple[str, ...]]:
        """The query and the kinds of its columns."""
        writers: list[ShellWriter] = []
        ends: list[Returned] = []
        for atoms in self.context.expander.conjunctions(self.table.rows):
            try:
                writer, end = self._branch(atoms)
            except Impossible:
                continue
            writers.append(writer)
            ends.append(end)
        if not ends:
            writer, end = self._empty()
            writers, ends = [writer], [end]
        kinds = unified(ends, writers)
        return (self._single(ends[0]) if len(ends) == 1 else self._union(ends)), kinds

    def _branch(self, atoms: Conjunction) -> tuple[ShellWriter, Returned]:
        body = ConjunctionWriter(self.context)
        body.write(atoms)
        return self._shell(body)

    def _shell(self, body: ConjunctionWriter) -> tuple[ShellWriter, Returned]:
        writer = ShellWriter(self.context, self.table, body)
        return writer, writer.finish()

    def _empty(self) -> tuple[ShellWriter, Returned]:
        """A query without solutions: some predicate does not occur, or a variable would have to be two things."""
        body = ConjunctionWriter(self.context)
        body.clauses.append(Clause("WITH", ("1 AS one",), ("false",)))
        for variable in all_variables(self.table):
            body.bound[variable] = NOTHING
        table = evolve(self.table, shell=evolve(self.table.shell, order=(), extreme=None))
        if group_columns(table) is not None:
            table = self.table
        writer = ShellWriter(self.context, table, body, empty=True)
        return writer, writer.finish()

    def _aliases(self) -> tuple[str, ...]:
        return tuple(quote_name(name) for name in _columns(self.table))

    def _columns(self, end: Returned) -> tuple[str, ...]:
        return tuple(
            text if text == name else f"{text} AS {name}" for text, name in zip(end.texts, self._aliases(), strict=True)
        )

    def _single(self, end: Returned) -> _Query:
        shell = self.table.shell
        ask = shell.form is Form.ASK
        # groups are distinct by themselves as long as the head shows what they are grouped by
        distinct = shell.distinct and not ask and not self._groups_shown()
        order = () if ask else self._order(end)
        return _Query(
            (_Branch(tuple(end.clauses), self._columns(end)),),
            self._aliases(),
            distinct,
            order,
            None if ask else shell.limit,
            None if ask else shell.offset,
        )

    def _order(self, end: Returned) -> tuple[str, ...]:
        """Sort keys by the names of columns: behind RETURN a name means the column, no longer the node."""
        if not end.order:
            return ()
        # some engines take the column's name for the node's, if both have the same
        clash = self.settings.typed_null
        if clash or not all(text in end.texts for text, _ in end.order):
            columns = [self.context.fresh("column") for _ in end.texts] if clash else list(self._aliases())
            shown = dict(zip(reversed(end.texts), reversed(columns), strict=True))
            names = [*columns, *(shown.get(text) or self.context.fresh("key") for text, _ in end.order)]
            texts = [*end.texts, *(text for text, _ in end.order)]
            items = dict.fromkeys(f"{text} AS {name}" for text, name in zip(texts, names, strict=True))
            end.clauses.append(Clause("WITH", tuple(items)))
            end.texts = columns
            keys = names[len(end.texts) :]
            return tuple(f"{name}{direction}" for name, (_, direction) in zip(keys, end.order, strict=True))
        aliases = dict(zip(reversed(end.texts), reversed(self._aliases()), strict=True))
        return tuple(f"{aliases[text]}{direction}" for text, direction in end.order)

    def _groups_shown(self) -> bool:
        groups = group_columns(self.table)
        shown = {column.variable for column in self.table.head}
        return groups is not None and all(column.variable in shown for column in groups)

    def _union(self, ends: list[Returned]) -> _Query:
        shell = self.table.shell
        if group_columns(self.table) is not None or shell.extreme is not None:
            raise fail("UQ500", "groups over alternatives cannot be written in this dialect of Cypher")
        branches = tuple(_Branch(tuple(end.clauses), self._columns(end)) for end in ends)
        if shell.form is Form.ASK:
            return _Query(branches, self._aliases(), distinct=False)
        order = self._outer_order()
        if not order and shell.limit is None and not shell.offset:
            return _Query(branches, self._aliases(), shell.distinct, union="UNION" if shell.distinct else "UNION ALL")
        if self.settings.union_subquery:
            inner = _Query((), (), distinct=False)
            return _Query(
                branches, self._aliases(), shell.distinct, order, shell.limit, shell.offset, wrapped=True, inner=inner
            )
        if order or shell.offset:
            raise fail("UQ500", "alternatives cannot be ordered or skipped in this dialect of Cypher")
        # each branch needs no more than the limit; the engine cuts what the union still has too much
        union = "UNION" if shell.distinct else "UNION ALL"
        return _Query(branches, self._aliases(), shell.distinct, union=union, cut=shell.limit)

    def _outer_order(self) -> tuple[str, ...]:
        found: list[str] = []
        names = dict(zip(self.table.columns or visible_variables(self.table.rows), self._aliases(), strict=True))
        for key in self.table.shell.order:
            name = names.get(key.expression) if isinstance(key.expression, Variable) else None
            if name is None:
                raise fail("UQ500", "alternatives can only be ordered by a column in this dialect of Cypher")
            found.append(f"{name}{' DESC' if key.descending else ''}")
        return tuple(found)


def _columns(table: Table) -> tuple[str, ...]:
    if table.shell.form is Form.ASK:
        return (ASK_COLUMN,)
    return tuple(variable.name for variable in table.columns or visible_variables(table.rows))


@lru_cache(maxsize=1)
def _macros() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    # the text is a query, not HTML: what needs quoting was quoted by the writers
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"), undefined=StrictUndefined, autoescape=False
    )
    return environment.get_template("query.j2").module


__all__ = ["TERM", "CypherRenderer"]
