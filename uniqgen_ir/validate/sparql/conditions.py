"""Conditions that always hold or never do, and alternatives that add nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from uniqgen_ir.grammar.sparql.groups import Group, Part, mentioned
from uniqgen_ir.grammar.sparql.queries import QueryParts
from uniqgen_ir.ir.analysis import expression_variables, has_aggregate
from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator, Expression, Membership, Or
from uniqgen_ir.ir.rows import Filter, Row
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.values import equal, value_of
from uniqgen_ir.passes.normal.bounds import bounds_of, contradiction
from uniqgen_ir.passes.normal.conditions import FALSE, TRUE, normal_condition
from uniqgen_ir.validate.sparql.query import CheckedQuery, Place, Variables, visible_in

_OP: Final = ComparisonOperator
_NONE: Final[Variables] = frozenset()


def check_conditions(query: CheckedQuery) -> None:
    """Every FILTER and UNION of the query."""
    for parts in query.reading.queries:
        _group(query, parts.where)
        _unions(query, parts.where, _used_by(parts))
        if parts.clauses.limit == 0:
            start, end = parts.clauses.places["limit"]
            query.warn("UQ401", "LIMIT 0 returns no answer", (start, end))
    for group in query.reading.exists_groups:
        _group(query, group)


def _group(query: CheckedQuery, group: Group) -> None:
    conditions = [(one[0].condition, (one[1], one[2])) for one in group.elements if isinstance(one[0], Filter)]
    single = [_single(query, condition, place) for condition, place in conditions]
    if not any(single):
        _together(query, conditions, harmless=query.is_dispensable(group.start))
    for payload, _, _ in group.elements:
        for inner in payload.groups if isinstance(payload, Part) else ():
            _group(query, inner)


def _single(query: CheckedQuery, condition: Expression, place: Place) -> bool:
    """Report a condition that needs no other to be always, or never, true."""
    plain = normal_condition(condition)
    if plain == TRUE or _always(condition):
        query.warn("UQ754", "this condition holds for every solution, so it removes nothing", place, _hint(condition))
        return True
    if plain == FALSE or _differs_from_itself(condition):
        report = query.warn if query.is_dispensable(place[0]) else query.error
        report("UQ401", "this condition is never true", place)
        return True
    return False


def _hint(condition: Expression) -> str | None:
    return "join the conditions with `&&` if all of them must hold" if isinstance(condition, Or) else None


def _always(condition: Expression) -> bool:
    """`?x = ?x`, and `?x != 1 || ?x != 2`, wherever the variables have values."""
    match condition:
        case Comparison(_OP.EQUAL | _OP.LESS_EQUAL | _OP.GREATER_EQUAL, left, right):
            return left == right and isinstance(left, Variable)
        case Or(operands):
            return _differ_somewhere(found for one in operands for found in _excluded(one)) or any(
                map(_always, operands)
            )
        case _:
            return False


def _differ_somewhere(excluded: Iterable[tuple[Expression, IRI | Literal]]) -> bool:
    """Whether two values that are ruled out for one expression surely differ."""
    seen: dict[Expression, list[IRI | Literal]] = {}
    for subject, value in excluded:
        if isinstance(value, Literal) and value_of(value) is None:
            continue  # it may be worth the same as any other
        others = seen.setdefault(subject, [])
        if any(_surely_differ(value, other) for other in others):
            return True
        if value not in others:
            others.append(value)
    return False


def _excluded(condition: Expression) -> Iterator[tuple[Expression, IRI | Literal]]:
    match condition:
        case Comparison(_OP.NOT_EQUAL, left, (IRI() | Literal()) as right):
            yield left, right
        case Comparison(_OP.NOT_EQUAL, (IRI() | Literal()) as left, right):
            yield right, left
        case Membership(left, ((IRI() | Literal()) as only,), True):
            yield left, only
        case _:
            pass


def _surely_differ(left: IRI | Literal, right: IRI | Literal) -> bool:
    if isinstance(left, Literal) and isinstance(right, Literal):
        return equal(left, right) is False
    return left != right


def _differs_from_itself(condition: Expression) -> bool:
    match condition:
        case Comparison(_OP.NOT_EQUAL | _OP.LESS | _OP.GREATER, left, right):
            return left == right and isinstance(left, Variable)
        case _:
            return False


def _together(query: CheckedQuery, conditions: list[tuple[Expression, Place]], *, harmless: bool) -> None:
    rows = [Row(str(place), Filter(normal_condition(one))) for place, (one, _) in enumerate(conditions)]
    found = contradiction(bounds_of(rows))
    if found is None:
        return
    first, last = (min(int(one.row) for one in found), max(int(one.row) for one in found))
    subjects = sorted(f"?{one.name}" for one in expression_variables(found[0].subject))
    about = f" on {', '.join(subjects)}" if subjects else ""
    place = conditions[last][1] if first != last else conditions[first][1]
    report = query.warn if harmless else query.error
    report("UQ401", f"the conditions{about} contradict each other: no value satisfies them together", place)


# ---- UNION -----------------------------------------------------------------------------------------------------------


def _used_by(parts: QueryParts) -> Variables | None:
    """The variables that the head and the clauses look at; None: all."""
    if parts.head.items is None or parts.head.start == parts.head.end:
        return None
    expressions = [item.column.expression for item in parts.head.items]
    if any(has_aggregate(one) and not expression_variables(one) for one in expressions):
        return None  # COUNT(*) counts rows, whatever they hold
    expressions += [key.expression for key in parts.clauses.group]
    expressions += [key.expression for key in parts.clauses.order]
    expressions += parts.clauses.having
    return _NONE.union(*map(expression_variables, expressions))


def _unions(query: CheckedQuery, group: Group, used: Variables | None) -> None:
    if used is None or not group.nested:
        return
    counts = Counter(variable for payload, _, _ in group.elements for variable in mentioned(payload))
    for payload, _, _ in group.elements:
        if not isinstance(payload, Part) or payload.kind == "minus":
            continue
        needed = frozenset(one for one in mentioned(payload) if one in used or counts[one] > 1)
        if payload.kind == "alternatives" and len(payload.groups) > 1:
            _branches(query, payload, needed)
        for inner in payload.groups:
            _unions(query, inner, needed)


def _branches(query: CheckedQuery, union: Part, needed: Variables) -> None:
    given = [visible_in(branch.elements) & needed for branch in union.groups]
    for branch, own in zip(union.groups, given, strict=True):
        if not own and any(given) and branch.elements:
            expected = ", ".join(f"?{one.name}" for one in sorted(_NONE.union(*given), key=str))
            message = "this branch of UNION binds nothing that the query returns, so it only adds empty rows"
            query.warn("UQ755", message, (branch.start, branch.end), f"the other branch gives {expected}")
