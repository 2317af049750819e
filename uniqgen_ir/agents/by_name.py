"""Nodes of property graphs in questions, by their names: they have no identifier that a query could use."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from uniqgen_ir.agents.tables import free_id, identifier
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.rows import Row, RowNote, Triple
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.visitor import Node, fresh_variable, rewrite, variables_in_order, walk
from uniqgen_ir.kg.load import LoadedGraph
from uniqgen_ir.kg.property_graph.facts import NODE_PREFIX


def nodes_by_name(table: Table, load: Callable[[], LoadedGraph]) -> Table:
    """The table with a required row `?node name "…"` for each node that its name tells from all others.

    A node that shares its name with another stays as it is: a query that means both would be wrong.
    """
    nodes = dict.fromkeys(one for one in walk(table) if isinstance(one, IRI) and one.value.startswith(NODE_PREFIX))
    if not nodes:
        return table  # the graph need not be loaded
    loaded = load()
    taken, ids = set(variables_in_order(table)), {row.id for row in table.rows}
    variables: dict[Node, Variable] = {}
    rows: list[Row] = []
    for node in nodes:
        naming = _name(node, loaded)
        if naming is None:
            continue
        predicate, name = naming
        variable = fresh_variable(identifier(name.lexical) or "node", taken)
        taken.add(variable)
        variables[node] = variable
        note = RowNote(required=True, reason=f'"{name.lexical}" is how the question names it')
        rows.append(Row(free_id(variable.name, ids), Triple(variable, predicate, name), note=note))
    if not rows:
        return table
    replaced = rewrite(table, lambda one: variables.get(one, one))
    return evolve(replaced, rows=(*rows, *replaced.rows))


def _name(node: IRI, loaded: LoadedGraph) -> tuple[IRI, Literal] | None:
    """The predicate and the name by which no other node is called."""
    for predicate in loaded.label_predicates:
        for _, _, name in loaded.graph.match(node, predicate, None):
            if isinstance(name, Literal) and _only_one(loaded.graph, predicate, name):
                return predicate, name
    return None


def _only_one(graph: Graph, predicate: IRI, name: Literal) -> bool:
    return sum(1 for _ in graph.match(None, predicate, name)) == 1
