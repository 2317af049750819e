"""Rows that follow by a mapping that the trace gives: it is looked up, never looked for.

All that is left must be led into the rows without the one in question, the answer in place; where no mapping does for
all of them, each of their blocks must have one for itself (a proof by cases).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from uniqgen_ir.ir.analysis import active_rows, positive_variables, row_variables
from uniqgen_ir.ir.evaluation.paths import walk as walk_path
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.paths import Inverse, Path
from uniqgen_ir.ir.rows import Either, Filter, PathAtom, Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.visitor import walk
from uniqgen_ir.passes.certificates.blocks import Block, bare, blocks_of, moved
from uniqgen_ir.passes.certificates.claims import SchemaFacts
from uniqgen_ir.passes.certificates.frozen import frozen_fact, is_said, moved_term, obeying, said_by


def folds(
    table: Table,
    left: Sequence[Row],
    others: Sequence[Row],
    fixed: frozenset[Variable],
    schema: SchemaFacts,
    given: Sequence[Mapping[str, str]],
) -> bool:
    """Whether a mapping leads all that is left into the other rows, and leaves the fixed variables in place.

    Where none does, each block of the other rows must have one of the mappings for itself.
    """
    before, after = (active_rows(table, (one.id for one in some)) for some in (left, others))
    left, others = [one for one in left if one.id in before], [one for one in others if one.id in after]
    if not fixed <= positive_variables(others):
        return False
    terms = {str(one): one for row in left for one in walk(row) if isinstance(one, Variable | IRI | Literal)}
    mappings = [_mapping(one, terms) for one in given]

    def leads_into(block: Block, mapping: Mapping[Variable, Term]) -> bool:
        stays = all(block.of(mapping.get(one, one)) == block.of(one) for one in fixed)
        into = {one: block.of(mapping.get(one, one)) for row in left for one in row_variables(row)}
        return stays and _all_there(left, block.rows, into, fixed, schema)

    whole = Block(tuple(others), {})
    if any(leads_into(whole, mapping) for mapping in mappings):
        return True
    blocks = blocks_of(others)
    return blocks is not None and all(any(leads_into(one, mapping) for mapping in mappings) for one in blocks)


def _mapping(given: Mapping[str, str], terms: Mapping[str, Variable | IRI | Literal]) -> dict[Variable, Term]:
    """Names that no row has stand for places on a path, which are looked up instead."""
    return {
        variable: terms[target]
        for name, target in given.items()
        if isinstance(variable := terms.get(name), Variable) and target in terms
    }


def _all_there(
    left: Sequence[Row],
    others: Sequence[Row],
    mapping: Mapping[Variable, Term],
    fixed: frozenset[Variable],
    schema: SchemaFacts,
) -> bool:
    facts = Graph(obeying({fact for one in others if (fact := frozen_fact(one, {})) is not None}, schema))
    said = [part for one in others for part in said_by(one)]
    return all(
        _is_there(one, others, mapping, facts, said)
        or _ends_somewhere(
            one, fixed.union(*(row_variables(other) for other in left if other is not one)), mapping, facts
        )
        for one in left
    )


def _ends_somewhere(row: Row, used: frozenset[Variable], mapping: Mapping[Variable, Term], facts: Graph) -> bool:
    """Whether some walk along a path is there, where nothing else uses its end."""
    if not isinstance(row.atom, PathAtom) or row.where is not None:
        return False
    atom = row.atom
    ways: tuple[tuple[Term, Term, Path], ...] = (
        (atom.subject, atom.object, atom.path),
        (atom.object, atom.subject, Inverse(atom.path)),
    )
    for here, there, way in ways:
        start = moved_term(here, mapping)
        if isinstance(start, Variable | Parameter) or start not in facts.terms() or here == there:
            continue
        if isinstance(there, Variable) and there not in used and any(walk_path(way, start, facts, lambda: None)):
            return True
    return False


def _is_there(
    row: Row, others: Sequence[Row], mapping: Mapping[Variable, Term], facts: Graph, said: Sequence[Expression]
) -> bool:
    """Whether the others say what the row says once its variables are mapped; of an `either`, what one branch says."""
    if _stands_there(row, others, mapping):
        return True
    match row.atom:
        case Filter():
            there = True
        case Triple() | TypeAtom():
            moved = frozen_fact(row, mapping)
            there = moved is not None and moved in facts
        case PathAtom(subject, path, object_):
            nodes = facts.terms()
            start, end = moved_term(subject, mapping), moved_term(object_, mapping)
            if isinstance(start, Variable | Parameter) or start not in nodes:
                return False
            there = end in nodes and end in set[object](walk_path(path, start, facts, lambda: None))
        case Either(branches):
            there = any(all(_is_there(one, others, mapping, facts, said) for one in branch) for branch in branches)
        case _:
            return False  # what is under `not` is only compared
    return there and all(is_said(part, mapping, said) for part in said_by(row))


def _stands_there(row: Row, others: Sequence[Row], mapping: Mapping[Variable, Term]) -> bool:
    """Whether one of the others says the same once the variables are mapped; under `not` in names of its own."""
    here = moved(row, lambda one: mapping.get(one, one) if isinstance(one, Variable) else one)
    bound = positive_variables(others)
    said = bare(here, row_variables(here) - bound)
    return any(bare(one, row_variables(one) - bound) == said for one in others if type(one.atom) is type(row.atom))
