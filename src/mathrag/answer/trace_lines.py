"""The rounds of an episode as lines for people: what was done and why, what came back; and why which formula won."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mathrag.answer.cards.content import percent
from mathrag.answer.clean_text import clean
from mathrag.types.answer import MODEL_WORDS
from mathrag.types.episode import Event

_LONGEST_INPUTS = 200
_MOST_CHOICES = 5
_MOST_FEATURES = 8


def event_lines(event: Event) -> tuple[str, ...]:
    """One round: the action with its thought and inputs, then the observation."""
    action, observation = event.action, event.observation
    # Whoever asked a model shows the model's thought; rules have their own.
    whose = MODEL_WORDS if action.use is not None else ""
    thought = f"  {whose}{clean(action.thought)}" if action.thought else ""
    lines = [f"{event.round}. {clean(action.name) or '(unreadable reply)'}{thought}"]
    if action.use is not None:
        lines.append(f"   asked the model with about {action.use.context_tokens} tokens")
    if action.inputs:
        lines.append(f"   with {clean(_compact(action.inputs), longest=_LONGEST_INPUTS)}")
    mark = "→" if observation.succeeded else "✗"
    lines.append(f"   {mark} {clean(observation.code)}: {clean(observation.message)} ({event.milliseconds:.1f} ms)")
    return tuple(lines)


def event_object(event: Event) -> dict[str, Any]:
    """One round as data."""
    from mathrag.reason.agent.trace import event_json

    return event_json(event)


def _compact(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=lambda item: f"<{type(item).__name__}>")
    except (ValueError, RecursionError):
        return "(inputs that cannot be written)"


def explanation_lines(events: Iterable[Event]) -> tuple[str, ...]:
    """Why this formula and not the others: the candidates as they were ranked, and what spoke for each."""
    lines: list[str] = []
    for event in events:
        data = event.observation.data
        choices, candidates = _objects(data, "choices"), _objects(data, "candidates")
        labels = {str(each.get("formula_id")): str(each.get("label", "")) for each in candidates}
        labels |= {str(each.get("formula_id")): str(each.get("label", "")) for each in _objects(data, "formulas")}
        for rank, choice in enumerate(choices[:_MOST_CHOICES], start=1):
            lines.extend(_choice_lines(rank, choice, labels))
        if candidates and not choices:
            lines.extend(_candidate_lines(candidates, data.get("suggestion")))
            lines.extend(_suggestion_lines(data.get("suggestion"), labels))
        verdict = data.get("verdict")
        if isinstance(verdict, Mapping) and verdict.get("reason"):
            lines.append(f"verdict: {clean(str(verdict['reason']))}")
    return tuple(lines) or ("no formula was looked for: the question needs none, or was not understood",)


def _objects(data: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = data.get(name)
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, Sequence) else []


def _candidate_lines(candidates: Sequence[Mapping[str, Any]], suggestion: object) -> list[str]:
    chosen = {str(step.get("formula_id")) for step in _steps(suggestion)}
    lines = []
    for rank, candidate in enumerate(candidates, start=1):
        identifier = str(candidate.get("formula_id", ""))
        mark = "*" if identifier in chosen else " "
        score = _number(candidate.get("score"))
        lines.append(f"{mark} {rank}. {clean(str(candidate.get('label') or identifier))}  {clean(identifier)}{score}")
    return lines


def _suggestion_lines(suggestion: object, labels: Mapping[str, str]) -> list[str]:
    """The plan that was taken: each formula with what its symbols stand for, and what speaks against it."""
    lines = []
    for number, step in enumerate(_steps(suggestion), start=1):
        identifier = str(step.get("formula_id", ""))
        lines.append(
            f"step {number}: {clean(labels.get(identifier) or identifier)} for {clean(str(step.get('target')))}"
        )
        bindings = step.get("bindings")
        for symbol, bound in bindings.items() if isinstance(bindings, Mapping) else ():
            said = bound if isinstance(bound, Mapping) else {}
            lines.append(
                f"   {clean(str(symbol))} is {clean(str(said.get('text', '')))} ({clean(str(said.get('from')))})"
            )
    if isinstance(suggestion, Mapping) and lines:
        confidence = suggestion.get("confidence")
        lines.extend([f"confidence {percent(confidence)}"] if isinstance(confidence, int | float) else [])
        missing = [str(each.get("words") or each.get("symbol")) for each in _objects(suggestion, "missing")]
        unused = suggestion.get("unused")
        left = [str(each) for each in unused] if isinstance(unused, list | tuple) else []
        lines.extend(
            f"{what} {clean(', '.join(texts))}"
            for what, texts in (("misses", missing), ("leaves unused", left))
            if texts
        )
    return lines


def _choice_lines(rank: int, choice: Mapping[str, Any], labels: Mapping[str, str]) -> list[str]:
    steps = [
        f"{clean(labels.get(str(step.get('formula_id')), '') or str(step.get('formula_id')))} for {step.get('target')}"
        for step in _steps(choice)
    ]
    confidence = choice.get("confidence")
    sure = f", confidence {confidence:.0%}" if isinstance(confidence, int | float) else ""
    lines = [f"{rank}. {clean('; then '.join(steps))}{_number(choice.get('score'))}{sure}"]
    missing = [str(each.get("words") or each.get("symbol")) for each in _objects(choice, "missing")]
    if missing:
        lines.append(f"   misses {clean(', '.join(missing))}")
    unused = choice.get("unused")
    if isinstance(unused, Sequence) and unused and not isinstance(unused, str):
        lines.append(f"   leaves unused {clean(', '.join(map(str, unused)))}")
    against = dict.fromkeys(": ".join(filter(None, map(str, each.values()))) for each in _objects(choice, "findings"))
    lines.extend(f"   against it: {clean(each)}" for each in against)
    features = _features(choice.get("features"))
    strongest = sorted(features, key=lambda pair: -abs(pair[1]))[:_MOST_FEATURES]
    if strongest:
        lines.append(f"   {', '.join(f'{clean(name)} {value:+.2f}' for name, value in strongest)}")
    return lines


def _steps(choice: object) -> list[Mapping[str, Any]]:
    return _objects(choice, "steps") if isinstance(choice, Mapping) else []


def _features(found: object) -> list[tuple[str, float]]:
    """Features as a mapping or as pairs; what is neither is left out."""
    pairs: Iterable[Any] = found.items() if isinstance(found, Mapping) else found if isinstance(found, Sequence) else ()
    return [
        (str(pair[0]), float(pair[1]))
        for pair in pairs
        if isinstance(pair, Sequence) and len(pair) == 2 and isinstance(pair[1], int | float) and pair[1]
    ]


def _number(value: object) -> str:
    return f", score {value:.3g}" if isinstance(value, int | float) else ""
