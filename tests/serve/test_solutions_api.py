"""Solutions checked over the API: as text and as files, with limits, and nothing kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from serve_makers import client_of
from starlette.testclient import TestClient

from hand_written_pdf import lines_down_a_page, pdf_bytes
from mathrag.serve.options import Limits

PATH = "/api/v1/check-solution"
WRONG = "Problem: 12 boxes of 8 pens.\n\nSolution:\n1. There are 12 * 8 = 96 pens.\n2. Half: $\\frac{96}{2} = 46$."


@pytest.fixture(autouse=True)
def _without_session(client: TestClient) -> None:
    client.cookies.clear()


def _checked(client: TestClient, **fields: Any) -> dict[str, Any]:
    reply = client.post(PATH, json=fields)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def _sent(client: TestClient, data: bytes, name: str, **fields: str) -> Any:
    return client.post(f"{PATH}/uploads", files={"file": (name, data)}, data=fields)


def test_a_text_is_checked(client: TestClient) -> None:
    found = _checked(client, text=WRONG)
    assert found["first_error"] == 2
    assert [step["outcome"] for step in found["steps"]] == ["verified", "refuted"]
    assert found["steps"][1]["claims"][0]["right"] == "48"
    assert found["statement"].startswith("Step 2 holds a false calculation")
    right = _checked(client, text="3 + 4 = 7", problem="What are 3 and 4 together?")
    assert right["first_error"] is None
    assert right["problem"] == "What are 3 and 4 together?"
    assert "not the same as correct" in right["statement"]


def test_a_file_is_checked_and_not_kept(client: TestClient, made: Path) -> None:
    before = sorted(path.name for path in made.rglob("*"))
    assert _sent(client, WRONG.encode(), "homework.md").json()["first_error"] == 2
    page = lines_down_a_page("Problem: 12 boxes.", "Solution:", "There are 12 * 8 = 97 pens.")
    pdf = pdf_bytes(lines_down_a_page("Nothing here."), page)
    found = _sent(client, pdf, "exam.pdf", page="2").json()
    assert found["first_error"] == 1
    assert _sent(client, pdf, "exam.pdf", page="7").status_code == 422
    assert sorted(path.name for path in made.rglob("*")) == before


@pytest.mark.parametrize(
    "fields", [{}, {"text": ""}, {"text": "x", "more": 1}, {"text": 3}, {"text": "x" * 200_001}, {"text": "  \n "}]
)
def test_what_is_no_solution_is_refused(client: TestClient, fields: dict[str, Any]) -> None:
    assert client.post(PATH, json=fields).status_code == 422


def test_files_that_are_no_documents_are_refused(client: TestClient) -> None:
    assert _sent(client, b"\x7fELF\x02\x01\x01" + bytes(100), "homework.md").status_code == 415
    assert _sent(client, b"", "homework.md").status_code in (415, 422)
    assert _sent(client, b"%PDF-1.4 broken", "../../exam.pdf").status_code == 422
    assert client.post(f"{PATH}/uploads", json={"file": "x"}).status_code == 415


def test_a_latex_file_takes_no_other_file(client: TestClient) -> None:
    text = "\\documentclass{article}\\begin{document}\\input{/etc/passwd}\\input{../../x}\nSo $3+4=7$.\\end{document}"
    reply = _sent(client, text.encode(), "a.tex")
    assert reply.status_code == 200
    assert "root:" not in reply.text


@pytest.mark.slow
def test_files_keep_to_the_limits_of_uploads(made: Path) -> None:
    with client_of(made, limits=Limits(upload_file_bytes=1_000), is_ready=False) as client:
        assert _sent(client, WRONG.encode(), "homework.md").status_code == 200
        assert _sent(client, b"x" * 2_000, "homework.md").status_code == 413
