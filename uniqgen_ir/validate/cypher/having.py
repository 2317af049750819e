"""Results that are filtered after they were grouped: `RETURN … HAVING …` and `RETURN … WHERE …` as `WITH … WHERE …`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from attrs import frozen

from uniqgen_ir.grammar.cypher.tokens import Token, scan
from uniqgen_ir.ir.diagnostics import Edit, Fix
from uniqgen_ir.validate.cypher.names import written

_PAGING: Final = frozenset({"ORDER", "SKIP", "LIMIT", "OFFSET"})
_ENDS: Final = _PAGING | {"RETURN", "WITH", "MATCH", "OPTIONAL", "UNWIND", "UNION", "CALL", ";", "}"}
_AGGREGATES: Final = frozenset({"count", "sum", "avg", "min", "max", "collect", "stdev"})
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


@frozen
class _Item:
    """A column: what it is, and its name; `given` where the query gives it one."""

    text: str
    name: str
    given: bool

    @property
    def projected(self) -> str:
        return self.text if self.text == self.name else f"{self.text} AS {self.name}"


def filtered_result(text: str, place: int) -> Fix | None:
    """The repair of the HAVING or WHERE that begins at a place and belongs to the RETURN or WITH before it.

    Columns keep their names; a column that has none of its own gets one, and the repair is then a guess.
    """
    tokens = [one for one in scan(text) if one.kinds != ("$END",)]
    filter_at = next((number for number, one in enumerate(tokens) if one.start == place), None)
    clause_at = None if filter_at is None else _clause_before(tokens, filter_at)
    if filter_at is None or clause_at is None:
        return None
    end = next(_top_level(tokens, filter_at + 1, _ENDS), len(tokens))
    group_at = next(_top_level(tokens, clause_at + 1, frozenset({"GROUP"})), filter_at)
    distinct = tokens[clause_at + 1].upper == "DISTINCT"
    columns = tokens[clause_at + 1 + distinct : min(group_at, filter_at)]
    items = _items(text, columns)
    if not items or end == filter_at + 1 or any(one.text == "*" for one in items):
        return None
    tail_end = next(_top_level(tokens, end, _ENDS - _PAGING), len(tokens))
    condition = text[tokens[filter_at + 1].start : tokens[end - 1].end]
    tail = text[tokens[end].start : tokens[tail_end - 1].end] if end < tail_end else ""
    return _fix(text, (tokens[clause_at], tokens[tail_end - 1]), items, condition, tail, distinct=distinct)


def _fix(
    text: str, ends: tuple[Token, Token], items: Sequence[_Item], condition: str, tail: str, *, distinct: bool
) -> Fix:
    hidden = _hidden(text, items, condition)
    before = ", ".join(one.projected for one in (*items, *hidden))
    known = (*items, *hidden)
    word = "WITH DISTINCT" if distinct else "WITH"
    parts = [word, before, "WHERE", _in_columns(condition, known)]
    if ends[0].upper == "RETURN":
        parts += ["RETURN", ", ".join(one.name for one in items)]
    parts += [_in_columns(tail, known)] if tail else []
    safe = all(one.given for one in items)
    return Fix("filter in a WITH before", (Edit(ends[0].start, ends[1].end, " ".join(parts)),), safe)


def _clause_before(tokens: Sequence[Token], place: int) -> int | None:
    for number in range(place - 1, -1, -1):
        if tokens[number].upper in ("RETURN", "WITH"):
            # not the WITH of STARTS WITH
            if tokens[number].upper == "WITH" and number and tokens[number - 1].upper in ("STARTS", "ENDS"):
                continue
            return number
    return None


def _top_level(tokens: Sequence[Token], start: int, words: frozenset[str]) -> Iterator[int]:
    """The places of words outside brackets."""
    depth = 0
    for number in range(start, len(tokens)):
        one = tokens[number]
        if depth == 0 and (one.upper in words or one.text in words):
            before = tokens[number - 1].upper
            if not (one.upper == "WITH" and before in ("STARTS", "ENDS")):
                yield number
        depth += (one.text in _CLOSING) - (one.text in _CLOSING.values())


def _items(text: str, tokens: Sequence[Token]) -> list[_Item]:
    found: list[_Item] = []
    cuts = [-1, *_top_level(tokens, 0, frozenset({","})), len(tokens)]
    for first, last in pairwise(cuts):
        part = tokens[first + 1 : last]
        if not part:
            return []
        if len(part) > 2 and part[-2].upper == "AS":
            found.append(_Item(text[part[0].start : part[-3].end], part[-1].text, given=True))
        elif len(part) == 1:
            found.append(_Item(part[0].text, part[0].text, given=True))
        else:
            whole = text[part[0].start : part[-1].end]
            found.append(_Item(whole, _fresh(part, {one.name for one in found}), given=False))
    return found


def _fresh(part: Sequence[Token], taken: set[str]) -> str:
    """`name` for `a.name`, `count` for `count(b)`."""
    words = [one.text for one in part if re.fullmatch(r"[^\W\d]\w*", one.text)]
    wish = words[0].lower() if part[0].text.lower() in _AGGREGATES else words[-1] if words else "value"
    name, number = wish, 1
    while name in taken:
        number += 1
        name = f"{wish}{number}"
    return written(name)


def _hidden(text: str, items: Sequence[_Item], condition: str) -> list[_Item]:
    """Aggregates that the condition tests and that are no columns."""
    known = {_squashed(one.text) for one in items}
    found: list[_Item] = []
    tokens = scan(condition)
    for number, one in enumerate(tokens[:-1]):
        if one.text.lower() not in _AGGREGATES or tokens[number + 1].text != "(":
            continue
        close = next(
            (at for at in range(number + 2, len(tokens)) if _balanced(tokens[number + 1 : at + 1])), len(tokens) - 1
        )
        whole = condition[one.start : tokens[close].end]
        if _squashed(whole) not in known:
            known.add(_squashed(whole))
            taken = {item.name for item in (*items, *found)} | set(re.findall(r"\w+", text))
            found.append(_Item(whole, _fresh(tokens[number : close + 1], taken), given=True))
    return found


def _balanced(tokens: Sequence[Token]) -> bool:
    return sum((one.text in _CLOSING) - (one.text in _CLOSING.values()) for one in tokens) == 0


def _in_columns(text: str, items: Sequence[_Item]) -> str:
    """The text with columns in the place of what they are."""
    computed = [(_words(one.text), one.name) for one in items if one.text != one.name]
    computed.sort(key=lambda one: len(one[0]), reverse=True)
    tokens = [one for one in scan(text) if one.kinds != ("$END",)]
    words = [one.text.lower() for one in tokens]
    edits: list[tuple[int, int, str]] = []
    place = 0
    while place < len(tokens):
        inside = bool(place) and tokens[place - 1].text == "."
        fitting = [(sought, name) for sought, name in computed if words[place : place + len(sought)] == sought]
        if not fitting or inside:
            place += 1
            continue
        sought, name = fitting[0]
        edits.append((tokens[place].start, tokens[place + len(sought) - 1].end, name))
        place += len(sought)
    for start, end, name in reversed(edits):
        text = text[:start] + name + text[end:]
    return text


def _words(text: str) -> list[str]:
    return [one.text.lower() for one in scan(text) if one.kinds != ("$END",)]


def _squashed(text: str) -> str:
    return "".join(text.split()).lower()
