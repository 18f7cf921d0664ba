"""Files sent to be read: names, kinds and sizes; progress, cancelling, restarts. No job is ever lost."""

from __future__ import annotations

import io
import json
import signal
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from serve_makers import RunningServer, client_of, is_running, wait_for
from starlette.testclient import TestClient

from mathrag.library.files import safe_name
from mathrag.serve.jobs.store import MOST_ATTEMPTS, JobStore
from mathrag.serve.options import Limits

API = "/api/v1"
NOTE = "# Notes\n\n## Work {n}\n\n$$W_{n} = F_{n} s_{n}$$\n\nwhere $W_{n}$ is the work in J, $F_{n}$ the force in N.\n"


def _note(number: int = 1) -> bytes:
    return NOTE.replace("{n}", str(number)).encode()


def _upload(client: TestClient, *files: tuple[str, bytes], **fields: str) -> Any:
    return client.post(f"{API}/jobs/uploads", files=[("files", file) for file in files], data=fields)


def _done(client: TestClient, job: str) -> dict[str, Any]:
    def over() -> dict[str, Any] | None:
        found: dict[str, Any] = client.get(f"{API}/jobs/{job}").json()
        return found if found["state"] in ("done", "failed", "cancelled") else None

    return wait_for(over, seconds=60, what="the end of the job")


@given(st.text(max_size=300))
def test_a_name_is_only_ever_a_name(name: str) -> None:
    safe = safe_name(name)
    assert safe
    assert safe == Path(safe).name
    assert not safe.startswith(".")
    assert safe.isprintable()
    assert len(safe.encode()) <= 120
    assert not set(safe) & set('/\\<>:"|?*')
    assert safe_name(safe) == safe


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("notes.md", "notes.md"), ("../../etc/passwd", "passwd"), ("C:\\Users\\x\\notes.md", "notes.md"),
        ("..", "document"), ("", "document"), (".htaccess", "htaccess"), ("a\x00b.md", "ab.md"),
        ("CON.md", "_CON.md"), ("été.md", "été.md"), ("a" * 300 + ".md", "a" * 117 + ".md"),
        ("a\r\nSet-Cookie: x.md", "aSet-Cookie_ x.md"),
    ],
)  # fmt: skip
def test_names_of_uploads(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@pytest.fixture
def fresh(tmp_path: Path) -> Any:
    limits = Limits(upload_file_bytes=200_000, upload_bytes=500_000, upload_files=5)
    with client_of(tmp_path / "library", limits=limits, is_ready=False) as found:
        yield found


@pytest.mark.slow
def test_uploads_are_read_and_told_about(fresh: TestClient, tmp_path: Path) -> None:
    reply = _upload(fresh, ("a.md", _note(1)), ("../../b.md", _note(2)), ("b.md", _note(3)))
    assert reply.status_code == 202
    assert reply.json()["names"] == ["a.md", "b.md", "b-2.md"]
    events = fresh.get(f"{API}/jobs/{reply.json()['id']}/events").text
    assert "event: file" in events
    assert '"state":"done"' in events.rstrip().splitlines()[-1]
    job = _done(fresh, reply.json()["id"])
    assert (job["state"], job["done"], job["total"]) == ("done", 3, 3)
    assert [file["state"] for file in job["report"]["files"]] == ["added"] * 3
    assert str(tmp_path) not in json.dumps(job)
    assert fresh.get(f"{API}/formulas").json()["total"] == 3
    assert sorted(path.name for path in (tmp_path / "library" / "uploads").glob("*.md")) == ["a.md", "b-2.md", "b.md"]
    assert not [path for path in tmp_path.iterdir() if path.name != "library"]
    # The same bytes once more change nothing; other bytes replace where that is wished.
    again = _done(fresh, _upload(fresh, ("a.md", _note(1))).json()["id"])
    assert again["report"]["files"][0]["state"] == "unchanged"
    replaced = _done(fresh, _upload(fresh, ("a.md", _note(9)), replace="true").json()["id"])
    assert replaced["report"]["files"][0]["state"] == "replaced"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("virus.exe", b"\x7fELF" + bytes(100), 415), ("notes.md", b"\x7fELF" + bytes(100), 415),
        ("picture.pdf", b"GIF89a" + bytes(100), 415), ("empty.md", b"", 415),
        ("data.sqlite", b"SQLite format 3\0", 415),
        ("large.md", b"x" * 300_000, 413), ("bomb.md", b"\x1f\x8b" + bytes(100), 415),
    ],
)  # fmt: skip
def test_what_is_no_document_is_not_kept(
    fresh: TestClient, tmp_path: Path, name: str, content: bytes, status: int
) -> None:
    reply = _upload(fresh, ("good.md", _note()), (name, content))
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/problem+json"
    assert fresh.get(f"{API}/jobs").json()["total"] == 0
    assert not [path for path in (tmp_path / "library" / "uploads").rglob("*") if path.is_file()]


def test_archives_and_too_many_files_are_not_taken(fresh: TestClient) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros.md", b"0" * 5_000_000)
    assert _upload(fresh, ("bomb.zip", packed.getvalue())).status_code == 415
    assert _upload(fresh, *[(f"{number}.md", _note(number)) for number in range(6)]).status_code == 413
    assert _upload(fresh, *[(f"{number}.md", b"x" * 150_000) for number in range(4)]).status_code == 413
    assert fresh.post(f"{API}/jobs/uploads", json={"files": "x"}).status_code == 415
    assert fresh.post(f"{API}/jobs/uploads", files={"other": ("a.md", b"x")}).status_code == 422


@pytest.mark.soak
def test_allowed_folders_and_no_other(tmp_path: Path) -> None:
    allowed, secret = tmp_path / "allowed", tmp_path / "secret"
    for folder in (allowed, secret):
        folder.mkdir()
        (folder / "note.md").write_bytes(_note())
    (allowed / "link.md").symlink_to(secret / "note.md")
    with client_of(tmp_path / "library", ingest_folders=(allowed.resolve(),), is_ready=False) as client:
        for path in (secret / "note.md", allowed / ".." / "secret" / "note.md", allowed / "link.md", f"{allowed}x"):
            assert client.post(f"{API}/jobs", json={"paths": [str(path)]}).status_code == 403
        job = client.post(f"{API}/jobs", json={"paths": [str(allowed / "note.md")]}).json()
        assert _done(client, job["id"])["state"] == "done"
        assert client.post(f"{API}/jobs", json={}).status_code == 422
        assert client.post(f"{API}/jobs/{job['id']}/cancel").status_code == 409


@pytest.mark.soak
def test_a_job_that_waits_is_cancelled_at_once_and_one_that_runs_soon(fresh: TestClient) -> None:
    running = fresh.post(f"{API}/jobs", json={"starter": True}).json()["id"]
    waiting = _upload(fresh, ("a.md", _note())).json()["id"]
    assert fresh.post(f"{API}/jobs/{waiting}/cancel").json()["state"] == "cancelled"
    wait_for(lambda: fresh.get(f"{API}/jobs/{running}").json()["state"] == "running")
    assert fresh.post(f"{API}/jobs/{running}/cancel").status_code == 200
    assert _done(fresh, running)["state"] == "cancelled"
    # The next one is done all the same.
    assert _done(fresh, _upload(fresh, ("b.md", _note(2))).json()["id"])["state"] == "done"


# ---- the store by itself


def test_jobs_are_taken_up_again_but_not_for_ever(tmp_path: Path) -> None:
    store = JobStore(tmp_path)
    job = store.add({"paths": ["x"]})
    for attempt in range(1, MOST_ATTEMPTS + 1):
        taken = store.take()
        assert taken is not None
        assert (taken.id, taken.attempts) == (job.id, attempt)
        store.close()
        store = JobStore(tmp_path)
        again, lost = store.recover()
        assert (again, lost) == (([job.id], []) if attempt < MOST_ATTEMPTS else ([], [job.id]))
    assert store.get(job.id).state == "failed"
    assert "start it again" in store.get(job.id).reason
    cancelled = store.add({"paths": ["y"]})
    store.take()
    store.cancel(cancelled.id)
    assert store.recover() == ([], [])
    assert store.get(cancelled.id).state == "cancelled"
    store.close()


def test_a_stop_that_was_wished_for_is_no_attempt(tmp_path: Path) -> None:
    store = JobStore(tmp_path)
    job = store.add({"paths": ["x"]})
    for _ in range(MOST_ATTEMPTS + 2):
        taken = store.take()
        assert taken is not None
        assert taken.attempts == 1
        store.give_back(job.id)
        assert store.recover() == ([], [])
    store.take()
    store.cancel(job.id)
    store.give_back(job.id)
    assert store.get(job.id).state == "cancelled"
    store.give_back(job.id)
    assert store.get(job.id).state == "cancelled"
    store.close()


def test_events_have_numbers_to_go_on_from(tmp_path: Path) -> None:
    store = JobStore(tmp_path)
    job = store.add({"paths": []})
    store.take()
    store.progress(job.id, {"file": {"name": "a"}}, done=1, total=2)
    store.finish(job.id, "done", report={"files": []})
    events = store.events(job.id)
    assert [event.get("state", "file") for _, event in events] == ["queued", "running", "file", "done"]
    assert store.events(job.id, after=events[1][0]) == events[2:]
    assert store.counts()["done"] == 1
    store.close()


# ---- a server that is killed


@pytest.mark.soak
def test_a_killed_server_loses_no_job_and_leaves_no_process(
    tmp_path: Path, run_server: Callable[..., RunningServer]
) -> None:
    server = run_server(tmp_path / "library")
    _, job = server.ask(f"{API}/jobs", {"starter": True})
    _, second = server.ask(f"{API}/jobs", {"starter": True, "force": True})
    wait_for(lambda: server.ask(f"{API}/jobs/{job['id']}")[1]["done"] >= 2, seconds=120, what="some progress")
    children = server.children()
    assert children
    server.stop(signal.SIGKILL)
    wait_for(lambda: not any(map(is_running, children)), what="the end of all processes")
    server = run_server(tmp_path / "library")

    def over(identifier: str) -> Any:
        found = server.ask(f"{API}/jobs/{identifier}")[1]
        return found if found["state"] in ("done", "failed", "cancelled") else None

    first = wait_for(lambda: over(job["id"]), seconds=180, what="the end of the first job")
    assert (first["state"], first["attempts"]) == ("done", 2)
    assert {file["state"] for file in first["report"]["files"]} <= {"added", "unchanged"}
    assert "unchanged" in {file["state"] for file in first["report"]["files"]}
    assert wait_for(lambda: over(second["id"]), seconds=180)["state"] == "done"
    assert server.stop() == 0


@pytest.mark.soak
def test_a_server_told_to_stop_leaves_its_job_to_the_next_one(
    tmp_path: Path, run_server: Callable[..., RunningServer]
) -> None:
    server = run_server(tmp_path / "library")
    _, job = server.ask(f"{API}/jobs", {"starter": True})
    wait_for(lambda: server.ask(f"{API}/jobs/{job['id']}")[1]["state"] == "running")
    children = server.children()
    assert server.stop() == 0
    assert not any(map(is_running, children))
    store = JobStore(tmp_path / "library")
    assert (store.get(job["id"]).state, store.get(job["id"]).attempts) == ("queued", 0)
    store.close()
    server = run_server(tmp_path / "library")
    wait_for(lambda: server.ask(f"{API}/jobs/{job['id']}")[1]["state"] == "done", seconds=180)
    assert server.ask(f"{API}/jobs/{job['id']}")[1]["attempts"] == 1


@pytest.mark.soak
def test_a_watched_folder_fills_the_library(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    with client_of(tmp_path / "library", watch=(("default", folder),), watch_remove=True) as client:

        def names() -> list[str]:
            return [item["name"] for item in client.get("/api/v1/documents").json()["items"]]

        for name in ("a.md", "b.md"):
            (folder / name).write_text(f"# Notes\n\n## Work {name}\n\n$$W = F s$$\n\nwhere $W$ is the work in J.\n")
        wait_for(lambda: names() == ["a.md", "b.md"], seconds=120, what="taking up")
        (folder / "a.md").unlink()
        wait_for(lambda: names() == ["b.md"], seconds=120, what="removing")
