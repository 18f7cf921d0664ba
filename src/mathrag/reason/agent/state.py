"""What one episode knows so far. Lives as long as its question; planners see it only as a view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from mathrag.language.spoken_numbers import strange_words, words_of
from mathrag.reason.agent.number_sources import KnownNumbers, Ledger, coefficients_of
from mathrag.reason.agent.seams import (
    BUILT_IN,
    FORMULAS_KEPT,
    FORMULAS_SHOWN,
    NO_PERMISSIONS,
    BenchTool,
    Flags,
    FormulaCard,
    FoundConstant,
    Permissions,
    Problem,
    Retrieved,
    ToolCard,
    Workbench,
)
from mathrag.types.answer import Bound, Choice, Outcome, Refusal, Step
from mathrag.types.episode import Event
from mathrag.types.expression import Equation, equation_symbols
from mathrag.types.library import Formula, Span
from mathrag.types.question import Question

# Formulas of documents, and of the handbook, that stay in sight of each search.
_BEST_OF_EACH = 2


@dataclass(slots=True)
class EpisodeState:
    """The question as read, what was found and made for it, and how far it has come.

    `direct` is the outcome where the question needs no formula. `outcome` is set by the action that ends the episode.
    `translated_from` is the question as it was asked, where `question` is a translation. `corrected` are formulas as
    they are taken for this question, `originals` those that were put together as the library has them, `proposed` a
    model's own. `notes` are said with the answer. `doubted` are the numbers of results that may not be what is asked,
    `identified` those that words say to be it, with the words. `said` are sentences of documents that were
    looked up, `best_found` the ids of the best formulas of each search.
    """

    question: Question
    direct: Outcome | None = None
    pinned: tuple[Bound, ...] = ()
    ledger: Ledger = field(default_factory=Ledger)
    retrieved: Retrieved | None = None
    constants: list[FoundConstant] = field(default_factory=list)
    tools: dict[str, BenchTool] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    has_retrieved_knowledge: bool = False
    has_created_tool: bool = False
    has_called_tool: bool = False
    was_translation_tried: bool = False
    translated_from: str = ""
    permissions: Permissions = NO_PERMISSIONS
    corrected: dict[str, Formula] = field(default_factory=dict)
    proposed: dict[str, Formula] = field(default_factory=dict)
    originals: dict[str, Formula] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    doubted: set[int] = field(default_factory=set)
    identified: dict[int, str] = field(default_factory=dict)
    said: dict[str, Span] = field(default_factory=dict)
    best_found: list[tuple[str, ...]] = field(default_factory=list)
    outcome: Outcome | None = None

    @property
    def flags(self) -> Flags:
        """The three flags of the gate."""
        return Flags(self.has_retrieved_knowledge, self.has_created_tool, self.has_called_tool)

    @property
    def is_foreign(self) -> bool:
        """Whether the user asked in another language than English, and may be answered in it."""
        return bool(self.translated_from) or self.question.language == "other"

    @property
    def suggestion(self) -> Choice | None:
        """What the ranking would compute, where something was found."""
        return self.retrieved.choices[0] if self.retrieved is not None and self.retrieved.choices else None

    @property
    def refusal(self) -> Refusal | None:
        """What the ranking says against computing."""
        return None if self.retrieved is None else self.retrieved.refusal

    def start_ledger(self) -> None:
        """Begin with the numbers of the question and those the user pinned."""
        self.ledger = Ledger()
        self.ledger.add_question(self.question)
        for bound in self.pinned:
            if bound.quantity is not None:
                self.ledger.add(
                    "pinned",
                    (bound.quantity,),
                    provenance=bound.provenance,
                    significant_figures=bound.significant_figures,
                    symbol=bound.symbol,
                )

    def keep(self, retrieved: Retrieved) -> None:
        """Take in what a search found: the newest first, and what earlier ones found behind it."""
        before = self.retrieved
        built_in = [each.id for each in retrieved.formulas if each.id in retrieved.built_in]
        stated = [each.id for each in retrieved.formulas if each.id not in retrieved.built_in]
        self.best_found.append((*stated[:_BEST_OF_EACH], *built_in[:_BEST_OF_EACH]))
        if before is not None:
            candidates = {each.id: each for each in (*retrieved.candidates, *before.candidates)}
            formulas = {each.id: each for each in (*retrieved.formulas, *before.formulas)}
            retrieved = replace(
                retrieved,
                candidates=tuple(candidates.values())[:FORMULAS_KEPT],
                formulas=tuple(formulas.values())[:FORMULAS_KEPT],
                built_in=retrieved.built_in | before.built_in,
            )
        self.retrieved = retrieved

    def formulas(self) -> Iterator[Formula]:
        """The loaded formulas as they are taken for this question, best first, then those that only a choice uses."""
        if self.retrieved is None:
            yield from self.proposed.values()
            return
        seen: set[str] = set()
        used = (step.formula for choice in self.retrieved.choices for step in choice.steps)
        for formula in (*self.proposed.values(), *self.retrieved.formulas, *used):
            if formula.id not in seen:
                seen.add(formula.id)
                yield self.corrected.get(formula.id, formula)

    def formula_names(self) -> dict[str, set[str]]:
        """Which formulas may become tools: their ids, and their labels with the ids these stand for."""
        names: dict[str, set[str]] = {}
        found = () if self.retrieved is None else self.retrieved.candidates
        pairs = [(each.id, each.label) for each in found]
        pairs += [(formula.id, formula.label) for formula in self.formulas()]
        for identifier, label in pairs:
            names.setdefault(identifier, set()).add(identifier)
            if label:
                names.setdefault(label, set()).add(identifier)
        return names

    def formula_id_called(self, name: str) -> str | Problem:
        """The id of the one retrieved formula that a planner means by an id or a label."""
        names = self.formula_names()
        ids = names.get(name, set())
        if not ids:
            known = ", ".join(sorted({each for found in names.values() for each in found}))
            return Problem("unknown_formula", f"{name[:60]!r} was not retrieved; retrieved: {known[:400]}")
        if len(ids) > 1:
            listed = ", ".join(sorted(ids))
            return Problem("ambiguous_formula", f"several formulas have this label; name the id: {listed[:400]}")
        return next(iter(ids))

    def formula_called(self, name: str, bench: Workbench) -> Formula | Problem:
        """The retrieved formula that a planner means, as it is taken for this question; one that has an equation."""
        identifier = self.formula_id_called(name)
        if isinstance(identifier, Problem):
            return identifier
        known = {formula.id: formula for formula in self.formulas()}
        found = known.get(identifier) or bench.formula(identifier)
        if found is None:
            return Problem("unknown_formula", f"the library has no formula {identifier[:60]!r}")
        if found.equation is None:
            return Problem("not_executable", f"this formula cannot be computed: {found.reason}")
        return found

    def known_numbers(self) -> KnownNumbers:
        """What a sentence of this episode may quote."""
        formulas = [tool.formula for tool in self.tools.values()]
        equations = [formula.equation for formula in formulas if formula.equation is not None]
        equations += [step.equation for step in self.steps]
        lines = [formula.latex for formula in formulas]
        for step in self.steps:
            lines += [step.rearranged, *step.working, *step.working_text]
        names = self._known_names(formulas, equations)
        return KnownNumbers(
            tuple(self.ledger),
            coefficients_of(equations),
            names,
            tuple(lines),
            len(self.steps),
            self.known_words(),
            is_foreign=self.is_foreign,
        )

    def _known_names(self, formulas: Sequence[Formula], equations: Sequence[Equation]) -> frozenset[str]:
        """The symbols and units of the episode. A name that is all digits would let any number pass."""
        names = {name for formula in formulas for symbol in formula.symbols for name in (symbol.name, symbol.letter)}
        names.update(*map(equation_symbols, equations))
        names |= {step.result.unit.text for step in self.steps}
        names |= {reading.unit.text for source in self.ledger for reading in source.quantities}
        return frozenset(name for name in names if any(letter.isalpha() for letter in name))

    def known_words(self) -> frozenset[str]:
        """The words of the question and of the formulas found, which a sentence may repeat."""
        texts = [self.question.text]
        for formula in self.formulas():
            texts += [formula.label, formula.description]
            texts += [text for symbol in formula.symbols for text in (symbol.name, symbol.description)]
        # The user's own words, but for those that nobody here can read.
        unread = {word.lower() for word in strange_words(self.translated_from, frozenset())}
        return words_of(texts) | (words_of((self.translated_from,)) - unread)

    def shown_formulas(self) -> tuple[FormulaCard, ...]:
        """The formulas that a planner sees: those of the suggestion first."""
        suggestion = self.suggestion
        used = [] if suggestion is None else [step.formula for step in suggestion.steps]
        known = {formula.id: formula for formula in self.formulas()}
        # Of several searches each shows the best that it found: none is crowded out by the others.
        best = [known[each] for found in reversed(self.best_found) for each in found if each in known]
        ordered = {formula.id: formula for formula in (*used, *best, *known.values())}
        built_in = frozenset() if self.retrieved is None else self.retrieved.built_in
        return tuple(
            formula_card(formula, is_built_in=formula.id in built_in)
            for formula in list(ordered.values())[:FORMULAS_SHOWN]
        )

    def tool_cards(self) -> tuple[ToolCard, ...]:
        """The tools with the schemas of their parameters."""
        return tuple(tool_card(name, tool) for name, tool in self.tools.items())


def formula_card(formula: Formula, *, is_built_in: bool = False) -> FormulaCard:
    """A formula in few words."""
    symbols = tuple((symbol.name, symbol.description, symbol.unit or "") for symbol in formula.symbols)
    place = BUILT_IN if is_built_in else " > ".join(formula.spans[0].headings[-2:]) if formula.spans else ""
    is_usable = formula.equation is not None and formula.status == "executable"
    problem = "" if is_usable else formula.reason or "it cannot be computed"
    conditions = tuple(condition.text for condition in formula.conditions)
    return FormulaCard(
        formula.id, formula.label, formula.latex, formula.description, symbols, conditions, place, problem
    )


def tool_card(name: str, tool: BenchTool) -> ToolCard:
    """A tool in few words, under the name it has in this episode."""
    return ToolCard(name, tool.description, tool.formula.id, tool.target, MappingProxyType(dict(tool.schema)))


def initial_state(
    question: Question,
    *,
    pinned: tuple[Bound, ...],
    direct: Outcome | None,
    permissions: Permissions = NO_PERMISSIONS,
) -> EpisodeState:
    """A fresh episode: the numbers of the question and those the user pinned are its first sources."""
    state = EpisodeState(question, direct, pinned, permissions=permissions)
    state.start_ledger()
    return state
