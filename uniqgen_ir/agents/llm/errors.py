"""What can go wrong between a question and a model's answer."""

from __future__ import annotations

from collections.abc import Iterable

from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError


class ModelError(DiagnosticError):
    """A call of a model came to nothing."""


class ModelUnavailable(ModelError):
    """The model cannot be reached, did not answer in time, or its server refuses; the command line exits with 3."""


class ModelAnswerError(ModelError):
    """The model answered, and what it said cannot be used (UQ693), or it declined (UQ694)."""


class ModelCancelled(ModelError):
    """The call was cancelled by its caller."""


def model_error(
    kind: type[ModelError], code: str, message: str, hint: str | None = None, notes: Iterable[str] = ()
) -> ModelError:
    """An error of one diagnostic; notes are sentences that follow the hint."""
    text = " ".join(part for part in (hint, *notes) if part) or None
    return kind([Diagnostic(code, message, hint=text)])
