"""The consoles for SPARQL and SQL in a real browser: keys, examples, names put in, complaints, files, no script."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from browser_makers import Open, Page, check_page, contrast

FORMULAS = "SELECT id, label FROM formulas WHERE status = 'executable' ORDER BY label"


def _box(page: Page) -> str:
    return str(page.locator("#query").input_value())


@pytest.mark.pictures
def test_a_query_is_run_with_the_keyboard_and_leads_on(open_page: Open) -> None:
    page = open_page("/query")
    # Keys are heard once the scripts of the next page run.
    with page.expect_navigation():
        page.click("nav[aria-label=Languages] >> text=SQL")
    page.locator("#query").fill(FORMULAS)
    page.keyboard.press("Control+Enter")
    page.locator("#result-title", has_text="rows").wait_for()
    assert "q=SELECT" in page.url
    assert _box(page) == FORMULAS
    check_page(page)
    page.click(".query-table tbody tr:has-text('Kinetic energy') a")
    page.locator("h1", has_text="Kinetic energy").wait_for()
    page.go_back()
    page.locator("#result-title").wait_for()
    assert page.locator("#query-form button").inner_text() == "Run"


@pytest.mark.pictures
def test_examples_fill_the_box(open_page: Open) -> None:
    page = open_page("/query/sparql")
    page.locator("#query").fill("something else")
    page.click("text=Formulas with their arithmetic")
    assert _box(page).startswith("SELECT ?formula ?label ?python")
    assert page.url.endswith("/query/sparql")
    page.click("button:has-text('Run')")
    page.locator(".query-table td a").first.wait_for()
    check_page(page)


@pytest.mark.pictures
def test_names_are_put_in_where_the_cursor_is(open_page: Open) -> None:
    page = open_page("/query/sql")
    page.locator("#query").fill("SELECT  FROM formulas")
    page.locator("#query").evaluate("box => box.setSelectionRange(7, 7)")
    page.click("summary:has-text('formula_symbols')")
    page.click("details:has(summary:has-text('formula_symbols')) button:has-text('description')")
    assert _box(page) == "SELECT description FROM formulas"
    page.keyboard.press("Control+z")
    assert _box(page) == "SELECT  FROM formulas"


@pytest.mark.pictures
def test_a_complaint_leads_to_its_place(open_page: Open) -> None:
    page = open_page(f"/query/sql?q={quote('SELECT id,%0A  labl FROM formulas', safe='%')}")
    page.locator("text=is label meant?").wait_for()
    chosen = page.locator("#query").evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)")
    assert chosen == "labl"
    check_page(page)
    assert contrast(page, ".query-problem h2") >= 4.5


@pytest.mark.pictures
def test_rows_are_downloaded(open_page: Open) -> None:
    page = open_page(f"/query/sql?q={quote(FORMULAS)}")
    for name in ("CSV", "JSON"):
        with page.expect_download() as waiting:
            page.click(f".query-files >> text={name}")
        assert waiting.value.suggested_filename == f"result.{name.lower()}"
        assert "Kinetic energy" in waiting.value.path().read_text(encoding="utf-8")


@pytest.mark.pictures
def test_all_of_it_works_without_script(open_page: Open) -> None:
    page = open_page("/query", java_script_enabled=False)
    page.click("text=Formulas with their arithmetic")
    assert page.locator("#query").input_value().startswith("SELECT ?formula")
    page.click("button:has-text('Run')")
    page.locator("#result-title", has_text="rows").wait_for()
    assert page.locator(".with-script").is_hidden()


@pytest.mark.pictures
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_of_it(open_page: Open, scheme: str) -> None:
    query = quote("SELECT * FROM formulas")
    page = open_page(f"/query/sql?q={query}", viewport={"width": 360, "height": 740}, color_scheme=scheme)
    check_page(page)
    for place in ("#query", ".query-table td a", ".query-keys", ".schema summary", ".query-examples a"):
        assert contrast(page, place) >= 4.5, place
    page.goto(page.url.partition("/query")[0] + "/query/sparql")
    check_page(page)
    for place in (".names .quiet", ".names button code"):
        assert contrast(page, place) >= 4.5, place


@pytest.mark.pictures
def test_what_is_found_does_nothing(open_page: Open) -> None:
    query = quote("SELECT title, '<img src=x onerror=alert(1)>' AS '<svg onload=alert(2)>' FROM documents")
    page = open_page(f"/query/sql?q={query}")
    page.on("dialog", lambda shown: pytest.fail(f"a script ran: {shown.message}"))
    page.locator("td", has_text="<script>alert('title')</script>").wait_for()
    page.locator("th", has_text="<svg onload=alert(2)>").wait_for()
    assert page.locator("main img, main script").count() == 0


@pytest.mark.pictures
def test_rows_are_sorted_and_narrowed_down(open_page: Open) -> None:
    query = "SELECT 10 AS size, 'ten kilograms' AS name UNION ALL SELECT 9, 'nine' UNION ALL SELECT 100, 'hundred'"
    page = open_page(f"/query/sql?q={quote(query)}")

    def sizes() -> list[str]:
        return list(page.locator(".query-table tbody tr:visible td:first-child").all_inner_texts())

    page.click(".query-table th button:has-text('size')")
    assert sizes() == ["9", "10", "100"]
    assert page.locator("th").first.get_attribute("aria-sort") == "ascending"
    page.click(".query-table th button:has-text('size')")
    assert sizes() == ["100", "10", "9"]
    page.click(".query-table th button:has-text('size')")
    assert sizes() == ["10", "9", "100"]
    page.locator("#row-filter").fill("TEN kilo")
    assert sizes() == ["10"]
    assert page.locator("#row-count").inner_text() == "1 of 3 rows"
    check_page(page)


@pytest.mark.pictures
def test_a_wide_cell_is_folded_until_clicked(open_page: Open) -> None:
    query = f"SELECT 'begin {'word ' * 100}end' AS story"
    page = open_page(f"/query/sql?q={quote(query)}")
    assert not page.locator("td p").is_visible()
    page.click("td summary")
    assert page.locator("td p").inner_text().strip().endswith("end")
    check_page(page)


@pytest.mark.pictures
def test_suggestions_fit_what_is_being_written(open_page: Open) -> None:
    page = open_page("/query/sql")
    box, listed = page.locator("#query"), page.locator("#query-suggestions li")
    box.press_sequentially("SELECT label FROM formul")
    assert "formulas" in listed.all_inner_texts()
    assert "label" not in listed.all_inner_texts()
    first = listed.first.text_content()
    page.keyboard.press("Tab")
    assert _box(page) == f"SELECT label FROM {first}"
    box.fill("SELECT f. FROM formulas f")
    box.evaluate("box => box.setSelectionRange(9, 9)")
    box.press_sequentially("lab")
    assert listed.all_inner_texts() == ["label"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert _box(page) == "SELECT f.label FROM formulas f"
    check_page(page)
    page = open_page("/query/sparql")
    page.locator("#query").press_sequentially("SELECT ?x { ?x a form")
    assert "mathrag:Formula" in page.locator("#query-suggestions li").all_inner_texts()
    page.keyboard.press("Escape")
    assert not page.locator("#query-suggestions").is_visible()
