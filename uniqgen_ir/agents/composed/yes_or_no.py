"""Questions for yes or no: read as *which …* without the thing that they ask about, then asked of that thing.

*Did X act in Y?* is read as *which acted in Y?*. Whether X is among the answers plays no part in choosing the reading,
so that *no* is found by the same rule as *yes*; X must be of the kind of the answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from uniqgen_ir.agents.composed.reading import Composed, Reading, ReadPlain, words_of
from uniqgen_ir.agents.plans import Plan
from uniqgen_ir.agents.tables import PlannedTable
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.rows import Origin, Row
from uniqgen_ir.ir.table import Form, Shell
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.visitor import rewrite
from uniqgen_ir.kg.lexicon_words import QUESTION_WORDS
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, Mention, MentionKind

AUXILIARIES: Final = frozenset({"is", "are", "was", "were", "does", "do", "did", "has", "have", "had"})
_ARTICLES: Final = frozenset({"the", "a", "an"})
_SOME: Final = frozenset({"any", "a", "an", "some"})


def asks_yes_or_no(linked: LinkedQuestion) -> str | None:
    """The first word if the question asks for yes or no (*is … a man or a woman* asks for one of two)."""
    words = [token.lower for token in linked.tokens]
    if not words or words[0] not in AUXILIARIES or "or" in words or QUESTION_WORDS & set(words):
        return None
    return linked.tokens[0].text


def read_yes_or_no(linked: LinkedQuestion, index: GraphIndex, read: ReadPlain) -> Composed | Diagnostic | None:
    """The question as a table that is true or false; None where it is of another kind or its subject is not found."""
    if asks_yes_or_no(linked) is None:
        return None
    words = [token.lower for token in linked.tokens]
    if words[1:2] == ["there"]:
        rest = linked.tokens[3:] if words[2:3] and words[2] in _SOME else linked.tokens[2:]
        found = read(f"which {words_of(rest)}")
        return found if isinstance(found, Diagnostic) else Composed(_asked(found.planned), (found,), settled=True)
    subject = _subject(linked)
    if subject is None or subject.end >= len(words):
        return None
    predicate = words_of(linked.tokens[subject.end :])
    found = read(f"which {predicate}")
    if isinstance(found, Reading) and ((plain := _of_subject(subject, found, index)) is not None or _is_said(found)):
        return plain
    kind = index.smallest_class(subject.nodes[:1])
    if kind is None:
        return found if isinstance(found, Diagnostic) else None
    narrowed = read(f"which {index.classes[kind].label} {predicate}")
    return narrowed if isinstance(narrowed, Diagnostic) else _of_subject(subject, narrowed, index)


def _is_said(found: Reading) -> bool:
    """Whether words say every relation of a reading: if it does not fit the subject, no other one will."""
    return all(span for one in found.best.legs for span in one.alignment.spans)


def _of_subject(subject: Mention, found: Reading, index: GraphIndex) -> Composed | None:
    """The reading asked of the one thing, where it can be one of the answers."""
    node = next((one for one in subject.nodes if _is_of_their_kind(one, found.best, index)), None)
    table = found.planned.table
    if node is None or table.shell != Shell() or table.columns != (found.planned.answer,):
        return None
    term = index.terms[node]
    if not isinstance(term, IRI | Literal):
        return None
    return Composed(_asked(_about(found.planned, term)), (found,), settled=True)


def _subject(linked: LinkedQuestion) -> Mention | None:
    """The name right after the first word, an article or a class between them aside."""
    start = 1
    if start < len(linked.tokens) and linked.tokens[start].lower in _ARTICLES:
        start += 1
    for mention in linked.entities:
        between = range(start, mention.start)
        classes = {place for one in linked.classes for place in one.positions}
        if mention.kind is MentionKind.ENTITY and mention.relation is None and set(between) <= classes:
            following = linked.tokens[mention.end : mention.end + 1]
            return None if following and following[0].possessive else mention
    return None


def _is_of_their_kind(node: int, plan: Plan, index: GraphIndex) -> bool:
    """Whether a thing could be an answer: it has a class of theirs, or the relation that leads to them."""
    if node in plan.answers:
        return True
    own = set(index.classes_of.get(node, ()))
    if own:
        return any(own & set(index.classes_of.get(one, ())) for one in sorted(plan.answers)[:50])
    used = {directed for directed, _ in index.adjacency.edges(node)}
    return all(one.leg.hops[-1].directed ^ 1 in used for one in plan.legs)


def _about(planned: PlannedTable, term: IRI | Literal) -> PlannedTable:
    rows: Sequence[Row] = [
        rewrite(row, lambda one: term if isinstance(one, Variable) and one == planned.answer else one)
        for row in planned.table.rows
    ]
    return evolve(planned, table=planned.table.with_rows(rows))


def _asked(planned: PlannedTable) -> PlannedTable:
    # what is so does not depend on what people usually mean
    rows = [row for row in planned.table.rows if row.note.origin is not Origin.PRAGMATIC]
    table = evolve(planned.table, head=(), rows=tuple(rows), shell=Shell(form=Form.ASK))
    return evolve(planned, table=table)
