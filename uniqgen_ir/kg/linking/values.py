"""Values that a question speaks of: years, months, dates, numbers, and what it says about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from attrs import frozen

from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.vocabulary import NUMERIC_DATATYPES, XSD_DATE, XSD_DATE_TIME, XSD_G_YEAR, XSD_G_YEAR_MONTH
from uniqgen_ir.kg.lexicon_words import Token

_MONTH_NAMES: Final = "january february march april may june july august september october november december"
MONTHS: Final = {name: number for number, name in enumerate(_MONTH_NAMES.split(), 1)}
_AMBIGUOUS: Final = frozenset({"march", "may", "august"})
_BEFORE: Final = frozenset({"before", "until", "till", "by", "pre"})
_AFTER: Final = frozenset({"after", "since", "post"})
_MORE: Final = frozenset(
    {"over", "above", "exceeding", "more", "greater", "higher", "larger", "bigger", "longer", "older"}
)
_LESS: Final = frozenset({"under", "below", "less", "fewer", "lower", "smaller", "shorter", "younger"})
_DATE_TYPES: Final = frozenset({XSD_DATE, XSD_DATE_TIME, XSD_G_YEAR, XSD_G_YEAR_MONTH})
_DATE: Final = re.compile(r"(-?\d{4,})(?:-(\d\d))?(?:-(\d\d))?")
EARLIEST_YEAR, LATEST_YEAR = 1000, 2100


@frozen
class ValueCondition:
    """What must hold of a literal: each part that is given.

    `operator` is one of `= < <= > >= between`; it compares the number, or the year of a date. `month` and `day` are
    compared for equality. `calendar` says that the number can only be a year.
    """

    operator: str | None = None
    number: float | None = None
    upper: float | None = None
    month: int | None = None
    day: int | None = None
    calendar: bool = False

    def holds(self, value: Value) -> bool:
        """Whether a literal's value meets the condition."""
        if value.date:
            if self.number is not None and not (EARLIEST_YEAR <= self.number <= LATEST_YEAR):
                return False
            if (self.month is not None and self.month != value.month) or (
                self.day is not None and self.day != value.day
            ):
                return False
        elif self.month is not None or self.day is not None:
            return False
        elif self.calendar and not _is_year(value.number):
            return False  # *before 1990* speaks of no latitude
        return self.operator is None or (self.number is not None and self._compare(value.number))

    def _compare(self, number: float) -> bool:
        assert self.number is not None
        match self.operator:
            case "<":
                return number < self.number
            case "<=":
                return number <= self.number
            case ">":
                return number > self.number
            case ">=":
                return number >= self.number
            case "between":
                return self.upper is not None and self.number <= number <= self.upper
            case _:
                return number == self.number


@frozen
class Value:
    """A literal's value as far as conditions see it: its number, or year, month and day."""

    number: float
    date: bool = False
    month: int | None = None
    day: int | None = None


def literal_value(literal: Literal) -> Value | None:
    """The value of a number or date, None for anything else and for ill-formed ones."""
    if literal.datatype in NUMERIC_DATATYPES:
        try:
            return Value(float(literal.lexical))
        except ValueError:
            return None
    if literal.datatype in _DATE_TYPES:
        match = _DATE.match(literal.lexical)
        if match:
            year, month, day = match.groups()
            return Value(float(year), True, int(month) if month else None, int(day) if day else None)
    return None


@frozen
class ValueMention:
    """Tokens `start` to `end` (half-open) say that some value meets a condition."""

    start: int
    end: int
    condition: ValueCondition


def value_mentions(tokens: Sequence[Token], taken: Iterable[int] = ()) -> tuple[ValueMention, ...]:
    """The values that the tokens speak of, left to right, without those in `taken` (they belong to a name)."""
    blocked = set(taken)
    found: list[ValueMention] = []
    position = 0
    while position < len(tokens):
        mention = None if position in blocked else _mention_at(tokens, position, blocked)
        if mention is None:
            position += 1
        else:
            found.append(mention)
            position = mention.end
    return tuple(found)


def _mention_at(tokens: Sequence[Token], position: int, blocked: set[int]) -> ValueMention | None:
    rules: tuple[Callable[[Sequence[Token], int], ValueMention | None], ...] = (_between, _compared, _calendar, _bare)
    for rule in rules:
        mention = rule(tokens, position)
        if mention is not None and not blocked & set(range(mention.start, mention.end)):
            return mention
    return None


def _number(token: Token) -> float | None:
    text = token.text.replace(",", "")
    try:
        return float(text) if text[:1].isdigit() else None
    except ValueError:
        return None


def _is_year(number: float | None) -> bool:
    return number is not None and number.is_integer() and EARLIEST_YEAR <= number <= LATEST_YEAR


def _between(tokens: Sequence[Token], position: int) -> ValueMention | None:
    if tokens[position].lower not in {"between", "from"} or position + 3 >= len(tokens):
        return None
    low, high = _number(tokens[position + 1]), _number(tokens[position + 3])
    if low is None or high is None or tokens[position + 2].lower not in {"and", "to", "until", "till"} or low > high:
        return None
    condition = ValueCondition("between", low, upper=high, calendar=_is_year(low) and _is_year(high))
    return ValueMention(position, position + 4, condition)


def _compared(tokens: Sequence[Token], position: int) -> ValueMention | None:
    word = tokens[position].lower
    following = [token.lower for token in tokens[position + 1 : position + 2]]
    if word == "at" and following and following[0] in {"least", "most"}:
        operator, at = (">=" if following == ["least"] else "<="), position + 2
    elif word == "earlier" or word == "later":
        operator, at = ("<" if word == "earlier" else ">"), position + (2 if following == ["than"] else 1)
    elif word in _BEFORE or word in _LESS:
        operator, at = "<", position + (2 if following == ["than"] else 1)
    elif word in _AFTER or word in _MORE:
        operator, at = (">=" if word == "since" else ">"), position + (2 if following == ["than"] else 1)
    else:
        return None
    number = _number(tokens[at]) if at < len(tokens) else None
    if number is None:
        return None
    calendar = word in _BEFORE | _AFTER | {"earlier", "later"}
    if calendar and not _is_year(number):
        return None
    return ValueMention(position, at + 1, ValueCondition(operator, number, calendar=calendar))


def _calendar(tokens: Sequence[Token], position: int) -> ValueMention | None:
    day = _day(tokens[position])
    at = position + 1 if day is not None else position
    month = _month(tokens, at)
    if month is None:
        return None
    at += 1
    if day is None and at < len(tokens) and (day := _day(tokens[at])) is not None:
        at += 1
    year = _number(tokens[at]) if at < len(tokens) else None
    if _is_year(year):
        return ValueMention(position, at + 1, ValueCondition("=", year, month=month, day=day, calendar=True))
    return ValueMention(position, at, ValueCondition(month=month, day=day, calendar=True))


def _month(tokens: Sequence[Token], position: int) -> int | None:
    if position >= len(tokens):
        return None
    token = tokens[position]
    if token.lower in _AMBIGUOUS and not token.capitalised:
        return None
    if token.lower == "may" and position == 0:  # "May I …"
        return None
    return MONTHS.get(token.lower)


def _day(token: Token) -> int | None:
    match = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", token.lower)
    return int(match.group(1)) if match and 1 <= int(match.group(1)) <= 31 else None


def _bare(tokens: Sequence[Token], position: int) -> ValueMention | None:
    token = tokens[position]
    decade = re.fullmatch(r"(\d{3}0)s", token.lower)
    if decade:
        first = float(decade.group(1))
        return ValueMention(position, position + 1, ValueCondition("between", first, upper=first + 9, calendar=True))
    number = _number(token)
    if number is None:
        return None
    return ValueMention(position, position + 1, ValueCondition("=", number))
