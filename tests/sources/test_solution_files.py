"""Solutions as people write them: problem, steps and answer out of text, Markdown, LaTeX and pages."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from hand_written_pdf import lines_down_a_page, write_pdf
from mathrag.documents.registry import read_path
from mathrag.errors import DocumentError
from mathrag.sources.procedures.solution_files import (
    MOST_CHARACTERS,
    MOST_STEPS,
    UNREAD,
    SolutionText,
    solution_of,
    solution_of_text,
)
from mathrag.types.document import Display, Document, Math, Paragraph, Place, Text

LATEX = r"""\documentclass{article}\newcommand{\half}{\frac12}\begin{document}
\textbf{Problem.} Half of four apples at \$3 each are sold.

\begin{enumerate}
\item We have $\half\cdot 4 = 2$.
\item So
\begin{align*}
x &= 7 - 3 \\
  &= 5
\end{align*}
\end{enumerate}
Hence $\boxed{5}$.
\end{document}
"""


def _texts(read: SolutionText) -> list[str]:
    return [step.text for step in read.solution.steps]


def _problem(read: SolutionText) -> str:
    return read.solution.problem.text if read.solution.problem is not None else ""


def test_titles_part_problem_steps_and_answer() -> None:
    read = solution_of_text(
        "**Problem:** A shop has 12 boxes of 8 pens.\n\n**Solution:**\n\n1. There are 3*4*8 = 96 pens.\n"
        "2. Half: \\(96 / 2 = 48\\).\n\nAnswer: $\\boxed{48}$\n"
    )
    assert _problem(read) == "A shop has 12 boxes of 8 pens."
    assert _texts(read) == ["There are 3*4*8 = 96 pens.", r"Half: \(96 / 2 = 48\).", r"$\boxed{48}$"]
    assert [step.line for step in read.solution.steps] == [5, 6, 8]
    assert read.solution.answer == r"$\boxed{48}$"


def test_without_titles_all_of_it_are_steps() -> None:
    read = solution_of_text("First 3 + 4 = 7.\n\nThen 7 + 1 = 8.")
    assert read.solution.problem is None
    assert read.solution.answer == ""
    assert _texts(read) == ["First 3 + 4 = 7.", "Then 7 + 1 = 8."]


def test_the_problem_may_be_given_beside_the_text() -> None:
    assert _problem(solution_of_text("Problem: one thing.\n\nStep 1: 2 + 2 = 4", problem="Another")) == "Another"


def test_what_stands_before_the_title_of_the_solution_is_the_problem() -> None:
    read = solution_of_text("How many legs have 7 cows?\n\n## Solution\n\n7 * 4 = 28")
    assert _problem(read) == "How many legs have 7 cows?"
    assert _texts(read) == ["7 * 4 = 28"]


def test_a_problem_without_an_end_is_one_paragraph() -> None:
    read = solution_of_text("Problem 3: Find x.\n\nStep 1: 2x = 8\nStep 2: x = 4\n\nTherefore x = 4.")
    assert _problem(read) == "Find x."
    assert _texts(read) == ["Step 1: 2x = 8", "Step 2: x = 4", "Therefore x = 4."]


def test_items_between_problem_and_answer_are_steps() -> None:
    read = solution_of_text("Problem: Find x.\n\n1. 2x = 8\n2. x = 4\n\nAnswer: 4")
    assert (_problem(read), _texts(read), read.solution.answer) == ("Find x.", ["2x = 8", "x = 4", "4"], "4")


def test_a_worked_answer_is_the_solution() -> None:
    read = solution_of_text(
        "Question: Tom has 3 cows.\nHe buys 4 more. How many?\nAnswer: Tom has 3 + 4 = 7 cows.\n"
        "Each eats 5 kg, so 7 * 5\n= 35 kg.\n#### 35"
    )
    assert _problem(read) == "Tom has 3 cows.\nHe buys 4 more. How many?"
    assert _texts(read) == ["Tom has 3 + 4 = 7 cows.", "Each eats 5 kg, so 7 * 5\n= 35 kg.", "35"]
    assert read.solution.answer == "35"


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("The sum is 3 + 4 +\n5 = 12", 1),
        ("The sum is 3 + 4\n+ 5 = 12", 1),
        ("The area of the\nrectangle is 12.", 1),
        ("\\[ 3 + 4\n= 7 \\]", 1),
        ("$$\n\\begin{aligned} x &= 3\\\\\ny &= 4 \\end{aligned}\n$$", 1),
        ("x + 3 = 7\nx = 4", 2),
        ("He pays 3 * 4 = 12\nShe pays 12 + 1 = 13", 2),
        ("They are 3.\nThey are 4.", 2),
        ("We get\nStep 2: nothing", 2),
        ("a) 3 + 4 = 7\nb) 1 + 1 = 2", 2),
    ],
)
def test_a_line_break_is_a_step_only_where_nothing_goes_on(text: str, steps: int) -> None:
    assert len(_texts(solution_of_text(text))) == steps


def test_an_indented_text_is_no_program() -> None:
    assert _texts(solution_of_text("    3 + 4 = 7\n\n    5 + 5 = 11")) == ["3 + 4 = 7", "5 + 5 = 11"]
    read = solution_of_text("We compute:\n\n```python\nx = x + 1\n```\n\nSo 3 + 4 = 7.")
    assert _texts(read) == ["We compute:", "So 3 + 4 = 7."]
    assert read.notes == ("program text was left out",)


def test_latex_keeps_formulas_and_expands_macros() -> None:
    read = solution_of_text(LATEX)
    assert _problem(read) == r"Half of four apples at \$3 each are sold."
    first, second, third = _texts(read)
    assert first == r"We have $\frac12\cdot 4 = 2$."
    assert second.startswith("So $$\\begin{aligned} x & = 7 - 3")
    assert third == r"Hence $\boxed{5}$."
    assert [step.line for step in read.solution.steps] == [5, 6, 12]


def test_a_latex_text_takes_no_files() -> None:
    read = solution_of_text(
        "\\documentclass{article}\\begin{document}\n\\input{/etc/passwd}\nSo $3+4=7$.\n\\end{document}"
    )
    assert "root" not in "".join(_texts(read))


def test_a_page_of_a_pdf(tmp_path: Path) -> None:
    path = write_pdf(
        tmp_path / "exam.pdf",
        lines_down_a_page("Exam", "Nothing to compute here."),
        lines_down_a_page("Problem: 12 boxes of 8 pens.", "Solution:", "There are 12 * 8 = 96 pens."),
    )
    document = read_path(path)
    read = solution_of(document, page=2)
    assert "12 boxes" in _problem(read)
    assert _texts(read) == ["There are $12*8=96$ pens."]
    with pytest.raises(DocumentError, match="no text on a page 9"):
        solution_of(document, page=9)
    with pytest.raises(DocumentError, match="no pages"):
        solution_of(read_path(_note(tmp_path)), page=1)


def _note(folder: Path) -> Path:
    path = folder / "note.md"
    path.write_text("3 + 4 = 7")
    return path


def test_what_a_page_does_not_show_surely_is_not_judged() -> None:
    place = Place(page=1)
    guess = Math("3 + 4 = 8", "latex", place, "3 + 4 = 8", is_display=True, confidence=0.5)
    document = Document(
        "scan.pdf", "application/pdf", "0" * 64,
        (Paragraph(place, "", (Text("We pay $3 and get "), guess)), Display(place, "", guess)),
    )  # fmt: skip
    read = solution_of(document)
    assert _texts(read) == [rf"We pay \$3 and get {UNREAD}", UNREAD]
    assert "could not be read with certainty" in read.notes[0]


@pytest.mark.parametrize("text", ["", "   \n\n", "Problem: Find x."])
def test_nothing_to_check_is_said(text: str) -> None:
    with pytest.raises(DocumentError, match=r"nothing to check|no step to check"):
        solution_of_text(text)


def test_too_much_is_refused() -> None:
    with pytest.raises(DocumentError, match="characters"):
        solution_of_text("x" * (MOST_CHARACTERS + 1))
    with pytest.raises(DocumentError, match="steps"):
        solution_of_text("x = 1\n\n" * (MOST_STEPS + 1))


@pytest.mark.parametrize("unit", ["=", "$", "\\begin{a}", "aaaa ", "(1) ", "# ", "* ", "answer", "<", "\\[", "3 + "])
def test_hostile_text_takes_no_time(unit: str) -> None:
    with contextlib.suppress(DocumentError):
        solution_of_text(unit * (60_000 // len(unit)))
