"""Names against the schema: those of vocabularies that it does not use, wrong namespaces, names in place of nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import evolve

from uniqgen_ir.ir.diagnostics import Diagnostic, Edit, Fix, Severity
from uniqgen_ir.ir.inference import Clash, Evidence
from uniqgen_ir.ir.rows import Filter, Row, Triple
from uniqgen_ir.ir.schema_index import EVERYTHING, SchemaIndex, is_standard
from uniqgen_ir.ir.suggestions import is_typo, local_name
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.types import LiteralType, NodeType, Type, UnionType
from uniqgen_ir.ir.vocabulary import RDF_LANG_STRING, RDFS_LABEL, XSD_STRING
from uniqgen_ir.passes.types.names import uses
from uniqgen_ir.passes.types.places import Places
from uniqgen_ir.validate.sparql.query import CheckedQuery

_NAMES: Final = ("name", "label", "title", "prefLabel", "fullName")
"""How the predicate is called that leads from a node to its name, the likeliest first."""


def foreign_names(rows: tuple[Row, ...], index: SchemaIndex, places: Places) -> Iterator[Diagnostic]:
    """Classes and predicates of namespaces in which the schema declares nothing.

    Errors where the schema lists all that there is; elsewhere the graph may know more than it, so they are warnings.
    Names of vocabularies that everybody uses (RDF, RDFS, OWL, XSD, SKOS) are left alone.
    """
    severity = Severity.ERROR if index.exclusive_classes else Severity.WARNING
    seen: set[tuple[IRI, bool]] = set()
    for use in uses(rows):
        name, known = use.name, index.classes if use.as_class else index.predicates
        other = index.predicates if use.as_class else index.classes
        declared = name in known or name in other or name in index.mentioned_classes or name in EVERYTHING
        if declared or is_standard(name) or index.speaks_of(name) or (name, use.as_class) in seen or not known:
            continue
        seen.add((name, use.as_class))
        near = index.near_class(name) if use.as_class else index.near_predicate(name)
        text, place = places.text(name), places.token(use.row, name)
        word, code = ("class", "UQ340") if use.as_class else ("relation or property", "UQ341")
        message = f"the schema declares no {word} {text}"
        hint, fix = None, None
        if near is not None:
            written = places.text(near)
            hint = f"did you mean {written}?"
            if place is not None:
                fix = Fix(f"write {written}", (Edit(place.start, place.end, written),), is_typo(name.value, near.value))
        yield Diagnostic(code, message, places.span(use.row, name), severity, hint=hint, fix=fix)


def right_namespaces(
    query: CheckedQuery, index: SchemaIndex | None, prefixes: Mapping[str, str], found: list[Diagnostic]
) -> list[Diagnostic]:
    """Names under a prefix that the query declares with another namespace than the schema does."""
    wrong = {
        prefix: (space, prefixes[prefix])
        for prefix, space in query.reading.prefixes
        if prefix in prefixes and prefixes[prefix] != space
    }
    if index is None or not wrong:
        return found
    return [_with_namespace(query, index, wrong, one) for one in found]


def _with_namespace(
    query: CheckedQuery, index: SchemaIndex, wrong: Mapping[str, tuple[str, str]], one: Diagnostic
) -> Diagnostic:
    if one.code not in ("UQ340", "UQ341") or one.span is None:
        return one
    prefix, colon, local = query.text[one.span.start : one.span.end].partition(":")
    if not colon or prefix not in wrong:
        return one
    _, right = wrong[prefix]
    if IRI(right + local) not in index.classes and IRI(right + local) not in index.predicates:
        return one
    place = _declaration(query, prefix)
    if place is None:
        return one
    fix = query.fix(f"declare {prefix}: as the schema does", (*place, f"<{right}>"))
    return evolve(one, hint=f"the schema declares {prefix}: as <{right}>", fix=fix)


def _declaration(query: CheckedQuery, prefix: str) -> tuple[int, int] | None:
    """Where the IRI of a prefix stands."""
    tokens = query.reading.tokens
    for word, name, iri in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if (word[0], name[0], iri[0]) == ("PREFIX", "PNAME_NS", "IRIREF") and name[1] == f"{prefix}:":
            return iri[2], iri[3]
    return None


# ---- a name in place of a node ---------------------------------------------------------------------------------------


def named_node(
    query: CheckedQuery,
    places: Places,
    plain: Diagnostic,
    cause: Clash | tuple[Evidence, Evidence],
    literal: Literal,
    index: SchemaIndex,
) -> Diagnostic:
    """`?x ex:worksFor "Acme"`: the node is found by its name, one step further."""
    wanted = cause.wanted if isinstance(cause, Clash) else next((one.type for one in cause if _classes(one.type)), None)
    row = cause.row if isinstance(cause, Clash) else cause[1].row
    naming = None if wanted is None else _naming_predicate(wanted, index)
    if naming is None or literal.datatype not in (XSD_STRING, RDF_LANG_STRING):
        return plain
    name, tagged = places.text(naming), _leads_to_tagged(naming, index)
    hint = f"find the node by its name: {name}"
    if isinstance(cause, Clash) and isinstance(row.atom, Triple) and not tagged:
        place = places.predicate_token(row, row.atom.predicate)
        fix = None if place is None else query.fix(f"follow {name}", (place.end, place.end, f"/{name}"), safe=False)
        return evolve(plain, hint=hint, fix=fix)
    key = None if isinstance(cause, Clash) else cause[0].key
    if isinstance(key, Variable) and isinstance(row.atom, Filter) and row.span is not None:
        return evolve(plain, hint=hint, fix=_bound_name(query, places, row, key, name, tagged=tagged))
    return evolve(plain, hint=hint)


def _bound_name(query: CheckedQuery, places: Places, row: Row, key: Variable, name: str, *, tagged: bool) -> Fix | None:
    """`FILTER(?c = "Acme")` as `?c ex:name ?c_name . FILTER(?c_name = "Acme")`."""
    place, span = places.token(row, key), row.span
    fresh = f"{key.name}_name"
    if place is None or span is None or f"?{fresh}" in query.text:
        return None
    before = query.token_before(span.start)
    dot = "" if before is not None and before[0] in ("DOT", "LBRACE", "RBRACE", "RPAR") else ". "
    used = f"STR(?{fresh})" if tagged else f"?{fresh}"
    edits = ((span.start, span.start, f"{dot}?{key.name} {name} ?{fresh} . "), (place.start, place.end, used))
    return query.fix(f"compare its {name}", *edits, safe=False)


def _naming_predicate(wanted: Type, index: SchemaIndex) -> IRI | None:
    """The predicate that leads from such a node to its name."""
    classes = _classes(wanted)
    found = [
        (_NAMES.index(local_name(predicate.iri.value)), predicate.iri.value != RDFS_LABEL, predicate.iri.value)
        for predicate in index.predicates.values()
        if local_name(predicate.iri.value) in _NAMES
        and any(one.domain is None or one.domain in classes for one in predicate.properties)
    ]
    return IRI(min(found)[2]) if found else None


def _classes(type_: Type) -> frozenset[IRI]:
    match type_:
        case NodeType(classes):
            return classes
        case UnionType(options):
            return frozenset(one for option in options if isinstance(option, NodeType) for one in option.classes)
        case _:
            return frozenset()


def _leads_to_tagged(predicate: IRI, index: SchemaIndex) -> bool:
    found = index.predicate(predicate)
    return found is not None and found.object_type == LiteralType(frozenset({RDF_LANG_STRING}))
