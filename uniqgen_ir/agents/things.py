"""What the words of a question were taken for, as the outside sees it."""

from __future__ import annotations

from attrs import frozen

from uniqgen_ir.ir.terms import GroundTerm, Literal
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import Mention, MentionKind


@frozen
class LinkedThing:
    """Words of the question and what they were taken for: `entity`, `value` or `class`."""

    text: str
    kind: str
    term: GroundTerm | None
    label: str
    score: float


def thing_of(mention: Mention, index: GraphIndex) -> LinkedThing:
    """A mention as the outside sees it."""
    if mention.kind is MentionKind.CLASS:
        entry = index.classes[mention.classes[0]]
        return LinkedThing(mention.text, mention.kind.value, entry.iri, entry.label, mention.score)
    if mention.kind is MentionKind.VALUE:
        return LinkedThing(mention.text, mention.kind.value, None, mention.text, mention.score)
    node = mention.nodes[0]
    term = index.terms[node]
    kind = "value" if isinstance(term, Literal) else mention.kind.value
    return LinkedThing(mention.text, kind, term, index.labels[node], mention.score)
