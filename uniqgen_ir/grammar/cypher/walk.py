"""Walking the syntax tree of Cypher."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, TypeVar, cast

from attrs import fields

from uniqgen_ir.grammar.cypher.ast_expressions import Node

Wanted = TypeVar("Wanted", bound=Node)


_PLAIN = frozenset({"str", "int", "bool", "str | None", "int | None", "tuple[str, ...]", "CommandKind"})
_GETTERS: dict[type[Node], Callable[[Node], tuple[Any, ...]]] = {}


def _getter(kind: type[Node]) -> Callable[[Node], tuple[Any, ...]]:
    """What gives the fields of a node that may hold nodes: strings, numbers and flags hold none."""
    names = [one.name for one in fields(cast(Any, kind)) if str(one.type) not in _PLAIN]
    match names:
        case []:
            return _nothing
        case [name]:
            return lambda node: (getattr(node, name),)
        case _:
            return attrgetter(*names)


def _nothing(node: Node) -> tuple[Any, ...]:
    del node
    return ()


def children(node: Node) -> list[Node]:
    """The nodes directly inside a node, in the order of its fields."""
    kind = type(node)
    getter = _GETTERS.get(kind)
    if getter is None:
        getter = _GETTERS[kind] = _getter(kind)
    found: list[Node] = []
    for value in getter(node):
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple) and value:
            many: tuple[Any, ...] = value  # pyright: ignore[reportUnknownVariableType]
            found += [one for one in many if isinstance(one, Node)]
    return found


def walk(node: Node) -> Iterator[Node]:
    """The node and everything inside it, in the order of the text. Not recursive, so depth is no matter."""
    stack = [node]
    while stack:
        one = stack.pop()
        yield one
        inner = children(one)
        inner.reverse()
        stack += inner


def find(node: Node, kind: type[Wanted]) -> Iterator[Wanted]:
    """Every node of one class at or inside the node."""
    return (one for one in walk(node) if isinstance(one, kind))


def depth(node: Node) -> int:
    """How deeply nodes are nested."""
    deepest = 0
    stack = [(node, 1)]
    while stack:
        one, level = stack.pop()
        deepest = max(deepest, level)
        stack.extend((child, level + 1) for child in children(one))
    return deepest
