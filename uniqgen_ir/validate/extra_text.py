"""What stands around a query: code fences, prose, labels, a model's thoughts, marks of chat templates.

Such text is reported and blanked, so that places stay, and never reaches an engine. The fix removes it.
"""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, Edit, Fix
from uniqgen_ir.ir.spans import Span

_THOUGHT: Final = re.compile(
    r"<(think|thinking|reasoning|analysis|scratchpad)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
_END_OF_THOUGHT: Final = re.compile(r"\A.*</(?:think|thinking|reasoning|analysis)>", re.DOTALL | re.IGNORECASE)
_MARK: Final = re.compile(
    r"<[|｜][\w▁ /-]{1,40}[|｜]>(?:(?:user|assistant|system)\b)?|\[/?INST\]|<</?SYS>>|</?s>|<eos>|<bos>"
    r"|<(?:start|end)_of_turn>(?:(?:user|model)\b)?"
)
_TAGS: Final = re.compile(r"</?(?:query|cypher|sparql|answer|output|result|code)>", re.IGNORECASE)
_WRAPPED: Final = re.compile(r"\A\s*([\"'`]+)(?=[A-Za-z])(.*?)\1[;.\s]*\Z", re.DOTALL)
_FENCE: Final = re.compile(
    r"(?:(?<=[\n:.!>])|\A)[ \t]*(?:```|~~~)[ \t]*([A-Za-z0-9_+-]*)[ \t]*(?:\r?\n|(?=\s)|$)?(.*?)(?:```|~~~|\Z)",
    re.DOTALL,
)

_CYPHER_START: Final = (
    r"(?:OPTIONAL\s+)?MATCH\s+(?:\(|\w+\s*=|ALL\b|ANY\b|SHORTEST\b|REPEATABLE\b|DIFFERENT\b)"
    r"|(?:OPTIONAL\s+)?MATCH\s*\(|CALL\s*[({\w]|UNWIND\s+[\[\w$]|WITH\s+[\w*\[\"'$`(][^\n]*|RETURN\s+\S|CREATE\s*\(|MERGE\s*\("
    r"|LOAD\s+CSV\b|EXPLAIN\s+\w|PROFILE\s+\w|CYPHER\s+\w|FOREACH\s*\(|SHOW\s+[A-Z]|USE\s+\w"
    r"|(?:CREATE|DROP)\s+(?:\w+\s+){0,2}(?:INDEX|CONSTRAINT|DATABASE)\b|LET\s+\w+\s*="
)
_SPARQL_START: Final = (
    r"PREFIX\s+[\w.-]*:\s*<|BASE\s+<|SELECT\s+(?:DISTINCT\b|REDUCED\b|[?$*(]|COUNT\b|WHERE\b)|SELECT\s*\("
    r"|ASK\s*(?:WHERE\s*)?(?:FROM\b|\{)|CONSTRUCT\s*(?:WHERE\s*)?\{|DESCRIBE\s+[?$<*\w]"
    r"|(?:INSERT|DELETE)\s+(?:DATA\b|WHERE\b|\{)|(?:INSERT|DELETE)\s*\{|LOAD\s+(?:SILENT\s+)?<"
    r"|(?:CLEAR|DROP|COPY|MOVE|ADD)\s+(?:SILENT\s+)?(?:GRAPH|ALL|NAMED|DEFAULT)\b|WITH\s+<|DEFINE\s+\w+:"
)
_STARTS: Final = {
    "cypher": re.compile(_CYPHER_START, re.IGNORECASE),
    "sparql": re.compile(_SPARQL_START, re.IGNORECASE),
    "ctable": re.compile(
        r"ctable\s+(?:\d|\w+\s*[({\"])|prefix\s+[\w.-]*:\s*<|use\s+(?:schema\s+\"|unbounded\s+paths\b)"
        r"|schema\s+\w+\s*\{|(?:lexicon|mapping)\s+\w+[^\n]*\{"
    ),
}
_FIRST_WORDS: Final = {
    "cypher": re.compile(
        r"\s*(?://|/\*|(?:MATCH|OPTIONAL|CALL|UNWIND|WITH|RETURN|CREATE|MERGE|LOAD|EXPLAIN|PROFILE|CYPHER(?!\s*:)|FOREACH|SHOW|USE"
        r"|DROP|ALTER|GRANT|DENY|REVOKE|DELETE|DETACH|SET|REMOVE|INSERT|LET|FILTER|FOR|WHERE|SELECT|FINISH|START|STOP"
        r"|TERMINATE|RENAME|ENABLE|DEALLOCATE|ORDER|LIMIT|SKIP|OFFSET|UNION|USING|ON|NEXT|WHEN|EXPLAIN|CASE|AND|OR)\b)",
        re.IGNORECASE,
    ),
    "sparql": re.compile(
        r"\s*(?:#|(?:PREFIX|BASE|SELECT|ASK|CONSTRUCT|DESCRIBE|INSERT|DELETE|LOAD|CLEAR|DROP|CREATE|COPY|MOVE|ADD|WITH"
        r"|DEFINE|WHERE|FROM|FILTER|OPTIONAL|UNION|GROUP|ORDER|LIMIT|OFFSET|HAVING|VALUES|BIND|SERVICE|GRAPH|MINUS)\b)",
        re.IGNORECASE,
    ),
    "ctable": re.compile(r"\s*(?:#|(?:ctable|prefix|use|schema|lexicon|mapping)\b)"),
}
_PROSE_LINE: Final = re.compile(
    r"^[ \t]*(?:[-*>#]+[ \t]*|\*\*)?(?:[A-Z][a-z'’]*|[A-Z]|I['’]\w+)(?:[ \t]+[\w'’`,()\"-]+){2,}.*$"
    r"|^[ \t]*(?:\*\*)?(?:Explanation|Notes?|Answer|Question|Output|Result|Reasoning|User|Human|Assistant)\b"
    r"(?:\*\*)?[ \t]*:.*$",
    re.MULTILINE,
)
_QUOTED: Final = re.compile(
    r'"""(?:\\.|.)*?"""|\'\'\'(?:\\.|.)*?\'\'\'|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|`[^`]*`|/\*.*?\*/|//[^\n]*',
    re.DOTALL,
)
_TABLE: Final = re.compile(r"^[ \t]*ctable\s+\w+\s*[({\"]", re.MULTILINE)
_SYNTAX: Final = {"cypher": "UQ180", "sparql": "UQ144", "ctable": "UQ118"}


@frozen
class Extracted:
    """`text` is as long as what was given, and blank where something does not belong to the query.

    `language` is None where it is not known.
    """

    text: str
    language: str | None
    diagnostics: tuple[Diagnostic, ...] = ()


@frozen
class _Piece:
    """`text[start:end]` is no part of the query."""

    start: int
    end: int
    what: str


def extract(text: str, language: str | None, source: str = "<query>") -> Extracted:
    """Separate the query from what stands around it."""
    chosen = language or _language(text)
    if chosen in _FIRST_WORDS and _FIRST_WORDS[chosen].match(text) and not _suspicious(text):
        return Extracted(text, chosen)
    pieces = _pieces(text, chosen)
    chosen = chosen or _language(_blanked(text, pieces))
    return Extracted(_blanked(text, pieces), chosen, _diagnostics(text, pieces, chosen, source))


def _suspicious(text: str) -> bool:
    """Whether a text that begins as a query does may still have something around it."""
    return "```" in text or "~~~" in text or ("<" in text and _wrapped(text)) or _PROSE_LINE.search(text) is not None


def _wrapped(text: str) -> bool:
    return _MARK.search(text) is not None or _TAGS.search(text) is not None or "think" in text


def _language(text: str) -> str | None:
    fence = _FENCE.search(text)
    if fence is not None and fence[1].lower() in ("cypher", "sparql"):
        return fence[1].lower()
    if _TABLE.search(text) is not None:
        return "ctable"  # its `prefix` is SPARQL's, too
    starts = {name: found.start() for name, start in _STARTS.items() if (found := _at_line(start, text)) is not None}
    return min(starts, key=lambda name: starts[name]) if starts else None


def _at_line(start: re.Pattern[str], text: str, where: int = 0) -> re.Match[str] | None:
    """The first place, at the beginning of a line or after a colon, where a query begins."""
    for found in start.finditer(text, where):
        before = text[where : found.start()].rstrip(" \t")
        if not before or before[-1] in "\n:.>`*\r":
            return found
    return None


def _blanked(text: str, pieces: list[_Piece]) -> str:
    for one in pieces:
        inside = "".join(mark if mark in "\r\n" else " " for mark in text[one.start : one.end])
        text = text[: one.start] + inside + text[one.end :]
    return text


def _pieces(text: str, language: str | None) -> list[_Piece]:
    found: list[_Piece] = []
    for pattern in (_THOUGHT, _END_OF_THOUGHT):
        matches = pattern.finditer(_blanked(text, found))
        found += [_Piece(one.start(), one.end(), "the model's thoughts") for one in matches]
    left = _blanked(text, found)
    fence = _best_fence(left, language)
    if fence is not None:
        found += _around(left, fence.start(2), fence.end(2), "a code fence")
        left = _blanked(text, found)
    quoted = [match.span() for match in _QUOTED.finditer(left)]
    for pattern, what in ((_MARK, "a mark of a chat template"), (_TAGS, "a tag")):
        for match in pattern.finditer(left):
            if not any(start < match.start() and match.end() < end for start, end in quoted) and _outside(left, match):
                found.append(_Piece(match.start(), match.end(), what))
    left = _blanked(text, found)
    wrapped = _WRAPPED.match(left)
    if wrapped is not None:
        found += _around(left, wrapped.start(2), wrapped.end(2), "a quotation mark")
        left = _blanked(text, found)
    found += _before(left, language)
    left = _blanked(text, found)
    found += _after(left, language)
    return found


def _outside(text: str, match: re.Match[str]) -> bool:
    """Whether nothing but such marks, or a sentence, stands on one side of the mark."""
    before, after = text[: match.start()].strip(), text[match.end() :].strip()
    return not before or not after or "|" in match[0] or "INST" in match[0] or "turn" in match[0] or "/" in match[0]


def _best_fence(text: str, language: str | None) -> re.Match[str] | None:
    starts = [_STARTS[language]] if language in _STARTS else list(_STARTS.values())
    fences = [one for one in _FENCE.finditer(text) if one[2].strip()]
    return next((one for one in fences if any(start.search(one[2]) for start in starts)), fences[0] if fences else None)


def _around(text: str, start: int, end: int, what: str) -> list[_Piece]:
    # the blanks at the edges go with what stands around
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return [_Piece(0, start, what), _Piece(end, len(text), what)]


def _before(text: str, language: str | None) -> list[_Piece]:
    """Prose, or a label such as `Answer:`, in front of the query; the whole text where there is no query."""
    lead = len(text) - len(text.lstrip())
    starts = [(language, _STARTS[language])] if language in _STARTS else list(_STARTS.items())
    if language in _FIRST_WORDS and _FIRST_WORDS[language].match(text):
        return []
    places = [match.start() for _, start in starts if (match := _at_line(start, text, lead)) is not None]
    if places:
        first = min(places)
        return [_Piece(lead, first, "text before the query")] if first > lead else []
    # a sentence that is no query at all: an engine must never see it
    prose = _PROSE_LINE.match(text.lstrip())
    if prose is not None and not any(mark in text for mark in "{}[]") and "->" not in text:
        return [_Piece(lead, len(text), "text without a query")]
    return []


def _after(text: str, language: str | None) -> list[_Piece]:
    """Prose behind the query: whole lines that are sentences, outside strings, comments and brackets."""
    words = _FIRST_WORDS.get(language or "")
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    for match in _PROSE_LINE.finditer(text):
        start = match.start()
        if not text[:start].strip() or any(first <= start < last for first, last in quoted):
            continue
        if words is not None and words.match(match[0]):
            continue
        if _depth(text[:start], quoted) != 0:
            continue
        return [_Piece(len(text[:start].rstrip()), len(text.rstrip()), "text after the query")]
    return []


def _depth(text: str, quoted: list[tuple[int, int]]) -> int:
    """How many brackets are open at the end of the text."""
    plain = list(text)
    for start, end in quoted:
        plain[start : min(end, len(text))] = " " * (min(end, len(text)) - start)
    shown = "".join(plain)
    return sum(shown.count(one) for one in "([{") - sum(shown.count(one) for one in ")]}")


def _diagnostics(text: str, pieces: list[_Piece], language: str | None, source: str) -> tuple[Diagnostic, ...]:
    shown = [one for one in pieces if text[one.start : one.end].strip()]
    if not shown:
        return ()
    if any(one.what == "text without a query" for one in shown):
        span = Span.at(text, shown[0].start, shown[0].end, source)
        hint = "the answer must be a query and nothing else"
        return (
            Diagnostic("UQ196", "this is a sentence, not a query", span, hint=hint),
            Diagnostic(_SYNTAX.get(language or "", "UQ180"), "there is no query in the text", span),
        )
    edits = _removal(text, pieces)
    found: list[Diagnostic] = []
    for one in shown:
        span = Span.at(text, one.start, one.end, source)
        message = f"{one.what} does not belong to the query"
        found.append(Diagnostic("UQ196", message, span, fix=Fix("remove what stands around the query", edits)))
    message = "as it stands, with what is around the query, the text cannot be read"
    span = Span.at(text, shown[0].start, shown[0].end, source)
    found.append(Diagnostic(_SYNTAX.get(language or "", "UQ180"), message, span))
    return tuple(found)


def _removal(text: str, pieces: list[_Piece]) -> tuple[Edit, ...]:
    """Edits that remove the pieces, with the blanks that they leave at both ends."""
    left = _blanked(text, pieces)
    first, last = len(left) - len(left.lstrip()), len(left.rstrip())
    edits = [Edit(0, first, "")] if first else []
    inner = sorted((max(one.start, first), min(one.end, last)) for one in pieces)
    reached = first
    for start, end in inner:
        if end > max(start, reached):
            edits.append(Edit(max(start, reached), end, " "))
            reached = end
    return (*edits, Edit(last, len(text), "")) if last < len(text) else tuple(edits)
