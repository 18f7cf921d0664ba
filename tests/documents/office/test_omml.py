"""Word's formulas to LaTeX, element by element; each line is what a person would type for the same formula."""

from __future__ import annotations

import pytest

from mathrag.documents.office.archive import parse_part
from mathrag.documents.office.omml import omml_to_latex
from mathrag.documents.seams import ReadingLimits
from mathrag.errors import DocumentError
from office_archives import MATH, WORD, formula, run


def _latex(inside: str) -> str:
    return _both(inside)[0]


def _both(inside: str) -> tuple[str, str]:
    names = f'<m:oMath xmlns:m="{MATH}" xmlns:w="{WORD}">'
    text = formula(inside).replace("<m:oMath>", names, 1)
    return omml_to_latex(parse_part(text.encode(), name="formula", limits=ReadingLimits()))


def _e(inside: str) -> str:
    return f"<m:e>{inside}</m:e>"


def _fraction(above: str, below: str, kind: str = "") -> str:
    properties = f'<m:fPr><m:type m:val="{kind}"/></m:fPr>' if kind else ""
    return f"<m:f>{properties}<m:num>{above}</m:num><m:den>{below}</m:den></m:f>"


def _sub(base: str, below: str) -> str:
    return f"<m:sSub>{_e(base)}<m:sub>{below}</m:sub></m:sSub>"


def _sup(base: str, above: str) -> str:
    return f"<m:sSup>{_e(base)}<m:sup>{above}</m:sup></m:sSup>"


def _fenced(opening: str, closing: str, inside: str) -> str:
    properties = f"<m:dPr><m:begChr m:val='{opening}'/><m:endChr m:val='{closing}'/></m:dPr>"
    return f"<m:d>{properties}{_e(inside)}</m:d>"


def _matrix(*rows: str) -> str:
    lines = "".join(f"<m:mr>{''.join(_e(run(cell)) for cell in row)}</m:mr>" for row in rows)
    return f"<m:m>{lines}</m:m>"


def _large(properties: str, below: str, above: str, body: str) -> str:
    return f"<m:nary><m:naryPr>{properties}</m:naryPr><m:sub>{below}</m:sub><m:sup>{above}</m:sup>{_e(body)}</m:nary>"


def _below(base: str, below: str) -> str:
    return f"<m:limLow>{_e(base)}<m:lim>{below}</m:lim></m:limLow>"


def _function(name: str, argument: str) -> str:
    return f"<m:func><m:fName>{name}</m:fName>{_e(argument)}</m:func>"


CASES = {
    "letters": (run("F=ma"), "F = ma"),
    "split runs": (run("E") + run("=") + run("m") + _sup(run("c"), run("2")), "E = mc^{2}"),
    "fraction": (run("v=") + _fraction(run("s"), run("t")), r"v = \frac{s}{t}"),
    "linear fraction": (_fraction(run("1"), run("2"), "lin") + run("x"), r"\frac{1}{2}x"),
    "upright unit": (
        run("g=9.81\u2009") + run("m", style="p") + run("/", style="p") + _sup(run("s", style="p"), run("2")),
        r"g = 9.81\,\mathrm{m/s^{2}}",
    ),
    "unit split by the editor": (run("m=5\u00a0") + run("k", style="p") + run("g", style="p"), r"m = 5\ \mathrm{kg}"),
    "upright name": (run("Re", style="p") + run("=x"), r"\mathrm{Re} = x"),
    "name with upright index": (
        run("CO", style="p") + _sub(run("P", style="p"), run("max", style="p")),
        r"\mathrm{COP}_{\max}",
    ),
    "function": (
        f"<m:func><m:fName>{run('sin', style='p')}</m:fName>{_e(run('θ'))}</m:func>",
        r"\sin\theta",
    ),
    "function of a product": (
        f"<m:func><m:fName>{run('cos', style='p')}</m:fName>{_e(run('ωt'))}</m:func>" + run("y"),
        r"\cos{\omega t}y",
    ),
    "limit": (_function(_below(run("lim", style="p"), run("n→∞")), run("n")), r"\lim_{n \to \infty}n"),
    "root": (f"<m:rad><m:radPr><m:degHide m:val='1'/></m:radPr><m:deg/>{_e(run('x'))}</m:rad>", r"\sqrt{x}"),
    "cube root": (f"<m:rad><m:deg>{run('3')}</m:deg>{_e(run('x'))}</m:rad>", r"\sqrt[3]{x}"),
    "sum": (
        _large("<m:chr m:val='∑'/>", run("i=1"), run("n"), _sub(run("x"), run("i"))),
        r"\sum_{i = 1}^{n} x_{i}",
    ),
    "integral without limits": (
        _large("<m:subHide m:val='1'/><m:supHide m:val='on'/>", "", "", run("f")),
        r"\int f",
    ),
    "brackets": (f"<m:d>{_e(run('a+b'))}</m:d>", "(a+b)"),
    "tall brackets": (f"<m:d>{_e(_fraction(run('a'), run('b')))}</m:d>", r"\left( \frac{a}{b} \right)"),
    "bars": (_fenced("|", "|", run("x")), r"\left| x \right|"),
    "cases": (
        _fenced("{", "", f"<m:eqArr>{_e(run('x,&amp;x≥0'))}{_e(run('-x,&amp;x&lt;0'))}</m:eqArr>"),
        r"\begin{cases} x, & x \geq 0 \\ -x, & x < 0 \end{cases}",
    ),
    "matrix": (_fenced("[", "]", _matrix("ab", "cd")), r"\begin{bmatrix} a & b \\ c & d \end{bmatrix}"),
    "binomial": (f"<m:d>{_e(_fraction(run('n'), run('k'), 'noBar'))}</m:d>", r"\binom{n}{k}"),
    "vector": (f"<m:acc><m:accPr><m:chr m:val='\u20d7'/></m:accPr>{_e(run('F'))}</m:acc>", r"\vec{F}"),
    "hat by default": (f"<m:acc>{_e(run('x'))}</m:acc>", r"\hat{x}"),
    "mean": (f"<m:bar><m:barPr><m:pos m:val='top'/></m:barPr>{_e(run('x'))}</m:bar>", r"\overline{x}"),
    "both scripts": (
        f"<m:sSubSup>{_e(run('x'))}<m:sub>{run('1')}</m:sub><m:sup>{run('2')}</m:sup></m:sSubSup>",
        "x_{1}^{2}",
    ),
    "isotope": (
        f"<m:sPre><m:sub>{run('92')}</m:sub><m:sup>{run('235')}</m:sup>{_e(run('U', style='p'))}</m:sPre>",
        r"{}_{92}^{235}\mathrm{U}",
    ),
    "prime": (_sup(run("x"), run("′")), "x'"),
    "planck": (run("ℏ=h/2π"), r"\hbar = h/2\pi"),
    "mathematical alphabet": (run("𝐹=𝑚𝑎"), "F = ma"),
    "bold": (run("F", style="b") + run("=m"), r"\mathbf{F} = m"),
    "words": (run("x=0 ") + run("for all ", style="nor") + run("t"), r"x = 0\text{for all }t"),
    "deleted": (run("x") + f"<w:del>{run('y')}</w:del><w:ins>{run('z')}</w:ins>", "xz"),
    "thousands": (run("F=96,485"), "F = 96{,}485"),
    "percent": (run("η=50%"), r"\eta = 50\%"),
    "underbrace": (
        f"<m:limLow><m:e><m:groupChr>{_e(run('mgh'))}</m:groupChr></m:e><m:lim>{run('E')}</m:lim></m:limLow>",
        r"\underbrace{mgh}_{E}",
    ),
    "hidden": (run("x") + f"<m:phant><m:phantPr><m:show m:val='0'/></m:phantPr>{_e(run('y'))}</m:phant>", "x"),
    "empty": ("", ""),
}  # fmt: skip


@pytest.mark.parametrize(("inside", "latex"), CASES.values(), ids=CASES)
def test_each_element_is_written_as_a_person_would(inside: str, latex: str) -> None:
    assert _latex(inside) == latex


def test_the_number_of_an_equation_is_kept_apart() -> None:
    assert _both(f"<m:eqArr>{_e(run('E=mc#(3.2)'))}</m:eqArr>") == ("E = mc", "3.2")


def test_a_formula_nested_without_end_is_refused() -> None:
    deep = run("x")
    for _ in range(61):
        deep = f"<m:box>{_e(deep)}</m:box>"
    with pytest.raises(DocumentError) as caught:
        _latex(deep)
    assert caught.value.code == "too_large"
