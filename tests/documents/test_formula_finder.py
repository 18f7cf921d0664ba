"""The finder of formulas by itself: a manner made up for the test, tokens of one letter each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from mathrag.documents.math_in_text.finder import Manner, RowGrammar, find_formulas, is_well_formed, neighbour
from mathrag.documents.math_in_text.tokens import FoundFormula, Role, TextToken, closing_bracket

ROLES: dict[str, Role] = {
    "w": "word", "u": "unit", "x": "symbol", "2": "number", "+": "operator", "-": "operator", "*": "operator",
    "=": "relation", "(": "open", ")": "close", ",": "comma", "'": "mark", "f": "function", "√": "root",
}  # fmt: skip
TYPED = RowGrammar(
    signs_after=frozenset(("", "open", "operator", "comma", "root")),
    doubled_signs=False,
    functions_take_more=False,
    numbers_side_by_side=True,
)
TAGGED = RowGrammar(
    signs_after=frozenset(("", "open", "relation", "operator")),
    doubled_signs=True,
    functions_take_more=True,
    numbers_side_by_side=False,
)


def _tokens(text: str) -> list[TextToken]:
    tokens: list[TextToken] = []
    for place, sign in enumerate(text):
        if sign != " ":
            kind = {"(": "open", ")": "close"}.get(sign, "")
            tokens.append(TextToken(kind, sign, place, place + 1, float(text[place - 1 : place] == " ")))
    return tokens


def _roles(tokens: Sequence[TextToken]) -> list[Role]:
    return [ROLES[token.text] for token in tokens]


def _whole(_: Sequence[TextToken], _roles: list[Role], start: int, stop: int) -> Iterator[FoundFormula]:
    yield FoundFormula(start, stop)


LETTERS: Manner[TextToken] = Manner(roles=_roles, judge=_whole)


def _found(text: str, manner: Manner[TextToken] = LETTERS, **told: bool) -> list[tuple[int, int]]:
    return [(each.start, each.stop) for each in find_formulas(_tokens(text), manner, **told)]


def test_words_and_units_end_a_stretch() -> None:
    assert _found("wx=2uwx") == [(1, 4), (6, 7)]
    assert _found("www") == _found("") == []


def test_a_break_ends_a_stretch_and_begins_the_next() -> None:
    wide = replace(LETTERS, is_break=lambda tokens, _, place: tokens[place].gap > 0)
    assert _found("x=2 x+2", wide) == [(0, 3), (3, 6)]


def test_of_a_torn_stretch_only_what_remains_is_taken() -> None:
    torn = replace(LETTERS, is_torn=lambda _, roles, place: 0 <= place < len(roles) and roles[place] == "word")
    assert _found("wx+2", torn) == []
    assert _found("wx+2", replace(torn, remains=_whole)) == [(1, 4)]
    assert _found("x+2", LETTERS, after_formula=True) == _found("x+2", LETTERS, before_formula=True) == []


def test_what_belongs_to_a_formula_already_is_left_alone() -> None:
    assert [each.start for each in find_formulas(_tokens("x+xx"), LETTERS, taken={0, 1})] == [2]


@pytest.mark.parametrize(
    ("row", "typed", "tagged"),
    [
        ("x+2", True, True),
        ("-x", True, True),
        ("x+", False, False),
        ("*x", False, False),
        ("(x+2)*x", True, True),
        ("(x", False, False),
        ("x)", False, False),
        ("()", False, False),
        ("x+-x", False, True),
        ("x*-x", True, True),
        ("√-x", True, False),
        ("f", True, False),
        ("fx", True, True),
        ("22", True, False),
        ("x'", True, True),
        ("'x", False, False),
        ("f(x,2)", True, True),
        ("x,2", False, False),
        ("x=x", True, True),
        ("x==x", False, False),
        ("", False, False),
    ],
)
def test_the_grammar_of_a_row(row: str, typed: bool, tagged: bool) -> None:
    tokens = _tokens(row)
    assert is_well_formed(tokens, _roles(tokens), TYPED) is typed
    assert is_well_formed(tokens, _roles(tokens), TAGGED) is tagged


def test_neighbours_and_the_white_between() -> None:
    tokens = _tokens("x +2")
    assert neighbour(tokens, 0, 1) == (1, True)
    assert neighbour(tokens, 1, -1) == (0, True)
    assert neighbour(tokens, 1, 1) == (2, False)
    assert neighbour(tokens, 2, 1) == (3, False)
    assert neighbour(tokens, 0, -1) == (-1, False)


def test_the_bracket_that_closes() -> None:
    assert closing_bracket(_tokens("(x(2))x"), 0) == 5
    assert closing_bracket(_tokens("(x"), 0) is None
