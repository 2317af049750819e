"""Whether a graph obeys dependencies: each asked of the reference evaluator as a query for its exceptions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.expressions import Call, Not
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.rows import Filter, NotBlock, Row
from uniqgen_ir.ir.table import Form, Shell, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.types import LiteralType, NodeType, derives
from uniqgen_ir.passes.saturate.dependencies import Dependencies
from uniqgen_ir.passes.saturate.patterns import TYPE, Pattern, atom_of


def violation(graph: Graph, dependencies: Dependencies) -> str | None:
    """What the graph violates, in words; None where it obeys everything."""
    for rule in dependencies.rules:
        if _has_exception(graph, _rows(rule.body, "b"), _rows(rule.head, "h"), rule.equal):
            return f"the graph violates {rule.name}"
    for dependency, _ in dependencies.skipped:
        if _has_exception(graph, dependency.body, dependency.head, dependency.equal):
            return f"the graph violates {dependency.name}"
    return _disjoint(graph, dependencies) or _mistyped(graph, dependencies)


def _rows(patterns: Iterable[Pattern], stem: str) -> tuple[Row, ...]:
    return tuple(Row(f"{stem}{place}", atom_of(pattern)) for place, pattern in enumerate(patterns))


def _has_exception(
    graph: Graph, body: Sequence[Row], head: Sequence[Row], equal: tuple[Variable, Variable] | None
) -> bool:
    if equal is not None:
        last = Row("exception", Filter(Not(Call("same_term", equal))))
    else:
        last = Row("exception", NotBlock(tuple(head)))
    table = Table("exceptions", (), (*body, last), Shell(form=Form.ASK))
    return evaluate(table, graph).rows == ((Literal.of(True),),)


def _disjoint(graph: Graph, dependencies: Dependencies) -> str | None:
    classes: dict[object, list[IRI]] = {}
    for node, _, class_ in graph.match(None, TYPE, None):
        if isinstance(class_, IRI):
            known = classes.setdefault(node, [])
            known.append(class_)
            if any(dependencies.never_both(one, class_) for one in known):
                return "the graph has a node of disjoint classes"
    return None


def _mistyped(graph: Graph, dependencies: Dependencies) -> str | None:
    for _, predicate, object_ in graph:
        type_ = dependencies.object_type(predicate)
        match type_:
            case NodeType():
                wrong = isinstance(object_, Literal)
            case LiteralType(datatypes):
                wrong = not isinstance(object_, Literal) or (
                    bool(datatypes) and not any(derives(object_.datatype, one) for one in datatypes)
                )
            case _:
                wrong = False
        if wrong:
            return f"the graph violates the range of {predicate}"
    return None
