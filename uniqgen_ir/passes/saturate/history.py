"""What came about in a chase, in order, and what each event rests on: from this a contradiction is explained."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from attrs import define, field, frozen

from uniqgen_ir.ir.suggestions import local_name
from uniqgen_ir.ir.terms import IRI, Term, Variable
from uniqgen_ir.passes.saturate.patterns import TYPE, Pattern


@frozen
class Event:
    """A fact that stands from here on, or (`merge`) a value that is replaced.

    `rule` is empty for what was given, and for a fact that only reads otherwise after a merge. `premises`: the numbers
    of earlier events.
    """

    rule: str = ""
    premises: tuple[int, ...] = ()
    fact: Pattern | None = None
    merge: tuple[Variable, Term] | None = None


@frozen
class Told:
    """One application of a rule in an explanation: the facts that it gives, or the values that it makes one."""

    rule: str
    facts: tuple[Pattern, ...] = ()
    merge: tuple[Variable, Term] | None = None
    given: tuple[Pattern, ...] = ()
    """the given patterns that it rests on directly"""


@frozen
class Conflict:
    """No graph that obeys the schema can hold the patterns.

    `violated` is the name of the equality that would make two constants one, or the two classes that share no
    instance. `given`: patterns that were there from the start and suffice, by `steps`, for the contradiction.
    """

    reason: str
    violated: str | tuple[IRI, IRI]
    given: tuple[Pattern, ...]
    steps: tuple[Told, ...] = ()

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """The rules that were applied on the way, each once."""
        return tuple(dict.fromkeys(one.rule for one in self.steps))

    def story(self, row_of: Callable[[Pattern], str]) -> str:
        """The derivation in words, then the contradiction. `row_of` names the row that says a given pattern."""
        told = [_told(one, row_of) for one in self.steps]
        return f"{', '.join(told)}; so {self.reason}" if told else self.reason


@define
class History:
    """The events of one chase. `number` maps each fact that stands to the event that it stands by."""

    events: list[Event] = field(factory=list[Event])
    number: dict[Pattern, int] = field(factory=dict[Pattern, int])

    def stands(self, fact: Pattern, rule: str = "", premises: Iterable[Pattern] = ()) -> None:
        """The fact was given, or follows by the rule."""
        self.number[fact] = self._happens(Event(rule, self._numbers(premises), fact))

    def merged(
        self, merge: tuple[Variable, Term], rule: str, premises: Iterable[Pattern], renamed: dict[Pattern, Pattern]
    ) -> None:
        """A value was replaced by another; `renamed` maps every fact to what it says now."""
        place = self._happens(Event(rule, self._numbers(premises), merge=merge))
        before, self.number = self.number, {}
        for fact, now in renamed.items():
            if now == fact:  # it needs no merge, although another fact may say the same after one
                self.number[now] = before[fact]
            elif now not in self.number:
                self.number[now] = self._happens(Event("", (before[fact], place), now))

    def conflict(self, reason: str, violated: str | tuple[IRI, IRI], premises: Sequence[Pattern]) -> Conflict:
        """The contradiction between facts, with all that it rests on."""
        events = self._behind(self._numbers(premises))
        given = tuple(one.fact for one in events if one.fact is not None and not one.premises and not one.rule)
        return Conflict(reason, violated, given, self._steps(events))

    def steps_to(self, merge: tuple[Variable, Term]) -> tuple[Told, ...]:
        """All that a merge rests on, in order, itself the last."""
        place = next(place for place, event in enumerate(self.events) if event.merge == merge)
        return self._steps(self._behind((place,)))

    def _behind(self, places: Iterable[int]) -> tuple[Event, ...]:
        """These events and all that they rest on, in order."""
        behind: set[int] = set()
        waiting = list(places)
        while waiting:
            place = waiting.pop()
            if place not in behind:
                behind.add(place)
                waiting += self.events[place].premises
        return tuple(self.events[place] for place in sorted(behind))

    def _happens(self, event: Event) -> int:
        self.events.append(event)
        return len(self.events) - 1

    def _numbers(self, facts: Iterable[Pattern]) -> tuple[int, ...]:
        return tuple(self.number[fact] for fact in facts if fact in self.number)

    def _steps(self, events: Iterable[Event]) -> tuple[Told, ...]:
        steps: dict[tuple[object, ...], Told] = {}
        for event in events:
            if event.rule:
                key = (event.rule, event.premises, event.merge)
                earlier = steps[key].facts if key in steps else ()
                facts = earlier if event.fact is None else (*earlier, event.fact)
                steps[key] = Told(event.rule, facts, event.merge, tuple(self._directly(event)))
        return tuple(steps.values())

    def _directly(self, event: Event) -> dict[Pattern, None]:
        """The given patterns among the premises, also where they read otherwise by now."""
        found: dict[Pattern, None] = {}
        for place in event.premises:
            premise = self.events[place]
            while not premise.rule and premise.premises:
                premise = self.events[premise.premises[0]]
            if not premise.rule and premise.fact is not None:
                found[premise.fact] = None
        return found


def _told(one: Told, row_of: Callable[[Pattern], str]) -> str:
    names = tuple(dict.fromkeys(row_of(pattern) for pattern in one.given))
    if one.merge is not None:
        what = f"makes {show_term(one.merge[0])} and {show_term(one.merge[1])} one"
    else:
        what = f"gives {listed(tuple(map(_show_fact, one.facts)))}"
    return f"{one.rule} {what}" + (f" ({rows_named(names)})" if names else "")


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def rows_named(names: Sequence[str]) -> str:
    """`row a`, `rows a and b`."""
    return f"row{'s' if len(names) > 1 else ''} {listed(names)}"


def _show_fact(fact: Pattern) -> str:
    subject, predicate, object_ = fact
    verb = "a" if predicate == TYPE else show_term(predicate)
    return f"{show_term(subject)} {verb} {show_term(object_)}"


def show_term(term: Term) -> str:
    """The term as messages name it: the last part of an IRI."""
    return local_name(term.value) if isinstance(term, IRI) else str(term)
