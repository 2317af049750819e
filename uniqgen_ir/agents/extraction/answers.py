"""The model as oracle: which of the candidates in G' are right, asked once or several times, "cannot tell" allowed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from attrs import frozen

from uniqgen_ir.agents.llm.client import ChatModel
from uniqgen_ir.agents.llm.errors import ModelError
from uniqgen_ir.agents.llm.messages import Json, Request
from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.agents.prompting import Prompts, one_line
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.terms import IRI, BlankNode, Literal
from uniqgen_ir.kg.lexicon_words import tokenize
from uniqgen_ir.kg.linking.index import GraphIndex

MOST_CANDIDATES: Final = 40
FACTS: Final = 4
"""How many facts are told about a candidate."""
AGREED: Final = 0.5
"""The share of the samples that must choose an answer, and that must be able to tell at all."""
LEAST_CONFIDENCE: Final = 0.05
SAMPLING_TEMPERATURE: Final = 0.7
"""The temperature of repeated samples; a single one is asked for at 0."""


@frozen
class Candidate:
    """A possible answer with what the graph says about it."""

    id: str
    term: IRI | Literal
    label: str
    kind: str | None
    facts: tuple[str, ...]


@frozen
class Judgement:
    """What the model vouches for; empty, with `reason`, where it cannot tell."""

    references: tuple[ReferenceAnswer, ...]
    reason: str | None = None


def candidates_of(
    nodes: Sequence[int], question: str, index: GraphIndex, matcher: RelationMatcher
) -> tuple[Candidate, ...]:
    """The first candidates among the nodes, each with the facts that the question's words are nearest to."""
    tokens = [token for token in tokenize(question) if token.content]
    likely = [matcher.scores([token]).similarity for token in tokens]

    def likeness(relation: int) -> float:
        key = matcher.key_of(relation)
        return max((one.get(key, 0.0) for one in likely), default=0.0)

    found: list[Candidate] = []
    for node in nodes:
        term = index.terms[node]
        if len(found) < MOST_CANDIDATES and not isinstance(term, BlankNode):  # no query can name a blank node
            facts = _facts(index, node, likeness)
            found.append(Candidate(f"a{len(found) + 1}", term, one_line(index.labels[node]), _kind(index, node), facts))
    return tuple(found)


def _kind(index: GraphIndex, node: int) -> str | None:
    number = index.smallest_class((node,))
    return None if number is None else index.classes[number].label


def _facts(index: GraphIndex, node: int, likeness: Callable[[int], float]) -> tuple[str, ...]:
    """Relation and other end, the likeliest relations first, one fact for each."""
    ends: dict[int, int] = {}
    for directed, target in index.adjacency.edges(node):
        ends.setdefault(directed, target)
    ordered = sorted(ends, key=lambda directed: (-likeness(directed // 2), directed))[:FACTS]
    told: list[str] = []
    for directed in ordered:
        name, other = index.relations[directed // 2].label, one_line(index.labels[ends[directed]], 40)
        told.append(f'{name}: "{other}"' if directed % 2 == 0 else f'{name} of "{other}"')
    return tuple(told)


def schema_of(candidates: Collection[Candidate]) -> dict[str, Any]:
    """The JSON schema of a choice among candidates."""
    chosen = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "enum": [one.id for one in candidates]},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        },
        "required": ["id", "confidence"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "verdict": {"type": "string", "enum": ["some are right", "cannot tell"]},
            "answers": {"type": "array", "items": chosen, "maxItems": len(candidates)},
            "reason": {"type": "string"},
        },
        "required": ["verdict", "answers", "reason"],
        "additionalProperties": False,
    }


def judge(
    question: str, candidates: Sequence[Candidate], left_out: int, model: ChatModel, prompts: Prompts, samples: int = 1
) -> Judgement:
    """What the model vouches for over several samples. Raises ModelError where every sample failed."""
    messages = prompts.messages("choose", {"question": question, "candidates": candidates, "left_out": left_out})
    schema = schema_of(candidates)
    temperature = SAMPLING_TEMPERATURE if samples > 1 else 0.0
    requests = [
        Request("choose answers", messages, schema, temperature=temperature, sample=number) for number in range(samples)
    ]
    given = model.complete_all(requests)
    failed = [one for one in given if isinstance(one, ModelError)]
    if len(failed) == len(given):
        raise failed[0]
    return _agreement([one for one in given if not isinstance(one, ModelError)], candidates)


def _agreement(given: Sequence[Json], candidates: Sequence[Candidate]) -> Judgement:
    """The answers that at least half of the samples choose; their confidence is the mean over all samples."""
    able = [one for one in given if one["verdict"] != "cannot tell" and one["answers"]]
    if len(able) < AGREED * len(given) or not able:
        return Judgement((), next((str(one["reason"]) for one in given if one not in able), None))
    found: list[ReferenceAnswer] = []
    for candidate in candidates:
        # a sample that names one twice means it once, as surely as the surer time
        named = [[one["confidence"] for one in each["answers"] if one["id"] == candidate.id] for each in able]
        sure = [max(one) for one in named if one]
        if sure and len(sure) >= AGREED * len(able):
            mean = sum(sure) / len(able)
            found.append(ReferenceAnswer((candidate.term,), max(LEAST_CONFIDENCE, round(min(1.0, mean), 4))))
    found.sort(key=lambda one: -one.confidence)
    return Judgement(tuple(found), None if found else "the samples do not agree on any answer")
