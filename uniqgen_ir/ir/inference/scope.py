"""The types inside one scope: evidence is added, links between expressions carry it on, to a fixpoint."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from typing import TypeAlias

from attrs import define, field, frozen

from uniqgen_ir.ir.analysis import walk_expression
from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator, Expression, Membership
from uniqgen_ir.ir.inference.evidence import Clash, Conflict, Evidence, Key, ScopeTyping
from uniqgen_ir.ir.inference.expressions import expression_type, partner
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.terms import IRI, Parameter, Variable
from uniqgen_ir.ir.types import ANY, LITERAL, NodeType, Type, UnionType, meet, union

Linked: TypeAlias = Comparison | Membership


@frozen
class Link:
    """A comparison or membership that must hold: what is known of one side narrows the other."""

    expression: Linked
    row: Row


def is_order(operator: ComparisonOperator) -> bool:
    return operator not in (ComparisonOperator.EQUAL, ComparisonOperator.NOT_EQUAL)


@define
class Scope:
    """A scope being typed. `typing` holds what was found so far."""

    index: SchemaIndex | None
    typing: ScopeTyping = field(factory=ScopeTyping)
    _links: list[Link] = field(factory=lambda: list[Link]())
    _of_key: defaultdict[Key, list[Link]] = field(factory=lambda: defaultdict[Key, list[Link]](list))
    _changed: dict[Key, None] = field(factory=lambda: dict[Key, None]())
    _reported: set[tuple[object, ...]] = field(factory=lambda: set[tuple[object, ...]]())

    def inherit(self, outer: ScopeTyping, keys: Iterable[Key]) -> None:
        """Start with what the outer scope knows of the keys."""
        for key in keys:
            if key in outer.types:
                self.typing.types[key] = outer.types[key]
                self.typing.evidence[key] = list(outer.evidence.get(key, ()))

    def never_both(self, left: IRI, right: IRI) -> bool:
        return self.index is not None and self.index.never_both(left, right)

    def add(self, evidence: Evidence) -> None:
        """Narrow the key's type by the evidence, or note that it contradicts what is known."""
        key, typing = evidence.key, self.typing
        current = typing.type_of(key)
        narrowed = meet(current, evidence.type, self.never_both)
        if narrowed is None:
            self._note(self._opponent(evidence, None), evidence, contradiction=True)
            return
        if unrelated(current, evidence.type, self.index):
            self._note(self._opponent(evidence, self.index), evidence, contradiction=False)
        mark = (key, evidence.type, evidence.rule, evidence.row.id, evidence.about)
        if mark not in self._reported:
            # kept even where it narrows nothing: the same type twice is evidence from two places
            self._reported.add(mark)
            typing.evidence.setdefault(key, []).append(evidence)
        if narrowed != current or key not in typing.types:
            typing.types[key] = narrowed
            self._changed[key] = None

    def _opponent(self, evidence: Evidence, unrelated_in: SchemaIndex | None) -> Evidence:
        """The first evidence that by itself disagrees; where only all together do, the last."""
        known = self.typing.evidence.get(evidence.key, [])
        for one in known:
            if unrelated_in is not None and unrelated(one.type, evidence.type, unrelated_in):
                return one
            if unrelated_in is None and meet(one.type, evidence.type, self.never_both) is None:
                return one
        if known:
            return known[-1]
        return Evidence(evidence.key, self.typing.type_of(evidence.key), "named-node", evidence.row)

    def _note(self, earlier: Evidence, later: Evidence, *, contradiction: bool) -> None:
        # the fixpoint meets the same disagreement again and again: once is enough
        mark = (later.key, later.row.id, later.rule, later.about, earlier.rule, earlier.row.id)
        if mark not in self._reported:
            self._reported.add(mark)
            self.typing.conflicts.append(Conflict(earlier, later, contradiction))

    def clash(self, clash: Clash) -> None:
        mark = (clash.rule, clash.row.id, clash.expression, clash.about)
        if mark not in self._reported:
            self._reported.add(mark)
            self.typing.clashes.append(clash)

    def expect(self, expression: Expression, wanted: Type, rule: str, row: Row, about: Expression | str | None) -> None:
        """The expression must have a value of the wanted type."""
        if isinstance(expression, Variable | Parameter | IRI):
            self.add(Evidence(expression, wanted, rule, row, about))
        else:
            found = expression_type(expression, self.typing.types)
            if meet(found, wanted, self.never_both) is None:
                self.clash(Clash(rule, row, found, wanted, expression, about))

    def link(self, expression: Linked, row: Row) -> None:
        """The comparison or membership must hold."""
        link = Link(expression, row)
        self._links.append(link)
        for key in _keys_of(expression):
            self._of_key[key].append(link)

    def solve(self) -> None:
        """Carry evidence along the links until nothing changes. Ends, because types only become narrower."""
        waiting = deque(self._links)
        self._changed.clear()
        while waiting:
            self._apply(waiting.popleft())
            changed, self._changed = self._changed, {}
            for key in changed:
                waiting.extend(self._of_key[key])

    def _apply(self, link: Link) -> None:
        expression, types = link.expression, self.typing.types
        if isinstance(expression, Membership):
            wanted = union(partner(expression_type(one, types), ordered=False) for one in expression.options)
            about = expression.options[0] if expression.options else None
            self.expect(expression.operand, wanted, "membership", link.row, about)
            return
        ordered = is_order(expression.operator)
        left, right = expression.left, expression.right
        for this, other in ((left, right), (right, left)):
            wanted = partner(expression_type(other, types), ordered=ordered)
            if not _is_key(this) and (this is right or _is_key(other)):
                # the other operand is checked against this one: checking both ways would say the same thing twice
                wanted = LITERAL if ordered else ANY
            self.expect(this, wanted, "comparison", link.row, other)


def _is_key(expression: Expression) -> bool:
    return isinstance(expression, Variable | Parameter | IRI)


def unrelated(one: Type, other: Type, index: SchemaIndex | None) -> bool:
    """Whether both speak of declared classes and the schema has none that is both."""
    known, new = _class_options(one), _class_options(other)
    if index is None or not known or not new:
        return False
    return not any(
        any(index.related(left, right) for left in first for right in second) for first in known for second in new
    )


def _class_options(type_: Type) -> tuple[frozenset[IRI], ...]:
    """The class sets of a type's options; none where an option says nothing about classes."""
    options = type_.options if isinstance(type_, UnionType) else (type_,)
    sets = tuple(one.classes for one in options if isinstance(one, NodeType) and one.classes)
    return sets if len(sets) == len(options) else ()


def _keys_of(expression: Linked) -> tuple[Key, ...]:
    found = (one for one in walk_expression(expression) if isinstance(one, Variable | Parameter | IRI))
    return tuple(dict.fromkeys(found))
