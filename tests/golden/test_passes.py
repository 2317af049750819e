"""The pages of the passes: a pipeline in the first line, a table, and the table (or message) that it becomes.

Comments after the first line say what the run is given: `# graph:` (Turtle), `# answer:` (a reference answer),
`# schema:` (declarations), `# calls:` (a budget). A page of what must be refused lists the messages after `# becomes`.
Steps of chase and backchase that say something about one row stand below the table.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conformance.answers import graph_of, turtle_of
from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.grammar.schema import parse_document
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
from uniqgen_ir.ir.printer import print_table
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.passes.base import PassContext
from uniqgen_ir.passes.manager import PassManager
from uniqgen_ir.passes.pipelines import parse_pipeline
from uniqgen_ir.passes.registry import PASSES
from uniqgen_ir.passes.search.budget import Budget
from uniqgen_ir.passes.trace import Step

FOLDER = Path(__file__).parent
PAGES = sorted(page for name in PASSES for page in FOLDER.glob(f"{name}/*.ctable"))
BECOMES = "# becomes\n"
EX = "http://example.org/"
SHOWN = (
    *("chase.drop", "chase.orphan", "chase.alternative", "backchase.remove", "backchase.keep", "backchase.unsafe"),
    *("saturate.merge", "saturate.refused", "saturate.skipped", "saturate.cycle", "saturate.stopped"),
    *("minimize.remove", "minimize.undecided"),
)


def given(page: str, what: str) -> list[str]:
    return re.findall(rf"^# {what}: (.*)$", page.partition(BECOMES)[0], re.MULTILINE)


def context(page: str) -> PassContext:
    """What the page's comments give to the run."""
    graph, answers, schema, calls = (given(page, what) for what in ("graph", "answer", "schema", "calls"))
    references = tuple(ReferenceAnswer((IRI(one.replace("ex:", EX)),)) for one in answers)
    document = parse_document(f"prefix ex: <{EX}>\nschema s {{\n" + "\n".join(schema) + "\n}\n")
    return PassContext(
        store=ReferenceStore(graph_of(turtle_of(f"prefix ex: <{EX}>", "\n".join(graph)))) if graph else None,
        references=references or None,
        schema=document.schemas[0] if schema else None,
        budget=Budget(calls=int(calls[0])) if calls else Budget(),
    )


def line_of(step: Step) -> str:
    name = step.evidence.get("row", "-")
    more = [str(step.evidence[key]) for key in ("lost", "answer", "unbound") if key in step.evidence]
    return f"# {step.rule} {name}: {': '.join([step.reason, *more])}\n".replace(EX, "ex:")


def outcome(page: str) -> str:
    """What the page's pipeline makes of its table: the printed table, or one comment a message."""
    first, _, rest = page.partition("\n")
    try:
        table = parse_table(rest.partition(BECOMES)[0])
        result = PassManager(parse_pipeline(first.removeprefix("# pipeline: "))).run(table, context(page))
    except DiagnosticError as error:
        return "".join(f"# {one.code}: {one.message}\n" for one in error.diagnostics).replace(EX, "ex:")
    steps = [line_of(step) for step in result.steps if step.rule in SHOWN]
    return print_table(result.table) + ("\n" if steps else "") + "".join(steps)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_a_page_shows_what_the_pipeline_makes(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert BECOMES in text
    assert outcome(text) == text.partition(BECOMES)[2]


@pytest.mark.parametrize("name", PASSES)
def test_every_pass_has_a_page_and_one_that_it_refuses(name: str) -> None:
    pages = [page.read_text(encoding="utf-8") for page in PAGES if page.parent.name == name]
    refused = [page for page in pages if page.partition(BECOMES)[2].startswith("# UQ")]
    assert len(pages) > len(refused)
    assert refused
