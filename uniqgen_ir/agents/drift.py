"""Schema drift: what the vocabulary speaks of and the graph has no more."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.agents.expectation import Expectation
from uniqgen_ir.agents.matching import LONGEST_SPAN
from uniqgen_ir.agents.plans import Plan
from uniqgen_ir.agents.tables import PlannedTable
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.ir.rows import Origin, Triple
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.kg.lexicon_words import local_name, stem
from uniqgen_ir.kg.linking_index import AbsentRelation, GraphIndex, stems_of
from uniqgen_ir.kg.linking_mentions import LinkedQuestion, positions_of

_SAMPLE: Final = 30
_HINT: Final = "let the lexicon name the relation that the graph has now"


def renamed_relation(best: Plan, linked: LinkedQuestion, expected: Expectation, index: GraphIndex) -> Diagnostic | None:
    """The refusal of a question whose words are, as a whole, the name of a declared relation that has gone.

    Words of names and values, of the class that is asked for, and labels of classes are not asked about.
    """
    if not index.absent:
        return None
    used = [*(one for one in (*linked.entities, *linked.values) if one.strong), *(leg.mention for leg in best.legs)]
    used += [expected.class_mention] if expected.class_mention is not None else []
    taken, labels = positions_of(used), {stems_of(one.label) for one in index.classes}
    for length in range(LONGEST_SPAN, 0, -1):
        for start in range(len(linked.tokens) - length + 1):
            span = linked.tokens[start : start + length]
            if taken & set(range(start, start + length)) or not any(token.content for token in span):
                continue
            name = " ".join(stem(token.lower) for token in span)
            gone = index.absent.get(name)
            if gone is not None and name not in labels and _concerns(gone, best, index):
                said = " ".join(token.text for token in span)
                message = f'"{said}" is {_name(gone.iri)} by the vocabulary, and the graph has no such relation'
                return Diagnostic("UQ669", message, severity=Severity.WARNING, hint=_HINT)
    return None


def _concerns(gone: AbsentRelation, best: Plan, index: GraphIndex) -> bool:
    """Whether the relation is one of things that the reading goes through: *used in* says many things."""
    sets = [best.answers, *(nodes for one in best.legs for nodes in one.leg.sets)]
    nodes = {node for one in sets for node in sorted(one)[:_SAMPLE]}
    classes = {index.classes[number].iri for node in nodes for number in index.classes_of.get(node, ())}
    return not gone.classes or not classes.isdisjoint(gone.classes)


def unsupported_habit(planned: PlannedTable, index: GraphIndex) -> Diagnostic | None:
    """The refusal of a reading to which a habit adds a row that can match nothing."""
    gone = frozenset(one.iri for one in index.absent.values())
    for row in planned.table.rows:
        atom = row.atom
        if row.note.origin is Origin.PRAGMATIC and isinstance(atom, Triple) and atom.predicate in gone:
            assert isinstance(atom.predicate, IRI)
            reason = row.note.reason or row.id
            message = f'the lexicon says "{reason}", and the graph has no relation {_name(atom.predicate)}'
            return Diagnostic("UQ669", message, severity=Severity.WARNING, hint=_HINT)
    return None


def _name(iri: IRI) -> str:
    return local_name(iri.value)
