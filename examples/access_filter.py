"""Add an access filter to every table: facts about a node count only where the node is readable by `$group`.

    python examples/access_filter.py TABLE PREDICATE

The filtered table gives, on the whole graph, what the table would give on a graph without the hidden nodes' facts. So
the filter goes into every block: a hidden fact must not let a row through, and inside `not` must not keep one out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import uniqgen_ir as uq
from uniqgen_ir.ir.expressions import Exists
from uniqgen_ir.ir.visitor import Node

GROUP = uq.Parameter("group")


def guard(table: uq.Table, predicate: uq.IRI) -> uq.Table:
    """The table with a row `?x predicate $group` for every node that a row of the same block says something about.

    Raises ValueError for a path of variable length: what it walks through cannot be guarded from outside.
    """
    # normalising opens paths of fixed length, so that each node on the way has a name
    table = uq.normalize(table)
    numbers = iter(range(1, 1_000_000))
    taken = {row.id for row in uq.walk_rows(table.rows)}

    def guarded(rows: tuple[uq.Row, ...]) -> tuple[uq.Row, ...]:
        return (*rows, *(uq.row(_free_id(taken, numbers), one, predicate, GROUP) for one in _subjects(rows)))

    def guard_block(node: Node) -> Node:
        match node:
            case uq.Table():
                return node.with_rows(guarded(node.rows))
            case uq.OptionalBlock(rows):
                return uq.OptionalBlock(guarded(rows))
            case uq.NotBlock(rows):
                return uq.NotBlock(guarded(rows))
            case uq.MinusBlock(rows):
                return uq.MinusBlock(guarded(rows))
            case uq.Either(branches):
                return uq.Either(tuple(map(guarded, branches)))
            case Exists(rows, negated):
                return Exists(guarded(rows), negated)
            case _:
                return node

    return uq.rewrite(table, guard_block)


def _free_id(taken: set[str], numbers: Iterator[int]) -> str:
    name = next(one for one in (f"access{number}" for number in numbers) if one not in taken)
    taken.add(name)
    return name


def _subjects(rows: tuple[uq.Row, ...]) -> tuple[uq.Variable | uq.IRI | uq.Parameter, ...]:
    """The nodes that these rows say something about, each once."""
    found: dict[uq.Variable | uq.IRI | uq.Parameter, None] = {}
    for row in rows:
        match row.atom:
            case uq.PathAtom():
                raise ValueError(f"row {row.id} walks a path of variable length: its steps cannot be guarded")
            case uq.Triple(subject) | uq.TypeAtom(subject) if not isinstance(subject, uq.Literal):
                found[subject] = None
            case _:
                pass
    return tuple(found)


def main(arguments: list[str]) -> int:
    """Print the guarded table."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    print(uq.to_text(guard(uq.load(arguments[0]), uq.IRI(arguments[1]))), end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
