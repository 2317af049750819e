"""Each question's neighbourhood in the form that the field passes around: question, topic entities, triples by name.

Each line has `id`, `question`, `answer`, `q_entity`, `a_entity`, and `graph`: a list of `[subject, relation, object]`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from uniqgen_ir.agents.traverse.outlook import topics_of
from uniqgen_ir.evaluation.bpc.study import Task
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.values import to_json
from uniqgen_ir.kg.linking_index import GraphIndex


def subgraph(task: Task, index: GraphIndex) -> dict[str, Any]:
    """The line of one question. Entities are told by their labels where no other has the same, else by their IRIs."""
    gold = task.gold
    answers = [answer for answer in gold.answers or () if set(index.lookup(answer)) & task.within]
    topics = {node for topic in topics_of(task.linked, index) for node in topic.nodes}
    return {
        "id": gold.id,
        "question": gold.question,
        "answer": list(gold.answers or ()),
        "q_entity": [_name(index, node) for node in sorted(topics)],
        "a_entity": answers,
        "graph": [list(one) for one in _triples(task.within, index)],
    }


def _triples(within: frozenset[int], index: GraphIndex) -> Iterator[tuple[str, str, str]]:
    """Every edge between two nodes of the neighbourhood, in the order of their numbers."""
    for node in sorted(within):
        for directed, target in index.adjacency.edges(node):
            if directed % 2 == 0 and target in within:
                relation = index.relations[directed // 2].iri.value
                yield _name(index, node), relation, _name(index, target)


def _name(index: GraphIndex, node: int) -> str:
    label = index.labels[node]
    return label if len(index.lookup(label)) <= 1 else str(to_json(index.terms[node]))


def write_subgraphs(name: str, tasks: Iterable[Task], index: GraphIndex) -> int:
    """Write the lines of all questions; returns how many. Raises DiagnosticError (UQ650)."""
    count = 0
    try:
        with Path(name).open("w", encoding="utf-8") as file:
            for task in tasks:
                file.write(json.dumps(subgraph(task, index), ensure_ascii=False) + "\n")
                count += 1
    except OSError as error:
        raise fail("UQ650", f"cannot write {name}: {error.strerror}") from error
    return count
