"""What formulas are for: general statements are told from steps, from cases of one example and from numbers."""

from __future__ import annotations

from pathlib import Path

from mathrag.documents.registry import read_path
from mathrag.extract.merger import merge_findings
from mathrag.extract.pipeline import extract
from mathrag.types.library import Extraction, Finding


def _read(folder: Path, name: str, text: str) -> Extraction:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return extract(read_path(file), document_id="d-1")


def _purposes(extraction: Extraction) -> dict[str, str]:
    return {finding.latex.replace(" ", ""): finding.purpose for finding in extraction.findings}


def _of(extraction: Extraction, target: str) -> list[Finding]:
    return [one for one in extraction.findings if one.equation is not None and one.equation.target == target]


BOXED = r"""<html><body><h1>Winches</h1><h2>Pulling</h2>
<p>The pull of a winch is</p><p>\[F = \frac{P}{v}\]</p><p>where \(P\) is the power and \(v\) the speed of the rope.</p>
<div class="example"><h3>Hauling a boat</h3>
<p>For the boat we have</p><p>\[F_{boat} = \frac{P_{boat}}{v_{boat}}\]</p>
<p>and with its numbers</p><p>\[T_{boat} = m_{boat} (a_{boat} + 9.81)\]</p></div>
<p>The power lost in the gears is</p><p>\[Q = P (1 - \eta)\]</p>
<script src="mathjax.js"></script></body></html>"""


def test_a_box_holds_cases_and_ends_where_it_ends(tmp_path: Path) -> None:
    extraction = _read(tmp_path, "winches.html", BOXED)
    assert [one.purpose for one in _of(extraction, "F")] == ["general"]
    assert [one.purpose for one in _of(extraction, "F_boat")] == ["case"]
    assert [one.purpose for one in _of(extraction, "T_boat")] == ["instance"]
    (after,) = _of(extraction, "Q")
    assert after.purpose == "general"
    assert after.span.headings == ("Winches", "Pulling")


def test_a_solution_in_bold_holds_to_the_next_title(tmp_path: Path) -> None:
    text = (
        "# Tanks\n\n## Filling\n\nThe time to fill a tank is\n\n$$t = \\frac{V}{Q}$$\n\n"
        "**Example 2**\n\nA tank is filled.\n\n**Solution**\n\nHere\n\n$$t_b = \\frac{V_b - V_a}{Q_b}$$\n\n"
        "## Emptying\n\nThe outflow is\n\n$$Q = A v$$\n"
    )
    extraction = _read(tmp_path, "tanks.md", text)
    assert [one.purpose for name in ("t", "t_b", "Q") for one in _of(extraction, name)] == [
        "general",
        "case",
        "general",
    ]


def test_solutions_of_chemistry_and_a_discussion_are_no_examples(tmp_path: Path) -> None:
    text = (
        "# Mixtures\n\n## Solutions\n\nThe concentration is\n\n$$c = \\frac{n}{V}$$\n\n"
        "## Discussion\n\nThe density is\n\n$$\\rho = \\frac{m}{V}$$\n"
    )
    assert set(_purposes(_read(tmp_path, "mixtures.md", text)).values()) == {"general"}


def test_a_collection_of_examples_has_formulas_too(tmp_path: Path) -> None:
    text = "# Sheet\n\n" + "".join(
        f"## Example {number}\n\nThe power is\n\n$$P = {force} v$$\n\n"
        for number, force in enumerate(("F", "2 F", "3 F"), start=1)
    )
    assert set(_purposes(_read(tmp_path, "sheet.md", text)).values()) == {"general"}


def test_steps_lead_to_a_result_that_is_general(tmp_path: Path) -> None:
    text = (
        "# Sliding\n\nThe loss of energy equals the work:\n\n$$m g h = F d$$\n\n"
        "Dividing both sides by the mass gives\n\n$$\\frac{m g h}{m} = \\frac{F d}{m}$$\n\n"
        "Solving for the distance yields\n\n$$d = \\frac{m g h}{F}$$\n\nwhere $d$ is the distance.\n"
    )
    found = [one.purpose for one in _read(tmp_path, "sliding.md", text).findings]
    assert found == ["general", "step", "general"]


def test_a_numbered_or_explained_formula_is_no_step(tmp_path: Path) -> None:
    text = (
        r"\documentclass{article}\begin{document}\section{Flow}"
        r"Substituting the area gives \begin{equation} Q = \pi r^2 v \end{equation} or"
        r"\begin{equation} v = \frac{Q}{\pi r^2} \end{equation}"
        r"\begin{example} For the hose we have \[ Q_h = \pi r_h^2 v_h \] \end{example}"
        r"Its power is \[ P = Q p \] \end{document}"
    )
    extraction = _read(tmp_path, "flow.tex", text)
    assert [one.purpose for one in extraction.findings] == ["general", "general", "case", "general"]


def test_numbers_of_one_case_are_instances(tmp_path: Path) -> None:
    text = (
        "# Lenses\n\nThe factor is\n\n$$k = \\frac{1}{\\sqrt{1 - \\frac{u^2}{w^2}}}$$\n\n"
        "Then\n\n$$30.00 = \\frac{1}{\\sqrt{1 - \\frac{u^2}{w^2}}}$$\n\n"
        "A rule of thumb for all glasses is\n\n$$D = 1.22 \\frac{\\lambda}{s}$$\n\nThe sum is\n\n$$a + b = 14.00$$\n"
    )
    purposes = [one.purpose for one in _read(tmp_path, "lenses.md", text).findings]
    assert purposes == ["general", "instance", "general", "general"]


def test_a_supposition_is_a_case_and_a_definition_is_one(tmp_path: Path) -> None:
    text = (
        "# Gears\n\nThe ratio is defined as\n\n$$i = \\frac{n_1}{n_2}$$\n\n"
        "If both shafts turn alike, so when $n_1 = n_2 + n_3$, nothing slips.\n"
    )
    found = [one.purpose for one in _read(tmp_path, "gears.md", text).findings]
    assert found == ["definition", "case"]


def test_what_is_said_generally_anywhere_is_general(tmp_path: Path) -> None:
    text = (
        "# Pumps\n\n## Example 1\n\nWith\n\n$$P = p Q$$\n\n## Power\n\nThe power of a pump is\n\n$$P = p Q$$\n\n"
        "## Head\n\nThe head is\n\n$$H = \\frac{p}{\\rho g}$$\n"
    )
    extraction = _read(tmp_path, "pumps.md", text)
    step, general = _of(extraction, "P")
    assert (step.purpose, general.purpose) == ("step", "general")
    (formula,) = merge_findings([step, general])
    assert formula.is_general
    assert formula.label == general.label
    (alone,) = merge_findings([step])
    assert alone.purpose == "step"


def test_an_example_that_comes_out_confirms_and_one_that_does_not_sets_aside(tmp_path: Path) -> None:
    text = (
        "# Carts\n\nThe power is\n\n$$P = F v$$\n\nwhere $P$ is the power, $F$ the force and $v$ the speed.\n\n"
        "## Example 1\n\nWith $F = 20\\ \\mathrm{{N}}$ and $v = 3.0\\ \\mathrm{{m/s}}$ we use\n\n$$P = F v$$\n\n"
        "to get $P = {result}\\ \\mathrm{{W}}$.\n"
    )
    right = _read(tmp_path, "right.md", text.format(result="60"))
    assert any(one.verdict == "agrees" for finding in _of(right, "P") for one in finding.instances)
    assert all(one.status == "executable" for one in _of(right, "P"))
    wrong = _of(_read(tmp_path, "wrong.md", text.format(result="180")), "P")
    assert [one.status for one in wrong if one.instances] == ["quarantined"]
    close = _of(_read(tmp_path, "close.md", text.format(result="61")), "P")
    assert all(one.status == "executable" for one in close)


def test_values_in_a_chain_are_found_in_any_order(tmp_path: Path) -> None:
    text = (
        "# Springs\n\nThe force is\n\n$$F = k x$$\n\n## Example 1\n\n"
        "$$F = k x = (0.20\\ \\mathrm{m})(50\\ \\mathrm{N/m}) = 10\\ \\mathrm{N}$$\n"
    )
    found = [one for finding in _of(_read(tmp_path, "springs.md", text), "F") for one in finding.instances]
    assert [one.verdict for one in found] == ["agrees"]


def test_a_value_of_an_example_is_no_constant_of_the_document(tmp_path: Path) -> None:
    text = (
        "# Heat\n\nThe heat is\n\n$$Q = m c_w \\Delta T$$\n\nwith $c_w = 4100\\ \\mathrm{J/(kg\\,K)}$.\n\n"
        "## Example 1\n\nwith $g = 9.7\\ \\mathrm{m/s^2}$ the stone falls.\n"
    )
    extraction = _read(tmp_path, "heat.md", text)
    assert [(one.symbol, str(one.value)) for one in extraction.constants] == [("c_w", "4100")]
    (heat,) = _of(extraction, "Q")
    assert [symbol.name for symbol in heat.symbols if symbol.role == "constant"] == ["c_w"]


def test_what_still_cancels_is_a_step(tmp_path: Path) -> None:
    text = (
        "# Floats\n\nThe swing of a float takes\n\n$$T = \\sqrt{\\frac{m}{m g / L}}$$\n\n"
        "The draught of a barge is\n\n$$h = \\frac{m}{\\rho A}$$\n"
    )
    extraction = _read(tmp_path, "floats.md", text)
    swing, draught = _of(extraction, "T") + _of(extraction, "h")
    assert (swing.purpose in ("step", "case"), draught.purpose) == (True, "general")


def test_one_of_several_things_is_a_case_of_what_holds_for_all(tmp_path: Path) -> None:
    text = (
        "# Tanks\n\nThe mass of a tank of oil is\n\n$$m = \\rho V$$\n\nThe first holds\n\n$$m_1 = \\rho V_1$$\n\n"
        "The dry mass is\n\n$$m_{dry} = \\rho V_{dry}$$\n"
    )
    extraction = _read(tmp_path, "oil.md", text)
    assert [one.purpose for name in ("m", "m_1", "m_dry") for one in _of(extraction, name)] == [
        "general",
        "case",
        "general",
    ]


def test_what_one_of_a_unit_is_is_no_formula(tmp_path: Path) -> None:
    text = (
        "# Coils\n\nThe unit of a coil is\n\n$$1\\,H = 1\\,\\Omega \\cdot s$$\n\nso that\n\n"
        "$$\\frac{V \\cdot s}{A} = \\Omega \\cdot s$$\n\nThe voltage of a coil is\n\n$$U = L \\frac{d}{t}$$\n"
    )
    extraction = _read(tmp_path, "coils.md", text)
    assert [one.equation.target for one in extraction.findings if one.equation is not None] == ["U"]


def test_numbers_put_in_along_a_chain_make_an_instance(tmp_path: Path) -> None:
    text = (
        "# Wells\n\nThe level after a while is\n\n$$h = h_0 e^{-k t}$$\n\nand after one lifetime\n\n"
        "$$h = h_0 e^{-k t} = 0.368 h_0$$\n\nIts sensor has\n\n$$R = 200\\,k\\,\\Omega$$\n\n"
        "The rate of the well is\n\n$$k = \\frac{\\ln 2}{T} = \\frac{0.693}{T}$$\n"
    )
    extraction = _read(tmp_path, "wells.md", text)
    assert sorted(one.purpose for one in _of(extraction, "h")) == ["general", "general", "instance"]
    assert not _of(extraction, "R")
    assert {one.purpose for one in _of(extraction, "k")} == {"general"}


def test_what_holds_of_anything_is_no_formula_to_compute_with(tmp_path: Path) -> None:
    text = "# Key equations\n\nThe order of loads does not count:\n\n$$P + Q = Q + P$$\n\nThe load is\n\n$$P = q L$$\n"
    extraction = _read(tmp_path, "loads.md", text)
    assert [one.purpose for one in extraction.findings] in (["step", "general"], ["case", "general"])


def test_a_factor_of_the_formula_did_not_come_out_of_its_example(tmp_path: Path) -> None:
    text = (
        "# Rods\n\n## Full rods\n\nThe twist of a full rod is\n\n$$q = \\frac{16 T}{\\pi d^3}$$\n\n"
        "**Example.** A rod of 20 mm gives $q = \\frac{16 \\times 30}{\\pi \\times 0.02^3} = 1.9e7$.\n\n"
        "## Tubes\n\nThe twist of a tube is\n\n$$p = \\frac{16 T D}{\\pi (D^4 - b^4)}$$\n"
    )
    extraction = _read(tmp_path, "rods.md", text)
    assert [one.purpose for one in _of(extraction, "p")] == ["general"]
