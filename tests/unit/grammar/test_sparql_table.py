"""The parse table: up to date, free of conflicts, and Lark's own parser as the referee of the driver."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from lark import Lark
from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer, Token

from uniqgen_ir.grammar.sparql import generate as sparql_generate
from uniqgen_ir.grammar.sparql import read_sparql
from uniqgen_ir.grammar.sparql.lexer import END, tokenize
from uniqgen_ir.grammar.sparql.tables import parse_table
from uniqgen_ir.ir.rows import Triple
from uniqgen_ir.ir.terms import Literal

READ = [
    "SELECT * { ?s ?p ?o }",
    "PREFIX e: <http://e/> SELECT DISTINCT ?a (COUNT(*) AS ?n) WHERE { ?a e:p/e:q* [ e:r (1 2.5 'x'@en) ], 3 ; a e:C }"
    " GROUP BY ?a HAVING (COUNT(*) > 1) ORDER BY DESC(?n) LIMIT 3 OFFSET 1 VALUES ?a { e:x UNDEF }",
    "ASK { { ?a ?b ?c } UNION { ?c ?b ?a OPTIONAL { ?a ?a ?a } } MINUS { ?x ?y 1 } FILTER NOT EXISTS { ?a ?b 1 } }",
    "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o . BIND(IF(?o = 1, 2, -3 + 4) AS ?x) }",
    "DESCRIBE ?x <http://e/> WHERE { ?x ?y ?z . SERVICE SILENT ?x { GRAPH ?g { ?a ?b ?c } } }",
]
REFUSED = [
    "SELECT { ?s ?p ?o }",
    "SELECT * { ?s ?p }",
    "SELECT * { ?s ?p ?o ?q ?r ?t }",
    "ASK { FILTER }",
    "",
    "SELECT",
]


class OurTokens(Lexer):
    """Our tokens in Lark's clothes."""

    def __init__(self, _conf: Any) -> None: ...

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[Token]:
        del parser_state
        for kind, text, _, _ in tokenize(lexer_state, parse_table()):
            if kind != END:
                yield Token(kind, text)


@pytest.fixture(scope="module")
def lark() -> Lark:
    grammar = sparql_generate.GRAMMAR.read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer=OurTokens, strict=True, maybe_placeholders=False)


def test_the_table_is_that_of_the_grammar_and_has_no_conflict() -> None:
    assert json.loads(sparql_generate.TABLE.read_text(encoding="utf-8")) == sparql_generate.build()


@pytest.mark.parametrize("text", READ)
def test_lark_reads_what_the_driver_reads(lark: Lark, text: str) -> None:
    lark.parse(text)
    assert "UQ140" not in {one.code for one in read_sparql(text).diagnostics}


@pytest.mark.parametrize("text", REFUSED)
def test_lark_refuses_what_the_driver_refuses(lark: Lark, text: str) -> None:
    with pytest.raises(UnexpectedInput):
        lark.parse(text)
    assert read_sparql(text).table is None


def test_every_alternative_has_a_method() -> None:
    from uniqgen_ir.grammar.sparql.queries import QueryActions

    missing = [rule.action for rule in parse_table().rules if rule.action and not hasattr(QueryActions, rule.action)]
    assert missing == []


@pytest.mark.parametrize("written", [r'"\\"', r'"a \\ b"', r"'\\'", r'"""\\ "quoted" \\"""', r'"\"a\" \\ b"'])
def test_a_backslash_escapes_a_backslash(written: str) -> None:
    """ECHAR of SPARQL 1.1 holds it; a class of characters must not lose it on the way through the grammar file."""
    result = read_sparql(f"SELECT ?x {{ ?x <http://e/p> {written} }}")
    assert result.table is not None
    assert isinstance(atom := result.table.rows[0].atom, Triple)
    assert isinstance(atom.object, Literal)
    assert atom.object.lexical.count("\\") == written.count("\\\\")
