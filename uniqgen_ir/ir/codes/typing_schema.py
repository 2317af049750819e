"""UQ340–UQ359: tables against a schema, and schemas against themselves."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ340",
        "unknown_class",
        "a class that the schema does not declare",
        "The schema declares names of this namespace, but not this class.",
        "No node of a graph that keeps to the schema is one, so the row matches nothing.",
        "?g a ol:OlympicGame",
        "?g a ol:OlympicGames",
    ),
    Code(
        "UQ341",
        "unknown_predicate",
        "a relation or property that the schema does not declare",
        "The schema declares names of this namespace, but neither a relation nor a property of this name.",
        "No triple of a graph that keeps to the schema has it, so the row matches nothing.",
        "?g ol:hostCty ?city",
        "?g ol:hostCity ?city",
    ),
    Code(
        "UQ342",
        "endpoint_mismatch",
        "a relation between nodes of the wrong classes",
        "The schema declares what a relation leads from and to, and another row says that the node is something else.",
        "If no node is both, the rows have no solution; otherwise the pair is at least unusual.",
        "?m a med:Medicine\n?m ol:hostCity ?city",
        "?g a ol:OlympicGames\n?g ol:hostCity ?city",
    ),
    Code(
        "UQ343",
        "wrong_direction",
        "a relation written the wrong way round",
        "The ends do not fit what the schema declares, and would fit if they were swapped.",
        "The row as written matches nothing, or not what was meant.",
        "?city a pl:City\n?city ol:hostCity ?games",
        "?city a pl:City\n?games ol:hostCity ?city",
    ),
    Code(
        "UQ344",
        "property_as_relation",
        "a property used as a relation",
        "The schema declares that the predicate leads to literals, and the row has a node there.",
        "The row matches nothing.",
        "?g ol:season ol:Winter",
        '?g ol:season "Winter"',
    ),
    Code(
        "UQ345",
        "relation_as_property",
        "a relation used as a property",
        "The schema declares that the predicate leads to nodes, and the row has a literal there.",
        "The row matches nothing: the name of a node is not the node.",
        '?g ol:hostCity "Oslo"',
        '?g ol:hostCity ?city\n?city rdfs:label "Oslo"@en',
    ),
    Code(
        "UQ346",
        "disjoint_classes",
        "a node of two classes that share none",
        "The schema declares the two classes (or classes above them) disjoint.",
        "The rows have no solution together.",
        "?x a pl:City\n?x a med:Medicine",
        "either { ?x a pl:City } or { ?x a med:Medicine }",
    ),
    Code(
        "UQ347",
        "functional_conflict",
        "two values where the schema allows one",
        "The predicate is functional (one object a subject) or a key (one subject an object), and two rows give it two "
        "different constants.",
        "The rows have no solution together.",
        '?g ol:season "Winter"\n?g ol:season "Summer"',
        '?g ol:season ?s where ?s in ("Winter", "Summer")',
    ),
    Code(
        "UQ348",
        "path_joint",
        "a path whose steps do not follow each other",
        "One step of the path ends at nodes of a class (or at literals) from which the next step never starts.",
        "No walk goes along such a path.",
        "?g ol:hostCity / med:treats ?x",
        "?g ol:hostCity / pl:containedIn ?x",
    ),
    Code(
        "UQ349",
        "wrong_kind_of_name",
        "a class used as a predicate, or a predicate as a class",
        "The schema declares the name, but as something else.",
        "The row matches nothing.",
        "?g a ol:season",
        "?g ol:season ?season",
    ),
    Code(
        "UQ351",
        "schema_conflict",
        "declarations that do not fit together",
        "A name is declared twice in different ways: as a relation and as a property, with two inverses, with two "
        "domains, or as disjoint with a class above it.",
        "What one declaration promises, the other breaks.",
        "relation ex:p : ex:A -> ex:B\nproperty ex:p : ex:A -> xsd:string",
        "relation ex:p : ex:A -> ex:B",
    ),
    Code(
        "UQ353",
        "unrelated_classes",
        "a node of two classes that have nothing in common",
        "The schema does not forbid it, but declares no class that is both.",
        "Often one of the two rows was meant for another variable.",
        "?x a pl:City\n?x a ol:Sport",
        "?x a pl:City\n?g ol:sport ?y",
    ),
)
