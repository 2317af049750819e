"""Nodes that are written as relationships: those that stand for the relationships of a property graph (`urn:pg:`), and
the mediators of a mapping."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from attrs import field, frozen

from uniqgen_ir.ir.diagnostics import DiagnosticError, fail
from uniqgen_ir.kg.export.properties import Properties, Property
from uniqgen_ir.kg.export.spool import Spool, Subject


class ThingForm(Protocol):
    """How the nodes of a class are written as relationships."""

    @property
    def type(self) -> str: ...

    @property
    def source(self) -> str | None:
        """The predicate that leads to the start; None where the mapping does not say."""
        ...

    @property
    def target(self) -> str | None: ...

    @property
    def plain(self) -> str | None:
        """A predicate whose facts from start to end say the same once more; None where there is none."""
        ...


@frozen
class Relationship:
    """A relationship between two nodes, given by their keys."""

    start: str
    type: str
    end: str
    properties: dict[str, Property] = field(factory=dict[str, Property])


class Things:
    """The nodes of a spool that are relationships; they are set apart in it.

    Raises DiagnosticError (UQ686) where one cannot be written as a relationship without losing a fact.
    """

    def __init__(
        self,
        spool: Spool,
        form_of: Callable[[str], ThingForm | None],
        named: Callable[[str], tuple[str, bool]],
        key_of: Callable[[str], str],
    ) -> None:
        self._spool = spool
        self._key_of = key_of
        found = ((one, form_of(one)) for one in spool.classes())
        self._forms = {one: form for one, form in found if form is not None}
        for class_, form in self._forms.items():
            if form.source is None or form.source == form.target or form.target is None:
                raise _unsaid(class_)
        if self._forms:
            spool.set_apart(self._forms)
        if any(form.plain for form in self._forms.values()):
            spool.leave_out(self._plain())
        self._refuse_other_uses()
        self.properties = Properties.of(spool.uses("apart"), named)

    @property
    def types(self) -> list[str]:
        """The relationship types."""
        return [form.type for form in self._forms.values()]

    def relationships(self) -> Iterator[Relationship]:
        """Every one."""
        for one in self._spool.apart():
            form, start, end = self._ends(one)
            properties = self.properties.values(one.literals)
            yield Relationship(self._key_of(start), form.type, self._key_of(end), properties)

    def columns(self) -> dict[str, str]:
        """The kind of each property; see `Properties.columns`."""
        return self.properties.columns(self._spool.apart())

    def _refuse_other_uses(self) -> None:
        """What leads to ends has no other name in a property graph: it can say nothing else there."""
        ends = {end for form in self._forms.values() for end in (form.source, form.target)}
        for use in (*self._spool.uses(), *self._spool.uses("apart")):
            if use.predicate in ends and use.most_literals:
                raise _other_use(use.predicate, "some of its facts hold a value, not a node")
        for use in self._spool.uses():
            if use.predicate in ends:
                raise _other_use(use.predicate, "not all that have it are relationships")

    def _plain(self) -> Iterator[tuple[str, str, str]]:
        for one in self._spool.apart():
            form, start, end = self._ends(one)
            if form.plain is not None:
                yield start, form.plain, end

    def _ends(self, one: Subject) -> tuple[ThingForm, str, str]:
        class_ = next(name for name in one.classes if name in self._forms)
        form = self._forms[class_]
        if len(one.classes) > 1:
            other = next(name for name in one.classes if name != class_)
            raise _lost(one, class_, f"it is a {other}, too")
        if one.mentioned:
            raise _lost(one, class_, "a fact leads to it")
        for predicate, object_ in one.links:
            if predicate not in (form.source, form.target):
                raise _lost(one, class_, f"its {predicate} leads to {object_}")
        start, end = (self._end(one, class_, name) for name in (form.source, form.target))
        return form, start, end

    def _end(self, one: Subject, class_: str, predicate: str | None) -> str:
        found = [end for name, end in one.links if name == predicate]
        if len(found) != 1:
            raise _lost(one, class_, f"it has {len(found) or 'no'} {predicate}, not one")
        return found[0]


def _other_use(predicate: str, why: str) -> DiagnosticError:
    return fail(
        "UQ686",
        f"{predicate} leads to an end of a relationship, but {why}",
        hint="export with a mapping that keeps its class as nodes, or as `nt`",
    )


def _unsaid(class_: str) -> DiagnosticError:
    return fail(
        "UQ686",
        f"instances of {class_} are relationships in this mapping, which does not say which predicates lead to their"
        " two ends",
        hint="name both: `edge ex:from -[:TYPE]-> ex:to`",
    )


def _lost(one: Subject, class_: str, why: str) -> DiagnosticError:
    return fail(
        "UQ686",
        f"{one.name} is a {class_}, which is written as a relationship, but {why}: that would be lost",
        hint="export with a mapping that keeps this class as nodes, or as `nt`",
    )
