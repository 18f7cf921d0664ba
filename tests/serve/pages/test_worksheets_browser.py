"""The page of worksheets in a real browser: results follow the typing, errors stay at their lines."""

from __future__ import annotations

from typing import Any

import pytest
from browser_makers import Open, check_page


@pytest.mark.pictures
def test_results_follow_what_is_typed(open_page: Open) -> None:
    page = open_page("/worksheets")
    check_page(page)
    page.click("text=Fill in an example")
    page.locator("#sheet-results svg.plot").wait_for()
    check_page(page)
    page.locator("#sheet-text").fill("m = 2 kg\nE = m*(3 m/s)^2/2\nx = m + 1 s")
    page.locator("#result-2 math").wait_for()
    page.locator("#sheet-state", has_text="1 line has an error").wait_for()
    assert "dimensions differ" in page.locator("#result-3 .problem").inner_text()
    page.locator("#sheet-text").fill("m = 4 kg\nE = m*(3 m/s)^2/2")
    page.locator("#result-2", has_text="18").wait_for()
    check_page(page)


@pytest.mark.pictures
def test_what_is_typed_before_the_script_runs_is_computed(open_page: Open) -> None:
    page = open_page("/check")
    held: list[Any] = []
    page.route("**/worksheets.js*", lambda route: held.append(route))
    page.goto(page.url.replace("/check", "/worksheets"), wait_until="commit")
    page.locator("#sheet-text").fill("a = 2 m\nb = 3*a")
    for _ in range(1000):
        if held:
            break
        page.wait_for_timeout(20)
    held[0].continue_()
    page.locator("#result-2", has_text="6").wait_for()


@pytest.mark.pictures
def test_a_sheet_is_saved_and_removed(open_page: Open) -> None:
    page = open_page("/worksheets")
    page.locator("#sheet-text").fill("a = 2 m")
    page.locator("#sheet-name").fill("From a browser")
    page.click("button:has-text('Save')")
    page.locator(".sheet-list a", has_text="From a browser").wait_for()
    page.click("button:has-text('Remove')")
    page.locator("#sheet-name").wait_for()
    assert page.locator(".sheet-list").count() == 0


@pytest.mark.pictures
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_of_it(open_page: Open, scheme: str) -> None:
    page = open_page("/worksheets?example=1", viewport={"width": 360, "height": 740}, color_scheme=scheme)
    check_page(page)
