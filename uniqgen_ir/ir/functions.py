"""The functions that expressions may call: one table for readers, type checks, evaluation and renderers."""

from __future__ import annotations

from typing import Final

from attrs import frozen


@frozen
class Function:
    """A built-in: its name in the IR, how many arguments it takes (`most` None: any number), and what it returns."""

    name: str
    least: int
    most: int | None
    returns: str
    meaning: str


FUNCTIONS: Final[dict[str, Function]] = {
    function.name: function
    for function in (
        Function("str", 1, 1, "string", "the lexical form of a literal, or the text of an IRI"),
        Function("lang", 1, 1, "string", "the language tag in lower case, or the empty string"),
        Function("lang_matches", 2, 2, "boolean", "whether a tag falls under a language range"),
        Function("datatype", 1, 1, "iri", "the datatype of a literal"),
        Function("iri", 1, 1, "iri", "the IRI with this text"),
        Function("bound", 1, 1, "boolean", "whether the variable has a value"),
        Function("if", 3, 3, "any", "the second argument where the first is true, otherwise the third"),
        Function("coalesce", 0, None, "any", "the first argument that is not an error"),
        Function("same_term", 2, 2, "boolean", "whether both are the very same term"),
        Function("is_iri", 1, 1, "boolean", "whether it is an IRI"),
        Function("is_blank", 1, 1, "boolean", "whether it is a blank node"),
        Function("is_literal", 1, 1, "boolean", "whether it is a literal"),
        Function("is_numeric", 1, 1, "boolean", "whether it is a well-formed number"),
        Function("length", 1, 1, "integer", "how many characters"),
        Function("substring", 2, 3, "string", "the part from a start (counted from 1), with an optional length"),
        Function("upper", 1, 1, "string", "in upper case"),
        Function("lower", 1, 1, "string", "in lower case"),
        Function("starts_with", 2, 2, "boolean", "whether the first begins with the second"),
        Function("ends_with", 2, 2, "boolean", "whether the first ends with the second"),
        Function("contains", 2, 2, "boolean", "whether the second occurs in the first"),
        Function("before", 2, 2, "string", "what stands before the second's first occurrence"),
        Function("after", 2, 2, "string", "what stands after the second's first occurrence"),
        Function("concat", 0, None, "string", "the arguments joined"),
        Function("matches", 2, 3, "boolean", "whether a regular expression matches somewhere, with optional flags"),
        Function("replace", 3, 4, "string", "every match of a regular expression replaced"),
        Function("encode_for_uri", 1, 1, "string", "percent-encoded"),
        Function("abs", 1, 1, "number", "without its sign"),
        Function("round", 1, 1, "number", "to the nearest integer, halves up"),
        Function("ceil", 1, 1, "number", "the next integer not below"),
        Function("floor", 1, 1, "number", "the next integer not above"),
        Function("year", 1, 1, "integer", "the year of a date or time"),
        Function("month", 1, 1, "integer", "the month, 1 to 12"),
        Function("day", 1, 1, "integer", "the day of the month"),
        Function("hours", 1, 1, "integer", "the hour of a time"),
        Function("minutes", 1, 1, "integer", "the minute of a time"),
        Function("seconds", 1, 1, "decimal", "the second of a time"),
        Function("timezone", 1, 1, "duration", "the offset from UTC"),
        Function("tz", 1, 1, "string", "the time zone as text"),
        Function("now", 0, 0, "datetime", "the time at which the query runs"),
        Function("integer", 1, 1, "integer", "cast to xsd:integer"),
        Function("decimal", 1, 1, "decimal", "cast to xsd:decimal"),
        Function("double", 1, 1, "double", "cast to xsd:double"),
        Function("float", 1, 1, "double", "cast to xsd:float"),
        Function("boolean", 1, 1, "boolean", "cast to xsd:boolean"),
        Function("date", 1, 1, "date", "cast to xsd:date"),
        Function("datetime", 1, 1, "datetime", "cast to xsd:dateTime"),
        Function("time", 1, 1, "time", "cast to xsd:time"),
        Function("duration", 1, 1, "duration", "cast to xsd:duration"),
        Function("string", 1, 1, "string", "cast to xsd:string"),
        Function("str_dt", 2, 2, "any", "the literal with this text and this datatype"),
        Function("str_lang", 2, 2, "string", "the text with this language tag"),
        Function("md5", 1, 1, "string", "the MD5 checksum of the UTF-8 text, in hexadecimal"),
        Function("sha1", 1, 1, "string", "the SHA-1 checksum, likewise"),
        Function("sha256", 1, 1, "string", "the SHA-256 checksum, likewise"),
        Function("sha384", 1, 1, "string", "the SHA-384 checksum, likewise"),
        Function("sha512", 1, 1, "string", "the SHA-512 checksum, likewise"),
        Function("rand", 0, 0, "double", "a number from 0 up to 1, another each time"),
        Function("uuid", 0, 0, "iri", "a new IRI `urn:uuid:…`, another each time"),
        Function("str_uuid", 0, 0, "string", "the text of a new UUID, another each time"),
    )
}
"""Every function, by name. `date("2009-01-01")` over a constant is read as the literal itself."""
