"""The parse table of Cypher: made from `cypher.lark` once, kept as `cypher.table.json`, loaded in milliseconds.

Lark checks the grammar (LALR(1), no conflict) and computes the table. After a change of the grammar,
`python -m uniqgen_ir.grammar.cypher.table` writes it again; a test fails where that was forgotten.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from attrs import frozen

GRAMMAR: Final = "cypher.lark"
FILE: Final = "cypher.table.json"
FOLDER: Final = Path(__file__).parents[1]


@frozen
class Production:
    """One alternative of a rule.

    `action` names the builder's function; `size` counts the symbols; `arity` its parameters, of which those at
    `absent` are optional parts that this alternative leaves out.
    """

    origin: str
    action: str
    size: int
    arity: int
    absent: tuple[int, ...]


@frozen
class Table:
    """Actions by state and symbol: a state to shift to (or go to), or `~production` to reduce by. State 0 starts."""

    states: tuple[dict[str, int], ...]
    productions: tuple[Production, ...]


def compile_table() -> dict[str, Any]:
    """The table as plain data, the same on every run. Raises `lark.exceptions.GrammarError` on any conflict."""
    from lark import Lark
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        """Only the table is wanted of Lark."""

        def __init__(self, _conf: object) -> None: ...

        def lex(self, lexer_state: Any, parser_state: Any) -> Any:
            raise NotImplementedError("the table is computed, not run, through Lark")

    text = (FOLDER / GRAMMAR).read_text(encoding="utf-8")
    parser: Any = Lark(text, parser="lalr", lexer=NoLexer, strict=True, maybe_placeholders=True)  # pyright: ignore
    return _plain(parser.parser.parser._parse_table)


def _plain(table: Any) -> dict[str, Any]:
    """Number states in order of discovery and productions by their text: Lark's own order depends on string hashes."""
    order: dict[Any, int] = {table.start_states["start"]: 0}
    queue = [table.start_states["start"]]
    productions: dict[tuple[str, ...], list[Any]] = {}
    for state in queue:
        for _, (action, argument) in sorted(table.states[state].items()):
            if str(action) != "Shift":
                productions[_key(argument)] = _production(argument)
            elif argument not in order:
                order[argument] = len(order)
                queue.append(argument)
    numbers = {key: place for place, key in enumerate(sorted(productions))}
    states = [
        {
            symbol: order[argument] if str(action) == "Shift" else ~numbers[_key(argument)]
            for symbol, (action, argument) in sorted(table.states[state].items())
        }
        for state in queue
    ]
    # Lark stops in the state after the start symbol; here the end of the text is shifted like any other token
    states[order[table.end_states["start"]]]["$END"] = len(states)
    states.append({})
    return {"productions": [productions[key] for key in numbers], "states": states}


def _key(rule: Any) -> tuple[str, ...]:
    return (str(rule.origin.name), str(rule.alias), *(str(symbol.name) for symbol in rule.expansion))


def _production(rule: Any) -> list[Any]:
    size = len(rule.expansion)
    # for each optional place, whether it is left out; a False stands for a symbol that is there
    flags = list(rule.options.empty_indices) or [False] * size
    absent = [place for place, empty in enumerate(flags) if empty]
    return [str(rule.origin.name), str(rule.alias or rule.origin.name), size, len(flags), absent]


def dump() -> str:
    """The table as the text of its file."""
    data = compile_table()
    lines = {key: ",\n".join(json.dumps(one, separators=(",", ":")) for one in data[key]) for key in data}
    return f'{{"productions":[\n{lines["productions"]}],\n"states":[\n{lines["states"]}]}}\n'


@cache
def load() -> Table:
    """The packaged table."""
    data = json.loads(resources.files("uniqgen_ir.grammar").joinpath(FILE).read_text(encoding="utf-8"))
    intern = sys.intern
    productions = tuple(
        Production(intern(origin), intern(action), size, arity, tuple(absent))
        for origin, action, size, arity, absent in data["productions"]
    )
    states = tuple({intern(symbol): action for symbol, action in row.items()} for row in data["states"])
    return Table(states, productions)


def main() -> None:
    """Write the table again."""
    (FOLDER / FILE).write_text(dump(), encoding="utf-8")


if __name__ == "__main__":
    main()
