"""What a document says of a symbol beside a formula outranks the formula's name, constants and the usual meanings."""

from __future__ import annotations

from pathlib import Path

from mathrag.documents.registry import read_path
from mathrag.extract.definitions.lookup import said_of
from mathrag.extract.pipeline import extract
from mathrag.types.document import Place
from mathrag.types.library import Span, SymbolDefinition, SymbolMeaning


def _symbols(tmp_path: Path, text: str) -> dict[str, SymbolMeaning]:
    notes = tmp_path / "notes.md"
    notes.write_text(text, encoding="utf-8")
    return {one.name: one for one in extract(read_path(notes), document_id="d-1").findings[0].symbols}


def test_words_go_before_the_title_of_the_formula(tmp_path: Path) -> None:
    said = "where $u$ is the speed (m/s) and $a$ is the slowing rate (m/s²)."
    text = f"# Deceleration distance\n\n$$S = \\frac{{u^2}}{{2 a}}$$\n\n{said}\n"
    found = _symbols(tmp_path, text)
    assert (found["a"].description, found["a"].unit) == ("slowing rate", "m/s^2")


def test_words_go_before_a_constant_of_the_same_letter(tmp_path: Path) -> None:
    said = "where $N_A$ is the acceptor concentration (1/cm³), $N_D$ the donor concentration (1/cm³) and $m$ the carrier concentration (1/cm³)."  # noqa: E501
    text = f"# Doping\n\n$$V_b = V_t \\ln\\frac{{N_A N_D}}{{m^2}}$$\n\n{said}\n"
    found = _symbols(tmp_path, text)
    assert found["N_A"].description == "acceptor concentration"
    assert found["N_A"].constant is None


def test_a_name_that_nobody_knows_gets_no_kind_from_the_letter(tmp_path: Path) -> None:
    text = "# Shields\n\n$$I = S \\nu$$\n\nwhere $S$ is the screening yardstick and $\\nu$ is the grading mark.\n"
    found = _symbols(tmp_path, text)
    assert found["S"].description == "screening yardstick"
    assert found["S"].kind is None
    assert found["nu"].description == "grading mark"


def test_an_index_is_explained_for_all_numbers(tmp_path: Path) -> None:
    text = "# Rain\n\n$$F = p_1 + p_2$$\n\nwhere $p_i$ is the monthly precipitation (mm).\n"
    found = _symbols(tmp_path, text)
    assert (found["p_1"].description, found["p_1"].unit) == ("first monthly precipitation", "mm")
    assert found["p_2"].description == "second monthly precipitation"


def _definition(name: str) -> SymbolDefinition:
    return SymbolDefinition(name, "heads", Span("d", Place(), ""), 0, 9, "where")


def test_only_numbers_and_indices_have_relatives() -> None:
    said = {"h": [_definition("h")], "q_i": [_definition("q_i")]}
    assert [one.description for one in said_of(said, "h_2")] == ["second head"]
    assert [one.name for one in said_of(said, "q_7")] == ["q_7"]
    assert not said_of(said, "h_0")
    assert not said_of(said, "h_loss")


def test_a_unit_that_is_stated_is_never_replaced_by_one_that_would_fit(tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    said = "where $P_s$ is the push in J, $w_s$ is the shelf weight in J and $h_s$ is the height in m"
    notes.write_text(f"# Shelves\n\nThe push is $P_s = w_s h_s$, {said}.\n", encoding="utf-8")
    (found,) = extract(read_path(notes), document_id="d-1").findings
    assert (found.status, found.reason_code) == ("quarantined", "dimensions")
    # What is shown, and can be corrected, is what stands there; what would fit is said beside it.
    assert {one.name: one.unit for one in found.symbols} == {"P_s": "J", "w_s": "J", "h_s": "m"}
    assert found.reason.endswith("it would fit with w_s in N")
    assert not found.alternatives


def test_a_letter_in_parentheses_behind_a_name_is_its_symbol(tmp_path: Path) -> None:
    said = "with the mass (m) in kg and the speed (v) in m/s"
    found = _symbols(tmp_path, f"# Carts\n\nThe momentum is $p = m v$, {said}.\n")
    assert (found["m"].unit, found["v"].unit) == ("kg", "m/s")


CONSTANTS = """

# Useful information

| Symbol | Meaning | Best value | Approximate value |
|---|---|---|---|
| $h$ | Planck’s constant | $6.62607015 \\times 10^{-34}$ J·s | $6.63 \\times 10^{-34}$ J·s |
| $k$ | Boltzmann’s constant | $1.380649 \\times 10^{-23}$ J/K | $1.38 \\times 10^{-23}$ J/K |
| $R$ | Gas constant | $8.314462618$ J/mol·K | $8.31$ J/mol·K |
"""


def test_a_table_of_constants_speaks_of_what_it_lists_and_of_no_other_letter(tmp_path: Path) -> None:
    """Springs and heights have these letters, too."""
    said = "where $m$ is the mass (kg) and $T$ is the period (s)."
    notes = tmp_path / "notes.md"
    notes.write_text(f"# Springs\n\n$$T = 2 \\pi \\sqrt{{\\frac{{m}}{{k}}}}$$\n\n{said}{CONSTANTS}", encoding="utf-8")
    finding = extract(read_path(notes), document_id="d-1").findings[0]
    assert finding.status == "executable", finding.reason
    assert {one.name: one.unit for one in finding.symbols}["k"] == "N/m"


def test_a_constant_is_known_by_its_name_whatever_its_apostrophe(tmp_path: Path) -> None:
    for apostrophe in "'’":
        said = f"where $h$ is Planck{apostrophe}s constant and $f$ is the frequency."
        found = _symbols(tmp_path, f"# Photons\n\nThe energy of a photon is\n\n$$E = h f$$\n\n{said}\n")
        assert (found["h"].constant, found["h"].role) == ("planck_constant", "constant")
