"""Formulas that read alike: when a question makes sense, and what arithmetic shows without one."""

from __future__ import annotations

import pytest

from mathrag.compute.canonical import canonical_key
from mathrag.compute.latex import read_latex
from mathrag.extract.duplicates import are_comparable, description, proof_of_sameness, signature
from mathrag.knowledge.units import read_unit
from mathrag.types.expression import Reading
from mathrag.types.library import Formula, SymbolMeaning


def made(latex: str, units: dict[str, str], *, constants: dict[str, str] | None = None) -> Formula:
    reading = read_latex(latex)
    assert isinstance(reading, Reading)
    (equation,) = reading.equations
    symbols = tuple(
        SymbolMeaning(
            name,
            f"the {name}",
            unit,
            read_unit(unit).dimension if unit != "?" else None,
            constant=(constants or {}).get(name),
        )
        for name, unit in units.items()
    )
    form = canonical_key(equation)
    return Formula("f-1", form, "A label", latex, "executable", (), equation=equation, symbols=symbols)


KINETIC = made(r"E = \frac{1}{2} m v^2", {"E": "J", "m": "kg", "v": "m/s"})


@pytest.mark.parametrize(
    ("other", "proof"),
    [
        (made(r"K = \frac{1}{2} M u^2", {"K": "J", "M": "kg", "u": "m/s"}), "renaming: E -> K, m -> M, v -> u"),
        (made(r"K = \frac{M u u}{2}", {"K": "J", "M": "kg", "u": "m/s"}), "renaming: E -> K, m -> M, v -> u"),
        (made(r"K = \frac{1}{3} M u^2", {"K": "J", "M": "kg", "u": "m/s"}), ""),
        (made(r"K = M u^2", {"K": "J", "M": "kg", "u": "m/s"}), ""),
        (made(r"E = m v^2", {"E": "J", "m": "kg", "v": "m/s"}), ""),
        (made(r"E = \frac{1}{2} m c^2", {"E": "J", "m": "kg", "c": "m/s"}, constants={"c": "speed_of_light"}), ""),
    ],
)
def test_what_arithmetic_shows(other: Formula, proof: str) -> None:
    assert proof_of_sameness(KINETIC, other) == proof


def test_letters_that_are_the_same_need_no_renaming() -> None:
    first = made(r"y = \sin^2 x + \cos^2 x", {"y": "", "x": ""})
    second = made(r"y = \cos^2 x + \sin^2 x", {"y": "", "x": ""})
    assert proof_of_sameness(first, second) == "algebra"


def test_only_what_has_one_signature_is_compared() -> None:
    renamed = made(r"K = \frac{1}{2} M u^2", {"K": "J", "M": "kg", "u": "m/s"})
    assert are_comparable(KINETIC, renamed)
    assert not are_comparable(KINETIC, KINETIC)
    work = made("W = F s", {"W": "J", "F": "N", "s": "m"})
    assert not are_comparable(KINETIC, work)
    assert signature(made("W = F s", {"W": "J", "F": "?", "s": "m"})) is None
    # The same quantities, given for another one of them.
    assert not are_comparable(work, made("G = \\frac{U}{h}", {"G": "N", "U": "J", "h": "m"}))


def test_the_description_is_for_reading() -> None:
    text = description(KINETIC)
    assert r"E = \frac{1}{2} m v^2" in text
    assert "the m [kg]" in text


@pytest.mark.growth
def test_many_symbols_do_not_take_for_ever() -> None:
    names = [f"x_{{{number}}}" for number in range(9)]
    units = {f"x_{number}": "m" for number in range(9)}
    first = made(f"L = {' + '.join(names)}", {"L": "m", **units})
    other = {f"y_{number}": "m" for number in range(9)}
    second = made(f"M = {' + '.join(names).replace('x', 'y')} + y_{{0}}", {"M": "m", **other})
    assert proof_of_sameness(first, second) == ""
