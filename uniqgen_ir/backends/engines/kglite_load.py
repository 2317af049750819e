"""Building kglite graphs: nodes with properties, a relationship type per predicate, literals as properties or nodes."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

import kglite

from uniqgen_ir.backends.cypher.layout import EdgeForm, LiteralForm, PropertyForm
from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.backends.cypher.values import encode
from uniqgen_ir.backends.engines.property_layout import Catalogue, PredicateUse, plan, survey
from uniqgen_ir.backends.engines.property_values import literal_line, literal_places
from uniqgen_ir.backends.engines.source import FactSource
from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.temporal import Temporal
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.values import value_of

VERSION_NAME: Final = f"kglite-{kglite.__version__}-2"
"""Names the format of built graphs: the library's version and ours."""

GRAPH: Final = "graph.kgl"
CATALOGUE: Final = "catalogue.json"

_CHUNK: Final = 20_000

Item = TypeVar("Item")


def build_graph(source: FactSource, place: Path) -> None:
    """Fill an empty folder with the graph and its catalogue. Raises DiagnosticError where the source is broken."""
    graph = kglite.KnowledgeGraph()
    catalogue = fill_graph(graph, source.facts())
    graph.save(str(place / GRAPH))
    catalogue.save(place / CATALOGUE)


def fill_graph(graph: Any, facts: Iterable[Fact]) -> Catalogue:
    """Fill an empty property graph by its `cypher(text, params={…})`; the layout that keeps every term of the facts."""
    nodes, uses = survey(facts, encode)
    catalogue = Catalogue(plan(len(nodes), uses, ascii_names=True))
    _create_nodes(graph, nodes, uses, catalogue)
    _create_literals(graph, uses, catalogue)
    for predicate, forms in catalogue.predicates.items():
        for form in forms:
            if not isinstance(form, PropertyForm):
                _create_edges(graph, form, uses[predicate])
    return catalogue


def _chunks(items: Iterable[Item]) -> Iterator[list[Item]]:
    stream = iter(items)
    while chunk := list(islice(stream, _CHUNK)):
        yield chunk


def _create_nodes(graph: Any, nodes: Iterable[str], uses: dict[str, PredicateUse], catalogue: Catalogue) -> None:
    columns = [
        (form, uses[predicate])
        for predicate, forms in catalogue.predicates.items()
        for form in forms
        if isinstance(form, PropertyForm)
    ]
    listed = ", ".join(["id: r[0]", *(f"{quote_name(form.name)}: r[{n}]" for n, (form, _) in enumerate(columns, 1))])
    for chunk in _chunks(nodes):
        rows = [[node, *(_cell(form, use, node) for form, use in columns)] for node in chunk]
        graph.cypher(f"UNWIND $rows AS r CREATE (:Node {{{listed}}})", params={"rows": rows})


def _cell(form: PropertyForm, use: PredicateUse, node: str) -> Any:
    literals = [_plain(one) for one in use.literals.get(node, ())]
    if not literals:
        return None
    return literals if form.many else literals[0]


def _plain(literal: Literal) -> Any:
    value = value_of(literal)
    return datetime.date.fromisoformat(str(value)) if isinstance(value, Temporal) else value


def _create_literals(graph: Any, uses: dict[str, PredicateUse], catalogue: Catalogue) -> None:
    found: dict[Literal, None] = {}
    for predicate, forms in catalogue.predicates.items():
        if any(isinstance(form, LiteralForm) for form in forms):
            for literals in uses[predicate].literals.values():
                found.update(literals)
    places = literal_places(found)
    for chunk in _chunks(found):
        rows = [{**literal_line(one), "place": places[one]} for one in chunk]
        names = list(rows[0])
        listed = ", ".join(f"{name}: r[{number}]" for number, name in enumerate(names))
        cells = [[row[name] for name in names] for row in rows]
        graph.cypher(f"UNWIND $rows AS r CREATE (:Literal {{{listed}}})", params={"rows": cells})


def _create_edges(graph: Any, form: EdgeForm | LiteralForm, use: PredicateUse) -> None:
    if isinstance(form, EdgeForm):
        pairs, end = use.edges, "Node"
    else:
        pairs = [(subject, encode(one)) for subject, literals in use.literals.items() for one in literals]
        end = "Literal"
    text = (
        f"UNWIND $rows AS r MATCH (a:Node {{id: r[0]}}) MATCH (b:{end} {{id: r[1]}})"
        f" CREATE (a)-[:{quote_name(form.type)}]->(b)"
    )
    for chunk in _chunks(pairs):
        graph.cypher(text, params={"rows": [list(pair) for pair in chunk]})
