"""Ask the gate about mutated queries by the hundred thousand, in slices that are done once.

    python -m tools.gate_fuzz FOLDER [MINUTES]

Each slice has a language and a seed of its own, and leaves a file in FOLDER: what is done is not done again, so a run
that was cut goes on where it was, and several may work in one folder. Prints what all slices found; status 1: a fault.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.property.gate_mutations import LANGUAGES, mutant, seconds_of

SLICES: Final = 50
"""of each language"""
SIZE: Final = 2000
"""queries in a slice: 200,000 in all"""


def run_slice(language: str, seed: int) -> dict[str, Any]:
    """Ask about one slice: how many, the seconds in all, the slowest, and the queries not answered as they must be."""
    random = Random(f"{language} {seed}")
    total = slowest = 0.0
    faults: list[dict[str, str]] = []
    for _ in range(SIZE):
        text = mutant(language, random)
        try:
            seconds = seconds_of(language, text, random)
        except Exception as error:  # any at all is a fault
            faults.append({"query": text, "fault": f"{type(error).__name__}: {error}"})
            continue
        total, slowest = total + seconds, max(slowest, seconds)
    return {"queries": SIZE, "seconds": total, "slowest": slowest, "faults": faults}


def work(folder: Path, until: float) -> None:
    """Run slices that nobody has begun, until the time is over."""
    for seed in range(SLICES):
        for language in LANGUAGES:
            file, claim = folder / f"{language}-{seed:03}.json", folder / f"{language}-{seed:03}.begun"
            if file.exists() or time.monotonic() > until:
                continue
            try:
                claim.touch(exist_ok=False)
            except FileExistsError:
                continue
            try:
                file.write_text(json.dumps(run_slice(language, seed)), encoding="utf-8")
            finally:
                claim.unlink()


def main() -> int:
    """Work, then say what is known."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    minutes = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    work(folder, time.monotonic() + 60 * minutes)
    faulty = 0
    for language in LANGUAGES:
        slices = [json.loads(one.read_text(encoding="utf-8")) for one in sorted(folder.glob(f"{language}-*.json"))]
        faults = [fault for one in slices for fault in one["faults"]]
        count, seconds = sum(one["queries"] for one in slices), sum(one["seconds"] for one in slices)
        slowest = max((one["slowest"] for one in slices), default=0.0)
        mean = 1000 * seconds / max(1, count)
        print(f"{language}: {count:,} queries, {mean:.1f} ms each, slowest {slowest:.2f} s, {len(faults)} faults")
        for fault in faults[:20]:
            print(f"  {fault['fault'][:300]}\n    {fault['query']!r}")
        faulty += len(faults)
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
