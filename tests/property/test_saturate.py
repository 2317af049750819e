"""The chase: everything that it adds follows on every model, nothing more follows, and the order does not matter."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.property.passes_strategies import CLASSES, EDGES, NODES, graphs
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore, evaluate
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.rows import Row, Triple, TypeAtom
from uniqgen_ir.ir.schema import ClassDeclaration, Dependency, RelationDeclaration, Schema
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE
from uniqgen_ir.passes.containment.compare import Relation, compare
from uniqgen_ir.passes.saturate.acyclicity import offending_cycle
from uniqgen_ir.passes.saturate.conflicts import shrunk
from uniqgen_ir.passes.saturate.dependencies import Dependencies, dependencies_of
from uniqgen_ir.passes.saturate.engine import Saturation, saturate_patterns
from uniqgen_ir.passes.saturate.holds import violation
from uniqgen_ir.passes.saturate.patterns import Pattern, atom_of
from uniqgen_ir.passes.saturate.saturate import saturate
from uniqgen_ir.passes.trace import Step

X, Y, Z = Variable("x"), Variable("y"), Variable("z")
TYPE = IRI(RDF_TYPE)

RULES = [
    Dependency("join", (Row("b1", Triple(X, EDGES[0], Y)), Row("b2", Triple(Y, EDGES[0], Z))),
               (Row("h1", Triple(X, EDGES[1], Z)),)),
    Dependency("exists", (Row("b1", TypeAtom(X, CLASSES[0])),),
               (Row("h1", Triple(X, EDGES[2], Y)), Row("h2", TypeAtom(Y, CLASSES[1])))),
    Dependency("loop", (Row("b1", TypeAtom(X, CLASSES[1])),),
               (Row("h1", Triple(X, EDGES[0], Y)), Row("h2", TypeAtom(Y, CLASSES[1])))),
    Dependency("one", (Row("b1", Triple(X, EDGES[1], Y)), Row("b2", Triple(X, EDGES[1], Z))), equal=(Y, Z)),
]  # fmt: skip


@st.composite
def schemas(draw: st.DrawFn, rules: bool = False) -> Schema:
    """Two classes, one perhaps below the other, three relations with ends and inverses; some rules."""
    classes = st.sampled_from([None, *CLASSES])
    relations = [RelationDeclaration(iri, domain=draw(classes), range=draw(classes)) for iri in EDGES]
    if draw(st.booleans()):
        relations[0] = RelationDeclaration(EDGES[0], inverse=EDGES[2], domain=draw(classes))
    below = (CLASSES[1],) if draw(st.booleans()) else ()
    chosen = draw(st.lists(st.sampled_from(RULES), unique_by=lambda one: one.name, max_size=3)) if rules else []
    declared = (ClassDeclaration(CLASSES[0], parents=below), ClassDeclaration(CLASSES[1]))
    return Schema("s", declared, tuple(relations), dependencies=tuple(chosen))


@st.composite
def strict_schemas(draw: st.DrawFn) -> Schema:
    """Two classes that share no instance, relations that may be functional or keys, and some rules."""
    found = draw(schemas(rules=True))
    relations = [evolve(one, functional=draw(st.booleans()), key=draw(st.booleans())) for one in found.relations]
    classes = (ClassDeclaration(CLASSES[0], disjoint=(CLASSES[1],)), ClassDeclaration(CLASSES[1]))
    return evolve(found, classes=classes, relations=tuple(relations))


def closed(graph: Graph, schema: Schema) -> Graph:
    """The graph with what its declared classes, ends and inverses ask for: written out, one rule after the other."""
    facts = dict.fromkeys(graph)
    parents = {one.iri: one.parents for one in schema.classes}
    while True:
        before = len(facts)
        for subject, predicate, object_ in tuple(facts):
            if predicate == TYPE and isinstance(object_, IRI):
                facts.update(dict.fromkeys((subject, TYPE, parent) for parent in parents.get(object_, ())))
            for one in schema.relations:
                if one.iri == predicate and one.domain is not None:
                    facts[subject, TYPE, one.domain] = None
                if one.iri == predicate and one.range is not None and isinstance(object_, IRI):
                    facts[object_, TYPE, one.range] = None
                if one.inverse is not None and isinstance(object_, IRI):
                    if one.iri == predicate:
                        facts[object_, one.inverse, subject] = None
                    if one.inverse == predicate:
                        facts[object_, one.iri, subject] = None
        if len(facts) == before:
            return Graph(facts)


@st.composite
def pattern_sets(draw: st.DrawFn, nodes: int = 1, most: int = 3) -> list[Pattern]:
    names = st.sampled_from([X, Y, Z, *NODES[:nodes]])
    edge = st.tuples(names, st.sampled_from(EDGES), names)
    kind = st.tuples(names, st.just(TYPE), st.sampled_from(CLASSES))
    first: Pattern = (X, draw(st.sampled_from(EDGES)), draw(names))
    return [first, *draw(st.lists(st.one_of(edge, edge, kind), max_size=most))]


def as_table(patterns: list[Pattern]) -> Table:
    return Table("t", (Column(X),), tuple(Row(f"c{n}", atom_of(one)) for n, one in enumerate(patterns)))


@given(pattern_sets(), schemas(), graphs(least=3))
def test_what_is_added_follows_on_every_model(patterns: list[Pattern], schema: Schema, graph: Graph) -> None:
    table = as_table(patterns)
    model = closed(graph, schema)
    assert violation(model, dependencies_of(schema)) is None
    full, _ = saturate(table, schema)
    assert set(evaluate(table, model).rows) == set(evaluate(full, model).rows)


@given(pattern_sets(), schemas(rules=True))
def test_nothing_more_follows(patterns: list[Pattern], schema: Schema) -> None:
    dependencies = dependencies_of(schema)
    found = saturate_patterns(patterns, dependencies, shown=frozenset({X}), steps=60)
    assume(found.conflict is None)
    names = {term: IRI(f"http://example.org/frozen/{term}") for p in found.patterns for term in p
             if isinstance(term, Variable)}  # fmt: skip
    facts = [tuple(names.get(term, term) for term in one) for one in found.patterns]  # type: ignore[call-overload]
    if found.complete:
        assert violation(Graph(facts), dependencies) is None  # type: ignore[arg-type]
    else:
        assert offending_cycle(dependencies.rules) is not None


@given(pattern_sets(), schemas(rules=True), st.data())
def test_the_order_of_rules_and_rows_does_not_matter(
    patterns: list[Pattern], schema: Schema, data: st.DataObject
) -> None:
    dependencies = dependencies_of(schema)
    assume(offending_cycle(dependencies.rules) is None)
    table = as_table(patterns)
    other = as_table(data.draw(st.permutations(patterns)))
    rules = data.draw(st.permutations(schema.dependencies))
    turned = Schema("s", schema.classes[::-1], schema.relations[::-1], dependencies=tuple(rules))
    (one, _), (two, _) = outcome(table, schema), outcome(other, turned)
    if one is None or two is None:
        assert one == two
    else:
        assert compare(one, two).relation is Relation.EQUIVALENT


def outcome(
    table: Table, schema: Schema, store: ReferenceStore | None = None, *, steps: int = 400
) -> tuple[Table | None, tuple[Step, ...]]:
    """The saturated table and the steps to it; None where it is refused."""
    try:
        return saturate(table, schema, steps=steps, store=store)
    except DiagnosticError as error:
        if {one.code for one in error.diagnostics} != {"UQ403"}:
            raise
        return None, ()


def test_a_cycle_is_found_through_the_rule_that_makes_values() -> None:
    loop = dependencies_of(Schema("s", dependencies=(RULES[2],)))
    cycle = offending_cycle(loop.rules)
    assert cycle is not None
    assert "loop" in str(cycle)
    assert offending_cycle(dependencies_of(Schema("s", dependencies=tuple(RULES[:2]))).rules) is None


@given(pattern_sets(nodes=2, most=6), strict_schemas())
def test_a_contradiction_needs_each_of_the_rows_that_it_names(patterns: list[Pattern], schema: Schema) -> None:
    dependencies = dependencies_of(schema)
    assume(offending_cycle(dependencies.rules) is None)

    def chase(some: Iterable[Pattern], by: Dependencies = dependencies) -> Saturation:
        return saturate_patterns(some, by, shown=frozenset({X}), steps=60)

    found = chase(patterns).conflict
    assume(found is not None)
    assert found is not None
    assert chase(found.given).conflict is not None, "what the derivation rests on must suffice"
    small = shrunk(found, tuple(patterns), chase, dependencies)
    assert set(small.given) <= set(found.given)
    assert chase(small.given).conflict is not None
    assert chase(small.given, dependencies.only((*small.rules, small.violated))).conflict is not None
    for one in small.given:
        assert chase(other for other in small.given if other != one).conflict is None


class RecordingStore(ReferenceStore):
    """A graph in memory that remembers what it was asked."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.asked: list[Table] = []

    def select(self, table: Table, *, limit: int | None = None, timeout: float | None = None) -> Answers:
        self.asked.append(table)
        return super().select(table, limit=limit, timeout=timeout)


@given(pattern_sets(nodes=2, most=4), strict_schemas(), graphs(least=6))
def test_on_a_graph_no_answer_is_lost_or_refused(patterns: list[Pattern], schema: Schema, graph: Graph) -> None:
    table = as_table(patterns)
    answers = set(evaluate(table, graph).rows)
    store = RecordingStore(graph)
    full, steps = outcome(table, schema, store, steps=12)
    assert answers == (set() if full is None else set(evaluate(full, graph).rows))
    assert len(set(store.asked)) == len(store.asked), "one call each"
    dependencies = dependencies_of(schema)
    for rule in dependencies.rules:
        if any(step.evidence.get("rule") == rule.name for step in steps if step.rule == "saturate.refused"):
            assert violation(graph, Dependencies((rule,))) == f"the graph violates {rule.name}"
