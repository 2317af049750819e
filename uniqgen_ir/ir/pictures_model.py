"""A table as a picture: nodes, edges, notes and boxes, before any notation is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Literal as OneOf
from typing import TypeAlias

from attrs import define, field, frozen

from uniqgen_ir.ir.analysis import expression_variables, row_variables
from uniqgen_ir.ir.expressions import Exists, Expression
from uniqgen_ir.ir.print_names import Names
from uniqgen_ir.ir.printer import print_expression, print_row
from uniqgen_ir.ir.rows import (
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    PathAtom,
    Row,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE

State: TypeAlias = OneOf["kept", "dropped", "redundant"]
States: TypeAlias = Mapping[str, State]
"""What became of each row, by its id; a row that is not named was kept."""


class Shape(StrEnum):
    ANSWER = "answer"
    """a variable of the head"""
    VARIABLE = "variable"
    CONSTANT = "constant"
    VALUE = "value"
    NOTE = "note"


@frozen
class Dot:
    """A node of the picture. `state` matters for notes: other nodes belong to several rows."""

    name: str
    label: str
    shape: Shape
    state: State = "kept"


@frozen
class Line:
    """An edge of the picture; `dashed` for paths, without arrow for notes."""

    start: str
    end: str
    label: str
    state: State
    dashed: bool = False
    arrow: bool = True


@define
class Box:
    """A block: what it holds and what it is called. The outermost box is the table."""

    name: str
    label: str
    state: State
    dots: list[Dot] = field(factory=lambda: list[Dot]())
    boxes: list[Box] = field(factory=lambda: list["Box"]())


@define
class Picture:
    """All lines, and all dots in the boxes in which they first occur."""

    table: Table
    states: States
    lines: list[Line] = field(factory=lambda: list[Line]())
    _names: Names = field(init=False)
    _dots: dict[object, Dot] = field(factory=lambda: dict[object, Dot]())
    _boxes: int = 0
    _answers: frozenset[Variable] = frozenset()

    def __attrs_post_init__(self) -> None:
        self._names = Names(self.table.prefixes)
        self._answers = frozenset(self.table.columns)

    def draw(self) -> Box:
        """The outermost box, with everything in it."""
        box = Box("table", self.table.name, "kept")
        self._rows(self.table.rows, box, None)
        return box

    def _rows(self, rows: Iterable[Row], box: Box, outer: State | None) -> None:
        # what matches the graph comes first, so that a variable stands outside the blocks that only look at it
        rows = tuple(rows)
        late = (Filter, Bind, Values, OptionalBlock, NotBlock, MinusBlock, Either, SubTable)
        for row in sorted(rows, key=lambda one: isinstance(one.atom, late)):
            state = outer or self.states.get(row.id, "kept")
            self._row(row, box, state)
            if row.where is not None:
                self._note(f"{row.id}: {self._text(row.where)}", expression_variables(row.where), box, state)

    def _row(self, row: Row, box: Box, state: State) -> None:
        match row.atom:
            case Triple(subject, predicate, object_):
                name = "a" if predicate == IRI(RDF_TYPE) else self._names.term(predicate)
                self._edge(subject, object_, f"{row.id}: {name}", box, state)
            case TypeAtom(subject, type_):
                self._edge(subject, type_, f"{row.id}: a", box, state)
            case PathAtom(subject, path, object_):
                self._edge(subject, object_, f"{row.id}: {self._names.path(path)}", box, state, dashed=True)
            case Filter(Exists(rows, negated)):
                self._block("not exists" if negated else "exists", row, (rows,), box, state)
            case Filter(condition):
                self._note(f"{row.id}: {self._text(condition)}", expression_variables(condition), box, state)
            case Bind() | Values():
                self._note(print_row(row, self.table.prefixes), row_variables(row), box, state)
            case OptionalBlock(rows):
                self._block("optional", row, (rows,), box, state)
            case NotBlock(rows):
                self._block("not", row, (rows,), box, state)
            case MinusBlock(rows):
                self._block("minus", row, (rows,), box, state)
            case Either(branches):
                self._block("either", row, branches, box, state)
            case SubTable(table):
                self._block("table", row, (table.rows,), box, state)

    def _block(self, kind: str, row: Row, branches: tuple[tuple[Row, ...], ...], box: Box, state: State) -> None:
        block = self._box(f"{row.id}: {kind}", state)
        box.boxes.append(block)
        for place, rows in enumerate(branches):
            inner = block if len(branches) == 1 else self._box("either" if place == 0 else "or", state)
            if inner is not block:
                block.boxes.append(inner)
            # the block is the unit of the search: its state is that of everything inside
            self._rows(rows, inner, state)

    def _box(self, label: str, state: State) -> Box:
        self._boxes += 1
        return Box(f"box{self._boxes}", label, state)

    def _edge(self, start: Term, end: Term, label: str, box: Box, state: State, *, dashed: bool = False) -> None:
        self.lines.append(Line(self._dot(start, box).name, self._dot(end, box).name, label, state, dashed))

    def _note(self, text: str, about: Iterable[Variable], box: Box, state: State) -> None:
        note = Dot(f"n{len(self._dots)}", text, Shape.NOTE, state)
        self._dots[note.name] = note
        box.dots.append(note)
        for variable in sorted(about, key=str):
            if variable in self._dots:
                self.lines.append(Line(self._dots[variable].name, note.name, "", state, dashed=True, arrow=False))

    def _dot(self, term: Term, box: Box) -> Dot:
        # two rows with the same value do not meet in it: each value is a dot of its own
        key: object = f"value {len(self._dots)}" if isinstance(term, Literal) else term
        if key not in self._dots:
            self._dots[key] = Dot(f"n{len(self._dots)}", self._names.term(term), self._shape(term))
            box.dots.append(self._dots[key])
        return self._dots[key]

    def _shape(self, term: Term) -> Shape:
        if isinstance(term, Variable):
            return Shape.ANSWER if term in self._answers else Shape.VARIABLE
        return Shape.VALUE if isinstance(term, Literal | Parameter) else Shape.CONSTANT

    def _text(self, expression: Expression) -> str:
        return print_expression(expression, self.table.prefixes)
