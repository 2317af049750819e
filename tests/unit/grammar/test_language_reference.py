"""The examples of the language reference are read as they stand."""

from __future__ import annotations

import re
from pathlib import Path

from uniqgen_ir.grammar.ctable import read_table
from uniqgen_ir.grammar.ctable.formatter import format_text, is_schema_file
from uniqgen_ir.grammar.ctable.lexer import lex
from uniqgen_ir.grammar.schema import read_document
from uniqgen_ir.ir.diagnostics import errors
from uniqgen_ir.ir.functions import FUNCTIONS

REFERENCE = (Path(__file__).parents[3] / "spec" / "language.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```\n(.*?)^```$", REFERENCE, re.MULTILINE | re.DOTALL)


def test_the_examples_read_without_an_error() -> None:
    assert len(EXAMPLES) == 2
    for text in EXAMPLES:
        schema = is_schema_file(lex(text))
        assert not errors((read_document(text) if schema else read_table(text)).diagnostics)


def test_the_first_example_is_in_the_layout_that_it_describes() -> None:
    assert format_text(EXAMPLES[0]) == EXAMPLES[0]


def test_every_function_is_listed() -> None:
    (listed,) = re.findall(r"`(str lang [a-z0-9_\s]+)`", REFERENCE)
    assert set(listed.split()) == set(FUNCTIONS)
