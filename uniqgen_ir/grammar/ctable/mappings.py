"""Builders for mappings."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.grammar.ctable.context import Context, replace
from uniqgen_ir.grammar.ctable.declarations import for_schema
from uniqgen_ir.grammar.ctable.terms import iri, name_text
from uniqgen_ir.grammar.ctable.tree import Item, Node, Token
from uniqgen_ir.ir.mapping import EdgeMapping, LabelMapping, Mapping, MediatorMapping, PropertyMapping
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.terms import IRI

PRESETS: Final = ("plain", "freebase", "n10s", "neptune", "ladybug")


def build_mapping(context: Context, node: Node) -> Mapping:
    """The mapping of a tree."""
    name = node.token("NAME")
    assert name is not None
    builder = _Builder(context)
    return Mapping(
        name=name_text(context, name),
        schema=for_schema(context, node),
        preset=builder.preset(node),
        key=builder.setting(node, "key", "id"),
        label_property=builder.setting(node, "label_property", "name"),
        labels=tuple(map(builder.label, node.nodes("map_label"))),
        edges=tuple(map(builder.edge, node.nodes("map_edge", "map_back"))),
        properties=tuple(map(builder.property, node.nodes("map_property"))),
        mediators=tuple(map(builder.mediator, node.nodes("map_mediator"))),
        span=context.span(node.start, node.end),
    )


class _Builder:
    def __init__(self, context: Context) -> None:
        self.context = context

    def preset(self, node: Node) -> str:
        child = node.child("preset")
        if child is None:
            return "plain"
        token = self.last_token(child)
        name = name_text(self.context, token)
        if name not in PRESETS:
            close = self.context.suggest(name, PRESETS)
            fix = replace(token.start, token.end, close, f"write `{close}`") if close else None
            hint = f"presets are {', '.join(PRESETS)}"
            self.context.report("UQ307", f"there is no preset `{name}`", token.start, token.end, hint=hint, fix=fix)
        return name

    def setting(self, node: Node, kind: str, default: str) -> str:
        found = node.nodes(kind)
        for again in found[1:]:
            self.context.report("UQ301", f"`{kind}` stands here twice", again.start, again.end)
        return name_text(self.context, self.last_token(found[0])) if found else default

    def last_token(self, node: Node) -> Token:
        token = node.items[-1]
        assert isinstance(token, Token)
        return token

    def iri(self, item: Item) -> IRI:
        assert isinstance(item, Token)
        return iri(self.context, item)

    def name(self, node: Node, first: int) -> str:
        """The label or type among the items: `:Drug`, or `:` and a name between backticks."""
        for item in node.items[first:]:
            if isinstance(item, Token) and item.kind == "NAME":
                return name_text(self.context, item)
            if isinstance(item, Token) and item.kind == "PNAME":
                prefix, _, local = item.text.partition(":")
                if prefix:
                    message = f"a label or type begins with `:`, so `:{local}`"
                    fix = replace(item.start, item.end, f":{local}", f"write `:{local}`", safe=False)
                    self.context.report("UQ100", message, item.start, item.end, fix=fix)
                return local
        return ""

    def span(self, node: Node) -> Span:
        return self.context.span(node.start, node.end)

    def label(self, node: Node) -> LabelMapping:
        return LabelMapping(self.iri(node.items[0]), self.name(node, 1), self.span(node))

    def edge(self, node: Node) -> EdgeMapping:
        return EdgeMapping(self.iri(node.items[0]), self.name(node, 1), node.kind == "map_back", self.span(node))

    def property(self, node: Node) -> PropertyMapping:
        name = node.token("NAME")
        assert name is not None
        many = node.token("MANY") is not None
        return PropertyMapping(self.iri(node.items[0]), name_text(self.context, name), many, self.span(node))

    def mediator(self, node: Node) -> MediatorMapping:
        source, target, fields = node.child("source"), node.child("target"), node.child("fields")
        pairs: list[tuple[str, IRI]] = []
        for field in fields.nodes("field") if fields is not None else ():
            label = field.items[0]
            assert isinstance(label, Token)
            pairs.append((name_text(self.context, label), self.iri(field.items[1])))
        return MediatorMapping(
            self.iri(node.items[0]),
            self.name(node, 1),
            tuple(pairs),
            self.iri(source.items[0]) if source is not None else None,
            self.iri(target.items[0]) if target is not None else None,
            self.span(node),
        )
