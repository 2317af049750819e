"""Where the body of a rule holds among facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from uniqgen_ir.ir.terms import Term, Variable
from uniqgen_ir.passes.saturate.patterns import Pattern

Binding: TypeAlias = dict[Variable, Term]
FactsOf: TypeAlias = Callable[[Pattern, Binding], Iterable[Pattern]]
"""The facts that a pattern could match under a binding."""


def matches(body: tuple[Pattern, ...], binding: Binding, facts_of: FactsOf) -> Iterator[Binding]:
    """Every way to bind the variables of the body so that each pattern is a fact."""
    if not body:
        yield binding
        return
    # the pattern with most of its places known first
    first = max(range(len(body)), key=lambda place: sum(_known(term, binding) for term in body[place]))
    rest = body[:first] + body[first + 1 :]
    for fact in tuple(facts_of(body[first], binding)):
        found = _bound(body[first], fact, binding)
        if found is not None:
            yield from matches(rest, found, facts_of)


def _known(term: Term, binding: Binding) -> bool:
    return not isinstance(term, Variable) or term in binding


def _bound(pattern: Pattern, fact: Pattern, binding: Binding) -> Binding | None:
    found = binding
    for term, value in zip(pattern, fact, strict=True):
        if not isinstance(term, Variable):
            if term != value:
                return None
        elif term not in found:
            found = {**found, term: value}
        elif found[term] != value:
            return None
    return found
