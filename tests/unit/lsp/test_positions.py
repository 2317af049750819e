"""Characters and positions: surrogate pairs, every kind of line end, places outside the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uniqgen_ir.lsp.positions import Lines

TEXTS = st.text(alphabet="aé€😀\n\r\t\u2028\x0c", max_size=30)
ENCODINGS = st.sampled_from(["utf-8", "utf-16", "utf-32"])
SIZES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def naive_position(text: str, offset: int, encoding: str) -> tuple[int, int]:
    """The definition, character by character."""
    line, start, place = 0, 0, 0
    while place < offset:
        if text[place] == "\n" or (text[place] == "\r" and text[place + 1 : place + 2] != "\n"):
            line, start = line + 1, place + 1
        place += 1
    codec, size = SIZES[encoding]
    return line, len(text[start:offset].encode(codec)) // size


def inside_line_end(text: str, offset: int) -> bool:
    return text[offset - 1 : offset + 1] == "\r\n" and offset > 0


@given(TEXTS, ENCODINGS)
def test_positions_are_what_the_protocol_says(text: str, encoding: str) -> None:
    lines = Lines(text, encoding)
    for offset in range(len(text) + 1):
        if not inside_line_end(text, offset):
            position = lines.position(offset)
            assert position == naive_position(text, offset, encoding)
            assert lines.offset(*position) == offset


@given(TEXTS, ENCODINGS, st.integers(-2, 40), st.integers(-2, 90))
def test_any_position_is_pulled_into_the_text(text: str, encoding: str, line: int, units: int) -> None:
    assert 0 <= Lines(text, encoding).offset(line, units) <= len(text)


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_a_face_is_as_wide_as_the_encoding_says(encoding: str, units: int) -> None:
    lines = Lines("😀x", encoding)
    assert lines.position(1) == (0, units)
    assert lines.offset(0, units) == 1


def test_a_place_inside_a_surrogate_pair_is_before_it() -> None:
    assert Lines("a😀b").offset(0, 2) == 1


def test_a_place_between_carriage_return_and_line_feed_is_the_end_of_the_line() -> None:
    lines = Lines("ab\r\nc")
    assert lines.position(3) == (0, 2)
    assert lines.offset(0, 99) == 2
    assert lines.line_end(1) == 2


def test_a_lone_surrogate_does_no_harm() -> None:
    assert Lines("a\ud83d").position(2) == (0, 2)
