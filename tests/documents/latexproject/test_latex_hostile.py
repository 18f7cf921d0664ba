"""Documents made to hurt: each ends quickly in a note or a `DocumentError`, never in another error."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.documents.latex_project import read_latex_project
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError
from mathrag.types.document import Document, contents_of, formulas_of


def read(text: str, **limits: int) -> Document:
    return read_latex_project(Source("hostile.tex", text.encode(), limits=ReadingLimits(**limits)))


def attempt(text: str) -> Document | str:
    """The document, or the code of the error."""
    try:
        return read(text)
    except DocumentError as error:
        return error.code


def _laughs(levels: int) -> str:
    """Macros that stand for four of the one before each."""
    names = [f"\\a{chr(97 + level)}" for level in range(levels)]
    defined = [f"\\def{name}{{{before * 4}}}" for before, name in itertools.pairwise(names)]
    return f"\\def{names[0]}{{ha}}" + "".join(defined)


LAUGHS = _laughs(21)
BOMBS = {
    "itself": r"\def\a{\a}\a",
    "growing": r"\def\a{x\a}\a",
    "two": r"\def\a{\b}\def\b{\a}\a \b",
    "doubling": r"\def\a#1{\a{#1#1}}\a{x}",
    "laughs": LAUGHS + r"\au",
    "laughs in a formula": LAUGHS + r"$\au$",
    "environment": r"\newenvironment{e}{x\begin{center}}{\end{center}}\newenvironment{f}{\begin{f}}{}\begin{f}",
    "by name": r"\def\a{\csname a\endcsname}\a",
    "redefined": r"\renewcommand{\vec}[1]{\vec{#1}} $\vec{x}$",
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_defused(name: str) -> None:
    document = attempt(f"before $a = b$ {BOMBS[name]} \n\n after $c = d$")
    if isinstance(document, str):
        assert document in ("too_deep", "too_large")
        return
    assert {note.code for note in document.notes} & {"macro_bomb", "long_formula"}
    sources = [math.source for block in document.blocks for math in formulas_of(block)]
    assert "a = b" in sources
    assert len(repr(document)) < 2_000_000


def test_a_bomb_does_not_take_the_other_macros_along() -> None:
    document = read(r"\def\a{\a}\newcommand{\f}{F} \a $\f$")
    assert [math.source for block in document.blocks for math in formulas_of(block)] == ["F"]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("{" * 100_000, {"too_deep"}),
        ("}" * 100_000, {"unbalanced"}),
        (r"\textbf{" * 10_000, {"too_deep"}),
        (r"\begin{center}" * 10_000, {"too_deep"}),
        (r"\begin{tabular}{c}" * 10_000, {"too_deep"}),
        (r"\begin{itemize}\item " * 10_000, {"too_deep"}),
        (r"\newcommand{\f}[1]{#1}" + r"\f{" * 10_000, {"too_deep"}),
        (r"\begin{tabular}{" + "p{" * 10_000, {"too_deep"}),
    ],
)
def test_nesting_without_end_is_refused(text: str, codes: set[str]) -> None:
    with pytest.raises(DocumentError) as caught:
        read(text)
    assert caught.value.code in codes


@pytest.mark.parametrize(
    "text",
    [
        "{}" * 1_000_000,
        "$" * 20_000,
        "$" + "{" * 10_000 + "x" + "}" * 10_000 + "$",
        "\\" * 20_000,
        r"\iffalse " * 20_000,
        r"\csname " * 5_000,
        r"\expandafter" * 5_000,
        r"\section[" * 2_000,
        r"\'" * 10_000,
        r"\ensuremath{" * 150 + "}" * 150,
        r"\footnote{" * 150 + "x" + "}" * 150,
        r"\SI{" * 150 + "}" * 150,
        r"\input{" * 150 + "}" * 150,
        r"\begin{align}" + r"x\intertext{\begin{align}" * 60,
        r"\begin{tabular}{*{99999}{*{9999}{c}}}x\end{tabular}",
        r"\begin{tabular}{c}" + "&" * 20_000 + r"\end{tabular}",
        r"\def\a#1#2#3{#9#1}\a",
        r"\frac \section \textbf \begin \end \input \newcommand \def \let \multicolumn{2} \item[ \SI \ce \caption",
        r"\begin{verbatim}" * 2_000,
        r"\begin{tikzpicture}" * 2_000,
        "[" * 20_000,
        "#1" * 20_000,
        "^_" * 20_000,
        "a\x01\ue000b\ue001c \\ref{x}",
        "",
        " \n\n ",
    ],
)
def test_what_is_strange_is_read_all_the_same(text: str) -> None:
    document = attempt(text)
    if isinstance(document, str):
        assert document in ("too_deep", "unbalanced", "too_large")
    else:
        assert len(document.notes) <= 501


def test_limits_are_kept() -> None:
    with pytest.raises(DocumentError, match="bytes"):
        read("x" * 2_000, bytes=1_000)
    with pytest.raises(DocumentError, match="blocks"):
        read("x\n\n" * 200, blocks=100)
    with pytest.raises(DocumentError, match="nested"):
        read("{" * 12 + "x" + "}" * 12, depth=10)


def test_long_quotes_of_macros_do_not_add_up() -> None:
    text = r"\newcommand{\m}[1]{" + "$x$ " * 300 + "}" + ("\\m{" + "z " * 2_000 + "}") * 20
    document = read(text)
    assert (
        sum(len(math.quote) for block in document.blocks for math in formulas_of(block)) < 12 * len(text) + 200 * 6_000
    )


_PIECES = st.sampled_from(
    [
        *(
            "{ } [ ] $ $$ & # #1 ^ _ ~ % \\\\ \\( \\) \\[ \\] = , a b 3 \\alpha \\frac \\textbf \\section "
            "\\item \\def \\x \\newcommand \\begin{tabular}{cc} \\end{tabular} \\begin{align} \\end{align} "
            "\\begin{itemize} \\tag \\end{itemize} \\begin{equation} \\end{equation} \\multicolumn{2}{c} "
            "\\caption \\SI \\si{\\metre} \\iffalse \\else \\fi \\let \\footnote \\label{a} \\ref{a} \\hline "
            "\\verb|x| \\begin{figure} \\end{figure} \\csname \\endcsname \\ensuremath \\begin{verbatim} "
            "\\end{verbatim} \\title \\author \\and \\bibitem{k} \\intertext \\begin{thebibliography}{9} "
            "\\end{thebibliography} \\begin{document} \\end{document} \\documentclass{a} \\par \\' \\ce "
            "\\input"
        ).split(),
        "\n",
        "\n\n",
        " ",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES, max_size=60))
def test_any_mixture_of_commands_is_read(pieces: list[str]) -> None:
    text = "".join(pieces)
    try:
        document = read(text)
    except DocumentError:
        return
    assert document == read(text)
    for block in document.blocks:
        assert block.quote == "" or block.quote in text
        for math in formulas_of(block):
            assert math.source
            assert math.quote in text
            assert math.place.line is not None
        for content in contents_of(block):
            assert not re.search("[\ue000\ue001]", repr(content))
