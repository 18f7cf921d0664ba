"""The filter language of cells: what it says, what it refuses, and that nothing else can happen."""

from __future__ import annotations

import contextlib
import random
import string
import time
from collections.abc import Callable

import pytest

from mathrag.errors import QueryError
from mathrag.retrieve.cell_filters import Field, Value, read_filter

CELL: dict[str, Value] = {
    "document": "d-1",
    "page": 3,
    "page_numbers": (3, 4),
    "table": "sections",
    "column": "text",
    "key": "d-1/section/2",
    "text": "the loss falls quickly",
}
ABSENT = {**CELL, "page": None, "page_numbers": (), "document": None}


def accepts(source: str, cell: dict[str, Value] = CELL) -> bool:
    return read_filter(source).accepts(lambda name: cell[name])


TRUE = [
    "",
    "  \n ",
    "page == 3",
    "page_number == 3.0",
    "pdf_id == 'd-1' and table_name == \"sections\"",
    "primary_key == 'd-1/section/2' AND column_name == 'text'",
    "page in [1, 2, 3]",
    "page not in [1, 2]",
    "not page in [1, 2]",
    "2 <= page < 4",
    "'loss' in text",
    "not ('gain' in text) && true",
    "page % 2 == 1 and page ** 2 == 9 and page / 2 == 1.5 and page - 1 == 2 and page * 2 + 1 == 7",
    "-page == -3",
    "2 ** 3 ** 2 == 512",
    "-2 ** 2 == -4",
    "array_contains(page_numbers, 4)",
    "array_length(page_numbers) == 2 and page_numbers[1] == 4",
    "array_length([]) == 0",
    "array_contains(['a', document], 'd-1')",
    "[page, 7][0] == 3",
    "text + '!' == 'the loss falls quickly!'",
    "text < 'u' and text >= 'the'",
    "page == 9 or page == 3 or 1 == 2",
    r"'it\'s' == \"it's\"".replace(r"\"", '"'),
    "true != false",
    "! (page > 3)",
]
FALSE = [
    "page == 4",
    "page == 3 and table_name == 'pages'",
    "page / 0 == 1",
    "page / 0 != 1",
    "page % 0 < 1",
    "(0 - 1) ** 0.5 == 1",
    "9e200 ** 9 > 1",
    "page_numbers[9] == 4",
    "page_numbers[0 - 1] == 4",
    "page_numbers[0.5] == 4",
    "false",
]
REFUSED = [
    ("page = 3", "=="),
    ("page", "condition"),
    ("'a'", "condition"),
    ("page == 'x'", "number is compared with a text"),
    ("author == 'x'", "no field 'author'"),
    ("page == ", "ends"),
    ("(page == 3", "where ) is meant"),
    ("page == 3)", "does not belong"),
    ("page == 3 page", "does not belong"),
    ("'open == 3", "has no end"),
    ("page == 3; DROP TABLE cells", "cannot be read"),
    ("page.__class__ == 3", "cannot be read"),
    ("__import__('os') == 1", "no field"),
    ("[1, 'a'][0] == 1", "all numbers"),
    ("[[1]][0] == 1", "all numbers"),
    ("[][0] == 1", "empty list"),
    ("array_contains(page, 1)", "needs a list"),
    ("array_contains(page_numbers)", "takes 2 values"),
    ("array_length(page_numbers, 1) == 1", "takes 1 value,"),
    ("page in 3", "needs a list or a text"),
    ("page in text", "needs a text"),
    ("'a' in page_numbers", "cannot be in a list of number"),
    ("not page", "needs a truth"),
    ("page and true", "needs a truth"),
    ("true < false", "cannot be compared"),
    ("page_numbers == page_numbers", "cannot be compared"),
    ("text * 2 == 'a'", "needs a number"),
    ("page not 3", "where in is meant"),
    ("(" * 100 + "true" + ")" * 100, "nests deeper"),
    ("not " * 100 + "true", "nests deeper"),
    ("-" * 60 + "1 == 1", "nests deeper"),
    ("page" + " + page" * 300 + " == 3", "computes more than"),
    ("page in [" + "1, " * 2000 + "1]", "more than"),
    ("page == 3 " + " " * 9000, "characters"),
    ("1" * 400 + " == 1", "cannot be read"),
    ("1e999 == 1", None),
]


@pytest.mark.parametrize("source", TRUE)
def test_what_holds(source: str) -> None:
    assert accepts(source)


@pytest.mark.parametrize("source", FALSE)
def test_what_does_not_hold(source: str) -> None:
    assert not accepts(source)


@pytest.mark.parametrize(("source", "says"), REFUSED)
def test_what_is_refused_says_why(source: str, says: str | None) -> None:
    if says is None:
        read_filter(source)
        return
    with pytest.raises(QueryError) as told:
        read_filter(source)
    assert says in str(told.value)


@pytest.mark.parametrize("comparison", ["==", "!=", "<", "<=", ">", ">="])
def test_what_is_missing_makes_any_comparison_false(comparison: str) -> None:
    assert not accepts(f"page {comparison} 3", ABSENT)
    assert not accepts(f"page + 1 {comparison} 3", ABSENT)
    assert accepts(f"not (page {comparison} 3)", ABSENT)
    assert not accepts("document in ['d-1']", ABSENT)
    assert not accepts("array_contains(page_numbers, 3)", ABSENT)


def test_what_a_filter_demands_of_a_field_is_known_without_a_cell() -> None:
    assert read_filter("pdf_id == 'a' and page in [1, 2] and page in [2, 3]").demands == {
        "document": ("a",),
        "page": (2,),
    }
    assert read_filter("'a' == key").demands == {"key": ("a",)}
    # Nothing is demanded where an alternative or a denial could hold instead.
    for source in ("key == 'a' or page == 1", "not (key == 'a')", "key != 'a'", "page + 1 == 2", "key in text"):
        assert read_filter(source).demands == {}


# ---- a plain evaluator, made of Python's own operators, beside each random filter

_Plain = tuple[str, Callable[[dict[str, Value]], object]]


def _numbers(chance: random.Random, depth: int) -> _Plain:
    if depth <= 0 or chance.random() < 0.4:
        if chance.random() < 0.5:
            return "page", lambda cell: cell["page"]
        value = chance.choice([0, 1, 2, 3, 5, 0.5, 2.25])
        return str(value), lambda _: value
    (first, one), (second, other) = _numbers(chance, depth - 1), _numbers(chance, depth - 1)
    sign = chance.choice("+-*/%")
    compute = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / b if b else None,
        "%": lambda a, b: a % b if b else None,
    }[sign]

    def judge(cell: dict[str, Value]) -> object:
        a, b = one(cell), other(cell)
        return None if a is None or b is None else compute(a, b)

    return f"({first} {sign} {second})", judge


def _texts(chance: random.Random) -> _Plain:
    name: Field = chance.choice(["document", "table", "column", "key", "text"])
    if chance.random() < 0.5:
        return name, lambda cell: cell[name]
    value = chance.choice(["d-1", "sections", "loss", "the loss falls quickly", ""])
    return repr(value), lambda _: value


def _conditions(chance: random.Random, depth: int) -> _Plain:
    if depth <= 0 or chance.random() < 0.3:
        make = _texts if chance.random() < 0.5 else lambda chance: _numbers(chance, 2)
        (first, one), (second, other) = make(chance), make(chance)
        sign = chance.choice(["==", "!=", "<", "<=", ">", ">=", "in []"])
        compare: dict[str, Callable[..., bool]] = {
            "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
            ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "in []": lambda a, b: a in [b],
        }  # fmt: skip
        written = f"{first} in [{second}]" if sign == "in []" else f"{first} {sign} {second}"

        def judge(cell: dict[str, Value]) -> object:
            a, b = one(cell), other(cell)
            return a is not None and b is not None and compare[sign](a, b)

        return f"({written})", judge
    first_part, second_part = _conditions(chance, depth - 1), _conditions(chance, depth - 1)
    match chance.choice(["and", "or", "not"]):
        case "not":
            return f"not {first_part[0]}", lambda cell: not first_part[1](cell)
        case "and":
            return f"({first_part[0]} and {second_part[0]})", lambda cell: bool(
                first_part[1](cell) and second_part[1](cell)
            )
        case _:
            return f"({first_part[0]} or {second_part[0]})", lambda cell: bool(
                first_part[1](cell) or second_part[1](cell)
            )


def test_random_filters_say_what_python_says() -> None:
    chance = random.Random(20)
    cells = [CELL, ABSENT, {**CELL, "page": 0}, {**CELL, "page": 2, "text": "", "table": "loss"}]
    for _ in range(2_000):
        source, judge = _conditions(chance, 3)
        found = read_filter(source)
        for cell in cells:
            expected = bool(judge(cell))
            assert found.accepts(lambda name, cell=cell: cell[name]) is expected, source  # type: ignore[misc]
            if expected:
                # What it demands is never more than what it says.
                for name, values in found.demands.items():
                    assert cell[name] in values, source


_PIECES = [
    *("and", "or", "not", "in", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "**", "%", "(", ")", "[", "]"),
    *(",", "page", "text", "pdf_id", "page_numbers", "array_contains", "array_length", "true", "1", "2.5", "9e99"),
    *("'a'", '"b', "\\", "\x00", "\ud800", "é", "=", ";", "--", "lambda", "__class__", "1e999", "0x1", "𝟙"),
]


def test_no_reply_makes_anything_else_than_a_filter_or_our_error() -> None:
    chance = random.Random(10_000)
    read = 0
    for _ in range(10_000):
        if chance.random() < 0.7:
            source = " ".join(chance.choices(_PIECES, k=chance.randrange(1, 14)))
        else:
            source = "".join(chance.choices(string.printable + "é\x00\ud800", k=chance.randrange(60)))
        try:
            found = read_filter(source)
        except QueryError:
            continue
        read += 1
        for cell in (CELL, ABSENT):
            assert found.accepts(lambda name, cell=cell: cell[name]) in (True, False)  # type: ignore[misc]
    assert read > 20


@pytest.mark.growth
@pytest.mark.parametrize(
    "piece",
    ["'a' + ", "page + ", "(", "not ", "- ", "[", "1 < ", "true or ", "2 ** ", "'\\\\", "\"'", "9", "page[", " "],
)
def test_long_filters_take_no_longer_than_their_length(piece: str) -> None:
    def seconds(times: int) -> float:
        started = time.perf_counter()
        with contextlib.suppress(QueryError):
            read_filter(piece * times + "1 == 1").accepts(lambda name: CELL[name])
        return time.perf_counter() - started

    assert min(seconds(100_000) for _ in range(2)) < 0.5
    assert min(seconds(7_000 // len(piece)) for _ in range(2)) < 0.5


def test_numbers_stay_small() -> None:
    assert not accepts("10 ** 300 * 10 ** 300 > 1")
    assert accepts("999999999999999 * 999999999999999 > 1")
