"""Write `spec/sm3-agreement.md`: the SPARQL and the Cypher of one question, each read as a table and run.

    python -m tools.sm3_table [--list]

The questions are SM3's development set over Synthea. Its CSV files become a property graph, by the load statements that
come with it and are run on kglite as they are, and an RDF graph, by the properties of its ontology. The two gold
queries are read, rendered and run; what is compared are sets of rows, numbers by value. Needs `../shared/data`.
"""

from __future__ import annotations

import csv
import datetime
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import kglite
from attrs import evolve, frozen

from tools.sm3_causes import Pair, cause
from uniqgen_ir.backends.cypher.dialects import DIALECTS
from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.backends.cypher.renderer import CypherRenderer
from uniqgen_ir.backends.engines.source import GraphSource
from uniqgen_ir.backends.registry import open_store
from uniqgen_ir.backends.store import RenderingStore
from uniqgen_ir.grammar.cypher import read_cypher
from uniqgen_ir.grammar.sparql import read_sparql
from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.graph import Fact, Graph
from uniqgen_ir.ir.protocols import StoreError
from uniqgen_ir.ir.terms import IRI, GroundTerm, Literal
from uniqgen_ir.ir.vocabulary import OWL, RDF, RDF_TYPE, RDFS
from uniqgen_ir.kg.load import load_graph

SHARED: Final = Path(__file__).parents[2] / "shared" / "data"
SHEETS: Final = SHARED / "kg" / "sm3_synthea_csv"
PAGE: Final = Path(__file__).parents[1] / "spec" / "sm3-agreement.md"
SYNTHEA: Final = "https://knacc.umbc.edu/dae-young/kim/ontologies/synthea#"
CLASSES: Final = {
    "allergies": "Allergy", "careplans": "CarePlan", "conditions": "Condition", "devices": "Device",
    "encounters": "Encounter", "imaging_studies": "ImagingStudy", "immunizations": "Immunization",
    "medications": "Medication", "organizations": "Organization", "patients": "Patient",
    "payer_transitions": "PayerTransition", "payers": "Payer", "procedures": "Procedure", "providers": "Provider",
    "supplies": "Supply",
}  # fmt: skip
RENDERER: Final = CypherRenderer(DIALECTS["kglite"])
SECONDS: Final = 10.0

SAME: Final = ("the same rows", "both without a row")
OWN_FAULT: Final = "our reading differs from the original text"

Row = tuple[str, ...]


@frozen
class Outcome:
    """What became of a question, and what there is to see."""

    id: str
    kind: str
    seen: str = ""
    cause: str = ""
    evidence: str = ""


def questions() -> Iterator[dict[str, Any]]:
    """The questions that have both queries."""
    with gzip.open(SHARED / "questions" / "sm3_dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            one = json.loads(line)
            if one["sparql"].lstrip().upper().startswith(("PREFIX", "SELECT")) and "MATCH" in one["cypher"]:
                yield one


# ---- the graphs ----------------------------------------------------------------------------------------------------


def rdf_graph() -> Graph:
    """A node for every line, a fact for every cell whose column the ontology names."""
    ontology = load_graph([str(SHEETS / "synthea_ontology.ttl")]).graph
    graph = Graph()
    for name, class_ in CLASSES.items():
        predicates = _predicates(ontology, IRI(SYNTHEA + class_))
        for number, line in enumerate(_lines(name)):
            subject = IRI(f"urn:synthea:{name}:{number}")
            graph.add((subject, IRI(RDF_TYPE), IRI(SYNTHEA + class_)))
            for fact in _facts(subject, line, predicates):
                graph.add(fact)
    return graph


def _lines(name: str) -> Iterator[dict[str, str]]:
    with (SHEETS / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _predicates(ontology: Graph, class_: IRI) -> dict[str, list[tuple[IRI, str]]]:
    """Predicate and datatypes for every name that a column of the class may have."""
    found: dict[str, list[tuple[IRI, str]]] = {}
    for predicate, _, domain in ontology.match(None, IRI(RDFS + "domain"), None):
        if not isinstance(predicate, IRI) or class_ not in _members(ontology, domain):
            continue
        ranges = [one for end in ontology.objects(predicate, IRI(RDFS + "range")) for one in _members(ontology, end)]
        # where several datatypes are allowed a cell is given in each: only its text is compared
        typed = [(predicate, one.value) for one in ranges]
        local = _plain(predicate.value.removeprefix(SYNTHEA))
        for name in (local, local.removesuffix("id") or local, re.sub("(date|time)+$", "", local) or local):
            found.setdefault(name, typed)
    return found


def _members(ontology: Graph, node: GroundTerm) -> list[IRI]:
    """The class or datatype itself, or those that a union lists."""
    if isinstance(node, IRI):
        return [node]
    rests = list(ontology.objects(node, IRI(OWL + "unionOf")))
    found: list[IRI] = []
    while rests:
        found += [one for one in ontology.objects(rests[0], IRI(RDF + "first")) if isinstance(one, IRI)]
        rests = list(ontology.objects(rests[0], IRI(RDF + "rest")))
    return found


def _facts(subject: IRI, line: dict[str, str], predicates: dict[str, list[tuple[IRI, str]]]) -> Iterator[Fact]:
    for column, cell in line.items():
        for predicate, datatype in predicates.get(_plain(column), ()) if cell else ():
            yield subject, predicate, Literal(cell, datatype)


def property_graph() -> Any:
    """The graph that the load statements make."""
    graph: Any = kglite.KnowledgeGraph()
    text = (SHEETS / "config_neo4j.yml").read_text(encoding="utf-8")
    for block in re.split(r"\n  - url: ", text)[1:]:
        name = Path(block.splitlines()[0].strip()).stem
        if not (SHEETS / f"{name}.csv").is_file():
            continue
        statement = re.split(r"\n\s*#", block.partition("cql: |\n")[2])[0]
        # the engine takes `end` for a word of its own, and has no MERGE without a direction (Neo4j: to the right)
        statement = re.sub(r"\.end\b", ".`end`", statement)
        statement = re.sub(r"(MERGE \(\w+\)-\[:\w+\]-)(?=\()", r"\1>", statement)
        rows = list(_lines(name))
        for start in range(0, len(rows), 1000):
            graph.cypher(statement, params={"dict": {"rows": rows[start : start + 1000]}})
    return graph


# ---- the comparison ------------------------------------------------------------------------------------------------


def outcomes() -> tuple[Outcome, ...]:
    """Every question, in the order of the file."""
    kglite.set_query_warning_policy("silent")
    graph, facts = property_graph(), rdf_graph()

    @cache
    def count(label: str, name: str) -> int:
        text = f"MATCH (n:{quote_name(label)}) WHERE n.{quote_name(name)} IS NOT NULL RETURN count(n) AS n"
        return int(next(iter(graph.cypher(text)))["n"])

    with open_store("oxigraph", GraphSource(facts)) as store:
        found: list[Outcome] = []
        for question in questions():
            one = _outcome(question, graph, store)
            found.append(one if one.kind in (*SAME, OWN_FAULT) else _with_cause(question, one, facts, count))
        return tuple(found)


def _with_cause(question: dict[str, Any], outcome: Outcome, facts: Graph, count: Callable[[str, str], int]) -> Outcome:
    sparql = read_sparql(question["sparql"], unbounded="allow").table
    cypher = read_cypher(question["cypher"], unbounded="allow").table
    if sparql is None or cypher is None:
        return outcome
    words, evidence = cause(Pair(sparql, cypher, facts, count))
    return evolve(outcome, cause=words, evidence=evidence)


def _outcome(question: dict[str, Any], graph: Any, store: RenderingStore) -> Outcome:
    sparql = _sparql(question["sparql"], store)
    cypher = _cypher(question["cypher"], graph)
    name = question["id"]
    if isinstance(sparql, str) or isinstance(cypher, str):
        both = (("SPARQL", sparql), ("Cypher", cypher))
        words = ", ".join(f"{language} {found}" for language, found in both if isinstance(found, str))
        return Outcome(name, f"not run: {words}")
    read, original = cypher
    if original is not None and read != original:
        return Outcome(name, OWN_FAULT, question["cypher"])
    if read == sparql:
        return Outcome(name, SAME[0] if read else SAME[1])
    return Outcome(name, _difference(sparql, read), f"{sorted(sparql)[:3]} and {sorted(read)[:3]}")


def _sparql(text: str, store: RenderingStore) -> frozenset[Row] | str:
    table = read_sparql(text, unbounded="allow").table
    if table is None:
        return "refused"
    try:
        return frozenset(tuple(_shown(cell) for cell in row) for row in store.select(table, timeout=SECONDS).rows)
    except StoreError as error:
        return f"failed ({error.diagnostics[0].code})"
    except DiagnosticError as error:
        return f"refused ({error.diagnostics[0].code})"


def _cypher(text: str, graph: Any) -> tuple[frozenset[Row], frozenset[Row] | None] | str:
    """The rows of our reading, and those of the text itself where the engine takes it."""
    table = read_cypher(text, unbounded="allow").table
    if table is None:
        return "refused"
    try:
        query = RENDERER.render(table)
    except DiagnosticError as error:
        return f"refused ({error.diagnostics[0].code})"
    try:
        read = _run(graph, query.text, dict(query.params))
    except kglite.KgError as error:
        return f"failed ({type(error).__name__})"
    try:
        return read, _run(graph, text.rstrip().rstrip(";"), {})
    except kglite.KgError:
        return read, None


def _run(graph: Any, text: str, params: dict[str, Any]) -> frozenset[Row]:
    result = graph.cypher(text, params=params, timeout_ms=int(SECONDS * 1000), disable_optimizer=True)
    return frozenset(tuple(_shown(cell) for cell in row.values()) for row in result)


def _shown(value: Any) -> str:
    """A value as text: numbers by value, times to the second without a zone."""
    if isinstance(value, Literal):
        value = value.lexical
    if isinstance(value, datetime.datetime | datetime.date):
        value = value.isoformat()
    if value is None:
        return ""
    text = str(value)
    try:
        return f"{float(text):.9g}"
    except ValueError:
        moment = re.fullmatch(r"(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)\S*)?", text)
        return text if moment is None else f"{moment[1]}T{moment[2] or '00:00:00'}"


def _difference(sparql: frozenset[Row], cypher: frozenset[Row]) -> str:
    if not sparql and not any(cell for row in cypher for cell in row):
        return "a missing property: null in Cypher, no row in SPARQL"
    if not sparql or not cypher:
        return f"only {'Cypher' if cypher else 'SPARQL'} has rows"
    if len({len(row) for row in (*sparql, *cypher)}) > 1:
        return "other columns"
    if {frozenset(row) for row in sparql} == {frozenset(row) for row in cypher}:
        return "columns in another order"
    if cypher < sparql or sparql < cypher:
        return f"{'SPARQL' if cypher < sparql else 'Cypher'} has more rows"
    return "other rows"


# ---- the page ------------------------------------------------------------------------------------------------------


def page(found: Sequence[Outcome]) -> str:
    """The page in Markdown."""
    counts = Counter(one.kind for one in found)
    run = sum(number for kind, number in counts.items() if not kind.startswith("not run"))
    same = sum(counts[kind] for kind in SAME)
    lines = [
        "# SM3: the SPARQL and the Cypher of one question",
        "",
        "Generated by `python -m tools.sm3_table`; do not edit.",
        "",
        "Both gold queries of each question are read as tables, rendered, and run over graphs made from the same CSV",
        "files. Sets of rows are compared. The two were written by hand for two schemas, so a difference need not be",
        "an error of a reader: our reading of the Cypher is also compared with the original text on the same engine.",
        "",
        f"Questions with both queries: {len(found)}; run in both: {run}; the same answer: {same}.",
        "",
        "| what came out | questions |",
        "|---|---:|",
        *(f"| {kind} | {number} |" for kind, number in _ranked(counts)),
        "",
        "## Why they differ",
        "",
        "The first cause that the two tables and the two graphs show, with the question that shows it first.",
        "",
        "| what came out | cause | questions | for one |",
        "|---|---|---:|---|",
        *_causes(found),
    ]
    return "\n".join(lines) + "\n"


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))


def _causes(found: Sequence[Outcome]) -> Iterator[str]:
    differing = [one for one in found if one.cause]
    for kind, _ in _ranked(Counter(one.kind for one in differing)):
        members = [one for one in differing if one.kind == kind]
        for words, number in _ranked(Counter(one.cause for one in members)):
            first = next(one for one in members if one.cause == words)
            yield f"| {kind} | {words} | {number} | {first.id}: {first.evidence} |"


def show(found: Iterable[Outcome]) -> None:
    """Print what is not the same."""
    for one in found:
        if one.kind not in SAME:
            print(f"{one.id}: {one.kind}: {one.cause} ({one.evidence}): {one.seen[:300]}")


def main(arguments: Sequence[str]) -> int:
    """Write the page; `--list` prints the differences instead."""
    found = outcomes()
    if "--list" in arguments:
        show(found)
    else:
        PAGE.write_text(page(found), encoding="utf-8")
    return 1 if any(one.kind == OWN_FAULT for one in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
