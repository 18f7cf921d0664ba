"""Pages to look at: whole, or what lies within a box; what cannot be seen is said."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import pytest

from hand_written_pdf import write_pdf
from mathrag.errors import LibraryError
from mathrag.library import Library


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("cuts")
    # Words on the left upper part of the first page, on the right lower part of the second, nowhere else.
    file = write_pdf(folder / "a.pdf", (("Forces add up", 72, 100),), (("Here it ends", 400, 700),))
    (folder / "notes.md").write_text("# Notes\n\nNo pages here.\n", encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest([file, folder / "notes.md"], workers=1)
        yield made


def pixels(png: bytes) -> tuple[int, int, bytes]:
    """Width, height and the bytes of all rows."""
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    (length,) = struct.unpack(">I", png[33:37])
    return width, height, zlib.decompress(png[41 : 41 + length])


def has_ink(png: bytes) -> bool:
    width, _, rows = pixels(png)
    stride = 1 + 3 * width
    return any(min(rows[start + 1 : start + stride]) < 128 for start in range(0, len(rows), stride))


def test_a_page_is_drawn_as_it_is_printed(library: Library) -> None:
    whole = library.page_picture("a.pdf", 1)
    assert (whole.document, whole.page, whole.box) == (library.document("a.pdf").id, 1, None)
    assert pixels(whole.png)[:2] == (1224, 1584)
    assert has_ink(whole.png)


@pytest.mark.slow
def test_a_box_cuts_out_what_lies_in_it(library: Library) -> None:
    words = library.page_picture("a.pdf", 1, (70, 85, 170, 105))
    assert words.box == (70.0, 85.0, 170.0, 105.0)
    assert pixels(words.png)[:2] == (200, 40)
    assert has_ink(words.png)
    assert not has_ink(library.page_picture("a.pdf", 1, (300, 300, 500, 500)).png)
    assert not has_ink(library.page_picture("a.pdf", 2, (70, 85, 170, 105)).png)
    assert has_ink(library.page_picture("a.pdf", 2, (395, 680, 500, 710)).png)


def test_a_box_is_clipped_to_the_page(library: Library) -> None:
    cut = library.page_picture("a.pdf", 1, (-50, -50, 200, 120))
    assert cut.box == (0.0, 0.0, 200.0, 120.0)
    assert pixels(cut.png)[:2] == (400, 240)
    assert library.page_picture("a.pdf", 1, (500, 700, 9_999, 9_999)).box == (500.0, 700.0, 612.0, 792.0)


def test_a_large_scale_makes_no_huge_picture(library: Library) -> None:
    width, height, _ = pixels(library.page_picture("a.pdf", 1, scale=8).png)
    assert 3_500_000 < width * height < 4_100_000


@pytest.mark.parametrize(
    "box",
    [
        (700, 100, 800, 200),
        (100, 800, 200, 900),
        (-20, -20, -10, -10),
        (100, 100, 100.5, 200),
        (100, 100, 100, 200),
        (200, 100, 100, 200),
        (1, 2, 3),
        (),
        (0, 0, float("nan"), 5),
        (0, 0, float("inf"), 5),
    ],
)
def test_a_box_that_shows_nothing_is_refused(library: Library, box: tuple[float, ...]) -> None:
    with pytest.raises(LibraryError, match="box"):
        library.page_picture("a.pdf", 1, box)


@pytest.mark.parametrize("page", [0, -1, 3, 10**9])
def test_pages_count_from_one_and_end(library: Library, page: int) -> None:
    with pytest.raises(LibraryError, match="no page"):
        library.page_picture("a.pdf", page)


def test_what_has_no_pages_says_so(library: Library) -> None:
    with pytest.raises(LibraryError, match="has no pages"):
        library.page_picture("notes.md", 1)
    with pytest.raises(LibraryError):
        library.page_picture("nobody.pdf", 1)
