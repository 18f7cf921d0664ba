"""The pages of the library in a real browser: files sent and dropped, formulas that arrive, a fix that can be asked."""

from __future__ import annotations

import base64
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browser_makers import Open, Page, check_page, type_question
from page_makers import GRAVITY, TO_CHECK, WORK


def _drop(page: Page, name: str, content: bytes) -> None:
    """Drop a file on the page, as a hand would."""
    page.evaluate(
        """([name, content]) => {
          const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
          const held = new DataTransfer();
          held.items.add(new File([bytes], name));
          const box = document.getElementById("drop");
          for (const kind of ["dragenter", "dragover", "drop"]) {
            box.dispatchEvent(new DragEvent(kind, { dataTransfer: held, bubbles: true, cancelable: true }));
          }
        }""",
        [name, base64.b64encode(content).decode()],
    )


@pytest.mark.slow
def test_files_are_sent_and_their_formulas_arrive(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "work.md").write_text(WORK, encoding="utf-8")
    (tmp_path / "gravity.pdf").write_bytes(GRAVITY)
    page = open_page("/library")
    page.set_input_files("#files", [tmp_path / "work.md", tmp_path / "gravity.pdf"])
    page.click("text=Upload and read")
    page.locator(".job .row-name", has_text="Work of a force").wait_for()
    page.locator(".job .row-formula math").first.wait_for()
    page.locator('.job[data-state="done"]').first.wait_for()
    assert page.locator(".job .row").count() == 2
    page.locator("#job-news", has_text="Done · 2 formulas").wait_for(state="attached")
    page.locator("#documents", has_text="gravity.pdf").wait_for()
    page.locator("#documents", has_text="work.md").wait_for()
    page.click(".job .row-name >> text=Work of a force")
    page.locator("h1", has_text="Work of a force").wait_for()


@pytest.mark.pictures
def test_a_dropped_file_is_read(open_page: Open) -> None:
    page = open_page("/library")
    _drop(page, "to_check.md", TO_CHECK.encode())
    page.locator(".job .row-name", has_text="Thrumble of a wall").wait_for()
    page.locator(".job .badge-quarantined").first.wait_for()
    page.locator("#documents", has_text="to_check.md").wait_for()
    unseen = open_page("/library", java_script_enabled=False)
    assert unseen.locator("#documents", has_text="to_check.md").count() == 1


@pytest.mark.pictures
def test_a_file_that_is_not_taken_is_told_and_does_not_keep_others_out(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "program.bin").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(200))
    (tmp_path / "again.md").write_text(WORK.replace("Work", "Labour"), encoding="utf-8")
    page = open_page("/library", expected="Failed to load resource")
    page.set_input_files("#files", [tmp_path / "program.bin", tmp_path / "again.md"])
    page.click("text=Upload and read")
    page.locator("#upload-problem", has_text="program.bin").wait_for()
    page.locator(".job", has_text="again.md").first.wait_for()
    page.locator("#documents", has_text="again.md").wait_for()


@pytest.mark.pictures
def test_a_quarantined_formula_is_fixed_and_then_asked(open_page: Open) -> None:
    page = open_page("/library")
    if not page.locator("#documents", has_text="to_check.md").count():
        _drop(page, "to_check.md", TO_CHECK.encode())
        page.locator("#documents", has_text="to_check.md").wait_for()
    page.click(".tabs >> text=Review")
    page.click(".row-actions >> text=Correct")
    page.get_by_label("Unit of G_w").fill("N/m^2")
    page.get_by_label("Meaning of G_w").fill("grumble")
    page.click("text=Save")
    page.locator("[role=status]", has_text="can be computed with").wait_for()
    page.fill('[name="v.G_w"]', "2 N/m^2")
    page.fill('[name="v.A_w"]', "3")
    page.click("#compute-form button")
    page.locator("#computed strong", has_text="6").wait_for()
    page.click("[role=status] >> text=asked")
    type_question(page, "What is the thrumble if the grumble is 2 N/m^2 and the area is 3 m^2?")
    page.locator("#outcome-text", has_text="6.00 N").wait_for()


@pytest.mark.pictures
def test_searching_by_facets_without_javascript(open_page: Open) -> None:
    page = open_page("/formulas", java_script_enabled=False)
    page.fill("[type=search]", "energy")
    page.click("text=Search")
    page.click('.facet >> text="mechanics"')
    assert "field=mechanics" in page.url
    assert "q=energy" in page.url
    page.click('.row-name >> text="Kinetic energy"')
    page.select_option("#solve-for", "v")
    page.fill('[name="v.E_k"]', "9 J")
    page.fill('[name="v.m"]', "2 kg")
    page.click("#compute-form button")
    assert "3" in page.locator("#computed strong").inner_text()


@pytest.mark.pictures
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_names_headings_and_width_of_all_pages(open_page: Open, width: int, scheme: str) -> None:
    page = open_page("/library", viewport={"width": width, "height": 740}, color_scheme=scheme)
    formula = page.evaluate("fetch('/formulas.json?q=kinetic+energy').then((reply) => reply.json())")["items"][0]["id"]
    constant = page.evaluate("fetch('/constants.json').then((reply) => reply.json())")["items"][0]["id"]
    document = page.evaluate("fetch('/library.json').then((reply) => reply.json())")["documents"]["items"][0]["id"]
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
    for path in (
        "/library", "/formulas", f"/formulas/{formula}?edit=1&v.m=2&v.v=3", "/constants", f"/constants/{constant}",
        f"/library/documents/{document}", f"/library/documents/{document}/remove", "/review", "/review?view=conflicts",
    ):  # fmt: skip
        page.goto(f"{origin}{path}")
        check_page(page)
