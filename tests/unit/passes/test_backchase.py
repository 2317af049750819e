"""The backchase on small graphs: findings of the property tests, and the kinds of witnesses and redundancy."""

from __future__ import annotations

from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
from uniqgen_ir.ir.expressions import Aggregate, Comparison, ComparisonOperator
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.paths import Repeat, Step
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.rows import Either, Filter, OptionalBlock, PathAtom, Row, RowNote, Triple, TypeAtom
from uniqgen_ir.ir.schema import ClassDeclaration, RelationDeclaration, Schema
from uniqgen_ir.ir.table import Column, OrderKey, Shell, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE
from uniqgen_ir.passes.certificates.checker import verify_trace
from uniqgen_ir.passes.certificates.claims import read_header
from uniqgen_ir.passes.certificates.follow import following
from uniqgen_ir.passes.relaxation import RelaxationOptions, chase_and_backchase
from uniqgen_ir.passes.search.result import ChaseReport, RedundancyKind, Status, WitnessKind

X, Y, V = Variable("x"), Variable("y"), Variable("v")


def iri(name: str) -> IRI:
    return IRI(f"http://example.org/{name}")


def graph(*facts: tuple[str, str, str | int]) -> Graph:
    def fact(subject: str, predicate: str, object_: str | int) -> Fact:
        end = Literal.of(object_) if isinstance(object_, int) else iri(object_)
        return iri(subject), IRI(RDF_TYPE) if predicate == "a" else iri(predicate), end

    return Graph(fact(*one) for one in facts)


def search(table: Table, on: Graph, *answers: str, **options: object) -> ChaseReport:
    references = tuple(ReferenceAnswer((iri(answer),)) for answer in answers)
    return chase_and_backchase(table, ReferenceStore(on), references, RelaxationOptions(**options))  # type: ignore[arg-type]


def table(*rows: Row, head: tuple[Variable, ...] = (X,), shell: Shell | None = None) -> Table:
    return Table("t", tuple(Column(one) for one in head), rows, shell or Shell())


def kinds(report: ChaseReport) -> dict[str, str]:
    found = {one.row: one.kind.value for one in report.kept}
    found |= {one.row: one.kind.value for one in report.redundant}
    return found | {one.row: one.reason.value for one in report.dropped}


def test_the_last_row_of_the_key_is_kept_for_safety() -> None:
    """A row tested while others still bound the key, and alone at the end, is not kept for an answer."""
    rows = (
        Row("c2", Triple(X, iri("likes"), Y)),
        Row("c3", TypeAtom(X, iri("City"))),
        Row("c4", Triple(Y, iri("likes"), X)),
    )
    report = search(table(*rows), graph(("a", "likes", "b"), ("b", "likes", "a"), ("a", "a", "City")), "a")
    assert kinds(report) == {"c2": "data", "c3": "unsafe", "c4": "data"}


def test_a_row_that_keeps_an_answer_out_names_it() -> None:
    rows = (Row("c1", TypeAtom(X, iri("City"))), Row("c2", Triple(X, iri("in"), iri("us"))))
    on = graph(("a", "a", "City"), ("a", "in", "us"), ("b", "a", "City"), ("c", "in", "us"))
    report = search(table(*rows), on, "a")
    assert [(one.row, one.kind, one.answer) for one in report.kept] == [
        ("c1", WitnessKind.ANSWER, (iri("c"),)),
        ("c2", WitnessKind.ANSWER, (iri("b"),)),
    ]
    assert report.answers == ((iri("a"),),)


def test_implied_rows_are_told_from_those_redundant_on_data() -> None:
    fewest = Comparison(ComparisonOperator.GREATER, V, Literal.of(3))
    fewer = Comparison(ComparisonOperator.GREATER_EQUAL, V, Literal.of(2))
    rows = (
        Row("value", Triple(X, iri("size"), V)),
        Row("strong", Filter(fewest)),
        Row("weak", Filter(fewer)),
        Row("twice", Triple(X, iri("size"), V)),
        Row("any", Triple(X, iri("size"), Y)),
        Row("path", PathAtom(X, Repeat(Step(iri("size")), 1, 3), V)),
        Row("kind", TypeAtom(X, iri("City"))),
    )
    on = graph(("a", "size", 5), ("a", "a", "City"), ("b", "size", 1))
    found = kinds(search(table(*rows), on, "a"))
    assert found["weak"] == found["any"] == found["path"] == "implied"
    assert found["kind"] == "data"
    assert sorted((found["value"], found["twice"])) == ["implied", "unsafe"]
    only_schema = kinds(search(table(*rows), on, "a", evidence="schema"))
    assert only_schema["weak"] == "implied"
    assert "data" not in only_schema.values()


def test_a_type_that_the_schema_gives_is_implied_only_if_the_graph_obeys() -> None:
    schema = Schema(
        "s",
        classes=(ClassDeclaration(iri("Town"), parents=(iri("Place"),)), ClassDeclaration(iri("Place"))),
        relations=(RelationDeclaration(iri("mayor"), domain=iri("Town")),),
    )
    rows = (Row("c1", Triple(X, iri("mayor"), Y)), Row("c2", TypeAtom(X, iri("Place"))))
    obeys = graph(("a", "mayor", "m"), ("a", "a", "Place"))
    violates = graph(("a", "mayor", "m"), ("a", "a", "Place"), ("b", "mayor", "m"))
    assert kinds(search(table(*rows), obeys, "a", schema=schema)) == {"c1": "unsafe", "c2": "implied"}
    report = search(table(*rows), violates, "a", schema=schema, evidence="schema")
    assert {one.row for one in report.kept} == {"c1", "c2"}


def test_rows_that_only_fold_together_are_implied_and_the_checker_agrees() -> None:
    """No single row says what `far` says; a mapping of all rows into the others shows that it may go."""
    u, w, z = Variable("u"), Variable("w"), Variable("z")
    rows = (
        Row("near", Triple(X, iri("p"), Y)),
        Row("far", Triple(Y, iri("q"), z)),
        Row("near2", Triple(X, iri("p"), u)),
        Row("far2", Triple(u, iri("q"), w)),
        Row("back", Triple(u, iri("r"), X)),
    )
    on = graph(("a", "p", "b"), ("b", "q", "c"), ("b", "r", "a"), ("d", "p", "b"), ("e", "r", "e"), ("f", "r", "d"))
    for strategy in ("greedy", "exact"):
        report = search(table(*rows), on, "a", evidence="data", strategy=strategy)
        found = kinds(report)
        assert found["near"] == found["far"] == "implied"
        verdict = verify_trace(report.steps, ReferenceStore(on))
        assert (verdict.diagnostics, verdict.unproved) == ((), ())
        step = next(one for one in report.steps if one.rule == "backchase.remove" and one.evidence["proof"])
        assert "homomorphism" in str(step.evidence["proof"])


def test_a_mapping_that_is_none_proves_nothing() -> None:
    """The row is redundant on the graph, and the trace says that a mapping shows it for every graph."""
    rows = (Row("c1", Triple(X, iri("p"), Y)), Row("c2", Triple(Y, iri("q"), V)))
    report = search(table(*rows), graph(("a", "p", "b"), ("b", "q", "c")), "a")
    given = read_header(report.steps[0])
    wrong = {"?x": "?x", "?y": "?x", "?v": "?y"}
    others = {"c2": [wrong]}
    fixed = frozenset({X})
    assert following(given.table, ["c2"], list(rows), fixed, given.schema, others) == frozenset()
    twice = (*rows, Row("c3", Triple(Y, iri("q"), Variable("z"))))
    folded = {"c2": [wrong, {"?x": "?x", "?y": "?y", "?v": "?z", "?z": "?z"}]}
    assert following(table(*twice), ["c2"], list(twice), fixed, given.schema, folded) == {"c2"}


def test_a_schema_implies_by_several_steps() -> None:
    """Domain, then subclass, then the inverse: nothing that one row by itself gives."""
    schema = Schema(
        "s",
        classes=(ClassDeclaration(iri("Town"), parents=(iri("Place"),)), ClassDeclaration(iri("Place"))),
        relations=(RelationDeclaration(iri("mayor"), domain=iri("Town"), inverse=iri("leads")),),
    )
    rows = (Row("c1", Triple(Y, iri("leads"), X)), Row("c2", TypeAtom(X, iri("Place"))))
    on = graph(("m", "leads", "a"), ("a", "a", "Place"), ("a", "mayor", "m"))
    report = search(table(*rows), on, "a", schema=schema, evidence="schema")
    assert kinds(report) == {"c1": "unsafe", "c2": "implied"}
    assert report.redundant[0].because == "it follows where the schema is obeyed (through c1)"
    assert verify_trace(report.steps, ReferenceStore(on)).valid


def test_a_union_that_a_tighter_row_meets_is_implied() -> None:
    low = Comparison(ComparisonOperator.LESS, V, Literal.of(5))
    high = Comparison(ComparisonOperator.GREATER_EQUAL, V, Literal.of(2))
    size = Triple(X, iri("size"), V)
    both = Either(((Row("low", size, where=low),), (Row("high", size, where=high),)))
    exact = Comparison(ComparisonOperator.EQUAL, V, Literal.of(3))
    rows = (Row("value", size, where=exact), Row("any", both))
    report = search(table(*rows), graph(("a", "size", 3), ("b", "size", 9)), "a", evidence="schema")
    assert kinds(report)["any"] == "implied"


def test_the_checker_reads_a_mapping_through_either_and_paths() -> None:
    """Found by the property on replays: a branch that is said, and a path that another row walks."""
    knows = Triple(X, iri("knows"), X)
    both = Either(((Row("l", knows),), (Row("r", knows),)))
    on = graph(("a", "knows", "a"), ("b", "in", "a"))
    for strategy in ("greedy", "exact"):
        report = search(table(Row("c1", knows), Row("c2", both)), on, "a", strategy=strategy)
        assert "implied" in kinds(report).values()
        assert verify_trace(report.steps, ReferenceStore(on)).unproved == ()
    rows = (
        Row("edge", Triple(X, iri("knows"), Y)),
        Row("path", PathAtom(X, Repeat(Step(iri("knows")), 1, 2), V)),
        Row("after", Triple(V, iri("knows"), X)),
        Row("back", Triple(Y, iri("knows"), X)),
    )
    report = search(table(*rows), on, "a", evidence="schema")
    assert kinds(report)["path"] == "implied"
    verdict = verify_trace(report.steps, ReferenceStore(on))
    assert not [one for one in verdict.unproved if "path" in one]


def test_a_pinned_row_stays_and_keeps_its_binder() -> None:
    pinned = RowNote(required=True)
    condition = Filter(Comparison(ComparisonOperator.GREATER, V, Literal.of(0)))
    rows = (
        Row("c1", TypeAtom(X, iri("City"))),
        Row("c2", Triple(X, iri("size"), V)),
        Row("c3", condition, note=pinned),
    )
    report = search(table(*rows), graph(("a", "a", "City"), ("a", "size", 5)), "a")
    assert kinds(report)["c2"] == "unsafe"
    assert kinds(report)["c3"] == "required"


def test_an_optional_row_stays_where_the_head_shows_it() -> None:
    label = Row("label", OptionalBlock((Row("label.1", Triple(Y, iri("name"), V)),)))
    rows = (Row("c1", TypeAtom(X, iri("City"))), Row("c2", Triple(X, iri("in"), Y)), label)
    on = graph(("a", "a", "City"), ("a", "in", "us"), ("us", "name", 1))
    shown = search(table(*rows, head=(X, V)), on, "a")
    assert kinds(shown) == {"c1": "data", "c2": "unsafe", "label": "required"}
    hidden = search(table(*rows), on, "a")
    assert kinds(hidden)["label"] == "implied"


def test_what_sorts_the_answers_stays_bound() -> None:
    rows = (Row("c1", TypeAtom(X, iri("City"))), Row("c2", Triple(X, iri("size"), V)))
    shell = Shell(order=(OrderKey(Aggregate("max", V)),), group=(Column(X),))
    report = search(table(*rows, shell=shell), graph(("a", "a", "City"), ("a", "size", 5)), "a")
    assert "c2" in {one.row for one in report.kept}


def test_bag_semantics_keeps_a_row_that_multiplies() -> None:
    rows = (Row("c1", TypeAtom(X, iri("City"))), Row("c2", Triple(X, iri("in"), Y)))
    on = graph(("a", "a", "City"), ("a", "in", "us"), ("a", "in", "eu"))
    distinct = search(table(*rows), on, "a")
    bag = search(table(*rows, shell=Shell(distinct=False)), on, "a")
    assert len(distinct.kept) == 1
    assert "c2" in {one.row for one in bag.kept}


def test_tight_stops_at_the_maximal_set() -> None:
    rows = (Row("c1", TypeAtom(X, iri("City"))), Row("c2", Triple(X, iri("in"), Y)))
    report = search(table(*rows), graph(("a", "a", "City"), ("a", "in", "us")), "a", objective="tight")
    assert report.status is Status.OK
    assert kinds(report) == {"c1": "objective", "c2": "objective"}
    assert RedundancyKind.DATA.value not in kinds(report).values()


def test_rows_kept_because_only_implied_ones_may_go_say_why() -> None:
    """`kind` keeps a stranger out, one age changes nothing here and does not follow, `edge` binds the answer."""
    rows = (
        Row("edge", Triple(X, iri("p"), Y)),
        Row("kind", TypeAtom(X, iri("City"))),
        Row("old", Triple(X, iri("age"), V)),
        Row("twin", Triple(X, iri("age"), Variable("w"))),
    )
    on = graph(
        ("a", "p", "b"),
        ("a", "a", "City"),
        ("a", "age", 3),
        ("d", "p", "b"),
        ("e", "a", "City"),
        ("d", "age", 3),
        ("e", "age", 3),
    )
    report = search(table(*rows), on, "a", evidence="schema")
    assert kinds(report) == {"edge": "answer", "kind": "answer", "old": "implied", "twin": "evidence"}
    assert kinds(search(table(rows[0]), on, "a", evidence="schema")) == {"edge": "unsafe"}
