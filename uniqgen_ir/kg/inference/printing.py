"""An inferred schema as text, with what stands behind each declaration as a comment."""

from __future__ import annotations

from uniqgen_ir.ir.document_printer import print_document
from uniqgen_ir.kg.inference.infer import InferredSchema


def print_inferred(inferred: InferredSchema, heading: str = "") -> str:
    """The text of a `.cts` file. Reading it gives the schema back; `heading` becomes comments at the top."""
    schema = inferred.schema
    declared = [one.iri for one in schema.classes] + [one.iri for one in schema.relations]
    declared += [one.iri for one in schema.properties]
    lines = print_document(inferred.document).split("\n")
    first = lines.index(next(line for line in lines if line.startswith("schema ")), 0) + 1
    for place, iri in enumerate(declared, first):
        comment = inferred.comments.get(iri)
        if comment:
            lines[place] += f"  # {comment}"
    top = [f"# {line}".rstrip() for line in heading.splitlines()]
    return "\n".join([*top, *([""] if top else []), *lines])
