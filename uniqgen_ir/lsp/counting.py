"""How often things match in the configured graph: counted in the background, kept, never waited for."""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import Final

from attrs import evolve

from uniqgen_ir.driver import KnowledgeGraph
from uniqgen_ir.ir.analysis import binds, needs
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.expressions import Aggregate
from uniqgen_ir.ir.protocols import Store
from uniqgen_ir.ir.rows import Either, PathAtom, Row, RowNote, Triple, TypeAtom
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.project import Project

COUNTING: Final = "counting its matches in the graph …"
TIMEOUT: Final = 10.0
"""Seconds for one statement."""
ENGINE: Final = "oxigraph"


class Counter:
    """Counts in one thread of its own. `of` may be called from any other."""

    def __init__(self) -> None:
        self._known: dict[tuple[Project, IRI | Row], str] = {}
        self._tasks: SimpleQueue[tuple[Project, IRI | Row] | None] = SimpleQueue()
        self._graphs: dict[Project, KnowledgeGraph] = {}
        self._thread: threading.Thread | None = None

    def of(self, project: Project | None, counted: IRI | Row) -> str | None:
        """What is known of the number, in words. Returns at once; None where there is no graph or nothing to count."""
        if project is None or not project.graph:
            return None
        if isinstance(counted, Row):
            if not _countable(counted):
                return None
            # the same pattern is counted once, whatever its id, note and place
            counted = evolve(counted, id="row", note=RowNote(), span=None)
        key = (project, counted)
        if key not in self._known:
            self._known[key] = COUNTING
            self._tasks.put(key)
            self._start()
        return self._known[key]

    def close(self) -> None:
        """End the thread and the engines."""
        if self._thread is None:
            return
        self._tasks.put(None)
        self._thread.join(timeout=1.0)
        for graph in self._graphs.values():
            graph.close()

    def _start(self) -> None:
        if self._thread is None:
            # a daemon: a count that runs must not keep the editor from closing
            self._thread = threading.Thread(target=self._work, daemon=True, name="counting")
            self._thread.start()

    def _work(self) -> None:
        while (key := self._tasks.get()) is not None:
            project, counted = key
            try:
                self._known[key] = _words(self._store(project), counted)
            except DiagnosticError as error:
                self._known[key] = f"not counted: {error.diagnostics[0].message}"
            except Exception as error:
                self._known[key] = f"not counted: {type(error).__name__}: {error}"

    def _store(self, project: Project) -> Store:
        graph = self._graphs.get(project)
        if graph is None:
            graph = self._graphs[project] = KnowledgeGraph(project.graph)
        return graph.store(ENGINE)


def _countable(row: Row) -> bool:
    return isinstance(row.atom, Triple | TypeAtom | PathAtom | Either) and not needs(row, binds(row))


def _words(store: Store, counted: IRI | Row) -> str:
    if isinstance(counted, Row):
        return _plural(_count(store, counted), "match", "matches") + " in the graph"
    subject, object_ = Variable("s"), Variable("o")
    facts = _count(store, Row("row", Triple(subject, counted, object_)))
    instances = _count(store, Row("row", TypeAtom(subject, counted)))
    said = [_plural(facts, "fact", "facts")] if facts else []
    said += [_plural(instances, "instance", "instances")] if instances else []
    return " and ".join(said) + " in the graph" if said else "neither a predicate nor a class of the graph"


def _count(store: Store, row: Row) -> int:
    head = (Column(Aggregate("count"), Variable("n")),)
    cell = store.select(Table("matches", head, (row,), Shell(distinct=False)), timeout=TIMEOUT).rows[0][0]
    assert isinstance(cell, Literal)
    return int(cell.lexical)


def _plural(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
