"""The QUDT names of kinds and constants exist and have the same dimension, where the vocabulary is at hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mathrag.knowledge import constants, kinds
from mathrag.types.quantity import Dimension

QUDT = Path(__file__).resolve().parents[3] / "shared" / "data" / "qudt"

_LETTERS = {
    "A": "amount",
    "E": "current",
    "L": "length",
    "I": "luminosity",
    "M": "mass",
    "H": "temperature",
    "T": "time",
}


# Where QUDT itself links a constant to a quantity kind of another dimension (for magnetic moments, to the one that is
# measured in Wb*m), only the name is checked.
_QUDT_MISLINKED = {"ConductanceQuantum", "GravitationalConstant", "ElectromagneticPermeabilityOfVacuum"}
_QUDT_OTHER_CONVENTION = "MagneticDipoleMoment"


def qudt_text(name: str) -> str:
    path = QUDT / name
    if not path.exists():
        pytest.skip("the QUDT vocabulary is not beside the project (../shared/data/qudt), so its names are not checked")
    return path.read_text(encoding="utf-8")


def qudt_subjects(text: str, prefix: str) -> dict[str, str]:
    """The block of every subject; a block ends where the next line starts without a blank."""
    blocks = re.split(rf"^{prefix}:(?=\S)", text, flags=re.MULTILINE)[1:]
    return {block.split(None, 1)[0]: block for block in blocks}


def qudt_dimension(block: str) -> Dimension | None:
    found = re.search(r"qudt:hasDimensionVector\s+qkdv:([\w-]+)", block)
    if found is None:
        return None
    exponents = re.findall(r"([AELIMHT])(-?\d+(?:dot\d+)?)", found[1].replace("pt", "dot"))
    if any("dot" in number for _, number in exponents):
        return None
    return Dimension.of({_LETTERS[letter]: int(number) for letter, number in exponents})


def test_kinds_agree_with_qudt() -> None:
    subjects = qudt_subjects(qudt_text("quantitykinds/VOCAB_QUDT-QUANTITY-KINDS-ALL.ttl"), "quantitykind")
    checked = 0
    for kind in kinds.all_kinds():
        if kind.qudt is None:
            continue
        assert kind.qudt in subjects, f"{kind.id}: {kind.qudt} is not in QUDT"
        dimension = qudt_dimension(subjects[kind.qudt])
        assert dimension in (None, kind.dimension), f"{kind.id}: {kind.qudt} has the dimension {dimension}"
        checked += dimension is not None
    assert checked >= 350


def test_constants_agree_with_qudt() -> None:
    subjects = qudt_subjects(qudt_text("constants/VOCAB_QUDT-CONSTANTS.ttl"), "constant")
    quantities = qudt_subjects(qudt_text("quantitykinds/VOCAB_QUDT-QUANTITY-KINDS-ALL.ttl"), "quantitykind")
    checked = 0
    for item in constants.all_constants():
        if item.qudt is None:
            continue
        assert item.qudt in subjects, f"{item.id}: {item.qudt} is not in QUDT"
        names = re.findall(r"qudt:hasQuantityKind\s+quantitykind:(\w+)", subjects[item.qudt])
        if item.qudt in _QUDT_MISLINKED or _QUDT_OTHER_CONVENTION in names:
            continue
        dimensions = {qudt_dimension(quantities[name]) for name in names if name in quantities} - {None}
        assert not dimensions or item.dimension in dimensions, f"{item.id}: {item.qudt} is {names}"
        checked += bool(dimensions)
    assert checked >= 90
