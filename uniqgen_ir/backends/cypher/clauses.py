"""Clauses of Cypher as parts, and what the conjunctions of one query share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from uniqgen_ir.backends.cypher.atoms import Expander
from uniqgen_ir.backends.cypher.dialects import CypherDialect
from uniqgen_ir.backends.cypher.layout import Layout
from uniqgen_ir.backends.cypher.quoting import ParameterBag, quote_name
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import Variable

if TYPE_CHECKING:
    from uniqgen_ir.backends.cypher.conjunction import ConjunctionWriter


class Impossible(Exception):
    """The conjunction has no solution in any graph laid out like this."""


@frozen
class Clause:
    """One clause: a keyword, what follows it, and the conditions of its WHERE. All text is marked with row ids.

    The items of an UNWIND are the list and the name.
    """

    keyword: str
    items: tuple[str, ...]
    where: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()
    """ORDER BY, SKIP and LIMIT of a WITH"""
    groups: tuple[str, ...] | None = None
    """what a WITH with aggregates groups by"""

    @property
    def takes_where(self) -> bool:
        """Whether conditions on what is bound so far can stand in it."""
        return self.keyword.startswith(("MATCH", "WITH"))


@define
class Context:
    """What all conjunctions of one query share."""

    dialect: CypherDialect
    layout: Layout
    bag: ParameterBag
    expander: Expander
    sub_table: Callable[[ConjunctionWriter, Row, Table], None]
    """writes a table inside a table: the renderer, which knows of heads and shells"""
    names: dict[Variable, str] = field(factory=dict[Variable, str])
    _taken: set[str] = field(factory=set[str])

    def name(self, variable: Variable) -> str:
        """The Cypher name of a variable, quoted where it needs to be."""
        if variable not in self.names:
            plain = variable.name.strip()
            self.names[variable] = quote_name(plain if plain and plain not in self._taken else self.fresh("v"))
            self._taken.add(plain)
        return self.names[variable]

    def fresh(self, stem: str) -> str:
        """A name that the query does not use yet."""
        number = 1
        while f"{stem}{number}" in self._taken:
            number += 1
        self._taken.add(f"{stem}{number}")
        return f"{stem}{number}"
