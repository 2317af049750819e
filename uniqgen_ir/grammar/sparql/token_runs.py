"""Looking ahead in the tokens of a query."""

from __future__ import annotations

from uniqgen_ir.grammar.sparql.lexer import END, Token


def at(tokens: list[Token], place: int) -> Token:
    """The token at a place; past the end, the end."""
    return tokens[min(place, len(tokens) - 1)]


def end_of_call(tokens: list[Token], place: int) -> int:
    """Where the call, or the brackets, end that begin at a place."""
    depth = 0
    for one in tokens[place:]:
        depth += (one[0] == "LPAR") - (one[0] == "RPAR")
        if depth == 0 and one[0] in ("RPAR", "VARIABLE", END):
            return one[3]
    return tokens[-1][3]
