"""Tables as SPARQL 1.1 text."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from attrs import frozen

from uniqgen_ir.backends.apart import without_match_mode
from uniqgen_ir.backends.base import ASK_COLUMN, RenderedQuery
from uniqgen_ir.backends.marks import closed, extract, opened
from uniqgen_ir.backends.sparql.dialects import DIALECTS, SparqlDialect
from uniqgen_ir.backends.sparql.lower import Lowering
from uniqgen_ir.backends.sparql.plan import Part
from uniqgen_ir.backends.sparql.terms import TermWriter, quote_iri
from uniqgen_ir.backends.variables import all_variables
from uniqgen_ir.ir.analysis import visible_variables
from uniqgen_ir.ir.table import Form, Table


@frozen
class SparqlRenderer:
    """A `Renderer` for one dialect of SPARQL 1.1.

    SPARQL's protocol has no parameters, so values are always written, escaped, into the text. A `$parameter` of the
    table stays in the text and is listed in `unbound`; bind it first (`uniqgen_ir.backends.parameters`).
    """

    settings: SparqlDialect = DIALECTS["sparql"]

    @property
    def dialect(self) -> str:
        return self.settings.name

    def render(self, table: Table, *, inline: bool = False) -> RenderedQuery:
        """See `Renderer.render`; `inline` changes nothing here."""
        del inline
        given, table = table, without_match_mode(table)
        writer = TermWriter(self.settings, table.prefixes)
        writer.reserve(all_variables(table))
        plan = Lowering(writer, _inline).query(table)
        body, source_map = extract(_macros().query(plan, "\n"))
        prologue = "".join(
            f"PREFIX {prefix}: {quote_iri(namespace)}\n" for prefix, namespace in sorted(writer.used_prefixes.items())
        )
        return RenderedQuery(
            text=prologue + body + "\n",
            params={},
            columns=_columns(given),
            dialect=self.dialect,
            source_map={row: _shifted(ranges, len(prologue)) for row, ranges in source_map.items()},
            form=table.shell.form,
            unbound=tuple(writer.parameters),
        )


def _columns(table: Table) -> tuple[str, ...]:
    if table.shell.form is Form.ASK:
        return (ASK_COLUMN,)
    return tuple(variable.name for variable in table.columns or visible_variables(table.rows))


def _shifted(ranges: tuple[tuple[int, int], ...], by: int) -> tuple[tuple[int, int], ...]:
    return tuple((start + by, end + by) for start, end in ranges)


def _inline(parts: tuple[Part, ...]) -> str:
    return str(_macros().braces(parts, _ONE_LINE))


_ONE_LINE = " "


def _deeper(pad: str) -> str:
    """What goes before an inner line: a line break and two more spaces, or one space where all is on one line."""
    return pad if pad == _ONE_LINE else pad + "  "


@lru_cache(maxsize=1)
def _macros() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    # the text is a query, not HTML: what needs quoting was quoted by the writers
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=StrictUndefined,
        autoescape=False,
        keep_trailing_newline=False,
    )
    helpers: dict[str, Any] = {"opened": opened, "closed": closed, "deeper": _deeper}
    return environment.get_template("query.j2", globals=helpers).module
