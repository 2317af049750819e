"""Labels and relationship types: those that do not exist, and what an expression of them can stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Final

from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context, replace
from uniqgen_ir.ir.diagnostics import Fix, Severity
from uniqgen_ir.ir.suggestions import is_typo, nearest
from uniqgen_ir.validate.cypher.kinds import KindIndex

SHOWN: Final = 12
"""How many names a hint lists."""


def written(name: str) -> str:
    """A name as it stands in a query: in backticks only where it has other characters than names have."""
    return name if name.isidentifier() else quote_name(name)


def near(name: str, names: Iterable[str]) -> tuple[str, bool] | None:
    """The name that is meant, and whether it can be nothing else: another case, or a slip of the finger."""
    known = sorted(names)
    same = [one for one in known if one.lower() == name.lower()]
    if len(same) == 1:
        return same[0], True
    bare = _bare(name)
    alike = [one for one in known if _bare(one) == bare]
    if len(alike) == 1:
        return alike[0], True
    found = nearest(name, ((one, one) for one in known))
    return None if found is None else (found, is_typo(name, found))


def _bare(name: str) -> str:
    """Without what people vary: case, underscores, a plural."""
    return name.lower().replace("_", "").replace(" ", "").replace("-", "").removesuffix("s")


def listed(names: Iterable[str], none: str) -> str:
    """What there is, for a hint."""
    known = sorted(names)
    more = f", and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
    return f"there are {', '.join(known[:SHOWN])}{more}" if known else none


class NameChecker:
    """Checks label expressions of nodes and of relationships against a schema."""

    def __init__(self, context: Context, index: KindIndex) -> None:
        self.context = context
        self.index = index

    def node_mask(self, labels: expressions.LabelExpression, *, negated: bool = False) -> int | None:
        """The kinds that a label expression allows; None where it has an unknown label, which is reported."""
        index = self.index
        match labels:
            case expressions.LabelName(text=text):
                if text not in index.graph.labels:
                    self.unknown_label(labels, text, negated=negated)
                    return None
                return index.label(text)
            case expressions.LabelNot(operand=operand):
                inner = self.node_mask(operand, negated=not negated)
                return None if inner is None else index.everything & ~inner
            case expressions.LabelAnd(operands=operands):
                return self._and([self.node_mask(one, negated=negated) for one in operands])
            case expressions.LabelOr(operands=operands):
                found = [self.node_mask(one, negated=negated) for one in operands]
                known = [one for one in found if one is not None]
                return _or(known) if len(known) == len(found) else None
            case _:
                return index.everything

    def _and(self, masks: list[int | None]) -> int | None:
        known = [one for one in masks if one is not None]
        if len(known) < len(masks):
            return None
        together = self.index.everything
        for one in known:
            together &= one
        if not together and any(self.index.never_both(*pair) for pair in combinations(known, 2)):
            return 0
        # where labels are not exclusive, a node may carry all of them although no kind says so
        return together if together or self.index.graph.exclusive else _or(known)

    def unknown_label(self, node: expressions.Node, text: str, *, negated: bool) -> None:
        graph = self.index.graph
        if text in graph.types:
            hint: str | None = f"`{text}` is a relationship type: write -[:{text}]->"
            self._report("UQ440", f"there is no label `{text}`", node, hint, None, negated=negated)
            return
        self._unknown("UQ440", f"there is no label `{text}`", node, text, graph.labels, negated=negated)

    def edge_types(self, types: expressions.LabelExpression | None) -> frozenset[str] | None:
        """The types that an expression allows; None where it has an unknown type, which is reported."""
        known = frozenset(self.index.graph.types)
        if types is None:
            return known
        unknown = [one for one in _names(types) if one[0].text not in known]
        for node, negated in unknown:
            self.unknown_type(node, negated=negated)
        if unknown:
            return None
        test = _test(types)
        return frozenset(name for name in known if test(name))

    def unknown_type(self, node: expressions.LabelName, *, negated: bool) -> None:
        graph, text = self.index.graph, node.text
        message = f"there is no relationship type `{text}`"
        if text in graph.labels:
            self._report("UQ441", message, node, f"`{text}` is a label: write (:{text})", None, negated=negated)
            return
        self._unknown("UQ441", message, node, text, graph.types, negated=negated)

    def _unknown(
        self, code: str, message: str, node: expressions.Node, text: str, names: Iterable[str], *, negated: bool
    ) -> None:
        found = near(text, names)
        if found is None:
            self._report(code, message, node, listed(names, "the schema has none"), None, negated=negated)
            return
        name, certain = found
        fix = replace(node.start, node.end, written(name), f"write {written(name)}", safe=certain)
        self._report(code, message, node, f"did you mean `{name}`?", fix, negated=negated)

    def _report(
        self, code: str, message: str, node: expressions.Node, hint: str | None, fix: Fix | None, *, negated: bool
    ) -> None:
        # what nothing is, everything is not: harmless, but hardly meant
        severity = Severity.WARNING if negated else Severity.ERROR
        self.context.report(code, message, node.start, node.end, hint=hint, fix=fix, severity=severity)


def _or(masks: Iterable[int]) -> int:
    found = 0
    for one in masks:
        found |= one
    return found


def _names(labels: expressions.LabelExpression, negated: bool = False) -> list[tuple[expressions.LabelName, bool]]:
    match labels:
        case expressions.LabelName():
            return [(labels, negated)]
        case expressions.LabelNot(operand=operand):
            return _names(operand, not negated)
        case expressions.LabelAnd(operands=operands) | expressions.LabelOr(operands=operands):
            return [found for one in operands for found in _names(one, negated)]
        case _:
            return []


def _test(labels: expressions.LabelExpression) -> Callable[[str], bool]:
    """Whether a relationship of one type fits an expression."""
    match labels:
        case expressions.LabelName(text=text):
            return lambda name: name == text
        case expressions.LabelNot(operand=operand):
            inner = _test(operand)
            return lambda name: not inner(name)
        case expressions.LabelAnd(operands=operands):
            every = [_test(one) for one in operands]
            return lambda name: all(one(name) for one in every)
        case expressions.LabelOr(operands=operands):
            some = [_test(one) for one in operands]
            return lambda name: any(one(name) for one in some)
        case _:
            return lambda _name: True
