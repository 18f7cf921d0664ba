"""The page that checks solutions without JavaScript: pasted and uploaded, escaped, limited, with its twin."""

from __future__ import annotations

from typing import Any

import pytest
from serve_makers import csrf_of
from starlette.testclient import TestClient

WRONG = "Problem: 12 boxes of 8 pens.\n\nSolution:\n1. There are 12 * 8 = 96 pens.\n2. Half: $\\frac{96}{2} = 46$."


@pytest.fixture(autouse=True)
def _without_session(client: TestClient) -> None:
    client.cookies.clear()


def _posted(client: TestClient, *, file: tuple[str, bytes] | None = None, **fields: str) -> Any:
    secret = csrf_of(client.get("/check").text)
    # An empty file field is what a browser sends where no file is chosen.
    files = {"file": file if file is not None else ("", b"")}
    return client.post("/check", data={"csrf": secret, **fields}, files=files)


def test_the_page_has_a_twin_and_an_example(client: TestClient) -> None:
    assert client.get("/check.json").json()["result"] is None
    page = client.get("/check", params={"example": "1"}).text
    assert "12 * 8 = 96 pens" in page
    assert 'href="/check" aria-current="page">Check</a>' in page


def test_marks_stand_beside_the_steps_and_formulas_are_typeset(client: TestClient) -> None:
    page = _posted(client, text=WRONG).text
    assert "First false calculation: step 2" in page
    assert page.count('class="step verified"') == 1
    assert page.count('class="step refuted"') == 1
    assert '<mark><span class="formula"><math' in page
    assert "the right value is <strong>48</strong>" in page
    assert "line 5" in page
    # What was sent is there to be mended.
    assert "There are 12 * 8 = 96 pens.\n2. Half" in page


def test_none_found_is_not_called_correct(client: TestClient) -> None:
    page = _posted(client, text="3 + 4 = 7", problem="What are 3 and 4?").text
    assert "No false calculation found" in page
    assert "is not the same as correct" in page


def test_a_file_is_checked(client: TestClient) -> None:
    page = _posted(client, file=("homework.md", WRONG.encode())).text
    assert "First false calculation: step 2" in page
    assert "homework.md" in page


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"text": ""}, "nothing to check"),
        ({"text": "Problem: what is x?"}, "no step to check"),
        ({"text": "x " * 110_000}, "characters"),
    ],
)
def test_complaints_are_on_the_page(client: TestClient, fields: dict[str, str], complaint: str) -> None:
    page = _posted(client, **fields).text
    assert 'role="alert"' in page
    assert complaint in page


def test_a_page_that_is_no_number_is_complained_about(client: TestClient) -> None:
    assert "a number from 1" in _posted(client, file=("a.md", b"3 + 4 = 7"), page="x").text
    assert "no pages to choose from" in _posted(client, file=("a.md", b"3 + 4 = 7"), page="2").text


def test_hostile_text_is_only_text(client: TestClient) -> None:
    bad = "<script>alert(1)</script>"
    steps = f"Solution: {bad} 3 + 4 = 8 $\\text{{{bad}}} x = 1$"
    text = f"Problem: {bad}\n\n{steps}\n\nAnswer: {bad}\N{RIGHT-TO-LEFT OVERRIDE}"
    page = _posted(client, text=text, file=(f"{bad}.md", text.encode())).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in page
    assert "<script>alert" not in _posted(client, text=text).text


def test_only_our_own_form_is_taken(client: TestClient) -> None:
    assert client.post("/check", data={"text": WRONG}, files={"file": ("", b"")}).status_code == 403
    assert client.post("/check", json={"text": WRONG}).status_code == 415
