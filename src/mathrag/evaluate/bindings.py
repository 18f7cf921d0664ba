"""Whether the values that an answer used are those that the question gives. Compares; grades nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from mathrag.evaluate.formula_matching import symbol_name
from mathrag.evaluate.values import is_near, quantity_of, quantity_of_text
from mathrag.types.quantity import Quantity

# `units`: the number of the question, taken for another unit.
Agreement: TypeAlias = Literal["same", "units", "other"]
_TOLERANCE = 0.002


def compare_bindings(
    bindings: object, given: Sequence[tuple[str, str]], *, by_name: bool = True
) -> tuple[Agreement, str]:
    """How the bound values agree with the given ones, and what differs, in words.

    Where the symbols are those of the set (`by_name`) each must have its own value; else it is enough that every
    given value is bound to something.
    """
    bound = _bound(bindings)
    verdict: Agreement = "same"
    problems: list[str] = []
    for letter, text in given:
        wanted = quantity_of_text(text)
        if wanted is None:
            continue
        name = symbol_name(letter)
        found = [bound[name]] if by_name and name in bound else list(bound.values())
        if any(_is_same(one, wanted) for one in found):
            continue
        is_other_unit = any(is_near(float(one.value), float(wanted.value), tolerance=_TOLERANCE) for one in found)
        verdict = "units" if is_other_unit and verdict != "other" else "other"
        shown = f"{bound[name].value:g} {bound[name].unit}".strip() if name in bound else "nothing"
        problems.append(f"{letter} is {text}, bound: {shown}")
    return verdict, "; ".join(problems)


def _bound(bindings: object) -> dict[str, Quantity]:
    if not isinstance(bindings, Mapping):
        return {}
    found: dict[str, Quantity] = {}
    for letter, value in bindings.items():
        if not isinstance(value, Mapping):
            continue
        quantity = quantity_of(value.get("value"), value.get("unit"))
        if quantity is not None:
            # The symbols of an earlier step are written `step1.m`.
            found[_name(str(letter), found)] = quantity
    return found


def _name(letter: str, taken: Mapping[str, Any]) -> str:
    name = symbol_name(letter.rpartition(".")[2] or letter)
    return letter if name in taken else name


def _is_same(found: Quantity, wanted: Quantity) -> bool:
    if found.dimension != wanted.dimension:
        return False
    if is_near(found.si_value, wanted.si_value, tolerance=_TOLERANCE):
        return True
    # A difference of temperatures may be stated in either scale.
    return found.unit.scale == wanted.unit.scale and is_near(
        float(found.value), float(wanted.value), tolerance=_TOLERANCE
    )
