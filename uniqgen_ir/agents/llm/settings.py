"""Which model, where it is, and what a question may spend on it."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from attrs import field, frozen

from uniqgen_ir.agents.llm.errors import ModelUnavailable, model_error

KEY_VARIABLE: Final = "OPENAI_API_KEY"
ADDRESS_VARIABLE: Final = "OPENAI_BASE_URL"
OFFICIAL_ADDRESS: Final = "https://api.openai.com/v1"
API_VERSION: Final = "api-version"
NO_KEY: Final = "none"
"""Sent where a local server asks for no key: the client insists on one."""


@frozen
class Endpoint:
    """A server's address, and the key for it, which no representation of this object shows."""

    address: str
    key: str = field(default=NO_KEY, repr=False)

    @property
    def shown(self) -> str:
        """The address without user, password and query: fit for messages."""
        parts = urlsplit(self.address)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"

    @property
    def base(self) -> str:
        """The address without its query, which belongs behind the path of each request."""
        return urlunsplit(urlsplit(self.address)._replace(query="", fragment=""))

    @property
    def query(self) -> dict[str, str]:
        """What the address sends with each request: Azure's `?api-version=…` behind the name of a deployment."""
        return dict(parse_qsl(urlsplit(self.address).query))

    @property
    def headers(self) -> dict[str, str]:
        """Headers beside the usual ones: Azure's older addresses want the key under a name of its own."""
        return {"api-key": self.key} if API_VERSION in self.query else {}

    @property
    def loopback(self) -> bool:
        """Whether the server is on this machine, so that no proxy must come between."""
        host = urlsplit(self.address).hostname or ""
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")

    def redact(self, text: str) -> str:
        """The text without the key, should a server repeat it."""
        return text if self.key == NO_KEY else text.replace(self.key, "[key]")


def endpoint_from_environment(environment: Mapping[str, str] | None = None) -> Endpoint:
    """The endpoint that OPENAI_BASE_URL and OPENAI_API_KEY name. Raises ModelUnavailable (UQ695)."""
    variables = os.environ if environment is None else environment
    address = variables.get(ADDRESS_VARIABLE, "").strip()
    key = variables.get(KEY_VARIABLE, "").strip()
    if not address and not key:
        raise model_error(
            ModelUnavailable,
            "UQ695",
            f"no model server is set up: neither {ADDRESS_VARIABLE} nor {KEY_VARIABLE} is in the environment",
            hint=f"for a local server: {ADDRESS_VARIABLE}=http://127.0.0.1:8080/v1",
        )
    address = address or OFFICIAL_ADDRESS
    try:
        parts = urlsplit(address)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits:
        message = f"{ADDRESS_VARIABLE} is not the address of a server: it needs http:// or https:// and a host"
        raise model_error(ModelUnavailable, "UQ695", message, hint="for example http://127.0.0.1:8080/v1")
    return Endpoint(address, key or NO_KEY)


@frozen(kw_only=True)
class ModelBudget:
    """What one question may spend: HTTP requests, tokens read and written, seconds from the first request."""

    calls: int = 24
    tokens: int = 60_000
    seconds: float = 180.0

    def __attrs_post_init__(self) -> None:
        for name in ("calls", "tokens", "seconds"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be positive")


UNBOUNDED: Final = ModelBudget(calls=sys.maxsize, tokens=sys.maxsize, seconds=math.inf)


@frozen(kw_only=True)
class ModelSettings:
    """How a model is called. `timeout` (seconds) and `attempts` are for one request, `parallel` bounds those at once.

    `budget` is what one question may spend, `together` what all questions may.

    `cache` is the file of remembered answers (None: none are kept). With `replay`, nothing is sent: answers come from
    this file of an earlier `record`.
    """

    model: str
    budget: ModelBudget = ModelBudget()
    together: ModelBudget | None = None
    timeout: float = 60.0
    attempts: int = 4
    parallel: int = 4
    cache: Path | None = None
    record: Path | None = None
    replay: Path | None = None
