"""What a question leaves unsaid: rows that a lexicon's habits of speech or the data itself suggest.

Neither kind is a law. Each row carries its prior (uncertainty) and its reason, and the chase drops it where it
contradicts a reference answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import evolve, frozen

from uniqgen_ir.agents.tables import PlannedTable
from uniqgen_ir.ir.rows import Origin, Row, RowNote, Triple, TypeAtom
from uniqgen_ir.ir.schema import ImpliedRule
from uniqgen_ir.ir.substitution import substitute
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.vocabulary import XSD_BOOLEAN, XSD_STRING
from uniqgen_ir.kg.lexicon_words import identifier_words
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.neighbourhood_adjacency import forward, reverse

NEARLY_ALL: Final = 0.9
"""The share of the candidates that must agree for the data to suggest a row."""
INFORMATIVE: Final = 0.75
"""The share in the whole class above which agreeing says nothing."""
ENOUGH: Final = 5
"""How many candidates must stand behind a suggestion."""
FEW_VALUES: Final = 12
_PLAIN_TYPES: Final = frozenset({XSD_STRING, XSD_BOOLEAN})

Binding = dict[Variable, Term]


def implied_rows(planned: PlannedTable, index: GraphIndex) -> tuple[Row, ...]:
    """The heads of the lexicons' rules whose body the plan meets, for every way to meet it, renamed apart."""
    rows: list[Row] = []
    for lexicon in index.lexicons:
        for rule in lexicon.implied:
            for binding in _matches(rule.body, planned, index):
                rows += _head_rows(rule, binding, planned.table.rows, rows)
    return _with_ids(rows, planned.table.rows)


def _head_rows(rule: ImpliedRule, binding: Binding, known: Sequence[Row], added: Sequence[Row]) -> list[Row]:
    note = evolve(rule.note, origin=Origin.PRAGMATIC)
    heads = [evolve(_renamed(row, binding), note=note) for row in rule.head]
    said = [*known, *added]
    # the question already speaks of it: what it says is what it means
    return [] if any(_about_the_same(head, row) for head in heads for row in said) else heads


def _renamed(row: Row, binding: Binding) -> Row:
    return substitute(row, dict(binding))


def _about_the_same(one: Row, other: Row) -> bool:
    if one.atom == other.atom and one.where == other.where:
        return True
    if isinstance(one.atom, Triple) and isinstance(other.atom, Triple):
        return one.atom.subject == other.atom.subject and one.atom.predicate == other.atom.predicate
    return False


def _matches(body: Sequence[Row], planned: PlannedTable, index: GraphIndex) -> Iterator[Binding]:
    """Every way to read the variables of a rule's body as terms of the plan."""
    bindings: list[Binding] = [{}]
    for row in body:
        bindings = [longer for binding in bindings for longer in _extend(row, binding, planned, index)]
    seen: set[tuple[tuple[Variable, Term], ...]] = set()
    for binding in bindings:
        key = tuple(sorted(binding.items(), key=lambda item: item[0].name))
        if key not in seen:
            seen.add(key)
            yield binding


def _extend(row: Row, binding: Binding, planned: PlannedTable, index: GraphIndex) -> Iterator[Binding]:
    match row.atom:
        case TypeAtom(Variable() as subject, IRI() as class_):
            for variable in _instances(class_, planned, index):
                longer = _unify(binding, ((subject, variable),))
                if longer is not None:
                    yield longer
        case Triple(subject, predicate, object_):
            for other in planned.table.rows:
                if isinstance(other.atom, Triple) and other.atom.predicate == predicate and other.where == row.where:
                    longer = _unify(binding, ((subject, other.atom.subject), (object_, other.atom.object)))
                    if longer is not None:
                        yield longer
        case _:
            return  # other kinds of rows are no body that a plan can be compared with


def _unify(binding: Binding, pairs: Iterable[tuple[Term | Parameter, Term]]) -> Binding | None:
    longer = dict(binding)
    for pattern, term in pairs:
        if isinstance(pattern, Variable):
            if longer.setdefault(pattern, term) != term:
                return None
        elif pattern != term:
            return None
    return longer


def _instances(class_: IRI, planned: PlannedTable, index: GraphIndex) -> list[Variable]:
    """The plan's variables that are of the class: a row says so, or all their nodes are."""
    entry = next((one for one in index.classes if one.iri == class_), None)
    found: list[Variable] = []
    for variable, nodes in planned.nodes.items():
        said = any(
            isinstance(row.atom, TypeAtom) and row.atom == TypeAtom(variable, class_) for row in planned.table.rows
        )
        if said or (entry is not None and nodes and nodes <= entry.instances):
            found.append(variable)
    return found


@frozen
class _Condition:
    """A row that limits a variable by a constant or a condition, with the nodes that meet it on their own."""

    row: Row
    variable: Variable
    nodes: frozenset[int]


def correlated_rows(planned: PlannedTable, index: GraphIndex) -> tuple[Row, ...]:
    """Rows that the data suggests: among the things that meet a condition of the question, a property of few values is
    nearly constant, although in the whole class it is not.
    """
    rows: list[Row] = []
    for condition in _conditions(planned, index):
        for suggestion in _suggestions(condition, index):
            if not any(_about_the_same(suggestion, row) for row in (*planned.table.rows, *rows)):
                rows.append(suggestion)
    return _with_ids(rows, planned.table.rows)


def _conditions(planned: PlannedTable, index: GraphIndex) -> Iterator[_Condition]:
    """The rows with a literal in them, each with every node of the graph that meets it."""
    numbers = {relation.iri: number for number, relation in enumerate(index.relations)}
    for row in planned.table.rows:
        atom = row.atom
        if (
            not isinstance(atom, Triple)
            or not isinstance(atom.subject, Variable)
            or not isinstance(atom.predicate, IRI)
        ):
            continue
        relation = numbers.get(atom.predicate)
        if (
            relation is None
            or not index.relations[relation].literal
            or (row.where is None and isinstance(atom.object, Variable))
        ):
            continue
        starts = _meeting(atom, relation, planned, index)
        if starts:
            yield _Condition(row, atom.subject, starts)


def _meeting(atom: Triple, relation: int, planned: PlannedTable, index: GraphIndex) -> frozenset[int]:
    if isinstance(atom.object, Literal):
        number = index.number(atom.object)
        literals = [] if number is None else [number]
    elif not isinstance(atom.object, Variable):
        return frozenset()  # a predicate that leads to things as well as to literals
    else:
        literals = sorted(planned.nodes.get(atom.object, frozenset()))
    return frozenset(index.adjacency.image(literals, reverse(forward(relation))))


def _suggestions(condition: _Condition, index: GraphIndex) -> Iterator[Row]:
    peers = _peers(condition.nodes, index)
    for number, relation in enumerate(index.relations):
        if (
            not relation.literal
            or not set(relation.datatypes) <= _PLAIN_TYPES
            or relation.iri == _predicate(condition.row)
        ):
            continue
        among, overall = _values(condition.nodes, number, index), _values(peers, number, index)
        if not among or len(overall) > FEW_VALUES:
            continue
        value, count = min(among.items(), key=lambda item: (-item[1], item[0]))
        total = len(condition.nodes)
        term = index.terms[value]
        if total < ENOUGH or count < NEARLY_ALL * total or overall[value] > INFORMATIVE * len(peers):
            continue
        assert isinstance(term, Literal)
        named = f"{identifier_words(relation.iri.value)} {term.lexical}"
        reason = f"{count} of the {total} that meet row {condition.row.id} have {named}"
        prior = round(1.0 - (count + 1) / (total + 2), 3)
        note = RowNote(Origin.PRAGMATIC, uncertainty=prior, reason=reason, sources=(condition.row.id,))
        yield Row("", Triple(condition.variable, relation.iri, term), note=note)


def _predicate(row: Row) -> IRI | None:
    atom = row.atom
    return atom.predicate if isinstance(atom, Triple) and isinstance(atom.predicate, IRI) else None


def _peers(nodes: frozenset[int], index: GraphIndex) -> frozenset[int]:
    """All instances of the smallest class that all the nodes share; the nodes themselves if there is none."""
    smallest = index.smallest_class(nodes)
    return nodes if smallest is None else index.classes[smallest].instances


def _values(nodes: Iterable[int], relation: int, index: GraphIndex) -> Counter[int]:
    return Counter(target for node in nodes for target in set(index.adjacency.follow(node, forward(relation))))


def _with_ids(rows: Sequence[Row], known: Sequence[Row]) -> tuple[Row, ...]:
    """The rows with readable ids that no other row has: the last word of the value or predicate."""
    taken = {row.id for row in known}
    named: list[Row] = []
    for row in rows:
        base = _id_of(row)
        name, number = base, 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        taken.add(name)
        named.append(evolve(row, id=name))
    return tuple(named)


def _id_of(row: Row) -> str:
    atom = row.atom
    if isinstance(atom, Triple) and isinstance(atom.object, Literal) and atom.object.datatype == XSD_STRING:
        word = "".join(
            character for character in atom.object.lexical.lower() if character.isalnum() or character == "_"
        )
        if word.isascii() and word[:1].isalpha() and len(word) <= 20:
            return word
    predicate = _predicate(row)
    return identifier_words(predicate.value).lower().replace(" ", "_") if predicate is not None else "implied"


def with_pragmatic_rows(planned: PlannedTable, index: GraphIndex) -> PlannedTable:
    """The same plan with everything that habit and data suggest, at the end of its table."""
    implied = implied_rows(planned, index)
    longer = evolve(planned, table=planned.table.with_rows((*planned.table.rows, *implied)))
    suggested = correlated_rows(longer, index)
    return evolve(planned, table=longer.table.with_rows((*longer.table.rows, *suggested)))
