"""Questions with their subgraphs, in the form that studies of question answering pass around: JSON lines.

Each line has `id`, `question`, `q_entity` (names of topics), `answer`, and `graph`: a list of `[subject, relation,
object]`. What looks like an IRI is one; any other text is a name, as in a `.tsv` graph.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

from uniqgen_ir.ir.diagnostics import DiagnosticError, fail
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.kg.formats import (
    SUBGRAPHS,
    SourceFile,
    SourceStream,
    entity_of_name,
    line_span,
    named_facts,
    open_source,
    relation_of_name,
)

Triple: TypeAlias = tuple[str, str, str]

_IRI: Final = re.compile(r'(?:https?://|urn:[A-Za-z0-9][A-Za-z0-9-]*:)[^\s<>"{}|\\^`]+')


def subgraph_facts(file: SourceFile, stream: SourceStream) -> Iterator[Fact]:
    """The facts of all subgraphs of a file together. Raises DiagnosticError (UQ674 for a broken line)."""
    return _facts(triple for _, triples in _lines(file, stream) for triple in triples)


def read_subgraphs(name: str) -> dict[str, Graph]:
    """Id of a question → its own graph. Raises DiagnosticError: UQ627 for no file, UQ674 for a broken line."""
    file = SourceFile(Path(name), SUBGRAPHS)
    with open_source(file) as stream:
        return {number: Graph(_facts(triples)) for number, triples in _lines(file, stream)}


def _facts(triples: Iterator[Triple] | list[Triple]) -> Iterator[Fact]:
    return named_facts(triples, _entity, _relation)


def _entity(text: str) -> IRI:
    return IRI(text) if _IRI.fullmatch(text) else entity_of_name(text)


def _relation(text: str) -> IRI:
    return IRI(text) if _IRI.fullmatch(text) else relation_of_name(text)


def _lines(file: SourceFile, stream: SourceStream) -> Iterator[tuple[str, list[Triple]]]:
    """The id and the triples of each line that is not empty."""
    for number, raw in enumerate(io.BufferedReader(stream, 1 << 16), 1):
        if not raw.strip():
            continue
        try:
            record: Any = json.loads(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
        except ValueError as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "it is not UTF-8"
            raise _fault(file, number, f"is not JSON: {reason}") from error
        except RecursionError as error:
            raise _fault(file, number, "is nested too deep") from error
        if not isinstance(record, dict) or "id" not in record:
            raise _fault(file, number, "is no object with an `id`")
        listed: Any = cast("dict[str, Any]", record).get("graph")
        if not isinstance(listed, list):
            raise _fault(file, number, "has no `graph` that is a list of triples")
        triples: list[object] = listed  # pyright: ignore[reportUnknownVariableType]
        yield str(record["id"]), [_triple(one, file, number, place) for place, one in enumerate(triples, 1)]  # pyright: ignore[reportUnknownArgumentType]


def _triple(one: object, file: SourceFile, number: int, place: int) -> Triple:
    parts: list[object] = one if isinstance(one, list) else []  # pyright: ignore[reportUnknownVariableType]
    names = tuple(part for part in parts if isinstance(part, str) and part.strip())
    if len(parts) != 3 or len(names) != 3:
        raise _fault(file, number, f"has a triple (number {place}) that is not three names: {json.dumps(one)[:80]}")
    return names


def _fault(file: SourceFile, number: int, what: str) -> DiagnosticError:
    hint = 'each line: {"id": …, "question": …, "q_entity": [names], "answer": [names], "graph": [[s, r, o], …]}'
    return fail("UQ674", f"line {number} of {file.path} {what}", line_span(file, number), hint=hint)
