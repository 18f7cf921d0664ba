"""The documents that come with the package, of the starter library and of the handbook: every formula reads, its units
agree, its examples compute."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import mathrag
from mathrag.calculator import check_dimensions, find_quantities, latex_text, read_formula, read_unit, read_value
from mathrag.compute.evaluate import Failure, evaluate_quantity
from mathrag.errors import UnitError
from mathrag.library import Library
from mathrag.types.answer import Answer, Refusal
from mathrag.types.expression import Declined, Equation, Reading, equation_symbols, symbols_of
from mathrag.types.quantity import Dimension, Quantity

STARTER = Path(mathrag.__file__).parent / "data" / "starter"
HANDBOOK = Path(mathrag.__file__).parent / "data" / "handbook"
DOCUMENTS = sorted((*STARTER.glob("*.md"), *HANDBOOK.glob("*.md")))
# They hold for the numbers of the units that the text states.
OF_NUMBERS = frozenset(
    (
        "Body surface area",
        "Basal metabolic rate of a man",
        "Basal metabolic rate of a woman",
        "Maximum heart rate",
        "Creatinine clearance of a man",
        "Creatinine clearance of a woman",
        "Calcium corrected for albumin",
        "Serum osmolality",
        "Speed of sound in air",
        "Winters' formula",
        "Sodium corrected for glucose",
        "Free water deficit of a man",
        "Free water deficit of a woman",
        "Maintenance fluid from 10 to 20 kg",
        "Maintenance fluid above 20 kg",
        "Parkland formula",
        "Parkland fluid of the first hours",
        "Parkland fluid of the first hours at a stated volume",
        "Phenytoin corrected for albumin",
        "Average glucose from HbA1c",
        "Ideal body weight of a man",
        "Ideal body weight of a woman",
        "Lean body mass of a man",
        "Lean body mass of a woman",
        "Body surface area by Du Bois",
        "Target height of a boy",
        "Target height of a girl",
    )
)
EXPECTED = (
    "amounts-and-solutions constants electricity electrochemistry energy-and-momentum equilibrium-and-acids fluids "
    "gases-and-thermochemistry heat-and-gases kinetics magnetism-and-induction mechanics modern-physics "
    "rotation-and-gravitation waves-and-optics"
).split()
_DISPLAY = re.compile(r"\$\$([^$]+)\$\$")
_INLINE = re.compile(r"(?<!\$)\$([^$\n]+)\$(?!\$)")
_OPENING = re.compile(r"^(?:#{1,6} |\*\*)")
_UNIT_WORD = re.compile(r"\bin ([^\s,;]+)")
# C and F alone could be degrees.
_ELECTRIC = tuple(read_unit(text).dimension for text in ("coulomb", "farad", "farad/m", "coulomb/mol"))


def _is_in(name: str) -> Path:
    return STARTER / f"{name}.md"


@dataclass
class Entry:
    """A piece of a document under one heading or bold lead, with the units stated in it and in what encloses it."""

    title: str
    level: int
    lines: list[str] = field(default_factory=list)
    enclosing: list[Entry] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def stated(self) -> dict[str, str]:
        return {symbol: unit for scope in (*self.enclosing, self) for symbol, unit in _stated_units(scope.text)}


def _entries(path: Path) -> list[Entry]:
    body = path.read_text(encoding="utf-8").split("---\n", 2)[2]
    found: list[Entry] = []
    above: list[Entry] = []
    for line in body.splitlines():
        if _OPENING.match(line) and not line.startswith("**Example"):
            level = len(line) - len(line.lstrip("#")) or 9
            above = [entry for entry in above if entry.level < level]
            entry = Entry(line.strip("#* "), level, [line], list(above))
            found.append(entry)
            above.append(entry)
        elif found:
            found[-1].lines.append(line)
    return found


def _stated_units(text: str) -> Iterator[tuple[str, str]]:
    """Pairs of symbol (as LaTeX) and unit from sentences, list items and tables."""
    table: list[str] = []
    for paragraph in re.split(r"\n\s*\n|\n(?=- )|\n(?=\|)", text):
        if paragraph.startswith("|"):
            cells = [cell.strip() for cell in paragraph.strip().strip("|").split("|")]
            if "Unit" in cells and "Symbol" in cells:
                table = cells
            elif table and len(cells) == len(table):
                for symbol in _INLINE.findall(cells[table.index("Symbol")]):
                    yield symbol, cells[table.index("Unit")]
            continue
        table = []
        if not paragraph.startswith("**Example"):
            yield from _units_of_sentence(" ".join(paragraph.split()))


def _units_of_sentence(sentence: str) -> Iterator[tuple[str, str]]:
    pieces = re.split(r"(?<!\$)\$([^$]+)\$(?!\$)", sentence)
    waiting: list[str] = []
    for symbol, words in zip(pieces[1::2], pieces[2::2], strict=True):
        waiting.append(symbol)
        unit = _unit_in(words)
        if unit is not None:
            yield from ((name, unit) for name in waiting)
        if unit is not None or words.strip() not in ("", ",", "and"):
            # "$m_1$ and $m_2$ are the masses (kg)": all that are named together share the unit.
            waiting = []


def _unit_in(words: str) -> str | None:
    for inside in _parenthesised(words):
        if inside.split(",")[0].split(" ")[0] == "dimensionless":
            return ""
        bare = re.sub(r"^[-−\d.e+]+ ", "", inside.split(",")[0].split(" for ")[0].split(" on ")[0])
        if _reads_as_unit(bare):
            return bare
    if "dimensionless" in words:
        return ""
    for word in _UNIT_WORD.findall(words):
        if _reads_as_unit(word.rstrip(".")):
            return str(word.rstrip("."))
    return None


def _parenthesised(words: str) -> Iterator[str]:
    depth = start = 0
    for position, character in enumerate(words):
        if character == "(" and (depth or words[:position].endswith(" ")):
            # A parenthesis without a space before it belongs to a unit: mol/(L·s).
            start = position + 1 if depth == 0 else start
            depth += 1
        elif character == ")" and depth:
            depth -= 1
            if depth == 0:
                yield words[start:position]


def _reads_as_unit(text: str) -> bool:
    try:
        read_unit(text, prefer=_ELECTRIC)
    except UnitError:
        return False
    return True


def _dimensions(entry: Entry) -> dict[str, Dimension]:
    known: dict[str, Dimension] = {}
    for written, unit in entry.stated.items():
        reading = read_formula(written, notation="latex")
        if isinstance(reading, Reading) and reading.expression is not None:
            names = symbols_of(reading.expression)
            if len(names) == 1:
                text = "" if unit == "dimensionless" else unit
                known[names[0]] = read_unit(text, prefer=_ELECTRIC).dimension
    return known


FORMULAS = [
    pytest.param(entry, formula.strip(), id=f"{path.stem}:{entry.title[:40]}")
    for path in DOCUMENTS
    for entry in _entries(path)
    for formula in _DISPLAY.findall(entry.text)
]
EXAMPLES = [
    pytest.param(formula, id=f"{path.stem}:{entry.title[:40]}")
    for path in DOCUMENTS
    for entry in _entries(path)
    for paragraph in re.split(r"\n\s*\n", entry.text)
    if paragraph.startswith("**Example")
    for formula in _INLINE.findall(" ".join(paragraph.split()))
]


def test_the_library_is_whole() -> None:
    assert sorted(path.stem for path in STARTER.glob("*.md")) == EXPECTED
    stems = [path.stem for path in DOCUMENTS]
    assert len(stems) == len(set(stems))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_front_matter_has_title_author_and_year(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "---"
    fields = dict(line.split(": ", 1) for line in lines[1 : lines.index("---", 1)])
    assert fields["title"].strip('"')
    assert fields["authors"] == "MathRAG"
    assert fields["date"] == "2026"


@pytest.mark.parametrize(("entry", "formula"), FORMULAS)
def test_a_formula_reads_and_its_units_agree(entry: Entry, formula: str) -> None:
    reading = read_formula(formula, notation="latex")
    assert not isinstance(reading, Declined), f"{formula}: {reading.reason}"
    assert reading.equations, formula
    known = _dimensions(entry)
    for equation in reading.equations:
        assert set(equation_symbols(equation)) <= set(known), f"{formula}: the text gives no unit for every symbol"
        if entry.title in OF_NUMBERS:
            continue
        report = check_dimensions(equation, known)
        assert report.status == "consistent", f"{formula}: {report}"


@pytest.mark.parametrize("formula", EXAMPLES)
def test_an_example_computes(formula: str) -> None:
    reading = read_formula(formula, notation="latex")
    assert isinstance(reading, Reading), formula
    values = [_value(equation) for equation in reading.equations]
    assert len(values) >= 2, f"{formula}: an example shows the working and the result"
    first, *others = values
    for other in others:
        assert other.dimension == first.dimension, formula
        assert other.si_value == pytest.approx(first.si_value, rel=6e-3), formula


def _value(equation: Equation) -> Quantity:
    value = evaluate_quantity(equation.right, {})
    assert not isinstance(value, Failure), f"{latex_text(equation)}: {value}"
    return value


def test_constants_agree_with_the_data_file() -> None:
    with (Path(mathrag.__file__).parent / "knowledge" / "data" / "constants.toml").open("rb") as file:
        constants = tomllib.load(file)["constant"]
    rows = 0
    for line in _is_in("constants").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 4 or not cells[1].startswith("$"):
            continue
        rows += 1
        written = read_value(cells[2]).value
        unit = read_unit("" if cells[3] == "dimensionless" else cells[3], prefer=_ELECTRIC)
        agreeing = [
            constant["id"]
            for constant in constants
            if float(constant["value"]) == written
            and read_unit(constant["unit"], prefer=_ELECTRIC).dimension == unit.dimension
        ]
        assert agreeing, line
    assert rows >= 45


def test_values_in_the_words_agree_with_the_data_file() -> None:
    """A constant quoted in a definition, as in (8.8541878188e-12 F/m), is the one of the table."""
    with (Path(mathrag.__file__).parent / "knowledge" / "data" / "constants.toml").open("rb") as file:
        known = [float(constant["value"]) for constant in tomllib.load(file)["constant"]]
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        for quoted in re.findall(r"\((\d[\d.]{8,}(?:e-?\d+)? [^)]*\)?)\)", text):
            (mention, *_) = find_quantities(quoted)
            assert any(value == pytest.approx(mention.value, rel=1e-9) for value in known), f"{path.stem}: {quoted}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_the_markdown_reader_finds_every_formula(path: Path) -> None:
    markdown = pytest.importorskip("mathrag.documents.markdown")
    from mathrag.documents.seams import Source
    from mathrag.types.document import formulas_of

    document = markdown.read_markdown(Source(path.name, path.read_bytes()))
    found = [math.source.strip() for block in document.blocks for math in formulas_of(block) if math.is_display]
    assert found == [formula.strip() for formula in _DISPLAY.findall(path.read_text(encoding="utf-8"))]
    assert document.title
    assert document.authors == ("MathRAG",)
    assert document.year == 2026
    assert not document.notes


@pytest.fixture(scope="module")
def gases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library(tmp_path_factory.mktemp("gases")) as library:
        library.ingest([_is_in("heat-and-gases"), _is_in("gases-and-thermochemistry")])
        yield library


@pytest.mark.parametrize("cold", ["0 K", "-273.15 °C", "-5 K", "-300 °C"])
@pytest.mark.parametrize(
    "question",
    [
        "What is the pressure of 2 mol of an ideal gas in 0.1 m³ at {}?",
        "What is the volume of 2 mol of an ideal gas at 100 kPa and {}?",
        "What is the pressure of 5e23 molecules of an ideal gas in 0.1 m³ at {}?",
        "What is the internal energy of 2 mol of a monatomic ideal gas at {}?",
        "What is the mean kinetic energy of a molecule of an ideal gas at {}?",
        "What is the density of an ideal gas of 0.029 kg/mol at 100 kPa and {}?",
    ],
)
def test_nothing_is_a_gas_at_absolute_zero_or_below(gases: Library, question: str, cold: str) -> None:
    told = gases.ask(question.format(cold), planner="rules")
    assert isinstance(told, Refusal)
    assert told.code == "impossible"
    warm = gases.ask(question.format("300 K"), planner="rules")
    assert isinstance(warm, Answer)
