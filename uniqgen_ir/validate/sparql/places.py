"""Names and places in a SPARQL text for the messages of the typing rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from attrs import field, frozen

from uniqgen_ir.backends.sparql.expressions import FUNCTION_NAMES
from uniqgen_ir.backends.sparql.terms import quote_string
from uniqgen_ir.grammar.sparql.lexer import Token
from uniqgen_ir.grammar.sparql.terms import number_literal, string_value
from uniqgen_ir.ir.expressions import Call, Expression
from uniqgen_ir.ir.printer import print_expression
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE, XSD, XSD_BOOLEAN, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, XSD_STRING
from uniqgen_ir.passes.types.places import Places
from uniqgen_ir.validate.sparql.query import CheckedQuery, Place

_LOCAL: Final = re.compile(r"[\w](?:[\w.-]*[\w-])?|")
_BARE: Final = {
    XSD_INTEGER: re.compile(r"[+-]?[0-9]+"),
    XSD_DECIMAL: re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    XSD_BOOLEAN: re.compile(r"true|false"),
}
_NUMBERS: Final = frozenset({"INTEGER", "NUMBER", "SIGNED"})


@frozen
class SparqlPlaces(Places):
    """Terms as SPARQL writes them, found among the tokens of the query. `prefixes`: those of the query, then others."""

    query: CheckedQuery = field(kw_only=True)
    prefixes: dict[str, str] = field(kw_only=True)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "short", self.name)

    def name(self, iri: str) -> str:
        """The IRI with a prefix where one fits; datatypes of XML Schema as everybody knows them."""
        fitting = [
            (len(space), prefix)
            for prefix, space in self.prefixes.items()
            if space and iri.startswith(space) and _LOCAL.fullmatch(iri[len(space) :])
        ]
        if fitting:
            length, prefix = max(fitting, key=lambda one: (one[0], -len(one[1])))
            return f"{prefix}:{iri[length:]}"
        return f"xsd:{iri[len(XSD) :]}" if iri.startswith(XSD) else f"<{iri}>"

    def text(self, expression: Expression | str | None) -> str:
        match expression:
            case IRI(value):
                return self.name(value)
            case Literal():
                return self.literal(expression)
            case Variable(name):
                return "a blank node" if expression in self.query.reading.blank_variables else f"?{name}"
            case Call(function, arguments):
                return f"{FUNCTION_NAMES.get(function, function)}({', '.join(map(self.text, arguments))})"
            case str():
                return FUNCTION_NAMES.get(expression, expression)
            case None:
                return "the expression"
            case _:
                return print_expression(expression, self.table.prefixes)

    def literal(self, literal: Literal) -> str:
        """The literal as it stands in a query."""
        bare = _BARE.get(literal.datatype)
        if bare is not None and bare.fullmatch(literal.lexical):
            return literal.lexical
        quoted = quote_string(literal.lexical)
        if literal.language is not None:
            return f"{quoted}@{literal.language}"
        return quoted if literal.datatype == XSD_STRING else f"{quoted}^^{self.name(literal.datatype)}"

    # ---- places ------------------------------------------------------------------------------------------------------

    def token(self, row: Row, expression: Expression | None) -> Span | None:
        found = self.places(row, expression)
        return self.query.reading.context.span(*found[0]) if len(found) == 1 else None

    def predicate_token(self, row: Row, predicate: Expression) -> Span | None:
        found = self.token(row, predicate)
        if found is not None or row.span is None:
            return found
        # behind a comma a row begins with its object
        for token in self.query.tokens_before(row.span.start):
            if token[0] in ("DOT", "SEMICOLON", "LBRACE", "RBRACE"):
                break
            if self._matched([token], 0, predicate) is not None:
                return self.query.reading.context.span(token[2], token[3])
        return None

    def places(self, row: Row, expression: Expression | None) -> list[Place]:
        """Every place of a term in its row; none where escapes shift what rows count in."""
        if row.span is None or expression is None or self.query.reading.context.text != self.source:
            return []
        start, end = row.span.start, row.span.end
        tokens = self.query.tokens_in(start, end)
        candidates: Iterable[int] = range(len(tokens))
        if isinstance(expression, Literal) and expression.datatype not in (*_BARE, XSD_DOUBLE):
            # long lists are looked up, not gone through
            candidates = self.query.strings_in(start, end, expression.lexical)
        found = (self._matched(tokens, place, expression) for place in candidates)
        return [one for one in found if one is not None]

    def _matched(self, tokens: list[Token], place: int, expression: Expression) -> Place | None:
        """Where the term ends if it begins at the token."""
        kind, text, start, end = tokens[place]
        match expression:
            case Variable(name) | Parameter(name):
                return (start, end) if kind == "VARIABLE" and text[1:] == name else None
            case IRI():
                return (start, end) if self._iri(kind, text) == expression.value else None
            case Literal():
                return self._matched_literal(tokens, place, expression)
            case _:
                return None

    def _matched_literal(self, tokens: list[Token], place: int, literal: Literal) -> Place | None:
        kind, text, start, end = tokens[place]
        if kind in _NUMBERS:
            return (start, end) if number_literal(text) == literal else None
        if kind in ("TRUE", "FALSE"):
            return (start, end) if literal == Literal(text.lower(), XSD_BOOLEAN) else None
        if kind != "STRING" or string_value(text) != literal.lexical:
            return None
        after = tokens[place + 1 : place + 3]
        if after and after[0][0] == "LANGTAG":
            return (start, after[0][3]) if after[0][1][1:].lower() == literal.language else None
        if len(after) == 2 and after[0][0] == "CARETS":
            same = (self._iri(after[1][0], after[1][1]) or "").lower() == literal.datatype.lower()
            return (start, after[1][3]) if same else None
        return (start, end) if literal.datatype == XSD_STRING else None

    def _iri(self, kind: str, text: str) -> str | None:
        if kind == "A":
            return RDF_TYPE
        if kind == "IRIREF":
            return text[1:-1]
        if kind in ("PNAME_LN", "PNAME_NS"):
            prefix, _, local = text.partition(":")
            space = self.prefixes.get(prefix)
            return None if space is None else space + local.replace("\\", "")
        return None
