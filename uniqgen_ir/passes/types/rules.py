"""The typing rules by name. Each has a paragraph with an example in `spec/typing.md`; a test keeps the two together."""

from __future__ import annotations

from typing import Final

INFERENCE_RULES: Final = (
    "subject-is-node",
    "subject-from-domain",
    "object-from-range",
    "class-atom",
    "predicate-is-node",
    "named-node",
    "path-ends",
    "values-column",
    "comparison",
    "membership",
    "arithmetic",
    "function-argument",
    "condition",
    "bind-result",
    "either-union",
    "optional-types",
    "exists",
    "subtable-columns",
)
"""Rules that give types; their names stand in `Evidence.rule`."""

CHECK_RULES: Final[dict[str, str]] = {
    "node-or-literal": "UQ220",
    "comparable-values": "UQ221",
    "well-formed-literals": "UQ222",
    "language-tags": "UQ223",
    "argument-types": "UQ224",
    "arithmetic-types": "UQ225",
    "condition-types": "UQ226",
    "literal-subjects": "UQ227",
    "aggregate-types": "UQ228",
    "extreme-types": "UQ229",
    "always-different": "UQ230",
    "known-classes": "UQ340",
    "known-predicates": "UQ341",
    "domain-and-range": "UQ342",
    "direction": "UQ343",
    "properties-lead-to-literals": "UQ344",
    "relations-lead-to-nodes": "UQ345",
    "disjoint-classes": "UQ346",
    "functional-predicates": "UQ347",
    "path-joints": "UQ348",
    "kind-of-name": "UQ349",
    "class-cycles": "UQ309",
    "declarations-agree": "UQ351",
    "declared-classes": "UQ302",
    "unrelated-classes": "UQ353",
}
"""Rules that give diagnostics, each with its code."""
