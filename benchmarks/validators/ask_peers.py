"""What one tool says of each case, as JSON lines: `python ask_peers.py PEER CASES.jsonl ANSWERS.jsonl`.

Runs in the environment that `install.py` makes, and knows nothing of this project.
"""

from __future__ import annotations

import importlib.metadata
import json
import logging
import sys
import time

import cypher_peers
import sparql_peers


def main() -> None:
    name, file, answers = sys.argv[1:]
    logging.disable(logging.CRITICAL)
    language = "cypher" if name in cypher_peers.PEERS else "sparql"
    check = {**cypher_peers.PEERS, **sparql_peers.PEERS}[name]()
    with open(file, encoding="utf-8") as lines:
        cases = [one for one in map(json.loads, lines) if one["language"] == language]
    with open(answers, "w", encoding="utf-8") as out:
        for case in cases:
            out.write(json.dumps(_answer(check, case)) + "\n")
        out.write(json.dumps({"version": importlib.metadata.version(name), "language": language}) + "\n")


def _answer(check: cypher_peers.Checker, case: cypher_peers.Case) -> dict[str, object]:
    started = time.process_time()
    try:
        found, fixed = check(case)
        crashed = None
    except Exception as error:  # a tool that falls over has not judged the query
        found, fixed, crashed = [], None, f"{type(error).__name__}: {error}"
    seconds = time.process_time() - started
    return {"id": case["id"], "found": found, "fixed": fixed, "crashed": crashed, "seconds": seconds}


if __name__ == "__main__":
    main()
