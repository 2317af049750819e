"""Types: which terms a variable can stand for. Rules that give and check them: `spec/typing.md`.

A type is a set of terms. `meet` intersects two of them; None is the empty set, a contradiction. Only what a schema
declares and what SPARQL's operators refuse narrows a type, so that an empty one means: no answer, on any graph that
keeps to the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final, TypeAlias

from attrs import frozen

from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.vocabulary import (
    INTEGER_DATATYPES,
    NUMERIC_DATATYPES,
    RDF_LANG_STRING,
    TEMPORAL_DATATYPES,
    XSD,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_INTEGER,
    XSD_STRING,
)


@frozen(cache_hash=True)
class UnknownType:
    """Any term."""


@frozen(cache_hash=True)
class NodeType:
    """A node (IRI or blank) that is an instance of every one of the classes; of any class where there are none."""

    classes: frozenset[IRI] = frozenset()


@frozen(cache_hash=True)
class LiteralType:
    """A literal of one of the datatypes (IRI strings) or a datatype derived from one; of any where there are none."""

    datatypes: frozenset[str] = frozenset()


@frozen(cache_hash=True)
class UnionType:
    """A term of one of the types. Made by `union`, which keeps at most one literal type."""

    options: frozenset[NodeType | LiteralType]


Type: TypeAlias = UnknownType | NodeType | LiteralType | UnionType

ANY: Final = UnknownType()
NODE: Final = NodeType()
LITERAL: Final = LiteralType()

DURATION_DATATYPES: Final = frozenset(XSD + name for name in ("duration", "dayTimeDuration", "yearMonthDuration"))
_KNOWN: Final = NUMERIC_DATATYPES | TEMPORAL_DATATYPES | DURATION_DATATYPES | {XSD_BOOLEAN, XSD_STRING, RDF_LANG_STRING}

NUMBER: Final = LiteralType(NUMERIC_DATATYPES)
STRING: Final = LiteralType(frozenset({XSD_STRING}))
TEXT: Final = LiteralType(frozenset({XSD_STRING, RDF_LANG_STRING}))
BOOLEAN: Final = LiteralType(frozenset({XSD_BOOLEAN}))
INTEGER: Final = LiteralType(INTEGER_DATATYPES)
TEMPORAL: Final = LiteralType(TEMPORAL_DATATYPES)
DURATION: Final = LiteralType(DURATION_DATATYPES)

# each integer datatype and the one that it restricts (XML Schema 1.1, part 2, figure 3)
_BASES: Final = {
    XSD + derived: XSD + base
    for derived, base in (
        *(("integer", "decimal"), ("long", "integer"), ("int", "long"), ("short", "int"), ("byte", "short")),
        *(("nonNegativeInteger", "integer"), ("positiveInteger", "nonNegativeInteger")),
        *(("nonPositiveInteger", "integer"), ("negativeInteger", "nonPositiveInteger")),
        *(("unsignedLong", "nonNegativeInteger"), ("unsignedInt", "unsignedLong")),
        *(("unsignedShort", "unsignedInt"), ("unsignedByte", "unsignedShort")),
        *(("dayTimeDuration", "duration"), ("yearMonthDuration", "duration")),
    )
}


def derives(datatype: str, base: str) -> bool:
    """Whether every literal of the datatype is one of `base`: they are the same or one restricts the other."""
    current: str | None = datatype
    while current is not None:
        if current == base:
            return True
        current = _BASES.get(current)
    return False


def has_known_values(datatype: str) -> bool:
    """Whether the compiler knows what literals of this datatype are worth. Of the others nothing is claimed."""
    return datatype in _KNOWN


def comparable_with(datatype: str, *, ordered: bool) -> LiteralType:
    """The literals that can be `=` (or, `ordered`, `<`) to one of this datatype; any where it is not known."""
    if datatype in NUMERIC_DATATYPES:
        return NUMBER
    if datatype in DURATION_DATATYPES:
        return DURATION
    if datatype == XSD_BOOLEAN and ordered:
        # `<` is not defined on truth values, so nothing compares
        return LITERAL
    return LiteralType(frozenset({datatype})) if has_known_values(datatype) else LITERAL


def union(types: Iterable[Type]) -> Type:
    """The terms of any of the types. Of no type at all: anything, because nothing is claimed."""
    nodes: dict[NodeType, None] = {}
    datatypes: set[str] = set()
    literals = 0
    for one in _flat(types):
        if isinstance(one, UnknownType):
            return ANY
        if isinstance(one, NodeType):
            nodes[one] = None
        else:
            literals += 1
            datatypes |= one.datatypes or {""}
    # a node of {A} is one of {} too: the wider option swallows the narrower
    kept = [one for one in nodes if not any(other.classes < one.classes for other in nodes)]
    options: list[NodeType | LiteralType] = [*kept]
    if literals:
        options.append(LITERAL if "" in datatypes else LiteralType(frozenset(datatypes)))
    if not options:
        return ANY
    return options[0] if len(options) == 1 else UnionType(frozenset(options))


def _flat(types: Iterable[Type]) -> Iterable[UnknownType | NodeType | LiteralType]:
    for one in types:
        if isinstance(one, UnionType):
            yield from one.options
        else:
            yield one


NeverBoth: TypeAlias = Callable[[IRI, IRI], bool]
"""Whether no node is an instance of both classes."""


def meet(left: Type, right: Type, never_both: NeverBoth) -> Type | None:
    """The terms that are of both types; None where there are none."""
    match left, right:
        case (UnknownType(), other) | (other, UnknownType()):
            return other
        case NodeType(one), NodeType(other):
            clash = any(never_both(first, second) for first in one for second in other)
            return None if clash else NodeType(one | other)
        case LiteralType(one), LiteralType(other):
            return _meet_literals(one, other)
        case (UnionType(options), other) | (other, UnionType(options)):
            met = [meet(option, other, never_both) for option in options]
            alive = [one for one in met if one is not None]
            return union(alive) if alive else None
        case _:
            return None


@lru_cache(maxsize=4096)  # the few types of a text, met at each of its conditions
def _meet_literals(one: frozenset[str], other: frozenset[str]) -> LiteralType | None:
    if not one or not other or one == other:
        return LiteralType(one or other)
    # a datatype that the compiler does not know may restrict any other, so it rules nothing out
    if not one <= _KNOWN or not other <= _KNOWN:
        return LiteralType(other if one <= _KNOWN else one)
    common = frozenset(a if derives(a, b) else b for a in one for b in other if derives(a, b) or derives(b, a))
    return LiteralType(common) if common else None


def overlap(left: Type, right: Type, never_both: NeverBoth) -> bool:
    """Whether some term could be of both types."""
    return meet(left, right, never_both) is not None


def can_be_node(type_: Type) -> bool:
    return not isinstance(type_, LiteralType)


def can_be_literal(type_: Type) -> bool:
    match type_:
        case NodeType():
            return False
        case UnionType(options):
            return any(isinstance(one, LiteralType) for one in options)
        case _:
            return True


_GROUPS: Final = (
    (NUMERIC_DATATYPES, "number"),
    (INTEGER_DATATYPES, "integer"),
    (TEMPORAL_DATATYPES, "date or time"),
    (DURATION_DATATYPES, "duration"),
    (frozenset({XSD_STRING, RDF_LANG_STRING}), "text"),
    (frozenset({XSD_STRING}), "string"),
    (frozenset({RDF_LANG_STRING}), "text with a language tag"),
    (frozenset({XSD_BOOLEAN}), "truth value"),
    (frozenset({XSD_INTEGER}), "integer"),
    (frozenset({XSD_DECIMAL}), "decimal number"),
)
"""Datatypes that have a name together, the larger groups first."""


def describe(type_: Type, short: Callable[[str], str] = str) -> str:
    """The type in words; `short` shortens an IRI: `an instance of ex:City`, `a number`, `an xsd:date`."""
    match type_:
        case NodeType(classes) if classes:
            return "an instance of " + " and ".join(sorted(short(one.value) for one in classes))
        case NodeType():
            return "a node"
        case LiteralType(datatypes) if datatypes:
            return _describe_datatypes(datatypes, short)
        case LiteralType():
            return "a literal"
        case UnionType(options):
            return " or ".join(sorted(describe(one, short) for one in options))
        case UnknownType():
            return "anything"


def _describe_datatypes(datatypes: frozenset[str], short: Callable[[str], str]) -> str:
    left, words = set(datatypes), list[str]()
    for group, word in _GROUPS:
        if group <= left:
            words.append(word)
            left -= group
    words += sorted(_datatype_name(one, short) for one in left)
    article = "" if words[0].startswith("text") else "an " if words[0][0] in "aeioux" else "a "
    return article + ", ".join(words[:-1]) + (" or " if len(words) > 1 else "") + words[-1]


def _datatype_name(datatype: str, short: Callable[[str], str]) -> str:
    return "xsd:" + datatype.removeprefix(XSD) if datatype.startswith(XSD) else short(datatype)
