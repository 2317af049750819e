"""Errors as HTTP: a status and the JSON object that every error has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from starlette.responses import JSONResponse

from uniqgen_ir.ir.diagnostic_json import error_json
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Severity
from uniqgen_ir.ir.protocols import StoreTimeout, StoreUnavailable

_STATUS: Final = {
    "UQ652": 404,
    "UQ701": 400,
    "UQ702": 413,
    "UQ703": 503,
    "UQ704": 504,
    "UQ900": 500,
    "UQ901": 500,
}
RETRY_SECONDS: Final = 1


def failed(error: DiagnosticError) -> JSONResponse:
    """The response to a request that came to nothing."""
    match error:
        case StoreTimeout():
            status = 504
        case StoreUnavailable():
            status = 503
        case _:
            status = _status(error.diagnostics)
    return response(status, *error.diagnostics)


def _status(diagnostics: Iterable[Diagnostic]) -> int:
    wrong = (_STATUS.get(one.code, 422) for one in diagnostics if one.severity is Severity.ERROR)
    # warnings alone can be the reason, too: reference answers of which none names anything
    return next(wrong, 422)


def response(status: int, *diagnostics: Diagnostic) -> JSONResponse:
    """An error response with these diagnostics."""
    headers = {"Retry-After": str(RETRY_SECONDS)} if status == 503 else {}
    return JSONResponse({"error": error_json(diagnostics)}, status, headers)


def internal(error: Exception) -> JSONResponse:
    """The response where the fault is ours: what kind of error it was, and nothing of the inside."""
    return response(500, Diagnostic("UQ900", f"{type(error).__name__} while the request was worked on"))
