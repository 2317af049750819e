"""Words, names, constants and signs of a script of Cypher."""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.spans import Span

_TOKEN: Final = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/|^:(?:begin|commit|rollback|param|use)\b[^\n]*)
    |(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<number>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|0x[0-9a-fA-F]+|\d+|\.\d+(?:[eE][+-]?\d+)?)
    |(?P<quoted>`(?:[^`]|``)+`)
    |(?P<word>[^\W\d]\w*)
    |(?P<sign>\+=|[-(){}\[\]<>:,;.=&|$+*/])""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_SHORT: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"}


@frozen
class Token:
    """A piece of the script; `value` of a text or number, `kind` empty at the end."""

    kind: str
    text: str
    start: int
    end: int
    value: str | int | float | None = None

    def is_text(self, text: str) -> bool:
        """Whether it is this sign, or this word in any case; nothing: the end."""
        if not text:
            return self.kind == ""
        return self.kind in ("sign", "word") and self.text.upper() == text.upper()

    @property
    def shown(self) -> str:
        """The piece as a message names it."""
        return "the end" if self.kind == "" else f"`{self.text if len(self.text) <= 40 else self.text[:37] + '...'}`"


def tokens(text: str, source: str) -> list[Token]:
    """The pieces of the script, and its end. Raises DiagnosticError UQ625 for what is none."""
    found: list[Token] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            span = Span.at(text, place, place + 1, source)
            raise fail("UQ625", f"line {span.line} of {source}: {text[place]!r} begins nothing that is known", span)
        kind = match.lastgroup or ""
        if kind != "space":
            found.append(_token(kind, match[0], match.start(), match.end()))
        place = match.end()
    found.append(Token("", "", len(text), len(text)))
    return found


def _token(kind: str, text: str, start: int, end: int) -> Token:
    match kind:
        case "text":
            return Token(kind, text, start, end, _ESCAPE.sub(_unescaped, text[1:-1]))
        case "number":
            whole = text.isdigit() or text.startswith("0x")
            return Token(
                kind, text, start, end, int(text, 0 if text.startswith("0x") else 10) if whole else float(text)
            )
        case "quoted":
            return Token(kind, text[1:-1].replace("``", "`"), start, end)
        case _:
            return Token(kind, text, start, end)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _SHORT.get(code, code)
