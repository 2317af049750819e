"""Write `docs/comparison.md`: the gate and its peers on the same cases.

    python benchmarks/validators/compare.py FOLDER

installs the peers into FOLDER, asks each, and writes the page. Needs `../shared/cases`, and Node for two of the peers.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from cypher_peers import PEERS as CYPHER
from install import install, python_of
from page import Row, page
from scoring import Case, Verdict, score, together, verdict_of_peer
from sparql_peers import PEERS as SPARQL

import uniqgen_ir as uq
from uniqgen_ir.ir.diagnostics import Severity

ROOT: Final = Path(__file__).parents[2]
SHARED: Final = ROOT.parent / "shared"
CASES: Final = SHARED / "cases" / "generated_queries.jsonl"
MINUTES: Final = 10


def ours(cases: Sequence[Case]) -> list[Verdict]:
    """The verdicts of the gate. Each is timed at its second run: schemas are read once, as a service would."""
    found: list[Verdict] = []
    known: dict[str, uq.Vocabulary] = {}
    for case in cases:
        key = json.dumps(case["schema"], sort_keys=True)
        if key not in known:
            known[key] = uq.vocabulary(case["schema"])
        options = {"language": case["language"], "dialect": _dialect(case), "schema": known[key]}
        uq.check(case["query"], **options)
        started = time.process_time()
        report = uq.check(case["query"], **options)
        seconds = time.process_time() - started
        errors = [one for one in report.diagnostics if one.severity is Severity.ERROR]
        warned = any(one.severity is Severity.WARNING for one in report.diagnostics)
        alarm = bool(errors) or (case["expect"]["valid"] and warned)
        kinds = frozenset(one.kind for one in errors)
        found.append(Verdict(case, alarm, kinds, report.fixed_query, seconds))
    return found


def _dialect(case: Case) -> str | None:
    return case.get("dialect") if case["language"] == "cypher" else None


def peer(name: str, cases: Sequence[Case], folder: Path) -> tuple[list[Verdict], str]:
    """The verdicts of a peer from PyPI, and its version. Raises CalledProcessError, TimeoutExpired."""
    with tempfile.TemporaryDirectory() as place:
        answers = Path(place) / "answers.jsonl"
        command = [str(python_of(folder)), str(Path(__file__).parent / "ask_peers.py"), name, str(CASES), str(answers)]
        subprocess.run(command, cwd=place, capture_output=True, check=True, timeout=60 * MINUTES)
        lines = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    return _judged(cases, lines[:-1]), lines[-1]["version"]


def npm_peer(name: str, cases: Sequence[Case], folder: Path) -> tuple[list[Verdict], str]:
    """The same for one from npm."""
    manifest = json.loads((folder / "node_modules" / name / "package.json").read_text(encoding="utf-8"))
    if name == "sparqljs":
        script, extra = Path(__file__).parent / "sparqljs_peer.mjs", []
    else:
        script, extra = SHARED / "checks" / "neo4j_lint.mjs", ["CYPHER 5"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = ["node", str(script.resolve()), str(CASES.resolve()), *extra]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=60 * MINUTES)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    each = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / len(cases)
    lines = [_as_answer(json.loads(line), each) for line in run.stdout.splitlines()]
    return _judged(cases, lines), manifest["version"]


def _as_answer(line: dict[str, Any], seconds: float) -> dict[str, Any]:
    """A line of the analyser as the other peers write it."""
    if "found" in line:
        return line
    found = [*line.get("errors", ()), *line.get("warnings", ())]
    return {"id": line["id"], "found": found, "fixed": None, "crashed": line.get("crash"), "seconds": seconds}


def _judged(cases: Sequence[Case], lines: Sequence[dict[str, Any]]) -> list[Verdict]:
    answers = {line["id"]: line for line in lines}
    return [verdict_of_peer(case, answers[case["id"]]) for case in cases]


def rows(language: str, cases: Sequence[Case], folder: Path) -> list[Row]:
    """A row for each tool of a language that could be asked."""
    wanted = [case for case in cases if case["language"] == language]
    mine = Row("uniqgen check", uq.__version__, score(ours(wanted)))
    names = [("npm", name) for name in (("@neo4j-cypher/language-support",) if language == "cypher" else ("sparqljs",))]
    names += [("PyPI", name) for name in sorted(CYPHER if language == "cypher" else SPARQL)]
    found: list[Row] = []
    everything: list[list[Verdict]] = []
    for source, name in names:
        try:
            verdicts, version = (npm_peer if source == "npm" else peer)(name, wanted, folder)
        except (OSError, subprocess.SubprocessError) as error:
            print(f"{name} could not be asked: {error}", file=sys.stderr)
            found.append(Row(name, "", None))
            continue
        everything.append(verdicts)
        found.append(Row(name, version, score(verdicts)))
    found.sort(key=lambda one: -1.0 if one.score is None else -one.score.right_reason)
    union = [Row("all peers together", "", score(together(everything)))] if everything else []
    return [mine, *found, *union]


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    for name in install(folder):
        print(f"could not be installed: {name}", file=sys.stderr)
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    text = page(rows("cypher", cases, folder), rows("sparql", cases, folder))
    (ROOT / "docs" / "comparison.md").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
