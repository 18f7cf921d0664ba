"""The table of elements: complete, in order, without doubles."""

from __future__ import annotations

import pytest

from mathrag.knowledge.elements import atomic_number, element_names, element_symbols, unmistakable_symbols


def test_every_element_is_there_once() -> None:
    assert len(element_names()) == 118
    assert len(set(element_names().values())) == 118


@pytest.mark.parametrize(
    ("symbol", "name", "number"),
    [("H", "hydrogen", 1), ("Fe", "iron", 26), ("Ag", "silver", 47), ("Pr", "praseodymium", 59), ("U", "uranium", 92)],
)
def test_symbol_name_and_number_belong_together(symbol: str, name: str, number: int) -> None:
    assert element_names()[symbol] == name
    assert atomic_number(symbol) == number


def test_a_unit_is_no_element_where_it_could_be_either() -> None:
    assert "Pa" in element_symbols()
    assert "Pa" not in unmistakable_symbols()
