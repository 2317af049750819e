"""Gold tables with rows that nobody asked for: what a careless reader of the question would add.

The generator, for each distracting row, with one random source seeded by `seed` and the record's id: pick a variable
that gold solutions bind to things, then one of three kinds.

* *fact of one*: a fact (relation and other end) of one of the variable's things, itself picked at random; the others
  may lack it.
* *fact of a stranger*: the same relation with another end that it has elsewhere in the graph; mostly none has it.
* *relation of a stranger*: a relation that leads from a thing picked anywhere in the graph, to a fresh variable.

Each is a pragmatic row with a prior uncertainty picked evenly from [0, 1]. Rows are shuffled.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

from uniqgen_ir.driver import KnowledgeGraph, read, run_table
from uniqgen_ir.evaluation.datasets import GoldQuestion
from uniqgen_ir.ir.analysis import answer_key, positive_variables
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.protocols import AnswerRow, ReferenceAnswer
from uniqgen_ir.ir.rows import Filter, Origin, PathAtom, Row, RowNote, SubTable, Triple, TypeAtom, Values
from uniqgen_ir.ir.table import Column, Form, Shell, Table
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Variable
from uniqgen_ir.kg.linking.index import GraphIndex
from uniqgen_ir.kg.neighbourhood_adjacency import backward, forward

ROWS_ADDED: Final = 3
MOST_SOLUTIONS: Final = 2_000
_TRIES: Final = 50


@frozen
class Trial:
    """A gold table with distracting rows, and the gold answers that the chase must find again."""

    id: str
    table: Table
    references: tuple[ReferenceAnswer, ...]

    @property
    def answers(self) -> frozenset[AnswerRow]:
        """The gold answers."""
        return frozenset[AnswerRow](reference.key for reference in self.references)


def trial(gold: GoldQuestion, graph: KnowledgeGraph, index: GraphIndex, engine: str, seed: int) -> Trial | str:
    """The trial of a record, or why there is none: its query is no core query, or gives no answer on this graph."""
    if gold.sparql is None:
        return "no query"
    try:
        table = _unwrapped(read(gold.sparql, "sparql").table)
        if not _is_core(table):
            return "not a core query"
        table = evolve(table, permissive=False)
        answers = run_table(table, graph, engine, limit=MOST_SOLUTIONS)
        solutions = _solutions(table, graph, engine)
    except DiagnosticError as error:
        return error.diagnostics[0].code
    keys = dict.fromkeys(tuple(term for term in row if term is not None) for row in answers.rows)
    if not keys:
        return "no answer on this graph"
    if any(isinstance(term, BlankNode) for key in keys for term in key):
        return "a blank node among the answers"
    distractor = _Distractor(table, index, solutions, random.Random(f"{seed}:{gold.id}"))
    rows = [*table.rows, *distractor.rows(ROWS_ADDED)]
    distractor.draw.shuffle(rows)
    return Trial(gold.id, table.with_rows(rows), tuple(ReferenceAnswer(key) for key in keys))


def _unwrapped(table: Table) -> Table:
    """The table inside, where a table only renames the columns of another, as some data sets write it."""
    plain = evolve(table.shell, distinct=True) == Shell()
    if plain and len(table.rows) == 1 and isinstance(table.rows[0].atom, SubTable):
        return _unwrapped(table.rows[0].atom.table)
    return table


def _is_core(table: Table) -> bool:
    """A conjunction of triples, types, paths, constants and filters; its columns are variables, nothing is sliced."""
    shell = table.shell
    plain = shell.form is Form.SELECT and not (shell.group or shell.having or shell.order or shell.extreme)
    unsliced = shell.limit is None and not shell.offset
    rows = all(isinstance(row.atom, Triple | TypeAtom | PathAtom | Filter | Values) for row in table.rows)
    columns = bool(answer_key(table)) and all(isinstance(one.expression, Variable) for one in table.head)
    return plain and unsliced and rows and columns


def _solutions(table: Table, graph: KnowledgeGraph, engine: str) -> Mapping[Variable, Sequence[GroundTerm]]:
    """What each variable stands for in the gold solutions."""
    variables = sorted(positive_variables(table.rows), key=lambda one: one.name)
    every = evolve(table, head=tuple(Column(one) for one in variables), shell=Shell())
    rows = run_table(every, graph, engine, limit=MOST_SOLUTIONS).rows
    return {
        variable: list(dict.fromkeys(term for row in rows if (term := row[place]) is not None))
        for place, variable in enumerate(variables)
    }


@frozen
class _Distractor:
    table: Table
    index: GraphIndex
    solutions: Mapping[Variable, Sequence[GroundTerm]]
    draw: random.Random

    def rows(self, wanted: int) -> list[Row]:
        """So many rows that the table does not have; fewer only where the graph around the solutions has none."""
        things = {
            variable: numbers
            for variable, terms in self.solutions.items()
            if (numbers := [number for term in terms if isinstance(term, IRI) and (number := self._number(term))])
        }
        found: list[Row] = []
        atoms = {row.atom for row in self.table.rows}
        for _ in range(_TRIES if things else 0):
            atom = self._atom(things, len(found))
            if atom is None or atom in atoms:
                continue
            atoms.add(atom)
            note = RowNote(Origin.PRAGMATIC, uncertainty=round(self.draw.random(), 4), reason="a distraction")
            found.append(Row(f"distraction_{len(found) + 1}", atom, note=note))
            if len(found) == wanted:
                break
        return found

    def _number(self, term: GroundTerm) -> int | None:
        number = self.index.number(term)
        return number if number is not None and self.index.adjacency.degree(number) else None

    def _atom(self, things: Mapping[Variable, Sequence[int]], place: int) -> Triple | None:
        variable = self.draw.choice(list(things))
        kind = self.draw.choice(("fact of one", "fact of a stranger", "relation of a stranger"))
        if kind == "relation of a stranger":
            directed, _ = self._edge(self._anywhere())
            return self._triple(variable, directed, Variable(f"distraction{place}"))
        directed, end = self._edge(self.draw.choice(things[variable]))
        if kind == "fact of a stranger":
            end = self._other_end(directed)
        term = self.index.terms[end]
        return self._triple(variable, directed, term) if isinstance(term, IRI | Literal) else None

    def _anywhere(self) -> int:
        while True:
            node = self.draw.randrange(len(self.index.terms))
            if self.index.adjacency.degree(node):
                return node

    def _edge(self, node: int) -> tuple[int, int]:
        adjacency = self.index.adjacency
        place = adjacency.offsets[node] + self.draw.randrange(adjacency.degree(node))
        return adjacency.directed[place], adjacency.targets[place]

    def _other_end(self, directed: int) -> int:
        """Where the same relation leads from a thing picked anywhere; from the last one tried if it is rare."""
        for _ in range(_TRIES):
            ends = self.index.adjacency.follow(self._anywhere(), directed)
            if ends:
                return self.draw.choice(list(ends))
        return self._edge(self._anywhere())[1]

    def _triple(self, variable: Variable, directed: int, end: IRI | Literal | Variable) -> Triple | None:
        predicate = self.index.relations[directed // 2].iri
        if directed == forward(directed // 2):
            return Triple(variable, predicate, end)
        assert directed == backward(directed // 2)
        return None if isinstance(end, Literal) else Triple(end, predicate, variable)
