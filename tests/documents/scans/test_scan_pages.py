"""From the lines of an OCR to blocks: prose in reading order, formulas never more than pictures."""

from __future__ import annotations

import base64
import random
from collections.abc import Sequence

import pytest
from scan_samples import HEIGHT, WIDTH, FakeRecogniser, line, picture

from mathrag.documents.scans import ScanLine, ScannedPage, read_scan, read_scanned_page
from mathrag.documents.scans.page import equation_number, is_page_number, kind_of
from mathrag.errors import DocumentError
from mathrag.types.document import Heading, Image, ListItem, Paragraph, formulas_of


def _page(lines: Sequence[ScanLine], *, more: Sequence[tuple[int, int, int, int]] = ()) -> ScannedPage:
    def render(scale: float) -> tuple[int, int, bytes]:
        assert scale > 0
        return WIDTH, HEIGHT, picture(lines, more=more)

    return read_scanned_page(render, number=3, width=500, height=650, recogniser=FakeRecogniser(lines))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The kinetic energy of a body depends on its speed.", "prose"),
        ("where F = ma is the force that acts on the body", "prose"),
        ("Isothermal", "prose"),
        ("CONTENTS", "prose"),
        ("Die Energie ist erhalten", "prose"),
        ("∆U = 0 = Q + W → Qnet = −W = Weng", "formula"),
        ("Weng = Qnet = |∆Q|", "formula"),
        ("F = ma", "formula"),
        ("nRT", "fragment"),
        ("|Qcl", "fragment"),
        ("Vf", "fragment"),
        ("x2+ y2", "fragment"),
        ("a)", "marker"),
        ("12.", "marker"),
    ],
)
def test_lines_are_told_apart_by_their_signs_and_words(text: str, kind: str) -> None:
    assert kind_of(ScanLine(text, (0, 0, 100, 20), 0.99)) == kind


def test_what_is_hardly_readable_is_no_prose() -> None:
    assert kind_of(ScanLine("The kinetic energy of a body", (0, 0, 100, 20), 0.3)) == "fragment"


@pytest.mark.parametrize(
    ("text", "number"), [("(3.2)", "3.2"), ("(14)", "14"), ("[A.1]", "A.1"), ("(x)", ""), ("3", "")]
)
def test_numbers_of_equations(text: str, number: str) -> None:
    assert equation_number(text) == number


def test_page_numbers() -> None:
    assert is_page_number("- 31 -")
    assert is_page_number("xii")
    assert not is_page_number("F = 3")


def test_lines_join_to_paragraphs_and_divided_words_are_made_whole() -> None:
    page = _page(
        [
            line("The work that a force does on a body is the change of its kin-", 100, 200),
            line("etic energy, whatever the path was.", 100, 228),
            line("A new matter begins after a gap here.", 100, 300),
        ]
    )
    assert [block.quote for block in page.blocks] == [
        "The work that a force does on a body is the change of its kinetic energy, whatever the path was.",
        "A new matter begins after a gap here.",
    ]
    assert all(isinstance(block, Paragraph) for block in page.blocks)
    # 1,000 pixels make 500 points.
    assert page.blocks[0].place.page == 3
    assert page.blocks[0].place.box == (50.0, 100.0, 329.0, 124.0)


def test_larger_lines_are_headings_and_markers_begin_items() -> None:
    page = _page(
        [
            line("Mechanics of bodies", 100, 100, height=40),
            line("Energy and work", 100, 180, height=29),
            line("The first law of motion is about bodies at rest.", 100, 260),
            line("a)", 100, 320),
            line("bodies that nobody moves stay where they are", 140, 320),
        ]
    )
    shown = [(type(block), block.quote) for block in page.blocks]
    assert shown == [
        (Heading, "Mechanics of bodies"),
        (Heading, "Energy and work"),
        (Paragraph, "The first law of motion is about bodies at rest."),
        (ListItem, "a) bodies that nobody moves stay where they are"),
    ]
    assert [block.level for block in page.blocks if isinstance(block, Heading)] == [1, 2]


def test_a_formula_is_kept_as_a_picture_with_everything_that_belongs_to_it() -> None:
    """The bar of the fraction and the big sign are seen by no OCR, only by their ink."""
    lines = [
        line("The pressure of an ideal gas depends on its volume:", 100, 200),
        line("P =", 200, 290),
        line("nRT", 250, 270),
        line("V", 262, 310),
        line("(3.2)", 800, 290),
        line("where all the letters have their usual meaning.", 100, 380),
    ]
    page = _page(lines, more=[(248, 299, 282, 302), (300, 262, 312, 340)])
    kinds = [type(block) for block in page.blocks]
    assert kinds == [Paragraph, Image, Paragraph]
    image = page.blocks[1]
    assert isinstance(image, Image)
    assert "(3.2)" in image.alternative
    assert "nRT" in image.quote
    left, top, right, bottom = image.place.box or (0, 0, 0, 0)
    assert left <= 100
    assert top <= 132
    assert right >= 155
    assert bottom >= 169
    assert right < 250
    assert len(page.pictures) == 1
    assert page.pictures[0].place == image.place
    assert base64.b64decode(page.pictures[0].png).startswith(b"\x89PNG")
    assert "formula_picture" in [note.code for note in page.notes]


def test_nothing_in_a_scan_is_a_formula_to_compute_with() -> None:
    page = _page([line("F = m a", 300, 300), line("E = 5 kg", 300, 400), line("x = 12.5 m", 300, 500)])
    assert not [math for block in page.blocks for math in formulas_of(block)]
    assert len(page.pictures) == 3


def test_two_columns_are_read_one_after_the_other() -> None:
    left = [line(f"left column has the line of number {index}", 60, 200 + 28 * index) for index in range(8)]
    right = [line(f"right column has the line of number {index}", 540, 200 + 28 * index) for index in range(8)]
    title = line("A title that spans both of the columns of the page and more of it", 200, 120)
    order = [title, *(one for pair in zip(right, left, strict=True) for one in pair)]
    words = " ".join(block.quote for block in _page(order).blocks)
    assert words.index("title") < words.index("left column has the line of number 0")
    assert words.index("left column has the line of number 7") < words.index("right column has the line of number 0")


def test_formulas_on_the_left_and_their_meaning_on_the_right_are_read_across() -> None:
    lines = []
    for index in range(6):
        lines.append(line(f"F{index} = m a", 60, 200 + 90 * index))
        lines.append(line(f"gives the force of kind {index} that acts", 540, 200 + 90 * index))
    blocks = _page(lines).blocks
    assert [type(block).__name__ for block in blocks] == ["Image", "Paragraph"] * 6


def test_the_number_of_the_page_is_dropped_and_frames_are_no_pictures() -> None:
    frame = [(80, 180, 920, 184), (80, 600, 920, 604), (80, 180, 84, 604), (916, 180, 920, 604)]
    lines = [line(f"row {index} of the table has some words in it", 100, 210 + 40 * index) for index in range(9)]
    page = _page([*lines, line("31", 490, 1_270)], more=frame)
    assert not page.pictures
    assert all(isinstance(block, Paragraph) for block in page.blocks)
    assert not any(block.quote == "31" for block in page.blocks)


def test_a_tilted_page_keeps_its_order() -> None:
    tilt = 0.02
    lines = []
    for index in range(10):
        top = 200 + 30 * index
        box = (60.0, float(top), 900.0, top + 20 + 840 * tilt)
        lines.append(ScanLine(f"the line of number {index} falls to the right.", box, 0.99, tilt, 20.0))
    words = " ".join(block.quote for block in _page(lines[::-1]).blocks)
    assert [words.index(f"number {index} ") for index in range(10)] == sorted(
        words.index(f"number {index} ") for index in range(10)
    )


def test_a_page_on_its_side_is_turned_and_the_boxes_are_those_of_the_page() -> None:
    upright = (line("The kinetic energy of a body at rest is none.", 100, 200), line("It grows with speed.", 100, 228))

    class Turned:
        def __call__(self, rgb: bytes, *, width: int, height: int) -> tuple[ScanLine, ...]:
            assert len(rgb) == 3 * width * height
            if width < height:
                return upright
            return tuple(ScanLine("ijfi ldkf", (box[1], 50, box[3], 500), 0.4) for box in (one.box for one in upright))

    pixels = picture((), size=(HEIGHT, WIDTH))
    found = read_scan(pixels, HEIGHT, WIDTH, scale=1.0, recogniser=Turned())
    assert [one.text for one in found] == [one.text for one in upright]
    # Turned to the left by a quarter: what was left is below.
    assert found[0].box == (HEIGHT - 220, 100, HEIGHT - 200, upright[0].box[2])


def test_a_blank_page_and_one_without_size() -> None:
    page = _page([])
    assert page.blocks == ()
    assert [note.code for note in page.notes] == ["ocr", "ocr_empty"]
    with pytest.raises(DocumentError, match="page 2"):
        read_scanned_page(lambda _: (1, 1, b"   "), number=2, width=0, height=9, recogniser=FakeRecogniser(()))


def test_any_lines_at_all_give_a_page() -> None:
    """Whatever an OCR says, about whatever picture."""
    chance = random.Random(5)
    texts = ["", " ", "=", "∫", "word", "a)", "(1)", "\x00\x07", "longer text of words", "1" * 500, "é", "日本語の文"]
    for _ in range(25):
        lines = []
        for _ in range(chance.randrange(40)):
            left, top = chance.uniform(-50, 1_050), chance.uniform(-50, 1_350)
            box = (left, top, left + chance.uniform(0, 900), top + chance.uniform(0, 300))
            lines.append(
                ScanLine(chance.choice(texts), box, chance.random(), chance.uniform(-1, 1), chance.uniform(0, 99))
            )
        noise = [
            (x, y, x + chance.randrange(1, 200), y + chance.randrange(1, 200))
            for x, y in ((chance.randrange(900), chance.randrange(1_200)) for _ in range(20))
        ]

        def render(_: float, noise: list[tuple[int, int, int, int]] = noise) -> tuple[int, int, bytes]:
            return WIDTH, HEIGHT, picture((), more=noise)

        page = read_scanned_page(render, number=1, width=500, height=650, recogniser=FakeRecogniser(lines))
        for block in page.blocks:
            assert block.quote.strip()
            assert block.place.box is not None
            assert block.quote.isprintable()
