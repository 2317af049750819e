"""What an answer has instead of the value that a row asks for, where it does not satisfy the row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import evolve

from uniqgen_ir.ir.analysis import active_rows, answer_key
from uniqgen_ir.ir.protocols import Store
from uniqgen_ir.ir.rows import OptionalBlock, Row, Triple, TypeAtom
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, GroundTerm, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE
from uniqgen_ir.passes.nesting import core_table
from uniqgen_ir.passes.search.problem import AnswerKey
from uniqgen_ir.passes.search.statements import inline

_PLACE: Final = Variable("instead_of_it")
MOST_VALUES: Final = 3


def values_instead(
    table: Table, row_id: str, kept: Iterable[str], answer: AnswerKey, store: Store, timeout: float = 5.0
) -> tuple[GroundTerm, ...]:
    """Up to three values that stand, for this answer, where the row asks for another. One call, none where none fits.

    Raises what the store raises.
    """
    opened = _opened(table.row(row_id))
    if opened is None:
        return ()
    row, place = opened
    names = {*kept, row_id}
    rows = tuple(row if one.id == row_id else one for one in table.rows if one.id in names)
    core = table.with_rows(one for one in rows if not isinstance(one.atom, OptionalBlock))
    live = active_rows(core, names)
    if row_id not in live:
        return ()
    key = answer_key(table)
    given = inline("the_answer", key, [answer])
    asked = core_table(core, (place,), (given, *(one for one in core.rows if one.id in live)))
    found = store.select(asked, limit=MOST_VALUES, timeout=timeout).rows
    return tuple(sorted((term for (term,) in found if term is not None), key=str))


def _opened(row: Row) -> tuple[Row, Variable] | None:
    """The row without what it demands of its value, and the variable that then stands for the value."""
    match row.atom:
        case Triple(subject, predicate, Variable() as value) if row.where is not None:
            return evolve(row, atom=Triple(subject, predicate, value), where=None), value
        case Triple(Variable() as subject, IRI() as predicate, object_) if not isinstance(object_, Variable):
            return evolve(row, atom=Triple(subject, predicate, _PLACE)), _PLACE
        case TypeAtom(Variable() as subject, IRI()):
            return evolve(row, atom=Triple(subject, IRI(RDF_TYPE), _PLACE)), _PLACE
        case _:
            return None
