"""What the checker of traces believes to follow does follow: on every graph that obeys the schema, for every value.

The checker is given mappings that nobody searched for, and rows that say nearly the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Final

from hypothesis import event, given
from hypothesis import strategies as st

from tests.property.strategies import (
    AGE,
    CLASSES,
    EXISTENTIAL,
    KEY,
    NODES,
    RELATIONS,
    TYPE,
    graphs_for,
    literals,
    monotone_tables,
)
from tests.property.test_passes_search import answers
from tests.property.unit_strategies import unit_tables
from uniqgen_ir.ir.analysis import active_rows, answer_key, is_safe
from uniqgen_ir.ir.evaluation.expressions import Scope, holds
from uniqgen_ir.ir.expressions import And, Comparison, ComparisonOperator, Expression, Membership, Not, Or
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.rows import OptionalBlock, Row, Triple, TypeAtom
from uniqgen_ir.ir.schema import Dependency
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Term, Variable
from uniqgen_ir.ir.visitor import rewrite, walk
from uniqgen_ir.ir.vocabulary import XSD_DECIMAL, XSD_DOUBLE, XSD_FLOAT
from uniqgen_ir.passes.certificates.follow import following
from uniqgen_ir.passes.certificates.schema_facts import SchemaFacts
from uniqgen_ir.passes.certificates.values import follows

NOTHING: Final = frozenset[tuple[str, str]]()
NO_SCHEMA: Final = SchemaFacts(NOTHING, NOTHING, NOTHING, NOTHING, frozenset(), frozenset(), ())
KNOWS, IN, LIKES = RELATIONS
CITY, PERSON = CLASSES
SCHEMA: Final = SchemaFacts(
    subclasses=frozenset({(CITY.value, PERSON.value)}),
    domains=frozenset({(IN.value, CITY.value)}),
    ranges=frozenset({(IN.value, PERSON.value)}),
    inverses=NOTHING,
    functional=frozenset({KNOWS.value, AGE.value}),
    keys=frozenset({LIKES.value}),
    dependencies=(
        Dependency(
            "placed",
            (Row("b", TypeAtom(Variable("a"), CITY)),),
            (Row("h", Triple(Variable("a"), IN, Variable("b"))),),
        ),
    ),
)


def obeying(graph: Graph) -> Graph:
    """A graph that obeys `SCHEMA`: what one may have once is left out the second time, what follows is added."""
    found, taken = set[Fact](), set[tuple[IRI, GroundTerm]]()
    for fact in graph:
        subject, predicate, object_ = fact
        once = {KNOWS: (predicate, subject), AGE: (predicate, subject), LIKES: (predicate, object_)}.get(predicate)
        if once is None or once not in taken:
            found.add(fact)
            taken |= set() if once is None else {once}
    placed = {subject for subject, predicate, _ in found if predicate == IN}
    found |= {
        (one, IN, NODES[0]) for one, name, class_ in found if (name, class_) == (TYPE, CITY) and one not in placed
    }
    for subject, predicate, object_ in sorted(found, key=repr):
        if predicate == IN:
            found |= {(subject, TYPE, CITY), (subject, TYPE, PERSON)}
            found |= set() if isinstance(object_, Literal) else {(object_, TYPE, PERSON)}
    return Graph(sorted(found, key=repr))


@st.composite
def near_twins(draw: st.DrawFn) -> Table:
    """Tables in which some rows stand again under other names of their variables."""
    table = draw(st.one_of(monotone_tables(min_rows=2, max_rows=4), unit_tables()))
    core = [row for row in table.rows if not isinstance(row.atom, OptionalBlock)]
    copies: list[Row] = []
    own = sorted({one for row in core for one in walk(row) if isinstance(one, Variable)} - {KEY}, key=str)
    names = {one: draw(st.sampled_from([one, Variable(f"{one.name}_2"), *EXISTENTIAL])) for one in own}
    for number, row in enumerate(draw(st.lists(st.sampled_from(core), min_size=1, max_size=3))):
        copy = rewrite(row, lambda one: names.get(one, one) if isinstance(one, Variable) else one)
        copies.append(Row(f"copy{number}", copy.atom, copy.where))
    return table.with_rows((*core, *copies))


@given(st.data(), st.booleans())
def test_what_the_checker_believes_to_follow_follows(data: st.DataObject, with_schema: bool) -> None:
    table = data.draw(near_twins())
    live = active_rows(table, [row.id for row in table.rows])
    rows = [row for row in table.rows if row.id in live]
    terms = sorted({one for row in rows for one in walk(row) if isinstance(one, Variable | IRI)}, key=str)
    own = [one for one in terms if isinstance(one, Variable)]
    leads: st.SearchStrategy[Term] = st.sampled_from([*terms, Variable("elsewhere")])
    mapping = st.fixed_dictionaries({str(one): st.one_of(st.just(str(one)), leads.map(str)) for one in own})
    given_ = {row.id: data.draw(st.lists(mapping, max_size=2)) for row in rows}
    schema, fixed = SCHEMA if with_schema else NO_SCHEMA, frozenset(answer_key(table))
    gone = following(table, [row.id for row in rows], rows, fixed, schema, given_)
    event(f"{'with' if with_schema else 'without'} schema: {min(len(gone), 2)} rows follow")
    if gone and is_safe(table, live):
        graph = data.draw(graphs_for(table))
        graph = obeying(graph) if with_schema else graph
        assert answers(table, graph, live - gone) == answers(table, graph, live)


CONSTANTS: Final[tuple[Term, ...]] = (
    *(Literal.of(number) for number in (1, 2, 3)),
    *(Literal("1.5", XSD_DECIMAL), Literal("2.0", XSD_DOUBLE), Literal("0.1", XSD_DECIMAL), Literal("0.1", XSD_DOUBLE)),
    *(Literal("a"), Literal("b"), Literal.of(True), NODES[0], NODES[1], Literal("0.1", XSD_FLOAT)),
)
VALUES: Final[tuple[GroundTerm, ...]] = (
    *(one for one in CONSTANTS if not isinstance(one, Variable)),  # type: ignore[misc]
    *(Literal(text, XSD_DECIMAL) for text in ("0", "0.05", "1.2", "1.7", "2.5", "4")),
    *(Literal(text, XSD_DOUBLE) for text in ("NaN", "INF", "-INF", "1.0E0", "0.1")),
    *(Literal("c"), Literal.tagged("a", "en"), Literal.of(False), NODES[2]),
)
SCOPE: Final = Scope({}, lambda _rows, _solution: False, Literal.of(True))


def conditions(variables: Iterable[Variable]) -> st.SearchStrategy[Expression]:
    variable, constant = st.sampled_from([*variables]), st.sampled_from(CONSTANTS)
    operators = st.sampled_from([*ComparisonOperator])
    plain: st.SearchStrategy[Expression] = st.one_of(
        st.builds(Comparison, operators, variable, constant),
        st.builds(Comparison, operators, constant, variable),
        st.builds(Membership, variable, st.lists(constant, min_size=1, max_size=3).map(tuple), st.booleans()),
    )
    several = st.lists(plain, min_size=2, max_size=3).map(tuple)
    return st.one_of(plain, plain, plain.map(Not), several.map(Or), several.map(And))


@given(st.data(), st.lists(literals, max_size=4))
def test_what_follows_by_trying_values_follows_for_every_value(data: st.DataObject, more: list[Literal]) -> None:
    variables = EXISTENTIAL[: data.draw(st.integers(1, 2))]
    said = data.draw(st.lists(conditions(variables), max_size=3))
    ways = data.draw(st.lists(st.lists(conditions(variables), min_size=1, max_size=2), min_size=1, max_size=3))
    believed = follows(said, ways)
    event(f"believed: {believed}")
    for values in product((*VALUES, *more), repeat=len(variables)) if believed else ():
        solution = dict(zip(variables, values, strict=True))
        if all(holds(one, solution, SCOPE) for one in said):
            assert any(all(holds(one, solution, SCOPE) for one in way) for way in ways)


def test_values_are_told_apart_where_they_must_be() -> None:
    x, op = Variable("x"), ComparisonOperator
    below = [Comparison(op.LESS, x, Literal.of(number)) for number in range(4)]
    assert follows([below[1]], [[below[2]]])
    assert not follows([below[2]], [[below[1]]])
    assert follows([Membership(x, (Literal.of(1), Literal.of(0)))], [[below[1]], [below[2]]])
    at_least = Comparison(op.GREATER_EQUAL, x, Literal.of(2))
    assert follows([below[3]], [[below[2]], [at_least]])
    assert not follows([], [[below[2]], [at_least]])  # a name is neither
    assert not follows([], [])
