"""Counters of a service, as the text that Prometheus reads (exposition format 0.0.4)."""

from __future__ import annotations

import threading
import time
from collections import Counter
from typing import Final

from attrs import define, field

BUCKETS: Final = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the histogram, in seconds."""


@define(eq=False)
class Metrics:
    """What was asked, how it ended, how long it took. Safe for threads."""

    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _ended: Counter[tuple[str, str]] = field(factory=Counter[tuple[str, str]], init=False)
    _seconds: dict[str, list[float]] = field(factory=dict[str, list[float]], init=False)
    _buckets: Counter[tuple[str, float]] = field(factory=Counter[tuple[str, float]], init=False)
    _started: float = field(factory=time.time, init=False)

    def ended(self, operation: str, code: str, seconds: float) -> None:
        """Count one request. `code` is `ok`, or that of the error."""
        with self._lock:
            self._ended[operation, code] += 1
            total = self._seconds.setdefault(operation, [0.0, 0.0])
            total[0] += 1
            total[1] += seconds
            for bound in BUCKETS:
                if seconds <= bound:
                    self._buckets[operation, bound] += 1

    def text(self, running: int, waiting: int) -> str:
        """All metrics; `running` requests are worked on now, `waiting` wait for their turn."""
        with self._lock:
            lines = [
                *_head("uniqgen_requests_total", "counter", "requests by operation and how they ended"),
                *(
                    f'uniqgen_requests_total{{operation="{name}",code="{code}"}} {count}'
                    for (name, code), count in sorted(self._ended.items())
                ),
                *_head("uniqgen_request_seconds", "histogram", "seconds from arrival to answer"),
            ]
            for name, (count, seconds) in sorted(self._seconds.items()):
                for bound in BUCKETS:
                    label = f'operation="{name}",le="{bound}"'
                    lines.append(f"uniqgen_request_seconds_bucket{{{label}}} {self._buckets[name, bound]}")
                lines.append(f'uniqgen_request_seconds_bucket{{operation="{name}",le="+Inf"}} {count:.0f}')
                lines.append(f'uniqgen_request_seconds_sum{{operation="{name}"}} {seconds:.6f}')
                lines.append(f'uniqgen_request_seconds_count{{operation="{name}"}} {count:.0f}')
        for name, value, words in (
            ("uniqgen_requests_running", running, "requests that are worked on"),
            ("uniqgen_requests_waiting", waiting, "requests that wait for their turn"),
            ("uniqgen_start_time_seconds", self._started, "when the service started, in seconds since 1970"),
        ):
            lines += [*_head(name, "gauge", words), f"{name} {value}"]
        return "\n".join(lines) + "\n"


def _head(name: str, kind: str, words: str) -> tuple[str, str]:
    return f"# HELP {name} {words}", f"# TYPE {name} {kind}"
