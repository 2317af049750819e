"""One conjunction as clauses of Cypher."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from attrs import define, evolve, field, frozen

from uniqgen_ir.backends.base import ParameterValue
from uniqgen_ir.backends.cypher.atoms import (
    Atom,
    ConditionAtom,
    Conjunction,
    EdgeAtom,
    Expander,
    LabelAtom,
    LiteralAtom,
    PropertyAtom,
    ResidueAtom,
    SameAtom,
    named,
)
from uniqgen_ir.backends.cypher.compare import Comparer
from uniqgen_ir.backends.cypher.dialects import CypherDialect
from uniqgen_ir.backends.cypher.expressions import ExpressionWriter
from uniqgen_ir.backends.cypher.layout import Layout, PropertyForm
from uniqgen_ir.backends.cypher.operands import NOTHING, Operand
from uniqgen_ir.backends.cypher.quoting import ParameterBag, quote_name
from uniqgen_ir.backends.cypher.values import encode
from uniqgen_ir.backends.marks import closed, extract, inner_id, opened
from uniqgen_ir.ir.analysis import expression_variables, row_variables, visible_variables
from uniqgen_ir.ir.diagnostics import DiagnosticError, fail
from uniqgen_ir.ir.rows import Bind, MinusBlock, NotBlock, OptionalBlock, Row, SubTable, Values
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.values import literal_of, value_of

_TAKES_WHERE: Final = ("MATCH", "WITH", "WITH DISTINCT")


class Impossible(Exception):
    """The conjunction has no solution in any graph laid out like this."""


@frozen
class Clause:
    """One clause: a keyword, what follows it, and the conditions of its WHERE. All text is marked with row ids."""

    keyword: str
    items: tuple[str, ...]
    where: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()
    """ORDER BY, SKIP and LIMIT of a WITH"""


@define
class Context:
    """What all conjunctions of one query share."""

    dialect: CypherDialect
    layout: Layout
    bag: ParameterBag
    expander: Expander
    sub_table: Callable[[ConjunctionWriter, Row, Table], None]
    """writes a table inside a table: the renderer, which knows of heads and shells"""
    names: dict[Variable, str] = field(factory=dict[Variable, str])
    _taken: set[str] = field(factory=set[str])

    def name(self, variable: Variable) -> str:
        """The Cypher name of a variable, quoted where it needs to be."""
        if variable not in self.names:
            plain = variable.name.strip()
            self.names[variable] = quote_name(plain if plain and plain not in self._taken else self.fresh("v"))
            self._taken.add(plain)
        return self.names[variable]

    def fresh(self, stem: str) -> str:
        """A name that the query does not use yet."""
        number = 1
        while f"{stem}{number}" in self._taken:
            number += 1
        self._taken.add(f"{stem}{number}")
        return f"{stem}{number}"


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
    _labels: dict[Variable, list[LabelAtom]] = field(factory=dict[Variable, list[LabelAtom]])
    _inline: dict[Variable, list[PropertyAtom]] = field(factory=dict[Variable, list[PropertyAtom]])
    _current: str = ""
    """the row that is being written"""
    _comparer: Comparer = field(init=False)
    expressions: ExpressionWriter = field(init=False)

    def __attrs_post_init__(self) -> None:
        context = self.context
        key = quote_name(context.layout.key)
        self._comparer = Comparer(context.bag.add, context.layout.lossless, key)
        self.expressions = ExpressionWriter(
            context.dialect,
            context.bag,
            self._comparer,
            context.layout.lossless,
            lambda variable: self.bound.get(variable, NOTHING),
            self.exists,
            context.layout.key_value,
            lambda term, kind: context.expander.assume(self._current, term, kind),
        )

    # --- the whole ------------------------------------------------------------------------------------------------

    def write(self, atoms: Conjunction) -> None:
        """Write all atoms. Raises Impossible."""
        self._check_kinds(atoms)
        for atom in atoms:
            if isinstance(atom, ResidueAtom) and isinstance(atom.row.atom, SubTable):
                self._sub_table(atom.row, atom.row.atom.table)
        for atom in atoms:
            if isinstance(atom, ResidueAtom) and isinstance(atom.row.atom, Values):
                self._values(atom.row, atom.row.atom)
        self._collect(atoms)
        patterns = [one for one in atoms if isinstance(one, EdgeAtom | LiteralAtom)]
        waiting: list[Atom] = [
            one
            for one in atoms
            if isinstance(one, PropertyAtom | ConditionAtom | SameAtom) and not self._is_inline(one)
        ]
        waiting += [one for one in atoms if isinstance(one, ResidueAtom) and isinstance(one.row.atom, Bind)]
        waiting = self._settle(waiting)
        while patterns:
            chosen = next((one for one in patterns if self._touches(one)), patterns[0])
            patterns.remove(chosen)
            self._pattern(chosen)
            waiting = self._settle(waiting)
        self._lone_nodes(atoms)
        waiting = self._settle(waiting)
        self._residue(atoms, waiting)

    def _check_kinds(self, atoms: Conjunction) -> None:
        """A variable that has to be both a node and a literal has no value."""
        nodes, literals = set[Term](), set[Term]()
        for one in atoms:
            match one:
                case EdgeAtom():
                    nodes |= {one.subject, one.object}
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
                self._labels.setdefault(one.subject, []).append(one)
            elif isinstance(one, PropertyAtom) and self._is_inline(one) and isinstance(one.subject, Variable):
                self._inline.setdefault(one.subject, []).append(one)

    def _is_inline(self, atom: Atom) -> bool:
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

    # --- patterns -------------------------------------------------------------------------------------------------

    def _touches(self, atom: EdgeAtom | LiteralAtom) -> bool:
        return any(isinstance(end, Variable) and end in self.bound for end in (atom.subject, atom.object))

    def _pattern(self, atom: EdgeAtom | LiteralAtom) -> None:
        extra: list[str] = []
        start = self.node(atom.subject)
        if isinstance(atom, EdgeAtom):
            end = self.node(atom.object)
            hops = "" if (atom.low, atom.high) == (1, 1) else f"*{atom.low}..{atom.high}"
            edge = f"[:{quote_name(atom.form.type)}{hops}]"
            text = f"{start}<-{edge}-{end}" if atom.form.reverse else f"{start}-{edge}->{end}"
        else:
            end, extra = self._literal_end(atom)
            text = f"{start}-[:{quote_name(atom.form.type)}]->{end}"
        self._match(atom.row, text)
        for condition in extra:
            self.where(atom.row, condition)
        if isinstance(atom, EdgeAtom) and atom.once:
            self._once()

    def _once(self) -> None:
        """Every solution so far only once."""
        if self.inside:
            return
        carried = {one.text: None for one in self.bound.values() if one.kind in ("node", "literal")}
        for variable, operand in self.bound.items():
            if operand.kind in ("value", "iri", "term") and operand.text not in carried and "$" not in operand.text:
                name = operand.text if operand.text.isidentifier() else quote_name(self.context.fresh("kept"))
                carried[name if name == operand.text else f"{operand.text} AS {name}"] = None
                self.bound[variable] = evolve(operand, text=name)
        self.constants.clear()
        self.clauses.append(Clause("WITH DISTINCT", tuple(carried)))

    def _match(self, row: str | None, pattern: str) -> None:
        self.clauses.append(Clause("MATCH", (opened(row) + pattern + closed(row),)))

    def node(self, term: Term) -> str:
        """The pattern of a node: its name, and at its first mention its labels and key."""
        label = self.context.layout.node_label
        base = f":{quote_name(label)}" if label else ""
        if isinstance(term, Variable):
            return self._variable_node(term, base)
        if isinstance(term, Literal):
            raise Impossible
        text = self._key_of(term)
        if text in self.constants:
            return f"({self.constants[text]})"
        return f"({base} {{{quote_name(self.context.layout.key)}: {text}}})".replace("( {", "({")

    def _key_of(self, term: IRI | BlankNode | Parameter) -> str:
        if isinstance(term, Parameter):
            return self.context.bag.user(term.name)
        value = f"_:{term.label}" if isinstance(term, BlankNode) else self.context.layout.key_value(term.value)
        return self.context.bag.add(value)

    def _variable_node(self, variable: Variable, base: str) -> str:
        name, known = self.context.name(variable), self.bound.get(variable)
        if known is not None and known.kind == "node":
            return f"({known.text})"
        if known is not None and known.kind not in ("iri", "term"):
            if known.nullable:
                raise fail("UQ500", f"?{variable.name} is bound in an optional block and used elsewhere")
            raise Impossible
        labels = self._labels.pop(variable, [])
        written = base + "".join(f"{opened(one.row)}:{quote_name(one.label)}{closed(one.row)}" for one in labels)
        properties = [self._inline_property(one) for one in self._inline.pop(variable, [])]
        if known is not None:
            properties.insert(0, f"{quote_name(self.context.layout.key)}: {known.text}")
            name = quote_name(self.context.fresh("node"))
        self.bound[variable] = Operand("node", name)
        body = f" {{{', '.join(properties)}}}" if properties else ""
        return f"({name}{written}{body})"

    def _inline_property(self, atom: PropertyAtom) -> str:
        assert isinstance(atom.object, Literal)
        self._current = atom.row
        value = self._property_constant(atom.form, atom.object)
        return f"{opened(atom.row)}{quote_name(atom.form.name)}: {value}{closed(atom.row)}"

    def _property_constant(self, form: PropertyForm, literal: Literal) -> str:
        """The value that the property has exactly where the triple holds."""
        if form.datatype is not None:
            value = value_of(literal)
            if literal.datatype != form.datatype or value is None or literal_of(value) != literal:
                raise Impossible
        return self._comparer.plain(self.expressions.value(literal))

    def _literal_end(self, atom: LiteralAtom) -> tuple[str, list[str]]:
        term, form = atom.object, atom.form
        if isinstance(term, Literal):
            return f"(:Literal {{id: {self.context.bag.add(encode(term))}}})", []
        if not isinstance(term, Variable):
            raise fail("UQ500", "a parameter cannot stand for a literal here")
        operand = Operand("literal", "", categories=form.categories, exact=form.exact, clocks=form.clocks)
        known = self.bound.get(term)
        if known is None:
            self.bound[term] = evolve(operand, text=self.context.name(term))
            return f"({self.context.name(term)}:Literal)", []
        if known.kind == "literal":
            # what the variable may be is what both places allow
            both = known.categories & form.categories
            self.bound[term] = evolve(known, categories=both, exact=known.exact and form.exact)
            return f"({known.text})", []
        other = evolve(operand, text=quote_name(self.context.fresh("literal")))
        if known.kind == "term" and not known.nullable:
            self.bound[term] = other
            return f"({other.text}:Literal {{id: {known.text}}})", []
        return f"({other.text}:Literal)", [self._comparer.same_term(known, other)]

    def _lone_nodes(self, atoms: Iterable[Atom]) -> None:
        for one in atoms:
            if isinstance(one, LabelAtom | PropertyAtom) and not self._is_known(one.subject):
                self._match(one.row if isinstance(one, LabelAtom) else None, self.node(one.subject))
        # labels of nodes that were named before (by an outer block or by inline values)
        for variable, labels in list(self._labels.items()):
            for one in labels:
                pattern = f"({self.context.name(variable)}:{quote_name(one.label)})"
                self._match(one.row, self.node(variable) if variable not in self.bound else pattern)
            self._labels.pop(variable, None)

    def _is_known(self, term: Term) -> bool:
        if isinstance(term, Variable):
            return term in self.bound and self.bound[term].kind == "node"
        return isinstance(term, IRI | Parameter) and self._key_of(term) in self.constants

    # --- properties and conditions --------------------------------------------------------------------------------

    def _settle(self, waiting: list[Atom]) -> list[Atom]:
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
                return self._property(atom)
            case ConditionAtom(row, expression):
                self._current = row
                if not expression_variables(expression) <= self.bound.keys():
                    return False
                self.where(row, self._in_row(atom, lambda: self.expressions.condition(expression)))
                return True
            case SameAtom(row, left, right):
                return self._same(row, left, right)
            case ResidueAtom(row):
                assert isinstance(row.atom, Bind)
                return self._bind(row, row.atom)
            case _:
                return False

    def _in_row(self, atom: Atom, write: Callable[[], str]) -> str:
        try:
            return write()
        except DiagnosticError as error:
            row = atom.row if isinstance(atom, ResidueAtom) else None
            if row is not None:
                raise named(error, row) from error
            raise _with_row_id(error, str(atom.row)) from error

    def _property(self, atom: PropertyAtom) -> bool:
        if not self._is_known(atom.subject):
            if isinstance(atom.subject, Variable):
                known = self.bound.get(atom.subject)
                if known is None or known.kind == "node":
                    return False
                self._match(None, self.node(atom.subject))
            else:
                self._name_constant(atom.subject)
        place = f"{self._node_name(atom.subject)}.{quote_name(atom.form.name)}"
        if isinstance(atom.object, Literal):
            self._current = atom.row
            value = self._property_constant(atom.form, atom.object)
            self.where(atom.row, self._holds_constant(atom.form, place, value))
        elif isinstance(atom.object, Parameter):
            self.where(atom.row, self._holds_constant(atom.form, place, self.context.bag.user(atom.object.name)))
        else:
            assert isinstance(atom.object, Variable)
            self._property_variable(atom, place, atom.object)
        return True

    def _holds_constant(self, form: PropertyForm, place: str, value: str) -> str:
        if form.many:
            return self.context.dialect.contains_in_list.format(item=value, list=place)
        return f"{place} = {value}"

    def _property_variable(self, atom: PropertyAtom, place: str, variable: Variable) -> None:
        known = self.bound.get(variable)
        value = Operand("value", place, atom.form.datatype)
        if atom.form.many:
            self._list_property(atom, place, variable, known)
        elif known is None:
            self.bound[variable] = value
            self.where(atom.row, f"{place} IS NOT NULL")
        else:
            self.where(atom.row, self._comparer.same_term(known, value))

    def _list_property(self, atom: PropertyAtom, place: str, variable: Variable, known: Operand | None) -> None:
        if known is not None:
            if known.kind == "value" and known.datatype == atom.form.datatype:
                self.where(atom.row, self.context.dialect.contains_in_list.format(item=known.text, list=place))
                return
            if known.kind == "value" and self.context.layout.lossless:
                raise Impossible
            if self.inside:
                raise fail("UQ500", "a list property cannot be joined with other forms inside a block")
        if self.inside:
            raise _ListInside(atom, place, variable)
        name = self.context.name(variable) if known is None else quote_name(self.context.fresh("item"))
        item = Operand("value", name, atom.form.datatype)
        self.clauses.append(Clause("UNWIND", (f"{opened(atom.row)}{place} AS {name}{closed(atom.row)}",)))
        if known is None:
            self.bound[variable] = item
        else:
            self.where(atom.row, self._comparer.same_term(known, item))

    def _name_constant(self, term: Term) -> None:
        assert isinstance(term, IRI | Parameter)
        text = self._key_of(term)
        name = self.context.fresh("c")
        label = self.context.layout.node_label
        base = f":{quote_name(label)}" if label else ""
        self._match(None, f"({name}{base} {{{quote_name(self.context.layout.key)}: {text}}})")
        self.constants[text] = name

    def _node_name(self, term: Term) -> str:
        if isinstance(term, Variable):
            return self.bound[term].text
        assert isinstance(term, IRI | Parameter)
        return self.constants[self._key_of(term)]

    def where(self, row: str | None, condition: str) -> None:
        """Add a condition to what was written last."""
        if condition == "true":
            return
        text = opened(row) + condition + closed(row)
        if self.inside:
            self.conditions.append(text)
            return
        if not self.clauses or self.clauses[-1].keyword not in _TAKES_WHERE:
            start = "*" if self.clauses else "1 AS one"
            self.clauses.append(Clause("WITH", (start,)))
        last = self.clauses[-1]
        self.clauses[-1] = evolve(last, where=(*last.where, text))

    def _same(self, row: str, left: Term, right: Term) -> bool:
        one, other = (self._operand_of(term) for term in (left, right))
        if one is not None and other is not None:
            self.where(row, self._comparer.same_term(one, other))
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
        self._current = row.id
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
            self.where(row.id, f"coalesce({self._comparer.same_term(known, value)}, true)")
        return True

    # --- inline values --------------------------------------------------------------------------------------------

    def _values(self, row: Row, values: Values) -> None:
        if not values.lines:
            raise Impossible
        columns = [[line[place] for line in values.lines] for place in range(len(values.variables))]
        kinds = [_column_kind([cell for cell in column if cell is not None]) for column in columns]
        sent = [
            self._column([cell for cell in column if cell is not None], kind)
            for column, kind in zip(columns, kinds, strict=True)
        ]
        add = self.context.bag.add
        name = self.context.fresh("value") if len(columns) == 1 else self.context.fresh("line")
        if len(columns) == 1:
            self._unwind(row, f"{add(sent[0])} AS {name}")
            places = [name]
        else:
            # the places as a parameter: one library takes two `UNWIND range(…)` for a query without end
            neo4j = self.context.dialect.name == "neo4j"
            start, count = (0 if neo4j else 1), len(values.lines)
            listed = f"range(0, {count - 1})" if neo4j else add(list(range(start, count + start)))
            self._unwind(row, f"{listed} AS {name}")
            places = [quote_name(self.context.fresh("value")) for _ in columns]
            items = tuple(f"{add(one)}[{name}] AS {place}" for one, place in zip(sent, places, strict=True))
            carried = ("*",) if len(self.clauses) > 1 else ()
            self.clauses.append(Clause("WITH", (*carried, *items)))
        for variable, place, kind in zip(values.variables, places, kinds, strict=True):
            self._value_variable(row, variable, place, kind)

    def _unwind(self, row: Row, text: str) -> None:
        if self.inside:
            raise named(fail("UQ500", "inline values cannot stand inside a block in Cypher"), row)
        self.clauses.append(Clause("UNWIND", (opened(row.id) + text + closed(row.id),)))

    def _column(self, cells: list[GroundTerm], kind: str) -> list[ParameterValue]:
        if kind == "iri" and not self.context.layout.lossless:
            return [self.context.layout.key_value(one.value) if isinstance(one, IRI) else encode(one) for one in cells]
        if kind in ("iri", "term"):
            return [encode(one) for one in cells]
        return [_plain(one) for one in cells]

    def _value_variable(self, row: Row, variable: Variable, place: str, kind: str) -> None:
        operand = Operand(kind, place) if kind in ("iri", "term") else Operand("value", place, kind)
        known = self.bound.get(variable)
        if known is None:
            self.bound[variable] = operand
        else:
            self.where(row.id, self._comparer.same_term(known, operand))

    # --- residue --------------------------------------------------------------------------------------------------

    def _residue(self, atoms: Conjunction, waiting: list[Atom]) -> None:
        later = [one for one in atoms if isinstance(one, ResidueAtom) and not isinstance(one.row.atom, Values | Bind)]
        for one in later:
            if isinstance(one.row.atom, OptionalBlock):
                self._in_named_row(one.row, self._optional)
                waiting = self._settle(waiting)
        self._late_conditions(waiting)
        for one in later:
            if isinstance(one.row.atom, NotBlock):
                self._in_named_row(one.row, self._not)
            elif isinstance(one.row.atom, MinusBlock):
                self._in_named_row(one.row, self._minus)

    def _late_conditions(self, waiting: list[Atom]) -> None:
        """Conditions on variables that nothing binds: they mean an error, unless they ask for just that."""
        for atom in waiting:
            if not isinstance(atom, ConditionAtom):
                raise fail("UQ500", "a part of the table has nothing to hold on to: its ends are bound by no row")
            expression = atom.expression
            self._current = atom.row
            self.where(atom.row, self._in_row(atom, partial(self.expressions.condition, expression)))

    def _in_named_row(self, row: Row, write: Callable[[Row], None]) -> None:
        try:
            write(row)
        except DiagnosticError as error:
            raise named(error, row) from error

    def _not(self, row: Row) -> None:
        assert isinstance(row.atom, NotBlock)
        for text in self._block_texts(row.atom.rows):
            self.where(row.id, f"NOT {text}")

    def _minus(self, row: Row) -> None:
        assert isinstance(row.atom, MinusBlock)
        inner = visible_variables(row.atom.rows)
        shared = frozenset(inner) & self.bound.keys()
        if not shared:
            return
        loose = frozenset[Variable]().union(*(row_variables(one) for one in row.atom.rows)) - frozenset(inner)
        if loose or any(self.bound[one].nullable for one in shared):
            raise fail("UQ500", "this `minus` depends on variables that it does not bind; write `not` instead")
        for text in self._block_texts(row.atom.rows):
            self.where(row.id, f"NOT {text}")

    def exists(self, rows: tuple[Row, ...]) -> str:
        """A condition that is true where the rows have a solution, and false (never NULL) otherwise."""
        texts = self._block_texts(rows)
        if not texts:
            return "false"
        return texts[0] if len(texts) == 1 else "(" + " OR ".join(texts) + ")"

    def _block_texts(self, rows: Sequence[Row]) -> list[str]:
        nodes = frozenset(one for one, operand in self.bound.items() if operand.is_entity)
        found: list[str] = []
        for atoms in self.context.expander.conjunctions(rows, nodes):
            try:
                found.append(self._block_text(atoms))
            except Impossible:
                continue
        return found

    def _block(self, atoms: Conjunction) -> ConjunctionWriter:
        inner = ConjunctionWriter(self.context, dict(self.bound), inside=True, constants=dict(self.constants))
        inner.write(atoms)
        return inner

    def _block_text(self, atoms: Conjunction) -> str:
        inner = self._block(atoms)
        patterns = [item for clause in inner.clauses for item in clause.items]
        conditions = " AND ".join(inner.conditions)
        if not patterns:
            return f"coalesce({conditions}, false)" if conditions else "true"
        if self.context.dialect.several_matches_in_exists:
            body = " ".join(f"MATCH {one}" for one in patterns)
        else:
            body = f"MATCH {', '.join(patterns)}"
        return f"EXISTS {{ {body}{' WHERE ' + conditions if conditions else ''} }}"

    def _optional(self, row: Row) -> None:
        assert isinstance(row.atom, OptionalBlock)
        nodes = frozenset(one for one, operand in self.bound.items() if operand.is_entity)
        options = self.context.expander.conjunctions(row.atom.rows, nodes)
        possible: list[tuple[Conjunction, ConjunctionWriter]] = []
        for atoms in options:
            try:
                possible.append((atoms, self._block(atoms)))
            except Impossible:
                continue
        if len(possible) > 1:
            raise fail("UQ500", "an optional block with alternatives cannot be written in Cypher")
        if self.inside:
            raise fail("UQ500", "an optional block inside a block cannot be written in Cypher")
        if not possible:
            for variable in visible_variables(row.atom.rows):
                self.bound.setdefault(variable, NOTHING)
            return
        self._optional_block(row, possible[0][1])

    def _optional_block(self, row: Row, inner: ConjunctionWriter) -> None:
        new = {one: operand for one, operand in inner.bound.items() if one not in self.bound}
        patterns = [item for clause in inner.clauses for item in clause.items]
        if patterns:
            if self.context.expander.trails and _shares_a_type(patterns):
                raise fail("UQ500", "an optional block that uses one relationship type twice cannot be written here")
            text = opened(row.id) + ", ".join(patterns) + closed(row.id)
            self.clauses.append(Clause("OPTIONAL MATCH", (text,), tuple(inner.conditions)))
            # a value that does not hang on the nodes of the block has to go with the block
            for variable, operand in new.items():
                self.bound[variable] = evolve(operand, nullable=True)
            return
        tests = " AND ".join(one for one in inner.conditions)
        for variable, operand in new.items():
            # a property that is missing is NULL by itself
            single = [extract(one)[0] for one in inner.conditions] == [f"{operand.text} IS NOT NULL"]
            text = operand.text if single or not tests else f"CASE WHEN {tests} THEN {operand.text} END"
            self.bound[variable] = evolve(operand, text=opened(row.id) + text + closed(row.id), nullable=True)


class _ListInside(DiagnosticError):
    """A list property whose items have a name inside a block."""

    def __init__(self, atom: PropertyAtom, place: str, variable: Variable) -> None:
        super().__init__(fail("UQ500", f"?{variable.name} is an item of a list property inside a block").diagnostics)
        self.atom, self.place, self.variable = atom, place, variable


def _with_row_id(error: DiagnosticError, row: str) -> DiagnosticError:
    return DiagnosticError(
        one if one.message.startswith("row ") else evolve(one, message=f"row {inner_id(row)}: {one.message}")
        for one in error.diagnostics
    )


def _column_kind(cells: list[GroundTerm]) -> str:
    """`iri` for entities, a datatype where all are exact values of it, otherwise `term`."""
    if all(not isinstance(one, Literal) for one in cells):
        return "iri"
    datatypes = {one.datatype for one in cells if isinstance(one, Literal)}
    from uniqgen_ir.backends.cypher.values import PROPERTY_DATATYPES
    from uniqgen_ir.ir.vocabulary import XSD_DATE

    if len(datatypes) == 1 and all(isinstance(one, Literal) and _is_canonical(one) for one in cells):
        datatype = datatypes.pop()
        if datatype in PROPERTY_DATATYPES - {XSD_DATE}:
            return datatype
    return "term"


def _is_canonical(literal: Literal) -> bool:
    value = value_of(literal)
    return value is not None and literal_of(value) == literal and (not isinstance(value, int) or abs(value) < 2**63)


def _plain(term: GroundTerm) -> ParameterValue:
    value = value_of(term)
    assert isinstance(value, bool | int | str)
    return value


def _shares_a_type(patterns: list[str]) -> bool:
    types = [part.split("]")[0] for text in patterns for part in text.split("[:")[1:]]
    return len(types) != len(set(types))
