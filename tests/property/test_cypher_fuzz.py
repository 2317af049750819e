"""Whatever the text, reading ends, and what it says is about the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from uniqgen_ir.grammar.cypher import parse_cypher, read_cypher
from uniqgen_ir.grammar.cypher.tokens import KEYWORDS, PUNCTUATION
from uniqgen_ir.ir.diagnostics import Severity

WORDS = sorted(
    {*KEYWORDS, *PUNCTUATION, "ORDER BY", "OPTIONAL MATCH", "IS NOT NULL", "n", "m", "count", "'a'", "1", "$p", "`x`"}
)
texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=25).map("".join),
)


@given(texts)
def test_any_text_is_read_or_refused(text: str) -> None:
    read = read_cypher(text)
    assert (read.table is None) == any(one.severity is Severity.ERROR for one in read.diagnostics)
    for one in read.diagnostics:
        assert one.span is not None
        assert 0 <= one.span.start <= one.span.end <= len(text)
        one.render({"<cypher>": text})
        if one.fix is not None:
            one.fix.apply(text)


_PIECES = [*"'\"`\\;{}()/*-\n$ab\u202e\u2028\x00", "\\u0027", "\\u0060", "//", "/*", "*/", "}) "]
HOSTILE = st.lists(st.sampled_from(_PIECES), max_size=12).map("".join)


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


@given(HOSTILE, HOSTILE)
def test_a_quoted_value_or_name_never_changes_the_structure(value: str, name: str) -> None:
    """What a careful writer quotes stays one word; what would end it early in an engine is refused."""
    label = "`" + (name or "x").replace("`", "``") + "`"
    parse = parse_cypher(f"MATCH (n:{label}) WHERE n.x = {_quoted(value)} RETURN n")
    assert parse.statement is not None or parse.diagnostics
    if parse.valid:
        assert len(parse.statement.query.clauses) == 2  # type: ignore[union-attr]
    else:
        assert {one.code for one in parse.diagnostics} == {"UQ181"}
