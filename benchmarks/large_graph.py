"""A graph of ten million triples: exported, loaded, queried and chased over, on disk and on a server, in under 4 GiB.

    python benchmarks/large_graph.py                          # every phase, in a temporary folder
    python benchmarks/large_graph.py FOLDER export load       # these phases; those that were done before are kept
    python benchmarks/large_graph.py FOLDER --triples 500000

Takes minutes and about 5 GB of disk. Each phase is a run of `uniqgen`; its seconds, processor seconds and the largest
memory of it and its children together are printed and kept in FOLDER/figures.json. Exits with 1 where a phase needs
4 GiB or an answer is not the one that was counted while the graph was written.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

MOST_BYTES = 4 * 1024**3
NAMESPACE = "http://large.example/"
RELATIONS, SIZES, EDGES = 20, 1000, 4
_PAGE = os.sysconf("SC_PAGE_SIZE")
_EVERY = 0.25
"""seconds between two looks at the memory"""
_INTEGER = "http://www.w3.org/2001/XMLSchema#integer"

Figures = dict[str, Any]


def item(number: int) -> str:
    return f"<{NAMESPACE}item/{number}>"


def relation(number: int) -> str:
    return f"<{NAMESPACE}rel/{number % RELATIONS}>"


# ---- the graph and what is true of it --------------------------------------------------------------------------------


def write(file: Path, triples: int) -> Figures:
    """Write a graph of about so many triples: items with a size and up to four edges, few of them popular.

    Returns what queries over it have to find.
    """
    choose, items = random.Random(1), triples // (EDGES + 1)
    popular = array("l", bytes(8 * items))
    to_first: list[int] = []
    to_sevens: list[tuple[int, int]] = []
    count = 0
    with file.open("w", encoding="utf-8") as stream:
        for number in range(items):
            ends = {int(items * choose.random() ** 4) for _ in range(EDGES)}
            lines = [f'{item(number)} <{NAMESPACE}size> "{number % SIZES}"^^<{_INTEGER}> .\n']
            lines += [f"{item(number)} {relation(end)} {item(end)} .\n" for end in ends]
            stream.writelines(lines)
            count += len(lines)
            for end in ends:
                popular[end] += 1
                if end % SIZES == 7:
                    to_sevens.append((number, end))
            if 0 in ends:
                to_first.append(number)
    sevens = {number for number in to_first if number % SIZES == 7}
    return {
        "triples": count,
        "in": len(to_first),
        "in, of one size": len(sevens),
        "two hops": len({start for start, end in to_sevens if end in sevens}),
        "five most popular": sorted((popular[one] for one in range(3, items, RELATIONS)), reverse=True)[:5],
        "answers": [f"{NAMESPACE}item/{number}" for number in sorted(sevens)[:20]],
    }


QUERIES = {
    "in": f"SELECT (COUNT(?x) AS ?n) {{ ?x {relation(0)} {item(0)} }}",
    "in, of one size": f"SELECT (COUNT(?x) AS ?n) {{ ?x {relation(0)} {item(0)} ; <{NAMESPACE}size> 7 }}",
    "two hops": "SELECT (COUNT(DISTINCT ?y) AS ?n) {"
    f" ?y {relation(7)} ?x . ?x {relation(0)} {item(0)} ; <{NAMESPACE}size> 7 }}",
    "five most popular": "SELECT ?x (COUNT(?y) AS ?n) {"
    f" ?y {relation(3)} ?x }} GROUP BY ?x ORDER BY DESC(?n) ?x LIMIT 5",
}
TOO_NARROW = (
    f"SELECT ?x {{ ?x {relation(0)} {item(0)} ; <{NAMESPACE}size> 7 ; {relation(3)} {item(3)} ; {relation(11)} ?y }}"
)
"""A query that finds few of the answers: the chase has to drop its last two patterns, and no other."""


# ---- running and measuring -------------------------------------------------------------------------------------------


def memory(root: int) -> int:
    """Bytes in memory of a process and all its children now, as Linux tells them."""
    parents: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            after = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        parents[int(name)], sizes[int(name)] = int(after[1]), int(after[21]) * _PAGE
    total, family = 0, [root]
    while family:
        one = family.pop()
        total += sizes.get(one, 0)
        family += [child for child, parent in parents.items() if parent == one]
    return total


def measured(name: str, arguments: list[str], folder: Path, stopped: int = 0) -> tuple[Figures, str]:
    """Run `uniqgen` with these arguments; its figures, and what it printed. Ends the program where it fails.

    `stopped` is a status that is no failure: that of a search which came to the end of its time.
    """
    environment = {**os.environ, "UNIQGEN_CACHE": str(folder / "cache"), "TMPDIR": str(folder)}
    start, most = time.monotonic(), 0
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen([sys.executable, "-m", "uniqgen_ir", *arguments], stdout=output, env=environment)
        status, usage = 0, None
        while usage is None:
            most = max(most, memory(process.pid))
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
            usage = used if ended else None
            time.sleep(_EVERY)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if process.returncode not in (0, stopped):
        sys.exit(f"{name} ended with status {process.returncode}")
    figures = {
        "seconds": round(time.monotonic() - start, 1),
        "processor seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "MiB": round(most / 1024**2),
    }
    return {**figures, "fits": most < MOST_BYTES}, text


# ---- phases ----------------------------------------------------------------------------------------------------------


def generate(folder: Path, triples: int) -> Figures:
    start = time.monotonic()
    found = write(folder / "large.nt", triples)
    return {"seconds": round(time.monotonic() - start, 1), **found}


def export(folder: Path, target: str) -> Figures:
    arguments = ["export", "--graph", str(folder / "large.nt"), "--to", target, str(folder / target)]
    figures, _ = measured(f"export as {target}", arguments, folder)
    return {**figures, "bytes": sum(file.stat().st_size for file in (folder / target).iterdir())}


def query(folder: Path, name: str, truth: Figures) -> Figures:
    """Run one query over what was exported; the first run builds the store."""
    file = folder / "query.rq"
    file.write_text(QUERIES[name], encoding="utf-8")
    graph = str(folder / "nt" / "graph.nt")
    figures, text = measured(name, ["run", str(file), "--graph", graph, "--timeout", "600", "--format", "json"], folder)
    last = [int(row[-1]) for row in json.loads(text)["rows"]]
    right = truth[name] if isinstance(truth[name], list) else [truth[name]]
    return {**figures, "right": last == right}


def chase(folder: Path, truth: Figures, graph: str, engine: str = "oxigraph") -> Figures:
    """Relax a query until it covers twenty answers."""
    file, answers = folder / "narrow.rq", folder / "answers.txt"
    file.write_text(TOO_NARROW, encoding="utf-8")
    answers.write_text("".join(f"{one}\n" for one in truth["answers"]), encoding="utf-8")
    arguments = ["chase", str(file), "--answers", str(answers), "--graph", graph, "--engine", engine]
    figures, text = measured("chase", [*arguments, "--budget", "ms=600000", "--format", "json"], folder, stopped=3)
    found = json.loads(text)
    right = [one["row"] for one in found["dropped"]] == ["c3", "c4"]
    return {
        **figures,
        "status": found["status"],
        "calls": found["calls"],
        "chase ms": round(found["ms"]),
        "right": right,
    }


def serve(folder: Path) -> Figures:
    """Load the graph into a store of a SPARQL server."""
    start = time.monotonic()
    command = [_server(), "load", "--location", str(folder / "server"), "--file", str(folder / "large.nt")]
    subprocess.run(command, check=True, capture_output=True)
    return {"seconds": round(time.monotonic() - start, 1)}


def chase_over_server(folder: Path, truth: Figures) -> Figures:
    """The same chase over the server, on this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    command = [_server(), "serve-read-only", "--location", str(folder / "server"), "--bind", address]
    with (folder / "server.log").open("w") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            _wait_for(f"http://{address}/query?query=ASK%7B%7D")
            return chase(folder, truth, f"sparql+http://{address}/query", "sparql-http")
        finally:
            process.terminate()


def _server() -> str:
    """The program `oxigraph`, beside this Python or on the path."""
    beside = Path(sys.executable).with_name("oxigraph")
    found = str(beside) if beside.exists() else shutil.which("oxigraph")
    return found or sys.exit("the server `oxigraph` is not installed: the extra `test` brings it")


def _wait_for(address: str) -> None:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    until = time.monotonic() + 120
    while True:
        try:
            direct.open(address, timeout=5).close()
            return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(_EVERY)


def phases(folder: Path, triples: int, figures: Figures) -> dict[str, Callable[[], Figures]]:
    """What there is to do, in order; later phases need earlier ones."""
    return {
        "generate": lambda: generate(folder, triples),
        "export": lambda: export(folder, "nt"),
        "load": lambda: query(folder, "in, of one size", figures["generate"]),
        **{f"query: {one}": lambda one=one: query(folder, one, figures["generate"]) for one in QUERIES},
        "chase": lambda: chase(folder, figures["generate"], str(folder / "nt" / "graph.nt")),
        "serve": lambda: serve(folder),
        "chase over the server": lambda: chase_over_server(folder, figures["generate"]),
        "csv": lambda: export(folder, "neo4j-csv"),
    }


def run(folder: Path, triples: int, wanted: list[str]) -> int:
    """Do the phases that are wanted and not done yet; 1 where one shows a fault."""
    kept = folder / "figures.json"
    figures: Figures = json.loads(kept.read_text()) if kept.exists() else {}
    for name, phase in phases(folder, triples, figures).items():
        if wanted and name.partition(":")[0].partition(" ")[0] not in wanted:
            continue
        if name not in figures:
            figures[name] = phase()
            kept.write_text(json.dumps(figures, indent=1))
        shown = {key: value for key, value in figures[name].items() if key != "answers"}
        print(f"{name}: {', '.join(f'{key} {value}' for key, value in shown.items())}", flush=True)
    return 0 if all(one.get("fits", True) and one.get("right", True) for one in figures.values()) else 1


def main() -> int:
    parser = argparse.ArgumentParser(description="A graph of ten million triples, phase by phase.")
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("phases", nargs="*", metavar="PHASE", help="generate, export, load, query, chase, serve, csv")
    parser.add_argument("--triples", type=int, default=10_000_000)
    options = parser.parse_args()
    if options.folder is not None:
        options.folder.mkdir(parents=True, exist_ok=True)
        return run(options.folder.resolve(), options.triples, options.phases)
    with tempfile.TemporaryDirectory(prefix="uniqgen-large-") as name:
        return run(Path(name), options.triples, [])


if __name__ == "__main__":
    sys.exit(main())
