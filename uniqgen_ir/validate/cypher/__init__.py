"""The checks of Cypher."""

from __future__ import annotations

from uniqgen_ir.grammar.cypher import check_cypher, parse_cypher
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.validate.policy import Policy
from uniqgen_ir.validate.vocabulary import Vocabulary


def check_query(
    text: str,
    source: str,
    vocabulary: Vocabulary | None,
    dialect: str | None,
    policy: Policy,
    parameters: frozenset[str] | None = None,
) -> tuple[Diagnostic, ...]:
    """Everything that there is to say about a query; places are those of `text`. Never raises for the text."""
    parse = parse_cypher(text, source)
    return (*parse.diagnostics, *check_cypher(parse))
