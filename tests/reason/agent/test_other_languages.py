"""A model may answer in the language of the question: with numbers of the episode alone, in letters that are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from agent_scenes import bench, formula, found, given, quantity

from mathrag.reason.agent import Episode, EpisodeResult
from mathrag.reason.agent.episode import view_of
from mathrag.reason.agent.other_languages import with_decimal_points, words_for_numbers
from mathrag.reason.agent.planners import ScriptedPlanner
from mathrag.reason.agent.react.context import context_text, system_prompt
from mathrag.reason.agent.seams import Support, Verdict
from mathrag.reason.agent.state import initial_state
from mathrag.types.answer import Answer, Step
from mathrag.types.episode import Action
from mathrag.types.question import Question

ENGLISH = "What force gives a cart of 2.50 kg an acceleration of 3.00 m/s²?"
ASKED = {
    "fr": "Quelle force donne à un chariot de 2,50 kg une accélération de 3,00 m/s² ?",
    "de": "Welche Kraft gibt einem Wagen von 2,50 kg eine Beschleunigung von 3,00 m/s²?",
    "es": "¿Qué fuerza da a un carro de 2,50 kg una aceleración de 3,00 m/s²?",
}
PUSH = formula("f-push", "F = m a", {"F": ("force", "N"), "m": ("mass", "kg"), "a": ("acceleration", "m/s^2")})
CALL = Action("CALL_TOOL", {"formula_id": "f-push", "target": "F", "parameters": {"m": "given_1", "a": "given_2"}})


def no_support(_steps: Sequence[Step]) -> Support:
    return Support()


def answered(language: str, text: str) -> EpisodeResult:
    values = (given("2.50 kg", ENGLISH, quantity(2.5, "kg")), given("3.00 m/s²", ENGLISH, quantity(3, "m/s^2")))
    english = Question(ENGLISH, "compute", values)
    question = Question(ASKED[language], "compute", language="other")
    retrieved = replace(found(extra=(PUSH,)), find_support=no_support)
    tables = bench(
        question,
        retrieved,
        translate_question=lambda _text, _language: english,
        judge_chain=lambda *_: Verdict(is_answer=True, reason="yes"),
    )
    script = (
        Action("TRANSLATE_INPUT", {}),
        Action("RETRIEVE_MATH_KNOWLEDGE", {"query": "force"}),
        CALL,
        Action("RESPOND", {"answer": text}),
    )
    return Episode(ScriptedPlanner(script), tables).run(question)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "La force est le produit de la masse et de l'accélération : result_1."),
        ("fr", "Il faut une force de 7,5 N, car la masse est de 2,50 kg."),
        ("fr", "La force vaut 7.5 newtons."),
        ("de", "Die Kraft ist eine Größe aus Masse mal Beschleunigung und beträgt 7,50 N."),
        ("de", "Es sind 7,5 Newton nötig."),
        ("es", "La fuerza es el producto de la masa por la aceleración, es decir, 7,5 N."),
        ("es", "Hace falta una fuerza de result_1."),
    ],
)
def test_an_answer_in_the_language_of_the_question(language: str, text: str) -> None:
    outcome = answered(language, text).outcome
    assert isinstance(outcome, Answer)
    assert outcome.quantity.value == pytest.approx(7.5)
    assert outcome.text
    assert "result_1" not in outcome.text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "La force vaut 7,5 N, soit quinze fois plus qu'avant."),
        ("fr", "La force vaut 75 N."),
        ("fr", "La force vaut 7,6 N."),
        ("fr", "Il faut 7,5 kilonewtons."),
        ("fr", "La force est de 7,5 N pendant une seconde."),
        ("de", "Die Kraft beträgt 7,5 N, zweimal so viel wie sonst."),
        ("de", "Die Kraft beträgt 7.500 N."),
        ("de", "Es sind siebeneinhalb Newton, also 7,5 N."),
        ("de", "Sie beträgt 7,5 N und dann ein Newton."),
        ("de", "Es sind 7,5 Joule."),
        ("es", "La fuerza es de 7,5 N, un cuarto del peso."),
        ("es", "La fuerza es de 7,5 kilonewtons."),
        ("es", "Son siete coma cinco N, 7,5 N."),
        ("de", "Сила равна 7,5 N."),
        ("fr", "力は 7,5 N です。"),
    ],
)
def test_what_the_episode_does_not_say_is_not_said_in_another_language_either(language: str, text: str) -> None:
    result = answered(language, text)
    refused = result.events[3].observation
    assert not refused.succeeded, text
    assert refused.code in ("number_without_source", "result_not_stated", "unreadable_letters")
    assert text not in str(result.outcome)


def test_the_model_is_shown_what_the_user_wrote_and_told_to_answer_so() -> None:
    state = initial_state(Question(ENGLISH, "compute"), pinned=(), direct=None)
    assert "AS THE USER WROTE IT" not in context_text(view_of(state))
    state.translated_from = ASKED["de"]
    assert ASKED["de"] in context_text(view_of(state))
    assert "the language in which the user wrote" in system_prompt()


def test_only_a_comma_between_decimals_is_a_point() -> None:
    assert with_decimal_points("7,5 N, 1,2,3 und 1.234,5 m, 4, 5") == "7.5 N, 1,2,3 und 1.234,5 m, 4, 5"
    assert words_for_numbers("eine Größe, ein Newton, une seconde, una masa, null") == (
        "null",
        "ein Newton",
        "une seconde",
    )
