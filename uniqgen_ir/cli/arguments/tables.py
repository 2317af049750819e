"""The commands on tables and queries."""

from __future__ import annotations

from uniqgen_ir.cli.arguments.kinds import seconds, whole
from uniqgen_ir.cli.arguments.options import (
    ENGINES,
    FILE_HELP,
    LANGUAGES,
    STRATEGIES,
    Commands,
    batch_option,
    command,
    graph_option,
    input_file,
    mapping_options,
    output_format,
    theta_option,
)


def add_compile(commands: Commands) -> None:
    """`uniqgen compile`."""
    parser = command(commands, "compile", "translate a table or query")
    input_file(parser, "what to translate")
    parser.add_argument("--from", dest="source_language", choices=LANGUAGES, help="input (default: by file ending)")
    parser.add_argument("--to", dest="target", choices=("sparql", "cypher", "ctable", "json"), help="output language")
    parser.add_argument(
        "--dialect", metavar="NAME", help="dialect of the output, e.g. neo4j, ladybug, sparql, oxigraph"
    )
    mapping_options(parser)
    graph_option(parser)
    values = parser.add_mutually_exclusive_group()
    values.add_argument("--inline", action="store_true", help="write values into the query")
    values.add_argument("--params", action="store_true", help="keep values as parameters (default for Cypher)")
    parser.add_argument("--strict", action="store_true", help="an assumption about the mapping is an error")
    parser.add_argument(
        "--unbounded", default=None, metavar="refuse|bound:N|allow", help="what to do with paths that have no bound"
    )
    output_format(parser, "text", "json")
    batch_option(parser, '"id", "query" or "table", "language"')


def add_opt(commands: Commands) -> None:
    """`uniqgen opt`."""
    parser = command(commands, "opt", "run a pipeline of passes over a table and print the result")
    input_file(parser, "the table")
    parser.add_argument("--passes", default="normalize", metavar="PIPELINE", help='e.g. "normalize, score"')
    mapping_options(parser)
    graph_option(parser)
    parser.add_argument("--answers", metavar="FILE", help="reference answers, for chase and backchase")
    parser.add_argument("--engine", choices=ENGINES, default="oxigraph", help="engine (default: oxigraph)")
    parser.add_argument("--print-after-all", action="store_true", help="print the table after each pass")
    parser.add_argument("--print-after-change", action="store_true", help="print it after each pass that changed it")
    parser.add_argument("--timing", action="store_true", help="say how long each pass took")
    parser.add_argument("--list", action="store_true", help="list the passes and their options")
    output_format(parser, "text", "json")


def add_chase(commands: Commands) -> None:
    """`uniqgen chase`."""
    parser = command(commands, "chase", "relax a table until it covers the reference answers, then minimise it")
    input_file(parser, "the table")
    graph_option(parser, required=True)
    parser.add_argument("--answers", metavar="FILE", help="reference answers: one a line, or JSON lines")
    parser.add_argument("--engine", choices=ENGINES, default="oxigraph", help="engine (default: oxigraph)")
    parser.add_argument("--strategy", choices=STRATEGIES, default="exact", help="search strategy (default: exact)")
    parser.add_argument("--objective", choices=("minimal", "tight"), default="minimal", help="default: minimal")
    parser.add_argument("--evidence", choices=("data", "schema"), default="data", help="default: data")
    mapping_options(parser)
    theta_option(parser)
    parser.add_argument("--beam", type=whole(1), default=4, metavar="N", help="width of the beam (default: 4)")
    parser.add_argument("--budget", default="", metavar="calls=N,ms=N", help="limits of the search")
    parser.add_argument("--trace", metavar="FILE", help="write the trace, one JSON object a line")
    parser.add_argument("--explain", action="store_true", help="tell the story of each row on standard error")
    parser.add_argument("--lattice", metavar="FILE", help="draw the sets that were tried: .svg, .dot or .json")
    output_format(parser, "text", "json")
    batch_option(parser, '"id", "table", "answers"')


def add_verify(commands: Commands) -> None:
    """`uniqgen verify`."""
    parser = command(commands, "verify", "replay a trace's certificates against the graph")
    input_file(parser, "the trace")
    graph_option(parser, required=True)
    mapping_options(parser)
    parser.add_argument("--engine", choices=ENGINES, default="oxigraph", help="engine (default: oxigraph)")
    parser.add_argument(
        "--timeout", type=seconds, default=30.0, metavar="S", help="seconds for a statement of the replay (default: 30)"
    )
    output_format(parser, "text", "json")


def add_run(commands: Commands) -> None:
    """`uniqgen run`."""
    parser = command(commands, "run", "run a table or query on a graph")
    input_file(parser, "the table or query")
    graph_option(parser, required=True)
    parser.add_argument("--from", dest="source_language", choices=LANGUAGES, help="input (default: by file ending)")
    parser.add_argument("--engine", choices=ENGINES, default="oxigraph", help="engine (default: oxigraph)")
    parser.add_argument("--timeout", type=seconds, default=30.0, metavar="S", help="seconds (default: 30)")
    parser.add_argument("--limit", type=whole(0), metavar="N", help="at most N answers")
    parser.add_argument("--raw", action="store_true", help="send the text to the engine as it is")
    parser.add_argument("--param", action="append", metavar="NAME=VALUE", help="value of $NAME, repeatable")
    parser.add_argument("--typed", action="store_true", help="JSON cells with type, datatype and language")
    parser.add_argument(
        "--unbounded", default=None, metavar="refuse|bound:N|allow", help="what to do with paths that have no bound"
    )
    mapping_options(parser)
    output_format(parser, "table", "json", "csv")
    batch_option(parser, '"id", "query" or "table", "language", "params"?')


def add_check(commands: Commands) -> None:
    """`uniqgen check`."""
    parser = command(commands, "check", "judge a query before it reaches a database, and mend it")
    input_file(parser, "the query")
    parser.add_argument("more", nargs="*", metavar="FILE", help="more queries, each in its own file")
    parser.add_argument("--from", dest="source_language", choices=("sparql", "cypher", "ctable"), help="language")
    parser.add_argument(
        "--schema", action="append", metavar="S", help="schema: .cts, .json, or RDFS/OWL (.ttl .nt .owl)"
    )
    graph_option(parser)
    parser.add_argument("--dialect", metavar="NAME", help="the engine that is meant, e.g. neptune, memgraph, neo4j-25")
    parser.add_argument("--against", metavar="SPEC", help="a table that the query is proved against (.ctable)")
    parser.add_argument("--fix", action="store_true", help="apply the repair where it is safe")
    parser.add_argument(
        "--mapping", metavar="FILE", help="with --against: RDF names in a property graph (.cts or preset)"
    )
    output_format(parser, "text", "json", "sarif", "github")
    batch_option(parser, '"id", "query", "language", "schema"?, "dialect"?, "params"?, "policy"?')


def add_diff(commands: Commands) -> None:
    """`uniqgen diff`."""
    parser = command(commands, "diff", "compare two queries: equivalent, contained, or a graph on which they differ")
    parser.add_argument("a", nargs="?", metavar="A", help=f"a table or query: {FILE_HELP}")
    parser.add_argument("b", nargs="?", metavar="B", help="the other one, in any language")
    parser.add_argument("--from", dest="source_language", choices=LANGUAGES, help="of both (default: by file ending)")
    parser.add_argument("--sets", action="store_true", help="leave aside how often each answer comes")
    mapping_options(parser)
    parser.set_defaults(graph=None)
    output_format(parser, "text", "json")
    batch_option(parser, '"id", "a" and "b" (each with "query" and "language"), "schema"?')


def add_fmt(commands: Commands) -> None:
    """`uniqgen fmt`."""
    parser = command(commands, "fmt", "format table files, keeping comments")
    parser.add_argument("files", nargs="+", metavar="FILE", help=FILE_HELP)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 where a file would change")


def add_explain(commands: Commands) -> None:
    """`uniqgen explain`."""
    parser = command(commands, "explain", "print the page of a diagnostic")
    parser.add_argument("code", nargs="?", metavar="CODE", help="e.g. UQ202; without it, the list of all codes")
    output_format(parser, "text", "json")
