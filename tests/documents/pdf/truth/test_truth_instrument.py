"""The measuring instrument itself: what counts as the same formula, and how what was found is paired with the truth."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[4] / "tools"))

from pdf_truth.alignment import align
from pdf_truth.document_plan import make_plan, truth_of
from pdf_truth.formula_lists import display_formulas, half_of
from pdf_truth.judging import Expected, Found, judge
from pdf_truth.normal_form import is_words, normal_form
from pdf_truth.same_formula import parts_of, same_formula
from pdf_truth.variants import SMALL_VARIANTS, VARIANTS

DATA = Path(__file__).parent / "data"

SAME = [
    (r"K = \tfrac12 mv^2", r"K=\frac{1}{2}mv^{2}"),
    (r"v_{\mathrm{max}} = 3", r"v_{max}=3"),
    (r"\left( \frac{a}{b} \right)^2 = c", r"(\frac{a}{b})^{2}=c"),
    (r"x_{i}^{2}", r"x^2_i"),
    (r"f''(x) = 0", r"f^{\prime\prime}(x)=0"),
    (r"\lim_{x \to 0} y = 1", r"\lim\limits_{x\rightarrow0}y=1"),
    (r"\begin{aligned} a &= b \\ &= c \end{aligned}", r"a=b=c"),
    (r"\binom{n}{k} = C", r"\begin{pmatrix} n \\ k \end{pmatrix}=C"),
    (r"\mathrm{H_2O}", r"\mathrm{H}_{2}\mathrm{O}"),
    (r"\begin{cases} 0, & t < 0 \\ 1, & t \ge 0 \end{cases}", r"\begin{cases}0&t<0\\1&t\geq0\end{cases}"),
    (r"x = 1, \quad y = 2", r"x=1 \quad y=2"),
    (r"\dot{Q_i} = 3 \nabla T", r"\dot{Q}_{i}=3\nabla T"),
    (r"F = m a.", r"F=ma"),
    (r"{a \over b} \ne c", r"\frac{a}{b}\neq c"),
]
DIFFERENT = [
    (r"F = m a", r"F=m"),
    (r"\vec F = m \vec a", r"F=ma"),
    (r"x^2 = y", r"x_2=y"),
    (r"\frac{a}{b} + c = d", r"\frac{a}{b+c}=d"),
    (r"y = a - b", r"y=a+b"),
    (r"y'' = 0", r"y'=0"),
    (r"p = 101\,325\ \mathrm{Pa}", r"p=101\,325"),
    (r"\sqrt{R^2 + X^2} = Z", r"\sqrt{R}^{2}+X^{2}=Z"),
    (r"\left| x \right| = 3", r"x=3"),
    (r"\int_0^1 f \, dx = 2", r"\int^{1}fdx=2"),
    (r"\nabla \times \vec{E} = 0", r"\nabla\times E=0"),
    (r"a \ll b", r"a<b"),
    (r"P = \prod_{i=1}^{n} (1-p_i)", r"P=\sum_{i=1}^{n}(1-p_{i})"),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_what_prints_or_means_the_same_is_the_same(first: str, second: str) -> None:
    assert same_formula(first, second)
    assert same_formula(second, first)


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_a_lost_sign_makes_another_formula(first: str, second: str) -> None:
    assert not same_formula(first, second)
    assert not same_formula(second, first)


@pytest.mark.parametrize(
    "broken", ["\\frac{a", "}}}{{", "\\begin{cases} a & ", "^", "_{", "\\left", "{" * 500, "\\sqrt["]
)
def test_broken_latex_has_a_normal_form_too(broken: str) -> None:
    assert isinstance(normal_form(broken), str)


def test_units_and_words_cannot_be_told_from_prose() -> None:
    assert is_words(r"\mathrm{kg/m^3}")
    assert not is_words("m")
    assert not is_words(r"\mathrm{pH} = 7")


def test_a_line_of_several_statements_has_parts() -> None:
    assert parts_of(r"x = r \cos \phi, \qquad y = r \sin \phi") == (r"x = r \cos \phi", r"y = r \sin \phi")
    assert len(parts_of(r"\begin{split} a &= b \\ c &= d \\ &= e \end{split}")) == 2


def test_pairing_keeps_the_order_and_survives_gaps_and_strangers() -> None:
    expected = ["a=b", r"F=ma", r"E=mc^2", r"pV=nRT", "m"]
    found = ["a=b", "q=r+s+t+u", r"E=mc", r"pV=nRT", "m"]
    assert align(expected, found) == {0: 0, 2: 2, 3: 3, 4: 4}


def test_the_verdict_on_a_small_document() -> None:
    latex = ["F = m a", "E = m c^2", r"x = 1, \quad y = 2", r"\mathrm{kg}", "T = 5"]
    expected = [Expected(str(index), "display", each, "A") for index, each in enumerate(latex)]
    found = [Found(each, 1, 1.0, "display") for each in ("F=ma", "E=mc", "x=1", "y=2", "Q=9z")]
    judgement = judge(expected, found, threshold=0.8)
    assert [verdict.outcome for verdict in judgement.verdicts] == ["right", "wrong", "right", "missed"]
    assert [verdict.is_believed for verdict in judgement.verdicts] == [False, True, False, False]
    assert [each.latex for each in judgement.invented_believed] == ["Q=9z"]


def test_a_unit_that_the_source_has_as_text_may_come_along() -> None:
    expected = [Expected("0", "inline", r"g = 9.81", "A"), Expected("1", "inline", r"a = b", "A")]
    found = [Found(each, 1, 1.0, "inline") for each in (r"g=9.81\,\mathrm{m}/\mathrm{s}^{2}", r"a=b\mathrm{m}")]
    assert [each.outcome for each in judge(expected, found, threshold=0.8).verdicts] == ["right", "wrong"]


def test_doubt_keeps_a_wrong_formula_from_being_believed() -> None:
    expected = [Expected("0", "display", "E = m c^2", "A")]
    judgement = judge(expected, [Found("E=mc", 1, 0.5, "display")], threshold=0.8)
    assert not judgement.verdicts[0].is_believed


def test_every_formula_of_the_lists_is_itself_and_the_halves_are_even() -> None:
    formulas = display_formulas()
    assert len(formulas) > 600
    assert len({each.id for each in formulas}) == len(formulas)
    share = sum(half_of(each.id) == "A" for each in formulas) / len(formulas)
    assert 0.45 < share < 0.55


@pytest.mark.parametrize("variant", SMALL_VARIANTS, ids=lambda each: each.name)
def test_the_committed_truth_is_what_the_lists_say(variant: object) -> None:
    stored = json.loads((DATA / f"{variant.name}.json").read_text(encoding="utf-8"))
    assert stored["formulas"] == truth_of(make_plan(variant.name, variant.extent))


def test_variants_have_names_of_their_own() -> None:
    names = [each.name for each in (*VARIANTS, *SMALL_VARIANTS)]
    assert len(set(names)) == len(names)
