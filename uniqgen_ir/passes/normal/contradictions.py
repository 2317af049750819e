"""Rows that can never hold together: conditions that exclude each other, classes that share no instance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from attrs import frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Related
from uniqgen_ir.ir.rows import Filter, Row, TypeAtom
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.suggestions import local_name
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.passes.normal.bounds import bounds_of, contradiction
from uniqgen_ir.passes.normal.conditions import FALSE
from uniqgen_ir.passes.normal.rule import RuleResult, Settings


@frozen
class Finding:
    """Rows of a table (by id) that exclude one another, and why. `one`: what is said where a single row is enough."""

    code: str
    rows: tuple[str, ...]
    reason: str
    one: str

    def message(self, names: tuple[str, ...]) -> str:
        """The sentence about these rows."""
        return self.one.format(names[0]) if len(names) == 1 else f"rows {' and '.join(names)} {self.reason}"


class Contradiction(Exception):
    """No graph gives the table an answer. Becomes a DiagnosticError once the smallest set of rows is known."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__(findings)
        self.findings = findings


def refuse_contradictions(table: Table, settings: Settings) -> RuleResult:
    """Raises Contradiction where conditions, or classes that the schema keeps apart, can never hold together."""
    for row in table.rows:
        if row.where == FALSE or (isinstance(row.atom, Filter) and row.atom.condition == FALSE):
            raise Contradiction(_never_true(row.id))
    found = contradiction(bounds_of(table.rows))
    if found is not None:
        names = tuple(dict.fromkeys(bound.row for bound in found))
        reason = "contradict each other: no value satisfies them together"
        one = f"the conditions of row {{}} {reason}"
        raise Contradiction(Finding("UQ401", names, reason, one))
    apart = next(disjoint_rows(table.rows, settings.index), None)
    if apart is not None:
        raise Contradiction(apart)
    return table, ()


def _never_true(name: str) -> Finding:
    return Finding(
        "UQ401",
        (name,),
        "contradict each other: a condition is never true",
        "the condition of row {} is never true",
    )


def disjoint_rows(rows: Iterable[Row], index: SchemaIndex | None) -> Iterator[Finding]:
    """Rows that put one node into classes without a common instance; a class that can have none is enough by itself."""
    if index is None or not index.disjoint_pairs:
        return
    typed = [(row, row.atom.subject, row.atom.type) for row in rows if isinstance(row.atom, TypeAtom)]
    typed = [one for one in typed if isinstance(one[2], IRI)]
    for row, _, class_ in typed:
        assert isinstance(class_, IRI)
        if index.declared_disjoint(class_, class_) is not None:
            name = local_name(class_.value)
            yield Finding("UQ402", (row.id,), "", f"row {{}} asks for {name}, which by the schema has no instance")
    for (row, subject, class_), (other, second, another) in combinations(typed, 2):
        assert isinstance(class_, IRI)
        assert isinstance(another, IRI)
        if subject == second and index.never_both(class_, another):
            both = f"{local_name(class_.value)} and {local_name(another.value)}"
            reason = f"ask for a node that is both {both}, which the schema keeps apart"
            yield Finding("UQ402", (row.id, other.id), reason, f"row {{}} asks for a node that is both {both}")


def refusal(table: Table, found: Contradiction, contradicts: Callable[[Table], bool]) -> DiagnosticError:
    """The diagnostic with a minimal set of the table's rows: without any one of them `contradicts` is false."""
    names = minimal_rows(table, found, contradicts)
    rows = [table.row(name) for name in names]
    finding = found.findings[0]
    if len(found.findings) > 1:
        message = f"no branch can hold: {'; '.join(one.message(one.rows) for one in found.findings)}"
        if len(rows) > 1:
            message = f"rows {' and '.join(names)} contradict each other: {message}"
    else:
        message = finding.message(names)
    related = tuple(Related(f"row {row.id}", row.span) for row in rows[1:] if row.span is not None)
    return DiagnosticError((Diagnostic(finding.code, message, rows[0].span or table.span, related=related),))


def minimal_rows(table: Table, found: Contradiction, contradicts: Callable[[Table], bool]) -> tuple[str, ...]:
    """The rows as written that are enough for the contradiction, none of them needless (deletion, one test a row)."""
    named = {name for one in found.findings for name in one.rows}
    # a cheap guess first: what the finding names; rows were rewritten since, so it need not be enough
    guess = [row.id for row in table.rows if row.id in named]
    names = guess if guess and contradicts(table.only(guess)) else [row.id for row in table.rows]
    for name in tuple(names):
        rest = [one for one in names if one != name]
        if rest and contradicts(table.only(rest)):
            names = rest
    return tuple(names)
