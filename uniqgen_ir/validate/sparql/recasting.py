"""What to write instead of a literal that is never equal to, smaller or larger than the values that it meets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypeAlias

from attrs import frozen

from uniqgen_ir.ir.analysis import walk_expression
from uniqgen_ir.ir.diagnostics import Fix
from uniqgen_ir.ir.expressions import Comparison, ComparisonOperator, Expression, Membership
from uniqgen_ir.ir.inference import Key
from uniqgen_ir.ir.rows import Row, Triple, Values
from uniqgen_ir.ir.terms import Literal, Variable
from uniqgen_ir.ir.types import LiteralType, Type
from uniqgen_ir.ir.vocabulary import (
    INTEGER_DATATYPES,
    NUMERIC_DATATYPES,
    RDF_LANG_STRING,
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_G_YEAR,
    XSD_STRING,
)
from uniqgen_ir.passes.types.fixes import recast
from uniqgen_ir.passes.types.values import conditions
from uniqgen_ir.validate.sparql.places import SparqlPlaces
from uniqgen_ir.validate.sparql.query import CheckedQuery, Place

_OP: Final = ComparisonOperator
_DAY: Final = re.compile(r"-?\d{4}-\d\d-\d\d")
_YEAR: Final = re.compile(r"\d{4}")
_YEARS: Final = LiteralType(frozenset({XSD_G_YEAR}))
_MOMENTS: Final = LiteralType(frozenset({XSD_DATE_TIME}))
_TAGGED: Final = LiteralType(frozenset({RDF_LANG_STRING}))

Repair: TypeAlias = tuple[str | None, Fix | None]
NO_REPAIR: Final[Repair] = (None, None)


@frozen
class Recaster:
    """Repairs for literals in one query."""

    query: CheckedQuery
    places: SparqlPlaces

    def repair(self, row: Row, literal: Literal, wanted: Type, key: Expression | None) -> Repair:
        """The repair of a literal that stands in a row where only terms of the wanted type can match.

        `key`: the variable that it is compared with; None where the literal is the object of a triple.
        """
        if not isinstance(wanted, LiteralType):
            return NO_REPAIR
        if wanted == _TAGGED and literal.language is None:
            return self._without_tag(row, literal, key)
        found = self.places.places(row, literal)
        place = found[0] if len(found) == 1 else None
        if literal.language is not None and XSD_STRING in wanted.datatypes:
            return self._written(Literal(literal.lexical), place, safe=True)
        if isinstance(key, Variable):
            other = self._other_side(row, literal, wanted, key, place)
            if other is not None:
                return other
        found_literal = recast(literal, wanted)
        if found_literal is None:
            return NO_REPAIR
        alone = self._written(found_literal.literal, place, safe=found_literal.safe)
        return self._all_options(row, key, literal, wanted) or alone

    def _all_options(self, row: Row, key: Expression | None, literal: Literal, wanted: LiteralType) -> Repair | None:
        """Every literal of the list in which this one stands: `?age IN ("30", "31")`."""
        for one in (part for condition in conditions(row) for part in walk_expression(condition)):
            if isinstance(one, Membership) and one.operand == key and literal in one.options and len(one.options) > 1:
                edits = self._edits(row, (option for option in one.options if isinstance(option, Literal)), wanted)
                return "write the values as the others are", self.query.fix("write the values alike", *edits)
        return None

    def _edits(self, row: Row, literals: Iterable[Literal], wanted: LiteralType) -> list[tuple[int, int, str]]:
        """One edit for each place of the literals that are not of the wanted type and can be written as one that is."""
        edits: list[tuple[int, int, str]] = []
        for one in dict.fromkeys(literals):
            found = recast(one, wanted) if one.datatype not in wanted.datatypes else None
            if found is not None:
                edits += [(*place, self.places.text(found.literal)) for place in self.places.places(row, one)]
        return edits

    def list_repair(self, row: Row, key: Key, wanted: Type) -> Fix | None:
        """The literals of a variable's column in VALUES, all written as what is wanted."""
        if not isinstance(row.atom, Values) or not isinstance(key, Variable) or not isinstance(wanted, LiteralType):
            return None
        column = row.atom.variables.index(key)
        cells = (line[column] for line in row.atom.lines)
        edits = self._edits(row, (one for one in cells if isinstance(one, Literal)), wanted)
        return self.query.fix("write the values as the others are", *edits) if edits else None

    def _written(self, literal: Literal, place: Place | None, *, safe: bool) -> Repair:
        text = self.places.text(literal)
        return f"write {text}", None if place is None else self.query.fix(f"write {text}", (*place, text), safe=safe)

    # ---- language tags -----------------------------------------------------------------------------------------------

    def _without_tag(self, row: Row, literal: Literal, key: Expression | None) -> Repair:
        """Compare the text alone: `STR(?l) = "x"`."""
        if isinstance(key, Variable):
            hint = f"compare STR(?{key.name}) with the text, or give the language tag"
            found = self.places.places(row, key)
            edits = ((*place, f"STR(?{key.name})") for place in self._beside(row, literal, found))
            fix = self.query.fix("compare the text alone", *edits) if found else None
            return hint, fix
        found = self.places.places(row, literal)
        if len(found) != 1 or not isinstance(row.atom, Triple):
            return "compare STR() of the value with the text, or give the language tag", None
        name = self._fresh_name(row)
        written = self.query.text[slice(*found[0])]
        end = self._end_of_triples(found[0][1])
        condition = f" . FILTER(STR(?{name}) = {written})"
        fix = self.query.fix("compare the text alone", (*found[0], f"?{name}"), (end, end, condition))
        return f"bind the value and compare STR(?{name}) with the text, or give the language tag", fix

    def _beside(self, row: Row, literal: Literal, found: list[Place]) -> list[Place]:
        """The places of the variable next to the literal: in `?a = "x" || lang(?a) = ""` only the first."""
        if len(found) <= 1:
            return found
        there = self.places.places(row, literal)
        return [min(found, key=lambda one: abs(one[0] - there[0][0]))] if there else found[:1]

    def _fresh_name(self, row: Row) -> str:
        """A short name that the query does not use: the first letter of the predicate's own name."""
        assert isinstance(row.atom, Triple)
        predicate = self.places.text(row.atom.predicate).strip("<>?")
        letters = re.sub(r"[^A-Za-z]", "", re.split(r"[:/#.]", predicate)[-1]) or "value"
        taken = {one[1][1:] for one in self.query.reading.tokens if one[0] == "VARIABLE"}
        numbered = (f"{letters[0].lower()}{number}" for number in range(1, len(taken) + 2))
        return next(one for one in (letters[0].lower(), letters.lower(), *numbered) if one not in taken)

    def _end_of_triples(self, start: int) -> int:
        """The end of the last token of the run of properties that goes on at a place."""
        depth, last = 0, start
        for kind, _, _, end in self.query.tokens_in(start, len(self.query.text)):
            if depth == 0 and kind in (
                "DOT",
                "RBRACE",
                "FILTER",
                "OPTIONAL",
                "BIND",
                "MINUS",
                "VALUES",
                "LBRACE",
                "GRAPH",
            ):
                break
            depth += (kind in ("LBRACKET", "LPAR")) - (kind in ("RBRACKET", "RPAR"))
            last = end
        return last

    # ---- dates, years, numbers ---------------------------------------------------------------------------------------

    def _other_side(
        self, row: Row, literal: Literal, wanted: LiteralType, key: Variable, place: Place | None
    ) -> Repair | None:
        operator = _operator(row, key, literal)
        whole_year = literal.datatype in INTEGER_DATATYPES and _YEAR.fullmatch(literal.lexical)
        if whole_year and wanted.datatypes & {XSD_DATE, XSD_DATE_TIME}:
            return self._wrapped(row, key, literal, "YEAR", f"compare YEAR(?{key.name}) with {literal.lexical}")
        if whole_year and wanted == _YEARS:
            return self._written(Literal(literal.lexical, XSD_G_YEAR), place, safe=True)
        day = _DAY.fullmatch(literal.lexical.strip())
        if day and wanted == _MOMENTS and place is not None:
            return self._day_as_moment(row, literal, key, operator, place)
        numeric = literal.datatype in NUMERIC_DATATYPES
        if numeric and XSD_STRING in wanted.datatypes and operator not in (_OP.EQUAL, _OP.NOT_EQUAL, None):
            name = self.places.name(literal.datatype)
            return self._wrapped(row, key, literal, name, f"compare {name}(?{key.name}) with the number")
        return None

    def _wrapped(self, row: Row, key: Variable, literal: Literal, function: str, hint: str) -> Repair:
        found = self._beside(row, literal, self.places.places(row, key))
        if not found:
            return hint, None
        text = f"{function}(?{key.name})"
        return hint, self.query.fix(f"write {text}", (*found[0], text), safe=False)

    def _day_as_moment(
        self, row: Row, literal: Literal, key: Variable, operator: ComparisonOperator | None, place: Place
    ) -> Repair:
        """A day compared with moments: its first one or its last one, as the comparison asks."""
        day = literal.lexical.strip()
        first, last = (Literal(f"{day}T{time}", XSD_DATE_TIME) for time in ("00:00:00", "23:59:59"))
        if operator in (_OP.LESS, _OP.GREATER_EQUAL):
            return self._written(first, place, safe=True)
        if operator in (_OP.LESS_EQUAL, _OP.GREATER):
            return self._written(last, place, safe=True)
        found = self._beside(row, literal, self.places.places(row, key))
        if operator is not _OP.EQUAL or not found:
            return f"compare with {self.places.text(first)}", None
        start, end = min(found[0][0], place[0]), max(found[0][1], place[1])
        text = f"?{key.name} >= {self.places.text(first)} && ?{key.name} <= {self.places.text(last)}"
        return "ask for a moment within the day", self.query.fix(
            "ask for a moment of the day", (start, end, f"({text})")
        )


def _operator(row: Row, key: Variable, literal: Literal) -> ComparisonOperator | None:
    """The sign between the variable, on its left, and the literal."""
    for condition in conditions(row):
        for one in walk_expression(condition):
            match one:
                case Comparison(operator, left, right) if left == key and right == literal:
                    return operator
                case Comparison(operator, left, right) if left == literal and right == key:
                    return operator.flipped
                case Membership(operand, options, negated) if operand == key and literal in options:
                    return _OP.NOT_EQUAL if negated else _OP.EQUAL
                case _:
                    continue
    return None
