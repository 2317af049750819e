"""Tables as unions of conjunctions over a property graph: what is left once `either`, paths and mixed predicates are
written out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, product
from typing import Final, TypeAlias

from attrs import define, evolve, field, frozen

from uniqgen_ir.backends.base import Assumption
from uniqgen_ir.backends.cypher.layout import EdgeForm, Form, Layout, LiteralForm, PropertyForm
from uniqgen_ir.backends.cypher.presets import local_part
from uniqgen_ir.backends.cypher.things import Part, Relationship, recognize
from uniqgen_ir.backends.marks import APART, NESTED, inner_id
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Severity, fail
from uniqgen_ir.ir.expressions import Call, Expression, Not
from uniqgen_ir.ir.paths import Alternative, Inverse, Path, Repeat, Step
from uniqgen_ir.ir.paths import Sequence as PathSequence
from uniqgen_ir.ir.rows import Either, Filter, PathAtom, Row, Triple, TypeAtom, Values
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE

MOST_BRANCHES: Final = 64
"""A table may be written out as a union of so many conjunctions at most."""


@frozen
class EdgeAtom:
    """`subject -[:types*low..high]-> object`; no types: any.

    `apart` names the MATCH in which it binds another relationship than its neighbours. `thing` is the variable that
    stands for the relationship, `kind` the one that stands for its type.
    """

    row: str
    subject: Term
    types: tuple[str, ...]
    object: Term
    reverse: bool = False
    undirected: bool = False
    low: int = 1
    high: int = 1
    apart: str | None = None
    thing: Variable | None = None
    kind: Variable | None = None
    once: bool = False
    """whether a pair of ends counts once, however many walks join them"""


@frozen
class PropertyAtom:
    row: str
    subject: Term
    form: PropertyForm
    object: Term


@frozen
class LiteralAtom:
    row: str
    subject: Term
    form: LiteralForm
    object: Term


@frozen
class LabelAtom:
    row: str
    subject: Term
    label: str


@frozen
class SameAtom:
    """Both ends of a path of length zero."""

    row: str
    left: Term
    right: Term


@frozen
class ConditionAtom:
    row: str
    expression: Expression


@frozen
class ResidueAtom:
    """A row that is no plain constraint: `optional`, `not`, `minus`, `bind`, inline values."""

    row: Row


Atom: TypeAlias = "EdgeAtom | PropertyAtom | LiteralAtom | LabelAtom | SameAtom | ConditionAtom | ResidueAtom"
Conjunction: TypeAlias = "tuple[Atom, ...]"


@define
class Expander:
    """Writes rows out as conjunctions and notes what it had to guess."""

    layout: Layout
    counts: bool
    """whether it matters how often a solution comes"""
    trails: bool
    """whether a variable-length pattern never takes an edge twice"""
    undirected: bool
    """whether there are patterns without a direction"""
    different: bool
    """whether relationships of one group of rows are kept apart"""
    value_variables: frozenset[Variable]
    assumptions: dict[Assumption, None] = field(factory=dict[Assumption, None])
    clashes: dict[str, Diagnostic] = field(factory=dict[str, "Diagnostic"])
    """predicates that have one name in the property graph"""
    things: set[Term] = field(factory=set[Term])
    """variables that stand for relationships"""
    _named: dict[tuple[str, str], str] = field(factory=dict[tuple[str, str], str])
    _fresh: Iterator[int] = field(factory=lambda: count(1))

    def conjunctions(self, rows: Sequence[Row], nodes: frozenset[Variable] = frozenset()) -> list[Conjunction]:
        """The conjunctions whose union the rows mean; none where they have no solution in this graph.

        `nodes` are variables known to stand for nodes from outside.
        """
        known = nodes | node_variables(rows)
        found: list[Conjunction] = []
        for choice in self._flattened(rows):
            inner = known | node_variables(choice)
            options = [self._options(row, inner) for row in choice]
            for picked in product(*options):
                found.append(tuple(atom for part in picked for atom in part))
                if len(found) > MOST_BRANCHES:
                    raise fail("UQ505", f"the table is a union of more than {MOST_BRANCHES} plain queries")
        return found

    def assume(self, row: str, term: str, kind: str) -> None:
        """Note a guess."""
        self.assumptions[Assumption(inner_id(row), term, kind)] = None

    def _flattened(self, rows: Sequence[Row]) -> list[tuple[Part, ...]]:
        """One choice of branch for every `either`; relationships that have a pattern of their own are no choice."""
        parts: list[list[tuple[Part, ...]]] = []
        size = 1
        for part in recognize(rows, self.layout):
            if isinstance(part, Row) and isinstance(part.atom, Either):
                inside = [choice for branch in part.atom.branches for choice in self._flattened(branch)]
                parts.append([_relabelled(choice, part.id) for choice in inside])
            else:
                parts.append([(part,)])
            size *= max(1, len(parts[-1]))
            if size > MOST_BRANCHES:
                raise fail("UQ505", f"the table is a union of more than {MOST_BRANCHES} plain queries")
        return [tuple(one for part in picked for one in part) for picked in product(*parts)]

    def _group_of(self, row: str) -> str | None:
        """The MATCH whose relationships are kept apart to which a row belongs."""
        ids = row.split(NESTED)
        for place in range(len(ids), 0, -1):
            if ids[place - 1].endswith(APART):
                return NESTED.join(ids[:place])
        return "" if self.different else None

    def _options(self, row: Part, nodes: frozenset[Variable]) -> list[tuple[Atom, ...]]:
        if isinstance(row, Relationship):
            return list(self._relationship(row))
        try:
            options = list(self._atom_options(row, nodes))
        except DiagnosticError as error:
            raise named(error, row) from error
        if row.where is None:
            return options
        return [(*option, ConditionAtom(row.id, row.where)) for option in options]

    def _atom_options(self, row: Row, nodes: frozenset[Variable]) -> Iterator[tuple[Atom, ...]]:
        match row.atom:
            case Triple(subject, IRI(predicate), object_):
                group = self._group_of(row.id)
                for one in self._triple(row.id, subject, predicate, object_, nodes):
                    yield (evolve(one, apart=group) if isinstance(one, EdgeAtom) else one,)
            case TypeAtom(subject, type_):
                yield from ((one,) for one in self._type(row.id, subject, type_, nodes))
            case PathAtom(subject, path, object_):
                self._nodes = nodes
                for walk in self._walks(row.id, subject, path, object_):
                    yield from self._walk_options(walk, nodes)
            case Filter(condition):
                yield (ConditionAtom(row.id, condition),)
            case Triple():
                raise fail("UQ509", "a predicate that varies cannot be written in Cypher", row.span)
            case Values(variables, lines) if any(cell is None for line in lines for cell in line):
                yield from _without_gaps(row, variables, lines)
            case _:
                yield (ResidueAtom(row),)

    def _relationship(self, one: Relationship) -> Iterator[tuple[Atom, ...]]:
        if one.thing is not None:
            self.things.add(one.thing)
        apart = self._group_of(one.row.id) if one.thing is None else None
        edge = EdgeAtom(
            one.row.id,
            one.subject,
            one.types,
            one.object,
            undirected=one.undirected,
            apart=apart,
            thing=one.thing,
            kind=one.kind,
        )
        if not one.undirected or self.undirected:
            yield (edge,)
            return
        ends = (one.subject, one.object)
        yield (evolve(edge, undirected=False),)
        if one.subject == one.object or any(isinstance(end, Literal | BlankNode) for end in ends):
            return
        # a loop is there only once
        apart_ends = Not(Call("same_term", (one.subject, one.object)))
        back = evolve(edge, undirected=False, subject=one.object, object=one.subject)
        yield (back, ConditionAtom(one.row.id, apart_ends))

    def _type(self, row: str, subject: Term, type_: Term, nodes: frozenset[Variable]) -> Iterator[Atom]:
        if not isinstance(type_, IRI):
            if self.layout.class_label("urn:any") is not None:
                raise fail("UQ509", "a class that varies cannot be written in Cypher")
            yield from self._triple(row, subject, RDF_TYPE, type_, nodes)
            return
        if subject in self.things:
            raise fail("UQ500", f"{local_part(type_.value)} of a relationship cannot be written beside its other class")
        label = self.layout.class_label(type_.value)
        if label is None:
            yield from self._triple(row, subject, RDF_TYPE, type_, nodes)
        else:
            yield LabelAtom(row, subject, label)

    def _triple(
        self, row: str, subject: Term, predicate: str, object_: Term, nodes: frozenset[Variable]
    ) -> Iterator[Atom]:
        if isinstance(subject, Literal):
            return
        if predicate == RDF_TYPE and self.layout.class_label(predicate) is not None:
            if not isinstance(object_, IRI):
                raise fail("UQ509", "a class that varies cannot be written in Cypher")
            label = self.layout.class_label(object_.value)
            assert label is not None
            yield LabelAtom(row, subject, label)
            return
        owner = self.layout.mediator_property(predicate)
        if owner is not None and subject not in self.things:
            raise fail("UQ500", f"{local_part(predicate)} belongs to the relationship {owner}, whose ends no row gives")
        forms = self._forms(row, predicate, object_, nodes)
        for form in forms:
            if isinstance(form, EdgeForm):
                if not isinstance(object_, Literal):
                    yield EdgeAtom(row, subject, (form.type,), object_, form.reverse)
            elif not isinstance(object_, IRI) and object_ not in nodes:
                if isinstance(form, PropertyForm):
                    yield PropertyAtom(row, subject, form, object_)
                else:
                    yield LiteralAtom(row, subject, form, object_)
            elif not self.layout.lossless and not any(isinstance(one, EdgeForm) for one in forms):
                raise fail("UQ506", f"{local_part(predicate)} is a property: its values are no nodes")

    def _forms(self, row: str, predicate: str, object_: Term, nodes: frozenset[Variable]) -> tuple[Form, ...]:
        forms = self._forms_of(row, predicate, object_, nodes)
        if not self.layout.lossless:
            for form in forms:
                self._note_name(row, predicate, form)
        return forms

    def _note_name(self, row: str, predicate: str, form: Form) -> None:
        """Warn where two predicates become one."""
        kind, name = ("property", form.name) if isinstance(form, PropertyForm) else ("relationship type", form.type)
        other = self._named.setdefault((kind, name), predicate)
        if other != predicate:
            message = f"<{other}> and <{predicate}> are both the {kind} {name}: the query cannot tell them apart"
            hint = "give one of them a name of its own in a mapping"
            self.clashes.setdefault(
                name, Diagnostic("UQ507", f"row {inner_id(row)}: {message}", None, Severity.WARNING, hint=hint)
            )

    def _forms_of(self, row: str, predicate: str, object_: Term, nodes: frozenset[Variable]) -> tuple[Form, ...]:
        known = self.layout.forms(predicate)
        if known is not None:
            return known
        value = isinstance(object_, Literal | Parameter) or (object_ in self.value_variables and object_ not in nodes)
        kind = "property" if value else "edge"
        self.assume(row, local_part(predicate), kind)
        return (self.layout.guess(predicate, kind),)

    # --- paths ----------------------------------------------------------------------------------------------------

    def _walk_options(
        self, walk: tuple[Triple | SameAtom | EdgeAtom, ...], nodes: frozenset[Variable]
    ) -> Iterator[Conjunction]:
        inner = nodes | frozenset(
            one.subject for one in walk if isinstance(one, Triple) and isinstance(one.subject, Variable)
        )
        parts: list[list[Atom]] = []
        for step in walk:
            if isinstance(step, Triple):
                assert isinstance(step.predicate, IRI)
                parts.append(list(self._triple(self._row, step.subject, step.predicate.value, step.object, inner)))
            else:
                parts.append([step])
        yield from product(*parts)

    _row: str = ""
    _nodes: frozenset[Variable] = frozenset()

    def _walks(
        self, row: str, start: Term, path: Path, end: Term
    ) -> Iterator[tuple[Triple | SameAtom | EdgeAtom, ...]]:
        """The walks along the path, each as steps; bounded repetitions are kept where Cypher has them."""
        self._row = row
        yield from self._along(row, start, path, end)

    def _along(
        self, row: str, start: Term, path: Path, end: Term
    ) -> Iterator[tuple[Triple | SameAtom | EdgeAtom, ...]]:
        match path:
            case Step(predicate):
                yield (Triple(start, predicate, end),)
            case Inverse(inner):
                yield from self._along(row, end, inner, start)
            case Alternative(paths):
                for one in paths:
                    yield from self._along(row, start, one, end)
            case PathSequence(paths):
                yield from self._chain(row, start, paths, end)
            case Repeat():
                yield from self._repeat(row, start, path, end)
            case _:
                raise fail("UQ500", "a negated property set cannot be written in Cypher")

    def _chain(
        self, row: str, start: Term, paths: Sequence[Path], end: Term
    ) -> Iterator[tuple[Triple | SameAtom | EdgeAtom, ...]]:
        places = [start, *(self._step() for _ in paths[1:]), end]
        legs = [
            list(self._along(row, one, path, other))
            for one, path, other in zip(places, paths, places[1:], strict=False)
        ]
        for picked in product(*legs):
            yield tuple(step for leg in picked for step in leg)

    def _repeat(
        self, row: str, start: Term, path: Repeat, end: Term
    ) -> Iterator[tuple[Triple | SameAtom | EdgeAtom, ...]]:
        if path.maximum is None:
            raise fail("UQ504", "a path without an upper bound cannot be run in Cypher", hint="give it one: {1,8}")
        low, high = path.minimum, path.maximum
        if self.counts and high > 1:
            # pairs count once, however many walks join them
            form = self._native(path, low) if low <= 1 and (low or self._is_node(start) or self._is_node(end)) else None
            if form is None:
                raise fail(
                    "UQ500",
                    "this repeated path counts pairs once, which Cypher cannot when solutions are counted",
                    hint="select distinct answers",
                )
            yield (EdgeAtom(row, start, (form.type,), end, form.reverse, low=low, high=high, once=True),)
            return
        if self.counts and low == 0:
            raise fail("UQ500", "an optional step counts pairs once, which Cypher cannot when solutions are counted")
        if low == 0:
            yield (SameAtom(row, start, end),)
            low = 1
        form = self._native(path, low)
        if form is not None and high >= low and (low, high) != (1, 1):
            yield (EdgeAtom(row, start, (form.type,), end, form.reverse, low=low, high=high),)
            return
        for length in range(low, high + 1):
            if length > MOST_BRANCHES:
                raise fail("UQ505", f"a path of more than {MOST_BRANCHES} steps", hint="lower its upper bound")
            yield from self._chain(row, start, [path.path] * length, end)

    def _is_node(self, term: Term) -> bool:
        return isinstance(term, Variable) and (not self.layout.lossless or term in self._nodes)

    def _native(self, path: Repeat, low: int) -> EdgeForm | None:
        """The one relationship type that a variable-length pattern may repeat."""
        inner, reverse = path.path, False
        if isinstance(inner, Inverse):
            inner, reverse = inner.path, True
        if not isinstance(inner, Step) or (self.trails and low > 1):
            return None
        forms = self.layout.forms(inner.predicate.value)
        if forms is None:
            forms = (self.layout.guess(inner.predicate.value, "edge"),)
            self.assume(self._row, local_part(inner.predicate.value), "edge")
        if len(forms) != 1 or not isinstance(forms[0], EdgeForm):
            return None
        return EdgeForm(forms[0].type, forms[0].reverse != reverse)

    def _step(self) -> Variable:
        return Variable(f" step{next(self._fresh)}")


def _without_gaps(
    row: Row, variables: tuple[Variable, ...], lines: tuple[tuple[GroundTerm | None, ...], ...]
) -> Iterator[tuple[Atom, ...]]:
    """Lines that leave the same variables open, apart from the others: an inline table without gaps for each."""
    groups: dict[tuple[int, ...], list[tuple[GroundTerm | None, ...]]] = {}
    for line in lines:
        given = tuple(place for place, cell in enumerate(line) if cell is not None)
        groups.setdefault(given, []).append(tuple(line[place] for place in given))
    for given, kept in groups.items():
        if given:
            yield (ResidueAtom(evolve(row, atom=Values(tuple(variables[place] for place in given), tuple(kept)))),)
        else:
            yield from (() for _ in kept)


def _relabelled(parts: tuple[Part, ...], owner: str) -> tuple[Part, ...]:
    """The rows of a branch, whose text comes from the `either` as well."""
    return tuple(_relabelled_part(one, owner) for one in parts)


def _relabelled_part(part: Part, owner: str) -> Part:
    if isinstance(part, Relationship):
        return evolve(part, row=evolve(part.row, id=f"{owner}{NESTED}{part.row.id}"))
    return evolve(part, id=f"{owner}{NESTED}{part.id}")


def node_variables(rows: Sequence[Part]) -> frozenset[Variable]:
    """The variables that stand where only nodes can: subjects of these rows, ends of relationships."""
    found: set[Term] = set()
    for row in rows:
        if isinstance(row, Relationship):
            found |= {row.subject, row.object}
            continue
        match row.atom:
            case Triple(subject, _, _) | TypeAtom(subject, _):
                found.add(subject)
            case _:
                pass
    return frozenset(one for one in found if isinstance(one, Variable))


def named(error: DiagnosticError, row: Row) -> DiagnosticError:
    """The same diagnostics, saying which row they speak of."""
    return DiagnosticError(
        one
        if one.message.startswith("row ")
        else evolve(one, message=f"row {inner_id(row.id)}: {one.message}", span=one.span or row.span)
        for one in error.diagnostics
    )
