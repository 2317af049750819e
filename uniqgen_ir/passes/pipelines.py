"""Pipelines as text: `normalize, chase{strategy=beam, beam=4}, backchase`. Parsing and printing are inverse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.passes.base import Pass
from uniqgen_ir.passes.options import OptionValue, changed_options, read_value, show_value
from uniqgen_ir.passes.registry import make_pass

DEFAULT_PIPELINE: Final = "verify, normalize"
"""What every table goes through before it is compiled."""

SEARCH_PIPELINE: Final = "verify, normalize{keep_units=true}, chase, backchase"
"""Relax against reference answers, then tighten."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_VALUE = re.compile(r"[^\s,{}=]+")
_SPACE = re.compile(r"\s*")


def parse_pipeline(text: str) -> tuple[Pass, ...]:
    """The passes that the text names. Raises DiagnosticError UQ420 (syntax), UQ421 (pass), UQ422 (option)."""
    return tuple(make_pass(name, options) for name, options in _Reader(text).entries())


def print_pipeline(passes: tuple[Pass, ...]) -> str:
    """The text that `parse_pipeline` reads as these passes; options at their defaults are left out."""
    return ", ".join(_print_pass(one) for one in passes)


def _print_pass(one: Pass) -> str:
    options = ", ".join(f"{name}={show_value(value)}" for name, value in changed_options(one).items())
    return f"{one.name}{{{options}}}" if options else one.name


class _Reader:
    """Reads one pipeline from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0

    def entries(self) -> Iterator[tuple[str, dict[str, OptionValue]]]:
        while True:
            name = self._take(_NAME, "the name of a pass")
            yield name, self._options() if self._ahead("{") else {}
            if self._at_end():
                return
            self._expect(",")

    def _options(self) -> dict[str, OptionValue]:
        options: dict[str, OptionValue] = {}
        self._expect("{")
        while not self._ahead("}"):
            name = self._take(_NAME, "the name of an option")
            if name in options:
                raise self._error(f"the option `{name}` stands twice")
            self._expect("=")
            options[name] = read_value(self._take(_VALUE, f"a value for `{name}`"))
            if not self._ahead("}"):
                self._expect(",")
        self._expect("}")
        return options

    def _skip(self) -> None:
        found = _SPACE.match(self.text, self.place)
        assert found is not None
        self.place = found.end()

    def _ahead(self, sign: str) -> bool:
        self._skip()
        return self.text.startswith(sign, self.place)

    def _at_end(self) -> bool:
        self._skip()
        return self.place == len(self.text)

    def _expect(self, sign: str) -> None:
        if not self._ahead(sign):
            raise self._error(f"`{sign}` is missing")
        self.place += len(sign)

    def _take(self, pattern: re.Pattern[str], what: str) -> str:
        self._skip()
        found = pattern.match(self.text, self.place)
        if found is None:
            raise self._error(f"{what} is missing")
        self.place = found.end()
        return found.group()

    def _error(self, message: str) -> Exception:
        span = Span.at(self.text, self.place, self.place + 1, "<pipeline>")
        return fail("UQ420", message, span, hint="write it like `normalize, chase{strategy=greedy}, backchase`")
