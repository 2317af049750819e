"""What the reader reports, as the gate says it.

The reader speaks of what a table can hold; the gate of what a store takes. So named graphs are no fault here, functions
of stores are told apart, and repairs are added that need the whole query.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from attrs import evolve

from uniqgen_ir.grammar.sparql.groups import Group
from uniqgen_ir.grammar.sparql.lexer import Token
from uniqgen_ir.grammar.sparql.queries import QueryParts
from uniqgen_ir.ir.diagnostics import Diagnostic, Edit, Fix, Severity
from uniqgen_ir.ir.suggestions import nearest
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.types import derives
from uniqgen_ir.ir.vocabulary import XSD, XSD_DECIMAL, XSD_INTEGER
from uniqgen_ir.validate.policy import Policy
from uniqgen_ir.validate.sparql.query import CheckedQuery

_EXTENSIONS: Final = (
    "http://www.opengis.net/def/function/",
    "http://www.w3.org/2005/xpath-functions",
    "http://jena.apache.org/ARQ/",
    "http://jena.hpl.hp.com/ARQ/",
    "http://www.openlinksw.com/schemas/",
    "http://spinrdf.org/spif#",
    "http://www.ontotext.com/",
    "http://www.bigdata.com/",
    "http://aws.amazon.com/neptune/",
    "bif:",
    "sql:",
)
"""Where stores keep functions of their own."""
_VENDOR_PREFIXES: Final = frozenset({"bif", "sql", "afn", "apf", "bds", "fts"})
_LABEL_SERVICE: Final = "http://wikiba.se/ontology#"
_IRI: Final = re.compile(r"<([^>]*)>")
_PREFIX: Final = re.compile(r"the prefix `([^`]*):` is not declared")


def as_the_gate_says(
    query: CheckedQuery, one: Diagnostic, offered: Mapping[str, str], policy: Policy
) -> Iterator[Diagnostic]:
    """The diagnostics that stand for one of the reader's; none where it is no fault for a store."""
    match one.code:
        case "UQ148":
            if one.message.startswith("FROM"):
                message = "FROM names a graph that some stores fetch from the network"
                yield evolve(one, code="UQ759", message=message, severity=Severity.WARNING)
        case "UQ146" if not policy.read_only:
            message = "this changes the graph, as it may; what it says is not checked"
            yield evolve(one, message=message, severity=Severity.INFORMATION)
        case "UQ147":
            yield from _service(query, one, policy)
        case "UQ149":
            yield from _function(query, one)
        case "UQ160" | "UQ151":
            yield _prefix(query, one, offered)
        case "UQ165":
            yield evolve(one, fix=_having(query, one)) if "FILTER" in one.message else one
        case "UQ162":
            yield evolve(one, fix=_grouped(query, one) or one.fix)
        case _:
            yield one


def _service(query: CheckedQuery, one: Diagnostic, policy: Policy) -> Iterator[Diagnostic]:
    if policy.services and one.span is not None and _endpoint(query, one.span.start) in policy.services:
        return
    if _LABEL_SERVICE in one.message:
        message = "the label service is known to one store only"
        yield evolve(one, code="UQ758", message=message, severity=Severity.WARNING)
    else:
        yield one


def _endpoint(query: CheckedQuery, start: int) -> str | None:
    """The IRI that SERVICE at a place calls; None where a variable stands for it."""
    prefixes = dict(query.reading.prefixes)
    for kind, text, _, _ in query.tokens_in(start, len(query.text))[1:3]:
        if kind == "IRIREF":
            return text[1:-1]
        prefix, colon, local = text.partition(":")
        if colon and prefix in prefixes:
            return prefixes[prefix] + local
    return None


def _function(query: CheckedQuery, one: Diagnostic) -> Iterator[Diagnostic]:
    found = _IRI.search(one.message)
    if found is None:
        return  # BNODE() and IRI() with a base: fine for a store
    iri = found[1]
    if iri.startswith(_EXTENSIONS):
        message = f"{_written(query, one)}() is an extension that not every store has"
        yield evolve(one, code="UQ758", message=message, severity=Severity.WARNING)
    elif iri.startswith(XSD) and derives(iri, XSD_DECIMAL) and one.span is not None:
        # a cast that SPARQL 1.1 does not ask for, and that most stores have
        text = _written(query, one)
        plain = text.rpartition(":")[0] + ":integer" if ":" in text and "<" not in text else f"<{XSD_INTEGER}>"
        fix = query.fix(f"write {plain}", (one.span.start, one.span.start + len(text), plain))
        message = f"{text}() is not among the casts of SPARQL 1.1"
        yield evolve(one, code="UQ758", message=message, severity=Severity.WARNING, fix=fix)
    else:
        yield one


def _written(query: CheckedQuery, one: Diagnostic) -> str:
    """The name of the function as it stands in the query."""
    start = one.span.start if one.span else 0
    return query.token_after(start)[1]


# ---- prefixes --------------------------------------------------------------------------------------------------------


def _prefix(query: CheckedQuery, one: Diagnostic, offered: Mapping[str, str]) -> Diagnostic:
    found = _PREFIX.match(one.message)
    if found is None:
        return one
    prefix = found[1]
    if prefix in _VENDOR_PREFIXES and prefix not in offered:
        token = query.token_after(one.span.start if one.span else 0)
        message = f"{token[1]} is known to one store only"
        return evolve(one, code="UQ758", message=message, fix=_contains(query, token))
    if one.fix is not None:
        return one
    declared = dict(query.reading.prefixes) | dict(offered)
    guess = nearest(prefix, ((name, name) for name in declared if name))
    if guess is None and len(prefix) <= 4:
        # names this short are alike when they begin alike
        guess = next((name for name in sorted(declared) if name and (name in prefix or prefix in name)), None)
    if guess is None:
        return one
    edits = [
        (start, start + len(prefix), guess)
        for kind, text, start, _ in query.reading.tokens
        if kind in ("PNAME_LN", "PNAME_NS") and text.startswith(f"{prefix}:")
    ]
    return evolve(one, hint=f"did you mean {guess}:?", fix=query.fix(f"write {guess}:", *edits, safe=False))


def declared_at_once(found: list[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics with one edit for all prefixes that are to be declared."""
    lines = {
        edit: None
        for one in found
        if one.kind == "missing_prefix" and one.fix is not None
        for edit in one.fix.edits
        if edit.start == edit.end == 0
    }
    if len(lines) < 2:
        return found
    together = Edit(0, 0, "".join(edit.text for edit in lines))
    return [
        evolve(one, fix=evolve(one.fix, edits=(together,))) if one.fix and set(one.fix.edits) & lines.keys() else one
        for one in found
    ]


def _contains(query: CheckedQuery, predicate: Token) -> Fix | None:
    """`?n bif:contains "'x'"` as a condition that every store knows."""
    before, after = query.token_before(predicate[2]), query.token_after(predicate[3])
    if not predicate[1].endswith(":contains") or before is None or before[0] != "VARIABLE" or after[0] != "STRING":
        return None
    text = after[1].strip("\"'").strip()
    if not text or "'" in text or '"' in text:
        return None
    condition = f'FILTER(CONTAINS(LCASE(STR({before[1]})), "{text.lower()}"))'
    return query.fix("write it as a condition", (before[2], after[3], condition), safe=False)


# ---- groups ----------------------------------------------------------------------------------------------------------


def _owner(query: CheckedQuery, one: Diagnostic) -> QueryParts | None:
    """The innermost query around the place."""
    start = one.span.start if one.span else 0
    around = [parts for parts in query.reading.queries if parts.start <= start < parts.end]
    return min(around, key=lambda parts: parts.end - parts.start, default=None)


def _grouped(query: CheckedQuery, one: Diagnostic) -> Fix | None:
    """Group by every column that is neither grouped by nor aggregated, at once."""
    parts = _owner(query, one)
    if parts is None or parts.head.items is None:
        return None
    known = {key.variable for key in parts.clauses.group}
    loose = [item.column.expression for item in parts.head.items if item.column.alias is None]
    names = [f"?{one.name}" for one in loose if isinstance(one, Variable) and one not in known]
    if not names or len(loose) < len(parts.head.items) - sum(1 for one in parts.head.items if one.column.alias):
        return None
    place = parts.clauses.places.get("group")
    at, text = (place[1], " ") if place else (parts.where.end, " GROUP BY ")
    return query.fix(f"group by {', '.join(names)}", (at, at, text + " ".join(names)))


def _having(query: CheckedQuery, one: Diagnostic) -> Fix | None:
    """A condition on groups, moved from FILTER into HAVING."""
    parts, span = _owner(query, one), one.span
    if parts is None or span is None or parts.head.items is None or "having" in parts.clauses.places:
        return None
    if not any(start == span.start for _, start, _ in parts.where.elements):
        return None
    condition = query.text[span.start : span.end][len("FILTER") :].strip()
    names = [f"?{item.column.expression.name}" for item in parts.head.items
             if isinstance(item.column.expression, Variable)]  # fmt: skip
    group = parts.clauses.places.get("group")
    text = f" HAVING {condition}" if group or not names else f" GROUP BY {' '.join(names)} HAVING {condition}"
    at = group[1] if group else parts.where.end
    start = _before_filter(query, span.start, parts.where)
    return query.fix("move it to HAVING", (start, span.end, ""), (at, at, text))


def _before_filter(query: CheckedQuery, start: int, group: Group) -> int:
    """Where to cut, so that no dot is left behind in front of the end of the group."""
    before = query.token_before(start)
    return before[2] if before is not None and before[0] == "DOT" and before[2] > group.start else start
