"""The parse table of SPARQL, loaded once from `sparql.table.json`."""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from importlib import resources
from typing import Any, Final

from attrs import frozen

_FIRST: Final = ("VARIABLE", "PNAME_LN", "IRIREF", "BLANK", "PNAME_NS")
_SKIP: Final = r"(?:[ \t\r\n]+|#[^\r\n]*)*+"


@frozen
class Rule:
    """A production: the rule that it belongs to, how many symbols it takes, and the builder's method, if any."""

    origin: str
    size: int
    action: str | None


@frozen
class ParseTable:
    """What the parser needs, numbers as `sparql_generate` writes them."""

    start: int
    states: tuple[dict[str, int], ...]
    rules: tuple[Rule, ...]
    keywords: dict[str, str]
    scanner: re.Pattern[str]
    shortcuts: dict[tuple[int, str, str], int]
    """What `SparqlParser` finds out about chains of reductions: a cache, filled as it goes."""


@cache
def parse_table() -> ParseTable:
    """The packaged table."""
    text = resources.files("uniqgen_ir.grammar").joinpath("sparql.table.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    intern = sys.intern
    return ParseTable(
        start=data["start"],
        states=tuple({intern(symbol): action for symbol, action in state.items()} for state in data["states"]),
        rules=tuple(Rule(intern(origin), size, action) for origin, size, action in data["rules"]),
        keywords={word: intern(kind) for word, kind in data["keywords"].items()},
        scanner=re.compile(_scanner(dict(data["patterns"]))),
        shortcuts={},
    )


def _scanner(patterns: dict[str, str]) -> str:
    """One regular expression for blanks and comments, then a token: the frequent kinds are tried first."""
    first = [(name, patterns[name]) for name in _FIRST]
    others = [(name, regex) for name, regex in patterns.items() if name not in _FIRST]
    tokens = [*first, ("WORD", "[A-Za-z_][A-Za-z0-9_]*"), *others, ("END", r"\Z"), ("BAD", "(?s:.)")]
    return _SKIP + "(?:" + "|".join(f"(?P<{name}>{regex})" for name, regex in tokens) + ")"
