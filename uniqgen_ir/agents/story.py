"""What happened before the passes, as steps of the trace: the model's calls, what was linked, proposed, believed."""

from __future__ import annotations

from collections.abc import Sequence

from uniqgen_ir.agents.propose import Proposal
from uniqgen_ir.ir.printer import print_table
from uniqgen_ir.ir.protocols import ReferenceAnswer
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.values import to_json
from uniqgen_ir.passes.trace import Step


def model_steps(proposal: Proposal) -> tuple[Step, ...]:
    """Every call of the model, as it was made."""
    calls = proposal.session.calls if proposal.session is not None else ()
    return tuple(Step("model", reason=one.purpose, evidence=one.to_json()) for one in calls)


def proposal_steps(
    proposal: Proposal, table: Table, source: str, references: Sequence[ReferenceAnswer]
) -> tuple[Step, ...]:
    """What came before the passes, so that the trace tells the whole story."""
    linked = Step(
        "link",
        reason=f"read {proposal.question!r}",
        evidence={
            "things": [
                {"text": one.text, "kind": one.kind, "term": to_json(one.term), "label": one.label, "score": one.score}
                for one in proposal.entities
            ]
        },
    )
    proposed = Step(
        "propose",
        rows_after=tuple(row.id for row in table.rows),
        reason="rows that the question says, that the graph's shape asks for, and that people imply",
        evidence={
            "table": print_table(table),
            "confidence": proposal.confidence,
            "origins": {
                row.id: {
                    "origin": row.note.origin.value,
                    "reason": row.note.reason,
                    "uncertainty": row.note.uncertainty,
                }
                for row in table.rows
            },
        },
    )
    believed = Step(
        "references",
        reason=f"reference answers from {source}",
        evidence={
            "answers": [
                {"value": [to_json(term) for term in one.key], "confidence": one.confidence} for one in references
            ]
        },
    )
    return linked, proposed, believed
