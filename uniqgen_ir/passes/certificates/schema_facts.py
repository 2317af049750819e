"""What a schema says about the names of a table, in the form in which traces carry it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from attrs import evolve, frozen

from uniqgen_ir.ir.analysis import positive_variables
from uniqgen_ir.ir.codec_nodes import SHAPES
from uniqgen_ir.ir.rows import Triple, TypeAtom
from uniqgen_ir.ir.schema import Dependency, Schema
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.ir.types import NodeType, Type
from uniqgen_ir.ir.visitor import walk
from uniqgen_ir.passes.certificates.reading import texts
from uniqgen_ir.passes.trace import Json


@frozen
class SchemaFacts:
    """Pairs of IRIs: a class and one above it, a relation and its domain or range, a relation and its inverse.

    `functional`: relations with at most one object for a subject; `keys`: with at most one subject for an object.
    """

    subclasses: frozenset[tuple[str, str]]
    domains: frozenset[tuple[str, str]]
    ranges: frozenset[tuple[str, str]]
    inverses: frozenset[tuple[str, str]]
    functional: frozenset[str]
    keys: frozenset[str]
    dependencies: tuple[Dependency, ...]


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
        "dependencies": [_written(one) for one in dependencies],
    }


def _classes(type_: Type) -> Iterable[IRI]:
    return type_.classes if isinstance(type_, NodeType) else ()


def _is_plain(one: Dependency) -> bool:
    """Whether a rule is made of triples and classes: the checker knows no other."""
    return all(row.where is None and isinstance(row.atom, Triple | TypeAtom) for row in (*one.body, *one.head))


def _written(one: Dependency) -> Json:
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


def read_schema(value: dict[str, Any]) -> SchemaFacts:
    lists = {"subclasses", "domains", "ranges", "inverses"}
    if set(value) != lists | {"functional", "keys", "dependencies"}:
        raise ValueError("the schema does not have its seven lists")
    pairs = {name: frozenset((low, high) for low, high in map(texts, value[name])) for name in lists}
    functional, keys = (frozenset(texts(value[name])) for name in ("functional", "keys"))
    return SchemaFacts(
        **pairs, functional=functional, keys=keys, dependencies=tuple(_dependency(one) for one in value["dependencies"])
    )


def _dependency(value: dict[str, Any]) -> Dependency:
    """Rows of plain patterns; anything else would say more than the checker can look up."""
    body, head = (tuple(SHAPES["row"].read(one, "row") for one in value[side]) for side in ("body", "head"))
    if any(row.where is not None or not isinstance(row.atom, Triple | TypeAtom) for row in (*body, *head)):
        raise ValueError("a dependency is made of triples and classes")
    names = texts(value["equal"])
    if len(names) not in (0, 2) or bool(names) == bool(head) or not body:
        raise ValueError("a dependency adds rows, or makes two variables equal")
    equal = (Variable(names[0]), Variable(names[1])) if names else None
    if equal is not None and not positive_variables(body) >= set(equal):
        raise ValueError("a dependency makes variables equal that its body does not bind")
    return Dependency(str(value["name"]), body, head, equal)
