"""The workbench of real episodes: search, constants and replies come as functions; tools are made here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from mathrag.knowledge.constants import constant, constant_quantity, constants_for_symbol, constants_for_words
from mathrag.reason.agent.formula_tools import EpisodeTool, asked_unit, episode_tool, planned_tool
from mathrag.reason.agent.seams import FoundConstant, Problem, Retrieved, Verdict
from mathrag.types import knowledge
from mathrag.types.answer import Bound, Choice, Outcome, PlannedStep, Provenance, Reply, Step
from mathrag.types.library import Formula, Span, SymbolMeaning
from mathrag.types.question import Question

_MOST_CONSTANTS = 20
_MOST_PASSAGES = 5

ChainJudge: TypeAlias = Callable[[Question, Sequence[Step], Sequence[str], str], Verdict]
# Whether the first of two chains is the answer, and not the second.
ChainComparison: TypeAlias = Callable[[Question, Sequence[Step], Sequence[Step]], bool]


class SecondLook(Protocol):
    """Somebody who judges chains of steps that others planned: one by itself, or one against another."""

    def __call__(
        self, question: Question, steps: Sequence[Step], objections: Sequence[str], because: str, /
    ) -> Verdict: ...

    def prefers(self, question: Question, steps: Sequence[Step], rival: Sequence[Step], /) -> bool: ...


class LibraryWorkbench:
    """Works for one question on one library. What a function is not given for is simply not there.

    `search` ranks formulas and choices for the words and the question. `load_formula` gives a formula of the library by
    id. `find_constants` looks constants of the library up by a name or symbol; the standard table comes after them.
    `chosen` is the plan that is being carried out, where one was chosen: its tools read formulas as it does.
    """

    def __init__(
        self,
        question: Question,
        *,
        search: Callable[[str, Sequence[str]], Retrieved],
        load_formula: Callable[[str], Formula | None] = lambda _: None,
        find_constants: Callable[[str], Sequence[FoundConstant]] = lambda _: (),
        compute_directly: Callable[[Question], Outcome | None] = lambda _: None,
        make_reply: Callable[[Question], Reply] | None = None,
        translate_question: Callable[[str, str], Question | Problem | None] = lambda _text, _language: None,
        name_document: Callable[[str], str] = lambda document: document,
        find_properties: Callable[[str], Sequence[FoundConstant]] = lambda _: (),
        find_passages: Callable[..., Sequence[Span]] | None = None,
        judge_chain: ChainJudge | None = None,
        prefer_chain: ChainComparison | None = None,
        chosen: Callable[[], Choice | None] = lambda: None,
    ) -> None:
        self._question = question
        self._search = search
        self._load_formula = load_formula
        self._find_constants = find_constants
        self._compute_directly = compute_directly
        self._make_reply = make_reply
        self._translate = translate_question
        self._name_document = name_document
        self._find_properties = find_properties
        self._find_passages = find_passages
        self._judge_chain = judge_chain
        self._prefer_chain = prefer_chain
        self._chosen = chosen
        self._retrieved = Retrieved()

    def retrieve(self, query: str, *, search_terms: Sequence[str], literals: Mapping[str, Any]) -> Retrieved:
        """Formulas for the words; numbers and categories a planner passes are only more words to search by."""
        words = [text for text in literals.get("categorical", ()) if isinstance(text, str)]
        self._retrieved = self._search(query, (*search_terms, *words))
        return self._retrieved

    def retrieve_constants(self, words: Sequence[str]) -> tuple[FoundConstant, ...]:
        """Constants that the choices already bound come first, so that a plan gets exactly its own."""
        found: dict[str, FoundConstant] = {}
        for word in words:
            for each in self._constants_called(word):
                found.setdefault(each.id, each)
        return tuple(found.values())[:_MOST_CONSTANTS]

    def _constants_called(self, word: str) -> tuple[FoundConstant, ...]:
        planned = tuple(
            _planned_constant(bound)
            for bound in self._planned_constants()
            if word in (bound.provenance.text, bound.symbol)
        )
        if planned:
            return planned
        own = tuple(self._find_constants(word))
        if own:
            return own
        table = constants_for_words(word) or constants_for_symbol(word)
        return tuple(standard_constant(each) for each in table[:1])

    def _planned_constants(self) -> list[Bound]:
        steps = [step for choice in self._retrieved.choices for step in choice.steps]
        bounds = [bound for step in steps for bound in step.bindings if bound.quantity is not None]
        return [bound for bound in bounds if bound.provenance.origin in ("constant", "document")]

    def look_up(self, words: str) -> tuple[FoundConstant, ...]:
        """Properties that the words name."""
        return tuple(self._find_properties(words))[:_MOST_CONSTANTS]

    def passages(self, words: str) -> tuple[Span, ...]:
        """Passages of the documents."""
        return () if self._find_passages is None else tuple(self._find_passages(words, limit=_MOST_PASSAGES))

    def formula(self, formula_id: str) -> Formula | None:
        """A formula of the library."""
        known = {formula.id: formula for formula in self._retrieved.formulas}
        return known.get(formula_id) or self._load_formula(formula_id)

    def make_tool(
        self, formula_id: str, *, target: str | None, instead: Formula | None = None, passed: Collection[str] = ()
    ) -> EpisodeTool | Problem:
        """A tool for a planned step where one fits, so that it reads the formula the same way; else a plain one."""
        chosen = self._chosen()
        ranked = (*(() if chosen is None else (chosen,)), *self._retrieved.choices)
        for choice in ranked if instead is None else ():
            for step in choice.steps:
                if step.formula.id == formula_id and target in (None, step.target) and not _passes(step, passed):
                    return planned_tool(step, units=self._question.units, is_last=step is choice.steps[-1])
        formula = instead or self.formula(formula_id)
        if formula is None:
            return Problem("unknown_formula", f"the library has no formula {formula_id[:60]!r}")
        return self._plain_tool(formula, target, passed)

    def _plain_tool(self, formula: Formula, target: str | None, passed: Collection[str]) -> EpisodeTool | Problem:
        wanted = target or formula.target
        if formula.equation is None or wanted is None:
            reason = formula.reason or "name the symbol to solve it for as target"
            return Problem("not_executable", f"this formula cannot be computed: {reason}")
        constants: dict[str, Bound] = {}
        for meaning in formula.symbols:
            if meaning.name == wanted or meaning.name in passed:
                continue
            bound = self.constant_of(meaning)
            if bound is not None:
                constants[meaning.name] = bound
        unit = asked_unit(formula, wanted, units=self._question.units)
        return episode_tool(formula, wanted, constants=constants, unit=unit)

    def constant_of(self, meaning: SymbolMeaning) -> Bound | None:
        """The constant that a symbol stands for; a value that the question gives under its symbol beats it."""
        found = self._constant_of(meaning.constant) if meaning.constant else None
        if found is None:
            return None
        dimension = found.quantity.dimension
        given = any(
            each.symbol == meaning.name and any(reading.dimension == dimension for reading in each.readings)
            for each in self._question.givens
        )
        if given:
            return None
        return Bound(meaning.name, found.provenance, found.quantity, significant_figures=found.significant_figures)

    def _constant_of(self, identifier: str) -> FoundConstant | None:
        own = self._find_constants(identifier)
        if own:
            return own[0]
        try:
            return standard_constant(constant(identifier))
        except KeyError:
            return None

    def direct(self, question: Question) -> Outcome | None:
        """What needs no formula."""
        return self._compute_directly(question)

    def reply(self, question: Question) -> Reply:
        """Words for what asks for no number."""
        if self._make_reply is not None:
            return self._make_reply(question)
        return Reply(question.text, "This asks for no number; ask for a quantity and give the values it depends on.")

    def translate(self, text: str, *, language: str) -> Question | Problem | None:
        """The question in another language, where something can translate; from then on the bench works for that."""
        question = self._translate(text, language)
        if isinstance(question, Question):
            self._question = question
        return question

    @property
    def can_judge(self) -> bool:
        """Whether a judge was given."""
        return self._judge_chain is not None

    def judge(self, question: Question, steps: Sequence[Step], *, objections: Sequence[str], because: str) -> Verdict:
        """What the judge says; a no where there is none."""
        if self._judge_chain is None:
            return Verdict(is_answer=False)
        return self._judge_chain(question, steps, objections, because)

    def prefers(self, question: Question, steps: Sequence[Step], rival: Sequence[Step]) -> bool:
        """What the judge takes of two; nothing where there is none."""
        return self._prefer_chain is not None and self._prefer_chain(question, steps, rival)

    def document_name(self, document: str) -> str:
        """What people call a document."""
        return self._name_document(document)


def _passes(step: PlannedStep, passed: Collection[str]) -> bool:
    """Whether a constant of a planned step is given another value."""
    return any(
        bound.symbol in passed and bound.provenance.origin in ("constant", "document") for bound in step.bindings
    )


def standard_constant(item: knowledge.Constant) -> FoundConstant:
    """A constant of the standard table, with its vintage."""
    return FoundConstant(
        item.id,
        item.symbols[0] if item.symbols else "",
        item.names[0],
        constant_quantity(item),
        Provenance("constant", item.names[0], source=item.source),
    )


def _planned_constant(bound: Bound) -> FoundConstant:
    assert bound.quantity is not None
    name = bound.provenance.text or bound.symbol
    return FoundConstant(
        f"{name}={bound.quantity.value}",
        bound.symbol,
        name,
        bound.quantity,
        bound.provenance,
        bound.significant_figures,
    )
