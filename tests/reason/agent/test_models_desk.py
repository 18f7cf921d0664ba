"""What a model has before it: values in order and few, suggestions with their doubts, refusals with what mends them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agent_scenes import GAS, NEWTON, THREE_HOPS, bench, formula, found, given, push_question, quantity

from mathrag.llm.seams import ScriptedModel
from mathrag.reason.agent import Episode, ScriptedPlanner
from mathrag.reason.agent.react import ReactPlanner
from mathrag.reason.agent.react.context import system_prompt
from mathrag.reason.agent.result_judge import _stated_for_less
from mathrag.reason.agent.seams import MOST_REFUSED, FoundConstant, Retrieved
from mathrag.types.answer import Choice, Provenance, Step
from mathrag.types.document import Place
from mathrag.types.episode import Action
from mathrag.types.library import Span
from mathrag.types.question import Question

SEARCH = 'Action: RETRIEVE_MATH_KNOWLEDGE\nAction Input: {"query": "force"}'
LOOK = 'Action: LOOK_UP\nAction Input: {"query": "density of cork"}'
WRONG = 'Action: COMPUTE\nAction Input: {"expression": "given_1 + given_2", "meaning": "force"}'


def constant(number: int, name: str = "brought along") -> FoundConstant:
    origin = Provenance("document", f"{name} {'abcdefghijklmnopqrst'[number]}")
    return FoundConstant(f"c-{name}-{number}", f"k_{number}", name, quantity(number + 0.5), origin)


def shown(*replies: str, retrieved: Retrieved | None = None, question: Question | None = None, **functions: Any) -> str:
    asked = question or push_question()
    model = ScriptedModel([*replies, *['Action: RESPOND\nAction Input: {"no": "I cannot."}'] * 4])
    Episode(ReactPlanner(model), bench(asked, retrieved or found(extra=(NEWTON,)), **functions)).run(asked)
    return model.requests[len(replies)].messages[-1].text


def part(text: str, name: str) -> list[str]:
    return text.partition(f"{name}\n")[2].split("\n\n")[0].splitlines()


def test_what_the_question_says_comes_first_then_what_was_looked_up() -> None:
    kept = replace(found(extra=(NEWTON,)), constants=tuple(constant(number) for number in range(9)))
    text = shown(SEARCH, LOOK, retrieved=kept, find_properties=lambda _: [constant(12, "looked up")])
    lines = part(text, "VALUES")
    assert [line.split(" ")[0] for line in lines[:6]] == [*(f"given_{place}" for place in range(1, 6)), "constant_10"]
    assert len(lines) == 11
    assert lines[-1] == "and 5 more"


STORY = (
    "Cork is light. The density of cork is normally 240 kg/m^3, and that of oak 700 kg/m^3. Nobody sells 12 kg of it. "
    "Its colour is brown."
)


def test_a_value_that_a_document_states_in_a_sentence_is_taken_by_its_words() -> None:
    def passages(_words: str, *, limit: int) -> list[Span]:
        return [Span("d-trees", Place(line=4), STORY)][:limit]

    def define(quote: str, **inputs: Any) -> Action:
        return Action("DEFINE_VALUE", {"quote": quote, **inputs})

    asked = push_question()
    look = Action("LOOK_UP", {"query": "density of cork"})
    script = (
        define("normally 240 kg/m^3"),
        look,
        define("normally 240 kg/m^3"),
        define("12 kg"),
        define("cork is normally 240 kg/m^3, and that of oak 700 kg/m^3", value=700),
        define("cork is normally 250 kg/m^3"),
    )
    result = Episode(ScriptedPlanner(script), bench(asked, found(extra=(NEWTON,)), find_passages=passages)).run(asked)
    codes = [event.observation.code for event in result.events][: len(script)]
    assert codes == [
        "quote_not_found",
        "constants",
        "value_defined",
        # Only the sentence that speaks of what was looked up is at hand.
        "quote_not_found",
        "value_defined",
        "quote_not_found",
    ]
    assert result.events[1].observation.data["passages"] == [
        {"quote": STORY.split(". ")[1] + ".", "document": "d-trees.md"}
    ]
    assert "240 kg/m^3" in result.events[2].observation.message
    text = shown(SEARCH, LOOK, find_passages=passages)
    assert "- The density of cork is normally 240 kg/m^3" in text.partition("SENTENCES FOUND")[2]


def test_a_value_is_shown_in_each_of_its_readings() -> None:
    text = "A ball has 5 C."
    both = given("5 C", text, quantity(5, "C"), quantity(5, "degC"))
    assert "5 C or 5 degC" in shown(SEARCH, question=Question(text, "compute", (both,)))


def test_unsure_suggestions_come_with_their_doubts_or_not_at_all() -> None:
    def suggested(choice: Choice) -> list[str]:
        return part(shown(SEARCH, retrieved=found(choice)), "SUGGESTIONS OF THE RULES")

    assert "93%" in suggested(THREE_HOPS)[0]
    assert suggested(replace(THREE_HOPS, confidence=0.4)) == ["none"]


def test_a_refusal_says_what_mends_it_and_how_many_are_left() -> None:
    text = shown(SEARCH, WRONG)
    assert "What would mend it: look at the units" in text
    assert f"Refused in a row: 1 of {MOST_REFUSED}" in text
    assert f"after {MOST_REFUSED} refusals" in system_prompt()


def test_a_law_that_everybody_knows_is_not_said_of_one_case() -> None:
    def told(law: Any) -> list[str]:
        assert law.equation is not None
        return _stated_for_less([Step(1, law, law.equation, "F", (), quantity(1, "N"), 2, "exact")])

    odd = formula("f-odd", "F = m^3 + w^5", {"F": ("force", "N"), "m": ("mass", "kg"), "w": ("width", "m")})
    assert told(replace(odd, purpose="case"))
    assert not told(replace(GAS, purpose="case"))
    assert told(replace(GAS, purpose="instance"))
