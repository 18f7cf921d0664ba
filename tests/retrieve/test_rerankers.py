"""Rerankers: the order and the selection by scores, and each built-in one, the servers over a real connection."""

from __future__ import annotations

import json
import math
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from mathrag.errors import LibraryError, ModelError, UsageError
from mathrag.llm.endpoint.scoring import ScoringServer
from mathrag.llm.messages import ChatReply, TokenChance
from mathrag.llm.seams import ScriptedModel
from mathrag.retrieve.rerankers import Means, open_reranker, relevance, rerank, select, thresholds_of
from mathrag.retrieve.rerankers.asked import EndpointReranker, JudgeReranker
from mathrag.retrieve.rerankers.fitted import FittedReranker
from mathrag.retrieve.rerankers.onnx_folder import OnnxReranker
from mathrag.store.embedders import load_embedder

TEXTS = ("circle. circle\nAll points at one distance.", "gcd. gcd. greatest common divisor\nThe largest divisor.")


class Fixed:
    """A reranker with the scores that it is given."""

    name = "fixed"

    def __init__(self, *scores: float | None) -> None:
        self._scores = list(scores)

    def scores(self, _query: str, _texts: Sequence[str]) -> list[float | None]:
        return self._scores


def ranked(*scores: float | None) -> list[str]:
    found = "abcdefgh"[: len(scores)]
    return [one.found for one in rerank("q", found, list(found), Fixed(*scores))]


def test_known_scores_order_and_unknown_ones_keep_their_places() -> None:
    assert ranked(0.1, 0.9, 0.5) == ["b", "c", "a"]
    assert ranked(0.1, None, 0.5) == ["c", "b", "a"]
    assert ranked(None, None) == ["a", "b"]
    assert ranked(math.nan, 0.2, 0.4) == ["a", "c", "b"]
    assert ranked(0.5, 0.5) == ["a", "b"]


def test_too_few_scores_are_none() -> None:
    scored = rerank("q", "abc", ["a", "b", "c"], Fixed(0.9))
    assert [(one.found, one.score) for one in scored] == [("a", None), ("b", None), ("c", None)]


def test_the_larger_of_the_first_few_and_all_good_ones_is_selected() -> None:
    usual = thresholds_of("usual")
    few = rerank("q", "abcde", list("abcde"), Fixed(0.3, 0.25, 0.1, 0.9, 0.8))
    # Two are good, three come by rank; the third scores too low to be added at all.
    assert sorted(one.found for one in select(few, usual)) == ["a", "b"]
    many = rerank("q", "abcde", list("abcde"), Fixed(0.9, 0.1, 0.8, 0.95, 0.75))
    assert [one.found for one in select(many, usual)] == ["d", "a", "c", "e"]
    assert select(many, usual, least=0.9) == [one for one in many if one.found in "da"]
    unknown = rerank("q", "abcde", list("abcde"), Fixed(*[None] * 5))
    assert [one.found for one in select(unknown, usual)] == ["a", "b", "c"]
    assert select(rerank("q", "ab", ["a", "b"], Fixed(0.1, 0.0)), usual) == []


def test_relevance_is_told_by_the_best_score() -> None:
    usual = thresholds_of("a plugin that nobody knows")
    assert (usual.selected, usual.high, usual.poor, usual.first) == (0.7, 0.5, 0.2, 3)
    assert relevance([0.1, 0.5], usual) == "high"
    assert relevance([0.19, None], usual) == "poor"
    assert relevance([0.3], usual) == "middle"
    assert relevance([None], usual) == relevance([], usual) == "unknown"
    assert thresholds_of("fitted") != usual


def test_the_fitted_one_knows_names_words_and_meaning() -> None:
    reranker = FittedReranker(load_embedder())
    circle, divisor = reranker.scores("the greatest common divisor of 12 and 18", TEXTS)
    assert circle is not None
    assert divisor is not None
    assert 0 <= circle < divisor <= 1
    assert reranker.scores("anything", []) == []
    assert len(reranker.scores("", ["", "x" * 100_000])) == 2
    # Applied to as many arguments as on the card, it fits better.
    cards = ["gcd. gcd\ngcd(a, b)"]
    two, three = (reranker.scores(f"what is gcd({text})", cards)[0] for text in ("8, 6", "8, 6, 4"))
    assert two is not None
    assert three is not None
    assert two > three


# ---- servers

Reply = Callable[[str, dict[str, Any]], tuple[int, Any]]


@contextmanager
def serving(reply: Reply) -> Iterator[tuple[str, list[str]]]:
    """A server on this machine; its address, and what was asked of it."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(f"{self.path} {sorted(body)} {self.headers.get('Authorization', '')}")
            status, value = reply(self.path, body)
            data = value if isinstance(value, bytes) else json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def like_jina(path: str, body: dict[str, Any]) -> tuple[int, Any]:
    if path != "/v1/rerank" or "documents" not in body:
        return 422, {"detail": "documents is missing"}
    return 200, {"results": [{"index": 1, "relevance_score": 0.8}, {"index": 0, "relevance_score": 0.1}]}


def like_embeddings_inference(path: str, body: dict[str, Any]) -> tuple[int, Any]:
    if path != "/rerank" or "texts" not in body:
        return 422, {"error": "missing field texts", "error_type": "Validation"}
    return 200, [{"index": 1, "score": 0.7}, {"index": 0, "score": 0.2}]


def like_vllm_score(path: str, body: dict[str, Any]) -> tuple[int, Any]:
    if path != "/score" or "text_1" not in body:
        return 404, {"detail": "Not Found"}
    return 200, {"data": [{"index": 0, "score": 0.3}, {"index": 1, "score": 0.6}]}


def scores_of(url: str, **options: Any) -> list[float | None]:
    with ScoringServer(url, "reranker", retries=0, **options) as server:
        return server.scores("q", ["a", "b"])


def test_servers_of_three_kinds_are_understood() -> None:
    with serving(like_jina) as (url, asked):
        assert scores_of(f"{url}/v1/rerank", key="secret") == [0.1, 0.8]
        assert asked[0].endswith("Bearer secret")
    with serving(like_embeddings_inference) as (url, asked):
        assert scores_of(f"{url}/rerank") == [0.2, 0.7]
        assert len(asked) == 2
    with serving(like_vllm_score) as (url, asked):
        assert scores_of(f"{url}/score") == [0.3, 0.6]
        assert len(asked) == 1
    with serving(like_vllm_score) as (url, asked):
        assert scores_of(url) == [0.3, 0.6]
        assert [one.split()[0] for one in asked] == ["/rerank", "/rerank", "/score"]


def test_the_form_that_was_served_is_remembered() -> None:
    with serving(like_embeddings_inference) as (url, asked), ScoringServer(f"{url}/rerank", retries=0) as server:
        assert server.scores("q", ["a", "b"]) == server.scores("q", ["a", "b"])
        assert len(asked) == 3
        assert server.scores("q", []) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([{"index": 0, "score": 2.0}, {"index": 1, "score": -2.0}], [0.880797, 0.119203]),
        ([{"index": 1, "score": 0.4}], [None, 0.4]),
        ([{"index": 0, "score": "high"}, {"index": 1, "score": None}], [None, None]),
        ({"results": [{"index": 0, "relevance_score": 1e400}]}, [None, None]),
    ],
)
def test_scores_are_checked(value: Any, expected: list[float | None]) -> None:
    with serving(lambda _path, _body: (200, value)) as (url, _):
        found = scores_of(f"{url}/rerank")
    assert [None if one is None else round(one, 6) for one in found] == expected


@pytest.mark.parametrize(
    ("status", "value"),
    [
        (200, b"<html>"),
        (200, {"answer": 1}),
        (200, [{"index": 7, "score": 0.5}]),
        (200, [{"index": 0, "score": 0.5}, {"index": 0, "score": 0.6}]),
        (200, ["high"]),
        (401, {"error": "no key"}),
        (500, {"error": "down"}),
        (404, {"error": "nothing here"}),
    ],
)
def test_what_a_server_does_wrong_makes_scores_unknown(status: int, value: Any) -> None:
    with serving(lambda _path, _body: (status, value)) as (url, _):
        with pytest.raises(ModelError):
            scores_of(f"{url}/rerank")
        reranker = EndpointReranker(ScoringServer(f"{url}/rerank", retries=0))
        assert reranker.scores("q", ["a", "b"]) == [None, None]
        assert reranker.problem


def test_a_server_that_is_not_there_makes_scores_unknown() -> None:
    reranker = EndpointReranker(ScoringServer("http://127.0.0.1:9/rerank", retries=0, timeout_seconds=5))
    assert reranker.scores("q", ["a"]) == [None]
    with pytest.raises(ModelError):
        ScoringServer("ftp://somewhere/rerank")


# ---- a judge


def test_a_judge_gives_the_probability_of_its_yes() -> None:
    sure = ChatReply("Yes", tokens=(TokenChance("Yes", math.log(0.9), (("No", math.log(0.1)),)),))
    judge = JudgeReranker(ScriptedModel([sure, "no", "who knows", ModelError("server", "down")]), workers=1)
    scores = judge.scores("What is 3 + 4?", ["plus", "circle", "ring", "field"])
    assert scores[0] == pytest.approx(0.9)
    assert scores[1:] == [0.0, None, None]
    assert JudgeReranker(ScriptedModel([])).scores("q", []) == []


# ---- a folder


def number(value: int) -> bytes:
    found = b""
    while value > 127:
        found += bytes([value & 127 | 128])
        value >>= 7
    return found + bytes([value])


def part(field: int, value: bytes | str | int) -> bytes:
    if isinstance(value, int):
        return number(field << 3) + number(value)
    data = value.encode() if isinstance(value, str) else value
    return number(field << 3 | 2) + number(len(data)) + data


def operation(name: str, inputs: Sequence[str], output: str, *attributes: bytes) -> bytes:
    named = b"".join(part(1, each) for each in inputs) + part(2, output) + part(4, name)
    return named + b"".join(part(5, each) for each in attributes)


def tensor(name: str, kind: int, *sizes: str) -> bytes:
    shape = b"".join(part(1, part(2, size)) for size in sizes)
    return part(1, name) + part(2, part(1, part(1, kind) + part(2, shape)))


def tiny_model() -> bytes:
    """A model that adds up the numbers of the tokens and takes 10 from that, written as ONNX by hand."""
    to_float = part(1, "to") + part(3, 1) + part(20, 2)
    axes = part(1, 1) + part(2, 7) + part(7, number(1)) + part(8, "axes")
    ten = part(2, 1) + part(4, b"\x00\x00\x20\x41") + part(8, "ten")
    graph = (
        part(1, operation("Cast", ["input_ids"], "numbers", to_float))
        + part(1, operation("ReduceSum", ["numbers", "axes"], "sum"))
        + part(1, operation("Sub", ["sum", "ten"], "logits"))
        + part(2, "tiny")
        + part(5, axes)
        + part(5, ten)
        + part(11, tensor("input_ids", 7, "batch", "length"))
        + part(12, tensor("logits", 1, "batch", "one"))
    )
    return part(1, 8) + part(7, graph) + part(8, part(2, 13))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tokenizers = pytest.importorskip("tokenizers")
    pytest.importorskip("onnxruntime")
    words = {"[UNK]": 0, "[PAD]": 0, "question": 1, "weak": 3, "strong": 20}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "model.onnx").write_bytes(tiny_model())
    return tmp_path


def test_a_model_in_a_folder_scores_pairs(folder: Path) -> None:
    reranker = open_reranker(f"onnx:{folder}", Means(load_embedder()))
    assert isinstance(reranker, OnnxReranker)
    weak, strong = reranker.scores("question", ["weak", "strong"])
    assert weak == pytest.approx(1 / (1 + math.exp(6)), rel=1e-3)
    assert strong == pytest.approx(1 / (1 + math.exp(-11)), rel=1e-3)
    assert len(reranker.scores("question", ["weak"] * 40)) == 40
    assert reranker.scores("question", []) == []


def test_a_folder_without_a_model_is_refused(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(UsageError, match=r"model\.onnx and tokenizer\.json"):
        open_reranker(f"onnx:{tmp_path / 'none'}", Means(load_embedder()))
    (folder / "model.onnx").write_bytes(b"nonsense")
    with pytest.raises(UsageError, match="cannot be loaded"):
        open_reranker(f"onnx:{folder}", Means(load_embedder()))


def test_a_missing_package_is_named_with_its_command(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(UsageError, match=r"pip install 'mathrag\[rerank\]'"):
        OnnxReranker(folder)


# ---- by name


def test_rerankers_are_opened_by_name() -> None:
    means = Means(load_embedder())
    assert open_reranker("none", means) is None
    assert isinstance(open_reranker("fitted", means), FittedReranker)
    assert isinstance(open_reranker("http://localhost:8080/rerank", means), EndpointReranker)
    assert isinstance(open_reranker("a-model@http://localhost:8080/score", means), EndpointReranker)
    judging = Means(load_embedder(), judge=lambda: ScriptedModel([]))
    assert isinstance(open_reranker("judge", judging), JudgeReranker)
    with pytest.raises(UsageError, match="MATHRAG_LLM_URL"):
        open_reranker("judge", means)
    with pytest.raises(UsageError, match="there is no reranker 'best'"):
        open_reranker("best", means)


def test_plugins_come_in_by_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        def __init__(self, name: str, made: Callable[[], Any]) -> None:
            self.name = name
            self._made = made

        def load(self) -> Callable[[], Any]:
            return self._made

    def broken() -> Any:
        raise RuntimeError("no weights")

    listed = [Entry("own", lambda: Fixed(0.5)), Entry("broken", broken)]
    monkeypatch.setattr("mathrag.retrieve.rerankers.opening.entry_points", lambda **_: listed)
    opened = open_reranker("own", Means(load_embedder()))
    assert opened is not None
    assert opened.scores("q", ["a"]) == [0.5]
    with pytest.raises(LibraryError, match="no weights"):
        open_reranker("broken", Means(load_embedder()))
