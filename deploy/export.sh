#!/usr/bin/env bash
# Writes a graph for the servers of compose.yaml: ./export.sh [GRAPH …]; without one, the bundled graph.
set -euo pipefail
cd "$(dirname "$0")"
rm -rf graph
sources=()
for one in "${@:-almanac}"; do sources+=(--graph "$one"); done
uniqgen export "${sources[@]}" --to nt graph/nt
uniqgen export "${sources[@]}" --to cypher graph/cypher
