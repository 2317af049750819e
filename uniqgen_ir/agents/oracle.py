"""Reference answers without a model: from the offline evidence, or from what a person knows.

The offline rule is written down in `docs/decisions/offline-oracle.md`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from uniqgen_ir.agents.plans import Plan, evaluate_legs
from uniqgen_ir.agents.tables import PlannedTable
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity, fail
from uniqgen_ir.ir.protocols import ReferenceAnswer, Store
from uniqgen_ir.ir.references import references_from_text
from uniqgen_ir.ir.rows import Origin, Row, Triple
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Variable
from uniqgen_ir.ir.vocabulary import XSD_STRING
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.neighbourhood_adjacency import forward, reverse

TEMPERATURE: Final = 0.8
"""How fast the weight of a reading falls with its cost."""
MOST_REFERENCES: Final = 50
"""How many reference answers are given; a partial list is enough to test rows."""
LEAST_CONFIDENCE: Final = 0.05


def evidence(plans: Sequence[Plan]) -> dict[int, float]:
    """Candidate answer of the best reading → the share of the readings, weighted by cost, that give it too.

    Only rows that the question says and that the graph's shape asks for stand behind it, never an implied one.
    """
    best = plans[0]
    weights = [math.exp((best.cost - plan.cost) / TEMPERATURE) for plan in plans]
    total = sum(weights)
    return {
        node: sum(weight for plan, weight in zip(plans, weights, strict=True) if node in plan.answers) / total
        for node in best.answers
    }


def vouched(support: Mapping[int, float], habits: Sequence[frozenset[int]]) -> dict[int, float]:
    """The candidates that the evidence vouches for, where habits of speech split them.

    A habit is given by the candidates that keep it. One that no candidate keeps says nothing. Candidates that break one
    are vouched for only if the evidence for them is stronger than for every candidate that keeps it.
    """
    kept = dict(support)
    for keepers in habits:
        strongest = max((support[node] for node in keepers if node in support), default=None)
        if strongest is not None:
            kept = {node: value for node, value in kept.items() if node in keepers or support[node] > strongest + 1e-9}
    return kept


def keepers(plan: Plan, planned: PlannedTable, row: Row, index: GraphIndex) -> frozenset[int]:
    """The answers of the plan that also meet an implied row."""
    atom = row.atom
    place = (
        planned.places.get(atom.subject) if isinstance(atom, Triple) and isinstance(atom.subject, Variable) else None
    )
    if place is None or not isinstance(atom, Triple) or row.where is not None or isinstance(atom.object, Variable):
        return plan.answers  # a row of another shape: it splits nothing that can be seen here
    relation = next((number for number, one in enumerate(index.relations) if one.iri == atom.predicate), None)
    end = index.number(atom.object) if isinstance(atom.object, IRI | Literal) else None
    if relation is None or end is None:
        return frozenset()
    meeting = frozenset(index.adjacency.image((end,), reverse(forward(relation))))
    return plan.answers & evaluate_legs(index, plan.legs, {place: meeting}, separate=plan.separate)


def offline_references(plans: Sequence[Plan], planned: PlannedTable, index: GraphIndex) -> tuple[ReferenceAnswer, ...]:
    """The reference answers that the offline evidence vouches for, strongest first; at most 50.

    Only a lexicon's habits are presumed. A row that the data suggests (it names the rows that it was made from) has to
    stand the test of every candidate.
    """
    implied = [row for row in planned.table.rows if row.note.origin is Origin.PRAGMATIC and not row.note.sources]
    habits = [keepers(plans[0], planned, row, index) for row in implied]
    chosen = _comparable(vouched(evidence(plans), habits), planned, index)
    ordered = sorted(chosen.items(), key=lambda item: (-item[1], item[0]))[:MOST_REFERENCES]
    return tuple(
        ReferenceAnswer((index.terms[node],), max(LEAST_CONFIDENCE, min(1.0, round(value, 4))))
        for node, value in ordered
    )


def _comparable(chosen: dict[int, float], planned: PlannedTable, index: GraphIndex) -> dict[int, float]:
    """Where a largest or smallest value is asked for, only the candidates that have the value take part."""
    extreme = planned.table.shell.extreme
    values = [row.atom for row in planned.table.rows if isinstance(row.atom, Triple)]
    if extreme is None or extreme.variables != (planned.answer,):
        return chosen
    compared = next((atom for atom in values if atom.object == extreme.by and atom.subject == planned.answer), None)
    relation = next((n for n, one in enumerate(index.relations) if compared and one.iri == compared.predicate), None)
    if relation is None:
        return chosen
    return {node: value for node, value in chosen.items() if index.adjacency.follow(node, forward(relation))}


@frozen
class OfflineOracle:
    """Gives the reference answers that were worked out while the question was read."""

    references: tuple[ReferenceAnswer, ...]

    def reference_answers(self, question: str, table: Table, store: Store) -> tuple[ReferenceAnswer, ...]:  # noqa: ARG002
        return self.references


@frozen
class FileOracle:
    """Gives what a person wrote down: a partial list, names or IRIs, with confidences if they like."""

    references: tuple[ReferenceAnswer, ...]
    diagnostics: tuple[Diagnostic, ...] = ()

    def reference_answers(self, question: str, table: Table, store: Store) -> tuple[ReferenceAnswer, ...]:  # noqa: ARG002
        return self.references


def file_oracle(path: str, index: GraphIndex, preferred: Collection[int] = ()) -> FileOracle:
    """The oracle of a file of reference answers. Raises DiagnosticError (UQ650, UQ655)."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise fail("UQ650", f"the file of reference answers {path} cannot be read: {error}") from error
    return resolve_references(references_from_text(text, path), index, preferred)


def resolve_references(
    references: Sequence[ReferenceAnswer], index: GraphIndex, preferred: Collection[int] = ()
) -> FileOracle:
    """Reference answers with names turned into what they name.

    Of several things with one name, one in `preferred` (the answers of the literal reading) is taken first, a thing
    before a literal. Names of nothing are left out with a warning.
    """
    found: list[ReferenceAnswer] = []
    diagnostics: list[Diagnostic] = []
    chosen = frozenset(preferred)
    for reference in references:
        key: list[GroundTerm] = []
        for term in reference.key:
            resolved, diagnostic = _resolve(term, index, chosen)
            diagnostics += [evolve(diagnostic, span=reference.span)] if diagnostic is not None else []
            key += [resolved] if resolved is not None else []
        if len(key) == len(reference.key):
            found.append(evolve(reference, key=tuple(key)))
    return FileOracle(tuple(found), tuple(diagnostics))


def _resolve(
    term: GroundTerm, index: GraphIndex, preferred: frozenset[int]
) -> tuple[GroundTerm | None, Diagnostic | None]:
    number = index.number(term)
    if number is not None and (number in preferred or not isinstance(term, Literal)):
        return term, None
    if isinstance(term, Literal):
        return _resolve_name(term, index, preferred)
    shown = term.value if isinstance(term, IRI) else term.label
    return None, _unknown(shown)


def _resolve_name(
    literal: Literal, index: GraphIndex, preferred: frozenset[int]
) -> tuple[GroundTerm | None, Diagnostic | None]:
    if literal.datatype != XSD_STRING and index.number(literal) is not None:
        return literal, None
    nodes = index.lookup(literal.lexical)
    ordered = sorted(nodes, key=lambda node: (node not in preferred, isinstance(index.terms[node], Literal), node))
    if not ordered:
        return None, _unknown(literal.lexical)
    best = ordered[0]
    things = [node for node in ordered if isinstance(index.terms[node], IRI | BlankNode)]
    if best in preferred or len(things) <= 1:
        return index.terms[best], None
    message = f'"{literal.lexical}" names {len(things)} things; taking {index.terms[best]}'
    return index.terms[best], Diagnostic("UQ664", message, severity=Severity.WARNING, hint="give its IRI")


def _unknown(name: str) -> Diagnostic:
    message = f'the reference answer "{name}" names nothing in the graph and is left out'
    return Diagnostic("UQ663", message, severity=Severity.WARNING, hint="give a name that the graph has, or an IRI")
