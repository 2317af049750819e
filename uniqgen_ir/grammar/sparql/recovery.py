"""Going on after a syntax error: say once what is wrong, mend it in thought, and read on.

Known slips first. Then one token is inserted, deleted or replaced, if three more tokens can be read after that;
otherwise the text is skipped to a dot, a brace or a clause where reading can go on.
"""

from __future__ import annotations

from typing import Final

from attrs import define

from uniqgen_ir.grammar.sparql.context import SparqlContext
from uniqgen_ir.grammar.sparql.expected import expected_phrase, kind_name, token_name
from uniqgen_ir.grammar.sparql.lexer import END, Token
from uniqgen_ir.grammar.sparql.mistakes import MISTAKES
from uniqgen_ir.grammar.sparql.parser import SparqlParser

_MOST_ERRORS: Final = 20
_CARRIED: Final = 3
_SYNCHRONISING: Final = frozenset(
    {
        *("DOT", "RBRACE", "FILTER", "OPTIONAL", "UNION", "MINUS", "BIND", "VALUES", "GRAPH", "SERVICE", "SELECT"),
        *("WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "SEMICOLON", END),
    }
)
_SIGNS: Final = {
    "DOT": " .",
    "RPAR": ")",
    "LPAR": "(",
    "RBRACE": " }",
    "LBRACE": " {",
    "COMMA": ",",
    "BY": " BY",
    "AS": " AS",
    "SEMICOLON": " ;",
    "RBRACKET": "]",
    "WHERE": " WHERE",
    "SELECT": "SELECT ",
}
# what people leave out most often; then, if no token can be deleted, the others
_LEFT_OUT: Final[tuple[str, ...]] = ("DOT", "RPAR", "RBRACE", "COMMA", "BY", "AS", "WHERE", "RBRACKET")
_OTHERS: Final[tuple[str, ...]] = (
    *("LPAR", "LBRACE", "SEMICOLON", "FILTER", "EQUAL", "AND_SIGN", "UNION", "VARIABLE", "IRIREF", "STRING"),
    *("INTEGER", "STAR", "SELECT", "PREFIX", "PNAME_NS"),
)
_PLACEHOLDERS: Final = {
    "VARIABLE": "?missing",
    "IRIREF": "<urn:missing>",
    "STRING": '""',
    "INTEGER": "0",
    "PNAME_NS": "missing:",
    "EQUAL": "=",
    "AND_SIGN": "&&",
}


@define
class PatternRecovery:
    """Recovery for one run of the parser."""

    context: SparqlContext
    count: int = 0
    last: int = -10

    def recover(self, parser: SparqlParser, place: int) -> int | None:
        """See `sparql_parser.Recovery`."""
        self.count += 1
        if self.count > _MOST_ERRORS:
            return None
        near = place - self.last < _CARRIED
        self.last = place
        if not near:
            for mistake in MISTAKES:
                after = mistake(self.context, parser, place)
                if after is not False:
                    self.context.broken = True
                    return after
        return self._repair(parser, place, quiet=near)

    def _repair(self, parser: SparqlParser, place: int, *, quiet: bool) -> int | None:
        following = [token[0] for token in parser.tokens[place : place + _CARRIED + 1]]
        expected = parser.expected()
        for kinds in (_LEFT_OUT, (), _OTHERS):
            kind = next((one for one in kinds if one in expected and parser.accepts(one, *following[:_CARRIED])), None)
            if kind is not None:
                self._say(parser, place, expected, quiet=quiet, inserted=kind)
                start = parser.tokens[place][2]
                parser.tokens.insert(place, (kind, _text(kind), start, start))
                return place
            if not kinds and following[0] != END and parser.accepts(*following[1:]):
                self._say(parser, place, expected, quiet=quiet)
                return place + 1
        self._say(parser, place, expected, quiet=quiet)
        for kind in (*_LEFT_OUT, *_OTHERS):
            if kind in expected and following[0] != END and parser.accepts(kind, *following[1:]):
                _, _, start, end = parser.tokens[place]
                parser.tokens[place] = (kind, _text(kind), start, end)
                return place
        return _synchronise(parser, place)

    def _say(
        self, parser: SparqlParser, place: int, expected: list[str], *, quiet: bool, inserted: str | None = None
    ) -> None:
        if quiet:
            return
        token, before = parser.tokens[place], parser.tokens[place - 1] if place else None
        message = f"{token_name(token)} cannot stand here; expected {expected_phrase(expected)}"
        start, end, fix, hint = token[2], token[3], None, None
        if inserted in _SIGNS and before is not None:
            fix = self.context.fix(
                f"insert `{_SIGNS[inserted].strip()}`", (before[3], before[3], _SIGNS[inserted]), safe=False
            )
            message = f"{kind_name(inserted)} is missing before {token_name(token)}"
            if inserted == "DOT":
                message = f"{token_name(token)} begins another triple, and no `.` ends the one before it"
        elif token[0] == "WORD" and place == 0:
            hint = _looks_like(token)
        self.context.report("UQ140", message, start, end, fix=fix, hint=hint)
        self.context.broken = True


def _text(kind: str) -> str:
    return _PLACEHOLDERS.get(kind) or _SIGNS.get(kind, kind).strip()


def _looks_like(token: Token) -> str | None:
    if token[1].upper() in ("MATCH", "OPTIONAL", "UNWIND", "RETURN", "CALL", "WITH"):
        return "this looks like Cypher"
    return "this looks like a table of the CTable language" if token[1].lower() == "ctable" else None


def _synchronise(parser: SparqlParser, place: int) -> int | None:
    """Skip to a token that some state of the stack can go on with, and cut the stack to it."""
    nested = 0
    for after in range(place, len(parser.tokens)):
        kind = parser.tokens[after][0]
        if kind == "LBRACE":
            nested += 1
        elif kind == "RBRACE" and nested:
            nested -= 1
        elif kind in _SYNCHRONISING and not nested:
            for depth in range(len(parser.states), 0, -1):
                if parser.accepts(kind, depth=depth):
                    parser.cut(depth)
                    return after
    return None
