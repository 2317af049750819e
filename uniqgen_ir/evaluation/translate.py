"""A gold query as cleaned SPARQL and as Cypher, run on both, with the reason where something does not work."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from attrs import define, field

from uniqgen_ir.driver import KnowledgeGraph, check, compile_table, read, run_table
from uniqgen_ir.evaluation.datasets import GoldQuestion
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, errors
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.rows import SubTable
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import BlankNode, GroundTerm
from uniqgen_ir.ir.values import canonical, to_json
from uniqgen_ir.ir.visitor import walk_rows

Record = dict[str, Any]

ENGINES: Final = {"sparql": "oxigraph", "cypher": "ladybug"}
"""What runs each language."""

STATUSES: Final = ("same", "translated", "tied", "different", "failed", "refused", "no query")
"""What can become of a record, best first.

`translated`: in both languages, not run; `tied`: a limit without a total order let the engines pick differently.
"""

_FREEBASE: Final = "http://rdf.freebase.com/ns/"


@define
class Translator:
    """Translates records; with a graph that has sources, runs them, too. The same record always gives the same line."""

    graph: KnowledgeGraph
    dialect: str = "cypher"
    timeout: float | None = 20.0
    bound: int = 8
    _warnings: list[Diagnostic] = field(factory=list[Diagnostic], init=False)
    _errors: list[Record] = field(factory=list[Record], init=False)

    def line(self, gold: GoldQuestion) -> Record:
        """One line of the result: `id`, `question`, `status`, `sparql`, `cypher`, `warnings`, `errors`.

        When run, also `rows` (their number on each engine), `same`, and `gold`: whether SPARQL gave the gold answers,
        None where there are none.
        """
        self._warnings, self._errors = [], []
        line: Record = {"id": gold.id, "question": gold.question, "status": "no query", "sparql": None, "cypher": None}
        if gold.sparql is None:
            message = "the record has no SPARQL"
            self._errors.append({"stage": "read", "code": "UQ673", "message": message})
        else:
            self._translate(gold.sparql, gold.answers, line)
        warned = dict.fromkeys((one.code, one.message) for one in self._warnings)
        line["warnings"] = [{"code": code, "message": message} for code, message in warned]
        line["errors"] = self._errors
        return line

    def _translate(self, text: str, gold: tuple[str, ...] | None, line: Record) -> None:
        line["status"] = "refused"
        table = self._read(text, "allow", "read")
        if table is None:
            return
        line["sparql"] = self._sparql(table)
        bounded, line["cypher"] = self._cypher(text, table)
        if line["sparql"] is None or line["cypher"] is None:
            return
        line["status"] = "translated"
        if self.graph.sources:
            found = {"sparql": self._run(table, "sparql"), "cypher": self._run(bounded, "cypher")}
            compared, disagreement = compare(table, found, gold)
            line |= compared
            self._errors += disagreement

    def _read(self, text: str, unbounded: str, stage: str) -> Table | None:
        try:
            outcome = read(text, "sparql", "<gold>", unbounded=unbounded)
            self._warnings += [*outcome.diagnostics, *check(outcome.table)]
        except DiagnosticError as error:
            self._fail(stage, error)
            return None
        return outcome.table

    def _sparql(self, table: Table) -> str | None:
        try:
            return compile_table(table, "sparql", self.graph).text
        except DiagnosticError as error:
            self._fail("sparql", error)
            return None

    def _cypher(self, text: str, table: Table) -> tuple[Table, Record | None]:
        """The Cypher, and the table that it says: paths without a bound get one."""
        try:
            query = compile_table(table, self.dialect, self.graph)
        except DiagnosticError as error:
            if any(one.code == "UQ504" for one in error.diagnostics) and self.bound:
                bound, self.bound = self.bound, 0
                try:
                    again = self._read(text, f"bound:{bound}", "cypher")
                    return (table, None) if again is None else self._cypher(text, again)
                finally:
                    self.bound = bound
            self._fail("cypher", error)
            return table, None
        return table, {"query": query.text, "params": dict(query.params), "columns": list(query.columns)}

    def _run(self, table: Table, language: str) -> Answers | None:
        try:
            return run_table(table, self.graph, ENGINES[language], timeout=self.timeout)
        except DiagnosticError as error:
            self._fail(f"run {language}", error)
            return None

    def _fail(self, stage: str, error: DiagnosticError) -> None:
        first = next(iter(errors(error.diagnostics)), error.diagnostics[0])
        self._errors.append({"stage": stage, "code": first.code, "message": first.message})


def compare(
    table: Table, found: dict[str, Answers | None], gold: tuple[str, ...] | None
) -> tuple[Record, list[Record]]:
    """What a line says of the answers in `sparql` and `cypher` (None: that run failed), and of their disagreement."""
    rows = {language: None if one is None else len(one.rows) for language, one in found.items()}
    sparql, cypher = found["sparql"], found["cypher"]
    right = None if gold is None or sparql is None else _plain(sparql) == {_short(one) for one in gold}
    if sparql is None or cypher is None:
        return {"status": "failed", "rows": rows, "same": None, "gold": right}, []
    same = _bag(sparql, table) == _bag(cypher, table)
    if not same and _has_slice(table) and rows["sparql"] == rows["cypher"]:
        return {"status": "tied", "rows": rows, "same": None, "gold": right}, []
    line = {"status": "same" if same else "different", "rows": rows, "same": same, "gold": right}
    message = f"{rows['sparql']} answers from SPARQL and {rows['cypher']} from Cypher, and they differ"
    return line, [] if same else [{"stage": "compare", "code": "UQ672", "message": message}]


def _bag(answers: Answers, table: Table) -> object:
    rows = [tuple(_comparable(cell) for cell in row) for row in answers.rows]
    return frozenset(rows) if table.shell.distinct else Counter(rows)


def _comparable(cell: GroundTerm | None) -> object:
    # the label of a blank node means nothing outside its store
    return "blank" if isinstance(cell, BlankNode) else None if cell is None else canonical(cell)


def _has_slice(table: Table) -> bool:
    """Whether a limit or offset picks among the answers, here or in a table inside."""
    shell = table.shell
    if shell.limit is not None or shell.offset:
        return True
    return any(isinstance(row.atom, SubTable) and _has_slice(row.atom.table) for row in walk_rows(table.rows))


def _plain(answers: Answers) -> set[str | float]:
    """The first column as data sets write answers: identifiers without their namespace, numbers by value."""
    return {_short(to_json(row[0])) for row in answers.rows if row and row[0] is not None}


def _short(value: object) -> str | float:
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value).removeprefix(_FREEBASE)
    try:
        return float(text)
    except ValueError:
        return text
