"""Expressions for programs: variables, namespaces and functions with Python's operators.

`v.d >= date("1900-01-01")`, `month(v.d) == 2`, `(v.a > 1) & ~v.b.in_(1, 2)`: each gives a `Term`, a small wrapper
around an expression of the IR. `==` and `!=` build comparisons, so wrappers cannot be dictionary keys, but
their `.node` can.
"""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import TypeAlias, Union

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
    conjunction,
)
from uniqgen_ir.ir.table import Column
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Variable
from uniqgen_ir.ir.values import literal_of
from uniqgen_ir.ir.vocabulary import XSD_DATE, XSD_DATE_TIME, XSD_TIME

Plain: TypeAlias = str | int | float | bool | Decimal | datetime.date | datetime.datetime | datetime.time
"""Python values that stand for a literal."""

ExpressionLike: TypeAlias = Union["Term", Expression, Plain]


class Term:
    """An expression with operators. `.node` is the expression of the IR."""

    __slots__ = ("node",)
    __hash__ = None  # type: ignore[assignment]  # `==` builds a comparison

    def __init__(self, node: Expression) -> None:
        self.node = node

    def __repr__(self) -> str:
        return f"Term({self.node!r})"

    def __bool__(self) -> bool:
        raise fail("UQ175", "an expression has no truth value in Python", hint="join conditions with &, | and ~")

    def __eq__(self, other: ExpressionLike) -> Term:  # type: ignore[override]
        return self._compared(ComparisonOperator.EQUAL, other)

    def __ne__(self, other: ExpressionLike) -> Term:  # type: ignore[override]
        return self._compared(ComparisonOperator.NOT_EQUAL, other)

    def __lt__(self, other: ExpressionLike) -> Term:
        return self._compared(ComparisonOperator.LESS, other)

    def __le__(self, other: ExpressionLike) -> Term:
        return self._compared(ComparisonOperator.LESS_EQUAL, other)

    def __gt__(self, other: ExpressionLike) -> Term:
        return self._compared(ComparisonOperator.GREATER, other)

    def __ge__(self, other: ExpressionLike) -> Term:
        return self._compared(ComparisonOperator.GREATER_EQUAL, other)

    def _compared(self, operator: ComparisonOperator, other: ExpressionLike) -> Term:
        return Term(Comparison(operator, self.node, expression(other)))

    def __add__(self, other: ExpressionLike) -> Term:
        return Term(Arithmetic(ArithmeticOperator.ADD, self.node, expression(other)))

    def __sub__(self, other: ExpressionLike) -> Term:
        return Term(Arithmetic(ArithmeticOperator.SUBTRACT, self.node, expression(other)))

    def __mul__(self, other: ExpressionLike) -> Term:
        return Term(Arithmetic(ArithmeticOperator.MULTIPLY, self.node, expression(other)))

    def __truediv__(self, other: ExpressionLike) -> Term:
        return Term(Arithmetic(ArithmeticOperator.DIVIDE, self.node, expression(other)))

    def __radd__(self, other: ExpressionLike) -> Term:
        return Term(expression(other)) + self

    def __rsub__(self, other: ExpressionLike) -> Term:
        return Term(expression(other)) - self

    def __rmul__(self, other: ExpressionLike) -> Term:
        return Term(expression(other)) * self

    def __rtruediv__(self, other: ExpressionLike) -> Term:
        return Term(expression(other)) / self

    def __neg__(self) -> Term:
        return Term(Negative(self.node))

    def __and__(self, other: ExpressionLike) -> Term:
        return Term(conjunction((self.node, expression(other))))

    def __or__(self, other: ExpressionLike) -> Term:
        sides = (self.node, expression(other))
        return Term(Or(tuple(part for one in sides for part in (one.operands if isinstance(one, Or) else (one,)))))

    def __invert__(self) -> Term:
        return Term(Not(self.node))

    def in_(self, *options: ExpressionLike) -> Term:
        """Whether it equals one of the options."""
        return Term(Membership(self.node, tuple(map(expression, options))))

    def not_in(self, *options: ExpressionLike) -> Term:
        """Whether it equals none of the options."""
        return Term(Membership(self.node, tuple(map(expression, options)), negated=True))

    def between(self, low: ExpressionLike, high: ExpressionLike) -> Term:
        """Whether it lies between the two, both included."""
        return (self >= low) & (self <= high)

    def starts_with(self, text: ExpressionLike) -> Term:
        return call("starts_with", self, text)

    def ends_with(self, text: ExpressionLike) -> Term:
        return call("ends_with", self, text)

    def contains(self, text: ExpressionLike) -> Term:
        return call("contains", self, text)

    def matches(self, pattern: ExpressionLike, flags: str | None = None) -> Term:
        """Whether a regular expression matches somewhere in it."""
        return call("matches", self, pattern, *(() if flags is None else (flags,)))

    def as_(self, name: Term | Variable | str) -> Column:
        """A column of the head with this expression and a name."""
        return Column(self.node, variable(name))


def expression(value: ExpressionLike) -> Expression:
    """The expression that a wrapper, an expression or a Python value stands for. Raises DiagnosticError UQ175."""
    if isinstance(value, Term):
        return value.node
    if isinstance(value, _EXPRESSIONS):
        return value
    return literal(value)


_EXPRESSIONS = (
    *(Variable, Parameter, IRI, Literal, Comparison, Arithmetic, Negative, And, Or, Not, Membership, Call, Exists),
    Aggregate,
)


def literal(value: object) -> Literal:
    """The literal of a Python value; a datetime keeps its zone. Raises DiagnosticError UQ175 for anything else."""
    match value:
        case Literal():
            return value
        case str() | bool() | int() | float() | Decimal():
            return literal_of(value) if not isinstance(value, float) else Literal.of(value)
        case datetime.datetime():
            return Literal(value.isoformat(), XSD_DATE_TIME)
        case datetime.date():
            return Literal(value.isoformat(), XSD_DATE)
        case datetime.time():
            return Literal(value.isoformat(), XSD_TIME)
        case _:
            raise fail("UQ175", f"a {type(value).__name__} cannot stand in a table")


def variable(name: Term | Variable | str) -> Variable:
    """The variable of a wrapper or a name, with or without its question mark. Raises DiagnosticError UQ175."""
    node = name.node if isinstance(name, Term) else name
    if isinstance(node, str):
        node = Variable(node.removeprefix("?"))
    if not isinstance(node, Variable) or not node.name.isidentifier():
        raise fail("UQ175", f"{node} is not a variable")
    return node


class Variables:
    """`v.city` is the variable `?city`; `v["city"]` too."""

    def __getattr__(self, name: str) -> Term:
        if name.startswith("__"):
            raise AttributeError(name)
        return Term(variable(name))

    def __getitem__(self, name: str) -> Term:
        return Term(variable(name))


class Parameters:
    """`p.year` is the parameter `$year`."""

    def __getattr__(self, name: str) -> Term:
        if name.startswith("__"):
            raise AttributeError(name)
        return Term(Parameter(name))

    def __getitem__(self, name: str) -> Term:
        return Term(Parameter(variable(name).name))


class Namespace:
    """`ol = Namespace("http://…/")`: `ol.city` and `ol["host.city"]` are IRIs."""

    def __init__(self, base: str) -> None:
        self._base = base

    def __getattr__(self, name: str) -> Term:
        if name.startswith("__"):
            raise AttributeError(name)
        return Term(IRI(self._base + name))

    def __getitem__(self, name: str) -> Term:
        return Term(IRI(self._base + name))


v = Variables()
p = Parameters()


def call(function: str, *arguments: ExpressionLike) -> Term:
    """A call of a function of `uniqgen_ir.ir.functions`. Raises DiagnosticError UQ175 for one that it does not have."""
    from uniqgen_ir.ir.functions import FUNCTIONS

    found = FUNCTIONS.get(function)
    if found is None:
        raise fail("UQ175", f"there is no function {function}")
    if len(arguments) < found.least or (found.most is not None and len(arguments) > found.most):
        raise fail("UQ175", f"{function} does not take {len(arguments)} arguments")
    return Term(Call(function, tuple(map(expression, arguments))))
