"""Relationships as rows.

One step of known type is a triple. Several types, or no direction, are alternatives that exclude each other, so that a
relationship counts once. A bounded length is opened into chains, because Cypher walks no relationship twice and counts
every walk; where counts do not matter it is a path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import define, field, frozen

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as syntax
from uniqgen_ir.grammar.cypher.lowering.group import (
    Builder,
    Different,
    Draft,
    Group,
    PathBinding,
    RelationshipBinding,
    Scope,
    UnsupportedError,
)
from uniqgen_ir.grammar.cypher.lowering.labels import type_names
from uniqgen_ir.grammar.cypher.names import SOURCE, TARGET, TYPE, Reified, Relation
from uniqgen_ir.ir.expressions import Call, Comparison, ComparisonOperator, Expression, Membership, Not
from uniqgen_ir.ir.paths import Alternative, Inverse, Path, Repeat, Step
from uniqgen_ir.ir.rows import Atom, Bind, Either, Filter, NotBlock, PathAtom, Row, Triple, TypeAtom
from uniqgen_ir.ir.terms import IRI, Literal, Variable

if TYPE_CHECKING:
    from uniqgen_ir.grammar.cypher.lowering.expressions import ExpressionLowering

LONGEST: Final = 8
"""Up to this length a bounded pattern is opened into chains."""
_LONGEST_UNDIRECTED: Final = 4


def may_be_empty(element: ast.RelationshipPattern) -> bool:
    """Whether the pattern also holds of no relationship at all, between a node and itself."""
    if element.length is not None:
        return element.length.minimum == 0
    return element.repetition is not None and element.repetition.minimum == 0


@frozen
class Edge:
    """A relationship of the clause: its types (None: any), whether it has several steps, the node it is read as."""

    types: frozenset[str] | None
    several: bool
    reified: Variable | None
    element: ast.RelationshipPattern

    def may_be(self, other: Edge) -> bool:
        """Whether both could bind the same relationship."""
        return self.types is None or other.types is None or bool(self.types & other.types)


@define
class EdgeLowering:
    """Lowers the relationships of one clause."""

    builder: Builder
    group: Group
    scope: Scope
    expressions: ExpressionLowering
    insensitive: bool
    edges: list[Edge] = field(factory=list[Edge])
    as_things: bool = False
    alone: bool = False
    start: int = 0

    def prepare(self, patterns: Sequence[ast.Pattern]) -> None:
        """Decide how to read the relationships of the clause: all as triples, or all as things."""
        elements = [one for pattern in patterns for one in pattern.elements if isinstance(one, ast.RelationshipPattern)]
        self.as_things = any(self._is_thing(one) for one in elements) or self._one_by_one(elements)
        self.alone = len(elements) == 1
        self.start = len(self.group.drafts)

    def _is_thing(self, element: ast.RelationshipPattern) -> bool:
        names = type_names(element.types)
        one_step = element.length is None and element.repetition is None
        named = one_step and element.variable is not None and element.variable.text in self.builder.things
        mediated = names is not None and any(self.builder.names.is_mediator(one) for one in names)
        return named or mediated or element.properties is not None or element.where is not None

    def _one_by_one(self, elements: Sequence[ast.RelationshipPattern]) -> bool:
        """Whether facts would lose relationships, or not say them: where some run in parallel, and without a type."""
        runs = self.builder.parallel
        if runs is None or self.builder.names.mapping is not None:
            return False
        several = any(one.length is not None or one.repetition is not None for one in elements)
        for element in elements:
            name = next((name for name in type_names(element.types) or () if runs(name)), None)
            if name is not None and several:
                what = f"a path of several steps and `{name}`, of which some run in parallel between the same nodes"
                raise UnsupportedError(what, element, "write the steps out")
            if name is not None:
                return True
        return not several and any(type_names(one.types) is None for one in elements)

    def relationship(self, element: ast.RelationshipPattern, left: Variable, right: Variable, right_new: bool) -> None:
        """The rows of one relationship between two nodes. `right_new`: nothing before binds the second node."""
        if element.left and not element.right:
            left, right = right, left
        directed = element.left != element.right
        names = type_names(element.types)
        witness = right if right_new != (element.left and not element.right) else left
        if element.length is not None or element.repetition is not None:
            self._several(element, names, left, right, directed)
        elif self.as_things:
            self._thing(element, names, left, right, directed)
        else:
            self._plain(element, names, left, right, directed, witness)

    def keep_apart(self) -> None:
        """No two relationships of the clause may be the same: conditions where they are things, a mode where not."""
        together = False
        for one, other in combinations(self.edges, 2):
            if not one.may_be(other):
                continue
            if one.reified is not None and other.reified is not None:
                self.group.add(Filter(Not(Call("same_term", (one.reified, other.reified)))), other.element)
            elif one.reified is not None or other.reified is not None:
                raise UnsupportedError("a relationship with properties beside a path of the same type", other.element)
            else:
                together = True
        together = together or any(one.several for one in self.edges)
        if self.edges:
            self.group.matches += 1
        if together:
            # the rows of this clause become a unit; conditions, which may look at outer variables, stay outside
            drafts = self.group.drafts[self.start :]
            kept = [one for one in drafts if isinstance(one.content, _POSITIVE)]
            others = [one for one in drafts if not isinstance(one.content, _POSITIVE)]
            self.group.drafts[self.start :] = [Draft(Different(Group(kept)), None), *others]

    # one step

    def _plain(
        self,
        element: ast.RelationshipPattern,
        names: tuple[str, ...] | None,
        left: Variable,
        right: Variable,
        directed: bool,
        witness: Variable,
    ) -> None:
        predicate = self.builder.fresh("type") if names is None or len(names) > 1 else None
        single = names[0] if names is not None and len(names) == 1 else None
        contents = self._step(names, left, right, directed, predicate if self._type_wanted(element) else None)
        for content in contents:
            self.group.add(content, element)
        self.edges.append(Edge(None if names is None else frozenset(names), False, None, element))
        if element.variable is not None:
            self.scope[element.variable.text] = RelationshipBinding(witness, single, predicate)

    def _type_wanted(self, element: ast.RelationshipPattern) -> bool:
        return element.variable is not None or element.types is None

    def _step(
        self,
        names: tuple[str, ...] | None,
        left: Variable,
        right: Variable,
        directed: bool,
        predicate: Variable | None,
    ) -> list[Atom]:
        """One relationship from `left` to `right`, or either way; its type in `predicate` where that is wanted."""
        if names is None:
            predicate = predicate or self.builder.fresh("type")
            return self._ways(lambda a, b: self._any_type(predicate, a, b), left, right, directed)
        relations = [self.builder.names.relation(one) for one in names]
        if predicate is not None and len(relations) > 1 and not any(one.reverse for one in relations):
            options = tuple(one.iri for one in relations)
            condition = Membership(predicate, options)
            return self._ways(lambda a, b: (Row("e1", Triple(a, predicate, b), condition),), left, right, directed)
        branches = [branch for one in relations for branch in self._branches(_triples(one), left, right, directed)]
        return _alternatives(branches)

    def _any_type(self, predicate: Variable, left: Variable, right: Variable) -> tuple[Row, ...]:
        return (Row("e1", Triple(left, predicate, right), self._is_type(predicate)),)

    def _is_type(self, predicate: Variable) -> Expression:
        """That a predicate is a relationship's type: not a property, not `rdf:type`."""
        mapping = self.builder.names.mapping
        if mapping is None:
            return Call("starts_with", (Call("str", (predicate,)), Literal.of(TYPE)))
        if any(one.reverse for one in mapping.edges) or not mapping.edges:
            raise UnsupportedError("a relationship without a type under this mapping", self.edges[-1].element)
        return Membership(predicate, tuple(one.iri for one in mapping.edges))

    def _ways(self, rows: _Rows, left: Variable, right: Variable, directed: bool) -> list[Atom]:
        return _alternatives(self._branches(rows, left, right, directed))

    def _branches(self, rows: _Rows, left: Variable, right: Variable, directed: bool) -> list[tuple[Row, ...]]:
        """Forwards, and, without a direction, backwards; a loop is there only once."""
        forward = rows(left, right)
        if directed:
            return [forward]
        if left == right:
            return [forward]
        apart = Row("e2", Filter(Not(Call("same_term", (left, right)))))
        return [forward, (*rows(right, left), apart)]

    # a relationship as a thing

    def _thing(
        self,
        element: ast.RelationshipPattern,
        names: tuple[str, ...] | None,
        left: Variable,
        right: Variable,
        directed: bool,
    ) -> None:
        thing = self._thing_variable(element)
        types = self._reified(element, names)
        source, target = (types[0].source, types[0].target) if types else (SOURCE, TARGET)
        if any((one.source, one.target) != (source, target) for one in types):
            raise UnsupportedError("types that the mapping stores in different ways", element)

        def ends(a: Variable, b: Variable) -> tuple[Row, ...]:
            return Row("e1", Triple(thing, source, a)), Row("e2", Triple(thing, target, b))

        class_variable = self.builder.fresh("type") if names is None and element.variable is not None else None
        if len(types) == 1:
            self.group.add(TypeAtom(thing, types[0].type), element)
        elif types:
            # a relationship has one type, so that the branches exclude each other
            self.group.add(Either(tuple((Row("e1", TypeAtom(thing, one.type)),) for one in types)), element)
        elif class_variable is not None:
            self.group.add(TypeAtom(thing, class_variable), element)
        for content in self._ways(ends, left, right, directed):
            self.group.add(content, element)
        self.edges.append(Edge(None if names is None else frozenset(names), False, thing, element))
        properties = types[0].properties if types else None
        if element.variable is not None:
            single = names[0] if names is not None and len(names) == 1 else None
            self.scope[element.variable.text] = RelationshipBinding(
                thing, single, class_variable, thing, properties=properties
            )
        self._conditions(element, thing, properties)

    def _thing_variable(self, element: ast.RelationshipPattern) -> Variable:
        """The relationship's variable: the one that an earlier clause bound, where there is one."""
        if element.variable is None:
            return self.builder.fresh("relationship")
        known = self.scope.get(element.variable.text)
        if known is None:
            return self.builder.fresh(element.variable.text)
        if not isinstance(known, RelationshipBinding) or known.reified is None:
            raise UnsupportedError(f"`{element.variable.text}` as a relationship, as it comes from elsewhere", element)
        if not known.nullable:
            return known.reified
        twin = self.builder.fresh(element.variable.text)
        self.group.add(Filter(Call("same_term", (twin, known.reified))), element)
        return twin

    def _conditions(
        self, element: ast.RelationshipPattern, thing: Variable, properties: tuple[tuple[str, IRI], ...] | None
    ) -> None:
        if isinstance(element.properties, syntax.MapLiteral):
            for entry in element.properties.entries:
                value = self.expressions.lower(entry.value, self.group, self.scope)
                attribute = self.expressions.relationship_attribute(properties, entry.key)
                wanted = self.expressions.fetch(thing, attribute, entry.key.text, entry, self.group, required=True)
                self.group.add(Filter(Comparison(ComparisonOperator.EQUAL, wanted, value)), entry)
        if element.where is not None:
            self.expressions.condition(element.where, self.group, self.scope)

    def _reified(self, element: ast.RelationshipPattern, names: tuple[str, ...] | None) -> list[Reified]:
        if names is None:
            if self.builder.names.mapping is not None:
                raise UnsupportedError("a relationship without a type under a mapping", element, "name its type")
            return []
        types: list[Reified] = []
        for name in names:
            one = self.builder.names.reified(name)
            if one is None:
                hint = "map the type to a mediator node"
                raise UnsupportedError(
                    f"`{name}` as a thing: the mapping gives relationships no identity", element, hint
                )
            types.append(one)
        return types

    # several steps

    def _several(
        self,
        element: ast.RelationshipPattern,
        names: tuple[str, ...] | None,
        left: Variable,
        right: Variable,
        directed: bool,
    ) -> None:
        if self.as_things:
            raise UnsupportedError("properties of relationships beside a path of several steps", element)
        least, most = self._bounds(element)
        if element.variable is not None:
            self.scope[element.variable.text] = PathBinding("a list of relationships")
        kinds = None if names is None else frozenset(names)
        if self.insensitive and self.alone and directed and least <= 1 and names is not None:
            self.group.add(PathAtom(left, Repeat(self._path(names), least, most), right), element)
            self.edges.append(Edge(kinds, False, None, element))
            return
        longest = LONGEST if directed else _LONGEST_UNDIRECTED
        if most is None:
            hint = "give the path an upper bound, or return DISTINCT nodes only"
            raise UnsupportedError("counting the walks of a path without an upper bound", element, hint)
        if most > longest:
            raise UnsupportedError(f"counting the walks of a path of more than {longest} steps", element)
        branches = [self._chain(names, left, right, directed, steps) for steps in range(least, most + 1)]
        if not branches:
            self.group.add(Filter(Literal.of(False)), element)
        for content in _alternatives(branches) if branches else ():
            self.group.add(content, element)
        self.edges.append(Edge(kinds, most > 1, None, element))

    def _bounds(self, element: ast.RelationshipPattern) -> tuple[int, int | None]:
        least, most = 1, None
        if element.length is not None:
            minimum, most = element.length.minimum, element.length.maximum
            least = 1 if minimum is None else minimum
        elif element.repetition is not None:
            least, most = element.repetition.minimum, element.repetition.maximum
        if most is None:
            most = self._policy(element)
        return least, most

    def _policy(self, element: ast.RelationshipPattern) -> int | None:
        policy = self.builder.unbounded
        if policy == "refuse":
            hint = "write an upper bound, as in *1..4"
            where: syntax.Node = element.length or element.repetition or element
            self.builder.context.report("UQ193", "this path has no upper bound", where.start, where.end, hint=hint)
            return LONGEST
        return None if policy == "allow" else int(policy.removeprefix("bound:"))

    def _path(self, names: Sequence[str]) -> Path:
        steps: list[Path] = []
        for name in names:
            relation = self.builder.names.relation(name)
            step = Step(relation.iri)
            steps.append(Inverse(step) if relation.reverse else step)
        return steps[0] if len(steps) == 1 else Alternative(tuple(steps))

    def _chain(
        self, names: tuple[str, ...] | None, left: Variable, right: Variable, directed: bool, steps: int
    ) -> tuple[Row, ...]:
        """`steps` relationships one after the other; none: both ends are the same node."""
        if steps == 0:
            return (Row("e1", Bind(left, right)),)
        nodes = [left, *(self.builder.fresh("node") for _ in range(steps - 1)), right]
        contents = [
            content for a, b in pairwise(nodes) for content in self._step(names, a, b, directed, self._any_of(names))
        ]
        return tuple(Row(f"e{place}", content) for place, content in enumerate(contents, 1))

    def _any_of(self, names: tuple[str, ...] | None) -> Variable | None:
        """A variable for the type of a step: one condition instead of alternatives in each of many steps."""
        return self.builder.fresh("type") if names is not None and len(names) > 1 else None


_POSITIVE: Final = (Triple, TypeAtom, PathAtom, Either, NotBlock)


_Rows: TypeAlias = "Callable[[Variable, Variable], tuple[Row, ...]]"


def _triples(relation: Relation) -> _Rows:
    def rows(left: Variable, right: Variable) -> tuple[Row, ...]:
        subject, object_ = (right, left) if relation.reverse else (left, right)
        return (Row("e1", Triple(subject, relation.iri, object_)),)

    return rows


def _alternatives(branches: Sequence[tuple[Row, ...]]) -> list[Atom]:
    """The only branch's rows, or one row with all branches."""
    if len(branches) > 1:
        return [Either(tuple(branches))]
    return list(_contents(branches[0]))


def _contents(rows: Sequence[Row]) -> Iterator[Atom]:
    for row in rows:
        yield row.atom
        if row.where is not None:
            yield Filter(row.where)
