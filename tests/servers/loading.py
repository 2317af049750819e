"""Graphs into servers that speak Bolt: through a mapping, as `uniqgen export` lays them out, or keeping every term."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Protocol, TypeVar

import neo4j
from attrs import frozen
from neo4j.time import Date, DateTime, Duration, Time

from uniqgen_ir.backends.engines.kglite_load import fill_graph
from uniqgen_ir.backends.engines.property_layout import Catalogue
from uniqgen_ir.backends.naming import LayoutNaming
from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.mapping import Mapping
from uniqgen_ir.kg.export.property_graph import ExportedGraph, Property
from uniqgen_ir.kg.export.spool import Spool
from uniqgen_ir.kg.export.values import Moment, Value

Item = TypeVar("Item")


@frozen
class Writer:
    """A session in the form in which property graphs are filled."""

    session: neo4j.Session

    def cypher(self, text: str, params: dict[str, Any]) -> None:
        self.session.run(text, params).consume()


def load_exactly(session: neo4j.Session, facts: Iterable[Fact]) -> Catalogue:
    """Replace what a small server holds by a graph in which every term is kept; the layout of it."""
    session.run("MATCH (n) DETACH DELETE n").consume()
    return fill_graph(Writer(session), facts)


_BATCH = 5000


class BoltServer(Protocol):
    """Where to load."""

    @property
    def address(self) -> str: ...

    @property
    def user(self) -> str: ...

    @property
    def password(self) -> str: ...


def driver(server: BoltServer) -> neo4j.Driver:
    """A driver that may write."""
    return neo4j.GraphDatabase.driver(server.address, auth=(server.user, server.password))


def clear(session: neo4j.Session) -> None:
    """Remove every node, relationship and constraint."""
    session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS").consume()
    for record in session.run("SHOW CONSTRAINTS YIELD name").data():
        session.run(f"DROP CONSTRAINT `{record['name']}`").consume()


def load(session: neo4j.Session, facts: Iterable[Fact], mapping: Mapping | None) -> None:
    """Replace what Neo4j holds by a graph, laid out by a mapping."""
    clear(session)
    with Spool() as spool:
        spool.fill(facts)
        names = [*(one.predicate for one in spool.uses()), *spool.classes()]
        graph = ExportedGraph(spool, LayoutNaming.of(mapping, names))
        key, label = graph.naming.key, graph.naming.common_label
        assert key is not None
        session.run(f"CREATE CONSTRAINT FOR (n:`{label}`) REQUIRE n.`{key}` IS UNIQUE").consume()
        rows = (
            {"labels": one.labels, "properties": {key: one.key, **_values(one.properties)}} for one in graph.nodes()
        )
        for batch in _batches(rows):
            session.run(
                "UNWIND $rows AS row CREATE (n) SET n = row.properties SET n:$(row.labels)", rows=batch
            ).consume()
        ends = ([one.start, one.type, one.end] for one in graph.relationships())
        text = (
            f"UNWIND $rows AS row MATCH (a:`{label}` {{`{key}`: row[0]}}) MATCH (b:`{label}` {{`{key}`: row[2]}})"
            " CREATE (a)-[:$(row[1])]->(b)"
        )
        for batch in _batches(ends):
            session.run(text, rows=batch).consume()


def _batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    stream = iter(items)
    while batch := list(islice(stream, _BATCH)):
        yield batch


def _values(properties: dict[str, Property]) -> dict[str, Any]:
    return {
        name: [_native(one) for one in value] if isinstance(value, list) else _native(value)
        for name, value in properties.items()
    }


def _native(value: Value) -> Any:
    if not isinstance(value, Moment):
        return value
    kinds: dict[str, Any] = {"date": Date, "time": Time, "localtime": Time}
    if value.kind == "duration":
        return Duration.from_iso_format(value.text)
    return kinds.get(value.kind, DateTime).from_iso_format(value.text)
