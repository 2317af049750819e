"""Questions with gold queries, as they are published: WebQSP, ComplexWebQuestions, GrailQA, GraphQuestions, JSON lines.

The published files are one JSON document each; ours are JSON lines. Each ending may be followed by `.gz`.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias, cast

from attrs import frozen

from uniqgen_ir.ir.diagnostics import DiagnosticError, fail

Json: TypeAlias = Any
Record: TypeAlias = dict[str, Any]


@frozen
class GoldQuestion:
    """One record: a question, its gold query, and its gold answers.

    Answers are identifiers (`m.0f2v0`), values or names, as the data set gives them; None where it gives none.
    `groups` are what figures are broken down by (`level`, `hops`, …); `names` are what the question names, if the data
    set says so; `exact` is False where the data set says that its graph does not hold these answers.
    """

    id: str
    question: str
    sparql: str | None
    answers: tuple[str, ...] | None = None
    groups: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    exact: bool = True


@frozen
class Dataset:
    """A data set: its form (`webqsp`, `cwq`, `grailqa`, `graphquestions`, `lines`), records in order, and content."""

    form: str
    questions: tuple[GoldQuestion, ...]
    content_hash: str


def read_dataset(name: str) -> Dataset:
    """The records of a file. Raises DiagnosticError: UQ650 where it cannot be read, UQ670 for an unknown form."""
    data = _bytes(name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise fail("UQ650", f"{name} is not UTF-8 text: {error.reason} at byte {error.start}") from error
    form, questions = _parsed(text, name)
    seen: set[str] = set()
    for one in questions:
        if one.id in seen:
            raise fail("UQ670", f"{name} has two records with the id {one.id}")
        seen.add(one.id)
    if not questions:
        raise fail("UQ670", f"{name} holds no record")
    return Dataset(form, questions, hashlib.sha256(data).hexdigest())


def _bytes(name: str) -> bytes:
    try:
        data = Path(name).read_bytes()
        return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise fail("UQ650", f"{name} is a broken gzip file: {error}") from error
    except OSError as error:
        raise fail("UQ650", f"cannot read {name}: {error.strerror}") from error


def _parsed(text: str, name: str) -> tuple[str, tuple[GoldQuestion, ...]]:
    if name.lower().removesuffix(".gz").endswith(".jsonl"):
        return "lines", tuple(_lines(text, name))
    try:
        document: Json = json.loads(text)
    except json.JSONDecodeError as error:
        raise fail("UQ670", f"{name} is not JSON: {error.msg} in line {error.lineno}") from error
    form, records = _form(document, name)
    read = _READERS[form]
    return form, tuple(one for place, record in enumerate(records, 1) for one in _read(read, record, name, place))


def _form(document: Json, name: str) -> tuple[str, list[Json]]:
    """Which data set it is, by the keys of its first record."""
    if isinstance(document, dict) and isinstance(document.get("Questions"), list):  # pyright: ignore[reportUnknownMemberType]
        return "webqsp", cast("list[Json]", document["Questions"])
    records: list[Json] = list(document) if isinstance(document, list) else []  # pyright: ignore[reportUnknownArgumentType]
    first: Json = records[0] if records else None
    if isinstance(first, dict):
        keys = set(cast(Record, first))
        if {"ID", "sparql"} <= keys:
            return "cwq", records
        if {"qid", "sparql_query"} <= keys or {"qid", "graph_query"} <= keys:
            return "grailqa" if "s_expression" in keys else "graphquestions", records
        if {"id", "question"} <= keys:
            return "records", records
    hint = "WebQSP, ComplexWebQuestions, GrailQA and GraphQuestions as published, or .jsonl with id and sparql"
    raise fail("UQ670", f"{name} is not a data set that is known", hint=hint)


def _lines(text: str, name: str) -> Iterator[GoldQuestion]:
    for place, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            record: Json = json.loads(line)
        except json.JSONDecodeError as error:
            raise fail("UQ670", f"line {place} of {name} is not JSON: {error.msg}") from error
        yield from _read(_own, record, name, place)


Reader: TypeAlias = Callable[[Record], Iterator[GoldQuestion]]


def _read(read: Reader, record: Json, name: str, place: int) -> list[GoldQuestion]:
    try:
        return list(read(record))
    except DiagnosticError:
        raise
    except (KeyError, TypeError, AttributeError) as error:
        what = f"has no {error}" if isinstance(error, KeyError) else "does not have the form of the others"
        raise fail("UQ670", f"record {place} of {name} {what}") from error


def _own(record: Record) -> Iterator[GoldQuestion]:
    answers = record.get("answers", record.get("answer"))  # the second as files of subgraphs call them
    values = None if answers is None else tuple(str(one) for one in answers)
    yield GoldQuestion(
        str(record["id"]),
        str(record.get("question", "")),
        _query(record.get("sparql")),
        values,
        groups=_groups(record),
        names=_names(record.get("topic_entities", record.get("q_entity"))),
        exact=record.get("kg_exact", True) is not False,
    )


def _groups(record: Record) -> tuple[tuple[str, str], ...]:
    """What a record says of its own kind; the number of hops also as the length of its chain of relations."""
    named = {name: record[name] for name in ("level", "function", "type", "template", "hops") if record.get(name)}
    chain = record.get("chain")
    if isinstance(chain, list) and chain:
        named.setdefault("hops", len(chain))  # pyright: ignore[reportUnknownArgumentType]
    return tuple((name, str(value)) for name, value in named.items() if isinstance(value, str | int))


def _names(topics: object) -> tuple[str, ...]:
    """Topic entities: names by id, or as a list."""
    if isinstance(topics, dict):
        return tuple(str(one) for one in cast("dict[str, Any]", topics).values())
    listed: list[object] = topics if isinstance(topics, list) else []  # pyright: ignore[reportUnknownVariableType]
    return tuple(str(one) for one in listed)


def _webqsp(record: Record) -> Iterator[GoldQuestion]:
    """A record for each parse: a question may have several, each with a query and answers of its own."""
    question = str(record.get("RawQuestion") or record["ProcessedQuestion"])
    parses = cast("list[Record]", record["Parses"])
    if not parses:
        yield GoldQuestion(str(record["QuestionId"]), question, None)
    for parse in parses:
        answers = tuple(str(one["AnswerArgument"]) for one in parse["Answers"])
        yield GoldQuestion(str(parse["ParseId"]), question, _query(parse.get("Sparql")), answers)


def _cwq(record: Record) -> Iterator[GoldQuestion]:
    listed = record.get("answers")  # the test set was first published without them
    answers = None if listed is None else tuple(str(one["answer_id"]) for one in listed)
    yield GoldQuestion(str(record["ID"]), str(record["question"]), _query(record.get("sparql")), answers)


def _grailqa(record: Record) -> Iterator[GoldQuestion]:
    listed = record.get("answer")
    answers = None if listed is None else tuple(_argument(one) for one in listed)
    query = _query(record.get("sparql_query"))
    yield GoldQuestion(str(record["qid"]), str(record["question"]), query, answers, groups=_groups(record))


def _argument(answer: Record | str) -> str:
    """GrailQA gives objects, GraphQuestions names."""
    return str(answer["answer_argument"]) if isinstance(answer, dict) else str(answer)


def _query(text: object) -> str | None:
    return text if isinstance(text, str) and text.strip() else None


_READERS: dict[str, Reader] = {
    "webqsp": _webqsp,
    "cwq": _cwq,
    "grailqa": _grailqa,
    "graphquestions": _grailqa,
    "records": _own,
}
