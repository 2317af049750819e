"""UQ3xx: schemas, lexicons, mappings."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code


def _schema(*lines: str, after: str = "") -> str:
    """A small schema around the lines of an example."""
    body = "".join(f"  {line}\n" for line in lines)
    return f"prefix ex: <http://example.org/>\nschema s {{\n{body}}}{after}"


_CITY: Final = 'class ex:City "city"'

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ301",
        "duplicate_declaration",
        "declared twice",
        "A class, relation, property, rule, schema or mapping entry is declared a second time, or a "
        "declaration repeats "
        "one of its parts.",
        "Two declarations of one name may disagree, and only one could hold.",
        _schema(_CITY, 'class ex:City "town"'),
        _schema(_CITY, 'synonym "town" = ex:City'),
    ),
    Code(
        "UQ302",
        "undeclared_class",
        "a class that no schema declares",
        "A relation, a property or a subclass speaks of a class that no schema at hand declares (a warning).",
        "Types cannot be checked against a class that nothing is known of; often the name is misspelt.",
        _schema(_CITY, 'relation ex:in "in" : ex:City -> ex:Contry'),
        _schema(_CITY, 'class ex:Country "country"', 'relation ex:in "in" : ex:City -> ex:Country'),
    ),
    Code(
        "UQ303",
        "unknown_name",
        "a name that the schema does not declare",
        "A mapping entry names something that the schema that it is for does not declare (a warning).",
        "The entry will never be used; often the name is misspelt.",
        _schema(_CITY, after="\nmapping m for s {\n  ex:Citty => :City\n}"),
        _schema(_CITY, after="\nmapping m for s {\n  ex:City => :City\n}"),
    ),
    Code(
        "UQ304",
        "unknown_schema",
        "a schema that no file declares",
        "A lexicon or mapping is for a schema that neither this file nor one that it uses declares.",
        "Its entries cannot be checked, and it would be loaded beside the wrong schema.",
        _schema(_CITY, after='\nlexicon l for t {\n  synonym "town" = ex:City\n}'),
        _schema(_CITY, after='\nlexicon l for s {\n  synonym "town" = ex:City\n}'),
    ),
    Code(
        "UQ305",
        "schema_cycle",
        "files that use each other in a circle",
        "A file uses another that, directly or through others, uses it again.",
        "There is no order in which they could be read.",
        'use schema "b.cts"   # and b.cts says: use schema "a.cts"',
        "Move what both need into a third file, and let both use that one.",
    ),
    Code(
        "UQ306",
        "unreadable_file",
        "a file that cannot be read",
        "A file named by `use schema` does not exist, may not be read, or is not UTF-8 text. Names are relative to the "
        "file that uses them.",
        "Without it, names would go unchecked.",
        'use schema "olimpics.cts"',
        'use schema "olympics.cts"',
    ),
    Code(
        "UQ307",
        "unknown_preset",
        "a preset that does not exist",
        "A mapping names a preset other than `plain`, `freebase`, `n10s`, `neptune` and `ladybug`.",
        "The preset decides how every name is written that the mapping does not list.",
        "mapping m preset neosemantics {\n  key uri\n}",
        "mapping m preset n10s {\n  key uri\n}",
    ),
    Code(
        "UQ308",
        "rule_shape",
        "a rule that cannot be applied",
        "A rule's conclusion is made of triples, its body binds what an equality speaks of, and the two sides of an "
        "implied rule share a variable.",
        "Applying anything else would derive rows that follow from nothing.",
        _schema("rule one: { ?x ex:id ?i } => ?x = ?y"),
        _schema("rule one: { ?x ex:id ?i . ?y ex:id ?i } => ?x = ?y"),
    ),
    Code(
        "UQ309",
        "class_cycle",
        "classes below each other in a circle",
        "A class is, through its parents, below itself.",
        "All classes of the circle would have the same instances; most often a parent is misspelt.",
        _schema("class ex:A < ex:B", "class ex:B < ex:A"),
        _schema("class ex:A < ex:B", "class ex:B"),
    ),
)
