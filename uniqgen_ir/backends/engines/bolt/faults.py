"""What the driver and the server complain about, in the user's words."""

from __future__ import annotations

from typing import Final

from neo4j.exceptions import AuthError, ConfigurationError, DriverError, Neo4jError

from uniqgen_ir.backends.engines.bolt.address import PASSWORD, USER, BoltAddress, credentials
from uniqgen_ir.backends.engines.faults import refused, timed_out, unavailable
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.ir.protocols import StoreError, StoreUnavailable

_ENGINE: Final = "bolt"
_NO_DATABASE: Final = ("DatabaseNotFound", "HomeDatabaseNotFound")
_ENDED: Final = ("TransactionTimedOut", "TransactionTimedOutClientConfiguration", "LockClientStopped")


def fault(error: Exception, address: BoltAddress, text: str, timeout: float | None, rows: int = 0) -> StoreError:
    """The error to raise for one of the driver's. `rows` is how many had come before."""
    if isinstance(error, AuthError):
        return _login(error, address, text)
    if isinstance(error, Neo4jError):
        return _from_server(error, address, text, timeout)
    if isinstance(error, ConfigurationError):
        return unavailable(_ENGINE, f"{address.uri}: {_first(error)}", text)
    after = f" after {rows:,} rows, which are not used" if rows else ""
    if isinstance(error, DriverError | OSError):
        return unavailable(_ENGINE, f"{address.uri} broke off{after}: {_first(error)}", text)
    raise error


def _from_server(error: Neo4jError, address: BoltAddress, text: str, timeout: float | None) -> StoreError:
    code, words = error.code or "", error.message or str(error)
    if any(one in code for one in _NO_DATABASE) or (address.database and "atabase" in words and "exist" in words):
        name = address.database or "the default one"
        message = f"{address.uri} has no database {name}: {_short(words)}"
        return StoreUnavailable((Diagnostic("UQ647", message, hint="bolt://host:port/NAME names another"),), text)
    if any(one in code for one in _ENDED):
        return timed_out(_ENGINE, timeout, text)
    # a server that wants a password may call its absence a malformed greeting
    if ("Security" in code and "Forbidden" not in code) or "authentication token" in words:
        return _login(error, address, text)
    if "General.DatabaseUnavailable" in code or "Transient" in code:
        return unavailable(_ENGINE, f"{address.uri}: {_short(words)}", text)
    return refused(_ENGINE, words, text)


def _login(error: Neo4jError, address: BoltAddress, text: str) -> StoreUnavailable:
    message = (
        f"{address.uri} does not let us in: {_short(error.message or str(error))}"
        if credentials()
        else f"{address.uri} wants a user and a password"
    )
    return StoreUnavailable((Diagnostic("UQ646", message, hint=f"set {USER} and {PASSWORD}"),), text)


def _first(error: Exception) -> str:
    return _short(str(error) or type(error).__name__)


def _short(words: str) -> str:
    return words.strip().split("\n", 1)[0][:300]
