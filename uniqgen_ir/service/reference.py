"""Operations that look things up: the page of a code, the schema of the graph."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from attrs import asdict

from uniqgen_ir.ir.codes import CODES
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.schema import Document
from uniqgen_ir.service.workbench import Workbench


def explain(_bench: Workbench, arguments: dict[str, Any]) -> dict[str, Any]:
    """The page of a code. Raises DiagnosticError (UQ652)."""
    wanted: str = arguments["code"].strip()
    code = CODES.get(wanted.upper()) or next((one for one in CODES.values() if one.kind == wanted.lower()), None)
    if code is None:
        near = get_close_matches(wanted.upper(), [*CODES, *(one.kind.upper() for one in CODES.values())], n=1)
        raise fail("UQ652", f"there is no diagnostic {wanted}", hint=f"did you mean {near[0]}?" if near else None)
    return {**asdict(code), "page": code.page()}


def schema(bench: Workbench, _arguments: dict[str, Any]) -> dict[str, Any]:
    """The declared schema, or the one that the graph keeps to. Raises DiagnosticError (UQ644)."""
    declared = bench.graph.vocabulary
    if declared.schema is not None:
        from uniqgen_ir.ir.document_printer import print_document

        text = print_document(Document((declared.schema,), prefixes=declared.prefixes))
        return {"schema": text, "prefixes": dict(declared.prefixes), "inferred": False}
    from uniqgen_ir.kg.infer import infer_schema
    from uniqgen_ir.kg.infer_print import print_inferred

    found = infer_schema(bench.graph.loaded.graph, "inferred")
    return {
        "schema": print_inferred(found, "Inferred from the graph."),
        "prefixes": dict(found.prefixes),
        "inferred": True,
    }
