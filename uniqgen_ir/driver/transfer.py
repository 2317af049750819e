"""Graphs written for loading elsewhere, and snapshots of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from uniqgen_ir.driver.graph import KnowledgeGraph
from uniqgen_ir.ir.diagnostics import fail

if TYPE_CHECKING:
    from uniqgen_ir.kg.snapshot.files import Manifest


def export_graph(
    graph: KnowledgeGraph, target: str, folder: Path, progress: Callable[[int], None] | None = None
) -> list[str]:
    """Write the graph into a folder as `nt`, `neptune-csv`, `neo4j-csv` or `cypher`; the names of the files written.

    Streams: memory grows only with the number of different names. Raises DiagnosticError (UQ684 to UQ687).
    """
    from uniqgen_ir.backends.cypher.quoting import quote_name, quote_string
    from uniqgen_ir.backends.naming import LayoutNaming
    from uniqgen_ir.kg.export.bulk_csv import NEO4J, NEPTUNE, write_bulk_csv
    from uniqgen_ir.kg.export.cypher_script import write_cypher
    from uniqgen_ir.kg.export.ntriples import write_ntriples
    from uniqgen_ir.kg.export.property_graph import ExportedGraph
    from uniqgen_ir.kg.export.spool import Spool
    from uniqgen_ir.kg.export.text_files import new_folder

    facts = graph.facts()
    with new_folder(folder):
        if target == "nt":
            return write_ntriples(facts, folder, progress)
        with Spool() as spool:
            spool.fill(facts, progress)
            names = [*(one.predicate for one in spool.uses()), *spool.classes()]
            naming = LayoutNaming.of(graph.mapping, names, "neptune" if target == "neptune-csv" else "plain")
            exported = ExportedGraph(spool, naming)
            if target == "cypher":
                return write_cypher(exported, folder, quote_name, quote_string)
            return write_bulk_csv(exported, folder, NEO4J if target == "neo4j-csv" else NEPTUNE)


def snapshot_graph(
    graph: KnowledgeGraph,
    folder: Path,
    around: Sequence[str],
    *,
    hops: int = 2,
    hub_limit: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Manifest:
    """Cut what is at most `hops` edges from the named nodes (IRIs or labels) into a folder that is a graph itself.

    Raises DiagnosticError: UQ688 where nothing has a name, UQ687 for the folder, UQ644 for a remote graph.
    """
    from uniqgen_ir.kg.snapshot.cut import cut, nodes_named
    from uniqgen_ir.kg.snapshot.files import write_snapshot

    named = nodes_named(graph.facts(), around)
    for name, nodes in named.items():
        if not nodes:
            raise fail(
                "UQ688", f"nothing in the graph is called `{name}`", hint="give a label or an IRI as it stands there"
            )
    made = cut(graph.facts, frozenset(node for nodes in named.values() for node in nodes), hops, hub_limit)
    return write_snapshot(
        folder,
        graph.facts,
        made,
        sources=graph.sources,
        source_sha256=graph.fingerprint,
        around=tuple(named),
        progress=progress,
    )
