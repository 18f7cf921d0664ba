"""Reading with a model that stops: no money, no server, a bad passage, a kill. What is done is kept and costs nothing
again; what is left is named."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from library_makers import dump, write
from model_makers import NOTHING, Talker, formula, formulas

from mathrag.documents.views.records import ChunkView
from mathrag.errors import ModelError
from mathrag.isolation.tasks import Done, Failed, Task
from mathrag.library import Library
from mathrag.library.ingest.model_reading.check_task import applied_replies
from mathrag.library.ingest.model_reading.pictures import Guess
from mathrag.library.ingest.model_reading.requests import Question, Settled, StoredChunk
from mathrag.llm.accounts import Price
from mathrag.llm.budgets import Budget
from mathrag.llm.kept_replies import MemoryReplies
from mathrag.llm.messages import ChatRequest, Usage
from mathrag.llm.metered import Models
from mathrag.store.truth.replies import Replies
from mathrag.types.document import Place
from mathrag.types.library import Extraction, Finding, Span

PASSAGES = 8
# What differs between runs that came to the same end by different ways: times and what each run paid.
_RUN = ("model_readings",)


def says_nonsense(text: str) -> dict[str, Any]:
    return formulas(formula(quote="nowhere in the text", latex="x = 2 y")) if "mass" in text else NOTHING


@pytest.fixture
def undisturbed(copied: Path, documents: Path, tmp_path: Path) -> Any:
    import shutil

    folder = tmp_path / "undisturbed"
    shutil.copytree(copied, folder)
    with Library(folder) as library:
        library.ingest([documents], models=Models.of(Talker(says_nonsense)))
    return dump(folder, without=_RUN)


@pytest.mark.slow
def test_a_budget_ends_a_run_and_the_next_goes_on(copied: Path, documents: Path, undisturbed: Any) -> None:
    kept = MemoryReplies()
    talker = Talker(says_nonsense)
    done = []
    with Library(copied) as library:
        for _ in range(4):
            with Models.of(talker, store=kept, budget=Budget(maximal_calls=3), concurrency=2) as models:
                run = library.ingest([documents], models=models).model
            assert run is not None
            assert library.check() == []
            done.append(sum(one.chunks_done for one in library.model_readings()))
            assert run.is_complete == (done[-1] == PASSAGES)
            assert run.is_complete or "--max-calls" in run.stopped
            assert done[-1] + run.left == PASSAGES
        assert done == [3, 6, 8, 8]
        assert talker.calls == PASSAGES
    assert dump(copied, without=_RUN) == undisturbed


@pytest.mark.slow
def test_a_budget_of_money_is_never_exceeded(copied: Path, documents: Path) -> None:
    talker = Talker(says_nonsense, usage=Usage(1000, 1000))
    budget, price = Budget(maximal_cost=0.05), Price(1.0, 10.0)
    with Library(copied) as library, Models.of(talker, budget=budget, price=price) as models:
        run = library.ingest([documents], models=models).model
        assert run is not None
        cost = run.spending.total.cost
        assert cost is not None
        assert 0 < cost <= 0.05
        assert 0 < run.left < PASSAGES
        assert "--max-cost" in run.stopped
        kept = [one.cost for one in library.model_readings() if one.cost is not None]
        assert sum(kept) == pytest.approx(cost)


@pytest.mark.slow
def test_a_partial_run_takes_nothing_away(copied: Path, documents: Path) -> None:
    with Library(copied) as library:
        library.ingest([documents], models=Models.of(Talker(says_nonsense)))
        before = dump(copied)
        for budget in (0, 3):
            models = Models.of(Talker(name="dearer"), budget=Budget(maximal_calls=budget))
            report = library.ingest([documents], models=models)
            assert report.model is not None
            assert report.model.left == PASSAGES - budget
        # Documents that were finished within the budget are the new model's; the others still are the old one's.
        readings = library.model_readings()
        assert all(one.is_complete for one in readings)
        assert {one.model for one in readings} == {"talker", "dearer"}
        assert dump(copied)["documents"] == before["documents"]
        assert library.check() == []


@pytest.mark.slow
def test_a_passage_that_fails_is_named_and_asked_for_again(copied: Path, documents: Path, undisturbed: Any) -> None:
    is_well = False

    def moody(text: str) -> dict[str, Any] | ModelError:
        if "Wave speed" in text and not is_well:
            return ModelError("too_long", "the passage is too long for this model")
        return says_nonsense(text)

    talker = Talker(moody)
    with Library(copied) as library, Models.of(talker, store=MemoryReplies()) as models:
        report = library.ingest([documents], models=models)
        assert report.model is not None
        assert not report.model.is_complete
        assert report.model.stopped == ""
        failed = [(one.name, failure) for one in report.model.documents for failure in one.failures]
        ((name, failure),) = failed
        assert name.endswith("waves.md")
        assert (failure.source.rpartition("/")[2], failure.code) == ("0", "too_long")
        assert "too long for this model" in failure.reason
        (unfinished,) = [one for one in library.model_readings() if not one.is_complete]
        assert unfinished.failures == (failure,)
        calls, is_well = talker.calls, True
        # Nobody has to say which file it was.
        report = library.ingest([], models=models, retry=True)
        assert talker.calls == calls + 1
        assert report.model is not None
        assert report.model.is_complete
        assert [file.state for file in report.files] == ["enriched"]
    assert dump(copied, without=_RUN) == undisturbed


@pytest.mark.slow
@pytest.mark.parametrize(("code", "calls"), [("key_refused", 4), ("not_found", 4), ("unreachable", 11)])
def test_a_server_that_is_not_there_is_not_asked_for_ever(tmp_path: Path, code: str, calls: int) -> None:
    """A few calls may be under way when the error is seen, no more."""
    text = "The moon is a body that moves around the earth, and nobody states a formula for it in this note."
    notes = {f"note{number:02}.md": f"# Note {number}\n\n{text}\n" for number in range(20)}
    folder = write(tmp_path / "notes", notes)
    talker = Talker(lambda _: ModelError(code, "there is nobody"))
    with Library(tmp_path / "library") as library, Models.of(talker, concurrency=4) as models:
        report = library.ingest([folder], models=models, workers=1)
        assert report.model is not None
        assert report.model.stopped == "there is nobody"
        assert talker.calls <= calls
        assert report.model.left >= 20 - calls
        assert [file.state for file in report.files] == ["added"] * 20
        assert library.check() == []


@pytest.mark.slow
def test_many_small_documents_are_asked_about_at_once(tmp_path: Path) -> None:
    text = "The moon is a body that moves around the earth, and nobody states a formula for it in this note."
    folder = write(tmp_path / "notes", {f"note{number}.md": f"# {number}\n\n{text}\n" for number in range(8)})
    together = threading.Barrier(4, timeout=30)

    def wait(_: str) -> dict[str, Any]:
        together.wait()
        return NOTHING

    with Library(tmp_path / "library") as library, Models.of(Talker(wait), concurrency=4) as models:
        report = library.ingest([folder], models=models)
        assert report.model is not None
        assert report.model.is_complete


class FakePool:
    """Checks replies without a process; some of them it cannot bear."""

    def __init__(self, unbearable: set[int]) -> None:
        self.unbearable = unbearable
        self.tasks = 0

    def run_one(self, task: Task) -> Done | Failed:
        self.tasks += 1
        if task.payload["pictures"]:
            return Failed(task, "memory", "it needs too much memory", "", 1.0)
        if self.unbearable & {reply["chunk"] for reply in task.payload["replies"]}:
            return Failed(task, "timeout", "it took too long", "", 1.0)
        result = {"extraction": task.payload["extraction"], "accepted": len(task.payload["replies"]), "pictures": 0}
        return Done(task, {**result, "rejected": []}, 0.1)


@pytest.mark.parametrize("unbearable", [set(), {3}, {0, 1}, {0, 4, 7}, set(range(8))])
def test_a_reply_that_cannot_be_checked_costs_itself_alone(unbearable: set[int]) -> None:
    chunks = [StoredChunk(f"d-1/chunk/{one}", ChunkView(one, f"text {one}", (), one, one, Place())) for one in range(8)]
    settled = [Settled(Question(chunk.id, "chunk", "extract", ChatRequest(())), NOTHING) for chunk in chunks]
    pool: Any = FakePool(unbearable)
    applied = applied_replies(pool, Extraction("d-1"), settled, chunks=chunks, guesses=(), model="m")
    assert [int(one.source.rpartition("/")[2]) for one in applied.failures] == sorted(unbearable)
    assert applied.accepted == 8 - len(unbearable)
    assert all("it took too long" in one.reason for one in applied.failures)
    assert pool.tasks <= 2 + 2 * 8 * max(1, len(unbearable))


def test_a_picture_that_cannot_be_checked_costs_no_passage() -> None:
    finding = Finding("d-1", 0, "form", "x", "x", "latex", "declined", Span("d-1", Place(), "x"))
    chunk = StoredChunk("d-1/chunk/0", ChunkView(0, "text", (), 0, 0, Place()))
    settled = [
        Settled(Question("d-1/chunk/0", "chunk", "extract", ChatRequest(())), NOTHING),
        Settled(Question("d-1/picture/0", "pictures", "vision", ChatRequest(())), {"latex": "x", "confidence": 1}),
    ]
    pool: Any = FakePool(set())
    guesses = [Guess(finding, "d-1/picture/0", b"")]
    applied = applied_replies(pool, Extraction("d-1"), settled, chunks=[chunk], guesses=guesses, model="m")
    assert [(one.source, one.code) for one in applied.failures] == [("d-1/picture/0", "memory")]
    assert applied.accepted == 1


KILLED = """
import sys, time
from pathlib import Path
from model_makers import NOTHING, Talker
from mathrag.library import Library
from mathrag.llm.metered import Models
from mathrag.store.truth.replies import Replies

library, documents, counted = map(Path, sys.argv[1:])

def slowly(text):
    with counted.open("a") as file:
        file.write("asked\\n")
    time.sleep(0.15)
    return NOTHING

with Library(library) as opened, Models.of(Talker(slowly), store=Replies(library), concurrency=1) as models:
    opened.ingest([documents], models=models)
"""


@pytest.mark.soak
@pytest.mark.skipif(sys.platform == "win32", reason="kills a process group")
def test_killed_between_passages(copied: Path, documents: Path, tmp_path: Path) -> None:
    counted = tmp_path / "counted"
    here = str(Path(__file__).parent)
    environment = {**os.environ, "PYTHONPATH": here}
    killed = 0
    for wanted in (1, 4, 7):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(copied), str(documents), str(counted)],
            env=environment,
            start_new_session=True,
        )
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline and _asked(counted) < wanted + killed:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        # The reply that was under way when it was killed is asked for once more.
        killed += 1
        with Library(copied) as library:
            assert library.check() == []
    talker = Talker()
    with Library(copied) as library, Models.of(talker, store=Replies(copied)) as models:
        report = library.ingest([documents], models=models)
        assert report.model is not None
        assert report.model.is_complete
        assert report.model.spending.total.cached + talker.calls <= PASSAGES
        assert talker.calls <= PASSAGES - 6
        assert _asked(counted) + talker.calls <= PASSAGES + killed
        assert library.check() == []


def _asked(counted: Path) -> int:
    return counted.read_text().count("asked") if counted.exists() else 0
