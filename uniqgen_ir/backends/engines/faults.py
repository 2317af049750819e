"""What engines raise, in the user's words."""

from __future__ import annotations

from uniqgen_ir.backends.base import RenderedQuery
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, fail
from uniqgen_ir.ir.protocols import StoreError, StoreTimeout, StoreUnavailable


def timed_out(engine: str, seconds: float | None, text: str) -> StoreTimeout:
    """The query was stopped at its deadline."""
    message = f"{engine} did not answer within {seconds:g} s and was stopped" if seconds else f"{engine} was stopped"
    return StoreTimeout((Diagnostic("UQ601", message, hint="allow more time, or ask for less"),), text)


def unavailable(engine: str, words: str, text: str | None = None) -> StoreUnavailable:
    """The engine died or did not start."""
    return StoreUnavailable((Diagnostic("UQ602", f"{engine} is not available: {words}"),), text)


def refused(engine: str, words: str, text: str) -> StoreError:
    """The engine did not accept the query."""
    first = words.strip().split("\n", 1)[0]
    # parsers may list everything that could have come next
    short = first.split(": expected one of", 1)[0] if len(first) > 200 else first
    return StoreError((Diagnostic("UQ603", f"{engine} refused the query: {short}"),), text)


def wrong_language(engine: str, query: RenderedQuery) -> DiagnosticError:
    """The query is in another language than the engine's."""
    return fail("UQ605", f"{engine} does not read queries in the dialect {query.dialect}")
