"""Slips that people and models make when they write Cypher: each with its message and, where possible, its repair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from attrs import frozen

from uniqgen_ir.grammar.cypher.context import replace
from uniqgen_ir.grammar.cypher.driver import Parser
from uniqgen_ir.grammar.cypher.text import string_value
from uniqgen_ir.grammar.cypher.tokens import KEYWORDS, Token
from uniqgen_ir.ir.diagnostics import Edit, Fix


@frozen
class Slip:
    """A message about `text[start:end]`; `tokens[first:last]` become `tokens`, and reading goes on at `first`."""

    message: str
    start: int
    end: int
    first: int
    last: int
    tokens: tuple[Token, ...] = ()
    hint: str | None = None
    fix: Fix | None = None
    code: str = "UQ180"


Find: TypeAlias = "Callable[[str, Parser, Sequence[Token], int], Slip | None]"


def known_slip(text: str, parser: Parser, tokens: Sequence[Token], place: int) -> Slip | None:
    """The slip that the token at `place`, which no rule takes, is part of; None where it is none of the known ones."""
    for find in _SLIPS:
        slip = find(text, parser, tokens, place)
        if slip is not None:
            return slip
    return None


def _made(kind: str, text: str, old: Token) -> Token:
    return Token((kind,), text, old.start, old.end, text if text.isalpha() else "")


def _operator(_text: str, _parser: Parser, tokens: Sequence[Token], place: int) -> Slip | None:
    """`==`, `!=`, `&&`, `<=>`: operators of other languages, made of two words here."""
    if place == 0:
        return None
    for first in (place - 1, place):
        pair = tokens[first].text + (tokens[first + 1].text if first + 1 < len(tokens) else "")
        meant = {"==": "=", "!=": "<>", "&&": "AND"}.get(pair)
        if meant is None or tokens[first].end != tokens[first + 1].start:
            continue
        start, end = tokens[first].start, tokens[first + 1].end
        fix = replace(start, end, meant, f"write {meant}")
        message = f"`{pair}` is no operator of Cypher"
        if first == place:
            kind = "EQ" if meant == "=" else "OPERATOR"
            token = Token((kind,), meant, start, end, meant if meant.isalpha() else "")
            return Slip(message, start, end, place, place + 2, (token,), f"write `{meant}`", fix)
        # the first of the pair was taken already, as the same operator
        return Slip(message, start, end, place, place + 1, (), f"write `{meant}`", fix)
    return None


def _like(text: str, parser: Parser, tokens: Sequence[Token], place: int) -> Slip | None:
    token, pattern = tokens[place], tokens[place + 1] if place + 1 < len(tokens) else tokens[place]
    if token.upper not in ("LIKE", "ILIKE", "BETWEEN", "MATCHES", "EQUALS") or not parser.accepts("OPERATOR"):
        return None
    made = _made("OPERATOR", "CONTAINS", token)
    message = f"{token.upper} is no operator of Cypher"
    hint = "write CONTAINS, STARTS WITH, ENDS WITH, or =~ with a regular expression"
    if token.upper == "BETWEEN":
        between = _between_fix(text, tokens, place)
        return Slip(message, token.start, token.end, place, place + 1, (made,), "write `low <= x <= high`", between)
    fix = None
    if token.upper == "LIKE" and pattern.kinds == ("STRING",):
        fix = _like_fix(token, pattern)
    return Slip(message, token.start, token.end, place, place + 1, (made,), hint, fix)


def _between_fix(text: str, tokens: Sequence[Token], place: int) -> Fix | None:
    """`x BETWEEN 1 AND 9` as `1 <= x <= 9`, where both bounds are single words."""
    if place + 3 >= len(tokens) or tokens[place + 2].upper != "AND":
        return None
    start, value_end = _operand_start(tokens, place), tokens[place - 1].end
    low, high = tokens[place + 1], tokens[place + 3]
    written = f"{low.text} <= {text[start:value_end]} <= {high.text}"
    return replace(start, high.end, written, "write low <= x <= high")


def _like_fix(token: Token, pattern: Token) -> Fix | None:
    body, _ = string_value(pattern.text)
    quote, inner = pattern.text[0], pattern.text[1:-1]
    core = body.strip("%")
    if "%" in core or "_" in core or "\\" in inner:
        return None
    ends = (body.startswith("%"), body.endswith("%"))
    operator = {(True, True): "CONTAINS", (False, True): "STARTS WITH", (True, False): "ENDS WITH"}.get(ends, "=")
    text = f"{operator} {quote}{inner.strip('%')}{quote}"
    return replace(token.start, pattern.end, text, f"write {operator}", safe=False)


def _not_in(_text: str, parser: Parser, tokens: Sequence[Token], place: int) -> Slip | None:
    """`x NOT IN y`: NOT stands before the whole comparison in Cypher."""
    token = tokens[place]
    if token.upper != "NOT" or place + 1 >= len(tokens):
        return None
    operator = tokens[place + 1]
    if operator.kinds[0] not in ("IN", "OPERATOR") or not parser.accepts(operator.kinds[0]):
        return None
    start = _operand_start(tokens, place)
    edits = (Edit(start, start, "NOT "), Edit(token.start, operator.start, ""))
    message = f"NOT cannot stand before {operator.upper}"
    hint = f"write `NOT x {operator.upper} y`"
    return Slip(
        message, token.start, operator.end, place, place + 1, (), hint, Fix("put NOT before the comparison", edits)
    )


def _operand_start(tokens: Sequence[Token], place: int) -> int:
    """Where the operand that ends before `place` begins: `f(x)`, `a.b[0]`, `'text'`."""
    first = place - 1
    while first > 0:
        token = tokens[first]
        if 0 <= token.partner < first:
            # what is in brackets belongs to what stands before them, if that is a name
            first = token.partner
            if tokens[first - 1].kinds[-1] != "NAME" or tokens[first - 1].kinds[0] != "NAME":
                break
            first -= 1
        elif tokens[first - 1].text == ".":
            first -= 2
        else:
            break
    return tokens[max(first, 0)].start


def _spaced_name(text: str, _parser: Parser, tokens: Sequence[Token], place: int) -> Slip | None:
    """`(c:Medical Condition)`, `[:HAS MD5 hash]`: a name with spaces needs backticks."""
    token, before = tokens[place], tokens[place - 1] if place else tokens[place]
    if not token.upper or place < 2 or before.kinds[-1] != "NAME" or tokens[place - 2].text not in (":", "|", "&"):
        return None
    last = place
    while tokens[last + 1].upper and text[tokens[last].end : tokens[last + 1].start].strip() == "":
        last += 1
    if not set(tokens[last + 1].kinds) & {"RPAR", "RBRACK", "LBRACE", "STAR", "BAR"} or _is_clause(token):
        return None
    name = text[before.start : tokens[last].end]
    fix = replace(before.start, tokens[last].end, f"`{name}`", "put the name in backticks")
    message = f"a name with spaces needs backticks: `{name}`"
    return Slip(message, token.start, tokens[last].end, place, last + 1, (), f"write `{name}` in backticks", fix)


def _is_clause(token: Token) -> bool:
    return KEYWORDS.get(token.upper, ("",))[0] in ("WHERE", "MATCH", "RETURN", "WITH")


def _quoted_key(_text: str, parser: Parser, tokens: Sequence[Token], place: int) -> Slip | None:
    """`{'name': 1}`: keys of maps are names."""
    token = tokens[place]
    if token.kinds != ("STRING",) or tokens[place + 1].text != ":" or not parser.accepts("NAME"):
        return None
    value, _ = string_value(token.text)
    name = value if value.isidentifier() else f"`{value.replace('`', '``')}`"
    fix = replace(token.start, token.end, name, f"write {name}")
    made = Token(("NAME",), name, token.start, token.end)
    return Slip(
        "a key is a name, not a string", token.start, token.end, place, place + 1, (made,), f"write {name}", fix
    )


def _size_braces(_text: str, _parser: Parser, tokens: Sequence[Token], place: int) -> Slip | None:
    """`size {(a)-->()}`: counting a pattern is `COUNT {…}`."""
    if place < 2 or tokens[place - 1].text != "{" or tokens[place - 2].upper != "SIZE":
        return None
    word = tokens[place - 2]
    if tokens[place].text != "(" and tokens[place].upper != "MATCH":
        return None
    closer = tokens[place - 1].partner
    if closer < place:
        return None
    fix = replace(word.start, word.end, "COUNT", "write COUNT")
    # the braces are read as an empty projection
    return Slip("patterns are counted with COUNT { … }", word.start, word.end, place, closer, (), "write COUNT", fix)


def _length_after_map(text: str, _parser: Parser, tokens: Sequence[Token], place: int) -> Slip | None:
    """`[:KNOWS {since: 1}*1..3]`: the length stands before the properties."""
    token, before = tokens[place], tokens[place - 1] if place else tokens[place]
    if token.text != "*" or before.text != "}" or before.partner < 0:
        return None
    last = place
    while tokens[last + 1].kinds[0] in ("INT", "DOTDOT"):
        last += 1
    if tokens[last + 1].text != "]":
        return None
    opener, length = tokens[before.partner], text[token.start : tokens[last].end]
    gap = opener.start
    while text[gap - 1].isspace():
        gap -= 1
    fix = Fix("put the length first", (Edit(gap, gap, length), Edit(token.start, tokens[last].end, "")))
    return Slip(
        "the length stands before the properties", token.start, tokens[last].end, place, last + 1, (), None, fix
    )


def _filter_call(_text: str, _parser: Parser, tokens: Sequence[Token], place: int) -> Slip | None:
    """`filter(x IN xs WHERE …)`, `extract(x IN xs | …)`: list comprehensions of old."""
    if tokens[place].upper != "WHERE" and tokens[place].text != "|":
        return None
    opener = next((back for back in range(place - 1, 0, -1) if tokens[back].partner > place), 0)
    word = tokens[opener - 1]
    if opener == 0 or word.upper not in ("FILTER", "EXTRACT"):
        return None
    closer = tokens[opener].partner
    edits = (Edit(word.start, tokens[opener].end, "["), Edit(tokens[closer].start, tokens[closer].end, "]"))
    message = f"{word.text}() was removed"
    fix = Fix("write a list comprehension", edits)
    hint = "write [x IN list WHERE condition | value]"
    return Slip(message, word.start, word.end, place, closer, (), hint, fix, "UQ191")


def _old_parameter(_text: str, parser: Parser, tokens: Sequence[Token], place: int) -> Slip | None:
    """`{name}`: a parameter, as Cypher wrote it before version 4."""
    if place < 2 or tokens[place].text != "}" or tokens[place - 2].text != "{" or not parser.accepts("COLON"):
        return None
    name, start, end = tokens[place - 1].text, tokens[place - 2].start, tokens[place].end
    # read on as the map `{name: null}`, which may stand wherever a parameter may
    made = (Token(("COLON",), ":", end - 1, end - 1), _made("CONSTANT", "NULL", tokens[place]))
    fix = replace(start, end, f"${name}", f"write ${name}")
    return Slip(f"`{{{name}}}` is a parameter in its old form", start, end, place, place, made, None, fix, "UQ191")


_SQL: Final = {
    "SELECT": "write MATCH … RETURN",
    "FROM": "a graph has no tables: write MATCH with a pattern",
    "HAVING": "write WITH … WHERE",
    "JOIN": "write a pattern: (a)-[:TYPE]->(b)",
    "INTO": None,
    "VALUES": None,
}


def _sql(_text: str, _parser: Parser, tokens: Sequence[Token], place: int) -> Slip | None:
    """A query in another language altogether: reading stops here."""
    for near in (place, place - 1):
        token = tokens[near]
        if near >= 0 and token.upper in _SQL and token.kinds == ("NAME",):
            if near < place and token.upper != "SELECT":
                continue
            last = len(tokens)
            end = Token(("$END",), "", tokens[-1].start, tokens[-1].end)
            message = f"{token.upper} belongs to SQL"
            return Slip(message, token.start, token.end, place, last, (end,), _SQL[token.upper])
    return None


def _joined_patterns(_text: str, parser: Parser, tokens: Sequence[Token], place: int) -> Slip | None:
    """`EXISTS { (a)-->(b) AND (b)-->(c) }`, `MATCH (a) AND (b)`: patterns are joined by commas."""
    token, following = tokens[place], tokens[place + 1] if place + 1 < len(tokens) else tokens[place]
    if token.upper != "AND" or following.text != "(" or not parser.accepts("COMMA"):
        return None
    if not parser.carry(["COMMA", "NODE_LP"], tokens[place + 2 : place + 4]):
        return None
    made = Token(("COMMA",), ",", token.start, token.end)
    fix = replace(token.start, token.end, ",", "write a comma", safe=False)
    message = "patterns are joined by a comma, not by AND"
    return Slip(message, token.start, token.end, place, place + 1, (made,), "write a comma", fix)


_SLIPS: Final[tuple[Find, ...]] = (
    _operator,
    _like,
    _not_in,
    _spaced_name,
    _quoted_key,
    _size_braces,
    _length_after_map,
    _joined_patterns,
    _filter_call,
    _old_parameter,
    _sql,
)
"""Tried in this order; the first that fits is taken."""
