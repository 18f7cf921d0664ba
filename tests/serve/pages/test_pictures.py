"""Pictures of the main pages: taken in a real browser, looked at for being blank, and kept for the README on request.

`make pictures` names the folder to keep them in; otherwise they are taken, checked and dropped.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from browser_makers import Open, Page, check_page, type_question

from hand_written_pdf import write_pdf
from mathrag.library import Library

pytestmark = pytest.mark.pictures
PROJECT = Path(__file__).parent.parent.parent.parent
WIDTH, HEIGHT = 1280, 800
MOST_BYTES = 200_000
KEPT_IN = os.environ.get("MATHRAG_TEST_PICTURES")
WIND = (
    ("Wind on buildings", 72, 84),
    ("1. Force on a wall", 72, 124),
    ("Wind that blows against a wall presses on it. The force grows with the pressure of the", 72, 150),
    ("wind and with the area of the wall; the drag coefficient says how the air flows around it:", 72, 166),
    ("F = q C A", 270, 206),
    ("where F is the wind force in N, q is the wind pressure in Pa, C is the drag coefficient and", 72, 246),
    ("A is the area in m^2. The drag coefficient has no unit; of a flat wall it is about 1.2.", 72, 262),
    ("2. Moment at the foot", 72, 302),
    ("The force acts at half the height of the wall, so the moment at its foot is", 72, 328),
    ("M = F h / 2", 270, 368),
    ("where M is the moment at the foot in N m, F is the wind force in N and h is the height in m.", 72, 408),
)
WIND_QUESTION = "What is the wind force for a wind pressure of 500 Pa, a drag coefficient of 1.2 and an area of 12 m^2?"


@pytest.fixture(scope="module")
def browsed_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documents that come along, and a PDF file."""
    folder = tmp_path_factory.mktemp("pictured")
    notes = write_pdf(folder / "wind.pdf", WIND)
    with Library(folder / "library") as library:
        assert not library.ingest([Library.starter_folder(), notes], workers=1).failed
    # All questions where the picture is kept; a few are enough to see that one can be taken.
    few = () if KEPT_IN else ("--limit", "10")
    subprocess.run(
        [sys.executable, "-m", "mathrag", "evaluate", "formula-qa", PROJECT / "tests" / "questions" / "starter",
         "--documents", Library.starter_folder(), "--library", folder / "library", "--workers", "1", *few],
        check=True, capture_output=True,
    )  # fmt: skip
    return folder / "library"


def _ask(page: Page) -> None:
    type_question(page, "How fast must a 1200 kg car go to have a kinetic energy of 375 kJ?")
    page.locator("#outcome-text", has_text="25.0 m/s").wait_for()
    # How long it took is another number every time.
    page.locator("article span", has_text=re.compile(r"^\d+ ms$")).evaluate("each => { each.hidden = true }")
    page.locator("#question").blur()


def _plot(page: Page) -> None:
    _ask(page)
    page.click("#plotting summary")
    page.locator("svg.plot").wait_for()
    _scroll_to(page, "#values")


def _scroll_to(page: Page, place: str) -> None:
    page.locator(place).first.evaluate("each => window.scrollTo(0, each.getBoundingClientRect().top + scrollY - 56)")


def _source(page: Page) -> None:
    type_question(page, WIND_QUESTION)
    page.click(".citations a")
    page.locator("#page-picture").wait_for()
    page.locator("#page-picture").evaluate("picture => picture.decode()")


def _library(page: Page) -> None:
    page.locator("#documents").wait_for()


def _formula(page: Page) -> None:
    page.fill("[type=search]", "kinetic energy")
    page.press("[type=search]", "Enter")
    page.click('.row-name >> text="Kinetic energy"')
    page.select_option("#solve-for", "v")
    page.fill('[name="v.E_k"]', "375 kJ")
    page.fill('[name="v.m"]', "1200 kg")
    page.click("#compute-form button")
    page.locator("#computed strong", has_text="25").wait_for()
    _scroll_to(page, "h1")


def _graph(page: Page) -> None:
    page.locator("#graph[data-ready]").wait_for()
    page.locator("#window .nodes > a", has=page.locator("title:text-matches('^Formula: Voltage')")).first.click()
    page.locator("#selected #card h2", has_text="Voltage").wait_for()


def _query(page: Page) -> None:
    page.click("text=Formulas with their arithmetic")
    page.click("button:has-text('Run')")
    page.locator(".query-table td a").first.wait_for()


def _evaluation(page: Page) -> None:
    page.click("main table a >> nth=0")
    page.locator("svg").first.wait_for()


# Name of the picture, where to begin, what to do there.
PICTURES: tuple[tuple[str, str, Callable[[Page], None]], ...] = (
    ("ask", "/", _ask),
    ("plot", "/", _plot),
    ("source", "/", _source),
    ("library", "/library", _library),
    ("formula", "/formulas", _formula),
    ("graph", "/graph?field=electricity", _graph),
    ("query", "/query/sparql", _query),
    ("evaluation", "/evaluation", _evaluation),
)


@pytest.mark.parametrize(("name", "path", "act"), PICTURES, ids=[name for name, _, _ in PICTURES])
def test_a_picture_of_the_page(
    open_page: Open, tmp_path: Path, name: str, path: str, act: Callable[[Page], None]
) -> None:
    folder = PROJECT / KEPT_IN if KEPT_IN else tmp_path
    folder.mkdir(parents=True, exist_ok=True)
    page = open_page(
        path, viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=1, color_scheme="light",
        reduced_motion="reduce", locale="en-GB", timezone_id="UTC",
    )  # fmt: skip
    act(page)
    check_page(page)
    page.evaluate("document.fonts.ready")
    picture = page.screenshot(path=folder / f"{name}.png", animations="disabled")
    assert _size(picture) == (WIDTH, HEIGHT)
    assert _different_rows(picture) > HEIGHT // 4, "the picture is nearly blank"
    assert len(picture) < MOST_BYTES


def test_the_gallery_shows_every_picture_and_says_what_is_seen() -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\(docs/pictures/(\w+)\.png\)", readme) == ["ask"]
    gallery = (PROJECT / "docs" / "gallery.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"!\[([^\]]+)\]\(pictures/(\w+)\.png\)", gallery))
    assert sorted(shown.values()) == sorted(name for name, _, _ in PICTURES)
    assert all(len(words) > 30 for words in shown)
    kept = {path.stem: path.read_bytes() for path in (PROJECT / "docs" / "pictures").glob("*.png")}
    assert sorted(kept) == sorted(shown.values())
    for picture in kept.values():
        assert _size(picture) == (WIDTH, HEIGHT)
        assert len(picture) < MOST_BYTES


def _size(picture: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(picture[16:20], "big"), int.from_bytes(picture[20:24], "big")


def _different_rows(picture: bytes) -> int:
    """How many rows of a PNG differ from all others: few where nothing is drawn."""
    packed, at = b"", 8
    while at < len(picture):
        length, kind = int.from_bytes(picture[at : at + 4], "big"), picture[at + 4 : at + 8]
        packed += picture[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    rows = zlib.decompress(packed)
    stride = len(rows) // HEIGHT
    return len({rows[stride * row : stride * (row + 1)] for row in range(HEIGHT)})
