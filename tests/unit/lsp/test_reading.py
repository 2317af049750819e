"""Hover, go to definition and completion over text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.lsp.texts import HEAD, SCHEMA, marked, vocabulary
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.lsp.features.completion import Completion, Kind, complete
from uniqgen_ir.lsp.features.definition import definition
from uniqgen_ir.lsp.features.hover import Counted, hover
from uniqgen_ir.lsp.source import Source
from uniqgen_ir.lsp.vocabulary import Vocabulary


@pytest.fixture
def known(tmp_path: Path) -> Vocabulary:
    return vocabulary(tmp_path)


def table(*lines: str) -> str:
    return HEAD + "ctable t {\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


# --- hover ------------------------------------------------------------------------------------------------------------


def said(text: str, known: Vocabulary = Vocabulary()) -> str | None:  # noqa: B008 - an empty constant
    source, offset = marked(text)
    found = hover(source, offset, known)
    return found.text if found is not None else None


def test_a_variable_has_the_type_that_the_schema_gives_it(known: Vocabulary) -> None:
    text = said(table("select ?x", "?x ex:in ?|c"), known)
    assert text is not None
    assert text.startswith("`?c`: an instance of ex:Country")
    assert "as the object of ex:in (row `c1`)" in text


def test_without_a_schema_use_alone_gives_the_type() -> None:
    text = said(table("select ?x", "?x ex:p ?|d where month(?d) = 2"))
    assert text is not None
    assert "as an argument of month()" in text


def test_a_name_shows_its_declaration(known: Vocabulary) -> None:
    text = said(table("select ?x", "?x ex:fou|nded ?d"), known)
    assert text is not None
    assert "a property from an instance of ex:City to an xsd:date; functional" in text
    assert "“founding date”" in text
    assert "<http://example.org/founded>" in text


def test_a_class_shows_its_parents_and_words(known: Vocabulary) -> None:
    text = said(table("select ?x", "?x a ex:Ci|ty"), known)
    assert text is not None
    assert "a class, below `ex:Place`" in text
    assert "“city”, “town”" in text


def test_counts_are_shown_where_they_are_known() -> None:
    asked: list[Counted] = []

    def counts(one: Counted) -> str:
        asked.append(one)
        return "7 facts"

    source, offset = marked(table("select ?x", "home: ?x ex:p| ?y"))
    found = hover(source, offset, Vocabulary(), counts)
    assert found is not None
    assert "7 facts" in found.text
    assert asked == [IRI("http://example.org/p")]
    row = hover(source, source.text.index("home"), Vocabulary(), counts)
    assert row is not None
    assert row.text == "row `home`\n- `home`: explicit; 7 facts"


def test_a_row_behind_a_semicolon_is_several(known: Vocabulary) -> None:
    assert said(table("select ?x", "ho|me: ?x ex:in ?y ; ex:founded ?d  @required"), known) == (
        "row `home`\n- `home.1`: explicit\n- `home.2`: explicit, required"
    )


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("?x ex:p ?d where mo|nth(?d) = 2", "the month, 1 to 12"),
        ("?x ex:p ?d  @req|uired", "never drops the row"),
    ],
)
def test_words_of_the_language_are_explained(line: str, part: str) -> None:
    assert part in str(said(table("select ?x", line)))


def test_hover_still_works_beside_a_broken_row(known: Vocabulary) -> None:
    text = said(table("select ?x", "?x ex:in ?|c", "?x = = 3"), known)
    assert text is not None
    assert text.startswith("`?c`: an instance of ex:Country")


def test_there_is_nothing_to_say_about_a_brace() -> None:
    assert said(HEAD + "ctable t {|  select ?x\n ?x a ex:C }") is None


# --- definition -------------------------------------------------------------------------------------------------------


def target(text: str, known: Vocabulary = Vocabulary(), name: str = "/nowhere/t.ctable") -> tuple[str, str] | None:  # noqa: B008
    """The file and the line of the target up to its place, with the target between brackets."""
    source, offset = marked(text, name)
    found = definition(source, offset, known)
    if found is None:
        return None
    content = source.text if found.file == source.name else Path(found.file).read_text(encoding="utf-8")
    line = content[content.rfind("\n", 0, found.start) + 1 : found.start]
    return Path(found.file).name, f"{line.lstrip()}[{content[found.start : found.end]}]"


def test_a_variable_leads_to_the_row_that_binds_it() -> None:
    lines = ("select ?|y", "?y != ex:a", "not { ?x ex:q ?y }", "?x ex:p ?y", "?y ex:p ?z")
    assert target(table(*lines)) == ("t.ctable", "?x ex:p [?y]")


def test_a_variable_that_nothing_binds_leads_to_its_first_use() -> None:
    assert target(table("select ?x", "?x a ex:C", "order by ?|y", "?y > 3")) == ("t.ctable", "[?y]")


def test_a_local_variable_stays_in_its_block() -> None:
    text = table("select ?x", "?x a ex:C", "not { ?x ex:p ?y }", "not { ?x ex:q ?y . ?y ex:r ?|y }")
    assert target(text) == ("t.ctable", "not { ?x ex:q [?y]")


def test_a_name_leads_to_its_declaration(known: Vocabulary) -> None:
    line = '[relation ex:in "lies in" : ex:City -> ex:Country]'
    assert target(table("select ?x", "?x ex:i|n ?y"), known) == ("cities.cts", line)
    assert target(table("select ?x", "?x <http://example.org/i|n> ?y"), known) == ("cities.cts", line)


def test_the_prefix_of_a_name_leads_to_the_prefix(known: Vocabulary) -> None:
    assert target(table("select ?x", "?x e|x:in ?y"), known) == ("t.ctable", "prefix [ex:]")
    # a name that no schema declares: its prefix is all there is
    assert target(table("select ?x", "?x ex:o|ut ?y"), known) == ("t.ctable", "prefix [ex:]")


def test_use_schema_leads_to_the_file(tmp_path: Path, known: Vocabulary) -> None:
    name = str(tmp_path / "t.ctable")
    assert target('use schema "citi|es.cts"\n' + table("select ?x", "?x a ex:C"), known, name) == ("cities.cts", "[]")
    assert target('use schema "oth|er.cts"\n' + table("select ?x", "?x a ex:C"), known, name) is None


def test_inside_a_schema_a_name_leads_to_its_declaration(tmp_path: Path, known: Vocabulary) -> None:
    text = SCHEMA.replace("-> ex:Country", "-> ex:Coun|try")
    assert target(text, known, str(tmp_path / "cities.cts")) == ("cities.cts", '[class ex:Country "country"]')


# --- completion -------------------------------------------------------------------------------------------------------


def proposals(text: str, known: Vocabulary = Vocabulary(), name: str = "/nowhere/t.ctable") -> dict[str, Completion]:  # noqa: B008
    source, offset = marked(text, name)
    found = complete(source, offset, known)
    assert all(one.start <= offset <= one.end for one in found)
    return {one.label: one for one in found}


def names(found: dict[str, Completion]) -> set[str]:
    kinds = (Kind.CLASS, Kind.RELATION, Kind.PROPERTY)
    return {label for label, one in found.items() if one.kind in kinds}


CLASSES = {"ex:City", "ex:Place", "ex:Country"}
PREDICATES = {"ex:in", "ex:founded"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("?x a |", CLASSES),
        ("?x a ex:|", CLASSES),
        ("?x a ex:Ci|", CLASSES),
        ("?x ex:|", PREDICATES),
        ("?x |", PREDICATES),
        ("?x a ex:City ; |", PREDICATES),
        ("?x a ex:City ;\n     ex:f|", PREDICATES),
        ("home: ?x |", PREDICATES),
        ("?x ^ex:in / ex:|", PREDICATES),
        ("?x ex:in ?y . ?y |", PREDICATES),
        ("optional { ?x |", PREDICATES),
        ("?x ex:in |", CLASSES | PREDICATES),
    ],
)
def test_names_fit_their_place(line: str, expected: set[str], known: Vocabulary) -> None:
    assert names(proposals(table("select ?x", line), known)) == expected


def test_a_name_is_found_by_its_words(known: Vocabulary) -> None:
    found = proposals(table("select ?x", "?x a tow|"), known)["ex:City"]
    assert "town" in found.search
    assert found.text == "ex:City"


def test_rows_begin_with_row_words_and_subjects(known: Vocabulary) -> None:
    found = proposals(table("select ?x", "?x a ex:City", "o|"), known)
    assert {"optional", "not", "either", "order by", "?x", "ex:"} <= found.keys()


@pytest.mark.parametrize("line", ["?x ex:in ?y where |", "?x = |", "(|", "?x ex:in ?y where ?x != mo|", "having |"])
def test_expressions_get_functions_and_variables(line: str, known: Vocabulary) -> None:
    found = proposals(table("select ?x", line), known)
    assert found["month"].text == "month("
    assert "?x" in found


def test_variables_are_those_of_the_table_without_the_one_being_written() -> None:
    text = "ctable other {\n select ?z\n ?z ?p ?q\n}\n" + table("select ?city", "?city ex:p ?co|", "?city ex:q ?name")
    assert proposals(text).keys() == {"?city", "?name"}


def test_annotations_begin_with_their_sign() -> None:
    assert "@pragmatic" in proposals(table("select ?x", "?x a ex:C  @pr|"))


@pytest.mark.parametrize("line", ["# ex:|", '?x ex:n "ex:|"', '?x ex:n "ex:|', "?x ex:n <http://exa|>"])
def test_comments_and_strings_are_left_alone(line: str, known: Vocabulary) -> None:
    assert proposals(table("select ?x", line), known) == {}


def test_a_prefix_that_the_file_lacks_is_declared(known: Vocabulary) -> None:
    found = proposals("ctable t {\n select ?x\n ?x a |\n}\n", known)["ex:City"]
    (edit,) = found.also
    assert (edit.start, edit.end, edit.text) == (0, 0, "prefix ex: <http://example.org/>\n")


def test_use_schema_proposes_the_files_beside(tmp_path: Path, known: Vocabulary) -> None:
    found = proposals('use schema "|"\n', known, str(tmp_path / "t.ctable"))
    assert found["cities.cts"].text == "cities.cts"
    open_string = proposals('use schema "ci|', known, str(tmp_path / "t.ctable"))
    assert open_string["cities.cts"].text == 'cities.cts"'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("|", {"schema", "lexicon", "mapping"}),
        ("schema s {\n  |\n}", {"class", "relation", "property", "rule"}),
        ('schema s {\n  relation ex:a "a" : |\n}', CLASSES),
        ('schema s {\n  relation ex:a "a" : ex:City -> |\n}', CLASSES),
        ('schema s {\n  property ex:a "a" : ex:City -> xsd:date |\n}', {"functional", "key"}),
        ("schema s {\n  rule r: { ?x |", PREDICATES),
    ],
)
def test_schema_files_have_words_of_their_own(text: str, expected: set[str], known: Vocabulary) -> None:
    assert expected <= proposals(HEAD + text, known, "/nowhere/s.cts").keys()


def test_every_place_of_a_text_can_be_asked(known: Vocabulary) -> None:
    text = table(
        "select ?x (count(?y) as ?n)", "a: ?x ex:in{1,2} ?y ; a ex:City  @pragmatic(u = 0.1)", "values ?x { ex:a }"
    )
    source = Source("/nowhere/t.ctable", text)
    for offset in range(len(text) + 1):
        complete(source, offset, known)
        hover(source, offset, known)
        definition(source, offset, known)
