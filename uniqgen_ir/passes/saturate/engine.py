"""The restricted chase on a set of patterns: apply rules until nothing new follows.

Terms of the patterns are values: variables and parameters stand for unknown ones. A tuple-generating rule is applied
only where its head does not hold yet; an equality merges two values, or, between two constants, is a conflict.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final, TypeAlias

from attrs import define, field, frozen

from uniqgen_ir.ir.suggestions import local_name
from uniqgen_ir.ir.terms import IRI, Literal, Parameter, Term, Variable
from uniqgen_ir.ir.visitor import fresh_variable
from uniqgen_ir.passes.saturate.dependencies import Dependencies, Rule
from uniqgen_ir.passes.saturate.history import Conflict, History, show_term
from uniqgen_ir.passes.saturate.matching import Binding, matches
from uniqgen_ir.passes.saturate.patterns import TYPE, Pattern, pattern_variables, replaced

_End: TypeAlias = tuple[Term, int, Term]
"""A predicate, 0 for the subject or 2 for the object, and what stands there."""

_LOOKS: Final = 200
"""Facts that are looked at for each step that is allowed."""


@frozen
class Derivation:
    """Why a pattern follows: the rule and the patterns that it was applied to."""

    rule: str
    premises: tuple[Pattern, ...]


@frozen
class Merge:
    """Two values that a rule makes one: `old` is replaced by `new`."""

    old: Variable
    new: Term
    rule: str
    premises: tuple[Pattern, ...]


@frozen
class Saturation:
    """What the chase found. `complete` False: the budget of steps ran out before nothing new followed."""

    patterns: tuple[Pattern, ...]
    derived: Mapping[Pattern, Derivation]
    merges: tuple[Merge, ...] = ()
    conflict: Conflict | None = None
    complete: bool = True
    history: History = field(factory=History, eq=False, repr=False)


def saturate_patterns(
    patterns: Iterable[Pattern],
    dependencies: Dependencies,
    *,
    shown: frozenset[Variable] = frozenset(),
    steps: int = 400,
    stem: str = "made",
) -> Saturation:
    """The patterns and all that follows, in at most `steps` applications of rules.

    `shown` are variables that keep their names where two are merged; new values are called `stem`, `stem_1`, ….
    """
    return _Chase(dict.fromkeys(patterns), dependencies, shown, steps, stem).run()


@define(slots=False)
class _Chase:
    facts: dict[Pattern, None]
    dependencies: Dependencies
    shown: frozenset[Variable]
    steps: int
    stem: str
    looks: int = field(init=False)
    """how many more facts are looked at: a rule may have many matches and add nothing"""
    derived: dict[Pattern, Derivation] = field(factory=dict[Pattern, Derivation], init=False)
    merges: list[Merge] = field(factory=list[Merge], init=False)
    conflict: Conflict | None = field(default=None, init=False)
    made: set[Variable] = field(factory=set[Variable], init=False)
    history: History = field(factory=History, init=False)
    by_predicate: dict[Term, dict[Pattern, None]] = field(factory=dict[Term, dict[Pattern, None]], init=False)
    by_end: dict[_End, dict[Pattern, None]] = field(factory=dict[_End, dict[Pattern, None]], init=False)

    def __attrs_post_init__(self) -> None:
        self.looks = _LOOKS * self.steps

    def run(self) -> Saturation:
        for fact in tuple(self.facts):
            self._add(fact)
            self.history.stands(fact)
        complete = True
        while complete and self.conflict is None and self._round():
            complete = self.steps > 0 and self.looks > 0
        if self.conflict is None:
            self.conflict = self._clash()
        return Saturation(tuple(self.facts), self.derived, tuple(self.merges), self.conflict, complete, self.history)

    def _round(self) -> bool:
        """Apply every rule wherever it applies; whether anything changed."""
        changed = False
        by_predicate = self.dependencies.by_predicate
        rules = [rule for predicate in tuple(self.by_predicate) for rule in by_predicate.get(_iri(predicate), ())]
        for rule in (*rules, *by_predicate.get(None, ())):
            if not all(self._facts_of(pattern, {}) for pattern in rule.body):
                continue
            self.looks -= sum(len(self._facts_of(pattern, {})) for pattern in rule.body)
            found, known = list(matches(rule.body, {}, self._facts_of)), len(self.merges)
            for binding in found:
                self.looks -= 1
                if self.steps <= 0 or self.looks <= 0 or self.conflict is not None:
                    return True
                changed |= self._applied(rule, self._current(binding, known))
        return changed

    def _current(self, binding: Binding, known: int) -> Binding:
        """The binding with the merges that came after it was found, all but the `known` ones."""
        for merge in self.merges[known:]:
            binding = {one: merge.new if term == merge.old else term for one, term in binding.items()}
        return binding

    def _facts_of(self, pattern: Pattern, binding: Binding) -> Collection[Pattern]:
        subject, predicate, object_ = pattern
        if isinstance(predicate, Variable):
            return self.facts
        for place, term in ((0, subject), (2, object_)):
            value = binding.get(term) if isinstance(term, Variable) else term
            if value is not None:
                return self.by_end.get((predicate, place, value), {})
        return self.by_predicate.get(predicate, {})

    def _applied(self, rule: Rule, binding: Binding) -> bool:
        premises = tuple(replaced(pattern, binding) for pattern in rule.body)
        if rule.equal is not None:
            return self._merged(rule, binding[rule.equal[0]], binding[rule.equal[1]], premises)
        if next(matches(rule.head, binding, self._facts_of), None) is not None:
            return False
        fresh = {variable: self._new() for variable in sorted(rule.existential, key=str)}
        added = False
        for pattern in rule.head:
            fact = replaced(pattern, {**binding, **fresh})
            # a literal has no properties and is of no class: on such a graph the rule asks for nothing
            if fact not in self.facts and not isinstance(fact[0], Literal):
                self._add(fact)
                self.history.stands(fact, rule.name, premises)
                self.derived[fact] = Derivation(rule.name, premises)
                added = True
        self.steps -= added
        return added

    def _add(self, fact: Pattern) -> None:
        self.facts[fact] = None
        self.by_predicate.setdefault(fact[1], {})[fact] = None
        for place in (0, 2):
            self.by_end.setdefault((fact[1], place, fact[place]), {})[fact] = None

    def _new(self) -> Variable:
        made = fresh_variable(self.stem, (*self.made, *pattern_variables(self.facts)))
        self.made.add(made)
        return made

    def _merged(self, rule: Rule, left: Term, right: Term, premises: tuple[Pattern, ...]) -> bool:
        if left == right:
            return False
        old, new = self._roles(left, right)
        if not isinstance(old, Variable):
            if isinstance(old, Parameter) or isinstance(new, Parameter):
                return False  # unknown constants: they may be the same
            reason = f"{rule.name} makes {show_term(old)} and {show_term(new)} one"
            self.conflict = self.history.conflict(reason, rule.name, premises)
            return False
        self.merges.append(Merge(old, new, rule.name, premises))
        self.steps -= 1
        renamed = {fact: replaced(fact, {old: new}) for fact in self.facts}
        self.history.merged((old, new), rule.name, premises, renamed)
        self._replace({old: new}, renamed)
        return True

    def _replace(self, one: dict[Variable, Term], renamed: dict[Pattern, Pattern]) -> None:
        facts, derived = self.facts, self.derived
        self.facts, self.by_predicate, self.by_end = {}, {}, {}
        for fact in renamed.values():
            self._add(fact)
        given = {renamed[fact] for fact in facts if fact not in derived}
        self.derived = {
            changed: Derivation(why.rule, tuple(replaced(premise, one) for premise in why.premises))
            for fact, why in derived.items()
            if (changed := replaced(fact, one)) not in given
        }

    def _roles(self, left: Term, right: Term) -> tuple[Term, Term]:
        """The value to replace and the one to keep: constants before shown variables before others, older first."""

        def rank(term: Term) -> int:
            if not isinstance(term, Variable):
                return 0
            return 1 if term in self.shown else 3 if term in self.made else 2

        return (left, right) if rank(left) > rank(right) else (right, left)

    def _clash(self) -> Conflict | None:
        """Two classes of one value that share no instance."""
        classes: dict[Term, list[tuple[IRI, Pattern]]] = {}
        for fact in self.by_predicate.get(TYPE, {}):
            if isinstance(fact[2], IRI):
                classes.setdefault(fact[0], []).append((fact[2], fact))
        for term, found in classes.items():
            for place, (one, first) in enumerate(found):
                for other, second in found[place:]:
                    if self.dependencies.never_both(one, other):
                        names = f"{local_name(one.value)} and {local_name(other.value)}"
                        reason = f"{show_term(term)} would be both {names}, which are disjoint"
                        return self.history.conflict(reason, (one, other), (first, second))
        return None


def _iri(term: Term) -> IRI | None:
    return term if isinstance(term, IRI) else None


def premise_closure(patterns: Iterable[Pattern], derived: Mapping[Pattern, Derivation]) -> tuple[Pattern, ...]:
    """The patterns that were there from the start and from which these follow."""
    found: dict[Pattern, None] = {}
    waiting, seen = list(patterns), set[Pattern]()
    while waiting:
        one = waiting.pop(0)
        if one in seen:
            continue
        seen.add(one)
        if one in derived:
            waiting += derived[one].premises
        else:
            found[one] = None
    return tuple(found)
