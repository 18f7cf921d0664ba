"""Statements as LaTeX and MathML: usual notation where there is one, never an error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.mathml.elements import read_elements
from mathrag.compute.openmath import latex_of, mathml_of, names_without_notation
from mathrag.compute.openmath.notation import CONSTANTS, FUNCTIONS, INFIX, TEMPLATES
from mathrag.types.statement import (
    Application,
    Binding,
    DictionaryName,
    Foreign,
    Literal,
    Quoted,
    StatementTree,
    Variable,
)
from openmath_samples import openmath


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("(arith1:times (arith1:plus a b) c)", r"\left(a + b\right) \, c"),
        ("(arith1:minus a (arith1:minus b c))", r"a - \left(b - c\right)"),
        ("(arith1:power (arith1:unary_minus x) 2)", r"\left(-x\right)^{2}"),
        ("(arith1:power x1 2)", "x_{1}^{2}"),
        ("(arith1:times 2 3)", r"2 \cdot 3"),
        ("(arith1:root x 2)", r"\sqrt{x}"),
        ("(arith1:root x n)", r"\sqrt[n]{x}"),
        ("(arith1:divide alg1:one (arith1:plus x 1))", r"\frac{1}{x + 1}"),
        (
            "(arith1:sum (interval1:integer_interval 1 n) [fns1:lambda <k> (arith1:power k 2)])",
            r"\sum_{k = 1}^{n} k^{2}",
        ),
        (
            "(calculus1:defint (interval1:interval_cc 0 1) [fns1:lambda <t> (f t)])",
            r"\int_{0}^{1} f\left(t\right) \, dt",
        ),
        (
            "(set1:suchthat setname1:Z [fns1:lambda <n> (relation1:gt n 3)])",
            r"\left\{n \in \mathbb{Z} \mid n > 3\right\}",
        ),
        (
            "[quant1:forall <x> (logic1:implies (set1:in x setname1:R) (relation1:geq (arith1:abs x) 0))]",
            r"\forall x \colon x \in \mathbb{R} \Rightarrow \left|x\right| \geq 0",
        ),
        ("(logic1:not (logic1:and p q))", r"\neg \left(p \wedge q\right)"),
        ("(linalg1:vector_selector 2 (linalg4vec:zero n))", r"\left(0_{n}\right)_{2}"),
        ("(made1:frobnicate a lambda nList2)", r"\operatorname{frobnicate}\left(a, \lambda, \mathit{nList}_{2}\right)"),
    ],
)
def test_notation(text: str, latex: str) -> None:
    assert latex_of(openmath(text)) == latex
    assert "<math" in mathml_of(openmath(text))


def test_names_without_notation_are_told() -> None:
    tree = openmath("(relation1:eq (made1:frobnicate a) (made1:spell_it_out b))")
    assert names_without_notation(tree) == ("made1:frobnicate", "made1:spell_it_out")
    assert names_without_notation(openmath("(relation1:eq a b)")) == ()


_KNOWN = sorted({*CONSTANTS, *FUNCTIONS, *INFIX, *(name for name, _ in TEMPLATES), "fns1:lambda", "quant1:exists"})
_names = st.sampled_from(_KNOWN).map(lambda full: DictionaryName(*full.split(":"))) | st.builds(
    DictionaryName, st.text(min_size=1, max_size=6), st.text(min_size=1, max_size=6)
)
_variables = st.builds(Variable, st.text(min_size=1, max_size=6))
_leaves = (
    _names
    | _variables
    | st.builds(Literal, st.integers() | st.decimals(allow_nan=True, allow_infinity=True))
    | st.builds(Quoted, st.text(max_size=8))
    | st.builds(Foreign, st.text(max_size=8))
)
_SPECIAL = ("arith1:sum", "calculus1:defint", "set1:map", "limit1:limit", "fns2:apply_to_list", "linalg2:matrix")


def _compound(inner: st.SearchStrategy[StatementTree]) -> st.SearchStrategy[StatementTree]:
    heads = inner | st.sampled_from(_SPECIAL).map(lambda full: DictionaryName(*full.split(":")))
    bound = st.lists(_variables, max_size=3).map(tuple)
    return st.builds(Application, heads, st.lists(inner, max_size=4).map(tuple)) | st.builds(
        Binding, heads, bound, inner
    )


trees = st.recursive(_leaves, _compound, max_leaves=20)


@pytest.mark.slow
@given(trees)
def test_printing_is_total(tree: StatementTree) -> None:
    latex = latex_of(tree)
    assert latex.count("{") - latex.count(r"\{") == latex.count("}") - latex.count(r"\}")
    assert latex.count(r"\left") == latex.count(r"\right")
    (shown,) = read_elements(mathml_of(tree))
    assert shown.name == "math"  # type: ignore[union-attr]


@given(st.text(min_size=1, max_size=30))
def test_names_cannot_bring_commands_along(name: str) -> None:
    for tree in (Variable(name), DictionaryName("made1", name), Quoted(name)):
        latex = latex_of(tree)
        for command in (r"\input", r"\write", r"\def", r"\href", "%", "$", "#"):
            assert command not in latex
        assert "<script" not in mathml_of(tree)
