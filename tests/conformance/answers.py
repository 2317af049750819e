"""Answers as pages show them: one line each, cells between bars, in Turtle's notation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

import pyoxigraph

from uniqgen_ir.backends.base import RenderedQuery
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal
from uniqgen_ir.ir.types import derives
from uniqgen_ir.ir.vocabulary import XSD_BOOLEAN, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, XSD_STRING


def turtle_of(prefixes: str, text: str) -> str:
    """A Turtle file from the prefixes of a page and its triples."""
    common = ("prefix xsd: <http://www.w3.org/2001/XMLSchema#>", "prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#>")
    lines = [*prefixes.strip().splitlines(), *common]
    return "\n".join(f"@{line} ." for line in lines) + "\n" + text


def store_of(turtle: str) -> pyoxigraph.Store:
    store = pyoxigraph.Store()
    store.load(turtle.encode(), format=pyoxigraph.RdfFormat.TURTLE)
    return store


def graph_of(turtle: str) -> Graph:
    """The same facts for the reference evaluator, literals as they are written."""
    graph = Graph()
    for quad in pyoxigraph.parse(turtle.encode(), format=pyoxigraph.RdfFormat.TURTLE):
        subject, object_ = _term(quad.subject), _term(quad.object)
        assert isinstance(subject, IRI | BlankNode)
        assert object_ is not None
        graph.add((subject, IRI(quad.predicate.value), object_))
    return graph


def _term(term: object) -> GroundTerm | None:
    match term:
        case pyoxigraph.NamedNode():
            return IRI(term.value)
        case pyoxigraph.BlankNode():
            return BlankNode(term.value)
        case pyoxigraph.Literal():
            if term.language:
                return Literal.tagged(term.value, term.language)
            return Literal(term.value, term.datatype.value)
        case None:
            return None
        case _:
            raise TypeError(repr(term))


def ask_store(store: pyoxigraph.Store, query: RenderedQuery) -> Answers:
    """What Oxigraph answers to a rendered query."""
    result = store.query(query.text)
    if isinstance(result, pyoxigraph.QueryBoolean):
        return Answers(("ask",), ((Literal.of(bool(result)),),))
    assert isinstance(result, pyoxigraph.QuerySolutions)
    width = len(result.variables)
    columns = query.columns or tuple(one.value for one in result.variables)
    rows = tuple(tuple(_term(solution[place]) for place in range(width)) for solution in result)
    return Answers(columns, rows[: query.limit])


def show_answers(answers: Answers, prefixes: Mapping[str, str], *, ordered: bool) -> str:
    """A line of column names, then a line for each answer; sorted unless the table orders them."""
    lines = [" | ".join(show_term(cell, prefixes) for cell in row) for row in answers.rows]
    head = " | ".join("ask" if answers.columns == ("ask",) else f"?{name}" for name in answers.columns)
    return "\n".join([head, *(lines if ordered else sorted(lines))]) + "\n"


def sorted_lines(text: str) -> str:
    """The expected answers in the order in which unordered ones are compared; spaces around bars do not count."""
    head, *lines = [" | ".join(cell.strip() for cell in line.split(" | ")) for line in text.splitlines()]
    return "\n".join([head, *sorted(lines)]) + "\n"


def show_term(term: GroundTerm | None, prefixes: Mapping[str, str]) -> str:
    match term:
        case None:
            return "-"
        case IRI(value):
            return _short(value, prefixes.items()) or f"<{value}>"
        case BlankNode():
            return "[]"
        case Literal(lexical, datatype, language):
            return _show_literal(lexical, datatype, language, prefixes)


def _show_literal(lexical: str, datatype: str, language: str | None, prefixes: Mapping[str, str]) -> str:
    if language:
        return f'"{lexical}"@{language}'
    if datatype == XSD_STRING:
        return f'"{lexical}"'
    if derives(datatype, XSD_INTEGER):
        return str(int(lexical))
    if datatype == XSD_DECIMAL:
        number = Decimal(lexical).normalize()
        return f"{number:f}" if number != number.to_integral_value() else f"{number:.1f}"
    if datatype == XSD_DOUBLE:
        return f"{float(lexical)!r}e0"
    if datatype == XSD_BOOLEAN:
        return "true" if lexical in ("true", "1") else "false"
    return f'"{lexical}"^^{_short(datatype, prefixes.items()) or datatype}'


def _short(value: str, prefixes: Iterable[tuple[str, str]]) -> str | None:
    for name, namespace in prefixes:
        if value.startswith(namespace) and value != namespace:
            return f"{name}:{value.removeprefix(namespace)}"
    return None
