"""A unit that stands once, behind values that are named one by one."""

from __future__ import annotations

import pytest

from mathrag.language.quantities import find_quantities


@pytest.mark.parametrize(
    ("text", "values", "unit"),
    [
        ("Total cholesterol 190, HDL 45, triglycerides 140 (mg/dL)", [190, 45, 140], "mg/dL"),
        ("sodium 141, potassium 4.2 (mmol/L). Anion gap?", [141, 4.2], "mmol/L"),
        ("consumption 70, exports 9 and imports 11 (billion $)", [70e9, 9e9, 11e9], "USD"),
        ("sales 30, costs 21 (in thousands of dollars)?", [30e3, 21e3], "USD"),
        ("width 3, height 4 and depth 5, all in cm", [3, 4, 5], "cm"),
        ("a box 3 by 4 by 5 (cm3)", [3, 4, 5], ""),
        ("sides 3 and 4 (m2)?", [3, 4], ""),
        ("mass 3 kg, weight 4 (N)", [3, 4], None),
        ("apples 3, pears 4 (all ripe)", [3, 4], ""),
        ("12 (cm)", [12], ""),
    ],
)
def test_a_unit_behind_named_values(text: str, values: list[float], unit: str | None) -> None:
    found = find_quantities(text)
    assert [one.value for one in found] == values
    if unit is not None:
        assert {one.units[0].text if one.units else "" for one in found} == {unit}
