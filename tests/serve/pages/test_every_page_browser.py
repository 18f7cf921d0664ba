"""Every kind of page in a real browser, over hostile documents: names, width, silence; keys; no JavaScript."""

from __future__ import annotations

import re
from collections import Counter, deque
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browser_makers import Open, Page, check_page, contrast, type_question
from hostile_makers import FILE_NAME, MARK, NOTES, QUESTION, make_hostile_library, pattern_of
from page_makers import GRAVITY, WORK

from mathrag.serve.pages.templates import NAVIGATION

# Files to download, data, and pictures are no pages.
NO_PAGE = re.compile(
    r"\.(json|png|svg|csv|ipynb|txt|ttl)(\?|$)|^/(static|api|metrics|healthz)|/result\.|/picture|/export"
)


@pytest.fixture(scope="module")
def browsed_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of hostile documents."""
    return make_hostile_library(tmp_path_factory.mktemp("hostile_browsed"))


def _links(page: Page) -> list[str]:
    """Where a page leads on this server."""
    absolute = "all => all.map((each) => new URL(each.getAttribute('href'), location).href)"
    found = page.locator("a[href]").evaluate_all(absolute)
    here = urlsplit(page.url)
    parts = [urlsplit(link) for link in found]
    return [
        part.path + (f"?{part.query}" if part.query else "")
        for part in parts
        if part.netloc == here.netloc and not NO_PAGE.search(part.path)
    ]


def _visit_all(page: Page, *, of_a_kind: int) -> list[str]:
    """Open a few pages of every kind that links lead to, and look at each."""
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
    waiting = deque(["/", *(address for address, _ in NAVIGATION), "/review", "/review?view=conflicts", "/api/v1/docs"])
    seen, kinds, visited = set(waiting), Counter[str](), []
    while waiting and len(visited) < 100:
        address = waiting.popleft()
        kind = pattern_of(address)
        kinds[kind] += 1
        if kinds[kind] > (1 if "?" in kind else of_a_kind):
            continue
        page.goto(f"{origin}{address}")
        visited.append(address)
        check_page(page)
        fresh = [link for link in dict.fromkeys(_links(page)) if link not in seen]
        seen.update(fresh)
        waiting.extend(fresh)
    return visited


@pytest.mark.pictures
@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), (360, "dark")], ids=["wide and light", "as a phone and dark"]
)
def test_every_kind_of_page(open_page: Open, width: int, scheme: str) -> None:
    is_phone = width < 500
    page = open_page(
        "/", viewport={"width": width, "height": 740}, color_scheme=scheme, is_mobile=is_phone, has_touch=is_phone
    )
    page.fill("#question", QUESTION)
    page.click("#ask button[type=submit]")
    page.locator("#outcome-text").wait_for()
    check_page(page)
    visited = _visit_all(page, of_a_kind=2)
    kinds = {pattern_of(address).partition("?")[0] for address in visited}
    assert kinds >= {"/", "/library", "/formulas", "/formulas/{}", "/constants", "/constants/{}", "/review", "/source",
                     "/library/documents/{}", *(address for address, _ in NAVIGATION)}  # fmt: skip
    background = page.locator("body").evaluate("each => getComputedStyle(each).backgroundColor")
    light = sum(int(part) for part in re.findall(r"\d+", background)[:3]) / 3
    assert light > 200 if scheme == "light" else light < 60
    for place in ("h1", "nav a", "main", "footer a"):
        assert contrast(page, place) >= 4.5, place


@pytest.mark.slow
def test_the_pages_that_the_bar_leads_to(open_page: Open) -> None:
    page = open_page("/")
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
    for address, _ in NAVIGATION:
        page.goto(f"{origin}{address}")
        check_page(page)


@pytest.mark.slow
def test_query_graph_check_and_worksheet_do_their_work(open_page: Open) -> None:
    """One act on each; what else they do is in files of their own (`make pictures`)."""
    page = open_page("/query/sql")
    page.locator("#query").fill("SELECT id FROM formulas")
    page.keyboard.press("Control+Enter")
    page.locator(".query-table tbody tr").first.wait_for()
    page.click("nav >> text=Graph")
    page.locator("#graph[data-ready]").wait_for()
    page.locator("#window .nodes > a").first.click()
    page.locator("#selected #card h2").wait_for()
    page.click("nav >> text=Check")
    page.locator("#solution").fill("Solution:\n1. 12 * 8 = 96.\n2. 96 / 2 = 46.")
    page.click("button:has-text('Check')")
    page.locator("#result-title", has_text="step 2").wait_for()
    page.click("nav >> text=Worksheets")
    page.locator("#sheet-text").fill("a = 2 m\nb = 3*a")
    page.locator("#result-2", has_text="6").wait_for()
    check_page(page)


@pytest.mark.pictures
def test_hostile_words_stay_words_where_scripts_write_them(open_page: Open, tmp_path: Path) -> None:
    """Streams, live cards of jobs and recomputed values are put into the page by our scripts."""
    page = open_page("/")
    type_question(page, QUESTION)
    page.locator("#outcome-text").wait_for()
    page.goto("/".join(page.url.split("/")[:3]) + "/library")
    (tmp_path / FILE_NAME).write_text(NOTES.replace("# Notes", "# Notes once more"), encoding="utf-8")
    page.set_input_files("#files", [tmp_path / FILE_NAME])
    page.click("text=Upload and read")
    page.locator('.job[data-state="done"]', has_text=MARK).first.wait_for()
    page.locator(".job .row-name", has_text=MARK).first.wait_for()
    assert page.locator(MARK).count() == 0
    assert page.locator(f"[on{MARK}]").count() == 0
    assert page.evaluate(f"typeof window.{MARK}") == "undefined"


@pytest.mark.pictures
def test_uploading_computing_and_asking_without_javascript(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "work.md").write_text(WORK, encoding="utf-8")
    (tmp_path / "gravity.pdf").write_bytes(GRAVITY)
    page = open_page("/library", java_script_enabled=False)
    page.set_input_files("#files", [tmp_path / "work.md", tmp_path / "gravity.pdf"])
    page.click("text=Upload and read")
    for name in ("work.md", "gravity.pdf"):
        for _ in range(60):
            if page.locator("#documents", has_text=name).count():
                break
            page.wait_for_timeout(500)
            page.reload()
        assert page.locator("#documents", has_text=name).count() == 1, name
    page.click("nav >> text=Library")
    page.click(".tabs >> text=Formulas")
    page.fill("[type=search]", "work of a force")
    page.click("text=Search")
    page.click('.row-name >> text="Work of a force"')
    page.fill('[name="v.F"]', "3 N")
    page.fill('[name="v.s"]', "2 m")
    page.click("#compute-form button")
    assert "6" in page.locator("#computed strong").inner_text()
    page.click("nav >> text=Ask")
    page.fill("#question", "What is the work of a force of 3 N along a path of 2 m?")
    page.click("#ask button[type=submit]")
    page.locator("#outcome-text", has_text="6.00 J").wait_for()
    page.click(".citations a")
    page.locator("mark").first.wait_for()


@pytest.mark.pictures
def test_asking_and_reading_the_source_with_keys_alone(open_page: Open) -> None:
    page = open_page("/")
    _tab_to(page, "#question")
    page.keyboard.type("What is the kinetic energy of 2 kg at 3 m/s?")
    page.keyboard.press("Enter")
    page.locator("#outcome-text", has_text="9.00 J").wait_for()
    _tab_to(page, ".citations a")
    page.keyboard.press("Enter")
    page.locator("mark").first.wait_for()
    _tab_to(page, "nav a[href='/library']")
    page.keyboard.press("Enter")
    page.locator("h1", has_text="Library").wait_for()


@pytest.mark.pictures
def test_the_first_key_leads_past_the_bar(open_page: Open) -> None:
    page = open_page("/library")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(".skip").bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


def _tab_to(page: Page, place: str) -> None:
    """Press the tabulator until something has the focus, which must be seen everywhere on the way."""
    for _ in range(120):
        if page.evaluate("place => document.activeElement?.matches(place) ?? false", place):
            return
        page.keyboard.press("Tab")
        seen = page.evaluate(
            """() => {
              const node = document.activeElement;
              if (!node || node === document.body) return "body";
              const style = getComputedStyle(node);
              const box = node.getBoundingClientRect();
              const isMarked = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0)
                || style.boxShadow !== "none";
              return isMarked && box.width > 0 ? "seen" : node.outerHTML.slice(0, 200);
            }"""
        )
        assert seen in ("seen", "body"), seen
    raise AssertionError(f"the tabulator does not lead to {place}")
