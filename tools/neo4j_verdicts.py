"""Record what Neo4j's own parser and analyser say of the queries that the golden pages show.

    python -m tools.neo4j_verdicts FOLDER

FOLDER has the npm package `@neo4j-cypher/language-support` (`npm install @neo4j-cypher/language-support@2.0.0-next.38`
there). The verdicts are kept in `tests/golden/neo4j_verdicts.json`, so that tests need neither Node nor the package.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.golden.neo4j_texts import VERDICTS, VERSIONS, queries
from uniqgen_ir.backends.base import RenderedQuery

_PROGRAM: Final = """
const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');
const { readFileSync } = require('node:fs');
const found = createRequire(process.cwd() + '/').resolve('@neo4j-cypher/language-support');
import(pathToFileURL(found)).then((module) => {
  const lint = module.lintCypherQuery ?? module.default.lintCypherQuery;
  const verdicts = {};
  for (const [key, { version, text, parameters }] of Object.entries(JSON.parse(readFileSync(0, 'utf8')))) {
    const result = lint(text, { defaultLanguage: version, parameters });
    verdicts[key] = (result.diagnostics ?? result).filter((one) => one.severity === 1).map((one) => one.message);
  }
  console.log(JSON.stringify(verdicts));
});
"""


def main(arguments: Sequence[str]) -> int:
    """Write the verdicts; the status is 1 where one is not clean."""
    asked = dict(_asked())
    command = ["node", "-e", _PROGRAM]
    run = subprocess.run(
        command, cwd=Path(arguments[0]), input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    verdicts: Mapping[str, list[str]] = json.loads(run.stdout)
    VERDICTS.write_text(json.dumps(dict(sorted(verdicts.items())), indent=1) + "\n", encoding="utf-8")
    for key, errors in verdicts.items():
        if errors:
            print(asked[key]["text"], *errors, sep="\n", file=sys.stderr)
    return 1 if any(verdicts.values()) else 0


def _asked() -> Iterator[tuple[str, dict[str, Any]]]:
    for query in queries():
        # what the caller has yet to give has no type; any will do
        parameters = {**query.params, **dict.fromkeys(query.unbound, 1)}
        yield key_of(query), {"version": VERSIONS[query.dialect], "text": query.text, "parameters": parameters}


def key_of(query: RenderedQuery) -> str:
    """The name under which a verdict is kept."""
    return f"{query.dialect} {hashlib.sha256(query.text.encode()).hexdigest()[:16]}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
