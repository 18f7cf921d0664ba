"""MathML: the layout of presentation, the trees of content, hostile text, and printing."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from mathrag.compute.latex import read_latex
from mathrag.compute.mathml import read_layout, read_mathml, tex_annotation
from mathrag.compute.notation import (
    Accent,
    Amount,
    Digits,
    Fence,
    Grid,
    Mark,
    Name,
    Root,
    Row,
    Script,
    Sign,
    Space,
    Species,
    Stack,
    Words,
)
from mathrag.compute.printers.mathml import mathml_text
from mathrag.compute.printers.pythontext import comparison_text, python_text
from mathrag.errors import FormulaError
from mathrag.types.expression import (
    Call,
    Declined,
    Equation,
    Expression,
    Measure,
    Number,
    Piecewise,
    Reading,
    Series,
    Symbol,
    add,
    divide,
    equation_symbols,
    multiply,
    power,
    symbols_of,
    walk,
)
from strategies import expressions

GOLDEN = Path(__file__).parents[1] / "golden"
INVISIBLE = {"\u2062": "times", "\u2061": "apply"}


def golden(name: str, table: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = tomllib.loads((GOLDEN / name).read_text(encoding="utf-8"))[table]
    return entries


def dump(mark: Mark | None) -> str:
    """Notation as a line a person can read: `[(over m a) + x:bold^2]` with every group explicit."""
    match mark:
        case None:
            return "-"
        case Name(text, _, style):
            return text if style == "italic" else f"{text}:{style}"
        case Digits(text):
            return f"#{text}"
        case Sign(text):
            return f"<{INVISIBLE.get(text, text)}>"
        case Space(_, wide):
            return "__" if wide else "_"
        case Words(text):
            return f'"{text}"'
        case Row(items):
            return "[" + " ".join(map(dump, items)) + "]"
        case Fence(opening, closing, body):
            return f"(fence {opening or '.'} {closing or '.'} {dump(body)})"
        case Script(base, sub, sup, _, limits):
            return f"({'limits' if limits else 'script'} {dump(base)} {dump(sub)} {dump(sup)})"
        case Accent(accent, body):
            return f"({accent} {dump(body)})"
        case Stack(above, below, _, bar):
            return f"({'over' if bar else 'stack'} {dump(above)} {dump(below)})"
        case Root(body, degree):
            return f"(root {dump(body)} {dump(degree)})"
        case Grid(kind, lines):
            return f"({kind} {' / '.join(' & '.join(map(dump, line)) for line in lines)})"
        case Amount() | Species():
            raise AssertionError("MathML has no such marks")


@pytest.mark.parametrize("entry", golden("mathml_layout.toml", "layout"), ids=lambda entry: entry["name"])
def test_presentation_is_laid_out(entry: dict[str, Any]) -> None:
    assert dump(read_layout(entry["mathml"])) == entry["notation"]


@pytest.mark.parametrize("entry", golden("mathml_content.toml", "content"), ids=lambda entry: entry["name"])
def test_content_is_read(entry: dict[str, Any]) -> None:
    reading = read_mathml(entry["mathml"])
    assert isinstance(reading, Reading), reading
    equations = [f"{python_text(each.left)} {each.relation} {python_text(each.right)}" for each in reading.equations]
    conditions = [comparison_text(each) for condition in reading.conditions for each in condition.comparisons]
    assert equations == entry.get("equations", [])
    assert conditions == entry.get("conditions", [])
    assert (python_text(reading.expression) if reading.expression else None) == entry.get("expression")
    assert [flag.code for flag in reading.flags] == entry.get("flags", [])


@pytest.mark.parametrize("entry", golden("mathml_content.toml", "declined"), ids=lambda entry: entry["mathml"][:40])
def test_content_without_a_value_is_declined_at_its_place(entry: dict[str, Any]) -> None:
    declined = read_mathml(entry["mathml"])
    assert isinstance(declined, Declined), declined
    assert declined.code == entry["code"]
    assert declined.position is not None
    assert 0 <= declined.position < len(entry["mathml"])


@pytest.mark.parametrize(
    ("mathml", "code", "place"),
    [
        ("<math><mi>x</mi><mo>(</mo><mi>y</mi></math>", "fence", "("),
        ("<math><mi>x</mi><mo>)</mo></math>", "fence", ")"),
        ("<math><mo>(</mo><mi>x</mi><mo>}</mo></math>", "fence", "}"),
        ("<math><mfrac><mi>x</mi></mfrac></math>", "structure", "<mfrac>"),
        ("<math><mtable><mi>x</mi></mtable></math>", "structure", "<mi>"),
        ("<math><mi>я</mi></math>", "character", "я"),
        ("<math><mi>x</mi><mo>⋈</mo></math>", "character", "⋈"),
        ("<math><mi>v</mi><mo>=</mo><mi>_w</mi></math>", "character", "_w"),
        ("<math><mi>v_1_2</mi></math>", "character", "_2"),
        ("<math><mn>0x1F</mn></math>", "number", "1F"),
        ("<math><mn>1.2.3</mn></math>", "number", "1.2.3"),
        ("<math><mn>2½</mn></math>", "mixed_number", "½"),
        ("<math><mn>3</mn><mspace width='1ex'/><mn>0.5</mn></math>", "number", "0.5"),
        (
            "<math><mmultiscripts><mi>U</mi><mprescripts/><mn>92</mn><mn>235</mn></mmultiscripts></math>",
            "prescript",
            "<mpre",
        ),
        ("<math><msup><mrow/><mn>14</mn></msup><mi>C</mi></math>", "prescript", "<mrow/>"),
        ("<math><menclose notation='updiagonalstrike'><mi>x</mi></menclose></math>", "struck_out", "<menclose"),
        ("<math><menclose notation='longdiv'><mi>x</mi></menclose></math>", "struck_out", "<menclose"),
        ("<math><merror><mtext>oops</mtext></merror></math>", "merror", "<merror>"),
        ("<math><mstack><mn>1</mn></mstack></math>", "element", "<mstack>"),
        ("<math>x = 2</math>", "stray_text", "x"),
        ("<math><mi>x<b>y</b></mi></math>", "structure", "<b>"),
        ("<math><mi>&nosuch;</mi></math>", "entity", "&nosuch;"),
    ],
)
def test_what_cannot_be_laid_out_is_declined_at_its_place(mathml: str, code: str, place: str) -> None:
    declined = read_mathml(mathml)
    assert isinstance(declined, Declined), declined
    assert (declined.code, declined.position) == (code, mathml.index(place))
    assert declined.source == mathml


ENTITY_BOMB = (
    '<!DOCTYPE math [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>'
    "<math><mi>&c;</mi></math>"
)
HOSTILE: dict[str, str] = {
    "nothing": "",
    "blanks": "  \n ",
    "no markup": "x = 2",
    "only a tag": "<",
    "empty math": "<math></math>",
    "entity bomb": ENTITY_BOMB,
    "external entity": '<!DOCTYPE math [<!ENTITY x SYSTEM "file:///etc/passwd">]><math><mi>&x;</mi></math>',
    "entity declaration alone": "<!ENTITY a 'b'><math><mi>x</mi></math>",
    "deep groups": "<mrow>" * 100_000,
    "deep closed groups": "<mrow>" * 50_000 + "</mrow>" * 50_000,
    "deep fractions": "<math>" + "<mfrac>" * 118 + "<mi>x</mi>" + "<mi>y</mi></mfrac>" * 118 + "</math>",
    "deep brackets": "<math>" + "<mo>(</mo>" * 20_000 + "</math>",
    "deep brackets closed": "<math>" + "<mo>(</mo>" * 110 + "<mi>x</mi>" + "<mo>)</mo>" * 110 + "</math>",
    "deep content": "<apply><plus/>" * 5000 + "<ci>x</ci>" + "</apply>" * 5000,
    "brackets inside brackets inside groups": "<mfrac><mi>x</mi><mrow>" * 50
    + "<mo>(</mo>" * 40
    + "</mrow></mfrac>" * 50,
    "unclosed element": "<math><mi>x</mi>",
    "unclosed tag": "<math><mi",
    "unclosed attribute": '<math><mi mathvariant="bold>x</mi></math>',
    "unclosed comment": "<math><!-- <mi>x</mi></math>",
    "unclosed CDATA": "<math><mi><![CDATA[x</mi></math>",
    "unclosed instruction": "<?xml version",
    "stray end": "<math><mi>x</mi></mrow></math>",
    "crossed": "<math><mrow><mi>x</mrow></mi></math>",
    "script": "<math><script>alert(1)</script><mi>x</mi></math>",
    "style": "<math><style>*{}</style><mi>x</mi></math>",
    "event handler": '<math onclick="alert(1)"><mtext><img src=x onerror=alert(1)></mtext></math>',
    "HTML inside": "<math><mi><b>x</b></mi></math>",
    "annotation with markup": (
        '<math><semantics><annotation-xml encoding="text/html"><script>x</script></annotation-xml></semantics></math>'
    ),
    "NUL": "<math><mi>x\0</mi></math>",
    "NUL by reference": "<math><mi>&#0;</mi></math>",
    "lone surrogate": "<math><mi>\ud800</mi></math>",
    "surrogate by reference": "<math><mi>&#xD800;</mi></math>",
    "reference beyond Unicode": "<math><mi>&#x110000;</mi></math>",
    "long reference": "<math><mi>&#" + "9" * 5000 + ";</mi></math>",
    "long entity name": "<math><mi>&" + "a" * 5000 + ";</mi></math>",
    "right-to-left override": "<math><mi>x\u202ey</mi></math>",
    "look-alike letter": "<math><mi>\u0430</mi><mo>=</mo><mn>2</mn></math>",
    "look-alike digits": "<math><mn>\u0661\u0662</mn></math>",
    "code in text": "<math><mtext>__import__('os').system('id')</mtext></math>",
    "code in a name": "<math><mi>__class__</mi></math>",
    "code in ci": "<math><ci>__import__('os')</ci></math>",
    "tower": "<math>" + "<msup><mn>9</mn>" * 60 + "<mn>9</mn>" + "</msup>" * 60 + "</math>",
    "long number": "<math><mn>" + "9" * 100_000 + "</mn></math>",
    "long number in content": "<math><cn>" + "9" * 100_000 + "</cn></math>",
    "huge exponent": "<math><cn type='e-notation'>1<sep/>999999999</cn></math>",
    "bad base": "<math><cn type='integer' base='99'>zz</cn></math>",
    "many bars": "<math>" + "<mi>a</mi><mo>|</mo>" * 20_000 + "</math>",
    "bars in brackets": "<math>" + "<mo>(</mo><mi>a</mi><mo>|</mo>" * 8_000 + "</math>",
    "many scripts": "<math>" + "<msup><mrow/><mo>′</mo></msup>" * 10_000 + "</math>",
    "many attributes": "<math " + "a='b' " * 100_000 + "><mi>x</mi></math>",
    "words without end": "<math><mtext>" + "word " * 100_000 + "=</mtext></math>",
    "units without end": "<math><mtext>" + "m/s " * 100_000 + "!</mtext></math>",
    "commas without end": "<math><mn>1" + ",000" * 20_000 + "</mn></math>",
    "less-than signs": "<" * 300_000,
    "open tags without end": "<a" * 300_000,
    "a megabyte of less-than signs": "<" * 1_000_000,
    "a megabyte of references": "<math><mi>" + "&lt;" * 249_000 + "</mi></math>",
    "a megabyte of empty tags": "<a/>" * 250_000,
    "ampersands": "<math><mi>" + "&" * 300_000 + "</mi></math>",
    "a megabyte": "<math><mi>" + "x" * 1_000_000 + "</mi></math>",
    "two megabytes": "<math>" + "<mi>x</mi>" * 200_000 + "</math>",
    "two formulas": "<math><mi>x</mi></math><math><mi>y</mi></math>",
    "text outside": "2 <math><mi>x</mi></math>",
}


HARMLESS = {"deep brackets closed", "tower", "many attributes"}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_answered_quickly_with_a_reason(name: str) -> None:
    result = read_mathml(HOSTILE[name])
    if isinstance(result, Declined):
        assert result.reason
        assert result.position is None or 0 <= result.position <= len(HOSTILE[name])
    else:
        assert name in HARMLESS, result


def test_an_index_typed_inside_a_name_is_one() -> None:
    reading = read_mathml("<math><mi>v_w</mi><mo>=</mo><mi>f_w</mi><mi>λ_0</mi></math>")
    assert isinstance(reading, Reading)
    assert python_text(reading.equations[0].right) == "f_w*lambda_0"


def test_struck_out_and_hidden_parts_never_reach_the_tree() -> None:
    hidden = "<math><mi>x</mi><mphantom><mo>+</mo><mn>1</mn></mphantom><!-- + 2 --></math>"
    assert read_mathml(hidden) == Reading(hidden, expression=Symbol("x"))


def test_an_annotation_is_used_only_when_there_is_nothing_else() -> None:
    annotation = '<annotation encoding="application/x-tex">y = 2 x</annotation>'
    both = f"<math><semantics><mrow><mi>a</mi><mo>=</mo><mi>b</mi></mrow>{annotation}</semantics></math>"
    alone = f"<math><semantics><mrow/>{annotation}</semantics></math>"
    assert tex_annotation(both) == tex_annotation(alone) == "y = 2 x"
    assert tex_annotation("<math><mi>x</mi></math>") is None
    first, second = read_mathml(both), read_mathml(alone)
    assert isinstance(first, Reading)
    assert isinstance(second, Reading)
    assert first.equations == (Equation(Symbol("a"), Symbol("b")),)
    assert second.equations == (Equation(Symbol("y"), multiply(Number(2), Symbol("x"))),)
    assert second.source == alone


def test_a_declined_annotation_points_into_the_mathml() -> None:
    text = '<math><semantics><mrow/><annotation encoding="TeX">x = \\frac{</annotation></semantics></math>'
    declined = read_mathml(text)
    assert isinstance(declined, Declined)
    assert declined.source == text
    assert declined.position is not None
    assert declined.position >= text.index("x = ")


FORMULAS = [entry for entry in golden("formulas.toml", "formula") if "mathml" in entry]


@pytest.mark.parametrize("entry", FORMULAS, ids=lambda entry: entry["id"])
def test_mathml_and_latex_of_a_formula_give_the_same_equations(entry: dict[str, Any]) -> None:
    hints = entry.get("hint", [])
    from_mathml, from_latex = read_mathml(entry["mathml"], hints), read_latex(entry["latex"], hints)
    assert isinstance(from_mathml, Reading), from_mathml
    assert isinstance(from_latex, Reading), from_latex
    assert from_mathml.equations == from_latex.equations


NAMES = [
    "x",
    "v_avg",
    "T_1",
    "x_0",
    "K_sp",
    "k_B",
    "epsilon_0",
    "C_p_m",
    "x_bar",
    "p_hat",
    "Q_dot",
    "F_vec",
    "x_tilde",
    "v_prime",
    "T_star",
    "Delta_G_circ",
    "v_1_prime",
    "Re",
    "pH",
    "MW",
    "KE",
    "in_",
    "lambda_",
    "lambda_1",
    "conc_A",
    "conc_A_0",
    "conc_H_plus",
    "conc_OH_minus",
    "conc_Ca_2plus",
    "hbar",
    "ell",
    "Delta_x",
    "theta",
    "x_ddot",
    "Delta_T_max",
    "V_bar_1",
    "Sigma_F",
    "q_e_minus",
    "x_bar_prime",
    "a_parallel",
    "t_1_2",
    "v_0y",
    "F_net_x",
    "y_dprime",
    "x_underline",
    "x_mean",
    "T_inf",
    "e",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_printed_symbol_is_read_back(name: str) -> None:
    symbol = Symbol(name)
    for expression in (
        symbol,
        power(symbol, Number(2)),
        power(Number(2), symbol),
        multiply(Number(2), symbol, Symbol("t")),
        divide(Number(1), add(symbol, Number(1))),
    ):
        reading = read_mathml(mathml_text(expression))
        assert isinstance(reading, Reading), reading
        assert reading.expression == expression


UNITS = (
    "m/s^2",
    "J/(mol*K)",
    "degC",
    "percent",
    "kg*m^2/s^2",
    "1/s",
    "uF",
    "N*m^2/kg^2",
    "ohm",
    "mol/L",
    "1/(mol*K)",
    "eV",
)


@pytest.mark.parametrize("unit", UNITS)
def test_a_printed_measure_is_read_back(unit: str) -> None:
    expression = multiply(Measure(Number(Decimal("8.314")), unit), Symbol("T"))
    reading = read_mathml(mathml_text(expression))
    assert isinstance(reading, Reading), reading
    assert reading.expression == expression


def is_normal(expression: Expression) -> bool:
    """What a reader can give back: short literal sums are written out, and the gamma function has no notation here."""
    for node in walk(expression):
        if isinstance(node, Series) and (not symbols_of(node.upper) or node.index in symbols_of(node.upper)):
            return False
        if isinstance(node, Call) and (node.function == "gamma" or isinstance(node.arguments[0], Piecewise)):
            return False
    return True


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(expressions.filter(is_normal))
def test_what_is_printed_is_read_back(expression: Expression) -> None:
    text = mathml_text(expression)
    reading = read_mathml(text)
    assert isinstance(reading, Reading), reading
    assert reading.expression == expression


def test_an_equation_is_printed_with_its_relation() -> None:
    equation = Equation(Symbol("E"), multiply(Symbol("m"), power(Symbol("c"), Number(2))))
    text = mathml_text(equation)
    assert text.startswith('<math xmlns="http://www.w3.org/1998/Math/MathML">')
    reading = read_mathml(text)
    assert isinstance(reading, Reading)
    assert reading.equations == (equation,)


def test_layout_errors_are_errors_for_callers_of_the_layout() -> None:
    with pytest.raises(FormulaError, match="never closed"):
        read_layout("<math><mo>(</mo></math>")


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ('<math><mi>y</mi><mo>=</mo><mtext fontstyle="italic">bt</mtext></math>', {"y", "b", "t"}),
        (
            '<math><mi>y</mi><mo>=</mo><mstyle fontstyle="italic"><mrow><mtext>βqt.</mtext></mrow></mstyle></math>',
            {"y", "beta", "q", "t"},
        ),
        ("<math><mi>y</mi><mo>=</mo><mtext>bt</mtext></math>", {"y", "bt"}),
        ("<math><mtext>net </mtext><mi>F</mi><mo>=</mo><mi>k</mi><mi>s</mi></math>", {"F_net", "k", "s"}),
        ("<math><mtext>net τ</mtext><mo>=</mo><mi>k</mi><mi>s</mi></math>", {"tau_net", "k", "s"}),
    ],
)
def test_letters_in_italics_are_letters_and_a_word_before_one_is_a_mark(source: str, names: set[str]) -> None:
    reading = read_mathml(source)
    assert isinstance(reading, Reading)
    assert {name for equation in reading.equations for name in equation_symbols(equation)} == names


def test_three_full_stops_leave_terms_out() -> None:
    terms = "<msub><mi>a</mi><mn>1</mn></msub><mo>+</mo><msub><mi>a</mi><mn>2</mn></msub><mo>+</mo>"
    source = f"<math><mi>s</mi><mo>=</mo>{terms}"
    reading = read_mathml(f"{source}<mtext>.</mtext><mtext>.</mtext><mtext>.</mtext><mo>.</mo></math>", terms=3)
    assert isinstance(reading, Reading)
    assert equation_symbols(reading.equations[0]) == ("s", "a_1", "a_2", "a_3")


def _row(*tokens: str) -> str:
    return f"<mrow>{''.join(f'<{token[:2]}>{token[3:]}</{token[:2]}>' for token in tokens)}</mrow>"


@pytest.mark.parametrize(
    ("group", "script", "seen"),
    [
        (_row("mi m", "mi v"), "<msup>{}<mn>2</mn></msup>", "m v^2"),
        (_row("mn 4", "mi π"), "<msup>{}<mn>2</mn></msup>", "4 \\pi^2"),
        (_row("mn 3", "mi f"), "<msub>{}<mn>1</mn></msub>", "3 f_1"),
        (_row("mn 2", "mi ρ", "mi v"), "<msub>{}<mi>w</mi></msub>", "2 \\rho v_w"),
        (_row("mi p", "mo ′"), "<msub>{}<mn>1</mn></msub>", "p_1'"),
        (_row("mi γ", "mi Δ", "mi t"), "<msub>{}<mn>0</mn></msub>", "\\gamma \\Delta t_0"),
    ],
)
def test_a_script_behind_several_letters_is_read_as_it_is_seen(group: str, script: str, seen: str) -> None:
    """The row that an author, or a converter, puts around them shows on no page."""
    found = read_mathml(f"<math><mi>y</mi><mo>=</mo>{script.format(group)}</math>")
    plain = read_latex(f"y = {seen}")
    assert isinstance(found, Reading)
    assert isinstance(plain, Reading)
    assert found.equations == plain.equations


def test_a_sign_that_is_typed_for_degrees_is_one() -> None:
    plain = read_mathml("<math><mi>y</mi><mo>=</mo><mi>cos</mi><mo>(</mo><mn>60</mn><mo>°</mo><mo>)</mo></math>")
    assert isinstance(plain, Reading)
    for sign in "°º˚":
        found = read_mathml(f"<math><mi>y</mi><mo>=</mo><mi>cos</mi><mtext>60{sign}</mtext></math>")
        assert isinstance(found, Reading), found
        assert found.equations == plain.equations
