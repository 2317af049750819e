"""Questions on the bundled graph, and on real graphs where they are there, answered in memory."""

from __future__ import annotations

import gzip
import json
from functools import lru_cache
from pathlib import Path

import pytest

from uniqgen_ir.agents.propose import Proposal, Proposer
from uniqgen_ir.driver import load_vocabulary
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.rows import Origin
from uniqgen_ir.kg.linking.index import build_index
from uniqgen_ir.kg.load import BUNDLED_GRAPHS, load_graph

SHARED = Path(__file__).parents[3] / "shared" / "data"


@lru_cache(maxsize=1)
def almanac() -> tuple[Graph, Proposer]:
    loaded = load_graph(["almanac"])
    vocabulary = load_vocabulary([str(BUNDLED_GRAPHS["almanac"] / "almanac.cts")])
    assert vocabulary.schema is not None
    index = build_index(
        loaded.graph,
        schemas=(vocabulary.schema,),
        lexicons=vocabulary.lexicons,
        label_predicates=loaded.label_predicates,
    )
    return loaded.graph, Proposer(index)


def answers(proposal: Proposal) -> set[str]:
    graph, proposer = almanac()
    assert proposal.table is not None, proposal.abstained
    index = proposer.index
    found = [row[0] for row in evaluate(proposal.table, graph).rows]
    return {index.labels[index.numbers[term]] if term in index.numbers else str(term) for term in found if term}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which drugs treat tetany?", {"calcium gluconate", "calcium chloride"}),
        ("What medications are used for tetany?", {"calcium gluconate", "calcium chloride"}),
        ("What treats tetany?", {"calcium gluconate", "calcium chloride"}),
        ("Which US cities hosted the Olympics in February?", {"Lake Placid", "Squaw Valley", "Salt Lake City"}),
        ("American towns that held Winter Games in February", {"Lake Placid", "Squaw Valley", "Salt Lake City"}),
        ("Where were the 1998 Winter Olympics held?", {"Nagano"}),
        ("In which country is Cortina d'Ampezzo?", {"Italy"}),
        ("When did the 1936 Summer Olympics open?", {"1936-08-01"}),
        ("Which discontinued drugs treat tetany?", {"calcium gluceptate", "dihydrotachysterol"}),
        ("Which cities in Japan hosted the Olympics?", {"Tokyo", "Sapporo", "Nagano"}),
        ("Which cities hosted both the Summer Olympics and the Winter Olympics?", {"Beijing"}),
        ("Which city hosted the first Winter Olympics?", {"Chamonix"}),
        ("What is the capital of the country where the 1998 Winter Olympics were held?", {"Tokyo"}),
        ("which Olympics followed the 1936 Summer Olympics?", {"1948 Summer Olympics"}),
        ("In which year did Tokyo host the Olympics?", {"1964", "2020"}),
        ("What body system does tetany affect?", {"nervous system", "musculoskeletal system"}),
        ("Who opened the games held in Moscow?", {"Leonid Brezhnev"}),
    ],
)
def test_questions_on_the_bundled_graph(question: str, expected: set[str]) -> None:
    assert answers(almanac()[1].propose(question)) == expected


def test_approved_is_implied_and_said_to_be() -> None:
    proposal = almanac()[1].propose("Which drugs treat tetany?")
    assert proposal.table is not None
    row = proposal.table.row("approved")
    assert row.note.origin is Origin.PRAGMATIC
    assert row.note.reason
    said = almanac()[1].propose("Which approved medicines treat gout?")
    assert said.table is not None
    assert all(row.note.origin is not Origin.PRAGMATIC for row in said.table.rows)


@pytest.mark.parametrize("question", ["Which medicines treat flurbitosis?", "zxqv?", "Who painted calcium gluconate?"])
def test_it_abstains_from_what_it_cannot_link_or_read(question: str) -> None:
    proposal = almanac()[1].propose(question)
    assert proposal.table is None
    assert proposal.abstained is not None
    assert proposal.abstained.message


@pytest.mark.parametrize(
    ("question", "code", "named"),
    [
        ("What is the median number of athletes at Winter Olympics?", "UQ666", "median"),
        ("Which gamma blockers treat hypertension?", "UQ660", "blockers"),
        ("Which medicines treat hypertension or get withdrawn in 1999 or gout?", "UQ666", "or"),
        ("Which medicines contain both amlodipine and valsartan?", "UQ661", "valsartan"),
        ("Which medicines treat gout, malaria and unicornitis?", "UQ661", "malaria"),
        ("Which city hosted the 2013 Summer Olympics?", "UQ661", "2013"),
        ("Where were the 2040 Olympics held?", "UQ660", "2040"),
        ("Who opened the Games in Narnia?", "UQ661", "Narnia"),
        ("Which Games were opened by Adolf Hitler in Paris?", "UQ661", "Paris"),
        ("Who is the president of the United States?", "UQ660", "president"),
        ("What is the population of Tokyo?", "UQ660", "population"),
        ("How old is Tokyo?", "UQ660", "old"),
        ("Which countries border France?", "UQ660", "border"),
        ("Which side effects does aspirin have?", "UQ660", "side"),
        ("Who won the 100 m at the 1988 Summer Olympics?", "UQ660", "won"),
        ("Welche Medikamente behandeln Gicht?", "UQ666", "English"),
        ("Is aspirin as good as losartan?", "UQ666", "Is"),
        ("Does unicornium treat gout?", "UQ666", "Does"),
        ("Which medicines treat neither gout nor malaria?", "UQ666", "neither"),
        ("Which medicines treat obesity and gout and malaria and fever and obesity and gout?", "UQ661", "medicines"),
        ("Which medicines treat gout " + "and gout " * 1_000 + "?", "UQ666", "characters"),
        ("Which medicines treat gout " + "and gout " * 30 + "?", "UQ666", "words"),
    ],
)
def test_what_a_question_says_is_not_left_out_silently(question: str, code: str, named: str) -> None:
    proposal = almanac()[1].propose(question)
    assert proposal.table is None
    assert proposal.abstained is not None
    assert (proposal.abstained.code, named in proposal.abstained.message) == (code, True), proposal.abstained


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which city hosted the most Olympics?", {"Paris", "London"}),
        ("Which Winter Olympics had the most nations?", {"2018 Winter Olympics"}),
        ("Which Games had the most athletes?", {"2000 Summer Olympics"}),
    ],
)
def test_superlatives_count_or_compare_what_they_name(question: str, expected: set[str]) -> None:
    assert answers(almanac()[1].propose(question)) == expected


@pytest.mark.parametrize(
    ("questions", "graph", "floor"),
    [
        ("pathquestion_pq2h", "pq_2h", 0.9),
        ("pathquestion_pq3h", "pq_3h", 0.9),
        ("wc2014_wc_p1", "wc2014", 0.9),
        ("wc2014_wc_p2", "wc2014", 0.9),
        ("wc2014_wc_c", "wc2014", 0.9),
    ],
)
def test_mean_f1_on_real_graphs(questions: str, graph: str, floor: float) -> None:
    source = SHARED / "questions" / f"{questions}.jsonl.gz"
    if not source.exists():
        pytest.skip(f"{source} is not there: the shared data lies beside the checkout")
    loaded = load_graph([str(SHARED / "kg" / f"{graph}.tsv.gz")])
    index = build_index(loaded.graph, label_predicates=loaded.label_predicates)
    proposer = Proposer(index)
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        records = [record for record in map(json.loads, lines) if record.get("kg_exact", True)][7::40]
    total = 0.0
    for record in records:
        said = {index.labels[node].lower() for node in proposer.propose(record["question"]).candidates}
        gold = {answer.lower() for answer in record["answers"]}
        total += 2 * len(gold & said) / (len(gold) + len(said))
    assert total / len(records) >= floor
