"""What `.cts` files declare."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from uniqgen_ir.grammar.schema import load_documents, parse_document, read_document
from uniqgen_ir.ir.diagnostics import Severity
from uniqgen_ir.ir.document_printer import print_document
from uniqgen_ir.ir.mapping import EdgeMapping, LabelMapping, MediatorMapping, PropertyMapping
from uniqgen_ir.ir.rows import Origin
from uniqgen_ir.ir.schema import ClassDeclaration, PropertyDeclaration, RelationDeclaration, Synonym
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.ir.vocabulary import XSD_BOOLEAN

MEDICINE = """prefix m: <http://example.org/>

schema medicine {
  class    m:Drug     "drug" < m:Thing, owl:Thing disjoint m:Disease
  class    m:Disease  "disease"
  class    m:Thing
  relation m:treats   "treats" : m:Drug -> m:Disease
           inverse m:treatedBy functional key
  relation m:near     : -> m:Disease
  property m:approved "approved" : m:Drug -> xsd:boolean functional
  synonym  "medication", "medicine" = m:Drug
  rule     treated: { ?d m:treatedBy ?x } => { ?x m:treats ?d }
  rule     one_id:  { ?x m:id ?s . ?y m:id ?s } => ?x = ?y
}

lexicon words for medicine {
  synonym "cures" = m:treats
  implied approved_only: { ?d a m:Drug } => { ?d m:approved true } @pragmatic(u = 0.3, "people mean approved ones")
}

mapping graph for medicine preset n10s {
  key uri                     # a comment
  label_property label
  m:Drug     => :Drug
  m:Disease  => :`Odd label`
  m:treats   => -[:TREATS]->
  m:near     => <-[:`IS NEAR`]-
  m:approved => .approved
  m:Thing    => edge m:from -[:DOSED_WITH {strength: m:strength, unit: m:unit}]-> m:to
}
"""


def m(name: str) -> IRI:
    return IRI("http://example.org/" + name)


def test_declarations() -> None:
    (schema,) = parse_document(MEDICINE).schemas
    assert schema.classes[0] == ClassDeclaration(
        m("Drug"), "drug", (m("Thing"), IRI("http://www.w3.org/2002/07/owl#Thing")), disjoint=(m("Disease"),)
    )
    assert schema.relations == (
        RelationDeclaration(m("treats"), "treats", m("Drug"), m("Disease"), m("treatedBy"), functional=True, key=True),
        RelationDeclaration(m("near"), None, None, m("Disease")),
    )
    assert schema.properties == (
        PropertyDeclaration(m("approved"), "approved", m("Drug"), XSD_BOOLEAN, functional=True),
    )
    assert schema.synonyms == (Synonym(("medication", "medicine"), m("Drug")),)
    treated, one_id = schema.dependencies
    assert [row.id for row in (*treated.body, *treated.head)] == ["c1", "c2"]
    assert one_id.equal == (Variable("x"), Variable("y"))


def test_lexicons_and_mappings() -> None:
    document = parse_document(MEDICINE)
    (lexicon,), (mapping,) = document.lexicons, document.mappings
    assert (lexicon.name, lexicon.schema) == ("words", "medicine")
    assert lexicon.implied[0].note.origin is Origin.PRAGMATIC
    assert lexicon.implied[0].note.uncertainty == 0.3
    assert (mapping.preset, mapping.key, mapping.label_property) == ("n10s", "uri", "label")
    assert mapping.labels == (LabelMapping(m("Drug"), "Drug"), LabelMapping(m("Disease"), "Odd label"))
    assert mapping.edges == (EdgeMapping(m("treats"), "TREATS"), EdgeMapping(m("near"), "IS NEAR", reverse=True))
    assert mapping.properties == (PropertyMapping(m("approved"), "approved"),)
    assert mapping.mediators == (
        MediatorMapping(
            m("Thing"), "DOSED_WITH", (("strength", m("strength")), ("unit", m("unit"))), m("from"), m("to")
        ),
    )


def test_a_document_prints_and_reads_back() -> None:
    document = parse_document(MEDICINE)
    text = print_document(document)
    assert parse_document(text) == document
    assert print_document(parse_document(text)) == text


def test_the_bundled_documents_are_clean() -> None:
    folder = resources.files("uniqgen_ir.kg").joinpath("bundled")
    names = [one for one in folder.iterdir() if one.name.endswith(".cts")]
    assert names
    for name in names:
        result = load_documents(Path(str(name)))
        assert not result.diagnostics, [one.render(dict(result.sources)) for one in result.diagnostics]
        for document in result.documents:
            assert parse_document(print_document(document)) == document


def test_files_use_each_other(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "base.cts").write_text("schema base {\n  class owl:Class\n}\n")
    (tmp_path / "sub" / "more.cts").write_text('use schema "../base.cts"\nmapping m for base {\n}\n')
    (tmp_path / "all.cts").write_text('use schema "base.cts"\nuse schema "sub/more.cts"\n')
    result = load_documents(tmp_path / "all.cts")
    assert not result.diagnostics
    assert [len(one.schemas) for one in result.documents] == [1, 0, 0]


@pytest.mark.parametrize(
    ("line", "code", "severity"),
    [
        ("relation m:r : m:A -> m:Bee", "UQ302", Severity.WARNING),
        ("property m:p : m:Aa -> xsd:string", "UQ302", Severity.WARNING),
        ("property m:p inverse m:r", "UQ301", Severity.ERROR),
        ("relation m:r functional functional", "UQ301", Severity.ERROR),
        ("relation m:A", "UQ301", Severity.ERROR),
        ("class m:B < m:B", "UQ309", Severity.ERROR),
        ("rule x: { } => { ?x a m:A }", "UQ308", Severity.ERROR),
        ("rule x: { ?x a m:A } => { optional { ?x a m:A } }", "UQ308", Severity.ERROR),
    ],
)
def test_faults_of_declarations(line: str, code: str, severity: Severity) -> None:
    text = f"prefix m: <http://example.org/>\nschema s {{\n  class m:A\n  {line}\n}}\n"
    (found,) = read_document(text).diagnostics
    assert (found.code, found.severity) == (code, severity)
    assert found.span is not None
    assert found.span.line == 4
