"""The pass `reformulate`: say the query in another vocabulary, by chase and backchase over rules between the two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from attrs import evolve, frozen

from uniqgen_ir.ir.diagnostics import DiagnosticError, fail
from uniqgen_ir.ir.printer import print_row
from uniqgen_ir.ir.rows import Filter, Row, Triple, TypeAtom
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.visitor import with_prefixes
from uniqgen_ir.passes.base import Outcome, PassContext, Rewritten, Unchanged, missing
from uniqgen_ir.passes.containment.compare import INTERACTIVE
from uniqgen_ir.passes.containment.reformulate import Reformulation, reformulate
from uniqgen_ir.passes.containment.verdict import witness_json
from uniqgen_ir.passes.normal.rule import counts_solutions
from uniqgen_ir.passes.options import at_least_one
from uniqgen_ir.passes.trace import Step

VocabularyLike: TypeAlias = str | Schema | Callable[[IRI], bool]
"""How IRIs begin (or a prefix, as in `pg:`; several with `|` between them), a schema that declares them, or a test."""

Prefixes: TypeAlias = Sequence[tuple[str, str]]

NO_VOCABULARY: Final = "none"
"""the default of the option, which must be given"""

_SEPARATOR: Final = "|"
"""between several vocabularies; no IRI may hold it"""


@frozen(kw_only=True)
class Reformulate:
    """Say the query in another vocabulary, with the same answers on every graph that obeys the schema and its rules.

    Options: `vocabulary` is a prefix of the table or the schema, as in `pg:`, or how its IRIs begin; several with `|`
    between them. `budget` is in steps of the search for one proof.
    """

    vocabulary: str = NO_VOCABULARY
    budget: int = INTERACTIVE

    name = "reformulate"

    def __attrs_post_init__(self) -> None:
        at_least_one(self.name, "budget", self.budget)

    def run(self, table: Table, context: PassContext) -> Outcome:
        """Raises DiagnosticError UQ422, UQ423 without a schema, UQ424 where the vocabulary cannot say the query."""
        if context.schema is None:
            raise missing(self.name, "a schema with rules between the vocabularies")
        wanted = self.vocabulary
        if wanted == NO_VOCABULARY:
            raise fail("UQ422", "`reformulate` has no vocabulary", hint="reformulate{vocabulary=pg:}")
        found = reformulated(table, context.schema, wanted, prefixes=context.prefixes, budget=self.budget)
        if found.table is None:
            raise no_reformulation(table, context.schema, found, wanted, context.prefixes)
        before, after = (tuple(row.id for row in one.rows) for one in (table, found.table))
        done = Step("reformulate", before, after, found.reason, {"vocabulary": wanted})
        return Rewritten(found.table, (*found.steps, done)) if found.table != table else Unchanged((done,))


def reformulated(
    table: Table, schema: Schema, vocabulary: VocabularyLike, *, prefixes: Prefixes = (), budget: int = INTERACTIVE
) -> Reformulation:
    """The query in the wanted vocabulary; `prefixes` are known beside those of the table.

    Raises DiagnosticError UQ403 where the table has no answer under the schema, UQ422 for an unknown prefix.
    """
    known = _known(table, prefixes)
    found = reformulate(table, schema, wanted_by(vocabulary, known), budget=budget)
    if found.table is None:
        return found
    return evolve(found, table=with_prefixes(found.table, known))


def _known(table: Table, prefixes: Prefixes) -> Prefixes:
    """All prefixes that may be used; those of the table count first."""
    return tuple({**dict(prefixes), **dict(table.prefixes)}.items())


def wanted_by(vocabulary: VocabularyLike, prefixes: Prefixes) -> Callable[[IRI], bool]:
    """The test whether an IRI is of the vocabulary. Raises DiagnosticError UQ422 for an unknown prefix."""
    if isinstance(vocabulary, Schema):
        return _declared(vocabulary).__contains__
    if not isinstance(vocabulary, str):
        return vocabulary
    beginnings = tuple(_beginning(part.strip(), dict(prefixes)) for part in vocabulary.split(_SEPARATOR))
    return lambda iri: iri.value.startswith(beginnings)


def _declared(schema: Schema) -> frozenset[IRI]:
    predicates = (*(one.iri for one in schema.relations), *(one.iri for one in schema.properties))
    return frozenset((*(one.iri for one in schema.classes), *predicates))


def _beginning(text: str, prefixes: dict[str, str]) -> str:
    name, colon, rest = text.partition(":")
    if name in prefixes:
        return prefixes[name] + rest
    if colon and rest:
        return text
    known = ", ".join(f"{one}:" for one in prefixes) or "none"
    hint = f"a prefix of the table or the schema ({known}), or how the IRIs begin"
    raise fail("UQ422", f"there is no vocabulary `{text}`", hint=hint)


def no_reformulation(
    table: Table, schema: Schema, found: Reformulation, vocabulary: str, prefixes: Prefixes = ()
) -> DiagnosticError:
    """UQ424, with the rows that nothing says in other words."""
    wanted = wanted_by(vocabulary, _known(table, prefixes))
    message = f"the query cannot be said in `{vocabulary}`: {found.reason}"
    return fail("UQ424", message, table.span, hint=_hint(table, schema, found, wanted))


def _hint(table: Table, schema: Schema, found: Reformulation, wanted: Callable[[IRI], bool]) -> str:
    others = [row for row in table.rows if not isinstance(row.atom, Triple | TypeAtom | Filter)]
    if others:
        return f"only triples, classes and conditions are carried over, not {_listed(others, table)}"
    spoken = _led_from(schema)
    silent = [row for row in table.rows if (name := _name(row)) is not None and name not in spoken and not wanted(name)]
    if silent:
        return f"no rule of the schema leads from {_listed(silent, table)} to other words"
    if counts_solutions(table):
        return "it counts how often an answer comes, and rules do not say that of new nodes; write `select distinct`"
    if found.verdict is not None and found.verdict.witness is not None:
        facts = " ".join(witness_json(found.verdict.witness)["graph"])
        return f"without further rules they differ on this graph: {facts}"
    return "rules lead from one vocabulary to the other and back: `rule forth: { … } => { … }`, `rule back: …`"


def _led_from(schema: Schema) -> frozenset[IRI]:
    """The names from which something follows: by a rule, as a subclass, as one of two inverses."""
    rules = (name for rule in schema.dependencies for row in rule.body if (name := _name(row)) is not None)
    inverses = (name for one in schema.relations if one.inverse is not None for name in (one.iri, one.inverse))
    return frozenset((*rules, *inverses, *(one.iri for one in schema.classes if one.parents)))


def _name(row: Row) -> IRI | None:
    match row.atom:
        case Triple(_, IRI() as name, _) | TypeAtom(_, IRI() as name):
            return name
        case _:
            return None


def _listed(rows: Sequence[Row], table: Table) -> str:
    return ", ".join(f"`{print_row(row, table.prefixes)}`" for row in rows)
