"""Relationships of one type that run in parallel between the same nodes: facts, being a set, do not tell them apart."""

from __future__ import annotations

from uniqgen_ir.grammar.cypher.names import Names
from uniqgen_ir.ir.expressions import Aggregate
from uniqgen_ir.ir.protocols import Store
from uniqgen_ir.ir.rows import Atom, Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import Literal, Variable

_SOURCE, _TARGET, _COUNT = Variable("source"), Variable("target"), Variable("number")


def runs_in_parallel(store: Store, name: str) -> bool:
    """Whether a store has more relationships of the type than pairs of nodes that one joins. Raises StoreError."""
    names = Names()
    thing = names.reified(name)
    assert thing is not None
    pairs = _number(store, Triple(_SOURCE, names.relation(name).iri, _TARGET))
    return _number(store, TypeAtom(_SOURCE, thing.type)) > pairs


def _number(store: Store, atom: Atom) -> int:
    head = (Column(Aggregate("count"), _COUNT),)
    answers = store.select(Table("number", head, (Row("c1", atom),), Shell(distinct=False)))
    found = answers.rows[0][0] if answers.rows else None
    return int(found.lexical) if isinstance(found, Literal) else 0
