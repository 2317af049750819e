"""Which rows follow from the others on every graph, found by the checker's own means: the frozen query.

The other rows become a small graph in which each variable is a node of its own; a row follows if it has a match there
that leaves every variable it shares in place. Conditions must be said by the others, or be weaker than what they say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve

from uniqgen_ir.ir.analysis import active_rows, binds, positive_variables, row_variables
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.rows import Filter, PathAtom, Row, Triple, TypeAtom, Values
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.passes.certificates.folds import folds
from uniqgen_ir.passes.certificates.frozen import Mapped, frozen_fact, is_said, node_of, said_by, thawed
from uniqgen_ir.passes.certificates.schema_facts import SchemaFacts
from uniqgen_ir.passes.certificates.values import follows
from uniqgen_ir.passes.certificates.world import world_of


def following(
    table: Table,
    names: Sequence[str],
    rows: Sequence[Row],
    fixed: frozenset[Variable],
    schema: SchemaFacts,
    mappings: Mapping[str, Sequence[Mapping[str, str]]],
) -> frozenset[str]:
    """Which of the named rows follow from the rest of `rows`, one after the other; `fixed` stand for themselves.

    With a schema: on every graph that obeys it. `mappings` are those that the trace gives for a row, terms as text:
    each is looked up, none is looked for.
    """
    left, found, progress = list(rows), set[str](), True
    while progress:
        progress = False
        for row in [one for name in names for one in left if one.id == name]:
            others = [one for one in left if one is not row]
            if (
                row.id not in active_rows(table, (one.id for one in left))  # it says nothing any more
                or _follows(table, row, others, fixed, schema)
                or (row.id in mappings and folds(table, left, others, fixed, schema, mappings[row.id]))
            ):
                left, progress = others, True
                found.add(row.id)
    return frozenset(found)


def _follows(table: Table, row: Row, others: Sequence[Row], fixed: frozenset[Variable], schema: SchemaFacts) -> bool:
    private = row_variables(row) - fixed - frozenset[Variable]().union(*(row_variables(one) for one in others))
    said = [part for one in others for part in said_by(one)]
    if not binds(row) - private <= positive_variables(others):
        return False
    if isinstance(row.atom, Filter):
        open_conditions = [part for part in said_by(row) if not is_said(part, {}, said)]
        return not open_conditions or follows(said, [open_conditions])
    mappings = _matches(table, row, others, private, schema)
    return any(all(is_said(part, mapping, said) for part in said_by(row)) for mapping in mappings)


def _matches(
    table: Table, row: Row, others: Sequence[Row], private: frozenset[Variable], schema: SchemaFacts
) -> Iterator[Mapped]:
    if any(one.atom == row.atom for one in others):
        yield {}
    if isinstance(row.atom, PathAtom):
        yield from _same_paths(row.atom, others, private)
    if not isinstance(row.atom, Triple | TypeAtom | PathAtom):
        return
    edges = [one for one in others if isinstance(one.atom, Triple | TypeAtom)]
    world = world_of({fact for one in edges if (fact := frozen_fact(one, {})) is not None}, schema)
    shared = tuple(sorted(row_variables(evolve(row, where=None)) - private, key=str))
    own = tuple(sorted(row_variables(evolve(row, where=None)) & private, key=str))
    pins = (Row("frozen", Values(shared, (tuple(world.of(node_of(one)) for one in shared),))),) if shared else ()
    head = tuple(Column(one) for one in (*shared, *own))
    if not head:
        return
    asked = evolve(table, head=head, rows=(*pins, evolve(row, where=None)), shell=Shell(), question=None)
    for line in evaluate(asked, world.graph).rows:
        terms = line[len(shared) :]
        yield {variable: thawed(term) for variable, term in zip(own, terms, strict=True) if term is not None}


def _same_paths(atom: PathAtom, others: Sequence[Row], private: frozenset[Variable]) -> Iterator[Mapped]:
    for other in (one.atom for one in others):
        if isinstance(other, PathAtom) and other.path == atom.path:
            mapping: dict[Variable, object] = {}
            for term, target in ((atom.subject, other.subject), (atom.object, other.object)):
                if isinstance(term, Variable) and term in private:
                    mapping.setdefault(term, target)
            ends = [mapping.get(one, one) if isinstance(one, Variable) else one for one in (atom.subject, atom.object)]
            if ends == [other.subject, other.object]:
                yield mapping
