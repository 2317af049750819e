"""From a plan to a constraint table: one row per thing that the question says or that the graph's shape asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from attrs import define, field, frozen

from uniqgen_ir.agents.legs import Hop
from uniqgen_ir.agents.plans import Branch, InnerClass, Place, Plan, PlannedLeg, branches
from uniqgen_ir.ir.expressions import Aggregate, Call, Comparison, ComparisonOperator, Expression, conjunction
from uniqgen_ir.ir.paths import Repeat, Step
from uniqgen_ir.ir.rows import Either, Filter, Origin, PathAtom, Row, RowNote, Triple, TypeAtom
from uniqgen_ir.ir.table import Column, Shell, Table
from uniqgen_ir.ir.terms import IRI, Literal, Term, Variable
from uniqgen_ir.ir.vocabulary import NUMERIC_DATATYPES, RDF_TYPE, XSD_DECIMAL, XSD_INTEGER
from uniqgen_ir.kg.lexicon_words import plain
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion, MentionKind
from uniqgen_ir.kg.linking.values import ValueCondition
from uniqgen_ir.kg.neighbourhood_adjacency import reverse

TABLE_NAME: Final = "question"
_OPERATORS: Final = {one.value: one for one in ComparisonOperator}


@frozen
class PlannedTable:
    """A plan's table; `nodes` are the nodes that each variable takes as far as the index sees them.

    `places` are the hops from the answer backwards to each variable that is on the way.
    """

    table: Table
    answer: Variable
    nodes: dict[Variable, frozenset[int]] = field(eq=False)
    places: dict[Variable, Place] = field(eq=False)


def table_of(plan: Plan, linked: LinkedQuestion, index: GraphIndex, *, count: bool = False) -> PlannedTable:
    """The explicit and structural rows of a plan, with the answer variable as head (its count, with `count`)."""
    writer = _Writer(linked, index)
    answer = writer.variable(plan.answers, plan.answer_classes)
    writer.places[answer] = ()
    for number in plan.answer_classes[:1]:
        writer.type_row("kind", answer, number, Origin.EXPLICIT, "the question asks for it")
    entries = [(leg.backwards, leg) for leg in plan.legs]
    for together in [[entry] for entry in entries] if plan.separate else [entries]:
        writer.join(answer, together)
    for inner in plan.inner_classes:
        writer.inner_class(inner)
    if plan.role is not None:
        writer.role_row(answer, plan.role)
    if count:
        head: tuple[Column, ...] = (Column(Aggregate("count", answer, distinct=True), Variable("number")),)
    else:
        head = (Column(answer),)
    ordered = sorted(writer.rows, key=lambda row: row.note.origin is not Origin.EXPLICIT)
    table = Table(TABLE_NAME, head, tuple(ordered), Shell(), question=linked.text)
    return PlannedTable(table, answer, writer.nodes, writer.places)


@define
class _Writer:
    linked: LinkedQuestion
    index: GraphIndex
    rows: list[Row] = field(factory=list[Row])
    nodes: dict[Variable, frozenset[int]] = field(factory=dict[Variable, frozenset[int]])
    places: dict[Variable, Place] = field(factory=dict[Variable, Place])
    _ids: set[str] = field(factory=set[str])

    def variable(self, nodes: frozenset[int], classes: Sequence[int] = (), hint: str = "") -> Variable:
        """A new variable, named after the class of its nodes, or after the relation that leads to them."""
        name = identifier(self._class_name(nodes, classes) or hint or "answer")
        chosen, number = name, 2
        while Variable(chosen) in self.nodes:
            chosen, number = f"{name}_{number}", number + 1
        variable = Variable(chosen)
        self.nodes[variable] = nodes
        return variable

    def _class_name(self, nodes: frozenset[int], classes: Sequence[int]) -> str:
        if classes:
            return self.index.classes[classes[0]].label
        smallest = self.index.smallest_class(sorted(nodes)[:50])
        return "" if smallest is None else self.index.classes[smallest].label

    def row_id(self, wanted: str) -> str:
        return free_id(identifier(wanted) or "row", self._ids)

    def join(self, target: Variable, legs: Sequence[Branch]) -> None:
        """Rows that join the rest of each leg (hops from here backwards) to a variable; equal hops share a row."""
        for hop, members in branches(legs):
            rest, first = members[0]
            if len(members) == 1 and not rest:
                self._start(first, hop, target)
            else:
                self._middle(hop, members, target)

    def _middle(self, hop: Hop, members: Sequence[Branch], target: Variable) -> None:
        said = next((entry for entry in members if entry[1].alignment.spans[len(entry[0])]), members[0])
        nodes = frozenset[int].intersection(*(leg.leg.sets[len(rest)] for rest, leg in members))
        before = next((rest[0] for rest, _ in members if rest), hop)
        inner = self.variable(nodes, hint=self._role(before))
        self._edge(hop, inner, target, self._said(said[1], len(said[0])))
        self.places[inner] = (*self.places[target], hop)
        self.join(inner, members)
        for rest, leg in members:
            if not rest:
                for number in leg.mention.classes[:1]:
                    self.type_row(f"{inner.name}_kind", inner, number, Origin.EXPLICIT, f'"{leg.mention.text}"')
            elif leg.leg.undo[len(rest)]:
                self._differs(leg, len(rest), target)

    def _differs(self, leg: PlannedLeg, place: int, target: Variable) -> None:
        """A hop that walks back must not come back to where it was: *also directed* means another one."""
        if place == 1 and leg.start is not None:
            term = self.index.terms[leg.start]
            if isinstance(term, IRI | Literal):
                condition = Comparison(ComparisonOperator.NOT_EQUAL, target, term)
                note = RowNote(Origin.STRUCTURAL, reason="another one than the one that is asked about")
                self.rows.append(Row(self.row_id("another"), Filter(condition), note=note))

    def _start(self, leg: PlannedLeg, hop: Hop, target: Variable) -> None:
        origin, reason = self._said(leg, 0)
        if leg.mention.kind is MentionKind.VALUE:
            self._value(leg, hop, target)
        elif leg.start is None:
            start = self.variable(leg.leg.sets[0], leg.mention.classes[:1])
            self.places[start] = (*self.places[target], hop)
            self._edge(hop, start, target, (origin, reason))
            for number in leg.mention.classes[:1]:
                self.type_row(f"{start.name}_kind", start, number, Origin.EXPLICIT, f'"{leg.mention.text}"')
        else:
            term = self.index.terms[leg.start]
            assert isinstance(term, IRI | Literal)
            said = reason if leg.alignment.spans[0] else f'"{leg.mention.text}"'
            self._edge(hop, term, target, (Origin.EXPLICIT, said))

    def _said(self, leg: PlannedLeg, place: int) -> tuple[Origin, str | None]:
        """Where the row of a hop comes from: the words that say it, or the shape of the graph."""
        span = leg.alignment.spans[place]
        if not span:
            return Origin.STRUCTURAL, "no word says it, the graph connects them so"
        words = " ".join(self.linked.tokens[one].text for one in sorted(span))
        return Origin.EXPLICIT, f'"{words}"'

    def _edge(self, hop: Hop, start: Term, end: Term, said: tuple[Origin, str | None]) -> None:
        relation = self.index.relations[hop.relation]
        subject, object_ = (end, start) if hop.backward else (start, end)
        name = self.row_id(relation.label)
        if hop.depth > 1:
            atom: Triple | PathAtom = PathAtom(subject, Repeat(Step(relation.iri), 1, hop.depth), object_)
            note = RowNote(Origin.STRUCTURAL, reason=f"being in a part of it counts, up to {hop.depth} steps")
        else:
            atom, note = Triple(subject, relation.iri, object_), RowNote(said[0], reason=said[1])
        self.rows.append(Row(name, atom, note=note))

    def _role(self, hop: Hop) -> str:
        words = self.index.relations[hop.relation].label.split()
        return words[-1] if words and not hop.backward and words[-1].lower() not in {"by", "of", "in"} else "thing"

    def type_row(self, wanted: str, variable: Variable, number: int, origin: Origin, reason: str | None) -> None:
        atom = type_atom(self.index, variable, number)
        if not any(row.atom == atom for row in self.rows):
            self.rows.append(Row(self.row_id(wanted), atom, note=RowNote(origin, reason=reason)))

    def role_row(self, answer: Variable, directed: int) -> None:
        """That the answers do what the question calls them after: *directors* have directed something."""
        relation = self.index.relations[directed // 2]
        other = self.variable(frozenset(), hint=relation.label.split()[-1] if relation.label else "other")
        subject, object_ = (other, answer) if directed % 2 else (answer, other)
        note = RowNote(Origin.EXPLICIT, reason="the question asks for those")
        self.rows.append(Row(self.row_id(relation.label), Triple(subject, relation.iri, object_), note=note))

    def inner_class(self, inner: InnerClass) -> None:
        variable = next((one for one, place in self.places.items() if place == inner.place), None)
        if variable is not None:
            said = f'"{inner.mention.text}"'
            self.type_row(f"{variable.name}_kind", variable, inner.number, Origin.EXPLICIT, said)

    def _value(self, leg: PlannedLeg, hop: Hop, target: Variable) -> None:
        relation = self.index.relations[hop.relation]
        condition = leg.mention.condition
        assert condition is not None
        said = f'"{leg.mention.text}"'
        constant = self._only_literal(leg, hop, target)
        if constant is not None:
            note = RowNote(Origin.EXPLICIT, reason=said)
            self.rows.append(Row(self.row_id(relation.label), Triple(target, relation.iri, constant), note=note))
            return
        value = self.variable(frozenset(), hint=_value_name(relation.label))
        self.nodes[value] = leg.leg.sets[0]
        dated = not set(relation.datatypes) <= NUMERIC_DATATYPES
        where = condition_expression(condition, value, dated=dated)
        atom = Triple(target, relation.iri, value)
        self.rows.append(
            Row(self.row_id(_condition_name(condition, relation.label)), atom, where, RowNote(reason=said))
        )

    def _only_literal(self, leg: PlannedLeg, hop: Hop, target: Variable) -> Literal | None:
        """The literal itself where the condition is equality with a number and only one literal meets it."""
        condition = leg.mention.condition
        if condition is None or condition.operator != "=" or condition.month is not None:
            return None
        outward = reverse(hop.directed)
        used = {
            node for one in self.nodes[target] for node in self.index.adjacency.follow(one, outward)
        } & leg.leg.sets[0]
        terms = [self.index.terms[node] for node in used]
        literals = [term for term in terms if isinstance(term, Literal) and term.datatype in NUMERIC_DATATYPES]
        return literals[0] if len(literals) == 1 == len(terms) else None


def type_atom(index: GraphIndex, variable: Variable, number: int) -> TypeAtom | Triple | Either:
    """That a variable is of a class. Where the data only says the subclasses, it is one of them."""
    entry = index.classes[number]

    def one(class_: IRI) -> TypeAtom | Triple:
        typed = entry.predicate.value == RDF_TYPE
        return TypeAtom(variable, class_) if typed else Triple(variable, entry.predicate, class_)

    if len(entry.asserted) == 1:
        return one(entry.asserted[0])
    return Either(tuple((Row(f"kind{place}", one(class_)),) for place, class_ in enumerate(entry.asserted, 1)))


def condition_expression(condition: ValueCondition, variable: Variable, *, dated: bool) -> Expression:
    """The condition as an expression over the variable; for dates the number is the year."""
    parts: list[Expression] = []
    if dated:
        for function, wanted in (("month", condition.month), ("day", condition.day)):
            if wanted is not None:
                call = Call(function, (variable,))
                parts.append(Comparison(ComparisonOperator.EQUAL, call, Literal(str(wanted), XSD_INTEGER)))
    number: Expression = Call("year", (variable,)) if dated else variable
    if condition.operator == "between" and condition.number is not None and condition.upper is not None:
        parts.append(Comparison(ComparisonOperator.GREATER_EQUAL, number, _number(condition.number)))
        parts.append(Comparison(ComparisonOperator.LESS_EQUAL, number, _number(condition.upper)))
    elif condition.operator is not None and condition.number is not None:
        parts.append(Comparison(_OPERATORS[condition.operator], number, _number(condition.number)))
    return conjunction(tuple(parts))


def _number(value: float) -> Literal:
    return Literal(str(int(value)), XSD_INTEGER) if value.is_integer() else Literal(repr(value), XSD_DECIMAL)


def _condition_name(condition: ValueCondition, label: str) -> str:
    if condition.month is not None:
        return "date" if condition.day is not None else "month"
    return "year" if condition.calendar else label


def _value_name(label: str) -> str:
    return label.split()[-1] if label else "value"


def free_id(wanted: str, taken: set[str]) -> str:
    """The name, or the name with the first number that makes it new; it is taken from then on."""
    chosen, number = wanted, 2
    while chosen in taken:
        chosen, number = f"{wanted}_{number}", number + 1
    taken.add(chosen)
    return chosen


def identifier(text: str) -> str:
    """A name of lower-case letters, digits and underscores that starts with a letter."""
    name = re.sub(r"[^a-z0-9]+", "_", plain(text)).strip("_")
    return name if not name or name[0].isalpha() else f"n_{name}"
