"""What an episode needs from outside: who picks the next action, who carries it out. Interfaces and plain values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mathrag.types.answer import Bound, Choice, Outcome, Provenance, Refusal, Reply, Step
from mathrag.types.episode import Action, Event
from mathrag.types.library import Formula, Span, SymbolMeaning
from mathrag.types.quantity import Quantity
from mathrag.types.question import Question

MAXIMAL_ROUNDS = 20
CANDIDATES_RETRIEVED = 10
# All formulas that may be kept over several searches, and those that a planner sees.
FORMULAS_KEPT = 40
FORMULAS_SHOWN = 14
# Refused actions in a row after which a model is asked no more.
MOST_REFUSED = 6
# Where a formula stands that no document states.
BUILT_IN = "built-in knowledge"


@dataclass(frozen=True, slots=True)
class CandidateCard:
    """A formula that was found, by its id and name; not yet loaded."""

    id: str
    label: str
    latex: str = ""
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class FoundConstant:
    """A constant with where its value comes from: a standard table with its vintage, or a document."""

    id: str
    symbol: str
    name: str
    quantity: Quantity
    provenance: Provenance
    significant_figures: int | None = None


@dataclass(frozen=True, slots=True)
class Support:
    """What the ranking says for steps that were carried out, whoever planned them.

    `choice` is the ranked plan that they are, None where the ranking has none such. `confidence` is the probability
    that it gives what is asked. `objection` stands whatever a planner says; `doubts` are what a careful reader must
    have an answer to. `is_fair` where the plan is good enough by itself for a planner's word to settle it.
    """

    choice: Choice | None = None
    confidence: float = 0.0
    objection: Refusal | None = None
    is_fair: bool = False
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says of a chain of steps: whether it answers the question, and why."""

    is_answer: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Permissions:
    """What the user allows a model beyond the documents and the question: values of its own, formulas of its own."""

    may_assume: bool = False
    may_propose: bool = False


NO_PERMISSIONS = Permissions()


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a search gave: candidates best first, the best of them loaded, and what could be computed with them.

    `choices` are ranked; the first is the suggestion. `refusal` is set where the choice says not to compute: it is
    unsure, a value is missing, nothing fits. `constants` are those that the formulas use. `find_support` says what the
    ranking has for steps that were carried out; without it, every plan that went through the gate counts. `built_in`
    are the ids of the formulas that no document states, but everybody knows.
    """

    candidates: tuple[CandidateCard, ...] = ()
    formulas: tuple[Formula, ...] = ()
    choices: tuple[Choice, ...] = ()
    refusal: Refusal | None = None
    constants: tuple[FoundConstant, ...] = ()
    find_support: Callable[[Sequence[Step]], Support] | None = None
    built_in: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Problem:
    """Why something did not work, as a value: it becomes an observation, or the reason of a refusal."""

    code: str
    message: str


class BenchTool(Protocol):
    """A tool made from a formula for one episode.

    `schema` is the JSON schema of its parameters: an object whose `properties` have a `description` and, where it is
    known, the canonical text of a `unit` (empty for a plain number); constants it supplies itself are not among them.
    """

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def schema(self) -> Mapping[str, Any]: ...

    @property
    def formula(self) -> Formula: ...

    @property
    def target(self) -> str: ...

    def invoke(self, parameters: Mapping[str, Bound], *, number: int) -> Step | Problem:
        """Compute with values whose origin was checked; `number` is that of the step, from 1."""
        ...

    def dispose(self) -> None:
        """End it: the episode is over."""
        ...


class Workbench(Protocol):
    """What the actions do. It knows the question, the library and the user's options; it knows no flags and no gate."""

    def retrieve(self, query: str, *, search_terms: Sequence[str], literals: Mapping[str, Any]) -> Retrieved:
        """Formulas for the words, ranked together with what they could compute for the question."""
        ...

    def retrieve_constants(self, words: Sequence[str]) -> tuple[FoundConstant, ...]:
        """The constants with these names or symbols; what is not found is left out."""
        ...

    def look_up(self, words: str) -> tuple[FoundConstant, ...]:
        """Properties of substances and things that the words name: of tables, of documents, well known."""
        ...

    def passages(self, words: str) -> tuple[Span, ...]:
        """Passages of the documents that are nearest to words."""
        ...

    def formula(self, formula_id: str) -> Formula | None:
        """A formula of the library."""
        ...

    def constant_of(self, meaning: SymbolMeaning) -> Bound | None:
        """The value of a symbol that stands for a constant, unless the question gives one itself."""
        ...

    def make_tool(
        self, formula_id: str, *, target: str | None, instead: Formula | None = None, passed: Collection[str] = ()
    ) -> BenchTool | Problem:
        """A tool that solves the formula for the target (its own, where None). `instead` is the formula as it is taken
        for this question; what is `passed` is a parameter, even where it is a constant."""
        ...

    @property
    def can_judge(self) -> bool:
        """Whether there is somebody to judge a chain of steps."""
        ...

    def judge(self, question: Question, steps: Sequence[Step], *, objections: Sequence[str], because: str) -> Verdict:
        """Whether the steps answer the question; a no where nobody can say."""
        ...

    def prefers(self, question: Question, steps: Sequence[Step], rival: Sequence[Step]) -> bool:
        """Whether a judge who sees both side by side takes the steps, and not their rival, for the answer; no where
        nobody can say."""
        ...

    def direct(self, question: Question) -> Outcome | None:
        """The answer to a question that needs no formula: arithmetic, a conversion, a constant. None where it does.

        A refusal where it needs none and has no answer all the same (7 divided by 0).
        """
        ...

    def reply(self, question: Question) -> Reply:
        """A short honest reply to what asks for no number, with the nearest entries of the library."""
        ...

    def translate(self, text: str, *, language: str) -> Question | Problem | None:
        """The question in another language, read again; a problem where the translation cannot be trusted, None where
        nothing can translate."""
        ...

    def document_name(self, document: str) -> str:
        """What people call a document of the library."""
        ...


@dataclass(frozen=True, slots=True)
class Flags:
    """How far an episode has come; the gate goes by these alone."""

    has_retrieved_knowledge: bool = False
    has_created_tool: bool = False
    has_called_tool: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """A number that may be used, with its name in this episode (`given_1`, `constant_2`, `result_1`).

    `quantities` are its readings. A result may be quoted rounded, a given may not.
    """

    id: str
    quantities: tuple[Quantity, ...]
    provenance: Provenance
    significant_figures: int | None = None
    may_be_rounded: bool = False
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class FormulaCard:
    """A retrieved formula as a planner sees it. `problem` says why it cannot be computed, where it cannot."""

    id: str
    label: str
    latex: str
    description: str = ""
    symbols: tuple[tuple[str, str, str], ...] = ()
    conditions: tuple[str, ...] = ()
    place: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ToolCard:
    """A tool as a planner sees it: what it is for and the schema of its parameters."""

    name: str
    description: str
    formula_id: str
    target: str
    schema: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EpisodeView:
    """What a planner may look at. Nothing in it can be changed.

    `computes_directly` says that ANSWER_DIRECTLY would compute the answer without a formula. `steps` are the results of
    calls so far. `choices` are what could be computed, ranked; the first is the suggestion. `refusal` is what the
    choice of formulas says against computing. `asked` are the user's own words where they are not English.
    """

    question: Question
    flags: Flags
    legal_actions: tuple[str, ...]
    rounds_left: int
    computes_directly: bool = False
    events: tuple[Event, ...] = ()
    formulas: tuple[FormulaCard, ...] = ()
    suggestion: Choice | None = None
    refusal: Refusal | None = None
    tools: tuple[ToolCard, ...] = ()
    sources: tuple[Source, ...] = ()
    steps: tuple[Step, ...] = ()
    was_translation_tried: bool = False
    choices: tuple[Choice, ...] = ()
    permissions: Permissions = NO_PERMISSIONS
    asked: str = ""


class Planner(Protocol):
    """Who picks the next action: rules, a language model, a script. Everything it says goes through the gate."""

    def next_action(self, view: EpisodeView) -> Action:
        """The next action for this state."""
        ...
