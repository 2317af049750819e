"""What a graph says against the rules of its schema: real graphs violate them, and answers must not be lost by that.

Every question is whether some match of the table's rows lacks what a rule gives; each is sent once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from uniqgen_ir.ir.analysis import positive_variables
from uniqgen_ir.ir.expressions import Call, Not
from uniqgen_ir.ir.protocols import Store
from uniqgen_ir.ir.rows import Filter, NotBlock, Row
from uniqgen_ir.ir.table import Column, Form, Shell, Table
from uniqgen_ir.ir.terms import IRI, Term, Variable
from uniqgen_ir.ir.visitor import variables_in_order
from uniqgen_ir.passes.saturate.engine import Saturation
from uniqgen_ir.passes.saturate.history import Told
from uniqgen_ir.passes.saturate.patterns import Pattern, atom_of, pattern_variables, replaced


class Admission:
    """Asks a store about matches of tables."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: dict[Table, bool] = {}

    def has_answer(self, table: Table, *more: Row) -> bool:
        """Whether the rows, and these beside them, have a match on the graph."""
        rows = (*table.rows, *more)
        bound = sorted(positive_variables(rows), key=str)
        head, shell = ((Column(bound[0]),), Shell()) if bound else ((), Shell(form=Form.ASK))
        question = Table("violation", head, rows, shell, match_mode=table.match_mode)
        if question not in self._known:
            found = self.store.select(question, limit=1).rows
            self._known[question] = bool(found) if bound else _says_yes(found)
        return self._known[question]

    def lacks(self, table: Table, rows: Sequence[Row]) -> bool:
        """Whether some match of the table has no match of the rows: adding them would cost it."""
        return self.has_answer(table, Row("violation", NotBlock(tuple(rows))))

    def differ(self, table: Table, left: Term, right: Term) -> bool:
        """Whether the two values differ in some match of the table; False where it does not bind them."""
        bound = positive_variables(table.rows)
        if any(isinstance(one, Variable) and one not in bound for one in (left, right)):
            return False
        return self.has_answer(table, Row("differ", Filter(Not(Call("same_term", (left, right))))))

    def violated(self, table: Table, saturation: Saturation) -> str | tuple[IRI, IRI] | None:
        """What the graph violates of all that merged values or led to a contradiction; None where nothing.

        A contradiction of rows that have no answer on the graph either is one, whatever the graph violates.
        """
        for merge in saturation.merges:
            if self.differ(table, merge.old, merge.new):
                return self._blamed(table, saturation.history.steps_to((merge.old, merge.new))) or merge.rule
        conflict = saturation.conflict
        if conflict is None or not self.has_answer(table):
            return None
        # where all steps hold, the graph has what the contradiction excludes
        return self._blamed(table, conflict.steps) or conflict.violated

    def _blamed(self, table: Table, steps: Iterable[Told]) -> str | None:
        """The rule of the first step that does not hold for all matches of the table."""
        given = set(variables_in_order(table))
        facts: list[Pattern] = []
        for step in steps:
            touched = step.facts
            if step.merge is not None:
                if self.differ(table, *step.merge):
                    return step.rule
                changed = [replaced(fact, dict([step.merge])) for fact in facts]
                touched = tuple(now for fact, now in zip(facts, changed, strict=True) if now != fact)
                facts = changed
            else:
                facts += touched
            joined = _joined(touched, facts, given)
            rows = [Row(f"v{place}", atom_of(fact)) for place, fact in enumerate(joined)]
            if rows and self.lacks(table, rows):
                return step.rule
        return None


def _joined(start: Iterable[Pattern], facts: Sequence[Pattern], given: set[Variable]) -> dict[Pattern, None]:
    """These facts and all that share values with them, directly or not, that the table does not have."""
    found = dict.fromkeys(start)
    while True:
        made = set(pattern_variables(found)) - given
        more = [fact for fact in facts if fact not in found and made & set(pattern_variables([fact]))]
        if not more:
            return found
        found.update(dict.fromkeys(more))


def _says_yes(rows: Sequence[tuple[object, ...]]) -> bool:
    return any(getattr(cell, "lexical", "") == "true" for row in rows for cell in row)
