"""Random queries with nested groups: the reader and the reference evaluator against Oxigraph on the same text.

Where SPARQL's order and scope of groups differ from those of rows, the reader must keep SPARQL's.
"""

from __future__ import annotations

from collections import Counter

import pyoxigraph
from hypothesis import example, given
from hypothesis import strategies as st

from uniqgen_ir.grammar.ctable import read_table
from uniqgen_ir.grammar.sparql import read_sparql
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.printer import print_table
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal
from uniqgen_ir.ir.visitor import walk_rows

EX = "http://example.org/"
FACTS = (
    "\n".join(
        f"<{EX}{subject}> <{EX}{predicate}> {object_} ."
        for subject, predicate, object_ in (
            ("n1", "p", f"<{EX}n2>"),
            ("n1", "q", "1"),
            ("n2", "p", f"<{EX}n3>"),
            ("n2", "q", "2"),
            ("n3", "p", f"<{EX}n1>"),
            ("n3", "q", "1"),
            # no two predicates join the same nodes: Oxigraph drops what `p|r` finds twice, SPARQL 1.1 (18.4) keeps it
            ("n3", "r", f"<{EX}n2>"),
            ("n1", "r", f"<{EX}n1>"),
        )
    )
    .replace(" 1 .", ' "1"^^<http://www.w3.org/2001/XMLSchema#integer> .')
    .replace(" 2 .", ' "2"^^<http://www.w3.org/2001/XMLSchema#integer> .')
)

variables = st.sampled_from(["?a", "?b", "?c"])
nodes = st.one_of(variables, variables, st.sampled_from(["ex:n1", "ex:n2", "1"]))
predicates = st.sampled_from(["ex:p", "ex:q", "ex:r", "(ex:p|ex:r)", "^ex:p", "ex:p/ex:q", "ex:p?"])
values = st.one_of(variables, st.sampled_from(["1", "2", "ex:n1"]))


@st.composite
def triples(draw: st.DrawFn) -> str:
    return f"{draw(st.one_of(variables, variables, st.just('ex:n1')))} {draw(predicates)} {draw(nodes)} ."


@st.composite
def conditions(draw: st.DrawFn) -> str:
    left, right = draw(variables), draw(values)
    form = draw(st.sampled_from(["=", "!=", "<", "bound", "unbound", "in", "or"]))
    match form:
        case "bound":
            return f"BOUND({left})"
        case "unbound":
            return f"!BOUND({left})"
        case "in":
            return f"{left} IN (1, {right})"
        case "or":
            return f"!BOUND({left}) || {left} = {right}"
        case _:
            return f"{left} {form} {right}"


@st.composite
def elements(draw: st.DrawFn, depth: int, counter: list[int], minus: bool = True) -> str:
    kinds = ["triple"] * 4 + ["filter", "values"]
    if depth:
        kinds += ["optional", "optional", "union", "nested", "bind", "subselect"] + ["minus"] * minus
    match draw(st.sampled_from(kinds)):
        case "triple":
            return draw(triples())
        case "filter":
            return f"FILTER({draw(conditions())})"
        case "values":
            return f"VALUES ({draw(variables)}) {{ (1) (ex:n2) (UNDEF) }}"
        case "optional":
            # no MINUS in there: Oxigraph and rdflib let bindings from outside into it, SPARQL 1.1 (18.5) does not
            return f"OPTIONAL {draw(groups(depth - 1, counter, False))}"
        case "union":
            return f"{draw(groups(depth - 1, counter, minus))} UNION {draw(groups(depth - 1, counter, minus))}"
        case "minus":
            return f"MINUS {draw(groups(depth - 1, counter, minus))}"
        case "bind":
            counter[0] += 1
            return f"BIND({draw(st.one_of(values, st.just('?a + 1')))} AS ?d{counter[0]})"
        case "subselect":
            return f"{{ SELECT {draw(variables)} WHERE {draw(groups(depth - 1, counter, minus))} }}"
        case _:
            return draw(groups(depth - 1, counter, minus))


@st.composite
def groups(draw: st.DrawFn, depth: int, counter: list[int], minus: bool = True) -> str:
    parts = draw(st.lists(elements(depth, counter, minus), min_size=1, max_size=3))
    return "{ " + " ".join(parts) + " }"


@st.composite
def queries(draw: st.DrawFn) -> str:
    return f"PREFIX ex: <{EX}> SELECT ?a ?b ?c ?d1 WHERE {draw(groups(2, [0]))}"


def ours(term: pyoxigraph.NamedNode | pyoxigraph.Literal | pyoxigraph.BlankNode | None) -> GroundTerm | None:
    match term:
        case pyoxigraph.NamedNode():
            return IRI(term.value)
        case pyoxigraph.Literal():
            return Literal(term.value, term.datatype.value)
        case _:
            return None


STORE = pyoxigraph.Store()
STORE.load(FACTS.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
GRAPH = Graph(
    (ours(quad.subject), ours(quad.predicate), ours(quad.object))  # type: ignore[misc]
    for quad in STORE
)


def referee(query: str) -> Counter[tuple[GroundTerm | None, ...]]:
    solutions = STORE.query(query)
    assert isinstance(solutions, pyoxigraph.QuerySolutions)
    names = [variable.value for variable in solutions.variables]
    return Counter(tuple(ours(solution[name]) for name in names) for solution in solutions)


@given(queries())
@example(f"PREFIX ex: <{EX}> SELECT ?a ?b ?c ?d1 WHERE {{ OPTIONAL {{ ?a ex:q ?b }} ?c ex:q ?b }}")
@example(f"PREFIX ex: <{EX}> SELECT ?a ?b ?c ?d1 WHERE {{ ?a ex:p ?b OPTIONAL {{ BIND(?a AS ?d1) }} }}")
@example(f"PREFIX ex: <{EX}> SELECT ?a ?b ?c ?d1 WHERE {{ ?a ex:p ?b {{ FILTER(?a = ?b) }} UNION {{ ?b ex:q ?c }} }}")
@example(f"PREFIX ex: <{EX}> SELECT ?a ?b ?c ?d1 WHERE {{ ?a ex:p ?b MINUS {{ ?c ex:q 1 }} ?c ex:p ?a }}")
def test_scopes_are_those_of_sparql(query: str) -> None:
    result = read_sparql(query)
    if result.table is None:
        # a name that BIND gives stands before it: refused, as Oxigraph does
        assert {one.code for one in result.diagnostics} == {"UQ161"}
        return
    assert Counter(evaluate(result.table, GRAPH).rows) == referee(query)
    names = [row.id for row in walk_rows(result.table.rows)]
    assert all(names)
    assert len(set(names)) == len(names)
    assert read_table(print_table(result.table)).table == result.table
