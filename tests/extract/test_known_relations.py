"""Formulas are recognised as relations that people know, and a letter that nothing speaks for has no meaning."""

from __future__ import annotations

import pytest

from mathrag.compute.pythontext import read_python_text
from mathrag.documents import Source, read_document
from mathrag.extract.known_relations import FieldVotes, KnownMatch, Words, known_matches, recognition
from mathrag.extract.pipeline import extract
from mathrag.types.expression import Equation, Reading
from mathrag.types.library import Finding, SymbolMeaning


def _equation(text: str) -> Equation:
    reading = read_python_text(text)
    assert isinstance(reading, Reading)
    return reading.equations[0]


def _best(text: str, name: str = "") -> KnownMatch | None:
    words = Words(name=frozenset(name.split()))
    return next(iter(known_matches(_equation(text), {}, words, FieldVotes())), None)


def _read(text: str) -> list[Finding]:
    document = read_document(Source("notes.md", text.encode()), media_type="text/markdown")
    return list(extract(document, document_id="d").findings)


def _symbols(text: str) -> dict[str, SymbolMeaning]:
    return {symbol.name: symbol for finding in _read(text) for symbol in finding.symbols}


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        ("P*V = n*R*T", {"P": "pressure", "T": "temperature"}),
        ("T = P*V/(n*R)", {"V": "volume", "R": "gas constant"}),
        ("K = m*v**2/2", {"m": "mass", "v": "speed"}),
        ("h = v**2/(2*g)", {"h": "height", "g": "gravit"}),
    ],
)
def test_a_relation_is_recognised_however_it_is_arranged(text: str, meanings: dict[str, str]) -> None:
    best = _best(text)
    assert best is not None
    assert best.share > 0.5
    for name, meaning in meanings.items():
        assert meaning in best.places[name].meaning


def test_other_letters_are_not_taken_for_the_relation() -> None:
    assert recognition(_equation("P*V = n*R*T")) > 0.8
    assert recognition(_equation("a*b = c*d*f")) < 0.2


def test_a_unit_that_the_document_states_outranks_what_is_known() -> None:
    symbols = _symbols(
        "# Looms\n\n$$F = m a$$\n\nwhere $F$ is the thread tally (m), $m$ is the pitch (m) and $a$ a count."
    )
    assert symbols["m"].unit == "m"
    assert symbols["F"].description == "thread tally"


def test_a_symbol_means_what_it_means_in_the_formula_beside_it() -> None:
    text = "# Beams\n\n$$\\sigma = \\frac{M y}{I}$$\n\nand at the edge\n\n$$\\sigma_1 = \\frac{M c_1}{I}$$"
    symbols = _symbols(text)
    assert "moment" in symbols["M"].description
    assert symbols["I"].unit == "m^4"


def test_a_letter_that_nothing_speaks_for_has_no_meaning() -> None:
    symbols = _symbols("# Ratings\n\nThe rating of a chess club is\n\n$$\\gamma = \\frac{\\eta}{1 + \\xi}$$")
    assert {symbols[name].description for name in ("eta", "xi")} == {""}


def test_a_known_relation_between_numbers_holds_in_its_usual_units() -> None:
    (found,) = _read("# Links\n\nThe free-space path loss is\n\n$$L = 20\\log_{10}(d) + 20\\log_{10}(f) + 32.44$$")
    assert found.status == "executable"
    assert {flag.code for flag in found.flags} >= {"number_equation"}
    assert {symbol.name: symbol.unit for symbol in found.symbols}["f"] == "MHz"


def test_what_is_marked_as_initial_stays_the_initial_one() -> None:
    match = _best("v**2 = v_0**2 + 2*a*(x - x_0)")
    assert match is not None
    assert match.places["x_0"].meaning == "initial position"
    turned = _best("v**2 = v_0**2 - 2*g*(y - y_0)")
    assert turned is None or turned.places["y"].meaning != "initial position"


def test_a_table_of_constants_speaks_of_its_constants_only() -> None:
    table = "| symbol | constant | value |\n|---|---|---|\n| $R$ | gas constant | 8.31 J/(mol K) |\n"
    text = f"# Heaters\n\nThe power of a heater is\n\n$$P = I^2 R$$\n\n# Constants\n\n{table}"
    assert "gas" not in _symbols(text)["R"].description


def test_of_places_that_a_symbol_may_have_alike_only_what_they_share_is_said() -> None:
    best = _best("B = sqrt(B_i**2 + B_j**2)", "magnitude vector components")
    alike = _best("q = sqrt(q_k**2 + q_l**2)", "magnitude vector components")
    for match in filter(None, (best, alike)):
        first, second = [place.meaning for name, place in match.places.items() if "_" in name]
        assert first == second


def test_a_subscript_tells_which_component_is_meant() -> None:
    best = _best("F_B = sqrt(F_Bx**2 + F_By**2)", "force magnitude")
    assert best is not None
    assert best.places["F_Bx"].name.endswith("x")
    assert best.places["F_By"].name.endswith("y")


def test_a_ratio_in_percent_holds_in_all_units() -> None:
    ratio = r"\frac{\text{vapor density}}{\text{saturation density}}"
    (finding,) = _read(rf"$$\text{{percent relative humidity}} = {ratio} \times 100$$")
    assert "Pa" not in (finding.latex or "")
