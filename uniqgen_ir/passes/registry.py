"""Every pass, by name. A new pass costs its file, one line here and one golden page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypedDict

from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError
from uniqgen_ir.ir.suggestions import nearest
from uniqgen_ir.passes.backchase import Backchase
from uniqgen_ir.passes.base import Pass
from uniqgen_ir.passes.chase import Chase
from uniqgen_ir.passes.minimize import Minimize
from uniqgen_ir.passes.normalize import Normalize
from uniqgen_ir.passes.reformulate import Reformulate
from uniqgen_ir.passes.saturate.saturate import Saturate
from uniqgen_ir.passes.score import Score
from uniqgen_ir.passes.typecheck import Typecheck
from uniqgen_ir.passes.verify import Verify

PASSES: Final[dict[str, Callable[..., Pass]]] = {
    "verify": Verify,
    "typecheck": Typecheck,
    "normalize": Normalize,
    "saturate": Saturate,
    "minimize": Minimize,
    "reformulate": Reformulate,
    "score": Score,
    "chase": Chase,
    "backchase": Backchase,
}


def pass_class(name: str) -> Callable[..., Pass]:
    """The class of the pass with this name. Raises DiagnosticError UQ421 with the name that was probably meant."""
    plain = name.replace("-", "_")
    if plain in PASSES:
        return PASSES[plain]
    guess = nearest(plain, ((one, one) for one in PASSES))
    hint = f"did you mean `{guess}`?" if guess else f"there are {', '.join(PASSES)}"
    raise DiagnosticError((Diagnostic("UQ421", f"there is no pass `{name}`", hint=hint),))


def make_pass(name: str, options: dict[str, Any]) -> Pass:
    """The pass with these options. Raises DiagnosticError UQ421, UQ422."""
    from uniqgen_ir.passes.options import checked_options

    cls = pass_class(name)
    return cls(**checked_options(name, cls, options))


class Description(TypedDict):
    """What a list of passes shows of one."""

    name: str
    summary: str
    options: dict[str, str]


def describe() -> tuple[Description, ...]:
    """Every pass with the first line of its documentation and its options with their defaults."""
    from uniqgen_ir.passes.options import default_options

    return tuple(
        Description(
            name=name, summary=(cls.__doc__ or "").strip().splitlines()[0].rstrip("."), options=default_options(cls)
        )
        for name, cls in PASSES.items()
    )
