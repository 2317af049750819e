"""Paths of fixed length become triples: one step, a step backwards, a sequence of them."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from uniqgen_ir.ir.paths import Alternative, Inverse, NegatedSet, Path, Repeat, Sequence
from uniqgen_ir.ir.paths import Step as PathStep
from uniqgen_ir.ir.rows import PathAtom, Row, Triple
from uniqgen_ir.ir.table import MatchMode, Table
from uniqgen_ir.ir.terms import Literal, Term, Variable
from uniqgen_ir.ir.visitor import fresh_variable, rewrite_rows, variables_in_order
from uniqgen_ir.passes.normal.rule import RuleResult, Settings, from_sources, joins_freely
from uniqgen_ir.passes.trace import Step


def open_paths(table: Table, settings: Settings) -> RuleResult:
    """Paths in plain form; those of fixed length as triples joined by fresh variables.

    A sequence of several steps stays one row where `keep_units` says so or where the split could change how many
    solutions there are.
    """
    taken = set(variables_in_order(table))
    ids = {row.id for row in table.rows}
    if table.match_mode is not MatchMode.HOMOMORPHISM:
        return table, ()  # a triple takes part in "no edge twice", a path does not
    split = joins_freely(table) and not settings.keep_units
    steps: list[Step] = []

    def opened(row: Row) -> Iterable[Row]:
        if not isinstance(row.atom, PathAtom):
            return (row,)
        # how often a pair is found counts under bag semantics, and `p | p` finds it twice
        path = plain_path(row.atom.path) if joins_freely(table) else row.atom.path
        edges = fixed_edges(path)
        if edges is None or (len(edges) > 1 and not split) or not edges or _literal_inside(row.atom, edges):
            rows: tuple[Row, ...] = (evolve(row, atom=evolve(row.atom, path=path)),)
        else:
            rows = _joined(row, edges, taken, ids)
        if rows != (row,):
            steps.append(Step("normalize.path", (row.id,), tuple(one.id for one in rows), "a path of fixed length"))
        return rows

    return table.with_rows(rewrite_rows(table.rows, opened)), tuple(steps)


Edge = tuple[PathStep, bool]
"""A step and whether it is walked forwards."""


def plain_path(path: Path) -> Path:
    """The path without needless nesting: sequences and alternatives flat, `p{1,1}` as `p`, `^^p` as `p`."""
    match path:
        case Inverse(inner):
            plain = plain_path(inner)
            return plain.path if isinstance(plain, Inverse) else Inverse(plain)
        case Sequence(paths):
            return Sequence(_flat(Sequence, paths))
        case Alternative(paths):
            options = tuple(dict.fromkeys(_flat(Alternative, paths)))
            return options[0] if len(options) == 1 else Alternative(options)
        case Repeat(inner, minimum, maximum):
            plain = plain_path(inner)
            return plain if (minimum, maximum) == (1, 1) else Repeat(plain, minimum, maximum)
        case PathStep() | NegatedSet():
            return path


def _flat(kind: type[Sequence] | type[Alternative], paths: Iterable[Path]) -> tuple[Path, ...]:
    plain = [plain_path(one) for one in paths]
    return tuple(part for one in plain for part in (one.paths if isinstance(one, kind) else (one,)))


def fixed_edges(path: Path) -> tuple[Edge, ...] | None:
    """The edges of the only walk that the path allows; None where it allows several, or none at all."""
    match path:
        case PathStep():
            return ((path, True),)
        case Inverse(inner):
            edges = fixed_edges(inner)
            return None if edges is None else tuple((step, not forwards) for step, forwards in reversed(edges))
        case Sequence(paths):
            parts = [fixed_edges(one) for one in paths]
            known = [part for part in parts if part is not None]
            return tuple(edge for part in known for edge in part) if len(known) == len(parts) else None
        case Repeat(inner, minimum, maximum) if minimum == maximum and 1 <= minimum <= 8:
            edges = fixed_edges(inner)
            return None if edges is None else edges * minimum
        case _:
            return None


def _literal_inside(atom: PathAtom, edges: tuple[Edge, ...]) -> bool:
    """Whether a literal would stand as a subject, which no triple can have."""
    starts_with_literal = isinstance(atom.subject, Literal) and edges[0][1]
    return starts_with_literal or (isinstance(atom.object, Literal) and not edges[-1][1])


def _joined(row: Row, edges: tuple[Edge, ...], taken: set[Variable], ids: set[str]) -> tuple[Row, ...]:
    assert isinstance(row.atom, PathAtom)
    places: list[Term] = [row.atom.subject]
    for _ in edges[1:]:
        middle = fresh_variable("step", taken)
        taken.add(middle)
        places.append(middle)
    places.append(row.atom.object)
    rows: list[Row] = []
    for number, (step, forwards) in enumerate(edges):
        ends = (places[number], places[number + 1]) if forwards else (places[number + 1], places[number])
        atom = Triple(ends[0], step.predicate, ends[1])
        if len(edges) == 1:
            return (evolve(row, atom=atom),)
        where = row.where if number == 0 else None
        rows.append(from_sources(evolve(row, id=_free_id(row.id, number + 1, ids), atom=atom, where=where), [row.id]))
    return tuple(rows)


def _free_id(stem: str, number: int, ids: set[str]) -> str:
    name = f"{stem}.{number}"
    while name in ids:
        name += "'"
    ids.add(name)
    return name
