"""Label and type expressions."""

from __future__ import annotations

from collections.abc import Sequence

from uniqgen_ir.grammar.cypher import ast_expressions as ast
from uniqgen_ir.grammar.cypher.lowering.group import Builder, UnsupportedError
from uniqgen_ir.grammar.cypher.names import NODE
from uniqgen_ir.ir.expressions import Exists, Expression, Not, Or, conjunction
from uniqgen_ir.ir.rows import Atom, Either, Filter, NotBlock, Row, TypeAtom
from uniqgen_ir.ir.terms import Variable

_MOST_BRANCHES = 6
"""More alternatives become one condition: each branch excludes all before it."""


def label_rows(builder: Builder, subject: Variable, labels: ast.LabelExpression) -> list[Atom]:
    """Rows that hold where the node has the labels, each once for a node."""
    match labels:
        case ast.LabelName(text=text):
            return [TypeAtom(subject, builder.names.label(text))]
        case ast.LabelAnd(operands=operands):
            return [row for one in operands for row in label_rows(builder, subject, one)]
        case ast.LabelOr(operands=operands) if len(operands) <= _MOST_BRANCHES:
            return [_either(builder, subject, operands)]
        case ast.LabelOr():
            return [TypeAtom(subject, NODE), Filter(label_condition(builder, subject, labels))]
        case ast.LabelNot(operand=operand):
            return [TypeAtom(subject, NODE), NotBlock(_numbered(label_rows(builder, subject, operand)))]
        case ast.LabelAny():
            raise UnsupportedError("the label `%`", labels, "name the labels")
        case ast.LabelDynamic():
            raise UnsupportedError("a label that is computed", labels, "name the label")


def _either(builder: Builder, subject: Variable, operands: Sequence[ast.LabelExpression]) -> Either:
    """A branch for each label, which excludes those before: a node with two of them still counts once."""
    branches: list[tuple[Row, ...]] = []
    for place, one in enumerate(operands):
        rows = label_rows(builder, subject, one)
        rows += [NotBlock(_numbered(label_rows(builder, subject, other))) for other in operands[:place]]
        branches.append(_numbered(rows))
    return Either(tuple(branches))


def _numbered(contents: Sequence[Atom]) -> tuple[Row, ...]:
    # ids are given anew when the table is put together
    return tuple(Row(f"l{place}", content) for place, content in enumerate(contents, 1))


def label_condition(builder: Builder, subject: Variable, labels: ast.LabelExpression) -> Expression:
    """Whether the node has the labels, as a condition."""
    match labels:
        case ast.LabelName(text=text):
            builder.exists = True
            return Exists((Row("l1", TypeAtom(subject, builder.names.label(text))),))
        case ast.LabelAnd(operands=operands):
            return conjunction(tuple(label_condition(builder, subject, one) for one in operands))
        case ast.LabelOr(operands=operands):
            return Or(tuple(label_condition(builder, subject, one) for one in operands))
        case ast.LabelNot(operand=operand):
            return Not(label_condition(builder, subject, operand))
        case ast.LabelAny():
            raise UnsupportedError("the label `%`", labels, "name the labels")
        case ast.LabelDynamic():
            raise UnsupportedError("a label that is computed", labels, "name the label")


def type_names(types: ast.LabelExpression | None) -> tuple[str, ...] | None:
    """The types that a relationship may have; None for any. Only alternatives of names can be told apart."""
    match types:
        case None:
            return None
        case ast.LabelName(text=text):
            return (text,)
        case ast.LabelOr(operands=operands) if all(isinstance(one, ast.LabelName) for one in operands):
            return tuple(dict.fromkeys(one.text for one in operands if isinstance(one, ast.LabelName)))
        case _:
            raise UnsupportedError("an expression over relationship types", types, "list the types with |")
