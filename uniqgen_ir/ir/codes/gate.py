"""UQ440 to UQ459: what the gate finds in queries that people or models wrote, in either language."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ440",
        "unknown_label",
        "a label that the schema does not have",
        "No node of the graph carries the label. Labels are case sensitive; a relationship type is not a label.",
        "The pattern matches nothing, and the engine does not say so.",
        "MATCH (p:person) RETURN p.name",
        "MATCH (p:Person) RETURN p.name",
    ),
    Code(
        "UQ441",
        "unknown_rel_type",
        "a relationship type that the schema does not have",
        "No relationship of the graph is of this type. Types are case sensitive.",
        "The pattern matches nothing, and the engine does not say so.",
        "MATCH (p:Person)-[:acted_in]->(m:Movie) RETURN m.title",
        "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) RETURN m.title",
    ),
    Code(
        "UQ442",
        "unknown_property",
        "a property that things of this kind do not have",
        "The schema lists the properties of each label and relationship type, and this one is not among those of what "
        "the variable can stand for.",
        "It is null everywhere: a condition on it is never true, a column of it is empty.",
        "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) RETURN p.title",
        "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) RETURN m.title",
    ),
    Code(
        "UQ443",
        "unsatisfiable_labels",
        "labels that no node carries together",
        "The label expression, or what the patterns say about one variable together, leaves no kind of node of the "
        "schema.",
        "The pattern matches nothing.",
        "MATCH (x:Person:Movie) RETURN x",
        "MATCH (x:Person|Movie) RETURN x",
    ),
    Code(
        "UQ444",
        "unsatisfiable",
        "conditions that cannot hold together",
        "Two conditions on one value exclude each other.",
        "The query has no answer on any graph.",
        "MATCH (p:Person) WHERE p.born > 1990 AND p.born < 1980 RETURN p.name",
        "MATCH (p:Person) WHERE p.born > 1980 AND p.born < 1990 RETURN p.name",
    ),
    Code(
        "UQ445",
        "null_comparison",
        "a comparison with null",
        "A comparison with null is neither true nor false, but null, even `null = null`.",
        "The condition never holds, whatever the graph says.",
        "MATCH (p:Person) WHERE p.born = null RETURN p.name",
        "MATCH (p:Person) WHERE p.born IS NULL RETURN p.name",
    ),
    Code(
        "UQ446",
        "tautology",
        "a condition that says nothing",
        "The condition holds for every row, or for every row in which its value is not missing.",
        "Most often something else was meant, and too many rows come back.",
        "MATCH (p:Person) WHERE p.born <> 1980 OR p.born <> 1990 RETURN p.name",
        "MATCH (p:Person) WHERE p.born <> 1980 AND p.born <> 1990 RETURN p.name",
    ),
    Code(
        "UQ447",
        "optional_cancelled",
        "an optional part that a later condition makes necessary",
        "Where the optional part is missing, its variables have no value, and this condition is not true without one.",
        "Rows without the optional part are dropped, as if it were not optional.",
        "MATCH (p:Person) OPTIONAL MATCH (p)-[:DIRECTED]->(m) WITH p, m WHERE m.released > 2000 RETURN p, m",
        "MATCH (p:Person) OPTIONAL MATCH (p)-[:DIRECTED]->(m) WHERE m.released > 2000 RETURN p, m",
    ),
    Code(
        "UQ448",
        "cartesian_product",
        "patterns that nothing connects",
        "Every match of one pattern is combined with every match of the other.",
        "The number of rows multiplies; counts come out too large, and the query may never end.",
        "MATCH (p:Person), (m:Movie) RETURN p.name, m.title",
        "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) RETURN p.name, m.title",
    ),
    Code(
        "UQ449",
        "undirected_self_relation",
        "a direction that matters was left out",
        "The relation leads from things of a kind to things of the same kind, and without an arrow both ends can be "
        "either.",
        "Senders are mixed with receivers, and each pair may come twice.",
        "MATCH (a:Account)-[:TRANSFER]-(b:Account) RETURN b",
        "MATCH (a:Account)-[:TRANSFER]->(b:Account) RETURN b",
    ),
    Code(
        "UQ450",
        "dialect_unsupported",
        "the engine cannot do this",
        "The query is valid, but the engine that was named with --dialect lacks a function, a clause or a form of it.",
        "The engine refuses the query, or reads it in another way.",
        "MATCH p = shortestPath((a)-[:KNOWS*..6]-(b)) RETURN length(p)  // Neptune",
        "MATCH p = (a)-[:KNOWS*..6]-(b) RETURN length(p) ORDER BY length(p) LIMIT 1",
    ),
    Code(
        "UQ451",
        "unused_parameter",
        "a value that the query does not use",
        "A value is given for a parameter that stands nowhere in the query.",
        "Often the query compares with a constant, or with a parameter of another name, instead.",
        'MATCH (p:Person {name: "Ann"}) RETURN p  // with {"name": "Ann"}',
        'MATCH (p:Person {name: $name}) RETURN p  // with {"name": "Ann"}',
    ),
    Code(
        "UQ452",
        "against_specification",
        "the query is not what was specified",
        "The query was compared with the table given by --against, and was not proved to give its answers: it gives "
        "others, loses some, or the comparison came to no end. The message names the rows.",
        "The query answers another question.",
        "uniqgen check query.rq --against spec.ctable",
        "mend the rows that the message names; `uniqgen diff` shows a graph on which the two differ",
    ),
    Code(
        "UQ453",
        "cost",
        "a part of the query that will take long",
        "How much the graph has is known, and by it this part looks at very many nodes, pairs or paths. A hint: nothing is "
        "refused for it.",
        "The query is slow, or ends at a time limit.",
        "MATCH (a:Account)-[:TRANSFER*1..8]->(b:Account) RETURN count(b)  // 2,000,000 accounts",
        'MATCH (a:Account {number: "4711"})-[:TRANSFER*1..3]->(b:Account) RETURN count(b)',
    ),
)
