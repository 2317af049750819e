"""UQ75x: what the gate says about SPARQL queries that can be read."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

_PREFIX: Final = "PREFIX ex: <http://example.org/>\n"

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ750",
        "unbound_in_scope",
        "a variable that has no value at this place",
        "The variable is bound elsewhere in the query, but not where it is used: SPARQL solves a group from the inside "
        "out, so BIND sees what stands before it in its own group, and FILTER what its own group binds.",
        "The expression is an error for every solution: a condition removes them all, a name stays unbound.",
        _PREFIX + "SELECT ?x WHERE { ?x ex:age ?a . { ?x ex:knows ?y . FILTER(?a > 30) } }",
        _PREFIX + "SELECT ?x WHERE { ?x ex:age ?a . ?x ex:knows ?y . FILTER(?a > 30) }",
    ),
    Code(
        "UQ751",
        "optional_cancelled",
        "a condition outside OPTIONAL that cancels it",
        "Only OPTIONAL binds the variable, and the condition fails where it is unbound.",
        "Every solution without the optional part is removed, as if OPTIONAL were not there.",
        _PREFIX + 'SELECT ?x ?e WHERE { ?x ex:age ?a . OPTIONAL { ?x ex:email ?e } FILTER(CONTAINS(?e, "@")) }',
        _PREFIX + 'SELECT ?x ?e WHERE { ?x ex:age ?a . OPTIONAL { ?x ex:email ?e . FILTER(CONTAINS(?e, "@")) } }',
    ),
    Code(
        "UQ752",
        "cartesian_product",
        "patterns that share no variable",
        "The group falls into parts that nothing connects: no variable, no condition.",
        "Every solution of one part is combined with every solution of the other; the number of answers explodes.",
        _PREFIX + "SELECT ?p ?c WHERE { ?p a ex:Person . ?c a ex:Company }",
        _PREFIX + "SELECT ?p ?c WHERE { ?p a ex:Person ; ex:worksFor ?c . ?c a ex:Company }",
    ),
    Code(
        "UQ753",
        "unbounded_path",
        "a path of any length from anywhere to anywhere",
        "`*` or `+` follows a predicate without a bound, and nothing fixes where it begins or ends; or the path may step "
        "over any predicate.",
        "The store has to compute all pairs of nodes that are connected.",
        _PREFIX + "SELECT ?x ?y WHERE { ?x ex:knows+ ?y }",
        _PREFIX + "SELECT ?y WHERE { ex:Ann ex:knows+ ?y }",
    ),
    Code(
        "UQ754",
        "tautology",
        "a condition that always holds",
        "The condition is true for every solution: two sides that are the same, or a choice of which one part always "
        "holds, as in `?x != 1 || ?x != 2`.",
        "It removes nothing; most often `&&` was meant.",
        _PREFIX + "SELECT ?x WHERE { ?x ex:age ?a . FILTER(?a != 1 || ?a != 2) }",
        _PREFIX + "SELECT ?x WHERE { ?x ex:age ?a . FILTER(?a != 1 && ?a != 2) }",
    ),
    Code(
        "UQ755",
        "union_columns",
        "an alternative that adds nothing to the answers",
        "One branch of UNION binds no variable that the rest of the query uses or returns.",
        "Each of its solutions is a row without values.",
        _PREFIX + "SELECT ?x WHERE { { ?x a ex:Person } UNION { ?y a ex:Company } }",
        _PREFIX + "SELECT ?x WHERE { { ?x a ex:Person } UNION { ?x a ex:Company } }",
    ),
    Code(
        "UQ756",
        "no_shared_variable",
        "MINUS that shares no variable",
        "MINUS removes a solution only if it agrees with one of its own on a variable that both bind, and here there is "
        "none.",
        "It removes nothing at all.",
        _PREFIX + "SELECT ?x WHERE { ?x a ex:Person . MINUS { ?y ex:worksFor ?z } }",
        _PREFIX + "SELECT ?x WHERE { ?x a ex:Person . MINUS { ?x ex:worksFor ?z } }",
    ),
    Code(
        "UQ757",
        "unknown_predicate",
        "a predicate that instances of the class do not have",
        "The schema lists the predicates of each class, and this one is not among those of the class at hand.",
        "No instance of the class has the predicate, so the pattern matches nothing.",
        _PREFIX + "SELECT ?a WHERE { ?c a ex:Company ; ex:age ?a }",
        _PREFIX + "SELECT ?a WHERE { ?p a ex:Person ; ex:age ?a }",
    ),
    Code(
        "UQ758",
        "dialect_unsupported",
        "an extension of one store",
        "The query uses a name or clause that only one store knows, as in `bif:contains` or `OPTION (TRANSITIVE)`.",
        "Every other store refuses it, or finds nothing.",
        _PREFIX + "SELECT ?x WHERE { ?x ex:name ?n . ?n bif:contains 'Ann' }",
        _PREFIX + 'SELECT ?x WHERE { ?x ex:name ?n . FILTER(CONTAINS(?n, "Ann")) }',
    ),
    Code(
        "UQ759",
        "external_io",
        "a data set from outside",
        "`FROM` names the graphs that the query asks for. Some stores fetch them from the network.",
        "A query must not reach out of the graph that it is given.",
        _PREFIX + "SELECT ?x FROM <http://example.org/data.ttl> WHERE { ?x a ex:City }",
        _PREFIX + "SELECT ?x WHERE { ?x a ex:City }",
    ),
    Code(
        "UQ760",
        "undirected_self_relation",
        "a relation in both directions between two variables",
        "The path goes along the predicate or against it, and both ends are variables.",
        "Every pair is found twice, once each way round.",
        _PREFIX + "SELECT ?a ?b WHERE { ?a (ex:knows|^ex:knows) ?b }",
        _PREFIX + "SELECT ?a ?b WHERE { ?a (ex:knows|^ex:knows) ?b . FILTER(STR(?a) < STR(?b)) }",
    ),
)
