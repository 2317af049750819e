"""Patterns that nothing connects, and paths that nothing anchors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from attrs import define, field

from uniqgen_ir.grammar.sparql.groups import Element, Group, Part, mentioned
from uniqgen_ir.grammar.sparql.queries import QueryParts
from uniqgen_ir.ir.analysis import expression_variables, has_aggregate
from uniqgen_ir.ir.paths import Alternative, Inverse, NegatedSet, Path, Repeat, Sequence, Step
from uniqgen_ir.ir.rows import Bind, Filter, MinusBlock, NotBlock, PathAtom, SubTable, Triple, TypeAtom, Values
from uniqgen_ir.ir.table import Form
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.vocabulary import RDFS
from uniqgen_ir.validate.sparql.query import CheckedQuery, Variables

_NONE: Final[Variables] = frozenset()
_HIERARCHIES: Final = frozenset({IRI(RDFS + "subClassOf"), IRI(RDFS + "subPropertyOf")})
"""Predicates whose graphs are small: following them from everywhere costs little."""


@define
class Component:
    """Elements that share variables, directly or through others. `anchored`: a constant stands in one of them."""

    variables: set[Variable]
    elements: list[Element] = field(factory=lambda: list[Element]())
    anchored: bool = False


def check_products(query: CheckedQuery) -> None:
    """Cartesian products, and paths without a bound, in every group of the query."""
    for parts in query.reading.queries:
        linked = linked_by_head(parts)
        _group(query, parts.where, linked, counted=parts.form is not Form.ASK)
    for group in query.reading.exists_groups:
        _paths(query, components(group, (group.mentioned(),)), group)


def linked_by_head(parts: QueryParts) -> tuple[Variables, ...]:
    """Sets of variables that one computed column, condition or sort key looks at together."""
    computed = [item.column.expression for item in parts.head.items or () if item.column.alias is not None]
    computed += [key.expression for key in parts.clauses.order]
    computed += parts.clauses.having
    trailing = (frozenset(parts.values.variables),) if parts.values is not None else ()
    return (*(expression_variables(one) for one in computed), *trailing)


def _group(query: CheckedQuery, group: Group, linked: tuple[Variables, ...], *, counted: bool) -> None:
    found = components(group, linked)
    _paths(query, found, group)
    parts = [one for one in found if _multiplies(one)]
    if counted and len(parts) > 1 and not all(one.anchored for one in parts):
        _report_product(query, parts)
    if not group.nested:
        return
    counts = Counter(variable for payload, _, _ in group.elements for variable in mentioned(payload))
    for payload, _, _ in group.elements:
        if not isinstance(payload, Part):
            continue
        shared = frozenset(variable for variable in mentioned(payload) if counts[variable] > 1)
        for inner in payload.groups:
            _group(query, inner, (*linked, shared), counted=counted and payload.kind != "minus")


def _report_product(query: CheckedQuery, parts: list[Component]) -> None:
    first, second = parts[0], parts[1]
    names = [
        min(one.variables - query.reading.blank_variables or one.variables, key=str).name for one in (first, second)
    ]
    message = (
        f"nothing connects the patterns of ?{names[0]} with those of ?{names[1]}: every pair of the two is an answer"
    )
    _, start, end = min(second.elements, key=lambda one: one[1])
    query.warn("UQ752", message, (start, end), "add the pattern that relates them")


def components(group: Group, linked: Iterable[Variables] = ()) -> list[Component]:
    """The parts of a group that nothing connects: no variable, no condition, none of the `linked` sets."""
    found = _Components()
    for element in group.elements:
        payload, start, end = element
        variables = _joining(payload)
        # what takes no place was not written: the name of a graph, the resources of DESCRIBE
        if start < end and variables and not isinstance(payload, Filter | Bind | NotBlock | MinusBlock):
            found.add(Component(set(variables), [element], _is_anchor(payload)))
    for element in group.elements:
        payload = element[0]
        if isinstance(payload, Filter | Bind | NotBlock):
            found.link(mentioned(payload), anchors=isinstance(payload, Filter))
    for variables in linked:
        found.link(variables)
    return list(found.parts.values())


@define
class _Components:
    """Components while they grow, those that grew last at the end, and which of them has a variable."""

    parts: dict[int, Component] = field(factory=lambda: dict[int, Component]())
    _owners: dict[Variable, Component] = field(factory=lambda: dict[Variable, Component]())

    def add(self, new: Component) -> None:
        """Join a component with those that share a variable with it."""
        self._join(new, [new])

    def link(self, variables: Variables, *, anchors: bool = False) -> None:
        """Join the components that have one of the variables; where they are `anchors`, something fixes them."""
        joined = self._join(Component(set(variables)), [])
        if joined is not None:
            joined.anchored = joined.anchored or anchors

    def _join(self, new: Component, more: list[Component]) -> Component | None:
        owners = {id(one): one for variable in new.variables if (one := self._owners.get(variable)) is not None}
        parts = [*owners.values(), *more]
        if not parts:
            return None
        # the largest takes in the others, so that no element is moved often
        largest = max(parts, key=lambda one: len(one.elements))
        for one in parts:
            self.parts.pop(id(one), None)
            if one is not largest:
                largest.variables |= one.variables
                largest.elements += one.elements
                largest.anchored = largest.anchored or one.anchored
            if one is not largest or one is new:
                self._owners.update(dict.fromkeys(one.variables, largest))
        self.parts[id(largest)] = largest
        return largest


def _joining(payload: Any) -> Variables:
    if isinstance(payload, Part):
        return _NONE if payload.kind == "minus" else _NONE.union(*(one.mentioned() for one in payload.groups))
    return mentioned(payload)


def _is_anchor(payload: Any) -> bool:
    """Whether a constant that is no class stands in a pattern, or a list of values."""
    match payload:
        case Triple(subject, _, object_) | PathAtom(subject, _, object_):
            return isinstance(subject, IRI | Literal) or isinstance(object_, IRI | Literal)
        case TypeAtom(subject, _):
            return isinstance(subject, IRI)
        case Values() | SubTable():
            return True
        case Part():
            return payload.kind == "alternatives" and all(
                any(_is_anchor(one[0]) for one in group.elements) for group in payload.groups
            )
        case _:
            return False


def _multiplies(component: Component) -> bool:
    """Whether a component can have several solutions."""
    return not all(_is_single(payload) for payload, _, _ in component.elements)


def _is_single(payload: Any) -> bool:
    match payload:
        case Values(_, lines):
            return len(lines) <= 1
        case SubTable(table):
            aggregated = any(has_aggregate(column.expression) for column in table.head) and not table.shell.group
            return aggregated or table.shell.limit in (0, 1)
        case Part():
            alone = payload.kind == "alternatives" and len(payload.groups) == 1
            return alone and all(_is_single(one[0]) for one in payload.groups[0].elements)
        case _:
            return False


# ---- paths -----------------------------------------------------------------------------------------------------------


def _paths(query: CheckedQuery, found: list[Component], group: Group) -> None:
    for component in found:
        for payload, start, end in component.elements:
            if isinstance(payload, PathAtom):
                _path(query, payload, (start, end), component)
    for payload, start, end in group.elements:
        if isinstance(payload, PathAtom) and not mentioned(payload) and _steps_anywhere(payload.path):
            query.warn("UQ753", "this path may step over any predicate, any number of times", (start, end))


def _path(query: CheckedQuery, atom: PathAtom, place: tuple[int, int], component: Component) -> None:
    if _steps_anywhere(atom.path):
        query.warn("UQ753", "this path may step over any predicate, any number of times", place)
    elif _is_unbounded(atom.path) and not component.anchored:
        hint = "fix one end with a constant or a condition, or write the steps that are meant, as in `p/p?`"
        query.warn("UQ753", "this path has no bound, and nothing fixes where it begins or ends", place, hint)
    ends = (atom.subject, atom.object)
    free = all(isinstance(one, Variable) for one in ends) and atom.subject != atom.object
    if free and not component.anchored and _goes_both_ways(atom.path):
        names = " and ".join(map(str, ends))
        query.warn("UQ760", f"this path goes both ways, so each pair of {names} is found twice", place)


def inner_paths(path: Path) -> Iterator[Path]:
    """The path and every one inside it."""
    yield path
    match path:
        case Inverse(inner) | Repeat(inner, _, _):
            yield from inner_paths(inner)
        case Sequence(paths) | Alternative(paths):
            for one in paths:
                yield from inner_paths(one)
        case Step() | NegatedSet():
            return


def _is_unbounded(path: Path) -> bool:
    """Whether the path follows, without a bound, anything but a hierarchy of classes or predicates."""
    return any(
        isinstance(one, Repeat) and one.maximum is None and not _is_hierarchy(one.path) for one in inner_paths(path)
    )


def _is_hierarchy(path: Path) -> bool:
    return all(one.predicate in _HIERARCHIES for one in inner_paths(path) if isinstance(one, Step))


def _steps_anywhere(path: Path) -> bool:
    """Whether a repetition without a bound may step over every predicate: `(p|!p)*`, `(!(ex:none))+`."""
    return any(
        isinstance(one, Repeat) and one.maximum is None and any(isinstance(two, NegatedSet) for two in inner_paths(one))
        for one in inner_paths(path)
    )


def _goes_both_ways(path: Path) -> bool:
    if not isinstance(path, Alternative):
        return False
    forward = {one.predicate for one in path.paths if isinstance(one, Step)}
    return any(
        isinstance(one, Inverse) and isinstance(one.path, Step) and one.path.predicate in forward for one in path.paths
    )
