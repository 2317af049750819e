"""The reference meaning of functions that make literals of texts, checksums, and values that differ each time."""

from __future__ import annotations

import hashlib
import math
import random
import re
import uuid
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final, TypeAlias

from uniqgen_ir.ir.evaluation.casts import plain_string
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal
from uniqgen_ir.ir.values import Single, Value, literal_of, value_of
from uniqgen_ir.ir.vocabulary import RDF_LANG_STRING, XSD_STRING

BuiltIn: TypeAlias = Callable[[Sequence[GroundTerm]], GroundTerm | None]

_TAG: Final = re.compile(r"[A-Za-z]+(?:-[A-Za-z0-9]+)*")


def _checksum(algorithm: str) -> BuiltIn:
    def built_in(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
        text = plain_string(arguments[0])
        if text is None:
            return None
        return Literal.of(hashlib.new(algorithm, text.encode(), usedforsecurity=False).hexdigest())

    return built_in


def _with_datatype(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    text, datatype = plain_string(arguments[0]), arguments[1]
    if text is None or not isinstance(datatype, IRI) or datatype.value == RDF_LANG_STRING:
        return None
    return Literal(text, datatype.value)


def _with_language(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    text, tag = plain_string(arguments[0]), plain_string(arguments[1])
    return None if text is None or tag is None or not _TAG.fullmatch(tag) else Literal.tagged(text, tag)


def _to_string(arguments: Sequence[GroundTerm]) -> GroundTerm | None:
    """A number, boolean or time in its canonical form; an IRI as its text."""
    match arguments[0]:
        case IRI(text):
            return Literal.of(text)
        case Literal(lexical, datatype) as literal:
            if datatype in (XSD_STRING, RDF_LANG_STRING):
                return Literal.of(lexical)
            return Literal.of(lexical if (value := value_of(literal)) is None else _text_of(value))
        case _:
            return None


def _text_of(value: Value) -> str:
    """The text of a value; a large or small float in scientific form (XPath functions 3.1, 19.1.2.2)."""
    number = value.number if isinstance(value, Single) else value
    text = literal_of(value).lexical
    if not isinstance(number, float) or not math.isfinite(number) or not number or 1e-6 <= abs(number) < 1e6:
        return text
    sign, digits, exponent = Decimal(text).as_tuple()
    assert isinstance(exponent, int)
    mantissa = "".join(map(str, digits)).rstrip("0")
    return f"{'-' * sign}{mantissa[0]}.{mantissa[1:] or '0'}E{exponent + len(digits) - 1}"


STRING_TABLE: Final[dict[str, BuiltIn]] = {
    "string": _to_string,
    "str_dt": _with_datatype,
    "str_lang": _with_language,
    **{name: _checksum(name) for name in ("md5", "sha1", "sha256", "sha384", "sha512")},
    "rand": lambda _arguments: Literal.of(random.random()),
    "uuid": lambda _arguments: IRI(f"urn:uuid:{uuid.uuid4()}"),
    "str_uuid": lambda _arguments: Literal.of(str(uuid.uuid4())),
}
"""The functions by name."""
