"""Which code a disagreement has, and when two are one."""

from __future__ import annotations

from uniqgen_ir.ir.inference import Clash, Conflict, Evidence
from uniqgen_ir.ir.rows import Row
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.types import LiteralType, NodeType, Type, can_be_literal, can_be_node
from uniqgen_ir.ir.vocabulary import RDF_LANG_STRING
from uniqgen_ir.passes.types.direction import Flip

ENDS = ("subject-from-domain", "object-from-range", "path-ends")
"""Rules that read a type off the ends of a predicate."""

_AT_ENDS = (*ENDS, "subject-is-node")


def rows_at_ends(one: Conflict | Clash) -> tuple[Row, ...]:
    """The rows of which the ends of a predicate disagree with something, the later one first."""
    if isinstance(one, Clash):
        return (one.row,)
    return tuple(evidence.row for evidence in (one.later, one.earlier) if evidence.rule in _AT_ENDS)


def mark(one: Conflict | Clash, flip: Flip | None) -> object:
    """What two disagreements have in common when a reader wants to hear of them once."""
    if flip is not None:
        return ("flip", flip.row.id)
    if isinstance(one, Clash):
        return ("clash", one.rule, one.row.id, one.expression)
    if one.later.rule == "comparison":
        # `?x < ?y` disagrees for both: the reader wants to hear of it once
        return ("comparison", one.later.row.id, frozenset({one.later.key, one.later.about}))
    return (one.later.key, one.later.row.id, one.later.rule, one.later.about)


def conflict_code(first: Evidence, second: Evidence, contradiction: bool) -> str:
    """The code for two pieces of evidence; `second` is the one to blame."""
    literal_or_node = {can_be_node(first.type), can_be_node(second.type)} == {True, False}
    if not contradiction or (isinstance(first.type, NodeType) and isinstance(second.type, NodeType)):
        if {first.rule, second.rule} & set(ENDS):
            return "UQ342"
        return "UQ346" if contradiction else "UQ353"
    by_rule = {"function-argument": "UQ224", "arithmetic": "UQ225", "condition": "UQ226"}
    if second.rule in by_rule:
        return by_rule[second.rule]
    if literal_or_node or not (can_be_literal(first.type) and can_be_literal(second.type)):
        named = isinstance(first.key, IRI) and "object-from-range" in (first.rule, second.rule)
        return "UQ344" if named else "UQ220"
    return "UQ223" if _differ_in_tag(first.type, second.type) else "UQ221"


def clash_code(clash: Clash) -> str:
    """The code for an expression in a place that cannot take it."""
    by_rule = {
        "function-argument": "UQ224",
        "arithmetic": "UQ225",
        "condition": "UQ226",
        "path-joint": "UQ348",
        **dict.fromkeys(("subject-is-node", "subject-from-domain", "class-atom"), "UQ227"),
    }
    if clash.rule in by_rule:
        return by_rule[clash.rule]
    if clash.rule in ("object-from-range", "path-ends") and not can_be_literal(clash.wanted):
        return "UQ345"
    return "UQ223" if _differ_in_tag(clash.found, clash.wanted) else "UQ221"


def _differ_in_tag(one: Type, other: Type) -> bool:
    tagged = frozenset({RDF_LANG_STRING})
    both = (one, other)
    if not all(isinstance(type_, LiteralType) for type_ in both):
        return False
    texts = [type_.datatypes for type_ in both if isinstance(type_, LiteralType)]
    return tagged in texts and any(datatypes != tagged and "string" in "".join(datatypes) for datatypes in texts)
