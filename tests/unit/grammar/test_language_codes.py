"""Every code of the language has a page, and the page's own example reaches it."""

from __future__ import annotations

from pathlib import Path

import pytest

from uniqgen_ir.grammar.ctable import read_table
from uniqgen_ir.grammar.ctable.formatter import is_schema_file
from uniqgen_ir.grammar.ctable.lexer import lex
from uniqgen_ir.grammar.schema import load_documents, read_document
from uniqgen_ir.ir.codes import names, schema, syntax
from uniqgen_ir.ir.codes.base import Code
from uniqgen_ir.ir.diagnostics import Diagnostic, errors

BELONGS_TO_VERIFY = {"UQ202", "UQ203"}
NEEDS_FILES = {"UQ305", "UQ306"}
CODES = [
    code
    for family in (syntax.FAMILY, names.FAMILY, schema.FAMILY)
    for code in family
    if code.code <= "UQ208" or "UQ300" < code.code < "UQ310"
]


def diagnose(text: str) -> tuple[Diagnostic, ...]:
    return (read_document(text) if is_schema_file(lex(text)) else read_table(text)).diagnostics


@pytest.mark.parametrize("code", [one for one in CODES if one.code not in NEEDS_FILES], ids=lambda code: code.code)
def test_the_example_reaches_the_code_and_the_mended_text_is_clean(code: Code) -> None:
    found = diagnose(code.example)
    if code.code not in BELONGS_TO_VERIFY:
        assert code.code in {one.code for one in found}
        assert all(one.span is not None for one in found)
    assert not diagnose(code.instead)


@pytest.mark.parametrize(
    "code", [one for one in CODES if one.code not in NEEDS_FILES | BELONGS_TO_VERIFY], ids=lambda code: code.code
)
def test_safe_fixes_mend_what_they_belong_to(code: Code) -> None:
    text = code.example
    for _ in range(10):
        fixes = [one.fix for one in diagnose(text) if one.fix is not None and one.fix.safe]
        if not fixes:
            break
        text = fixes[0].apply(text)
    left = [one for one in diagnose(text) if one.fix is not None and one.fix.safe]
    assert not left
    if code.code in {one.code for one in diagnose(code.example) if one.fix is not None and one.fix.safe}:
        assert code.code not in {one.code for one in diagnose(text)}


def test_files_that_use_each_other_are_reported(tmp_path: Path) -> None:
    (tmp_path / "a.cts").write_text('use schema "b.cts"\nschema a {\n}\n')
    (tmp_path / "b.cts").write_text('use schema "a.cts"\nschema b {\n}\n')
    result = load_documents(tmp_path / "a.cts")
    assert [one.code for one in result.diagnostics] == ["UQ305"]
    assert not result.documents
    span = result.diagnostics[0].span
    assert span is not None
    assert span.source.endswith("b.cts")


def test_a_file_that_is_not_there_is_reported_where_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.cts").write_text('\nuse schema "none.cts"\n')
    (missing,) = load_documents(tmp_path / "a.cts").diagnostics
    assert missing.code == "UQ306"
    assert missing.span is not None
    assert missing.span.line == 2
    (first,) = load_documents(tmp_path / "absent.cts").diagnostics
    assert first.code == "UQ306"


def test_a_file_that_is_not_text_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.cts").write_bytes(b"\xff\xfe\x00schema")
    assert [one.code for one in errors(load_documents(tmp_path / "a.cts").diagnostics)] == ["UQ306"]
