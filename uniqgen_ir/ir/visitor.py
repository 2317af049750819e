"""Walking, rewriting and substituting. Nodes never change: every function returns new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar, Union, cast, get_args

import attrs

from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.paths import Path
from uniqgen_ir.ir.rows import Atom, Either, MinusBlock, NotBlock, OptionalBlock, Row
from uniqgen_ir.ir.table import Column, Extreme, OrderKey, Shell, Table
from uniqgen_ir.ir.terms import IRI, BlankNode, Parameter, Variable

Node: TypeAlias = Union[Table, Shell, Column, OrderKey, Extreme, Row, Atom, Expression, Path, BlankNode]  # noqa: UP007
"""Anything that a table is made of; terms are expressions too. Notes and spans are not nodes."""

N = TypeVar("N", bound=Node)

_KINDS: tuple[type, ...] = get_args(Node)


# plain strings, numbers, notes and spans are told apart by `_KINDS` when met; these never hold a node
_WITHOUT_NODES = frozenset({"span", "note", "prefixes", "schemas"})

_CHILD_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(one.name for one in attrs.fields(kind) if one.name not in _WITHOUT_NODES) for kind in _KINDS
}


def children(node: Node) -> Iterator[Node]:
    """The direct parts of a node, in the order in which they are written."""
    for name in _CHILD_FIELDS[type(node)]:
        yield from _nodes_in(getattr(node, name))


def _nodes_in(value: object) -> Iterator[Node]:
    if isinstance(value, tuple):
        for one in cast("tuple[object, ...]", value):
            yield from _nodes_in(one)
    elif isinstance(value, _KINDS):
        yield cast("Node", value)


def walk(node: Node) -> Iterator[Node]:
    """The node and everything inside it, each before its parts: rows, expressions, paths, terms, nested tables."""
    stack = [node]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(reversed(tuple(children(one))))


def walk_rows(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows and those inside their blocks, branches, `exists` and nested tables."""
    return (one for row in rows for one in walk(row) if isinstance(one, Row))


def variables_in_order(node: Node) -> tuple[Variable, ...]:
    """Every variable that occurs anywhere in the node, by first occurrence."""
    return tuple(dict.fromkeys(one for one in walk(node) if isinstance(one, Variable)))


def parameters_in_order(node: Node) -> tuple[Parameter, ...]:
    """Every `$parameter` that occurs anywhere in the node, by first occurrence."""
    return tuple(dict.fromkeys(one for one in walk(node) if isinstance(one, Parameter)))


def rewrite(node: N, function: Callable[[Node], Node]) -> N:
    """The node with `function` applied to every part, innermost first, and to itself last.

    The function returns the node that it was given where it has nothing to change. It must return something that may
    stand in the same place: a term for a term, an expression for an expression.
    """
    return cast("N", function(map_children(node, lambda part: rewrite(part, function))))


def map_children(node: N, function: Callable[[Node], Node]) -> N:
    """The node with `function` applied to its direct parts; the node itself where nothing changed."""
    changes: dict[str, Any] = {}
    for name in _CHILD_FIELDS[type(node)]:
        old = getattr(node, name)
        new = _mapped(old, function)
        if new is not old:
            changes[name] = new
    return cast("N", attrs.evolve(cast("Row", node), **changes)) if changes else node


def _mapped(value: object, function: Callable[[Node], Node]) -> object:
    if isinstance(value, tuple):
        old = cast("tuple[object, ...]", value)
        new = tuple(_mapped(one, function) for one in old)
        return old if all(one is other for one, other in zip(old, new, strict=True)) else new
    return function(cast("Node", value)) if isinstance(value, _KINDS) else value


def rewrite_rows(rows: Iterable[Row], function: Callable[[Row], Iterable[Row]]) -> tuple[Row, ...]:
    """Every row replaced by the rows that `function` makes of it, those inside blocks and branches first.

    Rows inside `exists` and nested tables are left alone: they belong to an expression or another table.
    """
    return tuple(new for row in rows for new in function(_with_inner_rows(row, function)))


def _with_inner_rows(row: Row, function: Callable[[Row], Iterable[Row]]) -> Row:
    match row.atom:
        case OptionalBlock(inner) | NotBlock(inner) | MinusBlock(inner):
            atom: Atom = attrs.evolve(row.atom, rows=rewrite_rows(inner, function))
        case Either(branches):
            atom = Either(tuple(rewrite_rows(branch, function) for branch in branches))
        case _:
            return row
    return row if atom == row.atom else attrs.evolve(row, atom=atom)


def rename_variables(node: N, names: Mapping[Variable, Variable]) -> N:
    """The node with variables renamed everywhere, head and nested tables included; its meaning stays the same.

    Raises ValueError where two different variables of the node would get one name.
    """
    occurring = variables_in_order(node)
    renamed = {names.get(variable, variable) for variable in occurring}
    if len(renamed) < len(occurring):
        raise ValueError("two different variables would get the same name")
    return rewrite(node, lambda one: names.get(one, one) if isinstance(one, Variable) else one)


def fresh_variable(stem: str, taken: Iterable[Variable]) -> Variable:
    """A variable that is not among those taken: `stem`, or `stem_1`, `stem_2`, …"""
    used = {variable.name for variable in taken}
    if stem not in used:
        return Variable(stem)
    return next(Variable(f"{stem}_{n}") for n in range(1, len(used) + 2) if f"{stem}_{n}" not in used)


def with_prefixes(table: Table, prefixes: Sequence[tuple[str, str]]) -> Table:
    """The table with those of the prefixes that its names can use."""
    names = {one.value for one in walk(table) if isinstance(one, IRI)}
    used = tuple(pair for pair in prefixes if any(name.startswith(pair[1]) for name in names))
    return attrs.evolve(table, prefixes=used)
