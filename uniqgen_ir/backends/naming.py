"""The names of a mapping for graphs that are written out, node by node."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from uniqgen_ir.backends.cypher.layout import EdgeForm, MappingLayout, PropertyForm
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.mapping import Mapping

COMMON_LABEL: Final = "Entity"
"""Put on every node where the mapping has no label of its own for all, so that keys can be indexed."""


@frozen
class LayoutNaming:
    """How a layout names things; what its renderer reads is what is written here. See `uniqgen_ir.kg.export`."""

    layout: MappingLayout

    @classmethod
    def of(cls, mapping: Mapping | None, names: list[str]) -> LayoutNaming:
        """The naming of a mapping for a graph with these names. Raises DiagnosticError UQ686 for mediators."""
        mapping = mapping or Mapping("plain")
        if mapping.mediators:
            message = f"the mapping {mapping.name} keeps mediators as relationships, and these are not exported yet"
            raise fail("UQ686", message, mapping.mediators[0].span, hint="export with a mapping without them")
        return cls(MappingLayout(mapping).for_names(names))

    @property
    def key(self) -> str:
        return self.layout.key or self.layout.mapping.key

    @property
    def common_label(self) -> str:
        return self.layout.node_label or COMMON_LABEL

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
