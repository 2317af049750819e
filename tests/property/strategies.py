"""Hypothesis strategies for terms, graphs and tables. Anyone may import them: `from tests.property import strategies`.

`monotone_tables` are what the chase works on: connected rows over a small vocabulary with shared existential variables,
so that answers are often not empty. `full_tables` hold every kind of node, for printing and reading back.
`reference_sets` are answers that a person may have given: some true, some out of reach.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve
from hypothesis import strategies as st

from uniqgen_ir.ir.analysis import answer_key, positive_variables
from uniqgen_ir.ir.evaluation.evaluate import evaluate
from uniqgen_ir.ir.expressions import (
    Aggregate,
    Arithmetic,
    ArithmeticOperator,
    Call,
    Comparison,
    ComparisonOperator,
    Exists,
    Expression,
    Membership,
    Negative,
    Not,
    Or,
    conjunction,
)
from uniqgen_ir.ir.functions import FUNCTIONS
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.paths import Alternative, Inverse, NegatedSet, Path, Repeat, Step
from uniqgen_ir.ir.paths import Sequence as PathSequence
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.rows import (
    Atom,
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    Origin,
    PathAtom,
    Row,
    RowNote,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.table import Column, Extreme, Form, MatchMode, OrderKey, Shell, Table
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.visitor import variables_in_order, walk_rows
from uniqgen_ir.ir.vocabulary import (
    RDF_TYPE,
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_DURATION,
    XSD_FLOAT,
    XSD_G_YEAR,
    XSD_G_YEAR_MONTH,
    XSD_INTEGER,
    XSD_TIME,
)

BASE = "http://example.org/"
NODES = tuple(IRI(BASE + name) for name in "abcdef")
CLASSES = tuple(IRI(BASE + name) for name in ("City", "Person"))
RELATIONS = tuple(IRI(BASE + name) for name in ("knows", "in", "likes"))
AGE, BORN, NAME = (IRI(BASE + name) for name in ("age", "born", "name"))
TYPE = IRI(RDF_TYPE)
VALUE_POOL: tuple[GroundTerm, ...] = (
    *(Literal.of(number) for number in range(1, 5)),
    *(Literal(text, XSD_DATE) for text in ("2001-01-01", "2001-02-01", "2002-02-01")),
)
KEY = Variable("x")
EXISTENTIAL = tuple(Variable(name) for name in "yzw")

# --- terms ------------------------------------------------------------------------------------------------------------

variable_names = st.sampled_from(
    ["x", "y", "z", "a", "b1", "n_2", "name", "cityName", "t", "or_", "selected", "limit1"]
)
variables = st.builds(Variable, variable_names)
"""Variables with names that every reader and engine accepts."""

_iri_texts = st.text(st.sampled_from("abcxyzABC019-_.~/:#?&=%éß日"), min_size=1, max_size=12)
iris = st.one_of(st.sampled_from(NODES), st.builds(lambda text: IRI("http://example.org/" + text), _iri_texts))
"""IRIs: plain ones, and ones with dots, fragments, queries and letters beyond ASCII."""

# surrogates cannot be written in UTF-8
texts = st.one_of(
    st.sampled_from(
        ["", 'say "hi"', "it's", "back\\slash", "a\nb", "tab\t", "日本語", "naïve 😀", "?x", "#", "{}", "$p"]
    ),
    st.text(st.characters(codec="utf-8"), max_size=12),
)
languages = st.sampled_from(["en", "de", "pt-br", "ja"])


def _padded(low: int, high: int) -> st.SearchStrategy[str]:
    return st.integers(low, high).map(lambda number: f"{number:02d}")


zones = st.sampled_from(["", "", "Z", "+05:30", "-11:00", "+14:00"])
years = st.one_of(st.integers(1890, 2030), st.integers(-300, 12000)).map(
    lambda year: f"{'-' if year < 0 else ''}{abs(year):04d}"
)
_days = st.builds("{}-{}-{}".format, years, _padded(1, 12), _padded(1, 28))
_clocks = st.builds(
    "{}:{}:{}{}".format, _padded(0, 23), _padded(0, 59), _padded(0, 59), st.sampled_from(["", "", ".5", ".125"])
)
dates = st.builds(lambda day, zone: Literal(day + zone, XSD_DATE), _days, zones)
date_times = st.builds(lambda day, clock, zone: Literal(f"{day}T{clock}{zone}", XSD_DATE_TIME), _days, _clocks, zones)
times = st.builds(lambda clock, zone: Literal(clock + zone, XSD_TIME), _clocks, zones)
g_years = st.builds(lambda year, zone: Literal(year + zone, XSD_G_YEAR), years, zones)
g_year_months = st.builds(
    lambda year, month, zone: Literal(f"{year}-{month}{zone}", XSD_G_YEAR_MONTH), years, _padded(1, 12), zones
)
durations = st.builds(
    lambda sign, text: Literal(sign + text, XSD_DURATION),
    st.sampled_from(["", "", "-"]),
    st.sampled_from(["P1D", "P1Y", "P12M", "P1M", "P30D", "PT1H30M", "P1Y2M3DT4H5M6.7S", "PT0S", "P400D"]),
)
integers = st.one_of(st.integers(-20, 20), st.integers(-(10**25), 10**25)).map(Literal.of)
small_integers = st.integers(-20, 20).map(Literal.of)
decimals = st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-1000, max_value=1000).map(
    lambda number: Literal.decimal(format(number, "f"))
)
doubles = st.floats(allow_nan=False, allow_infinity=False).map(Literal.of)
floats = st.sampled_from([Literal(text, XSD_FLOAT) for text in ("0.1", "2", "-3.5e3", "16777217", "INF", "NaN")])
booleans = st.booleans().map(Literal.of)
strings = texts.map(Literal.of)
tagged_strings = st.builds(Literal.tagged, texts, languages)
odd_literals = st.sampled_from(
    [
        Literal("abc", XSD_INTEGER),
        Literal("2001-02-30", XSD_DATE),
        Literal("01", XSD_INTEGER),
        Literal("x", BASE + "unit"),
        Literal("NaN", "http://www.w3.org/2001/XMLSchema#double"),
        Literal("1.0E2", "http://www.w3.org/2001/XMLSchema#double"),
    ]
)
temporals = st.one_of(dates, date_times, times, g_years, g_year_months)
literals: st.SearchStrategy[Literal] = st.one_of(
    strings, tagged_strings, integers, decimals, doubles, floats, booleans, temporals, durations, odd_literals
)
"""Literals of every datatype that the compiler knows, some ill-formed, one of a datatype that it does not know."""

ground_terms: st.SearchStrategy[GroundTerm] = st.one_of(iris, literals)

# --- graphs -----------------------------------------------------------------------------------------------------------

_ages = st.integers(1, 6).map(Literal.of)
_births = st.sampled_from([Literal(f"200{n}-0{m}-01", XSD_DATE) for n in range(3) for m in (1, 2)])
_names = st.sampled_from([Literal.of("Ann"), Literal.of("Bo"), Literal.tagged("Ann", "en")])


def edges(nodes: Sequence[IRI] = NODES, relations: Sequence[IRI] = RELATIONS) -> st.SearchStrategy[Fact]:
    """Edges between a few nodes: self-loops and parallel edges of different relations are frequent."""
    return st.tuples(st.sampled_from(nodes), st.sampled_from(relations), st.sampled_from(nodes))


def facts(nodes: Sequence[IRI] = NODES) -> st.SearchStrategy[Fact]:
    """Edges, types, ages, dates of birth and names."""
    subjects = st.sampled_from(nodes)
    return st.one_of(
        edges(nodes),
        edges(nodes),
        st.tuples(subjects, st.just(TYPE), st.sampled_from(CLASSES)),
        st.tuples(subjects, st.just(AGE), _ages),
        st.tuples(subjects, st.just(BORN), _births),
        st.tuples(subjects, st.just(NAME), _names),
    )


def graphs(max_facts: int = 18) -> st.SearchStrategy[Graph]:
    """Small graphs over the vocabulary of this module."""
    return st.lists(facts(), min_size=2, max_size=max_facts).map(Graph)


def _instances(table: Table, values: dict[Variable, GroundTerm]) -> list[Fact]:
    """The facts that make the table's edges, types and paths true under an assignment (one choice a path)."""
    found: list[Fact] = []
    rows = [
        row for outer in table.rows for row in (walk_rows((outer,)) if isinstance(outer.atom, Either) else (outer,))
    ]
    for row in rows:
        match row.atom:
            case Triple(subject, IRI() as predicate, object_):
                found += _fact(_given(subject, values), predicate, _given(object_, values))
            case TypeAtom(subject, IRI() as type_):
                found += _fact(_given(subject, values), TYPE, type_)
            case PathAtom(subject, path, object_):
                found += _along(path, _given(subject, values), _given(object_, values))
            case _:
                pass
    return found


def _given(term: Term, values: dict[Variable, GroundTerm]) -> GroundTerm | None:
    return values.get(term) if isinstance(term, Variable) else None if isinstance(term, Parameter) else term


def _fact(subject: GroundTerm | None, predicate: IRI, object_: GroundTerm | None) -> list[Fact]:
    return [(subject, predicate, object_)] if isinstance(subject, IRI) and object_ is not None else []


def _along(path: Path, start: GroundTerm | None, end: GroundTerm | None) -> list[Fact]:
    middle = NODES[-1]
    match path:
        case Step(predicate):
            return _fact(start, predicate, end)
        case Inverse(inner):
            return _along(inner, end, start)
        case Alternative((first, *_)):
            return _along(first, start, end)
        case PathSequence((first, *rest)):
            tail = rest[0] if len(rest) == 1 else PathSequence(tuple(rest))
            return _along(first, start, middle) + _along(tail, middle, end)
        case Repeat(inner, minimum, _) if minimum <= 1:
            return _along(inner, start, end)
        case _:
            return []


@st.composite
def graphs_for(draw: st.DrawFn, table: Table, max_noise: int = 8) -> Graph:
    """A graph in which the table often has answers: its rows made true for a few assignments, with gaps and noise."""
    found: list[Fact] = []
    occurring = variables_in_order(table)
    for _ in range(draw(st.integers(1, 3))):
        values: dict[Variable, GroundTerm] = {
            one: draw(st.sampled_from(VALUE_POOL if one.name.startswith("v_") else NODES)) for one in occurring
        }
        instance = _instances(table, values)
        gap = draw(st.integers(0, 2 * len(instance)))
        found += instance[:gap] + instance[gap + 1 :]
    return Graph(found + draw(st.lists(facts(), max_size=max_noise)))


@st.composite
def worlds(draw: st.DrawFn, tables: st.SearchStrategy[Table] | None = None) -> tuple[Table, Graph]:
    """A table of `monotone_tables` (or of the strategy given) with a graph made for it."""
    table = draw(monotone_tables() if tables is None else tables)
    return table, draw(graphs_for(table))


# --- tables that the chase works on -----------------------------------------------------------------------------------

_ORDERS = (
    ComparisonOperator.LESS,
    ComparisonOperator.LESS_EQUAL,
    ComparisonOperator.GREATER,
    ComparisonOperator.GREATER_EQUAL,
    ComparisonOperator.EQUAL,
    ComparisonOperator.NOT_EQUAL,
)

simple_paths: st.SearchStrategy[Path] = st.recursive(
    st.sampled_from(RELATIONS).map(Step),
    lambda inner: st.one_of(
        inner.map(Inverse),
        st.tuples(inner, inner).map(PathSequence),
        st.tuples(inner, inner).map(Alternative),
        st.builds(lambda path, low, high: Repeat(path, low, high), inner, st.integers(0, 1), st.integers(1, 3)),
    ),
    max_leaves=3,
)
"""Bounded paths over the vocabulary of this module."""


def _conditions(variable: Variable) -> st.SearchStrategy[Expression]:
    """Conditions on the value of one literal variable."""
    month = Call("month", (variable,))
    numbers = st.integers(1, 6).map(Literal.of)
    return st.one_of(
        st.builds(Comparison, st.sampled_from(_ORDERS), st.just(variable), numbers),
        st.builds(Comparison, st.sampled_from(_ORDERS), st.just(month), st.integers(1, 2).map(Literal.of)),
        st.lists(numbers, min_size=1, max_size=3).map(lambda options: Membership(variable, tuple(options))),
        st.lists(numbers, min_size=1, max_size=2).map(lambda options: Membership(variable, tuple(options), True)),
    )


@st.composite
def monotone_rows(draw: st.DrawFn, row_id: str, pool: Sequence[Variable]) -> tuple[Row, ...]:
    """One positive row over the pool's variables; a value may come with a condition, in its `where` or as a row."""
    subject = draw(st.sampled_from(pool))
    others: st.SearchStrategy[Term] = st.one_of(
        st.sampled_from(pool), st.sampled_from(pool), st.sampled_from(NODES[:3])
    )
    kind = draw(st.sampled_from(["edge", "edge", "edge", "back", "type", "value", "value", "path", "either"]))
    match kind:
        case "edge":
            return (Row(row_id, Triple(subject, draw(st.sampled_from(RELATIONS)), draw(others))),)
        case "back":
            return (Row(row_id, Triple(draw(others), draw(st.sampled_from(RELATIONS)), subject)),)
        case "type":
            return (Row(row_id, TypeAtom(subject, draw(st.sampled_from(CLASSES)))),)
        case "path":
            return (Row(row_id, PathAtom(subject, draw(simple_paths), draw(others))),)
        case "either":
            branches = st.lists(monotone_rows(row_id, pool), min_size=2, max_size=2)
            named = [
                tuple(evolve(row, id=f"{row_id}.{n}.{m}") for m, row in enumerate(branch, 1))
                for n, branch in enumerate(draw(branches), 1)
            ]
            return (Row(row_id, Either(tuple(named))),)
        case _:
            value = Variable(f"v_{row_id.replace('.', '_')}")
            triple = Triple(subject, draw(st.sampled_from([AGE, BORN])), value)
            condition = draw(st.none() | _conditions(value))
            if condition is None or draw(st.booleans()):
                return (Row(row_id, triple, where=condition),)
            return Row(row_id, triple), Row(f"{row_id}_test", Filter(condition))


@st.composite
def monotone_tables(
    draw: st.DrawFn, min_rows: int = 1, max_rows: int = 6, keys: int = 1, pinned: bool = False
) -> Table:
    """Tables whose core is all they have: one key variable (`keys` 2: also `y`), existential variables shared by rows.

    The first row holds the key. Some rows are not connected to it, some conditions have no binder once a row is gone;
    `!=` between variables occurs. With `pinned`, one row may be `@required`.
    """
    pool = (KEY, KEY, *EXISTENTIAL[: draw(st.integers(1, len(EXISTENTIAL)))])
    rows = [Row("c1", Triple(KEY, draw(st.sampled_from(RELATIONS)), draw(st.sampled_from(pool + NODES[:2]))))]
    for number in range(2, draw(st.integers(min_rows, max_rows)) + 1):
        rows += draw(monotone_rows(f"c{number}", pool))
    bound = sorted(positive_variables(rows) & set(pool), key=lambda one: one.name)
    if len(bound) > 1 and draw(st.booleans()):
        left, right = draw(st.permutations(bound))[:2]
        rows.append(Row("apart", Filter(Comparison(ComparisonOperator.NOT_EQUAL, left, right))))
    if pinned and draw(st.booleans()):
        place = draw(st.integers(0, len(rows) - 1))
        rows[place] = evolve(rows[place], note=evolve(rows[place].note, required=True))
    head = [Column(variable) for variable in bound if variable == KEY or (keys > 1 and variable == EXISTENTIAL[0])]
    return Table("t", tuple(head), tuple(rows), Shell())


@st.composite
def reference_sets(
    draw: st.DrawFn, table: Table, graph: Graph, max_answers: int = 4, confident: bool = True
) -> tuple[ReferenceAnswer, ...]:
    """One or more reference answers: true ones of parts of the table, and nodes picked at random."""
    key = answer_key(table)
    found = evaluate(table, graph)
    places = [found.columns.index(variable.name) for variable in key]
    true = [tuple(row[place] for place in places) for row in found.rows]
    whole = [tuple(one for one in row if one is not None) for row in true]
    true = [row for row in whole if len(row) == len(key)]
    nodes = list(graph.terms()) or list(NODES)
    guesses = st.tuples(*(st.sampled_from(nodes) for _ in key))
    one = st.one_of(st.sampled_from(true), st.sampled_from(true), guesses) if true else guesses
    keys = draw(st.lists(one, min_size=1, max_size=max_answers, unique=True))
    confidence = st.just(1.0) if confident else st.sampled_from([1.0, 0.9, 0.5, 0.2])
    return tuple(ReferenceAnswer(one, draw(confidence)) for one in keys)


def row_subsets(table: Table) -> st.SearchStrategy[frozenset[str]]:
    """Sets of row ids of the table."""
    ids = [row.id for row in table.rows]
    return st.sets(st.sampled_from(ids)).map(frozenset) if ids else st.just(frozenset[str]())


# --- tables with every kind of node -----------------------------------------------------------------------------------

parameters = st.builds(Parameter, variable_names)
terms: st.SearchStrategy[Term] = st.one_of(variables, variables, parameters, iris, literals)
subjects: st.SearchStrategy[Term] = st.one_of(variables, variables, parameters, iris)
predicates: st.SearchStrategy[IRI | Variable | Parameter] = st.one_of(iris, iris, variables, parameters)


def _at_least(inner: st.SearchStrategy[Expression], low: int, high: int) -> st.SearchStrategy[tuple[Expression, ...]]:
    return st.lists(inner, min_size=low, max_size=high).map(tuple)


def _flat_or(operands: tuple[Expression, ...]) -> Expression:
    return Or(tuple(part for one in operands for part in (one.operands if isinstance(one, Or) else (one,))))


@st.composite
def _calls(draw: st.DrawFn, inner: st.SearchStrategy[Expression]) -> Call:
    function = FUNCTIONS[draw(st.sampled_from(sorted(FUNCTIONS)))]
    most = function.least + 2 if function.most is None else function.most
    if function.name == "bound":
        return Call("bound", (draw(variables),))
    return Call(function.name, draw(_at_least(inner, function.least, most)))


def _compound(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.builds(Comparison, st.sampled_from(ComparisonOperator), inner, inner),
        st.builds(Arithmetic, st.sampled_from(ArithmeticOperator), inner, inner),
        inner.filter(lambda one: not isinstance(one, Literal | Negative)).map(Negative),
        _at_least(inner, 2, 3).map(conjunction),
        _at_least(inner, 2, 3).map(_flat_or),
        inner.map(Not),
        st.builds(Membership, inner, _at_least(inner, 1, 3), st.booleans()),
        _calls(inner),
    )


plain_expressions: st.SearchStrategy[Expression] = st.recursive(terms, _compound, max_leaves=5)
"""Expressions of every kind but `exists` and aggregates."""

aggregates = st.one_of(
    st.builds(lambda distinct: Aggregate("count", None, distinct), st.booleans()),
    st.builds(
        Aggregate,
        st.sampled_from(["count", "sum", "avg", "min", "max", "sample"]),
        variables | plain_expressions,
        st.booleans(),
    ),
    st.builds(Aggregate, st.just("group_concat"), variables, st.booleans(), st.none() | texts),
)

full_paths: st.SearchStrategy[Path] = st.recursive(
    st.one_of(
        iris.map(Step),
        st.builds(NegatedSet, st.lists(iris, min_size=1, max_size=2).map(tuple), st.lists(iris, max_size=2).map(tuple)),
    ),
    lambda inner: st.one_of(
        inner.map(Inverse),
        st.lists(inner.filter(lambda one: not isinstance(one, PathSequence)), min_size=2, max_size=3)
        .map(tuple)
        .map(PathSequence),
        st.lists(inner.filter(lambda one: not isinstance(one, Alternative)), min_size=2, max_size=3)
        .map(tuple)
        .map(Alternative),
        st.builds(lambda path, low, more: Repeat(path, low, low + more), inner, st.integers(0, 2), st.integers(0, 3)),
        st.builds(lambda path, low: Repeat(path, low, None), inner, st.integers(0, 1)),
    ),
    max_leaves=4,
)
"""Paths of every kind, unbounded ones included; sequences and alternatives are flat."""

notes = st.builds(
    RowNote,
    origin=st.sampled_from(Origin),
    required=st.booleans(),
    uncertainty=st.none() | st.integers(0, 100).map(lambda percent: percent / 100),
    reason=st.none() | texts,
    support=st.none() | st.integers(0, 10**6),
    sources=st.lists(st.sampled_from(["c1", "games.2", "old"]), max_size=2).map(tuple),
)
"""Annotations of rows."""

some_notes = st.integers(0, 3).flatmap(lambda number: notes if number == 0 else st.just(RowNote()))

_row_names = st.sampled_from(["c1", "c2", "games", "games.1", "label", "r_2", "kind.2", "a", "b3", "country"])


@st.composite
def _conditions_with_exists(draw: st.DrawFn, depth: int) -> Expression:
    if depth > 0 and draw(st.integers(0, 3)) == 0:
        return Exists(draw(full_rows(depth - 1)), draw(st.booleans()))
    return draw(plain_expressions)


@st.composite
def _full_atoms(draw: st.DrawFn, depth: int) -> Atom:
    simple = ["triple", "triple", "type", "path", "filter", "bind", "values"]
    kind = draw(st.sampled_from(simple + ["optional", "not", "minus", "either", "table"] * (depth > 0)))
    inner = full_rows(depth - 1)
    match kind:
        case "triple":
            return Triple(draw(subjects), draw(predicates), draw(terms))
        case "type":
            return TypeAtom(draw(subjects), draw(predicates))
        case "path":
            return PathAtom(draw(subjects), draw(full_paths), draw(terms))
        case "filter":
            return Filter(draw(_conditions_with_exists(depth)))
        case "bind":
            return Bind(draw(plain_expressions), draw(variables))
        case "values":
            names = draw(st.lists(variables, min_size=1, max_size=2, unique=True))
            line = st.tuples(*(st.none() | iris | literals for _ in names))
            return Values(tuple(names), tuple(draw(st.lists(line, min_size=1, max_size=3))))
        case "optional":
            return OptionalBlock(draw(inner))
        case "not":
            return NotBlock(draw(inner))
        case "minus":
            return MinusBlock(draw(inner))
        case "either":
            return Either(tuple(draw(st.lists(inner, min_size=2, max_size=3))))
        case _:
            return SubTable(draw(full_tables(depth - 1)))


@st.composite
def full_rows(draw: st.DrawFn, depth: int = 1, max_rows: int = 3) -> tuple[Row, ...]:
    """Rows of every kind with unique ids, blocks nested `depth` deep, conditions and annotations."""
    atoms = draw(st.lists(_full_atoms(depth), min_size=1, max_size=max_rows))
    names = draw(st.lists(_row_names, min_size=len(atoms), max_size=len(atoms), unique=True))
    rows: list[Row] = []
    for name, atom in zip(names, atoms, strict=True):
        may_have_where = isinstance(atom, Triple | TypeAtom | PathAtom)
        where = draw(_conditions_with_exists(depth)) if may_have_where and draw(st.integers(0, 3)) == 0 else None
        rows.append(Row(name, atom, where, draw(some_notes)))
    return tuple(rows)


columns = st.one_of(
    variables.map(Column),
    st.builds(Column, plain_expressions, variables),
    st.builds(Column, aggregates, variables),
)


_groups = st.lists(variables.map(Column), min_size=1, max_size=2, unique=True).map(tuple)
_having = st.one_of(plain_expressions, st.builds(Comparison, st.just(ComparisonOperator.LESS), aggregates, terms))
_havings = st.lists(_having, min_size=1, max_size=2).map(tuple)
_orders = st.lists(st.builds(OrderKey, plain_expressions, st.booleans()), min_size=1, max_size=2).map(tuple)
_extremes = st.builds(
    Extreme,
    st.booleans(),
    st.lists(variables, min_size=1, max_size=2, unique=True).map(tuple),
    variables | plain_expressions | aggregates,
)


@st.composite
def shells(draw: st.DrawFn) -> Shell:
    """Shells with every clause; `ask` shells have no other clause."""
    if draw(st.integers(0, 7)) == 0:
        return Shell(form=Form.ASK)
    clauses = draw(st.sets(st.sampled_from(["group", "having", "extreme", "order", "limit", "offset"]), max_size=3))
    return Shell(
        distinct=draw(st.booleans()),
        group=draw(_groups) if "group" in clauses else (),
        having=draw(_havings) if "having" in clauses else (),
        extreme=draw(_extremes) if "extreme" in clauses else None,
        order=draw(_orders) if "order" in clauses else (),
        limit=draw(st.integers(0, 100)) if "limit" in clauses else None,
        offset=draw(st.integers(0, 100)) if "offset" in clauses else None,
    )


@st.composite
def full_tables(draw: st.DrawFn, depth: int | None = None) -> Table:
    """Tables that hold every kind of node. They need not make sense: they print, read back and travel as JSON."""
    depth = draw(st.sampled_from([1, 1, 1, 2])) if depth is None else depth
    shell = draw(shells())
    head = st.lists(columns, min_size=0, max_size=3, unique_by=lambda column: column.variable).map(tuple)
    return Table(
        name=draw(st.sampled_from(["t", "winter_hosts", "q7"])),
        head=() if shell.form is Form.ASK else draw(head),
        rows=draw(full_rows(depth, max_rows=4)),
        shell=shell,
        question=draw(st.none() | texts),
        match_mode=draw(st.sampled_from(MatchMode)),
        schemas=tuple(draw(st.lists(st.sampled_from(["a.cts", "folder/b c.cts"]), max_size=1))),
    )
