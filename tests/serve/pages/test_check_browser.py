"""The page that checks solutions in a real browser: pasted, uploaded, on a phone, in the dark, without script."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser_makers import Open, check_page, contrast

WRONG = "Solution:\n1. There are 12 * 8 = 96 pens.\n2. Half of them: $\\frac{96}{2} = 46$.\n3. So we are done."


@pytest.mark.pictures
def test_a_pasted_solution_is_marked(open_page: Open) -> None:
    page = open_page("/")
    page.click("nav >> text=Check")
    page.locator("h1", has_text="Check a solution").wait_for()
    page.click("text=Fill in an example")
    assert page.locator("#solution").input_value().startswith("Problem:")
    check_page(page)
    page.locator("#solution").fill(WRONG)
    page.click("button:has-text('Check')")
    page.locator("#result-title", has_text="step 2").wait_for()
    assert page.locator(".step .mark").all_inner_texts() == ["✓ adds up", "✗ false", "· unchecked"]
    assert page.locator("#step-2 mark math").count() == 1
    assert page.locator("#solution").input_value() == WRONG
    check_page(page)


@pytest.mark.pictures
def test_a_file_is_checked_without_script(open_page: Open, tmp_path: Path) -> None:
    path = tmp_path / "homework.md"
    path.write_text(WRONG)
    page = open_page("/check", java_script_enabled=False)
    page.locator("#file").set_input_files(str(path))
    page.click("button:has-text('Check')")
    page.locator("#result-title", has_text="step 2").wait_for()
    assert page.locator("text=homework.md").count() == 1


@pytest.mark.pictures
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_of_it(open_page: Open, scheme: str) -> None:
    page = open_page("/check", viewport={"width": 360, "height": 740}, color_scheme=scheme)
    check_page(page)
    page.locator("#solution").fill(WRONG + "\n4. " + "averylongword" * 20 + "\n\n$$" + "+ 1234567 " * 20 + "= 3$$")
    page.click("button:has-text('Check')")
    page.locator("#result-title").wait_for()
    check_page(page)
    for place in (".verified .mark", ".refuted .mark", ".unchecked .mark", ".wrong", ".place", ".check-result h3"):
        assert contrast(page, place) >= 4.5, place
