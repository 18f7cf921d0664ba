"""Where something stands: pages of a PDF as pictures with a box in the right place, passages with the quote marked."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from serve_makers import client_of

from hand_written_pdf import write_pdf
from mathrag.library import Library
from mathrag.library.views.sources import quote_range

API = "/api/v1"
WORDS = "The force on a body is the product of its mass and its acceleration, as Newton found."
MARK = (215, 20, 20)


def _pixels(png: bytes) -> tuple[int, int, bytes]:
    """Width, height and rows of RGB of a PNG as we write them: eight bits, no interlacing."""
    width, height = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
    packed, at = b"", 8
    while at < len(png):
        length, kind = int.from_bytes(png[at : at + 4], "big"), png[at + 4 : at + 8]
        packed += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    rows, stride = zlib.decompress(packed), 3 * width + 1
    assert {rows[stride * row] for row in range(height)} == {0}
    return width, height, b"".join(rows[stride * row + 1 : stride * (row + 1)] for row in range(height))


@pytest.mark.slow
def test_a_page_is_shown_with_its_box_in_the_right_place(tmp_path: Path) -> None:
    file = write_pdf(tmp_path / "a.pdf", ((WORDS, 72.0, 200.0), ("Second line", 72.0, 400.0)))
    with Library(tmp_path / "library") as library:
        library.ingest([file], workers=1)
    with client_of(tmp_path / "library") as client:
        (document,) = client.get(f"{API}/documents").json()["items"]
        path = f"{API}/documents/{document['id']}/pages/1"
        page = client.get(path).json()
        part = next(one for one in page["parts"] if "Newton" in one["text"])
        box = ",".join(f"{side:.2f}" for side in part["box"])
        reply = client.get(f"{path}/picture", params={"box": box, "scale": 2})
        assert reply.headers["content-type"] == "image/png"
        width, height, pixels = _pixels(reply.content)
        assert (width, height) == (1224, 1584)
        marked = [
            (at // 3 % width / 2, at // 3 // width / 2)
            for at in range(0, len(pixels), 3)
            if tuple(pixels[at : at + 3]) == MARK
        ]
        left, top, right, bottom = part["box"]
        assert min(x for x, _ in marked) == pytest.approx(left - 3, abs=1.5)
        assert max(x for x, _ in marked) == pytest.approx(right + 3, abs=1.5)
        assert min(y for _, y in marked) == pytest.approx(top - 3, abs=1.5)
        assert max(y for _, y in marked) == pytest.approx(bottom + 3, abs=1.5)
        assert left == pytest.approx(72, abs=3)
        assert top < 200 < bottom + 3
        found = client.get(f"{API}/documents/{document['id']}/passage", params={"page": 1, "quote": "as Newton  found"})
        passage = found.json()
        assert passage["text"][passage["start"] : passage["end"]] == "as Newton found"
        for wrong in ("1,2,3", "a,b,c,d", "nan,0,0,0", "1e9,0,0,0"):
            assert client.get(f"{path}/picture", params={"box": wrong}).status_code == 422
        assert client.get(f"{API}/documents/{document['id']}/pages/9/picture").status_code == 404
        file.unlink()
        gone = client.get(f"{path}/picture", params={"scale": 1})
        assert gone.status_code == 404
        assert str(tmp_path) not in gone.text


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("one two three", "two", "two"), ("one\n two  three", "one two", "one\n two"), ("one", "four", ""),
        ("a.b", "a.b", "a.b"), ("axb", "a.b", ""), ("one", "", ""), ("one", "  ", ""),
        ("(a + b)", "(a + b)", "(a + b)"),
    ],
)  # fmt: skip
def test_a_quote_is_found_as_it_is_written(text: str, quote: str, found: str) -> None:
    start, end = quote_range(text, quote)
    assert text[start:end] == found
