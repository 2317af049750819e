"""Scope: which variables have a value where SPARQL looks at them, by its bottom-up rule (SPARQL 1.1, 18.2).

A group is solved alone. Its conditions see what the group itself binds, a BIND what stands before it in the group; only
the conditions of OPTIONAL also see what stands before OPTIONAL, and groups behind EXISTS see all that is around them.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

from attrs import evolve, frozen

from uniqgen_ir.grammar.sparql.groups import Element, Group, Part
from uniqgen_ir.grammar.sparql.queries import QueryParts
from uniqgen_ir.ir.diagnostics import Fix
from uniqgen_ir.ir.expressions import And, Expression
from uniqgen_ir.ir.rows import Bind, Filter
from uniqgen_ir.ir.suggestions import nearest
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.validate.sparql.outcomes import asks_bound, looked_at, rejects
from uniqgen_ir.validate.sparql.query import CheckedQuery, Place, Variables, certain_in, visible_in

Repair: TypeAlias = tuple[str | None, Fix | None]
"""A hint, and the edits that follow it."""
_NONE: Final[Variables] = frozenset()
_MOST_CANDIDATES: Final = 300
"""Among more variables no near name is looked for."""


@frozen
class Surroundings:
    """What is known around a group.

    `outside`: variables that a group behind EXISTS finds bound. `filters`: those that the conditions of OPTIONAL see
    beside. `harmless`: where the group has no solution, the query may still have one.
    """

    outside: Variables = _NONE
    filters: Variables = _NONE
    harmless: bool = False
    exists: bool = False


def check_scope(query: CheckedQuery) -> None:
    """Everything about variables that have no value where they are used."""
    for parts in query.reading.queries:
        _group(query, parts.where, Surroundings(harmless=query.is_dispensable(parts.start)))
        _shell(query, parts)


def _group(query: CheckedQuery, group: Group, around: Surroundings) -> None:
    known = visible_in(group.elements) | around.outside | around.filters
    seen: set[Variable] = set()
    for place, (payload, start, end) in enumerate(group.elements):
        match payload:
            case Filter(condition):
                _filter(query, condition, (start, end), known, around)
                _behind_exists(query, start, end, known)
            case Bind(expression, _):
                _bind(query, expression, (start, end), (seen, around.outside), group.elements[place:], around)
                _behind_exists(query, start, end, seen, around.outside)
            case Part():
                # its inner groups keep what they see
                _part(query, payload, frozenset(seen), around)
            case _:
                _behind_exists(query, start, end, known)
        seen |= visible_in([(payload, start, end)])
    _check_optional(query, group)


def _behind_exists(query: CheckedQuery, start: int, end: int, *outside: AbstractSet[Variable]) -> None:
    groups = query.exists_in(start, end)
    around = Surroundings(outside=_NONE.union(*outside), harmless=True, exists=True) if groups else Surroundings()
    for inner in groups:
        _group(query, inner, around)


def _part(query: CheckedQuery, part: Part, before: Variables, around: Surroundings) -> None:
    if part.kind == "optional":
        inner = evolve(around, filters=before, harmless=True)
        _group(query, part.groups[0], inner)
    elif part.kind == "minus":
        _minus(query, part.groups[0], before, around)
        _group(query, part.groups[0], evolve(around, filters=_NONE, harmless=True))
    else:
        several = len(part.groups) > 1
        for branch in part.groups:
            _group(query, branch, evolve(around, filters=_NONE, harmless=around.harmless or several))


def _filter(query: CheckedQuery, condition: Expression, place: Place, known: Variables, around: Surroundings) -> None:
    if isinstance(condition, And):
        # one by one: each operand must be true, and few of them look at the same variable
        for operand in condition.operands:
            _filter(query, operand, place, known, around)
        return
    for variable in looked_at(condition):
        if variable in known or not query.is_written(variable):
            continue
        fatal = rejects(condition, variable)
        where = query.place_of(variable, *place)
        name = f"?{variable.name}"
        if variable in query.bindable:
            after = "so this condition is never true" if fatal else "so it has no value here"
            message = f"{name} is bound in another group, {after}"
            repair: Repair = ("move the condition into the group that binds it", None)
        else:
            message = f"{name} is used here, and nothing binds it"
            repair = _did_you_mean(query, variable, known, where)
        code = "UQ750" if variable in query.bindable else "UQ203"
        report = query.error if fatal and not around.harmless else query.warn
        report(code, message, where, *repair)


def _bind(
    query: CheckedQuery,
    expression: Expression,
    place: Place,
    known: tuple[AbstractSet[Variable], ...],
    rest: Sequence[Element],
    around: Surroundings,
) -> None:
    """`known`: what has a value before the BIND. `rest`: it and what comes after it in its group."""
    for variable in looked_at(expression):
        given = any(variable in some for some in known)
        if given or not query.is_written(variable) or asks_bound(expression, variable):
            continue
        where, name = query.place_of(variable, *place), f"?{variable.name}"
        if variable in visible_in(rest):
            query.warn("UQ750", f"{name} is bound only after this BIND, so it has no value here", where,
                       "put the pattern that binds it before BIND")  # fmt: skip
        elif variable in query.bindable:
            hint = "BIND sees what stands before it in its own group"
            query.warn("UQ750", f"{name} is bound in another group, so it has no value here", where, hint)
        else:
            report = query.warn if around.harmless else query.error
            message = f"{name} is used here, and nothing binds it"
            report("UQ203", message, where, *_did_you_mean(query, variable, _NONE.union(*known), where))


def _minus(query: CheckedQuery, group: Group, before: Variables, around: Surroundings) -> None:
    own = visible_in(group.elements)
    if own and not own & (before | around.outside):
        message = "MINUS shares no variable with what stands before it, so it removes nothing"
        query.warn("UQ756", message, (group.start, group.end), "use a variable of the outer group inside MINUS")


# ---- head and clauses ------------------------------------------------------------------------------------------------


def _shell(query: CheckedQuery, parts: QueryParts) -> None:
    known = visible_in(parts.where.elements) | frozenset(parts.values.variables if parts.values else ())
    places = parts.clauses.places
    for key in parts.clauses.group:
        _defined(query, key.expression, known, places.get("group", (parts.start, parts.end)), "GROUP BY")
        known |= {key.variable}
    before = known
    items = parts.head.items or ()
    others = any(item.column.alias or item.column.variable in before for item in items)
    named = set(known)
    for item in items:
        if item.start < item.end:
            place, plain = (item.start, item.end), item.column.alias is None
            _column(query, item.column.expression, named, place, plain=plain, others=others)
        named.add(item.column.variable)
    known = frozenset(named)
    for kind, expressions in (
        ("having", parts.clauses.having),
        ("order", tuple(key.expression for key in parts.clauses.order)),
    ):
        word = "HAVING" if kind == "having" else "ORDER BY"
        for expression in expressions:
            _defined(query, expression, known, places.get(kind, (parts.start, parts.end)), word)
    _behind_exists(query, parts.head.start, parts.head.end, before)
    for start, end in places.values():
        _behind_exists(query, start, end, before)


def _column(
    query: CheckedQuery,
    expression: Expression,
    known: AbstractSet[Variable],
    place: Place,
    *,
    plain: bool,
    others: bool,
) -> None:
    """`others`: whether the head has a column that gets a value, so that this one can be left out."""
    if not plain:
        _defined(query, expression, known, place, "the column")
        return
    assert isinstance(expression, Variable)
    if expression in known:
        return
    hint, fix = _did_you_mean(query, expression, known, place)
    if fix is None and others:
        fix = query.fix("leave the column out", (*place, ""), safe=False)
    name = f"?{expression.name}"
    where = "only inside MINUS, EXISTS or a nested SELECT that does not return it"
    message = f"nothing binds {name}" if expression not in query.bindable else f"{name} is bound {where}"
    query.error("UQ202", f"{message}: its column is always empty", place, hint, fix)


def _defined(
    query: CheckedQuery, expression: Expression, known: AbstractSet[Variable], place: Place, what: str
) -> None:
    for variable in looked_at(expression):
        if variable in known or not query.is_written(variable) or asks_bound(expression, variable):
            continue
        where = query.place_of(variable, *place)
        hint, fix = _did_you_mean(query, variable, known, where)
        code = "UQ750" if variable in query.bindable else "UQ203"
        query.error(code, f"{what} uses ?{variable.name}, which has no value here", where, hint, fix)


def _did_you_mean(query: CheckedQuery, variable: Variable, known: AbstractSet[Variable], place: Place) -> Repair:
    if len(known) > _MOST_CANDIDATES:
        return None, None
    candidates = known - query.reading.blank_variables
    same = [one for one in candidates if one.name.lower() == variable.name.lower()]
    guess = same[0].name if same else nearest(variable.name, ((one.name, one.name) for one in candidates))
    if guess is None:
        return None, None
    fix = query.fix(f"write ?{guess}", (*place, f"?{guess}")) if query.places_of(variable, *place) else None
    return f"did you mean ?{guess}?", fix


# ---- OPTIONAL --------------------------------------------------------------------------------------------------------


def _check_optional(query: CheckedQuery, group: Group) -> None:
    """Conditions of the group that fail wherever an OPTIONAL of the group found nothing."""
    optional = [one for one in group.elements if isinstance(one[0], Part) and one[0].kind == "optional"]
    conditions = [one for one in group.elements if isinstance(one[0], Filter)] if optional else []
    if not conditions:
        return
    sure = certain_in(one[0] for one in group.elements)
    named = frozenset(one[0].variable for one in group.elements if isinstance(one[0], Bind))
    for payload, start, end in conditions:
        condition = payload.condition
        for variable in looked_at(condition):
            if (
                variable in sure
                or variable in named
                or asks_bound(condition, variable)
                or not rejects(condition, variable)
            ):
                continue
            owner = next((one for one in optional if variable in one[0].groups[0].visible()), None)
            if owner is not None:
                _report_cancelled(query, variable, (start, end), owner[0].groups[0])
                break


def _report_cancelled(query: CheckedQuery, variable: Variable, place: Place, owner: Group) -> None:
    written = query.text[place[0] : place[1]]
    inside = owner.end - 1
    while query.text[inside - 1].isspace():
        inside -= 1
    fix = query.fix("move it into OPTIONAL", (inside, inside, f" {written}"), (*place, ""), safe=False)
    message = f"only OPTIONAL binds ?{variable.name}, and this condition removes every answer where it found nothing"
    hint = "put the condition inside OPTIONAL, or leave OPTIONAL out"
    query.warn("UQ751", message, query.place_of(variable, *place), hint, fix)
