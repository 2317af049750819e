"""Long queries: the work grows with the length of the text, not with its square. Counted in calls, not in seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from uniqgen_ir.validate.gate import check, vocabulary_of
from uniqgen_ir.validate.repair import MOST_ERRORS
from uniqgen_ir.validate.vocabulary import Vocabulary

_PREFIX = "PREFIX ex: <http://example.org/>\n"
_BOOKS = vocabulary_of(
    {
        "prefixes": {"ex": "http://example.org/"},
        "classes": {
            "ex:Author": {"ex:name": ["xsd:string"], "ex:wrote": ["ex:Book"], "ex:knows": ["ex:Author"]},
            "ex:Book": {"ex:title": ["xsd:string"], "ex:pages": ["xsd:integer"]},
        },
    }
)
_LIBRARY = vocabulary_of(
    {
        "nodes": {"Author": {"name": "STRING"}, "Book": {"title": "STRING", "pages": "INTEGER"}},
        "rels": [{"type": "WROTE", "from": "Author", "to": "Book", "props": {}}],
    }
)


def _all(unit: str, count: int, between: str = " ") -> str:
    return between.join(unit.replace("#", str(number)).replace("+1", str(number + 1)) for number in range(count))


_SPARQL: dict[str, Callable[[int], str]] = {
    "chained BINDs": lambda n: f"* {{ ?a ex:pages ?x0 {_all('BIND(?x# * 2 AS ?x+1)', n)} }}",
    "conditions": lambda n: f"* {{ ?a ex:pages ?p {_all('FILTER(?p > #)', n)} }}",
    "alternatives of one condition": lambda n: f"* {{ ?a ex:pages ?p FILTER({_all('?p = #', n, ' || ')}) }}",
    "excluded values": lambda n: f"* {{ ?a ex:pages ?p FILTER({_all('?p != #', n, ' && ')}) }}",
    "optional parts": lambda n: f"* {{ ?a a ex:Author {_all('OPTIONAL { ?a ex:wrote ?b# }', n)} }}",
    "alternatives": lambda n: f"* {{ {_all('{ ?a ex:wrote ?b# }', n, ' UNION ')} }}",
    "patterns apart": lambda n: f"* {{ {_all('?a# ex:wrote ?b# .', n)} }}",
    "groups behind EXISTS": lambda n: f"* {{ ?a a ex:Author {_all('FILTER EXISTS { ?a ex:wrote ?b# }', n)} }}",
    "unknown predicates": lambda n: f"* {{ {_all('?a ex:no# ?b# .', n)} }}",
    "literals of another type": lambda n: f"* {{ {_all('?a ex:pages %#% .', n).replace('%', chr(34))} }}",
    "values of two lists": lambda n: (
        f"* {{ ?a ex:pages ?p FILTER(?p IN ({_all('#', n, ',')}) && ?p IN ({_all('#.5', n, ',')})) }}"
    ),
    "variables without a value": lambda n: f"* {{ ?a ex:pages ?p FILTER({_all('?z# > 1', n, ' && ')}) }}",
    "columns": lambda n: f"{_all('(COUNT(?b) AS ?x#)', n)} {{ ?a ex:pages ?b }} GROUP BY ?a",
}
_CYPHER: dict[str, Callable[[int], str]] = {
    "conditions": lambda n: f"MATCH (b:Book) WHERE {_all('b.pages <> #', n, ' AND ')} RETURN b",
    "patterns": lambda n: f"MATCH {_all('(a#:Author)-[:WROTE]->(b#:Book)', n, ', ')} RETURN a0",
    "arrows turned": lambda n: f"MATCH {_all('(a:Author)<-[:WROTE]-(b#:Book)', n, ', ')} RETURN a",
    "unknown functions": lambda n: f"MATCH (a:Author) RETURN {_all('uppercase(a.name) AS x#', n, ', ')}",
    "statements": lambda n: _all("MATCH (a:Author) RETURN a", n, "; "),
}


def _calls(query: str, language: str, vocabulary: Vocabulary) -> int:
    """How many functions are called to check a query."""
    count = 0

    def one(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(one)
    try:
        check(query, language=language, schema=vocabulary)
    finally:
        sys.setprofile(None)
    return count


_LENGTH = 75
"""twice as many are still few enough to be mended"""


@pytest.mark.parametrize("name", _SPARQL)
def test_sparql_grows_with_its_length(name: str) -> None:
    texts = [f"{_PREFIX}SELECT {_SPARQL[name](count)}" for count in (3, _LENGTH, 2 * _LENGTH)]
    _first, once, twice = (_calls(text, "sparql", _BOOKS) for text in texts)
    assert twice < 2.4 * once, f"{twice / once:.2f} times the calls for twice the length"


@pytest.mark.parametrize("name", _CYPHER)
def test_cypher_grows_with_its_length(name: str) -> None:
    _first, once, twice = (_calls(_CYPHER[name](count), "cypher", _LIBRARY) for count in (3, _LENGTH, 2 * _LENGTH))
    assert twice < 2.4 * once, f"{twice / once:.2f} times the calls for twice the length"


def test_a_text_with_very_many_errors_is_not_mended() -> None:
    few, many = (f"MATCH (a:Author) RETURN {_all('a.nam AS x#', count, ', ')}" for count in (3, MOST_ERRORS + 1))
    assert check(few, language="cypher", schema=_LIBRARY).fixed_query == few.replace("a.nam ", "a.name ")
    report = check(many, language="cypher", schema=_LIBRARY)
    assert len(report.diagnostics) == MOST_ERRORS + 1
    assert report.fixed_query is None
