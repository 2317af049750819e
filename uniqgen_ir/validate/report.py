"""The verdict on one query."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import asdict, frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, Severity, errors


@frozen
class Report:
    """What the gate found in `query`.

    `fixed_query` is the mended text, where repairs leave it without an error; `fix_is_safe` says that every one of them
    keeps what the writer meant, so that it may be taken without asking.
    """

    query: str
    language: str
    diagnostics: tuple[Diagnostic, ...] = ()
    fixed_query: str | None = None
    fix_is_safe: bool = False
    against: Mapping[str, Any] | None = None
    """how the query lies to its specification, where one was given"""

    @property
    def valid(self) -> bool:
        """Whether the query may be sent: there is no error, warnings or not."""
        return not errors(self.diagnostics)

    def to_json(self) -> dict[str, Any]:
        """The JSON object of the command line contract; `against` only where a specification was given."""
        found: dict[str, Any] = {
            "valid": self.valid,
            "diagnostics": [_diagnostic_json(one) for one in self.diagnostics],
            "fixed_query": self.fixed_query,
            "fix_is_safe": self.fix_is_safe,
        }
        return found if self.against is None else {**found, "against": dict(self.against)}

    def for_model(self) -> str:
        """What a language model needs to mend its own query: each fault, its place, its repair, and the mended query.

        Empty where there is nothing to say.
        """
        if not self.diagnostics:
            return ""
        name = {"cypher": "Cypher", "sparql": "SPARQL"}.get(self.language, self.language)
        verdict = "can be sent, but look at this" if self.valid else "was refused"
        lines = [f"The {name} query {verdict}:", *map(self._line, self.diagnostics)]
        if self.fixed_query is not None:
            lines += [
                "",
                "This query has none of the errors; use it if it still answers the question:",
                self.fixed_query,
            ]
        else:
            lines += ["", f"Write the whole query again as plain {name}, with nothing before or after it."]
        return "\n".join(lines)

    def _line(self, one: Diagnostic) -> str:
        place = f" (line {one.span.line}, column {one.span.column})" if one.span else ""
        quoted = self.query[one.span.start : one.span.end] if one.span else ""
        shown = f" at `{_short(quoted)}`" if quoted.strip() else ""
        advice = [one.hint] if one.hint else []
        advice += [one.fix.title] if one.fix and one.fix.title != one.hint else []
        level = "error" if one.severity is Severity.ERROR else "warning"
        return f"- {level}{shown}{place}: {one.message}" + "".join(f"; {text}" for text in advice)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 80 else flat[:77] + "…"


def _diagnostic_json(one: Diagnostic) -> dict[str, Any]:
    span = one.span
    return {
        "code": one.code,
        "kind": one.kind,
        "severity": one.severity.value,
        "message": one.message,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "end_line": span.end_line if span else None,
        "end_column": span.end_column if span else None,
        "hint": one.hint,
        "fix": {**asdict(one.fix), "edits": [asdict(edit) for edit in one.fix.edits]} if one.fix else None,
    }
