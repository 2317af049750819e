"""Builders for rows and blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from uniqgen_ir.grammar.ctable import mistakes
from uniqgen_ir.grammar.ctable.climb import Expressions
from uniqgen_ir.grammar.ctable.context import Context, Inner
from uniqgen_ir.grammar.ctable.notes import PLAIN, build_note
from uniqgen_ir.grammar.ctable.paths import build_path
from uniqgen_ir.grammar.ctable.terms import iri, literal, name_text, term
from uniqgen_ir.grammar.ctable.tree import Item, Node, Token
from uniqgen_ir.ir.diagnostics import Related
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.rows import (
    Atom,
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    PathAtom,
    Row,
    RowNote,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import BlankNode, GroundTerm, Literal, Term, Variable

NextId = Callable[[str | None], str]
"""Gives the id of the next row: the explicit one, or a new one."""


class Rows:
    """Builds the rows of one text."""

    def __init__(self, context: Context, subtable: Callable[[Node, str], Table]) -> None:
        self.context = context
        self.subtable = subtable
        self.expressions = Expressions(context, self.block)

    def top_level(self, nodes: list[Node]) -> tuple[Row, ...]:
        """The rows of a table: `c1`, `c2`, … for those without an id, past the ids that are taken."""
        labels = (node.token("LABEL") for node in nodes)
        taken = {name_text(self.context, label) for label in labels if label is not None}
        return self.named(nodes, self.numbered(taken), {})

    def numbered(self, taken: set[str]) -> NextId:
        """Gives `c1`, `c2`, … without those that are taken."""
        count = 0

        def next_id(explicit: str | None) -> str:
            nonlocal count
            if explicit is not None:
                return explicit
            count += 1
            while f"c{count}" in taken:
                count += 1
            return f"c{count}"

        return next_id

    def block(self, _context: Context, block: Node) -> tuple[Row, ...]:
        """The rows of a `{ … }` inside the row that is being built."""
        return self.named(self.only_rows(block), self.context.inner.next, {})

    def only_rows(self, block: Node) -> list[Node]:
        """The row nodes of a block; what belongs to tables only is reported."""
        rows: list[Node] = []
        for item in block.items:
            if item.kind == "row" and isinstance(item, Node):
                rows.append(item)
            elif isinstance(item, Node):
                mistakes.clause_in_block(self.context, item)
        return rows

    def named(self, nodes: list[Node], next_id: NextId, seen: dict[str, Span]) -> tuple[Row, ...]:
        """The rows of the nodes. Ids that are in `seen` already are reported."""
        rows: list[Row] = []
        for node in nodes:
            for row in self.row(node, next_id):
                rows.append(row)
                assert row.span is not None
                if row.id in seen:
                    related = (Related("the first one", seen[row.id]),)
                    message = f"two rows have the id `{row.id}`"
                    self.context.report("UQ204", message, row.span.start, row.span.end, related=related)
                else:
                    seen[row.id] = row.span
        return tuple(rows)

    def row(self, node: Node, next_id: NextId) -> Iterator[Row]:
        """The row or rows of a node: a statement with `;` or `,` is one row for each object."""
        items = node.items
        label: str | None = None
        place = 0
        if items[0].kind == "LABEL" and isinstance(items[0], Token):
            label = name_text(self.context, items[0])
            place = 1
        content = items[place]
        assert isinstance(content, Node)
        if content.kind == "statement":
            yield from self.statement(content, label, next_id, node.start)
            return
        outer = self.context.inner
        row_id = next_id(label)
        self.context.inner = Inner(row_id)
        if content.kind == "condition":
            atom: Atom = Filter(self.expressions.build(content.items[0]))
            notes: list[Item] = content.items[1:]
        else:
            atom = self.atom(content, row_id)
            notes = items[place + 1 :]
        self.context.inner = outer
        note = build_note(self.context, notes) if notes else PLAIN
        yield Row(row_id, atom, None, note, self.context.span(node.start, node.end))

    def statement(self, node: Node, label: str | None, next_id: NextId, start: int) -> Iterator[Row]:
        context, items = self.context, node.items
        subject = term(context, items[0])
        several = len(items) > 2 or len(getattr(items[1], "items", ())) > 2
        count = 0
        for predicate in items[1:]:
            assert isinstance(predicate, Node)
            verb = predicate.items[0]
            for one in predicate.items[1:]:
                assert isinstance(one, Node)
                count += 1
                row_id = next_id(f"{label}.{count}" if several and label is not None else label)
                object_item, *rest = one.items
                atom = self.pattern(subject, verb, object_item)
                where, note = self.tail(rest, row_id) if rest else (None, PLAIN)
                yield Row(row_id, atom, where, note, context.span(start if count == 1 else one.start, one.end))

    def tail(self, rest: list[Item], row_id: str) -> tuple[Expression | None, RowNote]:
        """The condition and the note that follow an object."""
        where: Expression | None = None
        first = rest[0]
        if first.kind == "where" and isinstance(first, Node):
            outer = self.context.inner
            self.context.inner = Inner(row_id)
            where = self.expressions.build(first.items[0])
            self.context.inner = outer
            rest = rest[1:]
        return where, build_note(self.context, rest) if rest else PLAIN

    def pattern(self, subject: Term, verb: Item, object_item: Item) -> Triple | TypeAtom | PathAtom:
        context = self.context
        object_ = term(context, object_item)
        if isinstance(verb, Node):
            return PathAtom(subject, build_path(context, verb), object_)
        if verb.kind == "A":
            if isinstance(object_, Literal):
                mistakes.literal_class(context, object_item)
                return TypeAtom(subject, Variable("unread"))
            return TypeAtom(subject, object_)
        predicate = term(context, verb)
        assert not isinstance(predicate, Literal)
        return Triple(subject, predicate, object_)

    def atom(self, node: Node, row_id: str) -> Atom:
        """The atom of anything but a statement or a condition."""
        match node.kind:
            case "optional":
                return OptionalBlock(self.inside(node.items[0]))
            case "negation":
                return NotBlock(self.inside(node.items[1]))
            case "minus":
                return MinusBlock(self.inside(node.items[0]))
            case "either":
                return Either(tuple(self.inside(item) for item in node.items if item.kind == "block"))
            case "let":
                return Bind(self.expressions.build(node.items[2]), self.variable(node.items[0]))
            case "values_one" | "values_many":
                return self.values(node)
            case "subtable":
                return SubTable(self.subtable(node, row_id))
            case _:
                return self.habit(node)

    def habit(self, node: Node) -> Atom:
        """What SPARQL would say, read so that the message can say how it is said here."""
        if node.kind == "filter_word":
            mistakes.filter_word(self.context, node)
            return Filter(self.expressions.build(node.items[0]))
        if node.kind == "bind_word":
            mistakes.bind_word(self.context, node)
            return Bind(self.expressions.build(node.items[0]), self.variable(node.items[1]))
        mistakes.union_word(self.context, node)
        branches = tuple(self.inside(item) for item in node.items)
        return Either(branches if len(branches) > 1 else (*branches, ()))

    def inside(self, item: Item) -> tuple[Row, ...]:
        assert isinstance(item, Node)
        return self.block(self.context, item)

    def variable(self, item: Item) -> Variable:
        assert isinstance(item, Token)
        return Variable(name_text(self.context, item, 1))

    def values(self, node: Node) -> Values:
        context = self.context
        if node.kind == "values_one":
            return Values((self.variable(node.items[0]),), tuple((self.datum(item),) for item in node.items[1:]))
        names = node.items[0]
        assert isinstance(names, Node)
        variables = tuple(map(self.variable, names.items))
        lines: list[tuple[GroundTerm | None, ...]] = []
        for line in node.items[1:]:
            assert isinstance(line, Node)
            if len(line.items) != len(variables):
                message = f"{len(line.items)} values for {len(variables)} variables"
                context.report("UQ129", message, line.start, line.end, hint="write `undef` for one that stays open")
                continue
            lines.append(tuple(map(self.datum, line.items)))
        return Values(variables, tuple(lines))

    def datum(self, item: Item) -> GroundTerm | None:
        if isinstance(item, Token):
            match item.kind:
                case "UNDEF":
                    return None
                case "IRI" | "PNAME":
                    return iri(self.context, item)
                case "BLANK":
                    return BlankNode(item.text[2:])
                case _:
                    pass
        return literal(self.context, item)
