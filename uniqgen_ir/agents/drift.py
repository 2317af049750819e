"""Schema drift: what the vocabulary speaks of and the graph has no more."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from uniqgen_ir.agents.expectation import Expectation
from uniqgen_ir.agents.matching import LONGEST_SPAN
from uniqgen_ir.agents.plans import Plan
from uniqgen_ir.agents.tables import PlannedTable
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.ir.rows import Origin, Triple
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.vocabulary import XSD_BOOLEAN, XSD_STRING
from uniqgen_ir.kg.lexicon_words import local_name, stem
from uniqgen_ir.kg.linking.index import AbsentRelation, GraphIndex, Relation, stems_of
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, positions_of

_SAMPLE: Final = 30
_NAMED: Final = 3
_PLAIN: Final = frozenset({XSD_STRING, XSD_BOOLEAN})
"""Types whose values say by themselves what they are values of: *approved*, *true*."""
_HINT: Final = "let the lexicon name the relation that the graph has now"


def renamed_relation(best: Plan, linked: LinkedQuestion, expected: Expectation, index: GraphIndex) -> Diagnostic | None:
    """The refusal of a question whose words are, as a whole, the name of a declared relation that has gone.

    Words of names and values, of the class that is asked for, and labels of classes are not asked about.
    """
    if not index.absent:
        return None
    used = [*linked.anchors, *(leg.mention for leg in best.legs)]
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


def unsaid_relation(best: Plan, index: GraphIndex) -> Diagnostic | None:
    """The refusal of a reading with a relation that no word says, where the graph and its vocabulary fell apart.

    Once relations are gone that the vocabulary declares, and others are there that it does not know, the shape of the
    graph is no evidence any more: an unsaid relation may be any of them.
    """
    if not index.absent or not index.undeclared:
        return None
    for leg in best.legs:
        for place, (hop, span) in enumerate(zip(leg.leg.hops, leg.alignment.spans, strict=True)):
            if span or leg.mention.relation == hop.relation:
                continue
            gone = _gone_like(hop.relation, leg.leg.sets[place], leg.leg.sets[place + 1], index)
            if hop.relation in index.undeclared or gone:
                return _unsaid(index.relations[hop.relation].iri, gone or sorted(_names_gone(index)))
    return None


def _gone_like(relation: int, start: Collection[int], end: Collection[int], index: GraphIndex) -> list[str]:
    """The relations that are gone and that could have stood in the place of one between these and those.

    Being a part of something needs no word; a value needs none for its property, unless another property has such
    values, too.
    """
    used = index.relations[relation]
    if used.depth:
        return []
    sides = [_classes_of(start, index), _classes_of(end, index)]
    fitting = (
        one
        for one in index.absent.values()
        if (_fits_value(one, used, sides) if used.literal else _fits_things(one, sides))
    )
    return sorted({_name(one.iri) for one in fitting})


def _fits_value(gone: AbsentRelation, used: Relation, sides: Sequence[set[IRI]]) -> bool:
    alike = gone.datatype in used.datatypes and gone.datatype not in _PLAIN
    return alike and (not gone.classes or any(gone.classes[0] in side for side in sides))


def _fits_things(gone: AbsentRelation, sides: Sequence[set[IRI]]) -> bool:
    one, other = sides
    ends = gone.classes
    return len(ends) == 2 and ((ends[0] in one and ends[1] in other) or (ends[0] in other and ends[1] in one))


def _classes_of(nodes: Collection[int], index: GraphIndex) -> set[IRI]:
    return {index.classes[number].iri for node in sorted(nodes)[:_SAMPLE] for number in index.classes_of.get(node, ())}


def _names_gone(index: GraphIndex) -> set[str]:
    return {_name(one.iri) for one in index.absent.values()}


def _unsaid(used: IRI, gone: Sequence[str]) -> Diagnostic:
    lost = ", ".join(gone[:_NAMED]) + (", …" if len(gone) > _NAMED else "")
    message = f"no word says {_name(used)}, and the graph lacks relations of the vocabulary that may be meant: {lost}"
    return Diagnostic("UQ669", message, severity=Severity.WARNING, hint=_HINT)


def _concerns(gone: AbsentRelation, best: Plan, index: GraphIndex) -> bool:
    """Whether the relation is one of things that the reading goes through: *used in* says many things."""
    sets = [best.answers, *(nodes for one in best.legs for nodes in one.leg.sets)]
    classes = set[IRI]().union(*(_classes_of(one, index) for one in sets))
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
