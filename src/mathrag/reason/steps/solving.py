"""Solve a problem step by step with a language model: advise, write some steps, check them by calculation, score them,
end by probability or depth; several attempts, of which a vote chooses one.

The model proposes, arithmetic disposes: a step with a false calculation is sent back once with the right value, and an
answer counts as checked only where a checked calculation gives it. With the same replies everything comes out the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from mathrag.compute.claims import judge_steps
from mathrag.errors import ModelError
from mathrag.llm.json_text import without_thoughts
from mathrag.llm.judge import chances
from mathrag.llm.messages import ChatReply, ChatRequest, TokenChance
from mathrag.llm.seams import ChatModel
from mathrag.reason.steps import prompts
from mathrag.reason.steps.prompts import Way
from mathrag.reason.steps.seams import NoRetrieval, Retrieval, SameAnswer, StepJudge, Vote
from mathrag.reason.steps.standing import standing_of
from mathrag.reason.steps.written import Written, WrittenStep, one_line, read_steps
from mathrag.types.solution import StepVerdict
from mathrag.types.solving import Attempt, Ending, Material, SolvingOptions, SteppedSolution, TakenStep

# From here on the end counts as reached.
ENOUGH = 0.5
_YES_NO = {"yes": "yes", "no": "no"}
_LONGEST_WORDS = 1_200
_THOUGHT_END = ("</think>", "</thinking>", "</reasoning>")


@dataclass(frozen=True, slots=True)
class SolvingTools:
    """Who does what: the model that writes, the one that judges, and what needs no model."""

    writer: ChatModel
    teacher: ChatModel
    vote: Vote
    same: SameAnswer
    retrieval: Retrieval = field(default_factory=NoRetrieval)
    judge: StepJudge = judge_steps
    listener: Callable[[TakenStep, int], None] | None = None


def solve(problem: str, tools: SolvingTools, options: SolvingOptions) -> SteppedSolution:
    """All attempts at a problem and the one that is chosen.

    What a model cannot do ends an attempt and is told; `ModelError` is raised only where nothing at all was written.
    """
    material = tuple(tools.retrieval.for_problem(problem)) if options.material != "none" else ()
    asker = _Asker(tools.teacher)
    attempts: list[Attempt] = []
    warnings: list[str] = []
    for number in range(options.attempts):
        way = Way(problem, options, options.seed + number)
        run = _Run(way, tools, asker, material)
        try:
            attempts.append(run.finish())
        except ModelError as error:
            if not attempts and not run.way.steps:
                raise
            attempts.append(run.ended("stopped", note=error.reason))
            warnings.append(f"stopped in attempt {number + 1}: {error.reason}")
            break
    elected = tools.vote(attempts, options.vote)
    return SteppedSolution(problem, options, tuple(attempts), elected.chosen, elected.note, material, tuple(warnings))


class _Asker:
    """Asks for probabilities of Yes and No, and remembers what a server cannot do, so that it is asked once."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._tokens = prompts.JUDGING_TOKENS
        self._is_told = True

    def chance(self, request_with: Callable[[int], ChatRequest]) -> float | None:
        """How likely Yes is, 0 to 1; None where the probabilities are not told or not those of a verdict."""
        if not self._is_told:
            return None
        reply = self._model.chat(request_with(self._tokens))
        if self._tokens == prompts.JUDGING_TOKENS and _is_thinking(reply):
            self._tokens = prompts.JUDGING_WITH_THOUGHT
            reply = self._model.chat(request_with(self._tokens))
        if not reply.tokens:
            # Empty where the server tells none; a reply that is empty itself says nothing about it.
            self._is_told = "logprobs" not in reply.lacking and not reply.text.strip()
            return None
        measured = chances(_behind_thought(reply.tokens), _YES_NO)
        return None if measured is None else measured["yes"]

    def words(self, request: ChatRequest) -> str:
        """What the teacher says, on one line."""
        return one_line(without_thoughts(self._model.chat(request).text)[: 4 * _LONGEST_WORDS])[:_LONGEST_WORDS]


class _Run:
    """One attempt."""

    def __init__(self, way: Way, tools: SolvingTools, asker: _Asker, material: Sequence[Material]) -> None:
        self.way = way
        self._tools = tools
        self._asker = asker
        self._material = tuple(material)
        self._cut: set[int] = set()
        self._answer = ""
        self._end_chance: float | None = None

    def finish(self) -> Attempt:
        """Go on round by round until the end."""
        options = self.way.options
        while (left := options.depth - len(self.way.steps)) > 0:
            help_text = self._help()
            taken = self._write(help_text, min(left, options.padding))
            if not taken:
                return self._concluded("silent")
            self._score(taken)
            self._tell(taken)
            if self._is_at_end():
                return self._concluded("silent")
        return self._concluded("depth")

    def ended(self, ending: Ending, *, note: str = "") -> Attempt:
        """The attempt as it stands."""
        steps = self.way.steps
        standing = standing_of(
            self._answer,
            [step.text for step in steps],
            [step.verdict for step in steps],
            problem=self.way.problem,
            same=self._tools.same,
        )
        return Attempt(
            self.way.seed,
            steps,
            ending,
            self._answer,
            standing.value,
            standing.standing,
            standing.reason,
            self._end_chance,
            note,
        )

    def _concluded(self, otherwise: Ending) -> Attempt:
        """The attempt at its end; where steps state no answer, it is asked for once."""
        if not self._answer and self.way.steps:
            reply = self._tools.writer.chat(prompts.conclude_request(self.way))
            self._answer = read_steps(reply, most=1).answer
        return self.ended("answered" if self._answer else otherwise)

    # ---- what is said before the next steps

    def _help(self) -> str:
        """What the teacher, or the library itself, says for the next steps."""
        options = self.way.options
        material = self._found()
        if options.material == "raw":
            return prompts.raw_help(material)
        if material or options.teacher == "socratic":
            return self._asker.words(prompts.advise_request(self.way, material))
        return self.way.steps[-1].diagnosis if self.way.steps else ""

    def _found(self) -> tuple[Material, ...]:
        if self.way.options.material == "none" or not self.way.steps:
            return self._material
        texts = [step.text for step in self.way.steps]
        return tuple(self._tools.retrieval.for_steps(self.way.problem, texts))

    # ---- writing, and checking by calculation

    def _write(self, help_text: str, most: int) -> int:
        """Write the next steps; how many there are. A step with a false calculation is sent back once."""
        first = len(self.way.steps)
        written = self._read(prompts.write_request(self.way, help_text=help_text, most=most), most)
        self._take(written, help_text)
        place = self._first_false(first)
        while place is not None:
            kept, wrong = self.way.steps[:place], self.way.steps[place]
            shorter = replace(self.way, steps=kept)
            room = first + most - place
            request = prompts.rewrite_request(
                shorter, wrong.text, wrong.verdict.refuted, help_text=help_text, most=room
            )
            again = self._read(request, room)
            if again.steps:
                # What came after the false step was built on it.
                self.way = shorter
                self._answer = ""
                self._take(again, help_text, replaced=wrong.text)
            place = self._first_false(place + 1)
        return len(self.way.steps) - first

    def _read(self, request: ChatRequest, most: int) -> Written:
        return read_steps(self._tools.writer.chat(request), most=most)

    def _take(self, written: Written, help_text: str, *, replaced: str = "") -> None:
        steps = list(self.way.steps)
        first = len(steps)
        cut = {place for place in self._cut if place < first}
        for place, step in enumerate(written.steps, first):
            cut |= {place} if step.is_cut else set()
            steps.append(
                _unjudged(place, step, help_text if place == first else "", replaced if place == first else "")
            )
        self._cut = cut
        texts = ["" if place in cut else step.text for place, step in enumerate(steps)]
        verdicts = self._tools.judge(texts, self.way.problem)
        self.way = replace(
            self.way,
            steps=tuple(replace(step, verdict=verdict) for step, verdict in zip(steps, verdicts, strict=True)),
        )
        # A reply of the answer alone changes the answer; one of steps without it takes none back.
        self._answer = written.answer or self._answer

    def _first_false(self, place: int) -> int | None:
        found = (at for at in range(place, len(self.way.steps)) if self.way.steps[at].verdict.outcome == "refuted")
        return next(found, None)

    # ---- what the teacher thinks of it

    def _score(self, taken: int) -> None:
        """Put a score on the newest step, for all that were written with it; diagnose first where that is the role."""
        teacher = self.way.options.teacher
        if teacher == "socratic":
            return
        new = self.way.steps[-taken:]
        diagnosis = self._asker.words(prompts.diagnose_request(self.way, new)) if teacher == "critical" else ""
        if any(step.verdict.outcome == "refuted" for step in new):
            # What calculation has shown is no matter of opinion.
            score: float | None = 0.0
        else:
            score = self._asker.chance(
                lambda tokens: prompts.step_request(self.way, new, diagnosis=diagnosis, tokens=tokens)
            )
        last = replace(new[-1], score=score, diagnosis=diagnosis)
        self.way = replace(self.way, steps=(*self.way.steps[:-1], last))

    def _tell(self, taken: int) -> None:
        if self._tools.listener is not None:
            for place in range(len(self.way.steps) - taken, len(self.way.steps)):
                self._tools.listener(self.way.steps[place], place + 1)

    def _is_at_end(self) -> bool:
        """By the probability that the end is reached; where that is not known, by an answer that is stated."""
        self._end_chance = self._asker.chance(lambda tokens: prompts.end_request(self.way, self._answer, tokens=tokens))
        return bool(self._answer) if self._end_chance is None else self._end_chance >= ENOUGH


def _unjudged(place: int, step: WrittenStep, advice: str, replaced: str) -> TakenStep:
    return TakenStep(step.text, StepVerdict(place), advice=advice, replaced=replaced)


def _is_thinking(reply: ChatReply) -> bool:
    """Whether the reply was cut off in a thought that it was given no room for."""
    return reply.finish == "length" and reply.text.lstrip().startswith(("<think", "<reason"))


def _behind_thought(tokens: Sequence[TokenChance]) -> Sequence[TokenChance]:
    """The tokens after the end of a thought; all where there is none."""
    text = ""
    end = 0
    for place, token in enumerate(tokens, 1):
        text = (text + token.text)[-32:]
        if any(mark in text for mark in _THOUGHT_END):
            end, text = place, ""
    return tokens[end:]
