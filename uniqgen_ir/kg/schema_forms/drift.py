"""What changed from one schema to another, declaration by declaration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from attrs import frozen

from uniqgen_ir.ir.schema import ClassDeclaration, PropertyDeclaration, RelationDeclaration, Schema
from uniqgen_ir.ir.terms import IRI

Declaration: TypeAlias = ClassDeclaration | RelationDeclaration | PropertyDeclaration


@frozen
class Change:
    """One difference. `kind`: `added`, `removed` or `changed`; `before` and `after` are None where there is nothing."""

    kind: str
    what: str
    """`class`, `relation`, `property`, or a part of one: `range`, `datatype`, `functional`, …"""
    name: IRI
    before: str | None = None
    after: str | None = None


def changes(old: Schema, new: Schema) -> tuple[Change, ...]:
    """Every difference, removed declarations first; words (labels, synonyms) and rules are left aside."""
    before, after = _by_name(old), _by_name(new)
    found = [Change("removed", _kind(before[name]), name) for name in before if name not in after]
    for name in (one for one in before if one in after):
        found += _compared(name, before[name], after[name])
    found += [Change("added", _kind(after[name]), name) for name in after if name not in before]
    return tuple(found)


def _by_name(schema: Schema) -> dict[IRI, list[Declaration]]:
    listed: list[Declaration] = [*schema.classes, *schema.relations, *schema.properties]
    found: dict[IRI, list[Declaration]] = {}
    for one in sorted(listed, key=lambda one: one.iri.value):
        found.setdefault(one.iri, []).append(one)
    return found


def _kind(declarations: Iterable[Declaration]) -> str:
    names = {ClassDeclaration: "class", RelationDeclaration: "relation", PropertyDeclaration: "property"}
    return " and ".join(dict.fromkeys(names[type(one)] for one in declarations))


def _compared(name: IRI, old: list[Declaration], new: list[Declaration]) -> Iterator[Change]:
    if _kind(old) != _kind(new):
        yield Change("changed", "kind", name, _kind(old), _kind(new))
        return
    before, after = _parts(old), _parts(new)
    for part in dict.fromkeys((*before, *after)):
        if before.get(part) != after.get(part):
            yield Change("changed", part, name, before.get(part), after.get(part))


def _parts(declarations: list[Declaration]) -> dict[str, str | None]:
    """The parts that mean something, each as text; of several declarations all that they say."""
    found: dict[str, set[str]] = {}
    for one in declarations:
        for part, value in _statements(one):
            if value is not None and value is not False:
                found.setdefault(part, set()).add("yes" if value is True else str(value))
    return {part: ", ".join(sorted(values)) for part, values in found.items()}


def _statements(one: Declaration) -> Iterator[tuple[str, Any]]:
    match one:
        case ClassDeclaration():
            yield from (("parent", parent) for parent in one.parents)
            yield from (("disjoint", other) for other in one.disjoint)
        case RelationDeclaration():
            yield from (("domain", one.domain), ("range", one.range), ("inverse", one.inverse))
            yield from (("functional", one.functional), ("key", one.key))
        case PropertyDeclaration():
            datatype = None if one.datatype is None else IRI(one.datatype)
            yield from (("domain", one.domain), ("datatype", datatype))
            yield from (("functional", one.functional), ("key", one.key))
