"""The pass `normalize`: one spelling for tables that mean the same. Its rules, one by one: `spec/semantics.md`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import evolve, frozen

from uniqgen_ir.ir.rows import Either, Row
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.visitor import rewrite_rows
from uniqgen_ir.passes.base import Outcome, PassContext, Rewritten, Unchanged
from uniqgen_ir.passes.normal.blocks import Block, distinct_blocks, is_union, lift_disjunctions, shows_as_much
from uniqgen_ir.passes.normal.conditions import normal_conditions
from uniqgen_ir.passes.normal.contradictions import Contradiction, Finding, refusal, refuse_contradictions
from uniqgen_ir.passes.normal.duplicates import remove_duplicates
from uniqgen_ir.passes.normal.equalities import merge_equalities
from uniqgen_ir.passes.normal.inverses import forward_predicates
from uniqgen_ir.passes.normal.naming import canonical_names
from uniqgen_ir.passes.normal.paths import open_paths
from uniqgen_ir.passes.normal.rule import Rule, RuleResult, Settings
from uniqgen_ir.passes.options import at_least_one
from uniqgen_ir.passes.trace import Step


def flatten_either(table: Table, _: Settings) -> RuleResult:
    """A branch that is nothing but an `either` gives its branches to the outer one."""
    steps: list[Step] = []

    def flat(row: Row) -> Iterable[Row]:
        if not isinstance(row.atom, Either):
            return (row,)
        branches = tuple(inner for branch in row.atom.branches for inner in _inner_branches(branch))
        if branches == row.atom.branches:
            return (row,)
        steps.append(Step("normalize.either", (row.id,), (row.id,), "an `either` inside an `either`"))
        return (evolve(row, atom=Either(branches)),)

    return table.with_rows(rewrite_rows(table.rows, flat)), tuple(steps)


def _inner_branches(branch: tuple[Row, ...]) -> tuple[tuple[Row, ...], ...]:
    """The branches of an `either` that is all the branch holds; otherwise the branch itself."""
    first = branch[0]
    return first.atom.branches if len(branch) == 1 and isinstance(first.atom, Either) else (branch,)


RULES: Final[tuple[Rule, ...]] = (
    flatten_either,
    open_paths,  # before inverses: `^p` becomes a triple that can be turned
    forward_predicates,
    normal_conditions,  # before equalities and duplicates, which compare conditions by their spelling
    refuse_contradictions,  # before a row that is part of the contradiction is merged into another
    merge_equalities,
    remove_duplicates,  # last: merging variables makes rows equal
)

_ROUNDS: Final = 20
"""Each round merges or shortens something, so few are needed; the bound only guards against a rule that never ends."""


@frozen(kw_only=True)
class Normalize:
    """Write the table in normal form: same answers on every graph, one spelling.

    Options: `rename` names inner variables v1, v2, …; `keep_units` keeps apart what the search may drop one by one, and
    disjunctions as rows; `max_blocks` bounds the union of blocks that disjunctions become (1: never lifted).
    """

    rename: bool = True
    keep_units: bool = False
    max_blocks: int = 64

    name = "normalize"

    def __attrs_post_init__(self) -> None:
        at_least_one(self.name, "max_blocks", self.max_blocks)

    def run(self, table: Table, context: PassContext) -> Outcome:
        """Raises DiagnosticError UQ401, UQ402 for a table that can have no answer, naming a minimal set of rows."""
        settings = Settings(schema=context.schema, keep_units=self.keep_units, max_blocks=self.max_blocks)
        normal, steps = normalize(table, settings, rename=self.rename)
        return Rewritten(normal, steps) if normal != table else Unchanged(steps)


def normalize(table: Table, settings: Settings | None = None, *, rename: bool = True) -> RuleResult:
    """The normal form of a valid table, and the steps to it. Raises DiagnosticError UQ401, UQ402."""
    settings = settings or Settings()
    try:
        normal, steps = _in_blocks(*_to_fixpoint(table, settings), settings)
    except Contradiction as found:
        raise refusal(table, found, lambda part: _contradicts(part, settings)) from None
    if rename:
        normal, made = canonical_names(normal)
        steps = (*steps, *made)
    return normal, steps


def _contradicts(table: Table, settings: Settings) -> bool:
    try:
        _in_blocks(*_to_fixpoint(table, settings), settings)
    except Contradiction:
        return True
    return False


def _to_fixpoint(table: Table, settings: Settings) -> RuleResult:
    """All rules, round after round, until none has anything to do. Raises Contradiction."""
    steps: list[Step] = []
    for _ in range(_ROUNDS):
        before = table
        for rule in RULES:
            table, made = rule(table, settings)
            steps.extend(made)
        if table == before:
            break
    return table, tuple(steps)


def _in_blocks(plain: Table, steps: tuple[Step, ...], settings: Settings) -> RuleResult:
    """Disjunctions lifted to a union, and the rules applied to each of its blocks. Raises Contradiction."""
    table, made = lift_disjunctions(plain, settings)
    row = table.rows[0] if is_union(table) else None
    if row is None or not isinstance(row.atom, Either) or settings.keep_units:
        return table, (*steps, *made)
    blocks, more = _normal_blocks(table, row.atom.branches, settings)
    kept, dropped = distinct_blocks(table, blocks)
    # one block left is no union any more: its rows are the table's
    rows = kept[0] if len(kept) == 1 else (evolve(row, atom=Either(tuple(kept))),)
    if not shows_as_much(table, rows):
        return plain, steps  # only blocks that are left out could bind what the head shows
    return table.with_rows(rows), (*steps, *made, *more, *dropped)


def _normal_blocks(table: Table, branches: Iterable[Block], settings: Settings) -> tuple[list[Block], list[Step]]:
    """Each block after the rules, without those that can never hold. Raises Contradiction where none is left."""
    blocks: list[Block] = []
    steps: list[Step] = []
    impossible: list[Finding] = []
    for block in branches:
        try:
            normal, made = _to_fixpoint(table.with_rows(block), settings)
        except Contradiction as found:
            impossible += found.findings
            reason = "; ".join(one.message(one.rows) for one in found.findings)
            steps.append(Step("normalize.impossible", tuple(one.id for one in block), (), reason))
            continue
        blocks.append(normal.rows)
        steps += made
    if not blocks:
        raise Contradiction(*impossible)
    return blocks, steps
