"""What `ask` and `eval` share about models: options, the client, what a question cost."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uniqgen_ir.ir.diagnostics import fail

if TYPE_CHECKING:
    from uniqgen_ir.agents.ask import Reader
    from uniqgen_ir.agents.extraction.propose import ModelOptions
    from uniqgen_ir.agents.llm.client import Model
    from uniqgen_ir.agents.llm.settings import ModelBudget, ModelSettings
    from uniqgen_ir.agents.propose import Proposer
    from uniqgen_ir.agents.traverse.outlook import WalkOptions
    from uniqgen_ir.driver import KnowledgeGraph

_NEED_MODEL = ("record", "replay", "prompts", "model_budget", "batch_budget", "price")


def check_model_options(options: Namespace) -> None:
    """Raises DiagnosticError (UQ653) for options that do not go together."""
    if getattr(options, "offline", False) and options.model:
        raise fail("UQ653", "--offline and --model exclude each other", hint="leave one of them out")
    given = next((name for name in _NEED_MODEL if getattr(options, name, None)), None)
    if given is not None and not options.model:
        raise fail("UQ653", f"--{given.replace('_', '-')} is about a model, and there is no --model")
    if getattr(options, "replay", None) and options.record:
        raise fail("UQ653", "--replay and --record exclude each other: what is played was recorded before")
    prices(options.price)


@contextmanager
def open_model(options: Namespace, name: str | None) -> Generator[Model | None]:
    """The model of this name for as long as it is needed; None for none.

    Nothing is sent before the first question. Raises DiagnosticError (UQ650, UQ653, UQ696).
    """
    if name is None:
        yield None
        return
    from attrs import evolve

    from uniqgen_ir.agents.llm.client import Model

    settings = evolve(
        model_settings(options, name),
        record=Path(options.record) if options.record else None,
        replay=Path(options.replay) if options.replay else None,
    )
    with Model(settings) as model:
        yield model


def model_settings(options: Namespace, name: str) -> ModelSettings:
    """How a model is called. Raises DiagnosticError (UQ653)."""
    from uniqgen_ir.agents.llm.memory import CACHE_FILE
    from uniqgen_ir.agents.llm.settings import UNBOUNDED, ModelBudget, ModelSettings
    from uniqgen_ir.backends.engines.cache import cache_root

    cache = None if options.no_model_cache else cache_root() / CACHE_FILE
    shared = getattr(options, "batch_budget", "")
    together = _budget("--batch-budget", shared, UNBOUNDED) if shared else None
    budget = _budget("--model-budget", options.model_budget, ModelBudget())
    return ModelSettings(model=name, budget=budget, together=together, cache=cache)


def model_options(options: Namespace) -> ModelOptions:
    """What a model is shown and how often it is asked."""
    from uniqgen_ir.agents.extraction.propose import ModelOptions

    return ModelOptions(
        context_tokens=options.context,
        samples=options.samples,
        history=_history(options),
        walk=walk_options(options) if getattr(options, "gather", None) == "traverse" else None,
    )


def walk_options(options: Namespace) -> WalkOptions:
    """How a walk is bounded."""
    from uniqgen_ir.agents.traverse.outlook import WalkOptions

    return WalkOptions(history=_history(options), depth=options.k + 1)


def _history(options: Namespace) -> int | None:
    """K. Unless it is given: one step for models, which old ones distract; all for words, which forget otherwise."""
    if options.history != "auto":
        given: int | None = options.history
        return given
    return 1 if options.model else None


def walk_reader(options: Namespace, model: Model | None) -> Callable[[Proposer], Reader]:
    """Makes the reader that walks; with a model, it guides the walk. Raises DiagnosticError (UQ699)."""
    from uniqgen_ir.agents.prompting import Prompts
    from uniqgen_ir.agents.traverse.reader import TraverseReader

    prompts = Prompts(Path(options.prompts)) if options.prompts else Prompts()
    return lambda offline: TraverseReader(offline, walk_options(options), model, prompts)


def model_reader(graph: KnowledgeGraph, options: Namespace, model: Model) -> Callable[[Proposer], Reader]:
    """Makes the reader of a model from the offline one, which lends it what it knows of the graph.

    Raises DiagnosticError (UQ699).
    """
    from uniqgen_ir.agents.extraction.propose import ModelProposer
    from uniqgen_ir.agents.prompting import Prompts

    prompts = Prompts(Path(options.prompts) if options.prompts else None)
    chosen = model_options(options)
    return lambda offline: ModelProposer(graph, offline, model, prompts, chosen)


def _budget(option: str, text: str, otherwise: ModelBudget) -> ModelBudget:
    """`calls=20,tokens=50000,seconds=120` as a budget; what is not named is as `otherwise`. Raises UQ653."""
    from attrs import evolve

    values: dict[str, Any] = {}
    for part in (one.strip() for one in text.split(",") if one.strip()):
        name, _, value = part.partition("=")
        if name not in ("calls", "tokens", "seconds") or not value.isdigit() or int(value) <= 0:
            hint = "calls=N, tokens=N and seconds=N, all above 0"
            raise fail("UQ653", f"{option} does not take {part!r}", hint=hint)
        values[name] = int(value)
    return evolve(otherwise, **values)


def prices(text: str) -> tuple[float, float] | None:
    """`0.15,0.60`: what a million tokens read and written cost. Raises DiagnosticError (UQ653)."""
    if not text:
        return None
    try:
        read, written = (float(one) for one in text.split(","))
    except ValueError:
        read = written = -1.0
    if not (0.0 <= read < 1e6 and 0.0 <= written < 1e6):
        raise fail("UQ653", f"--price does not take {text!r}", hint="two numbers: 0.15,0.60")
    return read, written


def with_cost(result: dict[str, Any], options: Namespace) -> dict[str, Any]:
    """A question's JSON with what its tokens cost, in the currency of `--price`, where a price is given."""
    price = prices(options.price)
    if price is not None and "model" in result:
        result["model"] |= {"cost": cost_of(result["model"], price)}
    return result


def cost_of(spent: Mapping[str, Any], price: tuple[float, float]) -> float:
    """What `input_tokens` and `output_tokens` cost, in the currency of the prices."""
    cost: float = (spent["input_tokens"] * price[0] + spent["output_tokens"] * price[1]) / 1e6
    return round(cost, 6)
