"""Mediators, the relationships that a mapping keeps as edges: rows of a table become one pattern, and back."""

from __future__ import annotations

import pytest

from uniqgen_ir.backends.registry import renderer
from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.grammar.cypher import read_cypher
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.mapping import LabelMapping, Mapping, MediatorMapping, PropertyMapping
from uniqgen_ir.ir.terms import IRI

MED = "http://example.org/med/"
HEADER = f"prefix med: <{MED}>\nctable t {{\n"


def iri(name: str) -> IRI:
    return IRI(MED + name)


DOSAGE = MediatorMapping(
    iri("Dosage"), "DOSED_WITH", (("strength", iri("strength")),), source=iri("patient"), target=iri("drug")
)
MAPPING = Mapping(
    "m",
    labels=(LabelMapping(iri("Patient"), "Patient"),),
    properties=(PropertyMapping(iri("title"), "title"),),
    mediators=(DOSAGE,),
)
ROWS = "?d med:patient ?p\n ?d med:drug ?m\n ?d med:strength ?s\n"


def text(rows: str, dialect: str = "neo4j") -> str:
    return renderer(dialect, mapping=MAPPING).render(parse_table(f"{HEADER}{rows}}}\n")).text


def test_a_mediator_is_an_edge_with_properties() -> None:
    found = text(f"select ?p ?m ?s\n ?p a med:Patient\n ?d a med:Dosage\n {ROWS} ?s > 5\n")
    assert "MATCH (p:Patient)-[d:DOSED_WITH]->(m)\nWHERE d.strength IS NOT NULL AND d.strength > $p0\n" in found
    assert "RETURN p.id AS p, m.id AS m, d.strength AS s" in found


def test_its_class_need_not_be_said() -> None:
    assert "(p)-[d:DOSED_WITH]->(m)" in text(f"select ?p ?m\n {ROWS}")


def test_two_of_them_are_told_apart() -> None:
    found = text(f"select ?m\n {ROWS} ?e med:patient ?p\n ?e med:drug ?n\n not same_term(?d, ?e)\n")
    assert "NOT (elementId(d) = elementId(e))" in found


@pytest.mark.parametrize(
    "rows",
    [
        "select ?p\n ?d med:patient ?p\n",
        "select ?d\n ?d a med:Dosage\n",
        "select ?d\n ?d med:strength ?s\n",
        f"select ?p\n {ROWS} ?d a med:Patient\n",
        f"select ?p\n {ROWS} ?d med:patient ?other\n",
    ],
)
def test_half_a_mediator_is_refused_by_name(rows: str) -> None:
    with pytest.raises(DiagnosticError) as error:
        text(rows)
    assert [one.code for one in error.value.diagnostics] == ["UQ500"]
    assert "row c" in error.value.diagnostics[0].message


def test_what_is_written_is_read_back() -> None:
    table = parse_table(f"{HEADER}select all ?s\n ?d a med:Dosage\n {ROWS}}}\n")
    query = renderer("neo4j", mapping=MAPPING).render(table)
    read = read_cypher(query.text, mapping=MAPPING).table
    assert read is not None
    again = renderer("neo4j", mapping=MAPPING).render(read)
    assert again.text == query.text
