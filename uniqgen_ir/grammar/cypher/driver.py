"""Runs the parse table over the words: shift, reduce, and hooks for what goes wrong."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, Protocol, TypeAlias

from uniqgen_ir.grammar.cypher.building import clauses as cypher_build_clauses
from uniqgen_ir.grammar.cypher.building import expressions as cypher_build_expressions
from uniqgen_ir.grammar.cypher.building import patterns as cypher_build_patterns
from uniqgen_ir.grammar.cypher.building.expressions import Action
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.grammar.cypher.table import Table, load
from uniqgen_ir.grammar.cypher.tokens import Kinds, Token

MAX_STACK: Final = 700
"""States on the stack, several for each open bracket; deeper nesting is refused rather than risking recursion later."""

_ACTIONS: Final[dict[str, Action]] = {
    **cypher_build_expressions.ACTIONS,
    **cypher_build_patterns.ACTIONS,
    **cypher_build_clauses.ACTIONS,
}
_KEEP: Final = 0
_LIST: Final = 1
_APPEND: Final = 2
_BUILD: Final = 3
_MODES: Final = {"same": _KEEP, "list_one": _LIST, "list_more": _APPEND, "list_comma": _APPEND}

_Step: TypeAlias = "tuple[int, str, int, Any, tuple[int, ...]]"
"""Mode, rule, number of symbols, builder, places of what is left out."""


class Recovery(Protocol):
    """What to do about a token that no rule takes."""

    def recover(self, parser: Parser, tokens: list[Token], place: int) -> int | None:
        """Report, mend the parser, and return the place of the token to go on with; None gives up."""
        ...


@cache
def _steps() -> tuple[_Step, ...]:
    return tuple(
        (_MODES.get(one.action, _BUILD), one.origin, one.size, _ACTIONS.get(one.action), one.absent)
        for one in load().productions
    )


class Parser:
    """One run over one text."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.table: Table = load()
        self.states: list[int] = [0]
        self.values: list[Any] = []
        self.starts: list[int] = []
        self.end = 0
        """where the last shifted token ended"""

    def parse(self, tokens: list[Token], recovery: Recovery) -> Any:
        """The value of the start symbol, or None where recovery gave up. The last token must be `$END`."""
        place = 0
        while place < len(tokens):
            place = self.run(tokens, place)
            if place < len(tokens):
                after = recovery.recover(self, tokens, place)
                if after is None:
                    return None
                place = after
        return self.values[0]

    def run(self, tokens: Sequence[Token], first: int) -> int:
        """Take tokens from `first` on; the place of the first that no rule takes, or the number of tokens."""
        table, steps, context = self.table.states, _steps(), self.context
        states, values, starts, end = self.states, self.values, self.starts, self.end
        for place in range(first, len(tokens)):
            token = tokens[place]
            kinds = token.kinds
            while True:
                row = table[states[-1]]
                for kind in kinds:
                    action = row.get(kind)
                    if action is not None:
                        break
                else:
                    self.end = end
                    return place
                if action >= 0:
                    states.append(action)
                    values.append(token)
                    starts.append(token.start)
                    end = token.end
                    break
                mode, origin, size, build, absent = steps[~action]
                if size == 1:
                    states.pop()
                else:
                    del states[-size:]
                if mode == _BUILD:
                    parts = values[-size:]
                    for gap in absent:
                        parts.insert(gap, None)
                    start = starts[-size]
                    del values[-size:]
                    if size > 1:
                        del starts[1 - size :]
                    values.append(build(context, parts, start, end))
                elif mode == _LIST:
                    values[-1] = [values[-1]]
                elif mode == _APPEND:
                    last = values[-1]
                    del values[1 - size :]
                    del starts[1 - size :]
                    values[-1].append(last)
                states.append(table[states[-1]][origin])
            if len(states) > MAX_STACK:
                self.end = end
                return place
        self.end = end
        return len(tokens)

    def accepts(self, terminal: str) -> bool:
        """Whether this terminal could be shifted now."""
        return self.carry([terminal], ()) == 0 and terminal in self.table.states[self.states[-1]]

    def carry(self, inserted: Sequence[str], tokens: Sequence[Token], depth: int | None = None) -> int:
        """How many of the tokens could be shifted after the inserted terminals; -1 where those cannot be shifted.

        On a stack cut to `depth` states where given. Nothing is built.
        """
        states = self.states[:depth]
        steps = _steps()
        for terminal in inserted:
            if not _shift(self.table, steps, states, (terminal,)):
                return -1
        for count, token in enumerate(tokens):
            if not _shift(self.table, steps, states, token.kinds):
                return count
        return len(tokens)

    def cut(self, depth: int) -> None:
        """Drop what stands above `depth` states."""
        del self.states[depth:]
        del self.values[depth - 1 :]
        del self.starts[depth - 1 :]

    def expected(self) -> list[str]:
        """The terminals that could really be shifted now, in the order of their names."""
        return [
            kind for kind in sorted(self.table.states[self.states[-1]]) if not kind.islower() and self.accepts(kind)
        ]


def _shift(table: Table, steps: Sequence[_Step], states: list[int], kinds: Kinds) -> bool:
    """Shift one of the candidates, on the states alone; False where none can be."""
    rows = table.states
    while True:
        row = rows[states[-1]]
        action = next((row[kind] for kind in kinds if kind in row), None)
        if action is None:
            return False
        if action >= 0:
            states.append(action)
            return True
        _, origin, size, _, _ = steps[~action]
        del states[-size:]
        states.append(rows[states[-1]][origin])
