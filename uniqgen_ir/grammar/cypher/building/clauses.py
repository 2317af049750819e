"""Builders of clauses and queries."""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher.ast_expressions import Expression, LabelTest, Name
from uniqgen_ir.grammar.cypher.building.expressions import Action, name_of
from uniqgen_ir.grammar.cypher.clauses import Part, attach, check_end
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.grammar.cypher.text import name_text
from uniqgen_ir.grammar.cypher.tokens import Token


@frozen
class _Call:
    """What stands after CALL, before it is known whether OPTIONAL stood in front."""

    query: ast.Query | None
    imports: tuple[Name, ...] | None
    star: bool
    transactions: bool
    name: str
    arguments: tuple[Expression, ...] | None


def _match(optional: bool) -> Action:
    def build(_c: Context, v: list[Any], s: int, e: int) -> ast.Match:
        return ast.Match(s, e, optional, v[1].text if v[1] is not None else None, tuple(v[2]))

    return build


def _projection(v: list[Any], s: int, e: int) -> ast.Projection:
    star, items = v[2] if isinstance(v[2], tuple) else (False, v[2])  # pyright: ignore[reportUnknownVariableType]
    return ast.Projection(s, e, v[1] is not None, star, tuple(items))  # pyright: ignore[reportUnknownArgumentType]


def _projection_item(_c: Context, v: list[Any], s: int, e: int) -> ast.ProjectionItem:
    return ast.ProjectionItem(s, e, v[0], name_of(v[2]) if v[2] is not None else None)


def _part(kind: str, place: int = 1) -> Action:
    """A part of a clause, whose value stands at `place`; a list becomes a tuple."""

    def build(_c: Context, v: list[Any], s: int, e: int) -> Part:
        value = v[place]
        return Part(kind, tuple(value) if isinstance(value, list) else value, s, e)  # pyright: ignore

    return build


def _call(optional: bool) -> Action:
    def build(_c: Context, v: list[Any], s: int, e: int) -> ast.CallSubquery | ast.CallProcedure:
        call: _Call = v[1]
        if call.query is None:
            return ast.CallProcedure(s, e, optional, call.name, call.arguments)
        return ast.CallSubquery(s, e, optional, call.query, call.imports, call.star, call.transactions)

    return build


def _subquery_call(query: int, imports: int | None = None, star: bool = False, empty: bool = False) -> Action:
    """CALL's brackets; `query`, `imports` say where the values stand."""

    def build(c: Context, v: list[Any], _s: int, _e: int) -> _Call:
        check_end(c, v[query])
        names = v[imports] if imports is not None else () if empty else None
        return _Call(v[query], names, star, v[query + 2] is not None, "", None)

    return build


def _procedure(arguments: int | None, empty: bool = False) -> Action:
    def build(_c: Context, v: list[Any], _s: int, _e: int) -> _Call:
        given = tuple(v[arguments]) if arguments is not None else () if empty else None
        return _Call(None, None, False, False, v[0], given)

    return build


def _hint(kind: str, label: int | None, names: int | None) -> Action:
    def build(_c: Context, v: list[Any], s: int, e: int) -> Part:
        if label is None:
            return Part("hint", ast.Hint(s, e, kind, v[1]), s, e)
        properties = v[names] if names is not None else ()
        return Part("hint", ast.Hint(s, e, kind, (name_of(v[1]),), v[label], properties), s, e)

    return build


def _foreach(c: Context, v: list[Any], s: int, e: int) -> ast.Foreach:
    return ast.Foreach(s, e, name_of(v[2]), v[4], attach(c, v[6], complete=False))


def _load_csv(_c: Context, v: list[Any], s: int, e: int) -> ast.LoadCsv:
    return ast.LoadCsv(s, e, "HEADERS" in v[0].text, v[1], name_of(v[3]))


def _set_labels(_c: Context, v: list[Any], s: int, e: int) -> ast.SetItem:
    return ast.SetItem(s, e, LabelTest(s, e, v[0], v[1]), None)


def _remove(_c: Context, v: list[Any], s: int, e: int) -> ast.Remove:
    items = [one.target if isinstance(one, ast.SetItem) else one for one in v[1]]
    return ast.Remove(s, e, tuple(items))


def _single(c: Context, v: list[Any], s: int, e: int) -> ast.SingleQuery:
    return ast.SingleQuery(s, e, attach(c, v[0]))


def _union(_c: Context, v: list[Any], s: int, e: int) -> ast.UnionQuery:
    left, union, right = v
    distinct = not union.text.endswith("ALL")
    if isinstance(left, ast.UnionQuery):
        return ast.UnionQuery(s, e, (*left.queries, right), (*left.distinct, distinct))
    return ast.UnionQuery(s, e, (left, right), (distinct,))


def _next(_c: Context, v: list[Any], s: int, e: int) -> ast.NextQuery:
    left = v[0].queries if isinstance(v[0], ast.NextQuery) else (v[0],)
    return ast.NextQuery(s, e, (*left, v[2]))


def _start(c: Context, v: list[Any], _s: int, _e: int) -> ast.Query:
    query: ast.Query = v[0]
    check_end(c, query)
    return query


def _names(token: Token) -> tuple[Name, ...]:
    return (name_of(token),)


ACTIONS: Final[dict[str, Action]] = {
    "match": _match(False),
    "optional_match": _match(True),
    "with_clause": lambda _c, v, s, e: ast.With(s, e, _projection(v, s, e)),
    "return_clause": lambda _c, v, s, e: ast.Return(s, e, _projection(v, s, e)),
    "projection_all": lambda _c, _v, _s, _e: (True, []),
    "projection_all_and": lambda _c, v, _s, _e: (True, v[2]),
    "projection_item": _projection_item,
    "finish": lambda _c, _v, s, e: ast.Finish(s, e),
    "part_where": _part("where"),
    "part_order": _part("order"),
    "part_skip": _part("skip"),
    "part_limit": _part("limit"),
    "part_group": _part("group"),
    "part_yield": _part("yield"),
    "part_yield_all": _part("yield_all"),
    "part_on_create": _part("on_create"),
    "part_on_match": _part("on_match"),
    "unwind": lambda _c, v, s, e: ast.Unwind(s, e, v[1], name_of(v[3])),
    "filter": lambda _c, v, s, e: ast.Filter(s, e, v[1]),
    "filter_where": lambda _c, v, s, e: ast.Filter(s, e, v[2]),
    "let": lambda _c, v, s, e: ast.Let(s, e, tuple(v[1])),
    "let_item": lambda _c, v, s, e: ast.LetItem(s, e, name_of(v[0]), v[2]),
    "use": lambda _c, v, s, e: ast.Use(s, e, v[1]),
    "call": _call(False),
    "call_optional": _call(True),
    "call_plain": _subquery_call(1),
    "call_scope_none": _subquery_call(3, empty=True),
    "call_scope_all": _subquery_call(4, star=True),
    "call_scope": _subquery_call(4, imports=1),
    "procedure_bare": _procedure(None),
    "procedure_empty": _procedure(None, empty=True),
    "procedure_arguments": _procedure(2),
    "name_first": lambda _c, v, _s, _e: name_text(v[0].text),
    "name_more": lambda _c, v, _s, _e: f"{v[0]}.{name_text(v[2].text)}",
    "yield_item": lambda _c, v, s, e: ast.YieldItem(s, e, name_of(v[0]), name_of(v[2]) if v[2] is not None else None),
    "names_one": lambda _c, v, _s, _e: _names(v[0]),
    "names_more": lambda _c, v, _s, _e: (*v[0], name_of(v[2])),
    "sort_item": lambda _c, v, s, e: ast.SortItem(s, e, v[0], v[1] is not None and "DESC" in v[1].kinds),
    "hint_index": _hint("INDEX", 2, 4),
    "hint_scan": _hint("SCAN", 2, None),
    "hint_join": _hint("JOIN", None, None),
    "create": lambda _c, v, s, e: ast.Create(s, e, tuple(v[1])),
    "merge": lambda _c, v, s, e: ast.Merge(s, e, v[1]),
    "set": lambda _c, v, s, e: ast.Set(s, e, tuple(v[1])),
    "set_value": lambda _c, v, s, e: ast.SetItem(s, e, v[0], v[2], v[1].text == "+="),
    "set_labels": _set_labels,
    "remove": _remove,
    "remove_property": lambda _c, v, _s, _e: v[0],
    "delete": lambda _c, v, s, e: ast.Delete(s, e, False, tuple(v[1])),
    "detach_delete": lambda _c, v, s, e: ast.Delete(s, e, True, tuple(v[1])),
    "foreach": _foreach,
    "load_csv": _load_csv,
    "single_query": _single,
    "union_more": _union,
    "query_next": _next,
    "start": _start,
}
