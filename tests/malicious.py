"""Planners and models that mean harm: legal actions with wrong numbers, and sentences that smuggle one in.

They know the game: the names of formulas, tools and sources are right more often than not, so that episodes get far,
and what they say is near the truth: rounded wrongly, in another unit, in words, in other scripts, beside the truth.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from mathrag.reason.agent import EpisodeView, RulesPlanner
from mathrag.types.answer import Step
from mathrag.types.episode import ACTION_NAMES, Action

_ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_BOLD = str.maketrans("0123456789", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_CIRCLED = str.maketrans("123456789", "①②③④⑤⑥⑦⑧⑨")
_WORDS = ("forty-two", "forty two", "a dozen", "seven hundred", "half of that", "twice that", "XLII", "quarante-deux",
          "zweiundvierzig", "四十二", "nine point eight", "three quarters", "ninety-nine percent")  # fmt: skip
# Ways to put a number before a reader's eyes; `{}` is the number.
FRAMES: tuple[str, ...] = (
    "The answer is {}.", "it is approximately {}", "about {} %", "{}", "$x = {}$", r"\boxed{{{}}}", r"\frac{{{}}}{{1}}",
    "| quantity | value |\n|---|---|\n| result | {} |", "[source: page {}]", "(see equation {})", "2^{}", "10^{}",
    "on 2024-05-{}", "<b>{}</b>", "&#52;&#50; or {}", "step {}", "line {}", "f-{}", "v_{}", "x{}", "{}x", "~{}", "≈{}",
    "±{}", "-{}", "{}.0", "0.{}", "{}e0", "1e{}", "{}/1", "{}:1", "#{}", "§{}", "No. {}", "({})", "“{}”", "{} or so",
    "not {} but more", "the library says {}", "ANSWER={}", "{}\u200b{}", "4\u200b2", "4 2", "4\u00ad2", "fourty-two",
    "see https://example.org/{}", "`{}`", "```\n{}\n```", "{{\"answer\": {}}}",
)  # fmt: skip


def smuggled(number: str, chance: random.Random) -> str:
    """A sentence that shows a number in some disguise."""
    disguises: Sequence[Callable[[str], str]] = (
        lambda text: text,
        lambda text: text.translate(_ARABIC),
        lambda text: text.translate(_FULL_WIDTH),
        lambda text: text.translate(_BOLD),
        lambda text: text.translate(_RAISED),
        lambda text: text.translate(_CIRCLED),
        lambda text: "\u200b".join(text),
        lambda text: "\u0336".join(text),
        lambda _: chance.choice(_WORDS),
    )
    shown = chance.choice(disguises)(number) if chance.random() < 0.5 else number
    return chance.choice(FRAMES).replace("{{", "{").replace("}}", "}").replace("{}", shown)


def wrong_number(view_numbers: Sequence[float], chance: random.Random) -> float:
    """A number near one that is known, or one from nowhere."""
    known = chance.choice(view_numbers) if view_numbers and chance.random() < 0.7 else chance.choice((42.0, 9.81, 7.0))
    factor = chance.choice((1.1, 0.9, 2.0, 0.5, 10.0, 1000.0, 0.001, -1.0, 1.01, 1.001, 3.6, 60.0))
    return float(f"{known * factor:.4g}")


class MaliciousPlanner:
    """Plays legal and illegal actions at random, weighted so that most episodes come to an end with a number."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self.said: list[str] = []

    def next_action(self, view: EpisodeView) -> Action:
        """The next action: most often the next one of the game, with something wrong in it."""
        chance = self._chance
        if chance.random() < 0.08:
            return Action(chance.choice(ACTION_NAMES), chance.choice(({}, {"answer": "42"}, {"parameters": []})))
        planned = 0 if view.suggestion is None else len(view.suggestion.steps)
        proper = RulesPlanner().next_action(view) if len(view.steps) <= planned else Action("RESPOND")
        if proper.name in ("CREATE_DYNAMIC_TOOL", "CALL_TOOL", "RETRIEVE_CONSTANT") and chance.random() < 0.65:
            return proper
        if not view.flags.has_retrieved_knowledge and chance.random() < 0.8:
            return Action("RETRIEVE_MATH_KNOWLEDGE", {"query": view.question.text[:200] or "force"})
        if view.steps and chance.random() < 0.6:
            name = "RESPOND" if chance.random() < 0.8 else "ANSWER_DIRECTLY"
            return Action(name, {"answer": self._sentence(view)})
        if view.tools and chance.random() < 0.75:
            return self._call(view)
        if view.formulas and chance.random() < 0.8:
            return self._tool(view)
        if chance.random() < 0.2:
            return Action(
                "RETRIEVE_CONSTANT", {"names": [chance.choice(("g", "c", "R", "speed of light", "pi", "42"))]}
            )
        if chance.random() < 0.3:
            return Action("ASK_FOR_CLARIFICATION", {"question": self._sentence(view)})
        return Action(chance.choice(("RESPOND", "ANSWER_DIRECTLY")), {"answer": self._sentence(view)})

    def _tool(self, view: EpisodeView) -> Action:
        chance = self._chance
        formula = chance.choice(view.formulas)
        inputs: dict[str, Any] = {"formula_id": formula.id if chance.random() < 0.9 else "f-000000000042"}
        if formula.symbols and chance.random() < 0.5:
            inputs["target"] = chance.choice(formula.symbols)[0]
        return Action("CREATE_DYNAMIC_TOOL", inputs)

    def _call(self, view: EpisodeView) -> Action:
        chance = self._chance
        tool = chance.choice(view.tools)
        names = list(tool.schema.get("properties", {}))
        honest = chance.random() < 0.6
        parameters = {name: self._value(view, honest=honest) for name in names if chance.random() < 0.97}
        return Action("CALL_TOOL", {"tool_name": tool.name, "parameters": parameters})

    def _value(self, view: EpisodeView, *, honest: bool) -> Any:
        chance = self._chance
        if view.sources and (honest or chance.random() < 0.5):
            source = chance.choice(view.sources)
            quantity = chance.choice(source.quantities)
            if chance.random() < 0.6:
                return {"source": source.id}
            if chance.random() < 0.5:
                return {"value": quantity.value, "unit": quantity.unit.text, "source": chance.choice(view.sources).id}
            return f"{quantity.value} {quantity.unit.text}".strip()
        number = wrong_number(_numbers(view), chance)
        unit = chance.choice(("", "kg", "m", "s", "m/s", "K", "J", "kJ", "N"))
        return chance.choice(
            (number, f"{number} {unit}".strip(), {"value": number, "unit": unit}, smuggled("42", chance))
        )

    def _sentence(self, view: EpisodeView) -> str:
        said = sentence(view.steps, _numbers(view), self._chance)
        self.said.append(said)
        return said


def sentence(steps: Sequence[Step], numbers: Sequence[float], chance: random.Random) -> str:
    """The truth, the truth with a lie beside it, or a lie."""
    truth = ""
    if steps:
        last = steps[-1]
        digits = chance.choice((2, 3, 4, 6))
        truth = f"{last.target} = {last.result.value:.{digits}g} {last.result.unit.text}".strip()
        if chance.random() < 0.35:
            return chance.choice(("", truth, f"The result is {last.result.value:.{digits}g} {last.result.unit.text}."))
        if chance.random() < 0.3:
            unit = chance.choice(("k", "m", "M", "G")) + last.result.unit.text
            return f"{truth}, that is {last.result.value:.{digits}g} {unit}"
    wrong = wrong_number([*numbers, *(float(step.result.value) for step in steps)], chance)
    lie = smuggled(f"{wrong:g}", chance)
    return f"{truth}. {lie}" if truth and chance.random() < 0.8 else lie


def _numbers(view: EpisodeView) -> list[float]:
    return [float(quantity.value) for source in view.sources for quantity in source.quantities]
