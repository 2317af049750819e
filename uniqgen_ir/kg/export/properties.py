"""The properties of nodes, or of relationships: their names, which hold lists, and their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from attrs import frozen

from uniqgen_ir.ir.diagnostics import DiagnosticError, fail
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.kg.export.spool import Subject, Use
from uniqgen_ir.kg.export.values import Value, kind_of, native, text_of

Property: TypeAlias = "Value | list[Value]"


@frozen
class Properties:
    """`names` by predicate; `lists` are the names that hold a list wherever they stand, if anywhere."""

    names: dict[str, str]
    lists: frozenset[str]

    @classmethod
    def of(cls, uses: Sequence[Use], named: Callable[[str], tuple[str, bool]], key: str | None = None) -> Properties:
        """Those of the predicates in use; `named` gives a name and whether it always holds a list.

        Raises DiagnosticError (UQ684) where two predicates, or one and the key, have one name.
        """
        names = {one.predicate: named(one.predicate)[0] for one in uses if one.most_literals}
        refuse_clashes("property", [*names.items(), *([("the key of nodes", key)] if key else [])])
        lists = (
            names[one.predicate]
            for one in uses
            if one.most_literals > 1 or (one.most_literals and named(one.predicate)[1])
        )
        return cls(names, frozenset(lists))

    def values(self, literals: Iterable[tuple[str, Literal]]) -> dict[str, Property]:
        """The properties that these facts make."""
        found: dict[str, dict[tuple[str, Value], None]] = {}
        for predicate, literal in literals:
            value = native(literal)
            # with the kind, because `1` equals `True` in Python
            found.setdefault(self.names[predicate], {})[kind_of(value), value] = None
        return {
            name: _alike(list(values)) if name in self.lists else next(iter(values))[1]
            for name, values in found.items()
        }

    def columns(self, subjects: Iterable[Subject]) -> dict[str, str]:
        """The kind of each property, by reading all subjects: `string` where values are of several kinds."""
        kinds: dict[str, str] = dict.fromkeys(self.names.values(), "")
        for subject in subjects:
            for predicate, literal in subject.literals:
                name, kind = self.names[predicate], kind_of(native(literal))
                kinds[name] = kind if kinds[name] in ("", kind) else "string"
        return kinds


def _alike(values: list[tuple[str, Value]]) -> list[Value]:
    """Lists hold values of one kind: others become texts."""
    same = len({kind for kind, _ in values}) == 1
    return [value if same else text_of(value) for _, value in values]


def refuse_clashes(what: str, named: Iterable[tuple[str, str]]) -> None:
    """Raise DiagnosticError (UQ684) where two of these pairs of a thing and its name share the name."""
    owners: dict[str, str] = {}
    for iri, name in named:
        if owners.setdefault(name, iri) != iri:
            raise clash(what, name, owners[name], iri)


def clash(what: str, name: str, one: str, other: str) -> DiagnosticError:
    """What to raise where two things would have one name."""
    return fail(
        "UQ684",
        f"{one} and {other} would both be the {what} {name}",
        hint="give one of them another name in a mapping: --mapping FILE",
    )
