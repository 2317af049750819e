"""Labels and prefixes for the names of a schema."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import unquote

from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.suggestions import plain_words
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.vocabulary import BUILTIN_PREFIXES, RDFS_LABEL, SKOS, SKOS_PREF_LABEL

MAX_PREFIXES: Final = 40

_SPLIT: Final = re.compile(r"[#/:](?=[^#/:]+$)")
_KNOWN: Final = {
    **{namespace: prefix for prefix, namespace in BUILTIN_PREFIXES.items()},
    SKOS: "skos",
    "http://xmlns.com/foaf/0.1/": "foaf",
    "http://purl.org/dc/terms/": "dct",
    "http://schema.org/": "schema",
    "https://schema.org/": "schema",
    "http://rdf.freebase.com/ns/": "fb",
    "http://dbpedia.org/ontology/": "dbo",
    "http://dbpedia.org/property/": "dbp",
    "http://www.wikidata.org/entity/": "wd",
    "http://www.wikidata.org/prop/direct/": "wdt",
    "urn:e:": "e",
    "urn:r:": "r",
    "urn:pg:label:": "l",
    "urn:pg:type:": "t",
    "urn:pg:property:": "p",
}


def split_iri(iri: str) -> tuple[str, str]:
    """Namespace and local name, divided after the last `#`, `/` or `:`; without one the namespace is empty."""
    found = _SPLIT.search(iri)
    return ("", iri) if found is None else (iri[: found.end()], iri[found.end() :])


def words_of(iri: str) -> str | None:
    """The local name as words, as in `host city` for `…/hostCity`; of a dotted name the last part."""
    _, local = split_iri(iri)
    return plain_words(unquote(local).split(".")[-1]) or None


def labels_of(graph: Graph, names: Iterable[IRI]) -> dict[IRI, str]:
    """A label for each name: what the graph calls it (English or untagged first), otherwise its own words."""
    found: dict[IRI, str] = {}
    for name in names:
        stated = [
            one
            for predicate in (RDFS_LABEL, SKOS_PREF_LABEL)
            for one in graph.objects(name, IRI(predicate))
            if isinstance(one, Literal) and one.lexical.strip()
        ]
        best = min(stated, key=lambda one: (_rank(one), one.lexical), default=None)
        label = best.lexical if best is not None else words_of(name.value)
        if label:
            found[name] = label
    return found


def _rank(label: Literal) -> int:
    language = label.language or ""
    return 0 if language == "en" else 1 if not language else 2 if language.startswith("en-") else 3


def prefixes_for(names: Iterable[IRI], given: Mapping[str, str] | None = None) -> tuple[tuple[str, str], ...]:
    """Prefixes for the namespaces that the names lie in; the built-in ones need none.

    `given` are prefixes with their namespaces that somebody has chosen already.
    """
    known = {**_KNOWN, **{namespace: prefix for prefix, namespace in (given or {}).items() if prefix}}
    counted = Counter(split_iri(name.value)[0] for name in names)
    used = sorted(counted.items(), key=lambda one: (-one[1], one[0]))
    chosen: dict[str, str] = {}
    for namespace, _ in used[:MAX_PREFIXES]:
        if not namespace or namespace in BUILTIN_PREFIXES.values():
            continue
        stem = known.get(namespace) or _stem(namespace)
        prefix, number = stem, 2
        while prefix in chosen or prefix in BUILTIN_PREFIXES:
            prefix, number = f"{stem}{number}", number + 1
        chosen[prefix] = namespace
    return tuple(sorted(chosen.items()))


def _stem(namespace: str) -> str:
    """A short word for a namespace: its last part that is a word, `ns` where there is none."""
    parts = [one for one in re.split(r"[#/:]+", namespace.rstrip("#/:")) if one]
    for part in reversed(parts):
        # of a host its name, without what stands before and after it
        word = re.sub(r"[^a-z0-9]", "", (part.split(".")[-2] if "." in part else part).lower())
        if word and word[0].isalpha() and len(word) <= 12:
            return word
    return "ns"
