"""Broken SPARQL: nothing but diagnostics comes of it, each with its place, and most slips give one message."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.property.test_sparql_scope import queries
from tests.timing import within
from uniqgen_ir.grammar.sparql import read_sparql
from uniqgen_ir.grammar.sparql.lexer import tokenize
from uniqgen_ir.grammar.sparql.tables import parse_table
from uniqgen_ir.ir.diagnostics import errors

PIECES = st.sampled_from(
    [
        *(
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            ".",
            ";",
            ",",
            "?x",
            "e:p",
            "<a:b>",
            "'s'",
            '"',
            "'",
            "1",
            "-2",
            "1.5",
            "@en",
            "^^",
        ),
        *("SELECT", "WHERE", "FILTER", "OPTIONAL", "UNION", "MINUS", "BIND", "AS", "VALUES", "UNDEF", "EXISTS", "NOT"),
        *(
            "GROUP",
            "BY",
            "ORDER",
            "HAVING",
            "LIMIT",
            "COUNT",
            "SUM",
            "REGEX",
            "STR",
            "IF",
            "IN",
            "a",
            "*",
            "/",
            "|",
            "^",
        ),
        *(
            "=",
            "==",
            "<",
            "<>",
            "!",
            "&&",
            "||",
            "OR",
            "AND",
            "LIKE",
            "IS",
            "NULL",
            "DELETE",
            "INSERT",
            "#",
            "\n",
            "\\u0041",
        ),
        *(
            "```",
            "PREFIX",
            "e:",
            "BASE",
            "CONSTRUCT",
            "DESCRIBE",
            "ASK",
            "SERVICE",
            "GRAPH",
            "FROM",
            "_:b",
            "$y",
            "\ud800",
        ),
    ]
)


def check(text: str) -> None:
    result = within(1.0, lambda: read_sparql(text))
    assert (result.table is None) == bool(errors(result.diagnostics))
    for one in result.diagnostics:
        assert one.span is not None
        assert 0 <= one.span.start <= one.span.end <= len(text)
        if one.fix is not None:
            one.fix.apply(text)
        one.render({"<input>": text})


@given(st.lists(PIECES, max_size=40).map(" ".join))
def test_any_words_give_diagnostics_only(text: str) -> None:
    check(text)


@given(st.text(max_size=60))
def test_any_text_gives_diagnostics_only(text: str) -> None:
    check(text)


@given(queries(), st.data())
def test_damaged_queries_give_diagnostics_only(query: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(query)))
        end = min(len(query), start + data.draw(st.integers(0, 6)))
        query = query[:start] + data.draw(st.one_of(st.just(""), PIECES)) + query[end:]
    check(query)


@given(queries(), st.data())
def test_one_token_too_few_is_found_near_its_place(query: str, data: st.DataObject) -> None:
    """The first message stands at the lost token or after it, or names the bracket that it would have closed."""
    tokens = tokenize(query, parse_table())[:-1]
    kind, _, start, end = data.draw(st.sampled_from(tokens))
    found = errors(read_sparql(query[:start] + query[end:]).diagnostics)
    if not found or kind in ("LBRACE", "RBRACE", "PNAME_NS", "IRIREF", "PREFIX"):
        return
    place = found[0].span
    assert place is not None
    assert place.end >= start - 1 or found[0].code in ("UQ143", "UQ161")
