"""The pass `typecheck`: does every row say something that can be true, under the schema and by itself?

Errors are contradictions: rows that have no solution on any graph that keeps to the schema, and names that no such
graph has. What is merely odd is a warning. Without a schema only the table's own use of its variables speaks. The rules
are listed in `types.rules` and explained in `spec/typing.md`.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, errors
from uniqgen_ir.ir.inference import BlockKind, ScopeTyping, TypedTable, infer
from uniqgen_ir.ir.rows import SubTable
from uniqgen_ir.ir.schema import Lexicon
from uniqgen_ir.ir.schema_index import SchemaIndex, SchemaLike, index_of
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.base import Outcome, PassContext, Unchanged
from uniqgen_ir.passes.trace import Step
from uniqgen_ir.passes.types.conflicts import Checker, softened
from uniqgen_ir.passes.types.head import check_head
from uniqgen_ir.passes.types.names import check_names
from uniqgen_ir.passes.types.places import Places
from uniqgen_ir.passes.types.values import check_differences, check_functional, check_literals


@frozen(kw_only=True)
class Typecheck:
    """The pass `typecheck`: raises DiagnosticError where there is an error; warnings are its findings.

    `exclusive`: two classes without a common subclass share no node, as in a property graph with one label a node.
    """

    name = "typecheck"
    exclusive: bool = False

    def run(self, table: Table, context: PassContext) -> Outcome:
        index = index_of(context.schema)
        if index is not None and self.exclusive and context.schema is not None:
            index = SchemaIndex.of(context.schema, exclusive_classes=True)
        found = typecheck(table, index)
        if errors(found):
            raise DiagnosticError(found)
        return Unchanged(tuple(_finding(one) for one in found))


def _finding(one: Diagnostic) -> Step:
    return Step("typecheck", reason=one.message, evidence={"code": one.code, "severity": one.severity.value})


def typecheck(
    table: Table, schema: SchemaLike = None, lexicon: Lexicon | None = None, *, source: str | None = None
) -> tuple[Diagnostic, ...]:
    """Everything that the types of the table say against it, errors and warnings; empty where nothing does.

    The schema may be an index that was made once and is used for many tables. `lexicon` adds words for did-you-mean.
    With the `source` text that the table was read from, spans are as small as they can be and fixes carry edits.
    """
    index = index_of(schema, lexicon)
    return check_typed(infer(table, index), source=source)


def check_typed(
    typed: TypedTable, *, source: str | None = None, checker: Checker | None = None
) -> tuple[Diagnostic, ...]:
    """The same for a table that has its types already. `checker`: one that writes its messages in another language."""
    if checker is None:
        checker = Checker(Places(typed.table, source), typed.index)
    places = checker.places
    found: list[Diagnostic] = []
    if typed.index is not None:
        found += check_names(typed.table.rows, typed.index, places)
    found += checker.diagnostics(typed.scope)
    found += _in_scopes(typed, places)
    for table, scope in _tables(typed.table, typed.scope):
        found += check_head(table, scope, typed.index, places)
    return tuple(sorted(dict.fromkeys(found), key=_place))


def _in_scopes(typed: TypedTable, places: Places) -> Iterator[Diagnostic]:
    for scope in typed.scope.walk():
        yield from check_literals(scope, places)
        yield from check_differences(scope, typed.index, places)
    if typed.index is not None:
        yield from _functional(typed.scope, typed.index, places)


def _functional(
    scope: ScopeTyping, index: SchemaIndex, places: Places, within: BlockKind | None = None
) -> Iterator[Diagnostic]:
    for one in check_functional(scope, index, places):
        yield one if within is None else softened(one, within)
    for child in scope.children:
        for branch in child.branches:
            outer = within if child.decisive and len(child.branches) == 1 else child.kind
            yield from _functional(branch, index, places, outer)


def _tables(table: Table, scope: ScopeTyping) -> Iterator[tuple[Table, ScopeTyping]]:
    """The table and those inside it, each with its scope."""
    yield table, scope
    for inner in scope.walk():
        for child in inner.children:
            if child.kind is BlockKind.SUBTABLE and isinstance(child.row.atom, SubTable):
                yield child.row.atom.table, child.branches[0]


def _place(one: Diagnostic) -> tuple[int, str]:
    return (one.span.start if one.span else 0, one.code)
