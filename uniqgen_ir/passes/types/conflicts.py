"""Disagreements that inference found, as diagnostics that name both places."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from uniqgen_ir.ir.analysis import walk_expression
from uniqgen_ir.ir.diagnostics import Diagnostic, Edit, Fix, Related, Severity
from uniqgen_ir.ir.expressions import Call, Expression
from uniqgen_ir.ir.inference import BlockKind, Child, Clash, Conflict, Evidence, ScopeTyping
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.types import (
    TEMPORAL,
    LiteralType,
    Type,
    can_be_literal,
    describe,
)
from uniqgen_ir.ir.vocabulary import INTEGER_DATATYPES, RDF_LANG_STRING, XSD_DATE, XSD_DATE_TIME
from uniqgen_ir.passes.types.codes import ENDS, clash_code, conflict_code, mark, rows_at_ends
from uniqgen_ir.passes.types.direction import Flip, flip_fix, flip_of
from uniqgen_ir.passes.types.fixes import recast
from uniqgen_ir.passes.types.places import Places
from uniqgen_ir.passes.types.reasons import demand, reason, statement
from uniqgen_ir.passes.types.values import conditions

_USES = ("comparison", "membership", "function-argument", "arithmetic", "condition", "values-column")

_FROM_BLOCKS = ("either-union", "exists", "subtable-columns")
"""Rules that carry out what is wrong inside a block: the message inside is the better one."""

_AFTERMATH = {
    BlockKind.OPTIONAL: "so this `optional` never adds anything",
    BlockKind.NOT: "so this `not` never removes anything",
    BlockKind.MINUS: "so this `minus` never removes anything",
    BlockKind.EITHER: "so this branch never matches",
    BlockKind.OR: "so this alternative is never true",
    BlockKind.EXISTS: "so this `exists` is never true",
    BlockKind.NOT_EXISTS: "so this `not exists` is always true",
    BlockKind.SUBTABLE: "so the inner table stays empty",
    BlockKind.GUARDED: "so this expression never has a value",
}


@frozen
class Checker:
    """Turns the disagreements of a tree of scopes into diagnostics."""

    places: Places
    index: SchemaIndex | None

    def diagnostics(
        self, scope: ScopeTyping, within: BlockKind | None = None, tested: frozenset[object] = frozenset()
    ) -> Iterator[Diagnostic]:
        """Every disagreement in the scope and below.

        `within`: the block that takes the harm, None at the outside. `tested`: variables of which the condition itself
        asks what they are; nothing is said of them.
        """
        for one in self._own(scope, tested):
            yield one if within is None else softened(one, within)
        for child in scope.children:
            fatal = child.decisive and _all_contradictory(child)
            careful = not fatal and child.kind in (BlockKind.OR, BlockKind.GUARDED)
            known = tested | _tested(child.row) if careful else tested
            for branch in child.branches:
                yield from self.diagnostics(branch, within if fatal else child.kind, known)

    def _own(self, scope: ScopeTyping, tested: frozenset[object]) -> Iterator[Diagnostic]:
        flips: dict[str, Flip | None] = {}
        said: set[object] = set()
        told_inside = {child.row.id for child in scope.children if child.decisive and _all_contradictory(child)}
        disagreements: list[Conflict | Clash] = [
            one
            for one in scope.conflicts
            if one.later.key not in tested
            and (one.later.rule not in _FROM_BLOCKS or one.later.row.id not in told_inside)
        ]
        disagreements += scope.clashes
        for one in disagreements:
            for row in rows_at_ends(one):
                if row.id not in flips:
                    flips[row.id] = flip_of(row, scope, self.index)
            flip = next((flips[row.id] for row in rows_at_ends(one) if flips[row.id] is not None), None)
            same = mark(one, flip)
            if same not in said:
                said.add(same)
                yield self._flip(flip, one) if flip else self._plain(one, scope)

    def _plain(self, one: Conflict | Clash, scope: ScopeTyping) -> Diagnostic:
        return self._conflict(one, scope) if isinstance(one, Conflict) else self._clash(one)

    # wrong-direction

    def _flip(self, flip: Flip, cause: Conflict | Clash) -> Diagnostic:
        triple, text = flip.triple, self.places.text
        assert isinstance(triple.predicate, IRI)
        declared = self.index.predicate(triple.predicate) if self.index else None
        ends = "" if declared is None else (
            f" leads from {self._describe(declared.subject_type)} to {self._describe(declared.object_type)}"
        )  # fmt: skip
        verb = "is" if flip.contradiction else "looks"
        turned = f"{text(triple.object)} {text(triple.predicate)} {text(triple.subject)}"
        return Diagnostic(
            "UQ343",
            f"{text(triple.predicate)}{ends}, so row {flip.row.id} {verb} the wrong way round",
            self.places.predicate_token(flip.row, triple.predicate) or self.places.row_span(flip.row),
            _severity(flip.contradiction),
            hint=f"write {turned}",
            fix=flip_fix(flip, self.places),
            related=self._other_place(flip.row, cause, declared.span if declared else None),
        )

    def _other_place(self, row: Row, cause: Conflict | Clash, declared: Span | None) -> tuple[Related, ...]:
        found: list[Related] = []
        if isinstance(cause, Conflict):
            for evidence in (cause.earlier, cause.later):
                span = self.places.row_span(evidence.row)
                if evidence.row.id != row.id and span is not None:
                    found.append(
                        Related(f"{self.places.text(evidence.key)} is {statement(evidence, self.places)}", span)
                    )
        return (*found, *_declaration(declared))

    # two pieces of evidence

    def _conflict(self, conflict: Conflict, scope: ScopeTyping) -> Diagnostic:
        first, second = conflict.earlier, conflict.later
        if first.rule in _USES and second.rule not in _USES:
            # the slip is nearly always in what was done with the value, not in where it comes from
            first, second = second, first
        code = conflict_code(first, second, conflict.contradiction)
        key, places = first.key, self.places
        joined = "but has to be" if conflict.contradiction else "and also"
        second_text = demand(second, places) if conflict.contradiction else statement(second, places)
        message = f"{places.text(key)} is {statement(first, places)}, {joined} {second_text}"
        if code == "UQ353":
            message += "; the schema has no class that is both"
        focus = second.about if isinstance(second.about, Literal) else key
        span = places.span(second.row, focus)
        hint, fix = self._repair(first, second)
        return Diagnostic(
            code, message, span, _severity(conflict.contradiction), hint, fix, self._related(first, second, scope)
        )

    def _related(self, first: Evidence, second: Evidence, scope: ScopeTyping) -> tuple[Related, ...]:
        span = self.places.span(first.row, first.key if first.row.id != second.row.id else None)
        place = () if span is None else (Related(f"{reason(first, self.places)} here", span),)
        declared = (*_declaration(self._declared_at(first)), *_declaration(self._declared_at(second)))
        return (*place, *self._other_side(second, scope), *declared)

    def _other_side(self, evidence: Evidence, scope: ScopeTyping) -> tuple[Related, ...]:
        """Where the variable on the other side of a comparison has its type from."""
        other = evidence.about
        if evidence.rule != "comparison" or not isinstance(other, Variable):
            return ()
        known = next((one for one in scope.evidence.get(other, ()) if one.row.id != evidence.row.id), None)
        span = None if known is None else self.places.row_span(known.row)
        if known is None or span is None:
            return ()
        return (Related(f"{self.places.text(other)} is {statement(known, self.places)} here", span),)

    def _declared_at(self, evidence: Evidence) -> Span | None:
        if self.index is None or evidence.rule not in ENDS or not isinstance(evidence.about, IRI):
            return None
        declared = self.index.predicate(evidence.about)
        return declared.span if declared else None

    def _repair(self, first: Evidence, second: Evidence) -> tuple[str | None, Fix | None]:
        if second.rule in ("comparison", "membership") and isinstance(second.about, Literal):
            return self.recast_hint(second.row, second.about, first.type, first.key)
        if not can_be_literal(first.type) and second.rule in _USES:
            return f"{self.places.text(first.key)} is a node: bind one of its properties and use that", None
        return None, None

    def recast_hint(
        self, row: Row, literal: Literal, wanted: Type, key: Expression | None
    ) -> tuple[str | None, Fix | None]:
        """What to write instead of the literal, in words and as an edit."""
        if isinstance(key, Variable) and _is_whole_year(literal) and _is_calendar(wanted):
            name = str(key)
            place = self.places.token(row, key)
            edit = (
                None
                if place is None
                else Fix(f"write year({name})", (Edit(place.start, place.end, f"year({name})"),), False)
            )
            return f"compare year({name}) with {literal.lexical}", edit
        found = recast(literal, wanted)
        if found is None:
            return (_tag_hint(wanted, key), None)
        text = self.places.text(found.literal)
        place = self.places.token(row, literal)
        fix = None if place is None else Fix(f"write {text}", (Edit(place.start, place.end, text),), found.safe)
        return f"write {text}", fix

    # one expression in a place that cannot take it

    def _clash(self, clash: Clash) -> Diagnostic:
        code, places = clash_code(clash), self.places
        span = places.span(clash.row, clash.expression)
        declared = self.index.predicate(clash.about) if self.index and isinstance(clash.about, IRI) else None
        hint: str | None = None
        fix: Fix | None = None
        if isinstance(clash.expression, Literal) and code in ("UQ221", "UQ223"):
            hint, fix = self.recast_hint(clash.row, clash.expression, clash.wanted, None)
        related = _declaration(declared.span if declared else None)
        return Diagnostic(code, self._clash_text(clash, code), span, _severity(clash.contradiction), hint, fix, related)

    def _clash_text(self, clash: Clash, code: str) -> str:
        found, wanted = self._describe(clash.found), self._describe(clash.wanted)
        text, about = self.places.text(clash.expression), clash.about
        if code == "UQ227":
            return f"{text} is a literal, and only nodes can be subjects"
        if code == "UQ348":
            certain = "so no walk goes this way" if clash.contradiction else "so the path may stop here"
            return f"the path arrives at {found} where {text} starts from {wanted}, {certain}"
        if clash.rule == "object-from-range" and isinstance(about, IRI):
            return f"{self.places.text(about)} leads to {wanted}, and {text} is {found}"
        if clash.rule == "function-argument":
            return f"{about}() takes {wanted}, and {text} is {found}"
        if clash.rule == "arithmetic":
            return f"`{about}` takes {wanted}, and {text} is {found}"
        if clash.rule == "condition":
            return f"{text} is {found}, which is neither true nor false"
        other = "" if about is None or isinstance(about, str) else f" with {self.places.text(_expression(about))}"
        return f"{text} is {found} and can only be compared with its like, not{other or ' here'}"

    def _describe(self, type_: Type) -> str:
        return describe(type_, self.places.short)


_TYPE_TESTS = frozenset({"is_literal", "is_iri", "is_blank", "is_numeric", "bound"})


def _tested(row: Row) -> frozenset[object]:
    """The variables whose kind the row's condition asks for, as in `not is_literal(?x) or lang(?x) = "en"`."""
    tests = (one for condition in conditions(row) for one in walk_expression(condition) if isinstance(one, Call))
    return frozenset(argument for one in tests if one.function in _TYPE_TESTS for argument in one.arguments)


def _all_contradictory(child: Child) -> bool:
    return all(one.is_contradictory for one in child.branches)


def _expression(about: object) -> Expression | str:
    return about if isinstance(about, IRI | Literal | Variable | str) else "the other side"


def _is_whole_year(literal: Literal) -> bool:
    return literal.datatype in INTEGER_DATATYPES and literal.lexical.isdigit() and len(literal.lexical) == 4


def _is_calendar(type_: Type) -> bool:
    calendar = frozenset({XSD_DATE, XSD_DATE_TIME})
    return isinstance(type_, LiteralType) and bool(type_.datatypes & calendar) and type_.datatypes <= TEMPORAL.datatypes


def _tag_hint(wanted: Type, key: Expression | None) -> str | None:
    if wanted == LiteralType(frozenset({RDF_LANG_STRING})):
        return f"compare str({key}) with the text, or give the language tag" if key else "give the language tag"
    return None


def _severity(contradiction: bool) -> Severity:
    return Severity.ERROR if contradiction else Severity.WARNING


def softened(one: Diagnostic, within: BlockKind) -> Diagnostic:
    """Inside a block that may fail without harm, a contradiction is a warning that says what becomes of the block."""
    if one.severity is not Severity.ERROR:
        return one
    return evolve(one, severity=Severity.WARNING, message=f"{one.message}, {_AFTERMATH[within]}")


def _declaration(span: Span | None) -> tuple[Related, ...]:
    return () if span is None else (Related("declared here", span),)
