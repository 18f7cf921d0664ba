"""How lines follow each other: order, redefinition, what is computed anew, errors, limits."""

from __future__ import annotations

import pytest

from mathrag.compute.patience import Patience
from mathrag.errors import LibraryError
from mathrag.types.expression import Equation
from mathrag.types.quantity import Quantity
from mathrag.worksheets import spreads
from mathrag.worksheets.engine import Engine
from mathrag.worksheets.reading import read_line
from mathrag.worksheets.results import Results
from mathrag.worksheets.seams import Asked, CitedConstant, CitedFormula, Link, known_constant


def run(*lines: str) -> Results:
    return Engine().run("\n".join(lines))


def messages(results: Results) -> list[str]:
    return [each.problem.message for each in results.problems if each.problem]


def test_a_later_line_redefines_a_name_for_those_after_it() -> None:
    results = run("a = 2 m", "b = 3*a", "a = 5 m", "c = 3*a", "b", "plot b for a = 0 m .. 1 m")
    assert [each.answer for each in results.lines[:5]] == ["2 m", "6 m", "5 m", "15 m", "6 m"]
    assert messages(results) == ["b does not depend on a"]


def test_limits_are_shown_as_written_with_the_standard_uncertainty_they_stand_for() -> None:
    results = run("U = 10.0 ± 0.3 V uniform", "s = 250 ± 30 mm triangular -> cm", "R = 50.0 ± 0.3 ohm", "V = U + 0 V")
    assert [each.answer for each in results.lines] == [
        "(10.00 ± 0.30) V", "(25.0 ± 3.0) cm", "(50.00 ± 0.30) Ω", "(10.00 ± 0.17) V",
    ]  # fmt: skip
    assert results.lines[0].latex == r"U = (10.00 \pm 0.30)\,\mathrm{V}"
    assert [each.notes for each in results.lines] == [
        ("uniform within these limits: standard uncertainty 0.173 V",),
        ("triangular within these limits: standard uncertainty 1.22 cm",),
        (),
        (),
    ]


def test_only_what_depends_on_a_change_is_computed_again() -> None:
    engine = Engine()
    sheet = "a = 2 m\nb = 3 m\nc = a*b\nd = 2*b\ne = c + a^2"
    assert engine.run(sheet).computed == {1, 2, 3, 4, 5}
    assert engine.run(sheet).computed == set()
    assert engine.run(sheet.replace("a = 2 m", "a = 4 m")).computed == {1, 3, 5}
    assert engine.run(f'" words\n{sheet}').computed == {1}
    assert engine.run(sheet.replace("2*b", "7*b")).computed == {4}


def test_results_do_not_depend_on_what_was_kept() -> None:
    engine = Engine()
    for value in ("2 m", "4 m", "2 m"):
        sheet = f"a = {value}\nb = 3*a\nq = b + 1 kg\nr = 2*q"
        assert [each.text for each in engine.run(sheet).lines] == [each.text for each in Engine().run(sheet).lines]
        assert messages(engine.run(sheet)) == messages(Engine().run(sheet))


def test_an_error_is_told_again_with_the_line_it_moved_to() -> None:
    engine = Engine()
    engine.run("a = b\nc = 2*a")
    assert messages(engine.run('" one more\na = b\nc = 2*a')) == [
        "b has no value here; define it on a line above",
        "a comes from line 2, which has an error",
    ]


def test_units_that_are_names_are_told_once() -> None:
    results = run("m = 2 kg", "h = 10 m", "k = 3 m")
    assert results.lines[1].notes == ("m behind a number is the unit, not the value m",)
    assert results.lines[2].notes == ()


def test_turns_and_angles_keep_their_factor() -> None:
    results = run("n = 60 ± 6 rpm", "f = n -> Hz", "g = 2*f", "worst g")
    value = results.values["g"]
    assert (value.value, value.uncertainty) == (pytest.approx(2.0), pytest.approx(0.2))
    assert results.lines[3].text == "g = 1.8 Hz … 2.2 Hz" or "1.79" in results.lines[3].text


def test_temperatures() -> None:
    results = run("T = -5 degC", "U = T -> K", "Delta_T = 10 degC", "V = T + Delta_T -> degC")
    assert [each.answer for each in results.lines] == ["−5 °C", "268.15 K", "10 °C", "5 °C"]
    assert "absolute zero" in messages(run("T = -300 degC -> K"))[0]


def test_a_system_with_values_from_above_follows_them() -> None:
    results = run("R = 10 ± 1 ohm", "U = 12 V", "solve I*R = U - W, W = I*(20 ohm) for I, W", "P = I*W")
    assert results.values["I"].value == pytest.approx(0.4)
    assert results.values["I"].uncertainty == pytest.approx(0.4 / 30)
    assert results.values["P"].value == pytest.approx(3.2)
    assert results.values["P"].uncertainty == pytest.approx(2 * 3.2 / 30)


def test_systems_that_are_wrong_are_refused() -> None:
    assert "does not occur" in messages(run("solve a = 3 m, a = 2 m for a, b"))[0]
    assert messages(run("solve a + b = 3 m, a + b = 4 m for a, b"))
    assert messages(run("solve a = 3 m + 2 s for a"))
    assert messages(run("solve a + b = 3 m, a*b = 2 m for a, b"))


def test_goals_tell_every_value_found_and_refuse_a_name_for_several() -> None:
    one = run("a = 2", "y = a^2 - 4*a", "goal y = -3 by a in 0 .. 10")
    assert one.lines[2].answer == "1 or 3"
    assert (
        "2 values meet the goal: 1 or 3"
        in messages(run("a = 2", "y = a^2 - 4*a", "goal y = -3 by a in 0 .. 9 as b"))[0]
    )
    assert "makes y = 99" in messages(run("a = 2", "y = a^2", "goal y = 99 by a in 0 .. 3"))[0]
    assert "dimension" in messages(run("a = 2 m", "y = a^2", "goal y = 3 m by a in 0 m .. 3 m"))[0]
    assert "must rise" in messages(run("a = 2 m", "goal 2*a = 3 m by a in 3 m .. 1 m"))[0]


def test_a_value_found_by_search_says_that_its_uncertainty_is_lost() -> None:
    results = run(
        "k = 2.0 ± 0.1 N/m", "x = 1 m", "F = k*x", "goal F = 3 N by x in 0 m .. 9 m as y", "z = 2*y", "worst z"
    )
    assert results.lines[3].answer == "1.5 m"
    assert results.lines[4].notes == ("without the uncertainty of k",)
    assert "not known here" in messages(results)[0]


def test_plots_have_units_and_gaps() -> None:
    results = run("v = 3 m/s", "E = (2 kg)*v^2 -> kJ", "plot E for v = 0 .. 10 m/s", "plot sqrt(x - 1) for x = 0 .. 2")
    curve = results.lines[2].curve
    assert curve is not None
    assert (curve.horizontal_unit, curve.vertical_unit) == ("m/s", "kJ")
    assert curve.points[-1] == (10.0, pytest.approx(0.2))
    assert results.lines[3].notes == ("80 of 161 points have no value",)
    assert messages(run("v = 3 m/s", "plot v^2 for v = 0 s .. 1 s"))


class _Sources:
    """A library of one formula and one answer."""

    version = "1"
    asked: tuple[str, ...] = ()

    def cited(self, text: str) -> CitedFormula | CitedConstant:
        constant = known_constant(text)
        if constant is not None:
            return constant
        if text != "kinetic energy":
            raise LibraryError(f"no formula is called {text!r}")
        line = read_line("e = m*v^2/2")
        return CitedFormula(Link("Kinetic energy", "f-1"), (_equation("E_k", line),))

    def ask(self, question: str) -> Asked:
        self.asked = (*self.asked, question)
        return Asked("81 m", Quantity(81.0))


def _equation(left: str, line: object) -> Equation:
    from mathrag.types.expression import Symbol
    from mathrag.worksheets.lines import Assignment

    assert isinstance(line, Assignment)
    return Equation(Symbol(left), line.formula.tree)


def test_a_formula_of_the_library_is_computed_and_solved_with_uncertainties() -> None:
    engine = Engine(_Sources())
    cited = "E = [kinetic energy](m, v=2*1.5 m/s)\nv = [kinetic energy](m, E_k=E) -> km/h\nq = [nothing](m)"
    results = engine.run(f"m = 2.0 ± 0.1 kg\n{cited}")
    assert results.lines[1].links == (Link("Kinetic energy", "f-1"),)
    assert results.values["E"].value == pytest.approx(9.0)
    assert results.values["E"].uncertainty == pytest.approx(0.45)
    # The energy came from the same mass, so the speed has no uncertainty left.
    assert results.values["v"].value == pytest.approx(10.8)
    assert results.values["v"].uncertainty == pytest.approx(0.0, abs=1e-9)
    assert messages(results) == ["no formula is called 'nothing'"]


def test_values_are_put_into_questions() -> None:
    sources = _Sources()
    results = Engine(sources).run("v = 27 m/s\nt = 3.0 ± 0.1 s\nd = ? how far at {v} in {t}\nx = 2*d")
    assert sources.asked == ("how far at 27 m/s in 3 s",)
    assert results.lines[3].notes == ("without the uncertainty of t",)


def test_without_a_library_constants_are_known_and_the_rest_is_refused() -> None:
    results = run("c = [speed of light]", "E = [kinetic energy](m)", "? how far")
    assert results.values["c"].value == 299792458
    assert len(messages(results)) == 2
    assert all("--library" in each for each in messages(results))


@pytest.mark.parametrize(
    "line",
    [
        "x = 9^9^9^9",
        "x = factorial(100000)",
        "x = sum(k for k in range(1, 10**9))",
        "x = 1/0",
        "x = sqrt(-1)",
        "x = 1e300 m * 1e300 m",
        "solve x^9 + x*y^7 = 3, y^9 + x^5 = 2, z^3 = x*y for x, y, z",
        "plot 1/0 for x = 0 .. 1",
        "goal x = 2 by x in 0 .. 1e400",
    ],
)
def test_hostile_lines_end_as_errors(line: str) -> None:
    results = run(line)
    assert len(results.problems) == 1


def test_chains_that_double_stay_small() -> None:
    sheet = ["x = 1.5 ± 0.1"] + ["x = x*x - x + x/3"] * 60 + ["montecarlo x 200", "goal x = 3 by x in 0 .. 2"]
    results = run(*sheet)
    assert len(results.lines) == 63


def test_late_lines_are_not_computed() -> None:
    results = Engine(seconds=-1.0).run('" text\nx = 1')
    assert results.lines[0].problem is None
    assert "took longer" in messages(results)[0]


def test_what_was_late_is_computed_the_next_time() -> None:
    engine = Engine(seconds=-1.0)
    assert engine.run("x = 1\ny = x + 1").problems
    engine.seconds = 30.0
    assert not engine.run("x = 1\ny = x + 1").problems


def test_a_line_that_ran_out_of_time_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, sheet = Engine(), "x = 1.0 ± 0.1\ny = x^2\nmontecarlo y 1000 seed 1"
    monkeypatch.setattr(spreads, "Patience", lambda _: Patience(-1.0))
    assert "took too long" in messages(engine.run(sheet))[0]
    monkeypatch.undo()
    assert not messages(engine.run(sheet))
