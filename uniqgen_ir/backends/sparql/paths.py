"""Property paths as SPARQL 1.1 text: `{m,n}` is not in SPARQL 1.1 and is written out."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.backends.sparql.terms import TermWriter
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.paths import Alternative, Inverse, NegatedSet, Path, Repeat, Sequence, Step
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.ir.vocabulary import RDF_TYPE

MOST_STEPS: Final = 2000
"""No path may expand to more predicates than this."""

NO_PREDICATE: Final = "urn:x-uniqgen:no-predicate"
"""No graph uses it: `<…>?` is then the path of length zero, for which SPARQL has no sign."""


def path_text(path: Path, writer: TermWriter) -> str:
    """The path in SPARQL 1.1. Raises DiagnosticError UQ505 where bounds make it too long."""
    if expanded_size(path) > MOST_STEPS:
        raise fail("UQ505", f"a path expands to more than {MOST_STEPS} steps", hint="lower its upper bound")
    return _text(_written_out(path), writer, 0)


def expanded_size(path: Path) -> int:
    """How many predicates the path has once its bounds are written out."""
    match path:
        case Step():
            return 1
        case Inverse(inner):
            return expanded_size(inner)
        case Sequence(parts) | Alternative(parts):
            return sum(expanded_size(part) for part in parts)
        case Repeat(inner, minimum, maximum):
            size = expanded_size(inner)
            if maximum is None:
                return size * max(1, minimum + 1)
            return size * sum(range(max(1, minimum), maximum + 1))
        case NegatedSet(forward, backward):
            return len(forward) + len(backward)


# how tightly each form binds, after the grammar: a part is put in parentheses where its place needs a tighter one
_ALTERNATIVE, _SEQUENCE, _INVERSE, _REPEATED, _PRIMARY = range(5)


def _text(path: Path, writer: TermWriter, needed: int) -> str:
    match path:
        case Step(predicate):
            return "a" if predicate.value == RDF_TYPE else writer.iri(predicate.value)
        case NegatedSet(forward, backward):
            names = [writer.iri(one.value) for one in forward] + [f"^{writer.iri(one.value)}" for one in backward]
            return f"!({'|'.join(names)})"
        case Inverse(inner):
            return _wrap("^" + _text(inner, writer, _REPEATED), _INVERSE, needed)
        case Sequence(parts):
            return _wrap("/".join(_text(part, writer, _INVERSE) for part in parts), _SEQUENCE, needed)
        case Alternative(parts):
            return _wrap("|".join(_text(part, writer, _SEQUENCE) for part in parts), _ALTERNATIVE, needed)
        case Repeat(inner, minimum, maximum):
            sign = "?" if maximum == 1 else "*" if minimum == 0 else "+"
            return _wrap(_text(inner, writer, _PRIMARY) + sign, _REPEATED, needed)


def _written_out(path: Path) -> Path:
    """The same path with no other repetition than `?`, `*` and `+`: the rest as sequences and alternatives."""
    match path:
        case Inverse(inner):
            return Inverse(_written_out(inner))
        case Sequence(parts):
            return Sequence(tuple(map(_written_out, parts)))
        case Alternative(parts):
            return Alternative(tuple(map(_written_out, parts)))
        case Repeat(inner, minimum, maximum):
            return _repetition(_written_out(inner), minimum, maximum)
        case _:
            return path


def _repetition(once: Path, minimum: int, maximum: int | None) -> Path:
    if maximum is None:
        endless = Repeat(once, min(minimum, 1), None)
        return endless if minimum <= 1 else Sequence((*_parts(Sequence, once) * (minimum - 1), endless))
    if maximum == 0:
        return Repeat(Step(IRI(NO_PREDICATE)), 0, 1)
    lengths = [_chain(once, length) for length in range(max(1, minimum), maximum + 1)]
    some = lengths[0] if len(lengths) == 1 else Alternative(_parts(Alternative, *lengths))
    return Repeat(some, 0, 1) if minimum == 0 else some


def _chain(once: Path, length: int) -> Path:
    return once if length == 1 else Sequence(_parts(Sequence, once) * length)


def _parts(kind: type[Sequence] | type[Alternative], *paths: Path) -> tuple[Path, ...]:
    """The paths, those of the given kind opened: `a/(b/c)` is `a/b/c`."""
    return tuple(part for path in paths for part in (path.paths if isinstance(path, kind) else (path,)))


def _wrap(text: str, own: int, needed: int) -> str:
    return text if own >= needed else f"({text})"


def may_be_empty(path: Path) -> bool:
    """Whether the path leads from every node to itself."""
    match path:
        case Inverse(inner):
            return may_be_empty(inner)
        case Sequence(paths):
            return all(map(may_be_empty, paths))
        case Alternative(paths):
            return any(map(may_be_empty, paths))
        case Repeat(inner, minimum, _):
            return minimum == 0 or may_be_empty(inner)
        case _:
            return False


def keeps_counts(path: Path) -> bool:
    """Whether SPARQL's text for the path counts as the table does: walks, but the ends of a repetition once."""
    match path:
        case Inverse(inner):
            return keeps_counts(inner)
        case Sequence(paths) | Alternative(paths):
            return all(keeps_counts(one) for one in paths)
        case Repeat(inner, minimum, maximum):
            # `?`, `*` and `+` are sets in SPARQL too, whatever stands inside; other bounds are written out
            return minimum == 0 or (minimum == 1 and (maximum is None or (maximum == 1 and isinstance(inner, Step))))
        case _:
            return True
