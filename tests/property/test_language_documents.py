"""Documents of schemas, lexicons and mappings print and read back as themselves."""

from __future__ import annotations

from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from uniqgen_ir.grammar.schema import read_document
from uniqgen_ir.ir.diagnostics import errors
from uniqgen_ir.ir.document_printer import print_document
from uniqgen_ir.ir.mapping import EdgeMapping, LabelMapping, Mapping, MediatorMapping, PropertyMapping
from uniqgen_ir.ir.rows import Origin, Row, RowNote, Triple, TypeAtom
from uniqgen_ir.ir.schema import (
    ClassDeclaration,
    Dependency,
    Document,
    ImpliedRule,
    Lexicon,
    PropertyDeclaration,
    RelationDeclaration,
    Schema,
    Synonym,
)
from uniqgen_ir.ir.terms import IRI, Literal, Variable

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
names = st.sampled_from(["a", "limit", "two words", "x.y", "k-1", "`", "\\", "é", "class", "1"]) | texts.filter(bool)
locals_ = st.integers(0, 30).map(lambda number: IRI(f"http://example.org/n{number}"))
odd = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5).map(
    lambda text: IRI("http://example.org/" + text)
)
iris = locals_ | odd
maybe = st.none() | texts
x, y = Variable("x"), Variable("y")
atoms = st.builds(Triple, st.just(x), iris, st.just(y) | texts.map(Literal)) | st.builds(TypeAtom, st.just(x), iris)


@st.composite
def sides(draw: st.DrawFn) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    body = draw(st.lists(atoms, min_size=1, max_size=3))
    head = draw(st.lists(atoms, min_size=1, max_size=2))
    ids = draw(st.lists(names, min_size=len(body), max_size=len(body), unique=True)) if draw(st.booleans()) else []
    rows = [Row(ids[place] if ids else f"c{place + 1}", atom) for place, atom in enumerate(body)]
    first = 1 if ids else len(body) + 1
    more = [Row(f"h{first + place}", atom) for place, atom in enumerate(head)]
    return tuple(rows), tuple(more)


notes = st.builds(
    RowNote, st.sampled_from(Origin), st.booleans(), st.none() | st.floats(0, 1), maybe, st.none() | st.integers(0, 99)
)
pairs = st.lists(st.tuples(names, iris), max_size=2).map(tuple)


@st.composite
def dependencies(draw: st.DrawFn, name: str) -> Dependency:
    body, head = draw(sides())
    if draw(st.booleans()):
        return Dependency(name, (*body, Row("z", Triple(x, IRI("http://example.org/p"), y))), equal=(x, y))
    return Dependency(name, body, head)


@st.composite
def schemas(draw: st.DrawFn, name: str) -> Schema:
    own = iter(draw(st.lists(iris, min_size=6, max_size=6, unique=True)))
    classes = [
        ClassDeclaration(next(own), draw(maybe), disjoint=tuple(draw(st.lists(iris, max_size=2)))) for _ in range(2)
    ]
    classes[1] = evolve(classes[1], parents=(classes[0].iri,))
    relations = tuple(
        RelationDeclaration(
            next(own),
            draw(maybe),
            *(draw(st.none() | iris) for _ in range(3)),
            functional=draw(st.booleans()),
            key=draw(st.booleans()),
        )
        for _ in range(2)
    )
    properties = tuple(
        PropertyDeclaration(next(own), draw(maybe), draw(st.none() | iris), draw(st.none() | iris.map(str_of)))
        for _ in range(2)
    )
    synonyms = tuple(draw(st.lists(st.builds(Synonym, st.lists(texts, min_size=1).map(tuple), iris), max_size=2)))
    rules = tuple(draw(dependencies(one)) for one in draw(st.lists(names, max_size=2, unique=True)))
    return Schema(name, tuple(classes), relations, properties, synonyms, rules)


def str_of(iri: IRI) -> str:
    return iri.value


@st.composite
def mappings(draw: st.DrawFn, name: str, schema: str | None) -> Mapping:
    own = iter(draw(st.lists(iris, min_size=5, max_size=5, unique=True)))
    ends = st.none() | iris
    return Mapping(
        name,
        schema,
        draw(st.sampled_from(["plain", "freebase", "n10s", "neptune", "ladybug"])),
        draw(names),
        draw(names),
        (LabelMapping(next(own), draw(names)),),
        (EdgeMapping(next(own), draw(names)), EdgeMapping(next(own), draw(names), reverse=True)),
        (PropertyMapping(next(own), draw(names), draw(st.booleans())),),
        (MediatorMapping(next(own), draw(names), draw(pairs), draw(ends), draw(ends)),),
    )


@st.composite
def documents(draw: st.DrawFn) -> Document:
    name = draw(names)
    schema = draw(schemas(name))
    lexicon = Lexicon(
        draw(names),
        draw(st.none() | st.just(name)),
        tuple(draw(st.lists(st.builds(Synonym, st.lists(texts, min_size=1).map(tuple), iris), max_size=2))),
        tuple(ImpliedRule(one, *draw(sides()), draw(notes)) for one in draw(st.lists(names, max_size=2, unique=True))),
    )
    mapping = draw(mappings(draw(names), draw(st.none() | st.just(name))))
    prefixes = draw(st.sampled_from([(), (("ex", "http://example.org/"),), (("", "http://example.org/n"),)]))
    return Document((schema,), (lexicon,), (mapping,), tuple(draw(st.lists(texts, max_size=1))), prefixes)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents())
def test_a_printed_document_reads_back_as_itself(document: Document) -> None:
    text = print_document(document)
    result = read_document(text)
    assert not errors(result.diagnostics), "\n".join(one.render({"<input>": text}) for one in result.diagnostics)
    assert result.document == document, text
    assert result.document is not None
    assert print_document(result.document) == text
