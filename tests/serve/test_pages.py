"""The first pages without JavaScript: ask, the missing value, the library; each with its JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from serve_makers import QUESTION, client_of, csrf_of, wait_for
from starlette.testclient import TestClient


@pytest.fixture(autouse=True)
def _without_session(client: TestClient) -> None:
    client.cookies.clear()


def test_asking_by_form_shows_the_card(client: TestClient) -> None:
    # Examples are made beside the first requests, when there is time for it.
    wait_for(lambda: "What is the" in client.get("/").text)
    page = client.get("/")
    shown = client.post("/", data={"csrf": csrf_of(page.text), "question": QUESTION}).text
    assert "9.00 J" in shown or "9 J" in shown
    assert "<math" in shown
    assert "Notes on mechanics" in shown
    assert "question: &#34;2 kg&#34;" in shown


def test_built_in_knowledge_says_so_and_leads_to_no_document(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MATHRAG_HANDBOOK", "yes")
    question = "Where does the image form when an object stands 40 cm before a lens of focal length 8 cm?"
    asked = {"csrf": csrf_of(client.get("/").text), "question": question}
    shown = client.post("/", data=asked).text
    assert "10.0 cm" in shown
    assert "Built-in knowledge." in shown
    assert "/source?" not in shown
    formula = client.post("/ask.json", data=asked).json()["result"]["formulas"][0]["id"]
    page = client.get(f"/formulas/{formula}").text
    assert "built-in knowledge" in page
    assert "/source?" not in page
    assert client.post("/ask.json", data={**asked, "only_documents": "yes"}).json()["result"]["value"] is None
    # Rules assume nothing of their own, whatever is allowed.
    allowed = client.post("/ask.json", data={**asked, "assume": "yes"}).json()["result"]
    assert (allowed["value"], allowed["asked"]["assume"]) == (10, True)


def test_a_missing_value_is_asked_for_and_then_answered(client: TestClient) -> None:
    secret = csrf_of(client.get("/").text)
    question = "What is the kinetic energy of 2 kg?"
    refused = client.post("/", data={"csrf": secret, "question": question}).text
    assert 'name="pin.v"' in refused
    answered = client.post("/", data={"csrf": secret, "question": question, "pin.v": "3 m/s"}).text
    assert "9.00 J" in answered or "9 J" in answered


def test_a_page_and_its_twin_say_the_same(client: TestClient) -> None:
    assert 'href="/ask.json?question=x"' in client.get("/?question=x").text
    assert client.get("/ask.json?question=x").json()["question"] == "x"
    assert len(client.get("/library.json").json()["documents"]["items"]) == 3
    secret = csrf_of(client.get("/").text)
    asked = client.post("/ask.json", data={"csrf": secret, "question": QUESTION}).json()
    assert asked["result"]["value"] == 9


@pytest.mark.parametrize("question", ["", "   ", "x" * 30_000, "\x00"])
def test_a_question_that_is_none_is_told_so(client: TestClient, question: str) -> None:
    reply = client.post("/", data={"csrf": csrf_of(client.get("/").text), "question": question})
    assert reply.status_code == 200
    assert "problem" in reply.text


def test_problems_are_pages_for_people(client: TestClient) -> None:
    reply = client.get("/nothing", headers={"Accept": "text/html"})
    assert reply.status_code == 404
    assert "<h1>404</h1>" in reply.text


@pytest.mark.slow
def test_uploading_and_removing_by_form(tmp_path: Path) -> None:
    with client_of(tmp_path / "library") as client:
        secret = csrf_of(client.get("/library").text)
        text = (
            b"# Notes\n\n## Work\n\n$$W = F s$$\n\nwhere $W$ is the work in J, $F$ the force in N, $s$ the path in m.\n"
        )
        sent = client.post(
            "/library/upload", data={"csrf": secret}, files={"files": ("notes.md", text)}, follow_redirects=False
        )
        assert (sent.status_code, sent.headers["location"]) == (303, "/library")
        wait_for(lambda: client.get("/library.json").json()["documents"]["total"] == 1, what="reading")
        assert "notes.md" in client.get("/library").text
        document = client.get("/library.json").json()["documents"]["items"][0]["id"]
        gone = client.post("/library/remove", data={"csrf": secret, "document": document}, follow_redirects=False)
        assert gone.status_code == 303
        assert client.get("/library.json").json()["documents"]["total"] == 0
        assert not (tmp_path / "library" / "uploads" / "notes.md").exists()
