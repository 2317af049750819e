"""The project file as the default of `--graph`, `--schema` and `--mapping`."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from uniqgen_ir.project_file import find_project_file


def apply_project(options: Namespace) -> None:
    """Fill in what the command line leaves open. Raises DiagnosticError where the file cannot be used.

    With `--graph` the project is set aside as a whole: its schema and mapping speak of its own graph.
    """
    if not getattr(options, "uses_project", False) or options.graph or getattr(options, "own_graphs", False):
        return
    file = find_project_file(Path.cwd())
    if file is None:
        return
    from uniqgen_ir.ir.diagnostics import fail
    from uniqgen_ir.project import read_project

    project = read_project(file)
    options.graph = list(project.graph)
    if options.graph_required and not options.graph:
        raise fail("UQ680", f"{file} names no graph, and none is given", hint='graph = ["…"], or --graph G')
    options.label_property = project.label_property
    if hasattr(options, "schema"):
        options.schema = options.schema or list(project.schema)
        options.mapping = options.mapping or project.mapping
