"""A driver for Lark's LALR table: shift, reduce, and calls of the builder, with the place of every part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

from uniqgen_ir.grammar.sparql.lexer import Token, as_comparison
from uniqgen_ir.grammar.sparql.tables import ParseTable

Action: TypeAlias = "Callable[[Any, list[Any], int, int], Any]"
"""A method of the builder: the parts of the alternative, and the range of the text that they cover."""

CompiledRule: TypeAlias = "tuple[str, int, Action | None]"
_DOUBTFUL: Final = frozenset("?$()&=!")


class Recovery(Protocol):
    """What to do about a token that no rule takes."""

    def recover(self, parser: SparqlParser, place: int) -> int | None:
        """Report it, mend the parser's stack, return the place of the token to go on with; None gives up."""
        ...


class SparqlParser:
    """One run over one sequence of tokens, which ends in `$END`."""

    def __init__(self, table: ParseTable, rules: tuple[CompiledRule, ...], builder: object) -> None:
        self.table = table
        self.rules = rules
        self.builder = builder
        self.states: list[int] = [table.start]
        self.values: list[Any] = []
        self.starts: list[int] = []
        self.last_end = 0
        self.tokens: list[Token] = []

    def parse(self, text: str, tokens: list[Token], recovery: Recovery) -> Any:
        """What the builder makes of the whole text, or None where recovery gave up."""
        self.tokens = tokens
        place = 0
        while True:
            token = tokens[place]
            if token[0] == "IRIREF" and not _DOUBTFUL.isdisjoint(token[1]) and not self.accepts("IRIREF"):
                as_comparison(text, tokens, place, self.table)
                token = tokens[place]
            action = self.feed(token)
            if action > 0:
                place += 1
            elif action == 0:
                return self.values[-1]
            else:
                after = recovery.recover(self, place)
                if after is None:
                    return None
                place = after

    def feed(self, token: Token) -> int:
        """Take a token: reduce as often as it asks for, then shift. 0 at the end of the text, -1 where it is stuck."""
        states, values, starts = self.states, self.values, self.starts
        table, rules, shortcuts = self.table.states, self.rules, self.table.shortcuts
        kind, text, start, end = token
        row = table[states[-1]]
        while True:
            action = row.get(kind)
            if action is None:
                return -1
            if action > 0:
                states.append(action - 1)
                values.append(text)
                starts.append(start)
                self.last_end = end
                return action
            if action == 0:
                return 0
            origin, size, method = rules[-action - 1]
            if size == 1:
                if method is not None:
                    values[-1] = method(self.builder, values[-1:], starts[-1], self.last_end)
                states.pop()
            elif size:
                assert method is not None
                begin = starts[-size]
                value = method(self.builder, values[-size:], begin, self.last_end)
                del states[-size:], values[-size:], starts[-size:]
                values.append(value)
                starts.append(begin)
            else:
                assert method is not None
                values.append(method(self.builder, [], start, start))
                starts.append(start)
            key = (states[-1], origin, kind)
            state = shortcuts.get(key)
            if state is None:
                state = shortcuts[key] = self._goto(*key)
            states.append(state)
            row = table[state]

    def _goto(self, below: int, origin: str, kind: str) -> int:
        """The state after a reduction to `origin`, and after those that follow it at once and build nothing.

        Such chains (variable → primary → operand → …) depend on nothing but the three, so they are walked once.
        """
        table = self.table.states
        state = table[below][origin]
        while (action := table[state].get(kind, 0)) < 0:
            origin, size, method = self.rules[-action - 1]
            if size != 1 or method is not None:
                break
            state = table[below][origin]
        return state

    def accepts(self, *kinds: str, depth: int | None = None) -> bool:
        """Whether the kinds could be shifted one after the other; on a stack cut to `depth` states where given."""
        states = self.states[:depth]
        table, rules = self.table.states, self.rules
        for kind in kinds:
            while True:
                action = table[states[-1]].get(kind)
                if action is None:
                    return False
                if action >= 0:
                    states.append(action - 1)
                    break
                origin, size, _ = rules[-action - 1]
                if size:
                    del states[-size:]
                states.append(table[states[-1]][origin])
        return True

    def cut(self, depth: int) -> None:
        """Drop what stands above `depth` states."""
        del self.states[depth:], self.values[depth - 1 :], self.starts[depth - 1 :]

    def expected(self) -> list[str]:
        """The terminals that could really be shifted now."""
        return [kind for kind in self.table.states[self.states[-1]] if kind[0].isupper() and self.accepts(kind)]
