"""Rows that follow by a mapping that the trace gives: it is looked up, never looked for.

All that is left must be led into the rows without the one in question, the answer in place; where no mapping does for
all of them, each of their blocks must have one for itself (a proof by cases).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define, frozen

from uniqgen_ir.ir.analysis import active_rows, positive_variables, row_variables
from uniqgen_ir.ir.evaluation.paths import walk as walk_path
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.paths import Inverse, Path
from uniqgen_ir.ir.rows import Either, Filter, NotBlock, PathAtom, Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.visitor import Node, rewrite, walk
from uniqgen_ir.passes.certificates.absences import is_ruled_out
from uniqgen_ir.passes.certificates.blocks import Block, bare, blocks_of, moved
from uniqgen_ir.passes.certificates.frozen import frozen_fact, is_said, moved_term, said_by
from uniqgen_ir.passes.certificates.schema_facts import SchemaFacts
from uniqgen_ir.passes.certificates.values import follows
from uniqgen_ir.passes.certificates.world import World, world_of


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
    mappings = [_Mapping.read(one, terms) for one in given]
    outer = positive_variables(left)

    def proved(block: Block) -> bool:
        world, said = _world(block, schema), [part for one in block.rows for part in said_by(one)]
        tried = (_LeadsInto(block, world, schema, one, fixed, outer, said).unsaid(left) for one in mappings)
        ways = [way for way in tried if way is not None]
        return [] in ways or follows(said, ways)

    if proved(Block(tuple(others), {})):
        return True
    blocks = blocks_of(others)
    return blocks is not None and all(map(proved, blocks))


def _world(block: Block, schema: SchemaFacts) -> World:
    return world_of({fact for one in block.rows if (fact := frozen_fact(one, {})) is not None}, schema)


@frozen
class _Mapping:
    """Where variables lead. `loose`: those that lead to what no row names, a place on a path or what a rule adds."""

    terms: Mapping[Variable, Term]
    loose: frozenset[Variable]

    @classmethod
    def read(cls, given: Mapping[str, str], terms: Mapping[str, Variable | IRI | Literal]) -> _Mapping:
        targets = {one: target for name, target in given.items() if isinstance(one := terms.get(name), Variable)}
        found: dict[Variable, Term] = {one: terms[target] for one, target in targets.items() if target in terms}
        return cls(found, frozenset(targets) - found.keys())


@define(eq=False)
class _LeadsInto:
    """Rows led into a block by a mapping, the fixed variables in place."""

    block: Block
    world: World
    schema: SchemaFacts
    mapping: _Mapping
    fixed: frozenset[Variable]
    outer: frozenset[Variable]
    """the variables that the rows bind"""
    said: Sequence[Expression]
    """the conditions that the block says"""

    def unsaid(self, left: Sequence[Row]) -> list[Expression] | None:
        """The conditions of the rows that the block does not say; None where it does not say them for another reason.

        What is loose is looked up in each row alone, or in all together.
        """
        stays = all(self._node(self._place(one)) == self._node(self.block.of(one)) for one in self.fixed)
        if not stays:
            return None
        into = {one: self._place(one) for row in left for one in row_variables(row)}

        def alone(row: Row) -> list[Expression] | None:
            elsewhere = self.fixed.union(*(row_variables(other) for other in left if other is not row))
            return [] if self._ends_somewhere(row, elsewhere, into) else self._unsaid(row, into)

        together = [row for row in left if row_variables(row) & self.mapping.loose]
        rest = _all([alone(row) for row in left if row not in together])
        if rest is None or not together or self._somewhere(together, into):
            return rest
        return _all([rest, *map(alone, together)])

    def _place(self, variable: Variable) -> Term:
        return self.block.of(self.mapping.terms.get(variable, variable))

    def _node(self, term: Term) -> GroundTerm | None:
        """What stands for the term in the world; None for a parameter."""
        node = moved_term(term, {})
        return None if isinstance(node, Parameter | Variable) else self.world.of(node)

    def _somewhere(self, rows: Sequence[Row], into: Mapping[Variable, Term]) -> bool:
        """Whether the rows have one match in which everything is in place but what is loose."""
        plain = all(row.where is None and isinstance(row.atom, Triple | TypeAtom | PathAtom) for row in rows)
        nodes = {one: self._node(term) for one, term in into.items() if one not in self.mapping.loose | self.fixed}
        nodes |= {one: self._node(self.block.of(one)) for one in self.fixed}
        used = {one for row in rows for one in row_variables(row)}
        pins = {one: node for one, node in nodes.items() if one in used and node is not None}
        return plain and used <= pins.keys() | (self.mapping.loose - self.fixed) and self.world.somewhere(rows, pins)

    def _ends_somewhere(self, row: Row, used: frozenset[Variable], into: Mapping[Variable, Term]) -> bool:
        """Whether some walk along a path is there, where nothing else uses its end."""
        if not isinstance(row.atom, PathAtom) or row.where is not None:
            return False
        atom = row.atom
        ways: tuple[tuple[Term, Term, Path], ...] = (
            (atom.subject, atom.object, atom.path),
            (atom.object, atom.subject, Inverse(atom.path)),
        )
        for here, there, way in ways:
            start = self._node(moved_term(here, into))
            if here == there or not isinstance(there, Variable) or there in used:
                continue
            if self._walks(way, start):
                return True
        return False

    def _walks(self, path: Path, start: GroundTerm | None) -> set[GroundTerm]:
        graph = self.world.graph
        if start is None or start not in graph.terms():
            return set()
        return set(walk_path(path, start, graph, lambda: None))

    def _unsaid(self, row: Row, into: Mapping[Variable, Term]) -> list[Expression] | None:
        """The conditions that the block does not say once variables are mapped; None where the row has no match there.

        Of an `either` one branch must be said, all of it.
        """
        if _stands_there(row, self.block.rows, into):
            return []
        match row.atom:
            case Filter():
                there = True
            case Triple() | TypeAtom():
                fact = frozen_fact(row, into)
                there = fact is not None and self.world.has(fact)
            case PathAtom(subject, path, object_):
                start, end = (self._node(moved_term(one, into)) for one in (subject, object_))
                there = end in self._walks(path, start)
            case Either(branches):
                there = any(all(self._unsaid(one, into) == [] for one in branch) for branch in branches)
            case NotBlock():
                there = is_ruled_out(
                    row.atom, self.block.rows, lambda one: into[one] if one in self.outer else None, self.schema
                )
            case _:
                return None
        open_conditions = [part for part in said_by(row) if not is_said(part, into, self.said)]
        return [rewrite(part, lambda one: _led(one, into)) for part in open_conditions] if there else None


def _led(node: Node, into: Mapping[Variable, Term]) -> Node:
    return into.get(node, node) if isinstance(node, Variable) else node


def _all(parts: Sequence[list[Expression] | None]) -> list[Expression] | None:
    """All that is missing; None where something has no match."""
    if None in parts:
        return None
    return [one for part in parts for one in part or ()]


def _stands_there(row: Row, others: Sequence[Row], mapping: Mapping[Variable, Term]) -> bool:
    """Whether one of the others says the same once the variables are mapped; under `not` in names of its own."""
    here = moved(row, lambda one: mapping.get(one, one) if isinstance(one, Variable) else one)
    bound = positive_variables(others)
    said = bare(here, row_variables(here) - bound)
    return any(bare(one, row_variables(one) - bound) == said for one in others if type(one.atom) is type(row.atom))
