"""One statement: what may stand around a query (EXPLAIN, a version, a semicolon, a code fence), and commands."""

from __future__ import annotations

import re
from typing import Any, Final

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher.context import Context, replace
from uniqgen_ir.grammar.cypher.driver import Parser
from uniqgen_ir.grammar.cypher.marks import mark
from uniqgen_ir.grammar.cypher.recovery import CypherRecovery
from uniqgen_ir.grammar.cypher.text import hidden_quote
from uniqgen_ir.grammar.cypher.tokens import END_KINDS, Token, scan
from uniqgen_ir.grammar.cypher.walk import depth
from uniqgen_ir.ir.diagnostics import Edit, Fix

MAX_DEPTH: Final = 200
"""How deep the syntax tree may be: what works on it is recursive."""

_MACHINE: Final = re.compile(r"<\|\w+\|>")
_LABEL: Final = re.compile(r"\s*(?:cypher|query|answer)(?:\s+query)?\s*:\s*", re.IGNORECASE)
_READING: Final = frozenset({"MATCH", "OPTIONAL", "WITH", "RETURN", "UNWIND", "CALL"})


def read_statements(context: Context) -> list[ast.Statement]:
    """The statements of the context's text; one, if it is as it should be. Faults are reported to the context."""
    text = _without_wrapping(context)
    words = scan(text)
    if all(word.kinds == ("SEMI",) for word in words[:-1]):
        context.report("UQ180", "there is no query", 0, len(context.text), hint="write MATCH … RETURN …")
        return []
    _check_names(context, words)
    statements = [_statement(context, one) for one in _split(context, words)]
    return [one for one in statements if one is not None]


def _statement(context: Context, words: list[Token]) -> ast.Statement | None:
    prefix, words = _prefix(words)
    command = _command(words)
    if command is not None:
        return ast.Statement(words[0].start, command.end, command, *prefix)
    tokens = mark(words)
    query = _query(context, tokens)
    if query is not None and len(tokens) > MAX_DEPTH and depth(query) > MAX_DEPTH:
        context.report("UQ182", "operators or brackets are nested too deeply", query.start, query.end)
        return None
    return None if query is None else ast.Statement(query.start, query.end, query, *prefix)


def _query(context: Context, tokens: list[Token]) -> Any:
    recovery = CypherRecovery(context)
    parser = Parser(context)
    before = len(context.diagnostics)
    query = parser.parse(tokens, recovery)
    if recovery.reports:
        # what the builders found wrong in a mended tree may be an echo of the mending
        kept = [one for one in context.diagnostics[before:] if one in recovery.said or one.code == "UQ181"]
        context.diagnostics[before:] = kept
    return query


def _without_wrapping(context: Context) -> str:
    """The text with a code fence, a chat template's mark or a label replaced by blanks, so that places stay."""
    text = context.text
    inner = text.strip()
    if len(inner) > 6 and inner.startswith("```") and inner.endswith("```"):
        return _without_fence(context, text, inner)
    machine = _MACHINE.search(inner)
    if machine is not None and machine.end() == len(inner):
        start = text.index(inner) + machine.start()
        fix = replace(len(text[:start].rstrip()), len(text), "", "remove it")
        message = "this mark of a chat template does not belong to the query"
        context.report("UQ180", message, start, start + len(machine[0]), fix=fix)
        return text[:start] + " " * (len(text) - start)
    label = _LABEL.match(text)
    if label is not None:
        context.report(
            "UQ196",
            "this label does not belong to the query",
            label.start(),
            label.end(),
            fix=replace(0, label.end(), "", "remove it"),
        )
        return " " * label.end() + text[label.end() :]
    return text


def _without_fence(context: Context, text: str, inner: str) -> str:
    first = text.index(inner)
    line_end = text.find("\n", first)
    start, end = (first + 3 if line_end < 0 else line_end + 1), first + len(inner) - 3
    start = min(start, end)
    fix = Fix("remove the fence", (Edit(0, start, ""), Edit(end, len(text), "")))
    context.report("UQ196", "a code fence does not belong to the query", first, start, fix=fix)
    return " " * start + text[start:end] + " " * (len(text) - end)


def _check_names(context: Context, words: list[Token]) -> None:
    """Escapes in backticks that stand for a quote: they are replaced before the text is read, and end the name."""
    for word in words:
        if word.text.startswith("`"):
            hidden = hidden_quote(word.text)
            if hidden is not None:
                start = word.start + hidden.start()
                message = "this escape is replaced before the text is read, and then ends the name"
                context.report("UQ181", message, start, start + len(hidden[0]), hint="write two backticks for one")


def _split(context: Context, words: list[Token]) -> list[list[Token]]:
    """The words between semicolons, each part ended by `$END`; a second part is reported."""
    parts: list[list[Token]] = [[]]
    for word in words[:-1]:
        if word.kinds == ("SEMI",):
            parts.append([])
        else:
            parts[-1].append(word)
    parts = [part for part in parts if part]
    for part in parts[1:2]:
        hint = "send one statement at a time"
        context.report("UQ195", "a second statement begins here", part[0].start, parts[-1][-1].end, hint=hint)
    return [[*part, Token(END_KINDS, "", part[-1].end, part[-1].end)] for part in parts]


_Prefix = tuple[str | None, str | None, tuple[tuple[str, str], ...]]


def _prefix(words: list[Token]) -> tuple[_Prefix, list[Token]]:
    """`CYPHER 5 name=value`, EXPLAIN and PROFILE in front of the query."""
    version: str | None = None
    mode: str | None = None
    options: list[tuple[str, str]] = []
    place = 0
    while place < len(words) - 1:
        word = words[place]
        if word.upper in ("EXPLAIN", "PROFILE"):
            mode = word.upper
            place += 1
        elif word.upper == "CYPHER" and (words[place + 1].upper or words[place + 1].kinds[0] in ("INT", "FLOAT")):
            place += 1
            if words[place].kinds[0] in ("INT", "FLOAT"):
                version = words[place].text
                place += 1
            while place + 2 < len(words) and words[place].upper and words[place + 1].text == "=":
                options.append((words[place].text, words[place + 2].text))
                place += 3
        else:
            break
    return (version, mode, tuple(options)), words[place:]


_SCHEMA: Final = frozenset(
    {
        *("INDEX", "CONSTRAINT", "RANGE", "TEXT", "POINT", "LOOKUP", "FULLTEXT", "VECTOR", "BTREE", "DATABASE", "USER"),
        *("ROLE", "ALIAS", "COMPOSITE", "IMMUTABLE", "OR"),
    }
)
_ADMINISTRATION: Final = frozenset(
    {"DROP", "ALTER", "GRANT", "DENY", "REVOKE", "TERMINATE", "RENAME", "STOP", "ENABLE", "DEALLOCATE"}
)


def _command(words: list[Token]) -> ast.Command | None:
    """A statement that manages the schema, users or databases, or shows them."""
    first, second = words[0], words[1] if len(words) > 1 else words[0]
    end = words[-2].end if len(words) > 1 else first.end
    named = " ".join(word.upper for word in words[:3] if word.upper)
    schema = (first.upper == "CREATE" and second.upper in _SCHEMA) or (
        first.upper == "START" and second.upper == "DATABASE"
    )
    if schema or first.upper in _ADMINISTRATION:
        return ast.Command(first.start, end, ast.CommandKind.WRITE, named)
    if first.upper == "SHOW":
        return ast.Command(first.start, end, ast.CommandKind.READ, named)
    return None
