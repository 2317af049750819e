"""Tables as Cypher text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from uniqgen_ir.backends.apart import without_match_mode
from uniqgen_ir.backends.base import ASK_COLUMN, RenderedQuery
from uniqgen_ir.backends.cypher.atoms import Expander
from uniqgen_ir.backends.cypher.clauses import Clause, Context, Impossible
from uniqgen_ir.backends.cypher.conjunction import ConjunctionWriter
from uniqgen_ir.backends.cypher.dialects import DIALECTS, CypherDialect
from uniqgen_ir.backends.cypher.layout import Layout, MappingLayout
from uniqgen_ir.backends.cypher.operands import NOTHING, Operand
from uniqgen_ir.backends.cypher.quoting import ParameterBag, quote_name
from uniqgen_ir.backends.cypher.shell import TERM, Returned, ShellWriter, unified
from uniqgen_ir.backends.cypher.subtables import simplified
from uniqgen_ir.backends.cypher.use import value_variables
from uniqgen_ir.backends.marks import closed, extract, opened
from uniqgen_ir.backends.multiplicity import counts_solutions
from uniqgen_ir.backends.parameters import table_parameters
from uniqgen_ir.backends.variables import all_variables
from uniqgen_ir.ir.analysis import visible_variables
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.evaluation.shell import group_columns
from uniqgen_ir.ir.paths import Step
from uniqgen_ir.ir.rows import Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Column, Form, MatchMode, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.visitor import walk
from uniqgen_ir.ir.vocabulary import PG_TYPE


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
    cut: int | None = None


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
        bag = ParameterBag(inline, frozenset(table_parameters(table)))
        given = table
        # where edges are facts, conditions can keep them apart
        table = simplified(without_match_mode(table) if self.layout.lossless else table)
        layout = self.layout.for_names(_names_in(table)) if isinstance(self.layout, MappingLayout) else self.layout
        expander = Expander(
            layout,
            counts_solutions(table),
            self.settings.trails,
            self.settings.undirected,
            table.match_mode is MatchMode.DIFFERENT_RELATIONSHIPS,
            value_variables(table),
        )
        context = Context(self.settings, layout, bag, expander, write_sub_table)
        for variable in sorted(all_variables(table), key=lambda one: one.name):
            context.name(variable)
        query, kinds = _Composer(self.settings, context, table).query()
        text, source_map = extract(_macros(self.settings.template).query(query))
        return RenderedQuery(
            text=text + "\n",
            params=dict(bag.values),
            columns=_columns(given),
            dialect=self.dialect,
            source_map=source_map,
            assumptions=tuple(expander.assumptions),
            form=table.shell.form,
            unbound=tuple(bag.unbound),
            column_kinds=kinds,
            diagnostics=tuple(expander.clashes.values()),
            limit=table.shell.limit if len(query.branches) > 1 else None,
        )


@frozen
class _Composer:
    """Puts the branches of one query together."""

    settings: CypherDialect
    context: Context
    table: Table

    def query(self) -> tuple[_Query, tuple[str, ...]]:
        """The query and the kinds of its columns."""
        ends, kinds = self.ends()
        return (self._single(ends[0]) if len(ends) == 1 else self._union(ends)), kinds

    def ends(self, whole: bool = False) -> tuple[list[Returned], tuple[str, ...]]:
        """The branches, each with its shell, and the kinds of the columns.

        `whole`: what follows the rows cannot be left to the end of a union.
        """
        bodies: list[ConjunctionWriter] = []
        for atoms in self.context.expander.conjunctions(self.table.rows):
            body = ConjunctionWriter(self.context)
            try:
                body.write(atoms)
            except Impossible:
                continue
            bodies.append(body)
        if len(bodies) > 1 and (whole or self._shell_matters()):
            bodies = [self._together(bodies)]
        made = [self._shell(body) for body in bodies] or [self._empty()]
        writers, ends = [writer for writer, _ in made], [end for _, end in made]
        return ends, unified(ends, writers)

    def _shell_matters(self) -> bool:
        """Whether groups, superlatives, orders or slices range over all branches together."""
        shell = self.table.shell
        if shell.form is Form.ASK and group_columns(self.table) is None and not shell.offset and shell.extreme is None:
            return False
        sliced = bool(shell.order or shell.offset or shell.limit is not None) and self.settings.subquery is not None
        return group_columns(self.table) is not None or shell.extreme is not None or sliced or bool(shell.offset)

    def _together(self, bodies: list[ConjunctionWriter]) -> ConjunctionWriter:
        """One body whose solutions are those of all of them."""
        if self.settings.subquery is None:
            raise fail(
                "UQ500",
                "groups, superlatives and offsets over alternatives cannot be written in this dialect",
            )
        wanted = [one for one in self._needed() if any(one in body.bound for body in bodies)]
        together = ConjunctionWriter(self.context)
        names: list[str] = []
        columns: list[list[str]] = [[] for _ in bodies]
        for variable in wanted:
            operands = [body.bound.get(variable, NOTHING) for body in bodies]
            kind, texts = self._one_kind(operands, bodies)
            name = self.context.name(variable)
            names.append(name)
            for texts_of_body, text in zip(columns, texts, strict=True):
                texts_of_body.append(text if text == name else f"{text} AS {name}")
            datatypes = {one.datatype for one in operands}
            datatype = datatypes.pop() if len(datatypes) == 1 else None
            nullable = any(one.nullable for one in operands)
            together.bound[variable] = Operand(kind, name, datatype if kind == "value" else None, nullable)
        if not wanted:
            columns = [["1 AS found"] for _ in bodies]
        branches = tuple(
            _Branch(tuple(body.clauses), tuple(texts)) for body, texts in zip(bodies, columns, strict=True)
        )
        text = self._text(_Query(branches, tuple(names), distinct=False, union="UNION ALL"))
        together.clauses.append(Clause(str(self.settings.subquery), (f"{{\n{text}\n}}",)))
        return together

    def _text(self, query: _Query) -> str:
        return str(_macros(self.settings.template).query(query))

    def _needed(self) -> list[Variable]:
        """The variables that the head and the shell look at, in a fixed order."""
        table = self.table
        head = table.head or tuple(Column(one) for one in visible_variables(table.rows))
        used = all_variables(evolve(table, head=head, rows=()))
        return sorted(used, key=lambda one: one.name)

    def _one_kind(self, operands: list[Operand], bodies: list[ConjunctionWriter]) -> tuple[str, list[str]]:
        """The kind that all branches give a variable, and its text in each."""
        kinds = {one.kind for one in operands} - {"null"}
        if kinds <= {"node"}:
            return "node", [one.text for one in operands]
        texts = [
            body.comparer.identity(one) if one.is_entity else body.expressions.comparer.plain(one)
            for one, body in zip(operands, bodies, strict=True)
        ]
        return ("iri" if all(one.is_entity for one in operands if one.kind != "null") else "value"), texts

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
        order, distinct = ((), False) if ask else self._order(end, list(self._aliases()), distinct)
        return _Query(
            (_Branch(tuple(end.clauses), self._columns(end)),),
            self._aliases(),
            distinct,
            order,
            None if ask else shell.limit,
            None if ask else shell.offset,
        )

    def _order(self, end: Returned, aliases: list[str], distinct: bool) -> tuple[tuple[str, ...], bool]:
        """Sort keys by the names of columns: behind RETURN a name means the column, no longer the node.

        Also whether what follows still has to be made distinct: keys hang on the columns, so they can go first.
        """
        if not end.order:
            return (), distinct
        # some engines take the column's name for the node's, if both have the same
        clash = self.settings.typed_null
        if clash or not all(text in end.texts for text, _ in end.order):
            columns = [self.context.fresh("column") for _ in end.texts] if clash else list(aliases)
            shown = dict(zip(reversed(end.texts), reversed(columns), strict=True))
            names = [*columns, *(shown.get(text) or self.context.fresh("key") for text, _ in end.order)]
            texts = [*end.texts, *(text for text, _ in end.order)]
            items = dict.fromkeys(f"{text} AS {name}" for text, name in zip(texts, names, strict=True))
            end.clauses.append(Clause("WITH DISTINCT" if distinct else "WITH", tuple(items)))
            end.texts = columns
            keys = names[len(end.texts) :]
            return tuple(f"{name}{direction}" for name, (_, direction) in zip(keys, end.order, strict=True)), False
        shown = dict(zip(reversed(end.texts), reversed(aliases), strict=True))
        return tuple(f"{shown[text]}{direction}" for text, direction in end.order), distinct

    def _groups_shown(self) -> bool:
        groups = group_columns(self.table)
        shown = {column.variable for column in self.table.head}
        return groups is not None and all(column.variable in shown for column in groups)

    def _union(self, ends: list[Returned]) -> _Query:
        shell = self.table.shell
        branches = tuple(_Branch(tuple(end.clauses), self._columns(end)) for end in ends)
        if shell.form is Form.ASK:
            return _Query(branches, self._aliases(), distinct=False)
        if shell.order:
            raise fail("UQ500", "alternatives cannot be ordered in this dialect of Cypher")
        # each branch needs no more than the limit; the engine cuts what the union still has too much
        union = "UNION" if shell.distinct else "UNION ALL"
        return _Query(branches, self._aliases(), shell.distinct, union=union, cut=shell.limit)

    # --- as a table inside another --------------------------------------------------------------------------------

    def stage(self, outer: ConjunctionWriter, row: Row) -> None:
        """Write the table as the first clauses of the outer one, or as a subquery."""
        first = not outer.clauses
        ends, _ = self.ends(whole=True)
        end, shell = ends[0], self.table.shell
        columns = self.table.columns or visible_variables(self.table.rows)
        outer_names: dict[Variable, str] = {}
        held: list[tuple[Variable, Operand]] = [
            (variable, operand if operand is not None else NOTHING)
            for variable, operand in zip(columns, end.operands, strict=True)
        ]
        for variable, operand in held:
            if operand.kind not in ("constant", "null"):
                outer_names[variable] = (
                    self.context.name(variable) if first else quote_name(self.context.fresh("inner"))
                )
        end.texts = [operand.text for variable, operand in held if variable in outer_names]
        names = list(outer_names.values())
        cut = shell.limit is not None or bool(shell.offset)
        distinct = shell.distinct and not self._groups_shown()
        order, distinct = self._order(end, names, distinct) if cut else ((), distinct)
        items = tuple(
            text if text == name else f"{text} AS {name}" for text, name in zip(end.texts, names, strict=True)
        )
        items = tuple(opened(row.id) + item + closed(row.id) for item in items or ("1 AS one",))
        tail: tuple[str, ...] = (f"ORDER BY {', '.join(order)}",) if order else ()
        tail += (f"SKIP {shell.offset}",) if shell.offset else ()
        tail += (f"LIMIT {shell.limit}",) if shell.limit is not None else ()
        if first:
            outer.clauses[:] = [*end.clauses, Clause("WITH DISTINCT" if distinct else "WITH", items, tail=tail)]
        elif self.settings.subquery is not None:
            branch = _Branch(tuple(end.clauses), items)
            query = _Query((branch,), (), distinct, order, shell.limit, shell.offset)
            outer.clauses.append(Clause(self.settings.subquery, (f"{{\n{self._text(query)}\n}}",)))
        else:
            raise fail("UQ500", "a second table inside a table cannot be written in this dialect of Cypher")
        for variable, operand in held:
            inner = evolve(operand, text=outer_names.get(variable, operand.text))
            known = outer.bound.get(variable)
            if known is None:
                outer.bound[variable] = inner
            else:
                outer.where(None, outer.expressions.comparer.same_term(known, inner))


def write_sub_table(outer: ConjunctionWriter, row: Row, table: Table) -> None:
    """Write a table inside a table. Raises DiagnosticError where the dialect cannot."""
    shared = outer.context.expander
    expander = evolve(
        shared,
        counts=counts_solutions(table),
        value_variables=shared.value_variables | value_variables(table),
        different=table.match_mode is MatchMode.DIFFERENT_RELATIONSHIPS,
    )
    context = evolve(outer.context, expander=expander)
    _Composer(context.dialect, context, table).stage(outer, row)


def _names_in(table: Table) -> Iterator[str]:
    """The names of predicates and classes, in the order in which the table mentions them."""
    for one in walk(table):
        match one:
            case Triple(_, IRI(name), _) | TypeAtom(_, IRI(name)) | Step(IRI(name)):
                yield name
            case Literal(lexical) if lexical == PG_TYPE:
                yield PG_TYPE
            case _:
                pass


def _columns(table: Table) -> tuple[str, ...]:
    if table.shell.form is Form.ASK:
        return (ASK_COLUMN,)
    return tuple(variable.name for variable in table.columns or visible_variables(table.rows))


@lru_cache(maxsize=4)
def _macros(template: str) -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    # the text is a query, not HTML: what needs quoting was quoted by the writers
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"), undefined=StrictUndefined, autoescape=False
    )
    return environment.get_template(template).module


__all__ = ["TERM", "CypherRenderer"]
