"""The weights of extraction: every number of the data file is read by some rule, and none is out of bounds."""

from __future__ import annotations

import tomllib
from pathlib import Path

import mathrag
from mathrag.extract.weights import weights

# Factors and logarithms, which may be larger.
NO_SHARES = ("meanings", "known_relations")
FOLDER = Path(mathrag.__file__).parent / "extract"


def test_every_weight_is_read_somewhere() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py"))
    for group, numbers in tomllib.loads((FOLDER / "data/weights.toml").read_text(encoding="utf-8")).items():
        assert dict(weights(group)) == numbers
        for name, value in numbers.items():
            assert group in NO_SHARES or 0 < value <= 1, f"{group}.{name} is no share"
            assert f'"{name}"' in code, f"{group}.{name} is read nowhere"
