"""The playground: one page, and the operation that looks at what is typed there."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from uniqgen_ir.driver import check, compile_table, inspect, read
from uniqgen_ir.ir.diagnostic_json import diagnostic_json
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError
from uniqgen_ir.ir.printer import print_table
from uniqgen_ir.ir.table import Table
from uniqgen_ir.service import schemas as s
from uniqgen_ir.service.operations import Operation
from uniqgen_ir.service.service import Service
from uniqgen_ir.service.workbench import Workbench
from uniqgen_ir.web.app import posted_to
from uniqgen_ir.web.drawing import draw

PAGE: Final = Path(__file__).with_name("page.html")
_TARGETS: Final = ("sparql", "cypher")


def look(bench: Workbench, arguments: dict[str, Any]) -> dict[str, Any]:
    """Everything that can be said about a text without running it; what is wrong is part of the answer."""
    text, language = arguments["query"], arguments["language"]
    found: list[Diagnostic] = []
    try:
        mapping = bench.graph.mapping if language == "cypher" else None
        outcome = read(text, language, "<query>", unbounded="bound:8", mapping=mapping)
        found += [*outcome.diagnostics, *check(outcome.table)]
        found += inspect(outcome.table, bench.graph.vocabulary, text if language == "ctable" else None)
    except DiagnosticError as error:
        return {"diagnostics": _listed([*found, *error.diagnostics]), "texts": {}, "picture": None}
    texts, refused = _texts(outcome.table, bench)
    return {
        "diagnostics": _listed([*found, *refused]),
        "texts": texts | {"ctable": print_table(outcome.table)},
        "picture": draw(outcome.table),
    }


def _texts(table: Table, bench: Workbench) -> tuple[dict[str, str], list[Diagnostic]]:
    texts: dict[str, str] = {}
    refused: list[Diagnostic] = []
    for target in _TARGETS:
        try:
            query = compile_table(table, target, bench.graph, inline=True)
            texts[target] = query.text
            refused += query.diagnostics
        except DiagnosticError as error:
            # one language that cannot say it must not hide the other
            refused += error.diagnostics
    return texts, refused


def _listed(diagnostics: list[Diagnostic]) -> list[dict[str, Any]]:
    return [diagnostic_json(one) for one in dict.fromkeys(diagnostics)]


LOOK: Final = Operation(
    name="look",
    title="Look at a text",
    description="Diagnostics, SPARQL, Cypher, the table and its picture.",
    takes=s.taken(s.TEXT_IN_LANGUAGE, "query", "language"),
    gives=s.given({"diagnostics": s.DIAGNOSTICS, "texts": s.TEXTS_BY_NAME, "picture": s.nullable(s.TEXT)}),
    work=look,
    example={"query": "ASK {}", "language": "sparql"},
)


def playground_routes(service: Service) -> tuple[Route, ...]:
    """The page at `/`, and what it asks while somebody types."""
    page = PAGE.read_text(encoding="utf-8")
    headers = {"Content-Security-Policy": content_policy(page), "Referrer-Policy": "no-referrer"}

    async def shown(_request: Request) -> Response:
        return HTMLResponse(page, headers=headers)

    return Route("/", shown), Route("/playground/look", posted_to(LOOK, service), methods=["POST"])


def content_policy(page: str) -> str:
    """Only the page's own script and styles, known by their hashes, and requests to where it came from."""
    allowed = {tag: " ".join(_hashes(page, tag)) for tag in ("script", "style")}
    return (
        f"default-src 'none'; script-src {allowed['script']}; style-src {allowed['style']}; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src data:"
    )


def _hashes(page: str, tag: str) -> list[str]:
    found = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
    return [f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in found]
