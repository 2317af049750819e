"""Addresses of graphs behind Bolt: `bolt://host:port/database?dialect=NAME`, `neo4j://…`, each with `+s` or `+ssc`."""

from __future__ import annotations

import os
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from attrs import frozen

from uniqgen_ir.ir.diagnostics import DiagnosticError, fail

USER: Final = "UNIQGEN_BOLT_USER"
PASSWORD: Final = "UNIQGEN_BOLT_PASSWORD"
_FORM: Final = "bolt://host:port, bolt://host:port/database, or neo4j:// for a cluster; +s for TLS"


@frozen
class BoltAddress:
    """Where a server is: `uri` for the driver, a database (None: the server's default), a dialect (None: ask)."""

    uri: str
    database: str | None = None
    dialect: str | None = None

    @classmethod
    def read(cls, source: str) -> BoltAddress:
        """The address in a graph source. Raises DiagnosticError (UQ645)."""
        try:
            parts = urlsplit(source)
            port = parts.port
        except ValueError as error:
            raise _wrong(f"{source} is no address: {error}") from error
        if parts.username is not None or parts.password is not None:
            hint = f"set {USER} and {PASSWORD} in the environment"
            raise fail("UQ645", "user and password do not belong into the address", hint=hint)
        if not parts.hostname or port == 0:
            raise _wrong(f"{source} names no server")
        database = parts.path.strip("/")
        if "/" in database:
            raise _wrong(f"{parts.path} is no name of a database")
        options = dict(parse_qsl(parts.query, keep_blank_values=True))
        unknown = sorted(set(options) - {"dialect"})
        if unknown:
            raise _wrong(f"an address has no option `{unknown[0]}`")
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        uri = f"{parts.scheme.lower()}://{host}:{port or 7687}"
        return cls(uri, database or None, options.get("dialect"))


def _wrong(message: str) -> DiagnosticError:
    return fail("UQ645", message, hint=_FORM)


def credentials() -> tuple[str, str] | None:
    """User and password from the environment; None where no user is set."""
    user = os.environ.get(USER)
    return (user, os.environ.get(PASSWORD, "")) if user else None
