"""Tokens and concrete syntax trees, the same for every grammar."""

from __future__ import annotations

from typing import TypeAlias


class Token:
    """A word of the text: its kind (a terminal of the grammar), its characters, and where it stands."""

    __slots__ = ("end", "kind", "start", "text")

    def __init__(self, kind: str, text: str, start: int, end: int) -> None:
        self.kind = kind
        self.text = text
        self.start = start
        self.end = end

    def __repr__(self) -> str:
        return f"Token({self.kind}, {self.text!r})"


class Node:
    """A rule of the grammar with what it holds. `start` and `end` cover its punctuation too."""

    __slots__ = ("end", "items", "kind", "start")

    def __init__(self, kind: str, items: list[Item], start: int, end: int) -> None:
        self.kind = kind
        self.items = items
        self.start = start
        self.end = end

    def __repr__(self) -> str:
        return f"{self.kind}({', '.join(map(repr, self.items))})"

    def child(self, kind: str) -> Node | None:
        """The first node of this kind among the items."""
        for item in self.items:
            if item.kind == kind and isinstance(item, Node):
                return item
        return None

    def token(self, *kinds: str) -> Token | None:
        """The first token of one of these kinds among the items."""
        for item in self.items:
            if item.kind in kinds and isinstance(item, Token):
                return item
        return None

    def nodes(self, *kinds: str) -> list[Node]:
        """The nodes of these kinds among the items."""
        return [item for item in self.items if isinstance(item, Node) and item.kind in kinds]


Item: TypeAlias = "Node | Token"
