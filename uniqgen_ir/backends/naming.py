"""The names of a mapping for graphs that are written out, node by node."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from uniqgen_ir.backends.cypher.layout import EdgeForm, MappingLayout, PropertyForm
from uniqgen_ir.ir.mapping import Mapping
from uniqgen_ir.ir.vocabulary import PG_RELATIONSHIP, PG_SOURCE, PG_TARGET, PG_TYPE

COMMON_LABEL: Final = "Entity"
"""Put on every node where the mapping has no label of its own for all, so that keys can be indexed."""


@frozen
class ThingForm:
    """How instances of a class are relationships: their type, the predicates that lead to their ends (None: not said),
    and the predicate whose facts from end to end repeat them."""

    type: str
    source: str | None
    target: str | None
    plain: str | None = None


@frozen
class LayoutNaming:
    """How a layout names things; what its renderer reads is what is written here. See `uniqgen_ir.kg.export`."""

    layout: MappingLayout

    @classmethod
    def of(cls, mapping: Mapping | None, names: list[str], preset: str = "plain") -> LayoutNaming:
        """The naming of a mapping for a graph with these names; without a mapping, nodes of a property graph stay as
        they are, and a preset names the others."""
        if mapping is not None:
            return cls(MappingLayout(mapping).for_names(names))
        plain = MappingLayout(Mapping("plain")).for_names(names)
        return cls(plain if plain.whole_nodes else MappingLayout(Mapping(preset, preset=preset)).for_names(names))

    @property
    def key(self) -> str | None:
        return None if self.layout.whole_nodes else self.layout.key or self.layout.mapping.key

    @property
    def common_label(self) -> str | None:
        return None if self.layout.whole_nodes else self.layout.node_label or COMMON_LABEL

    def key_value(self, iri: str) -> str:
        return self.layout.key_value(iri)

    def label(self, iri: str) -> str:
        return self.layout.class_label(iri) or ""

    def relationship(self, predicate: str) -> tuple[str, bool]:
        listed = [one for one in self.layout.forms(predicate) or () if isinstance(one, EdgeForm)]
        form = listed[0] if listed else self.layout.guess(predicate, "edge")
        assert isinstance(form, EdgeForm)
        return form.type, form.reverse

    def property(self, predicate: str) -> tuple[str, bool]:
        listed = [one for one in self.layout.forms(predicate) or () if isinstance(one, PropertyForm)]
        form = listed[0] if listed else self.layout.guess(predicate, "property")
        assert isinstance(form, PropertyForm)
        return form.name, form.many

    def thing(self, class_: str) -> ThingForm | None:
        type_ = self.layout.mediator_type(class_)
        if type_ is None:
            return None
        if class_.startswith(PG_RELATIONSHIP):
            return ThingForm(type_, PG_SOURCE, PG_TARGET, PG_TYPE + class_.removeprefix(PG_RELATIONSHIP))
        mediator = next(one for one in self.layout.mapping.mediators if one.iri.value == class_)
        source, target = (None if end is None else end.value for end in (mediator.source, mediator.target))
        return ThingForm(type_, source, target)
