"""Answers and refusals: every number with where it came from. Plain values; nothing is computed or printed here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mathrag.types.concept import Concept, GlossaryEntry
from mathrag.types.expression import Equation
from mathrag.types.finding import Finding
from mathrag.types.library import Formula, Span
from mathrag.types.quantity import Quantity
from mathrag.types.shown import Shown

# Where a number comes from. `implied` is words such as "from rest"; `pinned` was set by the user apart from the
# question; `assumed` is a stated assumption ("room temperature is taken as 293 K").
Origin: TypeAlias = Literal["question", "implied", "pinned", "constant", "document", "derived", "assumed"]
RefusalCode: TypeAlias = Literal[
    "missing", "no_formula", "unsure", "contradiction", "impossible", "failed", "language", "empty", "too_long", "unit"
]


# Whose formulas an outcome rests on: those of the user's documents, or relations that everybody knows and that come
# with the package.
Knowledge: TypeAlias = Literal["documents", "handbook"]
# How a number was taken that its words leave open: an angle without a unit, a slope in percent, the size of what slows
# something down.
Taken: TypeAlias = Literal["", "degrees", "radians", "slope", "slowing", "unit"]
_TAKEN_WORDS: dict[Taken, str] = {
    "degrees": ", taken as degrees",
    "radians": ", taken as radians",
    "slope": ", taken as the slope of an angle",
    "slowing": ", slowing down",
    "unit": ", taken in the unit that the formula counts in",
}

# Stands before all that a language model says, wherever that goes: the mark travels with the words.
MODEL_WORDS = "In a language model's words: "
# How the text of a value begins that a language model took to be known, it goes on "… for what it is: why"; and where
# such a value comes from.
MODEL_ASSUMES, MODEL_SOURCE = "a language model assumes ", "a language model"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Why a symbol has its value: the words of the question, a constant with its source, or an earlier step.

    `text` is for people: the quoted words, the constant's name. `source` is the constant's vintage ("CODATA 2022").
    `step` numbers the step it was derived in, from 1. `taken` is how the number was taken. `place` is where the words
    stand in the question; the same words from elsewhere are no other origin.
    """

    origin: Origin
    text: str
    source: str = ""
    step: int | None = None
    span: Span | None = None
    taken: Taken = ""
    place: tuple[int, int] | None = field(default=None, compare=False)

    @property
    def words(self) -> str:
        """The text with how the number was taken: what a person reads."""
        return self.text + _TAKEN_WORDS.get(self.taken, "")


def is_of_model(bound: Bound) -> bool:
    """Whether a language model took a value to be known, which stands nowhere."""
    return bound.provenance.origin == "assumed" and bound.provenance.source == MODEL_SOURCE


def without_taken(text: str) -> tuple[str, Taken]:
    """The text of an origin as it was written when it said itself how the number was taken, parted again."""
    for taken, said in _TAKEN_WORDS.items():
        if text.endswith(said):
            return text.removesuffix(said), taken
    return text, ""


@dataclass(frozen=True, slots=True)
class Bound:
    """A symbol with its value in the unit it was stated in; `quantity` is None where an earlier step supplies it."""

    symbol: str
    provenance: Provenance
    quantity: Quantity | None = None
    letter: str = ""
    description: str = ""
    significant_figures: int | None = None


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One formula to be solved for one symbol, with what its other symbols stand for. Not computed yet.

    `equation` is the equation of the formula, or a reading of it (one of a chain `a = b = c`).
    """

    formula: Formula
    equation: Equation
    target: str
    bindings: tuple[Bound, ...]

    @property
    def needed_steps(self) -> tuple[int, ...]:
        """The numbers of the steps whose results this one uses."""
        steps = (bound.provenance.step for bound in self.bindings if bound.quantity is None)
        return tuple(step for step in steps if step is not None)


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that the question does not give: symbol as written, in words, and the unit it would have."""

    symbol: str
    words: str
    unit: str = ""
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """What would be computed to answer a question: steps in order, the last giving the answer.

    `confidence` is the calibrated probability that the number is the one asked for. `missing` lists what is needed and
    absent: a choice with missing values cannot be computed. `findings` are all that speaks against it.
    """

    steps: tuple[PlannedStep, ...]
    score: float
    confidence: float
    missing: tuple[Missing, ...] = ()
    unused: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    features: tuple[tuple[str, float], ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A computed step: the formula as its source writes it, solved for `target`, with the working line by line.

    `result` is in the unit shown; `others` are further solutions, `behind` the places of those among them that are less
    usual than the result, or ruled out. `working` holds lines of LaTeX: the formula, its
    rearrangement, the values put in, the result. `working_text` holds the same in plain text. `parts` are the formulas
    of the library that were put together, where the formula was made for this question alone.
    """

    number: int
    formula: Formula
    equation: Equation
    target: str
    bindings: tuple[Bound, ...]
    result: Quantity
    significant_figures: int
    method: str
    rearranged: str = ""
    working: tuple[str, ...] = ()
    working_text: tuple[str, ...] = ()
    others: tuple[Quantity, ...] = ()
    warnings: tuple[str, ...] = ()
    parts: tuple[Formula, ...] = ()
    behind: tuple[int, ...] = ()

    @property
    def sources(self) -> tuple[Formula, ...]:
        """The formulas that the step rests on: those that were put together, else its own."""
        return self.parts or (self.formula,)


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a document that an answer rests on. `modified` and `read` are when its file was last changed and when
    it was read, `origin` and `trust` as the library has them; all empty where nobody asked."""

    document: str
    name: str
    span: Span
    formula: str = ""
    label: str = ""
    modified: str = ""
    read: str = ""
    origin: str = ""
    trust: str = ""


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """What a language model had to do with an outcome, over all rounds. Outcomes by rules alone have none.

    `cost` is in US dollars, None where the price is unknown. `contexts` are the estimated sizes of the requests in
    tokens, in order. `reason` says why the model was asked, `planner` who planned in the end.
    """

    model: str
    calls: int = 0
    cached_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    contexts: tuple[int, ...] = ()
    planner: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class WorkingLine:
    """A line of working that needed no formula of the library: in plain text, and in LaTeX where it is mathematics."""

    text: str
    latex: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table of results: the values that vary, as text, and the result."""

    values: tuple[tuple[str, str], ...]
    result: Quantity


OutcomeKind: TypeAlias = Literal["answered", "refused", "chat"]


class Told(Shown):
    """What every outcome of a question tells alike: `outcome`, `text`, `value`, `unit` and `citations`.

    `print(outcome)` prints the card, as the command line does; `repr` is one line.
    """

    __slots__ = ()
    citations: tuple[Citation, ...]

    @property
    def outcome(self) -> OutcomeKind:
        """`answered`: there is a number; `refused`: there is none, and why; `chat`: words for what asks for none."""
        raise NotImplementedError

    @property
    def text(self) -> str:
        """The outcome in a sentence or a few, never empty: what the card has on top."""
        raise NotImplementedError

    @property
    def value(self) -> float | int | None:
        """The number, in `unit`, not rounded; None where there is none."""
        return None

    @property
    def unit(self) -> str | None:
        """The unit of `value` as canonical text, such as `m/s`; empty for a plain number, None without a value."""
        return None

    def __str__(self) -> str:
        return self._written("card") or self.text

    def __repr__(self) -> str:
        number = "" if self.value is None else f", value={_number_text(self.value)}, unit={self.unit!r}"
        return f"{type(self).__name__}({_shortened(self.text)!r}{number})"


# A line of a terminal, less the value and its unit.
_LONGEST_REPR = 90
# Python itself refuses to write longer whole numbers than a few thousand digits.
_LONGEST_NUMBER_BITS = 200


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_REPR else f"{line[: _LONGEST_REPR - 1]}…"


def _number_text(value: float | int) -> str:
    if isinstance(value, int) and value.bit_length() > _LONGEST_NUMBER_BITS:
        return "a long whole number"
    return repr(value)


@dataclass(frozen=True, slots=True, repr=False)
class Answer(Told):
    """A computed answer. `rows` is filled where the question asks for several values; `quantity` is then the first.

    `words` are those that came with the answer, if any; `text` is never without. `exact` holds the digits of a whole or
    rational result that a float cannot carry ("7^222"). `expression` is what was computed where there is no formula
    ("12 * 7", "5 mi in km"); empty where the answer has a name. `agreeing` and `disagreeing` are other formulas of the
    library that give the same, or another, number. `explanation` is what a language model says to it, marked as such,
    beside the value and never instead of it: all its numbers are of this answer. `further` is what came of other
    questions of the same text. `origin` says whose formulas it rests on.
    """

    question: str
    quantity: Quantity
    significant_figures: int
    steps: tuple[Step, ...]
    confidence: float
    words: str = ""
    exact: str = ""
    citations: tuple[Citation, ...] = ()
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    provenance: tuple[Provenance, ...] = ()
    agreeing: tuple[str, ...] = ()
    disagreeing: tuple[tuple[str, Quantity], ...] = ()
    milliseconds: float = 0.0
    explanation: str = ""
    usage: ModelUsage | None = None
    expression: str = ""
    working: tuple[WorkingLine, ...] = ()
    further: tuple[Outcome, ...] = ()
    origin: Knowledge = "documents"

    @property
    def outcome(self) -> Literal["answered"]:
        """There is a number."""
        return "answered"

    @property
    def text(self) -> str:
        """What was asked for, by name, and its value, rounded: `The kinetic energy is 9.00 J.`"""
        return self._written("text") or self.words or f"{_number_text(self.value)} {self.unit}".strip()

    @property
    def value(self) -> float | int:
        """The number, in `unit`, not rounded."""
        return self.quantity.value

    @property
    def unit(self) -> str:
        """The unit of `value` as canonical text, such as `m/s`; empty for a plain number."""
        return self.quantity.unit.text


@dataclass(frozen=True, slots=True)
class Nearest:
    """A formula shown because it is near: with what it would give and what it needs."""

    formula: str
    label: str
    latex: str
    document: str = ""
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Refusal(Told):
    """No number, and why. `proposal` is what would be computed if the user confirms it (never its result), `findings`
    what speaks against it, all of it, the weightiest first. `origin` says whose formulas it speaks of."""

    question: str
    code: RefusalCode
    reason: str
    missing: tuple[Missing, ...] = ()
    nearest: tuple[Nearest, ...] = ()
    suggestions: tuple[str, ...] = ()
    proposal: tuple[PlannedStep, ...] = ()
    confidence: float = 0.0
    warnings: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    milliseconds: float = 0.0
    usage: ModelUsage | None = None
    findings: tuple[Finding, ...] = ()
    origin: Knowledge = "documents"

    @property
    def outcome(self) -> Literal["refused"]:
        """There is no number, and the reason is said."""
        return "refused"

    @property
    def text(self) -> str:
        """Why there is no number, and what is missing, in words."""
        return self._written("text") or self.reason or "Not answered."


@dataclass(frozen=True, slots=True)
class LookedUp:
    """The one number that a document answers with: as it is printed or was computed from cells, its value and the unit
    beside it, both empty where it is no plain number."""

    text: str
    value: float | int | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Reply(Told):
    """An answer in words to what asks for no number: a greeting, a definition with its passage, what algebra
    found.

    `concept` is what a dictionary says, where a concept of mathematics is asked about; `also` are the names of others
    that are called the same, or that come near. `glossary` are entries of the package's own glossary that are quoted in
    the text. `looked_up` is the number of a document, where one is the answer.
    """

    question: str
    # A field here, where the other outcomes make a sentence.
    text: str = field()
    nearest: tuple[Nearest, ...] = ()
    citations: tuple[Citation, ...] = ()
    warnings: tuple[str, ...] = ()
    milliseconds: float = 0.0
    usage: ModelUsage | None = None
    concept: Concept | None = None
    also: tuple[str, ...] = ()
    glossary: tuple[GlossaryEntry, ...] = ()
    looked_up: LookedUp | None = None
    working: tuple[WorkingLine, ...] = ()

    @property
    def outcome(self) -> Literal["chat"]:
        """Words, for what asks for no number."""
        return "chat"


Outcome: TypeAlias = Answer | Refusal | Reply
