"""Terms of SPARQL: IRIs, prefixes, literals, variables, blank nodes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from uniqgen_ir.grammar.sparql.context import SparqlContext
from uniqgen_ir.grammar.sparql.iris import has_scheme, resolve
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.vocabulary import (
    BUILTIN_PREFIXES,
    RDF,
    RDF_TYPE,
    XSD,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
)

Parts = list[Any]
"""The parts of an alternative of the grammar, as the parser hands them over."""

RDF_TYPE_IRI: Final = IRI(RDF_TYPE)
NIL: Final = IRI(RDF + "nil")
_STRING_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_SCHEMES: Final = frozenset({"http", "https", "urn", "mailto", "tag", "file", "ftp", "data", "tel", "doi", "did"})
_DATATYPES: Final = (
    *("string", "boolean", "integer", "decimal", "double", "float", "date", "dateTime", "time", "duration", "int"),
    *("long", "short", "byte", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger", "negativeInteger"),
    *("gYear", "gYearMonth", "gMonth", "gDay", "gMonthDay", "dayTimeDuration", "yearMonthDuration", "anyURI"),
    *("unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte", "hexBinary", "base64Binary"),
)
_BY_LOWER_CASE: Final = {name.lower(): name for name in _DATATYPES}


class TermActions:
    """The builder's methods for terms, and what it remembers of the prologue."""

    def __init__(self, context: SparqlContext, base: str | None) -> None:
        self.context = context
        self.base = base
        self.prefixes: dict[str, str] = {}
        self.blank_names: dict[str, Variable] = {}
        self.blank_uses: list[tuple[str, int, int]] = []
        self.blank_variables: set[Variable] = set()
        self._variables: dict[str, Variable] = {}
        self._iris: dict[str, IRI] = {}
        self._fresh = 0
        self._missing: set[str] = set()

    # ------------------------------------------------------------ shapes of parts

    def nothing(self, _parts: Parts, _start: int, _end: int) -> None:
        """An empty alternative."""

    def first(self, parts: Parts, _start: int, _end: int) -> Any:
        return parts[0]

    def second(self, parts: Parts, _start: int, _end: int) -> Any:
        return parts[1]

    def list_empty(self, _parts: Parts, _start: int, _end: int) -> Parts:
        return []

    def list_one(self, parts: Parts, _start: int, _end: int) -> Parts:
        return [parts[0]]

    def list_more(self, parts: Parts, _start: int, _end: int) -> Parts:
        # nobody else holds the list, so it may grow in place
        parts[0].append(parts[1])
        return parts[0]  # type: ignore[no-any-return]

    # ------------------------------------------------------------ prologue and IRIs

    def base_declaration(self, parts: Parts, _start: int, _end: int) -> None:
        self.base = self._resolved(parts[2][1:-1])
        self._iris.clear()

    def prefix_declaration(self, parts: Parts, _start: int, _end: int) -> None:
        self.prefixes[parts[2][:-1]] = self._resolved(parts[3][1:-1])
        self._iris.clear()

    def _resolved(self, reference: str) -> str:
        return reference if self.base is None or has_scheme(reference) else resolve(self.base, reference)

    def iri_full(self, parts: Parts, start: int, end: int) -> IRI:
        text = parts[0]
        iri = self._iris.get(text)
        if iri is None:
            value = self._resolved(text[1:-1])
            iri = self._iris[text] = IRI(value)
            if not value.startswith("http"):
                self._check_scheme(value, start, end)
        return iri

    def _check_scheme(self, value: str, start: int, end: int) -> None:
        if not has_scheme(value):
            message = f"<{value}> is a relative IRI, and the query has no BASE"
            self.context.note("UQ177", message, start, end)
            return
        prefix, _, local = value.partition(":")
        if prefix in self.prefixes and prefix.lower() not in _SCHEMES and not local.startswith("//"):
            fix = self.context.fix("remove the angle brackets", (start, end, value))
            message = f"<{value}> is the IRI `{value}` itself, not a name under the prefix `{prefix}:`"
            self.context.report("UQ178", message, start, end, fix=fix)

    def iri_prefixed(self, parts: Parts, start: int, end: int) -> IRI:
        text = parts[0]
        iri = self._iris.get(text)
        if iri is None:
            prefix, _, local = text.partition(":")
            namespace = self.prefixes.get(prefix)
            if namespace is None:
                namespace = self._missing_prefix(prefix, start, end)
            iri = self._iris[text] = IRI(namespace + (local.replace("\\", "") if "\\" in local else local))
        return iri

    def _missing_prefix(self, prefix: str, start: int, end: int) -> str:
        offered = self.context.offered.get(prefix)
        namespace = BUILTIN_PREFIXES.get(prefix) or offered
        known = namespace or WELL_KNOWN.get(prefix)
        fix = None
        if known:
            fix = self.context.fix("declare it", (0, 0, f"PREFIX {prefix}: <{known}>\n"), safe=namespace is not None)
        if prefix not in self._missing:
            self._missing.add(prefix)
            message = f"the prefix `{prefix}:` is not declared"
            if known and not offered:
                # public endpoints declare these themselves, so queries written for them do without
                self.context.idiom("UQ151", message, start, end, fix)
            else:
                self.context.report("UQ160", message, start, end, fix=fix)
        return known or f"{prefix}:"

    def rdf_type(self, _parts: Parts, _start: int, _end: int) -> IRI:
        return RDF_TYPE_IRI

    def right_case(self, iri: IRI, start: int, end: int) -> IRI:
        """The datatype of XML Schema that is meant where only the case is wrong, with a warning."""
        if not iri.value.startswith(XSD):
            return iri
        local = iri.value[len(XSD) :]
        name = _BY_LOWER_CASE.get(local.lower(), local)
        if name == local:
            return iri
        written = self.context.text[start:end]
        place = start + written.rfind(local)
        fix = self.context.fix(f"write `{name}`", (place, place + len(local), name))
        self.context.idiom("UQ152", f"XML Schema has no `{local}`; read as `{name}`", start, end, fix)
        return IRI(XSD + name)

    # ------------------------------------------------------------ variables and blank nodes

    def variable(self, parts: Parts, _start: int, _end: int) -> Variable:
        name = parts[0][1:]
        found = self._variables.get(name)
        if found is None:
            found = self._variables[name] = Variable(name)
        return found

    def fresh(self, stem: str) -> Variable:
        """A variable that the query does not use."""
        while True:
            self._fresh += 1
            name = f"{stem}_{self._fresh}"
            if f"?{name}" not in self.context.text and f"${name}" not in self.context.text:
                return Variable(name)

    def _fresh_blank(self) -> Variable:
        variable = self.fresh("blank")
        self.blank_variables.add(variable)
        return variable

    def blank_label(self, parts: Parts, start: int, end: int) -> Variable:
        label = parts[0]
        self.blank_uses.append((label, start, end))
        if label not in self.blank_names:
            self.blank_names[label] = self._fresh_blank()
        return self.blank_names[label]

    def blank_anonymous(self, _parts: Parts, _start: int, _end: int) -> Variable:
        return self._fresh_blank()

    def empty_list(self, _parts: Parts, _start: int, _end: int) -> IRI:
        return NIL

    # ------------------------------------------------------------ literals

    def string(self, parts: Parts, _start: int, _end: int) -> Literal:
        return Literal(string_value(parts[0]))

    def string_tagged(self, parts: Parts, _start: int, _end: int) -> Literal:
        return Literal.tagged(string_value(parts[0]), parts[1][1:])

    def string_typed(self, parts: Parts, _start: int, end: int) -> Literal:
        datatype: IRI = parts[2]
        if datatype.value.startswith(XSD):
            written = self.context.text[:end]
            datatype = self.right_case(datatype, written.rfind("^^") + 2, end)
        if datatype.value == RDF + "langString":
            # without a tag it is ill-formed and equal to nothing; the tag cannot be made up
            return Literal(string_value(parts[0]), XSD_STRING)
        return Literal(string_value(parts[0]), datatype.value)

    def integer(self, parts: Parts, _start: int, _end: int) -> Literal:
        return Literal(parts[0], XSD_INTEGER)

    def number(self, parts: Parts, _start: int, _end: int) -> Literal:
        return number_literal(parts[0])

    def signed(self, parts: Parts, _start: int, _end: int) -> Literal:
        return number_literal(parts[0])

    def true(self, _parts: Parts, _start: int, _end: int) -> Literal:
        return Literal("true", XSD_BOOLEAN)

    def false(self, _parts: Parts, _start: int, _end: int) -> Literal:
        return Literal("false", XSD_BOOLEAN)


def string_value(token: str) -> str:
    """The characters that a quoted string stands for."""
    quotes = 3 if token[:3] in ('"""', "'''") and len(token) >= 6 else 1
    body = token[quotes:-quotes]
    return _STRING_ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), body) if "\\" in body else body


def number_literal(text: str) -> Literal:
    """The literal of a number as written: its form decides the datatype."""
    if "e" in text or "E" in text:
        return Literal(text, XSD_DOUBLE)
    return Literal(text, XSD_DECIMAL if "." in text else XSD_INTEGER)


def names(variables: Sequence[Variable]) -> str:
    """The variables as `?a, ?b`."""
    return ", ".join(f"?{one.name}" for one in variables)


WELL_KNOWN: Final[dict[str, str]] = {
    "bd": "http://www.bigdata.com/rdf#",
    "dbc": "http://dbpedia.org/resource/Category:",
    "dbo": "http://dbpedia.org/ontology/",
    "dbp": "http://dbpedia.org/property/",
    "dbpedia": "http://dbpedia.org/resource/",
    "dbr": "http://dbpedia.org/resource/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "dcterms": "http://purl.org/dc/terms/",
    "fn": "http://www.w3.org/2005/xpath-functions#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "geo": "http://www.opengis.net/ont/geosparql#",
    "geof": "http://www.opengis.net/def/function/geosparql/",
    "gn": "http://www.geonames.org/ontology#",
    "onto": "http://dbpedia.org/ontology/",
    "org": "http://www.w3.org/ns/org#",
    "p": "http://www.wikidata.org/prop/",
    "pq": "http://www.wikidata.org/prop/qualifier/",
    "prov": "http://www.w3.org/ns/prov#",
    "ps": "http://www.wikidata.org/prop/statement/",
    "psv": "http://www.wikidata.org/prop/statement/value/",
    "qudt": "http://qudt.org/schema/qudt/",
    "res": "http://dbpedia.org/resource/",
    "schema": "http://schema.org/",
    "sh": "http://www.w3.org/ns/shacl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "sosa": "http://www.w3.org/ns/sosa/",
    "time": "http://www.w3.org/2006/time#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "void": "http://rdfs.org/ns/void#",
    "wd": "http://www.wikidata.org/entity/",
    "wds": "http://www.wikidata.org/entity/statement/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "wgs84": "http://www.w3.org/2003/01/geo/wgs84_pos#",
    "wikibase": "http://wikiba.se/ontology#",
    "yago": "http://dbpedia.org/class/yago/",
}
"""Prefixes that are proposed, not assumed, where a query uses them without declaring them."""
