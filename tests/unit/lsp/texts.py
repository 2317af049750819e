"""Texts with a marked place, and the schema that they speak of."""

from __future__ import annotations

from pathlib import Path

from uniqgen_ir.lsp.source import Source
from uniqgen_ir.lsp.vocabulary import Vocabularies, Vocabulary

HEAD = "prefix ex: <http://example.org/>\n"
SCHEMA = """prefix ex: <http://example.org/>
schema cities {
  class ex:City "city" < ex:Place
  class ex:Place "place"
  class ex:Country "country"
  relation ex:in "lies in" : ex:City -> ex:Country
  property ex:founded "founding date" : ex:City -> xsd:date functional
  synonym "town" = ex:City
}
"""
MARK = "|"


def marked(text: str, name: str = "/nowhere/t.ctable", mark: str = MARK) -> tuple[Source, int]:
    """The text without its mark, and where the mark stood."""
    assert text.count(mark) == 1
    offset = text.index(mark)
    return Source(name, text.replace(mark, ""), name.endswith(".cts")), offset


def vocabulary(folder: Path, text: str = SCHEMA) -> Vocabulary:
    file = folder / "cities.cts"
    file.write_text(text, encoding="utf-8")
    return Vocabularies().of((file,), {})
