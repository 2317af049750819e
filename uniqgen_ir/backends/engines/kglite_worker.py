"""The process behind the kglite engine: holds a graph, answers queries, and can be killed.

Run as a script: `python kglite_worker.py GRAPH PARENT` with a saved graph and the id of the process to live with. It
imports nothing of the package, so that it starts at once. Messages are marshalled, each after its length in four bytes:

    ("query", text, parameters, most rows or None) → ("rows", names, rows, complete) | ("error", kind, words)

A cell is None, a truth, a number or a string; a date or time is `("time", ISO text)`, anything else `("other", text)`.
"""

from __future__ import annotations

import datetime
import marshal
import os
import struct
import sys
import threading
import time
from typing import IO, Any

import kglite


def _leave_with_parent(parent: int) -> None:
    # a query may run for hours after its reader died; nobody would stop it
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(0)


def _cell(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime.date | datetime.time):
        return "time", value.isoformat()
    return "other", repr(value)


def _reply(graph: Any, message: tuple[Any, ...]) -> tuple[Any, ...]:
    _, text, parameters, most = message
    try:
        # its optimiser makes some two-step patterns without a direction count wrongly
        result = graph.cypher(text, params=parameters, disable_optimizer=True)
        names: tuple[str, ...] = tuple(result.columns)
        rows: list[Any] = []
        for row in result:
            if most is not None and len(rows) >= most:
                return "rows", names, rows, False
            rows.append([_cell(row[name]) for name in names])
        return "rows", names, rows, True
    except MemoryError:
        return "error", "memory", "the query needs more memory than there is"
    except Exception as error:
        return "error", type(error).__name__, str(error)


def _serve(graph: Any, requests: IO[bytes], replies: IO[bytes]) -> None:
    while len(head := requests.read(4)) == 4:
        body = requests.read(struct.unpack("<I", head)[0])
        reply = marshal.dumps(_reply(graph, marshal.loads(body)))
        replies.write(struct.pack("<I", len(reply)) + reply)
        replies.flush()


def main() -> None:
    threading.Thread(target=_leave_with_parent, args=(int(sys.argv[2]),), daemon=True).start()
    # what it warns of (labels that nothing has) would fill the pipe of errors, which nobody reads
    kglite.set_query_warning_policy("silent")
    _serve(kglite.load(sys.argv[1]), sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
