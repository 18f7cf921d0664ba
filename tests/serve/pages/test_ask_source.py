"""The page of a source: passages with the quote marked and turned, pages of a PDF with a box, and what is not there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from ask_makers import FORMULA_PLACE, HEAT_QUESTION, ask, make_library_with_pdf
from serve_makers import QUESTION, client_of
from starlette.testclient import TestClient

from mathrag.library import Library


@pytest.fixture(scope="module")
def with_pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_library_with_pdf(tmp_path_factory.mktemp("source"))


@pytest.fixture(scope="module")
def reader(with_pdf: Path) -> Iterator[TestClient]:
    with client_of(with_pdf) as found:
        yield found


def cited(reader: TestClient, question: str) -> str:
    """The address of the first citation of an answer."""
    html = ask(reader, question)
    start = html.index('href="/source?document=') + len('href="')
    return html[start : html.index('"', start)].replace("&amp;", "&")


def test_a_citation_opens_the_passage_with_the_quote_marked(reader: TestClient) -> None:
    address = cited(reader, QUESTION)
    html = reader.get(address).text
    marked = html[html.index("<mark") : html.index("</mark>")]
    assert "<mfrac>" in marked
    assert "Notes on mechanics" in html
    data = reader.get(address.replace("/source?", "/source.json?")).json()
    passage = data["passage"]
    assert passage["text"][passage["start"] : passage["end"]] == r"$$E_k = \frac{1}{2} m v^2$$"
    assert [piece["text"] for piece in data["pieces"] if piece["is_marked"]] == [r"E_k = \frac{1}{2} m v^2"]


def test_passages_are_turned_to_both_ends(reader: TestClient) -> None:
    address = cited(reader, QUESTION).replace("/source?", "/source.json?")
    seen, data = [], reader.get(address).json()
    while data["before"]:
        data = reader.get(data["before"].replace("/source?", "/source.json?")).json()
    while True:
        seen.append(data["passage"]["number"])
        if not data["after"]:
            break
        data = reader.get(data["after"].replace("/source?", "/source.json?")).json()
    assert seen == list(range(1, data["passage"]["total"] + 1))
    assert len(seen) > 1


@pytest.mark.slow
def test_a_pdf_citation_shows_the_page_with_the_box(reader: TestClient) -> None:
    address = cited(reader, HEAT_QUESTION)
    data = reader.get(address.replace("/source?", "/source.json?")).json()
    picture = data["picture"]
    assert (picture["page"], picture["is_there"]) == (1, True)
    left, top, right, bottom = FORMULA_PLACE
    box = picture["box"]
    assert abs(box[0] - left) < 4
    assert abs(box[2] - right) < 4
    assert top - 4 < box[1] < box[3] < bottom + 4
    drawn = reader.get(picture["src"])
    assert drawn.headers["content-type"] == "image/png"
    assert picture["src"] in reader.get(address).text.replace("&amp;", "&")
    assert picture["before"] is None
    second = reader.get(picture["after"].replace("/source?", "/source.json?")).json()["picture"]
    assert (second["page"], second["box"], second["after"]) == (2, None, None)
    turned = reader.get(picture["after"].replace("/source?", "/source.json?")).json()
    assert "Q = m c T" not in (turned["passage"] or {"text": ""})["text"], "the passage of another page"
    assert reader.get(second["src"]).status_code == 200
    assert reader.get(second["before"].replace("/source?", "/source.json?")).json()["picture"]["box"] == box


def test_a_formula_alone_is_enough(reader: TestClient, with_pdf: Path) -> None:
    with Library(with_pdf, create=False) as library:
        formula = next(one for one in library.find_formulas("Momentum"))
    data = reader.get(f"/source.json?formula={formula.id}").json()
    assert data["formula"]["id"] == formula.id
    assert data["quote"] == "$$p = m v$$"
    assert len(data["places"]) == 1


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("", 422),
        ("document=d-000000000000", 404),
        ("formula=f-000000000000", 404),
        ("document=../../etc/passwd", 404),
        ("document=%00", 404),
        ("position=-1", 422),
        ("page=0", 422),
    ],
)
def test_what_is_not_there_is_told_so(reader: TestClient, asked: str, status: int) -> None:
    assert reader.get(f"/source.json?{asked}").status_code == status


def test_places_that_are_nowhere_do_no_harm(reader: TestClient) -> None:
    document = cited(reader, QUESTION).split("document=")[1].split("&")[0]
    for more in ("line=99999", "page=7", "quote=nothing+like+it", "box=nan,1,2", "box=1e9,1,2,3", "box=nan,1,2,3"):
        assert reader.get(f"/source?document={document}&{more}").status_code == 200
    assert reader.get(f"/source?document={document}&position=4000").status_code == 404


def test_text_of_documents_stays_text(reader: TestClient, with_pdf: Path) -> None:
    with Library(with_pdf, create=False) as library:
        hostile = next(info for info in library.documents() if info.name.endswith("hostile.md"))
    html = reader.get(f"/source?document={hostile.id}").text
    assert "<script>alert" not in html
    assert "<b onclick" not in html
    assert "<img" not in html


@pytest.mark.soak
def test_a_file_that_is_gone_is_told_so(tmp_path: Path) -> None:
    library = make_library_with_pdf(tmp_path)
    (tmp_path / "documents" / "heat.pdf").unlink()
    with client_of(library) as client:
        html = client.get(cited(client, HEAT_QUESTION)).text
        assert "not there any more" in html
        assert "<mark" in html
