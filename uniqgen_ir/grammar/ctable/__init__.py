"""The reader of `.ctable` files: text in, tables and diagnostics out."""

from __future__ import annotations

from bisect import bisect_left

from attrs import frozen

from uniqgen_ir.grammar.ctable import mistakes
from uniqgen_ir.grammar.ctable.context import Context, Inner
from uniqgen_ir.grammar.ctable.heads import Clauses
from uniqgen_ir.grammar.ctable.lalr import Parser
from uniqgen_ir.grammar.ctable.lexer import lex
from uniqgen_ir.grammar.ctable.preamble import read_preamble
from uniqgen_ir.grammar.ctable.recovery import RowRecovery
from uniqgen_ir.grammar.ctable.rows import Rows
from uniqgen_ir.grammar.ctable.tables import load
from uniqgen_ir.grammar.ctable.terms import name_text, string_text
from uniqgen_ir.grammar.ctable.tree import Node, Token
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Related, errors
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.table import Table


@frozen
class ReadResult:
    """What a file of tables gave: its tables, in order, and what was not right, in the order of the text.

    With an error among the diagnostics, `tables` is empty: a table that was read only in part is never handed on.
    `sound` are the tables in which no error lies; they can be checked further although others of the file are faulty.
    """

    tables: tuple[Table, ...]
    diagnostics: tuple[Diagnostic, ...]
    sound: tuple[Table, ...] = ()

    @property
    def table(self) -> Table | None:
        """The first table."""
        return self.tables[0] if self.tables else None


def read_table(text: str, source: str = "<input>", *, allow_unbounded: bool = False) -> ReadResult:
    """Read a file of tables. Never raises for what is wrong with the text.

    `source` names the text in spans. `allow_unbounded` lets paths go without a bound, as `use unbounded paths` does.
    """
    context = Context(text, source, allow_unbounded=allow_unbounded)
    tree = parse_tree(context, "ctable_file")
    tables = tables_of(context, tree) if tree is not None else ()
    diagnostics = in_order(context.diagnostics)
    if errors(diagnostics):
        return ReadResult((), diagnostics, _without(tables, errors(diagnostics)))
    if not tables:
        return ReadResult((), (*diagnostics, mistakes.no_table(context)))
    return ReadResult(tables, diagnostics, tables)


def _without(tables: tuple[Table, ...], faults: tuple[Diagnostic, ...]) -> tuple[Table, ...]:
    """The tables in whose span none of the faults begins."""
    places = sorted(one.span.start for one in faults if one.span is not None)
    if len(places) < len(faults):
        return ()
    return tuple(
        table
        for table in tables
        if table.span is not None and bisect_left(places, table.span.start) == bisect_left(places, table.span.end)
    )


def parse_table(text: str, source: str = "<input>", *, allow_unbounded: bool = False) -> Table:
    """The first table of a text. Raises DiagnosticError with everything that is wrong with it."""
    result = read_table(text, source, allow_unbounded=allow_unbounded)
    if result.table is None:
        raise DiagnosticError(result.diagnostics)
    return result.table


def parse_tree(context: Context, start: str) -> Node | None:
    """The syntax tree of the context's text; what is wrong with it goes to the context."""
    lexed = lex(context.text)
    mistakes.report_habits(context, lexed)
    if lexed.too_deep is not None:
        mistakes.too_deep(context, lexed.too_deep)
        return None
    recovery = RowRecovery(context, start)
    return Parser(load("ctable"), start).parse(lexed.tokens, recovery)


def in_order(diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics by their place, each once."""
    unique = list(dict.fromkeys(diagnostics))
    return tuple(sorted(unique, key=lambda one: one.span.start if one.span else 0))


def tables_of(context: Context, tree: Node) -> tuple[Table, ...]:
    """The tables of a file's syntax tree. Where the context has errors, they are what could be read of them."""
    uses = read_preamble(context, tree)
    tables: list[Table] = []
    first: dict[str, Span] = {}
    for node in tree.nodes("ctable"):
        name = node.items[0]
        table = _table(context, node, uses)
        if table.name in first:
            related = (Related("the first one", first[table.name]),)
            message = f"two tables have the name `{table.name}`"
            context.report("UQ208", message, name.start, name.end, related=related)
        first.setdefault(table.name, context.span(name.start, name.end))
        tables.append(table)
    return tuple(tables)


def build_subtable(context: Context, node: Node, row_id: str) -> Table:
    """The table of a `table { … }` row; without a name of its own it takes the row's id."""
    return _table(context, node, (), row_id)


def _table(context: Context, node: Node, uses: tuple[str, ...], default_name: str = "") -> Table:
    """The table of a `ctable` or `subtable` node."""
    name, question, block = node.token("NAME"), node.token("STRING"), node.child("block")
    assert block is not None
    rows = Rows(context, lambda inner, row_id: build_subtable(context, inner, row_id))
    clauses = Clauses(context, rows.expressions)
    row_nodes: list[Node] = []
    _collect(context, block, clauses, row_nodes)
    uses += tuple(
        string_text(context, item)
        for one in block.nodes("use_schema")
        for item in one.items[:1]
        if isinstance(item, Token)
    )
    if "select" not in clauses.found:
        mistakes.missing_head(context, node, block)
    outer, context.inner = context.inner, Inner("head")
    # the order in which the printer writes them: rows inside `exists` are numbered as they come
    head, built, shell = clauses.head(), rows.top_level(row_nodes), clauses.shell()
    context.inner = outer
    return Table(
        name=name_text(context, name) if name is not None else default_name,
        head=head,
        rows=built,
        shell=shell,
        question=string_text(context, question) if question is not None else None,
        match_mode=clauses.match_mode(),
        schemas=uses,
        prefixes=tuple(context.declared.items()),
        span=context.span(node.start, node.end),
    )


def _collect(context: Context, block: Node, clauses: Clauses, rows: list[Node]) -> None:
    for item in block.items:
        if not isinstance(item, Node):
            continue
        if item.kind == "row":
            rows.append(item)
            continue
        if item.kind == "use_schema":
            continue
        clauses.add(item)
        inner = item.child("head_block")
        if inner is not None:
            mistakes.where_block(context, inner)
            body = inner.child("block")
            assert body is not None
            _collect(context, body, clauses, rows)
