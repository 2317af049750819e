"""`uniqgen init`: a project file, a schema, an empty lexicon."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import Final

from uniqgen_ir.cli.commands.schema import inferred_schema, refuse_overwriting
from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.output import print_json, write_output
from uniqgen_ir.driver import KnowledgeGraph
from uniqgen_ir.ir.vocabulary import PG
from uniqgen_ir.kg.inference.infer import MIN_SUPPORT
from uniqgen_ir.kg.load import BUNDLED_GRAPHS
from uniqgen_ir.project_file import PROJECT_FILE

SCHEMA_FILE: Final = "schema.cts"
LEXICON_FILE: Final = "lexicon.cts"
FREEBASE: Final = "http://rdf.freebase.com/ns/"

_LEXICON: Final = """\
# Words that people use for the names of the schema, and what they imply without saying it.
# Take the `#` away and put your own names in.

lexicon words {
  # synonym "town", "municipality" = <http://example.org/City>
  # implied still_there: { ?x a <http://example.org/City> } => { ?x <http://example.org/status> "current" }
  #   @pragmatic(u = 0.3, "people mean towns of today")
}
"""


def run(options: Namespace) -> int:
    """Write the files into the current folder and say what they are. Nothing is written where anything is refused."""
    files = [Path(PROJECT_FILE), Path(SCHEMA_FILE), Path(LEXICON_FILE)]
    refuse_overwriting(files, force=options.force)
    with KnowledgeGraph(options.graph) as graph:
        schema = _schema(graph)
        labels = [one.value for one in graph.loaded.label_predicates]
        mapping = _mapping(graph)
        size = len(graph.loaded.graph)
    write_output(SCHEMA_FILE, schema)
    write_output(LEXICON_FILE, _LEXICON)
    write_output(PROJECT_FILE, _project(options.graph, labels, mapping))
    if options.format == "json":
        print_json(
            {
                "files": [str(one) for one in files],
                "graph": list(options.graph),
                "facts": size,
                "label_property": labels[0] if labels else None,
                "mapping": mapping,
            }
        )
    else:
        print(f"{PROJECT_FILE}: commands in this folder use {', '.join(options.graph)} ({size} facts)")
        print(f"{SCHEMA_FILE}: classes, relations and properties of the graph; correct what is chance")
        print(f"{LEXICON_FILE}: words of your own")
    if not labels:
        print("no label property found: answers will be IRIs", file=sys.stderr)
    return EXIT_OK


def _schema(graph: KnowledgeGraph) -> str:
    """A bundled graph has a schema written by hand, which knows more than can be inferred."""
    if len(graph.sources) == 1 and graph.sources[0] in BUNDLED_GRAPHS:
        (file,) = graph.vocabulary_files
        return Path(file).read_text(encoding="utf-8")
    return inferred_schema(graph, "inferred", MIN_SUPPORT)


def _mapping(graph: KnowledgeGraph) -> str | None:
    """The preset that fits the names of the graph; None where the schema file brings a mapping of its own.

    None of a property graph, too: its labels and properties are found by their names, `name` among them, which the
    presets take for the label of RDF.
    """
    if any(one in BUNDLED_GRAPHS for one in graph.sources) and graph.vocabulary.mapping is not None:
        return None
    predicates = [one.value for one in graph.loaded.graph.predicates]
    if any(one.startswith(PG) for one in predicates):
        return None
    return "freebase" if any(one.startswith(FREEBASE) for one in predicates) else "plain"


def _project(sources: list[str], labels: list[str], mapping: str | None) -> str:
    def listed(values: list[str]) -> str:
        # JSON's strings are TOML's, too
        return f"[{', '.join(json.dumps(one, ensure_ascii=False) for one in values)}]"

    lines = [
        "# What commands in this folder use where nothing else is said. Paths are relative to this file.",
        "",
        "# files, folders, URLs, names of bundled graphs",
        f"graph = {listed([_portable(one) for one in sources])}",
        "",
        "# schemas and lexicons",
        f"schema = {listed([SCHEMA_FILE, LEXICON_FILE])}",
        "",
        "# names of RDF in property graphs: a preset (plain, freebase, n10s, neptune, ladybug) or a .cts file",
        f"mapping = {json.dumps(mapping)}" if mapping else '# mapping = "plain"  # the graph brings its own names',
        "",
        "# the property that holds the names of things"
        + (f"; also found: {', '.join(labels[1:])}" if labels[1:] else ""),
        f"label_property = {json.dumps(labels[0])}" if labels else '# label_property = "…"',
    ]
    return "\n".join(lines) + "\n"


def _portable(source: str) -> str:
    """A path as the project's folder sees it; a bundled name or URL as it is."""
    if source in BUNDLED_GRAPHS or "://" in source or Path(source).is_absolute():
        return source
    path = os.path.normpath(Path(source).expanduser())
    # a plain name that is a folder here must not be taken for a bundled graph
    return path if os.sep in path or "." in path else f"./{path}"
