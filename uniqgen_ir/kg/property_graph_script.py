"""Property graphs from scripts of Cypher that create one: CREATE and MERGE of patterns, UNWIND of lists of constants,
MATCH of nodes by their labels and properties, SET. Statements that only declare constraints and indexes are skipped;
anything else is refused by its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from attrs import define, field, frozen

from uniqgen_ir.ir.diagnostics import DiagnosticError, fail
from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.values import value_of
from uniqgen_ir.ir.vocabulary import XSD, XSD_DATE, XSD_DATE_TIME, XSD_TIME
from uniqgen_ir.kg.property_graph import Value, node_facts, node_iri, relationship_facts
from uniqgen_ir.kg.property_graph_tokens import Token, tokens

_FUNCTIONS: Final = {
    "date": XSD_DATE,
    "datetime": XSD_DATE_TIME,
    "localdatetime": XSD_DATE_TIME,
    "time": XSD_TIME,
    "localtime": XSD_TIME,
    "duration": XSD + "duration",
}
_CLAUSES: Final = frozenset({"CREATE", "MERGE", "UNWIND", "MATCH", "SET"})
_SCHEMA: Final = frozenset({"CONSTRAINT", "INDEX", "UNIQUE", "RANGE", "TEXT", "POINT", "LOOKUP", "FULLTEXT", "VECTOR"})


@define
class _Node:
    key: int
    labels: dict[str, None] = field(factory=dict[str, None])
    properties: dict[str, Value] = field(factory=dict[str, Value])


@define
class _Edge:
    kind: str
    source: _Node
    target: _Node
    properties: dict[str, Value] = field(factory=dict[str, Value])


Binding = dict[str, object]


def script_facts(text: str, source: str, prefix: str = "") -> Iterator[Fact]:
    """The facts of a script. `prefix` keeps its nodes apart from those of other scripts.

    Raises DiagnosticError UQ628 for what does more than create data, UQ625 for what cannot be read.
    """
    graph = _Script(text, source).run()
    names = {id(node): node_iri(f"{prefix}{node.key}") for node in graph.nodes}
    for node in graph.nodes:
        yield from node_facts(names[id(node)], node.labels, node.properties)
    for number, edge in enumerate(graph.edges):
        ends: tuple[IRI, IRI] = (names[id(edge.source)], names[id(edge.target)])
        yield from relationship_facts(f"{prefix}{number}", edge.kind, *ends, edge.properties)


@define
class _Graph:
    nodes: list[_Node] = field(factory=list[_Node])
    edges: list[_Edge] = field(factory=list[_Edge])
    _places: dict[tuple[str, str], list[_Node]] = field(factory=dict[tuple[str, str], "list[_Node]"])
    """nodes that have, or had, a value in a property"""

    def create(self, labels: list[str], properties: Mapping[str, Value]) -> _Node:
        node = _Node(len(self.nodes), dict.fromkeys(labels))
        self.nodes.append(node)
        self.change(node, properties)
        return node

    def change(self, thing: _Node | _Edge, properties: Mapping[str, Value]) -> None:
        """Give a node or relationship these properties in place of its own."""
        thing.properties = _without_nulls(properties)
        if isinstance(thing, _Node):
            for name, value in thing.properties.items():
                self._places.setdefault((name, repr(value)), []).append(thing)

    def find(self, labels: list[str], properties: Mapping[str, Value]) -> list[_Node]:
        """The nodes with these labels and properties; a property that is null equals nothing."""
        if any(value is None for value in properties.values()):
            return []
        wanted = list(properties.items())
        places = [(name, repr(value)) for name, value in wanted]
        candidates = self._places.get(places[0], []) if places else self.nodes
        return [
            one
            for one in dict(zip(map(id, candidates), candidates, strict=True)).values()
            if all(label in one.labels for label in labels)
            and all(one.properties.get(name) == value for name, value in wanted)
        ]


def _without_nulls(properties: Mapping[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in properties.items() if value is not None}


@frozen
class _NodeText:
    """A node as written: its name, labels and the place of its properties."""

    name: str | None
    labels: list[str]
    properties: object


@frozen
class _EdgeText:
    name: str | None
    kinds: list[str]
    properties: object
    left: bool
    right: bool


class _Script:
    """Reads a script and runs it, clause by clause."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.tokens = tokens(text, source)
        self.place = 0
        self.reading_only = False
        """no row is left: what follows is read and done for none"""
        self.graph = _Graph()

    def run(self) -> _Graph:
        while not self.at(""):
            if not self.take(";"):
                self.statement()
        return self.graph

    # ---- tokens ----------------------------------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        return self.tokens[self.place]

    def at(self, text: str) -> bool:
        """Whether this sign or word comes next; nothing: the end."""
        return self.token.is_text(text)

    def take(self, text: str) -> bool:
        if not self.at(text):
            return False
        self.place += 1
        return True

    def need(self, text: str) -> None:
        if not self.take(text):
            raise self.fault("UQ625", f"`{text}` was expected, not {self.token.shown}")

    def name(self) -> str:
        token = self.token
        if token.kind not in ("word", "quoted"):
            raise self.fault("UQ625", f"a name was expected, not {token.shown}")
        self.place += 1
        return token.text

    def fault(self, code: str, message: str, hint: str | None = None) -> DiagnosticError:
        span = Span.at(self.text, self.token.start, max(self.token.end, self.token.start + 1), self.source)
        return fail(code, f"line {span.line} of {self.source}: {message}", span, hint=hint)

    # ---- statements ------------------------------------------------------------------------------------------------

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
            hint = "a script of data has CREATE, MERGE, UNWIND of constants, MATCH of nodes and SET"
            raise self.fault("UQ628", f"{self.token.shown} does more than create data", hint)
        self.place += 1
        if word == "UNWIND":
            return self.unwind(rows)
        if word == "SET":
            return self.set(rows)
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
        return [{**row, name: item} for item in _items(listed)]

    def set(self, rows: list[Binding]) -> list[Binding]:
        return self.for_each(rows, self.set_items)

    def set_items(self, row: Binding) -> list[Binding]:
        self.set_item(row)
        while self.take(","):
            self.set_item(row)
        return [row]

    def for_each(self, rows: list[Binding], read: Callable[[Binding], list[Binding]]) -> list[Binding]:
        """Read the same text once for every row; for no row at all, once without doing anything."""
        start, found = self.place, list[Binding]()
        before, self.reading_only = self.reading_only, self.reading_only or not rows
        for row in rows or [{}]:
            self.place = start
            found += read(row)
        self.reading_only, nothing = before, self.reading_only
        return [] if nothing else found

    def set_item(self, row: Binding) -> None:
        name = self.name()
        thing = row.get(name)
        if not self.reading_only and not isinstance(thing, _Node | _Edge):
            raise self.fault("UQ625", f"{name} is no node or relationship of this statement")
        if self.take("."):
            key = self.name()
            self.need("=")
            value = self.value(row)
            if isinstance(thing, _Node | _Edge):
                self.graph.change(thing, {**thing.properties, key: value})
        elif self.at(":"):
            labels = self.labels()
            if isinstance(thing, _Node):
                thing.labels |= dict.fromkeys(labels)
        else:
            more = self.take("+=")
            if not more:
                self.need("=")
            properties = self.properties(self.expression(row))
            if isinstance(thing, _Node | _Edge):
                self.graph.change(thing, {**thing.properties, **properties} if more else properties)

    # ---- patterns --------------------------------------------------------------------------------------------------

    def patterns(self, word: str, row: Binding) -> list[Binding]:
        rows = self.pattern(word, row)
        while self.take(","):
            rows = self.for_each(rows, lambda one: self.pattern(word, one))
        return rows

    def pattern(self, word: str, row: Binding) -> list[Binding]:
        """Read one path and do with it what the clause says."""
        nodes, edges = [self.node(row)], list[_EdgeText]()
        while self.at("-") or self.at("<"):
            edges.append(self.edge(row))
            nodes.append(self.node(row))
        if self.reading_only:
            return []
        if word == "MATCH":
            return self.matched(row, nodes, edges)
        return [self.created(word, row, nodes, edges)]

    def node(self, row: Binding) -> _NodeText:
        self.need("(")
        name = self.name() if self.token.kind in ("word", "quoted") else None
        labels = self.labels()
        properties = self.expression(row) if self.at("{") else None
        self.need(")")
        return _NodeText(name, labels, properties)

    def labels(self) -> list[str]:
        found: list[str] = []
        while self.take(":") or (found and self.take("&")):
            found.append(self.name())
        return found

    def edge(self, row: Binding) -> _EdgeText:
        left = self.take("<")
        self.need("-")
        name, kinds, properties = None, list[str](), None
        if self.take("["):
            name = self.name() if self.token.kind in ("word", "quoted") else None
            if self.take(":"):
                kinds.append(self.name())
            properties = self.expression(row) if self.at("{") else None
            self.need("]")
        self.need("-")
        return _EdgeText(name, kinds, properties, left, self.take(">"))

    def properties(self, value: object) -> dict[str, Value]:
        if value is None:
            return {}
        if isinstance(value, _Node | _Edge):
            return dict(value.properties)
        if not isinstance(value, dict):
            raise self.fault("UQ625", "properties are a map, `{name: value}`")
        return {str(key): self.storable(one) for key, one in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]

    def storable(self, value: object) -> Value:
        if isinstance(value, list):
            return [self.storable(one) for one in _items(value)]  # pyright: ignore[reportUnknownArgumentType]
        if value is None or isinstance(value, Literal | str | int | float | bool):
            return value
        raise self.fault("UQ625", "a property holds constants or a list of them")

    def matched(self, row: Binding, nodes: list[_NodeText], edges: list[_EdgeText]) -> list[Binding]:
        if edges:
            raise self.fault("UQ628", "a MATCH of relationships does more than create data", "match the nodes")
        written = nodes[0]
        found = self.graph.find(written.labels, self.properties(written.properties))
        known = row.get(written.name) if written.name else None
        return [{**row, written.name: one} if written.name else row for one in found if known is None or one is known]

    def created(self, word: str, row: Binding, nodes: list[_NodeText], edges: list[_EdgeText]) -> Binding:
        row = dict(row)
        alone = not edges
        ends = [self.end(word if alone else "CREATE", row, one, word) for one in nodes]
        for written, left, right in zip(edges, ends, ends[1:], strict=False):
            self.relationship(word, row, written, left, right)
        return row

    def end(self, how: str, row: Binding, written: _NodeText, word: str) -> _Node:
        known = row.get(written.name) if written.name else None
        if known is not None:
            if not isinstance(known, _Node) or written.labels or written.properties is not None:
                raise self.fault("UQ625", f"{written.name} is there already and cannot be created again")
            return known
        if word == "MERGE" and how == "CREATE":
            raise self.fault(
                "UQ628", "MERGE of a path with new nodes does more than create data", "merge its nodes first"
            )
        properties = self.properties(written.properties)
        found = self.graph.find(written.labels, properties) if how == "MERGE" else []
        node = found[0] if found else self.graph.create(written.labels, properties)
        if written.name:
            row[written.name] = node
        return node

    def relationship(self, word: str, row: Binding, written: _EdgeText, left: _Node, right: _Node) -> None:
        if written.left == written.right or len(written.kinds) != 1:
            raise self.fault("UQ625", "a relationship that is created has one type and one direction")
        source, target = (right, left) if written.left else (left, right)
        properties = _without_nulls(self.properties(written.properties))
        edge = _Edge(written.kinds[0], source, target, properties)
        same = [one for one in self.graph.edges if _is_same(one, edge)] if word == "MERGE" else []
        if same:
            edge = same[0]
        else:
            self.graph.edges.append(edge)
        if written.name:
            row[written.name] = edge

    # ---- constants -------------------------------------------------------------------------------------------------

    def value(self, row: Binding) -> Value:
        return self.storable(self.expression(row))

    def expression(self, row: Binding) -> object:
        value = self.constant(row)
        while self.at(".") or self.at("["):
            value = self.part(value, row)
        return value

    def part(self, value: object, row: Binding) -> object:
        if self.take("."):
            key = self.name()
            if isinstance(value, _Node | _Edge):
                return value.properties.get(key)
            return value.get(key) if isinstance(value, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        self.need("[")
        place = self.expression(row)
        self.need("]")
        if isinstance(value, list) and isinstance(place, int):
            return value[place] if -len(value) <= place < len(value) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return value.get(place) if isinstance(value, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]

    def constant(self, row: Binding) -> object:
        token = self.token
        if token.kind in ("text", "number"):
            self.place += 1
            return token.value
        if self.take("-"):
            value = self.constant(row)
            if isinstance(value, int | float) and not isinstance(value, bool):
                return -value
            raise self.fault("UQ625", "only a number has a sign")
        if self.at("["):
            return self.listed(row)
        if self.at("{"):
            return self.map(row)
        if token.kind not in ("word", "quoted"):
            raise self.fault("UQ625", f"a constant was expected, not {token.shown}")
        self.place += 1
        if token.kind == "word" and token.text.lower() in ("true", "false", "null"):
            return {"true": True, "false": False, "null": None}[token.text.lower()]
        if self.at("("):
            return self.call(token, row)
        if token.text in row or self.reading_only:
            return row.get(token.text)
        raise self.fault("UQ625", f"{token.text} is not known here")

    def listed(self, row: Binding) -> list[object]:
        self.need("[")
        items: list[object] = []
        while not self.take("]"):
            items.append(self.expression(row))
            if not self.at("]"):
                self.need(",")
        return items

    def map(self, row: Binding) -> dict[str, object]:
        self.need("{")
        entries: dict[str, object] = {}
        while not self.take("}"):
            key = self.token.value if self.token.kind == "text" else self.name()
            if self.token.kind == "text":
                self.place += 1
            self.need(":")
            entries[str(key)] = self.expression(row)
            if not self.at("}"):
                self.need(",")
        return entries

    def call(self, function: Token, row: Binding) -> Literal:
        datatype = _FUNCTIONS.get(function.text.lower())
        if datatype is None:
            raise self.fault("UQ628", f"the function {function.text} is more than a constant")
        self.need("(")
        text = self.expression(row)
        self.need(")")
        literal = Literal(_seconds_too(str(text)) if datatype in (XSD_DATE_TIME, XSD_TIME) else str(text), datatype)
        if not isinstance(text, str) or value_of(literal) is None:
            raise self.fault("UQ625", f"{function.text}({text!r}) is no {datatype.removeprefix(XSD)}")
        return literal


def _items(value: object) -> list[object]:
    """The items of a list; of null none, of anything else itself."""
    if isinstance(value, list):
        return list[object](value)  # pyright: ignore[reportUnknownArgumentType]
    return [] if value is None else [value]


def _is_same(one: _Edge, other: _Edge) -> bool:
    """Whether a MERGE finds its relationship in another: the same ends and type, and at least its properties."""
    same = one.kind == other.kind and one.source is other.source and one.target is other.target
    return same and other.properties.items() <= one.properties.items()


def _seconds_too(text: str) -> str:
    """`10:15` as `10:15:00`: seconds may be left out in Cypher."""
    return re.sub(r"(^|T)(\d\d:\d\d)(?!:?\d)", r"\1\2:00", text, count=1)
