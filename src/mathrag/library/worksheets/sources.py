"""A library as worksheets see it: formulas and constants by name, questions answered."""

from __future__ import annotations

from collections.abc import Callable

from mathrag.errors import LibraryError
from mathrag.library.opened import OpenLibrary
from mathrag.types.answer import Answer, Refusal
from mathrag.worksheets.seams import Asked, CitedConstant, CitedFormula, Link, known_constant


class LibrarySources:
    """What lines of a worksheet may cite."""

    def __init__(self, library: OpenLibrary, ask: Callable[[str], object]) -> None:
        self.library = library
        self._ask = ask

    @property
    def version(self) -> str:
        """The state of the library."""
        return f"{self.library.folder}:{self.library.database.generation}"

    def cited(self, text: str) -> CitedFormula | CitedConstant:
        """A formula by its id or label, else a constant of physics; a name that several formulas have is refused."""
        found = [
            each
            for each in self.library.find_formulas(text)
            if each.equation is not None and each.status == "executable"
        ]
        if not found:
            constant = known_constant(text)
            if constant is None:
                raise LibraryError(f"the library has no formula called {text!r} that can be computed")
            return constant
        if len(found) > 1:
            listed = ", ".join(f"{each.id} ({each.latex[:40]})" for each in found[:5])
            raise LibraryError(f"{len(found)} formulas are called {text!r}; cite one by its id: {listed}")
        formula = found[0]
        assert formula.equation is not None
        document = formula.spans[0].document if formula.spans else ""
        warnings = [each.text for each in formula.conditions if each.text and not each.comparisons]
        return CitedFormula(
            Link(formula.label or formula.id, formula.id, document),
            (formula.equation,),
            tuple(test for each in formula.conditions for test in each.comparisons),
            tuple(warnings),
        )

    def ask(self, question: str) -> Asked:
        """The outcome of a question, with the formulas it rests on."""
        outcome = self._ask(question)
        if isinstance(outcome, Answer):
            links = {
                each.formula: Link(each.label or each.formula, each.formula, each.document)
                for each in outcome.citations
                if each.formula
            }
            return Asked(outcome.text, outcome.quantity, links=tuple(links.values()))
        if isinstance(outcome, Refusal):
            return Asked("", refusal=outcome.reason)
        return Asked(str(getattr(outcome, "text", "")))
