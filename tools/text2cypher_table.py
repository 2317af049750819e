"""Write `spec/gate-text2cypher.md`: the gate on queries that models wrote, beside the analyser of Neo4j.

    python -m tools.text2cypher_table FOLDER [--all]

Needs `../shared/data` and Node. FOLDER has the npm package that `../shared/checks/neo4j_lint.mjs` names at its head,
and keeps the verdicts, so that a run that was cut goes on. The analyser takes a tenth of a second for a query: it is
asked about the queries that the gate rejects though they returned results, about those that failed with a syntax error,
and about a sample of those that the gate accepts; with --all, about all of them.
"""

from __future__ import annotations

import ast
import gzip
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from attrs import frozen

from uniqgen_ir.ir.diagnostics import errors
from uniqgen_ir.validate.gate import check
from uniqgen_ir.validate.report import Report
from uniqgen_ir.validate.schema_sources import vocabulary_of_json
from uniqgen_ir.validate.vocabulary import Vocabulary

ROOT: Final = Path(__file__).parents[1]
SHARED: Final = ROOT.parent / "shared"
PAGE: Final = ROOT / "spec" / "gate-text2cypher.md"
SETS: Final = ("text2cypher_gpt4turbo", "text2cypher_claudeopus")
PIECE: Final = 100
"""How many queries the analyser is asked about at a time"""
SAMPLE: Final = 250
REASONS: Final = {
    "unknown_property": "The schema gives the property to another label; the analyser knows property keys only of the "
    "whole graph. A property that is absent is null: it sorts, and it can be returned.",
    "type_mismatch": "A date and time compared with a date or a string, a string with a number: by the language the "
    "comparison is null, and no row passes.",
    "wrong_direction": "By the schema the relationship leads the other way only. The analyser warns of plain patterns; "
    "under NOT, OPTIONAL MATCH or in a comprehension, where what never matches still leaves rows, it does not look.",
    "endpoint_mismatch": "By the schema the type never leads from the one label to the other, though it knows both.",
}


@frozen
class Judged:
    """A query of the sets with what the gate says of it, and the analyser's errors and warnings, if it was asked."""

    name: str
    line: Mapping[str, Any]
    report: Report
    referee: tuple[int, int] | None = None

    @property
    def counts_as_right(self) -> bool:
        """Whether the set says that it gave results, and does not say that it breaks its schema."""
        return bool(self.line["returns_results"]) and not self.line.get("false_schema")

    @property
    def kind(self) -> str:
        """The kind of the first error."""
        return errors(self.report.diagnostics)[0].kind


def schemas() -> dict[str, Any]:
    """The schemas of the sets by name, as tool chains write them."""
    with gzip.open(SHARED / "data" / "kg" / "text2cypher_schemas.jsonl.gz", "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    texts = {line["id"]: line["structured_schema"] for line in lines}
    return {name: ast.literal_eval(one) if isinstance(one, str) else one for name, one in texts.items()}


def lines(name: str) -> Iterator[dict[str, Any]]:
    """The queries of a set."""
    with gzip.open(SHARED / "data" / "questions" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def judged() -> Iterator[Judged]:
    """Every query of the sets whose schema is there."""
    vocabularies: dict[str, Vocabulary] = {name: vocabulary_of_json(one) for name, one in schemas().items()}
    for name in SETS:
        for line in lines(name):
            if line["schema"] in vocabularies:
                report = check(line["cypher"], language="cypher", schema=vocabularies[line["schema"]])
                yield Judged(line["id"], line, report)


def refereed(queries: Iterable[Judged], folder: Path) -> list[Judged]:
    """The queries with the analyser's verdicts, those of `FOLDER/verdicts.jsonl` and the ones asked for now.

    Raises CalledProcessError where Node or the package fails.
    """
    asked = list(queries)
    cache = folder / "verdicts.jsonl"
    verdicts = {one["id"]: one for one in _read_lines(cache)} if cache.exists() else {}
    missing = [one for one in asked if one.name not in verdicts]
    for start in range(0, len(missing), PIECE):
        fresh = _ask(missing[start : start + PIECE], folder)
        verdicts |= {one["id"]: one for one in fresh}
        with cache.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(one) + "\n" for one in fresh)
    counted = {name: (len(one["errors"]), len(one["warnings"])) for name, one in verdicts.items() if "crash" not in one}
    return [Judged(one.name, one.line, one.report, counted[one.name]) for one in asked if one.name in counted]


def _read_lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _ask(queries: Sequence[Judged], folder: Path) -> list[dict[str, Any]]:
    known = {name: _for_referee(one) for name, one in schemas().items()}
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for one in queries:
            line = {"id": one.name, "query": one.line["cypher"], "schema": known[one.line["schema"]]}
            file.write(json.dumps(line) + "\n")
        file.flush()
        script = SHARED / "checks" / "neo4j_lint.mjs"
        command = ["node", str(script.resolve()), file.name, "CYPHER 5"]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def _for_referee(schema: Mapping[str, Any]) -> dict[str, Any]:
    def types(listed: Sequence[Mapping[str, str]]) -> dict[str, str]:
        return {one["property"]: one["type"] for one in listed}

    return {
        "nodes": {label: types(listed) for label, listed in schema["node_props"].items()},
        "rels": [
            {
                "type": one["type"],
                "from": one["start"],
                "to": one["end"],
                "props": types(schema["rel_props"].get(one["type"], [])),
            }
            for one in schema["relationships"]
        ],
    }


def page(everything: Sequence[Judged], asked: Sequence[Judged], sampled: Sequence[Judged]) -> str:
    """The text of the page. `sampled`: queries that the gate accepts, and about which the analyser was asked."""
    right = [one for one in everything if one.counts_as_right]
    rejected = [one for one in asked if one.counts_as_right and not one.report.valid]
    silent = [one for one in rejected if one.referee == (0, 0)]
    warned = [one for one in rejected if one.referee and not one.referee[0] and one.referee[1]]
    refused = len(rejected) - len(silent) - len(warned)
    told = [*silent, *warned]
    mended = [one for one in told if one.report.fix_is_safe]
    share = sum(one.referee == (0, 0) for one in sampled) / len(sampled)
    agreed = share * (len(right) - len(rejected))
    flagged = [one for one in asked if one.line["syntax_error"]]
    broken = [one for one in flagged if one.referee and one.referee[0]]
    caught = sum(not one.report.valid for one in broken)
    false = [one for one in everything if one.line.get("false_schema")]
    part = "all" if len(sampled) == len(right) - len(rejected) else f"a sample of {len(sampled):,}"
    return "\n".join(
        [
            "# The gate on queries that models wrote",
            "",
            "Written by `python -m tools.text2cypher_table`. The queries are those of `text2cypher_gpt4turbo` and",
            "`text2cypher_claudeopus` (neo4j-labs, CC0) whose schema is known; the referee is Neo4j's own analyser,",
            f"Cypher 5, with the same schema. {len(everything):,} queries were judged.",
            "",
            "## Queries that returned results",
            "",
            f"{len(right):,} returned results and are not flagged `false_schema`. The gate rejects {len(rejected)}:",
            "",
            "| the analyser | rejected by the gate | accepted by the gate |",
            "|---|---|---|",
            f"| accepts: neither errors nor warnings | {len(silent)} | {agreed:,.0f} |",
            f"| warns that the schema has no such thing | {len(warned)} | |",
            f"| refuses | {refused} | |",
            "",
            f"Of those that the analyser accepts, the gate rejects **{len(silent) / (len(silent) + agreed):.2%}**,",
            f"each explained below. (Of the queries that the gate accepts, the analyser was asked about {part}: it",
            f"accepts {share:.1%} of these.)",
            "",
            "The analyser warns, and never refuses, where a pattern cannot match by the schema (`(:Person) has no",
            "outgoing [:HAS_CEO]`). The gate believes the schema, so for it that is an error: such a query finds",
            "nothing on a graph that is as the schema says. It gave results because something turned its arrows before",
            "it was sent, as chains do, because it counts what it does not find, or because the schema does not list",
            "which labels stand together. Who wants these to pass takes the schema from the graph (`--graph`).",
            "",
            "If its warnings are counted as acceptance, too, the gate rejects",
            f"{len(told)} of {len(right) - refused:,}, {len(told) / (len(right) - refused):.2%}.",
            f"Of {len(mended)} of these it hands on the query that a safe",
            "repair makes, as `--fix` and `Guard` do: without a query are left",
            f"**{(len(told) - len(mended)) / (len(right) - refused):.2%}**.",
            "",
            "Those with a warning:",
            "",
            *_table(warned, "why it is rejected"),
            "",
            "Those that the analyser accepts:",
            "",
            *_table(silent, "why it is rejected"),
            "",
            "## Queries flagged `false_schema`",
            "",
            f"Of {len(false)} the gate rejects {sum(not one.report.valid for one in false)}: "
            + _listed(Counter(one.kind for one in false if not one.report.valid))
            + ".",
            "",
            "## Queries flagged `syntax_error`",
            "",
            f"Of {len(flagged)} flagged queries the analyser refuses {len(broken)}; the gate rejects {caught} of these",
            f"(recall {caught / len(broken):.3f}): "
            + _listed(Counter(one.kind for one in broken if not one.report.valid))
            + ".",
            "",
            f"The other {len(flagged) - len(broken)} failed for another reason than their syntax:",
            "",
            *_others([one for one in flagged if one not in broken]),
            "",
        ]
    )


def _table(queries: Sequence[Judged], title: str) -> Iterator[str]:
    yield f"| kind | queries | mended | {title} | which |"
    yield "|---|---|---|---|---|"
    for kind, count in Counter(one.kind for one in queries).most_common():
        these = [one for one in queries if one.kind == kind]
        mended = sum(one.report.fix_is_safe for one in these)
        yield f"| `{kind}` | {count} | {mended} | {REASONS[kind]} | {', '.join(_short(one.name) for one in these)} |"


def _others(queries: Sequence[Judged]) -> Iterator[str]:
    yield "| what the gate says | queries | which |"
    yield "|---|---|---|"
    groups = Counter("" if one.report.valid else one.kind for one in queries)
    for kind, count in groups.most_common():
        which = [_short(one.name) for one in queries if ("" if one.report.valid else one.kind) == kind]
        shown = "the server's failure is not seen in the query, neither by the gate nor by the analyser"
        yield f"| {f'`{kind}`' if kind else 'nothing'} | {count} | {', '.join(which) if kind else shown} |"


def _short(name: str) -> str:
    """`g12` and `c12` for lines of the two sets."""
    return name.replace("text2cypher_gpt4turbo-", "g").replace("text2cypher_claudeopus-", "c")


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count} `{kind}`" for kind, count in counts.most_common())


def main(arguments: Sequence[str]) -> int:
    """Write the page; the status is 1 where a floor does not hold."""
    everything, folder = list(judged()), Path(arguments[0])
    right = [one for one in everything if one.counts_as_right]
    flagged = [one for one in everything if one.line["syntax_error"]]
    rejected = [one for one in right if not one.report.valid]
    asked = refereed({one.name: one for one in (*rejected, *flagged)}.values(), folder)
    accepted = [one for one in right if one.report.valid]
    chosen = accepted if "--all" in arguments else Random(1).sample(accepted, SAMPLE)
    sampled = refereed(chosen, folder)
    PAGE.write_text(page(everything, asked, sampled), encoding="utf-8")
    silent = sum(one.counts_as_right and not one.report.valid and one.referee == (0, 0) for one in asked)
    agreed = sum(one.referee == (0, 0) for one in sampled) / len(sampled) * len(accepted)
    broken = [one for one in asked if one.line["syntax_error"] and one.referee and one.referee[0]]
    caught = sum(not one.report.valid for one in broken)
    print(f"rejected, though the analyser accepts: {silent / (silent + agreed):.2%}; recall: {caught}/{len(broken)}")
    return 0 if silent <= 0.01 * (silent + agreed) and caught >= 0.98 * len(broken) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
