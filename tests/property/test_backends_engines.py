"""One table, every engine, the same answers: the reference evaluator, Oxigraph and Ladybug."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import ladybug
import pyoxigraph
import pytest
from attrs import evolve
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.property import strategies
from tests.property.test_ir_evaluate import grouped, queries
from uniqgen_ir.backends.engines.ladybug import LadybugEngine
from uniqgen_ir.backends.engines.ladybug_load import CATALOGUE, DATABASE, build_database
from uniqgen_ir.backends.engines.oxigraph import OxigraphEngine
from uniqgen_ir.backends.engines.source import GraphSource
from uniqgen_ir.backends.registry import renderer
from uniqgen_ir.backends.store import RenderingStore
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluate import evaluate
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import AnswerRow, StoreError
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import GroundTerm, Literal

FEW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def bag(rows: Iterable[AnswerRow]) -> Counter[AnswerRow]:
    return Counter(rows)


def ladybug_rows(table: Table, graph: Graph) -> tuple[AnswerRow, ...]:
    """The answers of a database that holds the graph. Raises DiagnosticError where the dialect refuses the table."""
    with LadybugEngine.open(GraphSource(graph)) as engine:
        return RenderingStore(engine, engine.renderer()).select(table).rows


def oxigraph_rows(table: Table, graph: Graph) -> tuple[AnswerRow, ...]:
    with OxigraphEngine.open(GraphSource(graph)) as engine:
        return RenderingStore(engine, renderer("oxigraph")).select(table).rows
