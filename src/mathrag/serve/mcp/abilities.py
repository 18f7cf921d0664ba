"""What the tools do, as plain functions from JSON to JSON over a library. Knows nothing of the protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from mathrag.library import Library
from mathrag.library.ask.computation import compute
from mathrag.library.ask.outcomes import checked_question
from mathrag.library.views.entries import constant_object, document_object, formula_object, span_object
from mathrag.library.views.lists import document_names
from mathrag.library.views.sources import named_entry
from mathrag.types.library import Constant, Formula

Object: TypeAlias = dict[str, Any]
# Asks one question: text, values by symbol, formula, unit.
AskFunction: TypeAlias = Callable[[str, Mapping[str, str], str | None, str | None], Object]
_MOST_HITS = 50
_MOST_LISTED = 500
# Of an outcome, what an assistant needs to repeat it truly; the rest is for programs.
_OUTCOME = (
    "outcome", "text", "value", "unit", "uncertainty", "confidence", "formulas", "bindings", "missing", "assumptions",
    "warnings", "citations", "table", "reason", "nearest", "suggestions",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Abilities:
    """The tools over one library. `ask_question` says who answers: this process, or the processes of a server."""

    library: Library
    ask_question: AskFunction

    def ask(self, question: str, values: Mapping[str, str], formula: str, unit: str) -> Object:
        """A computed, cited answer, or a refusal that says what is missing."""
        outcome = self.ask_question(checked_question(question), values, formula or None, unit or None)
        shown = {name: outcome[name] for name in _OUTCOME if outcome.get(name) not in (None, [], {}, "")}
        shown["working"] = [line for step in outcome.get("steps", ()) for line in step.get("working", ())]
        return shown

    def search_formulas(self, words: str, limit: int) -> Object:
        """Formulas and constants that fit some words, best first."""
        hits = self.library.search(words, kinds=("formula", "constant"), limit=max(1, min(limit, _MOST_HITS)))
        names = document_names(self.library)
        return {"hits": [_hit(hit.entry, hit.score, names) for hit in hits if hit.entry is not None]}

    def compute(self, formula: str, values: Mapping[str, str], solve_for: str, unit: str) -> Object:
        """The value of one symbol of a formula of the library."""
        found: Object = compute(
            self.library, formula=formula, values=values, solve_for=solve_for or None, unit=unit or None
        )
        return found

    def solve(self, formula: str, symbol: str) -> Object:
        """A formula, by its id or as LaTeX or text, solved for a symbol in closed form."""
        solved = self.library.solve(formula, symbol)
        return {
            "symbol": solved.symbol,
            "solutions": [
                {"expression": one.expression, "latex": one.latex, "is_usual": one.is_usual, "note": one.note}
                for one in solved.solutions
            ],
        }

    def convert_units(self, quantity: str, unit: str) -> Object:
        """A quantity in another unit."""
        amount = self.library.convert(quantity, unit)
        return {"value": amount.value, "unit": amount.unit, "text": str(amount)}

    def get_source(self, identifier: str) -> Object:
        """Every place where a formula or constant stands, with the words there; or a document with its formulas."""
        entry = named_entry(self.library, identifier)
        if entry is None:
            return self.document(identifier)
        names = document_names(self.library)
        return {"id": entry.id, "places": [span_object(span, names) for span in entry.spans]}

    # ---- resources

    def formula(self, identifier: str) -> Object:
        """A formula with its symbols, conditions and places."""
        return formula_object(self.library.formula(identifier), document_names(self.library))

    def document(self, identifier: str) -> Object:
        """A document with the formulas it gave."""
        info = self.library.document(identifier)
        formulas = self.library.formulas(document=info.id)
        listed = [{"id": one.id, "label": one.label, "latex": one.latex, "status": one.status} for one in formulas]
        return {**document_object(info, self.library.counts().get(info.id)), "formulas": listed[:_MOST_LISTED]}

    def documents(self) -> Object:
        """Every document with what it gave."""
        counts = self.library.counts()
        infos = self.library.documents()
        listed = [document_object(info, counts.get(info.id)) for info in infos[:_MOST_LISTED]]
        return {"total": len(infos), "documents": listed}

    def formulas(self) -> Object:
        """The formulas by id and name, as many as one can look at."""
        found = self.library.formulas()
        return {
            "total": len(found),
            "formulas": [{"id": one.id, "label": one.label, "latex": one.latex} for one in found[:_MOST_LISTED]],
        }


def _hit(entry: Formula | Constant, score: float, names: Mapping[str, str]) -> Object:
    if isinstance(entry, Constant):
        return {"kind": "constant", "score": round(score, 4), **constant_object(entry, names)}
    return {
        "kind": "formula",
        "id": entry.id,
        "label": entry.label,
        "latex": entry.latex,
        "description": entry.description,
        "status": entry.status,
        "score": round(score, 4),
        "symbols": {
            one.name: {"meaning": one.description, "unit": one.unit, "role": one.role} for one in entry.symbols
        },
        "places": [span_object(span, names) for span in entry.spans[:3]],
    }
