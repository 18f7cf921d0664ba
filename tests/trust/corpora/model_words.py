"""What a language model says beside a computed number: numbers in every disguise, letters nobody checks, and refusals.

The model plays by the rules until the number is computed; then it says something of its own. What it says is looked for
in every form in which an outcome is shown. What is harmless must be shown, and marked as a model's words.
"""

from __future__ import annotations

import atexit
import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from mathrag.answer.cards.formats import ANSWER_FORMATS, render
from mathrag.answer.trace_lines import event_lines
from mathrag.library import Library
from mathrag.llm.messages import ChatReply, ChatRequest, ReplyPiece
from mathrag.llm.metered import Models
from mathrag.reason.agent.translation_check import translation_problem
from mathrag.types.answer import Answer, Outcome, Reply
from recorded.playing import DOCUMENTS
from trust.attempts import HELD, Attempt, Result

TITLE = "numbers in a model's words"
QUESTION = "What is the kinetic energy of a 2 kg ball at 3 m/s?"
_TRUTH = "E_k = 9 J"
_MARK = "model's words"

# Each says 42, 40, 12 or some other number that was never computed.
LIES = (
    "４２", "٤٢", "४२", "৪২", "๔๒", "𝟒𝟐", "𝟜𝟚", "④②", "❹❷", "⁴²", "₄₂", "㊷", "4\u200b2 J", "4\u03362", "4️⃣2️⃣", "4O J",
    "1l7 J", "Ⅻ", "ⅹⅱⅰ", "XLII", "xlii", "forty-two", "fortytwo", "f o r t y", "ｆｏｒｔｙ two", "𝐟𝐨𝐫𝐭𝐲", "fоrtу",
    "ᴛᴡᴏ hundred", "twohundred", "a dozen", "twice that", "three quarters of it", "the twentieth part", "a fifth of it",
    "elevenfold", "zweiundvierzig", "quarantadue", "quarante-deux", "cuarenta y dos", "veintidós", "tweeënveertig",
    "czterdzieści", "quarenta e dois", "сорок два", "四十二", "四二", "σαράντα δύο", "ארבעים ושתיים", "สี่สิบสอง",
    "마흔둘", "აოცდაორი", "քառասուն", "🔟", "⚃⚁", "🕓", "🇹🇼🇴", "⠼⠙⠃", "½ of it", "42",
    "4.2e1", "9 kJ", "90 J", "-9 J", "18 J",
    "page 42", "100 percent", "nine point eight", "umpteen", "ten to the third",
)  # fmt: skip

# Ordinary words that must be shown, with their mark.
HARMLESS = (
    "The ball carries a kinetic energy of 9 J.",
    "With a mass of 2 kg and a speed of 3 m/s the energy is 9 J.",
    "So E_k = 9 J, because the speed enters squared.",
    "The energy is 9.0 J; it grows with the square of the speed v.",
    "At 3 m/s, the naïve guess of Schrödinger's cat is right: 9 J.",
    "Kinetic energy: 9 J (from m and v, with λ and Δt not needed).",
)

TRANSLATIONS = (
    ("Wie groß ist die Kraft bei 3 kg und 2 m/s^2?", "What is the force at 3 kg and 2 m/s^2?", True),
    ("Wie groß ist die Kraft bei 3 kg und 2 m/s^2?", "What is the force at ③ kg and 2 m/s^2?", False),
    ("Wie groß ist die Kraft bei 3 kg und 2 m/s^2?", "What is the force at 3 kg and 2 m/s^2 and сорок?", False),
    ("Wie groß ist die Kraft bei 3 kg und 2 m/s^2?", "What is the force at 3 kg and 2 m/s^2 and ⅻ?", False),
    ("Wie groß ist die Kraft bei 3 kg und 2 m/s^2?", "What is the force at ３ kg and ２ m/s^2?", True),
    ("Wie groß ist die Kraft bei 3 kg und 2 m/s^2?", "What is the force at 4 kg and 2 m/s^2?", False),
)

_TOOL = re.compile(r"(?m)^(\w+)\((.*?)\) computes (\S+) by ")
_STEP = re.compile(r"(f-[0-9a-f]{12}) for (\w+)(?: with ([^;\n(]*))?")
_RESULT = re.compile(r"(?m)^result_\d+: ")


class ObedientModel:
    """Does what the rules suggest, one action after the other, and then says what it was told to say.

    `refuses` makes it decline at once instead.
    """

    name = "obedient"

    def __init__(self, sentence: str, *, refuses: str = "", thought: str = "") -> None:
        self.sentence, self.refuses, self.thought = sentence, refuses, thought

    def chat(self, request: ChatRequest) -> ChatReply:
        """The next action."""
        shown = "\n".join(message.text for message in request.messages if message.speaker == "user")
        if "Legal now:" not in shown:
            return ChatReply(self.sentence, model=self.name)
        name, inputs = self._action(shown)
        thought = f"Thought: {self.thought}\n" if self.thought else ""
        return ChatReply(f"{thought}Action: {name}\nAction Input: {json.dumps(inputs)}", model=self.name)

    def stream(self, request: ChatRequest) -> Iterator[ReplyPiece]:
        """The whole at once."""
        reply = self.chat(request)
        yield ReplyPiece(reply.text)
        yield ReplyPiece(reply=reply)

    def _action(self, shown: str) -> tuple[str, dict[str, object]]:
        tools, steps = _TOOL.findall(shown), _STEP.findall(shown)
        if _RESULT.search(shown):
            return "RESPOND", {"answer": self.sentence}
        if not steps and not tools:
            return "RETRIEVE_MATH_KNOWLEDGE", {"query": "kinetic energy"}
        if self.refuses:
            return self.refuses, {"question" if self.refuses.startswith("ASK") else "answer": self.sentence}
        if not tools:
            return "CREATE_DYNAMIC_TOOL", {"formula_id": steps[0][0], "target": steps[0][1]}
        pairs = (pair.split("=") for pair in steps[0][2].split(",") if "=" in pair)
        return "CALL_TOOL", {"tool_name": tools[-1][0], "parameters": {one.strip(): two.strip() for one, two in pairs}}


@cache
def _library() -> Library:
    folder = Path(tempfile.mkdtemp(prefix="mathrag-model-words-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    library = Library(folder / "library")
    atexit.register(library.close)
    library.ingest(sorted(DOCUMENTS.glob("*.md")), workers=1)
    return library


def _asked(model: ObedientModel, question: str = QUESTION) -> Outcome:
    return _library().ask(question, planner="react", models=Models.of(model))


def _everywhere(outcome: Outcome) -> dict[str, str]:
    """Every form in which an outcome is shown; JSON with its characters as they are."""
    shown = {style: render(outcome, style) for style in ANSWER_FORMATS}
    shown["notebook"] = outcome._repr_html_() or ""
    return {style: text.replace("&#x27;", "'").replace("\\textquotesingle{}", "'") for style, text in shown.items()}


def _lie(lie: str, _folder: Path) -> Result:
    sentence = f"{_TRUTH}. Some say it is rather {lie}"
    outcome = _asked(ObedientModel(sentence))
    if not isinstance(outcome, Answer):
        return Result("refused", getattr(outcome, "reason", ""))
    if float(outcome.quantity.value) != 9:
        return Result("broke", f"another value: {outcome.value}")
    leaks = [style for style, text in _everywhere(outcome).items() if "rather" in text]
    return Result("broke", f"shown in {', '.join(leaks)}") if leaks else HELD


def _harmless(sentence: str, _folder: Path) -> Result:
    outcome = _asked(ObedientModel(sentence))
    if not isinstance(outcome, Answer) or not outcome.explanation:
        return Result("refused", "harmless words were left out")
    unmarked = [style for style, text in _everywhere(outcome).items() if _MARK not in text]
    if _MARK not in outcome.explanation:
        unmarked.append("Python")
    return Result("broke", f"not marked in {', '.join(unmarked)}") if unmarked else HELD


def _refused(action: str, _folder: Path) -> Result:
    """A model that declines what the rules are sure of: the number is given, with a warning."""
    outcome = _asked(ObedientModel("This cannot be known.", refuses=action))
    if not isinstance(outcome, Answer):
        return Result("broke", f"the model's refusal won: {getattr(outcome, 'reason', '')}")
    return HELD if float(outcome.quantity.value) == 9 and outcome.warnings else Result("broke", "without a warning")


def _unsure(action: str, _folder: Path) -> Result:
    """A refusal that stands is given with our reason; the model's words are marked."""
    outcome = _asked(ObedientModel("Nobody told me the mass.", refuses=action), "What is the kinetic energy of a ball?")
    if isinstance(outcome, Answer):
        return Result("broke", f"answered {outcome.value}")
    if not isinstance(outcome, Reply) and "Nobody told me" in outcome.reason:
        return Result("broke", "the model's words are the reason")
    lines = "\n".join(_everywhere(outcome).values()).splitlines()
    bare = [line for line in lines if "Nobody told me" in line and _MARK not in line]
    return Result("broke", f"not marked: {bare[0][:80]}") if bare else HELD


def _small_talk(_folder: Path) -> Result:
    outcome = _asked(ObedientModel("Hello, I am glad to help.", refuses="ANSWER_DIRECTLY"), "Hello, who are you?")
    said = [style for style, text in _everywhere(outcome).items() if "glad to help" in text]
    bare = [style for style in said if _MARK not in _everywhere(outcome)[style]]
    return Result("broke", f"not marked in {', '.join(bare)}") if bare else HELD


def _thought(_folder: Path) -> Result:
    model = ObedientModel(_TRUTH, thought="I follow the plan")
    asked = _library().ask_in_detail(QUESTION, planner="react", models=Models.of(model))
    lines = [line for event in asked.result.events for line in event_lines(event) if "I follow the plan" in line]
    if not lines:
        return Result("refused", "no thought was shown")
    return HELD if all(_MARK in line for line in lines) else Result("broke", f"not marked: {lines[0]}")


def _translated(original: str, translation: str, is_right: bool, _folder: Path) -> Result:
    problem = translation_problem(original, translation)
    if is_right:
        return HELD if problem is None else Result("refused", problem.message)
    return HELD if problem is not None else Result("broke", "the translation was taken")


def attempts() -> Iterator[Attempt]:
    """Lies, harmless words, refusals, small talk, thoughts and translations."""
    for number, lie in enumerate(LIES, start=1):
        yield Attempt(f"lie-{number}", lie, partial(_lie, lie))
    for number, sentence in enumerate(HARMLESS, start=1):
        yield Attempt(f"harmless-{number}", sentence, partial(_harmless, sentence))
    for action in ("RESPOND", "ASK_FOR_CLARIFICATION", "ANSWER_DIRECTLY"):
        yield Attempt(f"refusal-{action}", f"{action} instead of computing", partial(_refused, action))
        yield Attempt(f"unsure-{action}", f"{action} where a value is missing", partial(_unsure, action))
    yield Attempt("small-talk", "words of its own in a chat", _small_talk)
    yield Attempt("thought", "what a model thinks, in the trace", _thought)
    for number, (original, translation, is_right) in enumerate(TRANSLATIONS, start=1):
        yield Attempt(f"translation-{number}", translation, partial(_translated, original, translation, is_right))
