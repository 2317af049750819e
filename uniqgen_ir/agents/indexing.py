"""The index of a graph, kept in the cache folder next to the built stores."""

from __future__ import annotations

import gc
import hashlib
import pickle
import sys
from pathlib import Path
from typing import Final

from uniqgen_ir import __version__
from uniqgen_ir.backends.engines.cache import built
from uniqgen_ir.driver import KnowledgeGraph
from uniqgen_ir.kg.linking.index import INDEX_VERSION, GraphIndex, build_index

_FILE: Final = "index.pickle"


def graph_index(graph: KnowledgeGraph) -> GraphIndex:
    """The index, read from the cache or built now. Raises DiagnosticError where the graph cannot be read."""
    name = f"index-{__version__}-{INDEX_VERSION}-py{sys.version_info.major}{sys.version_info.minor}"
    key = _key(graph)
    # a folder that was damaged on disk is recognised by its seal and built again
    return _read(built(name, key, lambda place: _build(graph, place)))


def _build(graph: KnowledgeGraph, place: Path) -> None:
    loaded = graph.loaded
    vocabulary = graph.vocabulary
    index = build_index(
        loaded.graph,
        schemas=(vocabulary.schema,) if vocabulary.schema else (),
        lexicons=vocabulary.lexicons,
        label_predicates=loaded.label_predicates,
        content_hash=loaded.content_hash,
    )
    with (place / _FILE).open("wb") as stream:
        pickle.dump(index, stream, protocol=pickle.HIGHEST_PROTOCOL)


def _read(folder: Path) -> GraphIndex:
    # the cache folder is the user's own; what lies there was written by this program
    collecting = gc.isenabled()
    gc.disable()
    try:
        with (folder / _FILE).open("rb") as stream:
            index = pickle.load(stream)
    finally:
        if collecting:
            gc.enable()
    if not isinstance(index, GraphIndex):
        raise pickle.UnpicklingError("not an index")
    return index


def _key(graph: KnowledgeGraph) -> str:
    """Content of the graph and of the vocabulary: other words make another index."""
    digest = hashlib.sha256(graph.fingerprint.encode())
    for file in graph.vocabulary_files:
        digest.update(b"\0")
        digest.update(Path(file).read_bytes())
    return digest.hexdigest()
