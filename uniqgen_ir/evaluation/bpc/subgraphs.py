"""Each question's neighbourhood in the form that the field passes around: question, topic entities, triples by name.

Each line has `id`, `question`, `answer`, `q_entity`, `a_entity`, and `graph`: a list of `[subject, relation, object]`.
Files of that form are read by `uniqgen_ir.kg.subgraphs`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from uniqgen_ir.agents.traverse.outlook import topics_of
from uniqgen_ir.evaluation.bpc.gold import answer_nodes
from uniqgen_ir.evaluation.bpc.study import Task, World
from uniqgen_ir.evaluation.datasets import GoldQuestion
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.values import to_json
from uniqgen_ir.ir.vocabulary import RDFS_LABEL
from uniqgen_ir.kg.formats import RELATION_NAMESPACE, entity_of_name, relation_of_name
from uniqgen_ir.kg.linking.index import GraphIndex, build_index
from uniqgen_ir.kg.subgraphs import read_subgraphs


def subgraph(task: Task) -> dict[str, Any]:
    """The line of one question. Entities are told by their labels where no other has the same, else by their IRIs.

    So are answers that the neighbourhood has, so that they can be found there.
    """
    gold, index = task.gold, task.world.index
    found = answer_nodes(gold.answers or (), task.within, index)
    named = {answer: _name(index, nodes[0]) for answer, nodes in found.items()}
    topics = {node for topic in topics_of(task.linked, index) for node in topic.nodes}
    return {
        "id": gold.id,
        "question": gold.question,
        "answer": list(dict.fromkeys(named.get(answer, answer) for answer in gold.answers or ())),
        "q_entity": [_name(index, node) for node in sorted(topics)],
        "a_entity": list(dict.fromkeys(named[answer] for answer in gold.answers or () if answer in named)),
        "graph": [list(one) for one in sorted(set(_triples(task.within, index)))],
    }


def own_worlds(name: str) -> Callable[[GoldQuestion], World]:
    """The graph of each record of a file of subgraphs. Raises DiagnosticError (UQ627, UQ674)."""
    graphs = read_subgraphs(name)

    def world_of(gold: GoldQuestion) -> World:
        return World.of(build_index(graphs[gold.id], label_predicates=(IRI(RDFS_LABEL),)))

    return world_of


def _triples(within: frozenset[int], index: GraphIndex) -> Iterator[tuple[str, str, str]]:
    """Every edge between two nodes of the neighbourhood."""
    for node in sorted(within):
        for directed, target in index.adjacency.edges(node):
            if directed % 2 == 0 and target in within:
                yield _name(index, node), _relation(index, directed // 2), _name(index, target)


def _name(index: GraphIndex, node: int) -> str:
    label, term = index.labels[node], index.terms[node]
    # a label that only repeats the end of an IRI is no name: read back, it would stand for another thing
    named = not (isinstance(term, IRI) and term.value.endswith(label)) and len(index.lookup(label)) <= 1
    return label if named or term == entity_of_name(label) else str(to_json(term))


def _relation(index: GraphIndex, number: int) -> str:
    """Its name where names are all that the graph has, else its IRI."""
    iri = index.relations[number].iri
    name = unquote(iri.value.removeprefix(RELATION_NAMESPACE))
    return name if relation_of_name(name) == iri else iri.value


def write_subgraphs(name: str, tasks: Iterable[Task]) -> int:
    """Write the lines of all questions; returns how many. Raises DiagnosticError (UQ650)."""
    count = 0
    try:
        with Path(name).open("w", encoding="utf-8") as file:
            for task in tasks:
                file.write(json.dumps(subgraph(task), ensure_ascii=False) + "\n")
                count += 1
    except OSError as error:
        raise fail("UQ650", f"cannot write {name}: {error.strerror}") from error
    return count
