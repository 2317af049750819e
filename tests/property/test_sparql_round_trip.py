"""Tables written as SPARQL and read again: the same answers, and the same text when written once more."""

from __future__ import annotations

from hypothesis import given, settings

from tests.property.test_ir_evaluate import any_paths, bag, grouped, queries
from uniqgen_ir.backends.sparql.renderer import SparqlRenderer
from uniqgen_ir.grammar.sparql import read_sparql
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.manager import PassManager
from uniqgen_ir.passes.normalize import Normalize

FEW = settings(max_examples=max(1, settings().max_examples // 4))


def there_and_back(table: Table) -> Table:
    read = _read(SparqlRenderer().render(table).text)
    # the first reading turns `?x ^p ?y` into `?y p ?x`; from there on nothing changes
    text = SparqlRenderer().render(read).text
    assert SparqlRenderer().render(_read(text)).text == text
    return read


def _read(text: str) -> Table:
    result = read_sparql(text, strict=True)
    assert result.table is not None, [one.render({"<input>": text}) for one in result.diagnostics]
    return result.table


@FEW
@given(queries())
def test_rows_and_blocks_come_back(query: tuple[Table, Graph]) -> None:
    table, graph = query
    assert bag(evaluate(there_and_back(table), graph).rows) == bag(evaluate(table, graph).rows)


@FEW
@given(any_paths())
def test_paths_come_back(query: tuple[Table, Graph]) -> None:
    table, graph = query
    assert bag(evaluate(there_and_back(table), graph).rows) == bag(evaluate(table, graph).rows)


@FEW
@given(grouped())
def test_groups_come_back(query: tuple[Table, Graph]) -> None:
    table, graph = query
    ours, again = evaluate(table, graph).rows, evaluate(there_and_back(table), graph).rows
    assert [bag([row]) for row in ours] == [bag([row]) for row in again]


def normal_lines(table: Table) -> list[str]:
    """The normal form as text, a line a condition, in an order of no meaning; or the code of why there is none."""
    try:
        normal = PassManager((Normalize(),)).run(table).table
    except DiagnosticError as error:
        return [one.code for one in error.diagnostics]
    return sorted(SparqlRenderer().render(normal).text.splitlines())


@FEW
@given(queries())
def test_what_was_read_again_has_the_same_normal_form(query: tuple[Table, Graph]) -> None:
    assert normal_lines(query[0]) == normal_lines(_read(SparqlRenderer().render(query[0]).text))


@FEW
@given(grouped())
def test_a_group_that_was_read_again_has_the_same_normal_form(query: tuple[Table, Graph]) -> None:
    assert normal_lines(query[0]) == normal_lines(_read(SparqlRenderer().render(query[0]).text))


@FEW
@given(any_paths())
def test_paths_that_were_read_again_have_the_same_normal_form(query: tuple[Table, Graph]) -> None:
    assert normal_lines(query[0]) == normal_lines(_read(SparqlRenderer().render(query[0]).text))
