"""The one table of diagnostic codes. Each family lives in its own file; the pages in `spec/` are made from here.

`UQ1xx` syntax · `UQ2xx` names and types · `UQ3xx` schema · `UQ4xx` normalisation and satisfiability ·
`UQ5xx` backends and dialects · `UQ6xx` agents and stores · `UQ7xx` serving · `UQ9xx` internal
"""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes import (
    agents,
    backends,
    command,
    cypher,
    evaluation,
    exporting,
    gate,
    gate_sparql,
    interchange,
    internal,
    models,
    names,
    normal,
    remote,
    schema,
    serving,
    sparql,
    stores,
    syntax,
    tools,
    types,
    typing_schema,
)
from uniqgen_ir.ir.codes.base import Code

CODES: Final[dict[str, Code]] = {
    code.code: code
    for family in (
        syntax,
        cypher,
        sparql,
        interchange,
        names,
        schema,
        normal,
        gate,
        backends,
        stores,
        remote,
        agents,
        models,
        command,
        evaluation,
        exporting,
        internal,
        types,
        typing_schema,
        tools,
        gate_sparql,
        serving,
    )
    for code in family.FAMILY
}
"""Every code, by its number."""

__all__ = ["CODES", "Code"]
