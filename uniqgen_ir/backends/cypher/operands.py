"""Operands: what a variable or a value is in Cypher, and how two of them compare as SPARQL compares terms.

SPARQL's error is Cypher's NULL: both logics have three values and the same tables for `and`, `or` and `not`.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.vocabulary import (
    NUMERIC_DATATYPES,
    RDF_LANG_STRING,
    TEMPORAL_DATATYPES,
    XSD_BOOLEAN,
    XSD_STRING,
)

# categories of values: only values of one category can be equal or ordered
NUMBER: Final = "number"
TEXT: Final = "text"
TAGGED: Final = "tagged"
TRUTH: Final = "truth"
TIME: Final = "time"
OTHER: Final = "other"


def category_of(datatype: str | None) -> str | None:
    """The category of the values of a datatype; None where the datatype is not known."""
    if datatype is None:
        return None
    if datatype in NUMERIC_DATATYPES:
        return NUMBER
    if datatype in TEMPORAL_DATATYPES:
        return TIME
    return {XSD_STRING: TEXT, RDF_LANG_STRING: TAGGED, XSD_BOOLEAN: TRUTH}.get(datatype, OTHER)


@frozen
class Operand:
    """A term in Cypher.

    `kind`: `node` (text is a node variable), `edge` (text is a relationship variable), `type` (the type of that one),
    `iri` (text is the value of a key), `value` (text is an expression with a
    plain value of `datatype`), `literal` (text is the variable of a node that stands for a literal), `term` (text is a
    string that encodes any term), `moment` (text is a place on a time line in microseconds, of one of `clocks`),
    `place` (text is the place of a literal in SPARQL's order), `constant` (a literal of the table), `null` (never
    bound).
    `nullable`: may be unbound. `categories` and `clocks` (see `moment`) belong to `literal`. `exact`: whether
    every number and time of a `literal` has an exact column; of a `value`, whether it is the very value, not one of a
    wider type.
    """

    kind: str
    text: str
    datatype: str | None = None
    nullable: bool = False
    categories: frozenset[str] = frozenset()
    exact: bool = True
    clocks: frozenset[str] = frozenset()
    constant: Literal | None = None
    or_zero: str = ""
    """of a count that is unbound where there is nothing to count: the text that is 0 there"""
    space: str = ""
    """of a `type`: what goes before the name of the type to make it an IRI"""

    @property
    def category(self) -> str | None:
        return category_of(self.datatype)

    @property
    def is_entity(self) -> bool:
        return self.kind in ("node", "edge", "iri", "type")


NOTHING: Final = Operand("null", "NULL", nullable=True)


def possible_categories(operand: Operand) -> frozenset[str] | None:
    """The categories that the operand's values may have; None where nothing is known."""
    if operand.kind == "literal":
        return operand.categories
    category = operand.category
    return None if category is None else frozenset({category})
