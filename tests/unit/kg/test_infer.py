"""Schema inference: what comes out, that it reads back, and that graphs keep to it."""

from __future__ import annotations

from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from uniqgen_ir.grammar.schema import read_document
from uniqgen_ir.ir.diagnostics import errors
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.rows import Row, Triple, TypeAtom
from uniqgen_ir.ir.schema import RelationDeclaration, Schema
from uniqgen_ir.ir.table import Shell, Table
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Term, Variable
from uniqgen_ir.ir.types import derives
from uniqgen_ir.ir.vocabulary import OWL, RDF_LANG_STRING, RDF_TYPE, RDFS, XSD, XSD_DATE, XSD_INTEGER, XSD_STRING
from uniqgen_ir.kg.inference.infer import InferredSchema, common_datatype, infer_schema
from uniqgen_ir.kg.inference.names import prefixes_for, split_iri, words_of
from uniqgen_ir.kg.inference.printing import print_inferred
from uniqgen_ir.kg.load import load_graph
from uniqgen_ir.passes.typecheck import typecheck

EX = "http://example.org/"
TYPE = IRI(RDF_TYPE)


def ex(name: str) -> IRI:
    return IRI(EX + name)


def rdfs(name: str) -> IRI:
    return IRI(RDFS + name)


def declared(schema: Schema) -> dict[str, object]:
    every: list[object] = [*schema.classes, *schema.relations, *schema.properties]
    return {one.iri.value.removeprefix(EX): one for one in every}  # type: ignore[attr-defined]


def relation(facts: list[Fact], name: str = "p") -> RelationDeclaration:
    (found,) = [one for one in infer_schema(Graph(facts)).schema.relations if one.iri == ex(name)]
    return found


# --- classes, domain and range ----------------------------------------------------------------------------------------


def test_domain_and_range_are_the_most_specific_class_in_common() -> None:
    facts: list[Fact] = [
        (ex("City"), rdfs("subClassOf"), ex("Place")),
        (ex("Village"), rdfs("subClassOf"), ex("Place")),
        (ex("a"), TYPE, ex("City")),
        (ex("b"), TYPE, ex("Village")),
        (ex("c"), TYPE, ex("City")),
        (ex("a"), ex("p"), ex("c")),
        (ex("b"), ex("p"), ex("c")),
    ]
    found = relation(facts)
    assert (found.domain, found.range) == (ex("Place"), ex("City"))


def test_without_a_class_in_common_there_is_no_domain() -> None:
    facts: list[Fact] = [
        (ex("a"), TYPE, ex("A")),
        (ex("b"), TYPE, ex("B")),
        (ex("a"), ex("p"), ex("b")),
        (ex("b"), ex("p"), ex("c")),
    ]
    found = relation(facts)
    assert (found.domain, found.range) == (None, None)


def test_of_several_classes_in_common_the_smallest_is_taken() -> None:
    facts: list[Fact] = [(ex(one), TYPE, ex("Thing")) for one in "abcd"]
    facts += [(ex("a"), TYPE, ex("Star")), (ex("a"), ex("p"), ex("b"))]
    assert relation(facts).domain == ex("Star")


def test_classes_of_classes_are_no_classes() -> None:
    facts: list[Fact] = [
        (ex("City"), TYPE, IRI(OWL + "Class")),
        (ex("a"), TYPE, IRI(OWL + "NamedIndividual")),
        (ex("a"), TYPE, ex("City")),
    ]
    assert [one.iri for one in infer_schema(Graph(facts)).schema.classes] == [ex("City")]


def test_a_circle_of_subclasses_is_cut() -> None:
    facts: list[Fact] = [
        (ex("A"), rdfs("subClassOf"), ex("B")),
        (ex("B"), rdfs("subClassOf"), ex("C")),
        (ex("C"), rdfs("subClassOf"), ex("A")),
        (ex("A"), rdfs("subClassOf"), ex("A")),
    ]
    inferred = infer_schema(Graph(facts))
    assert [len(one.parents) for one in inferred.schema.classes] == [1, 1, 0]
    assert read_document(print_inferred(inferred)).diagnostics == ()


# --- predicates -------------------------------------------------------------------------------------------------------


def test_literals_make_a_property_with_their_datatype() -> None:
    facts: list[Fact] = [
        (ex("a"), ex("p"), Literal("2000-01-01", XSD_DATE)),
        (ex("b"), ex("p"), Literal("x", XSD_DATE)),
    ]
    (found,) = infer_schema(Graph(facts)).schema.properties
    assert found.datatype == XSD_DATE


def test_nodes_and_literals_make_a_relation_to_anything() -> None:
    facts: list[Fact] = [(ex("a"), ex("p"), ex("b")), (ex("a"), ex("p"), Literal("b"))]
    assert relation(facts).range == rdfs("Resource")
    inferred = infer_schema(Graph(facts))
    assert inferred.comments[ex("p")] == "2 facts, key so far, 1 node and 1 literal"


def test_functional_needs_support() -> None:
    facts: list[Fact] = [(ex(f"s{n}"), ex("p"), ex("o")) for n in range(10)]
    assert relation(facts).functional
    assert not relation(facts[:9]).functional
    assert infer_schema(Graph(facts[:9])).comments[ex("p")] == "9 facts, functional so far (9 subjects)"
    assert infer_schema(Graph(facts[:9]), min_support=9).schema.relations[0].functional
    assert not relation([*facts, (ex("s1"), ex("p"), ex("other"))]).functional


def test_keys_are_candidates_only() -> None:
    facts: list[Fact] = [(ex(f"s{n}"), ex("p"), Literal(str(n))) for n in range(20)]
    inferred = infer_schema(Graph(facts))
    assert not inferred.schema.properties[0].key
    assert inferred.comments[ex("p")] == "20 facts, key so far"


def test_labels_come_from_the_graph_or_from_the_name() -> None:
    facts: list[Fact] = [
        (ex("a"), ex("hostCity"), ex("b")),
        (ex("a"), ex("q"), ex("b")),
        (ex("q"), rdfs("label"), Literal.tagged("liegt in", "de")),
        (ex("q"), rdfs("label"), Literal.tagged("lies in", "en")),
    ]
    assert {one.label for one in infer_schema(Graph(facts)).schema.relations} == {"host city", "lies in"}


def test_a_stated_inverse_is_said_once() -> None:
    facts: list[Fact] = [
        (ex("p"), IRI(OWL + "inverseOf"), ex("q")),
        (ex("q"), IRI(OWL + "inverseOf"), ex("p")),
        (ex("a"), ex("p"), ex("b")),
        (ex("b"), ex("q"), ex("a")),
    ]
    assert [one.inverse for one in infer_schema(Graph([*facts, (ex("b"), ex("q"), ex("c"))])).schema.relations] == [
        None,
        None,
    ]
    assert [one.inverse for one in infer_schema(Graph(facts)).schema.relations] == [ex("q"), None]


def test_classes_that_share_an_instance_are_not_disjoint() -> None:
    facts: list[Fact] = [
        (ex("A"), IRI(OWL + "disjointWith"), ex("B")),
        (ex("a"), TYPE, ex("A")),
        (ex("b"), TYPE, ex("B")),
    ]
    assert infer_schema(Graph(facts)).schema.classes[0].disjoint == (ex("B"),)
    assert infer_schema(Graph([*facts, (ex("a"), TYPE, ex("B"))])).schema.classes[0].disjoint == ()


def test_classes_with_a_subclass_in_common_are_not_disjoint() -> None:
    # nothing could be an instance of C
    facts: list[Fact] = [
        (ex("A"), IRI(OWL + "disjointWith"), ex("B")),
        (ex("C"), rdfs("subClassOf"), ex("A")),
        (ex("C"), rdfs("subClassOf"), ex("B")),
    ]
    assert all(one.disjoint == () for one in infer_schema(Graph(facts)).schema.classes)


def test_common_datatypes() -> None:
    assert common_datatype({XSD_INTEGER, XSD + "int"}) == XSD_INTEGER
    assert common_datatype({XSD_INTEGER, XSD + "decimal"}) == XSD + "decimal"
    assert common_datatype({XSD_INTEGER, XSD_STRING}) is None


# --- names ------------------------------------------------------------------------------------------------------------


def test_names_are_divided_and_read() -> None:
    assert split_iri("urn:r:film%20of") == ("urn:r:", "film%20of")
    assert split_iri("http://x.org/a#b") == ("http://x.org/a#", "b")
    assert words_of("urn:r:film%20of") == "film of"
    assert words_of("http://rdf.freebase.com/ns/film.film.directed_by") == "directed by"


def test_prefixes_are_short_and_different() -> None:
    names = [IRI("http://a.org/games/x"), IRI("http://b.org/games#y"), IRI("http://rdf.freebase.com/ns/film.film")]
    prefixes = dict(prefixes_for(names))
    assert prefixes == {
        "fb": "http://rdf.freebase.com/ns/",
        "games": "http://a.org/games/",
        "games2": "http://b.org/games#",
    }


# --- the whole --------------------------------------------------------------------------------------------------------


def test_the_bundled_graph_keeps_to_a_schema_that_reads_back() -> None:
    graph = load_graph(("almanac",)).graph
    inferred = infer_schema(graph, "almanac")
    result = read_document(print_inferred(inferred, "of the bundled graph"))
    assert result.diagnostics == ()
    assert result.document is not None
    assert result.document.schemas == (inferred.schema,)
    found = declared(inferred.schema)
    by_hand = read_document(
        (Path(__file__).parents[3] / "uniqgen_ir/kg/bundled/almanac.cts").read_text("utf-8")
    ).document
    assert by_hand is not None
    for one in by_hand.schemas[0].relations:
        mine = found[one.iri.value]
        assert isinstance(mine, RelationDeclaration)
        # what a person wrote may be wider than the data, never narrower; and a trait may be chance
        assert mine.functional or not one.functional or len(list(graph.match(None, one.iri, None))) < 10


CLASSES = [ex(name) for name in ("A", "B", "C", "D")]
PREDICATES = [ex(name) for name in ("p", "q", "r")]
NODES: list[IRI | BlankNode] = [ex("a"), ex("b"), ex("c"), BlankNode("n")]
LITERALS = [
    Literal("1", XSD_INTEGER),
    Literal("2", XSD + "decimal"),
    Literal("x"),
    Literal("y", RDF_LANG_STRING, "en"),
    Literal("2000-01-01", XSD_DATE),
    Literal("?", EX + "datatype"),
]
FACTS: st.SearchStrategy[Fact] = st.one_of(
    st.tuples(st.sampled_from(NODES), st.just(TYPE), st.sampled_from(CLASSES)),
    st.tuples(st.sampled_from(NODES), st.sampled_from(PREDICATES), st.sampled_from([*NODES, *LITERALS])),
    st.tuples(st.sampled_from(NODES), st.sampled_from(PREDICATES), st.sampled_from(NODES)),
    st.tuples(st.sampled_from(CLASSES), st.just(rdfs("subClassOf")), st.sampled_from(CLASSES)),
    st.tuples(st.sampled_from(CLASSES), st.just(IRI(OWL + "disjointWith")), st.sampled_from(CLASSES)),
    st.tuples(st.sampled_from(PREDICATES), st.just(IRI(OWL + "inverseOf")), st.sampled_from(PREDICATES)),
)
GRAPHS = st.lists(FACTS, max_size=24)


@given(GRAPHS, st.randoms(use_true_random=False), st.integers(1, 4))
@settings(max_examples=150)
def test_a_schema_reads_back_and_does_not_depend_on_the_order(facts: list[Fact], random: object, support: int) -> None:
    inferred = infer_schema(Graph(facts), min_support=support)
    text = print_inferred(inferred)
    result = read_document(text)
    assert result.diagnostics == ()
    assert result.document is not None
    assert result.document.schemas == (inferred.schema,)
    shuffled = list(facts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert print_inferred(infer_schema(Graph(shuffled), min_support=support)) == text


def superclasses(schema: Schema) -> dict[IRI, set[IRI]]:
    """Each class with all above it, by going up until nothing is new."""
    above = {one.iri: {one.iri, *one.parents} for one in schema.classes}
    while any(not above[parent] <= known for known in above.values() for parent in known):
        for known in above.values():
            known.update(*(above[parent] for parent in list(known)))
    return above


@given(GRAPHS)
@example(
    facts=[(ex("a"), TYPE, ex("A")), (ex("b"), TYPE, ex("B")), (ex("a"), ex("p"), ex("c")), (ex("b"), ex("p"), ex("c"))]
)
@example(facts=[(ex("a"), ex("p"), LITERALS[0]), (ex("a"), ex("p"), LITERALS[4])])
@example(facts=[(ex("p"), IRI(OWL + "inverseOf"), ex("q")), (ex("a"), ex("p"), ex("b")), (ex("a"), ex("q"), ex("b"))])
@settings(max_examples=150)
def test_every_claim_of_the_schema_holds(facts: list[Fact]) -> None:
    schema = infer_schema(Graph(facts), min_support=2).schema
    above = superclasses(schema)
    types: dict[GroundTerm, set[IRI]] = {}
    for node, predicate, class_ in facts:
        if predicate == TYPE:
            assert isinstance(class_, IRI)
            types.setdefault(node, set()).update(above[class_])
    for one in schema.classes:
        assert not any(one.iri in known and other in known for known in types.values() for other in one.disjoint)
    pairs = {predicate: [(s, o) for s, p, o in dict.fromkeys(facts) if p == predicate] for predicate in PREDICATES}
    for relation_ in schema.relations:
        for subject, object_ in pairs[relation_.iri]:
            assert relation_.domain is None or relation_.domain in types[subject]
            assert relation_.range in (None, rdfs("Resource")) or relation_.range in types[object_]
            assert relation_.range == rdfs("Resource") or not isinstance(object_, Literal)
            assert relation_.inverse is None or (object_, subject) in pairs[relation_.inverse]
    for property_ in schema.properties:
        for subject, object_ in pairs[property_.iri]:
            assert property_.domain is None or property_.domain in types[subject]
            assert isinstance(object_, Literal)
            assert property_.datatype is None or derives(object_.datatype, property_.datatype)
    for either in (*schema.relations, *schema.properties):
        subjects = [subject for subject, _ in pairs[either.iri]]
        # two subjects or more, each with one object
        assert either.functional == (len(subjects) == len(set(subjects)) >= 2)


@st.composite
def tables_with_answers(draw: st.DrawFn, facts: list[Fact]) -> Table:
    """A table made of facts of the graph with some nodes and literals as variables: it has an answer there."""
    usable = [one for one in facts if one[1] in (TYPE, *PREDICATES)]
    chosen = draw(st.lists(st.sampled_from(usable), min_size=1, max_size=4, unique=True))
    terms = dict.fromkeys(
        one for subject, predicate, object_ in chosen for one in (subject, object_) if one not in CLASSES
    )
    kept = draw(st.sets(st.sampled_from([*terms]), max_size=4))
    names: dict[GroundTerm, Variable] = {
        one: Variable(f"v{place}") for place, one in enumerate(terms) if one not in kept or isinstance(one, BlankNode)
    }

    def written(term: GroundTerm) -> Term:
        found = names.get(term, term)
        assert not isinstance(found, BlankNode)
        return found

    rows: list[Row] = []
    for place, (subject, predicate, object_) in enumerate(chosen):
        if predicate == TYPE:
            assert isinstance(object_, IRI)
            rows.append(Row(f"c{place}", TypeAtom(written(subject), object_)))
        else:
            rows.append(Row(f"c{place}", Triple(written(subject), predicate, written(object_))))
    return Table("t", (), tuple(rows), Shell())


_FUNCTIONAL: list[Fact] = [(ex("a"), ex("p"), Literal("1", XSD_INTEGER)), (ex("b"), ex("p"), Literal("1", XSD_INTEGER))]


@given(GRAPHS.filter(lambda facts: any(one[1] in (TYPE, *PREDICATES) for one in facts)), st.data())
@example(facts=_FUNCTIONAL, data=None)
@settings(max_examples=250)
def test_a_graph_keeps_to_its_schema(facts: list[Fact], data: st.DataObject | None) -> None:
    schema = infer_schema(Graph(facts), min_support=2).schema
    if data is None:
        assert schema.properties[0].functional
        return
    table = data.draw(tables_with_answers(facts))
    assert evaluate(table, Graph(facts)).rows, "the table is made of facts of the graph"
    assert errors(typecheck(table, schema)) == ()


def test_what_the_graph_does_not_do_is_an_error_under_its_schema() -> None:
    inferred: InferredSchema = infer_schema(Graph(_FUNCTIONAL), min_support=2)
    row = Row("c", Triple(Variable("x"), ex("p"), ex("node")))
    assert errors(typecheck(Table("t", (), (row,), Shell()), inferred.schema))
