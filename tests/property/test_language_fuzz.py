"""Any text gives diagnostics, quickly, and nothing else."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.timing import within
from uniqgen_ir.grammar.ctable import read_table
from uniqgen_ir.grammar.ctable.formatter import format_text
from uniqgen_ir.grammar.schema import read_document
from uniqgen_ir.ir.codes import schema, syntax
from uniqgen_ir.ir.diagnostics import DiagnosticError, errors

CODES = (*syntax.FAMILY, *schema.FAMILY)
SEEDS = [text for code in CODES for text in (code.instead, code.example)]
SEEDS.append(
    """ctable 1
prefix ex: <http://example.org/>
use schema "a.cts"
use unbounded paths
ctable big "question?" {
  select distinct ?x (count(distinct ?y) as ?n), ?z
  one: ?x a ex:City ; ex:in{1,3} ?y, ?z where ?z > 3 and not ?y in (1, 2) @pragmatic(u = 0.4, "why") @from(c1, c2)
  two: optional { ?x ^ex:p / (ex:q | !(ex:r | ^ex:s)) "a"@en . exists { ?x ?p 1.5e3 } }
  either { ?x ex:p* true } or { minus { ?x ex:q -5 } } @required
  values (?a ?b) { (1 undef) ("x"^^xsd:date date("2000-01-01")) }
  let ?w = if(bound(?a), lower(?b) starts with "x", 1 - -2 * 3)
  t: table inner { select ?x (max(?y) as ?m) . ?x ex:p ?y . group by ?x . having count(*) > 1 }
  match different relationships
  argmax ?x by ?n
  order by desc(?n) ?x
  limit 10
  offset 5
}
"""
)
WORDS = (
    "{",
    "}",
    "(",
    ")",
    "\n",
    ".",
    ";",
    ",",
    '"',
    "'",
    "`",
    "?x",
    "<",
    ">",
    "=",
    "@",
    "@en",
    "^^",
    "^",
    "|",
    "/",
    "*",
    "+",
    "-",
    "!",
    "not ",
    "and ",
    "or ",
    "ex:p",
    "1",
    "{1,2}",
    "select ",
    "ctable ",
    "either ",
    "where ",
    "a ",
    "#",
    "schema ",
    "mapping ",
    "=>",
    "-[",
    "]->",
    ":",
    "\\",
    "\x00",
    "é",
    "“",
    "c1:",
    "count(",
    "values ",
    "let ",
)
PIECES = st.sampled_from(WORDS)


def survives(text: str) -> None:
    table = within(1.0, lambda: read_table(text))
    assert (table.table is None) == bool(errors(table.diagnostics))
    document = read_document(text)
    assert (document.document is None) == bool(errors(document.diagnostics))
    for one in (*table.diagnostics, *document.diagnostics):
        assert one.span is not None
        assert 0 <= one.span.start <= one.span.end <= len(text)
        one.render({"<input>": text})
        if one.fix is not None:
            one.fix.apply(text)
    try:
        formatted = format_text(text)
    except DiagnosticError:
        formatted = None
    if formatted is not None:
        assert format_text(formatted) == formatted
        again = read_table(formatted)
        assert again.tables == table.tables
        assert [one.code for one in again.diagnostics] == [one.code for one in table.diagnostics]


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200) | st.lists(PIECES, max_size=60).map("".join))
@example("(" * 3000)
@example("ctable t {" + "optional {" * 500)
@example("ctable t { select ?x\n" + "not " * 5000 + "?x }")
@example("ctable t { select ?x\n ?x = " + "- " * 5000 + "1 }")
@example("ctable t { select ?x\n ?x = " + "1 + " * 5000 + "1 }")
@example("ctable t { select ?x\n ?x " + "^" * 3000 + "<a:b> ?y }")
@example('"""' * 2000)
def test_any_text_gives_diagnostics(text: str) -> None:
    survives(text)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 8))
        text = text[:place] + draw(st.just("") | PIECES | st.text(max_size=3)) + text[place + length :]
    return text


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mutated())
@example("ctable t {\n  select ?x\n  ?x rdfs:label ?l\n{")
def test_a_damaged_file_gives_diagnostics(text: str) -> None:
    survives(text)


def mutant(random: Random) -> str:
    """A valid text with one to six places replaced by a word of the language, a piece of another text, or nothing."""
    text = random.choice(SEEDS)
    for _ in range(random.randint(1, 6)):
        place = random.randint(0, len(text))
        other = random.choice(SEEDS)
        start = random.randint(0, len(other))
        put = random.choice(("", random.choice(WORDS), chr(random.randint(1, 0x2FFF)), other[start : start + 20]))
        text = text[:place] + put + text[place + random.randint(0, 8) :]
    return text


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_ten_thousand_mutants(seed: int) -> None:
    """Over all seeds 200,000 texts: nothing but diagnostics, none over a second."""
    random = Random(seed)
    for _ in range(10_000):
        survives(mutant(random))
