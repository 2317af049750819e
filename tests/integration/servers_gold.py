"""Gold questions over Freebase for tests on servers: those whose gold SPARQL gives the gold answers here."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from attrs import frozen

from uniqgen_ir.driver import read
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.protocols import Answers, Store
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.values import to_json
from uniqgen_ir.ir.visitor import walk
from uniqgen_ir.ir.vocabulary import RDF_TYPE
from uniqgen_ir.kg.load import iter_facts

DATA = Path(__file__).parents[2].parent / "shared" / "data"
SETS = ("webqsp_test", "cwq_test", "grailqa_1000")
GRAPH = [str(DATA / "kg" / f"freebase_mini{part}.nt.gz") for part in ("", ".types")]
_FREEBASE = "http://rdf.freebase.com/ns/"


@frozen
class Question:
    """One question: its table and the plain forms of its answers."""

    id: str
    table: Table
    answers: frozenset[str | float]


def questions(name: str, sample: int | None = None) -> list[Question]:
    """The exact questions of one set, or some of them, always the same."""
    exact = set(json.loads((DATA / "kg" / f"freebase_mini.{name}.exact_ids.json").read_text(encoding="utf-8")))
    with gzip.open(DATA / "questions" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        found = [one for one in map(json.loads, lines) if one["id"] in exact and one.get("sparql")]
    chosen = found if sample is None else random.Random(7).sample(found, sample)
    return [_question(one) for one in chosen]


def _question(record: dict[str, Any]) -> Question:
    table = read(record["sparql"], "sparql").table
    return Question(record["id"], table, frozenset(map(_plain, record["answers"])))


def _plain(value: Any) -> str | float:
    text = str(value).removeprefix(_FREEBASE)
    try:
        return float(text)
    except ValueError:
        return text


def facts_for(asked: Iterable[Question]) -> Iterator[Fact]:
    """The facts of all predicates, and of all classes, that the questions name: enough for the same answers."""
    names = {one for question in asked for one in walk(question.table) if isinstance(one, IRI)}
    classes = {IRI(RDF_TYPE), IRI(f"{_FREEBASE}type.object.type")}
    return (one for one in iter_facts(GRAPH) if (one[2] in names if one[1] in classes else one[1] in names))


def wrong(store: Store, asked: Iterable[Question], timeout: float = 20.0) -> list[str]:
    """The ids of questions that are not answered, or wrongly, each with why."""
    found: list[str] = []
    for question in asked:
        try:
            answers = store.select(question.table, timeout=timeout)
        except DiagnosticError as error:
            found.append(f"{question.id}: {error}")
            continue
        if _first_column(answers) != question.answers:
            found.append(f"{question.id}: {len(answers.rows)} rows")
    return found


def _first_column(answers: Answers) -> frozenset[str | float]:
    return frozenset(_plain(to_json(row[0])) for row in answers.rows)
