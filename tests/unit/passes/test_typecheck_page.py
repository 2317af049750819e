"""`spec/typing.md` and the code say the same: rules, codes, and what each example gives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from uniqgen_ir.grammar.ctable import read_table
from uniqgen_ir.grammar.schema import parse_document, read_document
from uniqgen_ir.ir.codes import CODES
from uniqgen_ir.ir.codes import types as type_codes
from uniqgen_ir.ir.codes import typing_schema as schema_codes
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.ir.inference import infer
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.schema_checks import check_schemas
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.passes.typecheck import typecheck
from uniqgen_ir.passes.types.rules import CHECK_RULES, INFERENCE_RULES

_PAGE = (Path(__file__).parents[3] / "spec" / "typing.md").read_text(encoding="utf-8")
_RULES = re.findall(r"^### ([\w-]+)\n\n(.*?)\n\n```(\w+)\n(.*?)\n```", _PAGE, re.MULTILINE | re.DOTALL)
_SCHEMA_TEXT = re.search(r"```cts\n(prefix.*?)\n```", _PAGE, re.DOTALL)
assert _SCHEMA_TEXT is not None
_PREFIXES, _, _BODY = _SCHEMA_TEXT[1].partition("\n\n")


def _schema() -> Schema:
    (schema,) = parse_document(f"{_PREFIXES}\n\n{_BODY}").schemas
    return schema


def _table_text(example: str) -> str:
    # an example without a head asks for everything
    head = "" if re.search(r"^select", example, re.MULTILINE) and not example.startswith("table") else "select *\n"
    return f"{_PREFIXES}\nctable example {{\n{head}{example}\n}}\n"


def _found(example: str) -> tuple[Diagnostic, ...]:
    text = _table_text(example)
    result = read_table(text)
    assert result.table is not None, "\n".join(one.render() for one in result.diagnostics)
    return typecheck(result.table, _schema(), source=text)


def test_the_page_lists_the_rules_of_the_code_in_their_order() -> None:
    named = [name for name, *_ in _RULES]
    assert named[: len(INFERENCE_RULES)] == list(INFERENCE_RULES)
    assert sorted(named[len(INFERENCE_RULES) :]) == sorted(CHECK_RULES)
    assert len(re.findall("^### ", _PAGE, re.MULTILINE)) == len(_RULES)


def test_every_code_of_types_has_a_rule() -> None:
    families = {one.code for family in (type_codes, schema_codes) for one in family.FAMILY}
    assert families <= set(CHECK_RULES.values()) <= set(CODES)


@pytest.mark.parametrize(("name", "example"), [(one[0], one[3]) for one in _RULES if one[0] in INFERENCE_RULES])
def test_inference_examples_are_clean_and_use_their_rule(name: str, example: str) -> None:
    found = _found(example)
    assert not found, "\n".join(one.render() for one in found)
    result = read_table(_table_text(example))
    assert result.table is not None
    typed = infer(result.table, _schema())
    evidence = [one for scope in typed.scope.walk() for several in scope.evidence.values() for one in several]
    if name == "named-node":
        # it is what a named node is before any other evidence, so it shows only in what it contradicts
        assert any(isinstance(key, IRI) for key in typed.scope.types)
    else:
        assert name in {one.rule for one in evidence}


@pytest.mark.parametrize(
    ("name", "text", "language", "example"), [pytest.param(*one, id=one[0]) for one in _RULES if one[0] in CHECK_RULES]
)
def test_check_examples_give_their_code_and_nothing_else(name: str, text: str, language: str, example: str) -> None:
    code = CHECK_RULES[name]
    assert text.startswith(f"`{code}`")
    if language == "cts":
        body = _BODY.rstrip().removesuffix("}")
        result = read_document(f"{_PREFIXES}\n{body}{example}\n}}\n")
        schemas = result.document.schemas if result.document else _without_reader_checks(example)
        found: tuple[Diagnostic, ...] = check_schemas(*schemas)
    else:
        found = _found(example)
    assert {one.code for one in found} == {code}
    if text.startswith(f"`{code}`, a warning"):
        assert {one.severity for one in found} == {Severity.WARNING}


def _without_reader_checks(example: str) -> tuple[Schema, ...]:
    """A document a line, because the reader refuses by itself what contradicts inside one."""
    parts = [_BODY.rstrip().removesuffix("}")]
    parts += [f"schema s{place} {{\n{line}" for place, line in enumerate(example.split("\n"))]
    return tuple(one for part in parts for one in parse_document(f"{_PREFIXES}\n{part}\n}}\n").schemas)
