"""Literals written again under another datatype, as a fix-it offers them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import frozen

from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.types import LiteralType, Type
from uniqgen_ir.ir.values import value_of
from uniqgen_ir.ir.vocabulary import (
    INTEGER_DATATYPES,
    NUMERIC_DATATYPES,
    RDF_LANG_STRING,
    XSD_BOOLEAN,
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_G_YEAR,
    XSD_INTEGER,
    XSD_STRING,
)


@frozen
class Recast:
    """A literal under the wanted datatype. `safe`: nothing was added to what the writer said."""

    literal: Literal
    safe: bool


def recast(literal: Literal, wanted: Type) -> Recast | None:
    """The literal as one of the wanted type, None where its text does not say enough."""
    if not isinstance(wanted, LiteralType):
        return None
    for datatype in _by_preference(wanted.datatypes):
        for text, safe in _texts(literal, datatype):
            found = Literal(text, datatype)
            if value_of(found) is not None:
                return Recast(found, safe)
    return None


_PREFERENCE = (XSD_INTEGER, XSD_DECIMAL, XSD_DOUBLE, XSD_BOOLEAN, XSD_DATE, XSD_DATE_TIME, XSD_G_YEAR, XSD_STRING)


def _by_preference(datatypes: Iterable[str]) -> list[str]:
    def rank(datatype: str) -> tuple[int, str]:
        return (_PREFERENCE.index(datatype) if datatype in _PREFERENCE else len(_PREFERENCE), datatype)

    return sorted((one for one in datatypes if one != RDF_LANG_STRING), key=rank)


def _texts(literal: Literal, datatype: str) -> Iterable[tuple[str, bool]]:
    text = literal.lexical.strip()
    yield text, literal.language is None
    year = re.fullmatch(r"-?\d{4}", text)
    month = re.fullmatch(r"-?\d{4}-\d\d", text)
    if datatype == XSD_DATE:
        if year or month:
            yield text + ("-01-01" if year else "-01"), False
        yield text.partition("T")[0], False
    if datatype == XSD_DATE_TIME:
        day = text + ("-01-01" if year else "-01" if month else "")
        yield day + "T00:00:00", False
    if datatype == XSD_G_YEAR:
        yield text[:4], False
    if datatype == XSD_BOOLEAN and text.lower() in ("true", "false"):
        yield text.lower(), False
    if datatype in INTEGER_DATATYPES and literal.datatype in NUMERIC_DATATYPES and text.endswith(".0"):
        yield text.removesuffix(".0"), True
