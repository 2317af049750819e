"""The commands on graphs and schemas."""

from __future__ import annotations

from uniqgen_ir.cli.arguments.options import GRAPH_HELP, Commands, command, graph_option, mapping_options, output_format


def add_init(commands: Commands) -> None:
    """`uniqgen init`."""
    parser = command(commands, "init", "make this folder a project: uniqgen.toml, a schema, an empty lexicon")
    parser.add_argument("--graph", action="append", metavar="G", required=True, help=GRAPH_HELP)
    parser.add_argument("--force", action="store_true", help="write over files that are there already")
    output_format(parser, "text", "json")


def add_schema(commands: Commands) -> None:
    """`uniqgen schema`."""
    parser = command(commands, "schema", "write a schema (.cts) from a graph or from another kind of schema")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    infer = command(actions, "infer", "the schema that a graph keeps to")
    graph_option(infer, required=True)
    infer.add_argument("--name", default="inferred", metavar="NAME", help="name of the schema (default: inferred)")
    infer.add_argument(
        "--support", type=int, default=10, metavar="N", help="subjects that make a predicate functional (default: 10)"
    )
    imported = command(actions, "import", "RDFS, OWL, SHACL or VoID; JSON of Neo4j and tool chains; text for prompts")
    imported.add_argument("file", metavar="FILE", help="a file (.ttl .nt .rdf .owl .jsonld .json .txt)")
    imported.add_argument("--name", metavar="NAME", help="name of the schema (default: that of the file)")
    exported = command(actions, "export", "a schema in the form of another tool")
    exported.add_argument("file", metavar="FILE", help="a schema: .cts, or what `import` reads")
    forms = ("rdfs", "shacl", "void", "json", "langchain-json", "langchain-text", "neo4j-graphrag")
    exported.add_argument("--to", dest="target", choices=forms, required=True, help="the form")
    compared = command(actions, "diff", "what changed between two schemas, and the specifications that it breaks")
    compared.add_argument("old", metavar="OLD", help="a schema: .cts, or what `import` reads")
    compared.add_argument("new", metavar="NEW", help="the schema that takes its place")
    compared.add_argument("specifications", nargs="*", metavar="SPEC", help="tables or queries that must go on working")
    compared.set_defaults(out=None)
    output_format(compared, "text", "json")
    for one in (infer, imported, exported):
        one.add_argument("-o", "--out", metavar="FILE", help="write here instead of standard output")
        one.add_argument("--force", action="store_true", help="write over a file that is there already")


def add_export(commands: Commands) -> None:
    """`uniqgen export`."""
    parser = command(commands, "export", "write a graph, through its mapping, for loading elsewhere")
    parser.add_argument("folder", metavar="DIR", help="a new or empty folder")
    graph_option(parser, required=True)
    mapping_options(parser)
    parser.add_argument(
        "--to",
        dest="target",
        required=True,
        choices=("nt", "neptune-csv", "neo4j-csv", "cypher"),
        help="N-Triples, the bulk loaders' CSV files of Neptune or neo4j-admin, or a Cypher script",
    )
    output_format(parser, "text", "json")


def add_snapshot(commands: Commands) -> None:
    """`uniqgen snapshot`."""
    parser = command(commands, "snapshot", "cut the surroundings of some nodes out of a graph, with a manifest")
    parser.add_argument("folder", metavar="DIR", help="a new or empty folder; with --check, a snapshot")
    graph_option(parser, required=False)
    mapping_options(parser)
    parser.add_argument(
        "--around",
        action="append",
        default=[],
        metavar="NAME",
        help="an IRI or a label; @FILE has one a line (repeatable)",
    )
    parser.add_argument("--hops", type=int, default=2, metavar="K", help="how far to walk, both ways (default: 2)")
    parser.add_argument(
        "--hub-limit", type=int, default=0, metavar="N", help="do not walk on from nodes with more edges (0: no limit)"
    )
    parser.add_argument("--check", action="store_true", help="only check that the files are those of the manifest")
    output_format(parser, "text", "json")
