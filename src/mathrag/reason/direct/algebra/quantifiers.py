"""Statements with "for all" and "there is": whether one holds in every interpretation, and what its negation is."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mathrag.compute.instances import is_proved
from mathrag.compute.logic import UnreadLogicError
from mathrag.compute.quantified import (
    Formula,
    Interpretation,
    as_predicates,
    cells_of,
    holds_in,
    interpretations,
    kinds_of_elements,
    negated,
    predicates_of,
    read_quantified,
    written,
)
from mathrag.compute.signs_of_logic import plain_signs
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.asked_claims import without_asking
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 300
_MOST_CELLS = 12
_MOST_SINGLE = 3
_LARGEST = 3
_NEGATE = re.compile(
    r"(?:(?:what is|what's|give|write|write down|find|state|form|please|the|formulate|compute) )*"
    r"(?:negate|negation|denial|logical negation)(?: of)?(?: the)?(?: statement| formula| proposition)?[ :]+(?P<it>.+)",
    re.IGNORECASE,
)


def answer_quantifiers(text: str) -> DirectStatement | None:
    """What interpretations, a proof or a negation say of a statement with quantifiers; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(plain_signs(text)))
    if not re.search(rf"[∀∃]|\b(?:{any_of('logic.quantifier_words')})\b", asked, re.IGNORECASE):
        return None
    try:
        task = _NEGATE.fullmatch(asked)
        if task is not None:
            return _negation(_formula(task["it"]))
        return _judged(_formula(_as_implication(without_asking(asked))))
    except (UnreadLogicError, RecursionError):
        return None


def _as_implication(text: str) -> str:
    """Premises, a sign or word for "therefore", and a conclusion as one implication."""
    parts = re.split(r" ?[⊢⊨∴] ?|[,.;]? (?:therefore|hence|thus)[,:]? ", text)
    if len(parts) != 2 or not all(part.strip() for part in parts):
        return text
    # A comma inside brackets parts variables; one that a quantifier follows parts premises.
    premises = re.split(r"[,;] ?(?=[∀∃¬(])", parts[0].strip(" ,;"))
    return f"({' ∧ '.join(f'({each})' for each in premises)}) → ({parts[1]})"


def _formula(text: str) -> Formula:
    body = _in_signs(text.strip('"“” '))
    if "∀" not in body and "∃" not in body:
        raise UnreadLogicError("no quantifier")
    return read_quantified(body)


def _in_signs(body: str) -> str:
    """The words of logic as signs."""
    pairs = word_pairs("logic.quantifier_words")
    pattern = re.compile(rf"(?<![A-Za-z])(?:{any_of('logic.quantifier_words')})(?![A-Za-z])", re.IGNORECASE)
    made = pattern.sub(lambda found: pairs[found.group().lower()], body)
    made = re.sub(r"<->|<=>", "↔", made)
    made = re.sub(r"->|=>", "→", made)
    return " ".join(made.replace("<=", "≤").replace(">=", "≥").replace("!=", "≠").split())


def _negation(made: Formula) -> DirectStatement:
    shown = f"¬({written(made)}) ⇔ {written(negated(made))}"
    return DirectStatement(
        f"The negation of {written(made)} is {written(negated(made))}. Pushed inwards step by step: ¬∀ becomes ∃¬, ¬∃ "
        "becomes ∀¬ (bounds stay), ¬(A → B) becomes A ∧ ¬B, and ¬ turns ∧ into ∨ and ∨ into ∧.",
        written(made),
        (WorkingLine(shown),),
    )


def _judged(made: Formula) -> DirectStatement | None:
    formula = as_predicates(made)
    places = predicates_of(formula)
    whole = written(made)
    single = [name for name, count in places.items() if count == 1]
    if all(count <= 1 for count in places.values()) and "=" not in places and len(single) <= _MOST_SINGLE:
        tried = 0
        for one in kinds_of_elements(places):
            tried += 1
            if not holds_in(formula, one):
                return _refuted(whole, one)
        told = (
            f"its predicates have one place, so an interpretation is told by which of the {2 ** len(single)} kinds of "
            f"elements it has; all {tried} were tried, which proves it (domains with at least one element)"
        )
        return DirectStatement(f"True: {whole} holds in every interpretation: {told}.", whole)
    largest = 0
    for size in range(1, _LARGEST + 1):
        if cells_of(places, size) > _MOST_CELLS:
            break
        for one in interpretations(places, size):
            if not holds_in(formula, one):
                return _refuted(whole, one)
        largest = size
    if is_proved(formula):
        told = "instances of its negation contradict each other, which proves it (domains with at least one element)"
        return DirectStatement(f"True: {whole} holds in every interpretation: {told}.", whole)
    if not largest:
        return None
    many = "1 element" if largest == 1 else f"up to {largest} elements"
    return DirectStatement(f"Not decided: {whole} holds in all interpretations with {many}; it was not proved.", whole)


def _refuted(whole: str, at: Interpretation) -> DirectStatement:
    elements = ", ".join(map(str, range(1, at.size + 1)))
    told = f"on the domain {{{elements}}} with {_shown(at.true)} it is false"
    return DirectStatement(f"False: {whole} does not hold in general: {told}.", whole, (WorkingLine(told),))


def _shown(true: Mapping[str, frozenset[tuple[object, ...]]]) -> str:
    parts = []
    for name, cells in sorted(true.items()):
        called = f"“{name}”" if not name.isalpha() else name
        if () in cells:
            parts.append(f"{called} true")
        elif not cells:
            parts.append(f"{called} true of nothing")
        else:
            listed = [str(cell[0]) if len(cell) == 1 else f"({', '.join(map(str, cell))})" for cell in sorted(cells)]
            parts.append(f"{called} true exactly of {', '.join(listed)}")
    return " and ".join(parts)
