"""The ways from reference answers to final answers that are compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import define, evolve, field

from uniqgen_ir.driver import KnowledgeGraph, relax, run_table
from uniqgen_ir.ir.analysis import active_rows, is_safe
from uniqgen_ir.ir.protocols import AnswerRow, ReferenceAnswer
from uniqgen_ir.ir.table import Table
from uniqgen_ir.passes.relaxation import RelaxationOptions
from uniqgen_ir.passes.search.result import ChaseReport

AnswerSet: TypeAlias = frozenset[AnswerRow]
References: TypeAlias = Sequence[ReferenceAnswer]

CHASE: Final = "chase & backchase"
STRICT: Final = "… at θ = 1"
WITHOUT_SUSPECTS: Final = "… at θ = 1, without suspects"
UNIVERSAL: Final = "universal query as it is"
GREEDY: Final = "greedy relaxation"
ORACLE: Final = "oracle's own set"
METHODS: Final = (CHASE, STRICT, WITHOUT_SUSPECTS, UNIVERSAL, GREEDY, ORACLE)
ALTERNATIVES: Final = (UNIVERSAL, GREEDY, ORACLE)

BELIEVING: Final = RelaxationOptions(agreement="never")
DOUBTING: Final = evolve(BELIEVING, agreement="always")
"""how reference answers of a model are taken"""


@define
class Methods:
    """All methods on one scored table; queries are run once each."""

    graph: KnowledgeGraph
    engine: str
    table: Table
    _answers: dict[frozenset[str], AnswerSet] = field(factory=dict[frozenset[str], AnswerSet], init=False)

    def results(self, references: References) -> Mapping[str, AnswerSet]:
        """Method → the answers that it gives. Raises DiagnosticError, StoreError."""
        strict, proposed = self._strict(references)
        return {
            CHASE: self._kept(relax(self.table, self.graph, self.engine, references, DOUBTING)),
            STRICT: strict,
            WITHOUT_SUSPECTS: proposed,
            UNIVERSAL: self.answers(row.id for row in self.table.rows),
            GREEDY: self._greedy(references),
            ORACLE: frozenset(one.key for one in references),
        }

    def answers(self, row_ids: Iterable[str]) -> AnswerSet:
        """The answers of the rows that are active among these; none where they are not safe."""
        names = active_rows(self.table, row_ids)
        if not is_safe(self.table, names):
            return frozenset()
        if names not in self._answers:
            found = run_table(self.table.only(names), self.graph, self.engine)
            self._answers[names] = frozenset(found.rows)
        return self._answers[names]

    def _strict(self, references: References) -> tuple[AnswerSet, AnswerSet]:
        """What they give at θ = 1, and the same with the table that is proposed without suspects, if any."""
        report = relax(self.table, self.graph, self.engine, references, BELIEVING)
        main = self._kept(report)
        suspected = next((one for one in report.alternatives if report.suspects), None)
        return main, main if suspected is None else self.answers(suspected.rows)

    def _kept(self, report: ChaseReport) -> AnswerSet:
        if report.branches and report.table is not None:  # some of its rows are narrower than those of the table
            return frozenset(run_table(report.table, self.graph, self.engine).rows)
        return self.answers(one.row for one in report.kept)

    def _greedy(self, references: References) -> AnswerSet:
        """Drop the least certain row until the reference answers are there (or any answer, without them)."""
        wanted = frozenset(one.key for one in references)
        rows = sorted(self.table.rows, key=lambda row: -(row.note.uncertainty or 0.0))
        for dropped in range(len(rows)):
            found = self.answers(row.id for row in rows[dropped:])
            if found and wanted <= found:
                return found
        return frozenset()


def set_f1(found: AnswerSet, wanted: AnswerSet) -> float:
    """F1 of two sets; 1 of two empty ones."""
    if not found and not wanted:
        return 1.0
    return 2 * len(found & wanted) / (len(found) + len(wanted))
