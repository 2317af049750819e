"""Expressions over terms: conditions of rows, aggregates of the head, sort keys.

The logic is SPARQL's: an expression is true, false or an *error* (unbound variable, operands that cannot be compared),
and a condition holds only where it is true.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias, Union

from attrs import frozen

from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Variable

if TYPE_CHECKING:
    from uniqgen_ir.ir.rows import Row


class ComparisonOperator(StrEnum):
    EQUAL = "="
    NOT_EQUAL = "!="
    LESS = "<"
    LESS_EQUAL = "<="
    GREATER = ">"
    GREATER_EQUAL = ">="

    @property
    def flipped(self) -> ComparisonOperator:
        """The operator that means the same with its operands swapped."""
        return ComparisonOperator(self.value.translate(str.maketrans("<>", "><")))


class ArithmeticOperator(StrEnum):
    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"


@frozen(cache_hash=True)
class Comparison:
    operator: ComparisonOperator
    left: Expression
    right: Expression


@frozen(cache_hash=True)
class Arithmetic:
    operator: ArithmeticOperator
    left: Expression
    right: Expression


@frozen(cache_hash=True)
class Negative:
    """Unary minus."""

    operand: Expression


@frozen(cache_hash=True)
class And:
    """Conjunction of two or more operands, flat."""

    operands: tuple[Expression, ...]


@frozen(cache_hash=True)
class Or:
    """Disjunction of two or more operands, flat."""

    operands: tuple[Expression, ...]


@frozen(cache_hash=True)
class Not:
    operand: Expression


@frozen(cache_hash=True)
class Membership:
    """`operand in (options)`, or `not in`."""

    operand: Expression
    options: tuple[Expression, ...]
    negated: bool = False


@frozen(cache_hash=True)
class Call:
    """A function of `uniqgen_ir.ir.functions`, named in lower snake case: `starts_with(str(?x), "a")`."""

    function: str
    arguments: tuple[Expression, ...]


@frozen(cache_hash=True)
class Exists:
    """Whether the rows have a solution that agrees with the outer one."""

    rows: tuple[Row, ...]
    negated: bool = False


@frozen(cache_hash=True)
class Aggregate:
    """`count`, `sum`, `avg`, `min`, `max`, `sample` or `group_concat`; `count` without an operand counts solutions."""

    function: str
    operand: Expression | None = None
    distinct: bool = False
    separator: str | None = None


Expression: TypeAlias = Union[  # noqa: UP007 - a recursive alias needs the quoted names below to resolve late
    Variable,
    Parameter,
    IRI,
    Literal,
    Comparison,
    Arithmetic,
    Negative,
    And,
    Or,
    Not,
    Membership,
    Call,
    Exists,
    Aggregate,
]

AGGREGATE_FUNCTIONS = frozenset({"count", "sum", "avg", "min", "max", "sample", "group_concat"})


def conjunction(operands: tuple[Expression, ...]) -> Expression:
    """The conjunction of one or more expressions; one expression stands for itself, nested ones are flattened."""
    flat = tuple(
        part for operand in operands for part in (operand.operands if isinstance(operand, And) else (operand,))
    )
    if not flat:
        raise ValueError("a conjunction needs at least one operand")
    return flat[0] if len(flat) == 1 else And(flat)
