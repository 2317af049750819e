"""The openCypher TCK for tests: scenarios, the graphs that they set up, and what they expect, as plain values.

Graphs become facts as `uniqgen_ir.grammar.cypher.names` describes: labels, relationship types and properties in
`urn:pg:`, and every relationship also as a node of its own.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from uniqgen_ir.grammar.cypher import ast, parse_cypher
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.lowering.labels import type_names
from uniqgen_ir.grammar.cypher.names import NODE, SOURCE, TARGET, Names
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal
from uniqgen_ir.ir.values import Single, value_of
from uniqgen_ir.ir.vocabulary import RDF_TYPE

FEATURES = Path(__file__).parents[2].parent / "shared" / "suites" / "tck" / "features"


@frozen
class Scenario:
    """One scenario, or one line of an outline. `error` is (kind, phase, detail) where it must fail."""

    name: str
    setup: tuple[str, ...]
    query: str
    columns: tuple[str, ...] | None
    rows: tuple[tuple[str, ...], ...]
    ordered: bool
    error: tuple[str, str, str] | None
    parameters: bool


def scenarios() -> Iterator[Scenario]:
    """Every scenario that executes a query, in the order of the files."""
    for path in sorted(FEATURES.rglob("*.feature")):
        blocks = re.split(r"\n  Scenario(?: Outline)?:", path.read_text(encoding="utf-8"))
        background = tuple(_quoted(r"having executed:", blocks[0]))
        for block in blocks[1:]:
            for scenario in _block(path.stem, block):
                yield evolve(scenario, setup=(*background, *scenario.setup))


def _block(feature: str, block: str) -> Iterator[Scenario]:
    name = f"{feature} {block.splitlines()[0].strip()}"
    body, _, examples = block.partition("Examples:")
    lines = _table(examples)
    for values in [dict(zip(lines[0], line, strict=True)) for line in lines[1:]] or [{}]:
        text = body
        for key, value in values.items():
            text = text.replace(f"<{key}>", value.replace("\\|", "|"))
        queries = _quoted(r"executing query:", text)
        if queries:
            error = re.search(r"Then an? (\w+) should be raised at (compile time|runtime|any time): (\S+)", text)
            result = re.search(r"result should be,? in (any order|order)[^:]*:\n((?:\s*\|.*\n?)+)", text)
            table = _table(result[2]) if result else []
            yield Scenario(
                name,
                tuple(_quoted(r"having executed:", text)),
                queries[0],
                tuple(table[0]) if table else None,
                tuple(map(tuple, table[1:])),
                result is not None and result[1] == "order",
                (error[1], error[2], error[3]) if error else None,
                "parameters are" in text,
            )


def _quoted(before: str, text: str) -> list[str]:
    return [textwrap.dedent(one) for one in re.findall(before + r'\s*\n\s*"""\n(.*?)\n\s*"""', text, re.DOTALL)]


def _table(text: str) -> list[list[str]]:
    rows = [line.strip() for line in text.splitlines() if line.strip().startswith("|")]
    return [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


class CannotBuildError(Exception):
    """The set-up uses more than CREATE of constants, or relationships that facts cannot tell apart."""


@define
class PropertyGraph:
    """Facts, and how each node and relationship looks."""

    graph: Graph = field(factory=Graph)
    shown: dict[GroundTerm, Any] = field(factory=dict[GroundTerm, Any])
    names: Names = field(factory=Names)
    count: int = 0

    def run(self, script: str) -> None:
        """Execute CREATE clauses. Raises CannotBuildError for anything else."""
        parse = parse_cypher(script)
        if not parse.valid or parse.statement is None or not isinstance(parse.statement.query, ast.SingleQuery):
            raise CannotBuildError(script)
        bound: dict[str, IRI] = {}
        for clause in parse.statement.query.clauses:
            if not isinstance(clause, ast.Create):
                raise CannotBuildError(script)
            for pattern in clause.patterns:
                self._path(pattern.elements, bound)

    def _path(self, elements: tuple[ast.PathElement, ...], bound: dict[str, IRI]) -> None:
        nodes = [self._node(one, bound) for one in elements[::2]]
        for place, element in enumerate(elements[1::2]):
            assert isinstance(element, ast.RelationshipPattern)
            ends = (nodes[place], nodes[place + 1])
            self._relationship(element, *(reversed(ends) if element.left else ends))

    def _fresh(self, kind: str) -> IRI:
        self.count += 1
        return IRI(f"urn:{kind}:{self.count}")

    def _node(self, node: ast.PathElement, bound: dict[str, IRI]) -> IRI:
        assert isinstance(node, ast.NodePattern)
        if node.variable is not None and node.variable.text in bound:
            return bound[node.variable.text]
        iri = self._fresh("node")
        if node.variable is not None:
            bound[node.variable.text] = iri
        labels = tuple(sorted(one.text for one in _label_names(node.labels)))
        self.graph.add((iri, IRI(RDF_TYPE), NODE))
        for label in labels:
            self.graph.add((iri, IRI(RDF_TYPE), self.names.label(label)))
        self.shown[iri] = ("node", labels, self._properties(iri, node.properties))
        return iri

    def _relationship(self, element: ast.RelationshipPattern, source: IRI, target: IRI) -> None:
        names = type_names(element.types)
        assert names is not None
        fact = (source, self.names.relation(names[0]).iri, target)
        if fact in self.graph:
            raise CannotBuildError("two relationships of one type between the same nodes")
        self.graph.add(fact)
        thing = self._fresh("relationship")
        reified = self.names.reified(names[0])
        assert reified is not None
        for predicate, value in ((IRI(RDF_TYPE), reified.type), (SOURCE, source), (TARGET, target)):
            self.graph.add((thing, predicate, value))
        self.shown[thing] = ("relationship", names, self._properties(thing, element.properties))

    def _properties(self, subject: IRI, properties: object) -> tuple[tuple[str, Any], ...]:
        if properties is None:
            return ()
        if not isinstance(properties, expressions.MapLiteral):
            raise CannotBuildError("a parameter")
        found: dict[str, Any] = {}
        for entry in properties.entries:
            value = constant(entry.value)
            if isinstance(value, tuple):
                raise CannotBuildError("a list")
            if value is not None:
                found[entry.key.text] = value
                self.graph.add((subject, self.names.property(entry.key.text).iri, Literal.of(value)))
        return tuple(sorted(found.items()))

    def plain(self, term: GroundTerm | None) -> Any:
        """What an answer shows: a value, or how the node or relationship looks."""
        if term is None or not isinstance(term, Literal):
            return None if term is None else self.shown.get(term, term)
        value = value_of(term)
        if isinstance(value, bool | str):
            return value
        if isinstance(value, Single):
            return float(value.value)
        try:
            return float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return term.lexical


def _label_names(labels: expressions.LabelExpression | None) -> list[expressions.LabelName]:
    if labels is None:
        return []
    if isinstance(labels, expressions.LabelAnd):
        return [one for operand in labels.operands for one in _label_names(operand)]
    assert isinstance(labels, expressions.LabelName)
    return [labels]


def constant(node: object) -> Any:
    """The value of a constant expression. Raises CannotBuildError for any other."""
    match node:
        case expressions.NullLiteral():
            return None
        case expressions.IntegerLiteral() | expressions.FloatLiteral():
            return node.value
        case expressions.StringLiteral() | expressions.BooleanLiteral():
            return node.value
        case expressions.Unary(operator="-", operand=operand):
            return -constant(operand)
        case expressions.ListLiteral(items=items):
            return tuple(constant(one) for one in items)
        case _:
            raise CannotBuildError(str(node))


def expected_value(cell: str) -> Any:
    """What a cell of the expected table says, in the form of `PropertyGraph.plain`."""
    text = cell
    if cell.startswith("(") and cell.endswith(")") and "-" not in cell.split("{")[0]:
        text = f"MATCH {cell} RETURN 1"
        element = _first(text, ast.NodePattern)
        labels = tuple(sorted(one.text for one in _label_names(element.labels)))
        return ("node", labels, _entries(element.properties))
    if cell.startswith("[:"):
        relationship = _first(f"MATCH ()-{cell}->() RETURN 1", ast.RelationshipPattern)
        return ("relationship", type_names(relationship.types), _entries(relationship.properties))
    parse = parse_cypher(f"RETURN {text} AS x")
    if parse.statement is None or not isinstance(parse.statement.query, ast.SingleQuery):
        raise CannotBuildError(cell)
    clause = parse.statement.query.clauses[0]
    assert isinstance(clause, ast.Return)
    value = constant(clause.projection.items[0].expression)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _entries(properties: object) -> tuple[tuple[str, Any], ...]:
    if properties is None:
        return ()
    assert isinstance(properties, expressions.MapLiteral)
    return tuple(sorted((one.key.text, constant(one.value)) for one in properties.entries))


def _first(text: str, kind: type[Any]) -> Any:
    from uniqgen_ir.grammar.cypher.walk import find

    parse = parse_cypher(text)
    assert parse.statement is not None
    return next(find(parse.statement, kind))


def counted(rows: list[tuple[Any, ...]]) -> Mapping[str, int]:
    """A bag of rows."""
    bag: dict[str, int] = {}
    for row in rows:
        bag[repr(row)] = bag.get(repr(row), 0) + 1
    return bag
