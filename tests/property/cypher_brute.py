"""A plain interpreter of small Cypher queries, written to be right rather than quick: the measure for the translation.

It walks the syntax tree clause by clause over a list of rows, as the language's documents say. Null is None.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions

Row = dict[str, Any]


@frozen
class Small:
    """A property graph: labels and `x` of each node, and relationships as (source, type, target)."""

    labels: tuple[frozenset[str], ...]
    x: tuple[int | None, ...]
    edges: tuple[tuple[int, str, int], ...]


def run(graph: Small, query: ast.SingleQuery) -> list[tuple[Any, ...]]:
    """The bag of rows that the query returns."""
    rows: list[Row] = [{}]
    for clause in query.clauses:
        match clause:
            case ast.Match(optional=optional, patterns=patterns, where=where):
                rows = [new for row in rows for new in _matched(graph, row, patterns, where, optional)]
            case ast.With(projection=projection, where=where):
                names, table = _project(graph, projection, rows)
                rows = [dict(zip(names, line, strict=True)) for line in table]
                rows = [row for row in rows if where is None or _value(graph, where, row) is True]
            case ast.Return(projection=projection):
                return _project(graph, projection, rows)[1]
            case _:
                raise AssertionError(clause)
    raise AssertionError("no RETURN")


def _matched(
    graph: Small, row: Row, patterns: Sequence[ast.Pattern], where: expressions.Expression | None, optional: bool
) -> list[Row]:
    found = [new for new in _patterns(graph, row, patterns) if where is None or _value(graph, where, new) is True]
    if found or not optional:
        return found
    names = {one for pattern in patterns for one in _names(pattern.elements)}
    return [{**dict.fromkeys(names), **row}]


def _names(elements: Sequence[ast.PathElement]) -> Iterator[str]:
    for one in elements:
        if isinstance(one, ast.NodePattern | ast.RelationshipPattern) and one.variable is not None:
            yield one.variable.text


def _patterns(graph: Small, row: Row, patterns: Sequence[ast.Pattern]) -> Iterator[Row]:
    states: list[tuple[Row, frozenset[int]]] = [(row, frozenset())]
    for pattern in patterns:
        states = [new for one in states for new in _path(graph, one, pattern.elements)]
    for new, _ in states:
        yield new


State = tuple[Row, frozenset[int]]


def _path(graph: Small, state: State, elements: Sequence[ast.PathElement]) -> Iterator[State]:
    first = elements[0]
    assert isinstance(first, ast.NodePattern)
    for node in range(len(graph.labels)):
        row = _bound(graph, state[0], first, node)
        if row is not None:
            yield from _onwards(graph, (row, state[1]), node, elements[1:])


def _onwards(graph: Small, state: State, at: int, elements: Sequence[ast.PathElement]) -> Iterator[State]:
    if not elements:
        yield state
        return
    step, target = elements[0], elements[1]
    assert isinstance(step, ast.RelationshipPattern)
    assert isinstance(target, ast.NodePattern)
    least, most = 1, 1
    if step.length is not None:
        least = 1 if step.length.minimum is None else step.length.minimum
        most = step.length.maximum if step.length.maximum is not None else len(graph.edges)
    for end, used in _walks(graph, at, step, least, most, state[1]):
        row = _bound(graph, state[0], target, end)
        if row is not None:
            yield from _onwards(graph, (row, used), end, elements[2:])


def _walks(
    graph: Small, at: int, step: ast.RelationshipPattern, least: int, most: int, used: frozenset[int]
) -> Iterator[tuple[int, frozenset[int]]]:
    if least <= 0:
        yield at, used
    if most == 0:
        return
    for number, (source, kind, target) in enumerate(graph.edges):
        if number in used or (step.types is not None and not _has(step.types, frozenset({kind}))):
            continue
        ends = {
            end
            for begin, end, allowed in (
                (source, target, not step.left or step.right),
                (target, source, not step.right or step.left),
            )
            if begin == at and allowed
        }
        for end in ends:
            yield from _walks(graph, end, step, least - 1, most - 1, used | {number})


def _bound(graph: Small, row: Row, pattern: ast.NodePattern, node: int) -> Row | None:
    if pattern.labels is not None and not _has(pattern.labels, graph.labels[node]):
        return None
    if isinstance(pattern.properties, expressions.MapLiteral):
        for entry in pattern.properties.entries:
            wanted = _value(graph, entry.value, row)
            if wanted is None or graph.x[node] != wanted:
                return None
    if pattern.variable is None:
        return row
    name = pattern.variable.text
    if name in row:
        return row if row[name] == ("node", node) else None
    return {**row, name: ("node", node)}


def _has(labels: expressions.LabelExpression, present: frozenset[str]) -> bool:
    match labels:
        case expressions.LabelName(text=text):
            return text in present
        case expressions.LabelAnd(operands=operands):
            return all(_has(one, present) for one in operands)
        case expressions.LabelOr(operands=operands):
            return any(_has(one, present) for one in operands)
        case expressions.LabelNot(operand=operand):
            return not _has(operand, present)
        case _:
            raise AssertionError(labels)


def _project(graph: Small, projection: ast.Projection, rows: list[Row]) -> tuple[list[str], list[tuple[Any, ...]]]:
    names = [one.alias.text if one.alias else getattr(one.expression, "name", "?") for one in projection.items]
    plain = [not _is_aggregate(one.expression) for one in projection.items]
    if all(plain):
        table = [tuple(_value(graph, one.expression, row) for one in projection.items) for row in rows]
    else:
        groups: dict[tuple[Any, ...], list[Row]] = {}
        for row in rows:
            key = tuple(
                _value(graph, one.expression, row)
                for one, is_key in zip(projection.items, plain, strict=True)
                if is_key
            )
            groups.setdefault(key, []).append(row)
        if not any(plain) and not groups:
            groups[()] = []
        table = []
        for key, members in groups.items():
            keys = iter(key)
            table.append(
                tuple(
                    next(keys) if is_key else _aggregate(graph, one.expression, members)
                    for one, is_key in zip(projection.items, plain, strict=True)
                )
            )
    return names, list(dict.fromkeys(table)) if projection.distinct else table


def _is_aggregate(node: expressions.Expression) -> bool:
    return isinstance(node, expressions.CountStar | expressions.FunctionCall)


def _aggregate(graph: Small, node: expressions.Expression, rows: list[Row]) -> Any:
    if isinstance(node, expressions.CountStar):
        return len(rows)
    assert isinstance(node, expressions.FunctionCall)
    values = [_value(graph, node.arguments[0], row) for row in rows]
    values = [one for one in values if one is not None]
    if node.distinct:
        values = list(dict.fromkeys(values))
    match node.lower_name:
        case "count":
            return len(values)
        case "sum":
            return sum(values)
        case "avg":
            return sum(values) / len(values) if values else None
        case _:
            raise AssertionError(node.name)


def _value(graph: Small, node: expressions.Expression, row: Row) -> Any:
    match node:
        case expressions.Variable(name=name):
            return row[name]
        case expressions.IntegerLiteral(value=value):
            return value
        case expressions.NullLiteral():
            return None
        case expressions.Property(operand=operand):
            node_value = _value(graph, operand, row)
            return None if node_value is None else graph.x[node_value[1]]
        case expressions.Comparison(operators=(operator,), operands=(left, right)):
            return _compared(operator, _value(graph, left, row), _value(graph, right, row))
        case expressions.Unary(operator="NOT", operand=operand):
            inner = _value(graph, operand, row)
            return None if inner is None else not inner
        case expressions.Junction(operator=operator, operands=operands):
            values = [_value(graph, one, row) for one in operands]
            decides = operator == "OR"
            return decides if decides in values else None if None in values else not decides
        case expressions.PostfixTest(operand=operand, test=test):
            return (_value(graph, operand, row) is None) is (test == "IS NULL")
        case expressions.LabelTest(operand=operand, labels=labels):
            node_value = _value(graph, operand, row)
            return None if node_value is None else _has(labels, graph.labels[node_value[1]])
        case expressions.PatternExpression(elements=elements):
            if any(row.get(name, "") is None for name in _names(elements)):
                return False
            return any(True for _ in _path(graph, (row, frozenset()), elements))
        case expressions.PatternSubquery(kind="COUNT", patterns=patterns, where=where):
            if any(row.get(name, "") is None for one in patterns for name in _names(one.elements)):
                return 0
            return sum(where is None or _value(graph, where, new) is True for new in _patterns(graph, row, patterns))
        case expressions.PatternSubquery(patterns=patterns, where=where):
            if any(row.get(name, "") is None for one in patterns for name in _names(one.elements)):
                return False
            found = _patterns(graph, row, patterns)
            return any(where is None or _value(graph, where, new) is True for new in found)
        case expressions.Case(subject=None, whens=whens, default=default):
            for when in whens:
                test = when.tests[0]
                assert not isinstance(test, expressions.WhenTest)
                if _value(graph, test, row) is True:
                    return _value(graph, when.result, row)
            return None if default is None else _value(graph, default, row)
        case expressions.FunctionCall(arguments=arguments):
            assert node.lower_name == "coalesce"
            return next((one for one in (_value(graph, arg, row) for arg in arguments) if one is not None), None)
        case _:
            raise AssertionError(node)


def _compared(operator: str, left: Any, right: Any) -> bool | None:
    if left is None or right is None:
        return None
    match operator:
        case "=":
            return bool(left == right)
        case "<>":
            return bool(left != right)
        case "<":
            return bool(left < right)
        case _:
            return bool(left > right)
