"""Why two queries of one question differ: what their tables and the two graphs show, the first cause that holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from attrs import frozen

from uniqgen_ir.ir.analysis import row_variables, visible_variables
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.rows import Triple, TypeAtom
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Term, Variable
from uniqgen_ir.ir.visitor import variables_in_order, walk
from uniqgen_ir.ir.vocabulary import PG_LABEL, PG_PROPERTY, RDF_TYPE, XSD

UNEXPLAINED: Final = "unexplained"


@frozen
class Pair:
    """The tables of one question's SPARQL and Cypher, and the graphs they ran on."""

    sparql: Table
    cypher: Table
    facts: Graph
    count: Callable[[str, str], int]
    """how many nodes of a label have a property"""


def cause(pair: Pair) -> tuple[str, str]:
    """The first cause that holds, and what shows it."""
    for words, shows in CAUSES.items():
        evidence = next(shows(pair), None)
        if evidence is not None:
            return words, evidence
    return UNEXPLAINED, ""


def _unbound_column(pair: Pair) -> Iterator[str]:
    bound = visible_variables(pair.sparql.rows)
    yield from (f"?{one.name}" for one in pair.sparql.columns if one not in bound)


def _two_cases(pair: Pair) -> Iterator[str]:
    """Variables that differ only in the case of their letters."""
    names = [one.name for one in variables_in_order(pair.sparql)]
    folded = Counter(name.casefold() for name in names)
    doubles = [name for name in names if folded[name.casefold()] > 1]
    if doubles:
        yield " and ".join(f"?{name}" for name in doubles)


def _parts(pair: Pair) -> Iterator[str]:
    """Parts of the SPARQL that share no variable: every row of the one goes with every row of the other."""
    parts: list[set[Variable]] = []
    for row in pair.sparql.rows:
        variables = set(row_variables(row))
        touching = [one for one in parts if one & variables]
        parts = [one for one in parts if not one & variables]
        parts.append(variables.union(*touching))
    if len(parts) > 1:
        yield " beside ".join(f"?{min(one.name for one in part)}" for part in parts)


def _nothing_in_common(pair: Pair) -> Iterator[str]:
    """Two columns of lines that the SPARQL joins, though no value stands in both."""
    found: dict[Term, tuple[set[GroundTerm], str]] = {}
    for triple, class_ in _of_classes(pair.sparql):
        lines = _instances(pair.facts, class_)
        values = {one for line in lines for one in pair.facts.objects(line, triple.predicate)}
        name = f"{_local(triple.predicate)} of {_local(class_)}"
        others, other = found.setdefault(triple.object, (values, name))
        if not values & others:
            yield f"{other} and {name}"


def _empty_cells(pair: Pair) -> Iterator[str]:
    """A column that is empty in all lines with the values that the SPARQL asks for."""
    asked = [one for one in _of_classes(pair.sparql) if isinstance(one[0].object, Literal)]
    for triple, class_ in _of_classes(pair.sparql):
        own = [one for one, _ in asked if one.subject == triple.subject]
        lines = [
            one
            for one in _instances(pair.facts, class_)
            if all((one, known.predicate, known.object) in pair.facts for known in own)
        ]
        if lines and not any(True for one in lines for _ in pair.facts.objects(one, triple.predicate)):
            values = ", ".join(one.object.lexical[:40] for one in own)
            yield f"{_local(triple.predicate)} of the {_local(class_)} with {values}"


def _of_classes(table: Table) -> Iterator[tuple[Any, IRI]]:
    """The triples about instances of a class, and that class."""
    classes = _classes(table)
    for triple in _triples(table):
        class_ = classes.get(triple.subject)
        if class_ is not None and isinstance(triple.predicate, IRI):
            yield triple, class_


def _absent_predicate(pair: Pair) -> Iterator[str]:
    for triple, class_ in _of_classes(pair.sparql):
        values = (pair.facts.objects(one, triple.predicate) for one in _instances(pair.facts, class_))
        if not any(True for found in values for _ in found):
            yield f"{_local(triple.predicate)} of {_local(class_)}"


def _absent_class(pair: Pair) -> Iterator[str]:
    yield from (_local(one) for one in _classes(pair.sparql).values() if not any(_instances(pair.facts, one)))


def _absent_value(pair: Pair) -> Iterator[str]:
    for triple in _triples(pair.sparql):
        if not isinstance(triple.object, Literal) or not isinstance(triple.predicate, IRI):
            continue
        if not any(True for _ in pair.facts.match(None, triple.predicate, triple.object)):
            yield f"{_local(triple.predicate)} {triple.object.lexical[:40]} ({_local(IRI(triple.object.datatype))})"


def _absent_property(pair: Pair) -> Iterator[str]:
    labels = {
        one.subject: one.type.value.removeprefix(PG_LABEL)
        for one in walk(pair.cypher)
        if isinstance(one, TypeAtom) and isinstance(one.type, IRI)
    }
    for triple in _triples(pair.cypher):
        label = labels.get(triple.subject)
        if label is not None and isinstance(triple.predicate, IRI) and triple.predicate.value.startswith(PG_PROPERTY):
            name = triple.predicate.value.removeprefix(PG_PROPERTY)
            if not pair.count(label, name):
                yield f"{label}.{name}"


def _other_column(pair: Pair) -> Iterator[str]:
    """One query returns one column of a line, the other another."""
    ours, theirs = _returned(pair.sparql), _returned(pair.cypher)
    for one, other in zip(ours, theirs, strict=False):
        if one and other and _folded(one) != _folded(other):
            yield f"{one} in SPARQL, {other} in Cypher"


def _short_floats(pair: Pair) -> Iterator[str]:
    """A number that SPARQL keeps in 32 bits."""
    for triple in _triples(pair.sparql):
        if triple.object in pair.sparql.columns and isinstance(triple.predicate, IRI):
            objects = (one for _, _, one in pair.facts.match(None, triple.predicate, None))
            if any(isinstance(one, Literal) and one.datatype == XSD + "float" for one in objects):
                yield f"{_local(triple.predicate)} is an xsd:float"


CAUSES: Final[dict[str, Callable[[Pair], Iterator[str]]]] = {
    "the SPARQL returns a variable that no row binds": _unbound_column,
    "the SPARQL joins by two variables that differ in the case of a letter": _two_cases,
    "the SPARQL has two parts that share no variable": _parts,
    "the SPARQL asks for a class that no line belongs to": _absent_class,
    "the SPARQL asks for a predicate that no line of the class has": _absent_predicate,
    "the SPARQL asks for a value, or a datatype of it, that no line has": _absent_value,
    "the SPARQL joins two columns that have no value in common": _nothing_in_common,
    "the SPARQL asks for a column that is empty in the lines with its values": _empty_cells,
    "the Cypher asks for a property that no node of the label has": _absent_property,
    "the two return other columns of the line": _other_column,
    "the number has 32 bits in SPARQL, 64 in Cypher": _short_floats,
}


def _triples(table: Table) -> Iterator[Triple]:
    return (one for one in walk(table) if isinstance(one, Triple))


def _classes(table: Table) -> dict[Term, IRI]:
    found = {one.subject: one.type for one in walk(table) if isinstance(one, TypeAtom) and isinstance(one.type, IRI)}
    for one in _triples(table):
        if one.predicate == IRI(RDF_TYPE) and isinstance(one.object, IRI):
            found[one.subject] = one.object
    return dict(found)


def _instances(facts: Graph, class_: IRI) -> Iterator[Any]:
    return (subject for subject, _, _ in facts.match(None, IRI(RDF_TYPE), class_))


def _returned(table: Table) -> list[str]:
    """The local names of the predicates whose objects the columns are; nothing for another column."""
    names: list[str] = []
    for column in table.head:
        expression = column.expression
        sources = [
            _local(one.predicate)
            for one in _triples(table)
            if isinstance(expression, Variable) and one.object == expression and isinstance(one.predicate, IRI)
        ]
        names.append(sources[0] if sources else "")
    return names


def _local(iri: IRI) -> str:
    return re.split(r"[#/:]", iri.value)[-1]


def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
