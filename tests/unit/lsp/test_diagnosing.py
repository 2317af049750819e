"""Diagnostics of texts, quick fixes, formatting, and vocabularies that change."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.lsp.texts import HEAD, SCHEMA, marked, vocabulary
from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.lsp.features.completion import complete
from uniqgen_ir.lsp.features.definition import definition
from uniqgen_ir.lsp.features.diagnostics import diagnose
from uniqgen_ir.lsp.features.fixes import quick_fixes
from uniqgen_ir.lsp.features.formatting import formatted
from uniqgen_ir.lsp.features.hover import hover
from uniqgen_ir.lsp.features.rename import RenameRefused, rename_variable
from uniqgen_ir.lsp.source import Source
from uniqgen_ir.lsp.vocabulary import Vocabularies, Vocabulary

TABLE = HEAD + "ctable t {\n  select ?x\n  ?x a ex:City ; ex:in ?y\n}\n"


def found(source: Source, known: Vocabulary) -> list[tuple[str, str]]:
    """Code and underlined text of each diagnostic."""
    result: list[tuple[str, str]] = []
    for one in diagnose(source, known):
        assert one.span is not None
        assert one.span.source == source.name
        result.append((one.code, source.text[one.span.start : one.span.end]))
    return result


def table(line: str) -> Source:
    return Source("/nowhere/t.ctable", HEAD + f"ctable t {{\n  select ?x\n  {line}\n}}\n")


@pytest.mark.parametrize(
    ("line", "code", "place"),
    [
        ("?x ex:in", "UQ100", "\n"),
        ("?x nix:in ?y", "UQ201", "nix:in"),
        ("?x ex:inn ?y", "UQ341", "ex:inn"),
        ("?y ex:in ?z", "UQ202", None),
        ("?x ex:founded ?n where ?n > 5 and ?n < 3", None, None),
        ("?x ex:p ?n where ?n > 5 and ?n < 3", None, None),
    ],
)
def test_every_stage_speaks(line: str, code: str | None, place: str | None, tmp_path: Path) -> None:
    codes = found(table(line), vocabulary(tmp_path))
    assert codes
    if code is not None:
        assert code in [one for one, _ in codes]
    if place is not None:
        assert (code, place) in codes


def test_a_good_table_is_left_alone(tmp_path: Path) -> None:
    assert found(Source("/nowhere/t.ctable", TABLE), vocabulary(tmp_path)) == []


def test_a_schema_with_errors_is_named_where_it_is_used(tmp_path: Path) -> None:
    file = tmp_path / "cities.cts"
    file.write_text(SCHEMA.replace("class ex:Place", "klass ex:Place"), encoding="utf-8")
    source = Source(str(tmp_path / "t.ctable"), 'use schema "cities.cts"\n' + TABLE)
    known = Vocabularies().of((file,), {})
    (one,) = diagnose(source, known)
    assert one.message.startswith("this schema has errors: ")
    assert one.span is not None
    assert source.text[one.span.start : one.span.end] == '"cities.cts"'
    assert [place.span.source for place in one.related] == [str(file)]


def test_a_schema_that_is_missing_is_named_where_it_is_used(tmp_path: Path) -> None:
    text = 'use schema "cities.cts"\nuse schema "other.cts"\n' + TABLE
    vocabulary(tmp_path)
    source = Source(str(tmp_path / "t.ctable"), text)
    known = Vocabularies().of((tmp_path / "cities.cts", tmp_path / "other.cts"), {})
    assert found(source, known) == [("UQ306", '"other.cts"')]


def test_a_schema_file_has_diagnostics_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "s.cts"
    text = HEAD + 'schema s {\n  class ex:A "a" < ex:B\n  class ex:A "again"\n}\n'
    file.write_text(text, encoding="utf-8")
    known = Vocabularies().of((file,), {})
    codes = [code for code, _ in found(Source(str(file), text, is_schema=True), known)]
    assert sorted(codes) == ["UQ301", "UQ302"]
    # a text that is not on disk is read alone
    assert [code for code, _ in found(Source("untitled:s", text, is_schema=True), Vocabulary())] == codes


def test_the_editors_text_stands_for_the_file(tmp_path: Path) -> None:
    known = vocabulary(tmp_path)
    assert found(table("?x ex:out ?y"), known) == [("UQ341", "ex:out")]
    file = tmp_path / "cities.cts"
    unsaved = SCHEMA.replace("synonym", 'relation ex:out "leaves" : ex:City -> ex:City\n  synonym')
    known = Vocabularies().of((file,), {file.resolve(): unsaved})
    assert found(table("?x ex:out ?y"), known) == []


def test_a_vocabulary_is_read_again_when_its_file_changes(tmp_path: Path) -> None:
    vocabularies, file = Vocabularies(), tmp_path / "cities.cts"
    file.write_text(SCHEMA, encoding="utf-8")
    first = vocabularies.of((file,), {})
    assert vocabularies.of((file,), {}) is first
    file.write_text(SCHEMA.replace("cities", "others"), encoding="utf-8")
    os.utime(file, ns=(1, 1))
    second = vocabularies.of((file,), {})
    assert [one.schemas[0].name for one in second.documents] == ["others"]


def test_while_a_schema_is_broken_the_last_good_one_holds(tmp_path: Path) -> None:
    vocabularies, file = Vocabularies(), tmp_path / "cities.cts"
    file.write_text(SCHEMA, encoding="utf-8")
    good = vocabularies.of((file,), {})
    broken = vocabularies.of((file,), {file.resolve(): SCHEMA + "schema {"})
    assert broken.index is good.index
    assert any(one.severity is Severity.ERROR for one in broken.diagnostics)
    assert vocabularies.of((file,), {file.resolve(): SCHEMA}).diagnostics == ()


def test_quick_fixes_are_those_at_the_place(tmp_path: Path) -> None:
    text = HEAD + "ctable t {\n  select ?x\n  ?x ex:inn| ?y\n  ?x ex:foundedd ?z\n}\n"
    source, offset = marked(text)
    fixes = list(quick_fixes(diagnose(source, vocabulary(tmp_path)), offset, offset, source.text))
    assert [one.fix.title for one in fixes] == ["write ex:in"]
    assert "?x ex:in ?y" in fixes[0].fix.apply(source.text)


def test_formatting_gives_the_one_layout_and_nothing_for_broken_text() -> None:
    assert formatted(Source("t.ctable", "ctable   t {\nselect ?x\n      ?x a <urn:c>   # note\n}")) == (
        "ctable t {\n  select ?x\n  ?x a <urn:c>  # note\n}\n"
    )
    assert formatted(Source("t.ctable", "ctable t {\n ?x a\n}")) is None


_INSERTS = ["", "{", "}", "(", '"', "?", ":", "@", "`", "\n", "é", "not {", "😀"]
_MUTATIONS = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 12), st.sampled_from(_INSERTS)), max_size=4)


@given(st.sampled_from([TABLE, SCHEMA]), _MUTATIONS, st.integers(0, 500))
@settings(max_examples=120)
def test_no_text_makes_a_feature_fail(text: str, mutations: list[tuple[int, int, str]], offset: int) -> None:
    for place, length, inserted in mutations:
        text = text[:place] + inserted + text[place + length :]
    source = Source("/nowhere/any.cts" if "schema cit" in text else "/nowhere/t.ctable", text, "schema cit" in text)
    found_ = diagnose(source, Vocabulary())
    offset = min(offset, len(text))
    for one in (hover, definition, complete):
        one(source, offset, Vocabulary())
    for fix in quick_fixes(found_, 0, len(text), text):
        assert fix.fix.apply(text) != text
    formatted(source)
    with suppress(RenameRefused):
        rename_variable(source, offset, "other")


def test_diagnostics_without_a_place_are_given_one() -> None:
    known = Vocabulary(diagnostics=(Diagnostic("UQ305", "these files use each other in a circle", None),))
    source = Source("/nowhere/t.ctable", 'use schema "a.cts"\n' + TABLE)
    assert found(source, known) == [("UQ305", '"a.cts"')]
