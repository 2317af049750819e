"""Recovery: one report where the text goes wrong, then on with what is left.

First the known slips (`cypher_mistakes.py`), then the smallest repair of the token stream (insert, delete or replace
one) that carries several more tokens, then skipping to a token where reading can go on with part of the stack. Repairs are
tried on the parser's states alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from uniqgen_ir.grammar.cypher_context import Context, replace
from uniqgen_ir.grammar.cypher_driver import MAX_STACK, Parser
from uniqgen_ir.grammar.cypher_expected import expected_phrase, found_phrase, spelled
from uniqgen_ir.grammar.cypher_mistakes import known_slip
from uniqgen_ir.grammar.cypher_tokens import END_KINDS, KEYWORDS, Token
from uniqgen_ir.ir.diagnostics import Diagnostic, Fix

_CARRY: Final = 4
"""A repair is kept where so many tokens follow it."""
_QUIET: Final = 3
"""After a report, trouble within so many tokens is taken for its echo."""
_MOST_REPORTS: Final = 10

_INSERTABLE: Final = (
    *("RPAR", "RBRACK", "RBRACE", "COMMA", "COLON", "EQ", "DOT", "RDASH", "LPAR", "NODE_LP", "LBRACK", "LBRACE", "AS"),
    *("NAME", "OPERATOR", "IN", "THEN", "END", "COMP_BAR", "WHEN", "LARROW", "STRING", "MATCH", "RETURN", "WHERE", "GT"),
    *("QUANTIFIER", "UNWIND", "WITH", "CASE", "CALL"),
)
_TEXT: Final = {"OPERATOR": "AND", "STRING": "''", "NAME": "_", "GT": ">", "QUANTIFIER": "any"}
_PUNCTUATION: Final = {
    **{"RPAR": ")", "RBRACK": "]", "RBRACE": "}", "COMMA": ",", "COLON": ":", "EQ": "=", "DOT": ".", "RDASH": "-"},
    **{"LPAR": "(", "NODE_LP": "(", "LBRACK": "[", "LBRACE": "{", "COMP_BAR": "|", "LARROW": "<"},
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
        self, code: str, message: str, start: int, end: int, *, hint: str | None = None, fix: Fix | None = None
    ) -> None:
        self.reports += 1
        self.context.report(code, message, start, end, hint=hint, fix=fix)
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
        self._report(slip.code, slip.message, slip.start, slip.end, hint=slip.hint, fix=slip.fix)
        tokens[slip.first : slip.last] = slip.tokens
        return slip.first if slip.go_on is None else slip.go_on

    def _repair(self, parser: Parser, tokens: list[Token], place: int, quiet: bool) -> int | None:
        """The best change of one token that carries the next ones."""
        token = tokens[place]
        ahead = tokens[place : place + _CARRY + 2]
        expected = parser.expected()
        best = self._best(parser, ahead, expected)
        if best is None:
            return None
        kind, terminal = best
        if not quiet:
            self._say(parser, tokens, place, kind, terminal, expected)
        if kind == "delete":
            del tokens[place]
        elif kind == "replace":
            tokens[place] = _made(terminal, token.start, token.end)
        else:
            tokens.insert(place, _made(terminal, token.start, token.start))
        return place

    def _best(self, parser: Parser, ahead: Sequence[Token], expected: list[str]) -> tuple[str, str] | None:
        """The kind of repair and its terminal; the one that carries furthest, the less intrusive one among equals."""
        candidates: list[tuple[int, int, str, str]] = []
        known = [terminal for terminal in _INSERTABLE if terminal in expected]
        end = ahead[0].kinds == END_KINDS
        misspelt = _meant_keyword(ahead[0])
        if misspelt in expected:
            carried = parser.carry([misspelt], ahead[1:])
            candidates.append((carried, 3, "replace", misspelt))
        if not end:
            candidates.append((parser.carry([], ahead[1:]), 1, "delete", ""))
        for rank, terminal in enumerate(known):
            candidates.append((parser.carry([terminal], ahead), 2 if rank < 8 else 1, "insert", terminal))
            if not end:
                candidates.append((parser.carry([terminal], ahead[1:]), 0, "replace", terminal))
        good = [one for one in candidates if one[0] >= min(_CARRY, len(ahead) - (one[2] != "insert"))]
        if not good:
            return None
        _, _, kind, terminal = max(good, key=lambda one: (min(one[0], _CARRY), one[1]))
        return kind, terminal

    def _say(
        self, parser: Parser, tokens: list[Token], place: int, kind: str, terminal: str, expected: list[str]
    ) -> None:
        token = tokens[place]
        message = f"found {found_phrase(token)}, expected {expected_phrase(expected)}"
        hint, fix = None, None
        if kind == "insert" and terminal in _PUNCTUATION:
            sign = _PUNCTUATION[terminal]
            hint = f"is a {spelled(terminal)} missing before it?"
            where = tokens[place - 1].end if place else token.start
            fix = replace(where, where, sign, f"insert {spelled(terminal)}", safe=False)
        elif kind == "replace" and terminal == _meant_keyword(token):
            hint = f"did you mean {terminal}?"
            fix = replace(token.start, token.end, terminal, f"write {terminal}", safe=False)
        elif kind == "delete":
            hint = f"without {found_phrase(token)} the query can be read"
        self._report("UQ180", message, token.start, token.end, hint=hint, fix=fix)

    def _skip(self, parser: Parser, tokens: list[Token], place: int, quiet: bool) -> int | None:
        """Skip to a token from which reading can go on with the lower part of the stack."""
        token = tokens[place]
        if not quiet:
            message = f"found {found_phrase(token)}, expected {expected_phrase(parser.expected())}"
            self._report("UQ180", message, token.start, token.end)
        for ahead in range(place, len(tokens)):
            if not _SYNCHRONISE.intersection(tokens[ahead].kinds[:1]):
                continue
            following = tokens[ahead : ahead + 3]
            for depth in range(len(parser.states), 0, -1):
                if parser.carry([], following, depth) == len(following):
                    parser.cut(depth)
                    return ahead
        return None


def _made(terminal: str, start: int, end: int) -> Token:
    text = _PUNCTUATION.get(terminal) or _TEXT.get(terminal) or terminal
    return Token((terminal,), text, start, end, text if text.isalpha() else "")


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
