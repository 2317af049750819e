"""Evidence from the atoms that match the graph: triples, type atoms, paths, inline values."""

from __future__ import annotations

from collections.abc import Iterable

from uniqgen_ir.ir.inference.evidence import Clash, Evidence
from uniqgen_ir.ir.inference.paths import Joint, joints, path_ends, path_predicates, predicate_ends
from uniqgen_ir.ir.inference.scope import Scope, unrelated
from uniqgen_ir.ir.paths import Path
from uniqgen_ir.ir.rows import PathAtom, Row, Triple, TypeAtom, Values
from uniqgen_ir.ir.schema_index import EVERYTHING
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.types import ANY, NODE, NUMBER, LiteralType, NodeType, Type, derives, meet, union
from uniqgen_ir.ir.vocabulary import RDF_TYPE


def add_triple(scope: Scope, row: Row, atom: Triple) -> None:
    """Rules subject-is-node, predicate-is-node, subject-from-domain, object-from-range."""
    if not isinstance(atom.predicate, IRI):
        _stand(scope, row, atom.subject, NODE, "subject-is-node", None)
        scope.add(Evidence(atom.predicate, NODE, "predicate-is-node", row))
        return
    if atom.predicate.value == RDF_TYPE and not isinstance(atom.object, Literal):
        add_type(scope, row, TypeAtom(atom.subject, atom.object))
        return
    start, end = predicate_ends(atom.predicate, scope.index)
    rule = "subject-is-node" if start == NODE else "subject-from-domain"
    _stand(scope, row, atom.subject, start, rule, atom.predicate)
    if end != ANY:
        _stand(scope, row, atom.object, end, "object-from-range", atom.predicate)


def add_type(scope: Scope, row: Row, atom: TypeAtom) -> None:
    """Rule class-atom."""
    known = isinstance(atom.type, IRI) and atom.type not in EVERYTHING
    type_ = NodeType(frozenset({atom.type})) if known and isinstance(atom.type, IRI) else NODE
    _stand(scope, row, atom.subject, type_, "class-atom", atom.type)
    if not isinstance(atom.type, IRI):
        scope.add(Evidence(atom.type, NODE, "predicate-is-node", row))


def add_path(scope: Scope, row: Row, atom: PathAtom) -> None:
    """Rules path-ends and path-joint."""
    start, end = path_ends(atom.path, scope.index)
    _stand(scope, row, atom.subject, start, "path-ends", None)
    _stand(scope, row, atom.object, end, "path-ends", None)
    for joint in joints(atom.path, scope.index):
        _check_joint(scope, row, joint)


def _check_joint(scope: Scope, row: Row, joint: Joint) -> None:
    impossible = meet(joint.arriving, joint.leaving, scope.never_both) is None
    if impossible or unrelated(joint.arriving, joint.leaving, scope.index):
        place = _first_predicate(joint.second)
        scope.clash(
            Clash(
                "path-joint",
                row,
                joint.arriving,
                joint.leaving,
                place or IRI(RDF_TYPE),
                joint.first,
                contradiction=impossible and joint.certain,
            )
        )


def _first_predicate(path: Path) -> IRI | None:
    return next(path_predicates(path), None)


def add_values(scope: Scope, row: Row, atom: Values) -> None:
    """Rule values-column: a variable is one of what its column lists."""
    for place, variable in enumerate(atom.variables):
        cells = [line[place] for line in atom.lines]
        if cells and None not in cells:
            type_ = union(ground_type(cell) for cell in cells if cell is not None)
            scope.add(Evidence(variable, type_, "values-column", row))


def ground_type(term: GroundTerm) -> Type:
    """The type of one term of a graph: nodes are of no known class."""
    return LiteralType(frozenset({term.datatype})) if isinstance(term, Literal) else NODE


def _stand(
    scope: Scope, row: Row, term: Term, type_: Type, rule: str, about: IRI | Variable | Parameter | None
) -> None:
    """The term stands where only terms of the type can."""
    if not isinstance(term, Literal):
        scope.add(Evidence(term, type_, rule, row, about))
        return
    found = ground_type(term)
    wider = isinstance(type_, LiteralType) and _only_numbers((found, type_)) and not _among(term, type_)
    if wider or meet(found, type_, scope.never_both) is None:
        scope.clash(Clash(rule, row, found, type_, term, about, contradiction=not _only_numbers((found, type_))))


def _among(literal: Literal, type_: LiteralType) -> bool:
    return any(derives(literal.datatype, one) for one in type_.datatypes)


def _only_numbers(types: Iterable[Type]) -> bool:
    # engines that match by value find 5 where the graph has 5.0; engines that match by term do not
    return all(isinstance(one, LiteralType) and one.datatypes and one.datatypes <= NUMBER.datatypes for one in types)
