"""Texts of dates and times: `date('2020-13-45')` fails when it is run, so it is refused before.

The forms are those of ISO 8601 that Cypher takes (Cypher manual, "Temporal values", "Creating … from a string").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Final

from uniqgen_ir.backends.cypher.quoting import quote_string
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context, replace
from uniqgen_ir.ir.diagnostics import Fix

_YEAR: Final = r"(?P<year>[+-]\d{4,9}|\d{4})"
_DATE: Final = tuple(
    re.compile(_YEAR + rest, re.ASCII)
    for rest in (
        r"",
        r"-?(?P<month>\d\d)",
        r"-(?P<month>\d\d)-(?P<day>\d\d)",
        r"(?P<month>\d\d)(?P<day>\d\d)",
        r"-?W(?P<week>\d\d)(-?(?P<weekday>\d))?",
        r"-?Q(?P<quarter>\d)(-?(?P<quarterday>\d\d))?",
        r"-?(?P<ordinal>\d{3})",
    )
)
_TIME: Final = tuple(
    re.compile(form, re.ASCII)
    for form in (
        r"(?P<hour>\d\d)",
        r"(?P<hour>\d\d):(?P<minute>\d\d)(:(?P<second>\d\d)([.,]\d{1,9})?)?",
        r"(?P<hour>\d\d)(?P<minute>\d\d)((?P<second>\d\d)([.,]\d{1,9})?)?",
    )
)
_ZONE: Final = re.compile(r"(Z|[+-]\d\d(:?\d\d)?(:?\d\d)?)?(\[[\w/+-]+\])?", re.ASCII)
_DURATION: Final = re.compile(
    r"[+-]?P(?!$)(-?\d+([.,]\d+)?Y)?(-?\d+([.,]\d+)?M)?(-?\d+([.,]\d+)?W)?(-?\d+([.,]\d+)?D)?"
    r"(T(?=[-\d])(-?\d+([.,]\d+)?H)?(-?\d+([.,]\d+)?M)?(-?\d+([.,]\d+)?S)?)?"
    r"|[+-]?P\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?",
    re.IGNORECASE | re.ASCII,
)
_LIMITS: Final[Mapping[str, tuple[int, int]]] = {
    "month": (1, 12),
    "day": (1, 31),
    "week": (1, 53),
    "weekday": (1, 7),
    "quarter": (1, 4),
    "quarterday": (1, 92),
    "ordinal": (1, 366),
    "hour": (0, 23),
    "minute": (0, 59),
    "second": (0, 59),
}
_NAMES: Final = {
    "date": "a date",
    "datetime": "a date and time",
    "localdatetime": "a date and time",
    "time": "a time",
    "localtime": "a time",
    "duration": "a duration",
}
_EXAMPLES: Final = {
    "date": "'2020-12-31'",
    "datetime": "'2020-12-31T23:59:00Z'",
    "localdatetime": "'2020-12-31T23:59:00'",
    "time": "'23:59:00Z'",
    "localtime": "'23:59:00'",
    "duration": "'P3DT12H', or a map: duration({days: 3})",
}


def check_temporal_text(context: Context, node: expressions.FunctionCall) -> None:
    """Report the text in `date('…')`, `datetime('…')` and the like that is none."""
    kind = _NAMES.get(node.lower_name)
    if kind is None or len(node.arguments) != 1:
        return
    argument = node.arguments[0]
    if not isinstance(argument, expressions.StringLiteral) or is_temporal(node.lower_name, argument.value):
        return
    message = f"`{context.text[argument.start : argument.end]}` is not {kind}"
    hint = f"write it as in {_EXAMPLES[node.lower_name]}"
    context.report("UQ194", message, argument.start, argument.end, hint=hint, fix=_mended(node.lower_name, argument))


def is_temporal(function: str, text: str) -> bool:
    """Whether the function takes the text; it must be the name of one in lower case."""
    match function:
        case "date":
            return _is_date(text)
        case "duration":
            return _DURATION.fullmatch(text) is not None
        case "time" | "localtime":
            return _is_time(text, zoned=function == "time")
        case _:
            day, mark, clock = text.partition("T")
            return _is_date(day) and (not mark or _is_time(clock, zoned=function == "datetime"))


def _is_date(text: str) -> bool:
    found = next((match for form in _DATE if (match := form.fullmatch(text))), None)
    return found is not None and _is_in_range(found.groupdict())


def _is_in_range(parts: Mapping[str, str | None]) -> bool:
    numbers = {name: int(value) for name, value in parts.items() if value is not None}
    if any(not _LIMITS[name][0] <= value <= _LIMITS[name][1] for name, value in numbers.items() if name in _LIMITS):
        return False
    if "day" not in numbers or not 1 <= numbers["year"] <= 9999:
        return True
    try:
        date(numbers["year"], numbers["month"], numbers["day"])
    except ValueError:
        return False
    return True


def _is_time(text: str, *, zoned: bool) -> bool:
    zone = next((place for place, letter in enumerate(text) if letter in "Z+-["), len(text))
    clock, rest = text[:zone], text[zone:]
    found = next((match for form in _TIME if (match := form.fullmatch(clock))), None)
    fits = _ZONE.fullmatch(rest) is not None if zoned else not rest
    return found is not None and fits and _is_in_range(found.groupdict())


def _mended(function: str, argument: expressions.StringLiteral) -> Fix | None:
    """`2020-1-5` with two digits each; a blank between day and time as `T`."""
    wide = re.sub(r"(?<=-)(\d)(?=-|\D|$)", r"0\1", argument.value.strip())
    if function in ("datetime", "localdatetime"):
        wide = re.sub(r"(?<=\d) +(?=\d)", "T", wide)
    if not is_temporal(function, wide):
        return None
    return replace(argument.start, argument.end, quote_string(wide), f"write {quote_string(wide)}")
