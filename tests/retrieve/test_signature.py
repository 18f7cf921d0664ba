"""Formulas found by the dimensions and symbols of what a question gives and asks."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from mathrag.retrieve.signature import Signature, SignatureIndex, SignatureRow

KINETIC, FORCE, GAS, COLLISION = "kinetic", "force", "gas", "collision"
SYMBOLS = {
    KINETIC: {"E_k": "m^2*kg/s^2", "m": "kg", "v": "m/s"},
    FORCE: {"F": "m*kg/s^2", "m": "kg", "a": "m/s^2"},
    GAS: {"P": "kg/(m*s^2)", "V": "m^3", "n": "mol", "T": "K", "R": "*constant"},
    COLLISION: {"m_1": "kg", "m_2": "kg", "v_1": "m/s", "v_2": "m/s"},
}
ROWS = [
    SignatureRow(formula, name, None if dimension == "*constant" else dimension, dimension == "*constant")
    for formula, symbols in SYMBOLS.items()
    for name, dimension in symbols.items()
]
INDEX = SignatureIndex(ROWS)


def signature(*givens: str, asked: str = "", symbols: tuple[str, ...] = ()) -> Signature:
    return Signature(
        tuple(frozenset(each.split("|")) for each in givens),
        frozenset((asked,)) if asked else frozenset(),
        frozenset(symbols),
    )


def test_the_formula_that_fits_comes_first() -> None:
    assert INDEX.search(signature("kg", "m/s", asked="m^2*kg/s^2"))[0] == KINETIC
    assert INDEX.search(signature("kg", "m/s^2", asked="m*kg/s^2"))[0] == FORCE
    assert INDEX.search(signature("m^3", "mol", "K", asked="kg/(m*s^2)"))[0] == GAS


def test_two_values_of_one_dimension_need_two_places() -> None:
    assert INDEX.search(signature("kg", "kg", "m/s", asked="m/s"))[0] == COLLISION
    assert INDEX.search(signature("kg", "m/s", asked="m/s"))[0] == KINETIC


def test_a_unit_of_two_readings_counts_for_either() -> None:
    assert INDEX.search(signature("K|A*s", "mol", "m^3"))[0] == GAS


def test_constants_are_not_missed() -> None:
    """The gas constant needs no value, so that three values and the one asked for are all."""
    with_variable = SignatureIndex([*ROWS, *(SignatureRow("other", name, each.dimension, False) for name, each in
                                             zip("PVnTX", ROWS[6:11], strict=True))])  # fmt: skip
    assert with_variable.search(signature("m^3", "mol", "K", asked="kg/(m*s^2)"))[0] == GAS


def test_another_reading_of_its_symbols_finds_a_formula_too_but_later() -> None:
    """`t` read as a thickness hides a formula from questions that give a time."""
    rows = [SignatureRow("wicking", "x", "m", False), SignatureRow("wicking", "t", "m", False)]
    other = [SignatureRow("wicking", "x", "m", False, 1), SignatureRow("wicking", "t", "s", False, 1)]
    plain = [SignatureRow("plain", "x", "m", False), SignatureRow("plain", "t", "s", False)]
    searched = signature("s", asked="m")
    assert SignatureIndex([*rows, *plain, *other]).search(searched) == ["plain", "wicking"]
    assert len(SignatureIndex([*rows, *plain, *other])) == 2


def test_symbols_typed_count() -> None:
    assert INDEX.search(signature(symbols=("a",))) == [FORCE]


def test_what_fits_nothing_finds_nothing() -> None:
    assert INDEX.search(signature("cd")) == []
    assert INDEX.search(signature()) == []
    assert SignatureIndex([]).search(signature("kg", asked="m")) == []
    assert len(INDEX) == len(SYMBOLS)


dimensions = st.sampled_from(["kg", "m/s", "m/s^2", "mol", "K", "m^3", "m*kg/s^2", "cd"])


@given(
    givens=st.lists(st.frozensets(dimensions, min_size=1, max_size=2), max_size=6),
    asked=st.frozensets(dimensions, max_size=2),
    symbols=st.frozensets(st.sampled_from(["m", "v", "T", "nobody"]), max_size=3),
    limit=st.integers(1, 6),
)
def test_any_question(givens: list[frozenset[str]], asked: frozenset[str], symbols: frozenset[str], limit: int) -> None:
    searched = Signature(tuple(givens), asked, symbols)
    found = INDEX.search(searched, limit=limit)
    assert len(found) == len(set(found)) <= limit
    assert found == INDEX.search(searched, limit=10)[:limit]
    assert found == SignatureIndex(list(ROWS)).search(searched, limit=limit)


rows = st.lists(
    st.builds(
        SignatureRow,
        st.sampled_from("abcde"),
        st.sampled_from(["m", "v", "T"]),
        st.one_of(st.none(), dimensions),
        st.booleans(),
        st.integers(0, 2),
    ),
    max_size=24,
)


def counted(listed: list[SignatureRow], searched: Signature) -> dict[str, float]:
    """What each formula scores, reading by reading, as one would count by hand."""
    wanted = Counter(dimension for each in searched.givens for dimension in each)
    scores: dict[str, float] = {}
    for key in {(row.formula, row.reading) for row in listed}:
        own = [row.dimension for row in listed if (row.formula, row.reading) == key and not row.is_constant]
        places = Counter(dimension for dimension in own if dimension is not None)
        count = sum(min(number, places[dimension]) for dimension, number in wanted.items())
        is_asked = not searched.asked.isdisjoint(places)
        if count or is_asked:
            fit = is_asked + (count - 0.6 * max(0, len(own) - 1 - count) if count else 0) - (0.3 if key[1] else 0)
            scores[key[0]] = max(fit, scores.get(key[0], fit))
    for row in listed:
        if not row.reading and row.name in searched.symbols:
            scores[row.formula] = scores.get(row.formula, 0.0) + 0.5
    return scores


@given(
    listed=rows,
    givens=st.lists(st.frozensets(dimensions, min_size=1, max_size=2), max_size=5),
    asked=st.frozensets(dimensions, max_size=2),
    symbols=st.frozensets(st.sampled_from(["m", "v", "nobody"]), max_size=3),
    limit=st.integers(1, 6),
)
def test_the_best_are_those_that_score_most(
    listed: list[SignatureRow], givens: list[frozenset[str]], asked: frozenset[str], symbols: frozenset[str], limit: int
) -> None:
    searched = Signature(tuple(givens), asked, symbols)
    scores = counted(listed, searched)
    best = sorted(scores, key=lambda formula: (-round(scores[formula], 9), formula))
    found = SignatureIndex(listed).search(searched, limit=limit)
    assert [round(scores[formula], 9) for formula in found] == [round(scores[formula], 9) for formula in best[:limit]]
    assert set(found) <= set(scores)
