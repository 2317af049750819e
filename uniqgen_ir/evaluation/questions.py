"""The questions that are asked: those with gold answers that the graph holds, spread over the whole data set."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote

from attrs import evolve, frozen

from uniqgen_ir.evaluation.datasets import Dataset, GoldQuestion
from uniqgen_ir.ir.diagnostics import fail

_NAMED = re.compile(r"<urn:e:([^>]*)>|\[([^\]]+)\]")
_MARKS = re.compile(r"[^\w\s]|_")


@frozen
class Chosen:
    """The questions, and how many records were left out because they have no gold answers or are not `exact`."""

    questions: tuple[GoldQuestion, ...]
    without_answers: int
    inexact: int


def choose(
    dataset: Dataset, *, limit: int | None = None, ids: Sequence[str] | None = None, plain: bool = False
) -> Chosen:
    """At most `limit` questions, evenly spread; of those in `ids`, if given.

    With `plain` they are asked in lower case and without marks. Raises DiagnosticError (UQ670) where none is left.
    """
    wanted = None if ids is None else frozenset(ids)
    listed = [one for one in dataset.questions if wanted is None or one.id in wanted]
    answered = [one for one in listed if one.answers and one.question.strip()]
    exact = [one for one in answered if one.exact]
    step = max(1, len(exact) // limit) if limit else 1
    chosen = exact[::step][:limit]
    if not chosen:
        raise fail("UQ670", "the data set holds no question with gold answers", hint="answers: a list on each record")
    questions = tuple(evolve(one, groups=(*one.groups, *_template(one))) for one in chosen)
    if plain:
        questions = tuple(evolve(one, question=_without_marks(one.question)) for one in questions)
    return Chosen(questions, len(listed) - len(answered), len(answered) - len(exact))


def read_ids(name: str) -> tuple[str, ...]:
    """The ids in a file: a JSON list, or one a line. Raises DiagnosticError (UQ650)."""
    try:
        text = Path(name).read_text(encoding="utf-8")
        data: Any = json.loads(text) if text.lstrip().startswith("[") else text.split("\n")
    except (OSError, ValueError) as error:
        raise fail("UQ650", f"the file of ids {name} cannot be read: {error}") from error
    return tuple(str(one).strip() for one in cast("list[Any]", data) if str(one).strip())


def _template(one: GoldQuestion) -> tuple[tuple[str, str], ...]:
    """The question with the names taken out, where the record says neither template nor type."""
    if any(name in ("template", "type") for name, _ in one.groups):
        return ()
    names = {
        *one.names,
        *(unquote(first or second) for first, second in _NAMED.findall(f"{one.sparql} {one.question}")),
    }
    text = one.question
    for name in sorted((name for name in names if name), key=len, reverse=True):
        text = re.sub(re.escape(name), "…", text, flags=re.IGNORECASE)
    return (("template", " ".join(text.split())),) if text != one.question else ()


def _without_marks(text: str) -> str:
    return " ".join(_MARKS.sub(" ", text.lower()).split())
