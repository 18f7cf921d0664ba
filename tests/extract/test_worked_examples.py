"""Worked examples read as cases: the problem, each of its questions, the printed result and the formulas used."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from mathrag.compute.canonical import canonical_key
from mathrag.compute.latex import read_latex
from mathrag.documents.registry import read_path
from mathrag.extract.pipeline import extract
from mathrag.types.expression import Reading
from mathrag.types.library import Case


def _cases(folder: Path, name: str, text: str) -> tuple[Case, ...]:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return extract(read_path(file), document_id="d-1").cases


def _form(latex: str) -> str:
    reading = read_latex(latex)
    assert isinstance(reading, Reading)
    return canonical_key(reading.equations[0])


BOXED = r"""<html><body><h1>Winches</h1><h2>Pulling</h2>
<p>The power of a winch is</p><p>\[P = F v\]</p><p>where \(F\) is the force in N and \(v\) the speed in m/s.</p>
<section class="example"><h3>Hauling a boat</h3>
<p>A winch hauls a boat of 800 kg up a slip at 0.50 m/s. The rope is pulled with a force of 2400 N. What power does the
winch need?</p>
<p><strong>Strategy</strong> We know the force and the speed of the rope.</p>
<p><strong>Solution</strong></p><p>The power is</p><p>\[P = F v\]</p>
<p>Entering the values,</p><p>\[P = (2400\ \mathrm{N})(0.50\ \mathrm{m/s}) = 1200\ \mathrm{W}\]</p>
<p><strong>Discussion</strong></p><p>A car has a power of \(P = 70\ \mathrm{kW}\).</p></section>
<p>The rope runs over a drum.</p>
<script src="mathjax.js"></script></body></html>"""


def test_a_box_is_a_case_with_its_result_and_its_formula(tmp_path: Path) -> None:
    (case,) = _cases(tmp_path, "winches.html", BOXED)
    assert case.title == "Hauling a boat"
    assert case.name == "the example “Hauling a boat”"
    assert case.problem.startswith("A winch hauls a boat")
    assert case.problem.endswith("What power does the winch need?")
    assert (case.symbol, case.value, case.unit) == ("P", Decimal(1200), "W")
    assert _form("P = F v") in [one.form for one in case.formulas]


def test_what_the_discussion_says_is_no_result(tmp_path: Path) -> None:
    (case,) = _cases(tmp_path, "winches.html", BOXED)
    assert case.value != Decimal(70)


PARTS = r"""# Trolleys

## Motion

The force on a trolley is $F = m a$, where $m$ is the mass in kg and $a$ the acceleration in m/s^2.

### Example 3.2: A loaded trolley

A trolley starts from rest and reaches 1.8 m/s within 1.2 s. (a) What is its acceleration? (b) What force is needed? The
trolley has a mass of 40 kg.

**Solution for (a)**

$$a = \frac{\Delta v}{\Delta t} = \frac{1.8\ \mathrm{m/s}}{1.2\ \mathrm{s}} = 1.5\ \mathrm{m/s^2}$$

**Solution for (b)**

$$F = m a = (40\ \mathrm{kg})(1.5\ \mathrm{m/s^2}) = 60\ \mathrm{N}$$

## Rest

Nothing moves.
"""


def test_a_question_in_parts_gives_a_case_for_each(tmp_path: Path) -> None:
    first, second = _cases(tmp_path, "trolleys.md", PARTS)
    assert (first.number, first.title, first.part) == ("3.2", "A loaded trolley", "a")
    assert (first.name, second.name) == ("Example 3.2 (a)", "Example 3.2 (b)")
    assert (first.value, first.unit) == (Decimal("1.5"), "m/s^2")
    assert (second.value, second.unit) == (Decimal(60), "N")
    assert "What force" not in first.problem
    assert "What is its acceleration" not in second.problem
    # What is told to all parts stays with each, also behind the last.
    assert first.problem.endswith("The trolley has a mass of 40 kg.")


def test_parts_that_the_solution_does_not_tell_apart_are_no_cases(tmp_path: Path) -> None:
    text = PARTS.replace("**Solution for (a)**", "**Solution**").replace("**Solution for (b)**", "It follows that")
    assert _cases(tmp_path, "trolleys.md", text) == ()


LATEX = r"""\documentclass{article}
\newtheorem{example}{Example}
\begin{document}
\section{Heat}
The heat stored in a brick is
\begin{equation} Q = m c \Delta T \end{equation}
where $m$ is the mass in kg, $c$ the specific heat capacity in J/(kg K) and $\Delta T$ the change of temperature in K.
\begin{example}
A storage heater holds bricks of 120 kg with a specific heat capacity of 840 J/(kg K). How much heat do they take up
when they warm by 50 K?

Solution. We use
\begin{equation} Q = m c \Delta T = 5.04\times 10^{6}\ \mathrm{J} \end{equation}
\end{example}
\end{document}
"""


def test_an_environment_is_a_case(tmp_path: Path) -> None:
    (case,) = _cases(tmp_path, "heat.tex", LATEX)
    assert "How much heat do they take up" in case.problem
    assert "We use" not in case.problem
    assert (case.value, case.unit) == (Decimal("5.04E+6"), "J")


LEADS = r"""# Pumps

**Example 1.** A pump lifts 30 kg of water each second by 4 m. Find its power.

The power is $P = \dot{m} g h = 1180\ \mathrm{W}$.

**Example 2.** Pumps are used in wells.

They are noisy.
"""


def test_without_a_word_for_the_solution_it_begins_behind_the_question(tmp_path: Path) -> None:
    (case,) = _cases(tmp_path, "pumps.md", LEADS)
    assert case.number == "1"
    assert case.problem == "A pump lifts 30 kg of water each second by 4 m. Find its power."
    assert (case.value, case.unit) == (Decimal(1180), "W")


def test_a_value_of_another_kind_than_asked_is_no_result(tmp_path: Path) -> None:
    text = BOXED.replace("1200\\ \\mathrm{W}", "1200\\ \\mathrm{W}\\]</p><p>so that \\[t = 30\\ \\mathrm{s}")
    (case,) = _cases(tmp_path, "winches.html", text)
    assert (case.value, case.unit) == (Decimal(1200), "W")


def test_running_text_has_no_cases(tmp_path: Path) -> None:
    text = "# Ropes\n\nHow strong is a rope? Its strength is $F = \\sigma A$, say $F = 300\\ \\mathrm{N}$.\n"
    assert _cases(tmp_path, "ropes.md", text) == ()


def test_reading_twice_gives_the_same_cases(tmp_path: Path) -> None:
    assert _cases(tmp_path, "trolleys.md", PARTS) == _cases(tmp_path, "trolleys.md", PARTS)


def test_a_long_hostile_example_ends_soon(tmp_path: Path) -> None:
    text = "# A\n\n**Example 1.** " + "(a) (b) " * 4000 + "Find x.\n\n**Solution** " + "= " * 4000 + "\n"
    assert _cases(tmp_path, "hostile.md", text) == ()
