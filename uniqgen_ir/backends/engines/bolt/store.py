"""A store over Bolt: the engine, and the renderer for the server's dialect and names."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from uniqgen_ir.backends.cypher.dialects import DIALECTS
from uniqgen_ir.backends.cypher.layout import MappingLayout, PropertyForm
from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.backends.cypher.renderer import CypherRenderer
from uniqgen_ir.backends.engines.bolt.address import BoltAddress
from uniqgen_ir.backends.engines.bolt.engine import BoltEngine
from uniqgen_ir.backends.engines.bolt.names import ServerForms, ServerNames
from uniqgen_ir.backends.engines.bolt.values import restorer
from uniqgen_ir.backends.store import RenderingStore
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.mapping import Mapping
from uniqgen_ir.ir.terms import IRI

_AGENTS: Final = {"memgraph": "memgraph", "arcadedb": "arcadedb", "neptune": "neptune", "falkor": "falkordb"}
"""A word in what a server says that it is, and its dialect; all others are taken for Neo4j."""


def open_bolt_store(source: str, mapping: Mapping | None = None) -> RenderingStore:
    """A store over the server; its names decide which predicates are relationships and which are properties.

    Raises DiagnosticError: UQ645 for the address, UQ502 for an unknown dialect; StoreUnavailable where the server has
    to say what it is and does not answer.
    """
    address = BoltAddress.read(source)
    if address.dialect is not None and address.dialect not in DIALECTS:
        raise fail("UQ502", f"there is no dialect {address.dialect}", hint=f"there are: {', '.join(DIALECTS)}")
    layout = MappingLayout(mapping or Mapping("plain"))
    engine = BoltEngine(address, address.dialect or "neo4j", restore=restorer(layout), key=layout.key or "id")
    try:
        if address.dialect is None:
            engine.dialects = (dialect_of(engine.agent),)
        names = ServerNames(engine)
        common = names.common_label(layout.key) if layout.key else None
        layout = evolve(layout, known=ServerForms(names, layout.preset), common_label=common)
        return RenderingStore(engine, CypherRenderer(DIALECTS[engine.dialects[0]], layout))
    except BaseException:
        engine.close()
        raise


def dialect_of(agent: str) -> str:
    """The dialect of a server by what it says that it is: `Neo4j/5.26.30`."""
    said = agent.lower()
    return next((dialect for word, dialect in _AGENTS.items() if word in said), "neo4j")


def _layout(store: RenderingStore) -> MappingLayout:
    assert isinstance(store.renderer, CypherRenderer)
    assert isinstance(store.renderer.layout, MappingLayout)
    return store.renderer.layout


def renderer_for(store: RenderingStore, dialect: str) -> CypherRenderer:
    """The renderer of a dialect (`cypher`: the server's own) for the names of the server of `open_bolt_store`."""
    own = store.engine.dialects[0]
    return CypherRenderer(DIALECTS[own if dialect == "cypher" else dialect], _layout(store))


def occurs(store: RenderingStore, name: IRI) -> bool:
    """Whether the graph of a store of `open_bolt_store` has a node, label, type or property of this name."""
    layout = _layout(store).for_names([name.value])
    assert isinstance(layout.known, ServerForms)
    assert isinstance(store.engine, BoltEngine)
    names = layout.known.names
    if layout.class_label(name.value) in names.labels:
        return True
    forms = layout.forms(name.value) or ()
    if any(one.name in names.properties if isinstance(one, PropertyForm) else one.type in names.types for one in forms):
        return True
    if layout.key is None:
        return False
    text = f"MATCH (n {{{quote_name(layout.key)}: $key}}) RETURN 1 LIMIT 1"
    return bool(store.engine.ask(text, {"key": layout.key_value(name.value)}, None).rows)
