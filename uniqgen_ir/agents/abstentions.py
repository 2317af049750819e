"""Why the offline reader does not answer, or what it left out."""

from __future__ import annotations

from collections.abc import Sequence

from uniqgen_ir.ir.diagnostics import Diagnostic, Severity
from uniqgen_ir.kg.linking.mentions import LinkedQuestion


def nothing_linked(linked: LinkedQuestion) -> Diagnostic:
    """The abstention where nothing of the graph is named (UQ660)."""
    tried = ", ".join(f'"{text}"' for text in linked.tried[:6]) or "every word"
    return Diagnostic(
        "UQ660",
        f"nothing in the question is a name, class or value of the graph; looked up {tried}",
        severity=Severity.WARNING,
        hint="use a name that the graph has, or add a synonym to the lexicon",
    )


def ignored(words: Sequence[str]) -> tuple[Diagnostic, ...]:
    """The warning about words that the reading leaves out (UQ668), none where it leaves out none."""
    if not words:
        return ()
    named = ", ".join(f'"{word}"' for word in words)
    return (Diagnostic("UQ668", f"the reading leaves out {named}", severity=Severity.WARNING),)


def no_reading(linked: LinkedQuestion) -> Diagnostic:
    """The abstention where what is named leads to no answer (UQ661)."""
    named = ", ".join(f'"{one.text}"' for one in (*linked.entities, *linked.values, *linked.classes))
    return Diagnostic("UQ661", f"no path of relations leads from {named} to an answer", severity=Severity.WARNING)


def unsure(linked: LinkedQuestion) -> Diagnostic:
    """The abstention where no reading is likely enough (UQ662)."""
    named = ", ".join(f'"{one.text}"' for one in (*linked.entities, *linked.values, *linked.classes))
    return Diagnostic(
        "UQ662",
        f"found {named}, but no reading of the other words fits the graph's relations well enough",
        severity=Severity.WARNING,
        hint="name the relation in the graph's own words, or add a synonym to the lexicon",
    )
