"""The reference meaning of the functions of `uniqgen_ir.ir.functions`, on terms.

Each returns None where SPARQL has an error. `bound`, `if`, `coalesce` and `now` are not here: they do not look at
values alone, and belong to the evaluator. Where this differs from Oxigraph on purpose: `replace` with a pattern that
matches the empty text is an error, as in XPath; casts know no upper bound; a 32-bit float becomes the decimal that it
is written as.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from decimal import ROUND_FLOOR, Decimal
from typing import Final, TypeAlias
from urllib.parse import quote

from uniqgen_ir.ir.evaluation.casts import CASTS, plain_string
from uniqgen_ir.ir.evaluation.strings import STRING_TABLE
from uniqgen_ir.ir.temporal import XSD_DAY_TIME_DURATION, Duration, Temporal, zone_text
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal
from uniqgen_ir.ir.values import Number, Single, literal_of, value_of
from uniqgen_ir.ir.vocabulary import RDF_LANG_STRING, XSD_STRING

BuiltIn: TypeAlias = Callable[[Sequence[GroundTerm]], GroundTerm | None]


def _text(term: GroundTerm) -> str | None:
    """The characters of a plain or tagged string."""
    return term.lexical if isinstance(term, Literal) and term.datatype in (XSD_STRING, RDF_LANG_STRING) else None


def _like(text: str, model: GroundTerm) -> Literal:
    """A string with the model's language tag, if it has one."""
    language = model.language if isinstance(model, Literal) else None
    return Literal.tagged(text, language) if language else Literal.of(text)


def _compatible(first: GroundTerm, second: GroundTerm) -> tuple[str, str] | None:
    """Both texts where SPARQL 1.1, 17.4.3.1.2 lets the two be compared: the second untagged, or tagged alike."""
    one, other = _text(first), _text(second)
    if one is None or other is None or not isinstance(first, Literal) or not isinstance(second, Literal):
        return None
    return (one, other) if second.language in (None, first.language) else None


def _on_pair(decide: Callable[[str, str], bool]) -> BuiltIn:
    def built_in(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
        pair = _compatible(*arguments)
        return None if pair is None else Literal.of(decide(*pair))

    return built_in


def _on_text(change: Callable[[str], str]) -> BuiltIn:
    def built_in(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
        text = _text(arguments[0])
        return None if text is None else _like(change(text), arguments[0])

    return built_in


def _split(keep_front: bool) -> BuiltIn:
    def built_in(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
        pair = _compatible(*arguments)
        if pair is None:
            return None
        front, found, back = pair[0].partition(pair[1]) if pair[1] else ("", True, pair[0])
        return _like(front if keep_front else back, arguments[0]) if found or not pair[1] else Literal.of("")

    return built_in


def _language(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    return Literal.of(arguments[0].language or "") if isinstance(arguments[0], Literal) else None


def _language_matches(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    tag, range_ = (plain_string(one) for one in arguments)
    if tag is None or range_ is None:
        return None
    tag, range_ = tag.lower(), range_.lower()
    return Literal.of(tag != "" if range_ == "*" else tag == range_ or tag.startswith(range_ + "-"))


def _datatype(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    return IRI(arguments[0].datatype) if isinstance(arguments[0], Literal) else None


_IRI_TEXT: Final = re.compile(r'[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>"{}|^`\\]*')


def _iri(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    term = arguments[0]
    if isinstance(term, IRI):
        return term
    text = _text(term) if isinstance(term, Literal) and term.datatype == XSD_STRING else None
    return IRI(text) if text is not None and _IRI_TEXT.fullmatch(text) else None


def _substring(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    text, start = _text(arguments[0]), value_of(arguments[1])
    length = value_of(arguments[2]) if len(arguments) == 3 else None
    if text is None or not isinstance(start, int) or isinstance(start, bool):
        return None
    if len(arguments) == 2:
        return _like(text[max(start - 1, 0) :], arguments[0])
    if not isinstance(length, int) or isinstance(length, bool):
        return None
    return _like(text[max(start - 1, 0) : max(start - 1 + length, 0)], arguments[0])


def _concat(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    texts = [_text(one) for one in arguments]
    if None in texts:
        return None
    languages = {one.language if isinstance(one, Literal) else None for one in arguments}
    language = languages.pop() if len(languages) == 1 else None
    joined = "".join(text for text in texts if text is not None)
    return Literal.tagged(joined, language) if language else Literal.of(joined)


def _pattern(pattern: GroundTerm, flags: Sequence[GroundTerm]) -> re.Pattern[str] | None:
    source, letters = plain_string(pattern), plain_string(flags[0]) if flags else ""
    if source is None or letters is None or not set(letters) <= set("smixq"):
        return None
    values = {"s": re.DOTALL, "m": re.MULTILINE, "i": re.IGNORECASE, "x": re.VERBOSE}
    if "q" in letters:
        source, letters = re.escape(source), letters.replace("x", "")
    if "m" not in letters and "q" not in letters:
        source = _dollar_at_end(source)
    try:
        return re.compile(source, sum(values[letter] for letter in set(letters) - {"q"}))
    except re.error:
        return None


def _dollar_at_end(source: str) -> str:
    # Python's `$` also matches before a final line end, XPath's only at the very end
    return re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]|\$", lambda found: r"\Z" if found[0] == "$" else found[0], source)


def _matches(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    text, pattern = _text(arguments[0]), _pattern(arguments[1], arguments[2:])
    return None if text is None or pattern is None else Literal.of(pattern.search(text) is not None)


def _replace(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    text, pattern = _text(arguments[0]), _pattern(arguments[1], arguments[3:])
    replacement = plain_string(arguments[2])
    if text is None or pattern is None or replacement is None or pattern.search("") is not None:
        return None  # a pattern that matches nothing at all is an error in XPath, and engines disagree on it
    return _like(pattern.sub(lambda found: _filled(replacement, found), text), arguments[0])


def _filled(replacement: str, found: re.Match[str]) -> str:
    def one(piece: re.Match[str]) -> str:
        if piece[0] in (r"\$", r"\\"):
            return piece[0][1]
        number = int(piece[1])
        return (found[number] or "") if number <= found.re.groups else ""

    return re.sub(r"\\[$\\]|\$(\d)", one, replacement)


def _encode(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    text = _text(arguments[0])
    return None if text is None else Literal.of(quote(text, safe="~"))


def _rounded(exact: Callable[[Decimal], Decimal], double: Callable[[float], float]) -> BuiltIn:
    def built_in(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
        value = value_of(arguments[0])
        match value:
            case bool():
                return None
            case int():
                return literal_of(value)
            case Decimal():
                return literal_of(exact(value))
            case float():
                return literal_of(_keeping_sign(double, value))
            case Single(number):
                return literal_of(Single(_keeping_sign(double, number)))
            case _:
                return None

    return built_in


def _keeping_sign(function: Callable[[float], float], number: float) -> float:
    # -0.4 rounds to negative zero (IEEE 754)
    return math.copysign(function(number), number) if math.isfinite(number) else number


def _absolute(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    value = value_of(arguments[0])
    match value:
        case bool():
            return None
        case Decimal():
            return literal_of(abs(value))
        case int() | float():
            return literal_of(abs(value))
        case Single(number):
            return literal_of(Single(abs(number)))
        case _:
            return None


def _part(read: Callable[[Temporal], int | Decimal | None]) -> BuiltIn:
    def built_in(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
        value = value_of(arguments[0])
        if not isinstance(value, Temporal):
            return None
        part = read(value)
        return None if part is None else literal_of(part)

    return built_in


def _timezone(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    value = value_of(arguments[0])
    if not isinstance(value, Temporal) or value.zone is None:
        return None
    return literal_of(Duration(0, Decimal(value.zone * 60), XSD_DAY_TIME_DURATION))


def _zone(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    value = value_of(arguments[0])
    if not isinstance(value, Temporal):
        return None
    return Literal.of("" if value.zone is None else zone_text(value.zone))


def _length(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    text = _text(arguments[0])
    return None if text is None else Literal.of(len(text))


def _is_number(term: GroundTerm) -> bool:
    value = value_of(term)
    return isinstance(value, Number) and not isinstance(value, bool)


def _test(decide: Callable[[GroundTerm], bool]) -> BuiltIn:
    return lambda arguments: Literal.of(decide(arguments[0]))


def _string(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    text = plain_text(arguments[0])
    return None if text is None else Literal.of(text)


def plain_text(term: GroundTerm) -> str | None:
    """The lexical form of a literal, the text of an IRI; None for a blank node."""
    match term:
        case Literal(lexical):
            return lexical
        case IRI(value):
            return value
        case BlankNode():
            return None


FUNCTION_TABLE: Final[dict[str, BuiltIn]] = {
    "str": _string,
    "lang": _language,
    "lang_matches": _language_matches,
    "datatype": _datatype,
    "iri": _iri,
    "same_term": lambda arguments: Literal.of(arguments[0] == arguments[1]),
    "is_iri": _test(lambda term: isinstance(term, IRI)),
    "is_blank": _test(lambda term: isinstance(term, BlankNode)),
    "is_literal": _test(lambda term: isinstance(term, Literal)),
    "is_numeric": _test(_is_number),
    "length": _length,
    "substring": _substring,
    "upper": _on_text(str.upper),
    "lower": _on_text(str.lower),
    "starts_with": _on_pair(str.startswith),
    "ends_with": _on_pair(str.endswith),
    "contains": _on_pair(lambda text, part: part in text),
    "before": _split(keep_front=True),
    "after": _split(keep_front=False),
    "concat": _concat,
    "matches": _matches,
    "replace": _replace,
    "encode_for_uri": _encode,
    "abs": _absolute,
    "round": _rounded(
        lambda value: (value + Decimal("0.5")).to_integral_value(ROUND_FLOOR), lambda value: math.floor(value + 0.5)
    ),
    "ceil": _rounded(lambda value: Decimal(math.ceil(value)), math.ceil),
    "floor": _rounded(lambda value: Decimal(math.floor(value)), math.floor),
    "year": _part(lambda value: value.year),
    "month": _part(lambda value: value.month),
    "day": _part(lambda value: value.day),
    "hours": _part(lambda value: value.hour),
    "minutes": _part(lambda value: value.minute),
    "seconds": _part(lambda value: value.second),
    "timezone": _timezone,
    "tz": _zone,
    **CASTS,
    **STRING_TABLE,
}
"""Every function that looks only at the values of its arguments, by name."""
