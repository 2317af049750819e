"""Tables as text in the CTable language. Reading the text back gives the same table.

The text is the same for equal tables with the same prefixes, so that it can be compared, hashed and kept in files.
"""

from __future__ import annotations

from collections.abc import Iterable

from uniqgen_ir.ir.expressions import Aggregate, Call, Expression
from uniqgen_ir.ir.paths import Step
from uniqgen_ir.ir.print_expressions import PRIMARY, Expressions
from uniqgen_ir.ir.print_names import Names, quoted, variable, word
from uniqgen_ir.ir.rows import (
    Atom,
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    Origin,
    PathAtom,
    Row,
    RowNote,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.table import Column, Form, MatchMode, Shell, Table
from uniqgen_ir.ir.terms import Variable

Prefixes = Iterable[tuple[str, str]]

_WIDTH = 100
"""Blocks that fit into so many characters stay on one line."""

_PLAIN = RowNote()


def print_table(table: Table) -> str:
    """The table as a file of its own: prefixes, `use schema`, and the table. Ends with a line end."""
    return print_tables((table,))


def print_tables(tables: Iterable[Table]) -> str:
    """Several tables as one file. Their prefixes are put together; where two disagree, the first one holds."""
    several = tuple(tables)
    prefixes: dict[str, str] = {}
    for table in several:
        for prefix, namespace in table.prefixes:
            prefixes.setdefault(prefix, namespace)
    names = Names(prefixes.items())
    texts = ["ctable " + _Printer(names).table(table, table.name) for table in several]
    lines = ["use unbounded paths"] if names.unbounded else []
    lines += [f"prefix {prefix}: {names.full_iri(namespace)}" for prefix, namespace in names.declared.items()]
    lines += [f"use schema {quoted(name)}" for name in dict.fromkeys(name for one in several for name in one.schemas)]
    if lines:
        lines.append("")
    return "\n".join([*lines, "\n\n".join(texts)]) + "\n"


def print_row(row: Row, prefixes: Prefixes = ()) -> str:
    """One row with its id and annotations, without a line end after it."""
    return _Printer(Names(prefixes)).row(row, labelled=True)


def print_rows(rows: Iterable[Row], prefixes: Prefixes = (), indent: str = "") -> str:
    """Rows, one below the other, each with its id."""
    printer = _Printer(Names(prefixes))
    return "\n".join(indent + printer.row(row, labelled=True, indent=indent) for row in rows)


def print_expression(expression: Expression, prefixes: Prefixes = ()) -> str:
    """One expression, on one line."""
    return _Printer(Names(prefixes)).expressions.write(expression)


def print_note(note: RowNote) -> str:
    """The annotations of a row, with a space before each; empty for an explicit row that nothing more is known of."""
    if note == _PLAIN:
        return ""
    arguments: list[str] = []
    if note.uncertainty is not None:
        arguments.append(f"u = {note.uncertainty!r}")
    if note.reason is not None:
        arguments.append(quoted(note.reason))
    if note.support is not None:
        arguments.append(f"support = {note.support}")
    text = ""
    if note.origin is not Origin.EXPLICIT or arguments:
        text = f" @{note.origin.value}" + (f"({', '.join(arguments)})" if arguments else "")
    if note.required:
        text += " @required"
    if note.sources:
        text += f" @from({', '.join(map(word, note.sources))})"
    return text


def rule_sides(names: Names, body: tuple[Row, ...], head: tuple[Row, ...]) -> tuple[str, str]:
    """The two sides of a rule, each in braces on one line; ids that a reader would give by itself are left out."""
    printer = _Printer(names, rules=True)
    return printer.inline_block(body), printer.inline_block(head)


class _Printer:
    """Writes one table. `parent` and `count` follow the ids that a reader would give to rows without one."""

    def __init__(self, names: Names, *, rules: bool = False) -> None:
        self.names = names
        self.rules = rules
        self.expressions = Expressions(names, self.inline_block)
        self.parent = "head"
        self.count = 0

    def table(self, table: Table, name: str | None, indent: str = "", uses: Iterable[str] = ()) -> str:
        """`NAME "question" { … }`; without the name where it is None."""
        outer, self.parent, self.count = (self.parent, self.count), "head", 0
        inner = indent + "  "
        lines = [*(f"use schema {quoted(one)}" for one in uses), self.head(table)]
        if table.match_mode is not MatchMode.HOMOMORPHISM:
            lines.append(f"match {table.match_mode.value.replace('_', ' ')}")
        body = [self.row(row, labelled=True, indent=inner) for row in table.rows]
        shell = self.shell(table.shell)
        self.parent, self.count = outer
        groups = ["\n".join(inner + line for line in group) for group in (lines, body, shell) if group]
        title = (f"{word(name)} " if name is not None else "") + (
            f"{quoted(table.question)} " if table.question is not None else ""
        )
        return f"{title}{{\n" + "\n\n".join(groups) + f"\n{indent}}}"

    def head(self, table: Table) -> str:
        columns = " ".join(map(self.column, table.head))
        shell = table.shell
        if shell.form is Form.ASK:
            return " ".join(filter(None, ("ask", "" if shell.distinct else "all", columns)))
        return f"select {'distinct ' if shell.distinct else ''}{columns or '*'}"

    def column(self, column: Column) -> str:
        if column.alias is None:
            return variable(column.variable.name)
        text = f"{self.expressions.write(column.expression)} as {variable(column.alias.name)}"
        return text if isinstance(column.expression, Variable | Call | Aggregate) else f"({text})"

    def shell(self, shell: Shell) -> list[str]:
        write = self.expressions.write
        lines: list[str] = []
        if shell.group:
            lines.append(f"group by {' '.join(map(self.column, shell.group))}")
        lines += [f"having {write(one)}" for one in shell.having]
        if shell.extreme is not None:
            names = " ".join(variable(one.name) for one in shell.extreme.variables)
            lines.append(f"{'argmax' if shell.extreme.largest else 'argmin'} {names} by {write(shell.extreme.by)}")
        if shell.order:
            keys = (
                f"desc({write(k.expression)})" if k.descending else write(k.expression, PRIMARY) for k in shell.order
            )
            lines.append(f"order by {' '.join(keys)}")
        if shell.limit is not None:
            lines.append(f"limit {shell.limit}")
        if shell.offset is not None:
            lines.append(f"offset {shell.offset}")
        return lines

    def row(self, row: Row, *, labelled: bool = False, indent: str | None = "") -> str:
        """A row. With `indent` None it stays on one line."""
        self.count += 1
        expected = f"c{self.count}" if self.rules and self.parent == "head" else f"{self.parent}.{self.count}"
        label = f"{word(row.id)}: " if labelled or row.id != expected else ""
        outer, self.parent, self.count = (self.parent, self.count), row.id, 0
        text = self.atom(row.atom, row.id, indent)
        if row.where is not None:
            text += f" where {self.expressions.write(row.where)}"
        self.parent, self.count = outer
        return label + text + print_note(row.note)

    def atom(self, atom: Atom, row_id: str, indent: str | None) -> str:
        term = self.names.term
        match atom:
            case Triple(subject, predicate, object_):
                return f"{term(subject)} {term(predicate)} {term(object_)}"
            case TypeAtom(subject, type_):
                return f"{term(subject)} a {term(type_)}"
            case PathAtom(subject, path, object_):
                written = self.names.path(path)
                # brackets tell a path of one step from a plain predicate
                return f"{term(subject)} {f'({written})' if isinstance(path, Step) else written} {term(object_)}"
            case Filter(condition):
                return self.expressions.write(condition)
            case Bind(expression, variable_):
                return f"let {term(variable_)} = {self.expressions.write(expression)}"
            case Values():
                return self.values(atom)
            case OptionalBlock(rows):
                return f"optional {self.block(rows, indent)}"
            case NotBlock(rows):
                return f"not {self.block(rows, indent)}"
            case MinusBlock(rows):
                return f"minus {self.block(rows, indent)}"
            case Either(branches):
                return "either " + " or ".join(self.block(rows, indent) for rows in branches)
            case SubTable(table):
                return "table " + self.table(
                    table, None if table.name == row_id else table.name, indent or "", table.schemas
                )

    def values(self, values: Values) -> str:
        def datum(term: object) -> str:
            return "undef" if term is None else self.names.term(term)  # type: ignore[arg-type]

        names = " ".join(variable(one.name) for one in values.variables)
        if len(values.variables) == 1:
            lines = [datum(line[0]) for line in values.lines]
            return f"values {names} {{ {' '.join(lines)} }}"
        lines = [f"({' '.join(map(datum, line))})" for line in values.lines]
        return f"values ({names}) {{ {' '.join(lines)} }}"

    def inline_block(self, rows: tuple[Row, ...]) -> str:
        return self.block(rows, None)

    def block(self, rows: tuple[Row, ...], indent: str | None) -> str:
        if not rows:
            return "{ }"
        inner = None if indent is None else indent + "  "
        texts = [self.row(row, indent=inner) for row in rows]
        width = sum(len(text) + 3 for text in texts)
        if indent is None or (width <= _WIDTH and not any("\n" in text for text in texts)):
            return f"{{ {' . '.join(texts)} }}"
        return "{\n" + "".join(f"{inner}{text}\n" for text in texts) + f"{indent}}}"
