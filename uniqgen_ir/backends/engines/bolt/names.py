"""What names a property graph behind Bolt has, read from the server: a table's names are looked up, not guessed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final

from uniqgen_ir.backends.cypher.layout import EdgeForm, Form, PropertyForm
from uniqgen_ir.backends.cypher.presets import Preset
from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.backends.engines.bolt.engine import BoltEngine
from uniqgen_ir.ir.protocols import StoreError, StoreTimeout, StoreUnavailable

_SECONDS: Final = 30.0
_SAMPLE: Final = 200
_QUESTIONS: Final = {
    "labels": ("CALL db.labels() YIELD label RETURN label", "MATCH (n) UNWIND labels(n) AS one RETURN DISTINCT one"),
    "types": (
        "CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType",
        "MATCH ()-[r]->() RETURN DISTINCT type(r)",
    ),
    "properties": (
        "CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey",
        "MATCH (n) UNWIND keys(n) AS one RETURN DISTINCT one",
    ),
}
"""For each kind of name a procedure that looks it up, and a query for servers without it."""

_INDEXES: Final = (
    "SHOW INDEXES YIELD labelsOrTypes, properties, entityType WHERE entityType = 'NODE'"
    " RETURN labelsOrTypes, properties"
)


class ServerNames:
    """The labels, relationship types and property names of a server, each kind asked for once. Raises StoreError."""

    def __init__(self, engine: BoltEngine) -> None:
        self._engine = engine

    @cached_property
    def labels(self) -> frozenset[str]:
        return self._names("labels")

    @cached_property
    def types(self) -> frozenset[str]:
        return self._names("types")

    @cached_property
    def properties(self) -> frozenset[str]:
        return self._names("properties")

    def _names(self, kind: str) -> frozenset[str]:
        procedure, scan = _QUESTIONS[kind]
        try:
            rows = self.rows(procedure)
        except (StoreTimeout, StoreUnavailable):
            raise
        except StoreError:  # this server has no such procedure
            rows = self.rows(scan)
        return frozenset(str(row[0]) for row in rows)

    def rows(self, text: str) -> list[tuple[Any, ...]]:
        """The rows of a query about the graph."""
        return self._engine.ask(text, {}, _SECONDS).rows

    def common_label(self, key: str) -> str | None:
        """The label with an index on the key that every node has; None where there is none, or none can be known."""
        try:
            labels = {str(one) for row in self.rows(_INDEXES) if row[1] == [key] for one in row[0] or ()}
            total = self.rows("MATCH (n) RETURN count(n)")[0][0] if labels else 0
            counts = {one: self.rows(f"MATCH (n:{quote_name(one)}) RETURN count(n)")[0][0] for one in sorted(labels)}
        except (StoreTimeout, StoreUnavailable):
            raise
        except StoreError:  # this server does not list its indexes
            return None
        return next((one for one, count in counts.items() if count == total and total), None)

    def is_list(self, name: str) -> bool:
        """Whether a property holds lists, judged by some nodes that have it."""
        quoted = quote_name(name)
        rows = self.rows(f"MATCH (n) WHERE n.{quoted} IS NOT NULL RETURN n.{quoted} LIMIT {_SAMPLE}")
        return any(isinstance(row[0], list) for row in rows)


class ServerForms(Mapping[str, "tuple[Form, ...]"]):
    """The forms of predicates on a server, under a preset's names; looked up when a predicate is first asked for.

    A predicate whose names the server does not have has no form: it does not occur.
    """

    def __init__(self, names: ServerNames, preset: Preset) -> None:
        self.names = names
        self._preset = preset
        self._found: dict[str, tuple[Form, ...]] = {}

    def __getitem__(self, predicate: str) -> tuple[Form, ...]:
        if predicate not in self._found:
            self._found[predicate] = self._look_up(predicate)
        return self._found[predicate]

    def _look_up(self, predicate: str) -> tuple[Form, ...]:
        kind, name = self._preset.type(predicate), self._preset.property(predicate)
        edge = (EdgeForm(kind),) if kind in self.names.types else ()
        if name not in self.names.properties:
            return edge
        return (*edge, PropertyForm(name, None, self.names.is_list(name)))

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)
