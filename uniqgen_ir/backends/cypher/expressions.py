"""Expressions in Cypher: conditions with SPARQL's three values, and values with their datatypes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import reduce
from typing import Final

from attrs import define

from uniqgen_ir.backends.cypher.casts import CAST_NAMES, cast_constant, cast_exact, cast_plain, mended_time
from uniqgen_ir.backends.cypher.compare import Comparer
from uniqgen_ir.backends.cypher.dialects import CypherDialect
from uniqgen_ir.backends.cypher.operands import NOTHING, NUMBER, TAGGED, TEXT, TIME, Operand
from uniqgen_ir.backends.cypher.quoting import ParameterBag
from uniqgen_ir.backends.cypher.values import term_key
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.expressions import (
    Aggregate,
    And,
    Arithmetic,
    ArithmeticOperator,
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
from uniqgen_ir.ir.values import value_of
from uniqgen_ir.ir.vocabulary import (
    INTEGER_DATATYPES,
    XSD_BOOLEAN,
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
)

_TEXT_TESTS: Final = {"starts_with": "STARTS WITH", "ends_with": "ENDS WITH", "contains": "CONTAINS"}
_CONDITIONS: Final = frozenset(
    {*_TEXT_TESTS, "matches", "bound", "same_term", "is_iri", "is_blank", "is_literal", "is_numeric", "lang_matches"}
)
# what XPath's expressions and the engines' mean alike
_PORTABLE_PATTERN: Final = re.compile(
    r"(?:[\w\s,;:@#%&=<>!~'\"/-]|\\[.+*?()\[\]{}|^$\\dDwWsS/-]|[.+*?()|^$]|\[\^?[\w\s.-]+\])*"
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
            left, right = self._text_pair(operands[0], operands[1])
            return f"{left} {_TEXT_TESTS[name]} {right}"
        match name:
            case "same_term":
                return self.comparer.same_term(operands[0], operands[1])
            case "matches":
                return self._matches(call, operands)
            case "lang_matches":
                return self._lang_matches(operands)
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

    def _text_pair(self, left: Operand, right: Operand) -> tuple[str, str]:
        """Two texts that SPARQL lets meet: the second plain, or with the first's tag."""
        plain = right.constant is not None and right.constant.language is None
        if not plain and not (self._is_text(left) and self._is_text(right)):
            raise fail("UQ500", "texts with language tags of their own cannot be compared here")
        return self.text(left), self.text(right)

    def _is_text(self, operand: Operand) -> bool:
        return operand.datatype == XSD_STRING or (operand.datatype is None and operand.kind == "value")

    def _matches(self, call: Call, operands: list[Operand]) -> str:
        if "matches" not in self.dialect.functions:
            raise fail("UQ500", "regular expressions cannot be written in this dialect of Cypher")
        pattern = operands[1].constant
        flags = operands[2].constant.lexical if len(operands) > 2 and operands[2].constant else ""
        if pattern is None or (len(operands) > 2 and operands[2].constant is None):
            raise fail("UQ500", "a regular expression must be a constant here")
        if not _PORTABLE_PATTERN.fullmatch(pattern.lexical) or set(flags) - {"i", "s"}:
            raise fail("UQ500", f"the regular expression {pattern.lexical!r} may mean something else in Cypher")
        del call
        modes = "s" + flags.replace("s", "") if "s" in flags else flags
        prefix = f"(?{modes})" if modes else ""
        # Cypher's =~ matches the whole text, SPARQL's REGEX anywhere in it
        whole = f"{prefix}(?s:.*)(?:{pattern.lexical})(?s:.*)"
        return f"{self.text(operands[0])} =~ {self.bag.add(whole)}"

    def _lang_matches(self, operands: list[Operand]) -> str:
        tag, wanted = operands
        if wanted.constant is None or tag.datatype != XSD_STRING:
            raise fail("UQ500", "a language range must be a constant here")
        text = self.comparer.plain(tag)
        if wanted.constant.lexical == "*":
            return f"{text} <> ''"
        name = wanted.constant.lexical.lower()
        return f"({text} = {self.bag.add(name)} OR {text} STARTS WITH {self.bag.add(name + '-')})"

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
                return self._arithmetic(expression)
            case Negative(operand):
                number = self._number(self.value(operand))
                return Operand("value", f"-({number.text})", number.datatype, number.nullable)
            case Call(function) if function not in _CONDITIONS:
                return self._call(expression)
            case Aggregate():
                raise fail("UQ500", "an aggregate cannot stand here in Cypher")
            case _:
                return Operand("value", f"({self.condition(expression)})", XSD_BOOLEAN, nullable=True)

    def _constant(self, literal: Literal) -> Operand:
        """A literal; an ill-formed one that is plainly a date or date-time is taken for it, which is noted."""
        if not self.lossless and literal.datatype in (XSD_DATE, XSD_DATE_TIME):
            mended = mended_time(literal)
            if mended is not None:
                self.assume(str(literal), mended.lexical)
                literal = mended
        return Operand("constant", "", literal.datatype, constant=literal)

    def text(self, operand: Operand) -> str:
        """The operand as text, NULL where it is none."""
        if operand.kind == "literal":
            if operand.categories <= {TEXT}:
                return f"{operand.text}.text"
            if operand.categories <= {TEXT, TAGGED}:
                return f"{operand.text}.lexical"
            name = operand.text
            return f"CASE WHEN {name}.text IS NOT NULL OR {name}.tag IS NOT NULL THEN {name}.lexical END"
        if operand.kind in ("value", "constant") and operand.category in (TEXT, TAGGED, None):
            return self.comparer.plain(operand)
        return "cast(NULL AS STRING)" if self.dialect.typed_null else "NULL"

    def _number(self, operand: Operand) -> Operand:
        if operand.kind in ("value", "constant") and operand.category in (NUMBER, None):
            return Operand("value", self.comparer.plain(operand), operand.datatype, operand.nullable)
        if operand.kind == "literal" and operand.exact:
            return Operand("value", f"{operand.text}.number", None, nullable=True)
        raise fail("UQ500", "this engine cannot calculate exactly with these values", hint="run it on another engine")

    def _arithmetic(self, expression: Arithmetic) -> Operand:
        left, right = (self._number(self.value(one)) for one in (expression.left, expression.right))
        whole = left.datatype in INTEGER_DATATYPES and right.datatype in INTEGER_DATATYPES
        operator, nullable = expression.operator.value, left.nullable or right.nullable
        if expression.operator is ArithmeticOperator.DIVIDE:
            # whole numbers divide to decimals in SPARQL, and a division by zero is an error
            divided = f"({left.text}) * 1.0 / ({right.text})"
            return Operand("value", f"CASE WHEN {right.text} <> 0 THEN {divided} END", XSD_DOUBLE, nullable=True)
        datatype = XSD_INTEGER if whole else XSD_DOUBLE if left.datatype and right.datatype else None
        return Operand("value", f"({left.text} {operator} {right.text})", datatype, nullable)

    def _call(self, call: Call) -> Operand:
        name = call.function
        if name == "if":
            return self._either_or(call.arguments)
        named = self._type_name(call)
        if named is not None:
            return named
        operands = [self.value(one) for one in call.arguments]
        if name == "coalesce":
            operands = [one for one in operands if one.kind != "null"]
            kind, datatype, texts = self._one_kind(operands)
            return Operand(kind, f"coalesce({', '.join(texts)})", datatype, nullable=True) if texts else NOTHING
        if any(one.kind == "null" for one in operands):
            return NOTHING
        if name in CAST_NAMES:
            return self._cast(name, operands[0])
        nullable = any(one.nullable or one.kind == "literal" for one in operands)
        match name:
            case "str":
                return self._string(operands[0])
            case "lang":
                return self._language(operands[0])
            case "datatype":
                return self._datatype(operands[0])
            case "year" | "month" | "day":
                return self._date_part(name, operands[0])
            case "upper" | "lower" | "length":
                if operands[0].kind == "literal" and TAGGED in operands[0].categories and name != "length":
                    raise fail("UQ500", f"{name} of texts with language tags loses the tag here")
                written = f"{self.dialect.functions[name]}({self.text(operands[0])})"
                return Operand("value", written, XSD_INTEGER if name == "length" else XSD_STRING, nullable)
            case "abs":
                number = self._number(operands[0])
                return Operand("value", f"abs({number.text})", number.datatype, nullable)
            case "ceil" | "floor" | "round":
                return self._rounded(name, self._number(operands[0]))
            case "concat" | "substring" | "before" | "after":
                return Operand("value", self._text_function(name, operands), XSD_STRING, nullable)
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
                return self._string(operand)
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

    def _rounded(self, name: str, number: Operand) -> Operand:
        if number.datatype in INTEGER_DATATYPES:
            return number
        # halves go up, also below zero
        text = f"floor({number.text} + 0.5)" if name == "round" else f"{name}({number.text})"
        return Operand("value", text, XSD_DOUBLE if number.datatype else None, nullable=True)

    def _text_function(self, name: str, operands: list[Operand]) -> str:
        numbers = operands[1:] if name == "substring" else []
        strings = operands[: len(operands) - len(numbers)]
        if not all(self._is_text(one) or (one.kind == "literal" and one.categories <= {TEXT}) for one in strings):
            raise fail("UQ500", f"{name} of texts that may have language tags cannot be written here")
        texts = [self.text(one) for one in strings]
        first = self.dialect.first_index
        if name == "concat":
            return reduce(self.dialect.joined.format, texts) if len(texts) > 1 else f"({texts[0]})" if texts else "''"
        if name == "substring":
            return self._substring(texts[0], numbers)
        separator = strings[1].constant
        if separator is None or not separator.lexical:
            raise fail("UQ500", f"{name} needs a constant text to look for in Cypher")
        text, sought = texts
        split = self.dialect.functions.get("split")
        if split is None:
            raise fail("UQ500", f"the function {name} has no counterpart in this dialect of Cypher")
        parts = f"{split}({text}, {sought})[{first}]"
        if first:
            # the one that counts from 1 leaves out parts that are empty
            parts = f"CASE WHEN {text} STARTS WITH {sought} THEN '' ELSE {parts} END"
        size = self.dialect.functions["length"]
        start = f"{size}({parts}) + {len(separator.lexical) + first}"
        rest = f"substring({text}, {start})" if not first else f"substring({text}, {start}, {size}({text}))"
        found = parts if name == "before" else rest
        return f"CASE WHEN {text} CONTAINS {sought} THEN {found} WHEN {text} IS NOT NULL THEN '' END"

    def _substring(self, text: str, numbers: list[Operand]) -> str:
        first = self.dialect.first_index
        values = [None if one.constant is None else value_of(one.constant) for one in numbers]
        start, length = values[0], values[1] if len(values) > 1 else 0
        if not isinstance(start, int) or not isinstance(length, int) or start < 1 or length < 0:
            raise fail("UQ500", "substring needs whole, constant places from 1 on in Cypher")
        place = start - 1 + first
        if len(values) > 1:
            return f"substring({text}, {place}, {length})"
        return f"substring({text}, {place})" if first == 0 else f"substring({text}, {place}, size({text}))"

    def _string(self, operand: Operand) -> Operand:
        if operand.is_entity and (self.lossless or operand.kind in ("iri", "type")):
            text = self.comparer.identity(operand)
            written = f"CASE WHEN NOT {text} STARTS WITH '_:' THEN {text} END" if self.lossless else text
            return Operand("value", written, XSD_STRING, operand.nullable)
        if operand.kind == "literal":
            return Operand("value", f"{operand.text}.lexical", XSD_STRING, operand.nullable)
        if operand.constant is not None:
            literal = Literal(operand.constant.lexical)
            return Operand("constant", "", XSD_STRING, constant=literal)
        if operand.kind == "value" and operand.category in (TEXT, None) and not operand.is_entity:
            return Operand("value", operand.text, XSD_STRING, operand.nullable)
        if operand.kind == "value" and self.lossless and operand.datatype in (XSD_INTEGER, XSD_DATE):
            written = self.dialect.casts["string"][0].format(operand.text)
            return Operand("value", written, XSD_STRING, operand.nullable)
        if operand.kind == "node":
            return Operand("value", self.comparer.identity(operand), XSD_STRING, operand.nullable)
        raise fail("UQ500", "the text of this value cannot be written in Cypher")

    def _language(self, operand: Operand) -> Operand:
        if operand.kind == "literal":
            return Operand("value", f"coalesce({operand.text}.tag, '')", XSD_STRING, operand.nullable)
        if operand.constant is not None:
            return Operand("constant", "", XSD_STRING, constant=Literal(operand.constant.language or ""))
        if operand.is_entity:
            return NOTHING
        if operand.datatype is None:
            raise fail("UQ506", "a property holds no language tag", hint="leave out the condition on lang()")
        return Operand("value", self.comparer.unless_null("''", operand), XSD_STRING, operand.nullable)

    def _datatype(self, operand: Operand) -> Operand:
        if operand.kind == "literal":
            return Operand("iri", f"{operand.text}.datatype", nullable=operand.nullable)
        if operand.datatype is None or operand.kind not in ("value", "constant"):
            raise fail("UQ506", "a property graph does not keep the datatype of this value")
        text = self.comparer.unless_null(self.bag.add(operand.datatype), operand)
        return Operand("iri", text, nullable=operand.nullable)

    def _date_part(self, part: str, operand: Operand) -> Operand:
        if operand.kind == "literal":
            return Operand("value", f"{operand.text}.{part}", XSD_INTEGER, nullable=True)
        if operand.kind not in ("value", "constant") or operand.category not in (TIME, None):
            return NOTHING
        text = self.comparer.plain(operand)
        if self.dialect.date_part is None:
            raise fail("UQ500", f"the function {part} has no counterpart in this dialect of Cypher")
        return Operand("value", self.dialect.date_part.format(part=part, value=text), XSD_INTEGER, operand.nullable)
