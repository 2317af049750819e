"""A checker for traces: replays their claims on a graph. It searches nothing and shares no code with the search.

`spec/certificates.md` says which claims a trace must make and how each is shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from uniqgen_ir.ir.diagnostics import Diagnostic, fail
from uniqgen_ir.ir.protocols import Store
from uniqgen_ir.ir.schema import Schema
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.certificates.claims import Trace, left_out_branches, mappings_of, take_apart
from uniqgen_ir.passes.certificates.found import Finding, FoundReplay, Unproved
from uniqgen_ir.passes.certificates.none import NoneReplay
from uniqgen_ir.passes.certificates.reading import texts
from uniqgen_ir.passes.certificates.rows import NotReplayed, Rows
from uniqgen_ir.passes.certificates.schema_facts import facts_of, says
from uniqgen_ir.passes.trace import Step


@frozen
class Verdict:
    """What became of a trace's claims.

    `claims`: how many hold; `calls`: how many statements that took; `diagnostics`: what is false or missing (UQ491);
    `unproved`: a sentence for each claim that the trace makes and does not show; `history`: how many steps only tell
    how the search went, and were not replayed.
    """

    claims: int
    calls: int
    diagnostics: tuple[Diagnostic, ...]
    unproved: tuple[str, ...] = ()
    history: int = 0

    @property
    def valid(self) -> bool:
        """Whether nothing is false or missing. Claims may still be unproved."""
        return not self.diagnostics


def verify_trace(
    steps: Sequence[Step],
    store: Store,
    table: Table | None = None,
    schema: Schema | None = None,
    *,
    timeout: float | None = None,
) -> Verdict:
    """Replay every certificate of the trace on the store, with at most n + 3 calls for n rows.

    `table` is the table that the trace must be about, `schema` one that must say what the header says; None: those of
    the header. `timeout`: seconds for a statement; one that does not end is sent once more, branch by branch, and what
    it was asked for stays unproved where that takes too long as well. Raises DiagnosticError UQ490 where the trace has
    no header, one of another version, or a certificate without its parts, and whatever the store raises.
    """
    calls = store.statistics.calls
    try:
        trace = take_apart(steps)
        if table is not None and table != trace.given.table:
            return Verdict(0, 0, (_false("the trace is about another table"),))
        if schema is not None and not says(facts_of(trace.given.table, schema), trace.given.schema):
            return Verdict(0, 0, (_false("the trace rests on what the schema does not say"),))
        faults = [_false(one) for one in trace.faults]
        if faults:  # claims that do not fit together are not worth a call
            return Verdict(0, 0, tuple(faults), history=len(trace.history))
        found = _replay(trace, store, timeout)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise fail("UQ490", f"a certificate of the trace does not have its parts: {error}") from error
    return Verdict(
        sum(one is None for one in found),
        store.statistics.calls - calls,
        tuple(_false(one) for one in found if isinstance(one, str)),
        tuple(one.message for one in found if isinstance(one, Unproved)),
        len(trace.history),
    )


def _replay(trace: Trace, store: Store, timeout: float | None) -> list[Finding]:
    result, rows = trace.result, Rows(store, trace.given, left_out_branches(trace.claims), timeout)
    assert result is not None, "a trace without a result has a fault"
    if result.rule == "certificate.none":
        return _check_all(NoneReplay(rows), trace)
    lists = {name: tuple(texts(result.evidence[name])) for name in ("kept", "dropped", "redundant")}
    said = {str(step.evidence["row"]): step.reason for step in trace.claims if step.rule == "certificate.redundant"}
    return _check_all(FoundReplay(rows, lists, said, mappings_of(trace.history)), trace)


def _check_all(replay: FoundReplay | NoneReplay, trace: Trace) -> list[Finding]:
    return [_checked(replay, step) for step in trace.claims]


def _checked(replay: FoundReplay | NoneReplay, step: Step) -> Finding:
    try:
        return replay.check(step)
    except NotReplayed:
        about = f" for row {step.evidence['row']}" if "row" in step.evidence else ""
        return Unproved(f"`{step.rule}`{about} was not replayed: the store did not answer in time")


def _false(message: str) -> Diagnostic:
    return Diagnostic("UQ491", message)
