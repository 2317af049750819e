"""What the referees cannot say: superlatives, parameters, match modes, blocks that look outside, the store."""

from __future__ import annotations

import pytest
from attrs import evolve

from uniqgen_ir.ir.building.builder import (
    Namespace,
    a,
    aggregate,
    call,
    count,
    descending,
    p,
    path,
    repeat,
    row,
    table,
    v,
)
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore, evaluate
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.paths import NegatedSet
from uniqgen_ir.ir.protocols import Answers, Store, StoreTimeout
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.table import MatchMode
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Parameter, Variable

ex = Namespace("http://example.org/")


def node(name: str) -> IRI:
    return IRI("http://example.org/" + name)


def fact(subject: str, predicate: str, object_: str | int) -> Fact:
    end: GroundTerm = node(object_) if isinstance(object_, str) else Literal.of(object_)
    return node(subject), node(predicate), end


def first(answers: Answers) -> list[GroundTerm | None]:
    return [found[0] for found in answers.rows]


GAMES = Graph(
    [
        *(fact("paris", "hosted", game) for game in ("g1", "g2", "g3")),
        *(fact("london", "hosted", game) for game in ("g4", "g5", "g6")),
        fact("rome", "hosted", "g7"),
        *(fact(city, "people", number) for city, number in (("paris", 2), ("london", 9), ("rome", 3))),
        fact("oslo", "people", 1),
    ]
)


def test_argmax_keeps_all_ties() -> None:
    hosts = table("t").select(v.c, count(v.g).as_("n")).row("c1", v.c, ex.hosted, v.g).group_by(v.c)
    assert set(first(evaluate(hosts.argmax(v.c, by=v.n).build(), GAMES))) == {node("paris"), node("london")}
    assert first(evaluate(hosts.argmin(v.c, by=v.n).build(), GAMES)) == [node("rome")]
    assert len(evaluate(hosts.order_by(descending(v.n)).limit(1).build(), GAMES).rows) == 1


def test_argmax_over_an_aggregate_groups_by_its_variables() -> None:
    made = table("t").select(v.c).row("c1", v.c, ex.hosted, v.g).argmax(v.c, by=count(v.g)).build()
    assert set(first(evaluate(made, GAMES))) == {node("paris"), node("london")}


def test_argmax_leaves_out_what_has_no_value() -> None:
    optional = row("o.1", v.c, ex.people, v.n)
    made = table("t").select(v.c).row("c1", v.c, ex.hosted, v.g).optional("o", optional).argmin(v.c, by=v.n).build()
    graph = Graph([fact("a", "hosted", "g"), fact("b", "hosted", "g"), fact("b", "people", 5)])
    assert first(evaluate(made, graph)) == [node("b")]
    assert evaluate(made, Graph([fact("a", "hosted", "g")])).rows == ()


def test_parameters_take_their_values() -> None:
    made = table("t").select(v.c).row("c1", v.c, ex.people, v.n, where=v.n > p.low).row("c2", v.c, p.what, v.g).build()
    given: dict[Parameter, GroundTerm] = {Parameter("low"): Literal.of(2), Parameter("what"): node("hosted")}
    assert set(first(evaluate(made, GAMES, given))) == {node("london"), node("rome")}
    with pytest.raises(DiagnosticError) as caught:
        evaluate(made, GAMES, {Parameter("what"): node("hosted")})
    assert [one.code for one in caught.value.diagnostics] == ["UQ611"]


def test_no_edge_is_used_twice_where_the_match_mode_says_so() -> None:
    pair = table("t").select(v.x, v.y).row("c1", v.x, ex.hosted, v.g).row("c2", v.y, ex.hosted, v.g)
    graph = Graph([fact("a", "hosted", "g"), fact("b", "hosted", "g")])
    assert len(evaluate(pair.build(), graph).rows) == 4
    different = evaluate(pair.match(MatchMode.DIFFERENT_RELATIONSHIPS).build(), graph)
    assert set(different.rows) == {(node("a"), node("b")), (node("b"), node("a"))}


def test_a_property_may_be_read_twice_whatever_the_match_mode() -> None:
    twice = table("t").select(v.x).row("c1", v.x, ex.people, v.n).row("c2", v.x, ex.people, v.m)
    made = twice.match(MatchMode.DIFFERENT_RELATIONSHIPS).build()
    assert first(evaluate(made, Graph([fact("a", "people", 1)]))) == [node("a")]


def test_edges_in_a_branch_count_with_the_others() -> None:
    branches = [row("k1", v.y, ex.hosted, v.g)], [row("k2", v.y, ex.visited, v.g)]
    made = table("t").select(v.x, v.y).row("c1", v.x, ex.hosted, v.g).either("k", *branches)
    graph = Graph([fact("a", "hosted", "g"), fact("b", "visited", "g")])
    assert len(evaluate(made.build(), graph).rows) == 2
    different = evaluate(made.match(MatchMode.DIFFERENT_RELATIONSHIPS).build(), graph)
    assert different.rows == ((node("a"), node("b")),)


def test_edges_of_a_block_are_matched_apart() -> None:
    made = table("t").select(v.x).row("c1", v.x, ex.hosted, v.g).without("n", row("n.1", v.x, ex.hosted, v.g))
    made = made.match(MatchMode.DIFFERENT_RELATIONSHIPS)
    assert evaluate(made.build(), Graph([fact("a", "hosted", "g")])).rows == ()


def test_zero_steps_lead_to_the_node_itself() -> None:
    zero = repeat(ex.p, 0, 0)
    graph = Graph([fact("a", "p", "b")])
    made = table("t").select(v.x, v.y).row("c1", v.x, zero, v.y).build()
    assert set(evaluate(made, graph).rows) == {(node("a"), node("a")), (node("b"), node("b"))}
    elsewhere = table("t").select(v.y).row("c1", ex.nowhere, zero, v.y).build()
    assert first(evaluate(elsewhere, graph)) == [node("nowhere")]
    constant = table("t").ask().row("c1", ex.nowhere, zero, ex.nowhere).build()
    assert evaluate(constant, graph).rows == ((Literal.of(True),),)


def test_bounded_repetitions_count_steps_exactly() -> None:
    chain = Graph([fact(str(n), "p", str(n + 1)) for n in range(6)])
    made = table("t").select(v.y).row("c1", ex["0"], repeat(ex.p, 2, 4), v.y).build()
    assert first(evaluate(made, chain)) == [node("2"), node("3"), node("4")]
    endless = table("t").select(v.y).row("c1", ex["0"], repeat(ex.p, 10**9, None), v.y).build()
    assert evaluate(endless, chain).rows == ()


def test_a_loop_ends_an_unbounded_repetition() -> None:
    loop = Graph([fact("a", "p", "b"), fact("b", "p", "a")])
    made = table("t").select(v.y).row("c1", ex.a, repeat(ex.p, 1, None), v.y).build()
    assert set(first(evaluate(made, loop))) == {node("a"), node("b")}


def test_any_predicate_at_all() -> None:
    made = table("t").select(v.y).row("c1", ex.a, NegatedSet(()), v.y).build()
    assert first(evaluate(made, Graph([fact("a", "p", "b"), fact("b", "q", "a")]))) == [node("b")]


def test_walks_are_counted_in_a_bag() -> None:
    diamond = Graph([fact("a", "p", "b"), fact("a", "p", "c"), fact("b", "p", "d"), fact("c", "p", "d")])
    made = table("t").select(v.y, distinct=False).row("c1", ex.a, path(ex.p, ex.p), v.y).build()
    assert first(evaluate(made, diamond)) == [node("d"), node("d")]
    assert first(evaluate(evolve(made, shell=evolve(made.shell, distinct=True)), diamond)) == [node("d")]


def test_group_concat_and_sample_skip_nothing_in_silence() -> None:
    graph = Graph([fact("a", "people", 1), fact("a", "people", 2), (node("a"), node("people"), BlankNode("b"))])
    made = table("t").select(aggregate("group_concat", v.n).as_("all"), aggregate("sample", v.n).as_("one"))
    found = evaluate(made.row("c1", v.x, ex.people, v.n).build(), graph)
    assert found.rows == ((None, Literal.of(1)),)
    numbers = Graph([fact("a", "people", 1), fact("a", "people", 2)])
    assert evaluate(made.row("c1", v.x, ex.people, v.n).build(), numbers).rows[0][0] == Literal.of("1 2")


def test_count_distinct_of_solutions() -> None:
    made = table("t").select(count(distinct=True).as_("n")).row("c1", v.x, path(ex.p, ex.p), v.y).build()
    diamond = Graph([fact("a", "p", "b"), fact("a", "p", "c"), fact("b", "p", "d"), fact("c", "p", "d")])
    assert first(evaluate(made, diamond)) == [Literal.of(1)]


def test_the_time_is_one_for_the_whole_query() -> None:
    made = table("t").select(v.x).row("c1", v.x, ex.people, v.n, where=call("now") == call("now")).build()
    assert len(evaluate(made, GAMES).rows) == 4


def test_select_star_lists_what_rows_may_bind() -> None:
    made = table("t").row("c1", v.x, ex.people, v.n).without("n", row("n.1", v.x, ex.hosted, v.hidden)).build()
    assert evaluate(made, GAMES) == Answers(("x", "n"), ((node("oslo"), Literal.of(1)),))


def test_blank_nodes_are_answers_and_a_literal_is_no_subject() -> None:
    graph = Graph([(BlankNode("b"), node("p"), Literal.of("x"))])
    assert first(evaluate(table("t").select(v.s).row("c1", v.s, ex.p, v.o).build(), graph)) == [BlankNode("b")]
    chained = table("t").row("c1", v.s, ex.p, v.o).row("c2", v.o, ex.p, v.z).build()
    assert evaluate(chained, graph).rows == ()


def test_type_rows_with_a_variable_class() -> None:
    typed = Graph([(node("a"), a.node, node("City"))])  # type: ignore[arg-type]
    made = table("t").select(v.k).row("c1", ex.a, a, v.k).build()
    assert first(evaluate(made, typed)) == [node("City")]


def test_the_store_counts_and_limits() -> None:
    store = ReferenceStore(GAMES)
    as_protocol: Store = store
    made = table("t").select(v.c).row("c1", v.c, ex.hosted, v.g).build()
    assert len(as_protocol.select(made).rows) == 3
    limited = as_protocol.select(made, limit=2)
    assert (len(limited.rows), limited.complete) == (2, False)
    assert as_protocol.select(made, limit=3).complete
    assert (store.statistics.calls, store.statistics.rows) == (3, 8)
    assert not store.killable


def test_the_store_gives_up_when_time_is_over() -> None:
    crowd = Graph(fact(f"n{one}", "p", f"n{other}") for one in range(40) for other in range(40))
    rows = [Row(f"c{n}", row("c", v[f"x{n}"], ex.p, v[f"x{n + 1}"]).atom) for n in range(5)]
    made = table("t").ask().add(*rows).build()
    store = ReferenceStore(crowd)
    with pytest.raises(StoreTimeout) as caught:
        store.select(made, timeout=0.2)
    assert [one.code for one in caught.value.diagnostics] == ["UQ601"]
    assert store.statistics.seconds < 5
    assert store.statistics.calls == 1


def test_unbound_columns_are_none() -> None:
    made = table("t").select(v.x, v.missing).row("c1", v.x, ex.people, v.n, where=v.n == 1).build()
    assert evaluate(made, GAMES).rows == ((node("oslo"), None),)
    assert Variable("missing").name in evaluate(made, GAMES).columns


def test_names_may_be_given_in_any_order() -> None:
    """A name may look at one that is given in a later row; triples may look at names."""
    made = (
        table("t")
        .select(v.c)
        .let("b1", v.twice, v.next + v.next)
        .let("b2", v.next, v.n + 1)
        .row("c1", v.c, ex.people, v.n, where=v.twice == 8)
        .build()
    )
    assert first(evaluate(made, GAMES)) == [node("rome")]


def test_a_name_that_cannot_be_computed_stays_unbound() -> None:
    made = table("t").select(v.c, v.bad).row("c1", v.c, ex.people, v.n, where=v.n == 1).let("b", v.bad, v.n / 0).build()
    assert evaluate(made, GAMES).rows == ((node("oslo"), None),)
