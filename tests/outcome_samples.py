"""Outcomes as the product makes them, written by hand: one for each thing that a card can show."""

from __future__ import annotations

from dataclasses import replace

from mathrag.compute.latex import read_latex
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.answer import (
    Answer,
    Bound,
    Citation,
    Missing,
    Nearest,
    Outcome,
    PlannedStep,
    Provenance,
    Refusal,
    Reply,
    Row,
    Step,
)
from mathrag.types.document import Place
from mathrag.types.expression import Equation, Reading
from mathrag.types.library import Formula, Span, SymbolMeaning, Validity
from mathrag.types.quantity import NO_UNIT, Quantity


def quantity(value: float | int, unit: str = "", uncertainty: float | None = None) -> Quantity:
    return Quantity(value, read_canonical_unit(unit) if unit else NO_UNIT, uncertainty)


def equation(latex: str, *symbols: str) -> Equation:
    reading = read_latex(latex, symbols)
    assert isinstance(reading, Reading), reading
    return reading.equations[0]


def span(line: int, quote: str, *headings: str, document: str = "doc-1a2b3c") -> Span:
    return Span(document, Place(line=line), quote, headings)


def formula(
    label: str, latex: str, place: Span, *meanings: tuple[str, str, str], identifier: str = "", holds: str = ""
) -> Formula:
    return Formula(
        id=identifier or f"formula-{len(label):06d}",
        form=latex,
        label=label,
        latex=latex,
        status="executable",
        spans=(place,),
        equation=equation(latex),
        symbols=tuple(SymbolMeaning(name, description, unit) for name, description, unit in meanings),
        conditions=(Validity(holds),) if holds else (),
    )


def asked(symbol: str, value: Quantity, words: str, *, description: str = "", figures: int | None = None) -> Bound:
    return Bound(symbol, Provenance("question", words), value, "", description, figures)


GAS_PLACE = span(12, r"$$v_{\mathrm{rms}} = \sqrt{\frac{3RT}{M}}$$", "Gases", "Kinetic theory")
GAS_SPEED = formula(
    "Root mean square speed",
    r"v_{\mathrm{rms}} = \sqrt{\frac{3RT}{M}}",
    GAS_PLACE,
    ("v_rms", "root mean square speed", "m/s"),
    ("R", "molar gas constant", "J/(mol*K)"),
    ("T", "temperature", "K"),
    ("M", "molar mass", "kg/mol"),
    identifier="formula-a11ce0",
    holds="ideal gas",
)
GAS_CONSTANT = Bound(
    "R",
    Provenance("constant", "molar gas constant", source="CODATA 2022"),
    quantity(8.314462618, "J/(mol*K)"),
    description="molar gas constant",
)
GAS_CITATION = Citation("doc-1a2b3c", "gases.md", GAS_PLACE, GAS_SPEED.id, GAS_SPEED.label)
RMS_SPEED = Answer(
    question="What is the rms speed of nitrogen (M = 28.0 g/mol) at 300 K?",
    quantity=quantity(516.9565, "m/s"),
    significant_figures=3,
    steps=(
        Step(
            number=1,
            formula=GAS_SPEED,
            equation=equation(GAS_SPEED.latex),
            target="v_rms",
            bindings=(
                GAS_CONSTANT,
                asked("T", quantity(300, "K"), "300 K", description="temperature", figures=3),
                asked("M", quantity(28.0, "g/mol"), "M = 28.0 g/mol", description="molar mass", figures=3),
            ),
            result=quantity(516.9565, "m/s"),
            significant_figures=3,
            method="evaluation",
            working=(
                r"v_{\mathrm{rms}} = \sqrt{\frac{3 R T}{M}}",
                r"v_{\mathrm{rms}} = \sqrt{\frac{3 \cdot 8.314462618 \cdot 300}{0.0280}}",
                r"v_{\mathrm{rms}} = 517\,\mathrm{m/s}",
            ),
            working_text=(
                "v_rms = √(3 R T / M)",
                "v_rms = √(3 × 8.314462618 × 300 / 0.0280)",
                "v_rms = 517 m/s",
            ),
        ),
    ),
    confidence=0.968,
    citations=(GAS_CITATION,),
    agreeing=("Speed of gas molecules",),
    milliseconds=12.3456,
)

FALL_TIME = formula(
    "Free fall",
    r"h = \frac{1}{2} g t^2",
    span(31, r"h = \frac12 g t^2", "Falling", document="doc-fa11"),
    ("h", "Height of the fall (m)", "m"),
    ("g", "acceleration of free fall", "m/s^2"),
    ("t", "time of fall", "s"),
    identifier="formula-fa1100",
    holds="air resistance is negligible",
)
SPEED = formula(
    "Velocity after a time",
    "v = v_0 + g t",
    span(35, "v = v_0 + gt", "Falling", document="doc-fa11"),
    ("v", "final speed", "m/s"),
    ("v_0", "initial speed", "m/s"),
    ("g", "acceleration of free fall", "m/s^2"),
    ("t", "time", "s"),
    identifier="formula-fa1101",
)
FREE_FALL = Bound(
    "g",
    Provenance("constant", "standard acceleration of free fall", source="exact, 1901"),
    quantity(9.80665, "m/s^2"),
    description="acceleration of free fall",
)
CHAINED = Answer(
    question="A stone falls 20 ± 0.5 m from rest. How fast is it at the end?",
    quantity=quantity(19.8057, "m/s", 0.2476),
    significant_figures=3,
    steps=(
        Step(
            1,
            FALL_TIME,
            equation(FALL_TIME.latex),
            "t",
            (asked("h", quantity(20.0, "m", 0.5), "20 ± 0.5 m", description="height of the fall"), FREE_FALL),
            quantity(2.01962, "s", 0.02525),
            3,
            "inversion",
            rearranged="sqrt(2*h/g)",
            working=(r"t = \sqrt{\frac{2 h}{g}}", r"t = 2.02\,\mathrm{s}"),
            working_text=("t = √(2 h / g)", "t = 2.02 s"),
            others=(quantity(-2.01962, "s"),),
            warnings=("air resistance is negligible: not checked",),
        ),
        Step(
            2,
            SPEED,
            equation(SPEED.latex),
            "v",
            (
                Bound("v_0", Provenance("implied", "from rest"), quantity(0, "m/s"), description="initial speed"),
                FREE_FALL,
                Bound("t", Provenance("derived", "", step=1), None, description="time"),
            ),
            quantity(19.8057, "m/s", 0.2476),
            3,
            "evaluation",
            working=("v = v_{0} + g t", r"v = 19.8\,\mathrm{m/s}"),
            working_text=("v = v₀ + g t", "v = 19.8 m/s"),
        ),
    ),
    confidence=0.71,
    citations=(
        Citation("doc-fa11", "falling.tex", FALL_TIME.spans[0], FALL_TIME.id, FALL_TIME.label),
        Citation("doc-fa11", "falling.tex", SPEED.spans[0], SPEED.id, SPEED.label),
    ),
    assumptions=("the stone falls near the surface of the Earth",),
    disagreeing=(("Terminal velocity", quantity(54.0, "m/s")),),
    milliseconds=41.0,
)

PERIOD = formula(
    "Period of a pendulum",
    r"T = 2\pi\sqrt{\frac{l}{g}}",
    span(7, r"T = 2\pi\sqrt{l/g}", document="doc-9e9d"),
    ("T", "period", "s"),
    ("l", "length", "m"),
    ("g", "acceleration of free fall", "m/s^2"),
    identifier="formula-9e9d00",
)
TABLE = Answer(
    question="Period of a pendulum of 0.5, 1 and 2 m?",
    quantity=quantity(1.41876, "s"),
    significant_figures=3,
    steps=(
        Step(
            1,
            PERIOD,
            equation(PERIOD.latex),
            "T",
            (asked("l", quantity(0.5, "m"), "0.5", description="length"), FREE_FALL),
            quantity(1.41876, "s"),
            3,
            "evaluation",
        ),
    ),
    confidence=0.999,
    rows=(
        Row((("l", "0.5 m"),), quantity(1.41876, "s")),
        Row((("l", "1 m"),), quantity(2.00641, "s")),
        Row((("l", "2 m"),), quantity(2.83749, "s")),
    ),
)

DIRECT = Answer(
    question="what is 7^222 mod 13?",
    quantity=quantity(12),
    significant_figures=2,
    steps=(),
    confidence=1.0,
    words="7^222 mod 13 is 12.",
    exact="12",
    provenance=(Provenance("question", "7^222 mod 13"),),
)
HUGE = Answer("2^200", quantity(2**200), 12, (), 1.0, exact=str(2**200))

MISSING = Refusal(
    question="How fast are nitrogen molecules (M = 28.0 g/mol)?",
    code="missing",
    reason="The root mean square speed needs the temperature, which the question does not give.",
    missing=(Missing("T", "temperature", "K"),),
    nearest=(
        Nearest("formula-a11ce0", "Root mean square speed", GAS_SPEED.latex, "gases.md", ("temperature T",)),
        Nearest("formula-0b5c0e", "", r"\frac{dv}{dt} = a", "mechanics.md"),
    ),
    suggestions=("Say at which temperature.",),
    milliseconds=9.0,
)
UNSURE = Refusal(
    question="speed of N2, 28 g/mol, 300 K",
    code="unsure",
    reason="Two formulas fit about equally well.",
    proposal=(
        PlannedStep(
            GAS_SPEED,
            equation(GAS_SPEED.latex),
            "v_rms",
            (GAS_CONSTANT, asked("T", quantity(300, "K"), "300 K", description="temperature")),
        ),
    ),
    confidence=0.48,
)
CHAT = Reply(
    question="hello",
    text="Hello. Ask for a quantity and say what is given.",
    nearest=(Nearest("formula-9e9d00", "Period of a pendulum", PERIOD.latex, "pendulum.html"),),
)
ARROW = "\x1b[31mred\x1b[0m \x9b2J [red]markup[/red] **bold** <script>alert(1)</script>"
HOSTILE_LABEL = f"{ARROW} [link](javascript:x) $x$ \\input{{/etc/passwd}}\n# heading\r\u202eevil\u2066 `code` | cell"
HOSTILE_FORMULA = Formula(
    id="formula-0\x1b[2J`|",
    form="x",
    label=HOSTILE_LABEL,
    latex=r"E = m c^2 $ \immediate\write18{rm -rf} $ \href{javascript:x}{y}",
    status="executable",
    spans=(Span("doc\x1b]0;title\x07", Place(line=1), HOSTILE_LABEL, (HOSTILE_LABEL,)),),
    equation=equation("E = m c^2"),
    symbols=(SymbolMeaning("E", HOSTILE_LABEL, "J"), SymbolMeaning("m", HOSTILE_LABEL, "kg")),
)
HOSTILE = Answer(
    question=HOSTILE_LABEL,
    quantity=quantity(9.0e16, "J"),
    significant_figures=3,
    steps=(
        Step(
            1,
            HOSTILE_FORMULA,
            equation("E = m c^2"),
            "E",
            (asked("m", quantity(1, "kg"), HOSTILE_LABEL, description=HOSTILE_LABEL),),
            quantity(9.0e16, "J"),
            3,
            "evaluation",
            working=(r"E = \input{/etc/passwd}$ x",),
            working_text=(f"E = {HOSTILE_LABEL}",),
            warnings=(HOSTILE_LABEL,),
        ),
    ),
    confidence=0.9,
    citations=(Citation("doc", HOSTILE_LABEL, HOSTILE_FORMULA.spans[0], HOSTILE_FORMULA.id, HOSTILE_LABEL),),
    assumptions=(HOSTILE_LABEL,),
    warnings=(HOSTILE_LABEL,),
    rows=(Row((("m", HOSTILE_LABEL),), quantity(9.0e16, "J")),),
    provenance=(Provenance("document", HOSTILE_LABEL, source=HOSTILE_LABEL, span=HOSTILE_FORMULA.spans[0]),),
    agreeing=(HOSTILE_LABEL,),
    disagreeing=((HOSTILE_LABEL, quantity(1.0, "J")),),
)
HOSTILE_REFUSAL = Refusal(
    question=HOSTILE_LABEL,
    code="missing",
    reason=HOSTILE_LABEL,
    missing=(Missing("x\x1b[2J", HOSTILE_LABEL, "kg\x1b[2J"),),
    nearest=(Nearest(HOSTILE_LABEL, HOSTILE_LABEL, HOSTILE_FORMULA.latex, HOSTILE_LABEL, (HOSTILE_LABEL,)),),
    suggestions=(HOSTILE_LABEL,),
    warnings=(HOSTILE_LABEL,),
    proposal=(),
)

BUILT_IN = tuple(replace(each, origin="handbook") for each in RMS_SPEED.citations)

OUTCOMES: dict[str, Outcome] = {
    "rms_speed": RMS_SPEED,
    "chained": CHAINED,
    "table": TABLE,
    "direct": DIRECT,
    "built_in": replace(RMS_SPEED, origin="handbook", citations=BUILT_IN),
    "missing": MISSING,
    "unsure": UNSURE,
    "chat": CHAT,
}
