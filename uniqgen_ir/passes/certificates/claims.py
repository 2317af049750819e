"""The form of a trace that can be checked: its header, its history, and the claims that it must make, each once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

from attrs import frozen

from uniqgen_ir.ir import codec
from uniqgen_ir.ir.analysis import answer_key
from uniqgen_ir.ir.codec_nodes import SHAPES
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.table import MatchMode, Table
from uniqgen_ir.ir.terms import GroundTerm, Literal
from uniqgen_ir.ir.values import canonical
from uniqgen_ir.ir.vocabulary import INTEGER_DATATYPES, XSD_INTEGER
from uniqgen_ir.passes.certificates.reading import texts
from uniqgen_ir.passes.certificates.schema_facts import SchemaFacts, read_schema
from uniqgen_ir.passes.trace import Json, Step, seal

Answer = tuple[GroundTerm, ...]

KNOWN_VERSION: Final = 5

HISTORY: Final = frozenset(
    {
        *(
            "chase.keep",
            "chase.drop",
            "chase.orphan",
            "chase.untested",
            "chase.beam",
            "chase.alternative",
            "chase.improve",
        ),
        *("backchase.keep", "backchase.remove", "backchase.unsafe", "backchase.beam", "backchase.branch"),
    }
)
"""The rules that tell how the search went. They claim nothing about the graph."""

REASONS: Final[Mapping[str, frozenset[str]]] = {
    "certificate.result": frozenset({"every row is kept, dropped or redundant"}),
    "certificate.complete": frozenset({"the relaxed rows give the reference answers"}),
    "certificate.dropped": frozenset(
        {"loses_answers", "leaves_no_answer", "orphaned", "beam", "no_safe_set", "untested"}
    ),
    "certificate.kept": frozenset({"answer", "unsafe", "required", "objective", "evidence", "untested", "beam"}),
    "certificate.branches": frozenset({"data"}),
    "certificate.redundant": frozenset({"implied", "data"}),
    "certificate.sound": frozenset(
        {"the kept rows give the same answers", "no row was left out, and not all answers were asked for"}
    ),
    "certificate.none": frozenset({"none", "stopped"}),
}

PARTS: Final[Mapping[str, frozenset[str]]] = {
    "certificate.result": frozenset({"kept", "dropped", "redundant", "branches", "sealed"}),
    "certificate.complete": frozenset(),
    "certificate.dropped": frozenset({"row", "lost", "unbound"}),
    "certificate.kept": frozenset({"row", "unbound"}),
    "certificate.branches": frozenset({"row", "branches"}),
    "certificate.redundant": frozenset({"row"}),
    "certificate.sound": frozenset({"size", "sha256"}),
    "certificate.none": frozenset({"dropped", "blocking", "sealed"}),
}

Claim = tuple[str, str]
"""A rule and the row that it is about; no row: the empty text."""


@frozen
class Given:
    """What the search was given, read from the header."""

    table: Table
    references: Mapping[Answer, float]
    theta: float
    schema: SchemaFacts


def left_out_branches(claims: Iterable[Step]) -> dict[str, frozenset[int]]:
    """For each `either` that the claims narrow, the places of the branches left out, from 1.

    Raises ValueError or TypeError where they are not places, each once.
    """
    found: dict[str, frozenset[int]] = {}
    for step in claims:
        if step.rule == "certificate.branches":
            places = cast("list[object]", step.evidence["branches"])
            if not places or not all(type(one) is int for one in places) or len(set(places)) < len(places):
                raise ValueError("the branches left out are not places, each once")
            found[str(step.evidence["row"])] = frozenset(cast("list[int]", places))
    return found


@frozen
class Trace:
    """A trace taken apart. `faults`: what is wrong with its form."""

    given: Given
    history: tuple[Step, ...]
    claims: tuple[Step, ...]
    faults: tuple[str, ...]

    @property
    def result(self) -> Step | None:
        """The one step that says what became of the rows, or None where there is none."""
        found = [step for step in self.claims if step.rule in ("certificate.result", "certificate.none")]
        return found[0] if len(found) == 1 else None


def take_apart(steps: Sequence[Step]) -> Trace:
    """Raises DiagnosticError UQ490 where the trace has no header or one of another version; KeyError and the like."""
    if not steps or steps[0].rule != "relaxation.header":
        raise fail("UQ490", "the trace does not begin with what the search was given")
    given = read_header(steps[0])
    rest = steps[1:]
    claims = tuple(step for step in rest if step.rule in REASONS)
    history = tuple(step for step in rest if step.rule not in REASONS)
    faults = [f"the step `{step.rule}` is unknown" for step in history if step.rule not in HISTORY]
    if tuple(rest[: len(history)]) != history:
        faults.append("the claims do not stand together at the end")
    for step in claims:
        faults += _form_faults(step)
    trace = Trace(given, history, claims, ())
    faults += _set_faults(trace)
    if trace.result is not None:
        if trace.result.evidence["sealed"] != seal([steps[0], *history]):
            faults.append("what the search was given, or its history, is not what the result was made from")
        faults += _history_faults(trace)
    return Trace(given, history, claims, tuple(faults))


def read_header(step: Step) -> Given:
    """The table, references and threshold of a header. Raises DiagnosticError UQ490 for another version."""
    evidence = cast("dict[str, Any]", step.evidence)
    version: object = evidence["version"]
    if version != KNOWN_VERSION or isinstance(version, bool):  # `true` equals 1
        message = f"the trace has version {version}, and this checker knows version {KNOWN_VERSION}"
        raise fail("UQ490", message, hint="make the trace again with this version of uniqgen")
    table = codec.from_json(evidence["table"])
    references: dict[Answer, float] = {}
    for one in evidence["references"]:
        key, confidence = read_answer(one["key"]), float(one["confidence"])
        if not 0.0 < confidence <= 1.0:
            raise ValueError(f"a reference answer has confidence {confidence}")
        references[key] = max(confidence, references.get(key, 0.0))
    theta = float(evidence["theta"])
    if not 0.0 < theta <= 1.0:
        raise ValueError(f"theta is {theta}")
    if table.match_mode is not MatchMode.HOMOMORPHISM:
        raise ValueError("no search makes traces of tables in which each relationship is matched once")
    if evidence["key"] != [variable.name for variable in answer_key(table)]:
        raise ValueError("the answer key is not that of the table")
    return Given(table, references, theta, read_schema(evidence["schema"]))


def read_answer(value: Json) -> Answer:
    """One answer, its literals in plain spelling. Raises TypeError or what the codec raises."""
    if not isinstance(value, list):
        raise TypeError("an answer is not a list")
    return tuple(plain(cast("GroundTerm", SHAPES["groundTerm"].read(one, "answer"))) for one in value)


def mappings_of(history: Iterable[Step]) -> dict[str, list[dict[str, str]]]:
    """For each row that was left out for a proof: the homomorphisms of its cases, terms as text.

    Under which conditions a case holds is not read: the checker looks for itself what the other rows say.
    """
    found: dict[str, list[dict[str, str]]] = {}
    for step in history:
        if step.rule == "backchase.remove":
            for case in cast("list[dict[str, Any]]", step.evidence["proof"]):
                if "homomorphism" in case:
                    keys, values = [*case["homomorphism"]], [*case["homomorphism"].values()]
                    mapping = dict(zip(texts(keys), texts(values), strict=True))
                    listed = found.setdefault(str(step.evidence["row"]), [])
                    listed += [mapping] if mapping not in listed else []
    return found


def plain(term: GroundTerm) -> GroundTerm:
    """A literal in canonical form, all integer types as one: engines return `01` as they please."""
    if not isinstance(term, Literal):
        return term
    found = canonical(term)
    is_integer = isinstance(found, Literal) and found.datatype in INTEGER_DATATYPES
    return Literal(found.lexical, XSD_INTEGER) if is_integer and isinstance(found, Literal) else found


def _form_faults(step: Step) -> Iterable[str]:
    if step.reason not in REASONS[step.rule]:
        yield f"`{step.rule}` gives the unknown reason `{step.reason}`"
    with_answer = (step.rule, step.reason) == ("certificate.kept", "answer")
    for name in sorted(set(step.evidence) - PARTS[step.rule] - {"answer" if with_answer else ""}):
        yield f"`{step.rule}` says `{name}`, which no checker can test"


def _set_faults(trace: Trace) -> Iterable[str]:
    """Every claim that the result asks for must be there, once, in order, and no other."""
    if trace.result is None:
        yield "the trace does not say, exactly once, what became of the rows (`certificate.result`)"
        return
    wanted, found = _wanted(trace.result), [claim_of(step) for step in trace.claims]
    difference = Counter(wanted), Counter(found)
    for rule, row in difference[0] - difference[1]:
        yield f"the trace has no `{rule}`{f' for row {row}' if row else ''}"
    for rule, row in difference[1] - difference[0]:
        yield f"the trace has a `{rule}`{f' for row {row}' if row else ''} that the result does not ask for"
    if Counter(wanted) == Counter(found) and wanted != found:
        yield "the claims are not in their order"
    rows = [row.id for row in trace.given.table.rows]
    parts = [key for key in _LISTS[trace.result.rule] if key != "branches"]
    listed = [name for key in parts for name in texts(trace.result.evidence[key])]
    if sorted(listed) != sorted(rows):
        yield "the rows kept, dropped and redundant are not the rows of the table, each once"


_LISTS: Final = {"certificate.result": ("dropped", "kept", "branches", "redundant"), "certificate.none": ("dropped",)}


def claim_of(step: Step) -> Claim:
    return step.rule, str(step.evidence["row"]) if "row" in PARTS[step.rule] else ""


def _wanted(result: Step) -> list[Claim]:
    rows = [(f"certificate.{key}", name) for key in _LISTS[result.rule] for name in texts(result.evidence[key])]
    if result.rule == "certificate.none":
        return [(result.rule, ""), *rows]
    return [(result.rule, ""), ("certificate.complete", ""), *rows, ("certificate.sound", "")]


def _history_faults(trace: Trace) -> Iterable[str]:
    """Steps of the history that say something else than the claims about a row, or say it twice."""
    assert trace.result is not None
    said = Counter((step.rule, str(step.evidence["row"])) for step in trace.history if "row" in step.evidence)
    for (rule, row), times in said.items():
        if times > 1:
            yield f"the history says `{rule}` of row {row} {times} times"
    if trace.result.rule == "certificate.none":
        return
    reasons = {claim_of(step): step.reason for step in trace.claims}
    for step in (step for step in trace.history if "row" in step.evidence):
        row = str(step.evidence["row"])
        where = {kind for kind in ("kept", "dropped", "redundant") if (f"certificate.{kind}", row) in reasons}
        if not where & _ENDS.get(step.rule, {"kept", "dropped", "redundant"}):
            yield f"the history says `{step.rule}` of row {row}, and the claims say otherwise"
        kind = reasons.get(("certificate.redundant", row))
        if step.rule == "backchase.remove" and step.evidence["kind"] != kind:
            yield f"the history and the claims give row {row} different kinds of redundancy"


_ENDS: Final[Mapping[str, set[str]]] = {
    "chase.keep": {"kept", "redundant"},
    "chase.drop": {"dropped"},
    "chase.orphan": {"dropped"},
    "backchase.keep": {"kept", "redundant"},
    "backchase.unsafe": {"kept", "redundant"},
    "backchase.remove": {"redundant"},
    "backchase.branch": {"kept"},
}
