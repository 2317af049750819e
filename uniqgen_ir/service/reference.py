"""Operations that look things up: the page of a code, the schema of the graph."""

from __future__ import annotations

from typing import Any

from attrs import asdict

from uniqgen_ir.ir.code_lookup import code_named
from uniqgen_ir.ir.schema import Document
from uniqgen_ir.service.workbench import Workbench


def explain(_bench: Workbench, arguments: dict[str, Any]) -> dict[str, Any]:
    """The page of a code. Raises DiagnosticError (UQ652)."""
    code = code_named(arguments["code"].strip())
    return {**asdict(code), "page": code.page()}


def schema(bench: Workbench, _arguments: dict[str, Any]) -> dict[str, Any]:
    """The declared schema, or the one that the graph keeps to. Raises DiagnosticError (UQ644)."""
    declared = bench.graph.vocabulary
    if declared.schema is not None:
        from uniqgen_ir.ir.document_printer import print_document

        text = print_document(Document((declared.schema,), prefixes=declared.prefixes))
        return {"schema": text, "prefixes": dict(declared.prefixes), "inferred": False}
    from uniqgen_ir.kg.inference.infer import infer_schema
    from uniqgen_ir.kg.inference.printing import print_inferred

    found = infer_schema(bench.graph.loaded.graph, "inferred")
    return {
        "schema": print_inferred(found, "Inferred from the graph."),
        "prefixes": dict(found.prefixes),
        "inferred": True,
    }
