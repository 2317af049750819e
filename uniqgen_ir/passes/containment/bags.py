"""Multiplicities: what proves that one bag of answers is within another.

Over a graph, which holds each fact once, two conjunctions give equal bags if and only if they are isomorphic (Chaudhuri
and Vardi 1993). For one direction a homomorphism that reaches every variable is enough: distinct solutions of the one
then come from distinct solutions of the other. Anything else is not claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from uniqgen_ir.passes.containment.blocks import Block
from uniqgen_ir.passes.containment.decide import Decider
from uniqgen_ir.passes.containment.decision import ProofCase
from uniqgen_ir.passes.containment.matching import Match, homomorphisms, stated_conditions
from uniqgen_ir.passes.containment.target import Target
from uniqgen_ir.passes.containment.walks import as_edges
from uniqgen_ir.passes.saturate.patterns import Pattern, replaced

_MATCHES: Final = 500
"""Homomorphisms that are looked at for one that reaches every variable."""


def repeats_nothing(blocks: Sequence[Block]) -> bool:
    """Whether every answer comes once: a single block of edges whose variables are all in the head."""
    if len(blocks) != 1 or blocks[0].opaque or blocks[0].walks:
        return False
    return set(blocks[0].variables) <= set(blocks[0].head)


def bag_proof(blocks: Sequence[Block], others: Sequence[Block], decider: Decider) -> tuple[ProofCase, ...] | None:
    """A proof that the bag of the blocks is within that of the others; None where there is none.

    Each block needs another one of its own, because a union of bags adds them up. Raises BudgetExceeded.
    """
    options: list[dict[int, Match]] = []
    for block in map(decider.saturated_alone, blocks):
        found = {number: _covering(other, block, decider) for number, other in enumerate(others)}
        options.append({number: match for number, match in found.items() if match is not None})
    chosen = _each_its_own(options)
    if chosen is None:
        return None
    return tuple(
        ProofCase(block, number, found[number], ())
        for block, found, number in zip(blocks, options, chosen, strict=True)
    )


def _each_its_own(options: Sequence[dict[int, Match]]) -> list[int] | None:
    """A different choice for each: augmenting paths (Kuhn 1955)."""
    owner: dict[int, int] = {}

    def place(one: int, seen: set[int]) -> bool:
        for number in options[one]:
            if number not in seen:
                seen.add(number)
                if number not in owner or place(owner[number], seen):
                    owner[number] = one
                    return True
        return False

    if not all(place(one, set()) for one in range(len(options))):
        return None
    chosen = {one: number for number, one in owner.items()}
    return [chosen[one] for one in range(len(options))]


def _covering(other: Block, block: Block, decider: Decider) -> Match | None:
    """A homomorphism that reaches every variable and path of the block, and that holds whatever the values."""
    if other.opaque or block.opaque:
        return None
    source, into = as_edges(other), as_edges(block)
    bare = evolve(source, conditions=(), absences=(), edges=tuple(evolve(edge, group=None) for edge in source.edges))
    paths = [edge.pattern for edge in into.edges[len(block.edges) :]]
    for tried, match in enumerate(homomorphisms(bare, Target.of(into, {}), decider.effort)):
        if tried > _MATCHES:
            return None
        reached = set(match.terms.values())
        if not set(into.variables) <= reached or not set(paths) <= _images(source, match):
            continue
        stated = stated_conditions(other, match.terms)
        excluded = [one for absence in other.absences for one in absence.blocks]
        if decider.implied(block, stated) and all(decider.empty_with(block, one, match.terms) for one in excluded):
            return Match(other, match.terms, ())
    return None


def _images(source: Block, match: Match) -> set[Pattern]:
    return {replaced(edge.pattern, match.terms) for edge in source.edges}
