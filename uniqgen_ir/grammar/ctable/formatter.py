"""`uniqgen fmt`: one layout for `.ctable` and `.cts` files.

Only white space changes. Line breaks stay where they are; indentation, the space between words, blank lines and the
place of comments are made uniform. Formatting twice changes nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import define, field

from uniqgen_ir.grammar.ctable import in_order, parse_tree
from uniqgen_ir.grammar.ctable.context import Context
from uniqgen_ir.grammar.ctable.lexer import Lexed, lex
from uniqgen_ir.grammar.ctable.tree import Token
from uniqgen_ir.ir.diagnostics import DiagnosticError, errors

_INDENT: Final = "  "
_CONTINUATION: Final = "    "
_SPACED: Final = frozenset(
    {
        *("EQ", "NE", "LT", "LE", "GT", "GE", "AND", "OR", "NOT", "IN", "NOT_IN", "BETWEEN", "_IMPLIES"),
        *("_WHERE", "_AS", "_BY", "AT"),
    }
)
_SCHEMA_WORDS: Final = frozenset({"_SCHEMA", "_LEXICON", "_MAPPING"})


def format_text(text: str, source: str = "<input>") -> str:
    """The text in the one layout. Raises DiagnosticError where the text cannot be read."""
    context = Context(text, source)
    lexed = lex(text)
    parse_tree(context, "schema_file" if is_schema_file(lexed) else "ctable_file")
    diagnostics = in_order(context.diagnostics)
    if errors(diagnostics):
        raise DiagnosticError(diagnostics)
    return _Layout(text, _row_beginnings(lexed.tokens)).write(_merged(lexed))


def is_schema_file(lexed: Lexed) -> bool:
    """Whether the text declares schemas, lexicons or mappings rather than tables."""
    before = "_NL"
    for token in lexed.tokens:
        if token.kind == "CTABLE":
            return False
        if token.kind in _SCHEMA_WORDS and before in ("_NL", "_DOT"):
            return True
        before = token.kind
    return False


def _row_beginnings(tokens: Sequence[Token]) -> frozenset[int]:
    """Where rows, clauses and declarations begin; any other line is the rest of one."""
    found: set[int] = set()
    before = "_NL"
    for token in tokens:
        if before in ("_NL", "_DOT", "_LBRACE", "_RBRACE") or token.kind == "_RBRACE":
            found.add(token.start)
        before = token.kind
    return frozenset(found)


def _merged(lexed: Lexed) -> list[Token]:
    words = [token for token in lexed.tokens if token.kind not in ("_NL", "$END")]
    return sorted(words + lexed.comments, key=lambda token: token.start)


@define
class _Layout:
    text: str
    beginnings: frozenset[int]
    lines: list[str] = field(factory=list[str])
    depth: int = 0
    blank: bool = False

    def write(self, tokens: Sequence[Token]) -> str:
        line: list[str] = []
        before: Token | None = None
        for token in tokens:
            breaks = self.line_breaks(before, token)
            if before is None or breaks:
                self.finish(line, blank=breaks > 1)
                line = [self.indentation(token)]
            else:
                line.append(self.space(before, token))
            line.append(self.spelling(token))
            self.depth += (token.kind == "_LBRACE") - (token.kind == "_RBRACE")
            before = token
        self.finish(line, blank=False)
        return "\n".join(self.lines) + "\n" if self.lines else ""

    def line_breaks(self, before: Token | None, token: Token) -> int:
        if before is None:
            return 0
        gap = self.text[before.end : token.start]
        return gap.replace("\r\n", "\n").replace("\r", "\n").count("\n")

    def finish(self, line: list[str], *, blank: bool) -> None:
        """Keep a line; `blank` asks for an empty line between it and the next."""
        written = "".join(line).rstrip(" \t")
        if not written:
            return
        closes = written.lstrip().startswith("}")
        if self.blank and self.lines and not closes and not self.lines[-1].endswith("{"):
            self.lines.append("")
        self.lines.append(written)
        self.blank = blank

    def indentation(self, token: Token) -> str:
        depth = self.depth - (token.kind == "_RBRACE")
        rest = token.kind != "COMMENT" and token.start not in self.beginnings
        return _INDENT * max(depth, 0) + (_CONTINUATION if rest else "")

    def spelling(self, token: Token) -> str:
        if token.kind == "QUANT":
            return "".join(token.text.split())
        if token.kind == "COMMENT":
            return token.text.rstrip()
        return token.text

    def space(self, before: Token, token: Token) -> str:
        """What stands between two words of one line."""
        if token.kind == "COMMENT":
            return "  "
        if before.kind == "_LPAR" or token.kind in ("_RPAR", "_COMMA"):
            return ""
        if token.kind == "_LPAR" and before.kind in ("FUNC", "AGGREGATE", "AT", "_DESC_CALL", "_ASC_CALL"):
            return ""
        if before.kind in ("_COMMA", "_SEMI", "LABEL", "_LBRACE") or before.kind in _SPACED or token.kind in _SPACED:
            return " "
        if token.kind in ("_RBRACE", "_SEMI", "_LBRACE"):
            return " "
        # elsewhere a space may mean something (`"a" @b`, `?x -5`), so what is there stays
        return " " if before.end < token.start else ""
