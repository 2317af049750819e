"""A graph of ten million triples: written, exported, loaded into a store on disk and queried, in under 4 GiB.

    python benchmarks/large_graph.py [TRIPLES]

Run every night, not with `make bench`: it takes minutes and about 5 GB of disk under TMPDIR. Prints for each step the
seconds and the largest memory of its process; exits with 1 where one needs 4 GiB or an answer is not as computed.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

MOST_BYTES = 4 * 1024**3
_NAMESPACE = "http://large.example/"


def write(file: Path, triples: int) -> int:
    """A graph of so many triples: items with a number and four edges each; returns how many lead to item 0."""
    choose, to_first = random.Random(1), 0
    items = triples // 5
    with file.open("w", encoding="utf-8") as stream:
        for number in range(items):
            subject = f"<{_NAMESPACE}item/{number}>"
            lines = [f'{subject} <{_NAMESPACE}size> "{number % 1000}"^^<http://www.w3.org/2001/XMLSchema#integer> .\n']
            # few items are popular, most are not
            ends = {int(items * choose.random() ** 4) for _ in range(4)}
            to_first += 0 in ends
            lines += [f"{subject} <{_NAMESPACE}rel/{end % 20}> <{_NAMESPACE}item/{end}> .\n" for end in ends]
            stream.writelines(lines)
    return to_first


def step(name: str, command: list[str], environment: dict[str, str]) -> tuple[str, bool]:
    """Run one command in a process of its own; its output, and whether it kept to the memory."""
    start = time.monotonic()
    with tempfile.TemporaryFile("w+") as output:
        process = os.posix_spawn(
            command[0], command, environment, file_actions=[(os.POSIX_SPAWN_DUP2, output.fileno(), 1)]
        )
        _, status, usage = os.wait4(process, 0)
        output.seek(0)
        text = output.read()
    peak = usage.ru_maxrss * 1024
    print(f"{name}: {time.monotonic() - start:.0f} s, {peak / 1024**2:,.0f} MiB", flush=True)
    if status != 0:
        sys.exit(f"{name} ended with status {os.waitstatus_to_exitcode(status)}")
    return text, peak < MOST_BYTES


def main(arguments: list[str]) -> int:
    triples = int(arguments[0]) if arguments else 10_000_000
    with tempfile.TemporaryDirectory(prefix="uniqgen-large-") as name:
        folder = Path(name)
        first = write(folder / "large.nt", triples)
        uniqgen = [sys.executable, "-m", "uniqgen_ir"]
        environment = {**os.environ, "UNIQGEN_CACHE": str(folder / "cache"), "TMPDIR": str(folder)}
        export = [*uniqgen, "export", "--graph", str(folder / "large.nt"), "--to"]
        _, kept = step("export as nt", [*export, "nt", str(folder / "nt")], environment)
        fits = [kept]
        query = folder / "first.rq"
        query.write_text(f"SELECT (COUNT(?s) AS ?n) {{ ?s <{_NAMESPACE}rel/0> <{_NAMESPACE}item/0> }}")
        run = [*uniqgen, "run", str(query), "--graph", str(folder / "nt" / "graph.nt"), "--engine", "oxigraph"]
        run += ["--format", "json"]
        for what in ("load and query", "query"):
            text, kept = step(what, run, environment)
            fits.append(kept)
            (row,) = json.loads(text)["rows"]
            print(f"  {row[0]:,} items lead to the first, as computed: {row[0] == first}")
            fits.append(row[0] == first)
        _, kept = step("export as neo4j-csv", [*export, "neo4j-csv", str(folder / "csv")], environment)
        fits.append(kept)
    return 0 if all(fits) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
