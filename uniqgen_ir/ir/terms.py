"""Terms: what stands in the places of a triple pattern, and what a graph is made of.

All terms are frozen, hashable and compare by structure. `Literal` keeps the lexical form as written; what two
literals are worth to `=` and `<` is the business of `uniqgen_ir.ir.values`.
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from uniqgen_ir.ir.vocabulary import RDF_LANG_STRING, XSD_BOOLEAN, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, XSD_STRING


@frozen(cache_hash=True)
class IRI:
    """An absolute IRI, unescaped: `http://example.org/a`."""

    value: str

    def __str__(self) -> str:
        return f"<{self.value}>"


@frozen(cache_hash=True)
class BlankNode:
    """A node of a graph without a name. It occurs in data and answers, never in a table."""

    label: str

    def __str__(self) -> str:
        return f"_:{self.label}"


@frozen(cache_hash=True)
class Literal:
    """A literal: lexical form, datatype IRI, and, for rdf:langString only, a language tag in lower case."""

    lexical: str
    datatype: str = XSD_STRING
    language: str | None = None

    def __attrs_post_init__(self) -> None:
        if (self.language is not None) != (self.datatype == RDF_LANG_STRING):
            raise ValueError(f"language {self.language!r} and datatype {self.datatype!r} do not go together")

    @classmethod
    def of(cls, value: str | int | float | bool) -> Literal:
        """The literal that stands for a Python value (bool before int, because True is an int)."""
        if isinstance(value, bool):
            return cls("true" if value else "false", XSD_BOOLEAN)
        if isinstance(value, int):
            return cls(str(value), XSD_INTEGER)
        if isinstance(value, float):
            return cls(repr(value), XSD_DOUBLE)
        return cls(value)

    @classmethod
    def tagged(cls, value: str, language: str) -> Literal:
        """A string with a language tag; tags compare without case, so they are kept in lower case."""
        return cls(value, RDF_LANG_STRING, language.lower())

    @classmethod
    def decimal(cls, lexical: str) -> Literal:
        return cls(lexical, XSD_DECIMAL)

    def __str__(self) -> str:
        suffix = f"@{self.language}" if self.language else "" if self.datatype == XSD_STRING else f"^^<{self.datatype}>"
        return f'"{self.lexical}"{suffix}'


@frozen(cache_hash=True)
class Variable:
    """A variable, named without its question mark."""

    name: str

    def __str__(self) -> str:
        return f"?{self.name}"


@frozen(cache_hash=True)
class Parameter:
    """A value that is given when the query runs, named without its dollar sign."""

    name: str

    def __str__(self) -> str:
        return f"${self.name}"


GroundTerm: TypeAlias = IRI | Literal | BlankNode
"""What a graph holds and an answer binds."""

Term: TypeAlias = Variable | Parameter | IRI | Literal
"""What a pattern holds."""
