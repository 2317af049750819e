"""How fast tables are read, printed and formatted: `python benchmarks/bench_parse.py`.

Figures are per second of CPU time on one core, best of five rounds; start-up is a fresh process that reads one table.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

from uniqgen_ir.grammar.ctable import parse_table, read_table
from uniqgen_ir.grammar.ctable.formatter import format_text
from uniqgen_ir.ir.printer import print_table
from uniqgen_ir.passes.verify import require_valid

TYPICAL = """prefix fb: <http://rdf.freebase.com/ns/>
ctable winter "Which US cities hosted the Winter Olympics in February?" {
  select distinct ?city ?d
  games:   ?g a fb:olympics.olympic_games
  host:    ?g fb:olympics.olympic_games.host_city ?city
  country: ?city fb:location.location.containedby{1,3} fb:m.09c7w0 @structural
  season:  ?g fb:olympics.olympic_games.season "Winter" @pragmatic(u = 0.4, "February implies winter")
  month:   ?g fb:time.event.start_date ?d where month(?d) = 2
  recent:  ?d >= date("1900-01-01") @required
}
"""
ROW = "?city{0} fb:location.location.containedby ?place{0} where ?place{0} != fb:m.09c7w0"
START_UP = "from uniqgen_ir.grammar.ctable import parse_table; parse_table('ctable t { select ?x . ?x a owl:Class }')"


def long_table(rows: int) -> str:
    """A table of so many rows."""
    body = "\n".join(ROW.format(number) for number in range(rows))
    return f"prefix fb: <http://rdf.freebase.com/ns/>\nctable long {{\nselect *\n{body}\n}}\n"


def per_second(work: Callable[[], object], repeat: int) -> float:
    """How often the work can be done in a second."""
    work()
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        for _ in range(repeat):
            work()
        best = min(best, (time.process_time() - start) / repeat)
    return 1 / best


def start_up() -> float:
    """Seconds of CPU time that the first table costs beyond starting Python."""

    def seconds(code: str) -> float:
        timed = f"import time; {code}; print(time.process_time())"
        runs = [subprocess.run([sys.executable, "-c", timed], capture_output=True, check=True) for _ in range(3)]
        return min(float(run.stdout) for run in runs)

    return seconds(START_UP) - seconds("pass")


def main() -> None:
    """Print the figures."""
    table = parse_table(TYPICAL)
    print(f"read a table of 6 rows    {per_second(lambda: parse_table(TYPICAL), 200):8.0f} / s")
    print(f"read and verify it        {per_second(lambda: require_valid(parse_table(TYPICAL)), 200):8.0f} / s")
    print(f"print it                  {per_second(lambda: print_table(table), 500):8.0f} / s")
    print(f"format it                 {per_second(lambda: format_text(TYPICAL), 200):8.0f} / s")
    for rows in (100, 1000):
        text = long_table(rows)
        speed = per_second(partial(parse_table, text), 2) * rows
        print(f"rows read in {rows:4} rows    {speed:8.0f} rows / s")
    broken = long_table(10_000).replace("where ?place", "wher ?place")
    start = time.process_time()
    count = len(read_table(broken).diagnostics)
    print(f"10,000 broken lines       {time.process_time() - start:8.2f} s for {count} reports")
    print(f"start-up                  {start_up():8.3f} s")


if __name__ == "__main__":
    main()
