"""Rows that a server leaves out: what its reply tells, and which numbers of rows make one count."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_PROLOGUE: Final = re.compile(r"(?:\s+|#[^\n]*(?:\n|$)|BASE\s*<[^>]*>|PREFIX\s*[^\s:<]*:\s*<[^>]*>)*", re.IGNORECASE)
_TRAILING_LIMIT: Final = re.compile(r"\bLIMIT\s+(\d+)\s*(?:OFFSET\s+\d+\s*)?$", re.IGNORECASE)
_LEAST: Final = 100


def prologue_end(text: str) -> int:
    """Where the query itself begins, behind its prefixes and comments."""
    found = _PROLOGUE.match(text)
    return found.end() if found else 0


def told_cut(status: int, headers: Mapping[str, str], rows: int) -> str | None:
    """Why the reply itself says that rows are missing; None where it does not."""
    # Virtuoso sends what it found within its own time limit as 206, or with this SQL state
    if status == 206 or headers.get("x-sql-state") == "S1TAT":
        return "the server stopped at its own time limit and sent what it had"
    most = headers.get("x-sparql-maxrows", "")
    if most.isdigit() and rows >= int(most):
        return f"the server sends at most {int(most):,} rows"
    return None


def looks_cut(text: str, rows: int) -> bool:
    """Whether the number of rows is one that caps have: whole hundreds, powers of two; not the query's own limit."""
    if rows < _LEAST:
        return False
    own = _TRAILING_LIMIT.search(text)
    if own is not None and int(own[1]) == rows:
        return False
    return rows % 100 == 0 or rows & (rows - 1) == 0


def counting(text: str) -> str:
    """A query for the number of rows of another query."""
    start = prologue_end(text)
    # a comment at the end must not swallow the closing brace
    return f"{text[:start]}SELECT (COUNT(*) AS ?rows) WHERE {{ {{ {text[start:]}\n}} }}"
