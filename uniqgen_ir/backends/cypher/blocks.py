"""What is no plain constraint: optional blocks, negation, MINUS, EXISTS."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve

from uniqgen_ir.backends.cypher.atoms import Atom, Conjunction, ResidueAtom, named
from uniqgen_ir.backends.cypher.clauses import Clause, Impossible
from uniqgen_ir.backends.cypher.counted import write_counted
from uniqgen_ir.backends.cypher.dialects.base import ExistsForm
from uniqgen_ir.backends.cypher.meeting import refuse_shared_types
from uniqgen_ir.backends.cypher.operands import NOTHING
from uniqgen_ir.backends.cypher.properties import write_optional_items
from uniqgen_ir.backends.marks import closed, extract, opened
from uniqgen_ir.ir.analysis import row_variables, visible_variables
from uniqgen_ir.ir.diagnostics import DiagnosticError, fail
from uniqgen_ir.ir.expressions import Call
from uniqgen_ir.ir.rows import Bind, Filter, MinusBlock, NotBlock, OptionalBlock, Row, Triple, Values
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.visitor import rename_variables

if TYPE_CHECKING:
    from uniqgen_ir.backends.cypher.conjunction import ConjunctionWriter


def write_residue(writer: ConjunctionWriter, atoms: Conjunction, waiting: list[Atom]) -> None:
    later = [one for one in atoms if isinstance(one, ResidueAtom) and not isinstance(one.row.atom, Values | Bind)]
    for one in later:
        if isinstance(one.row.atom, OptionalBlock):
            _in_named_row(one.row, partial(write_optional, writer))
            waiting = writer.settle(waiting)
    writer.late_conditions(waiting)
    for one in later:
        if isinstance(one.row.atom, NotBlock):
            _in_named_row(one.row, partial(write_not, writer))
        elif isinstance(one.row.atom, MinusBlock):
            _in_named_row(one.row, partial(write_minus, writer))


def _in_named_row(row: Row, write: Callable[[Row], None]) -> None:
    try:
        write(row)
    except DiagnosticError as error:
        raise named(error, row) from error


def write_not(writer: ConjunctionWriter, row: Row) -> None:
    assert isinstance(row.atom, NotBlock)
    for text in block_texts(writer, row.atom.rows):
        writer.where(row.id, f"NOT {text}")


def write_minus(writer: ConjunctionWriter, row: Row) -> None:
    assert isinstance(row.atom, MinusBlock)
    inner = visible_variables(row.atom.rows)
    shared = frozenset(inner) & writer.bound.keys()
    if not shared:
        return
    loose = frozenset[Variable]().union(*(row_variables(one) for one in row.atom.rows)) - frozenset(inner)
    if loose or any(writer.bound[one].nullable for one in shared):
        raise fail("UQ500", "this `minus` depends on variables that it does not bind; write `not` instead")
    for text in block_texts(writer, row.atom.rows):
        writer.where(row.id, f"NOT {text}")


def block_texts(writer: ConjunctionWriter, rows: Sequence[Row]) -> list[str]:
    """Conditions of which one holds where the rows have a solution."""
    nodes = frozenset(one for one, operand in writer.bound.items() if operand.is_entity)
    found: list[str] = []
    for atoms in writer.context.expander.conjunctions(rows, nodes):
        try:
            found.append(_block_text(writer, writer.block(atoms)))
        except Impossible:
            continue
    return found


def _block_text(writer: ConjunctionWriter, inner: ConjunctionWriter) -> str:
    dialect = writer.context.dialect
    conditions = " AND ".join(inner.conditions)
    if not inner.clauses:
        return f"coalesce({conditions}, false)" if conditions else "true"
    where = f" WHERE {conditions}" if conditions else ""
    match dialect.exists:
        case ExistsForm.MATCHES:
            body = " ".join(f"{one.keyword} {', '.join(one.items)}" for one in inner.clauses)
            return f"EXISTS {{ {body}{where} }}"
        case ExistsForm.MATCH:
            refuse_shared_types(writer, inner, "a block")
            patterns = ", ".join(item for clause in inner.clauses for item in clause.items)
            return f"EXISTS {{ {dialect.match} {patterns}{where} }}"
        case ExistsForm.COMPREHENSION:
            return f"size([{_only_pattern(inner)}{where} | 1]) > 0"
        case ExistsForm.PREDICATE:
            if conditions:
                raise fail("UQ500", "a block that compares values cannot be written in this dialect of Cypher")
            return _without_names(writer, inner)


def _without_names(writer: ConjunctionWriter, inner: ConjunctionWriter) -> str:
    """The one relationship of a block, its new nodes without names: a condition cannot bind any."""
    pattern = _only_pattern(inner)
    for variable in inner.bound.keys() - writer.bound.keys():
        name = re.escape(inner.bound[variable].text)
        pattern = re.sub(rf"([(\[]){name}(?![\w`])", r"\1", pattern)
    return pattern


def _only_pattern(inner: ConjunctionWriter) -> str:
    """The one relationship of a block."""
    patterns = [item for clause in inner.clauses for item in clause.items]
    if len(patterns) != 1 or not inner.edges:
        raise fail("UQ500", "a block must be one relationship in this dialect of Cypher")
    return patterns[0]


def write_optional(writer: ConjunctionWriter, row: Row) -> None:
    assert isinstance(row.atom, OptionalBlock)
    if write_counted(writer, row):
        return
    nodes = frozenset(one for one, operand in writer.bound.items() if operand.is_entity)
    options = writer.context.expander.conjunctions(_without_twins(writer, row.atom.rows), nodes)
    if len(options) == 1 and write_optional_items(writer, row.id, options[0]):
        return
    possible: list[ConjunctionWriter] = []
    for atoms in options:
        try:
            possible.append(writer.block(atoms))
        except Impossible:
            continue
    if len(possible) > 1:
        raise fail("UQ500", "an optional block with alternatives cannot be written in Cypher")
    if writer.inside and not (possible and not possible[0].clauses):
        # what is left is a property of a node that the block matched: NULL where it is missing, and where the node is
        raise fail("UQ500", "an optional block inside a block cannot be written in Cypher")
    if not possible:
        for variable in visible_variables(row.atom.rows):
            writer.bound.setdefault(variable, NOTHING)
        return
    _optional_block(writer, row, possible[0])


def _without_twins(writer: ConjunctionWriter, rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """`optional { ?twin name ?v . same_term(?twin, ?node) }` as `optional { ?node name ?v }`: no second match of a node
    whose property is asked for. Only in property graphs, where a property of nothing is nothing."""
    if writer.context.layout.lossless:
        return rows
    for row in rows:
        match row.atom:
            case Filter(Call("same_term", (Variable() as twin, Variable() as node))):
                known = writer.bound.get(node)
                others = [one for one in rows if one is not row]
                about = all(isinstance(one.atom, Triple) and one.atom.subject == twin for one in others)
                if about and known is not None and known.kind in ("node", "edge") and twin not in writer.bound:
                    return tuple(rename_variables(one, {twin: node}) for one in others)
            case _:
                pass
    return rows


def _optional_block(writer: ConjunctionWriter, row: Row, inner: ConjunctionWriter) -> None:
    new = {one: operand for one, operand in inner.bound.items() if one not in writer.bound}
    patterns = [item for clause in inner.clauses for item in clause.items]
    dialect = writer.context.dialect
    if patterns:
        refuse_shared_types(writer, inner, "an optional block")
        text = opened(row.id) + ", ".join(patterns) + closed(row.id)
        apart = any(one.apart is not None for one in inner.edges)
        keyword = f"OPTIONAL {dialect.match_apart if apart else dialect.match}"
        writer.clauses.append(Clause(keyword, (text,), tuple(inner.conditions)))
        # a value that does not hang on the nodes of the block has to go with the block
        for variable, operand in new.items():
            writer.bound[variable] = evolve(operand, nullable=True)
        return
    tests = " AND ".join(one for one in inner.conditions)
    for variable, operand in new.items():
        # a property that is missing is NULL by itself
        single = [extract(one)[0] for one in inner.conditions] == [f"{operand.text} IS NOT NULL"]
        text = operand.text if single or not tests else f"CASE WHEN {tests} THEN {operand.text} END"
        writer.bound[variable] = evolve(operand, text=opened(row.id) + text + closed(row.id), nullable=True)
