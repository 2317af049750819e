"""Rename a vocabulary: the same table in the names of another data set.

    python examples/rename_vocabulary.py TABLE OLD=NEW [OLD=NEW …]

OLD and NEW are IRIs. An OLD that ends in `/` or `#` stands for all names that begin with it; the longest one counts.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from attrs import evolve

import uniqgen_ir as uq
from uniqgen_ir.ir.visitor import Node


def rename(table: uq.Table, names: Mapping[str, str]) -> uq.Table:
    """The table with every IRI renamed: in rows, paths, expressions, blocks, and tables inside."""

    def renamed(node: Node) -> Node:
        return uq.IRI(new_name(node.value, names)) if isinstance(node, uq.IRI) else node

    prefixes = tuple((prefix, new_name(namespace, names)) for prefix, namespace in table.prefixes)
    # prefixes are not part of what a table means, so `rewrite` leaves them alone
    return evolve(uq.rewrite(table, renamed), prefixes=prefixes)


def new_name(name: str, names: Mapping[str, str]) -> str:
    """The new name for an IRI, or the IRI itself."""
    if name in names:
        return names[name]
    for old in sorted(names, key=len, reverse=True):
        if old.endswith(("/", "#")) and name.startswith(old):
            return names[old] + name.removeprefix(old)
    return name


def main(arguments: list[str]) -> int:
    """Print the renamed table."""
    if len(arguments) < 2 or not all("=" in one for one in arguments[1:]):
        print(__doc__, file=sys.stderr)
        return 2
    names = dict(one.split("=", 1) for one in arguments[1:])
    print(uq.to_text(rename(uq.load(arguments[0]), names)), end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
