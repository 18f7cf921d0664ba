"""What documents and questions say cannot reach the terminal, the page or the typesetter as anything but text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.answer.cards.formats import ANSWER_FORMATS, AnswerFormat, render
from mathrag.answer.clean_text import clean, is_safe_latex, markdown_code, markdown_text, shown_latex
from mathrag.types.answer import Outcome, Reply
from outcome_samples import HOSTILE, HOSTILE_LABEL, HOSTILE_REFUSAL

CHAT = Reply(HOSTILE_LABEL, HOSTILE_LABEL, warnings=(HOSTILE_LABEL,))


@pytest.mark.parametrize("style", ANSWER_FORMATS)
@pytest.mark.parametrize("outcome", [HOSTILE, HOSTILE_REFUSAL, CHAT], ids=["answer", "refusal", "chat"])
def test_no_control_character_comes_through(outcome: Outcome, style: AnswerFormat) -> None:
    shown = render(outcome, style, library="lib\x1b[2J")
    assert all(line.isprintable() for line in shown.split("\n"))


@pytest.mark.parametrize("outcome", [HOSTILE, HOSTILE_REFUSAL, CHAT], ids=["answer", "refusal", "chat"])
def test_latex_holds_no_command_of_a_stranger(outcome: Outcome) -> None:
    shown = render(outcome, "latex")
    commands = set(re.findall(r"\\([A-Za-z]+)", shown))
    assert not commands & {"input", "write", "immediate", "href", "include"}
    assert shown.count("{") == shown.count("}") or "\\{" in shown
    # After the end of a row, a bracket would be its optional argument.
    assert not re.search(r"\\\\\s*\n?\s*[\[*]", shown)


@pytest.mark.parametrize("outcome", [HOSTILE, HOSTILE_REFUSAL, CHAT], ids=["answer", "refusal", "chat"])
def test_markdown_shows_hostile_text_and_nothing_else(outcome: Outcome) -> None:
    from markdown_it import MarkdownIt

    page = MarkdownIt("gfm-like", {"linkify": False}).render(render(outcome, "markdown"))
    assert "<script" not in page
    assert "<a " not in page
    assert "<h1" not in page
    titles = re.findall(r"<h3>(.*?)</h3>", page)
    assert not any("evil" in title for title in titles)


@pytest.mark.parametrize("outcome", [HOSTILE, HOSTILE_REFUSAL, CHAT], ids=["answer", "refusal", "chat"])
def test_html_holds_only_tags_of_ours(outcome: Outcome) -> None:
    shown = render(outcome, "html")
    tags = set(re.findall(r"</?([a-z0-9]+)", shown))
    assert tags <= {
        *("article section p h3 ul li table thead tbody tr th td strong code div".split()),
        *("math mrow mi mn mo mtext msub msup msubsup mover munder munderover mfrac msqrt mroot mspace".split()),
        *("mtable mtr mtd".split()),
    }
    assert not re.search(r"""<[^>]*\b(?:on[a-z]+|href|src|style)\s*=""", shown)


def test_a_row_of_a_markdown_table_keeps_its_cells() -> None:
    for line in render(HOSTILE, "markdown").splitlines():
        if line.startswith("| $m"):
            assert len(re.findall(r"(?<!\\)\|", line)) == (4 if "question" in line else 3)


@given(st.text())
def test_clean_text_is_one_printable_line(text: str) -> None:
    shown = clean(text)
    assert shown.isprintable()
    assert len(shown) <= 400
    assert clean(shown) == shown


@given(st.text(max_size=60))
def test_markdown_prints_the_text_itself(text: str) -> None:
    import html

    from markdown_it import MarkdownIt

    line = clean(text)
    page = MarkdownIt("commonmark").render(markdown_text(text))
    assert html.unescape(re.sub(r"</?p>|\n$", "", page)).strip() == line.strip()
    if line:
        code = MarkdownIt("commonmark").render(markdown_code(text))
        assert html.unescape(re.sub(r"</?(?:p|code)>|\n$", "", code)).strip() == line.strip()


@pytest.mark.parametrize(
    "latex",
    [
        r"E = m c^2",
        r"v_{\mathrm{rms}} = \sqrt{\frac{3RT}{M}}",
        r"f = \begin{cases} 1 & x > 0 \\ 2 & x < 0 \end{cases}",
        r"\left| x \right| = \SI{5}{kg}\,\%",
    ],
)
def test_mathematics_is_safe(latex: str) -> None:
    assert is_safe_latex(latex)
    assert "<" not in shown_latex(latex)


@pytest.mark.parametrize(
    "latex",
    [
        "",
        r"\input{/etc/passwd}",
        r"\write18{rm}",
        r"x $ y",
        r"x % comment",
        r"{x",
        r"x}{",
        r"\begin{document}x\end{document}",
        r"\begin{cases}x",
        r"\def\x{y}",
        r"\href{javascript:x}{y}",
        "[x](y)",
        "https://x",
        "x \x1b[31m",
        "a\u202eb",
        "`x`",
        "x" * 2000,
        "\\",
        r"\begin",
        "#1",
        "~",
    ],
)
def test_anything_doubtful_is_not_safe(latex: str) -> None:
    assert not is_safe_latex(latex)


def test_a_megabyte_costs_nothing() -> None:
    assert len(clean("a\x1b" * 500_000)) <= 400
