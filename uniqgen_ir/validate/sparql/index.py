"""The classes and predicates of a vocabulary, for lookups of the typing rules."""

from __future__ import annotations

from functools import lru_cache

from uniqgen_ir.ir.schema import PropertyDeclaration, RelationDeclaration, Schema
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.vocabulary import RDFS
from uniqgen_ir.validate.vocabulary import Ontology, PredicateUse

_ANYTHING = IRI(RDFS + "Resource")


@lru_cache(maxsize=64)
def schema_index(ontology: Ontology) -> SchemaIndex:
    """The index of an ontology, with one declaration for each class that has a predicate."""
    schema = ontology.schema
    stated: dict[IRI, RelationDeclaration | PropertyDeclaration] = {one.iri: one for one in schema.relations}
    stated |= {one.iri: one for one in schema.properties}
    relations: list[RelationDeclaration] = []
    properties: list[PropertyDeclaration] = []
    for name, uses in ontology.uses.items():
        known = stated.get(IRI(name))
        for use in uses:
            declared = _declaration(IRI(name), use, known)
            if isinstance(declared, RelationDeclaration):
                relations.append(declared)
            else:
                properties.append(declared)
    full = Schema(schema.name, schema.classes, tuple(relations), tuple(properties), schema.synonyms)
    return SchemaIndex.of(full, exclusive_classes=ontology.exclusive)


def _declaration(
    iri: IRI, use: PredicateUse, known: RelationDeclaration | PropertyDeclaration | None
) -> RelationDeclaration | PropertyDeclaration:
    domain, range_ = _iri(use.domain), _iri(use.range)
    label = known.label if known is not None else None
    functional, key = (known.functional, known.key) if known is not None else (False, False)
    if use.literal:
        return PropertyDeclaration(iri, label, domain, use.range, functional=functional, key=key)
    inverse = known.inverse if isinstance(known, RelationDeclaration) else None
    # where nothing says what it leads to, it may be anything
    end = _ANYTHING if use.literal is None and range_ is None else range_
    return RelationDeclaration(iri, label, domain, end, inverse, functional=functional, key=key)


def _iri(value: str | None) -> IRI | None:
    return None if value is None else IRI(value)
