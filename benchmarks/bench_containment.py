"""Containment, minimisation and cyclic worst cases, in CPU milliseconds.

* pairs of acyclic queries of 20 triples: the verdict alone, and with a witness graph run by the reference evaluator;
* queries of 30 triples, 10 of them redundant, minimised;
* cyclic worst cases: a clique of nine into one of eight, colourings of random graphs: verdict or `unknown`, in budget.

Fails (exit 1) where the median of the verdicts is above 1 ms, of minimising above 10 ms, or a worst case overruns.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from itertools import permutations

from uniqgen_ir.ir.rows import Row, Triple
from uniqgen_ir.ir.table import Column, Table
from uniqgen_ir.ir.terms import IRI, Variable
from uniqgen_ir.passes.containment.compare import INTERACTIVE, contains
from uniqgen_ir.passes.minimize import minimize

BASE = "http://example.org/"
PAIRS, QUERIES = 300, 100
WORST_SECONDS = 10.0
"""CPU seconds for one worst case under the interactive budget."""


def relation(number: int) -> IRI:
    return IRI(f"{BASE}r{number}")


def acyclic(rnd: random.Random, size: int, relations: int) -> Table:
    """A random tree of triples; its root is the answer."""
    names = [Variable(f"v{number}") for number in range(size + 1)]
    rows: list[Row] = []
    for number in range(1, size + 1):
        ends = [names[rnd.randrange(max(0, number - 4), number)], names[number]]
        if rnd.random() < 0.3:
            ends.reverse()
        rows.append(Row(f"c{number}", Triple(ends[0], relation(rnd.randrange(relations)), ends[1])))
    return Table("t", (Column(names[0]),), tuple(rows))


def pair(rnd: random.Random) -> tuple[Table, Table]:
    """Two queries of 20 triples; in half of the pairs the second maps into the first."""
    one = acyclic(rnd, 20, 4)
    if rnd.random() < 0.5:
        return one, acyclic(rnd, 20, 2)
    renamed = {variable: Variable(f"w{place}") for place, variable in enumerate(_variables(one))}
    rows = [_mapped(row, renamed, row.id) for row in one.rows[:14]]
    # six rows once more under new names: they fold onto the others
    fresh = {variable: Variable(f"u{place}") for place, variable in enumerate(_variables(one)) if place}
    rows += [_mapped(row, {**renamed, **fresh}, f"d{row.id}") for row in one.rows[:6]]
    return one, one.with_rows(rows)


def _variables(table: Table) -> list[Variable]:
    found = dict.fromkeys(end for row in table.rows for end in _ends(row) if isinstance(end, Variable))
    return [table.columns[0], *(one for one in found if one != table.columns[0])]


def _ends(row: Row) -> Iterable[object]:
    assert isinstance(row.atom, Triple)
    return row.atom.subject, row.atom.object


def _mapped(row: Row, names: dict[Variable, Variable], name: str) -> Row:
    assert isinstance(row.atom, Triple)
    root = Variable("v0")
    subject, object_ = (
        names.get(end, end) if isinstance(end, Variable) and end != root else end
        for end in (row.atom.subject, row.atom.object)
    )
    return Row(name, Triple(subject, row.atom.predicate, object_))


def redundant(rnd: random.Random) -> Table:
    """Twenty triples in a tree and ten that repeat some of them with an end of their own, in any order."""
    table = acyclic(rnd, 20, 8)
    rows = list(table.rows)
    for number in range(10):
        atom = rnd.choice(table.rows).atom
        assert isinstance(atom, Triple)
        own = Variable(f"u{number}")
        ends = (atom.subject, own) if rnd.random() < 0.5 else (own, atom.object)
        rows.append(Row(f"d{number}", Triple(ends[0], atom.predicate, ends[1])))
    rnd.shuffle(rows)
    return table.with_rows(rows)


def clique(size: int) -> Table:
    """A clique of triples in both directions, the answer hung on one node."""
    names = [Variable(f"k{number}") for number in range(size)]
    edges = [Row(f"c{i}_{j}", Triple(names[i], relation(0), names[j])) for i, j in permutations(range(size), 2)]
    return Table("k", (Column(Variable("x")),), (Row("x", Triple(Variable("x"), relation(1), names[0])), *edges))


def colouring(rnd: random.Random, size: int, degree: float) -> Table:
    """A random graph as a query: it contains the clique of three if three colours are enough for it."""
    names = [Variable(f"g{number}") for number in range(size)]
    rows = [Row("x", Triple(Variable("x"), relation(1), names[0]))]
    chosen: set[tuple[int, int]] = set()
    while len(chosen) < size * degree / 2:
        one, other = sorted(rnd.sample(range(size), 2))
        chosen.add((one, other))
    for one, other in sorted(chosen):
        rows.append(Row(f"a{one}_{other}", Triple(names[one], relation(0), names[other])))
        rows.append(Row(f"b{one}_{other}", Triple(names[other], relation(0), names[one])))
    return Table("g", (Column(Variable("x")),), tuple(rows))


def milliseconds(work: Callable[[], object]) -> float:
    """CPU time of one run, the best of three: what else the machine does is not measured."""
    found: list[float] = []
    for _ in range(3):
        started = time.process_time()
        work()
        found.append((time.process_time() - started) * 1000.0)
    return min(found)


def main() -> int:
    rnd = random.Random(7)
    pairs = [pair(rnd) for _ in range(PAIRS)]
    verdicts = [contains(b, a, witnesses=False).holds for a, b in pairs]  # warm as well
    bare = [milliseconds(lambda a=a, b=b: contains(b, a, witnesses=False)) for a, b in pairs]  # type: ignore[misc]
    full = [milliseconds(lambda a=a, b=b: contains(b, a)) for a, b in pairs]  # type: ignore[misc]
    print(f"{PAIRS} acyclic pairs of 20 triples ({verdicts.count(True)} contained, {verdicts.count(False)} not):")
    print(f"  verdict              median {statistics.median(bare):6.2f} ms, worst {max(bare):6.2f} ms")
    print(f"  verdict and witness  median {statistics.median(full):6.2f} ms, worst {max(full):6.2f} ms")
    queries = [redundant(rnd) for _ in range(QUERIES)]
    folded = [milliseconds(lambda one=one: minimize(one)) for one in queries]  # type: ignore[misc]
    left = statistics.mean(len(minimize(one)[0].rows) for one in queries)
    print(f"{QUERIES} queries of 30 triples minimised (to {left:.1f} on average):")
    print(f"  minimize             median {statistics.median(folded):6.2f} ms, worst {max(folded):6.2f} ms")
    late = worst_cases(rnd)
    return 1 if statistics.median(bare) > 1.0 or statistics.median(folded) > 10.0 or late else 0


def worst_cases(rnd: random.Random) -> bool:
    """Print each worst case; whether one took too long."""
    cases = [("clique of 9 into clique of 8", clique(9), clique(8))]
    cases += [(f"3-colouring of {size} vertices", colouring(rnd, size, 4.6), clique(3)) for size in (60, 100, 150)]
    late = False
    for name, wider, narrower in cases:
        started = time.process_time()
        found = contains(wider, narrower, witnesses=False)
        seconds = time.process_time() - started
        late |= seconds > WORST_SECONDS
        said = found.reason if found.holds is None else str(found.holds)
        print(f"  {name:32} {seconds:6.2f} s of a budget of {INTERACTIVE} steps: {said}")
    return late


if __name__ == "__main__":
    sys.exit(main())
