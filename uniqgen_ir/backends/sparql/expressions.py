"""Expressions as SPARQL text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import frozen

from uniqgen_ir.backends.sparql.terms import BLANK_NAMESPACE, TermWriter, quote_string
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.expressions import (
    Aggregate,
    And,
    Arithmetic,
    ArithmeticOperator,
    Call,
    Comparison,
    Exists,
    Expression,
    Membership,
    Negative,
    Not,
    Or,
)
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Variable
from uniqgen_ir.ir.vocabulary import XSD

FUNCTION_NAMES: Final[dict[str, str]] = {
    "str": "STR",
    "lang": "LANG",
    "lang_matches": "LANGMATCHES",
    "datatype": "DATATYPE",
    "iri": "IRI",
    "bound": "BOUND",
    "if": "IF",
    "coalesce": "COALESCE",
    "same_term": "sameTerm",
    "is_iri": "isIRI",
    "is_blank": "isBLANK",
    "is_literal": "isLITERAL",
    "is_numeric": "isNUMERIC",
    "length": "STRLEN",
    "substring": "SUBSTR",
    "upper": "UCASE",
    "lower": "LCASE",
    "starts_with": "STRSTARTS",
    "ends_with": "STRENDS",
    "contains": "CONTAINS",
    "before": "STRBEFORE",
    "after": "STRAFTER",
    "concat": "CONCAT",
    "matches": "REGEX",
    "replace": "REPLACE",
    "encode_for_uri": "ENCODE_FOR_URI",
    "abs": "ABS",
    "round": "ROUND",
    "ceil": "CEIL",
    "floor": "FLOOR",
    "year": "YEAR",
    "month": "MONTH",
    "day": "DAY",
    "hours": "HOURS",
    "minutes": "MINUTES",
    "seconds": "SECONDS",
    "timezone": "TIMEZONE",
    "tz": "TZ",
    "now": "NOW",
    "str_dt": "STRDT",
    "str_lang": "STRLANG",
    "rand": "RAND",
    "uuid": "UUID",
    "str_uuid": "STRUUID",
    "md5": "MD5",
    "sha1": "SHA1",
    "sha256": "SHA256",
    "sha384": "SHA384",
    "sha512": "SHA512",
}
CASTS: Final[dict[str, str]] = {
    name: XSD + {"datetime": "dateTime"}.get(name, name)
    for name in ("integer", "decimal", "double", "float", "boolean", "date", "datetime", "time", "duration", "string")
}

# how tightly each form binds, loosest first
_OR, _AND, _RELATION, _SUM, _PRODUCT, _UNARY, _PRIMARY = range(7)


@frozen
class ExpressionWriter:
    """Writes expressions; `exists` writes the group behind EXISTS on one line."""

    terms: TermWriter
    exists: Callable[[tuple[Row, ...]], str]

    def text(self, expression: Expression) -> str:
        """The expression, without parentheses around it."""
        return self._write(expression, _OR)

    def bracketed(self, expression: Expression) -> str:
        """The expression where a call or something in parentheses must stand: FILTER, HAVING, ORDER BY."""
        text, own = self._form(expression)
        # some calls are written as several
        plain = isinstance(expression, Call | Aggregate) and own == _PRIMARY
        return text if plain and not text.startswith("(") else f"({text})"

    def _write(self, expression: Expression, needed: int) -> str:
        text, own = self._form(expression)
        return text if own >= needed else f"({text})"

    def _form(self, expression: Expression) -> tuple[str, int]:
        match expression:
            case Variable() | Parameter() | IRI() | Literal():
                return self.terms.term(expression), _PRIMARY
            case Or(operands):
                return " || ".join(self._write(one, _AND) for one in operands), _OR
            case And(operands):
                return " && ".join(self._write(one, _RELATION) for one in operands), _AND
            case Comparison(operator, left, right):
                return f"{self._write(left, _SUM)} {operator.value} {self._write(right, _SUM)}", _RELATION
            case Membership(operand, options, negated):
                listed = ", ".join(self._write(one, _OR) for one in options)
                return f"{self._write(operand, _SUM)} {'NOT IN' if negated else 'IN'} ({listed})", _RELATION
            case Arithmetic():
                return self._arithmetic(expression)
            case Negative(operand):
                return f"-{self._write(operand, _PRIMARY)}", _UNARY
            case Not(operand):
                return f"!{self._write(operand, _PRIMARY)}", _UNARY
            case Exists(rows, negated):
                return f"{'NOT EXISTS' if negated else 'EXISTS'} {self.exists(rows)}", _PRIMARY
            case Aggregate():
                return self._aggregate(expression), _PRIMARY
            case Call():
                return self._call(expression)

    def _arithmetic(self, expression: Arithmetic) -> tuple[str, int]:
        sums = expression.operator in (ArithmeticOperator.ADD, ArithmeticOperator.SUBTRACT)
        own = _SUM if sums else _PRODUCT
        # the right operand needs more: a - (b - c); a signed number would run into the operator
        left, right = self._write(expression.left, own), self._write(expression.right, own + 1)
        return f"{left} {expression.operator.value} {right}", own

    def _aggregate(self, expression: Aggregate) -> str:
        distinct = "DISTINCT " if expression.distinct else ""
        operand = "*" if expression.operand is None else self._write(expression.operand, _OR)
        if expression.operand is None and expression.function != "count":
            raise fail("UQ500", f"SPARQL needs something to {expression.function}", hint="only count() stands alone")
        if expression.function == "group_concat" and self.terms.dialect.concat_keeps_tags:
            operand = f"STR({operand})"
        separator = "" if expression.separator is None else f"; SEPARATOR = {quote_string(expression.separator)}"
        return f"{expression.function.upper()}({distinct}{operand}{separator})"

    def _call(self, expression: Call) -> tuple[str, int]:
        name, arguments = expression.function, [self._write(one, _OR) for one in expression.arguments]
        if name in CASTS:
            return f"{self.terms.iri(CASTS[name])}({', '.join(arguments)})", _PRIMARY
        if name not in FUNCTION_NAMES:
            raise fail("UQ500", f"SPARQL has no function {name}")
        if name == "bound" and not isinstance(expression.arguments[0], Variable):
            raise fail("UQ500", "SPARQL's BOUND takes a variable", hint="give the expression a name with bind")
        if self.terms.dialect.blanks_as_iris and name in ("is_iri", "is_blank"):
            return self._kept_blank(name, arguments[0])
        return f"{FUNCTION_NAMES[name]}({', '.join(arguments)})", _PRIMARY

    def _kept_blank(self, name: str, argument: str) -> tuple[str, int]:
        under = f"STRSTARTS(STR({argument}), {quote_string(BLANK_NAMESPACE)})"
        if name == "is_blank":
            return f"isIRI({argument}) && {under}", _AND
        return f"isIRI({argument}) && !{under}", _AND
