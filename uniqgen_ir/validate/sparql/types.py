"""Types against the schema: the typing rules of tables, said in SPARQL's words and with the gate's kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from attrs import evolve, field, frozen

from uniqgen_ir.backends.sparql.expressions import FUNCTION_NAMES
from uniqgen_ir.ir.analysis import walk_expression
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Fix, Severity, errors
from uniqgen_ir.ir.expressions import Call, Comparison, ComparisonOperator, Expression, Membership
from uniqgen_ir.ir.inference import Clash, Conflict, Evidence, ScopeTyping, TypedTable, infer
from uniqgen_ir.ir.inference.expressions import expression_type, partner
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.types import TEXT, LiteralType, Type, can_be_literal, describe, overlap, union
from uniqgen_ir.ir.vocabulary import BUILTIN_PREFIXES, RDF_LANG_STRING, XSD_DECIMAL, XSD_STRING
from uniqgen_ir.passes.base import PassContext
from uniqgen_ir.passes.saturate.saturate import Saturate
from uniqgen_ir.passes.typecheck import check_typed
from uniqgen_ir.passes.types.conflicts import Checker
from uniqgen_ir.passes.types.direction import Flip
from uniqgen_ir.passes.types.values import conditions
from uniqgen_ir.validate.sparql.directions import flip_edits, turned_step
from uniqgen_ir.validate.sparql.names import foreign_names, named_node, right_namespaces
from uniqgen_ir.validate.sparql.places import SparqlPlaces
from uniqgen_ir.validate.sparql.query import CheckedQuery
from uniqgen_ir.validate.sparql.recasting import NO_REPAIR, Recaster

_STARTS: Final = ("subject-from-domain", "path-ends")
_USES: Final = frozenset({"function-argument", "arithmetic", "comparison", "membership", "condition"})
_OP: Final = ComparisonOperator

_GATE_CODES: Final = {
    # the gate tells fewer kinds apart than the typing rules: what has the wrong type, whatever it stands in
    **dict.fromkeys(("UQ226", "UQ227", "UQ344", "UQ345"), "UQ220"),
    **dict.fromkeys(("UQ224", "UQ225"), "UQ221"),
    **dict.fromkeys(("UQ346", "UQ347", "UQ402"), "UQ401"),
}
_ALWAYS_DIFFERENT: Final = "UQ230"
"""told by `differences`, with repairs"""
_AGGREGATE_TYPE: Final = "UQ228"
"""without an aggregate in the text it speaks of one that the reader made of a sort key"""


def check_types(
    query: CheckedQuery,
    table: Table,
    index: SchemaIndex | None,
    prefixes: Mapping[str, str],
    schema: Schema | None = None,
) -> None:
    """Everything that the types of the query say against it; without an index only its own use of its variables.

    `schema`: where it keeps classes apart, what follows from the patterns under it is looked at, too.
    """
    known = {**BUILTIN_PREFIXES, **prefixes, **dict(query.reading.prefixes)}
    for prefix, space in dict(query.reading.prefixes).items():
        # where two prefixes stand for one namespace, names are written with the one that the query declares
        known = {one: other for one, other in known.items() if other != space or one == prefix}
    written = query.reading.context.text
    places = SparqlPlaces(table, written, query=query, prefixes=known)
    checker = SparqlChecker(places, index, query=query, recaster=Recaster(query, places))
    typed = infer(table, index)
    aggregates = any(one[0] == "AGGREGATE" for one in query.reading.tokens)
    dropped = {_ALWAYS_DIFFERENT} if aggregates else {_ALWAYS_DIFFERENT, _AGGREGATE_TYPE}
    found = [one for one in check_typed(typed, checker=checker) if one.code not in dropped]
    if index is not None:
        found += foreign_names(table.rows, index, places)
    found += checker.differences(typed)
    found += checker.languages(typed)
    if index is not None and index.disjoint_pairs and schema is not None and not errors(found):
        found += _derived_contradictions(table, schema)
    found = right_namespaces(query, index, prefixes, found)
    query.reading.context.diagnostics += [_of_the_gate(one) for one in found]


_ROWS: Final = re.compile(r"^rows? .*? ha(?:ve|s) no answer")
_ROW_NAMES: Final = re.compile(r" \(rows? [^()]*\)")


def _derived_contradictions(table: Table, schema: Schema) -> Iterator[Diagnostic]:
    """What makes the query empty by what follows from its patterns: `?m` is the one mayor, a doctor and a baker."""
    try:
        Saturate().run(table, PassContext(schema=schema))
    except DiagnosticError as error:
        for one in error.diagnostics:
            message = _ROW_NAMES.sub("", _ROWS.sub("these patterns have no answer", one.message))
            yield evolve(one, code="UQ401", message=message, related=())


_TAGGED: Final = LiteralType(frozenset({RDF_LANG_STRING}))
_CALL: Final = re.compile(r"\b([a-z_]+)\(\)")


def _in_words_of_sparql(message: str) -> str:
    return _CALL.sub(lambda found: f"{FUNCTION_NAMES.get(found[1], found[1])}()", message)


def _of_the_gate(one: Diagnostic) -> Diagnostic:
    one = evolve(one, message=_in_words_of_sparql(one.message))
    if one.code == "UQ349":
        return evolve(one, code="UQ340" if one.message.endswith("as a class") else "UQ341")
    if one.code == "UQ222":
        return evolve(one, code="UQ221", severity=Severity.ERROR)
    if one.code == "UQ228" and one.message.startswith(("sum", "avg")):
        return evolve(one, code="UQ221", severity=Severity.ERROR)
    return evolve(one, code=_GATE_CODES[one.code]) if one.code in _GATE_CODES else one


@frozen
class SparqlChecker(Checker):
    """The disagreements of a query."""

    query: CheckedQuery = field(kw_only=True)
    recaster: Recaster = field(kw_only=True)

    # ---- directions --------------------------------------------------------------------------------------------------

    def _flip(self, flip: Flip, cause: Conflict | Clash) -> Diagnostic:
        if isinstance(cause, Conflict) and {cause.earlier.rule, cause.later.rule} & _USES:
            # the slip is in what was done with the value, not in where it comes from
            return self._conflict(cause, ScopeTyping())
        plain = super()._flip(flip, cause)
        message = plain.message.replace(f"row {flip.row.id}", "this triple")
        return evolve(plain, message=message, fix=flip_edits(self.query, self.places, flip))

    def _turned(self, row: Row, scope: ScopeTyping, plain: Diagnostic) -> Diagnostic | None:
        """The report about a path that fits once one of its steps is turned round."""
        if self.index is None:
            return None
        step = turned_step(row, scope, self.index)
        if step is None:
            return None
        name, place = self.places.text(step), self.places.token(row, step)
        fix = None if place is None else self.query.fix(f"turn {name} round", (place.start, place.start, "^"))
        message = f"{name} is followed the wrong way round in this path"
        return evolve(plain, code="UQ343", message=message, span=place or plain.span, hint=f"write ^{name}", fix=fix)

    # ---- conflicts ---------------------------------------------------------------------------------------------------

    def _conflict(self, conflict: Conflict, scope: ScopeTyping) -> Diagnostic:
        plain = super()._conflict(conflict, scope)
        pair = (conflict.earlier, conflict.later)
        for one in pair:
            turned = self._turned(one.row, scope, plain) if one.rule == "path-ends" else None
            if turned is not None:
                return turned
        if plain.code == "UQ342":
            return self._ends(plain, pair)
        literal = conflict.later.about if isinstance(conflict.later.about, Literal) else None
        if plain.code == "UQ220" and literal is not None and self.index is not None:
            return named_node(self.query, self.places, plain, pair, literal, self.index)
        if plain.code == "UQ346" and not self._declared_apart(pair):
            return evolve(plain, severity=Severity.WARNING)
        listed = next((one for one in pair if one.rule == "values-column"), None)
        if listed is not None:
            other = pair[0] if listed is pair[1] else pair[1]
            return evolve(plain, fix=self.recaster.list_repair(listed.row, listed.key, other.type))
        used = next((one for one in pair if one.rule in ("function-argument", "arithmetic")), None)
        if used is not None and plain.code in ("UQ224", "UQ225"):
            other = pair[0] if used is pair[1] else pair[1]
            code = "UQ221" if can_be_literal(other.type) and isinstance(other.type, LiteralType) else "UQ220"
            return self._argument(evolve(plain, code=code), used)
        return plain

    def _ends(self, plain: Diagnostic, pair: tuple[Evidence, Evidence]) -> Diagnostic:
        """A predicate at a node of another class: which class has no such predicate, or what the predicate leads to."""
        starts = [one for one in reversed(pair) if one.rule in _STARTS]
        if not starts:
            return plain
        blamed = starts[0]
        other = pair[0] if blamed is pair[1] else pair[1]
        return self._no_such_predicate(plain, blamed, other.type)

    def _no_such_predicate(self, plain: Diagnostic, blamed: Evidence, owner: Type) -> Diagnostic:
        predicate = blamed.about if isinstance(blamed.about, IRI) else None
        name = "this path" if predicate is None else self.places.text(predicate)
        place = None if predicate is None else self.places.predicate_token(blamed.row, predicate)
        key = "the subject" if isinstance(blamed.key, IRI) else self.places.text(blamed.key)
        message = f"{key} is {self._describe(owner)}, which has no {name}: it starts from {self._describe(blamed.type)}"
        return evolve(plain, code="UQ757", message=message, span=place or plain.span)

    def _declared_apart(self, pair: tuple[Evidence, Evidence]) -> bool:
        classes = [one.about for one in pair if isinstance(one.about, IRI)]
        if self.index is None or len(classes) != 2:
            return True
        return self.index.declared_disjoint(classes[0], classes[1]) is not None

    def _argument(self, plain: Diagnostic, used: Evidence) -> Diagnostic:
        """A function or operator that cannot take the variable: convert it, where that is what is meant."""
        wanted_text = isinstance(used.type, LiteralType) and used.type.datatypes <= TEXT.datatypes
        function = "STR" if wanted_text else self.places.short(XSD_DECIMAL)
        if not wanted_text and used.rule != "arithmetic":
            return plain
        found = self.recaster.places.places(used.row, used.key)
        text = f"{function}({self.places.text(used.key)})"
        fix = self.query.fix(f"write {text}", (*found[0], text), safe=wanted_text) if len(found) == 1 else None
        return evolve(plain, hint=f"write {text}", fix=fix)

    # ---- one expression in a place that cannot take it ---------------------------------------------------------------

    def _plain(self, one: Conflict | Clash, scope: ScopeTyping) -> Diagnostic:
        plain = super()._plain(one, scope)
        if isinstance(one, Clash) and one.rule == "path-joint":
            return self._turned(one.row, scope, plain) or plain
        return plain

    def _clash(self, clash: Clash) -> Diagnostic:
        plain = super()._clash(clash)
        if plain.code == "UQ345" and isinstance(clash.expression, Literal) and self.index is not None:
            return named_node(self.query, self.places, plain, clash, clash.expression, self.index)
        if plain.code == "UQ348":
            name = self.places.text(clash.expression)
            arriving, leaving = self._describe(clash.found), self._describe(clash.wanted)
            message = f"the path arrives at {arriving}, which has no {name}: it starts from {leaving}"
            return evolve(plain, code="UQ757", message=message)
        if isinstance(clash.about, Literal) and clash.rule in ("comparison", "membership"):
            hint, fix = self.recaster.repair(clash.row, clash.about, clash.found, None)
            return evolve(plain, hint=plain.hint or hint, fix=plain.fix or fix)
        if plain.code in ("UQ224", "UQ225"):
            return evolve(plain, code="UQ221" if isinstance(clash.found, LiteralType) else "UQ220")
        return plain

    def recast_hint(
        self, row: Row, literal: Literal, wanted: Type, key: Expression | None
    ) -> tuple[str | None, Fix | None]:
        return self.recaster.repair(row, literal, wanted, key)

    # ---- differences and language tags -------------------------------------------------------------------------------

    def differences(self, typed: TypedTable) -> Iterator[Diagnostic]:
        """`?age != "30"`: values of unlike types are never equal, so nothing is compared."""
        for scope, row, one in _conditions(typed):
            match one:
                case Comparison(_OP.NOT_EQUAL, Variable() as left, Literal() as right):
                    others: tuple[Expression, ...] = (right,)
                case Comparison(_OP.NOT_EQUAL, Literal() as right, Variable() as left):
                    others = (right,)
                case Membership(Variable() as left, options, True) if options:
                    others = options
                case _:
                    continue
            found = expression_type(left, scope.types)
            wanted = union(partner(expression_type(other, scope.types), ordered=False) for other in others)
            if not overlap(found, wanted, lambda _left, _right: False):
                yield self._difference(row, left, others, found)

    def _difference(self, row: Row, left: Variable, others: tuple[Expression, ...], found: Type) -> Diagnostic:
        literal = next((one for one in others if isinstance(one, Literal)), None)
        hint, fix = NO_REPAIR if literal is None else self.recaster.repair(row, literal, found, left)
        name, other = self.places.text(left), self.places.text(others[0])
        message = f"{name} is {describe(found, self.places.short)}, and {other} is of another type: they always differ"
        tag = found == _TAGGED and literal is not None
        code = "UQ223" if tag or (literal is not None and literal.language is not None) else "UQ221"
        span = self.places.token(row, literal) or self.places.row_span(row)
        return Diagnostic(code, message, span, hint=hint, fix=fix)

    def languages(self, typed: TypedTable) -> Iterator[Diagnostic]:
        """`LANG(?name) = "en"` where the schema says that the texts carry no tag."""
        for scope, row, one in _conditions(typed):
            match one:
                case Comparison(_OP.EQUAL, Call("lang", (Variable() as tested,)), Literal(tag)):
                    pass
                case Comparison(_OP.EQUAL, Literal(tag), Call("lang", (Variable() as tested,))):
                    pass
                case Call("lang_matches", (Call("lang", (Variable() as tested,)), Literal(tag))):
                    pass
                case _:
                    continue
            if tag and scope.type_of(tested) == LiteralType(frozenset({XSD_STRING})):
                name = self.places.text(tested)
                message = f"{name} is a string without a language tag, so its language is never {tag}"
                yield Diagnostic("UQ223", message, self.places.span(row, tested), hint="leave this condition out")


def _conditions(typed: TypedTable) -> Iterator[tuple[ScopeTyping, Row, Expression]]:
    for scope in typed.scope.walk():
        for row in scope.rows:
            for condition in conditions(row):
                for one in walk_expression(condition):
                    yield scope, row, one
