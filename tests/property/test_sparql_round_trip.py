"""Tables written as SPARQL and read again: the same answers, and the same text when written once more."""

from __future__ import annotations

from hypothesis import given, settings

from tests.property.test_ir_evaluate import any_paths, bag, grouped, queries
from uniqgen_ir.backends.sparql.renderer import SparqlRenderer
from uniqgen_ir.grammar.sparql import read_sparql
from uniqgen_ir.ir.evaluate import evaluate
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.table import Table

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
