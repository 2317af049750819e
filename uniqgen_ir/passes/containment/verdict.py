"""What a comparison says: verdicts with proofs and witnesses, and their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from attrs import frozen

from uniqgen_ir.ir.printer import print_expression
from uniqgen_ir.ir.terms import Term, Variable
from uniqgen_ir.ir.values import to_json
from uniqgen_ir.passes.containment.blocks import is_parameter
from uniqgen_ir.passes.containment.decision import EmptyCase, ProofCase
from uniqgen_ir.passes.containment.witness import Witness
from uniqgen_ir.passes.trace import Json


@frozen(eq=False)
class Verdict:
    """Whether one query is contained in another: True with a proof, False with a witness, None with a reason."""

    holds: bool | None
    proof: tuple[ProofCase | EmptyCase, ...] = ()
    witness: Witness | None = None
    reason: str = ""


class Relation(StrEnum):
    """How the answers of A and B lie to each other, on every graph."""

    EQUIVALENT = "equivalent"
    A_IN_B = "A contained in B"
    B_IN_A = "B contained in A"
    INCOMPARABLE = "incomparable"
    UNKNOWN = "unknown"


@frozen(eq=False)
class Comparison:
    """The relation of two queries; `forward` says whether A is contained in B, `backward` whether B is in A."""

    relation: Relation
    forward: Verdict
    backward: Verdict
    reason: str

    def to_json(self) -> dict[str, Any]:
        """The object of `uniqgen diff`: verdict, proof and witness by direction, reason."""
        sides = {"A in B": self.forward, "B in A": self.backward}
        proofs = {name: proof_json(one) for name, one in sides.items() if one.holds}
        witnesses = {name: witness_json(one.witness) for name, one in sides.items() if one.witness is not None}
        found: dict[str, Any] = {"verdict": self.relation.value}
        if proofs:
            found["proof"] = proofs
        if witnesses:
            found["witness"] = witnesses
        if self.relation is Relation.UNKNOWN:
            found["known"] = {name: one.holds for name, one in sides.items() if one.holds is not None}
        return {**found, "reason": self.reason}


def proof_json(verdict: Verdict) -> list[dict[str, Any]]:
    """One object a case: the homomorphism and the conditions under which it is one, or why there is no answer."""
    return [_case_json(case) for case in verdict.proof]


def proof_steps(verdict: Verdict) -> tuple[Json, ...]:
    """The same as evidence for a step of a trace."""
    return tuple(_as_evidence(case) for case in proof_json(verdict))


def _as_evidence(case: dict[str, object]) -> Json:
    found: dict[str, Json] = {}
    for key, value in case.items():
        if isinstance(value, dict):
            found[key] = {str(name): str(term) for name, term in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        elif isinstance(value, list):
            found[key] = [str(one) for one in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        else:
            found[key] = value if isinstance(value, int | str) else str(value)
    return found


def _case_json(case: ProofCase | EmptyCase) -> dict[str, Any]:
    if isinstance(case, EmptyCase):
        return {"empty": case.reason}
    terms = {show_term(one): show_term(term) for one, term in case.match.terms.items()}
    return {"block": case.number, "homomorphism": terms, "when": [print_expression(one) for one in case.when]}


def show_term(term: Term) -> str:
    """The term as proofs show it: variables with `?`, parameters with `$`."""
    if isinstance(term, Variable):
        return f"${term.name[1:]}" if is_parameter(term) else str(term)
    return str(term)


def witness_json(witness: Witness) -> Mapping[str, Any]:
    """The graph as N-Triples lines, the answer, and how often each side gives it."""
    lines = [f"{subject} {predicate} {object_} ." for subject, predicate, object_ in witness.graph]
    found: dict[str, Any] = {"graph": lines, "answer": [to_json(one) for one in witness.answer]}
    if witness.fewer:
        found["times"] = [witness.more, witness.fewer]
    if witness.parameters:
        found["parameters"] = {one.name: to_json(value) for one, value in witness.parameters.items()}
    return found
