"""The grammar is LALR(1) without a conflict, its packaged table is current, and Lark referees the driver."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uniqgen_ir.grammar.ctable import tables
from uniqgen_ir.grammar.ctable.lalr import Parser
from uniqgen_ir.grammar.ctable.lexer import lex
from uniqgen_ir.grammar.ctable.tree import Token
from uniqgen_ir.ir.codes import schema, syntax

STARTS = ("ctable_file", "schema_file")
CODES = (*syntax.FAMILY, *schema.FAMILY)
TEXTS = [text for code in CODES for text in (code.example, code.instead)]


def test_the_grammar_has_no_conflict_and_its_table_is_current() -> None:
    packaged = (tables.FOLDER / "ctable.table.json").read_text(encoding="utf-8")
    assert tables.dump("ctable") == packaged, "run `python -m uniqgen_ir.grammar.ctable.tables`"


def test_a_conflict_would_be_refused(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from lark.exceptions import GrammarError

    ambiguous = "%declare A B\nctable_file: x A | x B\nx: y | y A\ny: A | A x\nschema_file: ctable_file\n"
    (tmp_path / "ctable.lark").write_text(ambiguous)
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    with pytest.raises(GrammarError):
        tables.compile_grammar("ctable")


class Refused(Exception):
    """A token that the driver does not take."""


class Refusing:
    """Stops at the first error, as Lark does."""

    def recover(self, parser: Parser, tokens: Any, place: int) -> int | None:
        del parser
        raise Refused(tokens[place].kind)


def driver_accepts(kinds: list[str], start: str) -> bool:
    tokens = [Token(kind, kind, place, place + 1) for place, kind in enumerate([*kinds, "$END"])]
    try:
        return Parser(tables.load("ctable"), start).parse(tokens, Refusing()) is not None
    except Refused:
        return False


@pytest.fixture(scope="module")
def referee() -> Any:
    from lark import Lark
    from lark import Token as LarkToken
    from lark.lexer import Lexer

    class Kinds(Lexer):
        """The text is a list of kinds."""

        def __init__(self, _conf: object) -> None: ...

        def lex(self, data: str) -> Iterator[LarkToken]:  # type: ignore[override]
            return (LarkToken(kind, kind) for kind in data.split())

    grammar = (tables.FOLDER / "ctable.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer=Kinds, start=list(STARTS), strict=True)


def lark_accepts(referee: Any, kinds: list[str], start: str) -> bool:
    from lark.exceptions import UnexpectedInput

    try:
        referee.parse(" ".join(kinds), start=start)
    except UnexpectedInput:
        return False
    return True


def kinds_of(text: str) -> list[str]:
    return [token.kind for token in lex(text).tokens if token.kind not in ("$END", "ERROR", "UNCLOSED", "RELATIVE")]


@pytest.mark.parametrize("start", STARTS)
def test_lark_and_the_driver_agree_on_the_examples(referee: Any, start: str) -> None:
    verdicts = [(driver_accepts(kinds, start), lark_accepts(referee, kinds, start)) for kinds in map(kinds_of, TEXTS)]
    assert all(ours == theirs for ours, theirs in verdicts)
    assert {ours for ours, _ in verdicts} == {True, False}


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_lark_and_the_driver_agree_on_damaged_examples(referee: Any, data: st.DataObject) -> None:
    kinds = kinds_of(data.draw(st.sampled_from(TEXTS)))
    place = data.draw(st.integers(0, max(0, len(kinds) - 1)))
    other = data.draw(st.sampled_from(sorted({kind for text in TEXTS for kind in kinds_of(text)})))
    kinds[place : place + data.draw(st.integers(0, 2))] = data.draw(st.sampled_from([[], [other]]))
    for start in STARTS:
        assert driver_accepts(kinds, start) == lark_accepts(referee, kinds, start)
