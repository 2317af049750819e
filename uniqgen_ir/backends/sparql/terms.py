"""Terms as SPARQL text."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote

from attrs import define, field

from uniqgen_ir.backends.sparql.dialects import SparqlDialect
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Parameter, Variable
from uniqgen_ir.ir.vocabulary import (
    BUILTIN_PREFIXES,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
)

BLANK_NAMESPACE: Final = "urn:x-uniqgen-blank:"
"""Under these IRIs a store keeps blank nodes, where the dialect says so."""

_BAD_IN_IRI: Final = re.compile(r"[\x00-\x20<>\"{}|^`\\\ud800-\udfff]")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
# at most one dot inside: some parsers refuse two, and none may stand at an end
_SAFE_LOCAL: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)?")
_SAFE_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*|")
_VARIABLE: Final = re.compile(r"[A-Za-z0-9_]+")
_LANGUAGE: Final = re.compile(r"[a-zA-Z]+(?:-[a-zA-Z0-9]+)*")
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_BARE: Final = {
    XSD_INTEGER: re.compile(r"[0-9]+", re.ASCII),
    XSD_DECIMAL: re.compile(r"[0-9]+\.[0-9]+", re.ASCII),
    XSD_DOUBLE: re.compile(r"[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]+", re.ASCII),
    XSD_BOOLEAN: re.compile(r"true|false"),
}


def quote_string(text: str) -> str:
    """The text between double quotes, everything escaped that needs it.

    Raises DiagnosticError UQ503 for half of a surrogate pair.
    """
    if _SURROGATE.search(text):
        raise fail("UQ503", f"the text {text!a} holds half of a surrogate pair and cannot be sent")
    return '"' + "".join(_escape(character) for character in text) + '"'


def _escape(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    return character if character >= " " and character != "\x7f" else f"\\u{ord(character):04X}"


def quote_iri(iri: str) -> str:
    """The absolute IRI between angle brackets. Raises DiagnosticError UQ503 where it is not a valid IRI."""
    if _BAD_IN_IRI.search(iri) or not _SCHEME.match(iri):
        raise fail(
            "UQ503", f"<{ascii(iri)[1:-1]}> is not an absolute IRI", hint="percent-encode what an IRI cannot hold"
        )
    return f"<{iri}>"


@define
class TermWriter:
    """Writes the terms of one query and remembers the prefixes that they used."""

    dialect: SparqlDialect
    prefixes: tuple[tuple[str, str], ...]
    variables: dict[Variable, str] = field(factory=dict[Variable, str])
    parameters: dict[str, str] = field(factory=dict[str, str])
    used_prefixes: dict[str, str] = field(factory=dict[str, str])
    _taken: set[str] = field(factory=set[str])
    _known: list[tuple[str, str]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        table = {**BUILTIN_PREFIXES, **dict(self.prefixes)} if self.dialect.prefixes else {}
        usable = [(prefix, namespace) for prefix, namespace in table.items() if _SAFE_PREFIX.fullmatch(prefix)]
        # the longest namespace first, so that the most specific prefix wins
        self._known = sorted(usable, key=lambda pair: (-len(pair[1]), pair[0]))

    def reserve(self, variables: frozenset[Variable]) -> None:
        """Give every variable of the table its name, before fresh names are made."""
        proper = {variable for variable in variables if _VARIABLE.fullmatch(variable.name)}
        for variable in proper:
            self.variables[variable] = variable.name
            self._taken.add(variable.name)
        for variable in sorted(variables - proper, key=lambda one: one.name):
            self.variables[variable] = self.fresh("v")

    def fresh(self, stem: str) -> str:
        """A variable name (without question mark) that the query does not use yet."""
        number = 1
        while f"{stem}{number}" in self._taken:
            number += 1
        self._taken.add(f"{stem}{number}")
        return f"{stem}{number}"

    def variable(self, variable: Variable) -> str:
        if variable not in self.variables:
            self.reserve(frozenset({variable}))
        return f"?{self.variables[variable]}"

    def term(self, term: Variable | Parameter | GroundTerm) -> str:
        """The text of any term."""
        match term:
            case Variable():
                return self.variable(term)
            case Parameter(name):
                return self._parameter(name)
            case IRI(value):
                return self.iri(value)
            case Literal():
                return self.literal(term)
            case BlankNode(label):
                return self._blank(label)

    def iri(self, value: str) -> str:
        for prefix, namespace in self._known:
            if value.startswith(namespace) and _SAFE_LOCAL.fullmatch(value, len(namespace)):
                quote_iri(namespace)
                self.used_prefixes[prefix] = namespace
                return f"{prefix}:{value[len(namespace) :]}"
        return quote_iri(value)

    def literal(self, literal: Literal) -> str:
        bare = _BARE.get(literal.datatype)
        if bare is not None and bare.fullmatch(literal.lexical):
            return literal.lexical
        quoted = quote_string(literal.lexical)
        if literal.language is not None:
            if not _LANGUAGE.fullmatch(literal.language):
                raise fail("UQ503", f"{literal.language!a} is not a language tag")
            return f"{quoted}@{literal.language}"
        return quoted if literal.datatype == XSD_STRING else f"{quoted}^^{self.iri(literal.datatype)}"

    def _parameter(self, name: str) -> str:
        if name not in self.parameters:
            # in SPARQL `$x` and `?x` are the same variable, so a parameter must not share a variable's name
            clear = name if _VARIABLE.fullmatch(name) and name not in self._taken else self.fresh("parameter")
            self._taken.add(clear)
            self.parameters[name] = clear
        return f"${self.parameters[name]}"

    def _blank(self, label: str) -> str:
        if not self.dialect.blanks_as_iris:
            raise fail("UQ500", f"SPARQL cannot name the blank node _:{label}", hint="ask for it by its properties")
        return quote_iri(blank_iri(label))


def blank_iri(label: str) -> str:
    """The IRI under which a store keeps the blank node."""
    return BLANK_NAMESPACE + quote(label, safe="")


def blank_label(iri: str) -> str:
    """The label of the blank node that a store keeps under this IRI."""
    return unquote(iri.removeprefix(BLANK_NAMESPACE))
