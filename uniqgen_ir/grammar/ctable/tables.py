"""Parse tables: made from a `.lark` grammar once, kept as JSON beside it, loaded in milliseconds.

Lark checks the grammar (LALR(1), no conflict) and computes the table; the small driver in `lalr.py` runs it. After a
change of a grammar, `python -m uniqgen_ir.grammar.ctable.tables` writes the table again; a test fails where it was
forgotten.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

from uniqgen_ir.grammar.ctable.lalr import Rule, Table

FOLDER = Path(__file__).parents[1]
STARTS = {"ctable": ("ctable_file", "schema_file")}
"""The grammars that are driven by a table, with their start symbols."""


def compile_grammar(name: str) -> dict[str, Any]:
    """The table of `<name>.lark` as plain data. Raises `lark.exceptions.GrammarError` on any conflict."""
    from lark import Lark
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        """Lark wants a lexer; ours is not Lark's business."""

        def __init__(self, _conf: object) -> None: ...

        def lex(self, lexer_state: Any, parser_state: Any) -> Any:
            raise NotImplementedError("tables are computed, not run, through Lark")

    text = (FOLDER / f"{name}.lark").read_text(encoding="utf-8")
    parser: Any = Lark(text, parser="lalr", lexer=NoLexer, start=list(STARTS[name]), strict=True)  # pyright: ignore
    table = parser.parser.parser._parse_table
    rules: dict[Any, int] = {}
    states: list[dict[str, int]] = []
    order = _in_order(table, STARTS[name])
    numbers = {state: place for place, state in enumerate(order)}
    for state in order:
        row: dict[str, int] = {}
        for symbol, (action, argument) in sorted(table.states[state].items()):
            if str(action) == "Shift":
                row[symbol] = numbers[argument]
            else:
                row[symbol] = ~rules.setdefault(argument, len(rules))
        states.append(row)
    return {
        "starts": {start: numbers[table.start_states[start]] for start in STARTS[name]},
        "ends": {start: numbers[table.end_states[start]] for start in STARTS[name]},
        "rules": [_rule(rule) for rule in rules],
        "states": states,
    }


def _in_order(table: Any, starts: tuple[str, ...]) -> list[Any]:
    """The states as a walk from the starts meets them: Lark's own numbers differ from run to run."""
    order = dict.fromkeys(table.start_states[start] for start in starts)
    waiting = list(order)
    for state in waiting:
        for _, (action, argument) in sorted(table.states[state].items()):
            if str(action) == "Shift" and argument not in order:
                order[argument] = None
                waiting.append(argument)
    return waiting


def _rule(rule: Any) -> dict[str, Any]:
    symbols = [str(symbol.name) for symbol in rule.expansion]
    name = str(rule.alias or rule.origin.name)
    return {
        "origin": str(rule.origin.name),
        "name": "" if name.startswith("_") else name,
        "size": len(symbols),
        "keep": [place for place, symbol in enumerate(symbols) if not (symbol.startswith("_") and symbol.isupper())],
        "inline": bool(rule.options.expand1) and not rule.alias,
    }


def dump(name: str) -> str:
    """The table as the text of its file."""
    data = compile_grammar(name)
    parts = [json.dumps(data[key], separators=(",", ":")) for key in ("starts", "ends")]
    rules = ",\n".join(json.dumps(rule, separators=(",", ":")) for rule in data["rules"])
    states = ",\n".join(json.dumps(state, separators=(",", ":")) for state in data["states"])
    return f'{{"starts":{parts[0]},\n"ends":{parts[1]},\n"rules":[\n{rules}],\n"states":[\n{states}]}}\n'


@cache
def load(name: str) -> Table:
    """The packaged table of a grammar."""
    data = json.loads((FOLDER / f"{name}.table.json").read_bytes())
    intern = sys.intern
    rules = tuple(_loaded(one) for one in data["rules"])
    states = tuple({intern(symbol): action for symbol, action in row.items()} for row in data["states"])
    return Table(states, rules, data["starts"], data["ends"])


def _loaded(data: dict[str, Any]) -> Rule:
    keep = tuple[int, ...](data["keep"])
    return Rule(
        origin=sys.intern(data["origin"]),
        name=sys.intern(data["name"]),
        size=data["size"],
        keep=keep,
        inline=data["inline"],
        passes=data["size"] == 1 and bool(keep) and (data["inline"] or not data["name"]),
        tail=keep[1:] if keep[:1] == (0,) else keep,
    )


def main() -> None:
    """Write every table again."""
    for name in STARTS:
        (FOLDER / f"{name}.table.json").write_text(dump(name), encoding="utf-8")


if __name__ == "__main__":
    main()
