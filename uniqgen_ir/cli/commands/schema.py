"""`uniqgen schema infer` and `uniqgen schema import`."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.output import print_diagnostics, write_output
from uniqgen_ir.driver import KnowledgeGraph
from uniqgen_ir.ir.diagnostics import fail


def run(options: Namespace) -> int:
    """Write a schema to standard output or a file."""
    if options.out is not None:
        refuse_overwriting([Path(options.out)], force=options.force)
    text = _inferred(options) if options.action == "infer" else _imported(options)
    if options.out is None:
        print(text, end="")
    else:
        write_output(options.out, text)
        print(f"wrote {options.out}", file=sys.stderr)
    return EXIT_OK


def _inferred(options: Namespace) -> str:
    if options.support < 1:
        raise fail("UQ653", f"--support is {options.support}; it counts subjects, so it is at least 1")
    with KnowledgeGraph(options.graph) as graph:
        if graph.bolt is not None:
            return _of_server(graph, options.name)
        return inferred_schema(graph, options.name, options.support)


def inferred_schema(graph: KnowledgeGraph, name: str, min_support: int) -> str:
    """The schema that a graph keeps to, as the text of a `.cts` file. Raises DiagnosticError."""
    from uniqgen_ir.kg.infer import infer_schema
    from uniqgen_ir.kg.infer_print import print_inferred

    facts = graph.loaded.graph
    heading = (
        f"Inferred from {', '.join(graph.sources)}: {len(facts)} facts.\n"
        f"Every line holds for all of them today. `functional` needs {min_support} subjects behind it; what holds\n"
        "with fewer, and every `key`, is only a comment: add the word where it is a rule and not chance."
    )
    return print_inferred(infer_schema(facts, name, min_support=min_support), heading)


def _of_server(graph: KnowledgeGraph, name: str) -> str:
    """The schema of a server behind Bolt, with how much of it there is. Raises DiagnosticError, StoreError."""
    from uniqgen_ir.ir.document_printer import print_document
    from uniqgen_ir.kg.infer_property_graph import schema_of_json

    found = graph.server_schema()
    imported = schema_of_json(found.content, name)
    print_diagnostics(imported.diagnostics)
    counts = [f"# {label}: {count:,} nodes" for label, count in found.label_counts.items()]
    counts += [f"# {kind}: {count:,} relationships" for kind, count in found.type_counts.items()]
    seen = f"# Of these only the first 1,000 were looked at: {', '.join(found.sampled)}." if found.sampled else ""
    heading = "\n".join(one for one in (f"# Read from {graph.sources[0]}", *counts, seen) if one)
    return f"{heading}\n\n{print_document(imported.document)}"


def _imported(options: Namespace) -> str:
    from uniqgen_ir.ir.document_printer import print_document
    from uniqgen_ir.kg.infer_import import import_schema

    imported = import_schema(Path(options.file), options.name)
    print_diagnostics(imported.diagnostics)
    return print_document(imported.document)


def refuse_overwriting(files: list[Path], *, force: bool) -> None:
    """Raises DiagnosticError (UQ681) for files that are there already, unless `force` allows it."""
    there = [one for one in files if one.exists()]
    if there and not force:
        names = ", ".join(str(one) for one in there)
        raise fail(
            "UQ681", f"{names} {'is' if len(there) == 1 else 'are'} there already", hint="--force writes over it"
        )
