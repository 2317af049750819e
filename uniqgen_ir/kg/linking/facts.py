"""A graph read once for its index: numbered terms, edges by predicate, names and types by node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from attrs import define, field

from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal
from uniqgen_ir.ir.vocabulary import RDF_TYPE, RDFS, RDFS_LABEL, SKOS_ALT_LABEL, SKOS_PREF_LABEL
from uniqgen_ir.kg.lexicon_words import identifier_words, local_name

_LABEL_PREDICATES: Final = (SKOS_PREF_LABEL, RDFS_LABEL)
_NAME_WORDS: Final = frozenset({"name", "title", "label", "pref label", "full name", "display name"})
_ALIAS_WORDS: Final = frozenset({"alias", "aliases", "alt label", "also known as", "synonym", "synonyms", "nickname"})
_OTHER_TYPE: Final = "/type.object.type"
"""How the type predicate of Freebase ends; there it stands beside or in the place of rdf:type."""
_SUBCLASS: Final = RDFS + "subClassOf"


def naming_predicates(graph: Graph, given: Sequence[IRI]) -> dict[IRI, bool]:
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
class Facts:
    """The graph in numbers. `types` are instances by class, `parents` the classes above a class."""

    terms: list[GroundTerm] = field(factory=list[GroundTerm])
    numbers: dict[GroundTerm, int] = field(factory=dict[GroundTerm, int])
    predicates: list[IRI] = field(factory=list[IRI])
    edges: list[list[tuple[int, int]]] = field(factory=list[list[tuple[int, int]]])
    names: dict[GroundTerm, list[tuple[int, str]]] = field(factory=dict[GroundTerm, list[tuple[int, str]]])
    """term → (rank, name), display labels before aliases"""
    translations: dict[str, dict[int, str]] = field(factory=dict[str, dict[int, str]])
    """language, other than English → node → its label in it"""
    types: dict[IRI, list[int]] = field(factory=dict[IRI, list[int]])
    type_predicate_of: dict[IRI, IRI] = field(factory=dict[IRI, IRI])
    """class → the predicate that says so of its instances"""
    parents: dict[IRI, list[IRI]] = field(factory=dict[IRI, list[IRI]])

    @classmethod
    def read(cls, graph: Graph, naming: Mapping[IRI, bool]) -> Facts:
        """Everything of the graph; the predicates of `naming` give names."""
        facts = cls()
        for predicate in graph.predicates:
            matches = graph.match(None, predicate, None)
            if predicate in naming:
                facts._read_names(matches, rank=0 if naming[predicate] else 2)
            elif predicate.value == RDF_TYPE or predicate.value.endswith(_OTHER_TYPE):
                for subject, _, object_ in matches:
                    if isinstance(object_, IRI):
                        facts.types.setdefault(object_, []).append(facts.node(subject))
                        facts.type_predicate_of.setdefault(object_, predicate)
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
            number = self.node(subject)
            if isinstance(object_, Literal):
                foreign = object_.language is not None and not object_.language.startswith("en")
                if foreign and rank == 0 and object_.language is not None:
                    language = object_.language.partition("-")[0].lower()
                    self.translations.setdefault(language, {}).setdefault(number, object_.lexical)
                self.names.setdefault(subject, []).append((rank + (1 if foreign else 0), object_.lexical))

    def node(self, term: GroundTerm) -> int:
        """The number of a term, a new one if it has none."""
        number = self.numbers.get(term)
        if number is None:
            number = self.numbers[term] = len(self.terms)
            self.terms.append(term)
        return number

    def is_literal(self, edges: Sequence[tuple[int, int]]) -> bool:
        """Whether a predicate leads to literals, by its first edge."""
        return bool(edges) and isinstance(self.terms[edges[0][1]], Literal)

    def labels_of_iri(self, iri: IRI) -> list[str]:
        """The names of a term, the best first."""
        return [name for _, name in sorted(self.names.get(iri, []))]

    def display_labels(self) -> list[str]:
        """What people call each node, by number."""
        return [self._display(term) for term in self.terms]

    def _display(self, term: GroundTerm) -> str:
        named = self.names.get(term)
        if named:
            return min(named, key=lambda one: one[0])[1]
        if isinstance(term, Literal):
            return term.lexical
        return local_name(term.value) if isinstance(term, IRI) else term.label
