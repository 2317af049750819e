"""Builders of patterns: nodes, relationships, groups, paths."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher.ast_expressions import Name
from uniqgen_ir.grammar.cypher.building.expressions import Action, name_of
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.grammar.cypher.text import integer_value
from uniqgen_ir.grammar.cypher.tokens import Token


def _name(token: Token | None) -> Name | None:
    return None if token is None else name_of(token)


def _node(_c: Context, v: list[Any], s: int, e: int) -> ast.NodePattern:
    return ast.NodePattern(s, e, _name(v[1]), v[2], v[3], v[5])


def _arrow(left: bool, right: bool) -> Action:
    return lambda _c, _v, s, e: ast.RelationshipPattern(s, e, left, right)


def _relationship(left: bool, right: bool) -> Action:
    place = 2 if left else 1

    def build(_c: Context, v: list[Any], s: int, e: int) -> ast.RelationshipPattern:
        variable, types, length, properties, where = v[place]
        return ast.RelationshipPattern(s, e, left, right, variable, types, length, properties, where)

    return build


def _detail(_c: Context, v: list[Any], _s: int, _e: int) -> tuple[Any, ...]:
    return _name(v[1]), v[2], v[3], v[4], v[6]


def _number(token: Token | None) -> int | None:
    return None if token is None else integer_value(token.text)


def _length(minimum: int | None, maximum: int | None) -> Action:
    """`*2`, `*2..`, `*..3`: the places of the two numbers among the values."""

    def build(_c: Context, v: list[Any], s: int, e: int) -> ast.Length:
        low = _number(v[minimum]) if minimum is not None else None
        return ast.Length(s, e, low, _number(v[maximum]) if maximum is not None else None)

    return build


def _repeat_range(c: Context, v: list[Any], s: int, e: int) -> ast.Repetition:
    minimum, maximum = _number(v[1]) or 0, _number(v[3])
    if maximum is not None and maximum < minimum:
        c.report("UQ180", f"the quantifier {{{minimum},{maximum}}} ends below its beginning", s, e)
    return ast.Repetition(s, e, minimum, maximum)


def _repeat_exact(_c: Context, v: list[Any], s: int, e: int) -> ast.Repetition:
    return ast.Repetition(s, e, integer_value(v[1].text), integer_value(v[1].text))


def _repeated(
    c: Context, item: ast.RelationshipPattern | ast.GroupPattern, repetition: ast.Repetition, e: int
) -> ast.RelationshipPattern | ast.GroupPattern:
    if isinstance(item, ast.GroupPattern):
        return ast.GroupPattern(item.start, e, item.path_variable, item.elements, item.where, repetition)
    if item.length is not None:
        c.report("UQ180", "a relationship has either a length or a quantifier", repetition.start, repetition.end)
    return ast.RelationshipPattern(
        *(item.start, e, item.left, item.right, item.variable, item.types, item.length, item.properties, item.where),
        repetition,
    )


def _group(c: Context, v: list[Any], s: int, e: int) -> ast.GroupPattern:
    return ast.GroupPattern(s, e, _name(v[1]), _path(c, v[3]), v[5])


def _path(c: Context, items: list[Any]) -> tuple[ast.PathElement, ...]:
    """The elements of a path, after checking that nodes and relationships take turns."""
    _check_alternation(c, items)
    return tuple(items)


def _check_alternation(c: Context, items: list[Any]) -> None:
    if len(items) == 1 and isinstance(items[0], ast.NodePattern | ast.ShortestPath):
        return
    for before, after in pairwise(items):
        if isinstance(before, ast.RelationshipPattern) == isinstance(after, ast.RelationshipPattern) and not (
            isinstance(before, ast.GroupPattern) or isinstance(after, ast.GroupPattern)
        ):
            what = "node" if isinstance(before, ast.RelationshipPattern) else "relationship"
            hint = "write `()` for any node" if what == "node" else "write `-->`, `--` or a comma"
            c.report("UQ180", f"a {what} is missing here", after.start, after.end, hint=hint)
            return
        if isinstance(before, ast.GroupPattern) != isinstance(after, ast.GroupPattern) and (
            isinstance(before, ast.RelationshipPattern) or isinstance(after, ast.RelationshipPattern)
        ):
            c.report("UQ180", "a node is missing between the group and the relationship", after.start, after.end)
            return
    for item in (items[0], items[-1]):
        if isinstance(item, ast.RelationshipPattern):
            c.report(
                "UQ180", "a path begins and ends with a node", item.start, item.end, hint="write `()` for any node"
            )
            return


def _pattern(c: Context, v: list[Any], s: int, e: int) -> ast.Pattern:
    selector = v[2].text.upper() if v[2] is not None else None
    return ast.Pattern(s, e, _name(v[0]), selector, _path(c, v[3]))


def _first(_c: Context, v: list[Any], _s: int, _e: int) -> list[Any]:
    return [v[0], *v[1]]


def _more(_c: Context, v: list[Any], _s: int, _e: int) -> list[Any]:
    path: list[Any] = v[0]
    path.extend(v[1])
    return path


ACTIONS: Final[dict[str, Action]] = {
    "node": _node,
    "arrow_none": _arrow(False, False),
    "arrow_right": _arrow(False, True),
    "arrow_left": _arrow(True, False),
    "arrow_both": _arrow(True, True),
    "relationship_none": _relationship(False, False),
    "relationship_right": _relationship(False, True),
    "relationship_left": _relationship(True, False),
    "relationship_both": _relationship(True, True),
    "detail": _detail,
    "length_any": _length(None, None),
    "length_exact": _length(1, 1),
    "length_from": _length(1, 3),
    "length_to": _length(None, 2),
    "repeat_plus": lambda _c, _v, s, e: ast.Repetition(s, e, 1, None),
    "repeat_star": lambda _c, _v, s, e: ast.Repetition(s, e, 0, None),
    "repeat_exact": _repeat_exact,
    "repeat_range": _repeat_range,
    "quantified": lambda c, v, _s, e: _repeated(c, v[0], v[1], e),
    "group": _group,
    "pattern": _pattern,
    "pattern_first": _first,
    "pattern_more": _more,
    "step": lambda _c, v, _s, _e: v,
    "step_quantified": lambda c, v, _s, _e: [_repeated(c, v[0], v[1], v[1].end), v[2]],
}
