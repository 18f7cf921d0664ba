"""Technical words for what a story tells in everyday ones."""

from __future__ import annotations

from mathrag.reason.question import read_question
from mathrag.retrieve.candidates import searched_text
from mathrag.retrieve.query_expansion import technical_words


def test_everyday_words_stand_for_technical_ones_in_any_form() -> None:
    assert technical_words(["car", "bump", "truck"]) == ("collision",)
    assert technical_words(["thrown", "ball"]) == ("projectile",)
    assert technical_words(["gas", "pressure"]) == ()


def test_what_is_said_already_is_not_added() -> None:
    assert technical_words(["collision", "bumps"]) == ()


def test_the_search_sees_both() -> None:
    text = searched_text(read_question("A 2 kg cart bumps into a 3 kg cart and sticks. How fast do they roll on?"))
    assert {"bumps", "collision", "inelastic"} <= set(text.split())
