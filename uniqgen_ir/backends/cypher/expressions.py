"""Expressions in Cypher: conditions with SPARQL's three values, and values with their datatypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import define

from uniqgen_ir.backends.cypher.arithmetic import as_number, write_arithmetic, write_own_operator, write_rounded
from uniqgen_ir.backends.cypher.casts import CAST_NAMES, cast_constant, cast_exact, cast_plain, mended_time
from uniqgen_ir.backends.cypher.compare import Comparer
from uniqgen_ir.backends.cypher.dialects import CypherDialect
from uniqgen_ir.backends.cypher.operands import NOTHING, NUMBER, TAGGED, TEXT, Operand
from uniqgen_ir.backends.cypher.quoting import ParameterBag
from uniqgen_ir.backends.cypher.term_parts import write_datatype, write_date_part, write_language, write_string
from uniqgen_ir.backends.cypher.texts import text_of, text_pair, write_lang_matches, write_matches, write_text_function
from uniqgen_ir.backends.cypher.values import term_key
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.expressions import (
    Aggregate,
    And,
    Arithmetic,
    Call,
    Comparison,
    ComparisonOperator,
    Exists,
    Expression,
    Membership,
    Negative,
    Not,
    Or,
)
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Variable
from uniqgen_ir.ir.values import canonical as canonical_literal
from uniqgen_ir.ir.vocabulary import (
    XSD_BOOLEAN,
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_INTEGER,
    XSD_STRING,
)

_TEXT_TESTS: Final = {"starts_with": "STARTS WITH", "ends_with": "ENDS WITH", "contains": "CONTAINS"}
_ZERO: Final = Literal.of(0)
_CONDITIONS: Final = frozenset(
    {*_TEXT_TESTS, "matches", "bound", "same_term", "is_iri", "is_blank", "is_literal", "is_numeric", "lang_matches"}
)


@define
class ExpressionWriter:
    """Writes expressions over the operands that variables stand for.

    `exists` writes an EXISTS block; `operand` finds what a variable stands for.
    """

    dialect: CypherDialect
    bag: ParameterBag
    comparer: Comparer
    lossless: bool
    operand: Callable[[Variable], Operand]
    exists: Callable[[tuple[Row, ...]], str]
    key_value: Callable[[str], str]
    assume: Callable[[str, str], None]
    """notes a guess about a name: what is taken for what"""

    # --- conditions -----------------------------------------------------------------------------------------------

    def condition(self, expression: Expression) -> str:
        """A condition: true, false, or NULL where SPARQL has an error."""
        match expression:
            case And(operands):
                texts = [text for text in map(self._wrapped, operands) if text != "true"]
                return "false" if "false" in texts else " AND ".join(texts) or "true"
            case Or(operands):
                texts = [text for text in map(self._wrapped, operands) if text != "false"]
                if "true" in texts or not texts:
                    return "true" if texts else "false"
                return "(" + " OR ".join(texts) + ")"
            case Not(operand):
                text = self.condition(operand)
                return {"true": "false", "false": "true"}.get(text) or f"NOT {self._in_brackets(text)}"
            case Comparison(operator, left, right):
                folded = self._tag_test(left, right) if operator is ComparisonOperator.EQUAL else None
                return folded or self.comparer.compare(operator, self.value(left), self.value(right))
            case Membership():
                return self._membership(expression)
            case Exists(rows, negated):
                return ("NOT " if negated else "") + self.exists(rows)
            case Call(function) if function in _CONDITIONS:
                return self._test(expression)
            case _:
                return self._truth(self.value(expression))

    def _wrapped(self, expression: Expression) -> str:
        text = self.condition(expression)
        return f"({text})" if isinstance(expression, And) else text

    def _in_brackets(self, text: str) -> str:
        return text if text.startswith("(") and text.endswith(")") and text.count("(") == 1 else f"({text})"

    def _tag_test(self, left: Expression, right: Expression) -> str | None:
        """`lang(?x) = "en"` of a property that keeps no tags: taken to hold, which is noted."""
        call, wanted = (left, right) if isinstance(left, Call) else (right, left)
        if not isinstance(call, Call) or call.function != "lang" or not isinstance(wanted, Literal):
            return None
        return self._untagged(call.arguments[0], wanted.lexical)

    def _untagged(self, expression: Expression, tag: str) -> str | None:
        if self.lossless or not isinstance(expression, Variable):
            return None
        operand = self.value(expression)
        if operand.kind != "value" or operand.datatype is not None:
            return None
        self.assume(f"?{expression.name}", f"a text in {tag!r}" if tag else "a text without a language")
        return self.comparer.unless_null("true", operand)

    def _membership(self, expression: Membership) -> str:
        tested = expression.operand
        if isinstance(tested, Call) and tested.function == "lang" and not expression.negated:
            tags = [one.lexical for one in expression.options if isinstance(one, Literal)]
            folded = self._untagged(tested.arguments[0], ", ".join(tags)) if tags else None
            if folded is not None:
                return folded
        operand = self.value(expression.operand)
        options = [self.value(one) for one in expression.options]
        tests = [self.comparer.compare(ComparisonOperator.EQUAL, operand, one) for one in options]
        if not tests:
            text = self.comparer.unless_null("false", operand)
        elif len(tests) > 1 and self._is_plain_list(operand, options):
            listed = ", ".join(test.split(" = ", 1)[1] for test in tests)
            text = f"{tests[0].split(' = ', 1)[0]} IN [{listed}]"
        else:
            text = "(" + " OR ".join(tests) + ")" if len(tests) > 1 else tests[0]
        return f"NOT ({text})" if expression.negated else text

    def _is_plain_list(self, operand: Operand, options: list[Operand]) -> bool:
        if operand.is_entity:
            return all(one.kind == "iri" for one in options)
        same = operand.category in (NUMBER, TEXT) and operand.kind == "value"
        return same and all(one.constant is not None and one.category == operand.category for one in options)

    def _truth(self, operand: Operand) -> str:
        """SPARQL's effective boolean value."""
        if operand.kind == "null":
            return "NULL"
        if operand.kind in ("value", "constant"):
            text = self.comparer.plain(operand)
            match operand.category:
                case "truth" | None:
                    return text
                case "text":
                    return f"{text} <> ''"
                case "number":
                    return f"{text} <> 0"
                case _:
                    return "NULL"
        if operand.is_entity:
            return "NULL"
        raise fail("UQ500", "a variable of mixed kinds cannot be a condition here", hint="compare it with a value")

    def _test(self, call: Call) -> str:
        name, arguments = call.function, call.arguments
        if name == "bound":
            return self.comparer.bound(self.value(arguments[0]))
        if name == "lang_matches" and isinstance(arguments[0], Call) and arguments[0].function == "lang":
            wanted = arguments[1]
            folded = self._untagged(arguments[0].arguments[0], wanted.lexical) if isinstance(wanted, Literal) else None
            if folded is not None:
                return folded
        operands = [self.value(one) for one in arguments]
        if any(one.kind == "null" for one in operands):
            return "NULL"
        if name in _TEXT_TESTS:
            left, right = text_pair(self, operands[0], operands[1])
            return f"{left} {_TEXT_TESTS[name]} {right}"
        match name:
            case "same_term":
                return self.comparer.same_term(operands[0], operands[1])
            case "matches":
                return write_matches(self, operands)
            case "lang_matches":
                return write_lang_matches(self, operands)
            case _:
                return self._kind_test(name, operands[0])

    def _kind_test(self, name: str, operand: Operand) -> str:
        fixed = self.comparer.unless_null
        if operand.is_entity:
            if not self.lossless and name in ("is_iri", "is_blank"):
                return fixed("true" if name == "is_iri" else "false", operand)
            blank = f"{self.comparer.identity(operand)} STARTS WITH '_:'"
            tests = {"is_iri": f"NOT {blank}", "is_blank": blank}
            return tests.get(name, fixed("false", operand))
        if operand.kind == "term":
            raise fail("UQ500", f"{name} of inline values of mixed kinds cannot be told here")
        if name == "is_numeric":
            if operand.kind == "literal":
                return f"{operand.text}.numeric"
            return fixed("true" if operand.category == NUMBER else "false", operand)
        return fixed("true" if name == "is_literal" else "false", operand)

    # --- values ---------------------------------------------------------------------------------------------------

    def value(self, expression: Expression) -> Operand:
        """What the expression stands for. Raises DiagnosticError UQ500 where Cypher cannot say it."""
        match expression:
            case Variable():
                return self.operand(expression)
            case Literal():
                return self._constant(expression)
            case IRI(value):
                return Operand("iri", self.bag.add(self.key_value(value)))
            case Parameter(name):
                return Operand("value", self.bag.user(name))
            case Arithmetic():
                return write_own_operator(self, expression) or write_arithmetic(self, expression)
            case Negative(operand):
                number = as_number(self, self.value(operand))
                return Operand("value", f"-({number.text})", number.datatype, number.nullable, exact=number.exact)
            case Call(function) if function not in _CONDITIONS:
                return self._call(expression)
            case Aggregate():
                raise fail("UQ500", "an aggregate cannot stand here in Cypher")
            case _:
                nullable = not _is_decided(expression)
                return Operand("value", f"({self.condition(expression)})", XSD_BOOLEAN, nullable)

    def _constant(self, literal: Literal) -> Operand:
        """A literal; an ill-formed one that is plainly a date or date-time is taken for it, which is noted."""
        if not self.lossless and literal.datatype in (XSD_DATE, XSD_DATE_TIME):
            mended = mended_time(literal)
            if mended is not None:
                self.assume(str(literal), mended.lexical)
                literal = mended
        return Operand("constant", "", literal.datatype, constant=literal)

    def _call(self, call: Call) -> Operand:
        name = call.function
        own = write_own_operator(self, call)
        if own is not None:
            return own
        if name == "if":
            return self._either_or(call.arguments)
        named = self._type_name(call)
        if named is not None:
            return named
        operands = [self.value(one) for one in call.arguments]
        if name == "coalesce":
            operands = [one for one in operands if one.kind != "null"]
            if len(operands) == 2 and operands[0].or_zero and operands[1].constant == _ZERO:
                return Operand("value", operands[0].or_zero, XSD_INTEGER)
            kind, datatype, texts = self._one_kind(operands)
            nullable = all(one.nullable for one in operands)
            return Operand(kind, f"coalesce({', '.join(texts)})", datatype, nullable) if texts else NOTHING
        if any(one.kind == "null" for one in operands):
            return NOTHING
        if name in CAST_NAMES:
            return self._cast(name, operands[0])
        nullable = any(one.nullable or one.kind == "literal" for one in operands)
        match name:
            case "str":
                return write_string(self, operands[0])
            case "lang":
                return write_language(self, operands[0])
            case "datatype":
                return write_datatype(self, operands[0])
            case "year" | "month" | "day":
                return write_date_part(self, name, operands[0])
            case "upper" | "lower" | "length":
                if operands[0].kind == "literal" and TAGGED in operands[0].categories and name != "length":
                    raise fail("UQ500", f"{name} of texts with language tags loses the tag here")
                written = f"{self.dialect.functions[name]}({text_of(self, operands[0])})"
                return Operand("value", written, XSD_INTEGER if name == "length" else XSD_STRING, nullable)
            case "abs":
                number = as_number(self, operands[0])
                return Operand("value", f"abs({number.text})", number.datatype, nullable, exact=number.exact)
            case "ceil" | "floor" | "round":
                return write_rounded(name, as_number(self, operands[0]))
            case "concat" | "substring" | "before" | "after":
                return Operand("value", write_text_function(self, name, operands), XSD_STRING, nullable)
            case _:
                raise fail("UQ500", f"the function {name} has no counterpart in this dialect of Cypher")

    def _type_name(self, call: Call) -> Operand | None:
        """`after(str(?type), "urn:pg:type:")`: the name of a relationship's type."""
        match call:
            case Call("after", (Call("str", (Variable() as variable,)), Literal(space))):
                operand = self.operand(variable)
                if operand.kind == "type" and operand.space == space:
                    return Operand("value", self.dialect.relationship_type(operand.text), XSD_STRING, operand.nullable)
                return None
            case _:
                return None

    def _cast(self, name: str, operand: Operand) -> Operand:
        if operand.constant is not None and name != "string":
            return cast_constant(name, operand.constant)
        if self.lossless:
            if name == "string":
                return write_string(self, operand)
            if not self.dialect.exact_casts:
                raise fail("UQ500", f"the cast {name} of these values cannot be calculated exactly here")
            return cast_exact(name, operand)
        return cast_plain(name, self.dialect.casts, operand, self.comparer.plain(operand))

    def _either_or(self, arguments: tuple[Expression, ...]) -> Operand:
        test, *values = arguments
        condition = self.condition(test)
        kind, datatype, texts = self._one_kind([self.value(one) for one in values])
        first, second = texts
        text = f"CASE WHEN {condition} THEN {first} WHEN NOT ({condition}) THEN {second} END"
        return Operand(kind, text, datatype, nullable=True)

    def _one_kind(self, operands: list[Operand]) -> tuple[str, str | None, list[str]]:
        """A kind and datatype that all operands can take, and their texts in it."""
        nothing = "cast(NULL AS STRING)" if self.dialect.typed_null else "NULL"
        given = [one for one in operands if one.kind != "null"]
        if all(one.is_entity for one in given):
            return "iri", None, [nothing if one.kind == "null" else self.comparer.identity(one) for one in operands]
        datatypes = {one.datatype for one in given}
        plain = all(one.kind in ("value", "constant") for one in given)
        canonical = all(one.constant is None or canonical_literal(one.constant) == one.constant for one in given)
        if plain and len(datatypes) == 1 and (canonical or not self.lossless):
            datatype = datatypes.pop()
            typed = nothing if datatype == XSD_STRING or not self.dialect.typed_null else "NULL"
            return "value", datatype, [typed if one.kind == "null" else self.comparer.plain(one) for one in operands]
        if self.lossless:
            keys = [nothing if one.kind == "null" else term_key(one, self.bag.add, self.dialect) for one in operands]
            return "term", None, keys
        texts = [self.comparer.identity(one) if one.is_entity else self.comparer.plain(one) for one in operands]
        return "value", None, texts


def _is_decided(condition: Expression) -> bool:
    """Whether the condition is true or false, never an error, whatever the values are."""
    match condition:
        case Not(operand):
            return _is_decided(operand)
        case Call("bound") | Exists():
            return True
        case _:
            return False
