"""Evidence in words."""

from __future__ import annotations

from uniqgen_ir.ir.expressions import Expression
from uniqgen_ir.ir.inference import Evidence
from uniqgen_ir.ir.types import describe
from uniqgen_ir.passes.types.places import Places


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


_DEMANDS = {
    "comparison": "to be compared with",
    "membership": "to be in the list",
    "function-argument": "to be an argument of",
    "arithmetic": "to be an operand of",
    "condition": "to be a condition",
}


def statement(evidence: Evidence, places: Places) -> str:
    """`a number compared with 5`: the type with its reason."""
    return f"{describe(evidence.type, places.short)} {reason(evidence, places)}"


def demand(evidence: Evidence, places: Places) -> str:
    """`a number to be compared with 5`: the type that is asked for, with what asks for it."""
    text, words = reason(evidence, places), _DEMANDS.get(evidence.rule)
    if words is not None:
        # the reason ends in what it is about: `as an argument of month()`
        for beginning in (
            "compared with",
            "as a member of the list",
            "as an argument of",
            "as an operand of",
            "as a condition",
        ):
            text = text.removeprefix(beginning)
        text = words + text
    return f"{describe(evidence.type, places.short)} {text}"
