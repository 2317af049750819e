"""Makes `sparql.table.json`, the parse table and the terminals, from `sparql.lark`.

Run `python -m uniqgen_ir.grammar.sparql.generate` after a change of the grammar; a test fails while the two differ.
Lark is needed here only: reading a query takes the table from the file, which is 40 times faster than building it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lark import Lark
from lark.lexer import Lexer, LexerState, Token

FOLDER = Path(__file__).parents[1]
GRAMMAR = FOLDER / "sparql.lark"
TABLE = FOLDER / "sparql.table.json"

_WORD = re.compile(r"[A-Za-z_0-9]+")


class _NoLexer(Lexer):
    """Lark checks a lexer of its own for collisions, for minutes; ours decides by the order of the patterns."""

    def __init__(self, _conf: Any) -> None:
        pass

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:  # noqa: ARG002
        return iter(())


def build() -> dict[str, Any]:
    """The table as plain data. Raises lark.GrammarError on any conflict (`strict=True`)."""
    text = GRAMMAR.read_text(encoding="utf-8")
    lark: Any = Lark(text, parser="lalr", lexer=_NoLexer, strict=True, maybe_placeholders=False)
    table = lark.parser.parser._parse_table
    rules = list(lark.rules)
    # the augmented start rule is not among `lark.rules`; the end state stands for it
    number = {rule: place for place, rule in enumerate(rules)}
    keywords, patterns = _terminals(lark)
    order = _order(table)
    return {
        "grammar": hashlib.sha256(text.encode()).hexdigest(),
        "start": 0,
        "rules": [[rule.origin.name, len(rule.expansion), _action(rule)] for rule in rules],
        "states": [_state(table, number, order, state) for state in order],
        "keywords": keywords,
        "patterns": patterns,
    }


def _action(rule: Any) -> str | None:
    if rule.alias is None and len(rule.expansion) != 1:
        raise ValueError(f"an alternative of {rule.origin.name} needs a name")
    return rule.alias  # type: ignore[no-any-return]


def _order(table: Any) -> dict[int, int]:
    """States → numbers, in the order in which a walk meets them: Lark's own order differs from run to run."""
    order: dict[int, int] = {table.start_states["start"]: 0}
    waiting = list(order)
    while waiting:
        actions = table.states[waiting.pop(0)]
        for symbol in sorted(actions):
            action, argument = actions[symbol]
            if action.name == "Shift" and argument not in order:
                order[argument] = len(order)
                waiting.append(argument)
    return order


def _state(table: Any, number: dict[Any, int], order: dict[int, int], state: int) -> dict[str, int]:
    """Terminal → n: shift to state n - 1 (n > 0), reduce by rule -n - 1 (n < 0), accept (0); rule → next state."""
    found: dict[str, int] = {}
    for symbol, (action, argument) in table.states[state].items():
        found[symbol] = order[argument] + 1 if action.name == "Shift" else -number[argument] - 1
        if symbol.islower():
            found[symbol] = order[argument]
    if state == table.end_states["start"]:
        found["$END"] = 0
    return dict(sorted(found.items()))


def _terminals(lark: Any) -> tuple[dict[str, str], list[list[str]]]:
    """Words → terminal, in upper case (`a` as it is), and the other terminals, those that must be tried first ahead."""
    keywords: dict[str, str] = {}
    patterns: list[tuple[int, int, str, str]] = []
    for terminal in lark.terminals:
        value: str = terminal.pattern.value
        words = re.findall(r"\(\?i:(\w+)\)", value) or [value]
        if terminal.name in lark.ignore_tokens:
            continue
        if all(_WORD.fullmatch(word) for word in words):
            keywords |= {word if word == "a" else word.upper(): terminal.name for word in words}
        else:
            fixed = terminal.pattern.type == "str"
            regex = re.escape(value) if fixed else value
            # symbols last, the longest first; among the others the priorities of the grammar decide
            patterns.append((1 if fixed else 0, -len(value) if fixed else -terminal.priority, terminal.name, regex))
    return keywords, [[name, regex] for _, _, name, regex in sorted(patterns)]


def main() -> None:
    """Write the table."""
    TABLE.write_text(json.dumps(build(), separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
