"""Reading text in any of the languages into tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Severity, errors, fail
from uniqgen_ir.ir.table import Table

if TYPE_CHECKING:
    from uniqgen_ir.ir.mapping import Mapping

_ENDINGS: Final = {
    ".ctable": "ctable",
    ".json": "json",
    ".sparql": "sparql",
    ".rq": "sparql",
    ".cypher": "cypher",
    ".cyp": "cypher",
    ".cql": "cypher",
}


@frozen
class ReadOutcome:
    """A table, and the warnings that came with it."""

    table: Table
    diagnostics: tuple[Diagnostic, ...] = ()


def language_of(name: str) -> str:
    """The language that a file's ending stands for. Raises DiagnosticError (UQ653)."""
    ending = Path(name).suffix.lower()
    if ending not in _ENDINGS:
        raise fail(
            "UQ653",
            f"cannot tell the language of {name} from its ending",
            hint=f"give --from, or one of the endings {', '.join(_ENDINGS)}",
        )
    return _ENDINGS[ending]


def read(
    text: str,
    language: str,
    source: str = "<input>",
    *,
    unbounded: str | None = None,
    mapping: Mapping | None = None,
    parallel: Callable[[str], bool] | None = None,
) -> ReadOutcome:
    """Read one table from text in `ctable`, `json`, `sparql` or `cypher`.

    `unbounded` says what to do with paths without a bound: `refuse`, `allow` or `bound:N`; None is the language's own
    default. `mapping` says what the labels, types and properties of a Cypher query stand for. `parallel` is that of the
    graph that the query is run on (`KnowledgeGraph.parallel`).

    Raises DiagnosticError with everything that is wrong.
    """
    match language:
        case "ctable":
            return _read_ctable(text, source, unbounded or "refuse")
        case "json":
            return _read_json(text)
        case "sparql":
            return _read_sparql(text, source, unbounded or "allow")
        case "cypher":
            return _read_cypher(text, source, unbounded or "refuse", mapping, parallel)
        case _:
            raise fail("UQ653", f"there is no language {language}", hint="ctable, json, sparql or cypher")


def _read_ctable(text: str, source: str, unbounded: str) -> ReadOutcome:
    from uniqgen_ir.grammar.ctable import read_table

    result = read_table(text, source, allow_unbounded=unbounded == "allow")
    return _outcome(result.table, (*result.diagnostics, *_left_out(result.tables)))


def _left_out(tables: Sequence[Table]) -> tuple[Diagnostic, ...]:
    """A warning where a file has more tables than the one that is taken."""
    if len(tables) < 2:
        return ()
    others = ", ".join(one.name for one in tables[1:])
    message = f"the table {tables[0].name} is taken; left out: {others}"
    hint = "give each table a file of its own"
    return (Diagnostic("UQ658", message, tables[1].span, severity=Severity.WARNING, hint=hint),)


def _read_json(text: str) -> ReadOutcome:
    import json

    from uniqgen_ir.ir.codec import from_json

    try:
        return ReadOutcome(from_json(json.loads(text)))
    except json.JSONDecodeError as error:
        raise fail("UQ650", f"the input is not JSON: {error.msg} in line {error.lineno}") from error


def _read_sparql(text: str, source: str, unbounded: str) -> ReadOutcome:
    from uniqgen_ir.grammar.sparql import read_sparql

    result = read_sparql(text, source, unbounded=unbounded)
    return _outcome(result.table, result.diagnostics)


def _read_cypher(
    text: str, source: str, unbounded: str, mapping: Mapping | None, parallel: Callable[[str], bool] | None
) -> ReadOutcome:
    from uniqgen_ir.grammar.cypher import read_cypher

    result = read_cypher(text, source, mapping=mapping, unbounded=unbounded, parallel=parallel)
    return _outcome(result.table, result.diagnostics)


def _outcome(table: Table | None, diagnostics: Sequence[Diagnostic]) -> ReadOutcome:
    if table is None or errors(diagnostics):
        raise DiagnosticError(diagnostics)
    return ReadOutcome(table, tuple(diagnostics))
