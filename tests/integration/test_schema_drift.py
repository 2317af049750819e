"""Schema drift: a fifth of the bundled graph's relations get names that say nothing.

Editing the lexicon alone brings every answer back. Without that, every question that needs a renamed relation is
refused, and what is missing is named: also where no word of it says the relation and the graph's shape would do.
"""

from __future__ import annotations

import random
import re
from functools import lru_cache
from pathlib import Path

import pytest

from uniqgen_ir.agents.propose import Proposal, Proposer
from uniqgen_ir.cli.main import main
from uniqgen_ir.driver import load_vocabulary
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.rows import Origin
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.visitor import walk
from uniqgen_ir.kg.linking.index import build_index
from uniqgen_ir.kg.load import BUNDLED_GRAPHS, load_graph

VOCABULARY = BUNDLED_GRAPHS["almanac"] / "almanac.cts"
SEEDS = (3, 13)
"""In 13 the containment of places is lost: the shape of the graph offers their capitals instead."""
SHARE = 0.2
QUESTIONS = (
    "Which drugs treat tetany?",
    "Which approved medicines treat gout?",
    "Which discontinued drugs treat tetany?",
    "Which US cities hosted the Olympics in February?",
    "Where were the 1998 Winter Olympics held?",
    "In which country is Cortina d'Ampezzo?",
    "When did the 1936 Summer Olympics open?",
    "Which cities in Japan hosted the Olympics?",
    "Which cities hosted both the Summer Olympics and the Winter Olympics?",
    "What is the capital of the country where the 1998 Winter Olympics were held?",
    "which Olympics followed the 1936 Summer Olympics?",
    "In which year did Tokyo host the Olympics?",
    "What body system does tetany affect?",
    "Who opened the games held in Moscow?",
    "Which currency is used in Japan?",
    "Which sports were included in the 1896 Summer Olympics?",
    "Which medicines have a boxed warning?",
    "Which drug class does losartan belong to?",
)


def declared() -> dict[str, str]:
    """Relation or property, as the schema writes it → the words that the schema has for it."""
    text = VOCABULARY.read_text(encoding="utf-8")
    return dict(re.findall(r'^  (?:relation|property) (\w+:\w+) "([^"]+)"', text, re.MULTILINE))


def renamed(seed: int) -> dict[str, str]:
    """A fifth of them → a name that says nothing, in the same namespace."""
    names = sorted(declared())
    chosen = random.Random(seed).sample(names, round(SHARE * len(names)))
    return {name: f"{name.partition(':')[0]}:x{place}z" for place, name in enumerate(chosen, 1)}


def full(name: str) -> str:
    prefixes = dict(re.findall(r"^prefix (\w+): <([^>]+)>", VOCABULARY.read_text(encoding="utf-8"), re.MULTILINE))
    prefix, _, local = name.partition(":")
    return prefixes[prefix] + local


def edited(seed: int) -> str:
    """The vocabulary with an edited lexicon: new names for old ones, and the words that the old names gave."""
    text = VOCABULARY.read_text(encoding="utf-8")
    start = text.index("lexicon almanac")
    schema, lexicon = text[:start], text[start:]
    for old, new in renamed(seed).items():
        lexicon = re.sub(rf"{re.escape(old)}\b", new, lexicon)
    lines = "".join(f'  synonym "{declared()[old]}" = {new}\n' for old, new in renamed(seed).items())
    head, _, body = lexicon.partition("{\n")
    return f"{schema}{head}{{\n{lines}{body}"


@lru_cache(maxsize=1)
def original() -> tuple[Fact, ...]:
    return tuple(load_graph(["almanac"]).graph)


def drifted(seed: int) -> Graph:
    names = {IRI(full(old)): IRI(full(new)) for old, new in renamed(seed).items()}
    return Graph((subject, names.get(predicate, predicate), object_) for subject, predicate, object_ in original())


class World:
    """A graph with a vocabulary: asks and answers in memory."""

    def __init__(self, graph: Graph, vocabulary: Path) -> None:
        self.graph = graph
        found = load_vocabulary([str(vocabulary)])
        assert found.schema is not None
        labels = load_graph(["almanac"]).label_predicates
        index = build_index(graph, schemas=(found.schema,), lexicons=found.lexicons, label_predicates=labels)
        self.proposer = Proposer(index)

    def ask(self, question: str) -> tuple[Proposal, set[object]]:
        proposal = self.proposer.propose(question)
        if proposal.table is None:
            return proposal, set()
        return proposal, {row[0] for row in evaluate(proposal.table, self.graph).rows}


@lru_cache(maxsize=1)
def before() -> dict[str, tuple[Proposal, set[object]]]:
    world = World(Graph(original()), VOCABULARY)
    return {question: world.ask(question) for question in QUESTIONS}


def uses(proposal: Proposal, seed: int) -> bool:
    """Whether the answer needs a renamed relation; rows that only the data suggests are additions."""
    assert proposal.table is not None
    names = {IRI(full(old)) for old in renamed(seed)}
    rows = [row for row in proposal.table.rows if row.note.origin is not Origin.PRAGMATIC or not row.note.sources]
    return any(one in names for row in rows for one in walk(row))


@pytest.mark.parametrize("seed", SEEDS)
def test_editing_the_lexicon_brings_every_answer_back(seed: int, tmp_path: Path) -> None:
    vocabulary = tmp_path / "edited.cts"
    vocabulary.write_text(edited(seed), encoding="utf-8")
    world = World(drifted(seed), vocabulary)
    for question in QUESTIONS:
        expected = before()[question][1]
        assert expected, question
        proposal, found = world.ask(question)
        assert found == expected, (question, proposal.abstained)


@pytest.mark.parametrize("seed", SEEDS)
def test_without_it_nothing_is_made_up_and_the_gap_is_named(seed: int) -> None:
    world = World(drifted(seed), VOCABULARY)
    needing = [question for question in QUESTIONS if uses(before()[question][0], seed)]
    assert needing, "the seed renames nothing that the questions need"
    refused: set[str] = set()
    for question in QUESTIONS:
        proposal, found = world.ask(question)
        if proposal.table is None:
            assert proposal.abstained is not None
            message = proposal.abstained.message
            said = re.findall(r'"([^"]+)"', message)
            gone = [full(old).rsplit("/", 1)[-1] for old in renamed(seed)]
            named = any(word.lower() in question.lower() for word in said) or any(one in message for one in gone)
            assert named, (question, message)
            refused.add(question)
        else:
            assert found == before()[question][1], question
    assert refused >= set(needing)
    # a word that only a lost relation explained (*used in*) may cost a question that can do without it
    assert len(refused - set(needing)) <= 1


def test_the_same_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seed = next(one for one in SEEDS if uses(before()[QUESTIONS[0]][0], one) or uses(before()[QUESTIONS[4]][0], one))
    question = next(one for one in (QUESTIONS[0], QUESTIONS[4]) if uses(before()[one][0], seed))
    graph, vocabulary = tmp_path / "drifted.nt", tmp_path / "edited.cts"
    graph.write_text("".join(f"{_nt(s)} {_nt(p)} {_nt(o)} .\n" for s, p, o in drifted(seed)), encoding="utf-8")
    vocabulary.write_text(edited(seed), encoding="utf-8")
    asked = ["ask", question, "--lang", "sparql", "--graph", str(graph)]
    assert main([*asked, "--schema", str(VOCABULARY)]) == 1
    assert "UQ669" in capsys.readouterr().err
    assert main([*asked, "--schema", str(vocabulary)]) == 0


def _nt(term: object) -> str:
    if isinstance(term, Literal):
        text = term.lexical.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        suffix = f"@{term.language}" if term.language else f"^^<{term.datatype}>"
        return f'"{text}"{suffix}'
    assert isinstance(term, IRI)
    return f"<{term.value}>"
