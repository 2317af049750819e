"""`uniqgen ask`."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any, Final

from uniqgen_ir.cli.batch import run_batch
from uniqgen_ir.cli.exits import EXIT_BAD_INPUT, EXIT_OK, EXIT_UNREACHABLE
from uniqgen_ir.cli.inputs import open_graph
from uniqgen_ir.cli.models import check_model_options, model_reader, open_model, walk_reader, with_cost
from uniqgen_ir.cli.output import print_diagnostics, print_json, write_output
from uniqgen_ir.ir.diagnostics import fail

if TYPE_CHECKING:
    from collections.abc import Callable

    from uniqgen_ir.agents.ask import Asker, Reader
    from uniqgen_ir.agents.llm.client import Model
    from uniqgen_ir.agents.propose import Proposer
    from uniqgen_ir.driver import KnowledgeGraph


def run(options: Namespace) -> int:
    """Answer one question, or a batch. Abstaining is an answer in a batch, exit code 1 alone."""
    from uniqgen_ir.agents.ask import outcome_json, trace_text
    from uniqgen_ir.cli.report import show_outcome

    check_model_options(options)
    if options.gather == "traverse" and (options.method != "table" or not options.model):
        raise fail("UQ653", "--gather traverse collects what a model reads: it needs --model and --method table")
    if not options.batch and (options.jobs > 1 or options.batch_budget):
        raise fail("UQ653", "--jobs and --batch-budget are about several questions: they need --batch")
    if not options.graph:
        raise fail("UQ653", "no graph given", hint="--graph FILE, or --graph almanac for the bundled one")
    with open_graph(options) as graph, open_model(options, options.model) as model:
        asker = make_asker(graph, options, model)
        if options.batch:
            asker.prepare()  # once, before there are threads
            stop = None if model is None else model.stop
            return run_batch(options.batch, lambda record: _record(record, asker, options), options.jobs, stop)
        if not options.question:
            raise fail("UQ653", "no question given", hint='uniqgen ask "Which drugs treat tetany?" --graph almanac')
        outcome = asker.ask(options.question)
        if options.trace:
            write_output(options.trace, trace_text(outcome))
        if options.format == "json":
            print_json(with_cost(outcome_json(outcome, asker, ids=options.ids), options))
        else:
            show_outcome(outcome, asker, ids=options.ids, verbose=options.verbose)
    shown = (*outcome.diagnostics, *((outcome.abstained,) if outcome.abstained else ()))
    print_diagnostics(dict.fromkeys(shown))
    sys.stderr.flush()
    if outcome.table is not None and not outcome.answers:
        unreachable = any(one.kind in _STORE_KINDS for one in outcome.diagnostics)
        return EXIT_UNREACHABLE if unreachable else EXIT_BAD_INPUT
    return EXIT_BAD_INPUT if outcome.abstained else EXIT_OK


_STORE_KINDS: Final = frozenset({"store_timeout", "store_unavailable"})


def make_asker(graph: KnowledgeGraph, options: Namespace, model: Model | None = None) -> Asker:
    """The asker that the options describe, offline without a model. Raises DiagnosticError (UQ653, UQ699)."""
    from uniqgen_ir.agents.ask import Asker, AskOptions
    from uniqgen_ir.passes.relaxation import RelaxationOptions, theta_options

    if options.k < 1:
        raise fail("UQ653", f"--k is {options.k}; a neighbourhood has at least one hop")
    relaxation = RelaxationOptions(
        strategy=options.strategy,
        **theta_options(options.theta),
        beam=options.beam,
        schema=graph.vocabulary.schema,
    )
    return Asker(
        graph,
        AskOptions(
            languages=chosen_languages(options.lang),
            hops=options.k + 1,
            oracle=options.oracle,
            relaxation=relaxation,
            timeout=options.timeout,
            embeddings=options.embeddings,
        ),
        make_reader=_reader(graph, options, model),
    )


def _reader(graph: KnowledgeGraph, options: Namespace, model: Model | None) -> Callable[[Proposer], Reader] | None:
    """What reads questions in place of the offline reader."""
    if options.method == "traverse":
        return walk_reader(options, model)
    return None if model is None else model_reader(graph, options, model)


def chosen_languages(text: str) -> tuple[str, ...]:
    """`cypher,sparql` as languages, each once. Raises DiagnosticError (UQ653)."""
    from uniqgen_ir.agents.ask import ENGINES

    languages = tuple(dict.fromkeys(one.strip() for one in text.split(",") if one.strip()))
    if not languages or any(one not in ENGINES for one in languages):
        raise fail("UQ653", f"--lang does not take {text!r}", hint="cypher, sparql, or both with a comma")
    return languages


def _record(record: dict[str, Any], asker: Asker, options: Namespace) -> dict[str, Any]:
    from uniqgen_ir.agents.ask import outcome_json

    question = record.get("question")
    if not isinstance(question, str):
        raise fail("UQ651", 'the line has no "question"')
    return with_cost(outcome_json(asker.ask(question), asker, ids=options.ids), options)
