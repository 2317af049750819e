"""What the builders share: the text, its prefixes, the diagnostics found so far."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from uniqgen_ir.grammar.reports import Reports
from uniqgen_ir.ir.diagnostics import Edit, Fix
from uniqgen_ir.ir.suggestions import nearest
from uniqgen_ir.ir.vocabulary import BUILTIN_PREFIXES

MAX_SUGGESTIONS: Final = 100
"""How many names are looked up in one text; a file with more slips has another problem, and must not take long."""


class Inner:
    """Names for the rows inside one row: `games.1`, `games.2`, … in the order of the text."""

    def __init__(self, parent: str) -> None:
        self.parent = parent
        self.count = 0

    def next(self, explicit: str | None = None) -> str:
        """The id of the next row inside; one that is written out still counts."""
        self.count += 1
        return explicit if explicit is not None else f"{self.parent}.{self.count}"


class Context(Reports):
    """One text being read."""

    def __init__(self, text: str, source: str, *, allow_unbounded: bool = False) -> None:
        super().__init__(text, source)
        self.allow_unbounded = allow_unbounded
        self.prefixes: dict[str, str] = dict(BUILTIN_PREFIXES)
        self.declared: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.inner = Inner("head")
        self._suggestions_left = MAX_SUGGESTIONS

    def resolve(self, name: str, start: int, end: int) -> str:
        """The IRI text of a prefixed name; an unknown prefix is reported and gives the name itself."""
        known = self.names.get(name)
        if known is not None:
            return known
        prefix, _, local = name.partition(":")
        namespace = self.prefixes.get(prefix)
        if namespace is None:
            self._unknown_prefix(prefix, start, end)
            return name
        full = namespace + local
        self.names[name] = full
        return full

    def suggest(self, name: str, known: Iterable[str]) -> str | None:
        """The known name closest to `name`; None where none is close, or where too many were asked for."""
        self._suggestions_left -= 1
        return did_you_mean(name, known) if self._suggestions_left >= 0 else None

    def _unknown_prefix(self, prefix: str, start: int, end: int) -> None:
        close = self.suggest(prefix, self.prefixes)
        fix = replace(start, start + len(prefix), close, f"write `{close}:`", safe=False) if close else None
        hint = f"did you mean `{close}:`?" if close else f"declare it: `prefix {prefix}: <http://…>`"
        self.report("UQ201", f"the prefix `{prefix}:` is not declared", start, end, hint=hint, fix=fix)


def replace(start: int, end: int, text: str, title: str, *, safe: bool = True) -> Fix:
    """A fix of one edit."""
    return Fix(title, (Edit(start, end, text),), safe)


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """The known name closest to `name`, or None where none is close."""
    return nearest(name, ((one, one) for one in known))
