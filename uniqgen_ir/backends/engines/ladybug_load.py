"""Building Ladybug databases: a table of nodes, a relationship table per predicate, literals as columns or nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any, Final, TypeVar

import ladybug

from uniqgen_ir.backends.cypher.layout import EdgeForm, LiteralForm, PropertyForm
from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.backends.cypher.values import encode
from uniqgen_ir.backends.engines.property_layout import Catalogue, PredicateUse, plan, survey
from uniqgen_ir.backends.engines.property_values import LITERAL_COLUMNS, literal_line, literal_places
from uniqgen_ir.backends.engines.source import FactSource
from uniqgen_ir.ir.temporal import Temporal
from uniqgen_ir.ir.terms import IRI, BlankNode, Literal
from uniqgen_ir.ir.values import value_of
from uniqgen_ir.ir.vocabulary import XSD_BOOLEAN, XSD_DATE, XSD_INTEGER, XSD_STRING

VERSION_NAME: Final = f"ladybug-{ladybug.__version__}-7"
"""Names the format of built databases: the library's version and ours."""

DATABASE: Final = "graph.lbug"
CATALOGUE: Final = "catalogue.json"

_CHUNK: Final = 50_000
_TYPES: Final = {XSD_STRING: "STRING", XSD_INTEGER: "INT64", XSD_BOOLEAN: "BOOL", XSD_DATE: "DATE"}
_SAMPLES: Final[dict[str, Any]] = {
    **(plain := {"STRING": "x", "INT64": 1, "BOOL": True, "DATE": "2000-01-01", "DOUBLE": 0.5}),
    **{f"{kind}[]": [sample] for kind, sample in plain.items()},
}

Item = TypeVar("Item")

_NUMBERS: Final = count()


def build_database(source: FactSource, place: Path) -> None:
    """Fill an empty folder with the database and its catalogue. Raises DiagnosticError where the source is broken."""
    nodes, uses = survey(source.facts(), _Keys())
    catalogue = Catalogue(plan(len(nodes), uses))
    database = ladybug.Database(place / DATABASE, auto_checkpoint=False)
    try:
        connection = ladybug.Connection(database)
        fill(connection, nodes, uses, catalogue)
        connection.execute("CHECKPOINT")
        connection.close()
    finally:
        database.close()
    catalogue.save(place / CATALOGUE)


class _Keys:
    """Encodes nodes, each once."""

    def __init__(self) -> None:
        self._known: dict[IRI | BlankNode, str] = {}

    def __call__(self, term: IRI | BlankNode) -> str:
        found = self._known.get(term)
        if found is None:
            found = self._known[term] = encode(term)
        return found


def fill(connection: Any, nodes: Iterable[str], uses: dict[str, PredicateUse], catalogue: Catalogue) -> None:
    """Create the tables and copy everything into them."""
    columns = [
        (form, uses[predicate])
        for predicate, forms in catalogue.predicates.items()
        for form in forms
        if isinstance(form, PropertyForm)
    ]
    # one transaction for all tables: each of its own would wait for the disk
    connection.execute("BEGIN TRANSACTION")
    _create_tables(connection, [form for form, _ in columns], catalogue)
    connection.execute("COMMIT")
    for chunk in _chunks(nodes):
        _copy(connection, "Node", [("STRING", chunk), *(_column(form, use, chunk) for form, use in columns)])
    _copy_literals(connection, uses, catalogue)
    for predicate, forms in catalogue.predicates.items():
        for form in forms:
            if not isinstance(form, PropertyForm):
                _copy_edges(connection, form.type, _pairs(form, uses[predicate]))


def _create_tables(connection: Any, properties: Sequence[PropertyForm], catalogue: Catalogue) -> None:
    declared = [
        f"{quote_name(form.name)} {_TYPES[form.datatype or XSD_STRING]}{'[]' * form.many}" for form in properties
    ]
    connection.execute(f"CREATE NODE TABLE Node({', '.join(['id STRING PRIMARY KEY', *declared])})")
    literal = ", ".join(f"{name} {kind}" for name, kind in LITERAL_COLUMNS.items())
    connection.execute(f"CREATE NODE TABLE Literal({literal}, PRIMARY KEY(id))")
    for forms in catalogue.predicates.values():
        for form in forms:
            if isinstance(form, EdgeForm | LiteralForm):
                end = "Node" if isinstance(form, EdgeForm) else "Literal"
                connection.execute(f"CREATE REL TABLE {quote_name(form.type)}(FROM Node TO {end})")


def _chunks(items: Iterable[Item]) -> Iterator[list[Item]]:
    stream = iter(items)
    while chunk := list(islice(stream, _CHUNK)):
        yield chunk


def _column(form: PropertyForm, use: PredicateUse, nodes: Sequence[str]) -> tuple[str, list[Any]]:
    cells: list[Any] = []
    for node in nodes:
        literals = [_cell(one) for one in use.literals.get(node, ())]
        cells.append(literals if form.many else (literals[0] if literals else None))
    return _TYPES[form.datatype or XSD_STRING] + "[]" * form.many, cells


def _cell(literal: Literal) -> Any:
    value = value_of(literal)
    return str(value) if isinstance(value, Temporal) else value


def _copy(connection: Any, table: str, columns: Sequence[tuple[str, list[Any]]]) -> None:
    """Copy columns of equal length into a table: as parameters, so that no text has to be escaped."""
    lines = len(columns[0][1])
    if lines == 0:
        return
    # the first place shows the type and is not copied: a list that begins with NULL would have none
    values = {f"c{place}": [_SAMPLES[kind], *cells] for place, (kind, cells) in enumerate(columns)}
    # a plan that is used again with other values sometimes takes the old ones: the number makes every text another
    row = f"k{next(_NUMBERS)}"
    cells = ", ".join(f"cast($c{place}[{row}] AS {kind})" for place, (kind, _) in enumerate(columns))
    text = f"COPY {quote_name(table)} FROM (UNWIND range(2, $last) AS {row} RETURN {cells})"
    connection.execute(text, {"last": lines + 1, **values})


def _copy_literals(connection: Any, uses: dict[str, PredicateUse], catalogue: Catalogue) -> None:
    found: dict[Literal, None] = {}
    for predicate, forms in catalogue.predicates.items():
        if any(isinstance(form, LiteralForm) for form in forms):
            for literals in uses[predicate].literals.values():
                found.update(literals)
    places = literal_places(found)
    for chunk in _chunks(found):
        lines = [{**literal_line(one), "place": places[one]} for one in chunk]
        columns = [(kind, [line[name] for line in lines]) for name, kind in LITERAL_COLUMNS.items()]
        _copy(connection, "Literal", columns)


def _pairs(form: EdgeForm | LiteralForm, use: PredicateUse) -> Iterable[tuple[str, str]]:
    if isinstance(form, EdgeForm):
        return use.edges
    return ((subject, encode(one)) for subject, literals in use.literals.items() for one in literals)


def _copy_edges(connection: Any, table: str, pairs: Iterable[tuple[str, str]]) -> None:
    for chunk in _chunks(pairs):
        _copy(connection, table, [("STRING", [one for one, _ in chunk]), ("STRING", [other for _, other in chunk])])
