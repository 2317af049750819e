"""How often a block matches: `optional { table { select ?x count(*) as ?n … group by ?x } }` as `COUNT { MATCH … }`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from uniqgen_ir.backends.cypher.clauses import Impossible
from uniqgen_ir.backends.cypher.dialects.base import CountForm
from uniqgen_ir.backends.cypher.meeting import refuse_shared_types
from uniqgen_ir.backends.cypher.operands import NOTHING, Operand
from uniqgen_ir.backends.marks import closed, opened
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.expressions import Aggregate
from uniqgen_ir.ir.rows import OptionalBlock, Row, SubTable
from uniqgen_ir.ir.table import MatchMode, Shell, Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.vocabulary import XSD_INTEGER

if TYPE_CHECKING:
    from uniqgen_ir.backends.cypher.conjunction import ConjunctionWriter


def write_counted(writer: ConjunctionWriter, row: Row) -> bool:
    """Bind the count of a block that is nothing else; False where it is something else, or cannot be written so."""
    counted = _counted(row)
    if counted is None or not _can_count(writer):
        return False
    table, variable = counted
    if not all(_is_bound(writer, one.variable) for one in table.shell.group) or variable in writer.bound:
        return False
    text = _count_text(writer, table)
    if text is None:
        writer.bound[variable] = NOTHING
        return True
    marked = opened(row.id) + text + closed(row.id)
    # no solution is no group, so no count
    some = f"CASE WHEN {marked} > 0 THEN {marked} END"
    writer.bound[variable] = Operand("value", some, XSD_INTEGER, nullable=True, or_zero=marked)
    return True


def _counted(row: Row) -> tuple[Table, Variable] | None:
    """The table that counts its solutions by what is bound outside, and the variable of the count."""
    match row.atom:
        case OptionalBlock((Row(atom=SubTable(table), where=None),)):
            pass
        case _:
            return None
    keys = table.shell.group
    if table.shell != Shell(distinct=False, group=keys) or len(table.head) != len(keys) + 1:
        return None
    last = table.head[-1]
    plain = table.head[:-1] == keys and all(one.alias is None for one in keys)
    return (table, last.alias) if plain and last.alias and last.expression == Aggregate("count") else None


def _can_count(writer: ConjunctionWriter) -> bool:
    form = writer.context.dialect.count
    return form is not CountForm.NONE and (form is not CountForm.OWN or writer.context.layout.lossless)


def _is_bound(writer: ConjunctionWriter, variable: Variable) -> bool:
    operand = writer.bound.get(variable)
    return operand is not None and operand.kind in ("node", "edge", "literal") and not operand.nullable


def _count_text(writer: ConjunctionWriter, table: Table) -> str | None:
    """The count; None where there is nothing to count in any graph laid out like this."""
    outer = writer.context.expander
    different = table.match_mode is MatchMode.DIFFERENT_RELATIONSHIPS
    expander = evolve(outer, counts=True, different=different)
    nodes = frozenset(one for one, operand in writer.bound.items() if operand.is_entity)
    texts: list[str] = []
    for atoms in expander.conjunctions(table.rows, nodes):
        try:
            inner = writer.block(atoms)
        except Impossible:
            continue
        if not inner.clauses:
            raise fail("UQ500", "a count of what is bound already cannot be written in Cypher")
        body = _body(writer, inner)
        where = f" WHERE {' AND '.join(inner.conditions)}" if inner.conditions else ""
        texts.append(f"COUNT {{ {body}{where} }}")
    return None if not texts else texts[0] if len(texts) == 1 else f"({' + '.join(texts)})"


def _body(writer: ConjunctionWriter, inner: ConjunctionWriter) -> str:
    """The patterns of a count."""
    dialect = writer.context.dialect
    if dialect.count is CountForm.MATCHES:
        return " ".join(f"{one.keyword} {', '.join(one.items)}" for one in inner.clauses)
    refuse_shared_types(writer, inner, "a count")
    return f"{dialect.match} {', '.join(item for clause in inner.clauses for item in clause.items)}"
