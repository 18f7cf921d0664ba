"""When two formulas count as the same: order, arrows, chains, other letters; and when they do not."""

from __future__ import annotations

import pytest

from mathrag.evaluate.formula_identity import Catalogue, bare_text, equations_of, is_same, symbol_name
from mathrag.types.library import Formula, SymbolMeaning
from mathrag.types.quantity import Dimension

MASS, SPEED = Dimension.of({"mass": 1}), Dimension.of({"length": 1, "time": -1})
LENGTH, FORCE = Dimension.of({"length": 1}), Dimension.of({"length": 1, "mass": 1, "time": -2})
ENERGY = FORCE * LENGTH


def _formula(name: str, latex: str, dimensions: dict[str, Dimension], *, kind: str | None = None) -> Formula:
    (equation, *_) = equations_of(latex)
    symbols = tuple(
        SymbolMeaning(one, dimension=dimension, kind=kind if one == equation.target else None)
        for one, dimension in dimensions.items()
    )
    return Formula(name, "", name, latex, "executable", (), equation=equation, symbols=symbols)


WORK = _formula("work", "W = F d", {"W": ENERGY, "F": FORCE, "d": LENGTH}, kind="work")
OTHER_WORK = _formula("other-work", "A = s K", {"A": ENERGY, "K": FORCE, "s": LENGTH}, kind="work")
TORQUE = _formula("torque", r"\tau = r F", {"tau": ENERGY, "F": FORCE, "r": LENGTH}, kind="torque")
KINETIC = _formula("kinetic", r"K = \frac{1}{2}mv^2", {"K": ENERGY, "m": MASS, "v": SPEED}, kind="energy")
CATALOGUE = Catalogue([WORK, OTHER_WORK, TORQUE, KINETIC])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (r"K = \frac{1}{2}mv^2", r"K = \dfrac{m v^{2}}{2}"),
        (r"PV = nRT", r"P = \frac{nRT}{V}"),
        (r"\vec{F}\_{g} = m\vec{g}", r"F_{g} = m g"),
        (r"F = k\frac{q_1 q_2}{r^2}\hat{r}", r"F = \frac{k q_1 q_2}{r^2}"),
    ],
)
def test_the_same(first: str, second: str) -> None:
    assert any(is_same(one, other) for one in equations_of(first) for other in equations_of(second))


@pytest.mark.parametrize(
    ("used", "wanted", "likeness"),
    [
        ("kinetic", r"K = \frac{mv^2}{2}", "same"),
        ("other-work", "W = Fd", "equivalent"),
        ("torque", "W = Fd", "other"),
        ("kinetic", "W = Fd", "other"),
        ("kinetic", r"E = \frac{1}{2}mv^2", "equivalent"),
        ("kinetic", r"p = mv", "other"),
    ],
)
def test_likeness(used: str, wanted: str, likeness: str) -> None:
    assert CATALOGUE.likeness({"id": used}, wanted, frozenset()) == likeness


def test_the_link_of_a_chain_that_fits_the_question_is_wanted() -> None:
    chain = r"U = \frac{Q^{2}}{2C} = \frac{1}{2}CV^{2}"
    names = frozenset({"U", "C", "V"})
    assert CATALOGUE.likeness({"latex": r"U = \frac{1}{2}CV^{2}"}, chain, names) == "same"
    assert CATALOGUE.likeness({"latex": r"U = \frac{Q^{2}}{2C}"}, chain, names) == "member"


def test_what_cannot_be_read_is_compared_as_text() -> None:
    assert bare_text(r"$\dfrac{dx}{dt}  = \mathrm{v}$") == bare_text(r"\frac{dx}{dt} = v")
    assert CATALOGUE.likeness({"latex": r"\dfrac{dx}{dt} = v"}, r"\frac{dx}{dt}=v", frozenset()) == "same"


@pytest.mark.parametrize(
    ("text", "name"),
    [(r"\mathcal{M}", "M"), (r"v_{\mathrm{RMS}}", "v_RMS"), ("F_g", "F_g"), (r"\mu_{k}", "mu_k"), ("%", "%")],
)
def test_symbol_names(text: str, name: str) -> None:
    assert symbol_name(text) == name
