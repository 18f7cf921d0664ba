"""A score of quality for people and programs: what it is about, and what it is made of.

A score that is about style is always called so; one about correctness is a tendency, never a verdict.
"""

from __future__ import annotations

from typing import Any

from mathrag.answer.clean_text import clean
from mathrag.types.json_value import Json
from mathrag.types.quality import Estimate, GateDecision, Quality, QualityPart

# Of what a score is made of, the weightiest; the rest is in the object for programs.
_MOST_PARTS = 3
_LONGEST = 120


def quality_words(quality: Quality) -> str:
    """The score in a line: what it is about, and its weightiest parts."""
    weighty = sorted(quality.parts, key=lambda part: -abs(part.points))
    said = [_part(part) for part in weighty if part.points][:_MOST_PARTS]
    because = f": {', '.join(said)}" if said else ""
    if quality.standing == "correctness":
        return f"score “{quality.score}” {quality.value:.2f}, by which right solutions tend to be ahead{because}"
    return f"score “{quality.score}” {quality.value:.2f}, of style and not of correctness{because}"


def _part(part: QualityPart) -> str:
    return f"{clean(part.said, longest=_LONGEST)} ({part.points:+.2f})"


def quality_object(quality: Quality) -> dict[str, Any]:
    """The score as data, with all its parts."""
    return {
        "score": quality.score,
        "value": round(quality.value, 4),
        "is_about": quality.standing,
        "words": quality_words(quality),
        "parts": [
            {"name": one.name, "amount": round(one.amount, 4), "points": round(one.points, 4), "said": one.said}
            for one in quality.parts
        ],
    }


def gate_lines(decision: GateDecision, corpus: str) -> list[str]:
    """What was decided for a corpus, and what follows from it."""
    used = {
        "rules": f"{corpus} are ranked by the score “{decision.scores[0]}”, too",
        "model": f"{corpus} are ranked by the score of a language model, too, where one is at hand",
        "undecided": f"{corpus} are ranked by how well they fit alone",
    }
    lines = [f"{decision.choice}: {used[decision.choice]}", f"  {clean(decision.reason, longest=400)}"]
    lines.append(
        f"  decided {decision.time} on {decision.sample} texts; holds until the {corpus} of the library change"
    )
    if decision.unknown and decision.scores[1]:
        lines.append(f"  the model gave no score for {decision.unknown} of them")
    return lines


def estimate_object(found: Estimate | None) -> Json:
    """An estimate as data; None where there is none."""
    if found is None:
        return None
    return {name: round(getattr(found, name), 4) for name in ("value", "low", "high")}


def decision_object(decision: GateDecision) -> Json:
    """A decision of the gate as data."""
    return {
        "choice": decision.choice,
        "basis": decision.basis,
        "reason": decision.reason,
        "sample": decision.sample,
        "unknown": decision.unknown,
        "agreement": estimate_object(decision.agreement),
        "rules": estimate_object(decision.rules),
        "model": estimate_object(decision.model),
        "scores": list(decision.scores),
        "time": decision.time,
    }
