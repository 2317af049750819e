"""The chase on small graphs: refusals, budgets, hubs, thresholds, suspects, blocking, and searches without answers."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from tests.unit.passes.outside import faults, naive_answers, random_case
from tests.unit.passes.test_backchase import V, X, Y, graph, iri, kinds, search, table
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore
from uniqgen_ir.ir.expressions import Call, Comparison, ComparisonOperator
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.protocols import Answers, ReferenceAnswer
from uniqgen_ir.ir.rows import Bind, Either, Filter, MinusBlock, NotBlock, Row, RowNote, Triple, TypeAtom
from uniqgen_ir.ir.table import MatchMode, Table
from uniqgen_ir.ir.terms import BlankNode, Literal, Parameter
from uniqgen_ir.ir.values import canonical
from uniqgen_ir.ir.vocabulary import XSD_INTEGER
from uniqgen_ir.passes.relaxation import RelaxationOptions, chase_and_backchase
from uniqgen_ir.passes.search import comparing
from uniqgen_ir.passes.search.budget import Budget, Cancellation
from uniqgen_ir.passes.search.result import Status

CITY = Row("city", TypeAtom(X, iri("City")))
IN = Row("in", Triple(X, iri("in"), iri("us")))


@pytest.mark.parametrize("seed", range(40))
def test_greedy_on_random_tables(seed: int) -> None:
    case = random_case(seed)
    report = chase_and_backchase(case.table, ReferenceStore(case.graph), case.references)
    if report.status is Status.NONE:
        safe = (naive_answers(case.graph, case.table, {row.id}) for row in case.table.rows)
        assert not any(found is not None and case.answers <= found for found in safe)
        return
    rows = [{one.row for one in part} for part in (report.kept, report.redundant, report.dropped)]
    assert faults(case, *rows) == []
    assert report.calls <= 2 * len(case.table.rows) + 2


def test_a_row_that_loses_an_answer_is_dropped_with_it() -> None:
    report = search(table(CITY, IN), graph(("a", "a", "City"), ("a", "in", "us"), ("b", "a", "City")), "a", "b")
    (dropped,) = report.dropped
    assert (dropped.row, dropped.lost) == ("in", ((iri("b"),),))
    assert report.to_json("…")["dropped"] == [
        {"row": "in", "reason": "loses_answers", "witness": {"lost": ["http://example.org/b"]}}
    ]


def test_a_condition_without_its_binder_is_an_orphan() -> None:
    condition = Row("big", Filter(Comparison(ComparisonOperator.GREATER, V, Literal.of(3))))
    report = search(table(CITY, Row("size", Triple(X, iri("size"), V)), condition), graph(("a", "a", "City")), "a")
    assert kinds(report) == {"city": "unsafe", "size": "loses_answers", "big": "orphaned"}
    assert report.dropped[1].unbound == ("v",)


def test_no_safe_set_names_the_answers_in_the_way() -> None:
    report = search(table(CITY, IN), graph(("a", "a", "City"), ("b", "in", "us")), "a", "b")
    assert report.status is Status.NONE
    assert report.table is None
    assert {one.answer: one.rows for one in report.blocking} == {(iri("a"),): ("in",), (iri("b"),): ("city",)}


def test_a_pinned_row_that_contradicts_gives_none() -> None:
    pinned = Row("in", IN.atom, note=RowNote(required=True))
    report = search(table(CITY, pinned), graph(("a", "a", "City")), "a")
    assert report.status is Status.NONE
    assert [one.rows for one in report.blocking] == [("in",)]


@pytest.mark.parametrize("strategy", ["greedy", "exact", "beam"])
def test_a_pinned_row_that_hangs_on_one_of_two_others_keeps_that_one(strategy: str) -> None:
    """`in` is tried first and would be kept; only with `near` can the pinned row be kept."""
    pinned = Row("old", Triple(Y, iri("built"), iri("long_ago")), note=RowNote(required=True))
    rows = Row("in", Triple(X, iri("in"), Y)), Row("near", Triple(X, iri("near"), Y)), pinned
    on = graph(("a", "in", "m"), ("a", "near", "n"), ("n", "built", "long_ago"))
    report = search(table(*rows), on, "a", strategy=strategy)
    assert {one.row for one in (*report.kept, *report.redundant)} == {"near", "old"}
    assert [one.kind.value for one in report.kept if one.row == "old"] == ["required"]


@pytest.mark.parametrize("strategy", ["greedy", "exact", "beam"])
def test_a_pinned_row_that_only_a_negation_connects_is_kept_with_it(strategy: str) -> None:
    """`old` names `?y`, which only `not` joins to the answers; `not` needs it, and the row that binds `?x`, too."""
    pinned = Row("old", Triple(Y, iri("built"), iri("long_ago")), note=RowNote(required=True))
    negation = Row("not", NotBlock((Row("in", Triple(X, iri("in"), Y)),)))
    on = graph(("a", "a", "City"), ("b", "a", "City"), ("b", "in", "m"), ("m", "built", "long_ago"))
    report = search(table(pinned, CITY, negation), on, "a", strategy=strategy)
    assert report.status is Status.OK
    assert {one.row for one in report.kept} == {"old", CITY.id, "not"}
    assert search(table(pinned, CITY, negation), on, "b", strategy=strategy).table is None


@pytest.mark.parametrize("strategy", ["greedy", "exact", "beam"])
def test_a_pinned_comparison_is_kept_with_what_only_it_connects(strategy: str) -> None:
    """`aged` binds what only `apart` mentions, and `apart` needs it: neither is active first."""
    apart = Row("apart", Filter(Comparison(ComparisonOperator.NOT_EQUAL, Y, V)), note=RowNote(required=True))
    rows = Row("aged", Triple(V, iri("age"), iri("old"))), Row("in", Triple(Y, iri("in"), X)), apart
    on = graph(("a", "in", "a"), ("b", "in", "a"), ("a", "age", "old"))
    report = search(table(*rows), on, "a", strategy=strategy)
    assert report.status is Status.OK
    assert {one.row for one in report.kept} == {"aged", "in", "apart"}


def test_a_search_for_a_start_that_is_cut_off_does_not_say_that_there_is_none() -> None:
    pinned = Row("old", Triple(Y, iri("built"), iri("long_ago")), note=RowNote(required=True))
    rows = Row("in", Triple(X, iri("in"), Y)), Row("near", Triple(X, iri("near"), Y)), pinned
    on = graph(("a", "in", "m"), ("a", "near", "n"), ("n", "built", "long_ago"))
    report = search(table(*rows), on, "a", budget=Budget(calls=2))
    assert (report.status, report.table) == (Status.STOPPED, None)


def test_a_certain_row_is_not_given_up_for_one_nearer_to_the_answer() -> None:
    """Only one of `named` and `near` can be kept; `far`, which binds what `named` speaks of, is tried before `near`."""
    u = {"named": 0.0, "near": 0.5, "first": 0.6, "far": 0.7}
    atoms = {
        "near": Triple(Y, iri("size"), iri("small")),
        "named": Triple(iri("lisbon"), iri("in"), V),
        "first": Triple(X, iri("in"), Y),
        "far": Triple(V, iri("near"), Y),
    }
    rows = (Row(name, atom, note=RowNote(uncertainty=u[name])) for name, atom in atoms.items())
    on = [("a", "in", "y1"), ("a", "in", "y2"), ("v", "near", "y1"), ("w", "near", "y2"), ("lisbon", "in", "v")]
    report = search(table(*rows), graph(*on, ("y2", "size", "small"), ("b", "in", "y3")), "a")
    assert [one.row for one in report.dropped] == ["near"]


def test_a_threshold_lets_answers_go_and_names_suspects() -> None:
    on = graph(*((name, "a", "City") for name in "abcd"), *((name, "in", "us") for name in "abc"))
    strict = search(table(CITY, IN), on, "a", "b", "c", "d")
    assert [(one.answer, one.rows) for one in strict.suspects] == [((iri("d"),), ("in",))]
    loose = search(table(CITY, IN), on, "a", "b", "c", "d", theta=0.75)
    assert loose.dropped == ()


def test_the_table_without_the_suspects_is_proposed_beside_the_other() -> None:
    """`d` alone keeps `in` out, so the set with `in` is an alternative; `far` loses more than the suspect."""
    far = Row("far", Triple(X, iri("far"), Y))
    big = Row("big", Triple(Y, iri("size"), V))
    on = graph(*((name, "a", "City") for name in "abcd"), *((name, "in", "us") for name in "abc"), ("a", "far", "a"))
    report = search(table(CITY, IN, far, big), on, "a", "b", "c", "d")
    (other,) = report.alternatives
    assert (other.rows, other.tells_apart) == (("city", "in"), (iri("d"),))
    assert report.calls <= 2 * 4 + 2
    (shown,) = report.to_json()["alternatives"]  # type: ignore[misc]
    assert isinstance(shown, dict)
    assert shown["tells_apart"] == "http://example.org/d"
    assert "in: ?x" in str(shown["table"])
    assert "far" not in str(shown["table"])
    # three answers that each keep one row out: the table leaves out one of them, not all
    on = graph(*((name, "a", "City") for name in "abc"), ("a", "in", "us"), ("b", "in", "us"))
    assert [one.rows for one in search(table(CITY, IN), on, "a", "b", "c").alternatives] == [("city", "in")]
    assert search(table(CITY, IN), on, "b", "c").alternatives == ()  # two answers are too few to doubt one


def test_without_reference_answers_the_tightest_set_with_answers_is_kept() -> None:
    nowhere = Row("nowhere", Triple(X, iri("in"), iri("nowhere")))
    on = graph(("a", "a", "City"), ("a", "in", "us"), ("b", "a", "City"), ("c", "in", "us"))
    report = search(table(CITY, IN, nowhere), on)
    assert not report.reference
    assert report.answers == ((iri("a"),),)
    assert kinds(report)["nowhere"] == "leaves_no_answer"
    assert search(table(nowhere), on).status is Status.NONE


def test_not_and_either_are_units() -> None:
    alive = Row("alive", NotBlock((Row("alive.1", Triple(X, iri("dissolved"), Y)),)))
    kind = Row("kind", Either(((Row("k1", TypeAtom(X, iri("Town"))),), (Row("k2", TypeAtom(X, iri("Village"))),))))
    on = graph(
        *(("a", "a", "City"), ("b", "a", "City"), ("c", "a", "City"), ("d", "a", "City")),
        *(("a", "a", "Town"), ("b", "a", "Village"), ("c", "a", "Town"), ("c", "dissolved", "y")),
    )
    report = search(table(CITY, kind, alive), on, "a", "b")
    assert kinds(report) == {"city": "data", "kind": "unsafe", "alive": "answer"}
    assert set(report.answers) == {(iri("a"),), (iri("b"),)}
    lost = search(table(CITY, kind, alive), on, "c", "d")
    assert {one.row: one.lost for one in lost.dropped} == {"kind": ((iri("d"),),), "alive": ((iri("c"),),)}


def test_a_hub_is_tested_on_the_store() -> None:
    on = graph(*(("a", "member", f"m{place}") for place in range(20)), ("m7", "a", "Person"), ("a", "a", "City"))
    rows = (Row("member", Triple(X, iri("member"), Y)), Row("person", TypeAtom(Y, iri("Person"))), CITY)
    report = search(table(*rows), on, "a", budget=Budget(rows=5), objective="tight")
    assert {one.row for one in report.kept} == {"member", "person", "city"}
    assert report.calls <= 2 * 3 + 2


@pytest.mark.parametrize("calls", range(1, 6))
def test_a_spent_budget_stops_with_what_is_sound(calls: int) -> None:
    on = graph(("a", "a", "City"), ("a", "in", "us"), ("b", "a", "City"))
    report = search(table(CITY, IN), on, "a", budget=Budget(calls=calls))
    assert report.calls <= calls
    assert report.status is (Status.OK if calls >= 4 else Status.STOPPED)
    if report.table is not None:
        found = {line.row for line in (*report.kept, *report.redundant, *report.dropped)}
        assert found == {"city", "in"}


def refusal(refused: Table, *answers: Any, **options: Any) -> str:
    references = tuple(ReferenceAnswer(one) for one in answers)
    with pytest.raises(DiagnosticError) as caught:
        chase_and_backchase(refused, ReferenceStore(graph()), references, RelaxationOptions(**options))
    return caught.value.diagnostics[0].code


def test_what_the_search_cannot_work_on_is_refused_by_name() -> None:
    block = (Row("m", Triple(X, iri("in"), Y)),)
    one_sided = Either(((Row("l", Triple(X, iri("in"), Y)),), (Row("r", Triple(X, iri("in"), V)),)))
    assert refusal(table(CITY, Row("m", MinusBlock(block))), (iri("a"),)) == "UQ410"
    assert refusal(table(CITY, Row("m", Bind(Call("str", (X,)), Y))), (iri("a"),)) == "UQ410"
    assert refusal(table(CITY, Row("m", Triple(X, iri("in"), Parameter("p")))), (iri("a"),)) == "UQ410"
    assert refusal(table(CITY, Row("e", one_sided), Row("y", TypeAtom(Y, iri("City")))), (iri("a"),)) == "UQ410"
    different = Table("t", table(CITY).head, (CITY,), match_mode=MatchMode.DIFFERENT_RELATIONSHIPS)
    assert refusal(different, (iri("a"),)) == "UQ410"
    assert refusal(table(Row("c", TypeAtom(Y, iri("City"))))) == "UQ411"
    assert refusal(table(CITY), (iri("a"), iri("b"))) == "UQ412"
    assert refusal(table(CITY), (BlankNode("a"),)) == "UQ412"
    for options in ({"strategy": "gready"}, {"objective": "loose"}, {"theta": 0.0}, {"beam": 0}):
        assert refusal(table(CITY), (iri("a"),), **options) == "UQ413"


def test_a_search_whose_time_is_over_looks_at_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The condition could be tested in memory; with large relations even that takes longer than there is."""
    cancellation, whole = Cancellation(), ReferenceStore.select

    def last(self: ReferenceStore, asked: Table, **options: Any) -> Answers:
        found = whole(self, asked, **options)
        cancellation.cancelled = self.statistics.calls == 1
        return found

    monkeypatch.setattr(ReferenceStore, "select", last)
    condition = Row("big", Filter(Comparison(ComparisonOperator.GREATER, V, Literal.of(3))))
    rows, on = table(CITY, Row("size", Triple(X, iri("size"), V)), condition), graph(("a", "a", "City"))
    on.add((iri("a"), iri("size"), Literal.of(7)))
    report = search(rows, on, "a", cancellation=cancellation)
    assert (report.status, report.calls) == (Status.STOPPED, 1)
    assert [one.row for one in report.kept] == ["size"]
    assert [(one.row, one.reason.value) for one in report.dropped] == [("city", "untested"), ("big", "untested")]


def test_budgets_must_be_positive() -> None:
    with pytest.raises(ValueError, match="calls=0"):
        Budget(calls=0)


class Respelling(ReferenceStore):
    """A store that returns numbers in canonical form, as embedded engines do."""

    def select(self, table: Table, *, limit: int | None = None, timeout: float | None = None) -> Answers:
        found = super().select(table, limit=limit, timeout=timeout)
        rows = tuple(tuple(None if term is None else canonical(term) for term in line) for line in found.rows)
        return evolve(found, rows=rows)


def test_a_number_is_recognised_however_the_store_spells_it() -> None:
    given = Literal("05", XSD_INTEGER)
    on = Graph([(iri("a"), iri("size"), given), (iri("b"), iri("size"), Literal.of(7))])
    rows = (
        Row("size", Triple(Y, iri("size"), X)),
        Row("not7", Filter(Comparison(ComparisonOperator.LESS, X, Literal.of(6)))),
    )
    report = chase_and_backchase(table(*rows), Respelling(on), (ReferenceAnswer((given,)),))
    assert kinds(report) == {"size": "unsafe", "not7": "answer"}
    assert report.answers == ((given,),)


def test_a_comparison_of_known_values_sends_no_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    """One statement for `size`, one for the answers, none for the two comparisons; 05 is 5."""
    on = Graph([(iri("a"), iri("size"), Literal("05", XSD_INTEGER)), (iri("b"), iri("size"), Literal.of(7))])
    five, small = (Filter(Comparison(operator, V, Literal.of(5))) for operator in list(ComparisonOperator)[:2])
    rows = (Row("size", Triple(X, iri("size"), V)), Row("one", five), Row("other", small))
    report = search(table(*rows), on, "a", objective="tight")
    asked = [step.rule for step in report.steps if step.rule in ("chase.keep", "chase.drop")]
    assert len(asked) == 3
    assert report.calls == 2
    monkeypatch.setattr(comparing, "MOST_TESTS", 0)  # too many to test: the store is asked, with the same outcome
    slow = search(table(*rows), on, "a", objective="tight")
    assert kinds(slow) == kinds(report)
    assert slow.calls == 4


def test_what_engines_differ_in_is_left_to_the_store() -> None:
    pattern = Filter(Call("matches", (Call("str", (X,)), Literal.of("a$"))))
    report = search(
        table(CITY, Row("p", pattern)), graph(("a", "a", "City"), ("b", "a", "City")), "a", objective="tight"
    )
    assert kinds(report) == {"city": "objective", "p": "objective"}
    assert report.calls == 3


def test_one_answer_given_three_times_is_one_answer() -> None:
    on = graph(("a", "a", "City"), ("a", "in", "X"), ("b", "a", "City"))
    rows = (CITY, Row("in", Triple(X, iri("in"), iri("Z"))))
    again = (ReferenceAnswer((iri("a"),)),) * 3
    once, thrice = (chase_and_backchase(table(*rows), ReferenceStore(on), some) for some in (again[:1], again))
    assert once.suspects == thrice.suspects == ()
    assert kinds(once) == kinds(thrice)
