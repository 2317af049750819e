"""Which variables are the same one, and renaming them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property.strategies import full_tables
from tests.unit.lsp.texts import HEAD, marked
from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.ir.diagnostics import Fix
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.printer import print_table
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.ir.visitor import walk
from uniqgen_ir.lsp.features.rename import RenameRefused, rename_variable
from uniqgen_ir.lsp.source import Source


def renamed(text: str, name: str = "new", file: str = "/nowhere/t.ctable") -> str:
    source, offset = marked(text, file)
    return Fix("rename", rename_variable(source, offset, name)).apply(source.text)


def table(*lines: str) -> str:
    return HEAD + "ctable t {\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


def test_all_occurrences_are_renamed_and_nothing_else() -> None:
    text = table(
        "select ?x", "?|x ex:p ?xy . ?xy ex:q ?x where ?x != ?z", 'optional { ?x ex:n "?x" }  # ?x', "order by ?x"
    )
    expected = table(
        "select ?new",
        "?new ex:p ?xy . ?xy ex:q ?new where ?new != ?z",
        'optional { ?new ex:n "?x" }  # ?x',
        "order by ?new",
    )
    assert renamed(text) == expected


def test_two_tables_have_variables_of_their_own() -> None:
    text = table("select ?|x", "?x a ex:C") + "ctable u {\n  select ?x\n  ?x a ex:D\n}\n"
    assert renamed(text) == table("select ?new", "?new a ex:C") + "ctable u {\n  select ?x\n  ?x a ex:D\n}\n"


@pytest.mark.parametrize("block", ["not {{ {} }}", "minus {{ {} }}", "exists {{ {} }}", "not exists {{ {} }}"])
def test_what_only_a_negative_block_names_is_local_to_it(block: str) -> None:
    first, second = block.format("?x ex:p ?|y"), block.format("?x ex:q ?y")
    after = renamed(table("select ?x", "?x a ex:C", first, second))
    assert after == table("select ?x", "?x a ex:C", block.format("?x ex:p ?new"), second)


def test_what_is_also_named_around_a_negative_block_is_the_same() -> None:
    text = table("select ?x", "?|x a ex:C", "not { ?x ex:p ?y . not { ?y ex:q ?x } }")
    assert renamed(text) == table("select ?new", "?new a ex:C", "not { ?new ex:p ?y . not { ?y ex:q ?new } }")


def test_optional_and_either_belong_to_the_table() -> None:
    text = table("select ?x ?|n", "?x a ex:C", "optional { ?x ex:n ?n }", "either { ?x ex:p ?n } or { ?x ex:q ?n }")
    assert "?n " not in renamed(text)


def test_a_table_inside_shows_its_columns_only() -> None:
    inner = "table {\n select ?x\n ?x ex:p ?y\n }"
    assert renamed(table("select ?x ?|y", "?x ex:q ?y", inner)) == table("select ?x ?new", "?x ex:q ?new", inner)
    text = table("select ?|x ?y", "?x ex:q ?y", inner)
    assert renamed(text) == table("select ?new ?y", "?new ex:q ?y", inner.replace("?x", "?new"))


def test_a_table_inside_with_a_star_shows_everything() -> None:
    text = table("select ?|y", "?x ex:q ?y", "table {\n select *\n ?x ex:p ?y\n }")
    assert "?y" not in renamed(text)


def test_the_star_of_a_product_shows_nothing() -> None:
    inner = "table {\n select (?a * ?y as ?x)\n ?a ex:p ?y\n }"
    assert renamed(table("select ?|y", "?x ex:q ?y", inner)) == table(
        "select ?new", "?x ex:q ?new", inner.replace("?|", "?")
    )


def test_each_rule_of_a_schema_is_a_scope() -> None:
    text = (
        HEAD
        + "schema s {\n  rule a: { ?|x ex:p ?y } => { ?y ex:q ?x }\n"
        + "  rule b: { ?x ex:p ?y . ?z ex:p ?y } => ?x = ?z\n}\n"
    )
    after = renamed(text, file="/nowhere/s.cts")
    assert "rule a: { ?new ex:p ?y } => { ?y ex:q ?new }" in after
    assert "rule b: { ?x ex:p ?y . ?z ex:p ?y } => ?x = ?z" in after


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (("select ?x", "?|x ex:p ?y"), "y"),
        (("select ?x", "?|x ex:p ?z", "not { ?x ex:p ?y }"), "y"),
        (("select ?x", "?x ex:p ?z", "not { ?x ex:p ?|y }"), "z"),
        # the local name would become the table's
        (("select ?x", "?x ex:p ?|z", "not { ?x ex:p ?y }"), "y"),
    ],
)
def test_two_variables_never_become_one(lines: tuple[str, ...], name: str) -> None:
    with pytest.raises(RenameRefused, match=r"would become one"):
        renamed(table(*lines), name)


def test_names_of_other_scopes_are_free() -> None:
    inner = "table {\n select ?x\n ?x ex:p ?y\n }"
    text = table("select ?|z", "?x ex:q ?z", inner)
    assert renamed(text, "y") == table("select ?y", "?x ex:q ?y", inner)


@pytest.mark.parametrize("name", ["?town", "town", " ?town "])
def test_the_question_mark_may_be_written(name: str) -> None:
    assert renamed(table("select ?|x", "?x a ex:C"), name) == table("select ?town", "?town a ex:C")


def test_odd_names_get_backticks() -> None:
    assert renamed(table("select ?|x", "?x a ex:C"), "?`two words`") == table(
        "select ?`two words`", "?`two words` a ex:C"
    )


@pytest.mark.parametrize("name", ["", "two words", "a-b", "a\nb", "?", "`a"])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(RenameRefused, match="cannot be the name"):
        renamed(table("select ?|x", "?x a ex:C"), name)


def test_only_variables_are_renamed() -> None:
    with pytest.raises(RenameRefused, match="only variables"):
        renamed(table("select ?x", "?x a ex:|C"))


def test_a_broken_row_does_not_stop_renaming() -> None:
    text = table("select ?|x", "?x ex:p", "?x = = 3", "?x a ex:C")
    assert renamed(text) == table("select ?new", "?new ex:p", "?new = = 3", "?new a ex:C")


@given(full_tables(), st.data())
@settings(max_examples=30)
def test_renaming_to_a_new_name_and_back_changes_nothing(one: Table, data: st.DataObject) -> None:
    text = print_table(one)
    source = Source("/nowhere/t.ctable", text)
    if not source.occurrences:
        return
    place = data.draw(st.sampled_from(source.occurrences))
    assert all(variable.name != "fresh" for variable in walk(one) if isinstance(variable, Variable))
    first = Fix("", rename_variable(source, place.token.start, "fresh")).apply(text)
    start = re.search(r"\?fresh\b", first)
    assert start is not None
    # the same variable, all of it: the way back restores the text
    back = rename_variable(Source("/nowhere/t.ctable", first), start.start(), f"?`{place.name}`")
    assert Fix("", back).apply(first) == text


_VARIABLES = ("?x", "?y", "?z", "?w")


@st.composite
def written_rows(draw: st.DrawFn, depth: int = 2) -> str:
    """Rows as text: triples and every block, variables shared at random."""
    rows = draw(st.lists(written_row(depth), min_size=1, max_size=3))
    return "\n".join(rows)


@st.composite
def written_row(draw: st.DrawFn, depth: int) -> str:
    kinds = ["triple", "triple", "optional", "not", "minus", "either", "table", "star", "filter", "product"]
    kind = draw(st.sampled_from(kinds if depth else ["triple"]))
    one, other = draw(st.sampled_from(_VARIABLES)), draw(st.sampled_from(_VARIABLES))
    if kind == "triple":
        return f"{one} ex:{draw(st.sampled_from('pq'))} {other}"
    inside = draw(written_rows(depth - 1))
    match kind:
        case "either":
            return f"either {{\n{inside}\n}} or {{\n{draw(written_rows(depth - 1))}\n}}"
        case "table":
            return f"table {{\nselect distinct {one}\n{inside}\n}}"
        case "product":
            return f"table {{\nselect ({one} = {other} as ?v)\n{inside}\n}}"
        case "star":
            return f"table {{\nselect *\n{inside}\n}}"
        case "filter":
            return f"exists {{\n{inside}\n}}"
        case _:
            return f"{kind} {{\n{inside}\n}}"


_NODES = [IRI(f"http://example.org/{name}") for name in "abc"]
_FACTS = st.tuples(
    st.sampled_from(_NODES),
    st.sampled_from([IRI("http://example.org/p"), IRI("http://example.org/q")]),
    st.sampled_from(_NODES),
)


@given(written_rows(), st.lists(_FACTS, min_size=3, max_size=9), st.data())
@settings(max_examples=80)
def test_renaming_a_variable_changes_no_answer(rows: str, facts: list[Fact], data: st.DataObject) -> None:
    before = HEAD + f"ctable t {{\nselect ?x ?y\n{rows}\n}}\n"
    source = Source("/nowhere/t.ctable", before)
    place = data.draw(st.sampled_from(source.occurrences))
    after = Fix("", rename_variable(source, place.token.start, "fresh")).apply(before)
    assert answers(after, Graph(facts)) == answers(before, Graph(facts))


def answers(text: str, graph: Graph) -> list[str]:
    return sorted(map(str, evaluate(parse_table(text), graph).rows))
