"""Builders of expressions: one function per alternative of the grammar.

Each takes the context, the values of the alternative's symbols (None for an optional part left out) and the characters
that it covers, and returns a node of the syntax tree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from uniqgen_ir.grammar.cypher import ast as patterns
from uniqgen_ir.grammar.cypher import ast_expressions as ast
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.grammar.cypher.precedence import climb
from uniqgen_ir.grammar.cypher.text import hidden_quote, integer_value, name_text, string_value
from uniqgen_ir.grammar.cypher.tokens import Token

Action: TypeAlias = Callable[[Context, list[Any], int, int], Any]
"""A builder: context, values, start, end → value."""


class Chain(list[Any]):
    """Operands and operators in the order of the text, before precedence is applied."""


_GREATEST: Final = 2**63


def name_of(token: Token) -> ast.Name:
    return ast.Name(token.start, token.end, name_text(token.text))


def _variable(_c: Context, v: list[Any], s: int, e: int) -> ast.Variable:
    return ast.Variable(s, e, name_text(v[0].text))


def _integer(c: Context, v: list[Any], s: int, e: int) -> ast.IntegerLiteral:
    value = integer_value(v[0].text)
    # the smallest integer is written with a sign, which stands outside the literal
    if value > _GREATEST or (value == _GREATEST and not c.text[:s].rstrip().endswith("-")):
        c.report("UQ181", f"{v[0].text} does not fit into 64 bits", s, e, hint="write it with a decimal point")
    return ast.IntegerLiteral(s, e, value)


def _float(c: Context, v: list[Any], s: int, e: int) -> ast.FloatLiteral:
    node = ast.FloatLiteral(s, e, v[0].text)
    if node.value in (float("inf"), float("-inf")):
        c.report("UQ181", f"{v[0].text} is too large for a floating-point number", s, e)
    return node


def _string(c: Context, v: list[Any], s: int, e: int) -> ast.StringLiteral:
    spelling: str = v[0].text
    value, unknown = string_value(spelling)
    hidden = hidden_quote(spelling)
    if hidden is not None:
        start = s + hidden.start()
        message = "this escape is replaced before the text is read, and then ends the string"
        c.report("UQ181", message, start, start + len(hidden[0]), hint="write the character with a plain backslash")
    elif unknown is not None:
        start = s + 1 + unknown.start()
        message = f"the escape {unknown[0]} is unknown"
        c.report("UQ181", message, start, start + len(unknown[0]), hint="a backslash itself is written \\\\")
    return ast.StringLiteral(s, e, value)


def _constant(_c: Context, v: list[Any], s: int, e: int) -> ast.NullLiteral | ast.BooleanLiteral:
    word: str = v[0].upper
    return ast.NullLiteral(s, e) if word == "NULL" else ast.BooleanLiteral(s, e, word == "TRUE")


def _parameter(_c: Context, v: list[Any], s: int, e: int) -> ast.Parameter:
    return ast.Parameter(s, e, name_text(v[0].text[1:]))


def _chain_one(_c: Context, v: list[Any], _s: int, _e: int) -> list[Any]:
    return v[0] if isinstance(v[0], Chain) else Chain(v)


def _chain_more(_c: Context, v: list[Any], _s: int, _e: int) -> list[Any]:
    chain: list[Any] = v[0]
    chain.append(v[1])
    if isinstance(v[2], Chain):
        chain.extend(v[2])
    else:
        chain.append(v[2])
    return chain


def _chain_test(_c: Context, v: list[Any], _s: int, _e: int) -> list[Any]:
    chain: list[Any] = v[0]
    chain.append(v[1])
    return chain


def _prefix(_c: Context, v: list[Any], _s: int, _e: int) -> list[Any]:
    """A sign or NOT stays in the chain: what NOT covers depends on what follows."""
    return Chain((v[0], *v[1])) if isinstance(v[1], Chain) else Chain(v)


def _expression(c: Context, v: list[Any], _s: int, _e: int) -> Any:
    chain: list[Any] = v[0]
    return chain[0] if len(chain) == 1 else climb(c, chain)


def _label_test(_c: Context, v: list[Any], s: int, e: int) -> ast.LabelTest:
    return ast.LabelTest(s, e, v[0], v[1])


def _property(_c: Context, v: list[Any], s: int, e: int) -> ast.Property:
    return ast.Property(s, e, v[0], name_of(v[2]))


def _callee(c: Context, node: Any, start: int) -> str:
    """The name of a function, which begins at `start`; a call of anything else is reported."""
    parts: list[str] = []
    one = node
    while isinstance(one, ast.Property):
        parts.append(one.key.text)
        one = one.operand
    if isinstance(one, ast.Variable) and one.start == start:
        return ".".join((one.name, *reversed(parts)))
    c.report("UQ180", "only a function's name can stand before `(`", node.start, node.end)
    return "?"


def _call_empty(c: Context, v: list[Any], s: int, e: int) -> ast.FunctionCall:
    return ast.FunctionCall(s, e, _callee(c, v[0], s), ())


def _call_star(c: Context, v: list[Any], s: int, e: int) -> ast.CountStar:
    name = _callee(c, v[0], s)
    if name.lower() != "count":
        c.report("UQ180", f"`*` only stands in count(*), not in {name}", v[2].start, v[2].end)
    return ast.CountStar(s, e)


def _call_arguments(c: Context, v: list[Any], s: int, e: int) -> ast.FunctionCall:
    return ast.FunctionCall(s, e, _callee(c, v[0], s), tuple(v[3]), v[2] is not None)


def _index(_c: Context, v: list[Any], s: int, e: int) -> ast.Index:
    return ast.Index(s, e, v[0], v[2])


def _slice(_c: Context, v: list[Any], s: int, e: int) -> ast.Slice:
    return ast.Slice(s, e, v[0], v[2], v[4])


def _map_projection(c: Context, v: list[Any], s: int, e: int) -> ast.MapProjection:
    if not isinstance(v[0], ast.Variable):
        c.report("UQ180", "a map projection `{.key}` only follows a variable", v[0].start, v[0].end)
    return ast.MapProjection(s, e, v[0], tuple(v[2]) if len(v) == 4 else ())


def _projected_variable(_c: Context, v: list[Any], s: int, e: int) -> ast.ProjectedVariable:
    return ast.ProjectedVariable(s, e, name_of(v[0]))


def _list_comprehension(_c: Context, v: list[Any], s: int, e: int) -> ast.ListComprehension:
    return ast.ListComprehension(s, e, name_of(v[1]), v[3], v[5], v[7])


def _pattern_comprehension(_c: Context, v: list[Any], s: int, e: int) -> ast.PatternComprehension:
    variable = name_of(v[1]) if v[1] is not None else None
    return ast.PatternComprehension(s, e, variable, tuple(v[3]), v[5], v[7])


def _quantifier(_c: Context, v: list[Any], s: int, e: int) -> ast.Quantifier:
    return ast.Quantifier(s, e, v[0].text.lower(), name_of(v[2]), v[4], v[6])


def _reduce(_c: Context, v: list[Any], s: int, e: int) -> ast.Reduce:
    return ast.Reduce(s, e, name_of(v[2]), v[4], name_of(v[6]), v[8], v[10])


def _case(_c: Context, v: list[Any], s: int, e: int) -> ast.Case:
    return ast.Case(s, e, None, tuple(v[1]), v[3])


def _case_of(_c: Context, v: list[Any], s: int, e: int) -> ast.Case:
    return ast.Case(s, e, v[1], tuple(v[2]), v[4])


def _when(_c: Context, v: list[Any], s: int, e: int) -> ast.When:
    return ast.When(s, e, tuple(v[1]), v[3])


def _subquery(_c: Context, v: list[Any], s: int, e: int) -> ast.Subquery:
    return ast.Subquery(s, e, v[0].upper, v[2])


def _subquery_pattern(_c: Context, v: list[Any], s: int, e: int) -> ast.PatternSubquery:
    return ast.PatternSubquery(s, e, v[0].upper, tuple(v[2]), v[4])


def _label_or(_c: Context, v: list[Any], s: int, e: int) -> ast.LabelOr:
    left = v[0].operands if isinstance(v[0], ast.LabelOr) and v[0].start == s else (v[0],)
    return ast.LabelOr(s, e, (*left, v[-1]))


def _label_and(_c: Context, v: list[Any], s: int, e: int) -> ast.LabelAnd:
    left = v[0].operands if isinstance(v[0], ast.LabelAnd) and v[0].start == s else (v[0],)
    return ast.LabelAnd(s, e, (*left, v[2]), v[1].text == ":")


ACTIONS: Final[dict[str, Action]] = {
    "variable": _variable,
    "integer": _integer,
    "float": _float,
    "string": _string,
    "constant": _constant,
    "parameter": _parameter,
    "parenthesised": lambda _c, v, _s, _e: v[1],
    "second": lambda _c, v, _s, _e: v[1],
    "chain_one": _chain_one,
    "chain_more": _chain_more,
    "chain_test": _chain_test,
    "prefix": _prefix,
    "expression": _expression,
    "label_test": _label_test,
    "property": _property,
    "call_empty": _call_empty,
    "call_star": _call_star,
    "call_arguments": _call_arguments,
    "index": _index,
    "slice": _slice,
    "map_projection": _map_projection,
    "map_projection_empty": _map_projection,
    "projected_property": lambda _c, v, s, e: ast.ProjectedProperty(s, e, name_of(v[1])),
    "projected_all": lambda _c, _v, s, e: ast.ProjectedAll(s, e),
    "projected_variable": _projected_variable,
    "entry": lambda _c, v, s, e: ast.MapEntry(s, e, name_of(v[0]), v[2]),
    "map": lambda _c, v, s, e: ast.MapLiteral(s, e, tuple(v[1])),
    "map_empty": lambda _c, _v, s, e: ast.MapLiteral(s, e, ()),
    "list_empty": lambda _c, _v, s, e: ast.ListLiteral(s, e, ()),
    "list_literal": lambda _c, v, s, e: ast.ListLiteral(s, e, tuple(v[1])),
    "list_comprehension": _list_comprehension,
    "pattern_comprehension": _pattern_comprehension,
    "pattern_expression": lambda _c, v, s, e: ast.PatternExpression(s, e, tuple(v[0])),
    "any_all": _quantifier,
    "reduce": _reduce,
    "case": _case,
    "case_of": _case_of,
    "when": _when,
    "when_operator": lambda _c, v, s, e: ast.WhenTest(s, e, v[0].upper or v[0].text, v[1]),
    "when_postfix": lambda _c, v, s, e: ast.WhenTest(s, e, v[0].text, None),
    "subquery": _subquery,
    "subquery_pattern": _subquery_pattern,
    "label_or": _label_or,
    "label_or_colon": _label_or,
    "label_and": _label_and,
    "label_not": lambda _c, v, s, e: ast.LabelNot(s, e, v[1]),
    "label_name": lambda _c, v, s, e: ast.LabelName(s, e, name_text(v[0].text)),
    "label_any": lambda _c, _v, s, e: ast.LabelAny(s, e),
    "label_dynamic": lambda _c, v, s, e: ast.LabelDynamic(s, e, v[2]),
    "shortest_path": lambda _c, v, s, e: patterns.ShortestPath(s, e, v[0].text.lower().startswith("all"), tuple(v[2])),
}
