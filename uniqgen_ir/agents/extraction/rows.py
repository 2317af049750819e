"""The rows that a model chose: their schema, what the schema cannot say, and the table that they make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import define, field

from uniqgen_ir.agents.extraction.context import (
    TYPE,
    VARIABLES,
    ClassChoice,
    Context,
    RelationChoice,
    Thing,
    ValueChoice,
)
from uniqgen_ir.agents.tables import TABLE_NAME, condition_expression, identifier, type_atom
from uniqgen_ir.ir.expressions import Aggregate, Expression
from uniqgen_ir.ir.paths import Repeat, Step
from uniqgen_ir.ir.rows import Atom, NotBlock, Origin, PathAtom, Row, RowNote, Triple
from uniqgen_ir.ir.table import Column, Extreme, Shell, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.vocabulary import NUMERIC_DATATYPES
from uniqgen_ir.kg.linking.index import GraphIndex

Reading = Mapping[str, Any]
"""A model's answer to the prompt `extract`."""

MOST_ROWS: Final = 12
ANSWER: Final = "?answer"
_ORIGINS: Final = [Origin.EXPLICIT.value, Origin.STRUCTURAL.value, Origin.PRAGMATIC.value]


def schema_of(context: Context) -> dict[str, Any]:
    """The JSON schema of a reading: every name is one of the context's."""
    things = [one.id for one in context.things]
    others = [*(one.id for one in context.classes), *(one.id for one in context.values)]
    variable: dict[str, Any] = {"type": "string", "enum": list(VARIABLES)}
    relations = [*(one.id for one in context.relations), *([TYPE] if context.classes else [])]
    row = _closed(
        subject={"type": "string", "enum": [*VARIABLES, *things]},
        relation={"type": "string", "enum": relations},
        object={"type": "string", "enum": [*VARIABLES, *things, *others]},
        negated={"type": "boolean"},
        origin={"type": "string", "enum": _ORIGINS},
        reason={"type": "string"},
        confidence={"type": "number", "minimum": 0, "maximum": 1},
    )
    extreme = _closed(of=variable, by=variable, largest={"type": "boolean"}, count={"type": "boolean"})
    return _closed(
        rows={"type": "array", "items": row, "maxItems": MOST_ROWS},
        ask={"type": "string", "enum": ["things", "count"]},
        extreme={"anyOf": [extreme, {"type": "null"}]},
        missing={"anyOf": [{"type": "string"}, {"type": "null"}]},
    )


def _closed(**properties: Any) -> dict[str, Any]:
    """An object with just these properties, all of them required, as strict servers want it."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def fault_of(reading: Reading, context: Context, index: GraphIndex) -> str | None:
    """What is wrong with a reading that meets the schema, as a sentence for the model; None if it can be used."""
    return next(_faults(reading, context, index), None)


def _faults(reading: Reading, context: Context, index: GraphIndex) -> Iterator[str]:
    rows: Sequence[Reading] = reading["rows"]
    if not rows:
        if not reading["missing"]:
            yield "there are no rows, and `missing` does not say why"
        return
    for place, row in enumerate(rows):
        wrong = _row_fault(row, context, index)
        if wrong is not None:
            yield f"rows[{place}]: {wrong}"
    positive = [row for row in rows if not row["negated"]]
    bound = {name for row in positive for name in _variables(row)}
    if ANSWER not in bound:
        yield "no row that is not negated has ?answer"
    loose = [place for place, row in enumerate(rows) if not _joined(row, rows)]
    if loose:
        yield f"rows[{loose[0]}] does not hang together with ?answer"
    extreme: Reading | None = reading["extreme"]
    if extreme is not None and not {extreme["of"], extreme["by"]} <= bound:
        yield "`extreme` names a variable that no row has"


def _row_fault(row: Reading, context: Context, index: GraphIndex) -> str | None:
    object_ = context.by_id.get(row["object"])
    if row["relation"] == TYPE:
        fits = isinstance(object_, ClassChoice) and row["subject"] in VARIABLES
        return None if fits else "`type` takes a variable and a class"
    if isinstance(object_, ClassChoice):
        return f"{row['object']} is a class, and only `type` takes one"
    if not _variables(row):
        return "it has no variable, so it says nothing about the answer"
    if row["subject"] == row["object"]:
        return "its subject is its object"
    chosen = context.by_id[row["relation"]]
    assert isinstance(chosen, RelationChoice)
    literal = index.relations[chosen.number].literal
    if isinstance(object_, ValueChoice) and not literal:
        return f"{row['object']} is a value, and {row['relation']} leads to things"
    if isinstance(object_, Thing) and literal and isinstance(object_.term, IRI):
        return f"{row['object']} is a thing, and {row['relation']} leads to values"
    return None


def _variables(row: Reading) -> list[str]:
    return [row[side] for side in ("subject", "object") if row[side] in VARIABLES]


def _joined(row: Reading, rows: Sequence[Reading]) -> bool:
    """Whether shared variables lead from a row to ?answer."""
    reached, grown = set(_variables(row)), True
    while grown and ANSWER not in reached:
        more = {name for other in rows if reached & set(_variables(other)) for name in _variables(other)}
        grown = not more <= reached
        reached |= more
    return ANSWER in reached


def table_of_reading(reading: Reading, context: Context, index: GraphIndex, question: str) -> Table:
    """The table of a reading without faults; each row with its origin, reason and uncertainty."""
    writer = _Writer(context, index)
    for row in reading["rows"]:
        writer.add(row)
    answer = _variable(ANSWER)
    head = Column(Aggregate("count", answer, distinct=True), Variable("number"))
    columns = (head if reading["ask"] == "count" else Column(answer),)
    rank = [Origin.EXPLICIT, Origin.STRUCTURAL, Origin.PRAGMATIC]
    rows = tuple(sorted(writer.rows, key=lambda row: rank.index(row.note.origin)))
    return Table(TABLE_NAME, columns, rows, Shell(extreme=_extreme(reading["extreme"])), question=question)


def _extreme(wanted: Reading | None) -> Extreme | None:
    if wanted is None:
        return None
    by: Expression = _variable(wanted["by"])
    if wanted["count"]:
        by = Aggregate("count", by, distinct=True)
    return Extreme(bool(wanted["largest"]), (_variable(wanted["of"]),), by)


def _variable(name: str) -> Variable:
    return Variable(name.removeprefix("?"))


@define
class _Writer:
    context: Context
    index: GraphIndex
    rows: list[Row] = field(factory=list[Row])

    def add(self, row: Reading) -> None:
        """Add a row of a reading, unless it is there already."""
        subject = self._term(row["subject"])
        if row["relation"] == TYPE:
            choice = self.context.by_id[row["object"]]
            assert isinstance(choice, ClassChoice)
            assert isinstance(subject, Variable)
            self._append(row, "kind", type_atom(self.index, subject, choice.number), None)
            return
        chosen = self.context.by_id[row["relation"]]
        assert isinstance(chosen, RelationChoice)
        relation = self.index.relations[chosen.number]
        object_ = self.context.by_id.get(row["object"])
        where: Expression | None = None
        if isinstance(object_, ValueChoice) and object_.condition is not None:
            value = Variable(f"value_{object_.id}")
            target: Variable | IRI | Literal = value
            dated = not set(relation.datatypes) <= NUMERIC_DATATYPES
            where = condition_expression(object_.condition, value, dated=dated)
        else:
            target = self._term(row["object"])
        atom: Atom = Triple(subject, relation.iri, target)
        if chosen.depth > 1:
            atom = PathAtom(subject, Repeat(Step(relation.iri), 1, chosen.depth), target)
        self._append(row, relation.label, atom, where)

    def _term(self, name: str) -> Variable | IRI | Literal:
        if name in VARIABLES:
            return _variable(name)
        choice = self.context.by_id[name]
        if isinstance(choice, Thing):
            return choice.term
        assert isinstance(choice, ValueChoice)
        assert choice.literal is not None
        return choice.literal

    def _append(self, row: Reading, label: str, atom: Atom, where: Expression | None) -> None:
        reason = " ".join(str(row["reason"]).split())[:200] or None
        note = RowNote(Origin(row["origin"]), uncertainty=round(1.0 - float(row["confidence"]), 4), reason=reason)
        if row["negated"]:
            atom, where = NotBlock((Row("inner", atom, where),)), None
        if any(one.atom == atom and one.where == where for one in self.rows):
            return
        self.rows.append(Row(self._id(label), atom, where, note))

    def _id(self, wanted: str) -> str:
        base = identifier(wanted) or "row"
        taken = {row.id for row in self.rows}
        return next(name for n in range(1, len(taken) + 2) if (name := base if n == 1 else f"{base}_{n}") not in taken)
