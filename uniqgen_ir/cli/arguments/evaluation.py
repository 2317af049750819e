"""The commands on data sets: translated, answered, compared."""

from __future__ import annotations

import argparse

from uniqgen_ir.cli.arguments.kinds import seconds, whole
from uniqgen_ir.cli.arguments.options import (
    EXPERIMENTS,
    Commands,
    command,
    graph_option,
    mapping_options,
    model_call_options,
    model_options,
    output_format,
)


def add_translate(commands: Commands) -> None:
    """`uniqgen translate`."""
    parser = command(commands, "translate", "gold SPARQL of a data set as cleaned SPARQL and Cypher, one record a line")
    parser.add_argument(
        "file",
        metavar="DATASET",
        help="WebQSP, ComplexWebQuestions, GrailQA or GraphQuestions as published (.json), or .jsonl with id and "
        "sparql; each also .gz",
    )
    graph_option(parser)
    mapping_options(parser)
    parser.add_argument("--dialect", default="cypher", metavar="NAME", help="dialect of Cypher (default: cypher)")
    parser.add_argument("--timeout", type=seconds, default=20.0, metavar="S", help="seconds a run (default: 20)")
    parser.add_argument("--limit", type=whole(0), metavar="N", help="only the first N records")
    parser.add_argument(
        "--out", metavar="FILE", help="write the lines here; a run that was stopped goes on where it stopped"
    )
    output_format(parser, "text", "json")


def add_eval(commands: Commands) -> None:
    """`uniqgen eval`."""
    parser = command(commands, "eval", "F1, Hits@1 and exact match of one or several models on a data set")
    parser.add_argument(
        "file",
        metavar="DATASET",
        help=".jsonl with id, question and answers, or WebQSP, ComplexWebQuestions, GrailQA or GraphQuestions as "
        "published (.json); each also .gz",
    )
    graph_option(parser, required=True)
    mapping_options(parser)
    parser.add_argument("--model", action="append", metavar="M", help="repeatable; `offline` is one (default: offline)")
    parser.add_argument("--limit", type=whole(1), metavar="N", help="N questions, spread over the data set")
    parser.add_argument("--ids", metavar="FILE", help="only the questions with these ids (a JSON list, or one a line)")
    parser.add_argument("--plain", action="store_true", help="ask in lower case and without marks")
    parser.add_argument("--jobs", type=whole(1, 64), default=1, metavar="N", help="processes (default: 1)")
    parser.add_argument(
        "--out", metavar="FILE", help="a line for each answer; a run that was stopped goes on where it stopped"
    )
    parser.add_argument("--report", metavar="DIR", help="write report.json, report.md and report.svg here")
    parser.add_argument("--experiment", choices=EXPERIMENTS, help="with gold queries, in place of asking questions")
    parser.add_argument("--lang", default="sparql", metavar="L,L", help="query languages (default: sparql)")
    parser.add_argument("--k", type=whole(1, 8), default=2, metavar="N", help="hops to walk, 1 to 8 (default: 2)")
    parser.add_argument("--timeout", type=seconds, default=30.0, metavar="S", help="seconds a query (default: 30)")
    parser.add_argument("--embeddings", action="store_true", help="match words to relations by meaning, too")
    model_options(parser, recording=False)
    output_format(parser, "text", "json")


def _questions(parser: argparse.ArgumentParser, *, graph_required: bool = True) -> None:
    parser.add_argument("file", metavar="DATASET", help="a data set as `eval` takes it, with gold answers and queries")
    graph_option(parser, required=graph_required)
    mapping_options(parser)
    parser.add_argument("--limit", type=whole(1), metavar="N", help="N questions, spread over the data set")
    parser.add_argument("--seed", type=int, default=42, metavar="N", help="fixes every random choice (default: 42)")
    parser.add_argument(
        "--out", metavar="FILE", help="a line for each answer; a run that was stopped goes on where it stopped"
    )
    parser.add_argument("--report", metavar="DIR", help="write report.json, report.md and plots here")
    output_format(parser, "text", "json")


def add_eval_bpc(commands: Commands) -> None:
    """`uniqgen eval bpc`."""
    parser = command(commands, "eval bpc", "what walks gain or lose by showing only the last K hops of their past")
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
    parser.add_argument("--width", type=whole(1), default=3, metavar="N", help="relations a step (default: 3)")
    parser.add_argument("--depth", type=whole(1, 8), default=3, metavar="N", help="hops of a walk (default: 3)")
    parser.add_argument("--beams", type=whole(1), default=16, metavar="N", help="paths of a topic (default: 16)")
    parser.add_argument("--cap", type=whole(1), default=50, metavar="N", help="relations shown (default: 50)")
    parser.add_argument(
        "--nodes", type=whole(1), default=4000, metavar="N", help="most nodes of a neighbourhood (default: 4000)"
    )
    parser.add_argument("--subgraphs", metavar="FILE", help="write each question's neighbourhood here, a line for each")
    parser.add_argument("--history", default="0,1,2,full", metavar="K,K", help="the values of K (default: 0,1,2,full)")
    group = parser.add_argument_group("with a model")
    group.add_argument(
        "--synthetic",
        action="store_true",
        help="mark figures of models as synthetic: they are too small to be measured",
    )
    model_call_options(group)
    parser.set_defaults(price="", record=None)


def add_eval_robustness(commands: Commands) -> None:
    """`uniqgen eval robustness`."""
    parser = command(commands, "eval robustness", "final F1 against the recall and precision of the reference answers")
    _questions(parser)
    parser.add_argument(
        "--shares", default="1,.9,.8,.7,.6,.5,.4,.3", metavar="X,X", help="shares of recall and precision, 0 to 1"
    )
