"""The schema of a library, and what the tests of the gate ask of a query against it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from uniqgen_ir.ir.diagnostics import Severity
from uniqgen_ir.validate.gate import check
from uniqgen_ir.validate.report import Report
from uniqgen_ir.validate.schema_sources import vocabulary_of_json

SCHEMA: Final[Mapping[str, Any]] = {
    "nodes": {
        "Author": {"name": "STRING", "born": "INTEGER"},
        "Translator": {"name": "STRING", "languages": "LIST<STRING>"},
        "Book": {"title": "STRING", "pages": "INTEGER", "printed": "DATE", "price": "FLOAT", "inPrint": "BOOLEAN"},
        "Subject": {"name": "STRING"},
        "Reader": {"card": "STRING", "name": "STRING", "joined": "DATETIME"},
    },
    "rels": [
        {"type": "WROTE", "from": "Author", "to": "Book", "props": {"share": "FLOAT"}},
        {"type": "TRANSLATED", "from": "Translator", "to": "Book", "props": {}},
        {"type": "ABOUT", "from": "Book", "to": "Subject", "props": {}},
        {"type": "BROADER", "from": "Subject", "to": "Subject", "props": {}},
        {"type": "BORROWED", "from": "Reader", "to": "Book", "props": {"days": "INTEGER", "remarks": "LIST<STRING>"}},
        {"type": "KNOWS", "from": "Author", "to": "Author", "props": {"since": "INTEGER"}},
    ],
    "multi_labels": [["Author", "Translator"]],
}
VOCABULARY: Final = vocabulary_of_json(SCHEMA)


def judged(query: str, *, dialect: str | None = "neo4j", **options: Any) -> Report:
    """The report on a Cypher query over the library."""
    return check(query, language="cypher", schema=VOCABULARY, dialect=dialect, **options)


def kinds(report: Report, severity: Severity) -> set[str]:
    """The kinds of fault of one severity."""
    return {one.kind for one in report.diagnostics if one.severity is severity}


def refused(query: str, kind: str, fixed: str | None = None, **options: Any) -> None:
    """The query has errors of this kind, and only of this; it is mended to `fixed` (None: not at all)."""
    report = judged(query, **options)
    assert kinds(report, Severity.ERROR) == {kind}, [one.render() for one in report.diagnostics]
    assert report.fixed_query == fixed


def warned(query: str, kind: str) -> None:
    """The query may be sent, with a warning of this kind."""
    report = judged(query)
    assert report.valid, [one.render() for one in report.diagnostics]
    assert kinds(report, Severity.WARNING) == {kind}


def silent(query: str, **options: Any) -> None:
    """There is nothing to say about the query."""
    assert judged(query, **options).diagnostics == ()
