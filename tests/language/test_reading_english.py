"""Tokens, noun phrases and names of quantities: one reading for documents and questions."""

from __future__ import annotations

import pytest

from mathrag.language.noun_phrases import noun_before, read_phrase
from mathrag.language.quantity_names import (
    all_names,
    asking_kinds,
    corrected,
    head_kinds,
    kinds_mentioned,
    kinds_named,
    literal_kinds,
    names_exactly,
    names_quantity,
)
from mathrag.language.tokens import Grain, closing_place, joined, sentences, tokens_of, with_sentences
from mathrag.language.typed_symbols import looks_like_symbol, symbol_identifier


@pytest.mark.parametrize(
    ("grain", "pieces"),
    [
        ("plain", ["a", "well", "-", "lit", "room", "'", "s", "1,250.5", "lx"]),
        ("printed", ["a", "well-lit", "room's", "1,250.5", "lx"]),
        ("typed", ["a", "well", "-", "lit", "room's", "1,250.5", "lx"]),
    ],
)
def test_the_grain_says_how_words_are_cut(grain: Grain, pieces: list[str]) -> None:
    assert [token.text for token in tokens_of("a well-lit room's 1,250.5 lx", grain=grain)] == pieces


def test_tokens_know_their_places_and_make_the_text_again() -> None:
    text = "The lamp (new) glows."
    tokens = list(tokens_of(text, grain="printed"))
    assert all(text[token.start : token.end] == token.text for token in tokens)
    assert joined(tokens) == text
    assert closing_place(tokens, 2) == 4


def test_print_goes_on_after_an_abbreviation_and_in_small_letters() -> None:
    tokens = list(tokens_of("See fig. 3 of approx. size. The rest follows. and more", grain="printed"))
    assert [joined(tokens[start:end])[:8] for start, end in sentences(tokens)] == ["See fig.", "The rest"]


def test_typed_sentences_need_no_capitals() -> None:
    tokens = with_sentences(list(tokens_of("a jug holds 2 L; i pour it out. how much is left", grain="typed")))
    assert tokens[-1].sentence == 2


@pytest.mark.parametrize(
    ("text", "words", "unit"),
    [
        ("the height of the mast in metres, which is fixed", "height of the mast", "metres"),
        ("a thickness (mm) of the plate", "thickness of the plate", "mm"),
        ("its wall temperature and is constant", "wall temperature", None),
    ],
)
def test_a_phrase_read_on_ends_with_its_noun(text: str, words: str, unit: str | None) -> None:
    phrase = read_phrase(list(tokens_of(text, grain="printed")))
    assert (phrase.words, phrase.unit_text) == (words, unit)


def test_a_phrase_read_back_begins_with_its_article() -> None:
    tokens = list(tokens_of("we measure the width of the river", grain="printed"))
    noun = noun_before(tokens, len(tokens))
    assert noun is not None
    assert (noun.words, noun.start, noun.is_determined) == ("width of the river", 2, True)


def test_names_are_found_exactly_by_their_head_and_inside_a_run() -> None:
    assert "angular_velocity" in kinds_named(["angular", "velocity"])
    assert literal_kinds("density of the wet clay")[0].id == "density"
    assert [named.start for named in all_names("a heavy mass at a low speed".split())] == [2, 6]
    assert [item.id for item, _ in kinds_mentioned("kinetic energy beside mass")][:1] == ["kinetic_energy"]
    assert head_kinds("speed distribution of a gas") == []
    assert asking_kinds(["how", "fast", "is", "it"])[0] >= 2


def test_a_head_passes_on_what_it_is_the_size_of() -> None:
    assert literal_kinds("magnitude of the force")[0].id == "force"
    assert names_quantity("magnitude of the force")
    assert not names_exactly("magnitude of the force")


@pytest.mark.parametrize(("typed", "meant"), [("presure", "pressure"), ("frequancy", "frequency"), ("pressing", None)])
def test_a_slip_has_one_likely_word_or_none(typed: str, meant: str | None) -> None:
    assert corrected(typed) == meant


def test_symbols_are_known_by_their_shape() -> None:
    assert looks_like_symbol("v_max", alone=False)
    assert not looks_like_symbol("m", alone=False)
    assert symbol_identifier("ΔT") == "Delta_T"
