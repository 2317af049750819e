"""What a graph says about its predicates: edges or values, of which datatypes, how many per subject."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.terms import GroundTerm, Literal
from uniqgen_ir.ir.values import canonical


@define
class PredicateProfile:
    """One predicate: how many edges and literals, and of what kind the literals are.

    `most_objects` is the largest number of objects that one subject has; `canonical` is False where some literal is not
    written in its value's canonical form, such as `"01"^^xsd:integer`.
    """

    edges: int = 0
    literals: int = 0
    datatypes: set[str] = field(factory=set[str])
    languages: set[str] = field(factory=set[str])
    most_objects: int = 0
    canonical: bool = True

    @property
    def is_mixed(self) -> bool:
        """Whether some objects are entities and some literals."""
        return bool(self.edges and self.literals)


def profile(facts: Iterable[Fact]) -> dict[str, PredicateProfile]:
    """A profile of every predicate, by IRI, in order of first use. A fact that comes twice is counted once."""
    profiles: dict[str, PredicateProfile] = {}
    objects: dict[tuple[GroundTerm, str], set[GroundTerm]] = {}
    for subject, predicate, object_ in facts:
        name = predicate.value
        seen = objects.setdefault((subject, name), set())
        if object_ in seen:
            continue
        seen.add(object_)
        one = profiles.setdefault(name, PredicateProfile())
        one.most_objects = max(one.most_objects, len(seen))
        _note(one, object_)
    return profiles


def _note(one: PredicateProfile, object_: GroundTerm) -> None:
    if not isinstance(object_, Literal):
        one.edges += 1
        return
    one.literals += 1
    one.datatypes.add(object_.datatype)
    if object_.language is not None:
        one.languages.add(object_.language)
    one.canonical = one.canonical and canonical(object_) == object_
