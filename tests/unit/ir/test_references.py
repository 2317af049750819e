"""Reference answers as people write them."""

from __future__ import annotations

import pytest

from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.references import references_from_json, references_from_text
from uniqgen_ir.ir.terms import IRI, BlankNode, Literal
from uniqgen_ir.ir.vocabulary import XSD_DATE


def test_plain_lines_are_iris_or_literals_and_comments_are_skipped() -> None:
    found = references_from_text("# what I know\nhttp://a.example/b\n\nLake Placid\n<urn:x>\n_:b0\n")
    assert [one.key for one in found] == [
        (IRI("http://a.example/b"),),
        (Literal("Lake Placid"),),
        (IRI("urn:x"),),
        (BlankNode("b0"),),
    ]


def test_a_sentence_with_a_colon_is_no_iri() -> None:
    assert references_from_text("note: a thing\n")[0].key == (Literal("note: a thing"),)


def test_json_values_keep_type_language_and_confidence() -> None:
    found = references_from_json(
        [
            3,
            True,
            {"value": "2009-01-01", "datatype": XSD_DATE, "confidence": 0.25},
            {"value": "Wien", "lang": "DE"},
            {"value": "http://a.example/b", "type": "literal"},
            {"value": ["http://a.example/b", 3], "confidence": 0.5},
        ]
    )
    assert found == (
        ReferenceAnswer((Literal.of(3),)),
        ReferenceAnswer((Literal.of(True),)),
        ReferenceAnswer((Literal("2009-01-01", XSD_DATE),), 0.25),
        ReferenceAnswer((Literal.tagged("Wien", "de"),)),
        ReferenceAnswer((Literal("http://a.example/b"),)),
        ReferenceAnswer((IRI("http://a.example/b"), Literal.of(3)), 0.5),
    )


@pytest.mark.parametrize(
    "line",
    ['{"value": 1, "confidence": 0}', '{"value": 1, "confidence": "high"}', "[null]", '{"lang": "en"}', '{"value":'],
)
def test_a_bad_line_is_named_with_its_place(line: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        references_from_text(f"fine\n{line}\n", "known.txt")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "UQ655"
    assert diagnostic.span is not None
    assert (diagnostic.span.source, diagnostic.span.line) == ("known.txt", 2)
