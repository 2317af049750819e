"""Dialects and engines by name. Each is imported only when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as MappingOf
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from uniqgen_ir.backends.base import Engine, Renderer
from uniqgen_ir.ir.diagnostics import DiagnosticError, fail
from uniqgen_ir.ir.mapping import Mapping

if TYPE_CHECKING:
    from uniqgen_ir.backends.cypher.layout import PredicateFacts
    from uniqgen_ir.backends.engines.kglite import KgliteEngine
    from uniqgen_ir.backends.engines.ladybug import LadybugEngine
    from uniqgen_ir.backends.engines.source import FactSource
    from uniqgen_ir.backends.store import RenderingStore

LANGUAGES: Final[dict[str, tuple[str, ...]]] = {
    "sparql": ("sparql", "oxigraph", "sparql-http"),
    "cypher": ("neo4j", "neo4j-25", "neptune", "memgraph", "falkordb", "ladybug", "kglite", "arcadedb", "gql"),
}
"""The dialects of each language, the default first."""


def is_cypher(dialect: str) -> bool:
    """Whether it names Cypher or one of its dialects."""
    return dialect == "cypher" or dialect in LANGUAGES["cypher"]


def renderer(
    dialect: str,
    *,
    mapping: Mapping | None = None,
    profiles: MappingOf[str, PredicateFacts] | None = None,
) -> Renderer:
    """The renderer for a dialect; `cypher` stands for its default. Raises DiagnosticError UQ502 for an unknown name.

    The dialects of Cypher use `mapping`, and `profiles` (`uniqgen_ir.kg.profile`) to tell edges from properties.
    """
    name = LANGUAGES.get(dialect, (dialect,))[0]
    if name in LANGUAGES["sparql"]:
        from uniqgen_ir.backends.sparql.dialects import DIALECTS
        from uniqgen_ir.backends.sparql.renderer import SparqlRenderer

        return SparqlRenderer(DIALECTS[name])
    if name in LANGUAGES["cypher"]:
        from uniqgen_ir.backends.cypher import dialects
        from uniqgen_ir.backends.cypher.layout import MappingLayout, forms_in_graph
        from uniqgen_ir.backends.cypher.renderer import CypherRenderer

        layout = MappingLayout(mapping or Mapping("plain"))
        known = forms_in_graph(profiles or {}, layout.preset)
        return CypherRenderer(dialects.DIALECTS[name], MappingLayout(layout.mapping, known))
    raise _unknown("UQ502", "dialect", dialect, [*LANGUAGES, *(one for names in LANGUAGES.values() for one in names)])


def _oxigraph(source: FactSource) -> Engine:
    from uniqgen_ir.backends.engines.oxigraph import OxigraphEngine

    return OxigraphEngine.open(source)


def _ladybug(source: FactSource) -> LadybugEngine:
    from uniqgen_ir.backends.engines.ladybug import LadybugEngine

    return LadybugEngine.open(source)


def _kglite(source: FactSource) -> KgliteEngine:
    from uniqgen_ir.backends.engines.kglite import KgliteEngine

    return KgliteEngine.open(source)


ENGINES: Final[dict[str, Callable[[FactSource], Engine]]] = {
    "oxigraph": _oxigraph,
    "ladybug": _ladybug,
    "kglite": _kglite,
}
"""The embedded engines."""


SERVERS: Final[dict[str, str]] = {"sparql-http": "sparql+http://host:port/path", "bolt": "bolt://host:port"}
"""Engines that ask a server, with the address of a graph there."""


def open_endpoint(source: str) -> RenderingStore:
    """A store over a SPARQL endpoint, `sparql+http://…` or `sparql+https://…`. Raises DiagnosticError UQ640."""
    from uniqgen_ir.backends.engines.sparql.engine import SparqlHttpEngine
    from uniqgen_ir.backends.store import RenderingStore

    return RenderingStore(SparqlHttpEngine.open(source), renderer("sparql-http"))


def open_bolt(source: str, mapping: Mapping | None = None) -> RenderingStore:
    """A store over a server that speaks Bolt: `bolt://…`, `neo4j://…`.

    The dialect is the address's, or the server's own. Raises DiagnosticError UQ645, UQ502, StoreError.
    """
    from uniqgen_ir.backends.engines.bolt.store import open_bolt_store

    return open_bolt_store(source, mapping)


def open_engine(name: str, source: FactSource) -> Engine:
    """The embedded engine over a graph. Raises DiagnosticError UQ604 for a name that is unknown or a server's."""
    if name in SERVERS:
        raise fail("UQ604", f"{name} asks a server, and this graph is not on one", hint=f"a graph like {SERVERS[name]}")
    if name not in ENGINES:
        raise _unknown("UQ604", "engine", name, [*ENGINES, "reference", *SERVERS])
    return ENGINES[name](source)


def open_store(name: str, source: FactSource) -> RenderingStore:
    """A store over the embedded engine: tables in, answers out."""
    from uniqgen_ir.backends.store import RenderingStore

    if name in ("ladybug", "kglite"):
        # they lay the graph out themselves, so the renderer is theirs
        opened = _ladybug(source) if name == "ladybug" else _kglite(source)
        return RenderingStore(opened, opened.renderer())
    engine = open_engine(name, source)
    return RenderingStore(engine, renderer(engine.dialects[0]))


def _unknown(code: str, what: str, name: str, known: list[str]) -> DiagnosticError:
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(dict.fromkeys(known))}"
    return fail(code, f"there is no {what} {name}", hint=hint)
