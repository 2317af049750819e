"""The index of a graph that answering questions needs: names, classes, relations, edges. Built once per graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from attrs import define, field, frozen

from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.schema import Lexicon, Schema
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal
from uniqgen_ir.kg.lexicon_words import content_stems, identifier_words, normalise, stem
from uniqgen_ir.kg.linking.facts import Facts, naming_predicates
from uniqgen_ir.kg.linking.names import acronyms, compounds_of, name_by_key, name_parts, nameless, whole_names
from uniqgen_ir.kg.linking.values import Value, literal_value
from uniqgen_ir.kg.neighbourhood_adjacency import Adjacency
from uniqgen_ir.kg.statistics import containment_depth, inverse_pairs

_INVERSE_MARKS: Final = frozenset({"inverse", "inv", "reverse"})
Key = TypeVar("Key")

INDEX_VERSION: Final = 19
"""Raised when the shape of the index changes, so that cached ones are built again."""


@frozen
class Relation:
    """A predicate: its words, other words for it, and what it leads to."""

    iri: IRI
    label: str
    synonyms: tuple[str, ...]
    literal: bool
    """whether its objects are literals"""
    datatypes: tuple[str, ...]
    depth: int
    """how far a containment-like relation chains; 0 for all others"""
    functional: bool
    edges: int
    mirror: bool = False
    """whether its name says that it is another relation walked backwards (`plays_in_club_inverse`)"""


@frozen
class ClassEntry:
    """A class: its label, its names in stems, its instances (subclasses' included) by number."""

    iri: IRI
    label: str
    names: tuple[str, ...]
    instances: frozenset[int]
    predicate: IRI
    """what says in the data that something is of the class"""
    asserted: tuple[IRI, ...]
    """the class itself and its subclasses, as far as the data says of some node that it is one"""


@frozen
class AbsentRelation:
    """A relation that is declared, between things of these classes (none: of any), and that the graph does not have."""

    iri: IRI
    classes: tuple[IRI, ...]
    datatype: str | None = None
    """of a property"""


@define
class GraphIndex:
    """Names, classes, relations and edges of a graph, with nodes and relations as numbers."""

    terms: list[GroundTerm]
    labels: list[str]
    names: dict[str, tuple[int, ...]]
    """normalised name → nodes"""
    relations: list[Relation]
    classes: list[ClassEntry]
    class_names: dict[str, tuple[int, ...]]
    """stemmed name → class numbers; classes of nameless things aside, which nobody asks for"""
    classes_of: dict[int, tuple[int, ...]]
    adjacency: Adjacency
    inverses: dict[int, int]
    nameless: frozenset[int]
    """things without a name (an identifier of mere letters and digits), where others have one: they stand for a fact,
    not for something to talk about"""
    vocabulary: frozenset[str]
    """the stems that occur in names of relations and classes"""
    values: list[tuple[int, Value]]
    """literals that are numbers or dates, with their values"""
    lexicons: tuple[Lexicon, ...] = ()
    absent: dict[str, AbsentRelation] = field(factory=lambda: dict[str, AbsentRelation]())
    """stemmed name → the relation that schemas and lexicons declare under it and that the graph does not have"""
    undeclared: frozenset[int] = frozenset()
    """the relations that the graph has and its schemas and lexicons do not speak of; none where there is no schema"""
    parts: dict[str, tuple[int, ...]] = field(factory=lambda: dict[str, tuple[int, ...]](), repr=False)
    """word of a longer name → the things that have it, for words that few names have"""
    acronyms: dict[str, tuple[int, ...]] = field(factory=lambda: dict[str, tuple[int, ...]](), repr=False)
    """initials of a longer name → what has it, the things that most is said of first"""
    translations: dict[str, dict[int, str]] = field(factory=lambda: dict[str, dict[int, str]](), repr=False)
    """language, other than English → node → its label in it"""
    compounds: dict[str, int] = field(factory=lambda: dict[str, int](), repr=False)
    """two neighbouring words of the name of a relation or class, written as one → the length of the first"""
    content_hash: str = ""
    numbers: dict[GroundTerm, int] = field(factory=dict[GroundTerm, int], repr=False)

    def number(self, term: GroundTerm) -> int | None:
        """The number of a node, None if the graph does not have it."""
        return self.numbers.get(term)

    def lookup(self, name: str) -> tuple[int, ...]:
        """The nodes with this name, alias or identifier (case, accents and punctuation aside)."""
        return self.names.get(normalise(name), ())

    def smallest_class(self, nodes: Collection[int]) -> int | None:
        """The number of the smallest class that all the nodes share, None if there is none."""
        shared = [set(self.classes_of.get(node, ())) for node in nodes]
        common = set[int].intersection(*shared) if shared else set[int]()
        return min(common, key=lambda one: (len(self.classes[one].instances), one), default=None)


def build_index(
    graph: Graph,
    *,
    schemas: Sequence[Schema] = (),
    lexicons: Sequence[Lexicon] = (),
    label_predicates: Sequence[IRI] = (),
    content_hash: str = "",
) -> GraphIndex:
    """The index of a graph, with the words that schemas and lexicons add."""
    words = _declared_words(schemas, lexicons)
    facts = Facts.read(graph, naming_predicates(graph, label_predicates))
    name_by_key(facts)
    relations = [
        _relation(facts, iri, facts.edges[number], words, facts.labels_of_iri(iri))
        for number, iri in enumerate(facts.predicates)
    ]
    classes = _classes(facts, schemas, words)
    without_name = nameless(facts)
    edges = ((start, number, end) for number, pairs in enumerate(facts.edges) for start, end in pairs)
    return GraphIndex(
        terms=facts.terms,
        labels=facts.display_labels(),
        names=whole_names(facts, words),
        relations=relations,
        classes=classes,
        class_names=_grouped(
            (name, number)
            for number, entry in enumerate(classes)
            if not entry.instances <= without_name
            for name in entry.names
        ),
        classes_of=_grouped((node, number) for number, entry in enumerate(classes) for node in entry.instances),
        adjacency=Adjacency.build(len(facts.terms), edges),
        inverses=_inverses(facts, schemas),
        nameless=without_name,
        vocabulary=_vocabulary(relations, classes),
        values=_values(facts),
        lexicons=tuple(lexicons),
        absent=_absent(facts, schemas, words),
        undeclared=_undeclared(facts, schemas, words),
        parts=name_parts(facts),
        acronyms=acronyms(facts),
        translations=facts.translations,
        compounds=compounds_of(text for one in relations for text in (one.label, *one.synonyms))
        | compounds_of(one.label for one in classes),
        content_hash=content_hash,
        numbers=facts.numbers,
    )


def _absent(facts: Facts, schemas: Sequence[Schema], words: Mapping[IRI, list[str]]) -> dict[str, AbsentRelation]:
    """The names of declared relations and properties without a single fact, save those that a relation there has."""
    declared: list[tuple[IRI, tuple[IRI | None, ...], str | None]] = []
    declared += [(one.iri, (one.domain, one.range), None) for schema in schemas for one in schema.relations]
    declared += [(one.iri, (one.domain,), one.datatype) for schema in schemas for one in schema.properties]
    there = frozenset(facts.predicates)
    taken = {stems_of(text) for iri in there for text in (*words.get(iri, ()), identifier_words(iri.value))}
    found: dict[str, AbsentRelation] = {}
    for iri, sides, datatype in declared:
        if iri not in there:
            one = AbsentRelation(iri, tuple(side for side in sides if side is not None), datatype)
            for text in (*words.get(iri, ()), identifier_words(iri.value)):
                found.setdefault(stems_of(text), one)
    return {name: one for name, one in found.items() if name and name not in taken}


def _undeclared(facts: Facts, schemas: Sequence[Schema], words: Mapping[IRI, list[str]]) -> frozenset[int]:
    """The relations that no schema declares and no lexicon names; none without a schema, which would name them all."""
    declared = {one.iri for schema in schemas for one in schema.relations}
    declared |= {one.iri for schema in schemas for one in schema.properties}
    if not declared:
        return frozenset()
    return frozenset(number for number, iri in enumerate(facts.predicates) if iri not in declared and iri not in words)


def stems_of(text: str) -> str:
    """The stems of a name's words, with spaces between."""
    return " ".join(stem(word) for word in normalise(text).split())


def _grouped(pairs: Iterable[tuple[Key, int]]) -> dict[Key, tuple[int, ...]]:
    found: defaultdict[Key, list[int]] = defaultdict(list)
    for key, number in pairs:
        found[key].append(number)
    return {key: tuple(numbers) for key, numbers in found.items()}


def _inverses(facts: Facts, schemas: Sequence[Schema]) -> dict[int, int]:
    """The pairs that the data shows, and those that the schemas declare."""
    found = inverse_pairs({number: pairs for number, pairs in enumerate(facts.edges) if not facts.is_literal(pairs)})
    place = {iri: number for number, iri in enumerate(facts.predicates)}
    for one, other in ((one.iri, one.inverse) for schema in schemas for one in schema.relations):
        if other is not None and one in place and other in place:
            found[place[one]], found[place[other]] = place[other], place[one]
    return found


def _values(facts: Facts) -> list[tuple[int, Value]]:
    literals = ((number, term) for number, term in enumerate(facts.terms) if isinstance(term, Literal))
    valued = ((number, literal_value(term)) for number, term in literals)
    return [(number, value) for number, value in valued if value is not None]


def _vocabulary(relations: Sequence[Relation], classes: Sequence[ClassEntry]) -> frozenset[str]:
    words = {word for one in relations for text in (one.label, *one.synonyms) for word in content_stems(text)}
    return frozenset(words | {word for entry in classes for name in entry.names for word in name.split()})


def _declared_words(schemas: Sequence[Schema], lexicons: Sequence[Lexicon]) -> dict[IRI, list[str]]:
    words: defaultdict[IRI, list[str]] = defaultdict(list)
    for schema in schemas:
        labelled = [(one.iri, one.label) for one in schema.classes]
        labelled += [(one.iri, one.label) for one in schema.relations]
        labelled += [(one.iri, one.label) for one in schema.properties]
        for iri, label in labelled:
            if label:
                words[iri].append(label)
    synonyms = [one for schema in schemas for one in schema.synonyms] + [
        one for lexicon in lexicons for one in lexicon.synonyms
    ]
    for synonym in synonyms:
        words[synonym.target].extend(synonym.texts)
    return dict(words)


def _relation(
    facts: Facts, iri: IRI, pairs: Sequence[tuple[int, int]], words: Mapping[IRI, list[str]], own: Sequence[str]
) -> Relation:
    label = identifier_words(iri.value)
    kept = [word for word in label.split() if word.lower() not in _INVERSE_MARKS]
    datatypes: dict[str, None] = {}
    for _, object_ in pairs[:2_000]:
        term = facts.terms[object_]
        if isinstance(term, Literal):
            datatypes[term.datatype] = None
    literal = bool(datatypes)
    synonyms = dict.fromkeys((*own, *words.get(iri, ())))
    said = [*kept, *(word for text in synonyms for word in text.split())]
    depth = 0 if literal else containment_depth((stem(word.lower()) for word in said), pairs)
    return Relation(
        iri=iri,
        label=" ".join(kept) or label,
        synonyms=tuple(synonyms),
        literal=literal,
        datatypes=tuple(datatypes),
        depth=depth,
        functional=len({subject for subject, _ in pairs}) == len(pairs),
        edges=len(pairs),
        mirror=0 < len(kept) < len(label.split()),
    )


def _classes(facts: Facts, schemas: Sequence[Schema], words: Mapping[IRI, list[str]]) -> list[ClassEntry]:
    parents = {child: list(above) for child, above in facts.parents.items()}
    for schema in schemas:
        for one in schema.classes:
            parents.setdefault(one.iri, []).extend(one.parents)
    members: dict[IRI, set[int]] = {}
    asserted: dict[IRI, list[IRI]] = {}
    for iri, nodes in facts.types.items():
        for ancestor in _ancestors(iri, parents):
            members.setdefault(ancestor, set()).update(nodes)
            asserted.setdefault(ancestor, []).append(iri)
    entries: list[ClassEntry] = []
    for iri, instances in members.items():
        own = facts.labels_of_iri(iri)
        texts = dict.fromkeys((*own, *words.get(iri, ()), identifier_words(iri.value)))
        stemmed = dict.fromkeys(stems_of(text) for text in texts)
        label = own[0] if own else next(iter(words.get(iri, ())), identifier_words(iri.value))
        names = tuple(name for name in stemmed if name)
        entries.append(
            ClassEntry(
                iri, label, names, frozenset(instances), facts.type_predicate_of[asserted[iri][0]], tuple(asserted[iri])
            )
        )
    return entries


def _ancestors(iri: IRI, parents: Mapping[IRI, Iterable[IRI]]) -> list[IRI]:
    found: dict[IRI, None] = {iri: None}
    waiting = [iri]
    while waiting:
        for above in parents.get(waiting.pop(), ()):
            if above not in found:
                found[above] = None
                waiting.append(above)
    return list(found)


def relation_stems(relation: Relation) -> tuple[str, ...]:
    """The stems of a relation's own label."""
    return content_stems(relation.label)
