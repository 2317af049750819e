"""Nodes in patterns: their names, labels, keys and constant properties."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from uniqgen_ir.backends.cypher.atoms import Atom, LabelAtom, PropertyAtom
from uniqgen_ir.backends.cypher.clauses import Impossible
from uniqgen_ir.backends.cypher.layout import PropertyForm
from uniqgen_ir.backends.cypher.operands import Operand
from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.backends.marks import closed, opened
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.terms import IRI, BlankNode, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.values import literal_of, value_of

if TYPE_CHECKING:
    from uniqgen_ir.backends.cypher.conjunction import ConjunctionWriter


def node_pattern(writer: ConjunctionWriter, term: Term) -> str:
    """The pattern of a node: its name, and at its first mention its labels and key. Raises Impossible for a literal."""
    base = _common_label(writer)
    if isinstance(term, Variable):
        return _variable_node(writer, term, base)
    if isinstance(term, Literal):
        raise Impossible
    text = _key_of(writer, term)
    if text in writer.constants:
        return f"({writer.constants[text]})"
    return f"({base} {{{_key_name(writer)}: {text}}})".replace("( {", "({")


def _common_label(writer: ConjunctionWriter) -> str:
    label = writer.context.layout.node_label
    return f":{quote_name(label)}" if label else ""


def _key_name(writer: ConjunctionWriter) -> str:
    key = writer.context.layout.key
    if key is None:
        raise fail("UQ506", "the nodes of this property graph have no key by which one could be named")
    return quote_name(key)


def _key_of(writer: ConjunctionWriter, term: IRI | BlankNode | Parameter) -> str:
    if isinstance(term, Parameter):
        return writer.context.bag.user(term.name)
    value = f"_:{term.label}" if isinstance(term, BlankNode) else writer.context.layout.key_value(term.value)
    return writer.context.bag.add(value)


def _variable_node(writer: ConjunctionWriter, variable: Variable, base: str) -> str:
    name, known = writer.context.name(variable), writer.bound.get(variable)
    if known is not None and known.kind == "node":
        return f"({known.text})"
    if known is not None and known.kind not in ("iri", "term"):
        if known.nullable:
            raise fail("UQ500", f"?{variable.name} is bound in an optional block and used elsewhere")
        raise Impossible
    labels = [one for one in writer.labels.pop(variable, []) if one.label]
    written = base + "".join(f"{opened(one.row)}:{quote_name(one.label)}{closed(one.row)}" for one in labels)
    properties = [_inline_property(writer, one) for one in writer.inlined.pop(variable, [])]
    if known is not None:
        properties.insert(0, f"{_key_name(writer)}: {known.text}")
        name = quote_name(writer.context.fresh("node"))
    writer.bound[variable] = Operand("node", name)
    body = f" {{{', '.join(properties)}}}" if properties else ""
    return f"({name}{written}{body})"


def _inline_property(writer: ConjunctionWriter, atom: PropertyAtom) -> str:
    assert isinstance(atom.object, Literal)
    writer.current = atom.row
    value = property_constant(writer, atom.form, atom.object)
    return f"{opened(atom.row)}{quote_name(atom.form.name)}: {value}{closed(atom.row)}"


def property_constant(writer: ConjunctionWriter, form: PropertyForm, literal: Literal) -> str:
    """The value that the property has exactly where the triple holds. Raises Impossible where there is none."""
    if form.datatype is not None:
        value = value_of(literal)
        if literal.datatype != form.datatype or value is None or literal_of(value) != literal:
            raise Impossible
    return writer.comparer.plain(writer.expressions.value(literal))


def write_lone_nodes(writer: ConjunctionWriter, atoms: Iterable[Atom]) -> None:
    """Nodes that stand in no relationship, and labels of nodes that were named before."""
    for one in atoms:
        if isinstance(one, LabelAtom | PropertyAtom) and not is_known(writer, one.subject):
            writer.match(one.row if isinstance(one, LabelAtom) else None, node_pattern(writer, one.subject))
    # by an outer block or by inline values
    for variable, labels in list(writer.labels.items()):
        for one in (each for each in labels if each.label):
            pattern = f"({writer.context.name(variable)}:{quote_name(one.label)})"
            writer.match(one.row, node_pattern(writer, variable) if variable not in writer.bound else pattern)
        writer.labels.pop(variable, None)


def is_known(writer: ConjunctionWriter, term: Term) -> bool:
    """Whether properties of the term can be written now."""
    if isinstance(term, Variable):
        return term in writer.bound and writer.bound[term].kind in ("node", "edge")
    return isinstance(term, IRI | Parameter) and _key_of(writer, term) in writer.constants


def name_constant(writer: ConjunctionWriter, term: Term) -> None:
    """Match the node of a constant and give it a name."""
    assert isinstance(term, IRI | Parameter)
    text, name = _key_of(writer, term), writer.context.fresh("c")
    writer.match(None, f"({name}{_common_label(writer)} {{{_key_name(writer)}: {text}}})")
    writer.constants[text] = name


def node_name(writer: ConjunctionWriter, term: Term) -> str:
    """The name under which a known term stands in the query."""
    if isinstance(term, Variable):
        return writer.bound[term].text
    assert isinstance(term, IRI | Parameter)
    return writer.constants[_key_of(writer, term)]
