"""The pages of `normalize/`: a pipeline in the first line, a table, and the table (or message) that it becomes."""

from __future__ import annotations

from pathlib import Path

import pytest

from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.printer import print_table
from uniqgen_ir.passes.manager import PassManager
from uniqgen_ir.passes.pipelines import parse_pipeline

PAGES = sorted(Path(__file__).parent.glob("normalize/*.ctable"))
BECOMES = "# becomes\n"


def outcome(page: str) -> str:
    """What the page's pipeline makes of its table: the printed table, or one comment a message."""
    first, _, rest = page.partition("\n")
    table = parse_table(rest.partition(BECOMES)[0])
    try:
        return print_table(PassManager(parse_pipeline(first.removeprefix("# pipeline: "))).run(table).table)
    except DiagnosticError as error:
        return "".join(f"# {one.code}: {one.message}\n" for one in error.diagnostics)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_what_the_pipeline_makes(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert BECOMES in text
    assert outcome(text) == text.partition(BECOMES)[2]


def test_there_are_pages() -> None:
    assert len(PAGES) >= 5
