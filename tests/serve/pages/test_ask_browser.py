"""The page to ask on and its sources in a real browser: streams, keys, boxes on pages, plots."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from ask_makers import FORMULA_PLACE, HEAT_QUESTION, MISSING, TWO_STEPS, UNSURE
from browser_makers import Open, Page, check_page, contrast, type_question
from serve_makers import QUESTION, RunningServer


def outcome(page: Page, text: str) -> None:
    page.locator("#outcome-text", has_text=text).wait_for()


@pytest.mark.slow
def test_an_answer_streams_and_the_steps_fold_away(open_page: Open) -> None:
    page = open_page()
    type_question(page, QUESTION)
    outcome(page, "The kinetic energy is 9.00 J.")
    assert page.locator("#progress-list li").count() >= 2
    assert "looks for formulas" in page.locator("#progress-list").text_content()
    assert page.locator("#progress-list").get_attribute("aria-live") == "polite"
    assert not page.locator("#progress-list").is_visible()
    page.click(".trace-details summary")
    assert page.locator(".trace-details .trace").is_visible()
    assert page.locator("article math").count() >= 5
    assert page.locator(".history a").first.text_content().startswith(QUESTION)
    page.reload()
    outcome(page, "The kinetic energy is 9.00 J.")


@pytest.mark.pictures
def test_the_same_card_without_javascript(open_page: Open) -> None:
    page = open_page(java_script_enabled=False)
    page.fill("#question", QUESTION)
    page.click("#ask button[type=submit]")
    outcome(page, "The kinetic energy is 9.00 J.")
    page.fill('input[name="set.v"]', "5")
    page.click("#values button[type=submit]")
    outcome(page, "25.0 J")
    page.click("#plotting summary")
    page.click("#plot-form button[type=submit]")
    assert page.locator("svg.plot").is_visible()


@pytest.mark.pictures
def test_keys(open_page: Open, server: RunningServer) -> None:
    page = open_page()
    page.locator("h1").click()
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "question"
    page.keyboard.type("1")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("/2")
    assert page.input_value("#question") == "1\n/2"
    page.route("**/ask/stream", lambda _route: None)
    type_question(page, QUESTION)
    page.locator("#cancel").wait_for()
    page.keyboard.press("Escape")
    page.locator("#progress-state", has_text="Cancelled").wait_for()
    assert not page.locator("#cancel").is_visible()


@pytest.mark.pictures
def test_a_pdf_citation_has_its_box_in_the_right_place(open_page: Open) -> None:
    page = open_page()
    type_question(page, HEAT_QUESTION)
    outcome(page, "The heat is")
    page.click(".citations a")
    picture = page.locator("#page-picture")
    picture.wait_for()
    source = picture.get_attribute("src")
    red = _red_box(page.request.get(f"{page.url.split('/source')[0]}{source}").body(), scale=2.0)
    shown = picture.bounding_box()
    assert shown["width"] > 400
    assert abs(shown["width"] / shown["height"] - 612 / 792) < 0.01
    for drawn, known in zip(red, FORMULA_PLACE, strict=True):
        assert abs(drawn - known) < 8, (red, FORMULA_PLACE)
    left, top, right, bottom = red
    assert left < FORMULA_PLACE[0] + 1
    assert right > FORMULA_PLACE[2] - 3
    assert bottom - top < 30


def _red_box(png: bytes, *, scale: float) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of the red in a picture, in points."""
    pytest.importorskip("PIL", reason="Pillow is not installed, so no picture is looked at")
    from PIL import Image, ImageChops

    with Image.open(io.BytesIO(png)) as picture:
        red, green, blue = picture.convert("RGB").split()
    is_red = red.point(lambda value: 255 if value > 150 else 0)
    for other in (green, blue):
        is_red = ImageChops.multiply(is_red, other.point(lambda value: 255 if value < 110 else 0))
    found = is_red.getbbox()
    assert found is not None, "nothing is marked"
    left, top, right, bottom = (side / scale for side in found)
    return left, top, right, bottom


@pytest.mark.pictures
def test_a_text_citation_is_marked_and_turned(open_page: Open) -> None:
    page = open_page()
    type_question(page, QUESTION)
    page.click(".citations a")
    assert page.locator("mark math").count() == 1
    page.click("a[aria-label='Next passage']")
    page.locator("h2", has_text="Passage 2 of 3").wait_for()
    page.go_back()
    page.go_back()
    outcome(page, "The kinetic energy is 9.00 J.")


@pytest.mark.slow
def test_a_refusal_form_leads_to_an_answer(open_page: Open) -> None:
    page = open_page()
    type_question(page, MISSING)
    page.locator(".missing").wait_for()
    assert page.input_value('input[name="unit.m"]') == "kg"
    page.fill("#pin-1", "4")
    page.press("#pin-1", "Enter")
    outcome(page, "18.0 J")


@pytest.mark.pictures
def test_an_unsure_proposal_is_confirmed_and_followed_up(open_page: Open) -> None:
    page = open_page()
    type_question(page, UNSURE)
    page.locator(".proposal").wait_for()
    assert "9.00" not in page.locator("#answer").inner_html()
    page.click(".proposal button")
    outcome(page, "9.00 J")
    type_question(page, "and for 5 kg?")
    outcome(page, "22.5 J")


@pytest.mark.slow
def test_one_box_makes_a_thread_that_a_link_opens(open_page: Open) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    type_question(page, QUESTION)
    outcome(page, "9.00 J")
    assert page.input_value("#question") == ""
    type_question(page, "what about 2000 kg?")
    outcome(page, "9000 J")
    type_question(page, "in kJ?")
    outcome(page, "9.00 kJ")
    assert page.locator("#answer .said").all_text_contents() == [
        f"You asked: {QUESTION}", "You asked: what about 2000 kg?", "You asked: in kJ?"
    ]  # fmt: skip
    assert page.locator("#answer .short").count() == 2
    check_page(page)
    page.click("#share")
    page.locator("#shared", has_text="Copied.").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    other = open_page(link[link.index("/c/") :])
    outcome(other, "9.00 kJ")
    other.click(".short a >> nth=1")
    outcome(other, "9000 J")
    type_question(other, "and at 6 m/s?")
    outcome(other, "36.0 kJ")
    other.click("text=New conversation")
    assert other.locator(".turn-of").count() == 0


@pytest.mark.pictures
@pytest.mark.parametrize(
    ("question", "symbol", "value", "shown"), [(QUESTION, "v", "5", "25 J"), (TWO_STEPS, "I", "3 A", "45 W")]
)
def test_a_changed_value_recomputes_at_once(
    open_page: Open, question: str, symbol: str, value: str, shown: str
) -> None:
    page = open_page()
    type_question(page, question)
    page.fill(f'input[data-key="{symbol}"]', value)
    page.locator("#recomputed strong", has_text=shown).wait_for()
    page.fill(f'input[data-key="{symbol}"]', "5 kg")
    page.locator("#recomputed .problem").wait_for()
    page.fill(f'input[data-key="{symbol}"]', value)
    page.locator("#recomputed strong", has_text=shown).wait_for()
    # What was answered before is not for these values.
    assert page.locator("article.is-stale .stale-note").count() == 1
    page.click("#values button")
    outcome(page, shown.split(" ")[0])
    assert page.locator("article.is-stale").count() == 0


@pytest.mark.pictures
def test_a_plot_and_its_slider(open_page: Open) -> None:
    page = open_page()
    type_question(page, QUESTION)
    page.click("#plotting summary")
    page.locator("svg.plot").wait_for()
    page.select_option("#plot-symbol", "v")
    page.locator("svg.plot text", has_text="v (m/s)").wait_for()
    assert page.locator("svg.plot title").text_content().startswith("Kinetic energy")
    before = float(page.locator(".plot-mark").get_attribute("cy"))
    page.focus("#plot-slider")
    page.keyboard.press("End")
    page.locator("#recomputed strong", has_text="36 J").wait_for()
    assert page.input_value('input[data-key="v"]') == "6 m/s"
    page.locator("#plot-readout", has_text="v = 6 m/s → 36 J").wait_for()
    assert float(page.locator(".plot-mark").get_attribute("cy")) < before
    line = page.locator(".plot-line").evaluate("each => getComputedStyle(each).stroke")
    page.emulate_media(color_scheme="dark")
    assert page.locator(".plot-line").evaluate("each => getComputedStyle(each).stroke") != line


@pytest.mark.pictures
def test_a_plot_is_saved_as_a_drawing_and_as_a_picture(open_page: Open, tmp_path: Path) -> None:
    page = open_page()
    type_question(page, QUESTION)
    page.click("#plotting summary")
    page.locator("svg.plot").wait_for()
    for place, name, start in (("#plot-svg", "plot.svg", b"<svg width="), ("#plot-png", "plot.png", b"\x89PNG")):
        with page.expect_download() as waiting:
            page.click(place)
        assert waiting.value.suggested_filename == name
        waiting.value.save_as(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.pictures
def test_copies_and_downloads(open_page: Open, tmp_path: Path) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    type_question(page, QUESTION)
    outcome(page, "9.00 J")
    for name, part in (("LaTeX", "\\frac{1}{2}"), ("Markdown", QUESTION), ("Python", "m=(2, 'kg')")):
        page.click(f"text=Copy {name}")
        page.locator("#copied", has_text="Copied.").wait_for()
        assert part in page.evaluate("navigator.clipboard.readText()")
        page.locator("#copied").evaluate("each => { each.textContent = '' }")
    for name, file in (("Notebook", "answer.ipynb"), ("Replay", "answer.replay.json")):
        with page.expect_download() as waiting:
            page.click(f"text={name}")
        assert waiting.value.suggested_filename == file
        waiting.value.save_as(tmp_path / file)
        assert json.loads((tmp_path / file).read_text(encoding="utf-8"))


@pytest.mark.pictures
@pytest.mark.parametrize("width", [360, 1280])
def test_every_control_has_a_name_and_nothing_is_wider_than_the_screen(open_page: Open, width: int) -> None:
    page = open_page(viewport={"width": width, "height": 740})
    address = page.url

    check_page(page)
    for question, awaited in ((TWO_STEPS, ".answered"), (MISSING, ".missing"), (UNSURE, ".proposal")):
        type_question(page, question)
        page.locator(awaited).first.wait_for()
        if awaited == ".answered":
            page.click("#plotting summary")
            page.locator("svg.plot").wait_for()
        check_page(page)
    for question, awaited in ((HEAT_QUESTION, "#page-picture"), (QUESTION, ".passage mark")):
        page.goto(address)
        type_question(page, question)
        page.click(".citations a")
        page.locator(awaited).first.wait_for()
        check_page(page)


@pytest.mark.pictures
def test_contrast_of_words_is_enough(open_page: Open) -> None:
    for scheme in ("light", "dark"):
        page = open_page(color_scheme=scheme)
        type_question(page, MISSING)
        page.locator(".missing").wait_for()
        for place in ("#outcome-text", ".quiet", ".nearest a", ".history-text", "button[type=submit]"):
            assert contrast(page, place) >= 4.5, (scheme, place)
