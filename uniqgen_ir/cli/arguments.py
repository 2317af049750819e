"""The argument parser: every command and flag, with its help. Imports nothing heavy."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from uniqgen_ir import __version__
from uniqgen_ir.project_file import find_project_file

FILE_HELP = "a file, or - for standard input"
GRAPH_HELP = (
    "graph to use, repeatable: a file or folder (.nt .ttl .tsv .cypher .csv, each also .gz), a file of questions with "
    "their subgraphs (.jsonl), the name of a bundled "
    "graph (almanac), a SPARQL endpoint (sparql+http://host:port/path), or a server behind Bolt (bolt://host:port, neo4j://host:port)"
)
LANGUAGES = ("ctable", "json", "sparql", "cypher")
ENGINES = ("oxigraph", "ladybug", "kglite", "reference", "sparql-http", "bolt")
EXPERIMENTS = ("perfect-oracle", "search-order")
STRATEGIES = ("exact", "greedy", "beam")

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # pyright: ignore[reportPrivateUsage]


def build_parser() -> argparse.ArgumentParser:
    """The parser of `uniqgen`."""
    parser = argparse.ArgumentParser(
        prog="uniqgen",
        description="From a question, or a hand-written constraint table, to a minimal query in SPARQL and Cypher.",
        epilog="Exit codes: 0 done and clean, 1 wrong input or failed check, 2 usage, 3 store or model unreachable or "
        "timed out, 4 internal error.",
    )
    parser.add_argument("--version", action="version", version=f"uniqgen {__version__}")
    parser.add_argument("--debug", action="store_true", help="let an error through with its traceback")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for add in (
        _demo,
        _init,
        _ask,
        _compile,
        _opt,
        _chase,
        _verify,
        _run,
        _check,
        _diff,
        _fmt,
        _schema,
        _explain,
        _export,
        _snapshot,
        _lsp,
        _serve,
        _mcp,
        _translate,
        _eval,
        _eval_bpc,
        _eval_robustness,
    ):
        add(commands)
    return parser


def _whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """A whole number in a range, as argparse wants to read it."""

    def read(text: str) -> int:
        value = int(text)
        if value < least or (most is not None and value > most):
            raise argparse.ArgumentTypeError(f"{value} is not {_range(least, most)}")
        return value

    read.__name__ = "whole number"
    return read


def _range(least: int, most: int | None) -> str:
    return f"at least {least}" if most is None else f"between {least} and {most}"


def _seconds(text: str) -> float:
    value = float(text)
    if not 0.0 < value <= 86_400.0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most 86400 seconds")
    return value


def _above_zero(text: str) -> float:
    value = float(text)
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


_above_zero.__name__ = "number"


def _share(text: str) -> float:
    value = float(text)
    if not 0.0 < value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most 1")
    return value


def _theta(text: str) -> float | str:
    """A share, or `auto`."""
    return text if text == "auto" else _share(text)


_theta.__name__ = "share"


def _theta_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--theta",
        type=_theta,
        metavar="X|auto",
        help="share of the reference answers to cover; auto: the one whose answers agree best with them (default: 1.0, "
        "and auto where they are a model's or one has a confidence below 1)",
    )


def _command(commands: Commands, name: str, summary: str) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
    parser.add_argument("-v", "--verbose", action="store_true", help="say on standard error what is being done")
    parser.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    parser.set_defaults(parser=parser)
    return parser


def _format(parser: argparse.ArgumentParser, *choices: str) -> None:
    parser.add_argument("--format", choices=choices, default=choices[0], help=f"output format (default: {choices[0]})")


def _graph(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    # a project file names the graph where the command line does not
    needed = required and find_project_file(Path.cwd()) is None
    parser.add_argument("--graph", action="append", metavar="G", required=needed, help=GRAPH_HELP)
    parser.set_defaults(uses_project=True, graph_required=required)


def _batch(parser: argparse.ArgumentParser, line: str) -> None:
    parser.add_argument(
        "--batch", metavar="FILE", help=f"JSON lines in, JSON lines out in the same order; a line holds {line}"
    )


def _input(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help=f"{what}: {FILE_HELP}")


def _mapping(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--schema", action="append", metavar="S", help="schema, lexicon and mapping file (.cts)")
    parser.add_argument(
        "--mapping",
        metavar="FILE",
        help="RDF names in a property graph: a .cts file or a preset (plain, freebase, n10s, neptune, ladybug)",
    )


def _demo(commands: Commands) -> None:
    parser = _command(commands, "demo", "answer a handful of questions on the bundled graph, no key, no server")
    parser.add_argument("--only", type=_whole(1), metavar="N", help="just the Nth question")
    _format(parser, "text", "json")


def _init(commands: Commands) -> None:
    parser = _command(commands, "init", "make this folder a project: uniqgen.toml, a schema, an empty lexicon")
    parser.add_argument("--graph", action="append", metavar="G", required=True, help=GRAPH_HELP)
    parser.add_argument("--force", action="store_true", help="write over files that are there already")
    _format(parser, "text", "json")


def _ask(commands: Commands) -> None:
    parser = _command(commands, "ask", "question → constraint table → chase and backchase → queries → answers")
    parser.add_argument("question", nargs="?", metavar="QUESTION", help="the question, in quotes")
    _graph(parser)
    _mapping(parser)
    parser.add_argument(
        "--lang", default="cypher,sparql", metavar="L,L", help="query languages to answer in (default: cypher,sparql)"
    )
    parser.add_argument("--offline", action="store_true", help="no language model (the default)")
    parser.add_argument(
        "--model", metavar="M", help="read the question with this model of the server that OPENAI_BASE_URL names"
    )
    _model(parser, recording=True)
    parser.add_argument(
        "--oracle", metavar="FILE", help="reference answers that a person knows: one a line, or JSON lines"
    )
    parser.add_argument("--k", type=_whole(1, 8), default=2, metavar="N", help="hops to walk, 1 to 8 (default: 2)")
    parser.add_argument(
        "--method", choices=("table", "traverse"), default="table", help="read a table, or walk to it (default: table)"
    )
    parser.add_argument(
        "--gather", choices=("hops", "traverse"), default="hops", help="what a model sees: all near, or what it walks"
    )
    parser.add_argument("--beam", type=_whole(1), default=4, metavar="N", help="width of the beam (default: 4)")
    parser.add_argument("--strategy", choices=STRATEGIES, default="greedy", help="search strategy (default: greedy)")
    _theta_option(parser)
    parser.add_argument("--trace", metavar="FILE", help="write the trace, one JSON object a line")
    parser.add_argument("--timeout", type=_seconds, default=30.0, metavar="S", help="seconds a query (default: 30)")
    parser.add_argument("--ids", action="store_true", help="answer with IRIs instead of labels")
    parser.add_argument(
        "--embeddings",
        action="store_true",
        help="match words to relations by meaning, too (needs the extra `embeddings`)",
    )
    _format(parser, "text", "json")
    _batch(parser, '"id" and "question"')
    parser.add_argument(
        "--jobs", type=_whole(1, 64), default=1, metavar="N", help="questions of a batch answered at once (default: 1)"
    )
    parser.add_argument(
        "--batch-budget", default="", metavar="calls=N,tokens=N,seconds=N", help="what a batch may spend on the model"
    )


def _history(text: str) -> int | str | None:
    """`full` as None, `auto` as it is, or how many steps of the past are shown."""
    return None if text == "full" else text if text == "auto" else _whole(0)(text)


_history.__name__ = "history"


def _model(parser: argparse.ArgumentParser, *, recording: bool) -> None:
    """How a model is used; the server's address and key come from the environment only."""
    parser.add_argument(
        "--history",
        type=_history,
        default="auto",
        metavar="K",
        help="past steps that each step of a walk or a ranking sees: a number, or full (default: 1; full offline)",
    )
    group = parser.add_argument_group("with a model")
    group.add_argument("--samples", type=_whole(1, 20), default=1, metavar="N", help="times answers are chosen")
    group.add_argument(
        "--context", type=_whole(100), default=2500, metavar="TOKENS", help="size of the list of relations"
    )
    group.add_argument("--price", default="", metavar="IN,OUT", help="price of a million tokens read and written")
    _model_calls(group)
    if recording:
        group.add_argument("--record", metavar="FILE", help="write every call of the model, one JSON object a line")
        group.add_argument("--replay", metavar="FILE", help="answer from recorded calls; nothing is sent")


def _model_calls(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    group.add_argument(
        "--model-budget", default="", metavar="calls=N,tokens=N,seconds=N", help="what one question may spend"
    )
    group.add_argument("--prompts", metavar="DIR", help="templates (.j2) and examples.jsonl in place of the packaged")
    group.add_argument("--no-model-cache", action="store_true", help="send what was answered before, too")


def _compile(commands: Commands) -> None:
    parser = _command(commands, "compile", "translate a table or query")
    _input(parser, "what to translate")
    parser.add_argument("--from", dest="source_language", choices=LANGUAGES, help="input (default: by file ending)")
    parser.add_argument("--to", dest="target", choices=("sparql", "cypher", "ctable", "json"), help="output language")
    parser.add_argument(
        "--dialect", metavar="NAME", help="dialect of the output, e.g. neo4j, ladybug, sparql, oxigraph"
    )
    _mapping(parser)
    _graph(parser)
    values = parser.add_mutually_exclusive_group()
    values.add_argument("--inline", action="store_true", help="write values into the query")
    values.add_argument("--params", action="store_true", help="keep values as parameters (default for Cypher)")
    parser.add_argument("--strict", action="store_true", help="an assumption about the mapping is an error")
    parser.add_argument(
        "--unbounded", default=None, metavar="refuse|bound:N|allow", help="what to do with paths that have no bound"
    )
    _format(parser, "text", "json")
    _batch(parser, '"id", "query" or "table", "language"')


def _opt(commands: Commands) -> None:
    parser = _command(commands, "opt", "run a pipeline of passes over a table and print the result")
    _input(parser, "the table")
    parser.add_argument("--passes", default="normalize", metavar="PIPELINE", help='e.g. "normalize, score"')
    _mapping(parser)
    _graph(parser)
    parser.add_argument("--answers", metavar="FILE", help="reference answers, for chase and backchase")
    parser.add_argument("--engine", choices=ENGINES, default="oxigraph", help="engine (default: oxigraph)")
    parser.add_argument("--print-after-all", action="store_true", help="print the table after each pass")
    parser.add_argument("--print-after-change", action="store_true", help="print it after each pass that changed it")
    parser.add_argument("--timing", action="store_true", help="say how long each pass took")
    parser.add_argument("--list", action="store_true", help="list the passes and their options")
    _format(parser, "text", "json")


def _chase(commands: Commands) -> None:
    parser = _command(commands, "chase", "relax a table until it covers the reference answers, then minimise it")
    _input(parser, "the table")
    _graph(parser, required=True)
    parser.add_argument("--answers", metavar="FILE", help="reference answers: one a line, or JSON lines")
    parser.add_argument("--engine", choices=ENGINES, default="oxigraph", help="engine (default: oxigraph)")
    parser.add_argument("--strategy", choices=STRATEGIES, default="exact", help="search strategy (default: exact)")
    parser.add_argument("--objective", choices=("minimal", "tight"), default="minimal", help="default: minimal")
    parser.add_argument("--evidence", choices=("data", "schema"), default="data", help="default: data")
    _mapping(parser)
    _theta_option(parser)
    parser.add_argument("--beam", type=_whole(1), default=4, metavar="N", help="width of the beam (default: 4)")
    parser.add_argument("--budget", default="", metavar="calls=N,ms=N", help="limits of the search")
    parser.add_argument("--trace", metavar="FILE", help="write the trace, one JSON object a line")
    parser.add_argument("--explain", action="store_true", help="tell the story of each row on standard error")
    parser.add_argument("--lattice", metavar="FILE", help="draw the sets that were tried: .svg, .dot or .json")
    _format(parser, "text", "json")
    _batch(parser, '"id", "table", "answers"')


def _verify(commands: Commands) -> None:
    parser = _command(commands, "verify", "replay a trace's certificates against the graph")
    _input(parser, "the trace")
    _graph(parser, required=True)
    _mapping(parser)
    parser.add_argument("--engine", choices=ENGINES, default="oxigraph", help="engine (default: oxigraph)")
    _format(parser, "text", "json")


def _run(commands: Commands) -> None:
    parser = _command(commands, "run", "run a table or query on a graph")
    _input(parser, "the table or query")
    _graph(parser, required=True)
    parser.add_argument("--from", dest="source_language", choices=LANGUAGES, help="input (default: by file ending)")
    parser.add_argument("--engine", choices=ENGINES, default="oxigraph", help="engine (default: oxigraph)")
    parser.add_argument("--timeout", type=_seconds, default=30.0, metavar="S", help="seconds (default: 30)")
    parser.add_argument("--limit", type=_whole(0), metavar="N", help="at most N answers")
    parser.add_argument("--raw", action="store_true", help="send the text to the engine as it is")
    parser.add_argument("--param", action="append", metavar="NAME=VALUE", help="value of $NAME, repeatable")
    parser.add_argument("--typed", action="store_true", help="JSON cells with type, datatype and language")
    parser.add_argument(
        "--unbounded", default=None, metavar="refuse|bound:N|allow", help="what to do with paths that have no bound"
    )
    _mapping(parser)
    _format(parser, "table", "json", "csv")
    _batch(parser, '"id", "query" or "table", "language", "params"?')


def _check(commands: Commands) -> None:
    parser = _command(commands, "check", "judge a query before it reaches a database, and mend it")
    _input(parser, "the query")
    parser.add_argument("more", nargs="*", metavar="FILE", help="more queries, each in its own file")
    parser.add_argument("--from", dest="source_language", choices=("sparql", "cypher", "ctable"), help="language")
    parser.add_argument(
        "--schema", action="append", metavar="S", help="schema: .cts, .json, or RDFS/OWL (.ttl .nt .owl)"
    )
    _graph(parser)
    parser.add_argument("--dialect", metavar="NAME", help="the engine that is meant, e.g. neptune, memgraph, neo4j-25")
    parser.add_argument("--against", metavar="SPEC", help="a table that the query is proved against (.ctable)")
    parser.add_argument("--fix", action="store_true", help="apply the repair where it is safe")
    parser.add_argument(
        "--mapping", metavar="FILE", help="with --against: RDF names in a property graph (.cts or preset)"
    )
    _format(parser, "text", "json", "sarif", "github")
    _batch(parser, '"id", "query", "language", "schema"?, "dialect"?, "params"?, "policy"?')


def _diff(commands: Commands) -> None:
    parser = _command(commands, "diff", "compare two queries: equivalent, contained, or a graph on which they differ")
    parser.add_argument("a", nargs="?", metavar="A", help=f"a table or query: {FILE_HELP}")
    parser.add_argument("b", nargs="?", metavar="B", help="the other one, in any language")
    parser.add_argument("--from", dest="source_language", choices=LANGUAGES, help="of both (default: by file ending)")
    parser.add_argument("--sets", action="store_true", help="leave aside how often each answer comes")
    _mapping(parser)
    parser.set_defaults(graph=None)
    _format(parser, "text", "json")
    _batch(parser, '"id", "a" and "b" (each with "query" and "language"), "schema"?')


def _fmt(commands: Commands) -> None:
    parser = _command(commands, "fmt", "format table files, keeping comments")
    parser.add_argument("files", nargs="+", metavar="FILE", help=FILE_HELP)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 where a file would change")


def _explain(commands: Commands) -> None:
    parser = _command(commands, "explain", "print the page of a diagnostic")
    parser.add_argument("code", nargs="?", metavar="CODE", help="e.g. UQ202; without it, the list of all codes")
    _format(parser, "text", "json")


def _schema(commands: Commands) -> None:
    parser = _command(commands, "schema", "write a schema (.cts) from a graph or from another kind of schema")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    infer = _command(actions, "infer", "the schema that a graph keeps to")
    _graph(infer, required=True)
    infer.add_argument("--name", default="inferred", metavar="NAME", help="name of the schema (default: inferred)")
    infer.add_argument(
        "--support", type=int, default=10, metavar="N", help="subjects that make a predicate functional (default: 10)"
    )
    imported = _command(actions, "import", "RDFS, OWL, SHACL or VoID; JSON of Neo4j and tool chains; text for prompts")
    imported.add_argument("file", metavar="FILE", help="a file (.ttl .nt .rdf .owl .jsonld .json .txt)")
    imported.add_argument("--name", metavar="NAME", help="name of the schema (default: that of the file)")
    exported = _command(actions, "export", "a schema in the form of another tool")
    exported.add_argument("file", metavar="FILE", help="a schema: .cts, or what `import` reads")
    forms = ("rdfs", "shacl", "void", "json", "langchain-json", "langchain-text", "neo4j-graphrag")
    exported.add_argument("--to", dest="target", choices=forms, required=True, help="the form")
    compared = _command(actions, "diff", "what changed between two schemas, and the specifications that it breaks")
    compared.add_argument("old", metavar="OLD", help="a schema: .cts, or what `import` reads")
    compared.add_argument("new", metavar="NEW", help="the schema that takes its place")
    compared.add_argument("specifications", nargs="*", metavar="SPEC", help="tables or queries that must go on working")
    compared.set_defaults(out=None)
    _format(compared, "text", "json")
    for one in (infer, imported, exported):
        one.add_argument("-o", "--out", metavar="FILE", help="write here instead of standard output")
        one.add_argument("--force", action="store_true", help="write over a file that is there already")


def _export(commands: Commands) -> None:
    parser = _command(commands, "export", "write a graph, through its mapping, for loading elsewhere")
    parser.add_argument("folder", metavar="DIR", help="a new or empty folder")
    _graph(parser, required=True)
    _mapping(parser)
    parser.add_argument(
        "--to",
        dest="target",
        required=True,
        choices=("nt", "neptune-csv", "neo4j-csv", "cypher"),
        help="N-Triples, the bulk loaders' CSV files of Neptune or neo4j-admin, or a Cypher script",
    )
    _format(parser, "text", "json")


def _snapshot(commands: Commands) -> None:
    parser = _command(commands, "snapshot", "cut the surroundings of some nodes out of a graph, with a manifest")
    parser.add_argument("folder", metavar="DIR", help="a new or empty folder; with --check, a snapshot")
    _graph(parser, required=False)
    _mapping(parser)
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
    _format(parser, "text", "json")


def _lsp(commands: Commands) -> None:
    parser = _command(commands, "lsp", "language server for editors, over standard input and output")
    parser.add_argument("--stdio", action="store_true", help="accepted because editors say it; there is no other way")


def _serve(commands: Commands) -> None:
    parser = _command(commands, "serve", "a playground in the browser, and the HTTP service behind it")
    parser.add_argument("--api", action="store_true", help="the service alone, without the playground")
    parser.add_argument("--host", default="127.0.0.1", metavar="H", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument(
        "--port", type=_whole(0, 65535), default=8808, metavar="N", help="port; 0: a free one (default: 8808)"
    )
    parser.add_argument(
        "--rate", type=_above_zero, metavar="N", help="requests a second of one address (default: as many as it likes)"
    )
    _service(parser)


def _mcp(commands: Commands) -> None:
    _service(_command(commands, "mcp", "tools for language models (MCP) over standard input and output"))


def _service(parser: argparse.ArgumentParser) -> None:
    _graph(parser, required=True)
    _mapping(parser)
    parser.add_argument(
        "--store", metavar="URL", help="SPARQL endpoint (sparql+http://…) with the same graph, which then answers"
    )
    parser.add_argument("--seconds", type=_seconds, default=30.0, metavar="S", help="most of a request (default: 30)")
    parser.add_argument("--rows", type=_whole(1), default=10_000, metavar="N", help="most rows (default: 10000)")
    parser.add_argument("--concurrent", type=_whole(1, 256), default=8, metavar="N", help="requests worked on at once")
    parser.add_argument("--waiting", type=_whole(1), default=512, metavar="N", help="requests that may wait for that")
    parser.add_argument("--model", metavar="M", help="read questions with this model of the server OPENAI_BASE_URL")
    _model(parser, recording=False)
    parser.set_defaults(record=None, replay=None)


def _translate(commands: Commands) -> None:
    parser = _command(
        commands, "translate", "gold SPARQL of a data set as cleaned SPARQL and Cypher, one record a line"
    )
    parser.add_argument(
        "file",
        metavar="DATASET",
        help="WebQSP, ComplexWebQuestions, GrailQA or GraphQuestions as published (.json), or .jsonl with id and "
        "sparql; each also .gz",
    )
    _graph(parser)
    _mapping(parser)
    parser.add_argument("--dialect", default="cypher", metavar="NAME", help="dialect of Cypher (default: cypher)")
    parser.add_argument("--timeout", type=_seconds, default=20.0, metavar="S", help="seconds a run (default: 20)")
    parser.add_argument("--limit", type=_whole(0), metavar="N", help="only the first N records")
    parser.add_argument(
        "--out", metavar="FILE", help="write the lines here; a run that was stopped goes on where it stopped"
    )
    _format(parser, "text", "json")


def _eval(commands: Commands) -> None:
    parser = _command(commands, "eval", "F1, Hits@1 and exact match of one or several models on a data set")
    parser.add_argument(
        "file",
        metavar="DATASET",
        help=".jsonl with id, question and answers, or WebQSP, ComplexWebQuestions, GrailQA or GraphQuestions as "
        "published (.json); each also .gz",
    )
    _graph(parser, required=True)
    _mapping(parser)
    parser.add_argument("--model", action="append", metavar="M", help="repeatable; `offline` is one (default: offline)")
    parser.add_argument("--limit", type=_whole(1), metavar="N", help="N questions, spread over the data set")
    parser.add_argument("--ids", metavar="FILE", help="only the questions with these ids (a JSON list, or one a line)")
    parser.add_argument("--plain", action="store_true", help="ask in lower case and without marks")
    parser.add_argument("--jobs", type=_whole(1, 64), default=1, metavar="N", help="processes (default: 1)")
    parser.add_argument(
        "--out", metavar="FILE", help="a line for each answer; a run that was stopped goes on where it stopped"
    )
    parser.add_argument("--report", metavar="DIR", help="write report.json, report.md and report.svg here")
    parser.add_argument("--experiment", choices=EXPERIMENTS, help="with gold queries, in place of asking questions")
    parser.add_argument("--lang", default="sparql", metavar="L,L", help="query languages (default: sparql)")
    parser.add_argument("--k", type=_whole(1, 8), default=2, metavar="N", help="hops to walk, 1 to 8 (default: 2)")
    parser.add_argument("--timeout", type=_seconds, default=30.0, metavar="S", help="seconds a query (default: 30)")
    parser.add_argument("--embeddings", action="store_true", help="match words to relations by meaning, too")
    _model(parser, recording=False)
    _format(parser, "text", "json")


def _questions(parser: argparse.ArgumentParser, *, graph_required: bool = True) -> None:
    parser.add_argument("file", metavar="DATASET", help="a data set as `eval` takes it, with gold answers and queries")
    _graph(parser, required=graph_required)
    _mapping(parser)
    parser.add_argument("--limit", type=_whole(1), metavar="N", help="N questions, spread over the data set")
    parser.add_argument("--seed", type=int, default=42, metavar="N", help="fixes every random choice (default: 42)")
    parser.add_argument(
        "--out", metavar="FILE", help="a line for each answer; a run that was stopped goes on where it stopped"
    )
    parser.add_argument("--report", metavar="DIR", help="write report.json, report.md and plots here")
    _format(parser, "text", "json")


def _eval_bpc(commands: Commands) -> None:
    parser = _command(commands, "eval bpc", "what walks gain or lose by showing only the last K hops of their past")
    _questions(parser, graph_required=False)
    parser.add_argument(
        "--own-graphs",
        action="store_true",
        help="walk each question on the graph of its own record (a file as --subgraphs writes it)",
    )
    parser.add_argument(
        "--model",
        action="append",
        metavar="M",
        help="who chooses, repeatable: a model, `lexical` (the default), or a script: scripted:NOISE, "
        "reading:NOISE,DISTRACTION",
    )
    parser.add_argument("--ids", metavar="FILE", help="only the questions with these ids (a JSON list, or one a line)")
    parser.add_argument(
        "--controls", default="random,memory,tog", metavar="C,C", help="random, memory (no graph), tog (default: all)"
    )
    parser.add_argument("--width", type=_whole(1), default=3, metavar="N", help="relations a step (default: 3)")
    parser.add_argument("--depth", type=_whole(1, 8), default=3, metavar="N", help="hops of a walk (default: 3)")
    parser.add_argument("--beams", type=_whole(1), default=16, metavar="N", help="paths of a topic (default: 16)")
    parser.add_argument("--cap", type=_whole(1), default=50, metavar="N", help="relations shown (default: 50)")
    parser.add_argument(
        "--nodes", type=_whole(1), default=4000, metavar="N", help="most nodes of a neighbourhood (default: 4000)"
    )
    parser.add_argument("--subgraphs", metavar="FILE", help="write each question's neighbourhood here, a line for each")
    parser.add_argument("--history", default="0,1,2,full", metavar="K,K", help="the values of K (default: 0,1,2,full)")
    group = parser.add_argument_group("with a model")
    group.add_argument(
        "--synthetic",
        action="store_true",
        help="mark figures of models as synthetic: they are too small to be measured",
    )
    _model_calls(group)
    parser.set_defaults(price="", record=None)


def _eval_robustness(commands: Commands) -> None:
    parser = _command(commands, "eval robustness", "final F1 against the recall and precision of the reference answers")
    _questions(parser)
    parser.add_argument(
        "--shares", default="1,.9,.8,.7,.6,.5,.4,.3", metavar="X,X", help="shares of recall and precision, 0 to 1"
    )
