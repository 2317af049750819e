"""No false alarms: rows with a solution on a graph that keeps to the schema have no error, whatever else is said."""

from __future__ import annotations

from attrs import evolve
from hypothesis import assume, event, given
from hypothesis import strategies as st

from tests.property import passes_strategies, strategies
from tests.property.typing_strategies import schemas_of
from uniqgen_ir.ir.diagnostics import errors
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.inference import infer
from uniqgen_ir.ir.rows import Row, Triple, TypeAtom
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Variable
from uniqgen_ir.ir.types import LiteralType, NodeType, Type, UnionType, derives
from uniqgen_ir.ir.vocabulary import RDF_TYPE
from uniqgen_ir.passes.typecheck import typecheck
from uniqgen_ir.passes.types.names import uses
from uniqgen_ir.passes.verify import verify


def _names(table: Table, *, as_class: bool) -> list[IRI]:
    return [use.name for use in uses(table.rows) if use.as_class is as_class]


@st.composite
def _typed_worlds(draw: st.DrawFn) -> tuple[Table, Graph, Schema | None]:
    if draw(st.booleans()):
        table, graph = draw(strategies.worlds())
    else:
        table = draw(passes_strategies.tables(most=3))
        graph = draw(passes_strategies.graphs(least=8))
    schema = draw(st.none() | schemas_of(graph, _names(table, as_class=True), _names(table, as_class=False)))
    return table, graph, schema


def _with_answers(table: Table, graph: Graph) -> bool:
    return bool(evaluate(table, graph).rows)


@given(_typed_worlds())
def test_a_table_with_answers_has_no_error(world: tuple[Table, Graph, Schema | None]) -> None:
    table, graph, schema = world
    assume(not errors(verify(table)))
    found = errors(typecheck(table, schema))
    if _with_answers(table, graph):
        event("answers")
        assert not found, "\n".join(one.render() for one in found)
    else:
        event("an error" if found else "no answer, no error")


def _is_of(term: GroundTerm, type_: Type, graph: Graph, schema: Schema) -> bool:
    match type_:
        case NodeType(classes):
            kept = (one for one in classes)
            return not isinstance(term, Literal) and all(_instance(term, one, graph, schema) for one in kept)
        case LiteralType(datatypes):
            return isinstance(term, Literal) and (
                not datatypes or any(derives(term.datatype, one) for one in datatypes)
            )
        case UnionType(options):
            return any(_is_of(term, one, graph, schema) for one in options)
        case _:
            return True


def _instance(term: GroundTerm, class_: IRI, graph: Graph, schema: Schema) -> bool:
    below = SchemaIndex.of(schema).subclasses(class_)
    return any(found in below for _, _, found in graph.match(term, IRI(RDF_TYPE), None) if isinstance(found, IRI))


@given(_typed_worlds())
def test_answers_have_the_inferred_types(world: tuple[Table, Graph, Schema | None]) -> None:
    table, graph, schema = world
    assume(not errors(verify(table)))
    typed = infer(table, schema)
    answers = evaluate(table, graph)
    for column, name in enumerate(answers.columns):
        type_ = typed.type_of(Variable(name))
        for row in answers.rows:
            term = row[column]
            assert term is None or _is_of(term, type_, graph, schema or Schema("none")), (name, term, type_)


@given(strategies.full_tables(), st.booleans())
def test_every_table_is_typed_without_an_exception(table: Table, with_schema: bool) -> None:
    graph = Graph([(IRI("http://example.org/a"), IRI("http://example.org/p"), Literal.of(1))])
    schema = Schema("s") if with_schema and len(graph) else None
    first = typecheck(table, schema)
    assert first == typecheck(table, schema)


@given(_typed_worlds())
def test_errors_do_not_depend_on_the_order_of_rows(world: tuple[Table, Graph, Schema | None]) -> None:
    table, _, schema = world
    turned = evolve(table, rows=tuple(reversed(table.rows)))
    assert bool(errors(typecheck(table, schema))) == bool(errors(typecheck(turned, schema)))


def test_the_property_can_fail() -> None:
    """A checker that takes unrelated classes for disjoint is caught by a graph with a node of both."""
    node, one, other = (IRI("http://example.org/" + name) for name in ("n", "A", "B"))
    graph = Graph([(node, IRI(RDF_TYPE), one), (node, IRI(RDF_TYPE), other)])
    from uniqgen_ir.ir.schema import ClassDeclaration

    schema = Schema("s", (ClassDeclaration(one), ClassDeclaration(other)))
    x = Variable("x")
    rows = (Row("c1", TypeAtom(x, one)), Row("c2", TypeAtom(x, other)), Row("c3", Triple(x, IRI(RDF_TYPE), other)))
    table = Table("t", (), rows)
    assert _with_answers(table, graph)
    assert not errors(typecheck(table, schema))
    assert errors(typecheck(table, SchemaIndex.of(schema, exclusive_classes=True)))
