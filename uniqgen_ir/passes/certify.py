"""Certificates: the claims of a search as steps that a checker can replay on the graph without searching."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Final, cast

from attrs import evolve

from uniqgen_ir.ir import codec
from uniqgen_ir.ir.codec_nodes import SHAPES, cell
from uniqgen_ir.ir.rows import Triple, TypeAtom
from uniqgen_ir.ir.schema import Dependency, Schema
from uniqgen_ir.ir.schema_index import SchemaIndex
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal
from uniqgen_ir.ir.types import NodeType, Type
from uniqgen_ir.ir.visitor import walk
from uniqgen_ir.passes.search.problem import Problem, plain_spelling
from uniqgen_ir.passes.search.result import ChaseReport, Dropped, Kept, LeftOut, RedundancyKind
from uniqgen_ir.passes.trace import Json, Step, seal

VERSION: Final = 5
MOST_LOST: Final = 20
"""lost answers that a claim names for a row: one is enough where all are needed, and traces stay small"""


def header(problem: Problem, schema: Schema | None = None) -> Step:
    """What the search was given: the table, its answer key, the reference answers, the threshold, the schema."""
    evidence: dict[str, Json] = {
        "version": VERSION,
        "table": cast("Json", codec.to_json(problem.table)),
        "key": [variable.name for variable in problem.key],
        "references": [{"key": cells(one.key), "confidence": one.confidence} for one in problem.references],
        "theta": problem.theta,
        "schema": _schema_facts(problem, schema),
    }
    return Step("relaxation.header", problem.row_ids, (), "what the search was given", evidence)


def _schema_facts(problem: Problem, schema: Schema | None) -> dict[str, Json]:
    """What the schema says about the names of the table, as IRIs and pairs of them: what rows may follow from."""
    found = schema if schema is not None else Schema(name="none")
    index = SchemaIndex.of(found)
    dependencies = [one for one in found.dependencies if _is_plain(one)]
    used = {one for one in walk(problem.table) if isinstance(one, IRI)}
    # what a dependency or an inverse adds may be told of in its turn
    used |= {iri for one in dependencies for row in (*one.body, *one.head) for iri in walk(row) if isinstance(iri, IRI)}
    inverses = {pair for pair in index.inverse_pairs if used & {*pair}}
    used |= {one for pair in inverses for one in pair}
    declared = [one for iri, one in index.predicates.items() if iri in used]
    facts = {
        # a class above another counts wherever the way up begins
        "subclasses": {(one.iri, parent) for one in index.classes.values() for parent in one.parents},
        "domains": {(one.iri, class_) for one in declared for class_ in _classes(one.subject_type)},
        "ranges": {(one.iri, class_) for one in declared for class_ in _classes(one.object_type)},
        "inverses": inverses,
    }
    return {
        **{name: cast("Json", sorted([low.value, high.value] for low, high in some)) for name, some in facts.items()},
        "functional": cast("Json", sorted(one.iri.value for one in declared if one.functional)),
        "keys": cast("Json", sorted(one.iri.value for one in declared if one.key)),
        "dependencies": [_dependency(one) for one in dependencies],
    }


def _classes(type_: Type) -> Iterable[IRI]:
    return type_.classes if isinstance(type_, NodeType) else ()


def _is_plain(one: Dependency) -> bool:
    """Whether a rule is made of triples and classes: the checker knows no other."""
    return all(row.where is None and isinstance(row.atom, Triple | TypeAtom) for row in (*one.body, *one.head))


def _dependency(one: Dependency) -> Json:
    body, head = ([SHAPES["row"].write(evolve(row, span=None)) for row in rows] for rows in (one.body, one.head))
    equal = [] if one.equal is None else [variable.name for variable in one.equal]
    return cast("Json", {"name": one.name, "body": body, "head": head, "equal": equal})


def certificates(problem: Problem, report: ChaseReport) -> tuple[Step, ...]:
    """The claims of a report: one for every row of the table, and what holds of all of them."""
    if report.table is None:
        return (_none(problem, report), *(_dropped(one, ()) for one in report.dropped))
    kept, redundant = ({one.row for one in found} for found in (report.kept, report.redundant))
    small = tuple(name for name in problem.row_ids if name in kept)
    large = tuple(name for name in problem.row_ids if name in redundant or name in kept)
    lists = {**_lists(report), "sealed": seal(report.steps)}
    return (
        Step("certificate.result", problem.row_ids, small, "every row is kept, dropped or redundant", lists),
        Step("certificate.complete", large, large, "the relaxed rows give the reference answers"),
        *(_dropped(one, large) for one in report.dropped),
        *(_kept(problem, one, small) for one in report.kept),
        *(_branches(one, large, small) for one in report.branches),
        *(Step("certificate.redundant", large, small, one.kind.value, {"row": one.row}) for one in report.redundant),
        _sound(report, large, small),
    )


def _sound(report: ChaseReport, large: tuple[str, ...], small: tuple[str, ...]) -> Step:
    if report.answers is None:
        return Step("certificate.sound", large, small, "no row was left out, and not all answers were asked for")
    return Step("certificate.sound", large, small, "the kept rows give the same answers", answer_set(report.answers))


def _none(problem: Problem, report: ChaseReport) -> Step:
    """The claim that no set of rows keeps the reference answers (or, `stopped`, that none was found in time)."""
    evidence: dict[str, Json] = {
        "dropped": [one.row for one in report.dropped],
        "blocking": [{"answer": cells(one.answer), "rows": list(one.rows)} for one in report.blocking],
        "sealed": seal(report.steps),
    }
    return Step("certificate.none", problem.row_ids, (), report.status.value, evidence)


def answer_set(answers: Iterable[tuple[GroundTerm, ...]]) -> dict[str, Json]:
    """Size and hash of a set of answers, literals in plain spelling (engines return `01` as they please)."""
    spelt = {tuple(plain_spelling(term) if isinstance(term, Literal) else term for term in one) for one in answers}
    lines = sorted(json.dumps(cells(one), sort_keys=True, ensure_ascii=False) for one in spelt)
    return {"size": len(lines), "sha256": hashlib.sha256("\n".join(lines).encode()).hexdigest()}


def cells(answer: Iterable[GroundTerm]) -> list[Json]:
    return [cast("Json", cell(term)) for term in answer]


def _lists(report: ChaseReport) -> dict[str, Json]:
    return {
        "kept": [one.row for one in report.kept],
        "dropped": [one.row for one in report.dropped],
        "redundant": [one.row for one in report.redundant],
        "branches": [one.row for one in report.branches],
    }


def _dropped(one: Dropped, large: tuple[str, ...]) -> Step:
    evidence: dict[str, Json] = {"row": one.row, "lost": [cells(answer) for answer in one.lost[:MOST_LOST]]}
    evidence["unbound"] = list(one.unbound)
    return Step("certificate.dropped", (*large, one.row), large, one.reason.value, evidence)


def _branches(one: LeftOut, large: tuple[str, ...], small: tuple[str, ...]) -> Step:
    evidence: dict[str, Json] = {"row": one.row, "branches": [*one.branches]}
    return Step("certificate.branches", large, small, RedundancyKind.DATA.value, evidence)


def _kept(problem: Problem, one: Kept, small: tuple[str, ...]) -> Step:
    rest = tuple(name for name in small if name != one.row)
    evidence: dict[str, Json] = {"row": one.row}
    if one.answer is not None:
        evidence["answer"] = cells(one.answer)
    lost = problem.bound(problem.active(small)) - problem.bound(problem.active(rest))
    evidence["unbound"] = [*sorted(variable.name for variable in lost)]
    return Step("certificate.kept", small, rest, one.kind.value, evidence)
