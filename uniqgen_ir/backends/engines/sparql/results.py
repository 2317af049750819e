"""SPARQL query results as they travel: JSON and XML, told apart by media type, or by how they begin."""

from __future__ import annotations

from attrs import frozen

from uniqgen_ir.ir.protocols import AnswerRow

ACCEPT = "application/sparql-results+json, application/sparql-results+xml;q=0.9"
"""What to ask a server for."""


@frozen
class Results:
    """The results of one query: names and rows of a SELECT, or the `truth` of an ASK."""

    names: tuple[str, ...] = ()
    rows: tuple[AnswerRow, ...] = ()
    truth: bool | None = None


class BrokenResults(Exception):
    """The text is no SPARQL results; the message says what is wrong, in one clause."""


def read_results(body: bytes, media_type: str | None) -> Results:
    """The results in a body. Raises BrokenResults where it is cut off, of another kind, or breaks the rules."""
    kind = _kind(body, (media_type or "").partition(";")[0].strip().lower())
    if kind == "json":
        from uniqgen_ir.backends.engines.sparql.results_json import read_json

        return read_json(body)
    if kind == "xml":
        from uniqgen_ir.backends.engines.sparql.results_xml import read_xml

        return read_xml(body)
    what = f"of the type {media_type}" if media_type else "of no stated type"
    raise BrokenResults(f"the body is {what}, not SPARQL results")


def _kind(body: bytes, media_type: str) -> str | None:
    if media_type in ("application/sparql-results+json", "application/json"):
        return "json"
    if media_type in ("application/sparql-results+xml", "application/xml", "text/xml"):
        return "xml"
    # some servers name no type, or a general one
    if media_type in ("", "text/plain", "application/octet-stream"):
        first = body.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
        return {b"{": "json", b"<": "xml"}.get(first)
    return None
