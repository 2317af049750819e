"""What a schema declares, as dependencies: `body => head` (tuples follow), `body => ?x = ?y`, and classes kept apart.

Domains, ranges, subclasses, inverses, `functional` and `key` each become one rule. A predicate that is declared in
several ways has a domain or range only where all its declarations agree, as in `uniqgen_ir.ir.schema_index`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from attrs import evolve, field, frozen

from uniqgen_ir.ir.rows import PathAtom, Row, Triple, TypeAtom
from uniqgen_ir.ir.schema import Dependency, Schema
from uniqgen_ir.ir.schema_index import EVERYTHING, Predicate, SchemaIndex
from uniqgen_ir.ir.suggestions import local_name
from uniqgen_ir.ir.terms import IRI, Term, Variable
from uniqgen_ir.ir.types import ANY, LiteralType, NodeType, Type
from uniqgen_ir.passes.normal.paths import fixed_edges
from uniqgen_ir.passes.saturate.patterns import TYPE, Pattern, pattern_of, pattern_variables

_X, _Y, _Z = Variable("x"), Variable("y"), Variable("z")


@frozen
class Rule:
    """One dependency. Variables of the head that the body lacks exist; with `equal` there is no head."""

    name: str
    body: tuple[Pattern, ...]
    head: tuple[Pattern, ...] = ()
    equal: tuple[Variable, Variable] | None = None

    @cached_property
    def existential(self) -> frozenset[Variable]:
        """The variables that stand in the head only."""
        return frozenset(pattern_variables(self.head)) - frozenset(pattern_variables(self.body))


@frozen(eq=False)
class Dependencies:
    """The rules of a schema. `skipped`: rules that say more than patterns can, each with the reason.

    `shared`: pairs of classes that are declared disjoint, and that a graph has an instance of all the same.
    """

    rules: tuple[Rule, ...] = ()
    skipped: tuple[tuple[Dependency, str], ...] = ()
    index: SchemaIndex = field(factory=lambda: SchemaIndex.of())
    shared: frozenset[tuple[IRI, IRI]] = frozenset()

    @cached_property
    def by_predicate(self) -> dict[IRI | None, tuple[Rule, ...]]:
        """The rules by the predicate of their first body pattern; None: a variable."""
        found: dict[IRI | None, list[Rule]] = {}
        for rule in self.rules:
            predicate = rule.body[0][1]
            found.setdefault(predicate if isinstance(predicate, IRI) else None, []).append(rule)
        return {predicate: tuple(rules) for predicate, rules in found.items()}

    def never_both(self, left: IRI, right: IRI) -> bool:
        """Whether the classes are declared to share no instance."""
        declared = self.index.declared_disjoint(left, right)
        return declared is not None and not {declared, declared[::-1]} & self.shared

    def only(self, names: Collection[object]) -> Dependencies:
        """The rules of these names; classes stay apart."""
        return evolve(self, rules=tuple(rule for rule in self.rules if rule.name in names))

    def without(self, violated: str | tuple[IRI, IRI]) -> Dependencies:
        """What is left without the rule of this name, or with two classes that may share instances."""
        if isinstance(violated, str):
            return evolve(self, rules=tuple(rule for rule in self.rules if rule.name != violated))
        declared = self.index.declared_disjoint(*violated) or violated
        return evolve(self, shared=self.shared | {declared})

    def object_type(self, predicate: object) -> Type:
        """What the predicate leads to, as declared; anything where it is not."""
        found = self.index.predicate(predicate) if isinstance(predicate, IRI) else None
        return ANY if found is None else found.object_type

    def datatypes(self, predicate: object) -> frozenset[str]:
        """The datatypes of the literals that the predicate leads to; empty where it may lead to anything."""
        type_ = self.object_type(predicate)
        return type_.datatypes if isinstance(type_, LiteralType) else frozenset()


def dependencies_of(*schemas: Schema) -> Dependencies:
    """The dependencies of the schemas read as one."""
    index = SchemaIndex.of(*schemas)
    rules = [*_of_classes(index)]
    for predicate in index.predicates.values():
        rules += _of_predicate(predicate)
    for one, other in index.inverse_pairs:
        rules.append(_inverse(one, other))
        if one != other:
            rules.append(_inverse(other, one))
    skipped: list[tuple[Dependency, str]] = []
    for dependency in (one for schema in schemas for one in schema.dependencies):
        reason = _unsupported(dependency)
        if reason is None:
            rules.append(_of_user(dependency))
        else:
            skipped.append((dependency, reason))
    return Dependencies(tuple(rules), tuple(skipped), index)


def _of_classes(index: SchemaIndex) -> Iterator[Rule]:
    for class_ in index.classes.values():
        for parent in class_.parents:
            if parent not in EVERYTHING:
                name = f"subclass:{local_name(class_.iri.value)}"
                yield Rule(name, ((_X, TYPE, class_.iri),), ((_X, TYPE, parent),))


def _of_predicate(predicate: Predicate) -> Iterator[Rule]:
    name, iri = local_name(predicate.iri.value), predicate.iri
    edge: Pattern = (_X, iri, _Y)
    for word, place, type_ in (("domain", _X, predicate.subject_type), ("range", _Y, predicate.object_type)):
        if isinstance(type_, NodeType):
            for class_ in type_.classes:
                yield Rule(f"{word}:{name}", (edge,), ((place, TYPE, class_),))
    if predicate.functional:
        yield Rule(f"functional:{name}", (edge, (_X, iri, _Z)), equal=(_Y, _Z))
    if predicate.key:
        yield Rule(f"key:{name}", (edge, (_Z, iri, _Y)), equal=(_X, _Z))


def _inverse(one: IRI, other: IRI) -> Rule:
    return Rule(f"inverse:{local_name(one.value)}", ((_X, one, _Y),), ((_Y, other, _X),))


def _unsupported(dependency: Dependency) -> str | None:
    """Why the chase cannot apply a rule of the user's; None where it can."""
    for row in (*dependency.body, *dependency.head):
        if row.where is not None or not isinstance(row.atom, Triple | TypeAtom | PathAtom):
            return f"row {row.id} is more than a triple, a class or a path"
        if isinstance(row.atom, PathAtom) and not fixed_edges(row.atom.path):
            return f"the path of row {row.id} has no fixed length"
    return None


def _of_user(dependency: Dependency) -> Rule:
    return Rule(
        dependency.name, _patterns(dependency.body, "b"), _patterns(dependency.head, "h"), equal=dependency.equal
    )


def _patterns(rows: Iterable[Row], side: str) -> tuple[Pattern, ...]:
    found: list[Pattern] = []
    for number, row in enumerate(rows):
        if isinstance(row.atom, Triple | TypeAtom):
            found.append(pattern_of(row.atom))
        elif isinstance(row.atom, PathAtom):
            edges = fixed_edges(row.atom.path) or ()
            middles: list[Term] = [Variable(f"{side}{number}.{place}") for place in range(1, len(edges))]
            places: list[Term] = [row.atom.subject, *middles, row.atom.object]
            for place, (step, forwards) in enumerate(edges):
                ends = (places[place], places[place + 1]) if forwards else (places[place + 1], places[place])
                found.append((ends[0], step.predicate, ends[1]))
    return tuple(found)
