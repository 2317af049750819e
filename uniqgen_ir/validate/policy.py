"""What a query may do."""

from __future__ import annotations

from attrs import frozen

from uniqgen_ir.ir.diagnostics import fail


@frozen(kw_only=True)
class Policy:
    """`read_only`: a query that changes the graph is an error. Reaching outside the graph is one in any case."""

    read_only: bool = True

    @classmethod
    def of_json(cls, content: object) -> Policy:
        """The policy of a batch line; None is the default one. Raises DiagnosticError (UQ651)."""
        if content is None:
            return cls()
        if not isinstance(content, dict):
            raise fail("UQ651", '"policy" is not an object', hint='{"read_only": true}')
        given: dict[str, object] = {str(key): value for key, value in content.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        unknown = sorted(set(given) - {"read_only"})
        if unknown:
            raise fail("UQ651", f"a policy has no key {', '.join(unknown)}", hint='{"read_only": true}')
        read_only = given.get("read_only", True)
        if not isinstance(read_only, bool):
            raise fail("UQ651", '"read_only" is neither true nor false')
        return cls(read_only=read_only)
