"""Models, judges and votes made for the tests of solving in steps: they say what they are told to."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from mathrag.llm.messages import ChatReply, ChatRequest, TokenChance
from mathrag.llm.seams import Scripted, ScriptedModel
from mathrag.reason.steps.seams import Elected
from mathrag.reason.steps.solving import SolvingTools, solve
from mathrag.types.solution import Claim, ClaimVerdict, StepVerdict
from mathrag.types.solving import Attempt, SolvingOptions, SteppedSolution, VoteRule

PROBLEM = "Lena packs 12 boxes with 4 lamps each and sells 30 lamps. How many lamps are left?"
_SUM = re.compile(r"(\d+) ([+*-]) (\d+) = (\d+)")


def judge_sums(steps: Sequence[str], problem: str = "") -> tuple[StepVerdict, ...]:
    """Judges claims such as `3 + 4 = 7`, and nothing else."""
    del problem
    return tuple(StepVerdict(place, tuple(map(_judged, _SUM.finditer(step)))) for place, step in enumerate(steps))


def _judged(match: re.Match[str]) -> ClaimVerdict:
    first, second = int(match[1]), int(match[3])
    right = {"+": first + second, "-": first - second, "*": first * second}[match[2]]
    claim = Claim(match.group(), "value", match.start(), match.end())
    if right == int(match[4]):
        return ClaimVerdict(claim, "verified")
    return ClaimVerdict(claim, "refuted", "the sides differ", str(right))


def same_text(first: str, second: str, /) -> bool:
    return first.strip() == second.strip()


def first_answer(attempts: Sequence[Attempt], rule: VoteRule) -> Elected:
    del rule
    return Elected(next((place for place, attempt in enumerate(attempts) if attempt.answer), None))


def verdict(yes: float) -> ChatReply:
    """A reply with the probabilities of Yes and No."""
    others = (("Yes", math.log(yes)), ("No", math.log(1 - yes)))
    return ChatReply("Yes", tokens=(TokenChance("Yes", math.log(yes), others),))


class Talking(ScriptedModel):
    """Writes what the script says; judges by fixed probabilities; advises and diagnoses with fixed words."""

    def __init__(
        self,
        *script: Scripted,
        correct: float | None = 0.9,
        end: Callable[[ChatRequest], float | None] | float | None = 0.9,
        said: str = "Mind the units.",
    ) -> None:
        super().__init__(script)
        self.asked: list[tuple[str, ChatRequest]] = []
        self._correct, self._end, self._said = correct, end, said

    def chat(self, request: ChatRequest) -> ChatReply:
        system = request.messages[0].text
        if system.startswith("You solve"):
            self.asked.append(("write", request))
            return super().chat(request)
        if system.startswith("You judge"):
            self.asked.append(("score", request))
            return verdict(self._correct) if self._correct is not None else ChatReply("Yes")
        if system.startswith("You look at"):
            self.asked.append(("end", request))
            chance = self._end(request) if callable(self._end) else self._end
            return verdict(chance) if chance is not None else ChatReply("Yes")
        self.asked.append(("diagnose" if "first mistake" in system else "advise", request))
        return ChatReply(self._said)

    @property
    def order(self) -> list[str]:
        return [kind for kind, _ in self.asked]


def solved(
    model: ScriptedModel, problem: str = PROBLEM, *, tools: dict[str, Any] | None = None, **options: Any
) -> SteppedSolution:
    made = SolvingTools(model, model, **{"vote": first_answer, "same": same_text, "judge": judge_sums, **(tools or {})})
    return solve(problem, made, SolvingOptions(**options))
