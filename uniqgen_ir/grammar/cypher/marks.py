"""The marking pass: merge words, match brackets, and decide what a bracket, a dash or a bar opens.

* `(a)-[…]->(`, `(a)--(` : relationship dashes and node brackets, unless a function's name stands before the first `(`;
* `[x IN`, `[(a)-->`, `[p = (` : comprehensions, whose last `|` outside inner brackets is the bar;
* `any(x IN`, `reduce(a =`, `exists {`, `shortestPath(` : by the words that follow.

The parser's state has the last word: marks only order the candidates.
"""

from __future__ import annotations

from typing import Final

from uniqgen_ir.grammar.cypher.merge import MERGES, selector_end
from uniqgen_ir.grammar.cypher.tokens import (
    COMPREHENSION_BAR,
    DASH,
    LEFT_ARROW,
    NODE_PAREN,
    RIGHT_ARROW,
    Kinds,
    Token,
)

_NO_MERGE_AFTER: Final = frozenset({".", ":", "AS"})
_CLOSERS: Final = {")": "(", "]": "[", "}": "{"}
_AHEAD: Final = frozenset(
    {
        *("EXISTS", "COUNT", "COLLECT", "ANY", "ALL", "NONE", "SINGLE", "SHORTEST", "REDUCE", "SHORTESTPATH"),
        *("ALLSHORTESTPATHS", "CASE", "NOT"),
    }
)
_CLAUSES: Final = frozenset(
    {"MATCH", "WITH", "RETURN", "WHERE", "UNWIND", "CALL", "CREATE", "MERGE", "DELETE", "LIMIT"}
)
_LABEL_MARKS: Final = frozenset({":", "|", "&", "!"})


def mark(tokens: list[Token]) -> list[Token]:
    """The same tokens with words merged, brackets matched and candidates put in order."""
    out: list[Token] = []
    place, size = 0, len(tokens)
    merges, ahead = MERGES, _AHEAD
    while place < size:
        token = tokens[place]
        key = token.upper or token.text
        if key in merges and (place == 0 or (tokens[place - 1].upper or tokens[place - 1].text) not in _NO_MERGE_AFTER):
            merged = merges[key](tokens, place)
            if merged is not None:
                place = _merge(tokens, place, merged, out)
                continue
        if key in ahead:
            end = selector_end(tokens, place, out[-1]) if out and key in ("ANY", "ALL", "SHORTEST") else -1
            if end > place + 1:
                place = _merge(tokens, place, ("SELECTOR", end), out)
                continue
            token.kinds = _look_ahead(tokens, place, key, end > 0)
        elif key in _CLAUSES and _begins_clause(tokens, place):
            token.kinds = token.kinds[:1]
        out.append(token)
        place += 1
    for opener in _match_brackets(out):
        if out[opener].text == "(":
            _mark_relationship(out, opener)
        else:
            _mark_list(out, opener)
    return out


def _begins_clause(tokens: list[Token], place: int) -> bool:
    """Whether a clause word cannot be a name here: an operand follows, which no name could stand before."""
    before, after = tokens[place - 1] if place else tokens[place], tokens[place + 1]
    if before.text in _LABEL_MARKS or before.text in (".", "$", "(", "{") or before.upper == "AS":
        return False
    return after.kinds in (("NAME",), ("STRING",), ("INT",)) or (tokens[place].upper == "MATCH" and after.text == "(")


def _merge(tokens: list[Token], place: int, merged: tuple[str, int], out: list[Token]) -> int:
    terminal, after = merged
    words = " ".join(token.upper or token.text for token in tokens[place:after])
    kinds = (terminal, "NAME") if after == place + 1 else (terminal,)
    out.append(Token(kinds, words, tokens[place].start, tokens[after - 1].end, words))
    return after


def _look_ahead(tokens: list[Token], place: int, word: str, selector: bool) -> Kinds:
    """The candidates of a word whose meaning depends on what follows."""
    token, following = tokens[place], tokens[place + 1].text
    next_word = tokens[place + 2] if place + 2 < len(tokens) else token
    third = tokens[place + 3] if place + 3 < len(tokens) else token
    first: tuple[str, ...] = ("SELECTOR",) if selector else ()
    if word in ("CASE", "NOT"):
        return ("NAME",) if following in (".", ",", ")", "]", "}", ":", "") else (word, "NAME")
    if word in ("EXISTS", "COUNT", "COLLECT"):
        projection = next_word.text in (".", "}") or (next_word.kinds[-1] == "NAME" and third.text in (":", ",", "}"))
        return ("SUBQUERY", "NAME") if following == "{" and not projection else ("NAME",)
    if following != "(":
        return ("NAME",)
    if word in ("SHORTESTPATH", "ALLSHORTESTPATHS"):
        return ("SHORTEST_PATH", "NAME")
    if word == "REDUCE":
        return ("REDUCE", "NAME") if third.text == "=" else ("NAME",)
    return (*first, "QUANTIFIER", "NAME") if third.upper == "IN" and word != "SHORTEST" else (*first, "NAME")


def _match_brackets(tokens: list[Token]) -> list[int]:
    """Set the partners; return the places of `(` and `[` in order."""
    stack: list[int] = []
    openers: list[int] = []
    open_count = {"(": 0, "[": 0, "{": 0}
    for place, token in enumerate(tokens):
        text = token.text
        if text in ("(", "[", "{"):
            stack.append(place)
            open_count[text] += 1
            if text != "{":
                openers.append(place)
        elif text in _CLOSERS and open_count[_CLOSERS[text]]:
            # a closer that nothing fits leaves the open brackets alone; one that fits ends those inside
            while True:
                opener = stack.pop()
                open_count[tokens[opener].text] -= 1
                if tokens[opener].text == _CLOSERS[text]:
                    break
            tokens[opener].partner, token.partner = place, opener
    return openers


def _relationship_end(tokens: list[Token], place: int) -> int:
    """The place of the `(` after the relationship that begins at `place`; -1 where none does."""
    if tokens[place].text == "<":
        place += 1
    if tokens[place].text != "-":
        return -1
    place += 1
    if tokens[place].text == "[":
        place = tokens[place].partner + 1
        if place == 0:
            return -1
    if tokens[place].text != "-":
        return -1
    place += 1
    if tokens[place].text == ">":
        place += 1
    if tokens[place].text in ("+", "*"):
        place += 1
    elif tokens[place].text == "{":
        place = tokens[place].partner + 1
    return place if tokens[place].text == "(" else -1


def _mark_relationship(tokens: list[Token], opener: int) -> None:
    token = tokens[opener]
    before = tokens[opener - 1].kinds[0] if opener else ""
    if before in ("REDUCE", "FOREACH"):
        _mark_bar(tokens, opener, last=before == "REDUCE")
    if token.partner < 0 or tokens[token.partner + 1].text not in ("-", "<"):
        return
    start = token.partner + 1
    end = _relationship_end(tokens, start)
    if end < 0:
        return
    if before != "NAME":
        token.kinds = NODE_PAREN
    place = start
    while place < end:
        text = tokens[place].text
        if text == "[":
            place = tokens[place].partner
        elif text == "-":
            tokens[place].kinds = DASH
        elif text == "<":
            tokens[place].kinds = LEFT_ARROW
        elif text == ">":
            tokens[place].kinds = RIGHT_ARROW
        place += 1
    tokens[end].kinds = NODE_PAREN


def _mark_list(tokens: list[Token], opener: int) -> None:
    first = tokens[opener + 1]
    if first.kinds[-1] == "NAME":
        following = tokens[opener + 2]
        if following.upper == "IN":
            tokens[opener].kinds = ("LCOMP", "LBRACK")
            _mark_bar(tokens, opener, last=True)
            return
        if following.text != "=":
            return
        first = tokens[opener + 3] if opener + 3 < len(tokens) else first
    if first.text == "(" and first.partner > 0 and _relationship_end(tokens, first.partner + 1) > 0:
        bar = _mark_bar(tokens, opener, last=True)
        if bar:
            tokens[opener].kinds = ("PCOMP", "LBRACK")


def _mark_bar(tokens: list[Token], opener: int, *, last: bool) -> bool:
    """Mark the last (or first) `|` between the brackets that no inner brackets hold. False where there is none."""
    closer = tokens[opener].partner
    found = -1
    place = opener + 1
    while place < closer:
        token = tokens[place]
        if token.text == "|" and (last or found < 0):
            found = place
        place = token.partner + 1 if token.partner > place else place + 1
    if found < 0 or _is_label_bar(tokens, opener, found):
        return False
    tokens[found].kinds = COMPREHENSION_BAR
    return True


def _is_label_bar(tokens: list[Token], opener: int, bar: int) -> bool:
    """`[x IN xs WHERE x:A|B]`: a second label, unless B is a variable, which shows in its having been used as one."""
    if tokens[bar + 2].text != "]" or tokens[bar - 1].kinds[-1] != "NAME" or tokens[bar - 2].text not in _LABEL_MARKS:
        return False
    name = tokens[bar + 1].text
    return tokens[bar + 1].kinds[-1] == "NAME" and not any(
        token.text == name and tokens[place - 1].text not in _LABEL_MARKS and tokens[place - 1].text != "."
        for place, token in enumerate(tokens[: opener + 2])
    )
