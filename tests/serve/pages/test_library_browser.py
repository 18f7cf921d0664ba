"""The pages of the library in a real browser: files sent and dropped, formulas that arrive, a fix that can be asked."""

from __future__ import annotations

import base64
import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from page_makers import TO_CHECK, WORK, text_pdf
from serve_makers import RunningServer, make_library

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed, so no browser is driven")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed, so no browser is driven"),
]
Page = Any
Open = Callable[..., Page]
GRAVITY = text_pdf(
    "Notes on gravity",
    "The weight of a body is",
    "W = m g",
    "where W is the weight in N, m is the mass in kg and g is the acceleration in m/s^2.",
)
NAMELESS = """each => {
  const named = (node) => node.getAttribute("aria-label") || node.getAttribute("aria-labelledby") || node.alt
    || [...(node.labels || [])].map((label) => label.textContent).join("") || node.textContent.trim();
  return [...each.querySelectorAll("a, button, input:not([type=hidden]), select, textarea, summary, progress, img")]
    .filter((node) => !named(node)).map((node) => node.outerHTML.slice(0, 200));
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    running = RunningServer(make_library(tmp_path_factory.mktemp("library_browser")))
    try:
        running.wait_until_ready()
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(server: RunningServer, chromium: Any) -> Iterator[Open]:
    """Opens a page; at the end, no page may have complained or asked another host for anything."""
    problems: list[str] = []
    contexts: list[Any] = []

    def asked(request: Any) -> None:
        if urlsplit(request.url).netloc not in (urlsplit(server.address).netloc, ""):
            problems.append(f"asked another host: {request.url}")

    def start(path: str, **options: Any) -> Page:
        context = chromium.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("console", lambda said: problems.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", asked)
        page.goto(f"{server.address}{path}")
        return page

    yield start
    for context in contexts:
        context.close()
    assert problems == []


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


def test_a_dropped_file_is_read(open_page: Open) -> None:
    page = open_page("/library")
    _drop(page, "to_check.md", TO_CHECK.encode())
    page.locator(".job .row-name", has_text="Thrumble of a wall").wait_for()
    page.locator(".job .badge-quarantined").first.wait_for()
    page.locator("#documents", has_text="to_check.md").wait_for()
    unseen = open_page("/library", java_script_enabled=False)
    assert unseen.locator("#documents", has_text="to_check.md").count() == 1


def test_a_file_that_is_not_taken_is_told_and_does_not_keep_others_out(
    server: RunningServer, chromium: Any, tmp_path: Path
) -> None:
    (tmp_path / "program.bin").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(200))
    (tmp_path / "again.md").write_text(WORK.replace("Work", "Labour"), encoding="utf-8")
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto(f"{server.address}/library")
    page.set_input_files("#files", [tmp_path / "program.bin", tmp_path / "again.md"])
    page.click("text=Upload and read")
    page.locator("#upload-problem", has_text="program.bin").wait_for()
    page.locator(".job", has_text="again.md").first.wait_for()
    page.locator("#documents", has_text="again.md").wait_for()
    context.close()


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
    page.locator("#question").wait_for()
    page.fill("#question", "What is the thrumble if the grumble is 2 N/m^2 and the area is 3 m^2?")
    page.press("#question", "Enter")
    page.locator("#outcome-text", has_text="6.00 N").wait_for()


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
        assert page.locator("body").evaluate(NAMELESS) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        tags = page.locator("h1, h2, h3").evaluate_all("all => all.map((each) => Number(each.tagName[1]))")
        assert tags[0] == 1, path
        assert all(after - before <= 1 for before, after in pairwise(tags)), (path, tags)
