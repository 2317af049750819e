"""Tools that check SPARQL, each behind one function. Runs in the environment that `install.py` makes."""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from cypher_peers import Answer, Case, Checker

_NUMBERS_AND_TEXTS = "http://www.w3.org/2001/XMLSchema#"


def rdflib() -> Checker:
    """`prepareQuery`; it takes no schema."""
    from rdflib.plugins.sparql import prepareQuery

    def check(case: Case) -> Answer:
        try:
            prepareQuery(case["query"])
        except Exception as error:  # the tool reports every fault so
            return [f"{type(error).__name__}: {error}"], None
        return [], None

    return check


def pyoxigraph() -> Checker:
    """A query on an empty store: what it does not parse it refuses; it takes no schema."""
    import pyoxigraph as peer

    store = peer.Store()

    def check(case: Case) -> Answer:
        try:
            store.query(case["query"])
        except Exception as error:  # faults of syntax, and services that it cannot reach
            return [f"{type(error).__name__}: {error}"], None
        return [], None

    return check


def sparql_llm() -> Checker:
    """`validate_sparql` with the schema as the VoID description of an endpoint."""
    peer = _without_model("sparql_llm.validate_sparql")
    endpoint = "https://example.org/sparql"

    def check(case: Case) -> Answer:
        prefixes = case["schema"]["prefixes"]
        void = {
            _full(class_, prefixes): {
                _full(name, prefixes): [_full(one, prefixes) for one in ranges] for name, ranges in known.items()
            }
            for class_, known in case["schema"]["classes"].items()
        }
        try:
            result = peer.validate_sparql(case["query"], endpoint, dict(prefixes), {endpoint: void})
        except Exception as error:  # what it cannot parse it raises
            return [f"{type(error).__name__}: {error}"], None
        return sorted(result["errors"]), result["fixed_query"]

    return check


def _without_model(module: str) -> Any:
    """A module of a package that fetches an embedding model when it is imported, which the module does not use."""
    stand_in = ModuleType("fastembed")
    stand_in.TextEmbedding = lambda *_given, **_named: None  # type: ignore[attr-defined]
    sys.modules["fastembed"] = stand_in
    return importlib.import_module(module)


def sparql_validator() -> Checker:
    """`SPARQLValidator` with the schema as an ontology in OWL."""
    from sparql_validator import SPARQLValidator

    made: dict[str, Any] = {}

    def check(case: Case) -> Answer:
        key = json.dumps(case["schema"], sort_keys=True)
        if key not in made:
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "ontology.ttl"
                file.write_text(_owl(case["schema"]), encoding="utf-8")
                made[key] = SPARQLValidator.from_files(file)
        try:
            report = made[key].validate(case["query"])
        except Exception as error:  # what it cannot parse it raises
            return [f"{type(error).__name__}: {error}"], None
        return [f"{one.kind}: {one.message}" for one in report.errors], None

    return check


def _owl(schema: Any) -> str:
    prefixes = {**schema["prefixes"], "owl": "http://www.w3.org/2002/07/owl#"}
    prefixes.setdefault("rdfs", "http://www.w3.org/2000/01/rdf-schema#")
    prefixes.setdefault("xsd", _NUMBERS_AND_TEXTS)
    lines = [f"@prefix {name}: <{space}> ." for name, space in prefixes.items()]
    uses: dict[str, tuple[set[str], set[str]]] = {}
    for class_, known in schema["classes"].items():
        lines.append(f"{class_} a owl:Class .")
        for name, ranges in known.items():
            domains, ends = uses.setdefault(name, (set(), set()))
            domains.add(class_)
            ends.update(ranges)
    for name, (domains, ends) in uses.items():
        literal = all(one.startswith(("xsd:", "rdf:")) for one in ends)
        lines.append(f"{name} a owl:{'Datatype' if literal else 'Object'}Property .")
        if len(domains) == 1:
            lines.append(f"{name} rdfs:domain {next(iter(domains))} .")
        if len(ends) == 1:
            lines.append(f"{name} rdfs:range {next(iter(ends))} .")
    return "\n".join(lines)


def _full(name: str, prefixes: dict[str, str]) -> str:
    prefix, _, local = name.partition(":")
    return prefixes.get(prefix, prefix + ":") + local


PEERS = {
    "rdflib": rdflib,
    "pyoxigraph": pyoxigraph,
    "sparql-llm": sparql_llm,
    "sparql-validator": sparql_validator,
}
