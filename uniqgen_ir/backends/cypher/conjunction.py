"""One conjunction as clauses of Cypher: the order of writing. What is written stands in the modules beside this one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import define, evolve, field

from uniqgen_ir.backends.cypher.atoms import (
    Atom,
    ConditionAtom,
    Conjunction,
    EdgeAtom,
    LabelAtom,
    LiteralAtom,
    PropertyAtom,
    ResidueAtom,
    SameAtom,
    named,
)
from uniqgen_ir.backends.cypher.blocks import block_texts, write_residue
from uniqgen_ir.backends.cypher.clauses import Clause, Context, Impossible
from uniqgen_ir.backends.cypher.compare import Comparer
from uniqgen_ir.backends.cypher.expressions import ExpressionWriter
from uniqgen_ir.backends.cypher.inline_values import write_values
from uniqgen_ir.backends.cypher.operands import NOTHING, Operand
from uniqgen_ir.backends.cypher.patterns import write_lone_nodes, write_patterns
from uniqgen_ir.backends.cypher.properties import write_property
from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.backends.marks import closed, inner_id, opened
from uniqgen_ir.ir.analysis import expression_variables
from uniqgen_ir.ir.diagnostics import DiagnosticError, fail
from uniqgen_ir.ir.rows import Bind, Row, SubTable, Values
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import GroundTerm, Literal, Term, Variable


@define
class ConjunctionWriter:
    """Writes one conjunction; `bound` says what the variables stand for, `clauses` what was written so far."""

    context: Context
    bound: dict[Variable, Operand] = field(factory=dict[Variable, Operand])
    clauses: list[Clause] = field(factory=list[Clause])
    constants: dict[GroundTerm | str, str] = field(factory=dict["GroundTerm | str", str])
    inside: bool = False
    """within EXISTS or OPTIONAL MATCH, where only patterns and conditions can stand"""
    conditions: list[str] = field(factory=list[str])
    labels: dict[Variable, list[LabelAtom]] = field(factory=dict[Variable, list[LabelAtom]])
    """labels that the next mention of a node has to carry"""
    inlined: dict[Variable, list[PropertyAtom]] = field(factory=dict[Variable, list[PropertyAtom]])
    """constant properties that the next mention of a node has to carry"""
    edges: list[EdgeAtom] = field(factory=list[EdgeAtom])
    """the relationships written so far"""
    relationship_names: dict[EdgeAtom, str] = field(factory=dict[EdgeAtom, str])
    later: list[tuple[str, str]] = field(factory=list[tuple[str, str]])
    """conditions, with their rows, for behind the pattern that is being written"""
    current: str = ""
    """the row that is being written"""
    comparer: Comparer = field(init=False)
    expressions: ExpressionWriter = field(init=False)

    def __attrs_post_init__(self) -> None:
        context = self.context
        key = quote_name(context.layout.key) if context.layout.key is not None else None
        self.comparer = Comparer(context.bag.add, context.layout.lossless, key, context.dialect)
        self.expressions = ExpressionWriter(
            context.dialect,
            context.bag,
            self.comparer,
            context.layout.lossless,
            lambda variable: self.bound.get(variable, NOTHING),
            self.exists,
            context.layout.key_value,
            lambda term, kind: context.expander.assume(self.current, term, kind),
        )

    def write(self, atoms: Conjunction) -> None:
        """Write all atoms. Raises Impossible."""
        self._check_kinds(atoms)
        for atom in atoms:
            if isinstance(atom, ResidueAtom) and isinstance(atom.row.atom, SubTable):
                self._sub_table(atom.row, atom.row.atom.table)
        for atom in atoms:
            if isinstance(atom, ResidueAtom) and isinstance(atom.row.atom, Values):
                write_values(self, atom.row, atom.row.atom)
        self._collect(atoms)
        waiting: list[Atom] = [
            one for one in atoms if isinstance(one, PropertyAtom | ConditionAtom | SameAtom) and not self.is_inline(one)
        ]
        waiting += [one for one in atoms if isinstance(one, ResidueAtom) and isinstance(one.row.atom, Bind)]
        waiting = self.settle(waiting)
        waiting = write_patterns(self, atoms, waiting)
        write_lone_nodes(self, atoms)
        waiting = self.settle(waiting)
        write_residue(self, atoms, waiting)

    def _check_kinds(self, atoms: Conjunction) -> None:
        """A variable that has to be both a node and a literal has no value."""
        nodes, literals = set[Term](), set[Term]()
        for one in atoms:
            match one:
                case EdgeAtom():
                    nodes |= {one.subject, one.object, *(() if one.thing is None else (one.thing,))}
                case LabelAtom():
                    nodes.add(one.subject)
                case PropertyAtom() | LiteralAtom():
                    nodes.add(one.subject)
                    literals.add(one.object)
                case _:
                    pass
        both = {one for one in nodes & literals if isinstance(one, Variable)}
        if both or any(isinstance(one, Literal) for one in nodes):
            raise Impossible

    def _collect(self, atoms: Conjunction) -> None:
        for one in atoms:
            if isinstance(one, LabelAtom) and isinstance(one.subject, Variable):
                self.labels.setdefault(one.subject, []).append(one)
            elif isinstance(one, PropertyAtom) and self.is_inline(one) and isinstance(one.subject, Variable):
                self.inlined.setdefault(one.subject, []).append(one)

    def is_inline(self, atom: Atom) -> bool:
        """Whether a property with a constant can stand in the node pattern: `(c {name: $p0})`."""
        return (
            isinstance(atom, PropertyAtom)
            and isinstance(atom.object, Literal)
            and isinstance(atom.subject, Variable)
            and atom.subject not in self.bound
            and not atom.form.many
        )

    def _sub_table(self, row: Row, table: Table) -> None:
        if self.inside:
            raise named(fail("UQ500", "a table with a shell of its own cannot stand inside a block in Cypher"), row)
        try:
            self.context.sub_table(self, row, table)
        except DiagnosticError as error:
            raise named(error, row) from error

    def settle(self, waiting: list[Atom]) -> list[Atom]:
        """Write what can be written now; return the rest."""
        progress = True
        while progress:
            progress = False
            for one in tuple(waiting):
                if self._try(one):
                    waiting.remove(one)
                    progress = True
        return waiting

    def _try(self, atom: Atom) -> bool:
        match atom:
            case PropertyAtom():
                return write_property(self, atom)
            case ConditionAtom(row, expression):
                self.current = row
                if not expression_variables(expression) <= self.bound.keys():
                    return False
                self.where(row, self.in_row(atom, lambda: self.expressions.condition(expression)))
                return True
            case SameAtom(row, left, right):
                return self._same(row, left, right)
            case ResidueAtom(row):
                assert isinstance(row.atom, Bind)
                return self._bind(row, row.atom)
            case _:
                return False

    def in_row(self, atom: Atom, write: Callable[[], str]) -> str:
        try:
            return write()
        except DiagnosticError as error:
            row = atom.row if isinstance(atom, ResidueAtom) else None
            if row is not None:
                raise named(error, row) from error
            raise _with_row_id(error, str(atom.row)) from error

    def late_conditions(self, waiting: list[Atom]) -> None:
        """Conditions on variables that nothing binds: they mean an error, unless they ask for just that."""
        for atom in waiting:
            if not isinstance(atom, ConditionAtom):
                raise fail("UQ500", "a part of the table has nothing to hold on to: its ends are bound by no row")
            expression = atom.expression
            self.current = atom.row
            self.where(atom.row, self.in_row(atom, partial(self.expressions.condition, expression)))

    def _same(self, row: str, left: Term, right: Term) -> bool:
        one, other = (self._operand_of(term) for term in (left, right))
        if one is not None and other is not None:
            self.where(row, self.comparer.same_term(one, other))
            return True
        if one is None and other is None:
            return False
        known, free = (one, right) if one is not None else (other, left)
        assert isinstance(free, Variable)
        assert known is not None
        self.bound[free] = known
        return True

    def _operand_of(self, term: Term) -> Operand | None:
        if isinstance(term, Variable):
            return self.bound.get(term)
        return self.expressions.value(term)

    def _bind(self, row: Row, bind: Bind) -> bool:
        self.current = row.id
        if not expression_variables(bind.expression) <= self.bound.keys():
            return False
        try:
            value = self.expressions.value(bind.expression)
        except DiagnosticError as error:
            raise named(error, row) from error
        known = self.bound.get(bind.variable)
        if known is None:
            self.bound[bind.variable] = evolve(value, nullable=True)
        else:
            self.where(row.id, f"coalesce({self.comparer.same_term(known, value)}, true)")
        return True

    def where(self, row: str | None, condition: str) -> None:
        """Add a condition to what was written last."""
        if condition == "true":
            return
        text = opened(row) + condition + closed(row)
        if self.inside:
            self.conditions.append(text)
            return
        if not self.clauses or not self.clauses[-1].takes_where:
            start = "*" if self.clauses else "1 AS one"
            self.clauses.append(Clause("WITH", (start,)))
        last = self.clauses[-1]
        self.clauses[-1] = evolve(last, where=(*last.where, text))

    def match(self, row: str | None, pattern: str) -> None:
        """Add a MATCH of one pattern."""
        self.clauses.append(Clause(self.context.dialect.match, (opened(row) + pattern + closed(row),)))

    def block(self, atoms: Conjunction) -> ConjunctionWriter:
        """A writer for a block inside this one, with its atoms written."""
        inner = ConjunctionWriter(self.context, dict(self.bound), inside=True, constants=dict(self.constants))
        inner.write(atoms)
        return inner

    def exists(self, rows: tuple[Row, ...]) -> str:
        """A condition that is true where the rows have a solution, and false (never NULL) otherwise."""
        texts = block_texts(self, rows)
        if not texts:
            return "false"
        return texts[0] if len(texts) == 1 else "(" + " OR ".join(texts) + ")"


def _with_row_id(error: DiagnosticError, row: str) -> DiagnosticError:
    return DiagnosticError(
        one if one.message.startswith("row ") else evolve(one, message=f"row {inner_id(row)}: {one.message}")
        for one in error.diagnostics
    )
