"""The topic entities of a question: those that the data set names, otherwise those that linking finds."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.linker import link
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, Mention, MentionKind, best_first


def linked_topics(question: str, names: Sequence[str], index: GraphIndex) -> LinkedQuestion:
    """The question with its topics as the only entities, where the data set names them and the graph has them."""
    linked = link(question, index)
    given = [(name, best_first(index, name, index.lookup(name))) for name in names]
    found = tuple(_mention(linked, name, nodes) for name, nodes in given if nodes)
    return evolve(linked, entities=found) if found else linked


def _mention(linked: LinkedQuestion, name: str, nodes: tuple[int, ...]) -> Mention:
    """The mention that means one of these nodes; without one, a mention behind the last word."""
    known = next((one for one in linked.entities if set(one.nodes) & set(nodes)), None)
    if known is not None:
        return evolve(known, nodes=nodes[:1], strong=True)
    # two topics behind the last word are told apart by their places
    place = len(linked.tokens) + nodes[0]
    return Mention(MentionKind.ENTITY, place, place, name, nodes[:1])
