"""Conformance pages: prose, input and expected output side by side. `spec/cases/README.md` describes the format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve, field, frozen

FOLDER = Path(__file__).resolve().parents[2] / "spec" / "cases"
DEFAULT_PREFIXES = "prefix ex: <http://example.org/>\n"
INPUTS = ("ctable", "cts", "sparql", "cypher", "json")
CONTEXT = ("prefixes", "turtle", "schema", "params", "references", "other")

_BLOCK = re.compile(r"^```(?P<info>[^\n`]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)


@frozen
class Expectation:
    """What a case must give: `kind` is the word after `expect-`, `words` are the rest of the info string."""

    kind: str
    words: tuple[str, ...]
    text: str

    @property
    def info(self) -> str:
        return " ".join((f"expect-{self.kind}", *self.words))


@frozen
class Case:
    """One section of a page: an input in a language, what surrounds it, and what must come out."""

    page: str
    title: str
    language: str = ""
    text: str = ""
    context: dict[str, str] = field(factory=dict[str, str])
    expectations: tuple[Expectation, ...] = ()

    @property
    def id(self) -> str:
        slug = re.sub(r"\W+", "-", self.title.lower()).strip("-")
        return f"{self.page}:{slug}"

    @property
    def prefixes(self) -> str:
        return self.context.get("prefixes", DEFAULT_PREFIXES)

    @property
    def lead(self) -> str:
        """What goes before the input so that it is a whole file; a table may leave its frame out."""
        if self.language == "cts":
            return self.prefixes
        if self.language != "ctable":
            return ""
        if re.search(r"^(ctable|prefix)\b", self.text, re.MULTILINE | re.IGNORECASE):
            return ""
        return f"{self.prefixes}ctable case {{\n"

    @property
    def source(self) -> str:
        """The whole file that the case stands for."""
        lead = self.lead
        return f"{lead}{self.text}{'}' if lead and self.language == 'ctable' else ''}" + ("\n" if lead else "")

    def inside(self, text: str) -> str:
        """The part of a changed `source` that the page shows."""
        if self.lead:
            text = text.removeprefix(self.lead).rstrip("\n")
            text = text.removesuffix("}") if self.language == "ctable" else text + "\n"
        return text


def read_page(path: Path) -> tuple[Case, ...]:
    """The cases of a page in order. Raises ValueError where the page is not in the format."""
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(FOLDER).with_suffix("").as_posix()
    headings = list(_HEADING.finditer(text))
    if not headings:
        raise ValueError(f"{name}: no case")
    shared = _with_blocks(Case(name, "page"), text[: headings[0].start()])
    if shared.text or shared.expectations:
        raise ValueError(f"{name}: an input or an expectation before the first case")
    ends = [*(heading.start() for heading in headings[1:]), len(text)]
    cases: list[Case] = []
    for heading, end in zip(headings, ends, strict=True):
        case = evolve(shared, title=heading["title"], context=dict(shared.context))
        case = _with_blocks(case, text[heading.end() : end])
        if not case.expectations or not case.language:
            raise ValueError(f"{case.id}: a case needs an input and an expectation")
        cases.append(case)
    return tuple(cases)


def _with_blocks(case: Case, text: str) -> Case:
    for block in _BLOCK.finditer(text):
        kind, *words = block["info"].split()
        if kind.startswith("expect-"):
            expectation = Expectation(kind.removeprefix("expect-"), tuple(words), block["text"])
            case = evolve(case, expectations=(*case.expectations, expectation))
        elif kind in CONTEXT:
            case = evolve(case, context={**case.context, kind: block["text"]})
        elif kind in INPUTS and not case.language:
            case = evolve(case, language=kind, text=block["text"])
        elif kind != "text":
            raise ValueError(f"{case.id}: unexpected block {block['info']}")
    return case


def all_cases() -> Iterator[Case]:
    """Every case of every page, pages by name."""
    for path in sorted(FOLDER.rglob("*.md")):
        if path.name != "README.md":
            yield from read_page(path)
