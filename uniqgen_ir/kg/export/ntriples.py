"""A graph as N-Triples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm
from uniqgen_ir.ir.vocabulary import XSD_STRING
from uniqgen_ir.kg.export.spool import Progress
from uniqgen_ir.kg.export.text_files import written

_TEXT: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_IN_TEXT: Final = re.compile(r'[\\"\x00-\x1f\x7f]')
_IN_IRI: Final = re.compile(r'[\x00-\x20<>"{}|^`\\]')
_STEP: Final = 50_000


def write_ntriples(facts: Iterable[Fact], folder: Path, progress: Progress | None = None) -> list[str]:
    """Write `graph.nt`, facts in their order. The names of the files written."""
    with written(folder, "graph.nt") as stream:
        lines, count = _lines(facts), 0
        while batch := list(islice(lines, _STEP)):
            stream.writelines(batch)
            count += len(batch)
            if progress is not None:
                progress(count)
    return ["graph.nt"]


def _lines(facts: Iterable[Fact]) -> Iterator[str]:
    # predicates are few, and facts about one subject stand together: their texts are made once
    names: dict[str, str] = {}
    last: IRI | BlankNode | None = None
    start = ""
    for subject, predicate, object_ in facts:
        if subject is not last:
            last, start = subject, term_text(subject)
        name = names.get(predicate.value)
        if name is None:
            name = names[predicate.value] = term_text(predicate)
        yield f"{start} {name} {term_text(object_)} .\n"


def term_text(term: GroundTerm) -> str:
    """The term as N-Triples write it."""
    match term:
        case IRI(value):
            return f"<{_IN_IRI.sub(_code, value)}>"
        case BlankNode(label):
            return f"_:{label}"
        case _:
            pass
    quoted = f'"{_IN_TEXT.sub(lambda found: _TEXT.get(found[0]) or _code(found), term.lexical)}"'
    if term.language is not None:
        return f"{quoted}@{term.language}"
    return quoted if term.datatype == XSD_STRING else f"{quoted}^^<{_IN_IRI.sub(_code, term.datatype)}>"


def _code(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04X}"
