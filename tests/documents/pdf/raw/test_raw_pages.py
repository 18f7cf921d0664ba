"""Pages written by hand: turned and cropped pages, sizes as printed, hidden and repeated text, rules, broken files."""

from __future__ import annotations

import hashlib

import pytest

from documents.pdf.raw.pdf_by_hand import one_page
from mathrag.documents.pdf.page_content import PageContent
from mathrag.documents.pdf.raw import open_pdf
from mathrag.errors import DocumentError

WORD = b"BT /F1 10 Tf 100 600 Td (Word) Tj ET"


def read(content: bytes, *, page: bytes = b"", resources: bytes = b"") -> PageContent:
    with open_pdf(one_page(content, page=page, resources=resources)) as document:
        return document.page(1)


def text_of(content: PageContent) -> str:
    return "".join(glyph.text for glyph in content.glyphs)


def test_origin_is_on_the_baseline_from_the_top() -> None:
    first = read(WORD).glyphs[0]
    assert (first.text, first.font, first.size, first.angle) == ("W", "Helvetica", 10.0, 0)
    assert (first.x, first.y) == pytest.approx((100, 192))
    assert first.advance == pytest.approx(9.44, abs=0.05)
    assert first.box[1] < first.y <= first.box[3] + 0.01


@pytest.mark.parametrize(
    ("turn", "place", "size"),
    [
        (0, (100, 192), (612, 792)),
        (90, (600, 100), (792, 612)),
        (180, (512, 600), (612, 792)),
        (270, (192, 512), (792, 612)),
    ],
)
def test_rotation_of_the_page_is_undone(turn: int, place: tuple[int, int], size: tuple[int, int]) -> None:
    content = read(WORD, page=b"/Rotate %d" % turn)
    first = content.glyphs[0]
    assert (content.width, content.height) == pytest.approx(size)
    assert (first.x, first.y) == pytest.approx(place)
    assert first.angle == -turn % 360


def test_text_of_a_turned_page_that_reads_upright_has_angle_zero() -> None:
    content = read(b"BT 0 1 -1 0 300 200 Tm /F1 10 Tf (Up) Tj ET", page=b"/Rotate 90")
    assert [glyph.angle for glyph in content.glyphs] == [0, 0]
    assert content.glyphs[0].advance == pytest.approx(7.22, abs=0.05)
    assert content.glyphs[1].x > content.glyphs[0].x


def test_crop_is_undone_and_what_lies_outside_is_left_out() -> None:
    content = read(WORD + b" BT /F1 10 Tf 10 10 Td (away) Tj ET", page=b"/CropBox[50 500 400 700]")
    assert text_of(content) == "Word"
    assert (content.glyphs[0].x, content.glyphs[0].y) == pytest.approx((50, 100))
    assert any("outside" in note for note in content.notes)


def test_size_is_as_printed() -> None:
    content = read(b"q 3 0 0 3 0 0 cm BT 2 0 0 2 20 100 Tm /F1 2 Tf (Big) Tj ET Q")
    assert {glyph.size for glyph in content.glyphs} == {12.0}


def test_text_printed_twice_counts_once() -> None:
    assert text_of(read(WORD + b" BT /F1 10 Tf 100.4 600 Td (Word) Tj ET")) == "Word"


def test_invisible_text_is_kept_with_a_note() -> None:
    content = read(b"BT /F1 10 Tf 3 Tr 100 600 Td (recognised text of a scan) Tj ET")
    assert text_of(content) == "recognised text of a scan"
    assert content.notes == ("the text is an invisible layer of recognised characters over a picture",)


def test_lines_stroked_and_filled_are_rules_and_touching_pieces_join() -> None:
    content = read(b"0.5 w 100 500 m 200 500 l S 100 400 60 0.6 re f 160 400 60 0.6 re f")
    stroked, filled = content.rules
    assert stroked.box == pytest.approx((100, 291.75, 200, 292.25))
    assert filled.box == pytest.approx((100, 391.4, 220, 392.0), abs=0.01)
    assert stroked.is_horizontal


def test_a_stroked_box_is_four_rules_and_a_filled_frame_too() -> None:
    for drawn in (b"0.4 w 300 300 100 50 re S", b"300 300 100 50 re 301 301 98 48 re f*"):
        rules = read(drawn).rules
        assert sorted(rule.is_horizontal for rule in rules) == [False, False, True, True]


def test_what_cannot_be_seen_is_no_rule() -> None:
    assert read(b"1 g 100 300 80 0.6 re f 100 200 80 1 re n").rules == ()


def _form(content: bytes, *, entries: bytes) -> bytes:
    head = b"<</Type/XObject/Subtype/Form/BBox[0 0 200 200]%b/Length %d>>" % (entries, len(content))
    return head + b"stream\n" + content + b"\nendstream"


def test_rules_inside_forms_stand_where_they_are_seen() -> None:
    form = _form(b"50 40 30 0.5 re f", entries=b"/Matrix[1 0 0 1 5 0]")
    data = one_page(b"q 2 0 0 2 10 20 cm /X Do Q", resources=b"/XObject<</X 7 0 R>>", more=form)
    with open_pdf(data) as document:
        (rule,) = document.page(1).rules
    assert rule.box == pytest.approx((120, 691, 180, 692), abs=0.1)


def test_a_form_that_draws_itself_comes_to_an_end() -> None:
    form = _form(b"50 40 30 0.5 re f q /X Do Q", entries=b"/Resources<</XObject<</X 7 0 R>>>>")
    with open_pdf(one_page(b"/X Do", resources=b"/XObject<</X 7 0 R>>", more=form)) as document:
        assert len(document.page(1).rules) == 1


def test_a_page_of_outlines_says_so() -> None:
    letters = b" ".join(
        b"%d %d m %d %d l %d %d l f" % (x, y, x + 6, y + 9, x + 9, y)
        for x in range(50, 550, 20)
        for y in range(50, 750, 40)
    )
    content = read(letters)
    assert content.is_scan
    assert content.notes == ("text drawn as outlines",)


def test_metadata_and_pages() -> None:
    with open_pdf(one_page(WORD)) as document:
        assert document.pages == 1
        assert document.metadata.title == "A page"
        assert document.metadata.authors == ("Ada Lovelace", "Emmy Noether")
        assert document.metadata.year == 2024
        with pytest.raises(DocumentError, match="pages 1 to 1"):
            document.page(2)


def test_render_gives_rows_of_rgb_of_the_page_and_of_a_part() -> None:
    with open_pdf(one_page(b"1 0 0 rg 0 692 100 100 re f")) as document:
        width, height, pixels = document.render(1, scale=0.5)
        assert (width, height, len(pixels)) == (306, 396, 306 * 396 * 3)
        width, height, pixels = document.render(1, scale=1, box=(0, 0, 10, 20))
        assert (width, height) == (10, 20)
        assert set(zip(pixels[::3], pixels[1::3], pixels[2::3], strict=True)) == {(255, 0, 0)}
        with pytest.raises(DocumentError, match="smaller scale"):
            document.render(1, scale=1000)


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7", b"not a pdf", b"\x00" * 500, one_page(WORD)[:200]])
def test_what_is_no_pdf_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentError) as caught:
        open_pdf(data)
    assert caught.value.code == "broken"


def test_encrypted_files_ask_for_the_password() -> None:
    data = _encrypted(one_page(WORD), password=b"secret")
    for wrong in ("", "guess"):
        with pytest.raises(DocumentError, match="--password") as caught:
            open_pdf(data, password=wrong)
        assert caught.value.code == "encrypted"
    with open_pdf(data, password="secret") as document:
        assert document.pages == 1


_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def _encrypted(data: bytes, *, password: bytes) -> bytes:
    """Mark a PDF as encrypted with the oldest handler: enough to be asked for the password."""
    padded = (password + _PADDING)[:32]
    owner = _rc4(hashlib.md5(padded).digest()[:5], padded)
    identifier = b"0123456789abcdef"
    key = hashlib.md5(padded + owner + (-4 & 0xFFFFFFFF).to_bytes(4, "little") + identifier).digest()[:5]
    user = _rc4(key, _PADDING)
    entry = b"/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<%b>/U<%b>>>" % (owner.hex().encode(), user.hex().encode())
    return data.replace(
        b"/Root 1 0 R", b"/Root 1 0 R/ID[<%b><%b>]%b" % (identifier.hex().encode(), identifier.hex().encode(), entry)
    )


def _rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    i = j = 0
    out = bytearray()
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def test_a_sign_that_is_stretched_and_clipped_has_the_box_that_is_seen() -> None:
    stretched = b"q 99 500 20 30 re W n BT 12 0 0 6000 100 -1000 Tm /F1 1 Tf (|) Tj ET Q "
    content = read(WORD + b" " + stretched)
    bar = content.glyphs[-1]
    assert (bar.text, bar.size) == ("|", 12.0)
    assert (bar.box[1], bar.box[3]) == pytest.approx((262, 292))
    assert bar.box[1] <= bar.y <= bar.box[3]


def test_text_objects_at_one_place_are_no_ligature() -> None:
    assert text_of(read(WORD + b" " + WORD)) == "Word"


def test_the_hyphen_of_a_broken_word_is_a_hyphen() -> None:
    content = read(b"BT /F1 10 Tf 100 600 Td (an exam-) Tj 0 -12 Td (ple of it) Tj ET")
    assert text_of(content) == "an exam-ple of it"
