"""Looking things up in schemas, several read as one, and what does not fit together in them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from uniqgen_ir.ir.diagnostics import Severity
from uniqgen_ir.ir.schema import ClassDeclaration, Lexicon, PropertyDeclaration, RelationDeclaration, Schema, Synonym
from uniqgen_ir.ir.schema_checks import check_schemas
from uniqgen_ir.ir.schema_index import SchemaIndex, index_of
from uniqgen_ir.ir.suggestions import local_name, nearest, plain_words
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.types import LITERAL, LiteralType, NodeType, UnionType
from uniqgen_ir.ir.vocabulary import RDFS_LABEL, XSD_DATE, XSD_STRING


def _iri(name: str) -> IRI:
    return IRI("http://example.org/" + name)


PLACE, CITY, TOWN, SPORT, TEAM = (_iri(name) for name in ("Place", "City", "Town", "Sport", "Team"))
HOST, HOSTED, NAME = _iri("hostCity"), _iri("hosted"), _iri("name")
SCHEMA = Schema(
    "s",
    (
        ClassDeclaration(PLACE),
        ClassDeclaration(CITY, "city", (PLACE,)),
        ClassDeclaration(TOWN, None, (CITY,)),
        ClassDeclaration(SPORT, disjoint=(PLACE,)),
    ),
    (RelationDeclaration(HOST, "host city", SPORT, CITY, HOSTED, functional=True),),
    (PropertyDeclaration(NAME, None, PLACE, XSD_STRING),),
)


def test_superclasses_and_subclasses_are_transitive_and_hold_the_class() -> None:
    index = SchemaIndex.of(SCHEMA)
    assert index.superclasses(TOWN) == {TOWN, CITY, PLACE}
    assert index.subclasses(PLACE) == {TOWN, CITY, PLACE}
    assert index.is_subclass(TOWN, PLACE)
    assert not index.is_subclass(PLACE, TOWN)
    assert index.superclasses(TEAM) == {TEAM}


def test_predicates_give_types_and_inverses_on_both_sides() -> None:
    index = SchemaIndex.of(SCHEMA)
    host = index.predicate(HOST)
    assert host is not None
    assert (host.functional, host.key) == (True, False)
    assert host.subject_type == NodeType(frozenset({SPORT}))
    assert host.object_type == NodeType(frozenset({CITY}))
    assert (index.inverse(HOST), index.inverse(HOSTED)) == (HOSTED, HOST)
    assert index.inverse_pairs == ((HOST, HOSTED),)
    assert index.declared_relation(NAME) is None
    assert index.declared_property(NAME) == SCHEMA.properties[0]


def test_disjointness_is_inherited_and_goes_both_ways() -> None:
    index = SchemaIndex.of(SCHEMA)
    assert index.declared_disjoint(TOWN, SPORT) == (PLACE, SPORT)
    assert index.never_both(SPORT, TOWN)
    assert not index.never_both(TOWN, CITY)


def test_classes_with_a_common_subclass_are_related() -> None:
    both = Schema("t", (ClassDeclaration(TEAM), ClassDeclaration(_iri("CityTeam"), None, (TEAM, CITY))))
    index = SchemaIndex.of(SCHEMA, both)
    assert index.related(TEAM, CITY)
    assert not SchemaIndex.of(SCHEMA, Schema("t", (ClassDeclaration(TEAM),))).related(TEAM, CITY)
    assert index.related(_iri("Unheard"), CITY)  # of an undeclared class nothing is known
    assert SchemaIndex.of(SCHEMA, Schema("t", (ClassDeclaration(TEAM),)), exclusive_classes=True).never_both(TEAM, CITY)


def test_several_schemas_allow_what_either_says() -> None:
    other = Schema("t", properties=(PropertyDeclaration(NAME, None, SPORT, XSD_DATE), PropertyDeclaration(HOST)))
    index = SchemaIndex.of(SCHEMA, other)
    name, host = index.predicate(NAME), index.predicate(HOST)
    assert name is not None
    assert host is not None
    assert name.object_type == LiteralType(frozenset({XSD_STRING, XSD_DATE}))
    assert name.subject_type == UnionType(frozenset({NodeType(frozenset({PLACE})), NodeType(frozenset({SPORT}))}))
    assert host.object_type == UnionType(frozenset({NodeType(frozenset({CITY})), LITERAL}))
    assert not host.functional  # only one of the two says so
    assert [(one.code, one.severity) for one in check_schemas(SCHEMA, other)] == [
        ("UQ351", Severity.ERROR),
        ("UQ351", Severity.WARNING),
        ("UQ351", Severity.WARNING),
    ]


def test_names_are_suggested_from_spellings_labels_and_synonyms() -> None:
    lexicon = Lexicon("l", None, (Synonym(("municipality",), CITY),))
    index = index_of(SCHEMA, lexicon)
    assert index is not None
    assert index.near_predicate(_iri("host_cty")) == HOST
    assert index.near_class(_iri("Municipalty")) == CITY
    assert index.near_class(_iri("Zebra")) is None
    assert index.speaks_of(_iri("Zebra"))
    assert not index.speaks_of(IRI("http://elsewhere.example/City"))
    assert not index.speaks_of(IRI(RDFS_LABEL))


def test_dotted_names_need_like_last_parts() -> None:
    names = [("a", "music.artist.album"), ("b", "music.artist.label")]
    assert nearest("music.artist.albums", names) == "a"
    assert nearest("music.artist.genre", names) is None
    assert plain_words(local_name("http://x/ns/hostCity")) == "host city"


def test_cycles_impossible_and_undeclared_classes_are_reported() -> None:
    a, b, c = (_iri(name) for name in "abc")
    circle = Schema(
        "s", (ClassDeclaration(a, None, (b,)), ClassDeclaration(b, None, (c,)), ClassDeclaration(c, None, (a,)))
    )
    (cycle,) = check_schemas(circle)
    assert cycle.code == "UQ309"
    assert SchemaIndex.of(circle).superclasses(a) == {a, b, c}
    both = Schema("s", (*SCHEMA.classes, ClassDeclaration(a, None, (CITY, SPORT))))
    assert [one.code for one in check_schemas(both)] == ["UQ351"]
    missing = Schema("s", relations=(RelationDeclaration(HOST, None, a, None),))
    (undeclared,) = check_schemas(missing)
    assert (undeclared.code, undeclared.severity) == ("UQ302", Severity.WARNING)


def test_inverses_that_disagree_are_reported() -> None:
    back = RelationDeclaration(HOSTED, None, CITY, SPORT, _iri("other"))
    (found,) = check_schemas(SCHEMA, Schema("t", relations=(back,)))
    assert found.code == "UQ351"
    fits = RelationDeclaration(HOSTED, None, CITY, SPORT, HOST)
    assert not check_schemas(SCHEMA, Schema("t", relations=(fits,)))


_NAMES = [_iri(name) for name in "ABCDE"]


@given(st.lists(st.tuples(st.sampled_from(_NAMES), st.sampled_from(_NAMES)), max_size=8))
def test_reachability_agrees_with_a_plain_closure(edges: list[tuple[IRI, IRI]]) -> None:
    classes = tuple(
        ClassDeclaration(one, None, tuple(upper for lower, upper in edges if lower == one)) for one in _NAMES
    )
    index = SchemaIndex.of(Schema("s", classes))
    closure = set(edges)
    for _ in _NAMES:
        closure |= {(a, d) for a, b in closure for c, d in closure if b == c}
    for one in _NAMES:
        assert index.superclasses(one) == {upper for lower, upper in closure if lower == one} | {one}
        assert index.subclasses(one) == {lower for lower, upper in closure if upper == one} | {one}
    assert any(one.code == "UQ309" for one in check_schemas(Schema("s", classes))) == any(a == b for a, b in closure)
