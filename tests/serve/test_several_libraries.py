"""Several libraries in one server: each is asked, shown and changed by itself."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from serve_makers import QUESTION, client_of, csrf_of, wait_for
from starlette.testclient import TestClient

from mathrag.errors import UsageError
from mathrag.library import Library
from mathrag.serve.options import ServeOptions

OPTICS = r"""# Notes on light

## Energy of a photon

$$E_p = h_p f_p$$

where $E_p$ is the photon energy in J, $h_p$ is the Planck constant in J s and $f_p$ is the frequency in Hz.
"""


@pytest.fixture(scope="module")
def two(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("two")
    shutil.copytree(made, folder / "mechanics")
    (folder / "optics.md").write_text(OPTICS, encoding="utf-8")
    with Library(folder / "optics", create=True) as library:
        assert not library.ingest([folder / "optics.md"], workers=1).failed
    with client_of(folder / "mechanics", name="mechanics", others=(("optics", folder / "optics"),)) as client:
        assert client.app.state.libraries["optics"].pool.wait_until_ready(60)  # type: ignore[attr-defined]
        yield client


@pytest.fixture(autouse=True)
def _fresh(two: TestClient) -> None:
    two.cookies.clear()


def _documents(client: TestClient, query: str = "") -> list[str]:
    return [item["name"] for item in client.get(f"/api/v1/documents{query}").json()["items"]]


@pytest.mark.slow
def test_requests_name_the_library_they_mean(two: TestClient) -> None:
    assert "documents/mechanics.md" in _documents(two)
    assert _documents(two, "?library=optics") == ["optics.md"]
    assert two.post("/api/v1/ask", json={"question": QUESTION}).json()["value"] == 9
    assert two.post("/api/v1/ask", json={"question": QUESTION, "library": "mechanics"}).json()["value"] == 9
    for reply in (
        two.post("/api/v1/ask", json={"question": QUESTION, "library": "optics"}),
        two.post("/api/v1/ask?library=optics", json={"question": QUESTION}),
    ):
        assert reply.json()["outcome"] == "refused"


@pytest.mark.parametrize("query", ["?library=nowhere", "?library=", "?library=optics&library=mechanics"])
def test_a_library_that_is_not_served_is_no_library(two: TestClient, query: str) -> None:
    reply = two.get(f"/api/v1/documents{query}")
    assert (reply.status_code, reply.json()["code"]) == (404, "no_library")
    asked = two.post("/api/v1/ask", json={"question": QUESTION, "library": "nowhere"})
    assert (asked.status_code, asked.json()["code"]) == (404, "no_library")


def test_pages_go_on_in_the_library_that_was_opened(two: TestClient) -> None:
    first = two.get("/library")
    assert "mechanics.md" in first.text
    assert 'href="/library?library=optics"' in first.text
    assert "optics.md" in two.get("/library?library=optics").text
    assert "optics.md" in two.get("/library").text
    assert two.get("/library.json?library=mechanics").json() != two.get("/library.json?library=optics").json()


def test_a_page_that_is_still_open_changes_nothing_in_another_library(two: TestClient) -> None:
    old = csrf_of(two.get("/library?library=mechanics").text)
    two.get("/library?library=optics")
    late = two.post("/library/starter", data={"csrf": old})
    assert (late.status_code, late.json()["code"]) == (403, "csrf")


@pytest.mark.soak
def test_each_has_its_own_jobs_and_history(two: TestClient) -> None:
    note = ("more.md", OPTICS.replace("photon", "quantum").encode())
    job = two.post("/api/v1/jobs/uploads?library=optics", files={"files": note}).json()["id"]
    assert two.get(f"/api/v1/jobs/{job}").status_code == 404
    job_path = f"/api/v1/jobs/{job}?library=optics"
    wait_for(lambda: two.get(job_path).json()["state"] == "done", seconds=120, what="reading")
    assert "more.md" in _documents(two, "?library=optics")
    assert "more.md" not in _documents(two)
    secret = csrf_of(two.get("/?library=mechanics").text)
    own = "What is the momentum of 7 kg at 3 m/s?"
    two.post("/", data={"csrf": secret, "question": own})
    assert own in two.get("/").text
    assert own not in two.get("/?library=optics").text


def test_figures_and_description_tell_them_apart(two: TestClient) -> None:
    assert 'mathrag_pool_workers{library="optics"} 1' in two.get("/metrics").text
    taken = two.get("/api/v1/openapi.json").json()["paths"]["/api/v1/search"]["get"]["parameters"]
    assert [each["schema"]["enum"] for each in taken if each["name"] == "library"] == [["mechanics", "optics"]]


def test_models_of_chat_programs_are_libraries(two: TestClient) -> None:
    listed = [each["id"] for each in two.get("/v1/models").json()["data"]]
    assert listed == ["mathrag", "mathrag:mechanics", "mathrag:optics"]
    outcomes = {}
    for model in listed:
        reply = two.post("/v1/responses", json={"model": model, "input": QUESTION})
        outcomes[model] = reply.json()["mathrag"]["outcome"]
    assert outcomes == {"mathrag": "answered", "mathrag:mechanics": "answered", "mathrag:optics": "refused"}
    first = two.post("/v1/responses", json={"model": "mathrag", "input": QUESTION}).json()["id"]
    other = {"model": "mathrag:optics", "input": "and at 5 m/s?", "previous_response_id": first}
    assert two.post("/v1/responses", json=other).status_code == 400
    assert two.get("/v1/models/mathrag:nowhere").status_code == 404


def test_names_are_checked(tmp_path: Path) -> None:
    for name, others in (("a b", ()), ("a", (("a", tmp_path / "x"),)), ("a", (("b", tmp_path),))):
        with pytest.raises(UsageError):
            ServeOptions(library=tmp_path, name=name, others=others)
