"""Reading what was printed gives back what was printed: every node, every document."""

from __future__ import annotations

from hypothesis import given

from tests.property import strategies
from uniqgen_ir.grammar.ctable import read_table
from uniqgen_ir.grammar.ctable.formatter import format_text
from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.printer import print_expression, print_table
from uniqgen_ir.ir.rows import Filter
from uniqgen_ir.ir.table import Table


def reread(text: str) -> Table:
    result = read_table(text)
    assert not result.diagnostics, "\n".join(one.render({"<input>": text}) for one in result.diagnostics) + "\n" + text
    assert result.table is not None
    return result.table


@given(strategies.full_tables())
def test_a_printed_table_reads_back_as_itself(table: Table) -> None:
    text = print_table(table)
    assert reread(text) == table, text
    assert print_table(reread(text)) == text


@given(strategies.full_tables())
def test_formatting_changes_no_table(table: Table) -> None:
    text = print_table(table)
    formatted = format_text(text)
    assert reread(formatted) == table, formatted
    assert format_text(formatted) == formatted


@given(strategies.plain_expressions)
def test_a_printed_expression_reads_back_as_itself(expression: Expression) -> None:
    text = print_expression(expression)
    (row,) = reread(f"ctable t {{\n  select *\n  c: ({text})\n}}\n").rows
    assert row.atom == Filter(expression), text
