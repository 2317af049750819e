"""The embedded engines as the openCypher TCK needs them: an empty graph, a set-up, rows as plain values.

kglite runs a set-up as it is written. Ladybug wants tables first: the project's own loader reads the set-up, and its
labels, types and the datatypes of its properties become tables, into which goes what it creates. What tables cannot
hold (a node with two labels, a property of two datatypes) is no graph for that engine: such a scenario does not count.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

import kglite
import ladybug

from tests.integration.cypher_tck import CannotBuildError
from uniqgen_ir.backends.cypher.dialects import DIALECTS
from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.backends.cypher.renderer import CypherRenderer
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.kg.property_graph.script import script_graph
from uniqgen_ir.kg.property_graph.script_graph import Edge, Node, ScriptGraph

MILLISECONDS: Final = 5_000


class TckEngine(Protocol):
    """An engine that holds the graph of a set-up."""

    @property
    def renderer(self) -> CypherRenderer: ...

    def rows(self, text: str, params: dict[str, Any], columns: Sequence[str]) -> list[tuple[Any, ...]]:
        """The rows of a query in the form of `expected_value`. Raises CannotBuildError for what has none."""
        ...


class Kglite:
    """kglite, which has no schema."""

    renderer = CypherRenderer(DIALECTS["kglite"])

    def __init__(self, scripts: Sequence[str]) -> None:
        kglite.set_query_warning_policy("silent")
        self._graph = kglite.KnowledgeGraph()
        for script in scripts:
            self._graph.cypher(script, timeout_ms=MILLISECONDS)

    def rows(self, text: str, params: dict[str, Any], columns: Sequence[str]) -> list[tuple[Any, ...]]:
        result = self._graph.cypher(
            text, params=params, timeout_ms=MILLISECONDS, disable_optimizer=True, hide_structural_keys=True
        )
        # the engine keeps the backticks of some names
        order = [[one.strip("`") for one in result.columns].index(name) for name in columns]
        rows = (list(row.values()) for row in result)
        return [tuple(_of_kglite(row[place]) for place in order) for row in rows]


def _of_kglite(value: Any) -> Any:
    if isinstance(value, dict):
        if "labels" in value:
            return "node", tuple(sorted(value["labels"])), _entries(value["properties"], _ADDED_BY_KGLITE)
        if "start" in value and "type" in value:
            return "relationship", (value["type"],), _entries(value["properties"], _ADDED_BY_KGLITE)
        raise CannotBuildError("a map")
    return tuple(map(_of_kglite, value)) if isinstance(value, list) else _plain(value)


_ADDED_BY_KGLITE: Final = frozenset({"id", "title", "type"})


def _entries(properties: Mapping[str, Any], added: frozenset[str]) -> tuple[tuple[str, Any], ...]:
    own = {name: one for name, one in properties.items() if name not in added and one is not None}
    return tuple(sorted((name, tuple(one) if isinstance(one, list) else one) for name, one in own.items()))


def _plain(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return float(value) if isinstance(value, int | float) else value


# ---- ladybug -------------------------------------------------------------------------------------------------------

_NAMELESS: Final = " "
"""The table of nodes without a label."""
_KEY: Final = "_key"
_ADDED_BY_LADYBUG: Final = frozenset({"_ID", "_LABEL", "_SRC", "_DST", _KEY})
_BUFFER_BYTES: Final = 64 * 1024 * 1024
_DATABASE_BYTES: Final = 1 << 28


class Ladybugs:
    """Starts Ladybug; the database of the last set-up serves the next scenario if that has the same."""

    def __init__(self) -> None:
        self._scripts: tuple[str, ...] | None = None
        self._engine: Ladybug | None = None

    def __call__(self, scripts: Sequence[str]) -> Ladybug:
        """The engine with a graph. Raises CannotBuildError where tables cannot hold it."""
        if self._engine is not None and tuple(scripts) == self._scripts:
            return self._engine
        try:
            graph = script_graph(";\n".join(scripts), "the set-up")
        except DiagnosticError as error:
            raise CannotBuildError(str(error)) from error
        if self._engine is not None:
            self._engine.close()
            self._engine = None
        tables = list(_tables(graph))
        self._engine, self._scripts = Ladybug(graph, tables), tuple(scripts)
        return self._engine


class Ladybug:
    """Ladybug, with tables declared from what a set-up creates."""

    renderer = CypherRenderer(DIALECTS["ladybug"])

    def __init__(self, graph: ScriptGraph, tables: Iterable[str]) -> None:
        self._database = ladybug.Database(buffer_pool_size=_BUFFER_BYTES, max_db_size=_DATABASE_BYTES)
        self._connection = ladybug.Connection(self._database, num_threads=1)
        self._connection.set_query_timeout(MILLISECONDS)
        for statement in tables:
            self._connection.execute(statement)
        for number, node in enumerate(graph.nodes):
            properties = {_KEY: number, **node.properties}
            text = f"CREATE (:{quote_name(_table_of(node))} {_map(properties)})"
            self._connection.execute(text, _numbered(properties))
        for edge in graph.edges:
            self._create(edge)

    def _create(self, edge: Edge) -> None:
        source, target = (quote_name(_table_of(one)) for one in (edge.source, edge.target))
        text = (
            f"MATCH (a:{source} {{{_KEY}: $a}}), (b:{target} {{{_KEY}: $b}})"
            f" CREATE (a)-[:{quote_name(edge.kind)} {_map(edge.properties)}]->(b)"
        )
        self._connection.execute(text, {"a": edge.source.key, "b": edge.target.key, **_numbered(edge.properties)})

    def rows(self, text: str, params: dict[str, Any], columns: Sequence[str]) -> list[tuple[Any, ...]]:
        result = self._connection.execute(text, params)
        assert isinstance(result, ladybug.QueryResult)
        names = [one.strip("`") for one in result.get_column_names()]
        order = [names.index(name) for name in columns]
        found: list[tuple[Any, ...]] = []
        while result.has_next():
            row = list(result.get_next())
            found.append(tuple(_of_ladybug(row[place]) for place in order))
        result.close()
        return found

    def close(self) -> None:
        self._connection.close()
        self._database.close()


def _table_of(node: Node) -> str:
    if len(node.labels) > 1:
        raise CannotBuildError("a node of two tables")
    return next(iter(node.labels), _NAMELESS)


def _tables(graph: ScriptGraph) -> Iterable[str]:
    """The declarations that the set-up needs."""
    nodes: dict[str, dict[str, str]] = {}
    edges: dict[str, dict[str, str]] = {}
    ends: dict[str, dict[tuple[str, str], None]] = {}
    for node in graph.nodes:
        _declare(nodes.setdefault(_table_of(node), {}), node.properties)
    for edge in graph.edges:
        _declare(edges.setdefault(edge.kind, {}), edge.properties)
        ends.setdefault(edge.kind, {})[_table_of(edge.source), _table_of(edge.target)] = None
    for name, columns in nodes.items():
        yield f"CREATE NODE TABLE {quote_name(name)}({_columns({_KEY: 'INT64 PRIMARY KEY', **columns})})"
    for name, columns in edges.items():
        pairs = ", ".join(f"FROM {quote_name(one)} TO {quote_name(other)}" for one, other in ends[name])
        yield f"CREATE REL TABLE {quote_name(name)}({', '.join(filter(None, [pairs, _columns(columns)]))})"


def _declare(columns: dict[str, str], properties: Mapping[str, Any]) -> None:
    for name, value in properties.items():
        kind = _kind(value)
        if columns.setdefault(name, kind) != kind:
            raise CannotBuildError(f"{name} of two datatypes")


def _kind(value: Any) -> str:
    match value:
        case bool():
            return "BOOL"
        case int():
            return "INT64"
        case float():
            return "DOUBLE"
        case str():
            return "STRING"
        case [first, *_] if len({_kind(one) for one in value}) == 1:
            return f"{_kind(first)}[]"
        case _:
            raise CannotBuildError(f"a column for {value!r}")


def _columns(columns: Mapping[str, str]) -> str:
    return ", ".join(f"{quote_name(name)} {kind}" for name, kind in columns.items())


def _map(properties: Mapping[str, Any]) -> str:
    """The map of the properties, with numbered parameters as values."""
    return "{" + ", ".join(f"{quote_name(name)}: $p{place}" for place, name in enumerate(properties)) + "}"


def _numbered(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {f"p{place}": value for place, value in enumerate(properties.values())}


def _of_ladybug(value: Any) -> Any:
    if isinstance(value, dict):
        if "_SRC" in value:
            return "relationship", (value["_LABEL"],), _entries(value, _ADDED_BY_LADYBUG)
        if "_LABEL" in value:
            labels = () if value["_LABEL"] == _NAMELESS else (value["_LABEL"],)
            return "node", labels, _entries(value, _ADDED_BY_LADYBUG)
        raise CannotBuildError("a map")
    return tuple(map(_of_ladybug, value)) if isinstance(value, list) else _plain(value)
