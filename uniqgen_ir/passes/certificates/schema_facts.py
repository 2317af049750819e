"""What a schema says about the names of a table, in the form in which traces carry it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from attrs import evolve

from uniqgen_ir.ir.codec_nodes import SHAPES
from uniqgen_ir.ir.rows import Triple, TypeAtom
from uniqgen_ir.ir.schema import Dependency, Schema
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.types import NodeType, Type
from uniqgen_ir.ir.visitor import walk
from uniqgen_ir.passes.certificates.claims import SchemaFacts, read_schema
from uniqgen_ir.passes.trace import Json


def facts_of(table: Table, schema: Schema | None) -> dict[str, Json]:
    """What the schema says about the names of the table, as IRIs and pairs of them: what rows may follow from."""
    found = schema if schema is not None else Schema(name="none")
    index = SchemaIndex.of(found)
    dependencies = [one for one in found.dependencies if _is_plain(one)]
    used = {one for one in walk(table) if isinstance(one, IRI)}
    # what a dependency or an inverse adds may be told of in its turn
    used |= {iri for one in dependencies for row in (*one.body, *one.head) for iri in walk(row) if isinstance(iri, IRI)}
    inverses = {pair for pair in index.inverse_pairs if used & {*pair}}
    used |= {one for pair in inverses for one in pair}
    declared = [one for iri, one in index.predicates.items() if iri in used]
    facts = {
        # a class above another counts wherever the way up begins
        "subclasses": {(one.iri, parent) for one in index.classes.values() for parent in one.parents},
        "domains": {(one.iri, class_) for one in declared for class_ in _classes(one.subject_type)},
        "ranges": {(one.iri, class_) for one in declared for class_ in _classes(one.object_type)},
        "inverses": inverses,
    }
    return {
        **{name: cast("Json", sorted([low.value, high.value] for low, high in some)) for name, some in facts.items()},
        "functional": cast("Json", sorted(one.iri.value for one in declared if one.functional)),
        "keys": cast("Json", sorted(one.iri.value for one in declared if one.key)),
        "dependencies": [_dependency(one) for one in dependencies],
    }


def _classes(type_: Type) -> Iterable[IRI]:
    return type_.classes if isinstance(type_, NodeType) else ()


def _is_plain(one: Dependency) -> bool:
    """Whether a rule is made of triples and classes: the checker knows no other."""
    return all(row.where is None and isinstance(row.atom, Triple | TypeAtom) for row in (*one.body, *one.head))


def _dependency(one: Dependency) -> Json:
    body, head = ([SHAPES["row"].write(evolve(row, span=None)) for row in rows] for rows in (one.body, one.head))
    equal = [] if one.equal is None else [variable.name for variable in one.equal]
    return cast("Json", {"name": one.name, "body": body, "head": head, "equal": equal})


def says(facts: Mapping[str, Json], claimed: SchemaFacts) -> bool:
    """Whether all that is claimed is among the facts."""
    known = read_schema(dict(facts))
    pairs = (
        (claimed.subclasses, known.subclasses),
        (claimed.domains, known.domains),
        (claimed.ranges, known.ranges),
        (claimed.inverses, known.inverses),
        (claimed.functional, known.functional),
        (claimed.keys, known.keys),
    )
    return all(one <= other for one, other in pairs) and {*claimed.dependencies} <= {*known.dependencies}
