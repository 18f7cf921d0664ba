"""The grammar of cell formulas: what binds how, what is refused and why; printing and reading undo each other."""

from __future__ import annotations

import contextlib
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.documents.sheets.formula_text import (
    Area,
    Function,
    Named,
    Node,
    Operation,
    Percent,
    Reference,
    Signed,
    Value,
    formula_text,
    parse_formula,
    shifted,
)
from mathrag.errors import FormulaError


@pytest.mark.parametrize(
    ("written", "grouped"),
    [
        ("1+2*3", "1+(2*3)"),
        ("-2^2", "(-2)^2"),
        ("2^3^2", "(2^3)^2"),
        ("2^-1", "2^(-1)"),
        ("10-4-3", "(10-4)-3"),
        ("50%^2", "(50%)^2"),
        ("-5%", "(-5)%"),
        ("1+1=2", "(1+1)=2"),
        ("1&2+3", "1&(2+3)"),
    ],
)
def test_operators_bind_as_in_a_spreadsheet(written: str, grouped: str) -> None:
    assert parse_formula(written) == parse_formula(grouped)


def test_references_know_their_sheet_and_what_is_fixed() -> None:
    assert parse_formula("'My sheet'!$B$3") == Reference(3, 2, "My sheet", True, True)
    assert parse_formula("Data!c4") == Reference(4, 3, "Data")
    assert parse_formula("B9:A2") == Area(Reference(2, 1), Reference(9, 2))
    assert parse_formula("[$'My sheet'.$B$3]", dialect="open") == Reference(3, 2, "My sheet", True, True)
    assert parse_formula("SUM([.A1:.A3];2)", dialect="open") == parse_formula("SUM(A1:A3,2)")
    assert parse_formula("LOG10(A1)") == Function("LOG10", (Reference(1, 1),))
    assert parse_formula("IF(A1,,2)") == Function("IF", (Reference(1, 1), None, Value(Decimal(2))))


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("[1]Data!A1*2", "another file"),
        ("'C:\\[prices.xlsx]Data'!A1", "another file"),
        ("SUM(A:A)", "whole rows or columns"),
        ("Jan:Dec!A1", "several sheets"),
        ("Parts[Price]*2", "named table"),
        ("Parts[[#This Row],[Price]]*2", "named table"),
        ("{1,2,3}", "array"),
        ("A1#", "array"),
        ("1+", "ends too early"),
        ("(1", "ends too early"),
        ("1)", "cannot stand here"),
        ("A1 B1", "cannot stand here"),
        ("ZZZ1", "outside every sheet"),
        ("(" * 200 + "1" + ")" * 200, "deep"),
        ("-" * 200 + "1", "signs"),
        ("1+" * 4_000 + "1", "more than 500 parts"),
        ("1" * 9_000, "characters"),
        ("$", "no part of a formula"),
    ],
)
def test_what_is_not_read_says_why(written: str, reason: str) -> None:
    with pytest.raises(FormulaError, match=reason):
        parse_formula(written)


def test_a_formula_that_is_filled_moves_what_is_not_fixed() -> None:
    node = parse_formula("A1*$B1+C$1-$D$1+SUM(E1:E2)")
    assert formula_text(shifted(node, 2, 1)) == "B3*$B3+D$1-$D$1+SUM(F3:F4)"
    assert "#REF!" in formula_text(shifted(node, -1, 0))


def _references() -> st.SearchStrategy[Reference]:
    sheets = st.sampled_from(["", "Data", "My sheet", "it's", "A1", "2024"])
    return st.builds(Reference, st.integers(1, 9_999), st.integers(1, 700), sheets, st.booleans(), st.booleans())


def _nodes() -> st.SearchStrategy[Node]:
    numbers = st.decimals(0, 10**6, allow_nan=False, places=3).map(abs)
    leaves: st.SearchStrategy[Node] = st.one_of(
        numbers.map(Value), st.booleans().map(Value), st.text("ab \"'", max_size=5).map(Value), _references(),
        st.sampled_from([Named("Rate"), Named("flow_rate.max")]),
    )  # fmt: skip

    def inner(parts: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        operators = st.sampled_from(["+", "-", "*", "/", "^", "&", "=", "<>", "<", ">=", "<=", ">"])
        arguments = st.lists(parts, max_size=3).map(tuple)
        return st.one_of(
            st.builds(Signed, st.sampled_from(["-", "+"]), parts),
            st.builds(Percent, parts),
            st.builds(Operation, operators, parts, parts),
            st.builds(Function, st.sampled_from(["SUM", "IF", "LOG10", "ATAN2"]), arguments),
        )

    return st.recursive(leaves, inner, max_leaves=12)


@given(_nodes())
def test_what_is_printed_reads_back_as_it_was(node: Node) -> None:
    assert parse_formula(formula_text(node)) == node


@given(st.text("A1b$!'\"#:;,.()[]{}+-*/^%&=<> \\é9@|~_", max_size=60), st.sampled_from(["excel", "open"]))
def test_any_text_is_a_formula_or_an_error_of_ours(text: str, dialect: str) -> None:
    with contextlib.suppress(FormulaError):
        parse_formula(text, dialect=dialect)  # type: ignore[arg-type]
