"""Findings, formulas and proposals at random, but of a shape that documents could give them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from mathrag.compute.canonical import canonical_key
from mathrag.compute.pythontext import read_python_text
from mathrag.extract.choice_search import Proposal, vector_of
from mathrag.types.document import Place
from mathrag.types.expression import Declined, Equation, equation_symbols
from mathrag.types.library import Alternative, ConstantFinding, Finding, Instance, Span, SymbolMeaning, Validity
from mathrag.types.quantity import DIMENSIONLESS, Dimension

METRE = Dimension.of({"length": 1})
SECOND = Dimension.of({"time": 1})
SPEED = METRE / SECOND
UNITS = {METRE: "m", SECOND: "s", SPEED: "m/s", DIMENSIONLESS: ""}
EQUATIONS = (
    "F = m*a",
    "v = u + a*t",
    "s = u*t + a*t**2/2",
    "s = a*t**2/2",
    "s = v*t",
    "a = v**2/r",
    "E = m*v**2/2",
    "E = m*v**2/2 + m*g*h",
    "p = m*v",
    "T = 2*pi*sqrt(L/g)",
    "P = W/t",
    "W = F*s",
    "P = F*v",
    "V = I*R",
    "k = A*exp(-E/(R*T))",
    "log(k) = log(A) - E/(R*T)",
)


def equation_of(text: str) -> Equation:
    """The one equation that Python text writes."""
    reading = read_python_text(text)
    assert not isinstance(reading, Declined), text
    return reading.equations[0]


@st.composite
def meanings(draw: st.DrawFn, name: str) -> SymbolMeaning:
    """What one symbol may be said to mean; mostly with a dimension."""
    dimension = draw(st.sampled_from((None, METRE, SECOND, SPEED)))
    origin = draw(st.sampled_from(("document", "assumed", "inferred", "unknown")))
    return SymbolMeaning(
        name,
        description=draw(st.sampled_from(("", "speed", "length of the path"))),
        unit=None if dimension is None else UNITS[dimension],
        dimension=dimension,
        kind=draw(st.sampled_from((None, "length"))) if dimension == METRE else None,
        origin="unknown" if dimension is None else origin,
    )


@st.composite
def findings_of_one_form(draw: st.DrawFn) -> list[Finding]:
    """What several places say about one equation."""
    text = draw(st.sampled_from(EQUATIONS[:8]))
    equation = equation_of(text)
    names = equation_symbols(equation)
    places = draw(
        st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 5)), min_size=1, max_size=6, unique=True),
    )
    found = []
    for document, position in places:
        span = Span(document, Place(line=position + 1), text)
        alternatives = tuple(
            Alternative(0.2, (draw(meanings(name)),)) for name in draw(st.lists(st.sampled_from(names), max_size=2))
        )
        found.append(
            Finding(
                document=document,
                position=position,
                form=canonical_key(equation),
                latex=text,
                source=text,
                notation="text",
                status=draw(st.sampled_from(("executable", "executable", "quarantined"))),
                span=span,
                equation=equation,
                label=draw(st.sampled_from(("", "Motion", "Second law"))),
                label_origin=draw(st.sampled_from(("", "cell", "heading", "sentence"))),
                keywords=tuple(draw(st.lists(st.sampled_from(("motion", "force", "law")), unique=True))),
                symbols=tuple(draw(meanings(name)) for name in names),
                alternatives=alternatives,
                prior=draw(st.sampled_from((1.0, 0.7, 0.4))),
                conditions=tuple(
                    Validity(words, (), span)
                    for words in draw(st.lists(st.sampled_from(("at rest", "At rest", "in air")), max_size=2))
                ),
                instances=tuple(
                    Instance(words, (("a", "1 m"),), "agrees", span)
                    for words in draw(st.lists(st.sampled_from(("a = 1", "a = 2")), max_size=1))
                ),
            )
        )
    return found


@st.composite
def constants_of_one_symbol(draw: st.DrawFn) -> list[ConstantFinding]:
    """What several places say about a constant c: values that agree, nearly agree, or are something else."""
    places = draw(
        st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 5)), min_size=1, max_size=7, unique=True),
    )
    values = (("3.00E+8", "m/s"), ("299792458", "m/s"), ("2.998E+8", "m/s"), ("3.0E+5", "km/s"), ("340", "m/s"))
    found = []
    for document, position in places:
        value, unit = draw(st.sampled_from((*values, ("4.18", "J/(g*K)"), ("4186", "J/(kg*K)"))))
        name = draw(st.sampled_from(("", "speed of light", "speed of sound", "Speed of  light", "specific heat")))
        found.append(
            ConstantFinding(
                document=document,
                position=position,
                symbol="c",
                name=name,
                value=Decimal(value),
                unit=unit,
                dimension=SPEED if unit.endswith("m/s") else Dimension.of({"length": 2, "time": -2, "temperature": -1}),
                span=Span(document, Place(line=position + 1), value),
                keywords=tuple(draw(st.lists(st.sampled_from(("light", "heat")), unique=True))),
                uncertainty=draw(st.sampled_from((None, Decimal("0.5")))) if value == "340" else None,
                standard=draw(st.sampled_from((None, "speed_of_light"))) if name.endswith("light") else None,
            )
        )
    return found


@st.composite
def proposals_for(draw: st.DrawFn, names: tuple[str, ...]) -> dict[str, list[Proposal]]:
    """Proposals for every symbol, at most one a dimension and one that leaves it open."""
    found: dict[str, list[Proposal]] = {}
    for name in names:
        dimensions = draw(
            st.lists(st.sampled_from((METRE, SECOND, SPEED, SPEED / SECOND, DIMENSIONLESS)), max_size=3, unique=True)
        )
        listed = [_proposal(name, dimension, draw(st.sampled_from((0.1, 1.0, 5.0, 30.0)))) for dimension in dimensions]
        if not listed or draw(st.booleans()):
            listed.append(_proposal(name, None, draw(st.sampled_from((0.0004, 1.0)))))
        found[name] = listed
    return found


def _proposal(name: str, dimension: Dimension | None, weight: float) -> Proposal:
    meaning = SymbolMeaning(name, dimension=dimension, origin="unknown" if dimension is None else "assumed")

    def make() -> SymbolMeaning:
        return meaning

    return Proposal(weight, None if dimension is None else vector_of(dimension), make)


def dimensions_of(chosen: Any) -> dict[str, Dimension]:
    """The dimensions that a choice gives to its symbols."""
    return {name: one.dimension for name, one in chosen.meanings.items() if one.dimension is not None}
