"""The picture of the library in a real browser: clicked through, zoomed, walked with keys, also where it is large."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from browser_makers import Open, Page, check_page
from serve_makers import RunningServer

NODE = "#window .nodes > a"


def _ready(page: Page) -> Page:
    page.locator("#graph[data-ready]").wait_for()
    return page


def _view(page: Page) -> list[float]:
    return [float(part) for part in page.locator("#window svg").get_attribute("viewBox").split()]


def _titled(page: Page, title: str) -> Any:
    return page.locator(NODE, has=page.locator(f"title:text-is({title!r})")).first


@pytest.mark.pictures
def test_a_click_shows_the_card_and_a_double_click_opens_the_page(open_page: Open) -> None:
    page = _ready(open_page("/graph"))
    _titled(page, "Formula: Kinetic energy (mechanics)").click()
    card = page.locator("#selected #card")
    card.locator("h2", has_text="Kinetic energy").wait_for()
    assert card.locator("math").count() >= 1
    assert urlsplit(page.url).path == "/graph"
    card.get_by_role("link", name="Neighbourhood").click()
    page.wait_for_url("**/graph?around=f-*")
    _ready(page)
    assert page.locator("h1").inner_text() == "Around Kinetic energy"
    _titled(page, "Formula: Kinetic energy (mechanics)").dblclick()
    page.wait_for_url("**/formulas/f-*")
    assert page.locator("h1").inner_text() == "Kinetic energy"
    page.get_by_role("link", name="in the graph").click()
    page.wait_for_url("**/graph?around=f-*")


@pytest.mark.pictures
def test_the_button_of_the_card_opens_the_page(open_page: Open) -> None:
    page = _ready(open_page("/graph"))
    _titled(page, "Document: Notes on circuits").click()
    page.locator("#selected").get_by_role("link", name="Open its page").click()
    page.wait_for_url("**/library/documents/d-*")
    assert page.locator("h1").inner_text() == "Notes on circuits"


@pytest.mark.pictures
def test_zoom_and_pan_by_wheel_buttons_keys_and_dragging(open_page: Open) -> None:
    page = _ready(open_page("/graph"))
    whole = _view(page)
    page.locator("#window").hover(position={"x": 300, "y": 200})
    page.mouse.wheel(0, -400)
    page.wait_for_function(f"document.querySelector('#window svg').viewBox.baseVal.width < {whole[2] * 0.9}")
    page.get_by_role("button", name="Show all").click()
    assert _view(page) == pytest.approx(whole)
    page.get_by_role("button", name="Zoom in").click()
    near = _view(page)
    assert near[2] < whole[2] * 0.8
    assert near[3] / near[2] == pytest.approx(whole[3] / whole[2])
    page.locator("#window").focus()
    page.keyboard.press("ArrowRight")
    assert _view(page)[0] > near[0]
    page.keyboard.press("-")
    assert _view(page)[2] > near[2]
    page.keyboard.press("0")
    assert _view(page) == pytest.approx(whole)
    page.keyboard.press("+")
    before = _view(page)
    box = page.locator("#window").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 85, box["y"] + 45, steps=4)
    page.mouse.up()
    after = _view(page)
    assert after[0] < before[0]
    assert after[1] < before[1]
    assert urlsplit(page.url).path == "/graph"


@pytest.mark.pictures
def test_dragging_begun_on_a_node_opens_nothing(open_page: Open) -> None:
    page = _ready(open_page("/graph"))
    page.get_by_role("button", name="Zoom in").click()
    box = _titled(page, "Formula: Kinetic energy (mechanics)").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 30, steps=4)
    page.mouse.up()
    assert page.locator("#selected #card").count() == 0
    assert urlsplit(page.url).path == "/graph"


@pytest.mark.pictures
def test_pointing_at_a_node_shows_what_it_is_joined_to(open_page: Open) -> None:
    page = _ready(open_page("/graph"))
    _titled(page, "Document: Notes on circuits").hover()
    page.locator("#window svg.is-pointing").wait_for()
    assert page.locator(f"{NODE}.is-near").count() == 3
    assert page.locator("#window .over path").count() == 1
    page.mouse.move(2, 2)
    page.locator("#window svg:not(.is-pointing)").wait_for()


@pytest.mark.pictures
def test_nodes_are_walked_with_the_keyboard(open_page: Open) -> None:
    page = _ready(open_page("/graph"))
    assert page.locator(f'{NODE}[tabindex="0"]').count() == 1
    page.locator("#window").focus()
    page.keyboard.press("Tab")
    focused = "document.activeElement.querySelector('title')?.textContent"
    first = page.evaluate(focused)
    assert first
    seen = {first}
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp") * 2:
        page.keyboard.press(key)
        seen.add(page.evaluate(focused))
    assert len(seen) > 2
    assert page.locator(f'{NODE}[tabindex="0"]').count() == 1
    page.keyboard.press("Space")
    page.locator("#selected #card").wait_for()
    href = page.evaluate("document.activeElement.getAttribute('href')")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{href}")


@pytest.mark.pictures
def test_fingers_zoom(open_page: Open) -> None:
    page = _ready(open_page("/graph", viewport={"width": 390, "height": 800}, has_touch=True))
    before = _view(page)
    box = page.locator("#window").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    for kind, gap in (("touchStart", 20), ("touchMove", 60), ("touchMove", 90), ("touchEnd", None)):
        points = [] if gap is None else [{"x": x - gap, "y": y, "id": 1}, {"x": x + gap, "y": y, "id": 2}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.wait_for_function(f"document.querySelector('#window svg').viewBox.baseVal.width < {before[2] * 0.7}")


@pytest.mark.pictures
def test_without_javascript_nodes_are_links(open_page: Open) -> None:
    page = open_page("/graph", java_script_enabled=False)
    _titled(page, "Formula: Kinetic energy (mechanics)").click()
    page.wait_for_url("**/formulas/f-*")
    page.go_back()
    page.select_option("#field", "mechanics")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**/graph?*field=mechanics*")
    page.locator("#list").get_by_role("link", name="Neighbourhood of Kinetic energy").click()
    page.wait_for_url("**/graph?around=f-*")


@pytest.mark.pictures
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_names_headings_and_width(open_page: Open, width: int, scheme: str) -> None:
    page = _ready(open_page("/graph", viewport={"width": width, "height": 740}, color_scheme=scheme))
    check_page(page)
    page.locator(f"{NODE}.formula").first.dispatch_event("click", {"detail": 1})
    page.locator("#selected #card").wait_for()
    check_page(page)
    formula = page.evaluate("fetch('/graph.json').then((reply) => reply.json())")["nodes"]
    identifier = next(node["id"] for node in formula if node["kind"] == "formula")
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
    for path in (
        f"/graph?around={identifier}", "/graph?show=documents", "/graph?show=fields", "/graph?q=energy",
        "/graph?document=d-0", f"/graph/card?id={identifier}",
    ):  # fmt: skip
        page.goto(f"{origin}{path}")
        check_page(page)


@pytest.fixture
def large(browsed_library: Path, tmp_path: Path) -> Iterator[RunningServer]:
    """A server of a library with more nodes than a page holds: many constants that stand nowhere."""
    folder = tmp_path / "library"
    shutil.copytree(browsed_library, folder)
    connection = sqlite3.connect(folder / "library.sqlite")
    connection.executemany(
        "INSERT INTO constants (id, symbol, letter, name, value, number, unit, dimension, description, keywords, "
        "place_count, record) VALUES (?, 'x', 'x', ?, '1', 1, '', '', '', '', 0, '{}')",
        [(f"c-{number:012}", f"Constant {number} <b>") for number in range(700)],
    )
    connection.commit()
    connection.close()
    running = RunningServer(folder)
    try:
        running.wait_until_ready()
        yield running
    finally:
        running.stop()


@pytest.mark.pictures
def test_a_large_picture_is_fetched_after_the_page(large: RunningServer, chromium: Any) -> None:
    context = chromium.new_context()
    problems: list[str] = []
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.on("console", lambda said: problems.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"{large.address}/graph")
    _ready(page)
    assert page.locator(NODE).count() > 700
    _titled(page, "Formula: Kinetic energy (mechanics)").click(force=True)
    page.locator("#selected #card h2", has_text="Kinetic energy").wait_for()
    assert problems == []
    page.goto(f"{large.address}/graph/picture.svg")
    fills = page.locator("a.formula").first.evaluate("each => getComputedStyle(each).fill")
    assert fills != "rgb(0, 0, 0)"
    context.close()
