"""The ten tasks of a newcomer, as `docs/ten-tasks.md` lists them, played in a real browser on a real server.

The titles, questions and the document come from the page, so that it and the tests cannot drift apart. With
`MATHRAG_TEST_STEPS` a folder gets a picture of every step, to be looked at.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from browser_makers import Open, Page, check_page, type_question

from mathrag.library import Library
from thinned import thinned

MANUAL = (Path(__file__).parents[3] / "docs" / "ten-tasks.md").read_text(encoding="utf-8")
TITLES = re.findall(r"^## \d+\. (.+)$", MANUAL, re.MULTILINE)
KEPT_IN = os.environ.get("MATHRAG_TEST_STEPS")


def _section(title: str) -> str:
    """What the manual says of a task."""
    return re.split(r"^## \d+\. ", MANUAL.split(f". {title}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


@dataclass
class Newcomer:
    """Somebody with the manual in hand: types what stands in it, and looks at every step."""

    title: str
    open_page: Open
    folder: Path
    steps: int = field(default=0)

    def open(self, path: str = "/", **options: Any) -> Page:
        return self.open_page(path, viewport={"width": 1280, "height": 900}, **options)

    def told(self, words: str) -> str:
        """What is typed; it must stand in the manual as something to type."""
        assert f"`{words}`" in _section(self.title), f"{words!r} is not in the manual"
        return words

    def sees(self, page: Page, place: str, text: str) -> None:
        """Wait until something is seen; then the page must be as all pages should."""
        page.locator(place, has_text=text).first.wait_for()
        self.looks(page)

    def looks(self, page: Page) -> None:
        self.steps += 1
        if KEPT_IN:
            Path(KEPT_IN).mkdir(parents=True, exist_ok=True)
            name = f"{TITLES.index(self.title) + 1:02d}-{self.steps}.png"
            page.screenshot(path=Path(KEPT_IN) / name, animations="disabled")
        check_page(page)


@pytest.fixture(scope="module")
def browsed_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter documents."""
    folder = tmp_path_factory.mktemp("newcomer") / "library"
    with Library(folder) as library:
        assert not library.ingest([Library.starter_folder()], workers=1).failed
    return folder


FIRST = "What is the kinetic energy of 1200 kg at 20 m/s?"


def _first_question(who: Newcomer) -> None:
    page = who.open()
    who.looks(page)
    type_question(page, who.told(FIRST))
    who.sees(page, "#outcome-text", "The kinetic energy is 240 kJ.")
    page.click(".citations a")
    page.locator("mark math").first.wait_for()
    who.looks(page)


def _follow_up(who: Newcomer) -> None:
    page = who.open()
    type_question(page, FIRST)
    who.sees(page, "#outcome-text", "240 kJ")
    type_question(page, who.told("and with 2000 kg?"))
    who.sees(page, "#outcome-text", "400 kJ")
    assert "240 kJ" in page.locator(".short").inner_text()
    type_question(page, who.told("in MJ?"))
    who.sees(page, "#outcome-text", "0.400 MJ")


def _plot(who: Newcomer) -> None:
    page = who.open()
    type_question(page, FIRST)
    page.click(".step h3 >> text=Kinetic energy")
    who.sees(page, "h1", "Kinetic energy")
    page.fill('[name="v.m"]', who.told("1200 kg"))
    page.fill('[name="v.v"]', who.told("20 m/s"))
    page.click("#compute-form button")
    page.locator("#computed strong", has_text="240,000 J").scroll_into_view_if_needed()
    who.sees(page, "#computed strong", "240,000 J")
    page.get_by_role("link", name="Plot it against v").click()
    page.locator("svg.plot").wait_for()
    who.looks(page)


def _upload(who: Newcomer, page: Page) -> None:
    written = re.search(r"````markdown\n(.*?)````", MANUAL, re.DOTALL)
    assert written is not None
    (who.folder / "shelves.md").write_text(written.group(1), encoding="utf-8")
    page.set_input_files("#files", who.folder / "shelves.md")
    page.click("text=Upload and read")
    page.locator('.job[data-state="done"]', has_text="shelves.md").first.wait_for()
    page.locator("#documents", has_text="shelves.md").wait_for()


def _document(who: Newcomer) -> None:
    page = who.open("/library")
    _upload(who, page)
    who.sees(page, ".job", "quarantined")
    assert page.locator(".job .row").count() == 2
    page.click("nav >> text=Ask")
    type_question(page, who.told("What is the shelf load for a line load of 250 N/m and a shelf width of 0.8 m?"))
    who.sees(page, "#outcome-text", "The shelf load is 200 N.")
    assert "shelves" in page.locator(".citations").inner_text().lower()
    type_question(page, who.told("What is the density of spruce in shelves.md?"))
    who.sees(page, "#outcome-text", "Spruce, Density (kg/m^3): 450")
    assert "Spruce" in page.locator(".citations").inner_text()


def _correct(who: Newcomer) -> None:
    page = who.open("/library")
    if not page.locator("#documents", has_text="shelves.md").count():
        _upload(who, page)
    page.click(".tabs >> text=Review")
    who.sees(page, ".row", "Shelf pressure")
    page.get_by_role("link", name="Correct Shelf pressure").click()
    who.sees(page, ".why", "Set aside")
    page.get_by_label("Unit of p_s").fill(who.told("N/m^2"))
    page.click("text=Save")
    who.sees(page, "[role=status]", "Saved. The formula can be computed with")
    page.get_by_role("button", name="Take back symbol.p_s.unit").click()
    who.sees(page, ".why", "Set aside")


def _refusal(who: Newcomer) -> None:
    page = who.open()
    type_question(page, who.told("What is the kinetic energy of a body at 3 m/s?"))
    who.sees(page, ".missing legend", "This value is missing")
    assert not re.search(r"\d J", page.locator("#outcome-text").inner_text())
    page.fill("#pin-1", who.told("4"))
    page.click("text=Ask again")
    who.sees(page, "#outcome-text", "The kinetic energy is 18.0 J.")


def _worksheet(who: Newcomer) -> None:
    page = who.open()
    page.click("nav >> text=Worksheets")
    who.looks(page)
    lines = [who.told(line) for line in ("m = 1200 kg", "v = 20 m/s", "E = m*v^2/2 -> kJ")]
    page.locator("#sheet-text").press_sequentially("\n".join(lines))
    who.sees(page, "#result-3", "240")
    page.locator("#sheet-text").fill("\n".join([who.told("m = 2400 kg"), *lines[1:]]))
    who.sees(page, "#result-3", "480")
    with page.expect_download() as waiting:
        page.click(".sheet-export >> text=markdown")
    assert waiting.value.suggested_filename == who.told("worksheet.md")
    assert "480" in waiting.value.path().read_text(encoding="utf-8")


def _query(who: Newcomer) -> None:
    page = who.open()
    page.click("nav >> text=Query")
    page.click("nav[aria-label=Languages] >> text=SQL")
    page.fill("#query", who.told("SELECT label, status FROM formulas WHERE label LIKE '%energy%'"))
    page.click("button:has-text('Run')")
    who.sees(page, ".query-table", "Kinetic energy")

    def names() -> list[str]:
        return [name.lower() for name in page.locator(".query-table tbody td:first-child").all_inner_texts()]

    page.click(".query-table th button:has-text('label')")
    ascending = names()
    who.looks(page)
    assert ascending == sorted(ascending)
    page.click(".query-table th button:has-text('label')")
    assert names() == ascending[::-1]
    assert len(ascending) > 3


def _share(who: Newcomer) -> None:
    page = who.open(permissions=["clipboard-read", "clipboard-write"])
    type_question(page, FIRST)
    who.sees(page, "#outcome-text", "240 kJ")
    page.click("text=Copy link")
    who.sees(page, "#shared", "Copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    other = who.open(link[link.index("/c/") :])
    who.sees(other, "#outcome-text", "The kinetic energy is 240 kJ.")
    type_question(other, "and with 2000 kg?")
    who.sees(other, "#outcome-text", "400 kJ")


def _graph(who: Newcomer) -> None:
    page = who.open()
    page.click("nav >> text=Graph")
    page.locator("#graph[data-ready]").wait_for()
    who.looks(page)
    page.fill("#q", who.told("kinetic energy"))
    page.click("button:has-text('Show')")
    page.locator(".graph-list .row", has_text="found").first.wait_for()
    page.locator("#graph[data-ready]").wait_for()
    who.looks(page)
    node = page.locator("#window .nodes > a", has=page.locator("title:text-matches('^Formula: Kinetic energy \\\\(')"))
    node.first.click()
    who.sees(page, "#selected #card h2", "Kinetic energy")
    page.locator("#selected").get_by_role("link", name="Open its page").click()
    page.locator("h1", has_text="Kinetic energy").wait_for()


PLAYED: dict[str, Callable[[Newcomer], None]] = {
    "Ask a first question and see its source": _first_question,
    "Follow up in the same box": _follow_up,
    "Open the formula's page from the answer and plot it": _plot,
    "Upload a document and ask about its formula and its table": _document,
    "Correct a wrong reading and undo it": _correct,
    "Get a refusal and give the missing value": _refusal,
    "Make a worksheet where one change carries through, and export it": _worksheet,
    "Run an SQL query and sort the result": _query,
    "Share a conversation and reopen it by its link": _share,
    "Find a formula in the graph by search": _graph,
}


def test_the_manual_lists_what_is_played_and_nothing_else() -> None:
    assert list(PLAYED) == TITLES
    assert len(TITLES) == 10


@pytest.mark.slow
@pytest.mark.parametrize("title", thinned(TITLES, 0, pytest.mark.pictures))
def test_a_newcomer_does_it(title: str, open_page: Open, tmp_path: Path) -> None:
    PLAYED[title](Newcomer(title, open_page, tmp_path))
