"""`uniqgen schema infer`, `import`, `export` and `diff`."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.output import print_diagnostics, write_output
from uniqgen_ir.driver import KnowledgeGraph, load_vocabulary
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.schema import Schema


def run(options: Namespace) -> int:
    """Write a schema to standard output or a file, or say what changed between two."""
    if options.action == "diff":
        from uniqgen_ir.cli.commands.schema_diff import run_diff

        return run_diff(options)
    if options.out is not None:
        refuse_overwriting([Path(options.out)], force=options.force)
    text = {"infer": _inferred, "import": _imported, "export": _exported}[options.action](options)
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
    from uniqgen_ir.kg.inference.infer import infer_schema
    from uniqgen_ir.kg.inference.printing import print_inferred

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
    from uniqgen_ir.kg.inference.property_graph import schema_of_json

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
    from uniqgen_ir.kg.inference.imported import import_schema

    imported = import_schema(Path(options.file), options.name)
    print_diagnostics(imported.diagnostics)
    return print_document(imported.document)


def _exported(options: Namespace) -> str:
    from uniqgen_ir.kg.schema_forms.export import export_schema

    schema, prefixes = schema_of_file(options.file)
    text, warnings = export_schema(schema, prefixes, options.target)
    print_diagnostics(warnings)
    return text


def schema_of_file(file: str) -> tuple[Schema, tuple[tuple[str, str], ...]]:
    """The schema of a `.cts` file, or of a file of another kind, and its prefixes. Raises DiagnosticError."""
    if file.lower().endswith(".cts"):
        vocabulary = load_vocabulary([file])
        print_diagnostics(vocabulary.diagnostics)
        if vocabulary.schema is None:
            raise fail("UQ682", f"{file} declares no schema")
        return vocabulary.schema, vocabulary.prefixes
    from uniqgen_ir.kg.inference.imported import import_schema

    imported = import_schema(Path(file))
    print_diagnostics(imported.diagnostics)
    return imported.schema, imported.prefixes


def refuse_overwriting(files: list[Path], *, force: bool) -> None:
    """Raises DiagnosticError (UQ681) for files that are there already, unless `force` allows it."""
    there = [one for one in files if one.exists()]
    if there and not force:
        names = ", ".join(str(one) for one in there)
        raise fail(
            "UQ681", f"{names} {'is' if len(there) == 1 else 'are'} there already", hint="--force writes over it"
        )
