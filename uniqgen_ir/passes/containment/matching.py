"""Mapping one block into the canonical database of another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import TypeAlias

from attrs import frozen

from uniqgen_ir.ir.analysis import expression_variables
from uniqgen_ir.ir.evaluation.paths import path_pairs
from uniqgen_ir.ir.expressions import Call, Expression, Not, Or
from uniqgen_ir.ir.paths import NegatedSet, Path
from uniqgen_ir.ir.terms import Literal, Term, Variable
from uniqgen_ir.ir.visitor import walk
from uniqgen_ir.passes.containment.blocks import Block, Edge, put
from uniqgen_ir.passes.containment.homomorphism import Arc, Check, Effort, Masks, Search, Tuples
from uniqgen_ir.passes.containment.target import Target, is_true


@frozen(eq=False)
class Match:
    """A homomorphism from `source` into the canonical database of a block.

    `terms` maps the variables of `source` to terms of that block. `conditions` are what must hold of the block's values
    for it to be one: conditions of `source`, and that values are the same where the database took them to be.
    """

    source: Block
    terms: Mapping[Variable, Term]
    conditions: tuple[Expression, ...]


def homomorphisms(source: Block, target: Target, effort: Effort) -> Iterator[Match]:
    """Every homomorphism under the target's values. Raises BudgetExceeded."""
    built = _problem(source, target, effort)
    if built is None:
        return
    search, names = built
    for solution in search.solutions():
        yield _lifted(source, target, {one: solution[place] for one, place in names.items()})


def fixed_variables(block: Block, effort: Effort) -> frozenset[Variable]:
    """Variables that every homomorphism of the block into itself maps to themselves; not always all of them."""
    target = Target.of(block, {})
    built = _problem(block, target, effort)
    assert built is not None
    search, names = built
    domains = list(search.domains)
    search.reduce(domains, range(len(search.arcs)))
    return frozenset(one for one, place in names.items() if domains[place] == 1 << target.index[one])


def _problem(source: Block, target: Target, effort: Effort) -> tuple[Search, dict[Variable, int]] | None:
    """The search; None where a constant or a predicate of the source does not occur in the target."""
    names = {variable: place for place, variable in enumerate(source.variables)}
    domains = [target.everything] * len(names)
    arcs: list[Arc] = []
    tuples: list[Tuples] = []

    def narrow(term: Term, mask: int) -> bool:
        if isinstance(term, Variable) and term in names:
            domains[names[term]] &= mask
            return domains[names[term]] != 0
        node = target.node(term)
        return node is not None and bool(mask >> node & 1)

    for term in names:
        if source.is_rigid(term):
            node = target.node(term)
            domains[names[term]] &= 0 if node is None else 1 << node
    for mine, theirs in zip(source.head, target.block.head, strict=True):
        if (mine is None) != (theirs is None):
            return None
        if mine is not None and theirs is not None and not narrow(mine, 1 << target.index[theirs]):
            return None
    relations = [(edge.pattern[0], _relation(edge, target), edge.pattern[2], edge) for edge in source.edges]
    for subject, relation, object_, edge in relations:
        if relation is None:
            if not _ternary(edge, target, names, tuples):
                return None
            continue
        if not _binary(subject, relation, object_, target, names, narrow, arcs):
            return None
    for one in source.walks:
        relation = _walk_relation(one.path, one.subject, one.object, target)
        if not _binary(one.subject, relation, one.object, target, names, narrow, arcs):
            return None
    checks: list[Check] = []
    for condition in source.conditions:
        if not _conditional(condition.expression, target, names, domains, checks):
            return None
    checks += _distinct_edges(source, target, names)
    return Search(domains, arcs, effort, tuples, checks), names


_Relation: TypeAlias = tuple[Masks, int, int]
_Narrow: TypeAlias = Callable[[Term, int], bool]
_EMPTY: _Relation = ({}, 0, 0)


def _relation(edge: Edge, target: Target) -> _Relation | None:
    """The facts of the edge's predicate; None where the predicate is a variable."""
    predicate = edge.pattern[1]
    if isinstance(predicate, Variable):
        return None
    node = target.node(predicate)
    return _EMPTY if node is None else target.by_predicate.get(node, _EMPTY)


def _binary(
    subject: Term,
    relation: _Relation,
    object_: Term,
    target: Target,
    names: Mapping[Variable, int],
    narrow: _Narrow,
    arcs: list[Arc],
) -> bool:
    """Add a constraint between two terms; False where it can never hold."""
    masks, subjects, objects = relation
    if subject == object_:
        mask = sum(1 << node for node, ends in masks.items() if ends >> node & 1)
        return narrow(subject, mask)
    if not isinstance(subject, Variable):
        node = target.node(subject)
        return node is not None and narrow(object_, masks.get(node, 0))
    if not isinstance(object_, Variable):
        node = target.node(object_)
        mask = 0 if node is None else sum(1 << one for one, ends in masks.items() if ends >> node & 1)
        return node is not None and narrow(subject, mask)
    arcs.append(Arc(names[subject], names[object_], masks))
    return narrow(subject, subjects) and narrow(object_, objects)


def _ternary(edge: Edge, target: Target, names: Mapping[Variable, int], tuples: list[Tuples]) -> bool:
    variables: list[int] = []
    for term in edge.pattern:
        if isinstance(term, Variable) and names[term] not in variables:
            variables.append(names[term])
    allowed: dict[tuple[int, ...], None] = {}
    for triple in target.triples:
        found: dict[int, int] = {}
        for term, node in zip(edge.pattern, triple, strict=True):
            if isinstance(term, Variable):
                if found.setdefault(names[term], node) != node:
                    break
            elif target.node(term) != node:
                break
        else:
            allowed[tuple(found[one] for one in variables)] = None
    tuples.append(Tuples(tuple(variables), tuple(allowed)))
    return bool(allowed)


def _walk_relation(path: Path, subject: Term, object_: Term, target: Target) -> _Relation:
    """The pairs of nodes that the path joins in the target's facts. A constant end need not be a node of them."""
    graph = target.graph
    nodes = graph.terms()
    masks: dict[int, int] = {}
    subjects = objects = 0
    places = {value: place for place, value in enumerate(target.node_values)}
    fixed = [target.node_values[node] if node is not None else None for node in map(target.node, (subject, object_))]
    ends = [
        one if not isinstance(term, Variable) else None for term, one in zip((subject, object_), fixed, strict=True)
    ]
    for start, end in path_pairs(path, ends[0], ends[1], graph, nodes, lambda: None):
        one, other = places.get(start), places.get(end)
        if one is not None and other is not None:
            masks[one] = masks.get(one, 0) | 1 << other
            subjects |= 1 << one
            objects |= 1 << other
    return masks, subjects, objects


def _conditional(
    expression: Expression, target: Target, names: Mapping[Variable, int], domains: list[int], checks: list[Check]
) -> bool:
    """Use a condition: on one variable it narrows the domain, on more it is looked at later."""
    variables = tuple(sorted(expression_variables(expression), key=str))
    bound = tuple(one for one in variables if one in names)
    known = {
        one: target.solution[one]
        for one in variables
        if one not in names and one.name.startswith("$") and one in target.solution
    }
    values = target.node_values
    if not bound:
        return is_true(expression, known)
    if len(bound) == 1:
        place = names[bound[0]]
        mask = 0
        for node, value in enumerate(values):
            if domains[place] >> node & 1 and is_true(expression, {**known, bound[0]: value}):
                mask |= 1 << node
        domains[place] &= mask
        return domains[place] != 0

    def holds(nodes: tuple[int, ...]) -> bool:
        return is_true(expression, {**known, **{one: values[node] for one, node in zip(bound, nodes, strict=True)}})

    checks.append(Check(tuple(names[one] for one in bound), holds))
    return True


def grouped_pairs(block: Block) -> Iterator[tuple[Edge, Edge]]:
    """The pairs of edges that may not bind the same edge of a graph and could do so."""
    grouped = [edge for edge in block.edges if edge.group is not None]
    for one, other in combinations(grouped, 2):
        if one.group == other.group and _could_meet(one.pattern[1], other.pattern[1]):
            yield one, other


def _could_meet(one: Term, other: Term) -> bool:
    return one == other or isinstance(one, Variable) or isinstance(other, Variable)


def edges_differ(one: Edge, other: Edge) -> Expression:
    """That two edges are not the same edge; a literal at the end makes it a property, which may be the same."""
    apart: list[Expression] = [
        Not(Call("same_term", (first, second)))
        for first, second in zip(one.pattern, other.pattern, strict=True)
        if first != second
    ]
    apart += [Call("is_literal", (end,)) for end in dict.fromkeys((one.pattern[2], other.pattern[2]))]
    return apart[0] if len(apart) == 1 else Or(tuple(apart))


def _distinct_edges(source: Block, target: Target, names: Mapping[Variable, int]) -> Iterator[Check]:
    values = target.node_values
    for one, other in grouped_pairs(source):
        terms = dict.fromkeys(term for term in (*one.pattern, *other.pattern) if isinstance(term, Variable))

        def holds(
            nodes: tuple[int, ...],
            terms: tuple[Variable, ...] = tuple(terms),
            pair: tuple[Edge, Edge] = (one, other),
        ) -> bool:
            chosen = dict(zip(terms, nodes, strict=True))
            ends = [[values[chosen[t]] if isinstance(t, Variable) else t for t in edge.pattern] for edge in pair]
            return ends[0] != ends[1] or isinstance(ends[0][2], Literal)

        yield Check(tuple(names[term] for term in terms), holds)


def stated_conditions(source: Block, terms: Mapping[Variable, Term]) -> tuple[Expression, ...]:
    """What the source asks of values, in terms of the block that it is mapped into."""
    stated = [put(condition.expression, terms) for condition in source.conditions]
    stated += [put(edges_differ(one, other), terms) for one, other in grouped_pairs(source)]
    return tuple(dict.fromkeys(stated))


def _lifted(source: Block, target: Target, chosen: Mapping[Variable, int]) -> Match:
    """The match in terms of the target's block, with all that it takes for granted."""
    terms: dict[Variable, Term] = {one: target.terms_of[node][0] for one, node in chosen.items()}
    conditions: dict[Expression, None] = dict.fromkeys(stated_conditions(source, terms))
    if len(target.nodes) < len(target.index):
        shared = (target.terms_of[node] for node in sorted(_touched(source, target, chosen)))
        for one, *others in shared:
            conditions.update((_same(one, other), None) for other in others)
    for constant, node in _named_nodes(source, target):
        theirs = target.terms_of.get(node, (constant,))
        if constant not in theirs:  # a value that conditions leave has other spellings, and patterns join terms
            conditions[_same(theirs[0], constant)] = None
    for condition_ in _negated_predicates(source, target):
        conditions[condition_] = None
    return Match(source, terms, tuple(conditions))


def _touched(source: Block, target: Target, chosen: Mapping[Variable, int]) -> set[int]:
    """The nodes whose identity the match may rest on: its image with the predicates; with paths, all of them."""
    if source.walks:
        return set(range(len(target.nodes)))
    found = set(chosen.values())
    return found.union(node for _, node in _named_nodes(source, target))


def _named_nodes(source: Block, target: Target) -> Iterator[tuple[Term, int]]:
    """The constants that the source asks for, each with the node that it meets."""
    asked = [term for edge in source.edges for term in edge.pattern]
    asked += [term for one in source.walks for term in (one.subject, one.object)]
    for term in dict.fromkeys((*asked, *source.head)):
        if term is not None and not isinstance(term, Variable) and (node := target.node(term)) is not None:
            yield term, node


def _same(one: Term, other: Term) -> Expression:
    return Call("same_term", (one, other))


def _negated_predicates(source: Block, target: Target) -> Iterator[Expression]:
    """What paths of the form `!p` take for granted: that no predicate which is a variable stands for `p`."""
    named = {
        iri
        for one in source.walks
        for part in walk(one.path)
        if isinstance(part, NegatedSet)
        for iri in (*part.forward, *part.backward)
    }
    if named:
        for predicate in dict.fromkeys(edge.pattern[1] for edge in target.block.edges):
            if isinstance(predicate, Variable):
                yield from (Not(_same(predicate, iri)) for iri in sorted(named, key=str))
