"""How the functions of SPARQL are called in the IR."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.vocabulary import XSD

BUILT_INS: Final[dict[str, str]] = {
    "STR": "str",
    "LANG": "lang",
    "LANGMATCHES": "lang_matches",
    "DATATYPE": "datatype",
    "BOUND": "bound",
    "IRI": "iri",
    "URI": "iri",
    "IF": "if",
    "COALESCE": "coalesce",
    "SAMETERM": "same_term",
    "ISIRI": "is_iri",
    "ISURI": "is_iri",
    "ISBLANK": "is_blank",
    "ISLITERAL": "is_literal",
    "ISNUMERIC": "is_numeric",
    "STRLEN": "length",
    "SUBSTR": "substring",
    "UCASE": "upper",
    "LCASE": "lower",
    "STRSTARTS": "starts_with",
    "STRENDS": "ends_with",
    "CONTAINS": "contains",
    "STRBEFORE": "before",
    "STRAFTER": "after",
    "CONCAT": "concat",
    "REGEX": "matches",
    "REPLACE": "replace",
    "ENCODE_FOR_URI": "encode_for_uri",
    "ABS": "abs",
    "ROUND": "round",
    "CEIL": "ceil",
    "FLOOR": "floor",
    "YEAR": "year",
    "MONTH": "month",
    "DAY": "day",
    "HOURS": "hours",
    "MINUTES": "minutes",
    "SECONDS": "seconds",
    "TIMEZONE": "timezone",
    "TZ": "tz",
    "NOW": "now",
    "RAND": "rand",
    "UUID": "uuid",
    "STRUUID": "str_uuid",
    "MD5": "md5",
    "SHA1": "sha1",
    "SHA256": "sha256",
    "SHA384": "sha384",
    "SHA512": "sha512",
    "STRDT": "str_dt",
    "STRLANG": "str_lang",
}
"""The built-ins by their word in upper case; `BNODE` is not among them: a table makes no nodes."""

CASTS: Final[dict[str, str]] = {
    XSD + name: function
    for name, function in (
        *(("integer", "integer"), ("decimal", "decimal"), ("double", "double"), ("float", "float")),
        *(("boolean", "boolean"), ("date", "date"), ("dateTime", "datetime"), ("time", "time")),
        *(("duration", "duration"), ("string", "string")),
    )
}
"""The casts by their IRI."""
