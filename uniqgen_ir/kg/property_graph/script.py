"""Property graphs from scripts of Cypher that create one: CREATE and MERGE of patterns, UNWIND of lists of constants,
MATCH of nodes by their labels and properties, SET, REMOVE. Statements that only declare constraints and indexes are
skipped; anything else is refused by its name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.kg.property_graph.facts import node_facts, node_iri, relationship_facts
from uniqgen_ir.kg.property_graph.script_constants import Binding, items_of
from uniqgen_ir.kg.property_graph.script_graph import Edge, Node, ScriptGraph
from uniqgen_ir.kg.property_graph.script_patterns import Patterns

_CLAUSES: Final = frozenset({"CREATE", "MERGE", "UNWIND", "MATCH", "SET", "REMOVE"})
_LOADING: Final = (
    "give the CSV files themselves as the graph, with headers such as `bookID:ID(Book),title` for nodes and"
    " `:START_ID(Author),:END_ID(Book),:TYPE` for relationships; or run the script in a database and give that"
)
_SCHEMA: Final = frozenset({"CONSTRAINT", "INDEX", "UNIQUE", "RANGE", "TEXT", "POINT", "LOOKUP", "FULLTEXT", "VECTOR"})


def script_facts(text: str, source: str, prefix: str = "") -> Iterator[Fact]:
    """The facts of a script. `prefix` keeps its nodes apart from those of other scripts.

    Raises DiagnosticError UQ628 for what does more than create data, UQ625 for what cannot be read.
    """
    graph = script_graph(text, source)
    # a sign between, or node 10 of file 1 would be node 0 of file 11
    prefix = f"{prefix}." if prefix else ""
    names = {id(node): node_iri(f"{prefix}{node.key}") for node in graph.nodes}
    for node in graph.nodes:
        yield from node_facts(names[id(node)], node.labels, node.properties)
    for number, edge in enumerate(graph.edges):
        ends: tuple[IRI, IRI] = (names[id(edge.source)], names[id(edge.target)])
        yield from relationship_facts(f"{prefix}{number}", edge.kind, *ends, edge.properties)


def script_graph(text: str, source: str) -> ScriptGraph:
    """The nodes and relationships that a script creates.

    Raises DiagnosticError UQ628 for what does more than create data, UQ625 for what cannot be read.
    """
    return _Script(text, source).run()


class _Script(Patterns):
    """Reads a script and runs it, clause by clause."""

    def run(self) -> ScriptGraph:
        while not self.at(""):
            if not self.take(";"):
                self.statement()
        return self.graph

    def statement(self) -> None:
        if self.is_schema():
            while not (self.at(";") or self.at("")):
                self.place += 1
            return
        rows: list[Binding] = [{}]
        while not (self.at(";") or self.at("")):
            rows = self.clause(rows)

    def is_schema(self) -> bool:
        following = self.tokens[min(self.place + 1, len(self.tokens) - 1)]
        if self.at("DROP"):
            return following.text.upper() in _SCHEMA
        return self.at("CREATE") and following.kind == "word" and following.text.upper() in _SCHEMA

    def clause(self, rows: list[Binding]) -> list[Binding]:
        word = self.token.text.upper()
        if self.token.kind != "word" or word not in _CLAUSES:
            hint = "a script of data has CREATE, MERGE, UNWIND of constants, MATCH of nodes, SET and REMOVE"
            hint = _LOADING if word == "LOAD" else hint
            raise self.fault("UQ628", f"{self.token.shown} does more than create data", hint)
        self.place += 1
        if word == "UNWIND":
            return self.unwind(rows)
        if word in ("SET", "REMOVE"):
            return self.for_each(rows, lambda row: self.changes(word, row))
        found = self.for_each(rows, lambda row: self.patterns(word, row))
        if word == "MERGE" and self.at("ON"):
            raise self.fault("UQ628", "ON CREATE and ON MATCH do more than create data")
        if self.at("WHERE"):
            raise self.fault("UQ628", "WHERE does more than create data", "write the properties inside the pattern")
        return found

    def unwind(self, rows: list[Binding]) -> list[Binding]:
        return self.for_each(rows, self.unwound)

    def unwound(self, row: Binding) -> list[Binding]:
        listed = self.expression(row)
        self.need("AS")
        name = self.name()
        return [{**row, name: item} for item in items_of(listed)]

    def changes(self, word: str, row: Binding) -> list[Binding]:
        change = self.set_item if word == "SET" else self.remove_item
        change(row)
        while self.take(","):
            change(row)
        return [row]

    def changed(self, row: Binding) -> object:
        """The node or relationship that is to change."""
        name = self.name()
        thing = row.get(name)
        if not self.reading_only and not isinstance(thing, Node | Edge):
            raise self.fault("UQ625", f"{name} is no node or relationship of this statement")
        return thing

    def remove_item(self, row: Binding) -> None:
        thing = self.changed(row)
        if self.take("."):
            key = self.name()
            if isinstance(thing, Node | Edge):
                self.graph.change(thing, {**thing.properties, key: None})
            return
        labels = self.labels()
        if not labels:
            raise self.fault("UQ625", f"`:` or `.` was expected, not {self.token.shown}")
        if isinstance(thing, Node):
            thing.labels = {one: None for one in thing.labels if one not in labels}

    def set_item(self, row: Binding) -> None:
        thing = self.changed(row)
        if self.take("."):
            key = self.name()
            self.need("=")
            value = self.value(row)
            if isinstance(thing, Node | Edge):
                self.graph.change(thing, {**thing.properties, key: value})
        elif self.at(":"):
            labels = self.labels()
            if isinstance(thing, Node):
                thing.labels |= dict.fromkeys(labels)
        else:
            more = self.take("+=")
            if not more:
                self.need("=")
            properties = self.properties(self.expression(row))
            if isinstance(thing, Node | Edge):
                self.graph.change(thing, {**thing.properties, **properties} if more else properties)
