"""Documents with as many plausible formulas as asked for, to see how a library behaves as it grows. Nothing is measured
here, and nobody should learn physics from them: real shapes of formulas, said of many made-up things."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

IN_A_DOCUMENT = 100
ADJECTIVES = (
    "main auxiliary upper lower left right inner outer primary secondary coarse fine heavy light northern southern "
    "vertical horizontal coupled free driven idle polished painted sealed"
).split()
THINGS = (
    "rotor pump beam piston cable vessel turbine spring nozzle lens coil probe reactor filter bearing shaft valve "
    "panel wheel crane"
).split()


@dataclass(frozen=True, slots=True)
class Shape:
    """A formula in LaTeX with `#` for the subscript of a thing, and what its symbols are, in what unit."""

    label: str
    latex: str
    symbols: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One formula said of one thing."""

    shape: Shape
    thing: str
    subscript: str

    @property
    def label(self) -> str:
        """Its name in the document."""
        return f"{self.shape.label} of the {self.thing}"

    def markdown(self) -> str:
        """A section of a document, with a table of symbols."""
        rows = "\n".join(
            f"| ${symbol.replace('#', self.subscript)}$ | {words} of the {self.thing} | {unit} |"
            for symbol, words, unit in self.shape.symbols
        )
        latex = self.shape.latex.replace("#", self.subscript)
        return f"## {self.label}\n\n$${latex}$$\n\n| Symbol | Quantity | Unit |\n|---|---|---|\n{rows}\n"

    def question(self) -> str:
        """A question that this formula answers: the first symbol is asked, the others are given."""
        (_, asked, unit), *given = self.shape.symbols
        values = [f"the {words} is {1.5 + place:g} {of}".rstrip() for place, (_, words, of) in enumerate(given)]
        ending = f" in {unit}" if unit else ""
        return f"For the {self.thing}, {' and '.join(values)}. What is its {asked}{ending}?"


def _shape(label: str, latex: str, *symbols: str) -> Shape:
    pieces = (tuple(part.strip() for part in symbol.split("|")) for symbol in symbols)
    return Shape(label, latex, tuple((symbol, words, unit) for symbol, words, unit in pieces))


SHAPES = (
    _shape("Kinetic energy", r"E_{#} = \frac{1}{2} m_{#} v_{#}^2",
           r"E_{#}|kinetic energy|J", "m_{#}|mass|kg", "v_{#}|speed|m/s"),
    _shape("Momentum", "p_{#} = m_{#} v_{#}", "p_{#}|momentum|kg m/s", "m_{#}|mass|kg", "v_{#}|speed|m/s"),
    _shape("Force", "F_{#} = m_{#} a_{#}", "F_{#}|force|N", "m_{#}|mass|kg", "a_{#}|acceleration|m/s²"),
    _shape("Pressure", r"P_{#} = \frac{F_{#}}{A_{#}}", "P_{#}|pressure|Pa", "F_{#}|force|N", "A_{#}|area|m²"),
    _shape("Density", r"\rho_{#} = \frac{m_{#}}{V_{#}}",
           r"\rho_{#}|density|kg/m³", "m_{#}|mass|kg", "V_{#}|volume|m³"),
    _shape("Mechanical power", r"P_{#} = F_{#} v_{#}", "P_{#}|power|W", "F_{#}|force|N", "v_{#}|speed|m/s"),
    _shape("Heat", r"Q_{#} = m_{#} c_{#} \Delta T_{#}", "Q_{#}|heat|J", "m_{#}|mass|kg",
           "c_{#}|specific heat capacity|J/(kg K)", r"\Delta T_{#}|temperature change|K"),
    _shape("Electrical resistance", r"R_{#} = \frac{U_{#}}{I_{#}}",
           "R_{#}|resistance|Ω", "U_{#}|voltage|V", "I_{#}|current|A"),
    _shape("Electrical power", r"P_{#} = I_{#}^2 R_{#}", "P_{#}|power|W", "I_{#}|current|A", "R_{#}|resistance|Ω"),
    _shape("Centripetal force", r"F_{#} = \frac{m_{#} v_{#}^2}{r_{#}}",
           "F_{#}|centripetal force|N", "m_{#}|mass|kg", "v_{#}|speed|m/s", "r_{#}|radius|m"),
    _shape("Final velocity", r"v_{f,#} = v_{i,#} + a_{#} t_{#}", "v_{f,#}|final velocity|m/s",
           "v_{i,#}|initial velocity|m/s", "a_{#}|acceleration|m/s²", "t_{#}|time|s"),
    _shape("Oscillation period", r"T_{#} = 2 \pi \sqrt{\frac{m_{#}}{k_{#}}}",
           "T_{#}|period|s", "m_{#}|mass|kg", "k_{#}|spring constant|N/m"),
    _shape("Flow rate", r"q_{#} = A_{#} v_{#}", "q_{#}|volume flow rate|m³/s", "A_{#}|area|m²", "v_{#}|speed|m/s"),
    _shape("Torque", r"\tau_{#} = r_{#} F_{#}", r"\tau_{#}|torque|N m", "r_{#}|lever arm|m", "F_{#}|force|N"),
    _shape("Rotational energy", r"K_{#} = \frac{1}{2} I_{#} \omega_{#}^2", "K_{#}|rotational energy|J",
           "I_{#}|moment of inertia|kg m²", r"\omega_{#}|angular velocity|rad/s"),
    _shape("Stored charge", "Q_{#} = C_{#} U_{#}", "Q_{#}|charge|C", "C_{#}|capacitance|F", "U_{#}|voltage|V"),
    _shape("Remaining amount", r"N_{#} = N_{0,#} e^{-\lambda_{#} t_{#}}", "N_{#}|remaining amount|mol",
           "N_{0,#}|initial amount|mol", r"\lambda_{#}|decay constant|1/s", "t_{#}|time|s"),
    _shape("Stress", r"\sigma_{#} = Y_{#} \varepsilon_{#}",
           r"\sigma_{#}|stress|Pa", r"Y_{#}|Young's modulus|Pa", r"\varepsilon_{#}|strain|"),
    _shape("Lift height", r"h_{#} = \frac{W_{#}}{m_{#} g}", "h_{#}|height|m", "W_{#}|work|J", "m_{#}|mass|kg"),
    _shape("Wave speed", r"v_{#} = f_{#} \lambda_{#}",
           "v_{#}|wave speed|m/s", "f_{#}|frequency|Hz", r"\lambda_{#}|wavelength|m"),
    _shape("Hydraulic pressure", r"P_{#} = \rho_{#} g h_{#}",
           "P_{#}|hydrostatic pressure|Pa", r"\rho_{#}|density|kg/m³", "h_{#}|depth|m"),
    _shape("Efficiency", r"\eta_{#} = \frac{W_{o,#}}{W_{i,#}}",
           r"\eta_{#}|efficiency|", "W_{o,#}|work done|J", "W_{i,#}|energy supplied|J"),
    _shape("Concentration", r"c_{#} = \frac{n_{#}}{V_{#}}",
           "c_{#}|concentration|mol/m³", "n_{#}|amount of substance|mol", "V_{#}|volume|m³"),
    _shape("Drag", r"D_{#} = \frac{1}{2} \rho_{#} v_{#}^2 C_{D,#} A_{#}", "D_{#}|drag force|N",
           r"\rho_{#}|density|kg/m³", "v_{#}|speed|m/s", "C_{D,#}|drag coefficient|", "A_{#}|area|m²"),
    _shape("Reynolds number", r"Re_{#} = \frac{\rho_{#} v_{#} d_{#}}{\mu_{#}}", "Re_{#}|Reynolds number|",
           r"\rho_{#}|density|kg/m³", "v_{#}|speed|m/s", "d_{#}|diameter|m", r"\mu_{#}|dynamic viscosity|Pa s"),
    _shape("Heat conducted", r"\dot{Q}_{#} = \frac{k_{#} A_{#} \Delta T_{#}}{L_{#}}", r"\dot{Q}_{#}|heat flow|W",
           "k_{#}|thermal conductivity|W/(m K)", "A_{#}|area|m²", r"\Delta T_{#}|temperature difference|K",
           "L_{#}|thickness|m"),
    _shape("Impulse", r"J_{#} = F_{#} t_{#}", "J_{#}|impulse|N s", "F_{#}|force|N", "t_{#}|time|s"),
    _shape("Gas pressure", r"P_{#} = \frac{n_{#} R T_{#}}{V_{#}}", "P_{#}|gas pressure|Pa",
           "n_{#}|amount of substance|mol", "T_{#}|temperature|K", "V_{#}|volume|m³"),
    _shape("Magnification", r"M_{#} = \frac{d_{i,#}}{d_{o,#}}", "M_{#}|magnification|",
           "d_{i,#}|image distance|m", "d_{o,#}|object distance|m"),
    _shape("Displacement", r"s_{#} = v_{#} t_{#} + \frac{1}{2} a_{#} t_{#}^2", "s_{#}|displacement|m",
           "v_{#}|initial velocity|m/s", "t_{#}|time|s", "a_{#}|acceleration|m/s²"),
    _shape("Magnetic force", "F_{#} = B_{#} I_{#} L_{#}", "F_{#}|magnetic force|N",
           "B_{#}|magnetic field|T", "I_{#}|current|A", "L_{#}|length|m"),
    _shape("Time constant", r"\tau_{#} = R_{#} C_{#}", r"\tau_{#}|time constant|s",
           "R_{#}|resistance|Ω", "C_{#}|capacitance|F"),
    _shape("Surface charge density", r"\sigma_{#} = \frac{Q_{#}}{A_{#}}",
           r"\sigma_{#}|surface charge density|C/m²", "Q_{#}|charge|C", "A_{#}|area|m²"),
    _shape("Elongation", r"x_{#} = \frac{F_{#}}{k_{#}}", "x_{#}|extension|m", "F_{#}|force|N",
           "k_{#}|spring constant|N/m"),
    _shape("Sphere volume", r"V_{#} = \frac{4}{3} \pi r_{#}^3", "V_{#}|volume|m³", "r_{#}|radius|m"),
    _shape("Stored energy", r"E_{#} = \frac{1}{2} C_{#} U_{#}^2", "E_{#}|stored energy|J",
           "C_{#}|capacitance|F", "U_{#}|voltage|V"),
    _shape("Mass flow", r"\dot{m}_{#} = \rho_{#} A_{#} v_{#}", r"\dot{m}_{#}|mass flow rate|kg/s",
           r"\rho_{#}|density|kg/m³", "A_{#}|area|m²", "v_{#}|speed|m/s"),
    _shape("Angular momentum", r"L_{#} = I_{#} \omega_{#}", "L_{#}|angular momentum|kg m²/s",
           "I_{#}|moment of inertia|kg m²", r"\omega_{#}|angular velocity|rad/s"),
    _shape("Average speed", r"v_{#} = \frac{d_{#}}{t_{#}}", "v_{#}|average speed|m/s", "d_{#}|distance|m",
           "t_{#}|time|s"),
    _shape("Escape speed", r"v_{#} = \sqrt{\frac{2 G M_{#}}{R_{#}}}", "v_{#}|escape speed|m/s", "M_{#}|mass|kg",
           "R_{#}|radius|m"),
)  # fmt: skip


def entries(count: int) -> list[Entry]:
    """So many formulas: every shape of one thing, then of the next."""
    return list(islice(_entries(), count))


def _entries() -> Iterator[Entry]:
    for noun in THINGS:
        for adjective in ADJECTIVES:
            for shape in SHAPES:
                yield Entry(shape, f"{adjective} {noun}", f"{adjective[:3]}{noun}")


def write_documents(folder: Path, count: int) -> list[Path]:
    """Markdown documents with so many formulas, a hundred in each."""
    folder.mkdir(parents=True, exist_ok=True)
    listed, written = entries(count), []
    for start in range(0, len(listed), IN_A_DOCUMENT):
        part = listed[start : start + IN_A_DOCUMENT]
        title = f"# Handbook of the {part[0].thing} and others, part {start // IN_A_DOCUMENT + 1}\n\n"
        text = title + "\n".join(entry.markdown() for entry in part)
        written.append(folder / f"part-{start // IN_A_DOCUMENT + 1:04}.md")
        written[-1].write_text(text, encoding="utf-8")
    return written
