"""Dates, times and durations as XML Schema 1.1 means them: any year, optional zones, a partial order.

Python's own types stop at year 1 and know no zone-less order, so these are written out. Formulas: XML Schema
Definition Language 1.1, Part 2, appendix E.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from attrs import evolve, frozen

from uniqgen_ir.ir.vocabulary import (
    XSD,
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_DURATION,
    XSD_G_YEAR,
    XSD_G_YEAR_MONTH,
    XSD_TIME,
)

XSD_DAY_TIME_DURATION: Final = XSD + "dayTimeDuration"
XSD_YEAR_MONTH_DURATION: Final = XSD + "yearMonthDuration"
DURATION_DATATYPES: Final = frozenset({XSD_DURATION, XSD_DAY_TIME_DURATION, XSD_YEAR_MONTH_DURATION})

_DAY: Final = 86400
_WIDEST_ZONE: Final = 14 * 60 * 60
"""Seconds between UTC and the outermost time zone."""

_YEAR = r"(?P<year>-?(?:[1-9]\d{3,}|0\d{3}))"
_MONTH = r"-(?P<month>\d\d)"
_DATE = _YEAR + _MONTH + r"-(?P<day>\d\d)"
_TIME = r"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d(?:\.\d+)?)"
_ZONE = r"(?P<zone>Z|[+-]\d\d:\d\d)?"
_PATTERNS: Final = {
    datatype: re.compile(pattern + _ZONE, re.ASCII)
    for datatype, pattern in (
        (XSD_DATE, _DATE),
        (XSD_DATE_TIME, _DATE + "T" + _TIME),
        (XSD_TIME, _TIME),
        (XSD_G_YEAR, _YEAR),
        (XSD_G_YEAR_MONTH, _YEAR + _MONTH),
    )
}
_DURATION: Final = re.compile(
    r"(?P<sign>-)?P(?=[\dT])(?:(?P<years>\d+)Y)?(?:(?P<months>\d+)M)?(?:(?P<days>\d+)D)?"
    r"(?:T(?=\d)(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?",
    re.ASCII,
)


@frozen
class Temporal:
    """A date, dateTime, time, gYear or gYearMonth; parts that its datatype lacks are None, `zone` is in minutes."""

    datatype: str
    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: Decimal | None = None
    zone: int | None = None

    def seconds(self) -> Decimal:
        """Seconds on the time line at which it starts, without a zone read as UTC."""
        year = 1972 if self.year is None else self.year
        days = days_from_civil(year, self.month or 1, self.day or 1)
        clock = (self.hour or 0) * 3600 + (self.minute or 0) * 60 - (self.zone or 0) * 60
        return days * _DAY + clock + (self.second or Decimal(0))

    def __str__(self) -> str:
        """The canonical lexical form, zone kept."""
        parts = [] if self.year is None else [f"{'-' if self.year < 0 else ''}{abs(self.year):04d}"]
        parts += [] if self.month is None else [f"-{self.month:02d}"]
        parts += [] if self.day is None else [f"-{self.day:02d}"]
        parts += ["T"] if self.datatype == XSD_DATE_TIME else []
        if self.second is not None:
            parts.append(f"{self.hour:02d}:{self.minute:02d}:{_seconds_text(self.second)}")
        return "".join(parts) + ("" if self.zone is None else zone_text(self.zone))


@frozen
class Duration:
    """Months and seconds, both with the same sign or zero; `datatype` is one of the three duration types."""

    months: int
    seconds: Decimal
    datatype: str = XSD_DURATION

    def __str__(self) -> str:
        """The canonical lexical form."""
        negative = self.months < 0 or self.seconds < 0
        years, months = divmod(abs(self.months), 12)
        days, rest = divmod(abs(self.seconds), _DAY)
        hours, rest = divmod(rest, 3600)
        minutes, seconds = divmod(rest, 60)
        date = "".join(f"{int(n)}{unit}" for n, unit in ((years, "Y"), (months, "M"), (days, "D")) if n)
        clock = "".join(f"{int(n)}{unit}" for n, unit in ((hours, "H"), (minutes, "M")) if n)
        clock += f"{plain_decimal(seconds)}S" if seconds else ""
        empty = "0M" if self.datatype == XSD_YEAR_MONTH_DURATION else "T0S"
        return f"{'-' if negative else ''}P{date}{'T' + clock if clock else '' if date else empty}"


def days_from_civil(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 in the proleptic Gregorian calendar; year 0 is 1 BCE.

    Source: H. Hinnant, "chrono-compatible low-level date algorithms".
    """
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * (month - 3 if month > 2 else month + 9) + 2) // 5 + day - 1
    return era * 146097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719468


def civil_from_days(days: int) -> tuple[int, int, int]:
    """Year, month and day of a number of days since 1970-01-01 (the inverse of `days_from_civil`)."""
    era, day_of_era = divmod(days + 719468, 146097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36524 - day_of_era // 146096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    return era * 400 + year_of_era + (month <= 2), month, day_of_year - (153 * shifted + 2) // 5 + 1


def days_in_month(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def parse_temporal(text: str, datatype: str) -> Temporal | None:
    """The value of a lexical form, None where it is ill-formed."""
    found = _PATTERNS[datatype].fullmatch(text)
    if found is None:
        return None
    parts = found.groupdict()
    whole = {name: int(parts[name]) for name in ("year", "month", "day", "hour", "minute") if parts.get(name)}
    second = Decimal(parts["second"]) if parts.get("second") else None
    zone = _parse_zone(parts["zone"])
    value = Temporal(datatype, **whole, second=second, zone=None if zone is None else zone)
    if not _in_range(value):
        return None
    if value.hour == 24:  # midnight at the end of a day is the start of the next
        value = evolve(value, hour=0)
        if datatype == XSD_DATE_TIME:
            year, month, day = civil_from_days(days_from_civil(whole["year"], whole["month"], whole["day"]) + 1)
            value = evolve(value, year=year, month=month, day=day)
    return value


def _parse_zone(text: str | None) -> int | None:
    if text is None or text == "Z":
        return None if text is None else 0
    minutes = int(text[1:3]) * 60 + int(text[4:6])
    return -minutes if text[0] == "-" else minutes


def _in_range(value: Temporal) -> bool:
    month, day = value.month, value.day
    if month is not None and not 1 <= month <= 12:
        return False
    if day is not None and not 1 <= day <= days_in_month(value.year or 0, month or 1):
        return False
    if value.zone is not None and abs(value.zone) > 840:
        return False
    hour, minute, second = value.hour or 0, value.minute or 0, value.second or Decimal(0)
    return (hour == 24 and minute == 0 and second == 0) or (hour < 24 and minute < 60 and second < 60)


def parse_duration(text: str, datatype: str = XSD_DURATION) -> Duration | None:
    """The value of a lexical form, None where it is ill-formed or has parts that the datatype does not allow."""
    found = _DURATION.fullmatch(text)
    if found is None:
        return None
    parts = {name: Decimal(part) for name, part in found.groupdict().items() if part and name != "sign"}
    sign = -1 if found["sign"] else 1
    month_parts, second_parts = parts.keys() & {"years", "months"}, parts.keys() - {"years", "months"}
    if (datatype == XSD_YEAR_MONTH_DURATION and second_parts) or (datatype == XSD_DAY_TIME_DURATION and month_parts):
        return None
    months = int(parts.get("years", 0)) * 12 + int(parts.get("months", 0))
    units = {"days": _DAY, "hours": 3600, "minutes": 60, "seconds": 1}
    seconds = sum((parts[name] * size for name, size in units.items() if name in parts), Decimal(0))
    return Duration(sign * months, sign * seconds, datatype)


def compare_temporals(left: Temporal, right: Temporal) -> int | None:
    """-1, 0 or 1; None where a missing zone leaves the order open, or the datatypes differ."""
    if left.datatype != right.datatype:
        return None
    first, second = left.seconds(), right.seconds()
    if (left.zone is None) != (right.zone is None) and abs(first - second) <= _WIDEST_ZONE:
        return None
    return (first > second) - (first < second)


_REFERENCE_MONTHS: Final = ((1696, 9), (1697, 2), (1903, 3), (1903, 7))
"""Durations compare as they do when added to the first of each of these months."""


def compare_durations(left: Duration, right: Duration) -> int | None:
    """-1, 0 or 1; None where it depends on the length of the months."""
    orders: set[int] = set()
    for year, month in _REFERENCE_MONTHS:
        first, second = _added_to(year, month, left), _added_to(year, month, right)
        orders.add((first > second) - (first < second))
    return orders.pop() if len(orders) == 1 else None


def duration_order(duration: Duration) -> Decimal:
    """A figure that puts durations in one order, in keeping with `compare_durations`."""
    return _added_to(*_REFERENCE_MONTHS[0], duration)


def _added_to(year: int, month: int, duration: Duration) -> Decimal:
    carried, zero_month = divmod(month - 1 + duration.months, 12)
    return days_from_civil(year + carried, zero_month + 1, 1) * _DAY + duration.seconds


def add_duration(value: Temporal, duration: Duration) -> Temporal | None:
    """The date, time or dateTime moved by a duration (appendix E.3.3); None where the two do not go together."""
    if value.datatype not in (XSD_DATE, XSD_DATE_TIME, XSD_TIME) or (value.datatype == XSD_TIME and duration.months):
        return None
    year, month, day = 1972 if value.year is None else value.year, value.month or 1, value.day or 1
    carried, zero_month = divmod(month - 1 + duration.months, 12)
    year, month = year + carried, zero_month + 1
    days = days_from_civil(year, month, min(day, days_in_month(year, month)))
    clock = (value.hour or 0) * 3600 + (value.minute or 0) * 60 + (value.second or Decimal(0))
    total = days * _DAY + clock + duration.seconds
    # Decimal's // cuts towards zero, so the days are floored by hand
    whole_days = int(total // _DAY) - (1 if total < 0 and total % _DAY else 0)
    rest = total - whole_days * _DAY
    if value.datatype != XSD_TIME:
        year, month, day = civil_from_days(whole_days)
        value = evolve(value, year=year, month=month, day=day)
    if value.datatype == XSD_DATE:
        return value
    return evolve(value, hour=int(rest // 3600), minute=int(rest % 3600 // 60), second=rest % 60)


def difference(left: Temporal, right: Temporal) -> Duration | None:
    """`left - right` as a dayTimeDuration; None where the datatypes differ or only one has a zone."""
    if left.datatype != right.datatype or left.datatype not in (XSD_DATE, XSD_DATE_TIME, XSD_TIME):
        return None
    if (left.zone is None) != (right.zone is None):
        return None
    return Duration(0, left.seconds() - right.seconds(), XSD_DAY_TIME_DURATION)


def zone_text(zone: int) -> str:
    """`Z`, `+05:30`."""
    if zone == 0:
        return "Z"
    return f"{'-' if zone < 0 else '+'}{abs(zone) // 60:02d}:{abs(zone) % 60:02d}"


def plain_decimal(value: Decimal) -> str:
    """The shortest form without an exponent: `2.5`, `100`, `0`."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _seconds_text(value: Decimal) -> str:
    whole, _, fraction = plain_decimal(value).partition(".")
    return whole.zfill(2) + ("." + fraction if fraction else "")
