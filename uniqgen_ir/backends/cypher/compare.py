"""Comparisons in Cypher that mean what SPARQL's mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from attrs import frozen

from uniqgen_ir.backends.base import ParameterValue
from uniqgen_ir.backends.cypher.dialects import CypherDialect
from uniqgen_ir.backends.cypher.operands import NUMBER, OTHER, TAGGED, TEXT, TIME, TRUTH, Operand, possible_categories
from uniqgen_ir.backends.cypher.values import constant_text, moment, term_key
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.expressions import ComparisonOperator
from uniqgen_ir.ir.temporal import Temporal
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.values import compare, value_of
from uniqgen_ir.ir.vocabulary import XSD_DATE

AddParameter: TypeAlias = Callable[[ParameterValue], str]

_TIMES: Final = frozenset({TIME})
_SIGNS: Final = {ComparisonOperator.NOT_EQUAL: "<>"}


def sign(operator: ComparisonOperator) -> str:
    """The operator as Cypher writes it."""
    return _SIGNS.get(operator, operator.value)


@frozen
class Comparer:
    """Writes comparisons for one query; `add` makes parameters, `lossless` says whether datatypes are exact."""

    add: AddParameter
    lossless: bool
    key: str | None
    dialect: CypherDialect

    def compare(self, operator: ComparisonOperator, left: Operand, right: Operand) -> str:
        """A condition that is true, false or NULL as SPARQL's comparison is true, false or an error."""
        if "null" in (left.kind, right.kind):
            return "NULL"
        if left.constant is not None and right.constant is not None:
            return _fixed(compare(operator, left.constant, right.constant))
        if "place" in (left.kind, right.kind):
            raise fail("UQ500", "the largest or smallest of values of mixed kinds cannot be compared here")
        if "moment" in (left.kind, right.kind):
            return self._moments(operator, left, right)
        equality = operator in (ComparisonOperator.EQUAL, ComparisonOperator.NOT_EQUAL)
        if left.is_entity or right.is_entity or "term" in (left.kind, right.kind):
            return self._entities(operator, left, right) if equality else self._same_or_error(operator, left, right)
        if equality:
            same = self._equal(left, right, sign(operator))
            return same if same is not None else self._negated(operator, self._equal_by_case(left, right))
        return self._ordered(operator, left, right)

    def _moments(self, operator: ComparisonOperator, left: Operand, right: Operand) -> str:
        """Times by their places on the time line."""
        if any(one.constant is not None and value_of(one.constant) is None for one in (left, right)):
            return "NULL"
        first, second = self._place(left), self._place(right)
        if first is None or second is None:
            # not two times: never equal and without an order
            equality = operator in (ComparisonOperator.EQUAL, ComparisonOperator.NOT_EQUAL)
            fixed = "true" if operator is ComparisonOperator.NOT_EQUAL else "false"
            return self.unless_null(fixed, left, right) if equality else "NULL"
        if len(first[0]) != 1 or first[0] != second[0]:
            raise fail("UQ500", "times with and without zones, or of several datatypes, cannot be compared here")
        return f"{first[1]} {sign(operator)} {second[1]}"

    def _place(self, operand: Operand) -> tuple[frozenset[str], str] | None:
        if operand.kind == "moment":
            return operand.clocks, operand.text
        if operand.constant is not None:
            value = value_of(operand.constant)
            if isinstance(value, Temporal):
                clock, place = moment(value)
                return frozenset({clock}), self.add(place)
            return None
        if operand.kind == "literal" and TIME in operand.categories:
            return operand.clocks, f"{operand.text}.moment"
        if operand.kind == "value" and operand.datatype == XSD_DATE:
            return frozenset({XSD_DATE}), operand.text
        return None

    def same_term(self, left: Operand, right: Operand) -> str:
        """A condition that is true where both are the very same term (a join on a shared variable)."""
        if "null" in (left.kind, right.kind):
            return "NULL"
        if left.is_entity and right.is_entity:
            return f"{self.identity(left)} = {self.identity(right)}"
        if left.kind == "value" and right.kind == "value" and (left.datatype == right.datatype or not self.lossless):
            return f"{left.text} = {right.text}"
        if left.is_entity != right.is_entity and "term" not in (left.kind, right.kind):
            return "false"
        return self._same_key(left, right)

    def _same_key(self, left: Operand, right: Operand) -> str:
        return " = ".join(term_key(one, self.add, self.dialect) for one in (left, right))

    def identity(self, operand: Operand) -> str:
        """The key of an entity."""
        if operand.kind == "iri":
            return operand.text
        if operand.kind == "type":
            return self.dialect.joined.format(self.add(operand.space), self.dialect.relationship_type(operand.text))
        if operand.kind == "edge" or self.key is None:
            return self.dialect.identity.format(operand.text)
        return f"{operand.text}.{self.key}"

    def _entities(self, operator: ComparisonOperator, left: Operand, right: Operand) -> str:
        negated = operator is ComparisonOperator.NOT_EQUAL
        if (left.is_entity or left.kind == "term") and (right.is_entity or right.kind == "term"):
            if left.kind == "term" and right.kind == "term":
                raise fail("UQ500", "two inline values of mixed kinds cannot be compared here")
            return f"{self.identity_or_text(left)} {sign(operator)} {self.identity_or_text(right)}"
        if "term" in (left.kind, right.kind):
            raise fail("UQ500", "inline values of mixed kinds cannot be compared here")
        return self.unless_null("true" if negated else "false", left, right)

    def _same_or_error(self, operator: ComparisonOperator, left: Operand, right: Operand) -> str:
        """Terms without an order: the very same one is neither above nor below itself, all else is an error."""
        if left.is_entity != right.is_entity and "term" not in (left.kind, right.kind):
            return "NULL"
        return f"CASE WHEN {self.same_term(left, right)} THEN {_reflexive(operator)} END"

    def identity_or_text(self, operand: Operand) -> str:
        return self.identity(operand) if operand.is_entity else operand.text

    def unless_null(self, fixed: str, *operands: Operand) -> str:
        """The fixed text, but NULL where an operand has no value."""
        tests = [self.bound(one) for one in operands if one.nullable]
        return fixed if not tests or fixed == "NULL" else f"CASE WHEN {' AND '.join(tests)} THEN {fixed} END"

    def bound(self, operand: Operand) -> str:
        """A condition that is true where the operand has a value."""
        if operand.kind == "null":
            return "false"
        if operand.kind == "constant" or (operand.kind == "value" and not operand.nullable):
            return "true"
        return f"{operand.text} IS NOT NULL"

    # --- values ---------------------------------------------------------------------------------------------------

    def _equal(self, left: Operand, right: Operand, written: str) -> str | None:
        """The plain form, where one operator says it all."""
        first, second = possible_categories(left), possible_categories(right)
        if first is None or second is None:
            return f"{self.plain(left)} {written} {self.plain(right)}"
        if left.kind != "literal" and right.kind != "literal":
            if first != second:
                return self.unless_null("true" if written == "<>" else "false", left, right)
            if first <= {NUMBER, TEXT, TRUTH}:
                return f"{self.plain(left)} {written} {self.plain(right)}"
            if first == _TIMES and self._same_clock(left, right):
                return f"{self.plain(left)} {written} {self.plain(right)}"
            if first == _TIMES and not self._undecided(left, right):
                return self.unless_null("true" if written == "<>" else "false", left, right)
            raise self._cannot(left, right)
        return None

    def _equal_by_case(self, left: Operand, right: Operand) -> str:
        self._check_exact(left, right)
        cases: list[str] = []
        for category in self._shared(left, right):
            tests = [*_presence(left, category), *_presence(right, category)]
            same = " AND ".join(
                f"{one} = {other}"
                for one, other in zip(self._parts(left, category), self._parts(right, category), strict=True)
            )
            cases.append(f"WHEN {' AND '.join(tests)} THEN {same}")
        known = [f"{one.text}.known" for one in (left, right) if one.kind == "literal"]
        cases.append(f"WHEN {' AND '.join(known)} THEN false" if known else "WHEN true THEN false")
        cases.append(
            f"WHEN {term_key(left, self.add, self.dialect)} = {term_key(right, self.add, self.dialect)} THEN true"
        )
        return f"CASE {' '.join(cases)} END"

    def _negated(self, operator: ComparisonOperator, text: str) -> str:
        return f"NOT ({text})" if operator is ComparisonOperator.NOT_EQUAL else text

    def _ordered(self, operator: ComparisonOperator, left: Operand, right: Operand) -> str:
        first, second = possible_categories(left), possible_categories(right)
        if first is None or second is None:
            return f"{self.plain(left)} {operator.value} {self.plain(right)}"
        if left.kind != "literal" and right.kind != "literal":
            if first != second or first <= {OTHER, TAGGED}:
                return "NULL"
            if first <= {TRUTH}:
                return f"CASE WHEN {self.plain(left)} = {self.plain(right)} THEN {_reflexive(operator)} END"
            if first == _TIMES and not self._same_clock(left, right):
                if self._undecided(left, right):
                    raise self._cannot(left, right)
                return "NULL"
            return f"{self.plain(left)} {operator.value} {self.plain(right)}"
        self._check_exact(left, right)
        shared = [one for one in self._shared(left, right) if one != TRUTH]
        cases = [self._ordered_case(operator, left, right, category) for category in shared]
        cases.append(f"WHEN {self._same_key(left, right)} THEN {_reflexive(operator)}")
        return f"CASE {' '.join(cases)} END"

    def _ordered_case(self, operator: ComparisonOperator, left: Operand, right: Operand, category: str) -> str:
        one, other = self._parts(left, category), self._parts(right, category)
        tests = [*_presence(left, category), *_presence(right, category)]
        # all but the last part have to agree: the tag of a tagged string, the datatype and zone of a time
        tests += [f"{a} = {b}" for a, b in zip(one[:-1], other[:-1], strict=True)]
        return f"WHEN {' AND '.join(tests)} THEN {one[-1]} {operator.value} {other[-1]}"

    def _shared(self, left: Operand, right: Operand) -> list[str]:
        both = (possible_categories(left) or frozenset()) & (possible_categories(right) or frozenset())
        return [category for category in (NUMBER, TEXT, TRUTH, TAGGED, TIME) if category in both]

    def _parts(self, operand: Operand, category: str) -> tuple[str, ...]:
        """The expressions that together hold the value in a category; only the last one is ordered."""
        if operand.kind == "literal":
            name = operand.text
            return {
                NUMBER: (f"{name}.number",),
                TEXT: (f"{name}.text",),
                TRUTH: (f"{name}.truth",),
                TAGGED: (f"{name}.tag", f"{name}.lexical"),
                TIME: (f"{name}.clock", f"{name}.moment"),
            }[category]
        if operand.constant is not None:
            return self._constant_parts(operand.constant, category)
        if category == TIME:
            raise fail("UQ500", "a date property cannot be compared with values that have no column of their own")
        return (operand.text,)

    def _constant_parts(self, literal: Literal, category: str) -> tuple[str, ...]:
        value = value_of(literal)
        if category == TAGGED:
            return self.add(literal.language or ""), self.add(literal.lexical)
        if isinstance(value, Temporal):
            clock, place = moment(value)
            return self.add(clock), self.add(place)
        return (constant_text(literal, self.add, self.dialect.times),)

    def plain(self, operand: Operand) -> str:
        """The operand's value as one expression."""
        return (
            operand.text if operand.constant is None else constant_text(operand.constant, self.add, self.dialect.times)
        )

    def _same_clock(self, left: Operand, right: Operand) -> bool:
        """Whether two times are of one datatype and both without a zone, as date properties are."""
        return all(one.datatype == XSD_DATE and not _zoned(one) for one in (left, right))

    def _undecided(self, left: Operand, right: Operand) -> bool:
        return left.datatype == right.datatype

    def _check_exact(self, left: Operand, right: Operand) -> None:
        if not (left.exact and right.exact) or _zones_differ(left, right):
            raise fail(
                "UQ500",
                "the values have more digits, or other time zones, than this engine compares exactly",
                hint="run it on another engine",
            )

    def _cannot(self, left: Operand, right: Operand) -> Exception:
        types = " and ".join(str(one.datatype) for one in (left, right))
        return fail("UQ500", f"values of {types} cannot be compared exactly here", hint="run it on another engine")


def _presence(operand: Operand, category: str) -> list[str]:
    if operand.kind != "literal":
        return []
    place = {NUMBER: "number", TEXT: "text", TRUTH: "truth", TAGGED: "tag", TIME: "moment"}[category]
    return [f"{operand.text}.{place} IS NOT NULL"]


def _zones_differ(left: Operand, right: Operand) -> bool:
    """Whether a time with a zone may meet one of the same datatype without."""
    first, second = _clocks(left), _clocks(right)
    return any(f"{one} zoned" in second for one in first) or any(f"{one} zoned" in first for one in second)


def _clocks(operand: Operand) -> frozenset[str]:
    value = None if operand.constant is None else value_of(operand.constant)
    if isinstance(value, Temporal):
        return frozenset({moment(value)[0]})
    return frozenset({XSD_DATE}) if operand.kind == "value" and operand.datatype == XSD_DATE else operand.clocks


def _zoned(operand: Operand) -> bool:
    value = None if operand.constant is None else value_of(operand.constant)
    return isinstance(value, Temporal) and value.zone is not None


def _reflexive(operator: ComparisonOperator) -> str:
    """What the comparison of a term with itself gives."""
    return _fixed(operator in (ComparisonOperator.LESS_EQUAL, ComparisonOperator.GREATER_EQUAL))


def _fixed(value: bool | None) -> str:
    return "NULL" if value is None else "true" if value else "false"
