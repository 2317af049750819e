"""The argument parser: every command and flag, with its help. Imports nothing heavy."""

from __future__ import annotations

import argparse

from uniqgen_ir import __version__
from uniqgen_ir.cli.arguments import evaluation, graphs, questions, serving, tables


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
        questions.add_demo,
        graphs.add_init,
        questions.add_ask,
        tables.add_compile,
        tables.add_opt,
        tables.add_chase,
        tables.add_verify,
        tables.add_run,
        tables.add_check,
        tables.add_diff,
        tables.add_fmt,
        graphs.add_schema,
        tables.add_explain,
        graphs.add_export,
        graphs.add_snapshot,
        serving.add_lsp,
        serving.add_serve,
        serving.add_mcp,
        evaluation.add_translate,
        evaluation.add_eval,
        evaluation.add_eval_bpc,
        evaluation.add_eval_robustness,
    ):
        add(commands)
    return parser
