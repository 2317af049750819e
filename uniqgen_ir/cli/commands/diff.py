"""`uniqgen diff`."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from uniqgen_ir.cli.batch import Record, run_batch
from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.inputs import open_graph, read_file, read_record
from uniqgen_ir.cli.output import diagnostic_json, print_json
from uniqgen_ir.driver import KnowledgeGraph, ReadOutcome, check, compare_tables, schema_of_content
from uniqgen_ir.ir.diagnostics import fail

if TYPE_CHECKING:
    from uniqgen_ir.ir.schema import Schema
    from uniqgen_ir.ir.table import Table
    from uniqgen_ir.passes.containment.verdict import Comparison


def run(options: Namespace) -> int:
    """Compare two queries, or a batch of pairs. The exit code is 0 whatever the verdict."""
    declared = [one for one in options.schema or () if one.endswith(".cts")]
    others = [one for one in options.schema or () if not one.endswith(".cts")]
    with open_graph(Namespace(**{**vars(options), "schema": declared})) as graph:
        if options.batch:
            if options.a or options.b:
                raise fail("UQ653", f"{options.a} and --batch {options.batch} are two inputs", hint="give one of them")
            return run_batch(options.batch, _Lines(options, graph, _schema(graph, others)).answer)
        if options.a is None or options.b is None:
            raise fail("UQ653", "two queries are compared", hint="uniqgen diff A B")
        if options.a == options.b == "-":
            raise fail("UQ653", "only one of the two can be standard input")
        a, b = (_table(options, name, graph) for name in (options.a, options.b))
        comparison = compare_tables(a, b, _schema(graph, others), as_sets=options.sets)
    if options.format == "json":
        print_json(comparison.to_json())
    else:
        _print(comparison)
    return EXIT_OK


def _table(options: Namespace, name: str, graph: KnowledgeGraph) -> Table:
    one = Namespace(**{**vars(options), "file": name, "unbounded": "allow"})
    return read_file(one, "query", graph, inspected=False).table


def _schema(graph: KnowledgeGraph, others: list[str]) -> Schema | None:
    """The schemas of `.cts` files, and those of other kinds of files."""
    if not others:
        return graph.vocabulary.schema
    if graph.vocabulary.schema is not None or len(others) > 1:
        raise fail("UQ653", "schemas of different kinds are not read together", hint="give one --schema")
    return schema_of_content(others[0])


class _Lines:
    """Answers the lines of a batch; equal schemas are read once."""

    def __init__(self, options: Namespace, graph: KnowledgeGraph, schema: Schema | None) -> None:
        self.options = Namespace(**{**vars(options), "unbounded": "allow"})
        self.graph, self.given = graph, schema
        self.known: dict[str, Schema | None] = {}

    def answer(self, record: Record) -> Record:
        """The comparison of one line. Raises DiagnosticError."""
        a, b = (self._side(record, name) for name in ("a", "b"))
        schema = self._schema(record.get("schema"))
        found = compare_tables(a.table, b.table, schema, as_sets=self.options.sets).to_json()
        warnings = [diagnostic_json(one) for one in (*a.diagnostics, *b.diagnostics)]
        return found | ({"diagnostics": warnings} if warnings else {})

    def _side(self, record: Record, name: str) -> ReadOutcome:
        side: Any = record.get(name)
        if not isinstance(side, dict):
            raise fail("UQ651", f'the line has no object "{name}"', hint='{"id", "a": {"query", "language"}, "b": …}')
        outcome = read_record(side, self.options, self.graph)  # pyright: ignore[reportUnknownArgumentType]
        check(outcome.table)
        return outcome

    def _schema(self, content: Any) -> Schema | None:
        if content is None:
            return self.given
        key = json.dumps(content, sort_keys=True)
        if key not in self.known:
            self.known[key] = schema_of_content(content)
        return self.known[key]


def _print(comparison: Comparison) -> None:
    """The verdict in the first line, then the reason, proofs and witness graphs."""
    found = comparison.to_json()
    print(found["verdict"])
    print(f"  {found['reason']}")
    for side, cases in found.get("proof", {}).items():
        print(f"proof, {side}:")
        for case in cases:
            print(f"  {_case(case)}")
    for side, witness in found.get("witness", {}).items():
        print(
            f"witness, not {side}: on this graph the answer {json.dumps(witness['answer'], ensure_ascii=False)}", end=""
        )
        print(
            f" comes {' and '.join(map(str, witness['times']))} times" if "times" in witness else " comes from one only"
        )
        for line in witness["graph"]:
            print(f"  {line}")
        for name, value in witness.get("parameters", {}).items():
            print(f"  ${name} = {json.dumps(value, ensure_ascii=False)}")


def _case(case: dict[str, Any]) -> str:
    if "empty" in case:
        return f"no answers: {case['empty']}"
    terms = ", ".join(f"{one} ↦ {term}" for one, term in case["homomorphism"].items()) or "nothing to map"
    return terms + (f"   where {' and '.join(case['when'])}" if case["when"] else "")
