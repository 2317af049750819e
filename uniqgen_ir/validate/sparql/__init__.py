"""The checks of SPARQL."""

from __future__ import annotations

from collections.abc import Mapping

from uniqgen_ir.grammar.sparql.reading import read_fully
from uniqgen_ir.ir.diagnostics import Diagnostic
from uniqgen_ir.validate.policy import Policy
from uniqgen_ir.validate.sparql.conditions import check_conditions
from uniqgen_ir.validate.sparql.costs import cost_hints
from uniqgen_ir.validate.sparql.index import schema_index
from uniqgen_ir.validate.sparql.products import check_products
from uniqgen_ir.validate.sparql.query import CheckedQuery
from uniqgen_ir.validate.sparql.reader_reports import as_the_gate_says, declared_at_once
from uniqgen_ir.validate.sparql.scope import check_scope
from uniqgen_ir.validate.sparql.types import check_types
from uniqgen_ir.validate.vocabulary import Vocabulary


def check_query(
    text: str, source: str, vocabulary: Vocabulary | None, prefixes: Mapping[str, str], policy: Policy
) -> tuple[Diagnostic, ...]:
    """Everything that there is to say about a query; places are those of `text`. Never raises for the text.

    `prefixes` are those that the schema declares: a query that leaves one out is mended with it.
    """
    reading = read_fully(text, source, strict=True, lenient=True, offered=prefixes)
    query = CheckedQuery(reading)
    ontology = vocabulary.ontology if vocabulary is not None else None
    index = None if ontology is None else schema_index(ontology)
    if reading.table is not None:
        check_types(query, reading.table, index, prefixes, ontology.schema if ontology is not None else None)
        check_scope(query)
        check_conditions(query)
        check_products(query)
        if vocabulary is not None and vocabulary.statistics is not None:
            cost_hints(query, vocabulary.statistics)
    found = [said for one in reading.diagnostics for said in as_the_gate_says(query, one, prefixes, policy)]
    return tuple(dict.fromkeys(declared_at_once(found)))
