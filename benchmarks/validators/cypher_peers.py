"""Tools that check Cypher, each behind one function. Runs in the environment that `install.py` makes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Case = dict[str, Any]
Answer = tuple[list[str], str | None]
"""What the tool finds wrong, in its words, and the query that it would rather have."""
Checker = Callable[[Case], Answer]


def cypher_guard() -> Checker:
    """`validate_cypher` with the schema; `is_write` for the policy."""
    import cypher_guard as peer

    def check(case: Case) -> Answer:
        nodes, rels = case["schema"]["nodes"], case["schema"]["rels"]
        schema = {
            "node_props": {label: [_property(*one) for one in known.items()] for label, known in nodes.items()},
            "rel_props": {rel["type"]: [_property(*one) for one in (rel.get("props") or {}).items()] for rel in rels},
            "relationships": [{"start": rel["from"], "end": rel["to"], "rel_type": rel["type"]} for rel in rels],
            "metadata": {"index": [], "constraint": []},
        }
        try:
            found = list(peer.validate_cypher(case["query"], json.dumps(schema)))
            if not found and _read_only(case) and peer.is_write(case["query"]):
                found = ["the query writes"]
        except Exception as error:  # the tool reports faults of syntax so
            found = [f"{type(error).__name__}: {error}"]
        return found, None

    return check


def _property(name: str, kind: str) -> dict[str, str]:
    return {"name": name, "neo4j_type": kind if kind in ("STRING", "INTEGER", "FLOAT", "BOOLEAN") else "STRING"}


def cypher_validator() -> Checker:
    """`CypherValidator` with the schema, and the query that it proposes."""
    import cypher_validator as peer

    def check(case: Case) -> Answer:
        nodes = {label: list(known) for label, known in case["schema"]["nodes"].items()}
        rels: dict[str, tuple[str, str, list[str]]] = {}
        for rel in case["schema"]["rels"]:
            # it knows one pair of ends for a type: the first
            rels.setdefault(rel["type"], (rel["from"], rel["to"], list(rel.get("props") or {})))
        result = peer.CypherValidator(peer.Schema(nodes, rels)).validate(case["query"])
        return list(result.errors), result.fixed_query

    return check


def cypher_guardrail() -> Checker:
    """Two of its validators over a snapshot of the schema; the third, of syntax, needs a FalkorDB."""
    from cypher_guardrail import PropertiesValidator, SchemaValidator, Snapshot

    snapshots: dict[str, Snapshot] = {}

    def check(case: Case) -> Answer:
        key = json.dumps(case["schema"], sort_keys=True)
        if key not in snapshots:
            snapshots[key] = _snapshot(Snapshot, case["schema"])
        snapshot = snapshots[key]
        found: list[str] = []
        for validator in (SchemaValidator, PropertiesValidator):
            result = validator(snapshot).validate(case["query"])
            issues = result[1] if isinstance(result, tuple) else result
            found += [_text(one) for one in issues if getattr(one, "severity", "ERROR") != "INFO"]
        return found, None

    return check


def _snapshot(peer: Any, schema: Any) -> Any:
    nodes = {label: list(known) for label, known in schema["nodes"].items()}
    for rel in schema["rels"]:
        for label in (rel["from"], rel["to"]):
            nodes.setdefault(label, [])
    properties: dict[str, list[str]] = {}
    for rel in schema["rels"]:
        properties.setdefault(rel["type"], []).extend(rel.get("props") or {})
    together = [[label] for label in nodes] + schema.get("multi_labels", [])
    edges = [(rel["from"], rel["type"], rel["to"]) for rel in schema["rels"]]
    return peer.from_schema(nodes, edges, properties, node_label_sets=together)


def _text(issue: Any) -> str:
    if isinstance(issue, dict):
        return " ".join(str(issue.get(key, "")) for key in ("code", "description", "message") if issue.get(key))
    return f"{getattr(issue, 'code', '')} {issue}"


def graphglot() -> Checker:
    """`Dialect.validate` for Neo4j; it takes no schema."""
    from graphglot.dialect.base import Dialect

    dialect = Dialect.get_or_raise("neo4j")

    def check(case: Case) -> Answer:
        result = dialect.validate(case["query"])
        if result.success:
            return [], None
        found = [f"{one.code if hasattr(one, 'code') else ''} {one.message}" for one in result.diagnostics or ()]
        return found or [f"{result.stage}: {result.error}"], None

    return check


def cypherast() -> Checker:
    """`parse` and `validate` with a strict schema."""
    import cypherast as peer
    from cypherast.schema import GraphSchema

    def check(case: Case) -> Answer:
        schema = GraphSchema(strict=True)
        for label, known in case["schema"]["nodes"].items():
            schema.add_label(label, **known)
        for rel in case["schema"]["rels"]:
            schema.add_rel(rel["type"], rel["from"], rel["to"], **(rel.get("props") or {}))
        dialect = "neo4j25" if case.get("dialect") == "neo4j25" else "neo4j5"
        try:
            return [str(one) for one in peer.validate(case["query"], read=dialect, schema=schema)], None
        except peer.CypherastError as error:
            return [f"{type(error).__name__}: {error}"], None

    return check


def langchain_corrector() -> Checker:
    """LangChain's `CypherQueryCorrector`: an empty query is its refusal, another one its repair."""
    from langchain_neo4j.chains.graph_qa.cypher_utils import CypherQueryCorrector, Schema

    def check(case: Case) -> Answer:
        rels = [Schema(rel["from"], rel["type"], rel["to"]) for rel in case["schema"]["rels"]]
        corrected = CypherQueryCorrector(rels)(case["query"])
        if not corrected:
            return ["the corrector returns an empty query"], None
        changed = corrected != case["query"]
        return (["a direction was corrected"], corrected) if changed else ([], None)

    return check


def neo4j_graphrag() -> Checker:
    """What neo4j-graphrag does before it asks the database: `extract_cypher`."""
    from neo4j_graphrag.retrievers.text2cypher import extract_cypher

    def check(case: Case) -> Answer:
        extracted = extract_cypher(case["query"])
        changed = extracted.strip() != case["query"].strip()
        return (["text around the query"], extracted) if changed else ([], None)

    return check


def _read_only(case: Case) -> bool:
    return bool((case.get("policy") or {}).get("read_only", True))


PEERS: dict[str, Callable[[], Checker]] = {
    "cypher-guard": cypher_guard,
    "cypher-guardrail": cypher_guardrail,
    "cypher-validator": cypher_validator,
    "cypherast": cypherast,
    "graphglot": graphglot,
    "langchain-neo4j": langchain_corrector,
    "neo4j-graphrag": neo4j_graphrag,
}
