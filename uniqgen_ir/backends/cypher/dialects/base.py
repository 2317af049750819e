"""What a dialect of Cypher is: a table of what it can say and how."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeAlias

from attrs import frozen

from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.vocabulary import XSD_BOOLEAN, XSD_DATE, XSD_DOUBLE, XSD_INTEGER, XSD_STRING


class ExistsForm(StrEnum):
    """How a dialect asks whether a pattern matches."""

    MATCHES = "matches"
    """`EXISTS { MATCH … MATCH … WHERE … }`"""
    MATCH = "match"
    """`EXISTS { MATCH … WHERE … }` with one MATCH"""
    COMPREHENSION = "comprehension"
    """`size([pattern WHERE … | 1]) > 0`: one connected pattern"""
    PREDICATE = "predicate"
    """the pattern itself as a condition: it binds nothing and has no WHERE"""


class CountForm(StrEnum):
    """Whether `COUNT { MATCH … WHERE … }` counts."""

    NONE = "none"
    OWN = "own"
    """of one MATCH, in databases of ours, whose nodes share a table: between tables that no relationship joins the
    engine counts wrong"""
    MATCHES = "matches"
    """of several"""


Casts: TypeAlias = "Mapping[str, tuple[str, str | None]]"
"""For each cast a template of its text, and the datatype of what it gives where that is known."""


@frozen(kw_only=True)
class CypherDialect:
    """What a dialect of Cypher can say. Texts with `{0}`, `{value}` and so on are templates; None: it cannot say it.

    `different`: one MATCH binds no relationship twice. `trails`: a variable-length pattern takes no edge twice.
    `undirected`: a pattern without a direction matches a loop once. `named_relationships`: relationships without a name
    that run in parallel count once, so all get one.
    """

    name: str
    tested: str
    """on what the table rests: engines that ran its queries, or documents"""
    different: bool = True
    trails: bool = True
    undirected: bool = True
    named_relationships: bool = False
    match: str = "MATCH"
    """a MATCH that stands alone, or whose patterns may bind one relationship"""
    match_apart: str = "MATCH"
    """a MATCH whose patterns bind different relationships"""
    identity: str = "id({0})"
    """what tells relationships, and nodes, apart"""
    type_of: str | None = "type({0})"
    """the type of a relationship"""
    joined: str = "({0} + {1})"
    """two texts as one"""
    hops: str = "*{low}..{high}"
    """how often a relationship is repeated, inside its brackets"""
    quantifier: str = ""
    """the same, behind the arrow"""
    exists: ExistsForm = ExistsForm.MATCHES
    count: CountForm = CountForm.NONE
    subquery: str | None = "CALL"
    """what stands before the braces of a subquery that sees nothing from outside"""
    template: str = "query.j2"
    exact_casts: bool = False
    """casts over a store that keeps datatypes can be written (`cast_exact`)"""
    typed_null: bool = False
    """a NULL that is returned needs a type"""
    nested_aggregates: bool = True
    """an aggregate may stand inside an expression"""
    groups_by_names: bool = False
    """what an aggregate groups by is listed, and is names only"""
    date_part: str | None = "{value}.{part}"
    contains_in_list: str = "{item} IN {list}"
    first_index: int = 0
    """the place of the first item of a list, and of the first character for `substring`"""
    times: Mapping[str, str]
    """constructors, by `date`, `datetime`, `localdatetime`, `time` and `localtime`"""
    functions: Mapping[str, str]
    """names of `upper`, `lower`, `length`, `split`; `matches` is there where `=~` is"""
    casts: Casts

    def nothing_of(self, datatype: str | None) -> str:
        """A NULL in place of a value of the datatype."""
        if not self.typed_null:
            return "NULL"
        name = {XSD_INTEGER: "integer", XSD_BOOLEAN: "boolean", XSD_DATE: "date"}.get(datatype or "", "string")
        return self.casts[name][0].format("NULL")

    def relationship_type(self, name: str) -> str:
        """The type of a relationship. Raises DiagnosticError UQ500 where there is no way to say it."""
        if self.type_of is None:
            raise fail("UQ500", f"the type of a relationship cannot be asked for in the dialect {self.name}")
        return self.type_of.format(name)


OPENCYPHER_FUNCTIONS: Final = {
    "upper": "toUpper",
    "lower": "toLower",
    "length": "size",
    "split": "split",
    "matches": "=~",
}
NEO4J_TIMES: Final = {
    "date": "date({0})",
    "datetime": "datetime({0})",
    "localdatetime": "localdatetime({0})",
    "time": "time({0})",
    "localtime": "localtime({0})",
}
OPENCYPHER_CASTS: Final[Casts] = {
    "integer": ("toInteger({0})", XSD_INTEGER),
    "decimal": ("toFloat({0})", None),
    "double": ("toFloat({0})", XSD_DOUBLE),
    "float": ("toFloat({0})", XSD_DOUBLE),
    "boolean": ("toBoolean({0})", XSD_BOOLEAN),
    "string": ("toString({0})", XSD_STRING),
}
NEO4J_CASTS: Final[Casts] = {
    **OPENCYPHER_CASTS,
    # by way of the text, because a property may hold a date, a date-time or a text
    "date": ("date(left(toString({0}), 10))", None),
    "datetime": ("localdatetime(toString({0}))", None),
    "time": ("localtime(toString({0}))", None),
    "duration": ("duration(toString({0}))", None),
}


def without(table: Mapping[str, str], *names: str) -> dict[str, str]:
    """The table without these entries."""
    return {name: text for name, text in table.items() if name not in names}
