"""Every code of the SPARQL reader: its page's example gives it, and the mended text does not."""

from __future__ import annotations

import pytest

from uniqgen_ir.grammar.sparql import ReadResult, read_sparql
from uniqgen_ir.ir.codes import sparql
from uniqgen_ir.ir.codes.base import Code
from uniqgen_ir.ir.diagnostics import Severity, errors

UNBOUNDED = {"UQ172": "refuse", "UQ173": "bound:3"}
DEEP = "SELECT ?x WHERE " + "{" * 101 + " ?x ?p ?o " + "}" * 101
EXAMPLES = {"UQ179": DEEP}
"""Examples that their page can only hint at."""

IDIOMS = {f"UQ{number}" for number in range(150, 159)}
NOTES = {"UQ138", "UQ159", "UQ174", "UQ177"}


def read(code: Code, text: str, *, strict: bool = False) -> ReadResult:
    return read_sparql(text, unbounded=UNBOUNDED.get(code.code, "allow"), strict=strict)


@pytest.mark.parametrize("code", sparql.FAMILY, ids=lambda code: code.code)
def test_the_example_gives_the_code_and_the_mended_text_does_not(code: Code) -> None:
    example = EXAMPLES.get(code.code, code.example)
    assert code.code in {one.code for one in read(code, example).diagnostics}
    mended = read(code, code.instead)
    assert mended.table is not None
    assert {one.code for one in mended.diagnostics} <= {"UQ174"} - {code.code}


@pytest.mark.parametrize("code", sparql.FAMILY, ids=lambda code: code.code)
def test_severities(code: Code) -> None:
    result = read(code, EXAMPLES.get(code.code, code.example))
    severity = next(one.severity for one in result.diagnostics if one.code == code.code)
    if code.code in IDIOMS or code.code == "UQ173":
        assert severity is Severity.WARNING
    else:
        assert severity is (Severity.INFORMATION if code.code in NOTES else Severity.ERROR)
    assert (result.table is None) == bool(errors(result.diagnostics))


@pytest.mark.parametrize("code", [one for one in sparql.FAMILY if one.code in IDIOMS - {"UQ151"}], ids=lambda c: c.code)
def test_idioms_are_refused_when_strict_and_mended_by_their_fix(code: Code) -> None:
    lenient, strict = read(code, code.example), read(code, code.example, strict=True)
    assert lenient.table is not None
    assert strict.table is None
    text = code.example
    for one in sorted(lenient.diagnostics, key=lambda one: -one.span.start if one.span else 0):
        assert one.fix is not None
        assert one.fix.safe
        text = one.fix.apply(text)
    assert read(code, text, strict=True).table == lenient.table


def test_a_missing_common_prefix_is_mended_by_its_declaration() -> None:
    text = "SELECT ?x WHERE { ?x ?p ?d . FILTER(xsd:date(?d) = ?d) }"
    (warning,) = read_sparql(text).diagnostics
    assert warning.code == "UQ151"
    assert warning.fix is not None
    assert read_sparql(warning.fix.apply(text), strict=True).table == read_sparql(text).table
