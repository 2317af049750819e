"""What a graph looks like, predicate by predicate, and how the embedded Cypher engines therefore lay it out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from attrs import asdict, define, field, frozen

from uniqgen_ir.backends.cypher.layout import EdgeForm, Form, LiteralForm, PropertyForm
from uniqgen_ir.backends.cypher.values import PROPERTY_DATATYPES, is_exact, literal_category, moment
from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.temporal import Temporal
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal
from uniqgen_ir.ir.values import literal_of, value_of
from uniqgen_ir.ir.vocabulary import XSD_DATE

_CELLS: Final = 200_000
"""Property columns hold a place for every node; beyond so many places only dense predicates get one."""
_DENSE: Final = 0.25


@define
class PredicateUse:
    """What was seen of one predicate."""

    edges: list[tuple[str, str]] = field(factory=list[tuple[str, str]])
    literals: dict[str, dict[Literal, None]] = field(factory=dict[str, "dict[Literal, None]"])

    def add(self, subject: str, object_: GroundTerm, key: str) -> None:
        if isinstance(object_, Literal):
            self.literals.setdefault(subject, {})[object_] = None
        else:
            self.edges.append((subject, key))


@frozen
class Catalogue:
    """The layout of a built store: a `Layout`. Classes are nodes, the key holds the whole IRI."""

    predicates: dict[str, tuple[Form, ...]]
    node_label: str | None = "Node"
    key: str = "id"
    lossless: bool = True

    def key_value(self, iri: str) -> str:
        return iri

    def class_label(self, iri: str) -> str | None:
        del iri
        return None

    def forms(self, predicate: str) -> tuple[Form, ...] | None:
        return self.predicates.get(predicate, ())

    def plain_type(self, predicate: str) -> str | None:
        match self.predicates.get(predicate):
            case (EdgeForm(type_, False),):
                return type_
            case _:
                return None

    def mediator_type(self, iri: str) -> str | None:
        del iri
        return None

    def mediator_end(self, predicate: str) -> tuple[str, tuple[str, ...]] | None:
        del predicate
        return None

    def mediator_property(self, predicate: str) -> str | None:
        del predicate
        return None

    def guess(self, predicate: str, form: str) -> Form:
        raise KeyError(f"{predicate} as {form}: nothing is guessed over a known graph")

    def save(self, path: Path) -> None:
        """Write the catalogue as JSON."""
        written = {name: [_form_json(form) for form in forms] for name, forms in self.predicates.items()}
        path.write_text(json.dumps(written), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Catalogue:
        """The catalogue in a file of `save`."""
        written: dict[str, list[dict[str, Any]]] = json.loads(path.read_text(encoding="utf-8"))
        return cls({name: tuple(_form_of(one) for one in forms) for name, forms in written.items()})


def _form_json(form: Form) -> dict[str, Any]:
    plain: dict[str, Any] = {"form": type(form).__name__, **asdict(form)}
    if isinstance(form, LiteralForm):
        plain.update(categories=sorted(form.categories), clocks=sorted(form.clocks))
    return plain


def _form_of(written: dict[str, Any]) -> Form:
    kind = written["form"]
    if kind == "EdgeForm":
        return EdgeForm(written["type"])
    if kind == "PropertyForm":
        return PropertyForm(written["name"], written["datatype"], written["many"])
    categories, clocks = frozenset[str](written["categories"]), frozenset[str](written["clocks"])
    return LiteralForm(written["type"], categories, written["exact"], clocks)


def survey(facts: Iterable[Fact], encode: Any) -> tuple[dict[str, None], dict[str, PredicateUse]]:
    """The keys of all nodes, and the use of every predicate, repeated facts counted once."""
    nodes: dict[str, None] = {}
    uses: dict[str, PredicateUse] = {}
    seen: set[tuple[str, str, str]] = set()
    for subject, predicate, object_ in facts:
        start = encode(subject)
        nodes[start] = None
        end = ""
        if not isinstance(object_, Literal):
            end = encode(object_)
            nodes[end] = None
            fact = (start, predicate.value, end)
            if fact in seen:
                continue
            seen.add(fact)
        uses.setdefault(predicate.value, PredicateUse()).add(start, object_, end)
    return nodes, uses


def column_datatype(use: PredicateUse) -> str | None:
    """The one datatype whose column holds all literals of the predicate exactly, if there is one."""
    datatypes = {literal.datatype for literals in use.literals.values() for literal in literals}
    if len(datatypes) != 1 or not datatypes <= PROPERTY_DATATYPES:
        return None
    datatype = next(iter(datatypes))
    every = (literal for literals in use.literals.values() for literal in literals)
    return datatype if all(_fits(literal) for literal in every) else None


def _fits(literal: Literal) -> bool:
    value = value_of(literal)
    if value is None or literal_of(value) != literal or not is_exact(literal):
        return False
    if literal.datatype == XSD_DATE:
        return isinstance(value, Temporal) and value.zone is None and 1 <= (value.year or 0) <= 9999
    return "\0" not in literal.lexical and (not isinstance(value, int) or abs(value) < 2**63)


def plan(nodes: int, uses: dict[str, PredicateUse], *, ascii_names: bool = False) -> dict[str, tuple[Form, ...]]:
    """The forms of every predicate. Names are numbered: tables and columns know no case, IRIs do.

    `ascii_names`: of letters, digits and underscores only, for an engine that reads some names in backticks wrongly.
    """
    taken: set[str] = set()
    forms: dict[str, tuple[Form, ...]] = {}
    left = _CELLS
    for predicate, use in sorted(uses.items(), key=lambda one: (-len(one[1].literals), one[0])):
        found: list[Form] = []
        name = _name(predicate, taken, ascii_names)
        if use.edges:
            found.append(EdgeForm(name))
        if use.literals:
            datatype = column_datatype(use)
            if datatype is not None and (nodes <= left or len(use.literals) >= nodes * _DENSE):
                left -= nodes
                listed = any(len(literals) > 1 for literals in use.literals.values())
                found.append(PropertyForm(name, datatype, listed))
            else:
                found.append(_literal_form(use, f"{name}{'_' if ascii_names else ' '}value" if use.edges else name))
        forms[predicate] = tuple(found)
    return forms


def _name(predicate: str, taken: set[str], ascii_names: bool) -> str:
    """A readable table name: the local part, numbered where another predicate has it already. The catalogue keeps which
    name stands for which predicate, so nothing is lost."""
    local = predicate.rstrip("#/:").replace("#", "/").replace(":", "/").rsplit("/", 1)[-1].replace("\0", "") or "p"
    # COPY takes what stands before a dot for the name of a database, even inside backticks
    plain = local.replace(".", "_").replace("\\", "_")
    stem = "".join(one for one in plain if one >= " " and not "\ud800" <= one <= "\udfff") or "p"
    if ascii_names:
        stem = re.sub(r"[^0-9A-Za-z_]", "_", stem)
    between = "_" if ascii_names else " "
    name, number = stem, 2
    while {name.casefold(), f"{name}{between}value".casefold()} & (taken | _BUILT_IN):
        name, number = f"{stem}{between}{number}", number + 1
    taken |= {name.casefold(), f"{name}{between}value".casefold()}
    return name


_BUILT_IN: Final = frozenset({"node", "literal", "id", "_id", "_label", "title", "type"})


def _literal_form(use: PredicateUse, name: str) -> LiteralForm:
    every = {literal for literals in use.literals.values() for literal in literals}
    values = [value_of(literal) for literal in every]
    return LiteralForm(
        name,
        frozenset(literal_category(literal) for literal in every),
        all(is_exact(literal) for literal in every),
        frozenset(moment(value)[0] for value in values if isinstance(value, Temporal)),
    )


__all__ = ["IRI", "BlankNode", "Catalogue", "PredicateUse", "column_datatype", "plan", "survey"]
