"""One layout, comments kept, meaning untouched."""

from __future__ import annotations

import pytest

from uniqgen_ir.grammar.ctable.formatter import format_text
from uniqgen_ir.ir.diagnostics import DiagnosticError

UGLY = """# a file
prefix   ex:<http://example.org/>   # where names come from



ctable  t   "q"{

select distinct ?x   ?y
  games:   ?x a ex:C ;
  ex:p{ 1 , 3 } ?y   # trailing
      # own line
  kind: either{ ?x a ex:A }
  or {
  ?x a ex:B   @structural( u=0.5 ,"r" )
    }
  not{?x ex:q "a  b"@en.}
  (?x<?y)=(  ?y>=?x  )


  limit   3

  }
"""
NEAT = """# a file
prefix ex:<http://example.org/>  # where names come from

ctable t "q" {
  select distinct ?x ?y
  games: ?x a ex:C ;
      ex:p{1,3} ?y  # trailing
  # own line
  kind: either { ?x a ex:A }
  or {
    ?x a ex:B @structural(u = 0.5, "r")
  }
  not { ?x ex:q "a  b"@en. }
  (?x < ?y) = (?y >= ?x)

  limit 3
}
"""


def test_the_layout() -> None:
    assert format_text(UGLY) == NEAT.replace("ex:<", "ex: <")
    assert format_text(NEAT) == NEAT.replace("ex:<", "ex: <")


def test_a_schema_is_laid_out_too() -> None:
    text = "schema  s{\nclass owl:Class   # c\n   relation rdfs:member  : owl:Class->owl:Thing\n functional\n}"
    assert format_text(text) == (
        "schema s {\n  class owl:Class  # c\n  relation rdfs:member : owl:Class->owl:Thing\n      functional\n}\n"
    )


def test_line_ends_of_other_systems_become_ours() -> None:
    assert format_text("# a\r\n\r\n\r\n# b\r\n") == "# a\n\n# b\n"


def test_text_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(DiagnosticError) as caught:
        format_text("ctable t {\n  select ?x\n  ?x a\n}\n")
    assert [one.code for one in caught.value.diagnostics] == ["UQ100"]


def test_an_unknown_prefix_is_no_matter_of_layout() -> None:
    assert format_text("ctable t { select ?x . ?x a ex:C }") == "ctable t { select ?x . ?x a ex:C }\n"


def test_nothing_stays_nothing() -> None:
    assert format_text("") == ""
