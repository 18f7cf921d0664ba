"""The pages of evaluations in a real browser, over a run of the command itself and over one that somebody made up."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from browser_makers import Open, check_page, contrast
from evaluation_makers import make_grades, write_run
from serve_makers import MECHANICS, RunningServer

QUESTIONS = (
    {"id": "small-d-001-01", "tier": "direct", "question": "What is the kinetic energy of 2 kg at 3 m/s?",
     "answer": 9, "unit": "J", "latex": r"E_k = \frac{1}{2} m v^2"},
    {"id": "small-d-002-01", "tier": "direct", "question": "What is the momentum of 2 kg at 3 m/s?",
     "answer": 7, "unit": "kg m/s", "latex": "p = m v"},
    {"id": "small-u-003-01", "tier": "unanswerable", "question": "What is the boiling point of lead?", "answer": None},
)  # fmt: skip


@pytest.fixture(scope="module")
def evaluated(server: RunningServer, tmp_path_factory: pytest.TempPathFactory) -> RunningServer:
    """The server, with results beside its library: where the command puts them when it is not told otherwise."""
    arguments = list(map(str, server.process.args))  # type: ignore[arg-type]
    library = Path(arguments[arguments.index("--library") + 1])
    folder = tmp_path_factory.mktemp("sets") / "small"
    (folder / "documents").mkdir(parents=True)
    (folder / "documents" / "mechanics.md").write_text(MECHANICS, encoding="utf-8")
    (folder / "questions.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in QUESTIONS), encoding="utf-8")
    command = [sys.executable, "-m", "mathrag", "evaluate", "formula-qa", str(folder), "--library", str(library)]
    subprocess.run([*command, "--workers", "1", "--json"], check=True, capture_output=True, timeout=300)
    write_run(library / "evaluation" / "made-up", make_grades(260, wrong=range(3, 200, 9)))
    write_run(library / "evaluation" / "made-up-before", make_grades(260, wrong=range(4, 200, 9)))
    (library / "evaluation" / "broken").mkdir()
    (library / "evaluation" / "broken" / "report.json").write_text("{")
    return server


@pytest.mark.pictures
@pytest.mark.usefixtures("evaluated")
def test_from_the_list_of_runs_to_a_formula(open_page: Open) -> None:
    page = open_page("/evaluation")
    page.locator("tr:has-text('broken')", has_text="no whole JSON object").wait_for()
    check_page(page)
    page.click("text=small-rules")
    page.locator("h1", has_text="small-rules").wait_for()
    check_page(page)
    page.click(".facet a:has-text('wrong number')")
    page.locator("#results-title", has_text="1 question").wait_for()
    page.click(".asked-row a")
    page.locator("h1", has_text="small-d-002-01").wait_for()
    page.locator(".expected", has_text="7 kg m/s").wait_for()
    page.locator(".trace", has_text="RETRIEVE_MATH_KNOWLEDGE").wait_for()
    page.locator(".used math").first.wait_for()
    check_page(page)
    page.click(".used-name a")
    page.locator("h1", has_text="Momentum").wait_for()


@pytest.mark.pictures
@pytest.mark.usefixtures("evaluated")
def test_many_questions_are_looked_through(open_page: Open) -> None:
    page = open_page("/evaluation/made-up")
    page.on("dialog", lambda shown: pytest.fail(f"a script ran: {shown.message}"))
    page.locator(".chart").nth(1).wait_for()
    page.click("text=Next ›")
    page.locator(".pager", has_text="51–100 of 260").wait_for()
    page.fill("input[name=q]", "question 7")
    page.keyboard.press("Enter")
    page.locator(".asked-row a", has_text="Question 7?").click()
    page.locator("h1", has_text="set-d-007-01").wait_for()
    page.click("text=Next ›")
    page.locator("h1", has_text="set-d-017-01").wait_for()
    page.click("summary:has-text('Inputs')")
    page.locator("pre", has_text="energy").wait_for()


@pytest.mark.pictures
@pytest.mark.usefixtures("evaluated")
def test_two_runs_are_compared(open_page: Open) -> None:
    page = open_page("/evaluation/made-up")
    page.select_option("#with", "made-up-before")
    page.click("button:has-text('Compare')")
    page.locator("h1", has_text="Two runs compared").wait_for()
    check_page(page)
    page.locator(".badge", has_text="worse").first.wait_for()


@pytest.mark.pictures
@pytest.mark.usefixtures("evaluated")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_without_script_shows_all_of_it(open_page: Open, scheme: str) -> None:
    options = {"viewport": {"width": 360, "height": 740}, "color_scheme": scheme}
    for path in ("", "/made-up", "/made-up/question?id=set-d-003-01", "/made-up/compare?with=made-up-before"):
        page = open_page(f"/evaluation{path}", **options)
        check_page(page)
        assert contrast(page, "main h1") >= 4.5
    page = open_page("/evaluation/made-up", **options)
    for place in (".verdict-right", ".facts", ".shares th", ".row-id"):
        assert contrast(page, place) >= 4.5, place
    drawn = page.locator(".chart .mark").first.evaluate("each => getComputedStyle(each).fill")
    assert drawn != "rgb(0, 0, 0)"
    plain = open_page("/evaluation/made-up?verdict=wrong", java_script_enabled=False, **options)
    assert plain.locator(".asked-row").count() > 0
