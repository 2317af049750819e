"""Recovery: one report where the text goes wrong, then on with what is left.

First the known slips (`cypher_mistakes.py`), then the smallest repair of the token stream (insert, delete or replace
one) that carries several more tokens, then skipping to a token where reading can go on with part of the stack.
Repairs are tried on the parser's states alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import frozen

from uniqgen_ir.grammar.cypher.context import Context, replace
from uniqgen_ir.grammar.cypher.driver import MAX_STACK, Parser
from uniqgen_ir.grammar.cypher.expected import expected_phrase, found_phrase, spelled
from uniqgen_ir.grammar.cypher.mistakes import known_slip
from uniqgen_ir.grammar.cypher.tokens import END_KINDS, KEYWORDS, Token
from uniqgen_ir.ir.diagnostics import Diagnostic, Fix, Related

_CARRY: Final = 4
"""A repair is kept where so many tokens follow it."""
_QUIET: Final = 3
"""After a report, trouble within so many tokens is taken for its echo."""
_MOST_REPORTS: Final = 10

_FARTHEST: Final = 500
"""How many tokens are skipped at most."""

_INSERTABLE: Final = (
    *("RPAR", "RBRACK", "RBRACE", "COMMA", "COLON", "EQ", "DOT", "RDASH", "LPAR", "NODE_LP", "LBRACK", "LBRACE", "AS"),
    *(
        "NAME",
        "OPERATOR",
        "IN",
        "THEN",
        "END",
        "COMP_BAR",
        "WHEN",
        "LARROW",
        "STRING",
        "MATCH",
        "RETURN",
        "WHERE",
        "GT",
    ),
    *("QUANTIFIER", "UNWIND", "WITH", "CASE", "CALL"),
)
_TEXT: Final = {"OPERATOR": "AND", "STRING": "''", "NAME": "_", "GT": ">", "QUANTIFIER": "any"}
_PUNCTUATION: Final = {
    "RPAR": ")",
    "RBRACK": "]",
    "RBRACE": "}",
    "COMMA": ",",
    "COLON": ":",
    "EQ": "=",
    "DOT": ".",
    "RDASH": "-",
    "LPAR": "(",
    "NODE_LP": "(",
    "LBRACK": "[",
    "LBRACE": "{",
    "COMP_BAR": "|",
    "LARROW": "<",
}
_SYNCHRONISE: Final = frozenset(
    {
        *("MATCH", "OPTIONAL_MATCH", "WITH", "RETURN", "WHERE", "UNWIND", "ORDER_BY", "SKIP", "LIMIT", "CALL", "UNION"),
        *("RPAR", "RBRACK", "RBRACE", "COMMA", "$END", "CREATE", "MERGE", "SET", "DELETE", "DETACH_DELETE", "YIELD"),
        *("THEN", "ELSE", "WHEN", "END", "COMP_BAR", "NEXT", "FOREACH", "FILTER", "LET"),
    }
)


class CypherRecovery:
    """The recovery of one run."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.reports = 0
        self.said: list[Diagnostic] = []
        self.last = -_QUIET - 1
        """the place of the last trouble"""

    def recover(self, parser: Parser, tokens: list[Token], place: int) -> int | None:
        """Report, mend, and return the place to go on from; None gives up."""
        token = tokens[place]
        if len(parser.states) > MAX_STACK:
            self._report("UQ182", "brackets or signs are nested too deeply here", token.start, token.end)
            return None
        quiet = place - self.last <= _QUIET
        self.last = place
        if self.reports >= _MOST_REPORTS:
            return None
        after = self._bad(tokens, place, quiet)
        if after is None and not quiet:
            after = self._slip(parser, tokens, place)
        if after is None:
            after = self._repair(parser, tokens, place, quiet)
        if after is None:
            after = self._skip(parser, tokens, place, quiet)
        if after is not None:
            self.last = max(self.last, after)
        return after

    def _report(
        self,
        code: str,
        message: str,
        start: int,
        end: int,
        hint: str | None = None,
        fix: Fix | None = None,
        related: tuple[Related, ...] = (),
    ) -> None:
        self.reports += 1
        self.context.report(code, message, start, end, hint=hint, fix=fix, related=related)
        self.said.append(self.context.diagnostics[-1])

    def _bad(self, tokens: list[Token], place: int, quiet: bool) -> int | None:
        """A token that is no word of Cypher: report it, and read it as what it was to be."""
        token = tokens[place]
        if token.kinds != ("BAD",):
            return None
        first = token.text[0]
        if not quiet:
            self._report("UQ181", _bad_message(token), token.start, token.end)
        if first in "'\"":
            tokens[place] = Token(("STRING",), first + token.text[1:].rstrip("\\") + first, token.start, token.end)
        elif first.isdigit() or first == ".":
            tokens[place] = Token(("INT", "NAME"), "0", token.start, token.end)
        elif first == "`":
            tokens[place] = Token(("NAME",), "_", token.start, token.end)
        else:
            del tokens[place]
        return place

    def _slip(self, parser: Parser, tokens: list[Token], place: int) -> int | None:
        slip = known_slip(self.context.text, parser, tokens, place)
        if slip is None:
            return None
        self._report(slip.code, slip.message, slip.start, slip.end, slip.hint, slip.fix)
        tokens[slip.first : slip.last] = slip.tokens
        return slip.first

    def _repair(self, parser: Parser, tokens: list[Token], place: int, quiet: bool) -> int | None:
        """The best change of one token, this one or the one before, that carries the next ones."""
        expected = parser.expected()
        best = max(_repairs(parser, tokens, place, expected), key=_worth, default=None)
        if best is None or best.reach < min(_CARRY, len(tokens) - place):
            return None
        if not quiet:
            self._say(tokens, place, best, expected)
        if best.back:
            parser.cut(len(parser.states) - 1)
        at = place - best.back
        made = [] if best.kind == "delete" else [_made(best.terminal, tokens[at])]
        tokens[at : at + (best.kind != "insert")] = made
        return at

    def _say(self, tokens: list[Token], place: int, repair: _Repair, expected: list[str]) -> None:
        token = tokens[place]
        message = f"found {found_phrase(token)}, expected {expected_phrase(expected)}"
        opener = _stray_opener(tokens, place)
        if opener is not None:
            removal = replace(opener.start, opener.end, "", f"remove `{opener.text}`", safe=False)
            related = (Related(message, self.context.span(token.start, token.end)),)
            self._report(
                "UQ180", f"this `{opener.text}` is never closed", opener.start, opener.end, None, removal, related
            )
            return
        hint, fix = _advice(tokens, place, repair)
        self._report("UQ180", message, token.start, token.end, hint, fix)

    def _skip(self, parser: Parser, tokens: list[Token], place: int, quiet: bool) -> int | None:
        """Skip to a token from which reading can go on with the lower part of the stack."""
        token = tokens[place]
        if not quiet:
            message = f"found {found_phrase(token)}, expected {expected_phrase(parser.expected())}"
            self._report("UQ180", message, token.start, token.end)
        rows = parser.table.states
        for ahead in range(place, min(len(tokens), place + _FARTHEST)):
            kinds = tokens[ahead].kinds
            if kinds[0] not in _SYNCHRONISE:
                continue
            following = tokens[ahead : ahead + 3]
            for depth in range(len(parser.states), 0, -1):
                row = rows[parser.states[depth - 1]]
                if any(kind in row for kind in kinds) and parser.carry([], following, depth) == len(following):
                    parser.cut(depth)
                    return ahead
        return None


@frozen
class _Repair:
    """A change of one token: `back` 0 for the one that failed, 1 for the one before it.

    `reach` is how many tokens, from the one that failed on, are then behind.
    """

    kind: str
    terminal: str
    back: int
    reach: int
    rank: int


_HORIZON: Final = 30
"""How many tokens a repair is followed."""


def _worth(repair: _Repair) -> tuple[int, int]:
    return repair.reach, repair.rank


def _repairs(parser: Parser, tokens: list[Token], place: int, expected: list[str]) -> Iterator[_Repair]:
    token = tokens[place]
    ahead = tokens[place : place + _HORIZON]
    rest = tokens[place + 1 : place + 1 + _HORIZON]
    end = token.kinds == END_KINDS
    meant = _meant_keyword(token)
    if meant in expected:
        yield _Repair("replace", meant, 0, 1 + parser.carry([meant], rest), 9)
    if not end:
        yield _Repair("delete", "", 0, 1 + parser.carry([], rest), 6)
    for rank, terminal in enumerate(_INSERTABLE):
        if terminal in expected:
            yield _Repair("insert", terminal, 0, parser.carry([terminal], ahead), 7 if rank < 8 else 4)
            if not end:
                yield _Repair("replace", terminal, 0, 1 + parser.carry([terminal], rest), 5)
    if place and parser.values and parser.values[-1] is tokens[place - 1]:
        depth = len(parser.states) - 1
        yield _Repair("delete", "", 1, parser.carry([], ahead, depth), 3)
        for terminal in _INSERTABLE:
            before = [terminal, tokens[place - 1].kinds[0]]
            yield _Repair("insert", terminal, 1, parser.carry(before, ahead, depth), 2)
            yield _Repair("replace", terminal, 1, parser.carry([terminal], ahead, depth), 1)


def _advice(tokens: list[Token], place: int, repair: _Repair) -> tuple[str | None, Fix | None]:
    """A hint and a fix that say what the repair did."""
    at = place - repair.back
    token = tokens[at]
    if repair.kind == "insert" and repair.terminal in _PUNCTUATION:
        where = tokens[at - 1].end if at else token.start
        sign = _PUNCTUATION[repair.terminal]
        hint = f"is a {spelled(repair.terminal)} missing before {'it' if not repair.back else found_phrase(token)}?"
        return hint, replace(where, where, sign, f"insert {spelled(repair.terminal)}", safe=False)
    if repair.kind == "replace" and repair.terminal == _meant_keyword(token):
        fix = replace(token.start, token.end, repair.terminal, f"write {repair.terminal}", safe=False)
        return f"did you mean {repair.terminal}?", fix
    if repair.kind == "delete":
        return f"without {found_phrase(token)} the query can be read", None
    return None, None


def _stray_opener(tokens: list[Token], place: int) -> Token | None:
    """An open bracket before `place` that nothing closes and without which the text up to here could be read."""
    for back in range(place - 2, max(-1, place - 200), -1):
        token = tokens[back]
        if token.text in ("(", "[", "{") and token.partner < 0:
            fresh = Parser(Context("", ""))
            without = [*tokens[:back], *tokens[back + 1 : place + 3]]
            return token if fresh.carry([], without) == len(without) else None
    return None


def _made(terminal: str, old: Token) -> Token:
    text = _PUNCTUATION.get(terminal) or _TEXT.get(terminal) or terminal
    return Token((terminal,), text, old.start, old.start, text if text.isalpha() else "")


def _bad_message(token: Token) -> str:
    text = token.text
    if text[0] in "'\"":
        return f"the string that begins with {text[0]} is not closed"
    if text[0] == "`":
        return "an empty name" if text == "``" else "the name that begins with ` is not closed"
    if text.startswith("/*"):
        return "the comment that begins with /* is not closed"
    if text[0].isdigit() or text[0] == ".":
        return f"{text} is no number"
    if text[0] in "\u2018\u2019\u201c\u201d\u00b4":
        return f"the typographic quote {text[0]} does not open a string; write ' or \""
    return f"the character {text[0]!r} has no meaning here"


def _meant_keyword(token: Token) -> str:
    """The keyword that a name is a misspelling of, or an empty string."""
    if token.kinds != ("NAME",) or not 3 < len(token.upper) < 12:
        return ""
    from difflib import get_close_matches

    close = get_close_matches(token.upper, _WORDS, 1, 0.75)
    return KEYWORDS[close[0]][0] if close else ""


_WORDS: Final = [word for word, kinds in KEYWORDS.items() if len(word) > 3 and kinds[0] == word]
