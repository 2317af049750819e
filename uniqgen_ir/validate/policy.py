"""What a query may do."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from uniqgen_ir.ir.diagnostics import fail

_KEYS: Final = ("read_only", "services")
_EXAMPLE: Final = '{"read_only": true, "services": ["https://example.org/sparql"]}'


@frozen(kw_only=True)
class Policy:
    """`read_only`: a query that changes the graph is an error.

    `services`: the IRIs of the endpoints that SERVICE may call. To reach outside the graph in any other way, or with an
    endpoint that only the answers name, is an error in any case.
    """

    read_only: bool = True
    services: frozenset[str] = frozenset()

    @classmethod
    def of_json(cls, content: object) -> Policy:
        """The policy of a batch line; None is the default one. Raises DiagnosticError (UQ651)."""
        if content is None:
            return cls()
        if not isinstance(content, dict):
            raise fail("UQ651", '"policy" is not an object', hint=_EXAMPLE)
        given: dict[str, object] = {str(key): value for key, value in content.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        unknown = sorted(set(given) - set(_KEYS))
        if unknown:
            raise fail("UQ651", f"a policy has no key {', '.join(unknown)}", hint=_EXAMPLE)
        read_only = given.get("read_only", True)
        if not isinstance(read_only, bool):
            raise fail("UQ651", '"read_only" is neither true nor false')
        return cls(read_only=read_only, services=_services(given.get("services")))


def _services(content: object) -> frozenset[str]:
    if content is None:
        return frozenset()
    endpoints: list[object] = list(content) if isinstance(content, list) else [None]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    named = frozenset(one for one in endpoints if isinstance(one, str))
    if len(named) < len(set(map(repr, endpoints))):
        raise fail("UQ651", '"services" is not a list of IRIs', hint=_EXAMPLE)
    return named
