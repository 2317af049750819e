"""Expressions of SPARQL: chains of operands by precedence, calls, aggregates."""

from __future__ import annotations

import re
from typing import Any, Final

from uniqgen_ir.grammar.sparql.functions import BUILT_INS, CASTS
from uniqgen_ir.grammar.sparql.terms import Parts, TermActions, number_literal, string_value
from uniqgen_ir.ir.analysis import has_aggregate
from uniqgen_ir.ir.expressions import (
    Aggregate,
    And,
    Arithmetic,
    ArithmeticOperator,
    Call,
    Comparison,
    ComparisonOperator,
    Expression,
    Membership,
    Negative,
    Not,
    Or,
)
from uniqgen_ir.ir.functions import FUNCTIONS
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.vocabulary import XSD

Operator = tuple[str, int, int]
"""A sign with its place in the text."""

_LEVELS: Final[dict[str, int]] = {
    "||": 1,
    "&&": 2,
    "=": 3,
    "!=": 3,
    "<": 3,
    "<=": 3,
    ">": 3,
    ">=": 3,
    "IN": 3,
    "NOT IN": 3,
    "+": 4,
    "-": 4,
    "*": 5,
    "/": 5,
}
_NAME: Final = re.compile(r"<[^>]*>|[^\s(]+")
_COMPARISON: Final = 3
_MOST_TERMS: Final = 100
_TIMES: Final = frozenset({"datetime", "date", "time"})
ERROR: Final = Call("coalesce", (Literal("error"),))
"""Stands where an expression could not be read; a diagnostic says why, and no table comes of it."""


class ExpressionActions(TermActions):
    """The builder's methods for expressions."""

    # ------------------------------------------------------------ chains: [operand, operator, operand, …]

    def operator(self, parts: Parts, start: int, end: int) -> Operator:
        return parts[0], start, end

    def idiom_or(self, parts: Parts, start: int, end: int) -> Operator:
        return self._word_operator("||", parts[0], start, end)

    def idiom_and(self, parts: Parts, start: int, end: int) -> Operator:
        return self._word_operator("&&", parts[0], start, end)

    def _word_operator(self, sign: str, word: str, start: int, end: int) -> Operator:
        fix = self.context.fix(f"write `{sign}`", (start, end, sign))
        self.context.idiom("UQ150", f"`{word}` is not SPARQL; read as `{sign}`", start, end, fix)
        return sign, start, end

    def chain_one(self, parts: Parts, _start: int, _end: int) -> Expression:
        return parts[0]  # type: ignore[no-any-return]

    def chain_start(self, parts: Parts, _start: int, _end: int) -> Parts:
        return parts

    def chain_operator(self, parts: Parts, _start: int, _end: int) -> Parts:
        parts[0] += parts[1:]
        return parts[0]  # type: ignore[no-any-return]

    def chain_start_signed(self, parts: Parts, _start: int, end: int) -> Parts:
        return [parts[0], *_signed(parts[1], end)]

    def chain_signed(self, parts: Parts, _start: int, end: int) -> Parts:
        parts[0] += _signed(parts[1], end)
        return parts[0]  # type: ignore[no-any-return]

    def chain_start_in(self, parts: Parts, start: int, end: int) -> Parts:
        return [parts[0], ("IN", start, end), parts[2]]

    def chain_start_not_in(self, parts: Parts, start: int, end: int) -> Parts:
        return [parts[0], ("NOT IN", start, end), parts[3]]

    def chain_in(self, parts: Parts, start: int, end: int) -> Parts:
        parts[0] += [("IN", start, end), parts[2]]
        return parts[0]  # type: ignore[no-any-return]

    def chain_not_in(self, parts: Parts, start: int, end: int) -> Parts:
        parts[0] += [("NOT IN", start, end), parts[3]]
        return parts[0]  # type: ignore[no-any-return]

    def chain(self, parts: Parts, start: int, end: int) -> Expression:
        chain: Parts = parts[0]
        if len(chain) == 3:
            return _combine(chain[0], chain[1][0], chain[2])
        difference = self._time_difference(chain, end)
        if difference is not None:
            return difference
        if len(chain) > 2 * _MOST_TERMS and any(one[0] in "+-*/" for one in chain[1::2]):
            self.context.report("UQ179", f"more than {_MOST_TERMS} terms in a row", start, end)
            return ERROR
        return self._climb(chain)

    def _climb(self, chain: Parts) -> Expression:
        """Precedence climbing with a stack: left-associative, conjunctions and disjunctions flat."""
        operands: list[Any] = [chain[0]]
        waiting: list[Operator] = []

        def settle(level: int) -> None:
            while waiting and _LEVELS[waiting[-1][0]] >= level:
                sign, start, end = waiting.pop()
                right, left = operands.pop(), operands.pop()
                double = _LEVELS[sign] == _COMPARISON and waiting and _LEVELS[waiting[-1][0]] == _COMPARISON
                if double and not self.context.broken:
                    hint = "put one of the comparisons in brackets, or join them with `&&`"
                    self.context.report(
                        "UQ140", f"a comparison cannot follow a comparison: `{sign}`", start, end, hint=hint
                    )
                # what is left may be the list of an IN, which cannot be compared: the first comparison alone is kept
                operands.append(left if double else _combine(left, sign, right))

        for place in range(1, len(chain), 2):
            operator: Operator = chain[place]
            level = _LEVELS[operator[0]]
            # two comparisons in a row are left on the stack, so that the fault is seen above
            settle(level + 1 if level == _COMPARISON else level)
            waiting.append(operator)
            operands.append(chain[place + 1])
        settle(0)
        return operands[0]  # type: ignore[no-any-return]

    def _time_difference(self, chain: Parts, end: int) -> Expression | None:
        """`xsd:dateTime(?b) - xsd:dateTime(?a) > 0`, which people write for `?b > ?a`."""
        if (
            len(chain) != 5
            or chain[1][0] != "-"
            or _LEVELS[chain[3][0]] != _COMPARISON
            or chain[3][0] in ("IN", "NOT IN")
        ):
            return None
        left, minus, right, comparison, zero = chain
        if not (_is_time(left) and _is_time(right) and isinstance(zero, Literal) and zero.lexical == "0"):
            return None
        sign, sign_start, _ = comparison
        stop = sign_start
        while self.context.text[stop - 1].isspace():
            stop -= 1
        fix = self.context.fix("compare the two", (minus[1], minus[2], sign), (stop, end, ""))
        message = f"SPARQL cannot subtract times; read as a comparison with `{sign}`"
        self.context.idiom("UQ158", message, minus[1], end, fix)
        return Comparison(ComparisonOperator(sign), left, right)

    # ------------------------------------------------------------ operands

    def negation(self, parts: Parts, _start: int, _end: int) -> Expression:
        return Not(parts[1])

    def negative(self, parts: Parts, _start: int, _end: int) -> Expression:
        return Negative(parts[1])

    def positive(self, parts: Parts, _start: int, _end: int) -> Expression:
        # unary plus keeps a number and fails on anything else, as adding to zero does
        return Arithmetic(ArithmeticOperator.ADD, Literal.of(0), parts[1])

    def bracketed(self, parts: Parts, _start: int, _end: int) -> Expression:
        return parts[1]  # type: ignore[no-any-return]

    def expression_more(self, parts: Parts, _start: int, _end: int) -> Parts:
        parts[0].append(parts[2])
        return parts[0]  # type: ignore[no-any-return]

    # ------------------------------------------------------------ calls

    def built_in(self, parts: Parts, start: int, end: int) -> Expression:
        word: str = parts[0]
        name = BUILT_INS.get(word.upper())
        if name is None:
            hint = "blank nodes that a query makes have no place in a table"
            self.context.report("UQ149", f"{word.upper()} cannot be read into a table", start, end, hint=hint)
            return self._unknown_call(parts[1])
        return self._call(name, word.upper(), parts[1], start, end)

    def _call(self, name: str, written: str, arguments: Parts, start: int, end: int) -> Expression:
        function = FUNCTIONS[name]
        count, most = len(arguments), function.most
        if count < function.least or (most is not None and count > most):
            wanted = str(function.least) if most == function.least else f"{function.least} to {most or 'any number of'}"
            self.context.report("UQ166", f"{written} takes {wanted} arguments, not {count}", start, end)
            return ERROR
        if name == "bound" and not isinstance(arguments[0], Variable):
            self.context.report("UQ166", "BOUND takes a variable", start, end)
        if name == "iri" and self.base is not None:
            return self._resolved_call(arguments[0], start, end)
        return Call(name, tuple(arguments))

    def _resolved_call(self, argument: Expression, start: int, end: int) -> Expression:
        if isinstance(argument, IRI):
            return argument
        if isinstance(argument, Literal):
            return IRI(self._resolved(argument.lexical))
        hint = "make the text absolute, and leave out BASE"
        message = "IRI() of a value that is not written out cannot be resolved against BASE"
        self.context.report("UQ149", message, start, end, hint=hint)
        return ERROR

    def function_call(self, parts: Parts, start: int, end: int) -> Expression:
        written: IRI = parts[0]
        arguments: Parts | None = parts[1]
        iri = written
        if written.value.startswith(XSD):
            # the bracket behind it may be missing
            word = _NAME.match(self.context.text, start, end)
            iri = self.right_case(written, start, end if word is None else word.end())
        name = CASTS.get(iri.value)
        if name is None or arguments is None:
            message = f"the function {iri} is not known" if name is None else "DISTINCT has no place in this call"
            self.context.report("UQ149", message, start, end)
            return self._unknown_call(arguments or [])
        if len(arguments) != 1:
            self.context.report("UQ166", f"the cast {iri} takes 1 argument, not {len(arguments)}", start, end)
            return ERROR
        return Call(name, (arguments[0],))

    def _unknown_call(self, arguments: Parts) -> Expression:
        """A call of which only the arguments are known: where reading is lenient, it may have any value."""
        return Call("coalesce", (*arguments, self.fresh("value"))) if self.context.lenient else ERROR

    def arguments_distinct(self, _parts: Parts, _start: int, _end: int) -> None:
        """An aggregate of the store's own."""

    # ------------------------------------------------------------ aggregates

    def distinct_no(self, _parts: Parts, _start: int, _end: int) -> bool:
        return False

    def distinct_yes(self, _parts: Parts, _start: int, _end: int) -> bool:
        return True

    def aggregate_all(self, parts: Parts, start: int, end: int) -> Expression:
        if parts[0].upper() != "COUNT":
            self.context.report("UQ166", f"only COUNT takes `*`, not {parts[0].upper()}", start, end)
        return Aggregate("count", None, parts[2])

    def aggregate(self, parts: Parts, start: int, end: int) -> Expression:
        return self._aggregate(parts, None, start, end)

    def aggregate_separator(self, parts: Parts, start: int, end: int) -> Expression:
        if parts[0].upper() != "GROUP_CONCAT":
            self.context.report("UQ166", f"only GROUP_CONCAT takes a separator, not {parts[0].upper()}", start, end)
        return self._aggregate(parts, string_value(parts[7]), start, end)

    def _aggregate(self, parts: Parts, separator: str | None, start: int, end: int) -> Expression:
        if has_aggregate(parts[3]):
            self.context.report("UQ165", "an aggregate cannot stand inside another", start, end)
        return Aggregate(parts[0].lower(), parts[3], parts[2], separator)


def _signed(text: str, end: int) -> Parts:
    """`+5` after an operand: the sign and the number."""
    start = end - len(text)
    return [(text[0], start, start + 1), number_literal(text[1:])]


def _is_time(expression: Expression) -> bool:
    return isinstance(expression, Call) and expression.function in _TIMES


def _combine(left: Any, sign: str, right: Any) -> Expression:
    level = _LEVELS[sign]
    if sign == "||":
        return Or((*(left.operands if isinstance(left, Or) else (left,)), right))
    if sign == "&&":
        return And((*(left.operands if isinstance(left, And) else (left,)), right))
    if sign in ("IN", "NOT IN"):
        return Membership(left, tuple(right), sign == "NOT IN")
    if level == _COMPARISON:
        return Comparison(ComparisonOperator(sign), left, right)
    return Arithmetic(ArithmeticOperator(sign), left, right)
