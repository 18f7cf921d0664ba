"""Signs by table, by name and by shape of the map; and that no font program, however damaged, stops the reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.documents.pdf.page_content import Glyph
from mathrag.documents.pdf.raw.drawings import join_lines
from mathrag.documents.pdf.raw.font_encodings import describe_font_name, plain_font_name, sign_of_name, slot_tables
from mathrag.documents.pdf.raw.font_programs import glyph_names
from mathrag.documents.pdf.raw.glyph_identities import FontIdentities, math_letter, usual_sign
from mathrag.documents.pdf.raw.pages import unreadable_notes


def font(name: str, *seen: str, names: dict[int, str] | None = None) -> FontIdentities:
    named = describe_font_name(name)
    return FontIdentities(named, named.is_bold, named.style, lambda: names or {}, set(seen))


@pytest.mark.parametrize(
    ("name", "code", "sign", "style"),
    [
        ("CMEX10", 0x5A, "∫", "upright"),
        ("LMMathExtension10-Regular", 0x70, "√", "upright"),
        ("CMSY10", 0x4C, "L", "script"),
        ("MSBM10", 0x52, "R", "blackboard"),
        ("MSAM10", 0x7B, "∁", "upright"),
        ("CMMI10", 0x0F, "ϵ", "italic"),
        ("CMR10", 0x0A, "Ω", "upright"),
        ("EUFM10", 0x41, "A", "fraktur"),
        ("Symbol", 0xE5, "∑", "upright"),
    ],
)
def test_codes_of_classic_fonts(name: str, code: int, sign: str, style: str) -> None:
    identity = font(name).identify(chr(code), is_code=True)
    assert (identity.text, identity.style, identity.evidence) == (sign, style, "encoding")


def test_a_map_that_gives_bare_codes_is_not_believed() -> None:
    assert font("CMEX10", "Z", "P").identify("Z", is_code=False).text == "∫"
    assert font("CMEX10", "∫", "(").identify("(", is_code=False).text == "("
    assert font("CMSY10", "L", "−").identify("L", is_code=False).text == "L"


def test_a_map_to_signs_that_the_font_holds_besides_its_table_is_believed() -> None:
    names = {40: "arrowdblleft", 184: "plus", 185: "parenleft"}
    assert font("txsys", "+", "(", names=names).identify("(", is_code=False).text == "("
    assert font("txsys", "+", ")", names=names).identify("+", is_code=False).text == "⇓"


def test_names_inside_a_font_count_unless_a_code_has_none() -> None:
    names = {30: "summationdisplay", 31: "parenleftBigg"}
    believed = font("SomeMath", names=names)
    believed.seen_codes.update((30, 31))
    assert believed.identify(chr(30), is_code=True).text == "∑"
    doubted = font("SomeMath", names=names)
    doubted.seen_codes.update((30, 99))
    assert doubted.identify(chr(30), is_code=True).evidence == "none"


def test_private_characters_are_unknown_except_where_their_font_is_known() -> None:
    assert font("Arial").identify("\ue001", is_code=False).text == ""
    assert font("KaTeX_Size4-Regular").identify("\ue001", is_code=False).text == "⏐"
    assert font("Symbol").identify("\uf061", is_code=False).text == "α"


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("parenleft.s3", "("), ("uni221A.s2", "√"), ("radicalbigg", "√"), ("summationdisplay", "∑"), ("u1D44E", "𝑎"),
        ("integraldisplay", "∫"), ("braceleftmid", "⎨"), ("parenleft.bot", "⎝"), ("bracketleft.ex", "⎢"),
        ("nonsense", ""),
    ],
)  # fmt: skip
def test_glyph_names(name: str, sign: str) -> None:
    assert sign_of_name(name) == sign


def test_letters_of_the_mathematical_alphabets() -> None:
    assert math_letter("𝐯") == ("v", "upright", True)
    assert math_letter("𝜑") == ("φ", "italic", False)
    assert math_letter("𝜙") == ("ϕ", "italic", False)
    assert math_letter("ℝ") == ("R", "blackboard", False)
    assert math_letter("ℎ") == ("h", "italic", False)
    assert math_letter("x") is None


def test_signs_have_one_form() -> None:
    assert usual_sign("∆", is_math_font=False) == "Δ"
    assert usual_sign("\u2126", is_math_font=False) == "Ω"
    assert usual_sign("ˆ", is_math_font=False) == "\u0302"
    assert usual_sign("^", is_math_font=False) == "^"
    assert usual_sign("^", is_math_font=True) == "\u0302"
    assert usual_sign("ﬃ", is_math_font=False) == "ffi"
    assert usual_sign("√\ufe01", is_math_font=True) == "√"


@pytest.mark.parametrize(
    ("name", "is_math", "is_bold"),
    [
        ("CMMI10", True, False), ("CMBX12", False, True), ("CMMIB7", True, True), ("Cambria Math", True, False),
        ("TimesNewRomanPS-BoldMT", False, True), ("XITSMath-Bold", True, True), ("PazoMathBlackboardBold", True, False),
        ("MathJax_Size4", True, False), ("rtxmi", True, False), ("MT Extra", True, False), ("Georgia", False, False),
    ],
)  # fmt: skip
def test_kinds_of_fonts(name: str, is_math: bool, is_bold: bool) -> None:
    described = describe_font_name(name)
    assert (described.is_math, described.is_bold) == (is_math, is_bold)


def test_plain_font_names() -> None:
    assert plain_font_name("ABCDEF+CMR10") == "CMR10"
    assert plain_font_name("ABCDEF+LMRoman10-Regular-Identity-H") == "LMRoman10-Regular"


def test_tables_are_well_formed() -> None:
    tables = slot_tables()
    assert all(0 <= code <= 255 and sign for table in tables.values() for code, sign in table.items())
    assert [len(tables[name]) for name in ("OML", "OMS", "OMX", "MSAM")] == [128] * 4


@given(
    st.sampled_from([b"%!PS", b"\x80\x01", b"OTTO", b"\x00\x01\x00\x00", b"\x01\x00\x04\x01", b""]),
    st.binary(max_size=400),
)
def test_damaged_font_programs_have_no_names_but_do_no_harm(start: bytes, rest: bytes) -> None:
    assert isinstance(glyph_names(start + rest), dict)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 20), st.integers(1, 30)), max_size=20))
def test_joined_lines_cover_the_same_ground_and_none_touch(pieces: list[tuple[int, int, int]]) -> None:
    boxes = [(float(x), float(y * 3), float(x + width * 2), y * 3 + 0.5) for x, y, width in pieces]
    rules = join_lines(boxes)
    assert all(
        any(r.box[0] <= b[0] and b[2] <= r.box[2] and r.box[1] <= b[1] <= r.box[3] for r in rules) for b in boxes
    )
    assert join_lines(rule.box for rule in rules) == rules


def test_a_map_that_gives_letters_of_an_alphabet_twice_is_not_believed() -> None:
    assert font("CambriaMath").identify("𝐴𝐴", is_code=False).text == ""
    assert font("CambriaMath").identify("𝐴", is_code=False).text == "A"


def test_signs_without_identity_are_told_by_font() -> None:
    box = (0.0, 0.0, 5.0, 7.0)
    unread = [Glyph("", "Odd", 10.0, 0.0, 7.0, 5.0, box, evidence="none")] * 4
    note = "4 signs of the font Odd cannot be read as characters; formulas there may be missing"
    assert unreadable_notes([*unread, Glyph("a", "Times", 10.0, 0.0, 7.0, 5.0, box)]) == (note,)
    assert unreadable_notes(unread[:2]) == ()
