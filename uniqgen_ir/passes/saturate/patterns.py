"""Triple patterns as plain tuples: what dependencies and homomorphisms work on. A class is an object of `rdf:type`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from uniqgen_ir.ir.rows import Triple, TypeAtom
from uniqgen_ir.ir.terms import IRI, Parameter, Term, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE

Predicate: TypeAlias = IRI | Variable | Parameter
Pattern: TypeAlias = tuple[Term, Predicate, Term]
"""Subject, predicate, object."""

TYPE: Final = IRI(RDF_TYPE)


def pattern_of(atom: Triple | TypeAtom) -> Pattern:
    """The atom as a tuple."""
    if isinstance(atom, TypeAtom):
        return atom.subject, TYPE, atom.type
    return atom.subject, atom.predicate, atom.object


def atom_of(pattern: Pattern) -> Triple | TypeAtom:
    """The tuple as an atom: `pattern_of` undone."""
    subject, predicate, object_ = pattern
    if predicate == TYPE and isinstance(object_, IRI):
        return TypeAtom(subject, object_)
    return Triple(subject, predicate, object_)


def replaced(pattern: Pattern, terms: Mapping[Variable, Term]) -> Pattern:
    """The pattern with terms in the place of variables."""
    subject, predicate, object_ = (terms.get(one, one) if isinstance(one, Variable) else one for one in pattern)
    if not isinstance(predicate, IRI | Variable | Parameter):
        predicate = pattern[1]
    return subject, predicate, object_


def pattern_variables(patterns: Iterable[Pattern]) -> dict[Variable, None]:
    """The variables of the patterns, by first occurrence."""
    return {term: None for pattern in patterns for term in pattern if isinstance(term, Variable)}
