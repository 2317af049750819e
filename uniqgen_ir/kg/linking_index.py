"""The index of a graph that answering questions needs: names, classes, relations, edges. Built once per graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from attrs import define, field, frozen

from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.schema import Lexicon, Schema
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal
from uniqgen_ir.ir.vocabulary import RDF_TYPE, RDFS, RDFS_LABEL, SKOS_ALT_LABEL, SKOS_PREF_LABEL
from uniqgen_ir.kg.lexicon_words import content_stems, identifier_words, local_name, normalise, stem
from uniqgen_ir.kg.neighbourhood_adjacency import Adjacency
from uniqgen_ir.kg.statistics import containment_depth, inverse_pairs

_LABEL_PREDICATES: Final = (SKOS_PREF_LABEL, RDFS_LABEL)
_NAME_WORDS: Final = frozenset({"name", "title", "label", "pref label", "full name", "display name"})
_ALIAS_WORDS: Final = frozenset({"alias", "aliases", "alt label", "also known as", "synonym", "synonyms", "nickname"})
_SUBCLASS: Final = RDFS + "subClassOf"
_INVERSE_MARKS: Final = frozenset({"inverse", "inv", "reverse"})
INDEX_VERSION: Final = 5
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
    asserted: tuple[IRI, ...]
    """the class itself and its subclasses, as far as the data says of some node that it is one"""


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
    """stemmed name → class numbers"""
    classes_of: dict[int, tuple[int, ...]]
    adjacency: Adjacency
    inverses: dict[int, int]
    lexicons: tuple[Lexicon, ...] = ()
    content_hash: str = ""
    numbers: dict[GroundTerm, int] = field(factory=dict[GroundTerm, int], repr=False)

    def number(self, term: GroundTerm) -> int | None:
        """The number of a node, None if the graph does not have it."""
        return self.numbers.get(term)

    def lookup(self, name: str) -> tuple[int, ...]:
        """The nodes with this name, alias or identifier (case, accents and punctuation aside)."""
        return self.names.get(normalise(name), ())


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
    naming = _naming_predicates(graph, label_predicates)
    facts = _Facts.read(graph, naming)
    pairs = {number: edges for number, edges in enumerate(facts.edges)}
    entity_pairs = {number: edges for number, edges in pairs.items() if not facts.is_literal(edges)}
    declared_inverse = {one.iri: one.inverse for schema in schemas for one in schema.relations if one.inverse}
    relations = [
        _relation(facts, iri, pairs[number], words, facts.labels_of_iri(iri))
        for number, iri in enumerate(facts.predicates)
    ]
    inverses = inverse_pairs(entity_pairs)
    place = {iri: number for number, iri in enumerate(facts.predicates)}
    for one, other in declared_inverse.items():
        if other is not None and one in place and other in place:
            inverses[place[one]], inverses[place[other]] = place[other], place[one]
    classes = _classes(facts, schemas, words)
    class_names: defaultdict[str, list[int]] = defaultdict(list)
    classes_of: defaultdict[int, list[int]] = defaultdict(list)
    for number, entry in enumerate(classes):
        for name in entry.names:
            class_names[name].append(number)
        for node in entry.instances:
            classes_of[node].append(number)
    names = _names(facts, words)
    return GraphIndex(
        terms=facts.terms,
        labels=facts.display_labels(),
        names=names,
        relations=relations,
        classes=classes,
        class_names={name: tuple(numbers) for name, numbers in class_names.items()},
        classes_of={node: tuple(numbers) for node, numbers in classes_of.items()},
        adjacency=Adjacency.build(
            len(facts.terms), ((s, number, o) for number, edges in enumerate(facts.edges) for s, o in edges)
        ),
        inverses=inverses,
        lexicons=tuple(lexicons),
        content_hash=content_hash,
        numbers=facts.numbers,
    )


def _declared_words(schemas: Sequence[Schema], lexicons: Sequence[Lexicon]) -> dict[IRI, list[str]]:
    words: defaultdict[IRI, list[str]] = defaultdict(list)
    for schema in schemas:
        for one in (*schema.classes, *schema.relations, *schema.properties):
            if one.label:
                words[one.iri].append(one.label)
    for source in (*schemas, *lexicons):
        for synonym in source.synonyms:
            words[synonym.target].extend(synonym.texts)
    return dict(words)


def _naming_predicates(graph: Graph, given: Sequence[IRI]) -> dict[IRI, bool]:
    """Predicates whose literals are names → whether they are display labels (True) or aliases (False)."""
    naming: dict[IRI, bool] = {IRI(one): True for one in _LABEL_PREDICATES} | {IRI(SKOS_ALT_LABEL): False}
    for predicate in graph.predicates:
        words = identifier_words(predicate.value).lower()
        if words in _NAME_WORDS or words in _ALIAS_WORDS:
            objects = (object_ for _, _, object_ in graph.match(None, predicate, None))
            if isinstance(next(objects, None), Literal):
                naming.setdefault(predicate, words in _NAME_WORDS)
    naming.update(dict.fromkeys(given, True))
    return naming


@define
class _Facts:
    """A graph read once: numbered terms, edges by predicate, names and types by node."""

    terms: list[GroundTerm] = field(factory=list[GroundTerm])
    numbers: dict[GroundTerm, int] = field(factory=dict[GroundTerm, int])
    predicates: list[IRI] = field(factory=list[IRI])
    edges: list[list[tuple[int, int]]] = field(factory=list[list[tuple[int, int]]])
    names: dict[GroundTerm, list[tuple[int, str]]] = field(factory=dict[GroundTerm, list[tuple[int, str]]])
    """term → (rank, name), display labels before aliases"""
    types: dict[IRI, list[int]] = field(factory=dict[IRI, list[int]])
    parents: dict[IRI, list[IRI]] = field(factory=dict[IRI, list[IRI]])

    @classmethod
    def read(cls, graph: Graph, naming: Mapping[IRI, bool]) -> _Facts:
        facts = cls()
        for predicate in graph.predicates:
            matches = graph.match(None, predicate, None)
            if predicate in naming:
                facts._read_names(matches, rank=0 if naming[predicate] else 2)
            elif predicate.value == RDF_TYPE:
                for subject, _, object_ in matches:
                    if isinstance(object_, IRI):
                        facts.types.setdefault(object_, []).append(facts.node(subject))
            elif predicate.value == _SUBCLASS:
                for subject, _, object_ in matches:
                    if isinstance(object_, IRI) and isinstance(subject, IRI):
                        facts.parents.setdefault(subject, []).append(object_)
            else:
                facts.predicates.append(predicate)
                facts.edges.append([(facts.node(subject), facts.node(object_)) for subject, _, object_ in matches])
        return facts

    def _read_names(self, matches: Iterable[tuple[IRI | BlankNode, IRI, GroundTerm]], rank: int) -> None:
        for subject, _, object_ in matches:
            self.node(subject)
            if isinstance(object_, Literal):
                foreign = object_.language is not None and not object_.language.startswith("en")
                self.names.setdefault(subject, []).append((rank + (1 if foreign else 0), object_.lexical))

    def node(self, term: GroundTerm) -> int:
        number = self.numbers.get(term)
        if number is None:
            number = self.numbers[term] = len(self.terms)
            self.terms.append(term)
        return number

    def is_literal(self, edges: Sequence[tuple[int, int]]) -> bool:
        return bool(edges) and isinstance(self.terms[edges[0][1]], Literal)

    def labels_of_iri(self, iri: IRI) -> list[str]:
        return [name for _, name in sorted(self.names.get(iri, []))]

    def display_labels(self) -> list[str]:
        return [self._display(term) for term in self.terms]

    def _display(self, term: GroundTerm) -> str:
        named = self.names.get(term)
        if named:
            return min(named, key=lambda one: one[0])[1]
        if isinstance(term, Literal):
            return term.lexical
        return local_name(term.value) if isinstance(term, IRI) else term.label


def _relation(
    facts: _Facts, iri: IRI, pairs: Sequence[tuple[int, int]], words: Mapping[IRI, list[str]], own: Sequence[str]
) -> Relation:
    label = identifier_words(iri.value)
    kept = [word for word in label.split() if word.lower() not in _INVERSE_MARKS]
    datatypes: dict[str, None] = {}
    for _, object_ in pairs[:2_000]:
        term = facts.terms[object_]
        if isinstance(term, Literal):
            datatypes[term.datatype] = None
    literal = bool(datatypes)
    depth = 0 if literal else containment_depth((stem(word.lower()) for word in kept), pairs)
    synonyms = dict.fromkeys((*own, *words.get(iri, ())))
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


def _classes(facts: _Facts, schemas: Sequence[Schema], words: Mapping[IRI, list[str]]) -> list[ClassEntry]:
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
    for iri, nodes in members.items():
        own = facts.labels_of_iri(iri)
        texts = dict.fromkeys((*own, *words.get(iri, ()), identifier_words(iri.value)))
        stemmed = dict.fromkeys(" ".join(stem(word) for word in normalise(text).split()) for text in texts)
        label = own[0] if own else next(iter(words.get(iri, ())), identifier_words(iri.value))
        names = tuple(name for name in stemmed if name)
        entries.append(ClassEntry(iri, label, names, frozenset(nodes), tuple(asserted[iri])))
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


def _names(facts: _Facts, words: Mapping[IRI, list[str]]) -> dict[str, tuple[int, ...]]:
    found: defaultdict[str, dict[int, None]] = defaultdict(dict)
    classes = set(facts.types)
    for number, term in enumerate(facts.terms):
        if isinstance(term, IRI) and term in classes:
            continue
        for _, name in facts.names.get(term, ()):
            found[normalise(name)][number] = None
        if isinstance(term, IRI):
            if term not in facts.names:
                found[normalise(local_name(term.value))][number] = None
            for text in words.get(term, ()):
                found[normalise(text)][number] = None
        elif isinstance(term, Literal) and len(term.lexical) <= 80:
            found[normalise(term.lexical)][number] = None
    return {name: tuple(numbers) for name, numbers in found.items() if name}


def relation_stems(relation: Relation) -> tuple[str, ...]:
    """The stems of a relation's own label."""
    return content_stems(relation.label)
