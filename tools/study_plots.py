"""Runs the studies behind `docs/bounded-path-context.md` and `docs/robustness.md` and writes their reports and plots.

Usage: python tools/study_plots.py DATA [FOLDER]

DATA holds `questions/` and `kg/`; FOLDER is `docs/studies` unless named. The runs take about half an hour on two cores.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from uniqgen_ir.cli.main import main

WALKS: Final = ("--model", "lexical", "--model", "reading:0.05,0.1", "--model", "reading:0.2,0.1")
STUDIES: Final[dict[str, tuple[str, str, str, tuple[str, ...]]]] = {
    "walks-pq3h": ("bpc", "pathquestion_pq3h", "pq_3h.tsv", ("--limit", "150", "--depth", "4", *WALKS)),
    "walks-pq2h": ("bpc", "pathquestion_pq2h", "pq_2h.tsv", ("--limit", "150")),
    "robustness-worldcup": ("robustness", "wc2014_wc_c", "wc2014.tsv", ("--limit", "80")),
    "robustness-freebase": ("robustness", "webqsp_test", "freebase_mini.nt", ("--limit", "200")),
}


def run(data: Path, folder: Path) -> int:
    """Run every study; gives the exit code of the first that fails, or 0."""
    for name, (study, questions, graph, more) in STUDIES.items():
        source, place = data / "questions" / f"{questions}.jsonl.gz", data / "kg" / f"{graph}.gz"
        code = main(["eval", study, str(source), "--graph", str(place), "--report", str(folder / name), *more])
        if code:
            return code
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(run(Path(sys.argv[1]), Path(sys.argv[2] if len(sys.argv) == 3 else "docs/studies")))
