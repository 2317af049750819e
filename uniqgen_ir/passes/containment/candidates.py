"""Values to try for variables: enough of them that any set of comparisons that some values satisfy, these satisfy.

What a comparison says of values depends only on where they stand among the constants and one another (Klug 1988). So a
variable is given each constant, values between, below and above neighbours, a node of its own, and literals that
compare with nothing. Of equal numbers several spellings are given, because rows join terms, not values. Datatypes that
a schema declares leave out the rest; between integers there is only so much room.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import Final

from attrs import evolve, frozen

from uniqgen_ir.ir.analysis import subexpressions, walk_expression
from uniqgen_ir.ir.expressions import And, Call, Comparison, Expression, Membership, Not, Or
from uniqgen_ir.ir.temporal import Duration, Temporal
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Variable
from uniqgen_ir.ir.types import LiteralType, NodeType, Type, UnionType, derives
from uniqgen_ir.ir.values import Single, TaggedString, literal_of, value_of
from uniqgen_ir.ir.vocabulary import (
    INTEGER_DATATYPES,
    NUMERIC_DATATYPES,
    RDF_LANG_STRING,
    TEMPORAL_DATATYPES,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
)
from uniqgen_ir.passes.containment.target import frozen_value

_STRANGE = "urn:frozen:datatype"
"""A datatype that nothing is known of: its literals equal themselves and compare with nothing."""
_TRUTHS: Final = tuple(Literal(text, XSD_BOOLEAN) for text in ("true", "false", "1", "0"))
_CLOCK: Final = re.compile(r"(?P<clock>.*\d\d:\d\d:\d\d)(?P<part>\.\d+)?(?P<zone>.*)")


@frozen
class Setting:
    """What is known of a variable: its declared type, and whether it stands where only an IRI or node can stand."""

    type: Type
    node_only: bool = False
    iri_only: bool = False


@frozen
class Candidates:
    """Makes the values. `constants` are all literals and IRIs that conditions and patterns mention, `room` how many
    variables may have to stand side by side in one gap.
    """

    constants: tuple[GroundTerm, ...]
    room: int
    compared: bool
    """whether two variables are compared with one another, so that kinds without a constant count too"""
    blanks: bool = False
    truths: bool = False
    """whether a value itself is taken for true or false"""

    @classmethod
    def of(cls, expressions: Iterable[Expression], more: Iterable[object], room: int) -> Candidates:
        """For the conditions, and further constants of patterns."""
        constants: dict[GroundTerm, None] = {}
        compared = blanks = truths = False
        for expression in expressions:
            truths |= isinstance(expression, Variable)
            for part in walk_expression(expression):
                if isinstance(part, IRI | Literal):
                    constants[part] = None
                truths |= isinstance(part, And | Or | Not) and any(
                    isinstance(one, Variable) for one in subexpressions(part)
                )
                compared |= isinstance(part, Comparison | Membership) or (
                    isinstance(part, Call) and part.function in ("is_numeric", "is_literal")
                )
                blanks |= isinstance(part, Call) and part.function in ("is_blank", "is_iri")
        constants.update((one, None) for one in more if isinstance(one, IRI | Literal))
        return cls(tuple(constants), max(1, room), compared or truths, blanks, truths)

    @cached_property
    def covers(self) -> bool:
        """Whether the values stand for all values. Around durations none are made, so of these nothing is claimed."""
        return not self._of_kind(Duration)

    def values(self, variable: Variable, setting: Setting, others: Iterable[Variable]) -> list[GroundTerm]:
        """The values for one variable, the most general first; `others` are variables that it may be the same as."""
        own: list[GroundTerm] = [frozen_value(variable)]
        nodes: list[GroundTerm] = [one for one in self.constants if isinstance(one, IRI)]
        nodes += [frozen_value(one) for one in others if one != variable]
        if setting.iri_only:
            return [*own, *nodes]
        if self.blanks:
            own.append(BlankNode(f"frozen{variable.name}"))
        if setting.node_only:
            return [*own, *nodes]
        literals: list[GroundTerm] = [*self._literals(variable), *self._declared(variable, setting.type)]
        found = [one for one in dict.fromkeys(literals) if fits(one, setting.type)]
        whole = [one for one in (*own, *nodes) if fits(one, setting.type)]
        return [*whole[:1], *found, *whole[1:]]

    def _declared(self, variable: Variable, type_: Type) -> Iterator[Literal]:
        """Literals of the datatypes that are declared, as many as have to stand side by side."""
        for datatype in sorted(_datatypes(type_)):
            if datatype in NUMERIC_DATATYPES:
                yield from self._numbers_of(datatype)
            elif datatype in TEMPORAL_DATATYPES:
                known = [one for one in self._of_kind(Temporal) if one.datatype == datatype]
                yield from times_around(known or [fresh_literal(Variable("m"), datatype)], self.room)
            elif datatype == XSD_BOOLEAN:
                yield from _TRUTHS
            elif datatype == XSD_STRING:
                texts = [one.lexical for one in self._of_kind(str)]
                yield from (Literal(text) for text in strings_around(texts or ["m"], self.room))
            else:
                yield fresh_literal(variable, datatype)

    def _numbers_of(self, datatype: str) -> Iterator[Literal]:
        constants = [_decimal(one) for one in self._of_kind(int, Decimal, float, Single)]
        for one in dict.fromkeys(numbers_around(constants, self.room)):
            whole = one.datatype == XSD_INTEGER
            if (whole or datatype not in INTEGER_DATATYPES) and value_of(Literal(one.lexical, datatype)) is not None:
                yield Literal(one.lexical, datatype)
        if datatype in INTEGER_DATATYPES:  # decimals, which are another spelling elsewhere, are none here
            for number in dict.fromkeys(one for one in constants if one == one.to_integral_value()):
                sign, digits = ("-", str(-int(number))) if number < 0 else ("", str(int(number)))
                yield Literal(f"{sign}{'0' * self.room}{digits}", datatype)

    def _literals(self, variable: Variable) -> Iterator[Literal]:
        yield from self.shared
        yield Literal(variable.name, _STRANGE)
        if not self.compared:
            return
        yield Literal("NaN", XSD_DOUBLE)
        if self.truths or self._of_kind(bool):
            yield from _TRUTHS
        if self.truths:
            yield from (Literal.of(0), Literal(""))

    def _of_kind(self, *kinds: type) -> list[Literal]:
        found = [(one, value_of(one)) for one in self.constants if isinstance(one, Literal)]
        numbers = int in kinds
        return [one for one, value in found if isinstance(value, kinds) and not (numbers and isinstance(value, bool))]

    @cached_property
    def shared(self) -> tuple[Literal, ...]:
        """Literals that any variable may be: around the constants of each kind that occurs."""
        found: dict[Literal, None] = {one: None for one in self.constants if isinstance(one, Literal)}
        numbers = self._of_kind(int, Decimal, float, Single)
        if numbers or self.compared:
            found.update(dict.fromkeys(numbers_around([_decimal(one) for one in numbers], self.room)))
        strings = [one.lexical for one in self._of_kind(str)]
        if strings:
            found.update(dict.fromkeys(Literal(text) for text in strings_around(strings, self.room)))
        for tag in {one.language for one in self._of_kind(TaggedString) if one.language}:
            texts = [one.lexical for one in self._of_kind(TaggedString) if one.language == tag]
            found.update(dict.fromkeys(Literal.tagged(text, tag) for text in strings_around(texts, self.room)))
        found.update(dict.fromkeys(times_around(self._of_kind(Temporal), self.room)))
        if not strings and self.compared:
            found.update(dict.fromkeys(Literal(f"text{place}") for place in range(self.room)))
        return tuple(found)


def _decimal(one: Literal) -> Decimal:
    value = value_of(one)
    if isinstance(value, Single):
        value = value.number
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(str(value))
    return number if number.is_finite() else Decimal(0)


def numbers_around(constants: Sequence[Decimal], room: int) -> Iterator[Literal]:
    """Each constant in `room` + 1 spellings, and `room` numbers in every gap, whole ones first."""
    marks = sorted(set(constants))
    for mark in marks:
        yield from _spellings(mark, room, spare=1)
    if not marks:
        for place in range(1, room + 1):
            yield from _spellings(Decimal(place), room)
        return
    for low, high in [(None, marks[0]), *pairwise(marks), (marks[-1], None)]:
        yield from _between(low, high, room)


def _between(low: Decimal | None, high: Decimal | None, room: int) -> Iterator[Literal]:
    if low is None or high is None:
        base, sign = (low, 1) if low is not None else (high or Decimal(0), -1)
        start = int(base.to_integral_value())
        numbers = [Decimal(start + sign * (place + 1)) for place in range(room + 1)]
        numbers = [one for one in numbers if (one > base if sign > 0 else one < base)]
    else:
        first = int(low.to_integral_value(rounding="ROUND_FLOOR")) + 1
        numbers = [Decimal(first + place) for place in range(room) if low < first + place < high]
        step = (high - low) / (room + 1)
        numbers += [low + step * (place + 1) for place in range(room)]
    for number in dict.fromkeys(numbers):
        yield from _spellings(number, room)


def _spellings(number: Decimal, room: int, *, spare: int = 0) -> Iterator[Literal]:
    """Literals that all equal the number, none of them the same term; `spare`: so many more of broken numbers."""
    plain = format(number, "f")
    whole = number == number.to_integral_value()
    if whole:
        sign, digits = ("-", str(-int(number))) if number < 0 else ("", str(int(number)))
        yield from (Literal(f"{sign}{'0' * place}{digits}", XSD_INTEGER) for place in range(room))
    plain = plain if "." in plain else f"{plain}.0"
    yield from (Literal(plain + "0" * place, XSD_DECIMAL) for place in range(1 if whole else room + spare))


def strings_around(constants: Sequence[str], room: int) -> Iterator[str]:
    """Each constant, and `room` strings in every gap of their order that has room."""
    marks = sorted(set(constants))
    yield from marks
    for low, high in zip(["", *marks], [*marks, None], strict=True):
        made = [f"{low}{sign}{place}" for sign in ("!", "\u0001") for place in range(room)]
        fitting = [one for one in made if one > low and (high is None or one < high)]
        yield from fitting[:room]
    if marks[0] != "":
        yield ""


def times_around(constants: Sequence[Literal], room: int) -> Iterator[Literal]:
    """The constants with and without a zone, and moments between them, of the datatypes that occur."""
    by_type: dict[str, list[Temporal]] = {}
    for one in constants:
        value = value_of(one)
        if isinstance(value, Temporal):
            by_type.setdefault(one.datatype, []).append(value)
    for values in by_type.values():
        yield from _times_of(sorted(values, key=lambda one: one.seconds()), room)


def _times_of(values: list[Temporal], room: int) -> Iterator[Literal]:
    zones = {None, 0, *(one.zone for one in values)}
    for one in values:
        yield from (literal_of(evolve(one, zone=zone)) for zone in sorted(zones, key=str))
        yield from _spelt_otherwise(literal_of(one))
        for step in range(1, room + 1):
            for moved in (_moved(one, step), _moved(one, -step)):
                if moved is not None:
                    yield literal_of(moved)
                    yield literal_of(evolve(moved, zone=None if moved.zone is not None else 0))


def _spelt_otherwise(one: Literal) -> Iterator[Literal]:
    """Another term for the same moment, where there is one."""
    found = _CLOCK.fullmatch(one.lexical)
    if found is not None:
        part = f"{found['part']}0" if found["part"] else ".0"
        yield Literal(f"{found['clock']}{part}{found['zone']}", one.datatype)
    elif one.lexical.endswith("Z"):
        yield Literal(one.lexical.removesuffix("Z") + "+00:00", one.datatype)


def _moved(one: Temporal, step: int) -> Temporal | None:
    """The moment `step` of its smallest units later; None where that leaves the calendar."""
    if one.second is not None:
        moved = one.second + Decimal(step) / 16
        return evolve(one, second=moved) if 0 <= moved < 60 else None
    if one.day is not None and one.month is not None:
        day = one.day + step
        return evolve(one, day=day) if 1 <= day <= 28 else None
    if one.month is not None:
        month = one.month + step
        return evolve(one, month=month) if 1 <= month <= 12 else None
    return evolve(one, year=one.year + step) if one.year is not None else None


def fits(value: GroundTerm, type_: Type) -> bool:
    """Whether a term is of a declared type; classes of nodes are left to the rules."""
    match type_:
        case NodeType():
            return not isinstance(value, Literal)
        case LiteralType(datatypes):
            return isinstance(value, Literal) and (
                not datatypes or any(derives(value.datatype, one) for one in datatypes)
            )
        case UnionType(options):
            return any(fits(value, one) for one in options)
        case _:
            return True


def _datatypes(type_: Type) -> frozenset[str]:
    match type_:
        case LiteralType(datatypes):
            return datatypes or frozenset({XSD_STRING})
        case UnionType(options):
            return frozenset[str]().union(*map(_datatypes, options))
        case _:
            return frozenset()


def fresh_literal(variable: Variable, datatype: str) -> Literal:
    """A literal of the datatype that stands for the variable."""
    number = sum(ord(character) * 31**place for place, character in enumerate(variable.name)) % 1_000
    if datatype in INTEGER_DATATYPES:
        return Literal(str(number % 100), datatype)
    if datatype in NUMERIC_DATATYPES:
        return Literal(f"{number}.5", datatype)
    if datatype == XSD_BOOLEAN:
        return Literal.of(True)
    if datatype == RDF_LANG_STRING:
        return Literal.tagged(variable.name, "en")
    if datatype in TEMPORAL_DATATYPES:
        text = {
            "date": "2001-{m:02}-{d:02}",
            "dateTime": "2001-{m:02}-{d:02}T00:00:00Z",
            "time": "{h:02}:{d:02}:00",
            "gYear": "{y}",
            "gYearMonth": "{y}-{m:02}",
        }[datatype.rsplit("#", 1)[1]]
        return Literal(text.format(m=number % 12 + 1, d=number % 28 + 1, h=number % 24, y=1000 + number), datatype)
    return Literal(variable.name, datatype)
