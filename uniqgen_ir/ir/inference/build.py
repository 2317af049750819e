"""Typing scopes inside scopes.

Two directions. Up: what every branch of an `either` agrees on, what an `optional` gives, what a sub-table returns, is
evidence outside (found from the inside alone). Down: what is known outside holds inside, for variables that the outer
rows surely bind. `not` and `minus` tell nothing to the outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from attrs import frozen

from uniqgen_ir.ir.analysis import expression_variables, has_aggregate, row_variables
from uniqgen_ir.ir.inference.atoms import add_path, add_triple, add_type, add_values
from uniqgen_ir.ir.inference.conditions import Block, Blocks, Demand, Part, add_demand
from uniqgen_ir.ir.inference.evidence import BlockKind, Child, Evidence, Key, ScopeTyping
from uniqgen_ir.ir.inference.expressions import expression_type
from uniqgen_ir.ir.inference.scope import Scope
from uniqgen_ir.ir.rows import (
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    PathAtom,
    Row,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.types import ANY, Type, union

_CONDITIONS = frozenset({BlockKind.OR, BlockKind.GUARDED})
"""Blocks that hold no rows: unbound variables are errors there, so everything known outside holds inside."""


_Alone: TypeAlias = dict[Part, ScopeTyping]
"""Parts of blocks with their types, when nothing is known of what stands around them and inside them."""


def type_scope(
    part: Part,
    index: SchemaIndex | None,
    outer: ScopeTyping | None = None,
    keys: Iterable[Key] = (),
    *,
    deep: bool = True,
    alone: _Alone | None = None,
) -> ScopeTyping:
    """The types inside a scope.

    `outer` and `keys`: what is known outside, and of which variables. Unless `deep`, inner scopes are left out.
    `alone`: what was found for parts by themselves, which is asked for at every depth; filled here.
    """
    alone = {} if alone is None else alone
    scope = Scope(index, ScopeTyping(part.rows))
    if outer is not None:
        scope.inherit(outer, keys)
    sure = sure_variables(part.rows)
    blocks: Blocks = []
    for row in part.rows:
        _add_atom(scope, row, blocks)
    for row in part.rows:
        if row.where is not None:
            add_demand(scope, Demand(row.where, True, row), blocks)
        if isinstance(row.atom, Filter):
            add_demand(scope, Demand(row.atom.condition, True, row), blocks)
    for demand in part.demands:
        add_demand(scope, demand, blocks)
    may_be_unbound = _add_what_blocks_tell(scope, part.rows, blocks, sure, alone)
    scope.solve()
    if deep and blocks:
        order: dict[Key, int] = {key: place for place, key in enumerate(scope.typing.types)}
        for block in blocks:
            known = [key for key in _inherited(block, may_be_unbound) if key in order]
            keys = sorted(known, key=order.__getitem__)
            branches = tuple(type_scope(one, index, scope.typing, keys, alone=alone) for one in block.parts)
            scope.typing.children.append(Child(block.kind, block.row, branches, block.decisive))
    return scope.typing


def _by_itself(part: Part, index: SchemaIndex | None, alone: _Alone) -> ScopeTyping:
    found = alone.get(part)
    if found is None:
        found = alone[part] = type_scope(part, index, deep=False, alone=alone)
    return found


def sure_variables(rows: Iterable[Row]) -> frozenset[Variable]:
    """The variables that the rows bind in every solution, those given by expressions left out: these may fail."""
    found: set[Variable] = set()
    for row in rows:
        match row.atom:
            case Triple() | TypeAtom() | PathAtom():
                found |= row_variables(Row(row.id, row.atom))
            case Values(variables, lines):
                found |= {one for place, one in enumerate(variables) if all(line[place] is not None for line in lines)}
            case Either(branches):
                found |= _common(branches)
            case SubTable(table):
                inner = sure_variables(table.rows)
                found |= {one for one in inner if not table.head or one in _plain_columns(table)}
            case _:
                pass
    return frozenset(found)


def _common(branches: Iterable[Iterable[Row]]) -> frozenset[Variable]:
    first, *others = (sure_variables(branch) for branch in branches)
    return first.intersection(*others)


def _plain_columns(table: Table) -> frozenset[Variable]:
    return frozenset(column.variable for column in table.head if column.alias is None)


def _add_atom(scope: Scope, row: Row, blocks: Blocks) -> None:
    match row.atom:
        case Triple():
            add_triple(scope, row, row.atom)
        case TypeAtom():
            add_type(scope, row, row.atom)
        case PathAtom():
            add_path(scope, row, row.atom)
        case Values():
            add_values(scope, row, row.atom)
        case Bind(expression, _):
            blocks.append(
                Block(BlockKind.GUARDED, row, (Part(demands=(Demand(expression, None, row),)),), decisive=False)
            )
        case OptionalBlock(rows):
            blocks.append(Block(BlockKind.OPTIONAL, row, (Part(rows),), decisive=False))
        case NotBlock(rows):
            blocks.append(Block(BlockKind.NOT, row, (Part(rows),), decisive=False))
        case MinusBlock(rows):
            blocks.append(Block(BlockKind.MINUS, row, (Part(rows),), decisive=False))
        case Either(branches):
            blocks.append(Block(BlockKind.EITHER, row, tuple(Part(one) for one in branches), decisive=True))
        case SubTable(table):
            # a count over nothing is still one row
            always = any(has_aggregate(column.expression) for column in table.head) and not table.shell.group
            blocks.append(Block(BlockKind.SUBTABLE, row, (Part(table.rows),), decisive=not always))
        case Filter():
            pass


@frozen
class _Offer:
    """A type that the inside of a block gives to a variable outside."""

    variable: Variable
    type: Type
    row: Row
    rule: str


def _add_what_blocks_tell(
    scope: Scope, rows: tuple[Row, ...], blocks: Blocks, sure: frozenset[Variable], alone: _Alone
) -> frozenset[Variable]:
    """Add what blocks and expressions tell. Returns the variables whose type holds only where they are bound."""
    uncertain: dict[Variable, list[_Offer]] = {}
    for block in blocks:
        for offer in _offers(block, scope, sure, alone):
            if offer.variable in sure and block.kind is not BlockKind.OPTIONAL:
                scope.add(Evidence(offer.variable, offer.type, offer.rule, offer.row))
            elif offer.variable not in sure:
                uncertain.setdefault(offer.variable, []).append(offer)
    for variable, offers in uncertain.items():
        first = offers[0]
        scope.add(Evidence(variable, union(one.type for one in offers), first.rule, first.row))
    # a bind may look at what other blocks tell, so it comes last, in order
    bound: set[Variable] = set()
    for row in rows:
        if isinstance(row.atom, Bind) and row.atom.variable not in sure | uncertain.keys():
            type_ = expression_type(row.atom.expression, scope.typing.types)
            bound.add(row.atom.variable)
            if type_ != ANY:
                scope.add(Evidence(row.atom.variable, type_, "bind-result", row, row.atom.expression))
    return frozenset(uncertain) | bound


def _offers(block: Block, scope: Scope, sure: frozenset[Variable], alone: _Alone) -> Iterable[_Offer]:
    if block.kind in (BlockKind.NOT, BlockKind.MINUS, BlockKind.NOT_EXISTS, BlockKind.GUARDED):
        return
    if block.kind is BlockKind.EXISTS and not block.decisive:
        return
    typed = [_by_itself(part, scope.index, alone) for part in block.parts]
    possible = [one for one in typed if not one.is_contradictory] or typed
    for variable, rule in _told(block, sure, possible):
        type_ = union(_inner_type(block, variable, one) for one in possible)
        if type_ != ANY:
            yield _Offer(variable, type_, block.row, rule)


def _told(block: Block, sure: frozenset[Variable], typed: Sequence[ScopeTyping]) -> Iterable[tuple[Variable, str]]:
    """The variables of which a block tells the outside something, and by which rule. `typed`: its possible branches."""
    match block.kind, block.row.atom:
        case BlockKind.OPTIONAL, _:
            names = sure_variables(block.parts[0].rows)
            rule = "optional-types"
        case BlockKind.SUBTABLE, SubTable(table):
            names = frozenset(table.columns) or sure_variables(table.rows)
            rule = "subtable-columns"
        case BlockKind.EXISTS, _:
            names = frozenset[Variable]().union(*(row_variables(one) for one in block.parts[0].rows)) & sure
            rule = "exists"
        case BlockKind.EITHER, _:
            names = _common(part.rows for part in block.parts)
            rule = "either-union"
        case _:
            # of a variable that one branch says nothing about, they say nothing together
            names = sure & frozenset(variable for variable in typed[0].types if isinstance(variable, Variable))
            rule = "either-union"
    return ((one, rule) for one in sorted(names, key=str))


def _inner_type(block: Block, variable: Variable, inner: ScopeTyping) -> Type:
    if isinstance(block.row.atom, SubTable) and block.kind is BlockKind.SUBTABLE:
        for column in block.row.atom.table.head:
            if column.variable == variable:
                return expression_type(column.expression, inner.types)
    return inner.type_of(variable)


def _inherited(block: Block, may_be_unbound: frozenset[Variable]) -> frozenset[Variable]:
    """The variables of which the inside of a block takes over what is known outside, as far as it is known."""
    if block.kind in _CONDITIONS:
        demands = (demand for part in block.parts for demand in part.demands)
        return frozenset[Variable]().union(*(expression_variables(one.expression) for one in demands))
    if block.kind is BlockKind.SUBTABLE and isinstance(block.row.atom, SubTable) and block.row.atom.table.head:
        return _plain_columns(block.row.atom.table) - may_be_unbound
    return row_variables(block.row) - may_be_unbound
