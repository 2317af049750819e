"""Options that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TypeAlias

from uniqgen_ir.cli.arguments.kinds import history, theta, whole
from uniqgen_ir.project_file import find_project_file

FILE_HELP = "a file, or - for standard input"
GRAPH_HELP = (
    "graph to use, repeatable: a file or folder (.nt .ttl .tsv .cypher .csv, each also .gz), a file of questions with "
    "their subgraphs (.jsonl), the name of a bundled "
    "graph (almanac), a SPARQL endpoint (sparql+http://host:port/path), or a server behind Bolt (bolt://host:port, neo4j://host:port)"
)
LANGUAGES = ("ctable", "json", "sparql", "cypher")
ENGINES = ("oxigraph", "ladybug", "kglite", "reference", "sparql-http", "bolt")
EXPERIMENTS = ("perfect-oracle", "search-order", "plan-latency")
STRATEGIES = ("exact", "greedy", "beam")

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # pyright: ignore[reportPrivateUsage]


def command(commands: Commands, name: str, summary: str) -> argparse.ArgumentParser:
    """A command, with the flags that every one has."""
    parser = commands.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
    parser.add_argument("-v", "--verbose", action="store_true", help="say on standard error what is being done")
    parser.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    parser.set_defaults(parser=parser)
    return parser


def output_format(parser: argparse.ArgumentParser, *choices: str) -> None:
    """`--format`; the first choice is the default."""
    parser.add_argument("--format", choices=choices, default=choices[0], help=f"output format (default: {choices[0]})")


def graph_option(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """`--graph`; a project file may name it."""
    # a project file names the graph where the command line does not
    needed = required and find_project_file(Path.cwd()) is None
    parser.add_argument("--graph", action="append", metavar="G", required=needed, help=GRAPH_HELP)
    parser.set_defaults(uses_project=True, graph_required=required)


def batch_option(parser: argparse.ArgumentParser, line: str) -> None:
    """`--batch`; `line` says what a line of it holds."""
    parser.add_argument(
        "--batch", metavar="FILE", help=f"JSON lines in, JSON lines out in the same order; a line holds {line}"
    )


def input_file(parser: argparse.ArgumentParser, what: str) -> None:
    """The file that a command reads; `what` is in it."""
    parser.add_argument("file", nargs="?", metavar="FILE", help=f"{what}: {FILE_HELP}")


def mapping_options(parser: argparse.ArgumentParser) -> None:
    """`--schema` and `--mapping`."""
    parser.add_argument("--schema", action="append", metavar="S", help="schema, lexicon and mapping file (.cts)")
    parser.add_argument(
        "--mapping",
        metavar="FILE",
        help="RDF names in a property graph: a .cts file or a preset (plain, freebase, n10s, neptune, ladybug)",
    )


def theta_option(parser: argparse.ArgumentParser) -> None:
    """`--theta`."""
    parser.add_argument(
        "--theta",
        type=theta,
        metavar="X|auto",
        help="share of the reference answers to cover; auto: the one whose answers agree best with them (default: 1.0, "
        "and auto where they are a model's or one has a confidence below 1)",
    )


def model_options(parser: argparse.ArgumentParser, *, recording: bool) -> None:
    """How a model is used; the server's address and key come from the environment only."""
    parser.add_argument(
        "--history",
        type=history,
        default="auto",
        metavar="K",
        help="past steps that each step of a walk or a ranking sees: a number, or full (default: 1; full offline)",
    )
    group = parser.add_argument_group("with a model")
    group.add_argument("--samples", type=whole(1, 20), default=1, metavar="N", help="times answers are chosen")
    group.add_argument(
        "--context", type=whole(100), default=2500, metavar="TOKENS", help="size of the list of relations"
    )
    group.add_argument("--price", default="", metavar="IN,OUT", help="price of a million tokens read and written")
    model_call_options(group)
    if recording:
        group.add_argument("--record", metavar="FILE", help="write every call of the model, one JSON object a line")
        group.add_argument("--replay", metavar="FILE", help="answer from recorded calls; nothing is sent")


def model_call_options(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    """What calls of a model may cost, and what they are made of."""
    group.add_argument(
        "--model-budget", default="", metavar="calls=N,tokens=N,seconds=N", help="what one question may spend"
    )
    group.add_argument("--prompts", metavar="DIR", help="templates (.j2) and examples.jsonl in place of the packaged")
    group.add_argument("--no-model-cache", action="store_true", help="send what was answered before, too")
