"""Batches: JSON lines in, JSON lines out, in the same order; a bad line never stops the rest."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from uniqgen_ir.cli.output import error_json, print_json, read_bytes
from uniqgen_ir.ir.diagnostics import DiagnosticError

Record = dict[str, Any]

_AHEAD: Final = 4


def run_batch(
    name: str, answer: Callable[[Record], Record], jobs: int = 1, stop: Callable[[], None] | None = None
) -> int:
    """Answer every line of the file and print `{"id", …}` for each, in order; exit code 0 once all are answered.

    A line without an id of its own has its number in the file as one, and as `line`, which no other line has. With
    `jobs`, so many lines are answered at once, in threads. `stop` ends what is under way when the batch is interrupted;
    the lines that were printed stand.
    """
    numbered = enumerate(read_bytes(name, "batch file").splitlines(), start=1)
    lines = [(number, line) for number, line in numbered if line.strip()]
    progress = Progress(len(lines))
    for number, record in enumerate(_answered(lines, answer, jobs, stop), start=1):
        print_json(record)
        sys.stdout.flush()
        progress.show(number)
    progress.close()
    return 0


def _answered(
    lines: Sequence[tuple[int, bytes]], answer: Callable[[Record], Record], jobs: int, stop: Callable[[], None] | None
) -> Iterator[Record]:
    """The answers in the order of the lines; at most `_AHEAD` lines for each job are begun before they are read."""
    numbered = iter(lines)
    if jobs <= 1:
        yield from (_answer_line(number, line, answer) for number, line in numbered)
        return
    from collections import deque
    from concurrent.futures import Future, ThreadPoolExecutor
    from itertools import islice

    with ThreadPoolExecutor(jobs, thread_name_prefix="batch") as pool:
        waiting: deque[Future[Record]] = deque(
            pool.submit(_answer_line, number, line, answer) for number, line in islice(numbered, _AHEAD * jobs)
        )
        try:
            while waiting:
                record = waiting.popleft().result()
                waiting.extend(pool.submit(_answer_line, number, line, answer) for number, line in islice(numbered, 1))
                yield record
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            if stop is not None:
                stop()  # otherwise leaving the pool would wait for the model
            raise


def _answer_line(number: int, line: bytes, answer: Callable[[Record], Record]) -> Record:
    # the number could be the id of another line, too: `line` tells them apart
    named: Record = {"id": number, "line": number}
    try:
        record: object = json.loads(line.decode("utf-8-sig"))
        if not isinstance(record, dict):
            return {**named, "error": {"code": "UQ651", "message": f"line {number} is not a JSON object"}}
        fields: Record = {str(key): value for key, value in record.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        if fields.get("id") is not None:
            named = {"id": fields["id"]}
        return {**named, **answer(fields)}
    except UnicodeDecodeError as error:
        return {**named, "error": {"code": "UQ651", "message": f"line {number} is not UTF-8: {error.reason}"}}
    except json.JSONDecodeError as error:
        return {**named, "error": {"code": "UQ651", "message": f"line {number} is not JSON: {error.msg}"}}
    except DiagnosticError as error:
        return {**named, "error": error_json(error.diagnostics)}
    except Exception as error:
        # one bad line must not cost the others; the code says that it is a fault of ours
        return {**named, "error": {"code": "UQ900", "message": f"{type(error).__name__}: {error}"}}


class Progress:
    """A counter on standard error: redrawn on a terminal, a line every ten seconds elsewhere."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._started = self._last = time.monotonic()
        self._terminal = sys.stderr.isatty()

    def show(self, done: int) -> None:
        now = time.monotonic()
        if now - self._last < (0.2 if self._terminal else 10.0):
            return
        self._last = now
        left = (now - self._started) / done * (self._total - done)
        print(
            f"{done}/{self._total} answered, about {left:.0f} s left",
            file=sys.stderr,
            end="\r" if self._terminal else "\n",
            flush=True,
        )

    def close(self) -> None:
        if self._terminal:
            print(" " * 60, file=sys.stderr, end="\r")
