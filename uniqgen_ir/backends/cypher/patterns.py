"""Relationships and literals' edges as MATCH clauses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import evolve

from uniqgen_ir.backends.cypher.atoms import Atom, Conjunction, EdgeAtom, LiteralAtom
from uniqgen_ir.backends.cypher.clauses import Clause
from uniqgen_ir.backends.cypher.meeting import may_meet
from uniqgen_ir.backends.cypher.nodes import node_pattern, write_lone_nodes
from uniqgen_ir.backends.cypher.operands import Operand
from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.backends.cypher.values import encode
from uniqgen_ir.backends.marks import closed, opened
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.terms import Literal, Variable
from uniqgen_ir.ir.vocabulary import PG_RELATIONSHIP, PG_TYPE

if TYPE_CHECKING:
    from uniqgen_ir.backends.cypher.conjunction import ConjunctionWriter


def write_patterns(writer: ConjunctionWriter, atoms: Conjunction, waiting: list[Atom]) -> list[Atom]:
    """Write every relationship, connected ones next to each other, and what can be settled in between.

    Returns the atoms that still wait.
    """
    patterns = [one for one in atoms if isinstance(one, EdgeAtom | LiteralAtom)]
    while patterns:
        chosen = _next(writer, patterns)
        together = isinstance(chosen, EdgeAtom) and chosen.apart is not None and writer.context.dialect.different
        if together and isinstance(chosen, EdgeAtom):
            group = [one for one in patterns if isinstance(one, EdgeAtom) and one.apart == chosen.apart]
            patterns = [one for one in patterns if one not in group]
            _write_together(writer, group)
        else:
            patterns.remove(chosen)
            _write_alone(writer, chosen)
        waiting = writer.settle(waiting)
    return waiting


def _next(writer: ConjunctionWriter, patterns: Sequence[EdgeAtom | LiteralAtom]) -> EdgeAtom | LiteralAtom:
    return next((one for one in patterns if _touches(writer, one)), patterns[0])


def _touches(writer: ConjunctionWriter, atom: EdgeAtom | LiteralAtom) -> bool:
    return any(isinstance(end, Variable) and end in writer.bound for end in (atom.subject, atom.object))


def _write_together(writer: ConjunctionWriter, group: list[EdgeAtom]) -> None:
    """One MATCH, whose patterns bind different relationships."""
    texts: list[str] = []
    while group:
        chosen = _next(writer, group)
        assert isinstance(chosen, EdgeAtom)
        group.remove(chosen)
        texts.append(opened(chosen.row) + _edge_pattern(writer, chosen) + closed(chosen.row))
    writer.clauses.append(Clause(writer.context.dialect.match_apart, tuple(texts)))
    _write_later(writer)


def _write_alone(writer: ConjunctionWriter, atom: EdgeAtom | LiteralAtom) -> None:
    if isinstance(atom, LiteralAtom):
        start = node_pattern(writer, atom.subject)
        end, extra = _literal_end(writer, atom)
        writer.match(atom.row, f"{start}-[:{quote_name(atom.form.type)}]->{end}")
        for condition in extra:
            writer.where(atom.row, condition)
        return
    before = list(writer.edges)
    writer.match(atom.row, _edge_pattern(writer, atom))
    _write_later(writer)
    _keep_apart(writer, before)
    if atom.once:
        _once(writer)


def _edge_pattern(writer: ConjunctionWriter, atom: EdgeAtom) -> str:
    dialect = writer.context.dialect
    start, end = node_pattern(writer, atom.subject), node_pattern(writer, atom.object)
    types = "|".join(quote_name(one) for one in atom.types)
    name = _relationship_name(writer, atom)
    hops = quantifier = ""
    if (atom.low, atom.high) != (1, 1):
        hops = dialect.hops.format(low=atom.low, high=atom.high)
        quantifier = dialect.quantifier.format(low=atom.low, high=atom.high)
    edge = f"[{name}{':' if types else ''}{types}{hops}]"
    writer.edges.append(atom)
    if atom.undirected:
        return f"{start}-{edge}-{quantifier}{end}"
    return f"{start}<-{edge}-{quantifier}{end}" if atom.reverse else f"{start}-{edge}->{quantifier}{end}"


def _relationship_name(writer: ConjunctionWriter, atom: EdgeAtom) -> str:
    """The name of a relationship that something speaks of; otherwise empty."""
    context = writer.context
    variable = atom.thing or atom.kind
    apart = atom.apart is not None and not context.dialect.different
    single = (atom.low, atom.high) == (1, 1)
    if not single or (variable is None and not apart and not context.dialect.named_relationships):
        return ""
    known = atom.thing is not None and atom.thing in writer.bound
    name = context.name(atom.thing) if atom.thing is not None and not known else quote_name(context.fresh("r"))
    if atom.thing is not None:
        _bind(writer, atom, atom.thing, Operand("edge", name))
    if atom.kind is not None:
        space = PG_TYPE if atom.thing is None else PG_RELATIONSHIP
        _bind(writer, atom, atom.kind, Operand("type", name, space=space))
    writer.relationship_names[atom] = name
    return name


def _write_later(writer: ConjunctionWriter) -> None:
    """Conditions on names that the pattern just written binds."""
    for row, condition in writer.later:
        writer.where(row, condition)
    writer.later.clear()


def _bind(writer: ConjunctionWriter, atom: EdgeAtom, variable: Variable, operand: Operand) -> None:
    """Let the variable stand for a relationship or its type; one that is bound already has to be the same."""
    known = writer.bound.get(variable)
    if known is None:
        writer.bound[variable] = operand
    else:
        writer.later.append((atom.row, writer.comparer.same_term(known, operand)))


def _keep_apart(writer: ConjunctionWriter, before: Sequence[EdgeAtom]) -> None:
    """Conditions for a relationship that must not be one written before it."""
    new = writer.edges[-1]
    if new.apart is None or writer.context.dialect.different:
        return
    identity = writer.context.dialect.identity
    for one in before:
        if one.apart == new.apart and may_meet(one, new) and (one.low, one.high) == (new.low, new.high) == (1, 1):
            names = (writer.relationship_names[new], writer.relationship_names[one])
            writer.where(new.row, " <> ".join(identity.format(name) for name in names))


def _once(writer: ConjunctionWriter) -> None:
    """Every solution so far only once."""
    if writer.inside:
        return
    carried = {one.text: None for one in writer.bound.values() if one.kind in ("node", "edge", "literal")}
    for variable, operand in writer.bound.items():
        if operand.kind in ("value", "iri", "term") and operand.text not in carried and "$" not in operand.text:
            name = operand.text if operand.text.isidentifier() else quote_name(writer.context.fresh("kept"))
            carried[name if name == operand.text else f"{operand.text} AS {name}"] = None
            writer.bound[variable] = evolve(operand, text=name)
    writer.constants.clear()
    writer.clauses.append(Clause("WITH DISTINCT", tuple(carried)))


def _literal_end(writer: ConjunctionWriter, atom: LiteralAtom) -> tuple[str, list[str]]:
    term, form = atom.object, atom.form
    if isinstance(term, Literal):
        return f"(:Literal {{id: {writer.context.bag.add(encode(term))}}})", []
    if not isinstance(term, Variable):
        raise fail("UQ500", "a parameter cannot stand for a literal here")
    operand = Operand("literal", "", categories=form.categories, exact=form.exact, clocks=form.clocks)
    known = writer.bound.get(term)
    if known is None:
        writer.bound[term] = evolve(operand, text=writer.context.name(term))
        return f"({writer.context.name(term)}:Literal)", []
    if known.kind == "literal":
        # what the variable may be is what both places allow
        both = known.categories & form.categories
        writer.bound[term] = evolve(known, categories=both, exact=known.exact and form.exact)
        return f"({known.text})", []
    other = evolve(operand, text=quote_name(writer.context.fresh("literal")))
    if known.kind == "term" and not known.nullable:
        writer.bound[term] = other
        return f"({other.text}:Literal {{id: {known.text}}})", []
    return f"({other.text}:Literal)", [writer.comparer.same_term(known, other)]


__all__ = ["write_lone_nodes", "write_patterns"]
