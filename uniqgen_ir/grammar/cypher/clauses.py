"""From a flat list of clauses and parts to clauses that hold their parts, in an order that Cypher allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

from attrs import evolve, frozen

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher.context import Context


@frozen
class Part:
    """WHERE, ORDER BY, YIELD …: it belongs to the clause before it."""

    kind: str
    value: Any
    start: int
    end: int


_NAMES: Final = {
    "where": "WHERE",
    "order": "ORDER BY",
    "skip": "SKIP",
    "limit": "LIMIT",
    "group": "GROUP BY",
    "yield": "YIELD",
    "yield_all": "YIELD",
    "hint": "USING",
    "on_create": "ON CREATE",
    "on_match": "ON MATCH",
}


def attach(context: Context, items: Sequence[Any], *, complete: bool = True) -> tuple[ast.Clause, ...]:
    """The clauses with their parts. Parts in a wrong place and clauses in a wrong order are reported.

    `complete` False: the clauses inside FOREACH, which need no end.
    """
    clauses: list[ast.Clause] = []
    place = 0
    while place < len(items):
        clause = items[place]
        end = place + (0 if isinstance(clause, Part) else 1)
        while end < len(items) and isinstance(items[end], Part):
            end += 1
        parts = items[place:end] if isinstance(clause, Part) else items[place + 1 : end]
        if isinstance(clause, Part):
            clauses.extend(_standing_alone(context, parts))
        else:
            clauses.extend(_with_parts(context, clause, parts) if parts else (clause,))
        place = end
    if complete:
        _check_order(context, clauses)
    return tuple(clauses)


_PAGE: Final = ("order", "skip", "limit")


def _standing_alone(context: Context, parts: Sequence[Part]) -> list[ast.Clause]:
    """ORDER BY, SKIP and LIMIT as clauses of their own; other parts are reported."""
    pages: list[ast.Clause] = []
    place = 0
    while place < len(parts):
        if parts[place].kind in _PAGE:
            size = _page_length(parts[place:])
            pages.append(_page_clause(parts[place : place + size]))
            place += size
        else:
            part = parts[place]
            context.report("UQ183", f"{_NAMES[part.kind]} has no clause to belong to", part.start, part.end)
            place += 1
    return pages


def _page_length(parts: Sequence[Part]) -> int:
    """How many parts from the first on are ORDER BY, SKIP, LIMIT in this order, each at most once."""
    last = -1
    for place, part in enumerate(parts):
        rank = _PAGE.index(part.kind) if part.kind in _PAGE else -1
        if rank <= last:
            return place
        last = rank
    return len(parts)


def _page_values(parts: Sequence[Part]) -> dict[str, Any]:
    return {part.kind: part.value for part in parts}


def _page_clause(parts: Sequence[Part]) -> ast.OrderAndPage:
    values = _page_values(parts)
    order = values.get("order", ())
    return ast.OrderAndPage(parts[0].start, parts[-1].end, order, values.get("skip"), values.get("limit"))


def _with_parts(context: Context, clause: Any, parts: Sequence[Part]) -> list[Any]:
    """The clause with the parts that it may have, and clauses made of ORDER BY … that stand for themselves."""
    take = next((take for kind, take in _TAKES.items() if isinstance(clause, kind)), None)
    size = 0
    if take is not None:
        clause, size = take(context, clause, parts)
    rest = parts[size:]
    for part in rest:
        if part.kind not in _PAGE or isinstance(clause, ast.Return | ast.Finish):
            context.report("UQ183", *_misplaced(part, clause, parts[:size]), hint=_hint(part, clause))
            return [clause]
    return [clause, *_standing_alone(context, rest)]


def _misplaced(part: Part, clause: Any, before: Sequence[Part]) -> tuple[str, int, int]:
    name = _NAMES[part.kind]
    if any(one.kind == part.kind for one in before):
        return f"{name} stands twice", part.start, part.end
    after = _NAMES[before[-1].kind] if before and part.kind in _PAGE else clause_name(clause)
    return f"{name} cannot follow {after}", part.start, part.end


def _hint(part: Part, clause: Any) -> str | None:
    if part.kind != "where":
        return None
    if isinstance(clause, ast.Return):
        return "put WHERE before RETURN, after MATCH or WITH"
    if isinstance(clause, ast.Match | ast.With):
        return "join the conditions with AND"
    return "write `WITH *` before WHERE"


def _match(_context: Context, clause: ast.Match, parts: Sequence[Part]) -> tuple[ast.Match, int]:
    hints = 0
    while hints < len(parts) and parts[hints].kind == "hint":
        hints += 1
    size = hints + (hints < len(parts) and parts[hints].kind == "where")
    if not size:
        return clause, 0
    where = parts[hints].value if size > hints else None
    return evolve(clause, end=parts[size - 1].end, hints=tuple(one.value for one in parts[:hints]), where=where), size


def _projected(clause: Any, parts: Sequence[Part]) -> tuple[Any, int]:
    """A WITH or RETURN with its GROUP BY, ORDER BY, SKIP and LIMIT."""
    start = int(bool(parts) and parts[0].kind == "group")
    size = start + _page_length(parts[start:])
    if not size:
        return clause, 0
    values: dict[str, Any] = _page_values(parts[:size])
    end = parts[size - 1].end
    return evolve(clause, end=end, projection=evolve(clause.projection, end=end, **values)), size


def _with(_context: Context, clause: ast.With, parts: Sequence[Part]) -> tuple[ast.With, int]:
    clause, size = _projected(clause, parts)
    if size < len(parts) and parts[size].kind == "where":
        return evolve(clause, end=parts[size].end, where=parts[size].value), size + 1
    return clause, size


def _return(_context: Context, clause: ast.Return, parts: Sequence[Part]) -> tuple[ast.Return, int]:
    return _projected(clause, parts)


def _procedure(_context: Context, clause: ast.CallProcedure, parts: Sequence[Part]) -> tuple[ast.CallProcedure, int]:
    if parts[0].kind not in ("yield", "yield_all"):
        return clause, 0
    star = parts[0].kind == "yield_all"
    clause = evolve(clause, end=parts[0].end, yields=None if star else parts[0].value, star=star)
    if len(parts) > 1 and parts[1].kind == "where":
        return evolve(clause, end=parts[1].end, where=parts[1].value), 2
    return clause, 1


def _merge(_context: Context, clause: ast.Merge, parts: Sequence[Part]) -> tuple[ast.Merge, int]:
    size = 0
    while size < len(parts) and parts[size].kind in ("on_create", "on_match"):
        size += 1
    actions = [ast.MergeAction(one.start, one.end, one.kind == "on_create", one.value) for one in parts[:size]]
    return evolve(clause, actions=tuple(actions)), size


_TAKES: Final[dict[type, Callable[[Context, Any, Sequence[Part]], tuple[Any, int]]]] = {
    ast.Match: _match,
    ast.With: _with,
    ast.Return: _return,
    ast.CallProcedure: _procedure,
    ast.Merge: _merge,
}

_CLAUSE_NAMES: Final = {
    "Return": "RETURN",
    "OrderAndPage": "ORDER BY",
    "CallSubquery": "CALL",
    "CallProcedure": "CALL",
    "LoadCsv": "LOAD CSV",
}


def clause_name(clause: object) -> str:
    """The clause's keyword: `MATCH`, `LOAD CSV`."""
    if isinstance(clause, ast.Match) and clause.optional:
        return "OPTIONAL MATCH"
    if isinstance(clause, ast.Delete) and clause.detach:
        return "DETACH DELETE"
    name = type(clause).__name__
    return _CLAUSE_NAMES.get(name, name.upper())


_READS: Final = (ast.Match, ast.Unwind, ast.CallSubquery, ast.CallProcedure, ast.Filter, ast.Let, ast.LoadCsv)


def _check_order(context: Context, clauses: list[ast.Clause]) -> None:
    for before, after in pairwise(clauses):
        if isinstance(before, ast.Return | ast.Finish):
            message = f"{clause_name(after)} cannot follow {clause_name(before)}"
            hint = f"{clause_name(before)} ends the query; write WITH instead to go on"
            context.report("UQ183", message, after.start, after.end, hint=hint)
            return
        if isinstance(before, ast.WRITING) and isinstance(after, _READS):
            message = f"{clause_name(after)} cannot follow {clause_name(before)} without WITH between them"
            context.report("UQ183", message, after.start, after.end)
            return


def check_end(context: Context, query: ast.Query) -> None:
    """Report a query, or a part of one, that does not end in a way that gives rows or changes the graph."""
    if not isinstance(query, ast.SingleQuery):
        for one in query.queries:
            check_end(context, one)
        return
    if not query.clauses:
        return
    last = query.clauses[-1]
    ends = (ast.Return, ast.Finish, *ast.WRITING)
    if isinstance(last, ends) or (isinstance(last, ast.CallProcedure) and len(query.clauses) == 1):
        return
    if isinstance(last, ast.CallSubquery) and not _returns(last.query):
        return
    message = f"the query cannot end with {clause_name(last)}"
    context.report("UQ183", message, last.start, last.end, hint="add RETURN with what is wanted")


def _returns(query: ast.Query) -> bool:
    if isinstance(query, ast.SingleQuery):
        return bool(query.clauses) and isinstance(query.clauses[-1], ast.Return)
    return any(_returns(one) for one in query.queries)
