"""A cross-encoder in a folder that the user names: `model.onnx` and `tokenizer.json`, as they are exported for ONNX.
Runs on this machine; fetches nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy

from mathrag.errors import UsageError

_INSTALL = "pip install 'mathrag[rerank]'"
_MODELS = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
_LONGEST_TOKENS = 512
_LONGEST_TEXT = 20_000
_TEXTS_AT_ONCE = 16
# What an encoder may want beside the tokens; anything else is no cross-encoder that we know.
_INPUTS = frozenset(("input_ids", "attention_mask", "token_type_ids"))


class OnnxReranker:
    """Scores pairs of question and text with a model of one output (a logit), or of two (no, yes)."""

    name = "onnx"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._model = next((folder / each for each in _MODELS if (folder / each).is_file()), None)
        if self._model is None or not (folder / "tokenizer.json").is_file():
            raise UsageError(f"{folder} holds no reranker: it must have model.onnx and tokenizer.json")
        # Whoever chose it hears at once what is missing, not with the first question.
        self._parts  # noqa: B018

    @cached_property
    def _parts(self) -> tuple[Any, Any]:
        try:
            import onnxruntime  # type: ignore[import-untyped]
            from tokenizers import Tokenizer
        except ImportError as error:
            raise UsageError(f"a reranker in a folder needs two packages more: {_INSTALL}") from error
        try:
            options = onnxruntime.SessionOptions()
            options.log_severity_level = 4
            session = onnxruntime.InferenceSession(str(self._model), options, providers=["CPUExecutionProvider"])
            tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        except Exception as error:
            # Both are foreign code over a foreign file: whatever they raise becomes one sentence of ours.
            raise UsageError(f"the reranker in {self._folder} cannot be loaded: {str(error)[:300]}") from error
        wanted = {each.name for each in session.get_inputs()}
        if "input_ids" not in wanted or not wanted <= _INPUTS:
            raise UsageError(f"the model in {self._folder} is no cross-encoder: it wants {', '.join(sorted(wanted))}")
        tokenizer.enable_truncation(_LONGEST_TOKENS)
        tokenizer.enable_padding()
        return session, tokenizer

    def scores(self, query: str, texts: Sequence[str]) -> list[float | None]:
        """The probabilities of the model; unknown for texts that it fails on."""
        found: list[float | None] = []
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            part = texts[start : start + _TEXTS_AT_ONCE]
            try:
                found += self._scores(query, part)
            except Exception:
                # Foreign code again; an unknown score is honest, and the order of the search stays.
                found += [None] * len(part)
        return found

    def _scores(self, query: str, texts: Sequence[str]) -> list[float | None]:
        session, tokenizer = self._parts
        encoded = tokenizer.encode_batch([(query[:_LONGEST_TEXT], text[:_LONGEST_TEXT]) for text in texts])
        columns = {
            "input_ids": [each.ids for each in encoded],
            "attention_mask": [each.attention_mask for each in encoded],
            "token_type_ids": [each.type_ids for each in encoded],
        }
        wanted = [each.name for each in session.get_inputs()]
        given = {name: numpy.asarray(columns[name], dtype=numpy.int64) for name in wanted}
        logits = numpy.asarray(session.run(None, given)[0], dtype=numpy.float64).reshape(len(texts), -1)
        margins = logits[:, 0] if logits.shape[1] == 1 else logits[:, 1] - logits[:, 0]
        return [
            1 / (1 + math.exp(-max(-60.0, min(60.0, margin)))) if math.isfinite(margin) else None
            for margin in margins.tolist()
        ]
