"""Pictures: their structure is read back with a small reader of each notation."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise

from hypothesis import given, settings

from tests.property import strategies
from uniqgen_ir.grammar.ctable import parse_table
from uniqgen_ir.ir.pictures import to_dot, to_html, to_mermaid
from uniqgen_ir.ir.pictures_model import Picture
from uniqgen_ir.ir.rows import Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable

_TABLE = parse_table("""
prefix ol: <http://example.org/>
ctable hosts "Which <b>cities</b>?" {
  select ?city
  games:  ?g a ol:Games ; ol:hostCity ?city
  season: ?g ol:season "Winter"
  month:  ?g ol:opening ?d where month(?d) = 2
  near:   ?city ol:in{1,2} ol:america
  name:   optional { ?city ol:name ?name }
  gone:   not { ?city ol:gone ?when }
  kind:   either { ?city a ol:Town } or { ?city a ol:Village }
  late:   ?d > date("1900-01-01")
}
""")

_MERMAID_LINE = re.compile(
    r"""flowchart\ LR
      | end
      | subgraph\ box\d+\["[^"]*"\]
      | n\d+(?:\(\["[^"]*"\]\)|\("[^"]*"\)|\["[^"]*"\]|\[/"[^"]*"/\]|>"[^"]*"\])
      | n\d+\ (?:-->|-\.->|-\.-)(?:\|"[^"]*"\|)?\ n\d+
      | linkStyle\ \d+(?:,\d+)*\ [\w:,\#\ -]+
      | classDef\ \w+\ [\w:,\#\ -]+
      | class\ \w+\ \w+""",
    re.VERBOSE,
)
_DOT_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|->|[{}\[\]=,;]|\w+|\s+')


def _check_mermaid(text: str) -> tuple[int, int]:
    """How many nodes and links; fails for a line that is not one of ours, or boxes that are not closed."""
    open_boxes = nodes = links = 0
    for line in text.rstrip("\n").split("\n"):
        stripped = line.strip(" ")
        assert _MERMAID_LINE.fullmatch(stripped), stripped
        open_boxes += stripped.startswith("subgraph ") - (stripped == "end")
        assert open_boxes >= 0
        nodes += bool(re.match(r"n\d+[(\[>]", stripped))
        links += bool(re.match(r"n\d+ -", stripped))
    assert open_boxes == 0
    return nodes, links


def _check_dot(text: str) -> tuple[int, int]:
    """How many nodes and edges; fails where the text is not tokens of DOT or brackets do not match."""
    place, tokens = 0, list[str]()
    while place < len(text):
        found = _DOT_TOKEN.match(text, place)
        assert found, text[place : place + 40]
        tokens += [found[0]] if found[0].strip() else []
        place = found.end()
    depth: list[str] = []
    for token in tokens:
        if token in "{[":
            depth.append(token)
        elif token in "}]":
            assert depth.pop() == {"}": "{", "]": "["}[token]
    assert not depth
    assert tokens[0] == "digraph"
    names = [one for one, after in pairwise(tokens) if re.fullmatch(r"n\d+", one) and after == "["]
    edges = tokens.count("->")
    return len(names) - edges, edges


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert all(name == "style" for name, _ in attrs)
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def _check_html(text: str) -> str:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert not reader.open
    assert reader.tags <= {"div", "b", "i", "small"}
    return reader.text


def _counts(table: Table) -> tuple[int, int]:
    picture = Picture(table, {})
    boxes = [picture.draw()]
    dots = 0
    while boxes:
        box = boxes.pop()
        dots += len(box.dots)
        boxes += box.boxes
    return dots, len(picture.lines)


def test_mermaid_shows_rows_blocks_and_conditions() -> None:
    text = to_mermaid(_TABLE)
    assert _check_mermaid(text) == _counts(_TABLE)
    assert 'n1(["?city"])' in text or 'n2(["?city"])' in text
    assert '|"games.2: ol:hostCity"|' in text
    assert 'subgraph box1["name: optional"]' in text
    assert text.count("subgraph") == 5  # optional, not, either and its two branches
    assert "month#40;?d#41; = 2" in text


def test_dot_has_the_same_nodes_and_edges() -> None:
    text = to_dot(_TABLE)
    assert _check_dot(text) == _counts(_TABLE)
    assert text.count("subgraph cluster_") == 5
    assert 'label="near: ol:in{1,2}", style=dashed' in text


def test_html_holds_every_row_and_escapes_the_question() -> None:
    text = to_html(_TABLE)
    shown = _check_html(text)
    assert "Which <b>cities</b>?" in shown
    for row in ("games", "season", "month", "near", "name", "gone", "kind", "late"):
        assert f"{row}" in shown
    assert _TABLE._repr_html_() == text


def test_states_grey_rows_with_all_that_they_hold() -> None:
    states = {"season": "dropped", "kind": "redundant", "late": "dropped"}
    mermaid = to_mermaid(_TABLE, states)  # type: ignore[arg-type]
    _check_mermaid(mermaid)
    plain = to_mermaid(_TABLE)
    assert "linkStyle" not in plain
    assert len(re.findall("linkStyle", mermaid)) == 2
    assert re.search(r"class n\d+ dropped", mermaid)
    assert re.search(r"class box\d+ redundant", mermaid)
    dot = to_dot(_TABLE, states)  # type: ignore[arg-type]
    assert _check_dot(dot) == _counts(_TABLE)
    assert dot.count("style=dotted") == 3  # the edge of `season`, the note of `late` and its line
    assert _check_html(to_html(_TABLE, states)).count("(dropped)") == 2  # type: ignore[arg-type]


_HOSTILE = (
    '"]; n9["x',
    'a" | b --> c',
    "x\nend\nsubgraph y",
    "</div><script>alert(1)</script>",
    "\\",
    '\\"',
    "`**md**`",
    "%%{init: {}}%%",
    "#quot;",
    "line\u2028two",
)


def test_hostile_labels_stay_labels() -> None:
    x = Variable("x")
    rows = [Row("r0", TypeAtom(x, IRI("http://example.org/C")))]
    for place, text in enumerate(_HOSTILE, start=1):
        rows.append(Row(f"r{place}", Triple(x, IRI("http://example.org/" + text), Literal.of(text))))
    table = Table(_HOSTILE[0], (Column(x),), tuple(rows), question=_HOSTILE[3])
    assert _check_mermaid(to_mermaid(table)) == (2 + len(_HOSTILE), 1 + len(_HOSTILE))
    assert _check_dot(to_dot(table)) == (2 + len(_HOSTILE), 1 + len(_HOSTILE))
    assert "<script>alert(1)</script>" in _check_html(to_html(table))
    assert "<script" not in to_html(table)


@settings(max_examples=50)
@given(strategies.full_tables())
def test_every_table_has_pictures(table: Table) -> None:
    states = dict.fromkeys((row.id for row in table.rows[::2]), "dropped")
    assert _check_mermaid(to_mermaid(table, states)) == _counts(table)  # type: ignore[arg-type]
    assert _check_dot(to_dot(table, states)) == _counts(table)  # type: ignore[arg-type]
    _check_html(to_html(table, states))  # type: ignore[arg-type]
