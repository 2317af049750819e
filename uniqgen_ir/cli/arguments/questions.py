"""The commands that answer questions."""

from __future__ import annotations

from uniqgen_ir.cli.arguments.kinds import seconds, whole
from uniqgen_ir.cli.arguments.options import (
    STRATEGIES,
    Commands,
    batch_option,
    command,
    graph_option,
    mapping_options,
    model_options,
    output_format,
    theta_option,
)


def add_demo(commands: Commands) -> None:
    """`uniqgen demo`."""
    parser = command(commands, "demo", "answer a handful of questions on the bundled graph, no key, no server")
    parser.add_argument("--only", type=whole(1), metavar="N", help="just the Nth question")
    output_format(parser, "text", "json")


def add_ask(commands: Commands) -> None:
    """`uniqgen ask`."""
    parser = command(commands, "ask", "question → constraint table → chase and backchase → queries → answers")
    parser.add_argument("question", nargs="?", metavar="QUESTION", help="the question, in quotes")
    graph_option(parser)
    mapping_options(parser)
    parser.add_argument(
        "--lang", default="cypher,sparql", metavar="L,L", help="query languages to answer in (default: cypher,sparql)"
    )
    parser.add_argument("--offline", action="store_true", help="no language model (the default)")
    parser.add_argument(
        "--model", metavar="M", help="read the question with this model of the server that OPENAI_BASE_URL names"
    )
    model_options(parser, recording=True)
    parser.add_argument(
        "--oracle", metavar="FILE", help="reference answers that a person knows: one a line, or JSON lines"
    )
    parser.add_argument("--k", type=whole(1, 8), default=2, metavar="N", help="hops to walk, 1 to 8 (default: 2)")
    parser.add_argument(
        "--method", choices=("table", "traverse"), default="table", help="read a table, or walk to it (default: table)"
    )
    parser.add_argument(
        "--gather", choices=("hops", "traverse"), default="hops", help="what a model sees: all near, or what it walks"
    )
    parser.add_argument("--beam", type=whole(1), default=4, metavar="N", help="width of the beam (default: 4)")
    parser.add_argument("--strategy", choices=STRATEGIES, default="greedy", help="search strategy (default: greedy)")
    theta_option(parser)
    parser.add_argument("--trace", metavar="FILE", help="write the trace, one JSON object a line")
    parser.add_argument("--timeout", type=seconds, default=30.0, metavar="S", help="seconds a query (default: 30)")
    parser.add_argument("--ids", action="store_true", help="answer with IRIs instead of labels")
    parser.add_argument(
        "--embeddings",
        action="store_true",
        help="match words to relations by meaning, too (needs the extra `embeddings`)",
    )
    output_format(parser, "text", "json")
    batch_option(parser, '"id" and "question"')
    parser.add_argument(
        "--jobs", type=whole(1, 64), default=1, metavar="N", help="questions of a batch answered at once (default: 1)"
    )
    parser.add_argument(
        "--batch-budget", default="", metavar="calls=N,tokens=N,seconds=N", help="what a batch may spend on the model"
    )
