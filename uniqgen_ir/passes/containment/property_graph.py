"""What holds in every property graph: an edge is a relationship between its ends, whether its node is asked for or not.

Queries that look at properties of a relationship speak of its node, `?r a urn:pg:relationship:T`, with a source and a
target; others only of `?x urn:pg:type:T ?y`. Every property graph has both.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from uniqgen_ir.ir.rows import Row, Triple, TypeAtom
from uniqgen_ir.ir.schema import Dependency, RelationDeclaration, Schema
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.ir.visitor import walk
from uniqgen_ir.ir.vocabulary import PG_RELATIONSHIP, PG_SOURCE, PG_TARGET, PG_TYPE

_R, _X, _Y = Variable("r"), Variable("x"), Variable("y")
_SOURCE: Final = IRI(PG_SOURCE)
_TARGET: Final = IRI(PG_TARGET)


def relationship_rules(tables: Iterable[Table]) -> Schema | None:
    """What holds of the types of relationships whose nodes the tables speak of; None where they speak of none."""
    classes = {one.value for table in tables for row in table.rows for one in _classes(row)}
    types = sorted(one.removeprefix(PG_RELATIONSHIP) for one in classes if one.startswith(PG_RELATIONSHIP))
    if not types:
        return None
    ends = tuple(RelationDeclaration(one, functional=True) for one in (_SOURCE, _TARGET))
    return Schema("property graphs", relations=ends, dependencies=tuple(one for name in types for one in _rules(name)))


def _classes(row: Row) -> Iterable[IRI]:
    """The classes that a row speaks of; to walk a row of plain patterns would cost as much as to compare it."""
    match row.atom:
        case TypeAtom(_, type_) if row.where is None:
            return [type_] if isinstance(type_, IRI) else []
        case Triple() if row.where is None:
            return []
        case _:
            return [one.type for one in walk(row) if isinstance(one, TypeAtom) and isinstance(one.type, IRI)]


def _rules(name: str) -> tuple[Dependency, Dependency]:
    node = (
        Row("r", TypeAtom(_R, IRI(PG_RELATIONSHIP + name))),
        Row("s", Triple(_R, _SOURCE, _X)),
        Row("t", Triple(_R, _TARGET, _Y)),
    )
    edge = (Row("e", Triple(_X, IRI(PG_TYPE + name), _Y)),)
    return Dependency(f"edge of {name}", node, edge), Dependency(f"node of {name}", edge, node)
