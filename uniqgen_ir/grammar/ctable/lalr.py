"""A driver for LALR tables: shift, reduce, and hooks for what goes wrong.

Why not Lark's own: twice the speed, spans for every node, and recovery that works on the stack. Tests keep Lark as the
referee.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from attrs import frozen

from uniqgen_ir.grammar.ctable.tree import Item, Node, Token

MAX_TRIES: Final = 3
"""How often one token may be recovered from before it is dropped, so that recovery always ends."""


@frozen
class Rule:
    """A production. `keep` are the places of its symbols that leave something in the tree; an empty `name` marks a
    list that melts into its parent; `inline` gives way to an only child."""

    origin: str
    name: str
    size: int
    keep: tuple[int, ...]
    inline: bool
    passes: bool
    """whether it only hands its one child on"""
    tail: tuple[int, ...]
    """`keep` without its first place"""


@frozen
class Table:
    """Actions by state and symbol: a state number to shift to, or `~rule` to reduce by."""

    states: tuple[dict[str, int], ...]
    rules: tuple[Rule, ...]
    starts: dict[str, int]
    ends: dict[str, int]


class Recovery(Protocol):
    """What to do about a token that no rule takes."""

    def recover(self, parser: Parser, tokens: Sequence[Token], place: int) -> int | None:
        """Report, mend the parser's stack, and return the place of the token to go on with; None gives up."""
        ...


class Parser:
    """One run over one sequence of tokens. The last token must be of kind `$END`."""

    def __init__(self, table: Table, start: str) -> None:
        self.table = table
        self.end_state = table.ends[start]
        self.states: list[int] = [table.starts[start]]
        self.values: list[Item] = []

    def parse(self, tokens: Sequence[Token], recovery: Recovery) -> Node | None:
        """The tree, or None where recovery gave up."""
        place = stuck_at = tries = 0
        while (place := self._run(tokens, place)) < len(tokens):
            tries = tries + 1 if place == stuck_at else 1
            stuck_at = place
            after = recovery.recover(self, tokens, place) if tries <= MAX_TRIES else place + 1
            if after is None:
                return None
            place = after
        tree = self.values[0]
        return tree if isinstance(tree, Node) else None

    def feed(self, token: Token) -> bool:
        """Take one token: reduce as often as it asks for, then shift. False where no rule takes it."""
        return self._run((token,), 0) == 1

    def _run(self, tokens: Sequence[Token], place: int) -> int:
        """Take tokens from `place` on; returns the place of the first that no rule takes, or the number of tokens."""
        states, values = self.states, self.values
        table, rules = self.table.states, self.table.rules
        actions = table[states[-1]]
        count = len(tokens)
        while place < count:
            token = tokens[place]
            action = actions.get(token.kind)
            if action is None:
                if token.kind != "$END" or states[-1] != self.end_state:
                    return place
                place += 1
            elif action >= 0:
                states.append(action)
                values.append(token)
                actions = table[action]
                place += 1
            else:
                rule = rules[~action]
                size = rule.size
                if size == 1:
                    states.pop()
                    # most reductions only hand on what they got; a list (no kind) under a name becomes a node
                    if not (rule.passes and (values[-1].kind or not rule.name)):
                        values[-1] = reduce(rule, [values[-1]])
                elif size:
                    value = reduce(rule, values[-size:])
                    del states[-size:]
                    del values[-size:]
                    values.append(value)
                else:
                    values.append(Node(rule.name, [], token.start, token.start))
                state = table[states[-1]][rule.origin]
                states.append(state)
                actions = table[state]
        return place

    def accepts(self, *kinds: str, depth: int | None = None) -> bool:
        """Whether the kinds could be shifted one after the other; on a stack cut to `depth` where given."""
        states = self.states[:depth]
        table, rules = self.table.states, self.table.rules
        for kind in kinds:
            while True:
                action = table[states[-1]].get(kind)
                if action is None:
                    if kind == "$END" and states[-1] == self.end_state:
                        break
                    return False
                if action >= 0:
                    states.append(action)
                    break
                rule = rules[~action]
                if rule.size:
                    del states[-rule.size :]
                states.append(table[states[-1]][rule.origin])
        return True

    def cut(self, depth: int) -> None:
        """Drop what stands above `depth` states."""
        del self.states[depth:]
        del self.values[depth - 1 :]

    def expected(self) -> list[str]:
        """The terminals that could really be shifted now, in the order of their names."""
        return [kind for kind in sorted(self.table.states[self.states[-1]]) if kind.isupper() and self.accepts(kind)]


def reduce(rule: Rule, parts: list[Item]) -> Item:
    first, last = parts[0], parts[-1]
    items: list[Item]
    if first.kind == "" and isinstance(first, Node):
        # a list that grows on its left: nobody else holds it, so it may grow in place
        items = first.items
        rest = rule.tail
    else:
        items, rest = [], rule.keep
    for place in rest:
        part = parts[place]
        if part.kind == "" and isinstance(part, Node):
            items.extend(part.items)
        else:
            items.append(part)
    if rule.inline and len(items) == 1:
        return items[0]
    return Node(rule.name, items, first.start, last.end)
