"""Naming rules: how IRIs become labels, types, properties and keys where no mapping lists them."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import Final
from urllib.parse import unquote

from attrs import frozen

from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.vocabulary import PG_LABEL, PG_PROPERTY, PG_RELATIONSHIP, PG_TYPE


def local_part(iri: str) -> str:
    """What follows the last `#`, `/` or `:`; of a name of a property graph, that name."""
    named = property_graph_name(iri)
    if named is not None:
        return named
    return re.split(r"[#/:]", iri.rstrip("#/:"))[-1]


def upper_snake(name: str) -> str:
    """`hostCity` → `HOST_CITY`: how relationship types are written by convention."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return re.sub(r"[^0-9A-Za-z_\u0080-\U0010ffff.]+", "_", spaced).upper()


def pascal(name: str) -> str:
    """The first letter in upper case: how labels are written by convention."""
    return name[:1].upper() + name[1:]


def property_graph_name(iri: str) -> str | None:
    """The label, type or property that an IRI of `urn:pg:` stands for."""
    space = next((one for one in (PG_LABEL, PG_TYPE, PG_PROPERTY, PG_RELATIONSHIP) if iri.startswith(one)), None)
    return None if space is None else unquote(iri[len(space) :])


@frozen
class Preset:
    """Naming rules for what a mapping does not list."""

    name: str
    label: Callable[[str], str]
    type: Callable[[str], str]
    property: Callable[[str], str]
    key: Callable[[str], str]


def _same(text: str) -> str:
    return text


def namespace(iri: str) -> str:
    """What stands before the local part."""
    return iri[: len(iri) - len(local_part(iri))]


def without_dots(name: str) -> str:
    """The name without dots, so that another function could put them back: `_` is doubled, `.` becomes `_dot_`."""
    return name.replace("_", "__").replace(".", "_dot_")


PRESETS: Final[dict[str, Preset]] = {
    preset.name: preset
    for preset in (
        # local names in the usual Cypher spelling; the key holds the whole IRI
        Preset(
            "plain",
            lambda iri: pascal(local_part(iri)),
            lambda iri: upper_snake(local_part(iri)),
            local_part,
            _same,
        ),
        # Freebase's dotted names as they are; the key holds the identifier (`m.09c7w0`)
        Preset("freebase", local_part, local_part, local_part, local_part),
        # neosemantics: `ns0__name`, a label Resource and a key `uri` on every node (prefixes: see MappingLayout)
        Preset("n10s", local_part, local_part, local_part, _same),
        # Neptune's loaders keep names as they are; `~id` is the key of every node
        Preset("neptune", local_part, local_part, local_part, _same),
        # tables cannot have dots in their names
        Preset(
            "ladybug",
            lambda iri: without_dots(local_part(iri)),
            lambda iri: without_dots(local_part(iri)),
            lambda iri: without_dots(local_part(iri)),
            _same,
        ),
    )
}
KEYS: Final = {"n10s": "uri", "neptune": "~id"}
"""The key property of presets that fix it."""
N10S_PREFIXES: Final = {
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "http://www.w3.org/2000/01/rdf-schema#": "rdfs",
    "http://www.w3.org/2002/07/owl#": "owl",
    "http://www.w3.org/2004/02/skos/core#": "skos",
    "http://www.w3.org/ns/shacl#": "sh",
    "http://schema.org/": "sch",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dct",
}
"""The prefixes that neosemantics gives to namespaces by itself."""


def preset_of(name: str) -> Preset:
    """The preset of this name. Raises DiagnosticError UQ307, with the nearest name."""
    if name not in PRESETS:
        near = get_close_matches(name, PRESETS, 1)
        hint = f"did you mean {near[0]}?" if near else f"presets are {', '.join(PRESETS)}"
        raise fail("UQ307", f"there is no preset `{name}`", hint=hint)
    return PRESETS[name]
