"""Patterns of one MATCH, or of MATCH clauses that follow each other, that nothing connects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context
from uniqgen_ir.grammar.cypher.walk import find, walk
from uniqgen_ir.ir.diagnostics import Severity
from uniqgen_ir.validate.cypher.facts import conjuncts, facts_of

_LINKING: Final = (ast.Match, ast.With, ast.Filter)


class Products:
    """Looks at the MATCH clauses of one query."""

    def __init__(self, context: Context, query: ast.SingleQuery, outer: frozenset[str]) -> None:
        self.context = context
        self.query = query
        self.outer = outer

    def match(self, clause: ast.Match) -> None:
        """Warn where patterns that end with this clause have nothing to do with each other, here or further on.

        MATCH clauses that follow each other directly are one set of patterns.
        """
        run = self._run(clause)
        patterns = [one for part in run for one in part.patterns]
        groups = [set(variables(one)) for one in patterns]
        if len(groups) < 2:
            return
        links = [set(_names(one)) for part in run for one in conjuncts(part.where)]
        later = self.query.clauses[self.query.clauses.index(clause) + 1 :]
        links += [one for part in later if isinstance(part, _LINKING) for one in _links(part)]
        known = {name for one in self._before(run[0]) for name in one} | self.outer
        joined = components(groups, [*links, known])
        loose = [one for one in joined if not any(self._pinned(patterns[place], run) for place in one)]
        if len(loose) < 2:
            return
        first, second = (patterns[one[0]] for one in loose[:2])
        names = [self.context.text[one.start : one.end] for one in (first, second)]
        message = f"nothing connects `{_short(names[0])}` and `{_short(names[1])}`: each is combined with each"
        hint = "connect them with a pattern or a condition, or use one of them in a subquery"
        self.context.report("UQ448", message, second.start, second.end, hint=hint, severity=Severity.WARNING)

    def _run(self, clause: ast.Match) -> list[ast.Match]:
        """The MATCH clauses right before this one, and itself; empty where the next clause goes on with them."""
        clauses = self.query.clauses
        place = next(number for number, one in enumerate(clauses) if one is clause)
        following = clauses[place + 1] if place + 1 < len(clauses) else None
        if clause.optional or (isinstance(following, ast.Match) and not following.optional):
            return []
        run: list[ast.Match] = []
        while place >= 0:
            one = clauses[place]
            if not isinstance(one, ast.Match) or one.optional:
                break
            run.insert(0, one)
            place -= 1
        return run

    def _before(self, clause: ast.Match) -> Iterable[set[str]]:
        for one in self.query.clauses:
            if one is clause:
                return
            if isinstance(one, ast.Match):
                yield {name for pattern in one.patterns for name in variables(pattern)}
            elif isinstance(one, ast.Unwind | ast.LoadCsv):
                yield {one.variable.text}
            elif isinstance(one, ast.With):
                yield {item.alias.text for item in one.projection.items if item.alias is not None}

    def _pinned(self, pattern: ast.Pattern, run: list[ast.Match]) -> bool:
        """Whether an equality with a constant or a parameter picks a node out of it."""
        inside = [one for one in find(pattern, expressions.MapLiteral) if one.entries]
        if inside:
            return True
        names = set(variables(pattern))
        wheres = [*(one.where for one in run), *(one.where for one in find(pattern, ast.NodePattern))]
        return any(
            _equality(one) and set(_names(one)) and set(_names(one)) <= names
            for where in wheres
            for one in conjuncts(where)
        )


def _equality(condition: expressions.Expression) -> bool:
    if isinstance(condition, expressions.Comparison) and condition.operators == ("=",):
        return True
    return any(fact.operator in ("=", "IN") for fact in facts_of(condition))


def variables(pattern: ast.Pattern) -> Iterable[str]:
    """The variables of a pattern, also those that its conditions use."""
    if pattern.variable is not None:
        yield pattern.variable.text
    for node in walk(pattern):
        if isinstance(node, ast.NodePattern | ast.RelationshipPattern):
            if node.variable is not None:
                yield node.variable.text
        elif isinstance(node, expressions.Variable):
            yield node.name


def _names(condition: expressions.Expression) -> Iterable[str]:
    for node in walk(condition):
        if isinstance(node, expressions.Variable):
            yield node.name
        elif isinstance(node, ast.NodePattern | ast.RelationshipPattern) and node.variable is not None:
            yield node.variable.text


def _links(clause: ast.Match | ast.With | ast.Filter) -> Iterable[set[str]]:
    """The groups of variables that a clause brings together."""
    if isinstance(clause, ast.Match):
        yield from (set(variables(one)) for one in clause.patterns)
        yield from (set(_names(one)) for one in conjuncts(clause.where))
    elif isinstance(clause, ast.Filter):
        yield from (set(_names(one)) for one in conjuncts(clause.condition))
    else:
        yield from (set(_names(one)) for one in conjuncts(clause.where))


def components(groups: Sequence[set[str]], links: Sequence[set[str]]) -> list[list[int]]:
    """The places of the groups that shared variables bring together, directly or through links."""
    found: list[tuple[set[str], list[int]]] = []
    for place, names in [*enumerate(groups), *((-1, one) for one in links)]:
        touching = [one for one in found if one[0] & names]
        merged = (names.union(*(one[0] for one in touching)), [number for one in touching for number in one[1]])
        if place >= 0:
            merged[1].append(place)
        found = [one for one in found if one not in touching]
        found.append(merged)
    return [sorted(places) for _, places in found if places]


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
