"""The generated pages of `spec/` are current, and every code of the diagnostics is reached by some test."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from tools import make_spec
from tools.railroad import Reader, box, rules_of
from uniqgen_ir.ir.codes import CODES

ROOT = Path(__file__).resolve().parents[2]


def test_generated_pages_are_current() -> None:
    assert make_spec.stale() == [], "run `make spec` and commit what it writes"


def test_every_rule_of_the_grammar_has_a_diagram() -> None:
    page = make_spec.grammar_page()
    grammar = (ROOT / "uniqgen_ir" / "grammar" / "ctable.lark").read_text(encoding="utf-8")
    names = {name.strip("_") for _, name, _ in rules_of(grammar) if name not in make_spec.HABITS}
    assert {"ctable", "row", "path", "expression", "schema", "mapping"} < names
    assert names == set(re.findall(r'<h3 id="(\w+)">', page))
    assert len(names) == page.count("<svg ")
    assert set(re.findall(r'href="#(\w+)"', page)) <= names
    for picture in re.findall(r"<svg .*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(picture)


def test_a_diagram_shows_all_symbols_of_its_rule() -> None:
    shown: list[str] = []

    def symbol(name: str) -> object:
        shown.append(name)
        return box(name, None)

    shape = Reader("A (B | C)* d? -> name", symbol).alternatives()  # type: ignore[arg-type]
    assert shown == ["A", "B", "C", "d"]
    assert all(f">{name}<" in shape.draw(0, 0) for name in shown)


def _reached() -> set[str]:
    files = [*ROOT.glob("tests/**/*.py"), *ROOT.glob("spec/cases/**/*.md"), *ROOT.glob("spec/typing.md")]
    texts = (one.read_text(encoding="utf-8") for one in files if one != Path(__file__))
    return {code for text in texts for code in re.findall(r"\bUQ\d{3}\b", text)}


def test_every_code_is_reached_by_a_test() -> None:
    missing = sorted(set(CODES) - _reached())
    listed = "\n".join(f"  {code}: {CODES[code].title}" for code in missing)
    assert not missing, f"no test and no case names these codes:\n{listed}"


def test_every_code_is_raised_somewhere() -> None:
    sources = [one for one in ROOT.glob("uniqgen_ir/**/*.py") if "codes" not in one.parts]
    raised = {code for one in sources for code in re.findall(r"\bUQ\d{3}\b", one.read_text(encoding="utf-8"))}
    unused = sorted(set(CODES) - raised)
    listed = "\n".join(f"  {code}: {CODES[code].title}" for code in unused)
    assert not unused, f"nothing gives these codes:\n{listed}"
    assert raised <= set(CODES), f"not in the table: {sorted(raised - set(CODES))}"
