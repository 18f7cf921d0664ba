"""Words: how text becomes words, that any text is a safe question, and that the right entry comes first."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_makers import MECHANICS, MERGER, WAVES, make_record

from mathrag.retrieve.word_search import WordSearch
from mathrag.store.index.words import WordHit, index_text, match_query, query_words, search_words
from mathrag.store.truth import reader
from mathrag.store.truth.database import Database, open_database
from mathrag.store.truth.writer import replace_document

SAME = [
    ("λ", "lambda"),
    (r"\lambda", "λ"),
    ("v_0", "v₀"),
    ("v_{0}", "v0"),
    (r"v_{\mathrm{avg}}", "v_avg"),
    ("Δx", r"\Delta x"),
    ("Delta_x", "Δx"),
    ("[H+]", "conc_H_plus"),
    (r"[\mathrm{H^+}]", "[H+]"),
    ("[H₃O⁺]", "conc_H3O_plus"),
    ("ΔG°", "Delta_G"),
    ("half-life", "halflife"),
    ("half life", "half-life"),
    ("Ohm's", "Ohm"),
    ("Ohm’s", "ohms"),
    ("Schrödinger", "schrodinger"),
    ("Brønsted", "Bronsted"),
    ("Navier–Stokes", "navier stokes"),
    ("µ", "μ"),
    ("ε", r"\varepsilon"),
    ("lambda_", "λ"),
    ("ENERGY", "energy"),
]


@pytest.mark.parametrize(("written", "asked"), SAME)
def test_different_spellings_meet(written: str, asked: str) -> None:
    # Ohm's and ohms meet in the stemmer of the index.
    asked_words = {word.removesuffix("s") if asked == "ohms" else word for word in query_words(asked)}
    assert asked_words & set(index_text(written).split())


def test_letters_are_indexed_beside_their_names() -> None:
    assert index_text("λ").split() == ["lambda", "λ"]
    assert index_text("ταχύτητα").split() == ["ταχυτητα"]


def test_words_that_say_nothing_are_dropped_unless_alone() -> None:
    assert query_words("what is the wavelength") == ["wavelength"]
    assert query_words("what is it") == ["what", "is", "it"]


@pytest.mark.parametrize("text", ["", "  ", "???", "_ ^ {}", "\x00", "\ud800"])
def test_text_without_words_asks_nothing(text: str) -> None:
    assert match_query(text) in ("", '"?"')


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory):
    with open_database(tmp_path_factory.mktemp("words")) as database:
        for record in (
            MECHANICS,
            WAVES,
            make_record("gas.md", [("Ideal gas law", "P V = n R T")], constants=[("R", "8.3")]),
        ):
            replace_document(database, record, merger=MERGER)
        yield database


ASKED = [
    ("wavelength", "Wave speed"),
    ("λ", "Wave speed"),
    ("newtons second laws", "Second law"),
    ("v_0", "Momentum"),
    ("initial speeds", "Momentum"),
    ("gas", "Ideal gas law"),
    ("How do I find the impulse of a force?", "Impulse"),
]


@pytest.mark.parametrize(("text", "label"), ASKED)
def test_the_right_formula_comes_first(library: Database, text: str, label: str) -> None:
    (formula,) = reader.formulas_by_ids(library, [search_words(library, text)[0].id])
    assert formula.label == label


def test_constants_and_chunks_are_found_too(library: Database) -> None:
    assert search_words(library, "constant R", table="constants")
    assert len(search_words(library, "lambda", table="chunks")) == 3
    (hit,) = search_words(library, "lambda", table="chunks", documents=[WAVES.info.id])
    assert hit.id.startswith(WAVES.info.id)
    assert search_words(library, "second law", documents=["nowhere"]) == []


INJECTED = [
    '"', '" OR "', "label:x", "NEAR(a b)", "a AND", "* ", "^a", "{label} : x", "a NOT b", "-x", "(",
    "'; DROP TABLE formulas; --", "formula_words", "a\x00b", "\ud800", "🙂", "a" * 10_000,
    " ".join(str(number) for number in range(5_000)), "\\" * 1000, "_" * 1000,
]  # fmt: skip


@pytest.mark.parametrize("text", INJECTED)
def test_no_text_is_syntax(library: Database, text: str) -> None:
    for table in ("formulas", "constants", "chunks"):
        search_words(library, text, table=table)


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=60))
def test_any_text_is_a_question_and_finds_itself(library: Database, text: str) -> None:
    search_words(library, text)
    assert set(query_words(text)) <= set(index_text(text).split())


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
@pytest.mark.parametrize(
    "text", ["", "wavelength", "speed of the wave and the mass", "speed speeds SPEED", "v_0 half-life", "force force"]
)
def test_what_is_kept_of_words_gives_what_one_query_gives(library: Database, text: str, limit: int) -> None:
    search = WordSearch(library)
    expected = rounded(search_words(library, text, limit=limit))
    assert rounded(search.search(text, limit=limit)) == expected
    assert rounded(search.search(text, limit=limit)) == expected


def rounded(hits: list[WordHit]) -> list[tuple[float, str]]:
    """A processor may add up several words at once more exactly than one after the other."""
    return [(round(hit.score, 9), hit.id) for hit in hits]


@settings(max_examples=60, deadline=None)
@given(text=st.lists(st.sampled_from("speed mass energy wave length of the v m λ force ;".split()), max_size=8))
def test_any_words_kept_or_not(library: Database, text: list[str]) -> None:
    asked = " ".join(text)
    assert rounded(WordSearch(library).search(asked, limit=4)) == rounded(search_words(library, asked, limit=4))


def test_a_change_of_the_library_is_noticed(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        search = WordSearch(database)
        assert search.search("wavelength") == []
        replace_document(database, WAVES, merger=MERGER)
        assert rounded(search.search("wavelength")) == rounded(search_words(database, "wavelength")) != []
