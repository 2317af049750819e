"""Negations: what a plain question gives, less what another one gives.

*Which stations in N are not managed by S?* is *which stations in N?* less *which stations are managed by S?*; *which
modules have no prerequisite?* is *which modules?* less those for which the relation leads anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve, frozen

from uniqgen_ir.agents.composed.lacking import LACKING, inside, lacks_value, said_relation
from uniqgen_ir.agents.composed.reading import Composed, Reading, ReadPlain, renamed, words_of
from uniqgen_ir.agents.expectation import expectation
from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.agents.tables import free_id
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator
from uniqgen_ir.ir.rows import Filter, NotBlock, Origin, Row, RowNote, Triple, TypeAtom
from uniqgen_ir.ir.table import Shell
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Variable
from uniqgen_ir.ir.visitor import fresh_variable, variables_in_order, walk_rows
from uniqgen_ir.kg.lexicon_words import NEGATIONS, Token
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, Mention, positions_of

_TWO_SIDED: Final = frozenset({"neither", "nor"})
_WEAK: Final = frozenset({"a", "an", "any", "the", "t", "have", "has", "had", "having", "ever", "yet", "been"})
_LINKING: Final = frozenset({"but", "and", "that", "who", "which", "do", "does", "did", "is", "are", "was", "were"})
_AUXILIARIES: Final = _LINKING | {"have", "has", "had"}


def negation(linked: LinkedQuestion) -> str | None:
    """The first word of the question, outside names, that negates something."""
    place = _negating(linked, NEGATIONS)
    return None if place is None else linked.tokens[place].text


def _negating(linked: LinkedQuestion, words: frozenset[str]) -> int | None:
    named = positions_of(linked.anchors)
    # a negation that belongs to a true-or-false property is understood
    flags = {place for one in linked.values if one.relation is not None for place in range(one.start - 3, one.start)}
    found = (place for place, token in enumerate(linked.tokens) if token.lower in words)
    return next((place for place in found if place not in named and place not in flags), None)


@frozen
class _Cut:
    """A question around its negation: what is said before it, the class of the answers, what is negated."""

    base: tuple[Token, ...]
    answer_class: Mention
    negated: tuple[Token, ...]


def read_negation(
    linked: LinkedQuestion, index: GraphIndex, matcher: RelationMatcher, read: ReadPlain
) -> Composed | Diagnostic | None:
    """The question as what is left of a plain one; None where it negates nothing or in a way that is not read."""
    refused: Diagnostic | None = None
    for cut in _cuts(linked):
        base = read(words_of(cut.base))
        if isinstance(base, Diagnostic):
            refused = refused or base
        elif base.best.answer_classes:  # where anything may be an answer, nobody can tell what is none
            found = _lacking(base, cut, linked, index, matcher, read)
            if isinstance(found, Composed):
                return found
            refused = refused or found
    return refused


def _cuts(linked: LinkedQuestion) -> list[_Cut]:
    """How the question may fall apart: the words right before the negation belong to what is said, or are negated.

    None where nothing is negated, or twice, or where no class is asked for.
    """
    place = _negating(linked, NEGATIONS | LACKING)
    mention = expectation(linked).class_mention
    if place is None or mention is None or mention.end > place or linked.tokens[place].lower in _TWO_SIDED:
        return []
    before, rest = linked.tokens[:place], linked.tokens[place + 1 :]
    while rest and rest[0].lower in _WEAK:
        rest = rest[1:]
    if not rest or any(token.lower in NEGATIONS | LACKING for token in rest):
        return []
    subject = next((one for one in linked.entities if one.strong and one.end == place), None)
    if subject is not None and linked.tokens[subject.start - 1].lower in _AUXILIARIES:
        # *which films did X not direct*: all of it is negated
        return [_Cut(before[: mention.end], mention, (*before[mention.end :], *rest))]
    named = [one.end for one in linked.anchors if one.end <= place]
    end = max([mention.end, *named])
    said = _stripped(before[end:])
    cuts = [_Cut((*before[:end], *said), mention, rest)]
    return [*cuts, _Cut(before[:end], mention, (*said, *rest))] if said else cuts


def _stripped(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens without the auxiliaries at their end."""
    kept = list(tokens)
    while kept and kept[-1].lower in _AUXILIARIES:
        kept.pop()
    return tuple(kept)


def _lacking(
    base: Reading, cut: _Cut, linked: LinkedQuestion, index: GraphIndex, matcher: RelationMatcher, read: ReadPlain
) -> Composed | Diagnostic | None:
    names = [one for one in linked.anchors if inside(one, cut.negated, linked)]
    if len(names) > 1:
        return None  # *not managed by X in Y* can be read in two ways
    name = names[0] if names else None
    if name is not None and name.nodes[0] in base.best.answers:
        return _but_one(base, index.terms[name.nodes[0]], name)
    text = _positive(cut, name, linked)
    other = None if text is None else read(text)
    if isinstance(other, Reading) and other.planned.table.shell == Shell() and other.best.legs:
        rows = [row for row in other.planned.table.rows if row.note.origin is not Origin.PRAGMATIC]
        answer = other.planned.answer
        kept = [row for row in rows if not (isinstance(row.atom, TypeAtom) and row.atom.subject == answer)]
        block = renamed(kept, {answer: base.planned.answer}, base.planned.table.rows)
        return _less(base, block, other.best.answers, words_of(cut.negated), (base, other), index)
    lacking = _without_relation(base, cut, linked, index, matcher) if name is None else None
    return lacking or (other if isinstance(other, Diagnostic) else None)


def _positive(cut: _Cut, name: Mention | None, linked: LinkedQuestion) -> str | None:
    """The plain question for what is negated: with a verb of its own, or with that of the name before (*but not X*)."""
    asked = linked.tokens[cut.answer_class.start : cut.answer_class.end]
    named = () if name is None else name.positions
    own = [token for token in cut.negated if token.content and linked.tokens.index(token) not in named]
    if name is None or own:
        return f"which {words_of(asked)} {words_of(cut.negated)}"
    before = [one for one in linked.anchors if one.end <= len(cut.base)]
    if not before:
        return None
    last = max(before, key=lambda one: one.start)
    swapped = (*cut.base[: last.start], *linked.tokens[name.start : name.end], *cut.base[last.end :])
    return words_of(swapped)


def _but_one(base: Reading, term: GroundTerm, name: Mention) -> Composed | None:
    """The answers other than one of them, which is named: *except X*."""
    if not isinstance(term, IRI | Literal):
        return None
    planned = base.planned
    taken = {row.id for row in walk_rows(planned.table.rows)}
    differs = Filter(Comparison(ComparisonOperator.NOT_EQUAL, planned.answer, term))
    row = Row(free_id("other", taken), differs, note=RowNote(Origin.EXPLICIT, reason=f'not "{name.text}"'))
    left = base.best.answers - {name.nodes[0]}
    references = tuple(one for one in base.references if one.key[0] != term)
    table = planned.table.with_rows((*planned.table.rows, row))
    return Composed(evolve(planned, table=table), (base,), references, left, settled=not references)


def _without_relation(
    base: Reading, cut: _Cut, linked: LinkedQuestion, index: GraphIndex, matcher: RelationMatcher
) -> Composed | None:
    """The answers for which a relation, said by the words of the negated part, leads nowhere."""
    found = said_relation(cut.negated, linked, base.best, index, matcher)
    if found is None:
        return None
    directed, holders = found
    if index.relations[directed // 2].literal and not lacks_value(linked, index.relations[directed // 2]):
        return None
    other = fresh_variable("other", {one for row in base.planned.table.rows for one in variables_in_order(row)})
    answer, relation = base.planned.answer, index.relations[directed // 2].iri
    atom = Triple(other, relation, answer) if directed % 2 else Triple(answer, relation, other)
    return _less(base, (Row("lacked", atom),), holders, words_of(cut.negated), (base,), index)


def _less(
    base: Reading,
    block: tuple[Row, ...],
    gone: frozenset[int],
    said: str,
    readings: tuple[Reading, ...],
    index: GraphIndex,
) -> Composed:
    """The base without what the block gives."""
    planned, references = base.planned, base.references
    spoken = {_about(row, planned.answer) for row in block}
    habits = [
        row
        for row in planned.table.rows
        if row.note.origin is Origin.PRAGMATIC and _about(row, planned.answer) in spoken
    ]
    if habits:  # what the question says is what it means
        planned = evolve(planned, table=planned.table.with_rows(row for row in planned.table.rows if row not in habits))
        references = ()
    taken = {row.id for row in walk_rows(planned.table.rows)}
    row = Row(
        free_id("not", {*taken, *(row.id for row in block)}),
        NotBlock(block),
        note=RowNote(Origin.EXPLICIT, reason=f'not "{said}"'),
    )
    table = planned.table.with_rows((*planned.table.rows, row))
    left = base.best.answers - gone
    references = tuple(one for one in references if index.number(one.key[0]) in left)
    return Composed(evolve(planned, table=table), readings, references, left, settled=not references)


def _about(row: Row, answer: Variable) -> object:
    """The predicate that a row says of the answers, None where it is no such row."""
    atom = row.atom
    return atom.predicate if isinstance(atom, Triple) and atom.subject == answer else row.id
