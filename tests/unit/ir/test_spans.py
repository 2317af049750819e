"""Spans: characters to lines and columns."""

from __future__ import annotations

from itertools import combinations_with_replacement

from uniqgen_ir.ir.spans import Span

TEXT = "one\ntwo three\n\nfour"


def test_a_part_of_a_span_is_where_it_would_be_counted_from_the_beginning() -> None:
    for outer_start, outer_end in combinations_with_replacement(range(len(TEXT) + 1), 2):
        outer = Span.at(TEXT, outer_start, outer_end)
        for start, end in combinations_with_replacement(range(outer_start, outer_end + 1), 2):
            assert outer.part(TEXT, start, end) == Span.at(TEXT, start, end)
