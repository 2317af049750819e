"""Queries a second: parsing with spans, checking, translating. `python benchmarks/bench_cypher_read.py [seconds]`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from uniqgen_ir.grammar.cypher import check_cypher, parse_cypher, read_cypher

TYPICAL = """MATCH (p:Person {name: 'Tom Hanks'})-[:ACTED_IN]->(m:Movie)<-[:DIRECTED]-(d:Person),
      (m)-[:IN_GENRE]->(g:Genre)
WHERE m.released >= 1990 AND g.name IN ['Drama', 'Comedy'] AND NOT (d)-[:ACTED_IN]->(m)
WITH d, count(DISTINCT m) AS films
ORDER BY films DESC LIMIT 10
RETURN d.name AS director, films"""


def rate(work: Callable[[], object], seconds: float) -> float:
    """Calls of `work` per second of processor time."""
    work()
    count, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        work()
        count += 1
    return count / (time.process_time() - start)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    parse = parse_cypher(TYPICAL)
    assert parse.valid
    print(f"parse, typed nodes with spans  {rate(lambda: parse_cypher(TYPICAL), seconds):8.0f} /s")
    print(f"check                          {rate(lambda: check_cypher(parse), seconds):8.0f} /s")
    print(f"read as a table, all in all    {rate(lambda: read_cypher(TYPICAL), seconds):8.0f} /s")


if __name__ == "__main__":
    main()
