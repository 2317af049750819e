"""Properties that do not stand inside the pattern of their node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uniqgen_ir.backends.cypher.atoms import Conjunction, PropertyAtom
from uniqgen_ir.backends.cypher.clauses import Clause, Impossible
from uniqgen_ir.backends.cypher.layout import PropertyForm
from uniqgen_ir.backends.cypher.nodes import is_known, name_constant, node_name, node_pattern, property_constant
from uniqgen_ir.backends.cypher.operands import Operand
from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.backends.marks import closed, opened
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.terms import Literal, Parameter, Variable

if TYPE_CHECKING:
    from uniqgen_ir.backends.cypher.conjunction import ConjunctionWriter


def write_property(writer: ConjunctionWriter, atom: PropertyAtom) -> bool:
    """Write the property if its subject is known by now; returns whether it is."""
    if not is_known(writer, atom.subject):
        if isinstance(atom.subject, Variable):
            known = writer.bound.get(atom.subject)
            if known is None or known.kind in ("node", "edge"):
                return False
            writer.match(None, node_pattern(writer, atom.subject))
        else:
            name_constant(writer, atom.subject)
    place = f"{node_name(writer, atom.subject)}.{quote_name(atom.form.name)}"
    if isinstance(atom.object, Literal):
        writer.current = atom.row
        value = property_constant(writer, atom.form, atom.object)
        writer.where(atom.row, _holds_constant(writer, atom.form, place, value))
    elif isinstance(atom.object, Parameter):
        writer.where(atom.row, _holds_constant(writer, atom.form, place, writer.context.bag.user(atom.object.name)))
    else:
        assert isinstance(atom.object, Variable)
        _property_variable(writer, atom, place, atom.object)
    return True


def _holds_constant(writer: ConjunctionWriter, form: PropertyForm, place: str, value: str) -> str:
    if form.many:
        return writer.context.dialect.contains_in_list.format(item=value, list=place)
    return f"{place} = {value}"


def _property_variable(writer: ConjunctionWriter, atom: PropertyAtom, place: str, variable: Variable) -> None:
    known = writer.bound.get(variable)
    value = Operand("value", place, atom.form.datatype)
    if atom.form.many:
        _list_property(writer, atom, place, variable, known)
    elif known is None:
        writer.bound[variable] = value
        writer.where(atom.row, f"{place} IS NOT NULL")
    else:
        writer.where(atom.row, writer.comparer.same_term(known, value))


def _list_property(
    writer: ConjunctionWriter, atom: PropertyAtom, place: str, variable: Variable, known: Operand | None
) -> None:
    if known is not None:
        if known.kind == "value" and known.datatype == atom.form.datatype:
            writer.where(atom.row, writer.context.dialect.contains_in_list.format(item=known.text, list=place))
            return
        if known.kind == "value" and writer.context.layout.lossless:
            raise Impossible
        if writer.inside:
            raise fail("UQ500", "a list property cannot be joined with other forms inside a block")
    if writer.inside:
        raise fail("UQ500", f"?{variable.name} is an item of a list property inside a block")
    name = writer.context.name(variable) if known is None else quote_name(writer.context.fresh("item"))
    item = Operand("value", name, atom.form.datatype)
    writer.clauses.append(Clause("UNWIND", (opened(atom.row) + place, name + closed(atom.row))))
    if known is None:
        writer.bound[variable] = item
    else:
        writer.where(atom.row, writer.comparer.same_term(known, item))


def write_optional_items(writer: ConjunctionWriter, row: str, atoms: Conjunction) -> bool:
    """Write `optional { ?node tags ?tag }` over a list property, NULL where it has no items.

    Returns whether the atoms are just that.
    """
    if len(atoms) != 1 or writer.inside:
        return False
    atom = atoms[0]
    if not isinstance(atom, PropertyAtom) or not atom.form.many or not isinstance(atom.object, Variable):
        return False
    if atom.object in writer.bound or not isinstance(atom.subject, Variable) or not is_known(writer, atom.subject):
        return False
    dialect = writer.context.dialect
    place = f"{node_name(writer, atom.subject)}.{quote_name(atom.form.name)}"
    name = writer.context.name(atom.object)
    nothing = dialect.nothing_of(atom.form.datatype)
    items = f"CASE WHEN {dialect.functions['length']}({place}) > 0 THEN {place} ELSE [{nothing}] END"
    writer.clauses.append(Clause("UNWIND", (opened(row) + items, name + closed(row))))
    writer.bound[atom.object] = Operand("value", name, atom.form.datatype, nullable=True)
    return True
