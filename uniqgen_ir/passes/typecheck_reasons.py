"""Evidence in words."""

from __future__ import annotations

from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.inference import Evidence
from uniqgen_ir.ir.types import ANY, describe
from uniqgen_ir.passes.typecheck_places import Places


def reason(evidence: Evidence, places: Places) -> str:
    """Why the key has the evidence's type: `as the object of ol:hostCity`, `compared with 5`."""
    about = evidence.about if isinstance(evidence.about, str) else _text(evidence.about, places)
    match evidence.rule:
        case "subject-is-node":
            return f"as the subject of {about}" if about else "as a subject"
        case "subject-from-domain":
            return f"as the subject of {about}"
        case "object-from-range":
            return f"as the object of {about}"
        case "class-atom":
            return f"by `a {about}`"
        case "predicate-is-node":
            return "as a predicate or class"
        case "path-ends":
            return "as an end of the path"
        case "comparison":
            return f"compared with {about}"
        case "membership":
            return "as a member of the list"
        case "function-argument":
            return f"as an argument of {about}()"
        case "arithmetic":
            return f"as an operand of `{about}`"
        case "condition":
            return "as a condition"
        case "bind-result":
            return f"as the value of {about}"
        case "values-column":
            return "in the inline table"
        case "named-node":
            return "as an IRI"
        case _:
            return "inside the block"


def _text(expression: Expression | None, places: Places) -> str:
    return "" if expression is None else places.text(expression)


def statement(evidence: Evidence, places: Places) -> str:
    """`a number compared with 5`: the type with its reason; without a type worth naming, the reason alone."""
    if evidence.type == ANY:
        return reason(evidence, places)
    return f"{describe(evidence.type, places.short)} {reason(evidence, places)}"
