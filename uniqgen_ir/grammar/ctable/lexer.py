"""The lexer of the CTable language: words, and what a line end means.

A line end closes a row unless a bracket is open, the line ends in something that must go on (`and`, `;`, `=` …), or the
next one begins with something that nothing can begin with (`;`, `or`, an annotation …).
"""

from __future__ import annotations

import re
from typing import Final

from attrs import define, field

from uniqgen_ir.grammar.ctable.keywords import (
    AGGREGATES,
    CALLABLE_KEYWORDS,
    CONTINUES,
    HABITS,
    KEYWORDS,
    LEADS_ON,
    OPERANDS,
    PUNCTUATION,
    SCHEMA_LEADS_ON,
    STARTS_ROW,
)
from uniqgen_ir.grammar.ctable.tree import Token

MAX_DEPTH: Final = 60
"""How deep brackets may nest; deeper text is refused rather than risking the stack."""

_D: Final = "[0-9]"
_DAY: Final = f"{_D}{{4}}-{_D}{_D}-{_D}{_D}"
_WORD: Final = r"[^\W\d]\w*(?:[.\-]\w+)*"
_TICKED: Final = r"`(?:[^`\\\r\n]|\\[^\r\n])*`"
_SIMPLE: Final = r'"(?:[^"\\\r\n]|\\[^\r\n])*"|' + r"'(?:[^'\\\r\n]|\\[^\r\n])*'"
_STRING: Final = r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"""|(?!""")(?:' + _SIMPLE + ")"
_IRI: Final = r"<(?:[A-Za-z][A-Za-z0-9+.\-]*:|(?=\\u))(?:[^<>\"{}|^`\\\x00-\x20]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*>"

_PATTERN: Final = re.compile(
    rf"""[ \t\f]*(?:
    (?P<NL>\r\n|\n|\r)
  | (?P<COMMENT>\#[^\r\n]*)
  | (?P<VAR>\?(?:\w+|{_TICKED}))
  | (?P<TEMPORAL>(?i:date|datetime|time|duration)\([ \t]*(?:{_SIMPLE})[ \t]*\))
  | (?P<BLANK>_:\w+)
  | (?P<LABEL>(?:{_WORD}|{_TICKED}):(?![\w%:]))
  | (?P<PNAME>(?:[^\W\d][\w.\-]*)?:[\w%](?:[\w.\-%:]*(?:[\w%]|-(?!>)))?)
  | (?P<NOT_IN>(?i:not[ \t]+in)\b)
  | (?P<STARTS_WITH>(?i:starts[ \t]+with)\b)
  | (?P<ENDS_WITH>(?i:ends[ \t]+with)\b)
  | (?P<WORD>{_WORD})
  | (?P<LANGSTRING>(?:{_SIMPLE})@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
  | (?P<STRING>{_STRING})
  | (?P<IRI>{_IRI})
  | (?P<RELATIVE><[\w/\#.\-~%:@]+>)
  | (?P<BARE_DATE>{_DAY}(?:T{_D}{_D}:{_D}{_D}(?::{_D}{_D}(?:\.{_D}+)?)?(?:Z|[+\-]{_D}{_D}:{_D}{_D})?)?)
  | (?P<NUMBER>{_D}+(?:\.{_D}+)?(?:[eE][+\-]?{_D}+)?)
  | (?P<AT>@[^\W\d]\w*)
  | (?P<PARAM>\$(?:\w+|{_TICKED}))
  | (?P<QUANT>\{{[ \t]*{_D}+[ \t]*(?:,[ \t]*{_D}*[ \t]*)?\}})
  | (?P<NAME>{_TICKED})
  | (?P<PUNCTUATION>&&|\|\||==|<-\[|-\[|\]->|\]-|->|<-|=>|!=|<>|<=|>=|\^\^|\[\]|[=<>+\-*/!^|?.;,(){{}}:])
  )""",
    re.VERBOSE | re.DOTALL,
)
_BLANKS: Final = re.compile(r"[ \t\f]*")


@define
class Lexed:
    """The tokens of a text, ended by `$END`; its comments; spellings from other languages that were read as ours."""

    tokens: list[Token]
    comments: list[Token] = field(factory=list[Token])
    habits: list[Token] = field(factory=list[Token])
    too_deep: Token | None = None


@define
class _State:
    """`stack` holds the open brackets: `(`, `{` for blocks, `v` where lines do not count, `s` and `m` in schemas."""

    out: Lexed
    stack: list[str] = field(factory=list[str])
    opens: str = "{"
    previous: str = "_NL"
    line_end: Token | None = None


def lex(text: str) -> Lexed:
    """The tokens of `text`. Never fails: what is not a word of the language becomes an `ERROR` token."""
    state = _State(Lexed([]))
    position, size, match = 0, len(text), _PATTERN.match
    while position < size:
        found = match(text, position)
        kind = found.lastgroup if found else None
        if found is None or kind is None:
            token = _unreadable(text, position)
            if token is None:
                break
        elif kind == "NL":
            if state.line_end is None:
                state.line_end = Token("_NL", "\n", found.start("NL"), found.end())
            position = found.end()
            continue
        elif kind == "COMMENT":
            state.out.comments.append(Token(kind, found["COMMENT"], found.start(kind), found.end()))
            position = found.end()
            continue
        else:
            token = _classify(text, Token(kind, found[kind], found.start(kind), found.end()), state)
        position = token.end
        _emit(token, state)
        if len(state.stack) > MAX_DEPTH:
            state.out.too_deep = token
            break
    _line_end(state, "$END")
    state.out.tokens.append(Token("$END", "", size, size))
    return state.out


def _emit(token: Token, state: _State) -> None:
    if state.line_end is not None:
        _line_end(state, token.kind)
    stack, kind = state.stack, token.kind
    if kind == "_LPAR":
        stack.append("(")
    elif kind == "_LBRACE":
        stack.append("v" if stack and stack[-1] == "m" else state.opens)
        state.opens = "{"
    elif kind == "_RPAR":
        if stack and stack[-1] == "(":
            stack.pop()
    elif kind == "_RBRACE":
        # a bracket left open inside the braces ends with them
        while stack and stack.pop() == "(":
            pass
    elif kind == "_VALUES":
        state.opens = "v"
    elif kind in ("_SCHEMA", "_LEXICON", "_MAPPING"):
        state.opens = "m" if kind == "_MAPPING" else "s"
    elif kind in ("STRING", "CTABLE"):
        state.opens = "{"
    # the star of `select *` multiplies nothing
    all_columns = kind == "STAR" and state.previous in ("_SELECT", "DISTINCT", "ALL")
    state.previous = "NAME" if all_columns else kind
    state.out.tokens.append(token)


def _line_end(state: _State, following: str) -> None:
    """Whether the pending line end closes a row, before a token of kind `following`."""
    pending, state.line_end = state.line_end, None
    if pending is None:
        return
    stack = state.stack
    inner = stack[-1] if stack else ""
    if inner in ("(", "v"):
        juxtaposed = state.previous in OPERANDS and following in ("VAR", "PNAME", "IRI") and "v" not in stack[-2:]
        if inner == "v" or state.opens == "v" or not (juxtaposed or following in STARTS_ROW):
            return
        # a row begins: the bracket was never closed
        while stack and stack[-1] == "(":
            stack.pop()
    elif (
        (not stack and following == "_LBRACE")
        or (state.previous in CONTINUES and not _names_row(state.previous, following))
        or following in LEADS_ON
        or (inner == "s" and following in SCHEMA_LEADS_ON)
    ):
        return
    state.previous, state.opens = "_NL", "{"
    state.out.tokens.append(pending)


def _names_row(previous: str, following: str) -> bool:
    """Whether a row's id begins the next line: then the row before it broke off, and must not swallow this one."""
    return following == "LABEL" and previous not in ("_SEMI", "_COMMA", "LABEL")


def _classify(text: str, token: Token, state: _State) -> Token:
    kind = token.kind
    if kind == "WORD":
        _classify_word(text, token)
    elif kind == "PUNCTUATION":
        spelling = token.text
        if spelling in HABITS:
            state.out.habits.append(token)
        token.kind = PUNCTUATION[spelling]
    elif kind == "QUANT" and state.opens == "v":
        return Token("_LBRACE", "{", token.start, token.start + 1)
    elif kind == "AT" and token.text == "@prefix":
        token.kind = "_PREFIX"
        state.out.habits.append(token)
    elif kind == "BARE_DATE":
        state.out.habits.append(token)
    elif kind == "PNAME" and token.text.startswith("xsd:") and text.startswith("(", token.end):
        token.kind = "FUNC"
    elif kind in ("IRI", "RELATIVE") and _is_compared(state):
        return Token("LT", "<", token.start, token.start + 1)
    return token


def _is_compared(state: _State) -> bool:
    """Whether `<` is a comparison, as in `(?a<b:c)`: inside brackets and after an operand, but not among values."""
    return state.previous in OPERANDS and state.stack[-1:] == ["("] and "v" not in state.stack[-2:]


def _classify_word(text: str, token: Token) -> None:
    word = token.text
    lower = word.lower()
    keyword = "A" if word == "a" else KEYWORDS.get(lower)
    if text.startswith("(", token.end) and (keyword is None or lower in CALLABLE_KEYWORDS):
        token.kind = CALLABLE_KEYWORDS.get(lower) or ("AGGREGATE" if lower in AGGREGATES else "FUNC")
    elif keyword is not None:
        token.kind = keyword
    else:
        token.kind = "NAME"


def _unreadable(text: str, position: int) -> Token | None:
    """What no pattern takes: an unclosed string or a strange character; None at the end of the text."""
    blanks = _BLANKS.match(text, position)
    start = blanks.end() if blanks else position
    if start >= len(text):
        return None
    if text[start] in "\"'`":
        end = start
        while end < len(text) and text[end] not in "\r\n":
            end += 1
        return Token("UNCLOSED", text[start:end], start, end)
    if text[start] == "<":
        return Token("LT", "<", start, start + 1)
    return Token("ERROR", text[start], start, start + 1)
