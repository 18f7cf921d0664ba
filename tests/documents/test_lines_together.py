"""Formulas that take several lines of typed text: drawn fractions, cases, and listings that hold formulas."""

from __future__ import annotations

import pytest

from mathrag.documents import Source, read_document
from mathrag.documents.math_in_text.drawn_lines import drawn_formula
from mathrag.documents.math_in_text.explicit_lines import formulas_in_line
from mathrag.documents.math_in_text.typed_cases import cases_of
from mathrag.types.document import Code, Display, Paragraph, plain_text

_DRAWN = """\
               m_extract
  share  =  --------------- * 100
             m_malt * f_e"""

DRAWINGS = (
    (_DRAWN, "share  =  m_extract / (m_malt * f_e) * 100"),
    ("     a + b     2 c\nx = ------- + -----\n       c        d", "x = (a + b) / c + (2 c) / d"),
    ("                net income\nmargin =  ------------ x 100 %\n                 revenue", ""),
    (
        "          net income\nmargin =  ------------ x 100 %\n           revenue",
        "margin =  net income / revenue x 100 %",
    ),
    ("      n R T\nP  = -------\n        V", "P  = (n R T) / V"),
    ("       1\nf = ───────\n    2 π R C", "f = 1 / (2 π R C)"),
    ("a       b\n--- = -----\nc       d", "a / c = b / d"),
    ("     a + b     e\nx = ------- ------- q\n       c   d", ""),
    ("Name    Value\n-----   -----\nx       3", None),
    ("Results = good\n--------------\nAll went well", None),
)


@pytest.mark.parametrize(("lines", "text"), DRAWINGS)
def test_a_drawn_fraction_becomes_one_line(lines: str, text: str | None) -> None:
    drawn = drawn_formula(lines.split("\n"))
    assert (None if drawn is None else drawn.text) == text


_INDENTED = "\n".join(f"    {line}" for line in _DRAWN.split("\n"))
DOCUMENTS = (
    ("text/markdown", f"# Malt\n\n```\n{_DRAWN}\n```\n"),
    ("text/markdown", f"# Malt\n\nThe share is\n\n{_INDENTED}\n"),
    ("text/plain", f"MALT\n\nThe share is\n\n{_DRAWN}\n\nwhere f_e is a fraction.\n"),
    ("text/x-rst", f"Malt\n====\n\nThe share is::\n\n{_INDENTED}\n\nwhere f_e is a fraction.\n"),
    ("text/x-org", f"* Malt\n\n#+BEGIN_EXAMPLE\n{_DRAWN}\n#+END_EXAMPLE\n"),
    ("text/asciidoc", f"= Malt\n\n----\n{_DRAWN}\n----\n"),
    ("text/html", f"<html><body><p>The share is</p><pre>{_DRAWN}</pre></body></html>"),
)


@pytest.mark.parametrize(("media_type", "text"), DOCUMENTS)
def test_every_format_reads_the_same_drawing(media_type: str, text: str) -> None:
    document = read_document(Source("x", text.encode()), media_type=media_type)
    (display,) = [block for block in document.blocks if isinstance(block, Display)]
    assert display.math.source == DRAWINGS[0][1]
    assert display.math.is_certain


def test_a_drawing_that_cannot_be_read_is_kept_as_a_guess() -> None:
    text = "Waste\n\n     a + b     e\nx = ------- ------- q\n       c   d\n"
    document = read_document(Source("x", text.encode()), media_type="text/plain")
    (display,) = [block for block in document.blocks if isinstance(block, Display)]
    assert not display.math.is_certain
    assert display.math.doubts


CASES = (
    (
        "fee = 2.0 * km           if km <= 10\nfee = 20 + 1.5*(km - 10) if km > 10",
        "fee = ((2.0 * km) if km <= 10 else (20 + 1.5*(km - 10)) if km > 10 else nan)",
        2,
    ),
    (
        "f = 0.8 B if B <= 5, else 1.1 B - 1.5",
        r"f = \begin{cases} 0.8 B & B \le 5 \\ 1.1 B - 1.5 & \text{otherwise} \end{cases}",
        1,
    ),
    (
        "F = 4 if h <= 1; 4 + 2.5 (h - 1) if h > 1",
        r"F = \begin{cases} 4 & h \le 1 \\ 4 + 2.5 (h - 1) & h > 1 \end{cases}",
        1,
    ),
    ("b = 0.05 s (if s <= 1000)", r"b = \begin{cases} 0.05 s & s \le 1000 \end{cases}", 1),
    ("fee = 5 if n < 3, otherwise 7 * n", "fee = ((5) if n < 3 else (7 * n))", 1),
    ("y = 2 m for men", None, 0),
    ("y = a for the case b < 3", None, 0),
)


@pytest.mark.parametrize(("lines", "source", "count"), CASES)
def test_lines_with_conditions_are_one_formula_by_cases(lines: str, source: str | None, count: int) -> None:
    found = cases_of(lines.split("\n"), formulas_in_line)
    assert (None if found is None else (found[0].source, found[1])) == (None if source is None else (source, count))


def test_prose_in_a_listing_explains_its_formulas() -> None:
    lines = ("# loss through the wall", "Q = U * A * (T_in - T_out)", "where A is the wall area in m2")
    text = "The loss::\n\n" + "".join(f"    {line}\n" for line in lines)
    document = read_document(Source("x", text.encode()), media_type="text/x-rst")
    sources = [block.math.source for block in document.blocks if isinstance(block, Display)]
    words = [plain_text(block.content) for block in document.blocks if isinstance(block, Paragraph)]
    assert sources == ["Q = U * A * (T_in - T_out)"]
    assert words == ["The loss:", "loss through the wall", "where A is the wall area in m2"]


@pytest.mark.parametrize(
    "program",
    [
        "x = 3\nfor i in range(3):\n    x = x * 2",
        "a = b * c\nreturn a",
        "alpha = 0.05\nse = s / n",
        "$ make\nd = v * t",
    ],
)
def test_a_program_stays_a_listing(program: str) -> None:
    document = read_document(Source("x", f"# Code\n\n```\n{program}\n```\n".encode()), media_type="text/markdown")
    assert [block.text for block in document.blocks if isinstance(block, Code)] == [program]


LABELLED = (
    ("h = k * w / t     (2)", "h = k * w / t"),
    ("v = d / t ... (b)", "v = d / t"),
    ("u = 3 k w (Eq. 4)", "u = 3 k w"),
    ("E = m c^2 (3)", "E = m c^{2}"),
    ("y = 3 sqrt (2)", r"y = 3 \sqrt{2}"),
    ("s = 0.75 d, where d is the depth", "s = 0.75 d"),
    ("s = 0.75 m", r"s = 0.75\ \mathrm{m}"),
)


@pytest.mark.parametrize(("line", "source"), LABELLED)
def test_what_stands_behind_a_typed_formula_is_no_factor(line: str, source: str) -> None:
    assert [found.source for found in formulas_in_line(line)] == [source]
