"""Builders for what schemas and lexicons declare."""

from __future__ import annotations

from typing import TypeVar

from uniqgen_ir.grammar.ctable import build_subtable
from uniqgen_ir.grammar.ctable.context import Context, Inner
from uniqgen_ir.grammar.ctable.notes import build_note
from uniqgen_ir.grammar.ctable.rows import Rows
from uniqgen_ir.grammar.ctable.terms import iri, name_text, string_text
from uniqgen_ir.grammar.ctable.tree import Item, Node, Token
from uniqgen_ir.ir.analysis import positive_variables, row_variables
from uniqgen_ir.ir.rows import PathAtom, Row, Triple, TypeAtom
from uniqgen_ir.ir.schema import (
    ClassDeclaration,
    Dependency,
    ImpliedRule,
    Lexicon,
    PropertyDeclaration,
    RelationDeclaration,
    Schema,
    Synonym,
)
from uniqgen_ir.ir.terms import IRI, Variable

R = TypeVar("R", RelationDeclaration, PropertyDeclaration)


class Declarations:
    """Builds the schemas and lexicons of one text."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def schema(self, node: Node) -> Schema:
        return Schema(
            name=self.name(node),
            classes=tuple(map(self.class_, node.nodes("class"))),
            relations=tuple(map(self.relation, node.nodes("relation"))),
            properties=tuple(map(self.property, node.nodes("property"))),
            synonyms=tuple(map(self.synonym, node.nodes("synonym"))),
            dependencies=tuple(map(self.dependency, node.nodes("rule"))),
            span=self.context.span(node.start, node.end),
        )

    def lexicon(self, node: Node) -> Lexicon:
        return Lexicon(
            name=self.name(node),
            schema=for_schema(self.context, node),
            synonyms=tuple(map(self.synonym, node.nodes("synonym"))),
            implied=tuple(map(self.implied, node.nodes("implied"))),
            span=self.context.span(node.start, node.end),
        )

    def name(self, node: Node) -> str:
        token = node.token("NAME")
        assert token is not None
        return name_text(self.context, token)

    def iri(self, item: Item) -> IRI:
        assert isinstance(item, Token)
        return iri(self.context, item)

    def label(self, node: Node) -> str | None:
        token = node.token("STRING")
        return string_text(self.context, token) if token is not None else None

    def several(self, node: Node, kind: str) -> tuple[IRI, ...]:
        child = node.child(kind)
        return tuple(self.iri(item) for item in child.items if item.kind in ("IRI", "PNAME")) if child else ()

    def class_(self, node: Node) -> ClassDeclaration:
        return ClassDeclaration(
            self.iri(node.items[0]),
            self.label(node),
            self.several(node, "parents"),
            disjoint=self.several(node, "disjoint"),
            span=self.context.span(node.start, node.end),
        )

    def signature(self, node: Node) -> tuple[IRI | None, IRI | None]:
        child = node.child("signature")
        if child is None:
            return None, None
        domain, range_ = child.child("domain"), child.child("range")
        return self.iri(domain.items[0]) if domain else None, self.iri(range_.items[0]) if range_ else None

    def relation(self, node: Node) -> RelationDeclaration:
        domain, range_ = self.signature(node)
        inverses = node.nodes("inverse")
        self.once(node)
        return RelationDeclaration(
            self.iri(node.items[0]),
            self.label(node),
            domain,
            range_,
            self.iri(inverses[0].items[1]) if inverses else None,
            functional=node.token("FUNCTIONAL") is not None,
            key=node.token("KEY") is not None,
            span=self.context.span(node.start, node.end),
        )

    def property(self, node: Node) -> PropertyDeclaration:
        domain, range_ = self.signature(node)
        for inverse in node.nodes("inverse"):
            message = "a property leads to a value, so it has no inverse"
            self.context.report("UQ301", message, inverse.start, inverse.end, hint="declare it as a `relation`")
        self.once(node)
        return PropertyDeclaration(
            self.iri(node.items[0]),
            self.label(node),
            domain,
            range_.value if range_ is not None else None,
            functional=node.token("FUNCTIONAL") is not None,
            key=node.token("KEY") is not None,
            span=self.context.span(node.start, node.end),
        )

    def once(self, node: Node) -> None:
        """Report traits that a declaration repeats."""
        seen: set[str] = set()
        for item in node.items:
            if item.kind in ("FUNCTIONAL", "KEY", "inverse"):
                if item.kind in seen:
                    message = f"`{item.kind.lower()}` stands here twice"
                    self.context.report("UQ301", message, item.start, item.end)
                seen.add(item.kind)

    def synonym(self, node: Node) -> Synonym:
        texts = tuple(
            string_text(self.context, item) for item in node.items if isinstance(item, Token) and item.kind == "STRING"
        )
        return Synonym(texts, self.iri(node.items[-1]), self.context.span(node.start, node.end))

    def rows(self, *blocks: Node) -> list[tuple[Row, ...]]:
        """The rows of the two sides of a rule, named `c1`, `c2`, … throughout."""
        context = self.context
        rows = Rows(context, lambda inner, row_id: build_subtable(context, inner, row_id))
        context.inner = Inner("head")
        taken = {
            name_text(context, label)
            for block in blocks
            for node in block.nodes("row")
            if (label := node.token("LABEL")) is not None
        }
        next_id = rows.numbered(taken)
        return [rows.named(rows.only_rows(block), next_id, {}) for block in blocks]

    def dependency(self, node: Node) -> Dependency:
        context = self.context
        label = node.token("LABEL")
        assert label is not None
        blocks, equality = node.nodes("block"), node.child("equality")
        sides = self.rows(*blocks)
        body, head = sides[0], sides[1] if len(sides) > 1 else ()
        equal: tuple[Variable, Variable] | None = None
        self.plain(head, blocks[-1])
        if equality is not None:
            left, right = (
                Variable(name_text(context, item, 1))
                for item in equality.items
                if item.kind == "VAR" and isinstance(item, Token)
            )
            equal = left, right
            bound = positive_variables(body)
            for one in dict.fromkeys(equal):
                if one not in bound:
                    message = f"{one} is not bound by the rule's body"
                    context.report("UQ308", message, equality.start, equality.end)
        elif not body:
            context.report("UQ308", "a rule needs a body", blocks[0].start, blocks[0].end)
        return Dependency(name_text(context, label), body, head, equal, context.span(node.start, node.end))

    def implied(self, node: Node) -> ImpliedRule:
        context = self.context
        label = node.token("LABEL")
        assert label is not None
        blocks = node.nodes("block")
        body, head = self.rows(*blocks)
        self.plain(head, blocks[1])
        before = {one for row in body for one in row_variables(row)}
        if before.isdisjoint(one for row in head for one in row_variables(row)):
            message = "the two sides of the rule share no variable"
            context.report("UQ308", message, blocks[1].start, blocks[1].end)
        note = build_note(context, node.nodes("annotation"))
        return ImpliedRule(name_text(context, label), body, head, note, context.span(node.start, node.end))

    def plain(self, head: tuple[Row, ...], block: Node) -> None:
        """Report a head that says more than triples, classes and paths."""
        for row in head:
            if not isinstance(row.atom, Triple | TypeAtom | PathAtom):
                message = "what a rule concludes is made of triples"
                span = row.span or self.context.span(block.start, block.end)
                self.context.report("UQ308", message, span.start, span.end)


def for_schema(context: Context, node: Node) -> str | None:
    """The schema that a lexicon or mapping is for."""
    child = node.child("for_schema")
    if child is None:
        return None
    token = child.items[0]
    assert isinstance(token, Token)
    return name_text(context, token)
