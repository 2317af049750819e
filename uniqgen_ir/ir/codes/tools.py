"""UQ68x: the project file, making a project, schemas from elsewhere."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ680",
        "project_file",
        "a project file that cannot be used",
        "The file `uniqgen.toml`, in the current folder or the nearest one above it, cannot be read, is not TOML, or "
        "holds a key or value that means nothing.",
        "Commands take their graph, schema and mapping from it; a slip there must not change what they do in silence.",
        'grpah = ["games.ttl"]',
        'graph = ["games.ttl"]',
    ),
    Code(
        "UQ681",
        "would_overwrite",
        "a file that is there already",
        "`uniqgen init` and `uniqgen schema` write no file over another one unless they are told to.",
        "The file may hold work of somebody.",
        "uniqgen init --graph games.ttl",
        "uniqgen init --graph games.ttl --force",
    ),
    Code(
        "UQ682",
        "schema_format",
        "a schema in a form that is not read",
        "`uniqgen schema import` reads RDFS, OWL, SHACL and VoID (`.ttl`, `.nt`, `.rdf`, `.owl`, `.jsonld`), schemas of "
        "property graphs as JSON, and the text that tool chains put into prompts (`.txt`). This file is none of them, or "
        "is broken; or there is no form of this name to write a schema in.",
        "A schema that is read only in part would refuse good tables.",
        "uniqgen schema import shapes.xsd",
        "uniqgen schema import ontology.ttl",
    ),
    Code(
        "UQ683",
        "not_taken_over",
        "a statement that the schema language has no words for",
        "The imported schema says something that a `.cts` file cannot say, or that does not fit its other statements. "
        "It is left out, and everything else is taken over (a warning).",
        "Checks against the new schema will allow more than the old one did.",
        "ex:parent rdfs:domain [ owl:unionOf (ex:Person ex:Animal) ]",
        "ex:parent rdfs:domain ex:LivingBeing",
    ),
)
