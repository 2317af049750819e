"""SPARQL 1.1 Query Results JSON Format (W3C Recommendation, 2013)."""

from __future__ import annotations

import json
from typing import Any, cast

from uniqgen_ir.backends.engines.sparql.results import BrokenResults, Results
from uniqgen_ir.ir.protocols import AnswerRow
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal
from uniqgen_ir.ir.vocabulary import RDF_LANG_STRING, XSD_STRING


def read_json(body: bytes) -> Results:
    """The results. Raises BrokenResults."""
    try:
        found: Any = json.loads(body.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BrokenResults(f"byte {error.start} is not UTF-8") from error
    except (json.JSONDecodeError, RecursionError) as error:
        raise BrokenResults(f"the JSON is broken or cut off after {len(body):,} bytes: {error}") from error
    if not isinstance(found, dict):
        raise BrokenResults("the JSON is not an object")
    document = cast("dict[str, Any]", found)
    if isinstance(document.get("boolean"), bool):
        return Results(truth=document["boolean"])
    try:
        names = tuple(str(name) for name in document["head"].get("vars", ()))
        rows = tuple(_row(binding, names) for binding in document["results"]["bindings"])
    except (KeyError, TypeError, AttributeError) as error:
        raise BrokenResults(f"the JSON lacks what results have: {error}") from error
    return Results(names, rows)


def _row(binding: dict[str, Any], names: tuple[str, ...]) -> AnswerRow:
    strange = [name for name in binding if name not in names]
    if strange:
        raise BrokenResults(f"a row binds ?{strange[0]}, which the head does not list")
    return tuple(None if name not in binding else _term(binding[name]) for name in names)


def _term(cell: dict[str, Any]) -> GroundTerm:
    kind, value = cell["type"], cell["value"]
    if not isinstance(value, str):
        raise BrokenResults(f"a term of the type {kind} has no text as its value")
    match kind:
        case "uri":
            return IRI(value)
        case "bnode":
            return BlankNode(value)
        case "literal" | "typed-literal":
            language, datatype = cell.get("xml:lang"), cell.get("datatype", XSD_STRING)
            if language:
                return Literal.tagged(value, str(language))
            if not isinstance(datatype, str) or datatype == RDF_LANG_STRING:
                raise BrokenResults(f"the literal {value!r} has no usable datatype")
            return Literal(value, datatype)
        case _:
            raise BrokenResults(f"a term has the type {kind!r}, which SPARQL 1.1 does not know")
