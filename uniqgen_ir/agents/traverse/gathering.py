"""G' as a walk found it: on a large graph, the relations that were chosen in place of a whole neighbourhood."""

from __future__ import annotations

from uniqgen_ir.agents.extraction.nearby import NearRelation, described
from uniqgen_ir.agents.likeness import best_likeness
from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.agents.traverse.paths import Path, best_first
from uniqgen_ir.agents.traverse.walk import Walk
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.linking.mentions import LinkedQuestion


def walked_relations(
    walk: Walk, linked: LinkedQuestion, index: GraphIndex, matcher: RelationMatcher
) -> list[NearRelation]:
    """Every relation that the walk took, those of the likeliest paths first."""
    likeness = best_likeness(linked, matcher)
    found: dict[int, NearRelation] = {}
    for path in _with_prefixes(walk):
        hop, distance = path.leg.hops[-1], path.depth
        known = found.get(hop.relation)
        if known is None or known.distance > distance:
            likely, _ = likeness.get(matcher.key_of(hop.relation), (0.0, ()))
            before, after = path.leg.sets[-2], index.adjacency.image(path.leg.sets[-2], hop.directed)
            found[hop.relation] = described(index, hop.directed, before, after, distance, likely)
    return list(found.values())


def _with_prefixes(walk: Walk) -> list[Path]:
    """The paths that ended and those on the way to them, the likeliest first."""
    every: dict[object, Path] = {}
    for finished in best_first(walk.finished):
        path: Path | None = finished
        while path is not None and path.depth:
            every.setdefault(path.key, path)
            path = path.parent
    return best_first(list(every.values()))
