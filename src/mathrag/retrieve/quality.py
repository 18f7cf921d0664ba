"""Scores of how good a worked solution or a passage is, each made of parts that say what they count.

`rules` is the published rule score on the form of a text; `shortness` what every other score is measured against;
`checked` is fitted on solutions known to be right or wrong, over what calculation found in them. Whether a score is
about correctness or only about style follows from its figures on data that it was not fitted on, kept beside the
weights. Asks no model and no library.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from mathrag.language.word_classes import any_of, word_class, word_list
from mathrag.retrieve.agreement import together
from mathrag.types.quality import Estimate, Quality, QualityPart, Standing
from mathrag.types.solution import SolutionCheck

RULES, SHORTNESS, CHECKED, MODEL = "rules", "shortness", "checked", "model"
# What a person reads has a hundredth of this.
_LONGEST_TEXT = 200_000
_NUMBER = re.compile(r"\d{1,40}(?:\.\d{1,40})?")
_WORD = re.compile(r"[a-z]{1,30}(?:-[a-z]{1,30})?")


def quality_numbers(group: str) -> Mapping[str, Any]:
    """The numbers of one group of `data/quality.toml`."""
    group_numbers: Mapping[str, Any] = _data("quality")[group]
    return group_numbers


def fitted_numbers(group: str) -> Mapping[str, Any]:
    """The numbers of one group of `data/quality_fit.toml`, which `tools/fit_quality.py` writes."""
    group_numbers: Mapping[str, Any] = _data("quality_fit")[group]
    return group_numbers


@cache
def _data(name: str) -> Mapping[str, Any]:
    return tomllib.loads(resources.files("mathrag.retrieve").joinpath("data", f"{name}.toml").read_text("utf-8"))


# ---- what a score is about


@cache
def standing(score: str) -> Standing:
    """Whether a score is about correctness: it tells right from wrong better than shortness, on all sets together by
    more than chance and on none worse, all of them apart from what it was fitted on."""
    measured = [one for one in _data("quality_fit").get("measured", ()) if one["score"] == score]
    gains = [Estimate(one["gain"], one["gain_low"], one["gain_high"], one["solutions"]) for one in measured]
    return standing_of(gains)


def standing_of(gains: Sequence[Estimate]) -> Standing:
    """The same from what a score gains over shortness on each set."""
    over_all = together(gains)
    if over_all is None or over_all.low <= 0 or any(one.value < 0 for one in gains):
        return "style"
    return "correctness"


# ---- by the form of a text


def rule_score(text: str) -> Quality:
    """The published rule score: connectors, structure, mathematics, a boxed answer; short texts lose half."""
    shown = text[:_LONGEST_TEXT]
    low = shown.lower()
    numbers = quality_numbers(RULES)
    equations = _equations(shown)
    counted = {
        "connectors": sum(low.count(word) for word in word_list("quality.connectors"))
        + _commands(shown, numbers["connectors"]["commands"]),
        "structure": _structure(low) + _environments(shown, numbers["structure"]["environments"]),
        "mathematics": equations + _commands(shown, numbers["mathematics"]["commands"]),
    }
    parts = [_capped(name, amount, numbers[name]) for name, amount in counted.items()]
    if numbers["final_answer"]["sign"] in shown:
        parts.append(QualityPart("final_answer", 1, numbers["final_answer"]["most"], "a boxed answer"))
    if not shown.strip():
        return Quality(RULES, 0.0, standing(RULES), ())
    parts += _losses(shown, low, equations, sum(part.points for part in parts))
    value = min(1.0, max(0.0, sum(part.points for part in parts)))
    return Quality(RULES, value, standing(RULES), tuple(parts))


_SAID = {
    "connectors": "words and signs that give a reason",
    "structure": "numbered parts, definitions and aligned equations",
    "mathematics": "equations and commands of mathematics",
}


def _capped(name: str, amount: int, numbers: Mapping[str, Any]) -> QualityPart:
    points = amount * numbers["each"]
    cap = "" if points <= numbers["most"] else f", capped at {numbers['most']}"
    return QualityPart(name, amount, min(points, numbers["most"]), f"{amount} {_SAID[name]}{cap}")


def _losses(text: str, low: str, equations: int, points: float) -> list[QualityPart]:
    numbers = quality_numbers(RULES)
    losses = []
    words = len(text.split())
    if words < numbers["fewest_words"]:
        points *= numbers["short_factor"]
        said = f"fewer than {numbers['fewest_words']} words: what the rest gives is halved"
        losses.append(QualityPart("short", words, -points, said))
    if not equations and any(word in low for word in word_class("quality.glossing_over")):
        losses.append(
            QualityPart("glossing_over", 1, -numbers["glossing_loss"], "a word in place of a reason, and no equation")
        )
    return losses


def _commands(text: str, names: Sequence[str]) -> int:
    return len(re.findall(rf"\\(?:{'|'.join(names)})", text))


def _environments(text: str, names: Sequence[str]) -> int:
    return len(re.findall(rf"\\begin\{{(?:{'|'.join(names)})\}}", text))


def _structure(low: str) -> int:
    numbered = re.findall(rf"(?:{any_of('quality.numbered_parts')})\s*\d", low)
    introduced = re.findall(rf"(?:{any_of('quality.introducing')})\s+[a-z]", low)
    return len(numbered) + len(introduced)


def _equations(text: str) -> int:
    """Pairs of non-empty sides around an equals sign on one line, as the published pattern counts them."""
    count = 0
    for line in text.split("\n"):
        sides = line.split("=")
        place = 0
        while place + 1 < len(sides):
            if sides[place] and sides[place + 1]:
                count += 1
                place += 2
            else:
                place += 1
    return count


def shortness(text: str) -> Quality:
    """One for an empty text, one half at a thousand characters. What any other score is measured against."""
    value = 1.0 / (1.0 + len(text) / quality_numbers(SHORTNESS)["half"])
    return Quality(SHORTNESS, value, "style", (QualityPart("length", len(text), value, f"{len(text)} characters"),))


# ---- by what calculation finds


def text_of(steps: Sequence[str]) -> str:
    """A solution in steps as one text."""
    return "\n\n".join(steps)


def features(check: SolutionCheck) -> dict[str, float]:
    """What the score `checked` looks at, each within bounds."""
    bounds = quality_numbers("features")
    text = text_of([step.text for step in check.solution.steps])[:_LONGEST_TEXT]
    words = _WORD.findall(text.lower())
    numbers = set(_NUMBER.findall(text))
    problem = check.solution.problem.text if check.solution.problem is not None else ""
    asked = _NUMBER.findall(problem[:_LONGEST_TEXT])
    return {
        "length": math.log(1 + len(text)),
        "false_calculations": min(sum(len(step.refuted) for step in check.steps), bounds["most_false"]),
        "answer_calculated": float(check.final == "verified"),
        "no_answer": float(not check.solution.answer),
        "second_thoughts": math.log(1 + _count(words, "quality.second_thoughts")),
        "suppositions": math.log(1 + _count(words, "quality.suppositions")),
        "longest_number": max((min(_digits(one), bounds["most_digits"]) for one in numbers), default=0),
        "unused_numbers": sum(one not in numbers for one in asked) / len(asked) if asked else 0.0,
        "loose_numbers": min(len(check.loose_numbers), bounds["most_loose"]),
    }


def _count(words: Sequence[str], name: str) -> int:
    wanted = word_class(name)
    return sum(word in wanted for word in words)


def _digits(number: str) -> int:
    return len(number.replace(".", ""))


def checked_score(check: SolutionCheck) -> Quality:
    """How much a solution looks like a right one rather than a wrong one, by what calculation finds in it and how it is
    written. The number ranks; how many solutions of a corpus are right at all, it cannot know.

    The points of a part are what it moves the odds by, in powers of e, against a usual solution.
    """
    found = features(check)
    fitted = fitted_numbers(CHECKED)
    parts = [
        QualityPart(name, amount, entry["weight"] * (amount - entry["usual"]), _in_words(name, amount, check))
        for name, entry in fitted["features"].items()
        for amount in (found[name],)
    ]
    total = fitted["intercept"] + sum(part.points for part in parts)
    return Quality(CHECKED, 1.0 / (1.0 + math.exp(-total)), standing(CHECKED), tuple(parts))


def _in_words(name: str, amount: float, check: SolutionCheck) -> str:
    match name:
        case "length":
            return f"{round(math.expm1(amount))} characters"
        case "false_calculations":
            return _counted(sum(len(step.refuted) for step in check.steps), "false calculation", "false calculations")
        case "answer_calculated":
            return f"the answer is {'' if amount else 'not known to be '}the last value that is calculated"
        case "no_answer":
            return "no answer is stated" if amount else "an answer is stated"
        case "second_thoughts":
            return _counted(round(math.expm1(amount)), "word of doubt", "words of doubt")
        case "suppositions":
            return _counted(round(math.expm1(amount)), "supposition", "suppositions")
        case "longest_number":
            return f"the longest number has {_counted(round(amount), 'digit', 'digits')}"
        case "unused_numbers":
            return f"{amount:.0%} of the numbers of the problem left out" if amount else "no number left out"
        case _:
            return _counted(len(check.loose_numbers), "number from nowhere", "numbers from nowhere")


def _counted(count: int, singular: str, plural: str) -> str:
    return f"{count or 'no'} {singular if count == 1 else plural}"
