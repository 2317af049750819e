"""Quoting, parameters and source marks: what goes into a text comes out as it was."""

from __future__ import annotations

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uniqgen_ir.backends.cypher.quoting import ParameterBag, literal_text, quote_name
from uniqgen_ir.backends.cypher.quoting import quote_string as cypher_string
from uniqgen_ir.backends.cypher.values import decode, encode
from uniqgen_ir.backends.marks import closed, extract, opened
from uniqgen_ir.backends.parameters import bind_parameters, table_parameters
from uniqgen_ir.backends.registry import renderer
from uniqgen_ir.backends.sparql.terms import blank_iri, blank_label, quote_iri, quote_string
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.paths import Repeat, Step
from uniqgen_ir.ir.rows import PathAtom, Row, Triple
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Parameter, Variable
from uniqgen_ir.ir.vocabulary import RDF_LANG_STRING

X, Y, P = Variable("x"), Variable("y"), IRI("urn:p")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(TEXTS)
def test_a_quoted_sparql_string_reads_back(text: str) -> None:
    (solution,) = pyoxigraph.Store().query(f"SELECT ({quote_string(text)} AS ?x) {{}}")  # type: ignore[misc]
    assert solution["x"].value == text


@given(TEXTS)
def test_a_quoted_cypher_string_ends_where_it_should(text: str) -> None:
    inside = cypher_string(text)[1:-1]
    # without its escapes no quote is left that could end the string early
    bare = inside.replace("\\\\", "").replace("\\'", "")
    assert "'" not in bare
    assert "\n" not in bare


@given(TEXTS.filter(lambda text: bool(text) and "\0" not in text))
def test_a_quoted_name_is_one_name(name: str) -> None:
    quoted = quote_name(name)
    if quoted.startswith("`"):
        assert quoted[1:-1].replace("``", "").count("`") == 0
        assert quoted[1:-1].replace("``", "`") == name
    else:
        assert quoted == name
        assert name.isidentifier()


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb"])
def test_half_a_surrogate_pair_is_refused_everywhere(text: str) -> None:
    for quote in (quote_string, cypher_string, quote_name, lambda one: ParameterBag(False).add(one)):
        with pytest.raises(DiagnosticError, match="UQ503"):
            quote(text)


@pytest.mark.parametrize(
    "iri", ["http://e/a b", "http://e/<a>", 'http://e/"', "relative", "http://e/{a}", "http://e/`"]
)
def test_what_is_no_iri_is_refused_with_its_row(iri: str) -> None:
    with pytest.raises(DiagnosticError, match="UQ503"):
        quote_iri(iri)
    with pytest.raises(DiagnosticError, match="UQ503: row c1:"):
        renderer("sparql").render(Table("t", (Column(X),), (Row("c1", Triple(X, P, IRI(iri))),)))


@given(st.lists(st.one_of(TEXTS, st.integers(), st.booleans()), max_size=4))
def test_inline_values_are_the_parameters(values: list[str | int | bool]) -> None:
    inline, beside = ParameterBag(True), ParameterBag(False)
    for value in values:
        assert inline.add(value) == literal_text(value)
        assert beside.values[beside.add(value)[1:]] == value
    assert not inline.values


def test_a_parameter_of_the_table_keeps_its_name() -> None:
    table = Table("t", (Column(X),), (Row("c1", Triple(X, P, Parameter("p0"))), Row("c2", Triple(X, P, IRI("urn:a")))))
    assert table_parameters(table) == ("p0",)
    query = renderer("neo4j").render(table)
    assert query.unbound == ("p0",)
    assert "p0" not in query.params
    assert renderer("neo4j").render(bind_parameters(table, {"p0": IRI("urn:b")})).unbound == ()


def test_a_parameter_is_not_taken_for_a_variable() -> None:
    query = renderer("sparql").render(Table("t", (Column(X),), (Row("c1", Triple(X, P, Parameter("x"))),)))
    assert "?x <urn:p> $x ." not in query.text
    assert query.unbound == ("x",)


def test_marks_nest_and_leave_no_trace() -> None:
    marked = f"a{opened('c1')}b{opened('c2')}c{closed('c2')}{closed('c1')}{opened(None)}d{closed(None)}"
    assert extract(marked) == ("abcd", {"c1": ((1, 3),), "c2": ((2, 3),)})


TERMS: st.SearchStrategy[GroundTerm] = st.one_of(
    TEXTS.map(lambda text: IRI("urn:" + text)),
    TEXTS.map(BlankNode),
    TEXTS.map(Literal),
    st.builds(Literal, TEXTS, st.just("urn:type")),
    st.builds(Literal, TEXTS, st.just(RDF_LANG_STRING), st.sampled_from(["en", "pt-br"])),
)


@given(TERMS)
def test_an_encoded_term_decodes_to_itself(term: GroundTerm) -> None:
    assert decode(encode(term)) == term


@given(TEXTS)
def test_a_blank_node_keeps_its_label(label: str) -> None:
    assert blank_label(blank_iri(label)) == label
    quote_iri(blank_iri(label))


REFUSED = {
    "UQ504": ("neo4j", PathAtom(X, Repeat(Step(P), 1, None), Y)),
    "UQ505": ("sparql", PathAtom(X, Repeat(Repeat(Step(P), 1, 40), 1, 40), Y)),
    "UQ509": ("neo4j", Triple(X, Y, P)),
    "UQ506": ("neo4j", Triple(X, IRI("http://www.w3.org/2000/01/rdf-schema#label"), IRI("urn:a"))),
}


@pytest.mark.parametrize("code", REFUSED)
def test_what_a_dialect_cannot_say_is_refused_with_its_row(code: str) -> None:
    dialect, atom = REFUSED[code]
    with pytest.raises(DiagnosticError) as caught:
        renderer(dialect).render(Table("t", (Column(X),), (Row("c1", Triple(X, P, Y)), Row("c2", atom))))
    assert [one.code for one in caught.value.diagnostics] == [code]
    assert caught.value.diagnostics[0].message.startswith("row c2: ")
